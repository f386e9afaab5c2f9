"""The project's own template of the sitemap, which MkDocs rendered: what it leaves out, and what it adds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.model import ExtraUrl, Finding, Reason, SitemapError
from sitemap_docs.output.ownership import is_ours
from sitemap_docs.paths import seen_from
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.text import many
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mkdocs.config.defaults import MkDocsConfig

    from sitemap_docs.mkdocs.collect import BuiltPage
    from sitemap_docs.urls.base import Base

SITEMAP = "sitemap.xml"


class Templated(NamedTuple):
    """The pages with what the template leaves out, the addresses that it adds, and what to report."""

    pages: dict[str, BuiltPage]
    added: tuple[ExtraUrl, ...] = ()
    findings: tuple[Finding, ...] = ()


def find_template(config: MkDocsConfig) -> Path | None:
    """The project's own template; None without one."""
    if not config.theme.custom_dir:
        return None
    file = Path(config.theme.custom_dir, SITEMAP)
    return file if file.is_file() else None


def follow_template(
    template: Path, built: Mapping[str, BuiltPage], config: MkDocsConfig, base: Base
) -> Templated:
    """What the rendered template says of the pages, which are by their names in the site.

    Nothing where it lists none of them: then it is no list of pages, or has other addresses.
    """
    site = Path(config.site_dir)
    rendered = site / SITEMAP
    pages = dict(built)
    if not rendered.is_file() or is_ours(rendered):  # the template rendered nothing in this build
        return Templated(pages)
    name = seen_from(Path(config.config_file_path or config.docs_dir).parent, template)
    try:
        locs = [entry.loc for entry in parse(rendered).entries()]
    except SitemapError as error:
        message = f"The template {name} is not used: what it renders cannot be read. {error}"
        return Templated(pages, findings=(Finding(rule="sitemap-template", message=message),))
    webroot = Webroot(site, base)
    named = {loc: webroot.file_of(loc) for loc in locs}
    if not pages.keys() & set(named.values()):
        return Templated(pages)
    left_out = 0
    for dest, each in built.items():
        page = each.page
        if dest not in named.values() and page.default is None and not page.options.listed:
            page = page._replace(default=Reason.SITEMAP_TEMPLATE, detail=name)
            pages[dest] = each._replace(page=page)
            left_out += 1
    added = []
    for loc, file in named.items():
        try:
            url = base.spelled(loc)
        except ValueError:  # of another host, for example: no sitemap of this site may list it
            continue
        if file not in pages:
            added.append(ExtraUrl(url))
    message = (
        f"The sitemap has the pages of the template {name}: {many(left_out, 'page')} left out as there, "
        f"{len(added)} added. Dates, translations and all else are those of sitemap-docs. "
        "To list all pages, remove the template, or set `replace: true`."
    )
    summary = Finding(rule="sitemap-template", severity="info", message=message)
    return Templated(pages, tuple(added), (summary,))
