"""Find the address of a build by Sphinx: ``html_baseurl``, ``site_url``, a scheme, and the platform."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sphinx.config import Config

from sitemap_docs.config.options import OPTIONS, PLAIN, Options
from sitemap_docs.hosting import find_preview
from sitemap_docs.listing import no_sitemap
from sitemap_docs.model import Fact, Finding, NoSitemap, Page, SitemapError
from sitemap_docs.output.existing import Replaced, read_mark, read_replaced
from sitemap_docs.programs.read_the_docs import is_built_there, reads_base_url
from sitemap_docs.programs.sphinx_sitemap import GENERATED_LINKS, SHARED, THEIR_DEFAULT, is_loaded
from sitemap_docs.project import Address, Project
from sitemap_docs.rules import BuildRule
from sitemap_docs.sphinx.config import in_conf_py, is_of_conf_py, written
from sitemap_docs.sphinx_rules import (
    TwoUrls,
    addresses_moved,
    base_from_platform,
    base_off_platform,
    canonical_corrected,
    locales_unused,
    scheme_unconfirmed,
    scheme_unused,
    two_base_urls,
)
from sitemap_docs.urls.base import Base, given_base, host_of, is_elsewhere, is_local, place_of, split_url
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.languages import X_DEFAULT, folder_language, hreflang, read_locales
from sitemap_docs.urls.versions import is_version
from sitemap_docs.webroot import Webroot

LANGUAGE = "{lang}"

# The address of each version, where one platform builds many from one conf.py.
_EXACT = 'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")'
_ADVICE_EXACT = f"write {_EXACT} into conf.py"


class Scheme(NamedTuple):
    """A template for the URLs of pages, such as ``{lang}{version}{link}``, and the value of ``{version}``."""

    text: str
    version: str
    #: Which of the names ``language`` and ``version`` conf.py sets.
    names: frozenset[str] = frozenset()
    #: Whether the command line sets the base URL, the language or the version, as in ``-D language=de``.
    is_overridden: bool = False

    def below(self, base: Base, language: str) -> Base:
        """Return the base URL of the pages in one language, which replaces ``{lang}`` in the template.

        The placeholder ``{link}`` stands for the path of a page, and is left out:

        >>> Scheme("{lang}/{version}{link}", "1.2").below(Base("https://example.org/"), "en").url
        'https://example.org/en/1.2/'
        """
        return Base.of(base.loc(self._path(language, self.version)))

    def advise(self, base: Base, language: str) -> str:
        """Return advice that tells the user how to set ``html_baseurl`` in conf.py.

        If conf.py defines ``language`` and ``version``, the advice uses these names, so that the next version
        and other languages get the right URL, too.
        """
        url = self.below(base, language).url
        if self.is_overridden:
            return f"pass -D html_baseurl={url} to this build"
        path = self._path(language, self.version)
        names = []
        if base.url + path == url:  # Otherwise, Python would not encode the values.
            if language and LANGUAGE in self.text and "language" in self.names:
                names.append("language")
            if self.version and "{version}" in self.text and "version" in self.names:
                names.append("version")
        if not names:
            return f'write html_baseurl = "{url}" into conf.py'
        path = self._path(
            "{language}" if "language" in names else language,
            "{version}" if "version" in names else self.version,
        )
        below = " and ".join(f"`{name}`" for name in names)
        return f'write html_baseurl = f"{base.url}{path}" into conf.py, below {below}'

    def _path(self, language: str, version: str) -> str:
        """Return the path of the pages below the base URL, such as ``en/1.2/``."""
        text = self.text.replace(PLAIN, "")
        # The version may contain `{lang}`.
        parts = {LANGUAGE: f"{language}/" if language else "", "{version}": f"{version}/" if version else ""}
        text = re.sub(r"\{(?:lang|version)\}", lambda match: parts[match[0]], text)
        # For {lang}/{link}, sphinx-sitemap would write en//a.html.
        return "".join(f"{part}/" for part in text.split("/") if part)


class WeighedUrls(NamedTuple):
    """The base URL of a Sphinx build's pages, and the base URL of their canonical links."""

    #: The base URL of the pages, such as ``https://example.org/en/1.2/``.
    base: Base
    #: The base URL of the canonical links.
    canonical: Base
    #: The base URL without language and version, or None.
    scheme: Base | None = None
    #: Warnings about the base URLs in conf.py.
    findings: tuple[Finding, ...] = ()
    #: Whether canonical links lead to another version.
    is_of_other: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SphinxAddress(Address):
    """The base URL of a site that Sphinx builds, and its origin, such as a setting in conf.py."""

    #: The base URL without language and version, or None.
    scheme: Base | None = None
    #: Whether sitemap-docs may change the canonical links.
    sets_links: bool = True
    #: Whether a build on Read the Docs has another base URL.
    is_fallback: bool = False


