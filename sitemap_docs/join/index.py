"""Write the common sitemap of all versions: an index of their sitemaps, or one sitemap of all pages."""

import posixpath
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.html.body import fingerprint
from sitemap_docs.join.request import RequestError
from sitemap_docs.listing.alternates import JoinedLanguages, link_joined_pages, move_alternates
from sitemap_docs.model import (
    Entry,
    Finding,
    Reason,
    Row,
    SitemapError,
    TreeSite,
    TreeSitemap,
)
from sitemap_docs.output import writer
from sitemap_docs.output.existing import listed_rows, read_mark
from sitemap_docs.output.record import open_record_writer
from sitemap_docs.output.robots_file import RobotsTxt
from sitemap_docs.output.transaction import Output
from sitemap_docs.project import Project
from sitemap_docs.publish import Published, empty_sitemap
from sitemap_docs.rules import reported
from sitemap_docs.sitemap import reader
from sitemap_docs.text import many, one_line
from sitemap_docs.tree import derive_base_of_tree, read_entries, split_language
from sitemap_docs.urls.base import Base, resolve
from sitemap_docs.urls.versions import version_rank
from sitemap_docs.webroot import Webroot


class IndexSettings(NamedTuple):
    """Settings for the sitemap index of all versions of a site."""

    #: Whether to write a single sitemap with all pages instead of an index.
    is_merged: bool = False
    #: The language for ``x-default``, such as ``en``.
    default_language: str = ""
    edits_pages: bool = False
    #: Returns the source of a file that the build of the root copied, or None.
    source_of: Callable[[str], Path | None] | None = None
    #: The files of the flag ``--version-record``.
    passed_records: Collection[Path] = ()
    #: Whether the option ``record`` is set for commands, and not only for the builds of a plugin.
    asks_for_record: bool = False


def check_own_sitemap(project: Project, tree: Path | None, sites: Collection[TreeSite]) -> None:
    """Raise SitemapError if ``sitemap-docs join`` would replace the sitemap of the site in the top folder."""
    folder = tree or project.output
    file = folder / project.options.filename
    if not files.find_inside(folder, file.name):
        return
    joined = [sitemap for site in sites for sitemap in site.joined_sitemaps]
    if _is_single_sitemap(joined, project):
        return  # The file stays.
    advice = "To keep it and join it with the others, pass the option `filename=sitemap-index.xml`"
    if tree is None:
        advice += f", and {file} as a further sitemap"
    own_places = {Path(sitemap.place) for site in sites for sitemap in site.sitemaps}
    if file in own_places:
        raise RequestError(
            f"{file} is the sitemap of the site in {folder}, and the join would replace it. {advice}"
        )
    lost = _find_lost_address(file, project, sites, tree)
    if lost:
        raise RequestError(
            f"{file} lists {lost}, so it is the sitemap of the site in {folder}, and the join would replace "
            f"it. {advice}"
        )


def _find_lost_address(file: Path, project: Project, sites: Iterable[TreeSite], tree: Path | None) -> str:
    """Return a URL that the old sitemap ``file`` lists and the new sitemap index would not, or ``""``.

    ``sites`` are all versions. ``tree`` is the folder that contains them, or None for a list of sitemaps.
    """
    with files.translated_errors(file, "read"):
        mark = read_mark(file)
        if mark and mark.joined:
            return ""
        if mark is None and (project.options.replace or reader.parse(file).is_index):
            return ""  # While the common sitemap is written, the index of another program is compared.
        is_covered = _address_checker(sites, tree)
        for row in listed_rows(file):
            loc = resolve(project.base.url, row.loc)
            if row.loc and not is_covered(loc):
                return loc
    return ""


def _address_checker(sites: Iterable[TreeSite], tree: Path | None) -> Callable[[str], bool]:
    """Return a function that checks whether a URL belongs to any of the sites."""
    urls = set()
    folders = set()
    for site in sites:
        for sitemap in site.sitemaps:
            urls.add(sitemap.url)
            # Without a tree, a sitemap such as en.xml may be far from its pages.
            folders.add(sitemap.folder if tree else sitemap.pages)
    folders.discard("")
    return lambda loc: loc in urls or files.is_below_any(loc, folders)


