"""A project is opened once: where its folder, its options, its base URL and its record come from."""

import json
import os
from pathlib import Path

import pytest

from sitemap_docs import api
from sitemap_docs.files import repository_of
from sitemap_docs.model import SitemapError
from sitemap_docs.surroundings import user_cache
from tests.conftest import BASE, command, commit, git, html_page, passed, urlset, write

OTHER = "https://other.example.org/"
READERS = {"check": [], "explain": ["index.html"], "report": []}
"""The commands that read a built folder, each with its other arguments."""


def read(name: str, *flags: object):
    """The answer of a command that reads the folder ``site``."""
    return command(name, "site", *READERS[name], *flags)


def page(url: str, head: str = "") -> str:
    return html_page(f'<link rel="canonical" href="{url}">{head}')


# Options: paths and globs start in the folder of the file that sets them


PAGES = {"site/index.html": "<title>Home</title>", "site/a.html": "<title>A</title>"}
SOURCES = {"sub/docs/index.md": "# Home", "sub/docs/a.md": "# A"}
PLUGIN = "site_name: x\nsite_url: https://docs.example.org/\nplugins: [{sitemap-docs: {%s}}]\n"


def dates() -> dict[str, bool]:
    """The pages that the last build has listed, and whether they have a date."""
    rows = json.loads(command("report", "site", "--json").out)["pages"]
    return {row["file"]: bool(row["lastmod"]) for row in rows}


@pytest.mark.parametrize("ask", ["build", "check", "api"])
def test_globs_of_sources_start_in_the_folder_of_mkdocs_yml(here, ask):
    """Outside that folder, too, as paths do."""
    write(here, {**PAGES, **SOURCES, "sub/mkdocs.yml": PLUGIN % "lastmod_excludes: [docs/a.md]"})
    commit(here)
    flags = ["--generator-config", "sub/mkdocs.yml"]
    if ask == "api":
        done = api.build("site", generator_config="sub/mkdocs.yml")
        assert (done.listed, done.dated) == (2, 1)
    elif ask == "build":
        done = passed("build", "site", *flags, "--json").data
        assert (done["listed"], done["dated"]) == (2, 1)
    else:  # without a record, a dry run decides
        found = command("explain", "site", "a.html", *flags, "--json").data
        assert found["undated_cause"] == "the option `lastmod_excludes` matches all its sources"
        assert command("explain", "site", "index.html", *flags, "--json").data["dated"]


@pytest.mark.parametrize("ask", ["build", "join"])
def test_globs_and_paths_start_in_the_folder_of_the_toml_file(here, ask):
    toml = 'record = "rec.jsonl"\nlastmod_excludes = ["docs/a.md"]\nlastmod_ignore_revs = "revs"\n'
    home = {"cfg/s.toml": toml, "cfg/docs/index.md": "# Home", "cfg/docs/a.md": "# A"}
    write(here, {**PAGES, **home, "cfg/revs": "", "tree/1.0/sitemap.xml": urlset(f"{BASE}1.0/")})
    commit(here)
    flags = ["--config", "cfg/s.toml", "--json"]
    if ask == "join":
        passed("join", "tree", *flags)
    else:
        done = passed("build", "site", "--base-url", BASE, "--source", "cfg/docs", *flags).data
        assert (done["listed"], done["dated"]) == (2, 1)
    assert [file.relative_to(here).as_posix() for file in here.rglob("*.jsonl")] == ["cfg/rec.jsonl"]


def test_paths_in_flags_and_arguments_start_in_the_current_folder(here):
    """Whatever file has the other options."""
    write(here, {**PAGES, "cfg/s.toml": f'base_url = "{BASE}"\nrecord = "no.jsonl"\n'})
    passed("build", "site", "--config", "cfg/s.toml", "--record", "rec.jsonl")
    assert [file.name for file in here.rglob("*.jsonl")] == ["rec.jsonl"]
    api.build("site", config="cfg/s.toml", record="other.jsonl")
    assert sorted(file.name for file in here.rglob("*.jsonl")) == ["other.jsonl", "rec.jsonl"]