def find_address(
    config: Config, root: Path, options: Options, platform: Platform, version: str = ""
) -> SphinxAddress | NoSitemap:
    """Return the base URL of the site and how it was found, or the reason why there is no sitemap.

    Raises:
        SitemapError: A base URL in conf.py is not valid.
    """
    html_baseurl, site_url = base_urls(config)
    scheme = _scheme_of(config, options.url_scheme)
    origin = origin_of(config)
    try:
        weighed = weigh_urls(html_baseurl, site_url, scheme, config.language or "", platform, root)
    except SitemapError as error:
        raise SitemapError(
            f"No sitemap is written. {origin}: {error} "
            'Write the address of the site, such as "https://docs.example.com/".'
        ) from None
    if weighed is None:
        written_urls = (str(written(config, name)) for name in ("html_baseurl", "site_url"))
        local = next(filter(is_local, written_urls), "")
        return no_sitemap.of_version(version, has_base=False) or no_sitemap.no_base(local)
    canonical_by = ""
    if "canonical_url" in config.html_theme_options:
        canonical_by = '`html_theme_options["canonical_url"]` in conf.py'
    why = no_sitemap.of_preview(platform, weighed.base, options) or no_sitemap.of_version(version)
    if weighed.is_of_other and why is None:
        why = no_sitemap.elsewhere(weighed.canonical.url, weighed.base, canonical_by)
    is_fallback = (
        platform.base_url is None
        and "html_baseurl" not in config.overrides
        and reads_base_url(root / "conf.py")
    )
    # A build without a sitemap gets no links that the project does not ask for.
    is_given = bool(html_baseurl or site_url)
    return SphinxAddress(
        base=weighed.base,
        origin=origin,
        canonical=weighed.canonical if weighed.canonical != weighed.base else None,
        canonical_by=canonical_by,
        no_sitemap=why,
        findings=weighed.findings,
        scheme=weighed.scheme,
        sets_links=not (weighed.is_of_other or (why and not is_given)),
        is_fallback=is_fallback,
    )


def _scheme_of(config: Config, text: str) -> Scheme:
    """Return a template for the URLs of pages, with the version and the names that conf.py sets."""
    names = {name for name in ("language", "version") if is_of_conf_py(config, name)}
    is_overridden = not config.overrides.keys().isdisjoint({"html_baseurl", "language", "version"})
    return Scheme(text, config.version, frozenset(names), is_overridden)


def origin_of(config: Config) -> str:
    """Return the name of the setting in conf.py with the base URL, for use in messages.

    It is ``html_baseurl``, or ``site_url`` if that has no value.
    """
    return f"`{'html_baseurl' if base_urls(config)[0] else 'site_url'}` in conf.py"


def base_urls(config: Config) -> tuple[str, str]:
    """Return the values of ``html_baseurl`` and ``site_url`` in conf.py. A missing value is ``""``.

    A local address in conf.py, such as ``http://localhost/``, counts as missing.
    """
    urls = []
    for name in ("html_baseurl", "site_url"):
        url = given_base(str(config[name] or ""), in_file=name not in config.overrides)
        urls.append("" if url == "/" else url)
    return urls[0], urls[1]