def check_root_pages(tree: Path, base: Base, sites: Iterable[TreeSite], versions: Mapping[str, str]) -> None:
    """Raise SitemapError if the sitemap in the top folder lists a page of a version such as ``1.0/``.

    ``versions`` maps each version to its name in messages: ``{"1.0/": "the old version 1.0/"}``.
    """
    folders = {base.loc(path): path for path in versions}
    for site in sites:
        if site.version:
            continue
        for sitemap in site.joined_sitemaps:
            for entry in read_entries(sitemap):
                if not files.is_below_any(entry.loc, folders.keys()):
                    continue
                path = next(path for url, path in folders.items() if entry.loc.startswith(url))
                build = _build_without_versions(tree, base, site, sitemap, versions)
                raise SitemapError(
                    f"{sitemap.place} lists {entry.loc}, a page of {versions[path]}. Build the sitemap "
                    f"again without old versions: {build}"
                )


def _build_without_versions(
    tree: Path, base: Base, site: TreeSite, sitemap: TreeSitemap, versions: Iterable[str]
) -> str:
    """Return the ``sitemap-docs build`` command that writes a sitemap again without some versions.

    Args:
        tree: The folder with all versions.
        base: The base URL of this folder.
        site: The version or language that the command builds.
        sitemap: The existing sitemap of ``site``.
        versions: The folders to exclude, such as ``1.0/``.
    """
    folder = base.loc(site.path)
    url = sitemap.listed_by if posixpath.dirname(sitemap.listed_by) == folder.rstrip("/") else sitemap.url
    name = posixpath.basename(url)
    words = ["sitemap-docs", "build", str(tree / site.path), "--base-url", folder]
    if name.endswith(".gz"):
        words += ["--gzip", "instead"]
        name = name.removesuffix(".gz")
    if name.endswith(".xml") and name != Options().filename:
        words += ["--filename", name]
    for path in versions:
        if path.startswith(site.path):
            words += ["--excludes", f"{path.removeprefix(site.path)}*"]
    return shlex.join(words)


def write_index(
    project: Project, sites: Collection[TreeSite], settings: IndexSettings, tree: Path | None = None
) -> Published:
    """Write the sitemap index of all versions, and robots.txt.

    Raises:
        SitemapError: A file cannot be read or written. Nothing was changed.
    """
    joined_sites = [site for site in sites if site.state == "joined"]
    sitemaps = [sitemap for site in joined_sites for sitemap in site.joined_sitemaps]
    if not sitemaps:
        return Published(findings=(_explain_no_sitemap(sites, tree, settings, project),))
    if tree and _is_single_sitemap(sitemaps, project):
        return _keep_single_sitemap(project, sites, sitemaps, settings)
    # An address in an existing sitemap may be lost if it is in the folder of a site that was looked at.
    layout = writer.Layout(
        base=project.base.url,
        options=project.options,
        may_be_absent=_address_checker(sites, tree),
        joined=True,
        source_of=settings.source_of,
    )
    families = _group_translations(joined_sites)
    has_translations = len(families) < len(joined_sites)
    has_session_ids = any(sitemap.session for sitemap in sitemaps)
    untranslated: Sequence[str] = ()
    findings: list[Finding] = []
    robots = RobotsTxt(project)
    with (
        closing(open_record_writer(project, joins=True)) as record,
        Output(project.output, dry_run=project.dry_run) as output,
    ):
        if settings.is_merged or has_translations or has_session_ids:
            webroot = Webroot(tree, project.hosting) if tree else None
            entries, untranslated, findings = _read_all_pages(
                families,
                settings,
                project.base,
                webroot,
                lists_untranslated=project.options.untranslated,
            )
            written = writer.write_sitemap(entries, output, layout)
        else:
            entries, indexes = _index_entries(sites, project)
            written = writer.write_sitemap(entries, output, layout, of_sitemaps=True)
            written = replace(written, sitemaps=(*written.sitemaps, *indexes))
        findings += [*written.findings, *robots.write(output, written.sitemaps)]
        output.commit()
        if tree and project.output == tree.resolve():
            webroot = Webroot(tree, project.hosting)
            for loc in untranslated:
                record.add(Row(webroot.file_of(loc) or "", loc, Reason.FALLBACK))
            record.commit(project.base.url, written.files, sites=sites)
            findings += _kept_record_findings(record.kept_file, settings)
    findings += _language_findings(joined_sites)
    return Published(
        listed=len(sitemaps),
        files=written.files,
        changed=tuple(output.changed),
        removed=tuple(output.removed),
        findings=tuple(findings),
    )


