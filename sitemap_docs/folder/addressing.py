"""Where a built folder is deployed: its base URL, where that was found, and how its links are spelled."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from re import compile as compiled
from typing import NamedTuple, get_args

from sitemap_docs import files
from sitemap_docs.config.options import Links
from sitemap_docs.folder.collect import Directory, walk
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.folder.generators import GeneratorConfig
from sitemap_docs.html.head import Head, head_inside
from sitemap_docs.listing.selection import is_error_page
from sitemap_docs.model import Alternate, SitemapError
from sitemap_docs.sitemap import reader
from sitemap_docs.sitemap.render import XHTML
from sitemap_docs.sitemap.urllist import built_at, read_urls
from sitemap_docs.urls.base import Base, is_local
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.webroot.lookup import Webroot, address

_SAMPLE = 50
_START = 4_096  # bytes of a sitemap, with its root element
_SLASHES = 2  # of an origin
_CNAME = "CNAME"
SPELLINGS: dict[Links, str] = {
    "folders": "a.html, b/",
    "files": "a.html, b/index.html",
    "clean": "a, b/",
    "bare": "a, b",
}
_DOMAIN = compiled(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+")


def reachable(url: str) -> str:
    """A base URL of a settings file; ``""`` for one that only this machine can reach, as for none."""
    return "" if is_local(url) else url


def find_base(
    given: Iterable[tuple[str, str]], projects: Iterable[GeneratorConfig], site: Path, platform: Platform
) -> tuple[Base, str]:
    """The base URL that the user, a generator, the built site or the platform names; and what named it.

    ``given`` holds what the user wrote, and where. Addresses that only this machine can reach count only
    where the user gave them. Raises SitemapError when none is found, and for one that cannot be a base URL.
    """
    for url, by in given:
        if url:
            return Base.of(url), by
    own, others = [], []
    for project in projects:
        named = (project.base_url, _shown(project.file))
        if project.describes(site):
            own.append(named)
        else:
            others.append(named)
    found = (
        *own,
        (_canonical(site), f"the canonical link of {_shown(site / 'index.html')}"),
        (_custom_domain(site), _shown(site / _CNAME)),
        *others,
        (_listed(site), f"the sitemap in {_shown(site)}"),
        (platform.base_url or "", platform.name),
    )
    for url, by in found:
        if url and not (base := Base.of(url)).is_local:
            return base, by
    raise SitemapError(
        f"No base URL found for {site}: pass --base-url https://docs.example.org/, or write it into the "
        "configuration of the generator, such as site_url in mkdocs.yml or baseURL in hugo.toml."
    )


def _listed(site: Path) -> str:
    """The base URL below which the sitemap of a folder lists the folder's files; ``""`` without one."""
    try:
        found = built_at(str(site))
    except SitemapError:
        return ""
    return found.base.url if found else ""


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
    """What precedes the path of the page, other than the home page, that names ``url`` as canonical."""
    name, base = "", url.rstrip("/")
    while base.count("/") > _SLASHES:
        base, _, segment = base.rpartition("/")
        name = f"{segment}/{name}".removesuffix("/")
        for file in (f"{name}/index.html", f"{name}.html", name):
            if file != "index.html" and url in head_inside(site, file).canonicals:
                return f"{base}/"
    return url


def _custom_domain(site: Path) -> str:
    """The address of the domain that GitHub Pages serves a folder at, by its file CNAME; ``""`` without one.

    https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site
    """
    try:
        name = files.read_inside(site, _CNAME).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f"https://{name}/" if _DOMAIN.fullmatch(name) else ""


class FoundLinks(NamedTuple):
    """How addresses are spelled, and where that was found, as messages name it."""

    links: Links
    by: str

    def __str__(self) -> str:
        return f"links {self.links} ({SPELLINGS[self.links]}) {self.by}"


def find_links(directory: Directory, projects: Iterable[GeneratorConfig] = ()) -> FoundLinks:
    """How canonical links spell the first pages, else the sitemap, else a generator; else ``folders``.

    Each counts where those before it do not settle the spelling.
    """
    every: tuple[Links, ...] = get_args(Links)
    left, by = _canonical_links(directory, every), "by default"
    if len(left) < len(every):
        by = "from the canonical links"
    if len(left) > 1:
        narrowed = _listed_links(directory, left)
        if len(narrowed) < len(left):
            left, by = narrowed, "from the existing sitemap"
    for project in projects:
        if len(left) > 1 and project.links in left and project.describes(Path(directory.root)):
            left, by = (project.links,), f"from {_shown(project.file)}"
    return FoundLinks(left[0], by)


def _canonical_links(directory: Directory, left: tuple[Links, ...]) -> tuple[Links, ...]:
    """Those of some spellings that the canonical links of the first pages use."""
    plain = replace(directory, links="folders")
    generated = GeneratedPages(directory.root)
    seen = 0
    for file, fact in walk(plain):
        if fact or is_error_page(file) or generated.fact(file):
            continue
        canonicals = head_inside(directory.root, file).canonicals
        fitting = tuple(each for each in left if directory.base.loc(address(file, each)) in canonicals)
        left = fitting or left
        seen += 1
        if seen == _SAMPLE:
            break
    return left


def _listed_links(directory: Directory, left: tuple[Links, ...]) -> tuple[Links, ...]:
    """Those of some spellings that the existing sitemap of a folder uses; all where it does not tell."""
    webroot = Webroot(Path(directory.root), directory.base)
    try:
        for loc, _ in islice(read_urls(directory.root), _SAMPLE):
            path, file = webroot.path_of(loc), webroot.file_of(loc)
            left = tuple(each for each in left if file and address(file, each) == path) or left
    except SitemapError:
        return left
    return left


def find_homes(directory: Directory) -> frozenset[str]:
    """The folders at the top of a site that keep their slash where no other does, by their canonical link."""
    if directory.links != "bare":
        return frozenset()
    homes = set()
    for each in Path(directory.root).iterdir():
        home = f"{each.name}/"
        if home.startswith("."):
            continue
        if directory.base.loc(home) in head_inside(directory.root, f"{home}index.html").canonicals:
            homes.add(home)
    return frozenset(homes)


def listed_alternates(directory: Directory, sitemap: Path) -> dict[str, tuple[Alternate, ...]]:
    """The hreflang links that a sitemap which is there has for the pages of a folder, by loc.

    Those to pages of the site that are no longer there are left out. Empty for an index, and for what cannot
    be read.
    """
    webroot = Webroot(Path(directory.root), directory.base)
    found: dict[str, tuple[Alternate, ...]] = {}
    with suppress(OSError, SitemapError):
        if XHTML.encode() not in files.read_inside(sitemap.parent, sitemap.name, _START):
            return found
        for entry in reader.parse(sitemap).entries():
            file = webroot.file_of(entry.loc)
            if not file or not entry.alternates:
                continue
            alternates = []
            for code, href in entry.alternates:
                translation = webroot.file_of(href)
                if translation:
                    alternates.append(Alternate(code, directory.base.loc(directory.address(translation))))
                elif webroot.path_of(href) is None:  # of another site
                    alternates.append(Alternate(code, href))
            found[directory.base.loc(directory.address(file))] = tuple(alternates)
    return found
