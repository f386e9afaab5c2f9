"""``sitemap-docs join``: one sitemap over versions, languages and the parts of parallel jobs."""

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest

from sitemap_docs.model import SitemapError, TreeSite, TreeSitemap
from sitemap_docs.programs.mike import read_aliases
from sitemap_docs.programs.pydata_sphinx_theme import read_switcher
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.surroundings import user_cache
from sitemap_docs.tree import VersionNames, version_of
from sitemap_docs.version_policy import Policy
from tests import conftest
from tests.conftest import REFRESH, canonical, command, html_page, passed, sitemapindex, write

pytestmark = pytest.mark.once

BASE = "https://x.org/"


def run(*arguments: object, code: int = 0):
    result = command("join", *arguments)
    assert result.code == code, result.err
    return result


def asked(*arguments: object) -> dict:
    return passed(*arguments, "--json").data


def join(*arguments: object) -> dict:
    return asked("join", *arguments)


def urlset(*paths: str, base: str = BASE, date: str = "2024-01-01T00:00:00+00:00") -> str:
    return conftest.urlset(*(f"{base}{path} {date}" for path in paths))


def index(root: Path, name: str = "sitemap.xml") -> dict[str, str | None]:
    parsed = parse(root / name)
    return {e.loc.removeprefix(BASE): e.lastmod and e.lastmod.date().isoformat() for e in parsed.entries()}


def alternates(root: Path, name: str) -> dict[str, dict[str, str]]:
    found = {}
    for entry in parse(root / name).entries():
        links = {each.hreflang: each.href.removeprefix(BASE) for each in entry.alternates}
        found[entry.loc.removeprefix(BASE)] = links
    return found


def test_versions_become_an_index(tmp_path):
    write(tmp_path, {"1.0/sitemap.xml": urlset("1.0/", "1.0/a/", date="2023-01-01")})
    write(tmp_path, {"2.0/sitemap.xml": urlset("2.0/", "2.0/a/", date="2024-02-03")})
    result = run(tmp_path)
    assert result.out == "sitemap-docs: 2 sitemaps joined, 0 left out\n"
    assert result.err.startswith(f"base URL {BASE} from {tmp_path / '2.0/sitemap.xml'}")
    assert index(tmp_path) == {"1.0/sitemap.xml": "2023-01-01", "2.0/sitemap.xml": "2024-02-03"}
    assert parse(tmp_path / "sitemap.xml").root == "sitemapindex"
    assert f"Sitemap: {BASE}sitemap.xml\n" in (tmp_path / "robots.txt").read_text()
    assert join(tmp_path)["changed"] == []


def test_an_index_within_an_index_becomes_flat(tmp_path):
    write(tmp_path, {
        "a/sitemap.xml": sitemapindex(*[f"{BASE}a/more.xml", f"{BASE}a/first.xml.gz"] * 20),
        "a/first.xml.gz": gzip.compress(urlset("a/").encode()),
        "a/more.xml": sitemapindex(f"{BASE}a/second.xml"),
        "a/second.xml": urlset("a/b/"),
        "b/sitemap.txt": BASE,
    })  # fmt: skip
    run(tmp_path, "--base-url", BASE)
    assert list(index(tmp_path)) == ["a/first.xml.gz", "a/second.xml"]
    write(tmp_path, {"a/second.xml": sitemapindex(f"{BASE}a/more.xml")})
    assert join(tmp_path, "--base-url", BASE)["joined"] == [f"{BASE}a/first.xml.gz"]


def robots_of(root: Path) -> list[str]:
    lines = (root / "robots.txt").read_text().splitlines()
    return [line.removeprefix(f"Sitemap: {BASE}") for line in lines if line.startswith("Sitemap:")]


def test_a_cascade_does_not_list_the_index_that_it_replaces(here):
    write(here, {"sitemap.xml": sitemapindex(f"{BASE}a/sitemap.xml"), "a/sitemap.xml": urlset("a/")})
    join("sitemap.xml", "-o", ".", "--base-url", BASE, "--index", "cascaded")
    assert list(index(here)) == ["a/sitemap.xml"]


def test_addresses_are_merged_in_order_and_one_of_two_builds_from_the_first(tmp_path):
    builds = {"a/": urlset("a/", "a/y", "a/b/", "a/y"), "a/b/": urlset("a/b/", date="2023-01-01")}
    write(tmp_path, {f"{folder}sitemap.xml": text for folder, text in builds.items()})
    run(tmp_path, "--base-url", BASE, "--merge")
    assert list(index(tmp_path).items()) == [(path, "2024-01-01") for path in ("a/", "a/b/", "a/y")]


def test_a_cascade_keeps_the_index_of_each_build(tmp_path):
    write(tmp_path, {
        "a/sitemap.xml": sitemapindex(f"{BASE}a/more.xml"),
        "a/more.xml": sitemapindex(f"{BASE}a/first.xml", f"{BASE}a/second.xml"),
        "a/first.xml": urlset("a/", date="2024-02-03"),
        "a/second.xml": urlset("a/b/"),
        "b/sitemap.xml": sitemapindex(f"{BASE}b/own.xml", f"{BASE}b/copy.xml"),
        "b/own.xml": urlset("b/"),
        "b/copy.xml": urlset("elsewhere/"),
        "c/sitemap.xml": urlset("c/"),
    })  # fmt: skip
    flat = join(tmp_path, "--base-url", BASE)
    root = list(index(tmp_path))
    assert root == ["a/first.xml", "a/second.xml", "b/own.xml", "c/sitemap.xml"]
    cascade = join(tmp_path, "--base-url", BASE, "--index", "cascaded")
    assert cascade["joined"] == flat["joined"]
    assert index(tmp_path) == {
        "a/more.xml": "2024-02-03",  # engines read one level, so that it is the one next to the sitemaps
        "b/own.xml": "2024-01-01",  # the index lists a sitemap that is left out
        "c/sitemap.xml": "2024-01-01",
    }
    assert robots_of(tmp_path) == ["sitemap.xml", "a/more.xml"]
    assert join(tmp_path, "--base-url", BASE, "--index", "cascaded")["changed"] == []
    join(tmp_path, "--base-url", BASE)
    assert (list(index(tmp_path)), robots_of(tmp_path)) == (root, ["sitemap.xml"])


def test_a_cascade_of_translations_has_an_index_for_each_build(tmp_path):
    write(tmp_path, LANGUAGES)
    for index_option in ("cascaded", "auto"):
        files = join(tmp_path, "--index", index_option)["files"]
        assert sorted(path.name for path in tmp_path.glob("*.xml")) == sorted(set(files) - {"sitemap.css"})
        builds = [name for name in files if name.startswith("sitemap-index-")]
        assert builds == [f"sitemap-index-{code}.xml" for code in ("de", "en", "pt-br")] * bool(builds)
        assert bool(builds) is (index_option == "cascaded")
        assert robots_of(tmp_path) == ["sitemap.xml", *builds]


LATEST = canonical(f"{BASE}latest/")


@pytest.mark.parametrize(
    ("listed", "home", "left_out"),
    [
        (urlset("latest/"), "", f"it lists pages below {BASE}latest/"),
        (urlset("1.0/"), LATEST, "the canonical link of its home page points to another page"),
        (urlset(), "", "it lists no pages, or pages on several hosts"),
    ],
    ids=["canonical_version", "the home page", "nothing"],
)
def test_copies_are_left_out(tmp_path, listed, home, left_out):
    both = LATEST + canonical(f"{BASE}1.0/")
    write(tmp_path, {"latest/sitemap.xml": urlset("latest/"), "latest/index.html": both})
    write(tmp_path, {"1.0/sitemap.xml": listed, "1.0/index.html": home})
    said = join(tmp_path, "--base-url", BASE)
    assert said["joined"] == [f"{BASE}latest/sitemap.xml"]
    assert said["left_out"] == {f"{BASE}1.0/sitemap.xml": left_out}