def _is_single_sitemap(sitemaps: Sequence[TreeSitemap], project: Project) -> bool:
    """Check whether the project's ``sitemap.xml`` is the only sitemap, or an index of all others.

    If the options ask for an index, it must be an index.
    """
    own = project.base.loc(project.options.filename)
    if writer.needs_index(project.options) and any(sitemap.listed_by != own for sitemap in sitemaps):
        return False
    return bool(sitemaps) and all(own in (sitemap.url, sitemap.listed_by) for sitemap in sitemaps)


def _keep_single_sitemap(
    project: Project,
    sites: Collection[TreeSite],
    sitemaps: Sequence[TreeSitemap],
    settings: IndexSettings,
) -> Published:
    """Keep the site's only sitemap instead of writing a sitemap index, and write robots.txt."""
    robots = RobotsTxt(project)
    own = project.base.loc(project.options.filename)
    names = dict.fromkeys([project.options.filename])
    for sitemap in sitemaps:
        names[files.seen_from(project.output, sitemap.place)] = None
    with (
        closing(open_record_writer(project, joins=True)) as record,
        Output(project.output, dry_run=project.dry_run) as output,
    ):
        findings = [*robots.write(output, [own]), *_kept_record_findings(record.kept_file, settings)]
        output.commit()
        record.commit(project.base.url, tuple(names), sites=sites)
    return Published(
        listed=len(sitemaps), files=tuple(names), changed=tuple(output.changed), findings=tuple(findings)
    )


def _kept_record_findings(file: Path | None, settings: IndexSettings) -> Iterator[Finding]:
    """Yield a note if ``sitemap-docs join`` did not replace the record of a build.

    A record is the file with the decisions of a build. ``file`` is the record that was not replaced, or None.
    There is no note if the user has passed ``file`` as the record of a version, or has set the option
    ``record`` only for builds in mkdocs.yml.
    """
    if not settings.asks_for_record:
        return
    passed_files = {passed.resolve() for passed in settings.passed_records}
    if file and file.resolve() not in passed_files:
        yield record_kept(file)


def _explain_no_sitemap(
    sites: Collection[TreeSite], tree: Path | None, settings: IndexSettings, project: Project
) -> Finding:
    """Return a message for the user that explains why the versions got no common sitemap."""
    build_first = "First run `sitemap-docs build FOLDER --base-url URL` for each build."
    with_sitemaps = [site for site in sites if site.sitemaps]
    if not with_sitemaps:
        if tree is None:
            return empty_sitemap(
                "Each sitemap index that you passed is empty. Pass the sitemaps of the builds, or a folder."
            )
        finding = empty_sitemap(f"{tree} contains no sitemap of a build. {build_first}")
        if settings.edits_pages:
            return replace(finding, severity="warning")
        return finding
    wanted = [site for site in sites if site.state == "left out"]
    pages = [sitemap.pages for site in wanted for sitemap in site.sitemaps if sitemap.pages]
    claims = {site: _find_other_base_urls(site, project.base) for site in wanted}
    claiming = [site for site in wanted if claims[site]]
    if claiming and not any(url.startswith(project.base.url) for url in pages):
        newest_site = max(claiming, key=lambda site: version_rank(site.version))
        sitemap, claimed = claims[newest_site][0]
        return empty_sitemap(
            f"Nothing was changed. The base URL is {project.base.url} (from {project.address.origin}), but "
            f"{sitemap.place} lists pages below {sitemap.pages}. If the folder is deployed to {claimed}, "
            f"pass --base-url {claimed}"
        )
    first_site = min(with_sitemaps, key=lambda site: site.state != "left out")
    first = first_site.sitemaps[0]
    is_empty = first_site.state == "left out" and not first.pages
    advice = build_first if is_empty else "To see the reason for each sitemap, pass -v."
    return empty_sitemap(
        f"No sitemap was joined, and an existing one was not changed. {first.url} was left out: {first.why}. "
        f"{advice}"
    )