def test_each_value_keeps_the_folder_of_the_place_that_sets_it(here):
    """Globs in mkdocs.yml and a record in the TOML file, in one build."""
    plugin = PLUGIN % "lastmod_excludes: [docs/a.md], record: no.jsonl"
    write(here, {**PAGES, **SOURCES, "sub/mkdocs.yml": plugin, "cfg/s.toml": 'record = "rec.jsonl"'})
    commit(here)
    flags = ["--generator-config", "sub/mkdocs.yml", "--config", "cfg/s.toml", "--json"]
    done = passed("build", "site", *flags).data
    assert (done["listed"], done["dated"]) == (2, 1)
    assert [file.relative_to(here).as_posix() for file in here.rglob("*.jsonl")] == ["cfg/rec.jsonl"]


@pytest.mark.parametrize("folder", ["", "other/"])
def test_join_uses_the_options_of_the_plugin_in_mkdocs_yml(here, folder):
    """Those of flags win over them."""
    write(
        here, {f"{folder}mkdocs.yml": PLUGIN % "robots: false", "tree/1.0/sitemap.xml": urlset(f"{BASE}1.0/")}
    )
    flags = ["--generator-config", f"{folder}mkdocs.yml"] if folder else []
    passed("join", "tree", *flags)
    assert not (here / "tree/robots.txt").exists()
    passed("join", "tree", *flags, "--robots", "true")
    assert (here / "tree/robots.txt").exists()


# The record: in the file of the option, wherever it is set


@pytest.fixture
def moved(here):
    """A project in which a page has moved, built before and after by one of the entry points."""

    def build(first, second) -> str:
        write(here, {"docs/index.md": "# Home", "docs/a.md": "# A\n\nA page that moves.\n"})
        commit(here)
        first()
        git(here, "mv", "docs/a.md", "docs/b.md")
        commit(here, message="Move")
        second()
        return passed("diff", "before", "after", "--redirects", "netlify").out.strip()

    return build


def html(folder: str, *names: str) -> None:
    write(Path(), {f"{folder}/{name}.html": f"<title>{name}</title>" for name in ("index", *names)})


def test_diff_finds_the_record_of_the_option_in_a_toml_file(moved, here):
    (here / "pyproject.toml").write_text('[tool.sitemap-docs]\nrecord = "rec.jsonl"\nsource = "docs"\n')

    def build(folder: str, name: str) -> None:
        html(folder, name)
        passed("build", folder, "--base-url", BASE)

    assert moved(lambda: build("before", "a"), lambda: build("after", "b")) == "/a.html /b.html 301"


def test_diff_finds_the_records_of_two_work_trees_without_the_cache(here, monkeypatch):
    """As a later job of CI does, which has the sites and the records alone."""
    lines = '[tool.sitemap-docs]\nrecord = "rec.jsonl"\nsource = "docs"\n'
    write(here, {"old/docs/index.md": "# Home", "old/docs/a.md": "# A", "old/pyproject.toml": lines})
    commit(here / "old")
    git(here, "clone", "-q", "old", "new")
    git(here / "new", "mv", "docs/a.md", "docs/b.md")
    commit(here / "new", message="Move")
    for folder, name in (("old", "a"), ("new", "b")):
        monkeypatch.chdir(here / folder)
        html("site", name)
        passed("build", "site", "--base-url", BASE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "another"))
    done = passed("diff", "../old/site", "site", "--redirects", "netlify")
    assert (done.out, done.err.count("no record")) == ("/a.html /b.html 301\n", 0)
    assert repository_of(Path("../old/site").resolve()) == here / "old"