@pytest.mark.parametrize(
    "href", [f"{BASE}1.0", f"{BASE}1.0/index.html", "./", BASE.replace("https", "http") + "1.0/"]
)
def test_a_build_that_links_to_itself_in_another_spelling_is_no_copy(tmp_path, href):
    for version in ("1.0", "2.0"):
        write(tmp_path, {f"{version}/sitemap.xml": urlset(f"{version}/")})
    write(tmp_path, {"1.0/index.html": canonical(href), "2.0/index.html": ""})
    assert join(tmp_path, "--base-url", BASE)["left_out"] == {}


def test_the_default_language_is_where_the_home_page_leads_with_base_href(tmp_path):
    home = f'<base href="{BASE}de/">{REFRESH.format("./")}'
    write(tmp_path, LANGUAGES | {"index.html": home})
    join(tmp_path, "--base-url", BASE)
    assert alternates(tmp_path, "sitemap-en.xml")["en/a/"]["x-default"] == "de/a/"


def test_aliases_as_links(tmp_path):
    write(tmp_path, {"2.0/sitemap.xml": urlset("latest/"), "3.0/sitemap.xml": urlset("3.0/")})
    links = {"latest": "2.0", "stable": "3.0", "round": ".", "out": "/", "loop": "loop", "gone": "nowhere"}
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    run(tmp_path)
    assert list(index(tmp_path)) == ["3.0/sitemap.xml", "latest/sitemap.xml"]


def test_a_folder_whose_pages_are_in_another_language_is_no_language(tmp_path):
    """``rs`` and ``ts`` are Rust and TypeScript here; the Norwegian of Material for MkDocs has two codes."""
    for name, lang in {"rs": "en", "ts": "en-GB", "no": "nb", "de": "de-AT", "fr": "", "cs": "cs"}.items():
        home = f'<!doctype html><html lang="{lang}"><title>A</title>'
        write(tmp_path, {f"{name}/index.html": home, f"{name}/sitemap.xml": urlset(f"{name}/")})
    findings = join(tmp_path, "--base-url", BASE)["findings"]
    unlike = [each["where"] for each in findings if each["rule"] == "language-unlike-folder"]
    assert unlike == ["rs/", "ts/"]
    linked = alternates(tmp_path, "sitemap-de.xml")["de/"]
    assert linked == {name: f"{name}/" for name in ("no", "de", "fr", "cs")}
    assert alternates(tmp_path, "sitemap-rs.xml") == {"rs/": {}}


LANGUAGES = {
    "index.html": REFRESH.format("en/"),
    "en/sitemap.xml": urlset("en/", "en/a/", "en/only/"),
    "de/sitemap.xml": urlset("de/a/", "de/"),
    "pt-br/sitemap.xml": urlset("pt-br/"),
}


def test_languages_become_alternates(tmp_path):
    write(tmp_path, LANGUAGES)
    said = join(tmp_path)
    names = {"sitemap.xml", "sitemap-de.xml", "sitemap-en.xml", "sitemap-pt-br.xml"}
    assert set(said["files"]) == {"sitemap.css", *names}
    home = {"de": "de/", "en": "en/", "pt-BR": "pt-br/", "x-default": "en/"}
    both = {"de": "de/a/", "en": "en/a/", "x-default": "en/a/"}
    assert alternates(tmp_path, "sitemap-en.xml") == {"en/": home, "en/a/": both, "en/only/": {}}
    assert alternates(tmp_path, "sitemap-de.xml") == {"de/": home, "de/a/": both}
    assert alternates(tmp_path, "sitemap-pt-br.xml") == {"pt-br/": home}
    assert join(tmp_path)["changed"] == []


def linked(paths: dict[str, str], **hrefs: str) -> str:
    """The links of a page in the sitemap of its build."""
    namespace = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    targets = {code.replace("_", "-"): href for code, href in (paths | hrefs).items()}
    return "".join(
        f'<xhtml:link {namespace} rel="alternate" hreflang="{code}" href="{href}"/>'
        for code, href in targets.items()
    )


def test_a_joined_page_keeps_links_to_languages_that_are_not_joined(tmp_path):
    """The builds link to other hosts, too, and assume that each page exists in all languages."""
    urls = {"en/sitemap.xml": ["en/a/", "en/only/"], "de/sitemap.xml": ["de/a/"], "nl/sitemap.xml": ["nl/b/"]}
    for name, paths in urls.items():
        text = urlset(*paths)
        for path in paths:
            page = path.partition("/")[2]
            links = linked(
                {code: f"{BASE}{code}/{page}" for code in ("en", "de", "nl")},
                fr=f"https://fr.x.org/{page}",
                en_GB=f"http://x.org/en/{page}",
                PT_br=f"https://x.org/pt/{page}",
                x_default=f"https://x.org/{page}" if page == "a/" else f"{BASE}en/{page}",
            )
            text = text.replace(f"{path}</loc>", f"{path}</loc>{links}")
        write(tmp_path, {name: text})
    join(tmp_path, "--base-url", BASE)
    outside = {"fr": "https://fr.x.org/a/", "pt-BR": "pt/a/"}
    both = {"de": "de/a/", "en": "en/a/", **outside, "x-default": "a/"}
    assert alternates(tmp_path, "sitemap-de.xml") == {"de/a/": both}
    in_english = alternates(tmp_path, "sitemap-en.xml")
    assert in_english["en/a/"] == both
    assert list(in_english["en/a/"]) == ["de", "en", "fr", "pt-BR", "x-default"]
    assert {"de", "nl", "fr", "en-GB"} < in_english["en/only/"].keys(), "as its build has written them"
    join(tmp_path, "--base-url", BASE, "--x-default", "de")
    assert alternates(tmp_path, "sitemap-en.xml")["en/a/"] == both | {"x-default": "de/a/"}


@pytest.mark.parametrize("flags", [[], ["--untranslated"]], ids=" ".join)
def test_a_joined_page_keeps_only_links_that_lead_somewhere(tmp_path, flags):
    """The builds link to languages in the tree, at other places, and to some that were never built."""
    links = {"fr": "https://fr.x.org/", "es": "/es/", "it": f"{BASE}it/", "ja": f"{BASE}ja/"}
    text = {name: urlset(name).replace("</loc>", f"</loc>{linked(links)}") for name in ("en/", "de/")}
    write(tmp_path, {f"{name}sitemap.xml": sitemap for name, sitemap in text.items()})
    write(tmp_path, {f"{name}/index.html": html_page(f"<!-- {name} -->") for name in ("en", "de", "ja")})
    join(tmp_path, "--base-url", BASE, *flags)
    kept = {"de": "de/", "en": "en/", "fr": "https://fr.x.org/", "ja": "ja/"}
    assert alternates(tmp_path, "sitemap-en.xml") == {"en/": kept}
    assert alternates(tmp_path, "sitemap-de.xml") == {"de/": kept}
    write(tmp_path, {"_redirects": "/it/* https://it.example.org/:splat 200\n"})
    join(tmp_path, "--base-url", BASE, *flags)
    assert alternates(tmp_path, "sitemap-en.xml") == {"en/": {**kept, "it": "it/"}}


def text_page(*words: str, around: str = "") -> str:
    return f"<!doctype html><title>{around}</title><nav>{around}</nav><main>{' '.join(words)}</main>"