def _find_other_base_urls(site: TreeSite, base: Base) -> list[tuple[TreeSitemap, str]]:
    """Return the sitemaps that were not built with the base URL ``base``, each with its own base URL."""
    claims = []
    for sitemap in site.sitemaps:
        claimed = derive_base_of_tree(sitemap, site.path)
        if claimed and not sitemap.pages.startswith(base.url):
            claims.append((sitemap, claimed))
    return claims


def base_url_findings(sites: Iterable[TreeSite], base: Base, guessed_by: str) -> list[Finding]:
    """Warn about sitemaps that were built with another base URL than ``base``.

    ``guessed_by`` is the sitemap file from which ``base`` was guessed, for the warning.
    """
    claims = []
    for site in sites:
        claims += _find_other_base_urls(site, base)
    if not claims:
        return []
    sitemap, claimed = claims[0]
    return [base_urls_differ(base.url, guessed_by, len(claims), sitemap.place, claimed).at(sitemap.place)]


def _index_entries(sites: Collection[TreeSite], project: Project) -> tuple[list[Entry], list[str]]:
    """Return the entries of the sitemap index, and the URLs of those that are themselves indexes."""
    indexes: set[str] = set()
    # The user may have passed the same sitemap twice.
    sitemaps = dict.fromkeys(sitemap for site in sites for sitemap in site.joined_sitemaps)
    incomplete = {sitemap.listed_by for site in sites for sitemap in site.sitemaps if sitemap.why}
    if project.options.index == "cascaded":
        own = project.base.loc(project.options.filename)
        for sitemap in sitemaps:
            if sitemap.listed_by.startswith(project.base.url):
                indexes.add(sitemap.listed_by)
        indexes -= {own, f"{own}.gz", *incomplete}
    dates: dict[str, list[datetime]] = {}
    for sitemap in sitemaps:
        url = sitemap.listed_by if sitemap.listed_by in indexes else sitemap.url
        dates.setdefault(url, []).extend(filter(None, [sitemap.lastmod]))
    return [Entry(url, max(dates[url], default=None)) for url in sorted(dates)], sorted(indexes)


def _group_translations(sites: Iterable[TreeSite]) -> list[list[TreeSite]]:
    """Group sites that are translations of each other, such as ``de/`` and ``en/``."""
    related: dict[str, list[TreeSite]] = {}
    for site in sorted(sites, key=attrgetter("path")):
        rest = site.path
        if site.language:
            _, rest = split_language(site.path, site.language)
        related.setdefault(rest, []).append(site)
    groups: list[list[TreeSite]] = []
    for together in related.values():
        codes = {site.language for site in together}
        if len(codes) == len(together) and "" not in codes:
            groups.append(together)
        else:
            groups += [[site] for site in together]
    return groups


def _language_findings(sites: Iterable[TreeSite]) -> Iterator[Finding]:
    """Warn about folders such as ``de/`` if the home page there is in another language than German.

    The language of a home page is in ``<html lang>``.
    """
    for site in sorted(sites, key=attrgetter("path")):
        code, _ = split_language(site.path)
        own_code, _ = split_language(site.path, site.lang)
        if code and not own_code:
            yield language_unlike_folder(site.path, code, one_line(site.lang)).at(site.path)


