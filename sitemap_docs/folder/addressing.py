"""Where a built folder is deployed: its base URL, where that was found, and how its links are spelled."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sitemap_docs.config.options import LinkOption, LinkStyle
from sitemap_docs.config.project_file import ProjectFile
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.html.head import Head, head_inside
from sitemap_docs.model import SitemapError
from sitemap_docs.output.existing import Replaced
from sitemap_docs.output.record import Record
from sitemap_docs.programs.configuration import GeneratorConfig
from sitemap_docs.programs.github import CNAME, custom_domain
from sitemap_docs.programs.sphinx import SEARCH_INDEX
from sitemap_docs.sitemap.urllist import built_at
from sitemap_docs.urls.base import Base, given_base
from sitemap_docs.urls.hosts import Platform

_SLASHES = 2  # of an origin


def given_bases(url: str, by: str, project_file: ProjectFile) -> list[tuple[str, str]]:
    """Returns what the user wrote as the base URL, and where."""
    in_file = given_base(project_file.base_url, in_file=True)
    return [(given_base(url, in_file=False), by), (in_file, _shown(project_file.file))]


def find_base(
    given: Iterable[tuple[str, str]],
    projects: Iterable[GeneratorConfig],
    site: Path,
    platform: Platform,
    replaced: Replaced,
    *,
    is_built: bool = False,
) -> tuple[Base, str]:
    """The base URL that the user, a generator, the built site or the platform names; and what named it.

    ``given`` holds what the user wrote, and where. Addresses that only this machine can reach count only
    where the user gave them. Our own sitemap names it to what reads the result of a build, and to none that
    builds. Raises SitemapError when none is found, and for one that cannot be a base URL.
    """
    for url, by in given:
        if url:
            try:
                return Base.of(url), by
            except SitemapError as error:
                raise SitemapError(f"{by}: {error}") from None
    listed = replaced.built(site)
    ours = None
    with suppress(SitemapError):
        ours = built_at(str(site))
    if is_built:
        listed = listed or ours
    own, others = [], []
    for project in projects:
        named = (project.base_url, _shown(project.file))
        if project.describes(site):
            own.append(named)
        else:
            others.append(named)
    candidates = (
        *own,
        (_canonical(site), f"the canonical link of {_shown(site / 'index.html')}"),
        (custom_domain(site), _shown(site / CNAME)),
        *others,
        (listed.base.url if listed else "", f"the sitemap in {_shown(site)}"),
        (platform.base_url or "", platform.name),
    )
    for url, by in candidates:
        if url and not (base := Base.of(url)).is_local:
            return base, by
    flag = "--base-url https://docs.example.com/"
    if ours:
        flag = f"--base-url {ours.base.url}, as in the sitemap of the last build"
    raise SitemapError(
        f"No base URL found for {site}: pass {flag}, or write it into the configuration of MkDocs, "
        "ProperDocs or Zensical as site_url."
    )


def _shown(file: Path) -> str:
    here = Path.cwd()
    if file.is_relative_to(here):
        file = file.relative_to(here)
    return str(file)


def read_home(site: Path) -> Head:
    """The described head of a site's home page; an empty one without a page."""
    return head_inside(site, "index.html", described=True)


def _canonical(site: Path) -> str:
    """The base that a home page names, if it is one: not the target of a redirect.

    A home page that is a copy of another page of the site names that page: the base is above it.
    """
    home = read_home(site)
    if home.refresh is None:
        for href in home.canonicals:
            if href.startswith(("https://", "http://")):
                return _above_copy(site, href).removesuffix("index.html")
    return ""


def _above_copy(site: Path, url: str) -> str:
    """Returns what precedes the path of the page, not the home page, that names ``url`` as canonical."""
    name, base = "", url.rstrip("/")
    while base.count("/") > _SLASHES:
        base, _, segment = base.rpartition("/")
        name = f"{segment}/{name}".removesuffix("/")
        for file in (f"{name}/index.html", f"{name}.html", name):
            if file != "index.html" and url in head_inside(site, file).canonicals:
                return f"{base}/"
    return url


def find_links(
    output: Path, projects: Iterable[GeneratorConfig], option: LinkOption, record: Record | None
) -> tuple[LinkStyle, str]:
    """Returns how addresses are spelled, as far as no page names its own, and where that was found.

    It is what the ``record`` of the last build has, else the ``option``, else what the generator does.
    """
    if record and record.links != "auto":
        return record.links, "from the record of the last build"
    if option != "auto":
        return option, "by the option `links`"
    for project in projects:
        if project.describes(output):
            return project.links, f"from {_shown(project.file)}"
    generated = GeneratedPages(str(output))
    if generated.home("") == "" and generated.is_flat(""):
        return "files", f"from Sphinx' {SEARCH_INDEX}"
    return "folders", "by default"