def test_pages_that_are_not_translated(tmp_path):
    """They have the words of the page in the default language, whatever the theme adds around them."""
    english, german = ["An English text of some length."] * 3, ["Ein deutscher Text, der lang genug ist."] * 3
    # The build of a language may have linked all languages, by the option `locales`.
    linked = "".join(
        f'<xhtml:link xmlns:xhtml="http://www.w3.org/1999/xhtml" rel="alternate" hreflang="{code}"'
        f' href="{BASE}{code}/a/"/>'
        for code in ("de", "en")
    )
    write(tmp_path, {
        "index.html": REFRESH.format("en/"),
        "en/sitemap.xml": urlset("en/", "en/a/", "en/short/").replace("en/a/</loc>", f"en/a/</loc>{linked}"),
        "de/sitemap.xml": urlset("de/", "de/a/", "de/short/"),
        "en/index.html": text_page(*english, around="Home"),
        "de/index.html": text_page(*german, around="Start"),
        "en/a/index.html": text_page(*english, "A.", around="Next"),
        "de/a/index.html": text_page(*english, "A.", around="Weiter"),
        "en/short/index.html": text_page("API"),
        "de/short/index.html": text_page("API"),
    })  # fmt: skip
    said = join(tmp_path)
    assert list(alternates(tmp_path, "sitemap-de.xml")) == ["de/", "de/short/"]
    assert alternates(tmp_path, "sitemap-en.xml")["en/a/"] == {}
    (finding,) = said["findings"]
    assert (finding["rule"], finding["severity"]) == ("not-translated", "info")
    assert f"1 page without a translation, for example {BASE}de/a/" in finding["message"]
    assert join(tmp_path)["changed"] == []
    join(tmp_path, "--untranslated")
    assert list(alternates(tmp_path, "sitemap-de.xml")) == ["de/", "de/a/", "de/short/"]
    write(tmp_path, {"index.html": "<title>No default language</title>"})
    join(tmp_path)
    assert list(alternates(tmp_path, "sitemap-de.xml")) == ["de/", "de/a/", "de/short/"]


def test_languages_of_versions(tmp_path):
    builds = ("en/1/", "en/2/", "fr/1/", "fr/2/")
    write(tmp_path, {f"{build}sitemap.xml": urlset(build) for build in builds})
    run(tmp_path, "--x-default", "fr")
    expected = {"en": "en/2/", "fr": "fr/2/", "x-default": "fr/2/"}
    assert alternates(tmp_path, "sitemap-en-2.xml") == {"en/2/": expected}


def test_a_language_at_the_root(tmp_path):
    write(tmp_path, {"sitemap.xml": urlset("", "a/"), "es/sitemap.xml": urlset("es/", "es/b/")})
    assert "--filename sitemap-index.xml" in run(tmp_path, "--base-url", BASE, code=2).err
    before = (tmp_path / "sitemap.xml").read_bytes()
    run(tmp_path, "--base-url", BASE, "--filename", "sitemap-index.xml", "--root-language", "en")
    assert (tmp_path / "sitemap.xml").read_bytes() == before
    assert alternates(tmp_path, "sitemap-index-root.xml") == {"": {"en": "", "es": "es/"}, "a/": {}}
    run(tmp_path, "--base-url", BASE, "--filename", "sitemap-index.xml")
    assert list(index(tmp_path, "sitemap-index.xml")) == ["es/sitemap.xml", "sitemap.xml"]


def test_merged(tmp_path):
    write(tmp_path, LANGUAGES)
    for _ in range(2):
        run(tmp_path, "--merge")
        assert list(index(tmp_path)) == ["de/", "de/a/", "en/", "en/a/", "en/only/", "pt-br/"]
    assert sorted(path.name for path in tmp_path.glob("*.xml")) == ["sitemap.xml"]
    run(tmp_path, "--merge", "--max-urls", "3")
    assert parse(tmp_path / "sitemap.xml").root == "sitemapindex"


def test_the_folder_of_a_named_sitemap_holds_all_its_addresses(tmp_path):
    write(tmp_path, {"x.xml": urlset("a/1", "c", "a/2"), "out/i": ""})
    assert join(tmp_path / "x.xml", "-o", tmp_path / "out", "--base-url", BASE)["joined"] == [f"{BASE}x.xml"]


def test_session_ids_are_taken_off(tmp_path):
    sessions = urlset("a/b;jsessionid=1", "a/b;jsessionid=2", "a/c?v=1&amp;sid=3")
    write(tmp_path, {"a/sitemap.xml": sessions, "d/sitemap.xml": urlset("d/")})
    (reported,) = join(tmp_path)["findings"]
    assert (reported["rule"], reported["severity"]) == ("session-id", "warning")
    assert f"for example {BASE}a/b;jsessionid=1" in reported["message"]
    assert list(alternates(tmp_path, "sitemap-a.xml")) == ["a/b", "a/c?v=1"]
    assert list(index(tmp_path)) == ["sitemap-a.xml", "sitemap-d.xml"]


def test_from_sitemaps_alone(here):
    write(here, {
        "de/sitemap.xml": urlset("de/"),
        "guide/sitemap.xml.gz": gzip.compress(urlset("guide/b").encode()),
        "artifact/sitemap.xml": urlset("api/"),
    })  # fmt: skip
    places = ("guide/sitemap.xml.gz", "artifact/sitemap.xml", here / "de/sitemap.xml")
    said = run(*places, "--base-url", BASE, "-o", "out", "--dry-run").err
    assert "would write sitemap.xml" in said
    assert not Path("out").exists()
    run(*places, "--base-url", BASE, "-o", "out")
    assert list(index(here / "out")) == ["api/sitemap.xml", "de/sitemap.xml", "guide/sitemap.xml.gz"]
    assert "The option --output is missing" in run(*places, "--base-url", BASE, code=2).err


def test_outside(tmp_path):
    write(tmp_path, {"sitemap.xml": urlset("api/a", "api/b")})
    for base, words in ((f"{BASE}docs/", f"{BASE}api/sitemap.xml"), ("https://y.org/", "robots.txt at the")):
        said = run(tmp_path / "sitemap.xml", "--base-url", base, "-o", tmp_path / "out", code=2)
        assert words in said.err
        assert not (tmp_path / "out/sitemap.xml").exists()


def test_from_the_web(tmp_path, loopback):
    base = loopback.url()
    loopback.serve("/a/sitemap.xml", urlset("a/", "a/b", base=base).encode())
    said = join(loopback.url("/a/sitemap.xml"), "--base-url", base, "-o", tmp_path)
    assert said["joined"] == [loopback.url("/a/sitemap.xml")]
    assert [entry.loc for entry in parse(tmp_path / "sitemap.xml").entries()] == said["joined"]
    for place, words in ((loopback.url("/b/sitemap.xml"), "404"), ("s3://docs/sitemap.xml", "is neither")):
        assert words in run(place, "--base-url", base, "-o", tmp_path, code=2).err


@pytest.mark.parametrize(
    "child",
    ["..%2f..%2foutside%2fsecret.xml", "%2e%2e/secret.xml", "pipe.xml", "x%00.xml", "link.xml", "/dev/stdin"],
)
def test_children_outside_the_folder_of_an_index_are_refused(tmp_path, child):
    write(tmp_path, {"secret.xml": urlset("secret"), "tree/a/sitemap.xml": sitemapindex(f"{BASE}a/{child}")})
    write(tmp_path, {"outside/secret.xml": urlset("secret"), "tree/b/sitemap.xml": urlset("b/")})
    os.mkfifo(tmp_path / "tree/a/pipe.xml")
    (tmp_path / "tree/a/link.xml").symlink_to("../../secret.xml")
    result = run(tmp_path / "tree", "--base-url", BASE, "--merge", code=2)
    assert "which is not in" in result.err
    assert not (tmp_path / "tree/sitemap.xml").exists()