def _read_all_pages(
    groups: Iterable[Sequence[TreeSite]],
    settings: IndexSettings,
    base: Base,
    webroot: Webroot | None,
    *,
    lists_untranslated: bool,
) -> tuple[list[Entry], list[str], list[Finding]]:
    """Read the pages from all sitemaps, and link the translations of each page.

    Each of the ``groups`` contains sites that are translations of each other, such as ``de/`` and ``en/``.

    Returns:
        The sitemap entries, the addresses of untranslated pages, and problems to report.
    """
    default = settings.default_language
    listed: dict[str, Entry] = {}
    untranslated: list[str] = []
    findings: list[Finding] = []
    for group in groups:
        for site in group:
            findings += _loss_findings(site)
        joined = JoinedLanguages(
            base=base,
            codes={site.language for site in group},
            folders={base.loc(site.path) for site in group},
            default=default,
            webroot=webroot,
        )
        for translations in _read_group(group, is_merged=settings.is_merged):
            needs_check = not lists_untranslated and default in translations and len(translations) > 1
            if webroot and needs_check:
                codes = _untranslated(translations, default, webroot)
                untranslated += [translations.pop(code).loc for code in codes]
            for entry in link_joined_pages(translations, joined).values():
                # If two sites list one address, the entry of the first site counts.
                listed.setdefault(entry.loc, entry)
    left_out = dict.fromkeys(untranslated)
    for loc, entry in listed.items():  # The sitemap of a site may link to pages that the join leaves out.
        alternates_of_site = move_alternates(loc, entry.alternates, left_out)
        listed[loc] = entry._replace(alternates=alternates_of_site)
    untranslated.sort()
    if untranslated:
        findings.append(not_translated(len(untranslated), untranslated[0], default))
    return sorted(listed.values(), key=attrgetter("loc")), untranslated, findings


def _read_group(group: Iterable[TreeSite], *, is_merged: bool) -> Iterable[dict[str, Entry]]:
    """Return a dictionary for each page, with its translations by language: ``{"de": …, "en": …}``.

    ``group`` contains the sites of one documentation, one for each language. ``is_merged`` means that all
    sites share one sitemap.
    """
    pages: dict[str, dict[str, Entry]] = {}
    for site in group:
        name = "" if is_merged else writer.group_of_folder(site.path)
        for sitemap in site.joined_sitemaps:
            for entry in read_entries(sitemap):
                translations = pages.setdefault(entry.loc.removeprefix(sitemap.folder), {})
                translations.setdefault(site.language, entry._replace(group=name))
    return pages.values()


def _loss_findings(site: TreeSite) -> Iterator[Finding]:
    """Warn if the joined sitemap drops session ids from URLs, or XML elements such as ``<news:news>``."""
    for sitemap in site.joined_sitemaps:
        if sitemap.session:
            yield session_id(sitemap.place, sitemap.session).at(sitemap.place)
        if sitemap.element:
            yield element_lost(sitemap.place, sitemap.element, sitemap.url).at(sitemap.place)


def _untranslated(translations: Mapping[str, Entry], default: str, webroot: Webroot) -> list[str]:
    """Return the languages in which a page is not translated: its text is the same as in ``default``.

    Args:
        translations: The sitemap entries of the page, by language.
        default: The language of the original text, such as ``en``.
        webroot: The folder with the HTML files.
    """
    texts = {}
    for code, entry in translations.items():
        file = webroot.file(entry.loc)
        if file:
            with suppress(OSError):
                texts[code] = fingerprint(file)
    original = texts.pop(default, "")  # This is also empty if there is too little text to compare.
    return [code for code, text in texts.items() if original and text == original]


