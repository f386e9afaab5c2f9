"""hreflang alternates: complete, true, mutual, the page itself included."""

from pathlib import Path

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import Globs
from sitemap_docs.host_rules import HeaderRule, Headers, RedirectRule, Redirects
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.selection import Decision, Selector
from sitemap_docs.model import Alternate, Page, Reason, SitemapError
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.languages import locale_findings, read_locales
from tests import conftest
from tests.conftest import NOINDEX, REFRESH, html_page

ROOT = Base.of("https://example.org/")


def write(folder: Path, name: str, head: str = "") -> None:
    conftest.write(folder, {name: html_page(head)})


def selector(output: Path, base: Base = ROOT, **more: object) -> Selector:
    values = {"base": base, "output": output, "options": Options(), "headers": Headers()}
    return Selector(**values | more)


def links(**languages: str) -> str:
    named = {code.replace("_", "-"): href for code, href in languages.items()}
    return "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in named.items())


def alternates(languages: Languages, path: str) -> dict[str, str]:
    """The addresses below the root by their languages."""
    file = languages.output / path / "index.html"
    loc = languages.base.loc(path)
    head = read_head(file) if file.exists() else Head()
    decision = Decision(page=Page(path=path, file=file), loc=loc, alternates=head.alternate_urls(loc))
    return {code: href.removeprefix(ROOT.url) for code, href in languages.alternates(decision)}


def test_locales_below_the_root_are_looked_up_on_disk(tmp_path: Path) -> None:
    for name in ("a/index.html", "b/index.html", "de/a/index.html"):
        write(tmp_path, name)
    given = (("en", "https://example.org/"), ("de", "https://example.org/de/"), ("fr", "https://example.fr/"))
    languages = Languages(selector(tmp_path), read_locales(given, ROOT, ""))
    french = "https://example.fr/a/"  # another host cannot be looked up
    assert alternates(languages, "a/") == {"de": "de/a/", "en": "a/", "fr": french, "x-default": "a/"}
    assert "de" not in alternates(languages, "b/")


def test_sibling_folders_are_looked_up_on_disk(tmp_path: Path) -> None:
    for name in ("en/a/index.html", "en/b/index.html", "de/a/index.html"):
        write(tmp_path, name)
    base = Base.of("https://example.org/docs/en/")
    languages = Languages(selector(tmp_path / "en", base), read_locales((("de", ""),), base, "en"))
    german = "docs/de/a/"
    assert alternates(languages, "a/") == {"de": german, "en": "docs/en/a/", "x-default": german}
    assert alternates(languages, "b/") == {}


def test_a_list_of_locales_takes_the_place_of_the_language_in_the_base() -> None:
    base = Base.of("https://example.org/pt-br/latest/")
    known = read_locales((("en", ""), ("x-default", "https://example.org/en/latest/")), base, "pt_BR")
    english = "https://example.org/en/latest/"
    assert known.pop("pt-BR") == base
    assert {code: each.url for code, each in known.items()} == {"en": english, "x-default": english}


@pytest.mark.parametrize(
    ("locales", "reported"),
    [
        pytest.param((("english", "https://example.org/"),), "'english', which is no language", id="none"),
        pytest.param((("de", ""),), "for 'de'.*does not contain en, the language", id="no place for it"),
        pytest.param((("de", "example.org/de"),), "must start with https://", id="no URL"),
    ],
)
def test_a_wrong_locale_is_named(locales: tuple[tuple[str, str], ...], reported: str) -> None:
    with pytest.raises(SitemapError, match=reported):
        read_locales(locales, ROOT, "en")


def test_rendered_links_are_kept_where_they_are_mutual(tmp_path: Path) -> None:
    every = links(en="/a/", de="/de/a/", fr="/fr/a/", es="/es/a/", it="https://example.it/a/", x_default="/")
    write(tmp_path, "index.html")
    write(tmp_path, "a/index.html", every)
    write(tmp_path, "de/a/index.html", every)
    write(tmp_path, "fr/a/index.html", links(fr="/fr/a/"))  # does not link back
    write(tmp_path, "es/a/index.html", every + NOINDEX)
    expected = {"de": "de/a/", "en": "a/", "it": "https://example.it/a/", "x-default": ""}
    languages = Languages(selector(tmp_path))
    assert alternates(languages, "a/") == expected
    assert alternates(languages, "de/a/") == expected
    assert alternates(languages, "fr/a/") == {}