def test_builds_whose_names_differ_only_in_punctuation_or_case(tmp_path):
    builds = ("de/1-a", "de/1.A", "en/1-a", "en/1.A")  # some file systems tell no case
    write(tmp_path, {f"{build}/sitemap.xml": urlset(f"{build}/") for build in builds})
    found = join(tmp_path, "--base-url", BASE)
    parts = [name for name in found["files"] if name.endswith(".xml") and name != "sitemap.xml"]
    assert sorted(parts) == ["sitemap-de-1-a.xml", "sitemap-en-1-a.xml"]
    assert sorted(loc for name in parts for loc in index(tmp_path, name)) == [f"{build}/" for build in builds]


def test_sitemaps_of_languages_in_folders_with_long_names_have_short_names(tmp_path):
    """The names of the folders are as long as a file system allows, and differ only at their start."""
    parent = f"{'long-name-' * 12}/{'x' * 120}"
    builds = [f"{first}{parent}/{language}" for first in ("a", "b") for language in ("de", "en")]
    write(tmp_path, {f"{build}/sitemap.xml": urlset(f"{build}/") for build in builds})
    found = join(tmp_path, "--base-url", BASE)
    parts = [name for name in found["files"] if name.endswith(".xml") and name != "sitemap.xml"]
    assert max(map(len, parts)) < 100
    assert sorted(loc for name in parts for loc in index(tmp_path, name)) == [f"{build}/" for build in builds]
    assert len(parts) == len(builds)


@pytest.mark.parametrize(
    "loc",
    ["zip://{host}/x::ftp://127.0.0.2/a.zip", "zip://x::file:///etc/passwd", "https://other.example/file:x"],
)
def test_children_of_a_web_index_have_its_scheme_and_host(tmp_path, loopback, loc):
    address = loopback.url("/sitemap.xml")
    loopback.serve("/sitemap.xml", sitemapindex(loc.format(host=address.split("/")[2])).encode())
    result = run(address, "-o", tmp_path, "--base-url", BASE, code=2)
    assert any(words in result.err for words in ("which is on another host", "answers 404"))
    assert "127.0.0.2" not in result.err.replace(loc, "")


def test_only_flags_that_do_something_are_taken(tmp_path):
    builds = ("1.0", "2.0")
    write(tmp_path, {f"{build}/sitemap.xml": urlset(f"{build}/") for build in builds})
    for flag in ("--excludes", "--formats", "--extra-urls", "--lastmod", "--images"):
        assert f"`{flag}` is for Sphinx, MkDocs" in run(tmp_path, "--base-url", BASE, flag, "x", code=2).err
    flags = ("--gzip", "beside", "--no-stylesheet", "--extra-sitemaps", f"{BASE}more.xml")
    found = join(tmp_path, "--base-url", BASE, *flags)
    assert found["files"] == ["sitemap.xml", "sitemap.xml.gz"]
    packed = (tmp_path / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "sitemap.xml").read_bytes()
    assert f"Sitemap: {BASE}more.xml" in (tmp_path / "robots.txt").read_text()


def test_a_preview_deployment_is_not_joined(tmp_path, monkeypatch):
    write(tmp_path, {"1.0/sitemap.xml": urlset("1.0/")})
    monkeypatch.setenv("NETLIFY", "true")
    monkeypatch.setenv("CONTEXT", "deploy-preview")
    assert "nothing written: a preview deployment" in run(tmp_path, "--base-url", BASE).out
    run(tmp_path, "--base-url", BASE, "--old-versions", "keep")
    assert not (tmp_path / "sitemap.xml").exists()
    assert join(tmp_path, "--base-url", BASE, "--previews")["joined"] == [f"{BASE}1.0/sitemap.xml"]


def test_the_users_own_sitemap_of_the_tree_is_replaced_only_where_the_builds_cover_it(tmp_path):
    write(tmp_path, {"1.0/sitemap.xml": urlset("1.0/")})
    write(tmp_path, {"sitemap.xml": sitemapindex(f"{BASE}1.0/sitemap.xml")})
    assert join(tmp_path, "--base-url", BASE)["joined"] == [f"{BASE}1.0/sitemap.xml"]
    write(tmp_path, {"sitemap.xml": sitemapindex(f"{BASE}app/sitemap.xml")})
    assert "would lose addresses (1 of 1)" in run(tmp_path, "--base-url", BASE, code=2).err


def test_a_text_sitemap_of_a_version_is_joined(tmp_path):
    write(tmp_path, {"1.0/sitemap.txt": f"{BASE}1.0/\n", "2.0/sitemap.xml": urlset("2.0/")})
    write(tmp_path, {"3.0/sitemap.txt": "Notes about sitemaps\n", "4.0/sitemap.txt": f"{BASE}4.0/\n"})
    write(tmp_path, {"4.0/sitemap.xml": urlset("4.0/")})
    joined = join(tmp_path, "--base-url", BASE)["joined"]
    assert set(joined) == {f"{BASE}1.0/sitemap.txt", f"{BASE}2.0/sitemap.xml", f"{BASE}4.0/sitemap.xml"}


def test_a_join_of_addresses_keeps_the_sitemap_of_the_site_in_the_output_folder(here):
    write(here, {"en.xml": urlset("en/"), "de.xml": urlset("de/"), "site/sitemap.xml": urlset("", "a.html")})
    before = (here / "site/sitemap.xml").read_bytes()
    flags = ("en.xml", "de.xml", "--base-url", BASE, "-o", "site")
    refused = command("join", *flags)
    assert refused.code == 2
    assert "is the sitemap of the site in " in refused.err
    assert (here / "site/sitemap.xml").read_bytes() == before
    for _ in range(2):
        passed("join", *flags, "--filename", "sitemap-index.xml")
    assert (here / "site/sitemap.xml").read_bytes() == before


@pytest.mark.parametrize("form", ["auto", "true"])
def test_the_sitemap_of_the_site_at_the_root_is_not_replaced(here, form):
    """It may be an index of several files."""
    page = "<!doctype html><title>A</title>"
    write(here, {"site/index.html": page, "site/a.html": page, "site/1.0/sitemap.xml": urlset("1.0/")})
    passed("build", "site", "--base-url", BASE, "--excludes", "1.0/*", "--index", form)
    before = {file.name: file.read_bytes() for file in (here / "site").glob("*.xml")}
    refused = command("join", "site", "--base-url", BASE)
    assert refused.code == 2
    assert "pass `--filename sitemap-index.xml`" in refused.err
    assert {file.name: file.read_bytes() for file in (here / "site").glob("*.xml")} == before
    joined = join("site", "--base-url", BASE, "--filename", "sitemap-index.xml")["joined"]
    assert f"{BASE}1.0/sitemap.xml" in joined
    assert len(joined) == 2


def test_a_sitemap_whose_addresses_are_all_in_joined_sites_is_replaced(here):
    """The answer is the same for the sitemaps of a folder and for sitemaps that the user passes."""
    write(here, {"en.xml": urlset("en/"), "de.xml": urlset("de/"), "out/sitemap.xml": urlset("en/", "de/a")})
    passed("join", "en.xml", "de.xml", "--base-url", BASE, "-o", "out")
    assert f"{BASE}en.xml" in (here / "out/sitemap.xml").read_text()


def test_the_sitemap_of_another_program_is_replaced_on_request(tmp_path):
    write(tmp_path, {"1.0/sitemap.xml": urlset("1.0/"), "sitemap.xml": urlset("blog/")})
    assert "lists https://x.org/blog/" in run(tmp_path, "--base-url", BASE, code=2).err
    assert join(tmp_path, "--base-url", BASE, "--replace")["joined"] == [f"{BASE}1.0/sitemap.xml"]


