"""One sitemap over many builds: an index of theirs, or their entries anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from functools import cache
from hashlib import blake2b
from itertools import starmap
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.decide import SiteBuild
from sitemap_docs.files import is_below_any
from sitemap_docs.folder.addressing import read_home
from sitemap_docs.html.head import head_inside
from sitemap_docs.html.page import fingerprint
from sitemap_docs.join.marks import read_unmarked
from sitemap_docs.join.old_versions import (
    edit_pages,
    find_versions,
    old_version_unchanged,
    original_of,
    version_folders,
)
from sitemap_docs.join.sitemaps import Child, check_own, in_tree, of_places
from sitemap_docs.join.wanted_versions import Policy
from sitemap_docs.model import Alternate, Entry, Finding, Reason, Row, Severity, SitemapError, reported
from sitemap_docs.output import writer
from sitemap_docs.output.record import JoinRecord
from sitemap_docs.output.robots_file import RobotsTxt
from sitemap_docs.output.transaction import Output
from sitemap_docs.programs.mike import read_aliases
from sitemap_docs.publish import Published, empty_sitemap
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, split_url
from sitemap_docs.urls.languages import add_default, folder_language
from sitemap_docs.webroot.served_files import Webroot

_MOST_LANGUAGES = 150
"""Languages of a page that are linked with each other: the links are as many as their square."""


class Choice(NamedTuple):
    """The children that are joined, and the others, each with the reason.

    ``unselected`` are the folders of versions that are not wanted, also of those without a sitemap.
    """

    joined: Sequence[Child]
    left_out: Sequence[tuple[Child, str]] = ()
    unselected: Sequence[str] = ()


class Joined(NamedTuple):
    """What a join did, and of each old version the number of pages that it edited."""

    choice: Choice
    done: Published
    edited: Mapping[str, int]


def join_tree(site: SiteBuild, tree: Path, policy: Policy) -> Joined:
    """Joins the builds below a folder. Raises SitemapError."""
    policy = replace(policy, aliases=read_aliases(tree))
    if not policy.default:
        target = read_home(tree).refresh or ""  # the home page of a tree may redirect to a language
        path = split_url(target).path.removeprefix("./").lstrip("/")
        code, _ = language(path, _home_language(path.rpartition("/")[0] + "/", tree))
        policy = replace(policy, default=code)
    children = in_tree(tree, site.base, site.options.filename)
    builds = {child.build for child in children}
    listed = {policy.folder(child.build): child.pages for child in children}
    listed.pop("", None)
    if policy.canonical:
        builds |= version_folders(tree, policy, listed)
    wanted = set(policy.wanted(builds))
    if policy.canonical:  # which may be an alias, whose pages are those of another folder
        folders = {policy.folder(build) for build in wanted} - {""}
        originals = {original_of(tree, site.base, policy, folder, listed) for folder in folders}
        wanted.update(build for build in builds if policy.folder(build) in originals)
    versions: Mapping[str, str] = {}
    findings: list[Finding] = []
    if policy.treatment:
        versions, findings = find_versions(tree, site.base, policy, builds, listed)
    choice = choose(children, site.base, wanted, tree)
    check_own(tree / site.options.filename, children)
    unselected = sorted({build.rstrip("/") + "/" for build in builds - wanted})
    joined = join_sitemaps(site, choice._replace(unselected=unselected), policy, tree)
    edited: Mapping[str, int] = {}
    if children and not choice.joined and policy.treatment != "keep":
        if versions:  # which of them is the canonical one is in doubt
            findings.append(
                old_version_unchanged(
                    "No page of an old version is edited: no sitemap of the canonical version is joined."
                )
            )
    elif versions:
        done, edited = edit_pages(tree, site.base, versions, policy, dry_run=site.dry_run)
        findings += done.findings
        joined = replace(joined, changed=joined.changed + done.changed)
    return Joined(choice, replace(joined, findings=(*joined.findings, *findings)), edited)


def join_places(site: SiteBuild, places: Iterable[str], policy: Policy) -> Joined:
    """Joins sitemaps at paths and web addresses, as :func:`join_tree` does those of a folder."""
    children = of_places(places, site.base)
    choice = choose(children, site.base, policy.wanted(child.build for child in children))
    return Joined(choice, join_sitemaps(site, choice, policy), {})


def choose(
    children: Iterable[Child], base: Base, wanted: AbstractSet[str], tree: Path | None = None
) -> Choice:
    """The children that are joined, and the others: unwanted versions, copies, other places' pages.

    ``wanted`` are builds; ``tree`` is the folder that has them. Raises SitemapError for a child outside the
    index's host or folder, which the protocol forbids (https://www.sitemaps.org/protocol.html#location).
    """
    joined: list[Child] = []
    left_out: list[tuple[Child, str]] = []

    @cache  # a build may have several sitemaps
    def names_another(tree: Path, build: str) -> bool:
        home = read_unmarked(tree, f"{build}index.html")
        return bool(home.canonical_links(base.loc(build)).elsewhere)

    for child in children:
        if child.build not in wanted:
            left_out.append((child, "its version is not selected"))
        elif not child.pages:
            left_out.append((child, "it lists no pages of one host"))
        elif not child.url.startswith(base.url):
            raise SitemapError(
                f"{child.url} lies outside {base.url}: an index lists only sitemaps of its own host, in its "
                "own folder or below. Leave it out, and name it in the robots.txt at the root of a host: "
                f"Sitemap: {child.url}"
            )
        elif not child.pages.startswith(child.folder):
            left_out.append((child, f"it lists pages of {child.pages}"))
        elif tree and names_another(tree, child.build):
            left_out.append((child, "its home page names another as canonical"))
        else:
            joined.append(child)
    return Choice(joined, left_out)


def join_sitemaps(site: SiteBuild, choice: Choice, policy: Policy, tree: Path | None = None) -> Published:
    """Writes the root sitemap of builds that were chosen, and robots.txt; returns what was done.

    An index of the children; where the policy says so, one urlset as long as it fits. Builds that are
    translations of each other are listed anew, one sitemap a build, with the alternates of the pages that
    several have; all builds are, too, where one lists session ids, to take these off. Pages in ``tree`` that
    have the words of the default language are left out. Raises SitemapError before anything is moved into
    place.
    """
    chosen = choice.joined
    if not chosen:
        return Published(findings=(_nothing_joined(choice, tree, policy),))
    findings = list(_session_ids(chosen))
    # A page of an existing sitemap may be missing in ours where a child says so that was looked at.
    looked_at = [*chosen, *(child for child, _ in choice.left_out)]
    known = {child.folder for child in looked_at}
    layout = writer.Layout(
        base=site.base.url,
        options=site.options,
        gzip="off" if site.options.gzip == "auto" else site.options.gzip,
        accounts_for=lambda loc: is_below_any(loc, known),
        joined=True,
    )
    families = _families(chosen, policy.root, tree)
    robots = RobotsTxt(site.output, site.base, site.around.platform, site.options, site.root)
    with closing(site.recording()) as record, Output(site.output, dry_run=site.dry_run) as output:
        if policy.whole or findings or any(len(family) > 1 for family in families):
            root = _write_entries(site, families, policy, tree, output, layout)
        else:
            root = _write_index(site, choice, output, layout)
        findings += [*root.findings, *robots.write(output, root.written.sitemaps)]
        output.commit()
        if tree and site.output == tree.resolve():
            webroot = Webroot(tree, site.base)
            for loc in root.untranslated:
                record.add(Row(webroot.file_of(loc) or "", loc, Reason.FALLBACK))
            builds = sorted({child.build for child in chosen})
            record.commit(
                site.base.url,
                root.written.files,
                listed=root.listed,
                dated=root.dated,
                joined=JoinRecord(tuple(builds), tuple(choice.unselected)),
            )
    if tree:
        findings += _other_languages(sorted({child.build for child in chosen}), tree)
    return Published(
        listed=len(chosen),
        files=root.written.files,
        changed=tuple(output.changed),
        removed=tuple(output.removed),
        findings=tuple(findings),
    )


class _Root(NamedTuple):
    """The sitemap of a join, what it lists in all, and the addresses that it leaves out as not translated."""

    written: writer.Written
    listed: int
    dated: int
    findings: Sequence[Finding]
    untranslated: Sequence[str] = ()


def _nothing_joined(choice: Choice, tree: Path | None, policy: Policy) -> Finding:
    """That no sitemap is written, and why none of each build is joined."""
    if choice.left_out:
        whys = [f"{child.url}: {why}" for child, why in choice.left_out]
        message = f"No sitemap is joined, and the existing one stays as it is. {'; '.join(whys)}."
        return empty_sitemap(message)
    message = f"{tree} contains no sitemap of a build. Run `sitemap-docs build` on each build first."
    # The pages of old versions are edited without a sitemap, too.
    severity: Severity = "warning" if policy.treatment else "error"
    return replace(empty_sitemap(message), severity=severity)


def _session_ids(children: Iterable[Child]) -> Iterator[Finding]:
    for child in children:
        if child.session:
            yield session_id(child.place, child.session).at(child.place)


def _write_entries(
    site: SiteBuild,
    families: Iterable[Sequence[_Build]],
    policy: Policy,
    tree: Path | None,
    output: Output,
    layout: writer.Layout,
) -> _Root:
    """Adds a sitemap that lists all pages anew."""
    webroot = Webroot(tree, site.base) if tree and not site.options.untranslated else None
    entries, untranslated, unlinked = _entries(families, policy.default, webroot)
    if policy.whole:
        entries = [entry._replace(group="") for entry in entries]
    written = writer.write_sitemap(entries, output, layout)
    findings = []
    if unlinked:
        findings.append(too_many_languages(len(unlinked), one_line(unlinked[0])))
    if untranslated:
        findings.append(not_translated(len(untranslated), untranslated[0], policy.default))
    dated = sum(entry.lastmod is not None for entry in entries)
    return _Root(written, len(entries), dated, [*findings, *written.findings], untranslated)


def _write_index(site: SiteBuild, choice: Choice, output: Output, layout: writer.Layout) -> _Root:
    """Adds an index of the sitemaps."""
    entries, indexes = _listed(choice, site)
    written = writer.write_sitemap(entries, output, layout, of_sitemaps=True)
    written = replace(written, sitemaps=(*written.sitemaps, *indexes))
    listed = sum(child.listed for child in choice.joined)
    return _Root(written, listed, sum(child.dated for child in choice.joined), written.findings)


def _listed(choice: Choice, site: SiteBuild) -> tuple[list[Entry], list[str]]:
    """What the root index lists, and the URLs of the indexes among it, which a cascade keeps.

    An index is kept where all that it lists is joined.
    """
    indexes: set[str] = set()
    if site.options.index == "cascaded":
        own = site.base.loc(site.options.filename)
        indexes = {child.index for child in choice.joined if child.index.startswith(site.base.url)}
        indexes -= {own, f"{own}.gz", *(child.index for child, _ in choice.left_out)}
    # Two of the places that the user names may be one sitemap.
    listed: dict[str, list[datetime]] = {}
    for child in choice.joined:
        url = child.index if child.index in indexes else child.url
        listed.setdefault(url, []).extend(filter(None, [child.lastmod]))
    return [Entry(url, max(listed[url], default=None)) for url in sorted(listed)], sorted(indexes)


class _Build(NamedTuple):
    """One build: its language, its sitemaps, and the group in which its pages are listed."""

    language: str
    children: Sequence[Child]
    group: str


def _families(children: Iterable[Child], root: str, tree: Path | None) -> list[list[_Build]]:
    """The builds, those together whose paths differ only in the language; ``root`` is that of the others."""
    paths: dict[str, list[Child]] = {}
    for child in children:
        paths.setdefault(child.build, []).append(child)
    related: dict[str, list[_Build]] = {}
    taken: set[str] = set()
    for path in sorted(paths):
        # The name of its sitemap; where two builds would have one, the later has a digest of its own.
        group = re.sub(r"[^A-Za-z0-9]+", "-", path).strip("-") or "root"
        if group.lower() in taken:  # some file systems tell no case
            group = f"{group}-{blake2b(path.encode(errors='surrogateescape'), digest_size=4).hexdigest()}"
        taken.add(group.lower())
        code, rest = language(path, _home_language(path, tree) if tree else "")
        related.setdefault(rest, []).append(_Build(code or root, paths[path], group))
    families: list[list[_Build]] = []
    for builds in related.values():
        codes = {build.language for build in builds}
        if len(codes) == len(builds) and "" not in codes:
            families.append(builds)
        else:  # they are no translations of each other
            families += [[build] for build in builds]
    return families


def _other_languages(builds: Iterable[str], tree: Path) -> Iterator[Finding]:
    """What to report of builds in a folder named after a language whose pages are in another one."""
    for build in builds:
        code, _ = language(build)
        lang = _home_language(build, tree)
        if code and not language(build, lang)[0]:
            yield language_unlike_folder(build, code, one_line(lang)).at(build)


def _home_language(build: str, tree: Path) -> str:
    """The language that the home page of a build names; ``""`` for none, and for a redirect."""
    home = head_inside(tree, f"{build}index.html", described=True)
    return home.lang if home.refresh is None else ""


def language(build: str, lang: str = "") -> tuple[str, str]:
    """The language of a build as BCP 47 writes it, and the rest of its path; ``("", path)`` without one.

    ``lang`` is that of its home page, which may be in another language than its folder is named after.

    >>> language("docs/pt_br/1.0/")
    ('pt-BR', 'docs/1.0/')
    """
    parts = build.split("/")
    for number, part in enumerate(parts):
        code = folder_language(part, lang)
        if code:
            return code, "/".join([*parts[:number], *parts[number + 1 :]])
    return "", build


def _entries(
    families: Iterable[Sequence[_Build]], default: str, webroot: Webroot | None
) -> tuple[list[Entry], list[str], list[str]]:
    """The entries of all builds in the order of their addresses, and the pages that are not translated.

    And the paths, below their builds, of pages in so many languages that they are not linked.
    """
    listed: dict[str, Entry] = {}
    untranslated: list[str] = []
    unlinked: list[str] = []
    for family in families:
        # By their addresses below the build, and then by language.
        pages: dict[str, dict[str, Entry]] = {}
        for build in family:
            start = len(build.children[0].folder)
            for child in build.children:
                for entry in child.entries():
                    translations = pages.setdefault(entry.loc[start:], {})
                    translations.setdefault(build.language, entry._replace(group=build.group))
        for below, translations in pages.items():
            if webroot and default in translations and len(translations) > 1:
                for code in _untranslated(translations, default, webroot):
                    copy = translations.pop(code)
                    untranslated.append(copy.loc)
            alternates = []
            if len(translations) > _MOST_LANGUAGES:
                unlinked.append(below)
            elif len(translations) > 1:
                links = {code: translations[code].loc for code in sorted(translations)}
                add_default(links, default)
                alternates = [*starmap(Alternate, links.items())]
            for entry in translations.values():
                # Where two builds list one address, the first one has it.
                listed.setdefault(entry.loc, entry._replace(alternates=tuple(alternates) or entry.alternates))
    return sorted(listed.values(), key=attrgetter("loc")), sorted(untranslated), unlinked


def _untranslated(translations: Mapping[str, Entry], default: str, webroot: Webroot) -> list[str]:
    """The languages, of those of one page, in which it has the words that it has in the default one."""
    words = {}
    for code, entry in translations.items():
        file = webroot.file(entry.loc)
        if file:
            with suppress(OSError):
                words[code] = fingerprint(file)
    original = words.pop(default, "")  # empty also where there is too little text to compare
    return [code for code, text in words.items() if original and text == original]


@reported()
def session_id(place: str, session: str) -> str:
    """The sitemap of a build lists addresses with session ids.

    Each visit has another one, and engines would fetch one page many times.
    Configure the generator to leave them out; they are listed again without them.
    Wrong: `https://example.org/guide/;jsessionid=1A2B`
    Right: `https://example.org/guide/`
    Source: Google: URL structure,
    https://developers.google.com/search/docs/crawling-indexing/url-structure
    """
    return (
        f"{place} lists addresses with session ids, such as {session}. They are listed again without them. "
        "Configure the generator to leave them out."
    )


@reported()
def too_many_languages(number: int, first: str) -> str:
    """Pages are there in so many languages that they get no links to each other.

    Each page would have a link to all others, and the sitemap would grow with the square of the languages.
    Join fewer languages at once.
    Wrong: a tree of 300 folders, each named after a language
    Right: `sitemap-docs join public/europe`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return (
        f"{many(number, 'page')}, such as {first}, in more than {_MOST_LANGUAGES} languages: they get no "
        "hreflang links, as each of them would have a link to all others. Join fewer languages at once."
    )


@reported("info")
def not_translated(number: int, first: str, default: str) -> str:
    """Pages of a translation have the words of the page in another language, and are left out.

    Engines show one of two pages with the same words.
    Translate them, or list them with the option `untranslated`.
    Wrong: `de/guide/`, in English
    Right: `de/guide/`, in German; or `--untranslated`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return (
        f"Left out: {many(number, 'page')} not translated, such as {first}: the words are those of the page "
        f"in {default}. To list all, set `untranslated` to true."
    )


@reported("info")
def language_unlike_folder(build: str, code: str, lang: str) -> str:
    """A build is in a folder named after a language, and its pages name another one.

    They get no links to their translations.
    Build them with the language of the folder.
    Wrong: `de/index.html` with `<html lang="en">`
    Right: `de/index.html` with `<html lang="de">`
    Source: HTML: the attribute lang,
    https://html.spec.whatwg.org/multipage/dom.html#the-lang-and-xml:lang-attributes
    """
    return (
        f'{build} is named after the language {code}, and its pages have lang="{lang}", so that they get no '
        f"hreflang links. If they are in {code}, build them with that language (`language` in conf.py, "
        "`theme: language` in mkdocs.yml)."
    )
