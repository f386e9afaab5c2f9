"""Find the address of a built folder, the place that gives it, and the address style."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sitemap_docs.files import find_inside
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.folder.settings import FolderConfiguration
from sitemap_docs.html.head import Head, head_inside
from sitemap_docs.listing import no_sitemap
from sitemap_docs.model import NoSitemap, SitemapError
from sitemap_docs.output.existing import Replaced
from sitemap_docs.output.record import Record
from sitemap_docs.programs.github import CNAME, custom_domain
from sitemap_docs.programs.sphinx import SEARCH_INDEX
from sitemap_docs.project import Address
from sitemap_docs.sitemap.urllist import read_urls
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.link_styles import LinkStyle
from sitemap_docs.webroot import Webroot

_SLASHES = 2  # of an origin

Named = tuple[str, str]
"""A base URL, and the place that gives it."""


def find_address(
    found: FolderConfiguration,
    replaced: Replaced,
    record: Record | None = None,
    *,
    is_built: bool = False,
    guessed: Named = ("", ""),
) -> Address | NoSitemap:
    """Return the address of a built folder, or the reason for having no sitemap.

    The first base URL counts, in this order: that of the user, of the record, the one that the caller has
    guessed, and then that of the generator, the built site and the platform. Of the latter, those that only
    this machine can reach do not count.

    Args:
        found: The configuration of the folder.
        replaced: What another program's sitemap says.
        record: The record of the build.
        is_built: Whether the result of a build is read. If so, the sitemap in the folder counts, too.
        guessed: A base URL that the builds of a tree have, and the place that gives it.

    Raises:
        SitemapError: The base URL cannot be that of a site.
    """
    base, origin = _given_base(found)
    given_by = ""
    if base and found.settings.base_url is not None:
        given_by = origin
    if base is None and record:
        base, origin = Base.of(record.base), "the record of the last build"
    if base is None and guessed[0]:
        base, origin = Base.of(guessed[0]), guessed[1]
    if base is None:
        # The sitemap of a build says where the site is now, and the replaced one where it was before.
        listed = _sitemap_of_build(found) if is_built else None
        listed = listed or replaced.built(found.output)
        for url, by in _candidates(found, listed):
            candidate = Base.of(url) if url else None
            if candidate and not candidate.is_local:
                base, origin = candidate, by
                break
    if base is None:
        return _no_base(found)
    platform, why = found.surroundings.platform, None
    if record and record.base == base.url:
        platform, why = record.platform, record.no_sitemap
    return Address(
        base=base,
        origin=origin,
        given_by=given_by,
        no_sitemap=no_sitemap.of_preview(platform, base, found.options) or why,
    )


def has_given_base(found: FolderConfiguration) -> bool:
    """Check whether the user has given the base URL, by a flag, an argument or in the TOML file."""
    return _given_base(found)[0] is not None


def _given_base(found: FolderConfiguration) -> tuple[Base | None, str]:
    """Return the base URL that the user has given, and where. In a file, a local address does not count."""
    settings, project_file = found.settings, found.project_file
    file = _shown(project_file.file, found)
    in_file = None
    if project_file.base_url is not None:
        in_file = _read_given(project_file.base_url, f"{file}: `base_url`", "remove `base_url`", file)
    if settings.base_url is not None:
        by = settings.base_url_by
        return _read_given(settings.base_url, f"`{by}`", f"leave `{by}` out", by), by
    if in_file and not in_file.is_local:
        return in_file, file
    return None, ""


def _read_given(url: str, name: str, otherwise: str, by: str) -> Base:
    """Return a base URL that the user has given.

    Args:
        url: The text of the user.
        name: The name of the setting for the message about an empty text.
        otherwise: What to do if no base URL is meant.
        by: The name of the setting for all other messages.

    Raises:
        SitemapError: The text is empty, is no base URL, or is the address of a file.
    """
    if not url.strip():
        raise SitemapError(
            f"{name} is empty. Is a variable of the CI job not set? Write the address of the site, such as "
            f"https://docs.example.com/, or {otherwise}."
        )
    try:
        base = Base.of(url)
    except SitemapError as error:
        raise SitemapError(f"{by}: {error}") from None
    if base.is_file and not url.strip().endswith("/"):  # with a slash, it is a folder of that name
        raise SitemapError(f"{by}: {base.problem}")
    return base


def _candidates(found: FolderConfiguration, listed: Webroot | None) -> Iterator[Named]:
    """Yield the other base URLs in the order in which they count, each with its place."""
    site, platform = found.output, found.surroundings.platform
    own = [project for project in found.generators if project.describes(site)]
    others = [project for project in found.generators if project not in own]
    for project in own:
        yield project.base_url, _shown(project.file, found)
    yield _canonical(site), f"the canonical link of {_shown(site / 'index.html', found)}"
    yield custom_domain(site), _shown(site / CNAME, found)
    for project in others:
        yield project.base_url, _shown(project.file, found)
    yield listed.base.url if listed else "", f"the sitemap in {_shown(site, found)}"
    yield platform.base_url or "", platform.name


def _sitemap_of_build(found: FolderConfiguration) -> Webroot | None:
    """Return the folder with the base URL of the sitemap in it, or None if the sitemap does not tell."""
    output, filename = found.output, found.options.filename
    with suppress(SitemapError):
        if find_inside(output, filename):
            return Webroot.guess(output, (loc for loc, _ in read_urls(str(output / filename))))
        return built_at(str(output))
    return None


def built_at(place: str) -> Webroot | None:
    """Return the built folder at a place, with the base URL of its sitemap, or None if it is no folder."""
    folder = Path(place)
    if not folder.is_dir():
        return None
    return Webroot.guess(folder, (loc for loc, _ in read_urls(place)))


def _no_base(found: FolderConfiguration) -> NoSitemap:
    """Return the reason that no base URL was found, with the flag to pass."""
    flag = "--base-url https://docs.example.com/"
    if ours := _sitemap_of_build(found):
        flag = f"--base-url {ours.base.url}, as in the sitemap of the last build"
    return NoSitemap(
        "no base URL",
        f"No base URL found for {found.output}: pass {flag}, or write it into the configuration of MkDocs, "
        "ProperDocs or Zensical as site_url.",
    )


def _shown(file: Path, found: FolderConfiguration) -> str:
    """Return the path of a file as messages show it: below the current folder without that folder."""
    here = found.surroundings.here
    if file.is_relative_to(here):
        file = file.relative_to(here)
    return str(file)


def read_home(site: Path) -> Head:
    """Return the described head of a site's home page, or an empty head without a page."""
    return head_inside(site, "index.html", described=True)


