"""Where the pages of a build are: ``html_baseurl``, ``site_url``, a scheme and the platform, weighed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sphinx.config import Config

from sitemap_docs.config.options import PLAIN
from sitemap_docs.model import Finding, SitemapError, reported
from sitemap_docs.programs.sphinx_sitemap import THEIR_DEFAULT
from sitemap_docs.urls.base import Base, base_url, is_elsewhere, is_local, place_of
from sitemap_docs.urls.hosts import Platform

LANGUAGE = "{lang}"

# The address of each version, where one platform builds many from one conf.py.
_EXACT = 'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")'
_SETTLE = "In conf.py, write {line} and remove `sitemap_url_scheme`."


@reported()
def scheme_unused(pages: str, _: str, platform: str, __: str) -> str:
    """The option `sitemap_url_scheme` is not used, as the platform has the address of the pages.

    The addresses are right without it.
    Remove the option.
    Wrong: `sitemap_url_scheme = "{lang}{version}{link}"` on Read the Docs
    Right: no scheme
    Source: Read the Docs: environment variables,
    https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    """
    return (
        f"`sitemap_url_scheme` in conf.py is not used: {platform} has the address of the pages, {pages}. "
        "Remove `sitemap_url_scheme`."
    )


@reported("info")
def canonical_corrected(pages: str, other: str, platform: str, line: str) -> str:
    """The canonical links of the pages begin with the address at which the platform serves them.

    conf.py has an address without language and version, with a scheme for the sitemap alone.
    Write the address of the platform into conf.py, and remove the scheme.
    Wrong: `html_baseurl = "https://docs.example.com/"` with a scheme
    Right: `html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")`
    Source: Read the Docs: canonical URLs,
    https://docs.readthedocs.com/platform/stable/canonical-urls.html
    """
    return (
        f"The canonical links of the pages now begin with {pages}, where {platform} serves them, not with "
        f"{other}. {_SETTLE.format(line=line)}"
    )


@reported()
def base_from_platform(pages: str, other: str, platform: str, line: str) -> str:
    """conf.py and the platform have different addresses of this build, and the platform is right.

    Canonical links that lead elsewhere take the pages out of search.
    Write the address of the platform into conf.py.
    Wrong: `html_baseurl = "https://docs.example.com/en/stable/"` in each version
    Right: `html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")`
    Source: Read the Docs: canonical URLs,
    https://docs.readthedocs.com/platform/stable/canonical-urls.html
    """
    return (
        f"{platform} serves the pages below {pages}: sitemap and canonical links begin with it, not with "
        f"`html_baseurl`, {other}. In conf.py, write {line}"
    )


@reported()
def base_off_platform(pages: str, other: str, platform: str, _: str) -> str:
    """The base URL is on another host than the platform serves the sitemap from.

    Engines accept a sitemap for its own host alone.
    Set the domain as the canonical one at the platform, or remove `html_baseurl`.
    Wrong: `html_baseurl = "https://docs.example.com/"` without that domain on Read the Docs
    Right: the domain in its settings, marked as canonical
    Source: sitemaps.org: sitemap file location,
    https://www.sitemaps.org/protocol.html#location
    """
    return (
        f"By `html_baseurl`, the pages are listed below {pages}, but {platform} serves the sitemap below "
        f"{other}: engines accept a sitemap for its own host alone. Set the domain of `html_baseurl` as the "
        "canonical domain there, or remove `html_baseurl`."
    )


@reported()
def scheme_unconfirmed(pages: str, other: str, _: str, line: str) -> str:
    """The option `sitemap_url_scheme` puts the pages elsewhere than their canonical links.

    Engines see two addresses of each page.
    Write the address with language and version into `html_baseurl`, and remove the scheme.
    Wrong: `html_baseurl = "https://example.org/"` and `sitemap_url_scheme = "en/{link}"`
    Right: `html_baseurl = "https://example.org/en/"`
    Source: Google: consolidate duplicate URLs,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    return (
        f"`sitemap_url_scheme` in conf.py puts the pages below {pages}, their canonical links below {other}. "
        f"The sitemap has the former. {_SETTLE.format(line=line)} If the latter is right: "
        'sitemap_url_scheme = "{link}"'
    )


@reported()
def two_base_urls(pages: str, other: str, _: str, __: str) -> str:
    """conf.py has two base URLs which do not agree.

    The canonical links have that of `html_baseurl`, and so has the sitemap.
    Remove the one that is wrong.
    Wrong: `html_baseurl = "https://a.example.org/"` and `site_url = "https://b.example.org/"`
    Right: `html_baseurl = "https://a.example.org/"`
    Source: Sphinx: html_baseurl,
    https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_baseurl
    """
    return (
        f"`html_baseurl` is used, {pages}, and not `site_url` in conf.py, with which the pages would be "
        f"below {other}. Remove the one that is wrong."
    )


