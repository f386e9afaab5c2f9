"""The audit: reads a site, runs the rules on it, and returns what they find."""

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
from sitemap_docs.audit.registry import ALL, Findings, RuleSettings, Settings, other_names
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.site_reader import read_site
from sitemap_docs.built import BuiltFolder, BuiltSite
from sitemap_docs.config.ignored import is_ignored
from sitemap_docs.decide import Decided
from sitemap_docs.model import Finding, Rule, Severity, Watch, unwatched
from sitemap_docs.project import Project
from sitemap_docs.text import many

_ATTRIBUTES = {
    "sitemap": "sitemaps",
    "entry": "entries",
    "url": "urls",
    "links": "links",
    "page": "pages",
    "answer": "pages",
}
"""Subject of a rule → where a site has the things that it is called for, one after the other."""
_PLACED = {"entry", "url", "links", "page"}
"""Subjects whose rules report the place of the thing that they are called for."""
_OF_BUILDS = {"addresses-redirect", "shallow-clone"}
"""Rules that every build reports itself, with or without an audit."""
_SUMMED_UP_FROM = 10  # pages with the same canonical link but for their paths


@dataclass(frozen=True, kw_only=True)
class Audited:
    """A site as it was audited, and the findings; ``found`` are all, also those that are ignored."""

    site: Site
    findings: tuple[Finding, ...]
    found: tuple[Finding, ...]


def audit_site(
    built: BuiltSite, settings: Settings, *, sources_from: Path | None = None, watch: Watch = unwatched
) -> Audited:
    """Audits a folder that is built, as :func:`read_site` reads it."""
    site = read_site(built, settings, sources_from=sources_from, watch=watch)
    found = _found(site, settings, watch)
    findings = _reported(found, settings, site)
    return Audited(site=site, findings=findings, found=tuple(chain.from_iterable(found.values())))


def findings_of_build(project: Project, decided: Decided, settings: Settings) -> tuple[Finding, ...]:
    """Audit a site at the end of its build, and return one finding for each broken rule.

    The sitemap must be in place. The decisions of the build must have described heads.
    """
    rules = {name: each for name, each in settings.rules.items() if name not in _OF_BUILDS}
    if project.hosting.crawled_robots == "of the default version":
        rules = {name: each for name, each in rules.items() if not _is_about_robots(ALL[name])}
    settings = replace(settings, rules=rules)
    folder = BuiltFolder(project=project, made=decided.collected.made)
    built = BuiltSite(folder=folder, rows=decided.rows, heads=decided.heads, dates=decided.dates)
    audited = audit_site(built, settings)
    return (*settings.findings, *summed(audited.findings))


def summed(findings: Iterable[Finding]) -> Iterator[Finding]:
    """One finding for each rule, the worst first, with the first places of all."""
    for _, (first, *more) in by_rule(findings):
        if more:
            places = list(dict.fromkeys(each.where or each.file for each in (first, *more)))
            shown = ", ".join(places[:FIRST])
            if len(places) > FIRST:
                shown += f" and {len(places) - FIRST:,} more"
            message = f"{len(more) + 1:,} times: {shown}. The first: {first.message}"
            first = replace(first, message=message)  # noqa: PLW2901
        yield first


def audit(
    site: Site | LiveSite, settings: Settings, watch: Watch = unwatched, *, about: HtmlPage | None = None
) -> tuple[Finding, ...]:
    """Returns what is wrong with a built or a deployed site, by the chosen rules, in their order.

    With ``about``, only the rules for a page or an entry run, and for this page alone.
    """
    found = _found(site, settings, watch, about)
    if about is None:
        return _reported(found, settings, site)
    return tuple(_not_ignored(chain.from_iterable(found.values()), settings, site))


def has_read(site: Site, rule: Rule) -> bool:
    """Whether a rule that ran has seen all that it is about."""
    if site.unknown or any(sitemap.fault for sitemap in site.sitemaps):
        return False
    if rule.group == "lastmod":
        return bool(site.history.dates) and not site.history.cut
    return bool(_things(site, rule.takes[0]))


