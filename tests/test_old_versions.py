"""``join --old-versions``: the pages of old versions are marked, and get back each of their bytes."""

import json
import os
import shutil
from pathlib import Path

import html5lib
import pytest

from sitemap_docs.html.marks import with_canonical, with_noindex, without_marks
from tests import conftest
from tests.conftest import NOINDEX, REFRESH, SphinxProject, canonical, command, passed, write
from tests.conftest import html_page as page

BASE = "https://x.org/"
URL = "https://x.org/stable/it's/?a=1&b=2"
CLOSE = "</head><body><h1>A</h1></body></html>"


def join(tree: Path, *arguments: str, code: int = 0) -> dict:
    result = command("join", tree, "--base-url", BASE, "--json", *arguments)
    assert result.code == code, result.err
    return result.data if code != 2 else {"error": result.err}


def treated(tree: Path, treatment: str, *arguments: str, version: str = "2.0", code: int = 0) -> dict:
    canonical = [] if treatment == "keep" else ["--canonical-version", version]
    return join(tree, "--old-versions", treatment, *canonical, *arguments, code=code)


def link(path: str) -> str:
    return canonical(f"{BASE}{path}")


def content(tree: Path) -> dict[str, bytes]:
    """What the files of all builds hold; those of the tree itself are written by ``join``."""
    names = [each.relative_to(tree).as_posix() for each in tree.rglob("*") if each.is_file()]
    return {name: (tree / name).read_bytes() for name in names if "/" in name}


def says(file: Path) -> tuple[bool, list[str]]:
    """Whether the head of a page says noindex, and its canonical links, as the HTML standard reads it."""
    head = html5lib.parse(file.read_bytes(), namespaceHTMLElements=False).find("head")
    robots = [meta.get("content") for meta in head.findall("meta") if meta.get("name") == "robots"]
    links = [each.get("href") for each in head.findall("link") if each.get("rel") == "canonical"]
    return "noindex" in robots, [href.removeprefix(BASE) for href in links]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path / "tree", {
        "1.0/index.html": page(link("1.0/")),
        "1.0/a.html": page(),
        "1.0/gone/index.html": page(link("1.0/gone/")),
        "1.0/moved/index.html": page(link("1.0/moved/")),
        "2.0/index.html": page(link("2.0/")),
        "2.0/a.html": page(),
        "2.0/moved.html": page(link("2.0/moved")),
        "2.0/changelog/1.0/index.html": page(),
    })  # fmt: skip


def test_no_canonical_link_leads_to_a_page_that_is_noindex(tree):
    (tree / "2.0/a.html").write_text(page(NOINDEX))
    treated(tree, "canonical")
    assert says(tree / "1.0/a.html") == (True, [])


def test_a_canonical_link_where_the_page_is_left_and_noindex_where_it_is_gone(tree):
    before = content(tree)
    changed = treated(tree, "canonical")["changed"]
    assert says(tree / "1.0/index.html") == (False, ["2.0/"])
    assert says(tree / "1.0/a.html") == (False, ["2.0/a.html"])
    assert says(tree / "1.0/moved/index.html") == (False, ["2.0/moved"])
    assert says(tree / "1.0/gone/index.html") == (True, ["1.0/gone/"])
    assert sorted(changed) == sorted(name for name, data in content(tree).items() if before[name] != data)
    assert all(name.startswith("1.0/") for name in changed)
    assert treated(tree, "canonical")["changed"] == []
    treated(tree, "noindex")
    assert {says(tree / name)[0] for name in before if name.startswith("1.0/")} == {True}
    assert sorted(treated(tree, "keep")["changed"]) == sorted(changed)
    assert content(tree) == before


def test_a_canonical_link_to_a_page_that_is_gone(tree):
    """As mike's setting ``canonical_version`` writes it: the link goes with the noindex, and comes back."""
    write(tree, {"1.0/gone/index.html": page(link("2.0/gone/"))})
    before = content(tree)
    for treatment in ("canonical", "noindex"):
        treated(tree, treatment)
        assert says(tree / "1.0/gone/index.html") == (True, [])
    write(tree, {"2.0/gone/index.html": page(link("2.0/gone/"))})
    treated(tree, "canonical")
    assert (tree / "1.0/gone/index.html").read_bytes() == before["1.0/gone/index.html"]
    treated(tree, "noindex")
    treated(tree, "keep")
    assert {name: data for name, data in content(tree).items() if name in before} == before