class Scheme(NamedTuple):
    """``sitemap_url_scheme`` as sphinx-sitemap reads it, and what its ``{version}`` stands for.

    It ends in ``{link}`` and says what stands between the base URL and a page.
    """

    text: str
    version: str

    def below(self, base: Base, language: str) -> Base:
        """The base of the pages in ``language``: ``base`` and the scheme, with single slashes.

        sphinx-sitemap only concatenates, so that ``{lang}/{link}`` has two slashes there.

        >>> Scheme("{lang}/{version}{link}", "1.2").below(Base("https://example.org/"), "en").url
        'https://example.org/en/1.2/'
        """
        text = self.text.replace(PLAIN, "")
        text = text.replace(LANGUAGE, f"{language}/" if language else "")
        text = text.replace("{version}", f"{self.version}/" if self.version else "")
        return Base.of(base.loc("".join(f"{part}/" for part in text.split("/") if part)))


class Address(NamedTuple):
    """The base of the pages' addresses, the base of their canonical links, and what to report of both.

    ``scheme`` is the base that ``sitemap_url_scheme`` belongs to; None where the scheme is not used.
    ``other`` holds where the canonical links lead to the pages of another version, on which this build has
    nothing to say.
    """

    base: Base
    canonical: Base
    scheme: Base | None = None
    findings: tuple[Finding, ...] = ()
    other: bool = False


def base_urls(config: Config) -> tuple[str, str]:
    """``html_baseurl`` and ``site_url``; ``""`` for one that is not set, or the ``/`` that stands for none.

    A local one counts only if the command line gives it.
    """
    urls = []
    for name in ("html_baseurl", "site_url"):
        url = str(config[name] or "")
        is_unset = url == "/" or (is_local(url) and name not in config.overrides)
        urls.append("" if is_unset else url)
    return urls[0], urls[1]


def find_address(  # noqa: PLR0911  one for each situation
    html_baseurl: str, site_url: str, scheme: Scheme, language: str, platform: Platform
) -> Address | None:
    """The address that conf.py and the platform agree on; None without any base URL.

    What the platform states exactly wins, then a scheme that conf.py has, then ``html_baseurl``.
    Raises SitemapError for a base URL that is none.
    """

    def finding(rule: Callable[[str, str, str, str], Finding], pages: Base, other: Base) -> Finding:
        line = _EXACT if platform.is_exact else f'html_baseurl = "{pages.url}"'
        return rule(pages.url, other.url, platform.name, line)

    given = Base.of(platform.base_url) if platform.base_url else None
    unused: tuple[Finding, ...] = ()
    if given and scheme.text != PLAIN:
        unused = (finding(scheme_unused, given, given),)
    if not (html_baseurl or site_url):
        return Address(given, given, findings=unused) if given else None
    canonical = Base.of(html_baseurl or site_url)
    start = Base.of(site_url or html_baseurl)
    pages = scheme.below(start, language)
    theirs = scheme if scheme.text != PLAIN else scheme._replace(text=THEIR_DEFAULT)

    if given and platform.is_exact and not platform.preview:
        if canonical == given:
            return Address(given, given, findings=unused)
        # They differ in the spelling of a language at most: Read the Docs has `pt-br`.
        if pages.url.lower().replace("_", "-") == given.url.lower():
            return Address(given, given, start, (finding(canonical_corrected, given, canonical),))
        is_plain, their_host = scheme.text == PLAIN, place_of(canonical)[0]
        if is_plain and is_elsewhere(canonical, given):
            return Address(given, canonical, other=True)
        if is_plain and (place_of(given)[0] == their_host or their_host.endswith(platform.hosts)):
            return Address(given, given, findings=(finding(base_from_platform, given, canonical),))
        if pages == canonical == start and place_of(given)[0] != their_host:
            return Address(pages, canonical, start, (finding(base_off_platform, canonical, given),))
    if pages == canonical == start:
        return Address(pages, canonical, start)
    if start == canonical:
        return Address(pages, canonical, start, (finding(scheme_unconfirmed, pages, canonical),))
    if theirs.below(start, language) == canonical:
        return Address(canonical, canonical, start)
    return Address(canonical, canonical, findings=(finding(two_base_urls, canonical, pages),))


def unusable(name: str, error: SitemapError) -> Finding:
    """Returns what to report of a base URL that is none."""
    return base_url(
        f"No sitemap is written. `{name}` in conf.py: {error} "
        'Write the address of the site, such as "https://docs.example.com/".'
    )