@pytest.mark.parametrize(
    ("head", "headers", "left"),
    [
        pytest.param("", (), ["de", "en", "fr", "x-default"], id="all"),
        pytest.param(NOINDEX, (), ["en", "fr", "x-default"], id="noindex in the page"),
        pytest.param("", ("/de/*",), ["en", "fr", "x-default"], id="noindex in _headers"),
        pytest.param(REFRESH.format("/a/"), (), ["en", "fr", "x-default"], id="a redirect"),
    ],
)
@pytest.mark.parametrize("way", ["head", "host", "locales"])
def test_translations_that_may_not_be_indexed_are_not_named(tmp_path, way, head, headers, left) -> None:
    """What the host knows comes before the head."""
    hrefs = {"en": "/en/", "de": "/de/", "fr": "/fr/", "x-default": "/"}
    every = links(**{code.replace("-", "_"): href for code, href in hrefs.items()})
    every = {"head": every, "host": links(en="/en/", fr="/fr/"), "locales": ""}[way]
    urls = {code: f"https://example.org{href}" for code, href in hrefs.items()}
    write(tmp_path, "index.html", REFRESH.format("/a/"))  # it only chooses a language
    for name in ("en", "de", "fr"):
        write(tmp_path, f"{name}/index.html", every + head * (name == "de"))
    locales = read_locales(urls.items(), ROOT, "") if way == "locales" else {}
    rules = Headers(tuple(HeaderRule(each, noindex=True) for each in headers))
    languages = Languages(selector(tmp_path, headers=rules), locales)
    known = tuple(Alternate(*each) for each in urls.items()) if way == "host" else ()
    path = "" if way == "locales" else "en/"
    page, loc = Page(path=path, file=tmp_path / "en/index.html", alternates=known), urls["en"]
    named = read_head(tmp_path / "en/index.html").alternate_urls(loc)
    decision = Decision(page=page, loc=loc, alternates=named)
    assert [each.hreflang for each in languages.alternates(decision)] == left


@pytest.mark.parametrize(
    "reason", [Reason.EXCLUDED, Reason.META, Reason.FALLBACK, Reason.ORPHAN, Reason.LEFT, Reason.UNREADABLE]
)
@pytest.mark.parametrize("way", ["head", "host", "locales", "replaced sitemap"])
def test_no_link_leads_to_a_page_that_the_build_leaves_out(tmp_path, way, reason) -> None:
    """French is also what readers of other languages get: without the French page, nobody does."""
    codes = {"en": "en", "de": "de", "fr": "fr", "x-default": "fr"}
    urls = {code: f"{ROOT.url}{folder}/" for code, folder in codes.items()}
    in_head = "".join(f'<link rel="alternate" hreflang="{code}" href="{url}">' for code, url in urls.items())
    known = tuple(Alternate(code, url) for code, url in urls.items())
    decisions = []
    for code in ("en", "de", "fr"):
        file = tmp_path / code / "index.html"
        write(tmp_path, f"{code}/index.html", in_head if way == "head" else "")
        page = Page(path=f"{code}/", file=file, alternates=known if way == "host" else ())
        named = read_head(file).alternate_urls(urls[code])
        left_out = reason if code == "fr" else None
        decisions.append(Decision(page=page, loc=urls[code], reason=left_out, alternates=named))
    locales = read_locales(urls.items(), ROOT, "") if way == "locales" else {}
    listed = {f"{code}/index.html": known for code in codes} if way == "replaced sitemap" else {}
    languages = Languages(selector(tmp_path), locales, listed, decisions)
    for decision in decisions[:2]:
        assert languages.alternates(decision) == (Alternate("de", urls["de"]), Alternate("en", urls["en"]))


def test_a_page_that_only_lets_readers_choose_a_language_may_be_left_out(tmp_path: Path) -> None:
    every = links(en="/en/", de="/de/", x_default="/")
    for name in ("index.html", "en/index.html", "de/index.html"):
        write(tmp_path, name, every)
    decisions = []
    for path, reason in (("", Reason.EXCLUDED), ("en/", None), ("de/", None)):
        file = tmp_path / path / "index.html"
        loc = ROOT.loc(path)
        named = read_head(file).alternate_urls(loc)
        decisions.append(Decision(Page(path=path, file=file), loc, reason, alternates=named))
    languages = Languages(selector(tmp_path), decisions=decisions)
    expected = (("de", f"{ROOT.url}de/"), ("en", f"{ROOT.url}en/"), ("x-default", ROOT.url))
    assert languages.alternates(decisions[1]) == expected


