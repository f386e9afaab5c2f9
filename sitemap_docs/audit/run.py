"""One audit from beginning to end: read the site, run the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_docs import pipeline
from sitemap_docs.audit import RULES, Settings, audit
from sitemap_docs.audit.history import read_history
from sitemap_docs.audit.reading import Context, read_site
from sitemap_docs.audit.site import History, Site
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.progress import unwatched

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_docs.audit.registry import Rule
    from sitemap_docs.model import Page
    from sitemap_docs.progress import Watch

Check = bool | tuple[tuple[str, object], ...]
"""The value of the option ``check``."""

FIRST = 3
_SETTINGS = {"select", "ignore", "severity", "rules"}


@dataclass(frozen=True, kw_only=True)
class Audited:
    """A site as it was audited, and the findings."""

    site: Site
    findings: tuple[Finding, ...]


def settings_of(
    option: Check,
    *,
    rules: Mapping[str, Rule] = RULES,
    **flags: Any,  # noqa: ANN401
) -> Settings:
    """Settings from the option ``check`` and from flags, which win. Raises SitemapError."""
    table = dict(option) if isinstance(option, tuple) else {}
    unknown = sorted(table.keys() - _SETTINGS)
    if unknown:
        raise SitemapError(f"`check` has no setting `{unknown[0]}`. It has: {', '.join(sorted(_SETTINGS))}.")
    for name in ("select", "ignore"):
        _need_texts(name, table.get(name, []))
    each = table.pop("rules", {})
    if not isinstance(each, Mapping):
        raise SitemapError(f"`check: rules` must be a mapping from rules to their settings, not {each!r}.")
    written: dict[str, Any] = {**table, **{name: value for name, value in flags.items() if value}}
    return Settings.of(each=each, rules=rules, **written)


def _need_texts(name: str, value: object) -> None:
    if not isinstance(value, (list, tuple)) or not all(isinstance(text, str) for text in value):
        raise SitemapError(f"`check: {name}` must be a list of rules, not {value!r}.")


def audit_site(
    site: pipeline.SiteBuild,
    pages: Iterable[Page],
    settings: Settings,
    *,
    sources_from: Path | None = None,
    watch: Watch = unwatched,
) -> Audited:
    """Audits the folder that a build wrote, as :func:`read_built` reads it."""
    seen = read_built(site, pages, settings, sources_from=sources_from, watch=watch)
    return Audited(site=seen, findings=tuple(audit(seen, settings, watch)))


def read_built(
    site: pipeline.SiteBuild,
    pages: Iterable[Page],
    settings: Settings,
    *,
    sources_from: Path | None = None,
    watch: Watch = unwatched,
) -> Site:
    """The folder that a build wrote, as far as the rules of ``settings`` read it.

    ``watch`` counts what is done. Sources are relative to ``sources_from``. Raises SitemapError for
    files that cannot be read.
    """
    found = list(watch(pages, "pages found"))
    dated = any(rule.startswith("lastmod-") for rule in settings.rules)
    try:
        return read_site(
            site.output,
            site.base,
            watch(found, "pages read", len(found)),
            Context(
                now=site.now,
                excludes=site.options.excludes,
                history=_history(site, found) if dated else History(),
                sources_from=sources_from,
                robots_moved=site.platform.serves_robots,
            ),
            whole=settings.whole,
        )
    except OSError as error:
        raise SitemapError(
            f"{error.filename} cannot be read: {error.strerror}. Build the site again."
        ) from None


def _history(site: pipeline.SiteBuild, pages: Iterable[Page]) -> History:
    dated = [page for page in pages if page.sources]
    sources = {source for page in dated for source in page.sources}
    dates = pipeline.dates_of(site, sources)
    return read_history(dated, site.output, dates, site.options.lastmod, site.environ)


def findings_of_build(site: pipeline.SiteBuild, pages: Iterable[Page]) -> tuple[Finding, ...]:
    """What a host reports at the end of a build: one finding for each rule that was broken.

    ``site.options.check`` holds the settings. To be called when all files are in place. Raises SitemapError.
    """
    audited = audit_site(site, pages, settings_of(site.options.check))
    return tuple(summed(audited.findings))


def summed(findings: Iterable[Finding]) -> Iterator[Finding]:
    """One finding for each rule."""
    for _, same in groupby(findings, key=attrgetter("rule")):
        yield _sum(tuple(same))


def _sum(same: Sequence[Finding]) -> Finding:
    first = same[0]
    if len(same) == 1:
        return first
    places = dict.fromkeys(each.where or each.file for each in same)
    shown = ", ".join(list(places)[:FIRST])
    more = f" and {len(places) - FIRST:,} more" if len(places) > FIRST else ""
    return replace(
        first, where=first.where, message=f"{len(same):,} times: {shown}{more}. The first: {first.message}"
    )