@pytest.mark.parametrize(
    ("target", "new_page", "links"),
    [
        ("2.0/moved", "", ["2.0/moved"]),
        ("../../2.0/moved.html", "", ["2.0/moved"]),
        ("2.0/moved", REFRESH.format("a.html"), ["2.0/a.html"]),
        ("1.0/moved/", "", ["2.0/moved"]),
        ("2.0/moved", NOINDEX, []),
        ("2.0/missing", "", []),
        ("elsewhere/", "", []),
    ],
)
def test_a_page_keeps_its_own_canonical_link_to_a_new_page(tree, target, new_page, links):
    own = canonical(target) if target.startswith(".") else link(target)
    write(tree, {"1.0/gone/index.html": page(own), "2.0/moved.html": page(new_page or link("2.0/moved"))})
    write(tree, {"1.1/index.html": page(), "1.1/gone/index.html": page(link("2.0/a.html"))})
    write(tree, {"1.2/index.html": page(), "1.2/gone/index.html": page()})
    before = content(tree)
    joined = treated(tree, "canonical")
    assert says(tree / "1.0/gone/index.html") == (not links, links)
    assert says(tree / "1.1/gone/index.html") == (False, ["2.0/a.html"])
    assert ("1.0/gone/index.html" in joined["changed"]) == (link(links[0]) != own if links else True)
    assert says(tree / "1.2/gone/index.html") == (True, [])
    assert "1.1/gone/index.html" not in joined["changed"]
    assert treated(tree, "canonical")["changed"] == []
    treated(tree, "noindex")
    assert says(tree / "1.1/gone/index.html") == (True, [])
    treated(tree, "keep")
    assert content(tree) == before


def test_a_redirect_of_an_earlier_join_still_decides_against_the_link_of_the_page(tree):
    write(
        tree, {"1.0/gone/index.html": page(link("2.0/a.html")), "_redirects": "/2.0/gone/ /2.0/moved 301\n"}
    )
    for _ in range(2):
        treated(tree, "canonical")
        assert says(tree / "1.0/gone/index.html") == (False, ["2.0/moved"])
        (tree / "_redirects").unlink(missing_ok=True)


def test_a_link_to_an_old_version_of_another_project_does_not_stay(tmp_path):
    """Its pages are not those of the project, though their paths may be the same."""
    names = [
        f"{project}/{version}/index.html" for project in ("core", "plugin") for version in ("1.0", "2.0")
    ]
    tree = write(tmp_path, {name: page(f"<!-- {name} -->") for name in names})
    write(tree, {"plugin/1.0/core.html": page(link("core/1.0/"))})
    treated(tree, "canonical")
    assert says(tree / "plugin/1.0/core.html") == (True, [])


def test_a_dry_run_lists_and_changes_nothing(tree):
    before = content(tree)
    arguments = ["--base-url", BASE, "--canonical-version", "2.0", "--old-versions", "noindex", "--dry-run"]
    result = command("join", tree, *arguments)
    assert "would write 1.0/gone/index.html (noindex)\n" in result.err
    assert "; would edit 4 pages in 1.0/" in result.out
    arguments[arguments.index("noindex")] = "canonical"
    result = command("join", tree, *arguments)
    assert "would write 1.0/gone/index.html (noindex)\n" in result.err
    assert f"would write 1.0/a.html (canonical link to {BASE}2.0/a.html)\n" in result.err
    assert "; old versions would have " in result.out
    assert content(tree) == before
    assert not list(tree.rglob(".*"))


def test_a_new_canonical_version(tree):
    """The marks of an earlier run lead to the new version, and the version itself loses its own."""
    before = content(tree)
    treated(tree, "canonical", version="1.0")
    assert says(tree / "2.0/a.html") == (False, ["1.0/a.html"])
    treated(tree, "canonical")
    now = content(tree)
    assert [name for name, data in before.items() if name.startswith("2.0/") and now[name] != data] == []
    write(tree, {"3.0/index.html": page(), "3.0/a.html": page()})
    treated(tree, "canonical", version="newest")
    assert says(tree / "1.0/a.html") == says(tree / "2.0/a.html") == (False, ["3.0/a.html"])


