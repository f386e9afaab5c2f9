"""``sitemap-docs join``: one sitemap over many builds."""

from __future__ import annotations

import os
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_docs.cli.console import Console, verbosity
from sitemap_docs.cli.flags import JOINING, configured, given, joining_options, removed_flag, timeout
from sitemap_docs.config.options import Options
from sitemap_docs.config.project import ProjectFile, read_project
from sitemap_docs.folder.addressing import find_base, reachable, read_home
from sitemap_docs.folder.generators import find_projects
from sitemap_docs.join.fallbacks import Fallbacks
from sitemap_docs.join.joining import DefaultLanguages, choose, join_sitemaps, language
from sitemap_docs.join.sitemaps import check_own, guess_base, in_tree, of_places
from sitemap_docs.join.versions import Policy, read_aliases
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.pipeline import SiteBuild
from sitemap_docs.urls.base import Base, compare_urls, split_url
from sitemap_docs.urls.languages import hreflang
from sitemap_docs.urls.platforms import platform
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_docs.join.joining import Joined
    from sitemap_docs.join.sitemaps import Child

CHECK = "check"
"""The option with the settings of the command ``check``, which projects keep in the same table."""


@click.command("join")
@click.argument("targets", nargs=-1, required=True, metavar="TREE | SITEMAP...")
@click.option("--base-url", help="Where the tree is deployed. [default: detected]")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Folder to write into."
)
@click.option(
    "--versions", "names", multiple=True, help="Names or globs of versions, with commas. [default: all]"
)
@click.option(
    "--newest", type=click.IntRange(1), default=None, help="Only the newest N versions, by PEP 440."
)
@click.option(
    "--canonical-version",
    metavar="VERSION",
    help="The version for search engines, or newest: no other is listed.",
)
@removed_flag(
    "--old-versions",
    instead="Build the pages of old versions with a canonical link, or with noindex.",
)
@click.option(
    "--x-default", help="Language for all other readers. [default: the one that the root redirects to]"
)
@click.option("--root-language", help="The language of builds whose folder names none.")
@click.option("--merge", "whole", is_flag=True, help="List all pages in one sitemap, as long as they fit.")
@joining_options
@configured
@click.option("--dry-run", is_flag=True, help="Only print what would be written.")
@click.option("--strict", is_flag=True, help="Exit with 1 when there are warnings.")
@timeout
@verbosity
def command(targets: Sequence[str], **flags: Any) -> int:  # noqa: ANN401  what click made of the flags
    """Write one sitemap for the builds in TREE, or for SITEMAPs: paths or web addresses.

    By default, every version whose pages are canonical is listed, and copies are left out.
    """
    console = Console.of(flags)
    tree = Path(targets[0]) if len(targets) == 1 and Path(targets[0]).is_dir() else None
    project = read_project(flags["config"])
    site, by = _site(tree, project, flags)
    console.info(f"base URL {site.base.url} from {by}")
    if site.platform.preview and not site.options.previews:
        why = f"a preview deployment, {site.platform.preview} (see the option `previews`)"
        console.result(f"sitemap-docs: nothing written: {why}", {"joined": [], "files": [], "skipped": why})
        return 0
    children = in_tree(tree, site.base, site.options.filename) if tree else of_places(targets, site.base)
    names = [name for text in flags["names"] for name in text.split(",") if name]
    policy = Policy(
        names=names,
        newest=flags["newest"] or 0,
        canonical=flags["canonical_version"] or "",
        aliases=read_aliases(tree) if tree else {},
    )
    wanted = policy.wanted({child.build for child in children})
    choice = choose(children, site.base, wanted, _copies(tree, children, site.base))
    if tree:
        check_own(tree / site.options.filename, children)
    languages = DefaultLanguages(
        default=_code("--x-default", flags["x_default"]) or _redirect_language(tree),
        root=_code("--root-language", flags["root_language"]),
    )
    fallbacks = None
    if tree and languages.default and site.options.min_translated:
        fallbacks = Fallbacks(Webroot(tree, site.base), languages.default)
    joined = join_sitemaps(site, choice, languages, whole=flags["whole"], fallbacks=fallbacks)
    findings = (*project.findings, *_unused(project), *joined.findings)
    _print(console, joined, choice.left_out, findings, dry_run=flags["dry_run"])
    failing = ("error", "warning") if flags["strict"] else ("error",)
    return int(any(each.severity in failing for each in findings))


def _unused(project: ProjectFile) -> Iterator[Finding]:
    """The finding about options in the TOML file that shape other commands alone."""
    known = {*JOINING, "base_url", CHECK}
    names = [name.replace("_", "-") for name in project.names if name not in known]
    if names:
        yield Finding(
            rule="option-unused",
            message=f"In the TOML file, `{'`, `'.join(names)}` has no effect on `join`: it lists what the "
            "sitemaps of the builds list. Set it for the builds, and pass --config with another file here.",
        )


def _site(tree: Path | None, project: ProjectFile, flags: dict[str, Any]) -> tuple[SiteBuild, str]:
    bases = [(flags["base_url"] or "", "--base-url"), (reachable(project.base_url), "the TOML file")]
    if tree and not any(url for url, _ in bases):
        bases.append(guess_base(tree))
    where = platform(os.environ)
    output = flags["output"] or tree
    if output is None:
        raise SitemapError(
            "Missing option --output: pass one folder that exists, or sitemaps and a folder to write into: "
            "sitemap-docs join SITEMAP... -o FOLDER."
        )
    projects = find_projects([Path.cwd()]).configs if tree else []
    base, by = find_base(bases, projects, output, where)
    site = SiteBuild(
        root=Path.cwd(),
        output=output.resolve(),
        base=base,
        platform=where,
        options=Options.of({**project.options, **given(flags)}),
        environ=os.environ,
        now=datetime.now(timezone.utc),
        dry_run=flags["dry_run"],
    )
    return site, by


def _copies(tree: Path | None, children: Iterable[Child], base: Base) -> frozenset[str]:
    """The builds whose home page names another address as canonical."""
    if tree is None:
        return frozenset()
    homes = {child.build: base.loc(child.build) for child in children}
    return frozenset(
        build
        for build, loc in homes.items()
        if any(compare_urls(href, loc) == "elsewhere" for href in read_home(tree / build).canonicals)
    )


def _code(flag: str, text: str | None) -> str:
    code = hreflang(text) if text else ""
    if code is None:
        raise SitemapError(f"{flag} must be a language code such as en or pt-BR, not {text!r}.")
    return code


def _redirect_language(tree: Path | None) -> str:
    """The language of the folder that the tree's home page redirects to."""
    target = (read_home(tree).refresh if tree else None) or ""
    return language(split_url(target).path.removeprefix("./").lstrip("/"))[0]


def _print(
    console: Console,
    joined: Joined,
    left_out: Sequence[tuple[Child, str]],
    findings: Sequence[Finding],
    *,
    dry_run: bool,
) -> None:
    for child in joined.children:
        console.debug(f"joined: {child.url}")
    for child, why in left_out:
        console.debug(f"left out: {child.url}: {why}")
    console.findings(findings)
    for name in joined.changed:
        (console.info if dry_run else console.debug)(f"{'would ' * dry_run}write {name}")
    number = len(joined.children)
    console.result(
        f"sitemap-docs: {number} sitemap{'s' * (number != 1)} joined, {len(left_out)} left out",
        {
            "joined": [child.url for child in joined.children],
            "left_out": {child.url: why for child, why in left_out},
            "files": joined.files,
            "changed": joined.changed,
            "removed": joined.removed,
            "findings": [asdict(finding) for finding in findings],
        },
    )