@reported()
def session_id(place: str, session: str) -> str:
    """The sitemap of a build lists addresses with session ids.

    Each visit gets another session id, so search engines would fetch one page many times.
    Configure the generator to leave out session ids. The sitemap of the join has no session ids.
    Wrong: `https://example.org/guide/;jsessionid=1A2B`
    Right: `https://example.org/guide/`
    Source: Google: URL structure,
    https://developers.google.com/search/docs/crawling-indexing/url-structure
    """
    return (
        f"{place} lists addresses that contain session IDs, for example {session}. The joined sitemap lists "
        "them without the IDs. Configure the generator to leave out the IDs."
    )


@reported("info")
def not_translated(number: int, first: str, default: str) -> str:
    """Pages of a translation are left out, because they have the same text as in another language.

    Search engines show only one of two pages with the same text.
    Translate the pages, or list them with the option `untranslated`.
    Wrong: `de/guide/`, in English
    Right: `de/guide/`, in German; or `--untranslated`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return (
        f"Left out {many(number, 'page')} without a translation, for example {first}, because the text is "
        f"the same as in {default}. To list such pages, set `untranslated` to true."
    )


@reported("info")
def language_unlike_folder(site: str, code: str, lang: str) -> str:
    """A site is in a folder named after one language, but its pages say that they are in another language.

    The pages get no links to their translations.
    Build the site with the language of the folder.
    Wrong: `de/index.html` with `<html lang="en">`
    Right: `de/index.html` with `<html lang="de">`
    Source: HTML: the attribute lang,
    https://html.spec.whatwg.org/multipage/dom.html#the-lang-and-xml:lang-attributes
    """
    return (
        f'{site} is named after the language {code}, but its pages have lang="{lang}". Therefore, the pages '
        f"get no hreflang links. If they are written in {code}, build them with that language: set "
        "`language` in conf.py, or `theme: language` in mkdocs.yml."
    )


@reported("info")
def record_kept(file: Path) -> str:
    """A join did not replace the record of a build, because only that record shows the sources of the pages.

    The record of the join is in the cache. Other machines cannot read it there.
    Set the option `record` of the join to another file.
    Wrong: `sitemap-docs join public --record 2.0.jsonl`, if the build of `2.0/` wrote `2.0.jsonl`
    Right: `sitemap-docs join public --record join.jsonl`
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    return (
        f"The join did not replace {file}, because it is the record of a build. The record of the join is in "
        "the cache. To write it to a file, too, set the option `record` of the join to another file, for "
        "example --record join.jsonl."
    )


@reported()
def element_lost(place: str, element: str, url: str) -> str:
    """A sitemap has XML elements that get lost when the join lists its pages again in a new sitemap.

    Search engines no longer read these elements, for example the titles of news or videos.
    Add the sitemap to robots.txt with the option `extra_sitemaps`, or join without `--merge`.
    Wrong: `sitemap-docs join public --merge` with `<news:news>` in `public/blog/sitemap.xml`
    Right: the same with `--extra-sitemaps https://example.org/blog/sitemap.xml`
    Source: Google: combining sitemap extensions,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
    """
    return (
        f"{place} contains elements that the joined sitemap cannot contain, for example {element}. To keep "
        f"them, list {url} in robots.txt as well: pass --extra-sitemaps {url}"
    )


@reported("info")
def base_urls_differ(url: str, guessed_by: str, number: int, place: str, other: str) -> str:
    """The sitemaps in a tree have different base URLs, and it is not known which of them is right.

    Only sitemaps whose pages have the base URL of the tree are joined.
    Pass the base URL. Build versions with another base URL again if they should be listed.
    Wrong: `sitemap-docs join public`, if `public/1.0/sitemap.xml` lists pages of a former host
    Right: `sitemap-docs join public --base-url https://example.org/`
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    return (
        f"The builds have different base URLs. The join uses {url}, from {guessed_by}. It leaves out "
        f"{many(number, 'sitemap')} with another base URL, for example {other} in {place}. If {url} is "
        "wrong, pass --base-url."
    )
