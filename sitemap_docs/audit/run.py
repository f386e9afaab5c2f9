"""The audit: read a site, run the rules on it, and return the findings."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from sitemap_docs.audit.deployed_site import LiveSite
from sitemap_docs.audit.formats import FIRST, by_rule
from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import Findings, Location, audit_rules, other_names
from sitemap_docs.audit.rule_settings import RuleSettings, Settings
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.site_reader import read_site
from sitemap_docs.built import BuiltFolder, BuiltSite
from sitemap_docs.config.ignored import is_ignored
from sitemap_docs.decide import Decided
from sitemap_docs.model import Finding, Rule, Severity, Watch, unwatched
from sitemap_docs.project import Project
from sitemap_docs.text import many

#: The subjects of rules, and the attribute of a site with the objects for which a rule is called.
_ATTRIBUTES = {
    "sitemap": "sitemaps",
    "entry": "entries",
    "url": "urls",
    "links": "links",
    "page": "pages",
    "answer": "pages",
}
#: The subjects that have a place, which the findings of their rules report.
_PLACED = {"entry", "url", "links", "page"}
#: Rules that every build reports itself, with or without an audit.
_OF_BUILDS = {"addresses-redirect", "home-missing", "shallow-clone"}
_SUMMED_UP_FROM = 10  # pages with the same canonical link but for their paths


@dataclass(frozen=True, kw_only=True)
class Audited:
    """An audited site, and the problems that the audit has found."""

    site: Site
    #: The findings that are reported.
    findings: tuple[Finding, ...]
    #: All findings, also ignored ones.
    found: tuple[Finding, ...]


def audit_site(
    built: BuiltSite, settings: Settings, *, sources_from: Path | None = None, watch: Watch = unwatched
) -> Audited:
    """Read a built site, and check it with the selected rules.

    Paths of source files in the findings are relative to the folder ``sources_from``. ``watch`` shows the
    progress.
    """
    site = read_site(built, settings, sources_from=sources_from, watch=watch)
    found = _run_rules(site, settings, watch)
    findings = _reported_findings(found, settings, site)
    return Audited(site=site, findings=findings, found=tuple(chain.from_iterable(found.values())))


def findings_of_build(project: Project, decided: Decided, settings: Settings) -> tuple[Finding, ...]:
    """Check a site directly after its build, and return one finding for each broken rule."""
    known_rules = audit_rules()
    is_of_other_version = project.hosting.crawled_robots == "of the default version"
    rules = {}
    for name, configured in settings.rules.items():
        is_about_other_robots = is_of_other_version and _is_about_robots(known_rules[name])
        if name not in _OF_BUILDS and not is_about_other_robots:
            rules[name] = configured
    settings = replace(settings, rules=rules)
    folder = BuiltFolder(project=project, made=decided.collected.made)
    # The heads are only filled if the decisions were made with described=True.
    built = BuiltSite(folder=folder, rows=decided.rows, heads=decided.heads, dates=decided.dates)
    audited = audit_site(built, settings)
    return (*settings.findings, *summed(audited.findings))


def summed(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Merge the findings of each rule into one finding, which lists the first pages."""
    for _, findings_of_rule in by_rule(findings):
        first, *more = findings_of_rule
        if not more:
            yield first
            continue
        places = list(dict.fromkeys(finding.where or finding.file for finding in findings_of_rule))
        shown = ", ".join(places[:FIRST])
        if len(places) > FIRST:
            shown += f" and {len(places) - FIRST:,} more"
        message = f"Found in {len(findings_of_rule):,} places: {shown}. In the first: {first.message}"
        yield replace(first, message=message)


def audit(
    site: Site | LiveSite, settings: Settings, watch: Watch = unwatched, *, about: HtmlPage | None = None
) -> tuple[Finding, ...]:
    """Run the selected rules on a site, and return the findings: the problems that the rules found.

    ``watch`` shows the progress. If ``about`` is a page, check only that page.
    """
    found = _run_rules(site, settings, watch, about)
    if about is None:
        return _reported_findings(found, settings, site)
    return tuple(_not_ignored(chain.from_iterable(found.values()), settings, site))


def has_all_data(site: Site, rule: Rule) -> bool:
    """Check whether a site has all data that an audit rule needs, such as the dates of commits in git."""
    if site.unknown or any(sitemap.fault for sitemap in site.sitemaps):
        return False
    if rule.group == "lastmod":
        return bool(site.history.dates) and not site.history.cut
    return bool(_subjects(site, rule.takes[0]))


def _run_rules(
    site: Site | LiveSite, settings: Settings, watch: Watch, about: HtmlPage | None = None
) -> dict[str, list[Finding]]:
    """Run the selected rules on a site, and return the findings of each rule, including ignored findings.

    ``watch`` shows the progress. If ``about`` is given, check only this page.
    """
    known_rules = audit_rules()
    findings_of: dict[str, list[Finding]] = {}
    by_subject: dict[str, list[tuple[str, Callable[[Any], Findings]]]] = defaultdict(list)
    for name, configured in settings.rules.items():
        findings_of[name] = []
        call = _bind_settings(known_rules[name], configured, site)
        by_subject[known_rules[name].takes[0]].append((name, call))

    for subject, checks in by_subject.items():
        if about and subject not in _PLACED:
            continue
        things = _subjects(site, subject)
        if about:
            is_about = partial(_is_about_page, page=about)
            things = list(filter(is_about, things))
        # All rules run on one thing before the next, as they read the same parts of it, which are cached.
        for thing in watch(things, f"{_ATTRIBUTES.get(subject, 'site')} checked", len(things)):
            for name, call in checks:
                for place, message in call(thing):
                    finding = Finding(
                        rule=name,
                        severity=_severity(known_rules[name], settings.rules[name].severity, site),
                        message=message,
                        where=place.where,
                        file=place.file,
                        line=place.line,
                        source=place.source or site.source_of(place.where),
                        strict=True,
                    )
                    findings_of[name].append(finding)
    return findings_of


