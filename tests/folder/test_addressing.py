"""Where the base URL of a folder comes from, and how its addresses are spelled."""

import pytest

from tests.cli.test_build import locs, run, write
from tests.conftest import REFRESH, canonical, urlset


@pytest.fixture
def project(here):
    write(here, {"site/index.html": "", "site/a/index.html": ""})
    return here


ZENSICAL, MKDOCS = 'site_url = "https://z.org/"', "site_url: https://m.org/"
LOCAL = "http://localhost:8000/"
HOME = canonical("https://h.org/d/")
TOML = "[tool.sitemap-docs]\nbase-url = 'https://t.org/'"
LISTED = urlset("https://s.org/", "https://s.org/a/")


NAMED_BY = {  # files, and what names the base URL: what comes first wins
    "the configuration": ({"zensical.toml": ZENSICAL, "mkdocs.yml": MKDOCS}, "https://z.org/ zensical.toml"),
    "the home page": ({"site/index.html": HOME, "mkdocs.yml": "site_url: ''"}, "https://h.org/d/ canonical"),
    "an address in capital letters": (
        {"site/index.html": canonical("HTTPS://H.org/d/"), "mkdocs.yml": "site_url: ''"},
        "https://h.org/d/ canonical",
    ),
    "a custom domain": ({"site/CNAME": "c.org\n"}, "https://c.org/ CNAME"),
    "no domain": ({"site/CNAME": "c.org/a b"}, "https://n.org/ Netlify"),
    "the platform": ({}, "https://n.org/ Netlify"),
    "the sitemap": ({"site/sitemap.xml": LISTED}, "https://s.org/ sitemap in site"),
    "TOML": ({"pyproject.toml": TOML, "mkdocs.yml": MKDOCS}, "https://t.org/ pyproject.toml"),
    "local": ({"zensical.toml": f"site_url = '{LOCAL}'", "mkdocs.yml": MKDOCS}, "https://m.org/ mkdocs.yml"),
    "a flag": ({"mkdocs.yml": MKDOCS}, "https://g.org/ --base-url"),
    "a local flag": ({}, f"{LOCAL} --base-url"),
}


def test_a_home_page_that_leads_to_a_language_does_not_name_the_base_url(project):
    home = REFRESH.format("en/") + canonical("https://h.org/en/")
    write(project, {"site/CNAME": "c.org", "site/index.html": home})
    assert run("site")[2].startswith("base URL https://c.org/ from ")


@pytest.mark.parametrize(("files", "said"), NAMED_BY.values(), ids=NAMED_BY)
def test_base_url(project, monkeypatch, files, said):
    write(project, files)
    monkeypatch.setenv("NETLIFY", "true")
    monkeypatch.setenv("URL", "https://n.org")
    base, by = said.split(" ", 1)
    code, _, err = run("site", *([by, base] if by == "--base-url" else []))
    assert code == 0
    assert err.splitlines()[0].startswith(f"base URL {base} from ")
    assert by in err.splitlines()[0]
    assert locs(project / "site") == [base, f"{base}a/"]


@pytest.mark.parametrize(
    ("copied", "address"), [("a/index.html", "a/"), ("a.html", "a.html"), ("a.html", "a")]
)
def test_a_home_page_that_is_a_copy_of_another_page(project, copied, address):
    head = canonical(f"https://h.org/d/{address}")
    write(project / "site", {"index.html": head, "c.html": "", copied: head})
    said = run("site", "--links", "folders" if address.endswith(("/", "l")) else "clean")
    assert said.err.splitlines()[0].startswith("base URL https://h.org/d/ ")
    assert "1 left out (1 canonical elsewhere)" in said.out
    assert f"https://h.org/d/{address}" in locs(project / "site")


SPELLED_BY = {
    "canonical links": ({"dist/b.html": canonical("https://e.org/b")}, "from the canonical links"),
    "a sitemap": ({"dist/sitemap.xml": urlset("https://e.org/b")}, "from the existing sitemap"),
    "the TOML file": ({"pyproject.toml": "[tool.sitemap-docs]\nlinks = 'clean'\n"}, "by the option `links`"),
}


@pytest.mark.parametrize(("files", "by"), SPELLED_BY.values(), ids=SPELLED_BY)
def test_how_addresses_are_spelled(here, files, by):
    write(here, {"dist/index.html": "", "dist/a/index.html": "", "dist/b.html": "", **files})
    assert f"links clean (a, b/) {by}" in run("dist", "--base-url", "https://e.org/").err.splitlines()


def test_how_mkdocs_spells_addresses(project):
    write(project, {"mkdocs.yml": f"{MKDOCS}\nuse_directory_urls: false\n"})
    assert "links files (a.html, b/index.html) from mkdocs.yml" in run("site").err.splitlines()
    assert locs(project / "site") == ["https://m.org/a/index.html", "https://m.org/index.html"]


def test_a_generator_that_builds_another_folder_comes_after_the_canonical_link(project):
    write(project, {"book.toml": "[output.html]\nsite-url = 'https://b.org/'\n", "src/README.md": "x"})
    assert run("site").err.splitlines()[0] == "base URL https://b.org/ from book.toml"
    write(project / "site", {"index.html": canonical("https://h.org/d/")})
    assert run("site", "-v").err.splitlines()[0].startswith("base URL https://h.org/d/ ")
    assert "sources: \n" in run("site", "-v").err