@pytest.mark.parametrize(
    "home", ["", page(link("2.0/")), page(REFRESH.format("../2.0/"))], ids=["a link", "a copy", "a redirect"]
)
def test_the_canonical_version_by_an_alias(tree, home):
    if home:
        write(tree, {"latest/index.html": home})
    else:
        (tree / "latest").symlink_to("2.0")
    (tree / "old").symlink_to("1.0")
    before = content(tree)
    changed = treated(tree, "canonical", version="latest")["changed"]
    assert says(tree / "1.0/a.html") == (False, ["2.0/a.html"])
    assert [name for name in changed if name.startswith(("2.0/", "old/"))] == []
    treated(tree, "keep")
    assert content(tree) == before


def test_languages_and_projects(tree):
    """Each has its own canonical version; where one has none, nothing is changed, and that is reported."""
    both = {f"{above}/{version}/index.html": page() for above in ("en", "p/de") for version in ("1.0", "2.0")}
    write(tree, both | dict.fromkeys(["fr/1.0/index.html", "1.0/fr/index.html", "2.0/fr/index.html"], page()))
    found = treated(tree, "canonical")
    assert says(tree / "en/1.0/index.html") == (False, ["en/2.0/"])
    assert says(tree / "p/de/1.0/index.html") == (False, ["p/de/2.0/"])
    assert says(tree / "1.0/fr/index.html") == (False, ["2.0/fr/"])
    assert says(tree / "fr/1.0/index.html") == (False, [])
    assert [each["where"] for each in found["findings"] if each["rule"] == "old-version-alone"] == ["fr/1.0/"]


def test_what_stays_as_it_is(tree):
    pages = {
        "1.0/redirect.html": page(REFRESH.format("a.html")),
        "1.0/hidden.html": page(NOINDEX),
        "1.0/_static/part.html": "<p>A part</p>",
        "1.0/no-end.html": "<!doctype html><title>A</title><p>Text",
        "1.0/utf-16.html": page().encode("utf-16"),
        "1.0/comment.html": "<!doctype html><head><title>A</title><!-- </head> --></head>",
        "1.0/script.html": "<!doctype html><head><title>A</title><script>'</head>'</script></head>",
        "1.0/body.html": "<!doctype html><head><title>A</title><p>Text</head>",
        "1.0/noscript.html": page("<noscript><img src=a.png></noscript>"),
        "1.0/long.html": page("<meta name=a content=b>" * 600),
    }
    write(tree, pages)
    (tree / "1.0/out.html").symlink_to(write(tree.parent, {"out.html": page()}) / "out.html")
    before = content(tree)
    for treatment in ("noindex", "canonical"):
        found = treated(tree, treatment)["findings"]
        unchanged = [each for each in found if each["rule"] == "old-version-unchanged"]
        assert {each["where"] for each in unchanged} == {"1.0/no-end.html", "1.0/body.html", "1.0/long.html"}
        assert sum(int(each["message"].removeprefix("Could not edit ").split()[0]) for each in unchanged) == 7
        now = content(tree)
        assert [name for name in pages if now[name] != before[name]] == []
    assert (tree.parent / "out.html").read_text() == page()


def test_an_interrupted_run_goes_on(tree):
    """Every second page is done; what the killed run left behind is removed."""
    before = content(tree)
    write(tree, {".sitemap-docs-new/0": "left"})
    treated(tree, "noindex")
    everything = content(tree)
    marked = sorted(name for name in before if before[name] != everything[name])
    write(tree, {name: before[name] for name in marked[::2]})
    assert sorted(treated(tree, "noindex")["changed"]) == marked[::2]
    assert content(tree) == everything
    assert not (tree / ".sitemap-docs-new").exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(tree):
    before = content(tree)
    (tree / "1.0").chmod(0o500)
    error = treated(tree, "noindex", code=2)["error"]
    (tree / "1.0").chmod(0o700)
    assert "cannot be put in place" in error
    assert content(tree) == before


@pytest.mark.parametrize(
    ("home", "message"),
    [
        (None, "2.0 has no index.html, so it cannot be the canonical version"),
        (page(REFRESH.format("/new/")), f"2.0/ is a redirect to {BASE}new/"),
    ],
)
def test_a_canonical_version_without_pages_is_refused(tree, home, message):
    """Else all others would be gone from search."""
    (tree / "2.0/index.html").unlink()
    if home:
        write(tree, {"2.0/index.html": home})
    before = content(tree)
    assert message in treated(tree, "noindex", code=2)["error"]
    assert content(tree) == before
    assert not (tree / "sitemap.xml").exists()