def weigh_urls(  # noqa: PLR0911  one for each situation
    html_baseurl: str, site_url: str, scheme: Scheme, language: str, platform: Platform, root: Path
) -> WeighedUrls | None:
    """Choose the base URL of the pages and that of their canonical links, or return None if none is set.

    Both may differ: the canonical links of version 1.0 may lead to version 2.0.

    Args:
        html_baseurl: The setting ``html_baseurl``, or ``""``.
        site_url: The setting ``site_url``, or ``""``.
        scheme: The template for the URLs of pages.
        language: The language of the build, or ``""``.
        platform: The hosting platform, which may know the base URL.
        root: The folder of conf.py.

    Raises:
        SitemapError: A base URL in conf.py is not valid.
    """

    def finding(rule: BuildRule[[TwoUrls]], pages: Base, other: Base) -> Finding:
        line = f'html_baseurl = "{pages.url}"'
        if _has_base_per_version(pages, platform, root):
            line = _EXACT
        return rule(TwoUrls(pages.url, other.url, platform.name, line))

    # Usually, an exact address from the platform wins, then sitemap_url_scheme, then html_baseurl.
    given = Base.of(platform.base_url) if platform.base_url else None
    unused: tuple[Finding, ...] = ()
    if given and scheme.text != PLAIN:
        unused = (finding(scheme_unused, given, given),)
    if not (html_baseurl or site_url):
        return WeighedUrls(given, given, findings=unused) if given else None
    canonical = Base.of(html_baseurl or site_url)
    start = Base.of(site_url or html_baseurl)
    pages = scheme.below(start, language)
    theirs = scheme if scheme.text != PLAIN else scheme._replace(text=THEIR_DEFAULT)

    if given and platform.is_exact and not find_preview(platform, given):
        if canonical == given:
            return WeighedUrls(given, given, findings=unused)
        # They differ in the spelling of a language at most: Read the Docs has `pt-br`.
        if _normalized(pages.url) == _normalized(given.url):
            return WeighedUrls(given, given, start, (finding(canonical_corrected, given, canonical),))
        is_plain, their_host = scheme.text == PLAIN, place_of(canonical)[0]
        if is_plain and is_elsewhere(canonical, given):
            return WeighedUrls(given, canonical, is_of_other=True)
        if is_plain and (place_of(given)[0] == their_host or their_host.endswith(platform.hosts)):
            return WeighedUrls(given, given, findings=(finding(base_from_platform, given, canonical),))
        if pages == canonical == start and place_of(given)[0] != their_host:
            return WeighedUrls(pages, canonical, start, (finding(base_off_platform, canonical, given),))
    if pages == canonical == start:
        return WeighedUrls(pages, canonical, start)
    if start == canonical:
        is_set_by_platform = _has_base_per_version(pages, platform, root)
        advice = _ADVICE_EXACT if is_set_by_platform else scheme.advise(start, language)
        unconfirmed = scheme_unconfirmed(pages.url, canonical.url, advice)
        return WeighedUrls(pages, canonical, start, (unconfirmed,))
    if theirs.below(start, language) == canonical:
        return WeighedUrls(canonical, canonical, start)
    return WeighedUrls(canonical, canonical, findings=(finding(two_base_urls, canonical, pages),))


def _has_base_per_version(pages: Base, platform: Platform, root: Path) -> bool:
    """Check whether the hosting platform serves each version at its own base URL, such as ``/en/1.2/``."""
    if platform.is_exact:
        return True
    return platform.base_url is None and is_built_there(pages, root)


def named_locales(
    options: Options, address: SphinxAddress, version: str, language: str
) -> tuple[tuple[tuple[str, str], ...], list[Finding]]:
    """Return pairs of a language and its base URL from the option ``locales``, and a list of warnings.

    If the option contains only the language of this build, return no pairs. The same applies if the base URLs
    cannot be found.

    Raises:
        SitemapError: A language or base URL is not valid.
    """
    locales = options.locales
    scheme = Scheme(options.url_scheme, version)
    start = address.scheme if LANGUAGE in scheme.text else None
    if start:
        locales = tuple((code, url or scheme.below(start, code).url) for code, url in locales)
    own_codes = {hreflang(language), X_DEFAULT}
    only_own = (
        f"`sitemap_locales` in conf.py contains only the language of this build, {language}. Remove the "
        "setting, or write a mapping that also contains the other languages."
    )
    try:
        others = read_locales(locales, address.base, language).keys() - own_codes
    except SitemapError as error:
        if any(url for _, url in options.locales):
            raise
        if address.is_fallback:
            return (), []
        codes = {hreflang(code) for code, _ in locales}
        # Without other languages, the base URL of this language would be of no use.
        reason = only_own if codes <= own_codes - {None} else in_conf_py(str(error))
        return (), [locales_unused(reason)]
    if others or not locales:
        return locales, []
    return (), [locales_unused(only_own)]