def _is_about_page(thing: Any, page: HtmlPage) -> bool:  # noqa: ANN401  one of the subjects with a place
    """Check whether ``thing``, an object that a rule checks, such as a sitemap entry, is about ``page``."""
    place: Location = thing.place
    return page.loc == place.where or page.file == place.file


def _is_about_robots(rule: Rule) -> bool:
    """Check whether a rule is about robots.txt."""
    return rule.group == "robots" or rule.takes[0] == "robots"


def _severity(rule: Rule, severity: Severity, site: Site | LiveSite) -> Severity:
    """Return the severity of the problems that a rule finds in a site.

    Usually it is ``severity``. On hosts such as Read the Docs, crawlers read only the robots.txt of the
    default version, and ``site`` may be another version. There, errors about robots.txt become warnings.
    """
    if severity == "error" and site.if_default and _is_about_robots(rule):
        # Crawlers may read the robots.txt of another version.
        return "warning"
    return severity


def _reported_findings(
    found: Mapping[str, list[Finding]], settings: Settings, site: Site | LiveSite
) -> tuple[Finding, ...]:
    """Remove the findings that the user ignores, and merge similar findings."""
    known_rules = audit_rules()
    reported: list[Finding] = []
    for name, found_by_rule in found.items():
        rule = known_rules[name]
        findings = [*_not_ignored(found_by_rule, settings, site)]
        if rule.group == "canonical" and isinstance(site, Site):
            findings = _merge_by_template(findings, site, reads_body=rule.whole)
        elif rule.once and len(findings) > 1:
            message = f"{many(len(findings), 'page')}. The first: {findings[0].message}"
            findings = [replace(findings[0], message=message)]
        reported += findings
    return tuple(reported)


def _not_ignored(findings: Iterable[Finding], settings: Settings, site: Site | LiveSite) -> Iterator[Finding]:
    """Yield the findings that neither the settings nor the front matter of their page ignore."""
    names_by_page = site.ignored if isinstance(site, Site) else {}
    for finding in findings:
        others = other_names(finding.rule)
        names_of_page = names_by_page.get(finding.where, frozenset())
        is_ignored_by_page = not names_of_page.isdisjoint({finding.rule, *others})
        places = finding.places(site.base.url)
        if not (is_ignored_by_page or is_ignored(finding.rule, settings.ignored, places, others)):
            yield finding


def _merge_by_template(findings: Iterable[Finding], site: Site, *, reads_body: bool) -> list[Finding]:
    """Merge problems of pages whose canonical links follow one pattern: ``https://old.org/{path}``.

    A few problems stay separate. If ``reads_body`` is true, the links in ``<body>`` are compared, not those
    in ``<head>``.
    """
    by_links: dict[tuple[str, ...], list[Finding]] = defaultdict(list)
    for finding in findings:
        page = site.by_file.get(finding.file)
        links: tuple[str, ...] = (finding.where, finding.file)
        if page:
            path = page.loc.removeprefix(site.base.url).removesuffix("index.html").removesuffix(".html")
            hrefs = page.body.canonicals if reads_body and page.body else page.canonicals
            links = tuple(href.replace(path.strip("/") or "/", "…") for href in hrefs)
        by_links[links].append(finding)
    summed_up = []
    for same in by_links.values():
        if len(same) < _SUMMED_UP_FROM:
            summed_up += same
        else:
            message = (
                f"{len(same):,} pages have this problem, for example this page. The cause is probably the "
                f"theme or a setting. {same[0].message}"
            )
            summed_up.append(replace(same[0], message=message))
    return summed_up


def _bind_settings(rule: Rule, settings: RuleSettings, site: Any) -> Callable[[Any], Findings]:  # noqa: ANN401
    """Fill in the settings of a rule, so that its function takes only the object to check, such as a page.

    If the function also has the argument ``site`` or ``body`` (of the page), this argument is filled in, too.
    """
    keywords = {name.replace("-", "_"): value for name, value in settings.values.items()}
    if "site" in rule.takes[1:]:
        keywords["site"] = site
    if "body" in rule.takes:
        return lambda page: rule.function(page, body=page.body, **keywords)
    return partial(rule.function, **keywords)


def _subjects(site: Any, subject: str) -> Sequence[Any]:  # noqa: ANN401  a built or a deployed site
    """Return all objects of one kind in a site: all pages for ``page``, all sitemaps for ``sitemap``."""
    if subject in ("site", "deployed"):
        return (site,)
    things = getattr(site, _ATTRIBUTES.get(subject, subject))
    if isinstance(things, tuple):
        return things
    return (things,) if things else ()  # A site may have no robots.txt or llms.txt.