def test_a_link_of_the_head_needs_a_link_back_from_what_the_host_knows(tmp_path: Path) -> None:
    """The head of a translation may have links that the host, and thus the sitemap, does not have."""
    every = links(en="/en/", de="/de/", fr="/fr/")
    decisions = []
    for code in ("en", "de", "fr"):
        write(tmp_path, f"{code}/index.html", every)
        file, loc = tmp_path / code / "index.html", f"{ROOT.url}{code}/"
        known = () if code == "fr" else (Alternate("de", f"{ROOT.url}de/"), Alternate("en", f"{ROOT.url}en/"))
        page = Page(path=f"{code}/", file=file, alternates=known)
        decisions.append(Decision(page, loc, alternates=read_head(file).alternate_urls(loc)))
    languages = Languages(selector(tmp_path), decisions=decisions)
    assert [len(languages.alternates(decision)) for decision in decisions] == [2, 2, 0]


@pytest.mark.parametrize(
    ("locales", "reported"),
    [
        pytest.param((), False, id="none"),
        pytest.param((("de", "https://example.org/de/"), ("en", "http://example.org/en")), False, id="own"),
        pytest.param((("de", "https://example.org/de/"),), True, id="another"),
        pytest.param((("x-default", "https://example.org/en/"),), True, id="a default is no language"),
    ],
)
def test_locales_without_the_language_of_the_build(locales, reported) -> None:
    base = Base.of("https://example.org/en/")
    found = [(finding.rule, finding.strict) for finding in locale_findings(locales, base, "")]
    assert found == [("locales-without-own", True)] * reported
    assert not list(locale_findings(locales, base, "en"))


def test_a_translation_has_a_web_address_and_that_of_this_build_the_spelling_of_its_loc(tmp_path) -> None:
    """A page that does not name itself has none."""
    for name in ("a/c++/index.html", "b/c++/index.html"):
        more = links(fr="//[", es="mailto:x@y.es")
        write(tmp_path, name, links(en="/a/c++/", de="http://EXAMPLE.org/b/c++/") + more)
    write(tmp_path, "c/index.html", links(de="https://example.de/a/", fr="https://example.fr/a/"))
    languages = Languages(selector(tmp_path))
    assert alternates(languages, "a/c++/") == {"de": "b/c%2B%2B/", "en": "a/c%2B%2B/"}
    assert alternates(languages, "c/") == {}


@pytest.mark.parametrize(
    ("more", "link", "expected"),
    [
        pytest.param({}, f"{ROOT.url}de", {"de": "de", "en": "en/"}, id="another spelling"),
        pytest.param({"links": "folders"}, f"{ROOT.url}de", {"de": "de/", "en": "en/"}, id="option"),
        pytest.param({}, "https://docs.example.com/de/", {}, id="elsewhere"),
        pytest.param(
            {"canonical": Base.of("https://docs.example.com/")},
            "https://docs.example.com/de/",
            {"de": "de/", "en": "en/"},
            id="the base of canonical links",
        ),
        pytest.param(
            {"redirects": Redirects((RedirectRule("", "/de", "/en/", 301, forced=True),))},
            f"{ROOT.url}de/",
            {},
            id="a redirect of the host",
        ),
    ],
)
def test_a_page_of_another_build_is_judged_as_a_page_of_this_build(tmp_path, more, link, expected) -> None:
    """A canonical link shows the address, unless the option ``links`` is set. ``excludes`` is not asked."""
    every = links(en="/en/", de="/de/")
    write(tmp_path, "en/index.html", every)
    write(tmp_path, "de/index.html", f'{every}<link rel="canonical" href="{link}">')
    select = selector(tmp_path, **more, options=Options(excludes=Globs(("de/*",))))
    decisions = [select(Page(path="en/", file=tmp_path / "en/index.html", names=("en/",)))]
    assert alternates(Languages(select, decisions=decisions), "en/") == expected


@pytest.mark.parametrize(
    ("number", "linked"), [pytest.param(150, 150, id="the most"), pytest.param(151, 0, id="too many")]
)
def test_pages_in_very_many_languages_get_no_links(tmp_path: Path, number: int, linked: int) -> None:
    """As in a join: each page would need a link to each other page."""
    letters = "abcdefghijklm"
    codes = [f"en-{one}{two}" for one in letters for two in letters][:number]
    known = tuple(Alternate(code, f"{ROOT.url}{code}/") for code in codes)
    decisions = []
    for code in codes:
        page = Page(path=f"{code}/", file=tmp_path / code / "index.html", alternates=known)
        write(tmp_path, f"{code}/index.html")
        decisions.append(Decision(page, f"{ROOT.url}{code}/"))
    languages = Languages(selector(tmp_path), decisions=decisions)
    assert len(languages.alternates(decisions[0])) == linked