def test_options_of_other_commands_in_the_toml_file_are_no_mistake(here):
    """The table of `build` and `check`, which is the same, sets more than `join` reads."""
    write(here, {"tree/1.0/sitemap.xml": urlset("1.0/")})
    options = 'index = true\nexcludes = ["drafts/*"]\nlastmod-fields = ["date"]\nsource = ["docs"]\n'
    (here / "pyproject.toml").write_text(f"[tool.sitemap-docs]\n{options}\n[tool.sitemap-docs.check]\n")
    assert join("tree", "--base-url", BASE, "--strict")["findings"] == []


def test_the_record_is_relative_to_the_configuration(here):
    """The option starts in the same folder as in a build."""
    write(here, {"cfg/s.toml": 'record = "rec.jsonl"', "tree/1.0/sitemap.xml": urlset("1.0/")})
    join("tree", "--config", "cfg/s.toml")
    assert [file.relative_to(here).as_posix() for file in here.rglob("*.jsonl")] == ["cfg/rec.jsonl"]


def test_options_of_the_plugin_in_mkdocs_yml_apply(here):
    """Flags win over them, and the configuration may be in another folder."""
    plugin = "site_name: x\nplugins: [{sitemap-docs: {robots: false, record: rec.jsonl, orphans: false}}]\n"
    write(here, {"mkdocs.yml": plugin, "tree/1.0/sitemap.xml": urlset("1.0/")})
    join("tree")
    assert not (here / "tree/robots.txt").exists()
    assert (here / "rec.jsonl").exists()
    join("tree", "--robots", "true")
    assert (here / "tree/robots.txt").exists()
    (here / "other").mkdir()
    (here / "mkdocs.yml").rename(here / "other/mkdocs.yml")
    (here / "rec.jsonl").unlink()
    join("tree", "--generator-config", "other/mkdocs.yml")
    assert not (here / "tree/robots.txt").exists()
    assert (here / "other/rec.jsonl").exists()


@pytest.mark.parametrize("name", ["2.0", "newest", "latest"])
def test_only_the_canonical_version_is_listed(tmp_path, name):
    aliases = {"versions.json": '[{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0"}]'}
    listed = {f"{each}/sitemap.xml": urlset(f"{each}/", f"{each}/a/") for each in ("1.0", "2.0")}
    write(tmp_path, {**aliases, **listed, "_headers": "/*\n  X-Frame-Options: DENY\n"})
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    found = join(tmp_path, "--canonical-version", name)
    assert found["joined"] == [f"{BASE}2.0/sitemap.xml"]
    assert found["left_out"] == {f"{BASE}1.0/sitemap.xml": "its version is not selected"}
    assert {path: path.read_bytes() for path in before} == before


def test_a_list_with_more_versions_than_any_site_has(tmp_path):
    listed = [{"version": "1.0", "aliases": [f"a{number}" for number in range(10_000)]}]
    write(tmp_path, {"versions.json": json.dumps(listed), "1.0/sitemap.xml": urlset("1.0/")})
    assert "more than 10,000 versions" in run(tmp_path, "--base-url", BASE, code=2).err


def test_links_between_languages_are_bounded(tmp_path):
    """Each page would link to all others: a tree of a megabyte would become a sitemap of a gigabyte."""
    letters = "abcdefghijklm"
    codes = [f"en-{a}{b}" for a in letters for b in letters][:151]
    write(tmp_path, {f"{code}/sitemap.xml": urlset(f"{code}/") for code in codes})
    join(tmp_path, "--base-url", BASE)
    assert alternates(tmp_path, f"sitemap-{codes[0]}.xml") == {f"{codes[0]}/": {}}


def test_where_nothing_is_joined_nothing_is_changed(tmp_path):
    """Each build is named with its reason; of a folder without builds, what to do."""
    write(tmp_path, {"1.0/sitemap.xml": urlset("1.0/"), "1.0/index.html": "<title>1.0</title>"})
    join(tmp_path, "--base-url", BASE)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    write(tmp_path, {"1.0/index.html": canonical(f"{BASE}2.0/")})
    (error,) = run(tmp_path, "--base-url", BASE, "--json", code=1).data["findings"]
    assert (error["rule"], error["severity"]) == ("empty-sitemap", "error")
    assert (
        f"{BASE}1.0/sitemap.xml was left out: the canonical link of its home page points to another page"
        in error["message"]
    )
    write(tmp_path, {"1.0/index.html": "<title>1.0</title>"})
    assert {path: path.read_bytes() for path in before} == before
    write(tmp_path, dict.fromkeys(("1.0/sitemap.xml", "2.0/sitemap.xml"), urlset()))
    (error,) = run(tmp_path, "--base-url", BASE, "--json", code=1).data["findings"]
    assert error["message"].endswith(
        f" {BASE}1.0/sitemap.xml was left out: it lists no pages, or pages on several hosts. "
        "First run `sitemap-docs build FOLDER --base-url URL` for each build."
    )
    empty = tmp_path / "empty"
    empty.mkdir()
    assert f"{empty} contains no sitemap of a build" in run(empty, "--base-url", BASE, code=1).err
    assert list(empty.iterdir()) == []


def test_a_join_of_an_empty_index_says_so(tmp_path):
    write(tmp_path, {"index.xml": sitemapindex()})
    output = tmp_path / "public"
    (error,) = run(tmp_path / "index.xml", "--base-url", BASE, "--output", output, "--json", code=1).data[
        "findings"
    ]
    assert error["rule"] == "empty-sitemap"
    assert error["message"].startswith("Each sitemap index that you passed is empty.")


@pytest.mark.parametrize("own", ["folder", "no XML", "not readable"])
def test_an_unreadable_sitemap_of_the_tree(tmp_path, own):
    write(tmp_path, {"1.0/sitemap.xml": urlset("1.0/"), "robots.txt": "User-agent: *\n"})
    root = tmp_path / "sitemap.xml"
    if own == "folder":
        root.mkdir()
    else:
        root.write_text("<urlset" if own == "no XML" else urlset("1.0/"))
    if own == "not readable":
        if os.geteuid() == 0:
            pytest.skip("root may read everything")
        root.chmod(0)
    said = run(tmp_path, "--base-url", BASE, code=2).err
    assert said.splitlines()[-1].startswith(f"sitemap-docs: {root} ")
    assert (tmp_path / "robots.txt").read_text() == "User-agent: *\n"


COPIES = {f"{build}/{name}.html": text_page(name) for build in ("v2", "latest") for name in ("index", "a")}
COPIES |= {f"{build}/sitemap.xml": urlset("latest/", "latest/a.html") for build in ("v2", "latest")}


@pytest.mark.parametrize("alias", ["copy", "link", "canonical links"])
@pytest.mark.parametrize("record", [True, False])
def test_the_pages_of_a_copy_have_it_as_their_reason(tmp_path, alias, record):
    """``latest`` and v2 are one build, whose sitemap lists the addresses of ``latest``."""
    tree = tmp_path / "tree"
    write(tree, COPIES)
    if alias == "link":
        shutil.rmtree(tree / "latest")
        (tree / "latest").symlink_to("v2")
    elif alias == "canonical links":
        for page in tree.rglob("*.html"):
            name = page.name.removeprefix("index.html")
            page.write_text(page.read_text() + f'<link rel="canonical" href="{BASE}latest/{name}">')
    found = join(tree, "--base-url", BASE)
    assert found["joined"] == [f"{BASE}latest/sitemap.xml"]
    if not record:
        shutil.rmtree(user_cache())
    flags = [str(tree), "--base-url", BASE, "--json"]
    checked = command("check", *flags, "--select", "page-not-listed")
    assert [each["rule"] for each in checked.data["findings"]] == []
    for name in ("index.html", "a.html"):
        explained = command("explain", *flags, f"v2/{name}").data
        if alias == "canonical links":
            assert explained["reason"] == "canonical elsewhere"
        else:
            assert (explained["reason"], explained["detail"]) == ("copy of another build", f"{BASE}latest/")