def test_the_home_page_of_the_canonical_version_may_redirect_within_it(tree):
    write(tree, {"2.0/index.html": page(REFRESH.format("/2.0/a.html"))})
    treated(tree, "noindex")
    assert says(tree / "1.0/a.html")[0]


def test_a_page_that_links_to_its_own_file_keeps_the_link(tree):
    """Some hosts serve ``a.html`` at ``a``, too."""
    write(tree, {"1.0/a.html": page(link("1.0/a"))})
    treated(tree, "noindex")
    assert says(tree / "1.0/a.html") == (True, ["1.0/a"])


def test_wrong_usage(tree):
    assert "needs `--canonical-version`" in join(tree, "--old-versions", "noindex", code=2)["error"]
    sitemap = write(tree, {"1.0/sitemap.xml": ""}) / "1.0/sitemap.xml"
    assert (
        "Pass the folder of all versions."
        in join(sitemap, "--old-versions", "keep", "-o", str(tree), code=2)["error"]
    )


def test_pages_of_sphinx(tmp_path, sphinx_project: SphinxProject):
    """In the folders of sphinx-multiversion and sphinx-polyversion; HTML of dirhtml and html in one tree."""
    tree = tmp_path / "tree"
    for version, builder in (("v1.0", "html"), ("main", "dirhtml")):
        project = sphinx_project("a", "old", html_baseurl=f"{BASE}{version}/")
        if version != "v1.0":
            (project.src / "old.rst").unlink()
        project.out = tree / version
        project.build(builder)
    before = content(tree)
    treated(tree, "canonical", version="main")
    assert says(tree / "v1.0/a.html") == (False, ["main/a/"])
    assert says(tree / "v1.0/old.html") == (True, ["v1.0/old.html"])
    assert says(tree / "v1.0/search.html")[0]
    now = content(tree)
    assert all(now[name] == data for name, data in before.items() if name.startswith("main/"))
    treated(tree, "keep")
    assert content(tree) == before


def urlset(*paths: str) -> str:
    return conftest.urlset(*(BASE + path for path in paths))


def test_a_folder_with_the_name_of_a_channel_is_a_version_only_where_it_has_a_sitemap(tree):
    """Or mike lists it: ``dev/`` may hold guides for developers."""
    write(tree, {
        "dev/guide/index.html": page(),
        "main/index.html": page(),
        "main/sitemap.xml": urlset("main/"),
        "nightly/index.html": page(),
        "2.0/sitemap.xml": urlset("2.0/"),
        "versions.json": '[{"version": "2.0"}, {"version": "nightly"}]',
    })  # fmt: skip
    before = content(tree)
    flags = ["--base-url", BASE, "--old-versions", "noindex", "--canonical-version", "2.0"]
    said = command("join", tree, *flags).out
    assert said.endswith("; edited 4 pages in 1.0/, 1 page in main/, 1 page in nightly/\n")
    assert not says(tree / "dev/guide/index.html")[0]
    assert treated(tree, "keep")["edited"] == {"1.0/": 4, "main/": 1, "nightly/": 1}
    assert content(tree) == before


@pytest.mark.parametrize("version", ["latest", "newest"])
@pytest.mark.parametrize("listed", ["2.0", "latest"])
def test_an_alias_that_is_a_link_and_pages_without_canonical_links(tree, listed, version):
    """The addresses that the sitemap lists are those that the other pages name."""
    (tree / "latest").symlink_to("2.0")
    write(tree, {
        "1.0/404.html": page(),
        "2.0/index.html": page(),
        "2.0/404.html": page(),
        "2.0/moved.html": page(),
        "2.0/sitemap.xml": urlset(f"{listed}/", f"{listed}/a.html"),
        "1.0/sitemap.xml": urlset("1.0/"),
    })  # fmt: skip
    done = treated(tree, "canonical", version=version)
    assert done["joined"] == [f"{BASE}{listed}/sitemap.xml"]
    assert says(tree / "1.0/a.html") == (False, [f"{listed}/a.html"])
    # In the same files, the addresses that are not listed name those that are.
    assert says(tree / "2.0/a.html") == (False, ["latest/a.html"] * (listed == "latest"))
    assert says(tree / "1.0/404.html") == says(tree / "2.0/404.html") == (False, [])
    assert treated(tree, "canonical", version=version)["changed"] == []
    treated(tree, "noindex", version=version)
    assert says(tree / "1.0/a.html")[0]
    assert not says(tree / "2.0/a.html")[0]


