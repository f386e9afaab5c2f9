"""Where the pages of a build are: ``html_baseurl``, ``site_url``, a scheme and the platform, weighed."""

from __future__ import annotations

from typing import NamedTuple

from sphinx.config import Config

from sitemap_docs.config.options import PLAIN
from sitemap_docs.model import Finding, Severity, SitemapError
from sitemap_docs.urls.base import Base, is_elsewhere, is_local, place_of
from sitemap_docs.urls.hosts import Platform

LANGUAGE = "{lang}"
THEIR_DEFAULT = "{lang}{version}{link}"
"""Of sphinx-sitemap 2.9."""

UNCONFIRMED = "scheme-unconfirmed"
# The address of each version, where one platform builds many from one conf.py.
_EXACT = 'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")'
_SETTLE = "In conf.py, write {line} and remove `sitemap_url_scheme`."
#: What is reported of two addresses that differ; ``pages`` is the one that is used, ``line`` what to write.
_MESSAGES = {
    "scheme-unused": (
        "`sitemap_url_scheme` in conf.py is not used: {platform} has the address of the pages, {pages}. "
        "Remove `sitemap_url_scheme`."
    ),
    "canonical-corrected": (
        "The canonical links of the pages now begin with {pages}, where {platform} serves them, not with "
        f"{{other}}. {_SETTLE}"
    ),
    "base-from-platform": (
        "{platform} serves the pages below {pages}: sitemap and canonical links begin with it, not with "
        "`html_baseurl`, {other}. In conf.py, write {line}"
    ),
    "base-off-platform": (
        "By `html_baseurl`, the pages are listed below {pages}, but {platform} serves the sitemap below "
        "{other}: engines accept a sitemap for its own host alone. Set the domain of `html_baseurl` as the "
        "canonical domain there, or remove `html_baseurl`."
    ),
    UNCONFIRMED: (
        "`sitemap_url_scheme` in conf.py puts the pages below {pages}, their canonical links below {other}. "
        f"The sitemap has the former. {_SETTLE} If the latter is right: "
        'sitemap_url_scheme = "{{link}}"'
    ),
    "two-base-urls": (
        "`html_baseurl` is used, {pages}, and not `site_url` in conf.py, with which the pages would be below "
        "{other}. Remove the one that is wrong."
    ),
}


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

    def finding(rule: str, pages: Base, other: Base) -> Finding:
        line = _EXACT if platform.is_exact else f'html_baseurl = "{pages.url}"'
        message = _MESSAGES[rule].format(pages=pages.url, other=other.url, platform=platform.name, line=line)
        # The address is right, only conf.py has another one.
        severity: Severity = "info" if rule == "canonical-corrected" else "warning"
        return Finding(rule=rule, severity=severity, message=message)

    given = Base.of(platform.base_url) if platform.base_url else None
    unused: tuple[Finding, ...] = ()
    if given and scheme.text != PLAIN:
        unused = (finding("scheme-unused", given, given),)
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
            return Address(given, given, start, (finding("canonical-corrected", given, canonical),))
        is_plain, their_host = scheme.text == PLAIN, place_of(canonical)[0]
        if is_plain and is_elsewhere(canonical, given):
            return Address(given, canonical, other=True)
        if is_plain and (place_of(given)[0] == their_host or their_host.endswith(platform.hosts)):
            return Address(given, given, findings=(finding("base-from-platform", given, canonical),))
        if pages == canonical == start and place_of(given)[0] != their_host:
            return Address(pages, canonical, start, (finding("base-off-platform", canonical, given),))
    if pages == canonical == start:
        return Address(pages, canonical, start)
    if start == canonical:
        return Address(pages, canonical, start, (finding(UNCONFIRMED, pages, canonical),))
    if theirs.below(start, language) == canonical:
        return Address(canonical, canonical, start)
    return Address(canonical, canonical, findings=(finding("two-base-urls", canonical, pages),))


def unusable(name: str, error: SitemapError) -> Finding:
    """What to report of a base URL that is none."""
    return Finding(
        rule="base-url",
        message=f"No sitemap is written. `{name}` in conf.py: {error} "
        'Write the address of the site, such as "https://docs.example.org/".',
    )
