"""Find the base URL of a built folder, the file or flag that sets it, and the address style."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.files import find_inside
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.folder.settings import FolderConfiguration
from sitemap_docs.html.head import Head, head_inside
from sitemap_docs.listing import no_sitemap
from sitemap_docs.listing.address_style import AddressStyle, known_style
from sitemap_docs.model import NoSitemap, SitemapError
from sitemap_docs.output.existing import Replaced
from sitemap_docs.output.record import Record
from sitemap_docs.programs.github import CNAME, custom_domain
from sitemap_docs.programs.mike import version_url
from sitemap_docs.programs.sphinx import SEARCH_INDEX
from sitemap_docs.project import Address
from sitemap_docs.sitemap.urllist import read_urls
from sitemap_docs.urls.base import Base, is_web
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
    """Return the base URL of a built folder and how it was found, or the reason why there is no sitemap.

    The base URL is the one for the next build. The sitemap in the folder may still have another base URL,
    which :func:`find_listed_base` returns.

    Args:
        found: The settings of the folder.
        replaced: The sitemap that is already in the folder.
        record: The record of the last build, a file with the decision about each page, or None.
        is_built: Whether the sitemap in the folder is up to date.
        guessed: A base URL and its origin. It is used if neither the user nor ``record`` gives a base URL.

    Raises:
        SitemapError: The base URL is not valid.
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
        listed = _guess_base_of_build(found) if is_built else None
        listed = listed or replaced.built(found.output)
        for url, by in _candidates(found, listed):
            candidate = Base.of(url) if url else None
            if candidate and not candidate.is_local:
                base, origin = candidate, by
                break
    if base is None:
        return _no_base(found)
    platform, why = found.surroundings.platform, None
    if record and record.is_about(base.url):
        platform, why = record.platform, record.no_sitemap
    return Address(
        base=base,
        origin=origin,
        given_by=given_by,
        no_sitemap=no_sitemap.of_preview(platform, base, found.options) or why,
    )


def has_given_base(found: FolderConfiguration) -> bool:
    """Check whether the user has set the base URL in a file or a flag."""
    return _given_base(found)[0] is not None


def _given_base(found: FolderConfiguration) -> tuple[Base | None, str]:
    """Return the base URL that the user has set, and the file or flag that sets it."""
    settings, project_file = found.settings, found.project_file
    file = _shown_path(project_file.file, found)
    in_file = None
    if project_file.base_url is not None:
        in_file = _parse_given_base(project_file.base_url, f"{file}: `base_url`", "remove `base_url`", file)
    if settings.base_url is not None:
        by = settings.base_url_by
        return _parse_given_base(settings.base_url, f"`{by}`", f"leave `{by}` out", by), by
    if in_file and not in_file.is_local:
        return in_file, file
    return None, ""