def test_nothing_is_edited_where_sitemaps_are_there_and_none_is_joined(tree):
    write(tree, {"2.0/sitemap.xml": urlset("elsewhere/")})
    before = content(tree)
    done = treated(tree, "noindex", code=1)
    assert done["joined"] == []
    assert content(tree) == before
    assert "No page of an old" in str(done["findings"])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_an_edited_page_keeps_its_mode(tree):
    (tree / "1.0/a.html").chmod(0o644)
    (tree / "1.0/index.html").chmod(0o604)
    before = os.umask(0o077)
    try:
        treated(tree, "noindex")
    finally:
        os.umask(before)
    modes = {name: (tree / "1.0" / name).stat().st_mode & 0o777 for name in ("a.html", "index.html")}
    assert modes == {"a.html": 0o644, "index.html": 0o604}


def test_a_head_of_any_size_is_marked(tree):
    """Themes inline styles and pictures in it."""
    style = f"<style>{'p > a {color: red}' * 8_000}</style>"
    icon = f'<link rel="icon" href="data:image/png;base64,{"A" * 50_000}">' * 4
    for name, head in (("style", style), ("icon", icon), ("both", style + link("1.0/both.html") + icon)):
        write(tree, {f"{at}/{name}.html": page(head) for at in ("1.0", "2.0")})
        original = (tree / f"1.0/{name}.html").read_bytes()
        assert with_noindex(original).count(b"data-sitemap-docs") == 1
        assert without_marks(with_canonical(original, URL)) == original
    assert "unchanged" not in str(treated(tree, "noindex")["findings"])


LATEST = link("latest/")


@pytest.mark.parametrize("treatment", ["noindex", "canonical"])
@pytest.mark.parametrize("sitemaps", ["no sitemap", "a sitemap", "a sitemap of another build"])
@pytest.mark.parametrize(
    ("home", "why"),
    [
        (page(LATEST), f"canonical link to {BASE}latest/, but that page does not exist"),
        (page(REFRESH.format("a/")), f"canonical link to {BASE}latest/a/, but that page does not exist"),
        (page(link("//old.org/2.0/").replace(BASE, "https:")), "which is not below https://x.org/"),
    ],
    ids=["a missing page", "a redirect", "another host"],
)
def test_no_version_is_edited_if_the_canonical_one_names_a_page_that_is_missing(
    tmp_path, treatment, sitemaps, home, why
):
    """Else the whole site would be gone from search."""
    write(tmp_path, {
        "1.0/index.html": page(LATEST),
        "2.0/index.html": home,
        "2.0/a/index.html": page(link("latest/a/")),
        "guide/index.html": page(),
    })  # fmt: skip
    if sitemaps == "a sitemap":
        write(tmp_path, {f"{version}/sitemap.xml": urlset("latest/") for version in ("1.0", "2.0")})
    elif sitemaps == "a sitemap of another build":
        write(tmp_path, {"guide/sitemap.xml": urlset("guide/")})
    pages = {name: data for name, data in content(tmp_path).items() if name.endswith(".html")}
    done = treated(tmp_path, treatment, version="newest", code=1)
    assert {name: data for name, data in content(tmp_path).items() if name in pages} == pages
    assert done["edited"] == {}
    messages = [each["message"] for each in done["findings"] if each["rule"] == "canonical-version-unlisted"]
    assert len(messages) == 1
    assert why in messages[0]


@pytest.mark.parametrize("target", ["latest/index.html", "index.html"])
def test_the_canonical_link_may_lead_to_a_page_that_is_there(tmp_path, target):
    """To the alias that mike deploys, or to the root of the tree."""
    folder = target.removesuffix("index.html")
    home = page(link(folder))
    old_home = home + "<!-- old -->"
    write(tmp_path, {"1.0/index.html": old_home, "2.0/index.html": home, target: home})
    assert treated(tmp_path, "noindex")["edited"] == {"1.0/": 1}
    write(tmp_path, {f"{folder}sitemap.xml": urlset(folder), "2.0/sitemap.xml": urlset(folder)})
    flags = ["--filename", "all.xml"]
    assert treated(tmp_path, "noindex", *flags)["edited"] == {}
    assert treated(tmp_path, "keep", *flags)["edited"] == {"1.0/": 1}
    assert treated(tmp_path, "noindex", *flags)["edited"] == {"1.0/": 1}