def _found(
    site: Site | LiveSite, settings: Settings, watch: Watch, about: HtmlPage | None = None
) -> dict[str, list[Finding]]:
    """Returns what each rule finds, also what is ignored."""
    findings_of: dict[str, list[Finding]] = {}
    by_subject: dict[str, list[tuple[str, Callable[[Any], Findings]]]] = defaultdict(list)
    for name, configured in settings.rules.items():
        findings_of[name] = []
        call = _bound(ALL[name], configured, site)
        by_subject[ALL[name].takes[0]].append((name, call))

    for subject, checks in by_subject.items():
        if about and subject not in _PLACED:
            continue
        things = _things(site, subject)
        if about:
            things = [
                each for each in things if about.loc == each.place.where or about.file == each.place.file
            ]
        # All rules run on one thing before the next: they read the same of it, which is cached.
        for thing in watch(things, f"{_ATTRIBUTES.get(subject, 'site')} checked", len(things)):
            for name, call in checks:
                for place, message in call(thing):
                    finding = Finding(
                        rule=name,
                        severity=_severity(ALL[name], settings.rules[name].severity, site),
                        message=message,
                        where=place.where,
                        file=place.file,
                        line=place.line,
                        source=place.source or site.source_of(place.where),
                        strict=True,
                    )
                    findings_of[name].append(finding)
    return findings_of


def _is_about_robots(rule: Rule) -> bool:
    """Check whether a rule is about robots.txt, or about addresses that robots.txt forbids."""
    return rule.group == "robots" or rule.takes[0] == "robots"


def _severity(rule: Rule, severity: Severity, site: Site | LiveSite) -> Severity:
    """Return the severity of a finding. It is a warning at most if crawlers may read another robots.txt."""
    if severity == "error" and site.if_default and _is_about_robots(rule):
        return "warning"
    return severity


def _reported(
    found: Mapping[str, list[Finding]], settings: Settings, site: Site | LiveSite
) -> tuple[Finding, ...]:
    """The findings that are not ignored; of a theme or a whole site, one for all pages."""
    reported: list[Finding] = []
    for name, every in found.items():
        findings = [*_not_ignored(every, settings, site)]
        if ALL[name].group == "canonical" and isinstance(site, Site):
            findings = _by_template(findings, site, reads_body="body" in ALL[name].takes)
        elif ALL[name].once and len(findings) > 1:
            message = f"{many(len(findings), 'page')}, this one first: {findings[0].message}"
            findings = [replace(findings[0], message=message)]
        reported += findings
    return tuple(reported)


def _not_ignored(findings: Iterable[Finding], settings: Settings, site: Site | LiveSite) -> Iterator[Finding]:
    """The findings that neither the settings nor the pages ignore."""
    own = site.ignored if isinstance(site, Site) else {}
    for each in findings:
        others = other_names(each.rule)
        is_own = not own.get(each.where, frozenset()).isdisjoint({each.rule, *others})
        if not (is_own or is_ignored(each.rule, settings.ignored, each.places(site.base.url), others)):
            yield each


def _by_template(findings: Iterable[Finding], site: Site, *, reads_body: bool) -> list[Finding]:
    """Return one finding for many pages whose canonical links differ only in the path of the page.

    A template or a setting of the theme writes such links.
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
            message = f"{len(same):,} pages, this one first; a theme or setting writes it. {same[0].message}"
            summed_up.append(replace(same[0], message=message))
    return summed_up


def _bound(rule: Rule, settings: RuleSettings, site: Any) -> Callable[[Any], Findings]:  # noqa: ANN401
    """The function of a rule with all its arguments but the first."""
    keywords = {name.replace("-", "_"): value for name, value in settings.values.items()}
    if "site" in rule.takes[1:]:
        keywords["site"] = site
    if "body" in rule.takes:
        return lambda page: rule.function(page, body=page.body, **keywords)
    return partial(rule.function, **keywords)


def _things(site: Any, subject: str) -> Sequence[Any]:  # noqa: ANN401  a built or a deployed site
    """Returns what the rules of a subject are called for, one after the other."""
    if subject in ("site", "deployed"):
        return (site,)
    things = getattr(site, _ATTRIBUTES.get(subject, subject))
    if isinstance(things, tuple):
        return things
    return (things,) if things else ()  # robots.txt and llms.txt, where they are there