def test_diff_finds_the_record_of_the_option_in_mkdocs_yml(mkdocs_project):
    pages = {"index.md": "# Home", "a.md": "# A\n\nA page that moves.\n"}
    project = mkdocs_project(pages, options={"record": "rec.jsonl"})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build(site_dir=str(project.root / "before"))
    git(project.root, "mv", "docs/a.md", "docs/b.md")
    project.commit("2024-01-02T00:00:00+00:00")
    project.build()
    done = passed("diff", project.root / "before", project.site, "--redirects", "netlify")
    assert done.out == "/a/ /b/ 301\n"


def test_diff_finds_the_record_of_the_option_in_conf_py(sphinx_project):
    project = sphinx_project("a", sitemap_record="rec.jsonl")
    project.commit("2024-01-01T00:00:00+00:00")
    project.out = project.root / "out-before"
    project.build()
    project.out = project.root / "out-after"
    git(project.root, "mv", "src/a.rst", "src/b.rst")
    project.commit("2024-01-02T00:00:00+00:00")
    project.build()
    done = passed("diff", project.root / "out-before", project.out, "--redirects", "sphinx-reredirects")
    assert done.out == '"a": "b.html",\n'


def test_diff_says_that_it_has_no_record(here):
    html("before", "a")
    html("after", "b")
    for folder, name in (("before", "a"), ("after", "b")):
        write(here, {f"{folder}/sitemap.xml": urlset(f"{BASE}{name}.html")})
    done = passed("diff", "before", "after", "--redirects", "netlify")
    assert done.out == ""
    assert "warning: It is unknown whether 1 removed page moved, because there is no record" in done.err


@pytest.fixture
def built(here) -> Path:
    """A folder whose build has written a record into the file rec.jsonl, and not into the cache."""
    html("site", "a")
    passed("build", "site", "--base-url", BASE, "--record", "rec.jsonl")
    for file in user_cache().rglob("*.jsonl"):
        file.unlink()
    return here / "rec.jsonl"


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param(lambda file: file.unlink(), "there is no such file", id="missing"),
        pytest.param(
            lambda file: file.write_bytes(b"[" * 100_000), "it is not the record of a build", id="nested"
        ),
        pytest.param(lambda file: file.write_bytes(b""), "it is not the record of a build", id="empty"),
        pytest.param(
            lambda file: file.write_bytes(b"{}"), "it is not the record of a build", id="of other values"
        ),
        pytest.param(lambda file: os.truncate(file, 700), "a part of it is missing", id="cut"),
        pytest.param(lambda file: (file.unlink(), file.mkdir()), "it cannot be read", id="a folder"),
    ],
)
def test_a_record_that_is_passed_must_be_readable(built, name, damage, message):
    assert read(name, "--record", built.name).code == 0
    damage(built)
    done = read(name, "--record", built.name)
    assert done.code == 2
    assert f"`--record` is rec.jsonl: {message}" in done.err
    with pytest.raises(SitemapError, match=f"`record` is rec.jsonl: {message}"):
        api.check("site", record=built.name)


@pytest.mark.parametrize("name", READERS)
def test_the_option_may_name_a_record_that_does_not_exist_yet(built, name):
    built.unlink()
    write(built.parent, {"pyproject.toml": '[tool.sitemap-docs]\nrecord = "rec.jsonl"\n'})
    assert read(name).code == 0
    built.write_text("")
    assert read(name).code == 0


@pytest.mark.parametrize("name", READERS)
def test_a_record_of_another_sitemap_is_a_warning_that_shows_both(built, name):
    html("site", "b")
    passed("build", "site", "--base-url", OTHER)
    done = read(name, "--record", built.name)
    assert done.code == 0
    (line,) = [line for line in done.err.splitlines() if "[record-unused]" in line]
    assert line.startswith("warning: rec.jsonl is not used: it belongs to another build at ")
    assert all(url in line for url in (BASE, OTHER))
    (finding,) = [found for found in api.check("site", record=built.name) if found.rule == "record-unused"]
    assert (finding.severity, finding.message in line) == ("warning", True)
    assert "record-unused" not in read(name, "--record", built.name, "--ignore", "record-unused").err