def _canonical(site: Path) -> str:
    """Return the base URL in the canonical link of the home page, or ``""`` if that page is a redirect.

    If the home page is a copy of another page of the site, its link leads to that page: the base is above it.
    """
    home = read_home(site)
    if home.refresh is None:
        for href in home.canonicals:
            if href.startswith(("https://", "http://")):
                return _above_copy(site, href).removesuffix("index.html")
    return ""


def _above_copy(site: Path, url: str) -> str:
    """Return the base of the page with the canonical link ``url``, if that is not the home page."""
    name, base = "", url.rstrip("/")
    while base.count("/") > _SLASHES:
        base, _, segment = base.rpartition("/")
        name = f"{segment}/{name}".removesuffix("/")
        for file in (f"{name}/index.html", f"{name}.html", name):
            if file != "index.html" and url in head_inside(site, file).canonicals:
                return f"{base}/"
    return url


def find_links(found: FolderConfiguration, record: Record | None) -> tuple[LinkStyle, str]:
    """Return the address style of pages without a canonical link, and where it was found.

    The record of the last build comes first, then the option ``links``, then the generator. If none of them
    shows a style, the place is ``""``.
    """
    output, option = found.output, found.options.links
    if record and record.links != "auto":
        return record.links, "from the record of the last build"
    if option != "auto":
        return option, "by the option `links`"
    for project in found.own:
        if project.describes(output):
            return project.links, f"from {_shown(project.file, found)}"
    generated = GeneratedPages(str(output))
    if generated.home("") == "" and generated.is_flat(""):
        return "files", f"from Sphinx' {SEARCH_INDEX}"
    return "folders", ""