@pytest.mark.parametrize("where", ["2.0/index.html", "_headers"])
@pytest.mark.parametrize(("listed", "code"), [(False, 1), (True, 0)])
def test_a_canonical_version_with_noindex(tree, listed, code, where):
    """A sitemap of the version shows that the version has other pages without noindex."""
    text = page(NOINDEX) if where.endswith(".html") else "/2.0/\n  X-Robots-Tag: noindex\n"
    write(tree, {where: text})
    if listed:
        write(tree, {"2.0/sitemap.xml": urlset("2.0/a.html")})
    done = treated(tree, "noindex", code=code)
    assert bool(done["edited"]) is listed
    assert [each["rule"] for each in done["findings"] if each["severity"] == "error"] == (
        [] if listed else ["canonical-version-unlisted"]
    )


def test_nothing_is_edited_if_only_other_builds_are_joined(tree):
    write(tree, {"2.0/sitemap.xml": urlset("elsewhere/"), "guide/sitemap.xml": urlset("guide/")})
    done = treated(tree, "noindex", code=1)
    assert (done["joined"], done["edited"]) == ([f"{BASE}guide/sitemap.xml"], {})
    assert [each["rule"] for each in done["findings"]] == ["canonical-version-unlisted"]


HIDDEN = "each of its pages has a noindex or a canonical link to another page"


@pytest.fixture
def versions(tree: Path) -> Path:
    """Versions with the sitemaps of their builds. That of ``1.0`` lists more than HTML pages."""
    write(tree, {"3.0/index.html": page("<!-- 3 -->"), "3.0/a.html": page()})
    shutil.copytree(tree / "3.0", tree / "latest")
    for version in ("2.0", "3.0", "latest"):
        passed("build", tree / version, "--base-url", f"{BASE}{version}/", "--lastmod", "none")
    write(tree, {
        "1.0/old.html": page(REFRESH.format("a.html")),
        "1.0/a.pdf": "%PDF",
        "1.0/sitemap.xml": urlset("1.0/old.html", "1.0/a.pdf", "1.0/b", "1.0/", "1.0/a.html", "1.0/gone/"),
    })  # fmt: skip
    return tree


def joined(tree: Path, *arguments: str) -> list[str]:
    return [url.removeprefix(BASE).removesuffix("/sitemap.xml") for url in join(tree, *arguments)["joined"]]


@pytest.mark.parametrize("cache", ["the cache of the join", "an empty cache"])
@pytest.mark.parametrize("treatment", ["canonical", "noindex"])
def test_a_later_join_leaves_out_the_edited_versions(versions, tmp_path, treatment, cache):
    """The copy ``3.0`` is edited, too, so the version that stays in the index is ``latest``."""
    edited_pages = treated(versions, "canonical", version="latest")["edited"]
    assert edited_pages == {"1.0/": 4, "2.0/": 4, "3.0/": 2}
    treated(versions, treatment, version="2.0")
    edited = content(versions)
    flags = []
    if cache == "an empty cache":
        versions = versions.rename(tmp_path / "copy")
        flags = ["--cache-dir", str(tmp_path / "cache")]
    said = join(versions, *flags)
    assert said["joined"] == [f"{BASE}2.0/sitemap.xml"]
    assert set(said["left_out"].values()) == {HIDDEN}
    assert said["findings"] == []
    assert content(versions) == edited
    found = command("check", versions, "--base-url", BASE, "--json", *flags).data["findings"]
    assert [each for each in found if each["severity"] == "error"] == []


@pytest.mark.parametrize(
    ("pattern", "left"),
    [("/1.0/*", ["3.0"]), ("/1.0/a.html", ["1.0", "3.0"]), ("/1.0/*.html", ["1.0", "3.0"])],
)
def test_a_version_is_left_out_if_the_host_marks_all_of_its_files_with_noindex(versions, pattern, left):
    """The version ``1.0`` also has a PDF, which has no ``<head>``."""
    shutil.rmtree(versions / "latest")
    write(versions, {"_headers": f"{pattern}\n  X-Robots-Tag: noindex\n/2.0/*\n  X-Robots-Tag: noindex\n"})
    assert joined(versions) == left