@pytest.mark.parametrize("name", READERS)
def test_a_record_of_the_site_at_another_base_url_is_a_warning(built, name):
    done = read(name, "--record", built.name, "--base-url", OTHER)
    assert f"it is the record of the site at {BASE}. The base URL of this site is {OTHER}" in done.err


@pytest.mark.parametrize("name", READERS)
def test_a_record_in_an_older_form_is_a_warning(built, name):
    built.write_bytes(built.read_bytes().replace(b'record":4', b'record":3', 1))
    done = read(name, "--record", built.name)
    assert done.code == 0
    assert "warning: rec.jsonl is not used: another version of sitemap-docs wrote it" in done.err


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("options", ["", 'record = "rec.jsonl"'])
def test_a_record_of_an_older_version_that_nobody_passes_is_one_line_of_information(here, name, options):
    """After an upgrade, the commands read the folder as if there were no record."""
    html("site", "a")
    write(here, {"pyproject.toml": f"[tool.sitemap-docs]\n{options}\n"})
    passed("build", "site", "--base-url", BASE)
    for file in (*user_cache().rglob("*.jsonl"), *here.glob("rec.jsonl")):
        file.write_bytes(file.read_bytes().replace(b'record":4', b'record":3', 1))
    done = read(name)
    assert done.code == 0
    lines = [line for line in done.err.splitlines() if line.endswith("[record-unused]")]
    assert len(lines) == 1
    assert "is not used: another version of sitemap-docs wrote it" in lines[0]
    assert "Build the site again" in lines[0]


def test_a_record_without_a_name_is_an_error(built):
    """The variable of a CI job that is not set."""
    done = read("check", "--record", "")
    assert (done.code, "`--record` is empty" in done.err) == (2, True)


# The base URL


def with_flag(name: str):
    def ask(text: str) -> str:
        arguments = {"explain": ["index.html"]}.get(name, [])
        done = command(name, "site", *arguments, "--base-url", text)
        return done.err if done.code == 2 else ""

    return ask


def with_argument(function):
    def ask(text: str) -> str:
        with pytest.raises(SitemapError) as raised:
            function("site", base_url=text)
        return str(raised.value)

    return ask


def in_toml(name: str):
    def ask(text: str) -> str:
        write(Path(), {"pyproject.toml": f"[tool.sitemap-docs]\nbase_url = {json.dumps(text)}\n"})
        done = command(name, "site", *READERS.get(name, []))
        return done.err if done.code == 2 else ""

    return ask


GIVEN = {
    **{f"flag of {name}": with_flag(name) for name in ("build", "join", *READERS)},
    **{f"file of {name}": in_toml(name) for name in ("build", "join", *READERS)},
    **{function.__name__: with_argument(function) for function in (api.build, api.check)},
}


@pytest.mark.parametrize("ask", GIVEN.values(), ids=GIVEN)
def test_a_base_url_that_is_given_must_be_one(here, ask):
    """Neither the empty value of a variable, nor the address of a file; with a slash, it is a folder."""
    write(
        here,
        {"site/index.html": page(BASE), "site/sitemap.xml": urlset(BASE), "site/1.0/sitemap.xml": urlset()},
    )
    before = {file: file.read_bytes() for file in here.rglob("*.*ml") if file.name != "pyproject.toml"}
    for text in ("", " "):
        assert "is empty. Is a variable of the CI job not set?" in ask(text)
    for name in ("index.html", "docs/sitemap.xml"):
        assert "is the address of a file. Write https://docs.example.org/" in ask(f"{BASE}{name}")
    assert all(file.read_bytes() == data for file, data in before.items())
    assert not [*here.rglob("robots.txt")]


def test_the_address_of_the_deployed_site_must_not_be_empty(here):
    html("site")
    done = command("check", "site", "--base-url", BASE, "--at", "")
    assert (done.code, "`--at` is empty" in done.err) == (2, True)


