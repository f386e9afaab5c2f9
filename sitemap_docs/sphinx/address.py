"""Where the pages of a build are: ``html_baseurl``, ``site_url``, a scheme and the platform, weighed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.config.options import PLAIN
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.urls.base import Base, host_of, is_local

if TYPE_CHECKING:
    from sphinx.config import Config

    from sitemap_docs.urls.hosts import Platform

LANGUAGE = "{lang}"
THEIR_DEFAULT = "{lang}{version}{link}"
"""Of sphinx-sitemap 2.9."""

READ_THE_DOCS = (".readthedocs.io", ".readthedocs-hosted.com")
"""The hosts of the one platform that states the address of a build exactly."""

UNCONFIRMED = "scheme-unconfirmed"


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
    found = []
    for name in ("html_baseurl", "site_url"):
        url = str(config[name] or "")
        is_unset = url == "/" or (is_local(url) and name not in config.overrides)
        found.append("" if is_unset else url)
    return found[0], found[1]


def find_address(  # noqa: PLR0911  one answer for each rule, in their order
    html_baseurl: str, site_url: str, scheme: Scheme, language: str, platform: Platform
) -> Address | None:
    """The address that conf.py and the platform agree on; None without any base URL.

    What the platform states exactly wins, then a scheme that conf.py has, then ``html_baseurl``.
    Raises SitemapError for a base URL that is none.
    """
    given = Base.of(platform.base_url) if platform.base_url else None
    if not (html_baseurl or site_url):
        return Address(given, given, findings=_unused(given, scheme, platform)) if given else None
    canonical = Base.of(html_baseurl or site_url)
    start = Base.of(site_url or html_baseurl)
    pages = scheme.below(start, language)
    if given and platform.is_exact and not platform.preview:
        if canonical == given:
            return Address(given, given, findings=_unused(given, scheme, platform))
        if _alike(pages, given):
            return Address(given, given, start, (_corrected(canonical, given, platform),))
        if scheme.text == PLAIN:
            (host, path), (their_host, their_path) = _place(given), _place(canonical)
            if host == their_host and not path.startswith(their_path):
                return Address(given, canonical, other=True)
            if host == their_host or their_host.endswith(READ_THE_DOCS):
                return Address(given, given, findings=(_deeper(canonical, given, platform),))
    if start == canonical:
        findings = () if pages == canonical else (_disagreement(pages, canonical),)
        return Address(pages, canonical, start, findings)
    theirs = scheme if scheme.text != PLAIN else scheme._replace(text=THEIR_DEFAULT)
    if theirs.below(start, language) == canonical:
        return Address(canonical, canonical, start)
    return Address(canonical, canonical, findings=(_two(canonical, pages),))


def _place(base: Base) -> tuple[str, str]:
    """The host and the path of a base; Read the Docs redirects its former domain to the present one."""
    host = host_of(base.url).removeprefix("www.")
    if host.endswith(".readthedocs.org"):
        host = host.removesuffix("org") + "io"
    return host, base.url.removeprefix(base.origin)


def _unused(given: Base, scheme: Scheme, platform: Platform) -> tuple[Finding, ...]:
    """What to report where a platform has the address, and conf.py a scheme."""
    if scheme.text == PLAIN:
        return ()
    unused = Finding(
        rule="scheme-unused",
        message=f"`sitemap_url_scheme` in conf.py is not used: {platform.name} has the address of the pages, "
        f"{given.url}. Remove `sitemap_url_scheme`.",
    )
    return (unused,)


def unusable(name: str, error: SitemapError) -> Finding:
    """What to report of a base URL that is none."""
    return Finding(
        rule="base-url",
        message=f"No sitemap is written. `{name}` in conf.py: {error} "
        'Write the address of the site, such as "https://docs.example.org/".',
    )


def _alike(one: Base, other: Base) -> bool:
    """Whether two bases differ in the spelling of a language at most: Read the Docs has ``pt-br``."""
    return one == other or one.url.lower().replace("_", "-") == other.url.lower()


def _corrected(canonical: Base, given: Base, platform: Platform) -> Finding:
    return Finding(
        rule="canonical-corrected",
        severity="info",
        message=f"The canonical links of the pages now begin with {given.url}, where {platform.name} serves "
        f"them, not with {canonical.url}. {_settle(given)}",
    )


def _deeper(canonical: Base, given: Base, platform: Platform) -> Finding:
    return Finding(
        rule="base-from-platform",
        message=f"{platform.name} serves the pages below {given.url}: sitemap and canonical links begin with "
        f"it, not with `html_baseurl`, {canonical.url}. In conf.py, write "
        'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")',
    )


def _disagreement(pages: Base, canonical: Base) -> Finding:
    return Finding(
        rule=UNCONFIRMED,
        message=f"`sitemap_url_scheme` in conf.py puts the pages below {pages.url}, their canonical links "
        f"below {canonical.url}. The sitemap has the former. {_settle(pages)} If the latter is right: "
        'sitemap_url_scheme = "{link}"',
    )


def _settle(base: Base) -> str:
    return f'In conf.py, write html_baseurl = "{base.url}" and remove `sitemap_url_scheme`.'


def _two(used: Base, unused: Base) -> Finding:
    return Finding(
        rule="two-base-urls",
        message=f"`html_baseurl` is used, {used.url}, and not `site_url` in conf.py, with which the pages "
        f"would be below {unused.url}. Remove the one that is wrong.",
    )
