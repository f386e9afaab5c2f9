"""Language codes as BCP 47 writes them, folders named after a language, and the option ``locales``."""

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from sitemap_docs.model import Finding, SitemapError, reported
from sitemap_docs.urls.base import Base, compare_urls

X_DEFAULT = "x-default"
Linked = TypeVar("Linked")
_TAG = re.compile(  # RFC 5646 2.1, the forms that hreflang takes: language, script, region, variants
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*)",
    re.IGNORECASE,
)
# Codes of countries that people write for languages, where no language has that code.
_LANGUAGE_ALIASES = {
    "cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "rs": "sr", "ua": "uk", "vn": "vi",
}  # fmt: skip
_ALIASES = {"es-LA": "es-419"}  # LA is Laos; 419 is Latin America
_REGION_ALIASES = {"UK": "GB"}
_NO_REGIONS = frozenset({"EN", "EU", "UN"})

# ISO 639-1, and the three-letter codes that documentation is translated to: a folder `api` is no language.
_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io
is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn
mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se
sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo
wa wo xh yi yo za zh zu fil haw
"""
_FOLDERS = frozenset(_CODES.split())
# Codes for what another one names, too.
_SAME = {"in": "id", "iw": "he", "ji": "yi", "nb": "no", "nn": "no", "tl": "fil"}


def hreflang(code: str) -> str | None:
    """The code as BCP 47 writes it; None for what is no language code.

    Underscores become hyphens, and frequent mistakes are corrected where one code can be meant.

    >>> [hreflang(code) for code in ("pt_BR", "zh-hant-tw", "X-Default", "english")]
    ['pt-BR', 'zh-Hant-TW', 'x-default', None]
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
    """The language that a folder is named after, as BCP 47 writes it; ``""`` for any other folder.

    ``lang`` is the attribute of its pages: ``rs/`` with pages in English is about Rust, not in Serbian.

    >>> folder_language("pt_br"), folder_language("api"), folder_language("js")
    ('pt-BR', '', '')
    >>> folder_language("rs", "sr-Latn"), folder_language("rs", "en")
    ('sr', '')
    """
    tag = hreflang(name)
    language = primary_language(name)
    if tag is None or language not in _FOLDERS or primary_language(lang) not in ("", language):
        return ""
    return tag


def primary_language(code: str) -> str:
    """The language of a code without script and region, the same for two codes of one; ``""`` for none.

    >>> primary_language("pt_BR"), primary_language("iw"), primary_language("")
    ('pt', 'he', '')
    """
    tag = hreflang(code)
    if tag in (None, X_DEFAULT):
        return ""
    language = tag.partition("-")[0]
    return _SAME.get(language, language)


def read_locales(locales: Iterable[tuple[str, str]], base: Base, language: str) -> dict[str, Base]:
    """The option ``locales``, codes as BCP 47 writes them; its first language is ``x-default``.

    A language without a base URL has the site's, with its own code in place of ``language``. Raises
    SitemapError for a code or a base that is not valid, and for a base that cannot be derived.
    """
    known: dict[str, Base] = {}
    for code, url in locales:
        tag = hreflang(code)
        if tag is None:
            raise SitemapError(
                f"The option `locales` has {code!r}: write a language code such as de or pt-BR."
            )
        if not url:
            known[tag] = _sibling(base, language, code)
            continue
        try:
            known[tag] = Base.of(url)
        except SitemapError as error:
            advice = f"Write a full URL such as https://docs.example.com/{code}/."
            raise SitemapError(f"The option `locales`, {code}: {error} {advice}") from None
    if known:
        own = hreflang(language)
        if own:
            known.setdefault(own, base)
        add_default(known, next(iter(known)))
    return known


def add_default(by_language: dict[str, Linked], default: str) -> None:
    """Adds ``x-default``, for readers of all other languages: as in the language ``default``, if it is there.

    That is the first of the option ``locales``, the default language of MkDocs' plugin i18n, and in a join
    the one that the home page redirects to. One that is there already stays.
    """
    if default in by_language:
        by_language.setdefault(X_DEFAULT, by_language[default])


def locale_findings(locales: Iterable[tuple[str, str]], base: Base, language: str) -> Iterator[Finding]:
    """Yields what is wrong with a valid option ``locales``: no effect, codes that are corrected."""
    known = read_locales(locales, base, language)
    known.pop(X_DEFAULT, None)
    own = any(compare_urls(each.url, base.url) != "elsewhere" for each in known.values())
    corrected = []
    for code, _ in locales:
        tag = hreflang(code)
        if tag and tag.lower() != code.strip().replace("_", "-").lower():
            corrected.append(f"{tag} for {code}")
    if locales and not own:
        yield locales_without_own(base.url)
    if corrected:
        yield language_code(", ".join(corrected))


@reported(strict=True)
def locales_without_own(url: str) -> str:
    """The option `locales` has no language with the base URL of this build.

    Translations must name each other and themselves, so that no page gets a link.
    Add the language of this build.
    Wrong: `locales: {de: https://docs.example.com/de/}` in the build of `/en/`
    Right: `locales: {de: https://docs.example.com/de/, en: https://docs.example.com/en/}`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return (
        f"No page gets hreflang links: the option `locales` has no language with the base URL of this "
        f"build, {url}. Add it."
    )


@reported()
def language_code(corrected: str) -> str:
    """The option `locales` has a code that no language has.

    Engines ignore links with such a code, so that the sitemap has the right one.
    Write it in the option, too.
    Wrong: `locales: {cn: https://docs.example.com/cn/}`
    Right: `locales: {zh: https://docs.example.com/cn/}`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return f"The option `locales` has codes that no language has. Write {corrected}, as the sitemap does."


def _sibling(base: Base, language: str, code: str) -> Base:
    """The base with ``code`` in place of the path's first segment that is ``language``, however spelled."""
    segments = base.url.removeprefix(base.origin).split("/")
    ours = hreflang(language)
    for number, segment in enumerate(segments):
        if ours and hreflang(segment) == ours:
            segments[number] = code
            return Base.of(base.origin + "/".join(segments))
    raise SitemapError(
        f"The option `locales` names {code!r} without a base URL, and {base.url} has no language to "
        f"replace: write a mapping such as {{'{code}': 'https://…/{code}/'}}."
    )