def test_an_address_that_looks_like_a_file_may_be_a_folder(here):
    html("site")
    for url in ("https://docs.example.md", f"{BASE}awesome.md/"):
        assert passed("build", "site", "--base-url", url, "--json").data["base_url"] == f"{url.rstrip('/')}/"


@pytest.mark.parametrize(
    ("url", "said"),
    [("", "no sitemap: no base URL"), (f"{BASE}index.html", "[sitemap_docs.base-url-unlikely]")],
)
def test_conf_py_may_have_an_empty_base_url_and_that_of_a_file_is_a_warning(sphinx_project, url, said):
    done = sphinx_project(html_baseurl=url).build()
    assert said in done.status + done.warnings


@pytest.mark.parametrize(
    ("url", "said"),
    [("", "no sitemap: no base URL"), (f"{BASE}index.html", "[base-url-unlikely]")],
)
def test_mkdocs_yml_may_have_an_empty_base_url_and_that_of_a_file_is_a_warning(mkdocs_project, url, said):
    project = mkdocs_project({"index.md": "# Home"}, site_url=url)
    assert [line for line in project.build() if said in line]


REPLACED = {  # the files, the addresses of another program's sitemap, and the base URL
    "a page": (["index.html", "install/index.html"], ["docs/install/"], "docs/"),
    "a page without a folder": (["index.html", "install.html"], ["docs/install"], "docs/"),
    "the only page": (["index.html"], ["docs/"], "docs/"),
    "a page that is gone, or the home page": (["index.html", "a/index.html"], ["docs/install/"], None),
    "the home page and another": (["index.html", "a/index.html"], ["docs/", "docs/a/"], "docs/"),
}


@pytest.mark.parametrize(("names", "locs", "expected"), REPLACED.values(), ids=REPLACED)
def test_a_guessed_base_url_fits_the_files(here, names, locs, expected):
    """That of another program's sitemap, whose entries lead to pages there."""
    write(here, {f"site/{name}": "<title>x</title>" for name in names})
    write(here, {"site/sitemap.xml": urlset(*(BASE + loc for loc in locs))})
    before = (here / "site/sitemap.xml").read_bytes()
    done = command("build", "site", "--json")
    if expected is None:
        assert (done.code, "No base URL found" in done.err) == (2, True)
        assert (here / "site/sitemap.xml").read_bytes() == before
    else:
        assert done.data["base_url"] == BASE + expected
        assert sorted(set(locs) & set(lines(here))) == sorted(locs)


def lines(root: Path) -> list[str]:
    text = (root / "site/sitemap.xml").read_text()
    return [line.partition("</loc>")[0].removeprefix(BASE) for line in text.split("<loc>")[1:]]


@pytest.mark.parametrize("name", [*READERS, "api"])
@pytest.mark.parametrize("filename", ["sitemap.xml", "pages.xml"])
def test_our_own_sitemap_says_where_the_site_is_and_not_the_one_that_it_replaced(here, name, filename):
    """Without the record. The comment in ours describes the replaced one, here that of a former host."""
    html("site", "a", "b")
    former = urlset(*(f"{OTHER}{each}" for each in ("", "a.html", "b.html")))
    write(here, {f"site/{filename}": former})
    flags = ["--filename", filename] if filename != "sitemap.xml" else []
    passed("build", "site", "--base-url", BASE, "--replace", *flags)
    assert "<!-- replaced: " in (here / "site" / filename).read_text()
    for file in user_cache().rglob("*.jsonl"):
        file.unlink()
    write(here, {"pyproject.toml": f'[tool.sitemap-docs]\nfilename = "{filename}"\n'})
    if name == "api":
        found = api.check("site", config="pyproject.toml")
        assert [finding for finding in found if finding.severity == "error"] == []
    elif name == "check":
        done = read(name, "--json")
        assert done.data["findings"] == []
    else:
        done = read(name, "--json")
        assert BASE in done.out
        assert OTHER not in done.out
