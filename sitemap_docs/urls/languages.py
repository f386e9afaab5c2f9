"""Language codes (BCP 47), folders that are named after a language, and the option ``locales``."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.rules import reported
from sitemap_docs.urls.base import Base, compare_urls

X_DEFAULT = "x-default"
Linked = TypeVar("Linked")
_TAG = re.compile(  # RFC 5646 2.1, the forms that hreflang takes: language, script, region, variants
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*)",
    re.IGNORECASE,
)
# Country codes that people write in place of a language code. No language has one of these codes.
_LANGUAGE_ALIASES = {
    "cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "rs": "sr", "ua": "uk", "vn": "vi",
}  # fmt: skip
_ALIASES = {"es-LA": "es-419"}  # LA is Laos; 419 is Latin America
_REGION_ALIASES = {"UK": "GB"}
_NO_REGIONS = frozenset({"EN", "EU", "UN"})

# ISO 639-1, and the three-letter codes that documentation uses. Others are not languages: a folder `api`.
_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io
is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn
mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se
sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo
wa wo xh yi yo za zh zu fil haw
"""
_FOLDERS = frozenset(_CODES.split())
# Codes for a language that also has another code, and that code.
_SAME = {"in": "id", "iw": "he", "ji": "yi", "nb": "no", "nn": "no", "tl": "fil"}


class Translation(NamedTuple):
    """The language of a page, and a key that is the same for all its translations, such as ``a.md``."""

    language: str
    key: str


def hreflang(code: str) -> str | None:
    """Return a language code in the form that search engines expect, or None if the code is invalid.

    >>> [hreflang(code) for code in ("pt_BR", "zh-hant-tw", "X-Default", "english")]
    ['pt-BR', 'zh-Hant-TW', 'x-default', None]

    Common mistakes are corrected:

    >>> [hreflang(code) for code in ("jp", "en-UK", "es-LA", "en-EU")]
    ['ja', 'en-GB', 'es-419', None]
    """
    if code.lower() == X_DEFAULT:
        return X_DEFAULT
    match = _TAG.fullmatch(code.strip().replace("_", "-"))
    if match is None:
        return None
    language = match["language"].lower()
    script = (match["script"] or "").title()
    region = (match["region"] or "").upper()
    if region in _NO_REGIONS:
        return None
    language = _LANGUAGE_ALIASES.get(language, language)
    region = _REGION_ALIASES.get(region, region)
    tag = "-".join(filter(None, (language, script, region)))
    return _ALIASES.get(tag, tag) + match["variants"].lower()


def folder_language(name: str, lang: str = "") -> str:
    """Return the language after which a folder is named, or ``""``.

    >>> folder_language("pt_br"), folder_language("api"), folder_language("js")
    ('pt-BR', '', '')

    The code of a country, such as ``rs`` for Serbia, is also accepted. ``lang`` is the language of the pages
    in
    the folder, if it is known. If it is another language, return ``""``:

    >>> folder_language("rs", "sr-Latn"), folder_language("rs", "en")
    ('sr', '')
    """
    tag = hreflang(name)
    language = primary_language(name)
    if tag is None or language not in _FOLDERS or primary_language(lang) not in ("", language):
        return ""
    return tag


def primary_language(code: str) -> str:
    """Return the language in a code, without the country. The old code ``iw`` becomes ``he``.

    >>> primary_language("pt_BR"), primary_language("iw"), primary_language("")
    ('pt', 'he', '')
    """
    tag = hreflang(code)
    if tag in (None, X_DEFAULT):
        return ""
    language = tag.partition("-")[0]
    return _SAME.get(language, language)


def read_locales(locales: Iterable[tuple[str, str]], base: Base, language: str) -> dict[str, Base]:
    """Read the option ``locales``, and return the base URL of each translation of the site, by language.

    If the option has no URL for a language, the URL is derived from ``base``: ``/en/`` becomes ``/de/``.

    Raises:
        SitemapError: A code or URL is not valid or cannot be derived.
    """
    bases: dict[str, Base] = {}
    for code, url in locales:
        tag = hreflang(code)
        if tag is None:
            raise SitemapError(
                f"The option `locales` has {code!r}, which is no language code. Write a code such as de or "
                "pt-BR."
            )
        if not url:
            bases[tag] = _replace_language(base, language, code)
            continue
        try:
            bases[tag] = Base.of(url)
        except SitemapError as error:
            advice = f"Write a full URL such as https://docs.example.com/{code}/."
            raise SitemapError(f"The option `locales`, {code}: {error} {advice}") from None
    if bases:
        own_tag = hreflang(language)
        if own_tag:
            bases.setdefault(own_tag, base)
        first_tag = next(iter(bases))
        add_default(bases, first_tag)
    return bases


def add_default(by_language: dict[str, Linked], default: str) -> None:
    """Add the URL for the default language again as ``x-default``, for readers of all other languages."""
    if default in by_language:
        by_language.setdefault(X_DEFAULT, by_language[default])


def locale_findings(locales: Iterable[tuple[str, str]], base: Base, language: str) -> Iterator[Finding]:
    """Yield a warning for each kind of mistake in the option ``locales``, such as a wrong language code."""
    bases = read_locales(locales, base, language)
    bases.pop(X_DEFAULT, None)
    has_own = any(compare_urls(other.url, base.url) != "elsewhere" for other in bases.values())
    corrections = []
    for code, _ in locales:
        tag = hreflang(code)
        if tag and tag.lower() != code.strip().replace("_", "-").lower():
            corrections.append(f"{tag} for {code}")
    if locales and not has_own:
        yield locales_without_own(base.url)
    if corrections:
        yield language_code(", ".join(corrections))


@reported(strict=True)
def locales_without_own(url: str) -> str:
    """The option `locales` has no language with the base URL of this build.

    Translations must link to each other and to themselves, so no page gets hreflang links.
    Add the language of this build.
    Wrong: `locales: {de: https://docs.example.com/de/}` in the build of `/en/`
    Right: `locales: {de: https://docs.example.com/de/, en: https://docs.example.com/en/}`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return (
        "No page gets hreflang links, because no language in the option `locales` has the base URL of this "
        f"build, {url}. Add the language of this build."
    )


@reported()
def language_code(corrected: str) -> str:
    """The option `locales` has an invalid language code.

    Search engines ignore links with this code, so the sitemap has the corrected code.
    Write the corrected code in the option, too.
    Wrong: `locales: {cn: https://docs.example.com/cn/}`
    Right: `locales: {zh: https://docs.example.com/cn/}`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return f"The option `locales` has invalid language codes. Write {corrected}, as the sitemap does."


def _replace_language(base: Base, language: str, code: str) -> Base:
    """Replace the language in a base URL: ``/en/`` becomes ``/de/``.

    Raises:
        SitemapError: The URL does not contain the language.
    """
    segments = base.url.removeprefix(base.origin).split("/")
    tag = hreflang(language)
    for number, segment in enumerate(segments):
        if tag and hreflang(segment) == tag:
            segments[number] = code
            return Base.of(base.origin + "/".join(segments))
    lacks = f"does not contain {language}, the language of this build" if tag else "contains no language"
    raise SitemapError(
        f"The option `locales` has no base URL for {code!r}. It cannot be derived from {base.url}, which "
        f"{lacks}. Write a mapping such as {{'{code}': 'https://…/{code}/'}}."
    )