def test_all_readers_agree_with_the_join_whatever_machine_made_the_builds(here):
    """Languages, versions and an alias; each second build was made with another cache, and is copied."""
    tree = here / "tree"
    caches = [here / "here", here / "there"]
    builds = [f"{code}/{version}/" for code in ("en", "de") for version in ("1.0", "2.0")]
    for number, build in enumerate(builds):
        for name in ("index", "a", "draft"):
            head = f'<!doctype html><html lang="{build[:2]}"><title>{build}{name}</title>'
            link = f'<link rel="canonical" href="{BASE}{build}{name.removeprefix("index")}.html">'
            write(tree, {f"{build}{name}.html": head + link.replace("/.html", "/")})
        where = ("--base-url", BASE + build, "--cache-dir", caches[number % 2])
        asked("build", tree / build, *where, "--lastmod", "none", "--excludes", "draft.html")
    shutil.copytree(tree / "en/2.0", tree / "en/latest")
    flags = ("--base-url", BASE, "--cache-dir")
    found = join(tree, *flags, caches[0], "--newest", "1", "--x-default", "de")
    assert found["joined"] == [f"{BASE}de/2.0/sitemap.xml", f"{BASE}en/2.0/sitemap.xml"]
    listed = {f"{BASE}{code}/2.0/{name}" for code in ("en", "de") for name in ("", "a.html")}
    reasons = {}
    for cache in (*caches, here / "elsewhere"):
        checked = asked("check", tree, *flags, cache, "--select", "page-not-listed")
        assert checked["findings"] == []
        for page in sorted(tree.rglob("*.html")):
            told = asked("explain", tree, page.relative_to(tree), *flags, cache)
            assert told["listed"] is (told["loc"] in listed)
            reasons[cache.name, page.relative_to(tree).as_posix()] = told["reason"]
        report = asked("report", tree, *flags, cache, "-o", here / "report.html")
        assert {row["loc"] for row in report["pages"] if row["status"] == "listed"} == listed
    assert reasons["here", "en/1.0/a.html"] == reasons["here", "de/1.0/draft.html"] == "version not selected"
    assert reasons["elsewhere", "en/1.0/a.html"] == "not in the sitemap"  # why is not known there
    alias = [reasons[cache, "en/latest/a.html"] for cache in ("here", "there", "elsewhere")]
    assert alias == ["version not selected", "canonical elsewhere", "canonical elsewhere"]


def test_explain_without_a_page_begins_with_the_newest_version_in_the_default_language(tmp_path):
    head = "<!doctype html><title>A</title>"
    for build in ("de/1.9/", "de/1.10/", "en/1.9/", "en/1.10/", "en/2.0rc1/", "de/dev/"):
        write(tmp_path, {f"{build}a.html": head, f"{build}sitemap.xml": urlset(f"{build}a")})
    write(tmp_path, {"index.html": '<meta http-equiv="refresh" content="0; url=en/1.10/">', "zz.html": head})
    join(tmp_path, "--base-url", BASE)
    asked = command("explain", tmp_path, "--base-url", BASE)
    assert asked.code == 2
    assert "file or the source of a page, such as en/1.10/a.html." in asked.err
    asked = command("explain", tmp_path, "a", "--base-url", BASE)
    assert "Did you mean en/1.10/a.html or de/1.10/a.html or" in asked.err


@pytest.mark.parametrize("listed_anew", [True, False])
def test_elements_that_the_joined_sitemap_has_not_are_named(tmp_path, listed_anew):
    news = '<news:news xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"/>'
    write(tmp_path, {"1.0/sitemap.xml": urlset("1.0/").replace("</url>", f"{news}</url>")})
    write(tmp_path, {"2.0/sitemap.xml": urlset("2.0/")})
    found = join(tmp_path, "--base-url", BASE, *["--merge"] * listed_anew)["findings"]
    lost = ("element-lost", str(tmp_path / "1.0/sitemap.xml"))
    assert [(each["rule"], each["where"]) for each in found] == [lost] * listed_anew
    if listed_anew:
        assert "for example <news:news>" in found[0]["message"]
        assert f"--extra-sitemaps {BASE}1.0/sitemap.xml" in found[0]["message"]


VERSIONS = ["0.9/", "1.0/", "1.10/", "1.9/", "2.0rc1/", "dev/", "stable/", "guide/"]


def table(paths: list[str]) -> list[TreeSite]:
    return [TreeSite(path, version=version_of(path), sitemaps=(TreeSitemap(path),)) for path in paths]


@pytest.mark.parametrize(
    ("policy", "builds", "wanted"),
    [
        pytest.param(Policy(), VERSIONS, VERSIONS, id="all"),
        pytest.param(Policy(names=["stable"]), VERSIONS, ["guide/", "stable/"], id="a name; or no version"),
        pytest.param(Policy(names=["1.1*", "dev"]), VERSIONS, ["1.10/", "dev/", "guide/"], id="globs"),
        pytest.param(Policy(newest=2), VERSIONS, ["1.10/", "1.9/", "guide/"], id="PEP 440, no pre-releases"),
        pytest.param(
            Policy(names=["lts"], listed=VersionNames({"lts": "1.9"})),
            VERSIONS,
            ["1.9/", "guide/"],
            id="mike",
        ),
        pytest.param(Policy(newest=1), ["en/1.0a1/", "de/1.0a2/"], ["de/1.0a2/"], id="pre-releases alone"),
        pytest.param(Policy(newest=1), ["9" * 5_000, "1.0/"], ["1.0/", "9" * 5_000], id="a hash"),
    ],
)
def test_policies(policy, builds, wanted):
    sites = table(builds)
    chosen, _ = policy.select(sites, policy.find_canonical(sites))
    assert sorted(chosen) == sorted(wanted)


@pytest.mark.parametrize("policy", [Policy(names=["3"]), Policy(canonical="3")])
def test_a_version_that_is_none(policy):
    sites = table(["1.0/", "2.0/"])
    with pytest.raises(SitemapError, match=r"no version '3'\. The versions are: 1\.0, 2\.0\."):
        policy.select(sites, policy.find_canonical(sites))


def test_no_list_at_all(tmp_path):
    write(tmp_path, {"versions.json": "{"})
    with pytest.raises(SitemapError, match="mike"):
        read_aliases(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "[1]", "1", "null", "[[]]", '{"a": 1}', '[{"title": "x"}]', '[{"version": 5, "aliases": [6]}]',
        '[{"version": "1.0", "aliases": [{}]}]', '[{"version": "1.0", "aliases": 5}]',
    ],
)  # fmt: skip
def test_a_list_of_versions_of_another_form_names_none(tmp_path, text):
    assert read_aliases(write(tmp_path, {"versions.json": text})) == {}


SWITCHER = [
    {"version": "dev", "url": f"{BASE}en/main/"},
    {"name": "2.0 (stable)", "version": "2.0", "url": f"{BASE}en/release/", "preferred": True},
    {"version": "1.0", "url": "/en/lts/index.html"},
    {"version": "0.1", "url": "https://old.org/0.1/"},
]


@pytest.mark.parametrize(
    "file", ["switcher.json", "_static/switcher.json", "versions.json", "en/main/_static"]
)
@pytest.mark.parametrize("name", ["preferred", "2.0", "2.0 (stable)", "release"])
def test_the_versions_of_a_switcher(tmp_path, file, name):
    """Their folders are versions, whatever they are called, and each of their names can be used."""
    write(tmp_path, builds("en/main", "en/release", "en/lts", "en/guide"))
    if file.endswith("_static"):
        file = "main/_static/switcher.json"
        write(tmp_path, {"2.0/_static/switcher.json": json.dumps(SWITCHER[1:])})
    write(tmp_path, {file: json.dumps(SWITCHER)})
    done = join(tmp_path, "--base-url", BASE, "--canonical-version", name, "--old-versions", "noindex")
    assert done["joined"] == [f"{BASE}en/guide/sitemap.xml", f"{BASE}en/release/sitemap.xml"]
    assert done["edited"] == {"en/lts/": 1, "en/main/": 1}


