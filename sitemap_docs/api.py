"""The public Python API: build, check and join folders, read a sitemap, add a rule to the audit.

The names in this module and the classes of :mod:`sitemap_docs.model` change only with a new major version.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.ignore_option import of_audit
from sitemap_docs.audit.registry import Findings, Location, rule
from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.audit.run import audit_site
from sitemap_docs.audit.site import AlternateLinks, RobotsFile, Site, TextFile
from sitemap_docs.audit.sitemap_file import Sitemap, Url
from sitemap_docs.build import build_site
from sitemap_docs.built import open_built, read_built
from sitemap_docs.config.option_types import (
    AUDIT_FIELDS,
    STRING,
    SWITCH,
    TEXTS,
    OptionType,
    choice,
    number,
    read_fields,
)
from sitemap_docs.config.typed import BuildOptions, CheckOptions, JoinOptions
from sitemap_docs.diff import RedirectForm
from sitemap_docs.folder.collect import collect_pages
from sitemap_docs.folder.folder_site import open_folder
from sitemap_docs.folder.settings import FolderSettings
from sitemap_docs.join.joining import Joined, join_sites
from sitemap_docs.join.redirects import join_redirects
from sitemap_docs.join.request import JoinRequest, Treatment, split_versions
from sitemap_docs.model import Entry, Finding, Rule, Severity, SitemapError
from sitemap_docs.publish import Published
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.tree import open_tree

if TYPE_CHECKING:
    from typing_extensions import Unpack  # of type checkers; `typing` has it from Python 3.11 on


__all__ = [
    "AlternateLinks",
    "BuildOptions",
    "CheckOptions",
    "Entry",
    "Finding",
    "Findings",
    "HtmlPage",
    "JoinOptions",
    "Joined",
    "Location",
    "Published",
    "RobotsFile",
    "Rule",
    "Site",
    "Sitemap",
    "SitemapError",
    "TextFile",
    "Url",
    "build",
    "check",
    "join",
    "read_sitemap",
    "rule",
]


class _NotGiven(str):
    """A default value which shows that the caller has not passed an argument."""

    __slots__ = ()


_NOT_GIVEN = _NotGiven()


def _version_files(value: object) -> list[tuple[str, Path]]:
    """Convert a mapping such as ``{"2.0": "a.jsonl"}`` to ``[("2.0", Path("a.jsonl"))]``."""
    problem = ValueError("a mapping from versions to files, such as {'2.0': '2.0.jsonl'}")
    if not isinstance(value, Mapping):
        raise problem
    files = []
    for version, file in value.items():
        if not (isinstance(version, str) and isinstance(file, (str, os.PathLike))):
            raise problem
        files.append((version, Path(file)))
    return files


#: The types of arguments that are not options. Commands have a flag for each of these arguments.
_ARGUMENTS: Mapping[str, OptionType[Any]] = {
    "canonical_version": STRING,
    "dry_run": SWITCH,
    "ignore": AUDIT_FIELDS["ignore"],
    "maps": TEXTS,
    "merge": SWITCH,
    "newest": number(0, 10_000),
    "old_versions": choice(Treatment),
    "redirects": choice(RedirectForm),
    "root_language": STRING,
    "select": AUDIT_FIELDS["select"],
    "severity": AUDIT_FIELDS["severity"],
    "version_record": OptionType("map", _version_files, {"type": "object"}),
    "versions": TEXTS,
    "x_default": STRING,
}


def build(  # noqa: PLR0913  all but the first by name
    folder: str | os.PathLike[str],
    *,
    base_url: str = _NOT_GIVEN,
    sources: Sequence[str | os.PathLike[str]] = (),
    maps: Sequence[str] = (),
    config: str | os.PathLike[str] | None = None,
    generator_config: str | os.PathLike[str] | None = None,
    dry_run: bool = False,
    **options: Unpack[BuildOptions],
) -> Published:
    """Write the sitemap of a folder with built HTML files, like the command ``sitemap-docs build``.

    Args:
        folder: The folder with the HTML files.
        base_url: The URL of the site, such as ``https://docs.example.org/``. By default, it is taken from the
            configuration of the generator, or from the built site. An empty text is an error.
        sources: Folders with the source files of the pages. Their git history gives the dates of the pages.
        maps: Rules for source files whose paths differ from the pages. With ``fr/**=**.fr.md``, the source of
            ``fr/a/`` is ``a.fr.md``.
        config: A TOML file with options. By default, no file is read.
        generator_config: The configuration file of the generator, such as ``mkdocs.yml``. By default, a file
            next to the folder is used if there is one.
        dry_run: If true, no file is written.
        **options: Options by name, such as ``excludes``. The manual explains them. They override options in
            files.

    Returns:
        The counts of pages, the names of the written files, and the findings.

    Raises:
        SitemapError: The sitemap cannot be written. No file has been changed.
    """
    arguments = _read_arguments(maps=maps, dry_run=dry_run)
    settings = _settings(
        folder,
        config,
        generator_config,
        sources,
        base_url,
        maps=arguments["maps"],
        options=options,
        doors=frozenset({"build"}),
    )
    opened = open_folder(settings)
    project = replace(opened.project, dry_run=arguments["dry_run"])
    return build_site(project, collect_pages(opened), check=opened.is_audited)


def check(  # noqa: PLR0913  all but the first by name
    folder: str | os.PathLike[str],
    *,
    base_url: str = _NOT_GIVEN,
    sources: Sequence[str | os.PathLike[str]] = (),
    maps: Sequence[str] = (),
    config: str | os.PathLike[str] | None = None,
    generator_config: str | os.PathLike[str] | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Severity = "warning",
    **options: Unpack[CheckOptions],
) -> tuple[Finding, ...]:
    """Audit a built folder, like ``sitemap-docs check``, and return the findings.

    Args:
        folder: The folder with the HTML files.
        base_url: The URL of the site, as for :func:`build`.
        sources: Folders with the sources of the pages.
        maps: Rules ``PAGES=SOURCES`` that find the sources of pages, as for :func:`build`.
        config: A TOML file with options.
        generator_config: The configuration file of the generator, as for :func:`build`.
        select: The rules to run: names, globs, groups, ``default`` or ``all``.
        ignore: Rules to ignore: names, globs or groups.
        severity: The lowest severity of the returned findings.
        **options: Options by name. The manual says which options apply to a check. The option ``check`` has
            settings of rules, as in a file.

    Raises:
        SitemapError: The folder cannot be checked.
    """
    arguments = _read_arguments(maps=maps, select=select, ignore=ignore, severity=severity)
    if not isinstance(options.get("check", {}), Mapping):
        # In a build, this option is a switch, too.
        raise SitemapError(
            "The option `check` must be a mapping here, because check() always checks the site. Pass a "
            "mapping with `select`, `ignore`, `severity` or `rules`, or leave the option out."
        )
    ignored_rules = arguments["ignore"]
    all_options: Mapping[str, object] = options
    if ignored_rules:
        all_options = {**options, "ignore": ignored_rules}
    folder_settings = _settings(
        folder,
        config,
        generator_config,
        sources,
        base_url,
        maps=arguments["maps"],
        options=all_options,
        doors=frozenset({"read", "audit"}),
    )
    built_folder = open_built(folder_settings)
    project = built_folder.project
    audit_settings = settings_of(
        project.options,
        select=arguments["select"],
        ignore=of_audit(ignored_rules),
        severity=arguments["severity"],
    )
    audited = audit_site(read_built(built_folder), audit_settings, sources_from=project.surroundings.here)
    return (*built_folder.record_warnings, *audit_settings.findings, *audited.findings)


def join(  # noqa: PLR0913  all but the first by name
    *places: str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    base_url: str = _NOT_GIVEN,
    versions: Sequence[str] = (),
    newest: int = 0,
    canonical_version: str = "",
    old_versions: Treatment | None = None,
    version_record: Mapping[str, str | os.PathLike[str]] | None = None,
    redirects: RedirectForm | None = None,
    x_default: str = "",
    root_language: str = "",
    merge: bool = False,
    config: str | os.PathLike[str] | None = None,
    generator_config: str | os.PathLike[str] | None = None,
    dry_run: bool = False,
    **options: Unpack[JoinOptions],
) -> Joined:
    """Write one sitemap for several built sites, such as versions, like the command ``sitemap-docs join``.

    Args:
        *places: One folder that contains all sites, or else the files or URLs of their sitemaps.
        output: The folder to write into. By default, it is the folder that contains all sites.
        base_url: The URL at which the folder is deployed. By default, it is taken from the sitemap of a site.
        versions: Names or globs of the versions to list. By default, all versions are listed. A text may
            contain several names, separated by commas.
        newest: How many of the newest versions to list. 0 sets no limit.
        canonical_version: The only version to list, because search engines should find it: a name, an alias,
            ``newest``, or ``/`` for the root of the folder.
        old_versions: How to edit the pages of all other versions: add ``noindex``, or add a ``canonical``
            link to the page that replaces the old page. ``keep`` undoes these edits.
        version_record: Record files of builds, such as ``{"2.0": "2.0.jsonl"}``. Records show which pages
            have moved because their sources were renamed in git.
        redirects: A format for redirects, such as ``netlify``. If it is given, no file is written, and the
            result has redirects for pages of older versions that have moved.
        x_default: The language for readers of all other languages. By default, it is the language of the site
            to which the home page redirects.
        root_language: The language of sites whose folders are not named after a language.
        merge: Whether to list the pages of all sites in one sitemap.
        config: A TOML file with options. By default, no file is read.
        generator_config: The configuration file of the generator, as for :func:`build`.
        dry_run: If true, no file is written.
        **options: Options by name. The manual says which options apply to a join.

    Returns:
        All sites, each with the ``state`` that says whether the new sitemap lists it, the written files, the
        problems that were found, and the number of edited pages.

    Raises:
        SitemapError: The sites cannot be joined. No file has been changed.
    """
    arguments = _read_arguments(
        versions=versions,
        newest=newest,
        canonical_version=canonical_version,
        x_default=x_default,
        root_language=root_language,
        merge=merge,
        dry_run=dry_run,
    )
    choices = {"old_versions": old_versions, "version_record": version_record, "redirects": redirects}
    given_choices = {name: value for name, value in choices.items() if value is not None}
    arguments.update(_read_arguments(**given_choices))
    _require_value("base_url", base_url)
    form = arguments.get("redirects")
    tree = None
    if len(places) == 1 and Path(places[0]).is_dir():
        tree = Path(places[0])
    if not places or (output is None and tree is None):
        raise SitemapError(
            "There is no folder to join. Pass one existing folder that contains the builds. To join "
            "sitemaps, also pass `output`, the folder to write into."
        )
    request = JoinRequest(
        names=split_versions(arguments["versions"]),
        newest=arguments["newest"],
        canonical=arguments["canonical_version"],
        treatment=arguments.get("old_versions"),
        is_merged=arguments["merge"],
        default_language=arguments["x_default"],
        root_language=arguments["root_language"],
        version_records=arguments.get("version_record", ()),
        prints_redirects=form is not None,
    )
    request.check(has_tree=tree is not None)
    settings = FolderSettings(
        folder=Path(output) if output else tree,
        config=Path(config) if config else None,
        generator_config=Path(generator_config) if generator_config else None,
        detects=False,
        base_url=None if base_url is _NOT_GIVEN else base_url,
        options=options,
        doors=frozenset({"join"}),
    )
    opened = open_tree(settings, tree, dry_run=arguments["dry_run"])
    if form is None:
        return join_sites(opened, request, [os.fspath(place) for place in places])
    return join_redirects(opened, request, form)


def read_sitemap(file: str | os.PathLike[str]) -> tuple[Entry, ...]:
    """Return the entries of a sitemap or a sitemap index.

    The file may be XML, text, RSS or Atom, and may be compressed (``.xml.gz``). Invalid values are left out.

    Raises:
        SitemapError: The file cannot be read or is not a sitemap.
    """
    try:
        return tuple(parse(Path(file), feeds=True).entries())
    except OSError as error:
        raise SitemapError(f"{file} cannot be read: {error.strerror}.") from None


def _read_arguments(**given: object) -> dict[str, Any]:
    """Check the keyword arguments of an API function, and return them with the right types.

    For example, ``newest="3"`` becomes ``newest=3``.

    Raises:
        SitemapError: A value is invalid, such as ``old_versions="noidx"``.
    """
    values = {}
    for name, value in given.items():
        _require_value(name, value)
        values[name] = value
        if isinstance(value, Iterable) and not isinstance(value, (str, Mapping)):
            values[name] = tuple(value)
    return read_fields(values, _ARGUMENTS)


def _require_value(name: str, value: object) -> None:
    """Raise SitemapError if an argument is None, for example because an environment variable is not set."""
    if value is None:
        raise SitemapError(f"The argument `{name}` is None. Pass a value, or leave the argument out.")


def _settings(
    folder: str | os.PathLike[str],
    config: str | os.PathLike[str] | None,
    generator_config: str | os.PathLike[str] | None,
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    base_url: str,
    **more: Any,  # noqa: ANN401  other fields of FolderSettings
) -> FolderSettings:
    _require_value("base_url", base_url)
    _require_value("sources", sources)
    path = Path(folder)
    if not path.is_dir():
        raise SitemapError(
            f"There is no folder {path}. Pass the folder that contains your built site, such as site/ or "
            "_build/html/."
        )
    source_folders = [sources] if isinstance(sources, (str, os.PathLike)) else sources
    return FolderSettings(
        folder=path,
        config=Path(config) if config else None,
        generator_config=Path(generator_config) if generator_config else None,
        detects=False,
        base_url=None if base_url is _NOT_GIVEN else base_url,
        sources=tuple(map(Path, source_folders)),
        **more,
    )