def _parse_given_base(url: str, name: str, otherwise: str, by: str) -> Base:
    """Parse a base URL that the user has set.

    Args:
        url: The base URL.
        name: The name of the setting, such as ``--base-url``, for the error message about an empty value.
        otherwise: What the user can do instead of setting the address, such as "remove ``base_url``".
        by: The file or flag that contains the base URL, for other error messages.
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
    """Yield possible base URLs, the most reliable first, each with the file or platform it comes from.

    ``found`` has the configuration of the folder. ``listed`` has the base URL that fits the existing sitemap,
    and is None if there is no such URL.
    """
    site, platform = found.output, found.surroundings.platform
    own = [project for project in found.generators if project.describes(site)]
    others = [project for project in found.generators if project not in own]
    for project in own:
        plugins = project.markdown.plugins if project.markdown else {}
        yield version_url(site, project.base_url, plugins), _shown_path(project.file, found)
    yield _canonical_base(site), f"the canonical link of {_shown_path(site / 'index.html', found)}"
    yield custom_domain(site), _shown_path(site / CNAME, found)
    for project in others:
        yield project.base_url, _shown_path(project.file, found)
    yield listed.base.url if listed else "", f"the sitemap in {_shown_path(site, found)}"
    yield platform.base_url or "", platform.name


def _guess_base_of_build(found: FolderConfiguration) -> Webroot | None:
    """Return the built folder with the base URL that was guessed from the addresses in its sitemap.

    If no base URL can be guessed, return None. ``found`` is the configuration of the folder.
    """
    output, filename = found.output, found.options.filename
    with suppress(SitemapError):
        if find_inside(output, filename):
            return Webroot.guess(output, (loc for loc, _ in read_urls(str(output / filename))))
        return _guess_base(output)
    return None


def _guess_base(folder: Path) -> Webroot | None:
    """Return a folder with the base URL that was guessed from the addresses in its sitemap.

    If no base URL can be guessed, return None.
    """
    return Webroot.guess(folder, (loc for loc, _ in read_urls(str(folder))))


class ListedBase(NamedTuple):
    """The base URL in the sitemap of the last build, and a warning if the site has another one now."""

    base: Base
    #: A warning if the site has got another base URL since the build, or ``""``.
    warning: str = ""


def find_listed_base(
    folder: Path, found: FolderConfiguration | None, record: Record | None
) -> ListedBase | None:
    """Return the base URL of the existing sitemap in a built folder, or None if it is unknown.

    Commands such as ``diff`` compare addresses in the sitemap, so they need this base URL even if the
    configuration has changed. If :func:`find_address` returns another base URL, the returned object contains
    a warning.

    Args:
        folder: The built folder.
        found: The configuration of the folder, or None if it is not valid.
        record: The file with the decisions of the build that wrote the sitemap, or None.

    Raises:
        SitemapError: The sitemap cannot be read.
    """
    if record:
        base = Base(record.base)
    else:
        built = _guess_base(folder)
        if built is None:
            return None
        base = built.base
    warning = ""
    if found:
        with suppress(SitemapError):  # The base URL in the configuration is not valid.
            address = find_address(found, Replaced(), record, is_built=True)
            if isinstance(address, Address) and not _is_part(base, address, found):
                warning = (
                    f"The sitemap in {_shown_path(folder, found)} was built for {base.url}, but the base URL "
                    f"is now {address.base.url}, from {address.origin}. If {address.base.url} is right, "
                    "build the site again."
                )
    return ListedBase(base, warning)


def _is_part(base: Base, address: Address, found: FolderConfiguration) -> bool:
    """Check whether a built folder with the URL ``base`` is the site at ``address``, or a part of that site.

    For example, the folder ``public/2.0`` is a part of the site in ``public``. ``found`` contains the
    settings of the built folder.
    """
    if not base.url.startswith(address.base.url):
        return False
    part = base.url.removeprefix(address.base.url)
    # The configuration of a generator often has the address of all versions.
    return f"{found.output.as_posix()}/".endswith(f"/{part}") or not has_given_base(found)


def _no_base(found: FolderConfiguration) -> NoSitemap:
    """Return a message that no base URL was found for a folder. It says how the user can set one."""
    flag = "--base-url https://docs.example.com/"
    if ours := _guess_base_of_build(found):
        flag = f"--base-url {ours.base.url}, as in the sitemap of the last build"
    return NoSitemap(
        "no base URL",
        f"No base URL found for {found.output}. Pass {flag}. With MkDocs, ProperDocs or Zensical, you can "
        "also set site_url in the configuration.",
    )


def _shown_path(file: Path, found: FolderConfiguration) -> str:
    """Return a path for a message, relative to the current folder if possible.

    ``found`` is the configuration, which also contains the current folder.
    """
    here = found.surroundings.here
    if file.is_relative_to(here):
        file = file.relative_to(here)
    return str(file)


def read_home(site: Path) -> Head:
    """Read the ``<head>`` of the home page. If there is no home page, return an empty head."""
    return head_inside(site, "index.html", described=True)


def _canonical_base(site: Path) -> str:
    """Return the base URL according to the canonical link of the home page, or ``""``."""
    home = read_home(site)
    if home.refresh is None:
        for href in home.canonicals:
            if is_web(href):
                return _without_page_path(site, href).removesuffix("index.html")
    return ""


def _without_page_path(site: Path, url: str) -> str:
    """Guess the base URL of a site from ``url``, the canonical link of its home page.

    If ``url`` is the address of a page such as ``intro.html``, remove the path of the page:
    ``https://example.org/docs/intro/`` becomes ``https://example.org/docs/``. Otherwise, return ``url``.
    """
    name, base = "", url.rstrip("/")
    while base.count("/") > _SLASHES:
        base, _, segment = base.rpartition("/")
        name = f"{segment}/{name}".removesuffix("/")
        for file in (f"{name}/index.html", f"{name}.html", name):
            if file != "index.html" and url in head_inside(site, file).canonicals:
                return f"{base}/"
    return url


def find_style(found: FolderConfiguration, record: Record | None) -> AddressStyle:
    """Return the address style of a site, for example whether its URLs end with ``.html``.

    The option ``links`` decides, otherwise the record of the last build, otherwise the site generator.
    """
    return known_style(found.options.links, _styles(found, record))


def _styles(found: FolderConfiguration, record: Record | None) -> Iterator[AddressStyle]:
    """Yield the styles that addresses on a site may have, such as URLs with ``.html``, the most likely first.

    ``found`` is the configuration of the folder. ``record`` is the file with the decisions of the last build.
    """
    if record:
        yield AddressStyle(record.links, "from the record of the last build")
    for project in found.own:
        if project.describes(found.output):
            yield AddressStyle(project.links, f"from {_shown_path(project.file, found)}")
    generated = GeneratedPages(str(found.output))
    if generated.home("") == "" and generated.is_flat(""):
        yield AddressStyle("files", f"from Sphinx' {SEARCH_INDEX}")
    yield AddressStyle("folders")
