"""Where the pages of a build are: ``html_baseurl``, ``site_url``, a scheme and the platform, weighed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.config.options import PLAIN
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.sphinx.scheme import THEIR_DEFAULT, Scheme
from sitemap_docs.urls.base import Base

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemap_docs.model import Severity
    from sitemap_docs.urls.platforms import Platform

MULTIVERSION = "SPHINX_MULTIVERSION_NAME"
UNCONFIRMED = "scheme-unconfirmed"


class Address(NamedTuple):
    """The base of the pages' addresses, the base of their canonical links, and what to report of both.

    ``scheme`` is the base that ``sitemap_url_scheme`` belongs to; None where the scheme is not used.
    """

    base: Base
    canonical: Base
    scheme: Base | None = None
    findings: tuple[Finding, ...] = ()


class AddressSettings(NamedTuple):
    """What conf.py has: the two base URLs, ``""`` for one that is not set, the scheme and the language."""

    html_baseurl: str
    site_url: str
    scheme: Scheme
    language: str

    def address(self, platform: Platform) -> Address | None:
        """The address that the settings and the platform agree on; None without any base URL.

        What the platform states exactly wins, then a scheme that conf.py has, then ``html_baseurl``.
        Raises SitemapError for a base URL that is none.
        """
        given = Base.of(platform.base_url) if platform.base_url else None
        if not (self.html_baseurl or self.site_url):
            return self._of_platform(given, platform) if given else None
        canonical = Base.of(self.html_baseurl or self.site_url)
        exact = given if platform.is_exact and not platform.preview else None
        if exact:
            return self._confirmed(canonical, exact, platform) or self._unconfirmed(canonical)
        return self._unconfirmed(canonical)

    def _of_platform(self, given: Base, platform: Platform) -> Address:
        findings = () if self.scheme.text == PLAIN else (_unused(given, platform),)
        return Address(given, given, findings=findings)

    def _confirmed(self, canonical: Base, exact: Base, platform: Platform) -> Address | None:
        """The address as the platform states it; None where that has nothing to do with conf.py's."""
        start = Base.of(self.site_url or self.html_baseurl)
        if canonical == exact:
            return self._of_platform(exact, platform)
        if _alike(self.scheme.below(start, self.language), exact):
            return Address(exact, exact, start, findings=(_corrected(canonical, exact, platform),))
        if self.scheme.text == PLAIN and exact.url.startswith(canonical.url):
            return Address(exact, exact, findings=(_deeper(canonical, exact, platform),))
        return None

    def _unconfirmed(self, canonical: Base) -> Address:
        start = Base.of(self.site_url or self.html_baseurl)
        pages = self.scheme.below(start, self.language)
        if start == canonical:
            findings = () if pages == canonical else (_disagreement(pages, canonical),)
            return Address(pages, canonical, start, findings)
        theirs = self.scheme if self.scheme.text != PLAIN else self.scheme._replace(text=THEIR_DEFAULT)
        if theirs.below(start, self.language) == canonical:
            return Address(canonical, canonical, start)
        return Address(canonical, canonical, findings=(_two(canonical, pages),))


def checked_url(value: object) -> str:
    """A base URL of conf.py as text; ``""`` for none, and for the ``/`` that Read the Docs documents."""
    return "" if value in (None, "", "/") else str(value)


def missing(local: str, *, severity: Severity) -> Finding:
    """What to report without a base URL; ``local`` is one that only this machine can reach, or ``""``."""
    state = f"{local}, which only this machine can reach" if local else "not set"
    return Finding(
        rule="base-url",
        severity=severity,
        message=f"No sitemap is written: `html_baseurl` in conf.py is {state}. Write the address of the "
        'site, such as html_baseurl = "https://docs.example.org/", or "/" for builds without a sitemap.',
    )


def shared_by_versions(base: Base, environ: Mapping[str, str]) -> Iterator[Finding]:
    """What to report where sphinx-multiversion builds all versions with one base URL."""
    name = environ.get(MULTIVERSION)
    if name and not base.url.endswith(base.loc(f"{name}/").removeprefix(base.url)):
        yield Finding(
            rule="versions-share-address",
            message=f"sphinx-multiversion builds {name}, and conf.py has one address for all: {base.url}. "
            f'In conf.py, write html_baseurl += os.environ["{MULTIVERSION}"] + "/"',
        )


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


def _unused(given: Base, platform: Platform) -> Finding:
    return Finding(
        rule="scheme-unused",
        message=f"`sitemap_url_scheme` in conf.py is not used: {platform.name} has the address of the pages, "
        f"{given.url}. Remove `sitemap_url_scheme`.",
    )


def _corrected(canonical: Base, exact: Base, platform: Platform) -> Finding:
    return Finding(
        rule="canonical-corrected",
        severity="info",
        message=f"The canonical links of the pages now begin with {exact.url}, where {platform.name} serves "
        f"them, not with {canonical.url}. {_settle(exact)}",
    )


def _deeper(canonical: Base, exact: Base, platform: Platform) -> Finding:
    return Finding(
        rule="base-from-platform",
        message=f"{platform.name} serves the pages below {exact.url}: sitemap and canonical links begin with "
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