def moved_addresses(
    config: Config, project: Project, address: SphinxAddress, pages: Sequence[Page]
) -> Iterator[Finding]:
    """Yield a warning if page URLs have changed since the project used sphinx-sitemap."""
    start = address.scheme
    paths = [page.path for page in pages if page.facts <= {Fact.ORPHAN}]
    if start is None or not paths or written(config, "sitemap_url_scheme") is not None:
        return
    scheme = _scheme_of(config, THEIR_DEFAULT)
    theirs = scheme.below(start, config.language or "")
    replaced = Replaced()
    with suppress(SitemapError):  # a file that cannot be read: what writes the sitemap reports it
        replaced = read_replaced(project.output, project.options.filename)
    former = replaced.built(project.output)
    # The former addresses are in the sitemap that this build replaces, or they follow from settings for
    # sphinx-sitemap.
    if former and not read_mark(project.output / replaced.file):
        ours = Webroot(project.output, project.hosting)
        before = project.base if any(map(ours.file_of, replaced.listed)) else former.base
        origin = "in the existing sitemap"
    elif (
        _may_have_switched(config)
        and not project.surroundings.platform.base_url
        and not address.is_fallback  # Only the addresses on Read the Docs matter, and they stay the same.
    ):
        before = theirs
        origin = "sphinx-sitemap would have written"
    else:
        return
    # No page can have been below `theirs` if it has the language and the version twice.
    if before == project.base or (before == theirs and _ends_with_version(start, theirs)):
        return
    advice = f'write html_baseurl = "{before.url}" into conf.py'
    if _has_base_per_version(project.base, project.surroundings.platform, project.root):
        advice = _ADVICE_EXACT
    elif before == theirs:
        advice = scheme.advise(start, config.language or "")
    if base_urls(config)[1]:
        advice += ", and remove `site_url`"
    is_other_host = host_of(before.url) != host_of(project.base.url)
    existing = replaced.file if is_other_host else ""
    path = min(paths)
    yield addresses_moved(before.loc(path), project.base.loc(path), origin, advice, existing)


def _ends_with_version(base: Base, theirs: Base) -> bool:
    """Check whether the base URL in conf.py already ends with a language and a version: ``/en/1.2/``.

    ``theirs`` is the base URL to which sphinx-sitemap has appended the language and the version of the build.
    """
    path = split_url(base.url).path
    appended = split_url(theirs.url).path.removeprefix(path)
    if _normalized(path).endswith(_normalized(f"/{appended}")):
        return True
    language, _, version = path.strip("/").rpartition("/")
    return bool(folder_language(language.rpartition("/")[2])) and is_version(version)


def _normalized(path: str) -> str:
    """Write the language code in a path as Read the Docs does: ``/pt_BR/`` becomes ``/pt-br/``."""
    return path.lower().replace("_", "-")


def _may_have_switched(config: Config) -> bool:
    """Guess from the settings in conf.py whether the project has used sphinx-sitemap."""
    if written(config, "sitemap_show_lastmod") is not None or is_loaded(config.extensions):
        return True
    if isinstance(written(config, "sitemap_locales"), (list, tuple)):
        return True
    # We leave out pages such as `search.html` anyway.
    excludes = written(config, "sitemap_excludes")
    if isinstance(excludes, (list, tuple)) and not GENERATED_LINKS.isdisjoint(map(str, excludes)):
        return True
    # `site_url` may have another purpose, so it says nothing next to an option that only we have.
    ours = [option.name for option in OPTIONS if option.name not in SHARED]
    has_ours = any(written(config, f"sitemap_{name}") is not None for name in ours)
    return written(config, "site_url") is not None and not has_ours