def test_an_edited_copy_is_not_listed_in_place_of_the_canonical_version(versions):
    treated(versions, "canonical", version="latest")
    assert joined(versions) == ["latest"]


def test_versions_return_to_the_index(versions):
    """By ``keep``, as the new canonical version, or after another build."""
    before = content(versions)
    everything = joined(versions)
    assert everything == ["1.0", "2.0", "3.0"]
    treated(versions, "canonical", version="latest")
    treated(versions, "noindex", version="1.0")
    assert joined(versions) == ["1.0"]
    write(versions, {name: data for name, data in before.items() if name.startswith("2.0/")})
    assert joined(versions) == ["1.0", "2.0"]
    assert joined(versions, "--old-versions", "keep") == everything
    assert content(versions) == before
    assert joined(versions) == everything


@pytest.mark.parametrize(
    ("flags", "listed", "left_out"),
    [
        (["--versions", "1.*,latest"], ["latest"], "The chosen version 1.0/ is left out"),
        (["--newest", "2"], [], "2 chosen versions, such as 2.0/, are left out"),
        (["--canonical-version", "2.0"], [], "The chosen version 2.0/ is left out"),
        (["--versions", "latest"], ["latest"], ""),
        (["--versions", "1.0", "--old-versions", "keep"], ["1.0"], ""),
    ],
)
def test_edited_versions_that_the_user_chooses_are_left_out_with_a_warning(versions, flags, listed, left_out):
    treated(versions, "canonical", version="latest")
    said = join(versions, *flags, code=0 if listed else 1)
    assert said["joined"] == [f"{BASE}{version}/sitemap.xml" for version in listed]
    warnings = [each["message"] for each in said["findings"] if each["severity"] == "warning"]
    assert [message.partition(", because")[0] for message in warnings] == [left_out] * bool(left_out)


def test_a_version_whose_pages_have_a_noindex_of_their_own_is_left_out(versions):
    """A version with one page for search engines is listed."""
    hidden = {"2.0/index.html": page(NOINDEX), "2.0/a.html": page(canonical(f"{BASE}latest/a.html"))}
    write(versions, hidden)
    assert joined(versions) == ["1.0", "2.0", "3.0"]
    write(versions, dict.fromkeys(["2.0/moved.html", "2.0/changelog/1.0/index.html"], page(NOINDEX)))
    for flags in ([], ["--old-versions", "keep"]):
        assert joined(versions, *flags) == ["1.0", "3.0"]
    said = join(versions, "--versions", "1.0,2.0", "--old-versions", "keep")["findings"]
    (message,) = [each["message"] for each in said if each["rule"] == "chosen-version-hidden"]
    assert "Remove the noindex or the canonical links" in message
    assert "to keep" not in message


def test_a_version_with_a_file_that_cannot_be_read_is_listed(versions):
    """A PDF, for example, may be shown. After the edits of a join, it does not keep the version."""
    write(versions, {"2.0/manual.pdf": b"%PDF", "2.0/index.html": page(NOINDEX)})
    write(versions, {"2.0/sitemap.xml": urlset("2.0/", "2.0/manual.pdf")})
    assert "2.0" in joined(versions)
    write(versions, {"2.0/index.html": page()})
    join(versions, "--canonical-version", "latest", "--old-versions", "noindex")
    assert "2.0" not in joined(versions)


def test_a_canonical_link_to_a_deleted_page_does_not_hide_a_version(versions):
    join(versions, "--canonical-version", "latest", "--old-versions", "canonical")
    shutil.rmtree(versions / "latest")
    assert "1.0" in joined(versions)


def test_a_folder_that_is_no_version_any_more_is_left_out_with_its_edits(versions):
    """Without ``switcher.json``, a join does not restore the folder."""
    switcher = [{"version": "legacy", "url": f"{BASE}legacy/"}]
    write(versions, {"switcher.json": json.dumps(switcher), "legacy/a.html": page(link("legacy/a.html"))})
    passed("build", versions / "legacy", "--base-url", f"{BASE}legacy/", "--lastmod", "none")
    treated(versions, "noindex", version="latest")
    assert says(versions / "legacy/a.html")[0]
    assert "legacy" in joined(versions, "--old-versions", "keep")
    treated(versions, "noindex", version="latest")
    (versions / "switcher.json").unlink()
    assert "legacy" not in joined(versions, "--old-versions", "keep")
    assert says(versions / "legacy/a.html")[0]
