"""One sitemap over many builds: an index of theirs, or their entries anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from itertools import chain, starmap
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.decide import SiteBuild
from sitemap_docs.html.page import fingerprint
from sitemap_docs.join.old_versions import edit_pages, find_versions, old_version_unchanged
from sitemap_docs.join.wanted_versions import Policy
from sitemap_docs.model import (
    Alternate,
    BuildRow,
    BuildSitemap,
    Entry,
    Finding,
    Reason,
    Row,
    Severity,
    SitemapError,
    reported,
)
from sitemap_docs.output import writer
from sitemap_docs.output.robots_file import RobotsTxt
from sitemap_docs.output.transaction import Output, translated_errors
from sitemap_docs.programs.mike import read_aliases
from sitemap_docs.publish import Published, empty_sitemap
from sitemap_docs.sitemap import reader
from sitemap_docs.text import many, one_line
from sitemap_docs.tree import (
    builds_of,
    default_language,
    entries_of_build,
    language,
    read_builds,
    shown_version,
    why_copy,
)
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.languages import add_default
from sitemap_docs.webroot.served_files import Webroot

_MOST_LANGUAGES = 150
"""Languages of a page that are linked with each other: the links are as many as their square."""
_NO_PAGES = "it lists no pages of one host"


class Joined(NamedTuple):
    """What a join did with each build, and of each old version the number of pages that it edited."""

    builds: Sequence[BuildRow]
    done: Published
    edited: Mapping[str, int]


def join_tree(site: SiteBuild, tree: Path, policy: Policy) -> Joined:
    """Joins the builds below a folder. Raises SitemapError."""
    policy = replace(policy, aliases=read_aliases(tree))
    builds = choose(read_builds(tree, site.base, policy.named, site.options.filename), site.base, policy)
    if not policy.default:
        table = {build.path: build for build in builds}
        policy = replace(policy, default=default_language(tree, site.base, table))
    versions: Mapping[str, str] = {}
    findings: list[Finding] = []
    if policy.treatment:
        versions, findings = find_versions(tree, site.base, policy, builds)
    _check_own(tree / site.options.filename, builds)
    done = join_sitemaps(site, builds, policy, tree)
    edited: Mapping[str, int] = {}
    sitemaps = any(build.sitemaps for build in builds)
    if sitemaps and not done.listed and policy.treatment != "keep":
        if versions:  # which of them is the canonical one is in doubt
            message = "No page of an old version is edited: no sitemap of the canonical version is joined."
            findings.append(old_version_unchanged(message))
    elif versions:
        edits, edited = edit_pages(tree, site.base, versions, policy, dry_run=site.dry_run)
        findings += edits.findings
        done = replace(done, changed=done.changed + edits.changed)
    return Joined(builds, replace(done, findings=(*done.findings, *findings)), edited)


def join_places(site: SiteBuild, places: Iterable[str], policy: Policy) -> Joined:
    """Joins sitemaps at paths and web addresses, as :func:`join_tree` does those of a folder."""
    builds = choose(builds_of(places, site.base), site.base, policy)
    return Joined(builds, join_sitemaps(site, builds, policy), {})


def choose(builds: Sequence[BuildRow], base: Base, policy: Policy) -> list[BuildRow]:
    """The builds with what a join does: it leaves out unwanted versions, copies, and other places' pages.

    Raises SitemapError for a sitemap outside the index's host or folder, which the protocol forbids
    (https://www.sitemaps.org/protocol.html#location).
    """
    wanted, unselected = policy.wanted(builds)
    table = {build.path: build for build in builds}
    if policy.canonical:  # which may be an alias, whose pages are those of another folder
        folders = [table.get(each.folder, each) for each in builds if each.path in wanted and each.version]
        shown = {shown_version(table, build, base).folder for build in folders}
        wanted |= {build.path for build in builds if build.path in unselected and build.folder in shown}
    chosen = []
    for build in builds:
        row = build._replace(language=build.language or policy.root)
        if build.path in wanted:
            sitemaps = [each._replace(why=_why_not(build, each, base)) for each in build.sitemaps]
            whys = [each.why for each in sitemaps] or ["it has no sitemap"]
            row = row._replace(sitemaps=tuple(sitemaps), state="left out", why=whys[0])
            if "" in whys:
                row = row._replace(state="joined", why="")
        elif build.path in unselected:
            why = "its version is not selected"
            sitemaps = [each._replace(why=why) for each in build.sitemaps]
            row = row._replace(sitemaps=tuple(sitemaps), state="unselected", why=why)
        chosen.append(row)
    return chosen


def _why_not(build: BuildRow, sitemap: BuildSitemap, base: Base) -> str:
    """Returns why a sitemap of a wanted build is not joined; ``""`` where it is."""
    if not sitemap.pages:
        return _NO_PAGES
    if not sitemap.url.startswith(base.url):
        raise SitemapError(
            f"{sitemap.url} lies outside {base.url}: an index lists only sitemaps of its own host, in its "
            "own folder or below. Leave it out, and name it in the robots.txt at the root of a host: "
            f"Sitemap: {sitemap.url}"
        )
    return why_copy(build, sitemap)


def _check_own(file: Path, builds: Iterable[BuildRow]) -> None:
    """Raises SitemapError when the tree's own file lists pages outside the folders of its builds."""
    if not files.find_inside(file.parent, file.name):
        return
    folders = {sitemap.folder for build in builds for sitemap in build.sitemaps}
    with translated_errors(file, "read"):
        parsed = reader.parse(file)
        if parsed.root == "sitemapindex":
            return  # of an earlier join
        for entry in parsed.entries():
            if not files.is_below_any(entry.loc, folders):
                raise SitemapError(
                    f"{file} is the sitemap of a build at the root of the tree: it lists {entry.loc}. To "
                    "keep it and join it with the others, pass --filename sitemap-index.xml"
                )


def join_sitemaps(
    site: SiteBuild, builds: Sequence[BuildRow], policy: Policy, tree: Path | None = None
) -> Published:
    """Writes the root sitemap of builds that were chosen, and robots.txt; returns what was done.

    An index of their sitemaps; where the policy says so, one urlset as long as it fits. Builds that are
    translations of each other are listed anew, one sitemap a build, with the alternates of the pages that
    several have; all builds are, too, where one lists session ids, to take these off. Pages in ``tree`` that
    have the words of the default language are left out. Raises SitemapError before anything is moved into
    place.
    """
    joined = [build for build in builds if build.state == "joined"]
    sitemaps = [sitemap for build in joined for sitemap in build.joined]
    if not sitemaps:
        return Published(findings=(_nothing_joined(builds, tree, policy),))
    # A page of an existing sitemap may be missing in ours where a build says so that was looked at.
    known = {sitemap.folder for build in builds for sitemap in build.sitemaps}
    layout = writer.Layout(
        base=site.base.url,
        options=site.options,
        gzip="off" if site.options.gzip == "auto" else site.options.gzip,
        accounts_for=lambda loc: files.is_below_any(loc, known),
        joined=True,
    )
    families = _families(joined)
    lists_anew = policy.whole or len(families) < len(joined) or any(each.session for each in sitemaps)
    untranslated: Sequence[str] = ()
    findings: list[Finding] = []
    robots = RobotsTxt(site.output, site.base, site.around.platform, site.options, site.root)
    with closing(site.recording()) as record, Output(site.output, dry_run=site.dry_run) as output:
        if lists_anew:
            webroot = Webroot(tree, site.base) if tree and not site.options.untranslated else None
            entries, untranslated, findings = _entries(families, policy, webroot)
            findings = [*_not_listed_again(sitemaps), *findings]
            written = writer.write_sitemap(entries, output, layout)
            listed, dated = len(entries), sum(entry.lastmod is not None for entry in entries)
        else:
            entries, indexes = _listed(builds, site)
            written = writer.write_sitemap(entries, output, layout, of_sitemaps=True)
            written = replace(written, sitemaps=(*written.sitemaps, *indexes))
            listed, dated = sum(each.listed for each in sitemaps), sum(each.dated for each in sitemaps)
        findings += [*written.findings, *robots.write(output, written.sitemaps)]
        output.commit()
        if tree and site.output == tree.resolve():
            webroot = Webroot(tree, site.base)
            for loc in untranslated:
                record.add(Row(webroot.file_of(loc) or "", loc, Reason.FALLBACK))
            record.commit(site.base.url, written.files, listed=listed, dated=dated, builds=builds)
    findings += _other_languages(joined)
    return Published(
        listed=len(sitemaps),
        files=written.files,
        changed=tuple(output.changed),
        removed=tuple(output.removed),
        findings=tuple(findings),
    )


def _nothing_joined(builds: Iterable[BuildRow], tree: Path | None, policy: Policy) -> Finding:
    """That no sitemap is written, and why none of each build is joined."""
    left_out: dict[str, list[BuildSitemap]] = {}
    for sitemap in chain.from_iterable(build.sitemaps for build in builds):
        left_out.setdefault(sitemap.why, []).append(sitemap)
    build_first = "Run `sitemap-docs build FOLDER --base-url URL` on each build first."
    if left_out:
        whys = "; ".join(
            f"{alike[0].url}: {why}" + (f", like {len(alike) - 1:,} more" if alike[1:] else "")
            for why, alike in left_out.items()
        )
        message = f"No sitemap is joined, and an existing one stays as it is. {whys}."
        if _NO_PAGES in left_out:
            message += f" {build_first}"
        return empty_sitemap(message)
    message = f"{tree} contains no sitemap of a build. {build_first}"
    # The pages of old versions are edited without a sitemap, too.
    severity: Severity = "warning" if policy.treatment else "error"
    return replace(empty_sitemap(message), severity=severity)


def _not_listed_again(sitemaps: Iterable[BuildSitemap]) -> Iterator[Finding]:
    """Yields what sitemaps have whose pages are listed anew, and the new one has not."""
    for sitemap in sitemaps:
        if sitemap.session:
            yield session_id(sitemap.place, sitemap.session).at(sitemap.place)
        if sitemap.element:
            yield element_lost(sitemap.place, sitemap.element, sitemap.url).at(sitemap.place)


def _listed(builds: Iterable[BuildRow], site: SiteBuild) -> tuple[list[Entry], list[str]]:
    """Returns what the root index lists, and the URLs of the indexes among it, which a cascade keeps.

    An index is kept where all that it lists is joined.
    """
    indexes: set[str] = set()
    left_out: set[str] = set()
    # Two of the places that the user names may be one sitemap.
    listed: dict[BuildSitemap, None] = {}
    for build in builds:
        listed.update(dict.fromkeys(build.joined))
        left_out.update(each.listed_by for each in build.sitemaps if each.why)
    if site.options.index == "cascaded":
        own = site.base.loc(site.options.filename)
        indexes = {each.listed_by for each in listed if each.listed_by.startswith(site.base.url)}
        indexes -= {own, f"{own}.gz", *left_out}
    dates: dict[str, list[datetime]] = {}
    for sitemap in listed:
        url = sitemap.listed_by if sitemap.listed_by in indexes else sitemap.url
        dates.setdefault(url, []).extend(filter(None, [sitemap.lastmod]))
    return [Entry(url, max(dates[url], default=None)) for url in sorted(dates)], sorted(indexes)


def _families(builds: Iterable[BuildRow]) -> list[list[BuildRow]]:
    """The builds, those together whose paths differ only in the language."""
    related: dict[str, list[BuildRow]] = {}
    for build in sorted(builds, key=attrgetter("path")):
        rest = language(build.path, build.language)[1] if build.language else build.path
        related.setdefault(rest, []).append(build)
    families: list[list[BuildRow]] = []
    for together in related.values():
        codes = {build.language for build in together}
        if len(codes) == len(together) and "" not in codes:
            families.append(together)
        else:  # they are no translations of each other
            families += [[build] for build in together]
    return families


def _other_languages(builds: Iterable[BuildRow]) -> Iterator[Finding]:
    """Yields what to report of builds in a folder named after a language whose pages are in another one."""
    for build in sorted(builds, key=attrgetter("path")):
        code, _ = language(build.path)
        if code and not language(build.path, build.lang)[0]:
            yield language_unlike_folder(build.path, code, one_line(build.lang)).at(build.path)


def _entries(
    families: Iterable[Sequence[BuildRow]], policy: Policy, webroot: Webroot | None
) -> tuple[list[Entry], list[str], list[Finding]]:
    """The entries of all builds in the order of their addresses, the pages that are not translated, findings.

    A build has a sitemap of its own, which is named after its folder.
    """
    listed: dict[str, Entry] = {}
    untranslated: list[str] = []
    for family in families:
        # By their addresses below the build, and then by language.
        pages: dict[str, dict[str, Entry]] = {}
        for build in family:
            group = ""
            if not policy.whole:  # some file systems tell no case
                group = re.sub(r"[^a-z0-9]+", "-", build.path.lower()).strip("-") or "root"
            for sitemap in build.joined:
                for entry in entries_of_build(sitemap):
                    translations = pages.setdefault(entry.loc.removeprefix(sitemap.folder), {})
                    translations.setdefault(build.language, entry._replace(group=group))
        for translations in pages.values():
            if webroot and policy.default in translations and len(translations) > 1:
                codes = _untranslated(translations, policy.default, webroot)
                untranslated += [translations.pop(code).loc for code in codes]
            alternates = []
            if 1 < len(translations) <= _MOST_LANGUAGES:
                links = {code: translations[code].loc for code in sorted(translations)}
                add_default(links, policy.default)
                alternates = [*starmap(Alternate, links.items())]
            for entry in translations.values():
                # Where two builds list one address, the first one has it.
                listed.setdefault(entry.loc, entry._replace(alternates=tuple(alternates) or entry.alternates))
    untranslated.sort()
    findings = []
    if untranslated:
        findings.append(not_translated(len(untranslated), untranslated[0], policy.default))
    return sorted(listed.values(), key=attrgetter("loc")), untranslated, findings


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


@reported()
def element_lost(place: str, element: str, url: str) -> str:
    """A sitemap has elements that are lost, as its pages are listed again in one without them.

    Engines no longer read what they say, such as the titles of news or videos.
    Also name the sitemap in robots.txt with the option `extra_sitemaps`, or join without `--merge`.
    Wrong: `sitemap-docs join public --merge` with `<news:news>` in `public/blog/sitemap.xml`
    Right: the same with `--extra-sitemaps https://example.org/blog/sitemap.xml`
    Source: Google: combining sitemap extensions,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
    """
    return (
        f"{place} has elements that are lost where its pages are listed again, such as {element}. Also name "
        f"it in robots.txt: --extra-sitemaps {url}"
    )