def test_a_switcher_whose_preferred_version_is_at_the_root(tmp_path):
    write(tmp_path, {"index.html": html_page(), "1.0/index.html": html_page("<!-- old -->")})
    listed = [{"version": "2.0", "url": BASE, "preferred": True}, {"version": "1.0", "url": f"{BASE}1.0/"}]
    write(tmp_path, {"switcher.json": json.dumps(listed)})
    done = join(tmp_path, "--base-url", BASE, "--canonical-version", "2.0", "--old-versions", "noindex")
    assert done["edited"] == {"1.0/": 1}


@pytest.mark.parametrize(
    "text", ["[1]", "null", '{"a": 1}', '[{"version": "1.0"}]', '[{"title": "x", "url": "y"}]', "[[]]"]
)
def test_a_switcher_of_another_form_has_no_versions(tmp_path, text):
    assert read_switcher(write(tmp_path, {"switcher.json": text})) == []


@pytest.mark.parametrize("file", ["switcher.json", "_static/switcher.json", "1.0/_static/switcher.json"])
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"bad"\n', "Expecting ':' delimiter: line 2 column 1"),
        ('[{"version": "1.0", "url": "1.0/"},]', "line 1 column"),
        ('[{"version": 1, "url": "x"}]', "`version` and `url` of entry 1 must be texts"),
        ('[{"version": "1", "url": "x"}, {"version": "2"}]', "`version` and `url` of entry 2 must be texts"),
        ('[{"version": "1", "url": "x"}, 2]', "`version` and `url` of entry 2 must be texts"),
    ],
)
def test_a_damaged_switcher(tmp_path, file, text, problem):
    write(tmp_path, {**builds("1.0", "2.0"), file: text})
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    flags = ["--base-url", BASE, "--canonical-version", "preferred"]
    refused = command("join", tmp_path, *flags)
    assert refused.code == 2
    assert f"{tmp_path / file} is not a valid list of versions" in refused.err
    assert problem in refused.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()} == before
    # Another version has a valid file.
    listed = [{"version": "2.0", "name": None, "url": f"{BASE}2.0/", "preferred": True}]
    write(tmp_path, {"2.0/_static/switcher.json": json.dumps(listed)})
    assert command("join", tmp_path, *flags).code == (0 if file.startswith("1.0") else 2)


@pytest.mark.parametrize("file", ["switcher.json", "1.0/_static/switcher.json"])
def test_a_join_of_all_versions_needs_no_switcher(tmp_path, file):
    """The names in the file are needed only to choose versions."""
    write(tmp_path, {**builds("1.0", "2.0"), file: '[{"version": 1, "url": "x"}]'})
    done = join(tmp_path, "--base-url", BASE)
    assert list(index(tmp_path)) == ["1.0/sitemap.xml", "2.0/sitemap.xml"]
    (finding,) = done["findings"]
    assert (finding["rule"], str(tmp_path / file) in finding["message"]) == ("configuration-unreadable", True)
    for flags in (["--versions", "1.0"], ["--newest", "1"], ["--canonical-version", "2.0"]):
        assert command("join", tmp_path, "--base-url", BASE, *flags).code == 2


def builds(*folders: str) -> dict[str, str]:
    """Files of builds at paths below a tree: a sitemap and the home page that it lists."""
    files = {}
    for folder in folders:
        files[f"{folder}/sitemap.xml"] = urlset(f"{folder}/")
        files[f"{folder}/index.html"] = html_page(canonical(f"{BASE}{folder}/"))
    return files


PREVIEW = "the name of its folder looks like a preview"
FORBIDDEN = "robots.txt forbids it"
OPTION = "the option `leave_out` matches it"


@pytest.mark.parametrize(
    "flags", [[], ["--versions", "*"], ["--newest", "2"], ["--canonical-version", "newest"]], ids=str
)
@pytest.mark.parametrize("folder", ["pr-preview/pr-12", "PR-7", "preview", "previews/9.0", "en/preview"])
def test_previews_are_left_out(tmp_path, folder, flags):
    """Also if their version is newer than all others; other builds without a version stay listed."""
    write(tmp_path, builds("1.0", "guide", "preface", folder))
    said = run(tmp_path, "--json", *flags)
    assert list(index(tmp_path)) == ["1.0/sitemap.xml", "guide/sitemap.xml", "preface/sitemap.xml"]
    assert said.data["left_out"] == {f"{BASE}{folder}/sitemap.xml": PREVIEW}
    assert [each["rule"] for each in said.data["findings"]] == ["build-left-out"]
    assert f"Left out: {folder}/ ({PREVIEW})." in said.data["findings"][0]["message"]
    assert passed("check", tmp_path, "--json").data["findings"] == []
    explained = asked("explain", tmp_path, f"{folder}/index.html")
    assert (explained["reason"], explained["detail"]) == ("version not selected", PREVIEW)


@pytest.mark.parametrize(
    "flags",
    [["--leave-out", "!preview"], ["--versions", "1.0,preview"], ["--leave-out", "!*", "--leave-out", "2"]],
)
def test_a_folder_called_preview_is_listed_on_request(tmp_path, flags):
    write(tmp_path, builds("1.0", "preview"))
    join(tmp_path, *flags)
    assert list(index(tmp_path)) == ["1.0/sitemap.xml", "preview/sitemap.xml"]


def test_a_version_called_preview_is_one_of_mike(tmp_path):
    write(tmp_path, {"versions.json": '[{"version": "1.0"}, {"version": "preview"}]'})
    write(tmp_path, builds("1.0", "preview", "1.0/preview"))
    assert join(tmp_path)["findings"] == []
    assert len(index(tmp_path)) == 3
    join(tmp_path, "--canonical-version", "1.0")
    assert list(index(tmp_path)) == ["1.0/preview/sitemap.xml", "1.0/sitemap.xml"]


@pytest.mark.parametrize(
    ("robots", "left_out"),
    [
        ("User-agent: *\nDisallow: /3.0/", ["3.0"]),
        ("User-agent: *\nDisallow: /\nAllow: /1.0/", ["2.0", "3.0"]),
        ("User-agent: bingbot\nDisallow: /3.0/", []),  # other search engines may read it
        ("User-agent: *\nDisallow: /3.0/private/", []),
    ],
)
def test_a_build_that_robots_txt_forbids_is_never_listed(tmp_path, robots, left_out):
    write(tmp_path, builds("1.0", "2.0", "3.0"))
    write(tmp_path, {"robots.txt": robots})
    done = join(tmp_path, "--leave-out", "!*")
    assert done["left_out"] == {f"{BASE}{version}/sitemap.xml": FORBIDDEN for version in left_out}
    assert [each["rule"] for each in done["findings"]] == ["build-left-out"] * bool(left_out)
    rules = {each["rule"] for each in command("check", tmp_path, "--json").data["findings"]}
    assert not left_out or rules <= {"robots-disallow-all"}


def test_the_newest_version_is_one_that_robots_txt_allows(tmp_path):
    write(tmp_path, builds("1.0", "2.0", "3.0"))
    write(tmp_path, {"robots.txt": "User-agent: *\nDisallow: /3.0/"})
    join(tmp_path, "--canonical-version", "newest", "--old-versions", "noindex")
    assert list(index(tmp_path)) == ["2.0/sitemap.xml"]
    marked = [file.parent.name for file in tmp_path.rglob("*.html") if b"noindex" in file.read_bytes()]
    assert sorted(marked) == ["1.0", "3.0"]
    error = run(tmp_path, "--canonical-version", "3.0", code=2).err
    assert f"The versions are: 1.0, 2.0. Left out: 3.0/ ({FORBIDDEN})." in error


def test_groups_of_the_option_robots_forbid_from_the_first_join_on(here):
    """Once they are removed from the option, the file that we wrote no longer counts."""
    write(here, {"on.toml": 'robots = {"*" = {disallow = "/2.0/"}}', "off.toml": ""})
    write(here / "tree", builds("1.0", "2.0"))
    for _ in range(2):
        assert join("tree", "--config", "on.toml")["left_out"] == {f"{BASE}2.0/sitemap.xml": FORBIDDEN}
    assert join("tree", "--config", "off.toml")["left_out"] == {}


def test_a_robots_txt_that_no_crawler_reads_forbids_nothing(tmp_path):
    """That of a site in a folder of its host."""
    base = f"{BASE}docs/"
    write(
        tmp_path, {"1.0/sitemap.xml": urlset("1.0/", base=base), "robots.txt": "User-agent: *\nDisallow: /"}
    )
    assert join(tmp_path)["left_out"] == {}


@pytest.mark.parametrize(
    ("globs", "left_out"),
    [
        (["internal"], ["internal"]),
        (["internal/"], ["internal"]),
        (["?.0"], ["1.0", "2.0"]),
        (["en"], ["en/2.0"]),
        (["*2.0", "!en/"], ["2.0"]),
    ],
)
def test_the_option_leave_out(here, globs, left_out):
    write(here / "tree", builds("1.0", "2.0", "en/2.0", "internal"))
    expected = {f"{BASE}{folder}/sitemap.xml": OPTION for folder in left_out}
    assert join("tree", *(f"--leave-out={glob}" for glob in globs))["left_out"] == expected
    write(here, {"own.toml": f"leave-out = {json.dumps(globs)}"})
    assert join("tree", "--config", "own.toml")["left_out"] == expected
    write(here, {"pyproject.toml": f"[tool.sitemap-docs]\nleave_out = {json.dumps(globs)}"})
    assert join("tree")["left_out"] == expected
    (here / "pyproject.toml").unlink()
    plugin = json.dumps({"site_name": "x", "plugins": [{"sitemap-docs": {"leave_out": globs}}]})
    write(here, {"mkdocs.yml": plugin})
    assert join("tree")["left_out"] == expected


def test_leave_out_with_named_sitemaps_and_wrong_globs(here):
    write(here, builds("a", "b", "pr-3"))
    done = join("a/sitemap.xml", "b/sitemap.xml", "pr-3/sitemap.xml", "--base-url", BASE, "-o", ".",
                "--leave-out", "b", "--leave-out", "c/*")  # fmt: skip
    assert list(index(here)) == ["a/sitemap.xml"]
    rules = {each["rule"]: each["message"] for each in done["findings"]}
    assert rules.keys() == {"build-left-out", "unmatched-pattern"}
    assert f"b/ ({OPTION}); pr-3/ ({PREVIEW})" in rules["build-left-out"]
    assert "No build matches 'c/*' of the option `leave_out`" in rules["unmatched-pattern"]
    said = "`--leave-out` is for MkDocs and sitemap-docs join only"
    assert said in command("build", "a", "--leave-out", "b").err


def test_many_builds_that_are_left_out_are_one_line(tmp_path):
    write(tmp_path, builds("1.0", *(f"pr-preview/pr-{number}" for number in range(10, 40))))
    said = run(tmp_path).err.splitlines()
    assert len(said) == 2
    assert f"pr-preview/pr-19/ and 20 more ({PREVIEW})" in said[1]


@pytest.mark.parametrize("flag", ["--leave-out=0.*", "--leave-out=!*"])
def test_a_version_that_is_left_out_is_not_edited(tmp_path, flag):
    write(tmp_path, builds("0.9", "1.0", "2.0", "preview/1.0", "preview/2.0"))
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.html")}
    done = join(tmp_path, "--canonical-version", "2.0", "--old-versions", "noindex", flag)
    edited = {"0.9/": 1, "1.0/": 1, "preview/1.0/": 1} if "!" in flag else {"1.0/": 1}
    assert done["edited"] == edited
    join(tmp_path, "--old-versions", "keep")
    assert before == {file: file.read_bytes() for file in tmp_path.rglob("*.html")}


OLD = "https://old.org/"


def guessed(tree: Path, *flags: str) -> tuple[str, list[dict]]:
    """The base URL that is found, and the findings about base URLs."""
    said = run(tree, "--json", *flags)
    found = [each for each in said.data["findings"] if each["rule"] == "base-urls-differ"]
    return said.err.split()[2], found


@pytest.mark.parametrize(
    ("redirect", "base"),
    [
        ("", "https://v11.org/"),  # the newest release
        ("0.2/", "https://v2.org/"),
        ("0.2/index.html", "https://v2.org/"),
        ("https://elsewhere.org/docs/0.2/", "https://v2.org/"),
        ("en/0.3/", "https://v3.org/"),
        ("latest/", "https://v11.org/"),  # a copy, which lists the pages of another version
        ("/", "https://v11.org/"),
    ],
)
def test_the_base_url_is_that_of_the_version_that_readers_see(tmp_path, redirect, base):
    """Not that of the oldest version, nor that of a preview or of a development version."""
    versions = {
        "0.1": OLD,
        "0.2": "https://v2.org/",
        "0.11": "https://v11.org/",
        "0.12rc1": "https://rc.org/",
    }
    versions |= {"en/0.3": "https://v3.org/", "dev": "https://dev.org/", "pr-preview/9.0": "https://pr.org/"}
    for version, url in versions.items():
        write(tmp_path, {f"{version}/sitemap.xml": urlset(f"{version}/", f"{version}/a/", base=url)})
    write(tmp_path, {"latest/sitemap.xml": urlset("0.11/", base="https://v11.org/")})
    if redirect:
        write(tmp_path, {"index.html": REFRESH.format(redirect)})
    found, findings = guessed(tmp_path)
    assert found == base
    assert len(findings) == 1
    assert f"The join uses {base}, from {tmp_path}" in findings[0]["message"]
    assert "5 sitemaps with another base URL, for example https://" in findings[0]["message"]


def test_a_base_url_that_all_builds_have_or_the_user_names_is_no_finding(tmp_path):
    write(tmp_path, builds("1.0", "2.0"))
    assert guessed(tmp_path) == (BASE, [])
    write(tmp_path, {"1.0/sitemap.xml": urlset("1.0/", base=OLD)})
    assert guessed(tmp_path, "--base-url", BASE) == (BASE, [])


def test_if_nothing_can_be_joined_because_of_the_base_url_the_message_has_the_right_one(tmp_path):
    old = {f"{each}/sitemap.xml": urlset(f"{each}/api/", base=f"{OLD}docs/") for each in ("1.0", "1.10")}
    write(tmp_path, {**old, "latest/sitemap.xml": urlset("1.10/", base=f"{OLD}docs/")})
    said = run(tmp_path, "--base-url", BASE, code=1).err
    assert (
        f"The base URL is {BASE} (from --base-url), but {tmp_path / '1.10/sitemap.xml'} lists pages below"
        in said
    )
    assert f"pass --base-url {OLD}docs/ [empty-sitemap]" in said
    write(tmp_path, builds("2.0"))
    said = run(tmp_path, "--versions", "1.*", code=1).err
    assert f"The base URL is {BASE} (from {tmp_path / '2.0/sitemap.xml'}), but" in said
    assert f"pass --base-url {OLD}docs/ [empty-sitemap]" in said
