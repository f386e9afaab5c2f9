"""What is decided about a built folder is one thing, with the record of its build and without."""

import shutil

import pytest

from sitemap_docs.api import read_sitemap
from sitemap_docs.surroundings import user_cache
from tests.conftest import BASE, REFRESH, command, commit, git, write

PAGE = '<!doctype html><html lang="en"><head><title>{}</title>{}</head><body><p>{}</p></body></html>'
NOINDEX = '<meta name="robots" content="noindex">'
CANONICAL = '<link rel="canonical" href="{}{}">'


def page(name: str, head: str = "") -> str:
    return PAGE.format(name, head, name)


def check(*flags: str) -> list[str]:
    findings = command("check", "site", "--json", *flags).data["findings"]
    return [f"{finding['rule']} {finding['where']}" for finding in findings]


def explain(name: str, *flags: str) -> dict[str, object]:
    return command("explain", "site", name, "--json", *flags).data


def both(ask):
    """An answer with the record, which is that without; both are given the options of the build."""
    known = ask()
    shutil.rmtree(user_cache())
    assert ask() == known
    return known


@pytest.fixture
def build(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def build(pages: dict[str, str], *flags: str) -> tuple[str, ...]:
        write(tmp_path / "site", pages)
        given = ("--base-url", BASE, *flags)
        assert command("build", "site", *given).code == 0
        return given

    return build


def test_two_files_at_one_address(build):
    pages = {name: page(name) for name in ("index.html", "a.html", "a/index.html")}
    flags = build(pages, "--links", "bare")
    assert both(lambda: check(*flags)) == []
    build({}, "--links", "bare")
    listed = both(lambda: explain(f"{BASE}a", *flags)["file"])
    build({}, "--links", "bare")
    other = {"a.html": "a/index.html", "a/index.html": "a.html"}[listed]
    assert both(lambda: explain(other, *flags)["reason"]) == "duplicate address"


@pytest.mark.parametrize("recorded", [True, False], ids=["with the record", "without"])
@pytest.mark.parametrize("kind", ["canonical", "noindex"])
def test_an_address_belongs_to_the_page_that_is_listed_there(build, recorded, kind):
    """A server could send a.html or a/index.html for /a. The build lists one of them, and readers agree."""
    left_out = CANONICAL.format(BASE, "b") if kind == "canonical" else NOINDEX
    pages = {
        "index.html": page("Home", CANONICAL.format(BASE, "")),
        "a.html": page("A redirect", left_out),
        "a/index.html": page("A", CANONICAL.format(BASE, "a")),
        "b.html": page("B", CANONICAL.format(BASE, "b")),
    }
    flags = build(pages, "--links", "bare")
    if not recorded:
        shutil.rmtree(user_cache())
    assert check(*flags) == []
    listed = explain("a/index.html", *flags)
    assert (listed["listed"], listed["loc"], listed["sitemap"]) == (True, f"{BASE}a", "sitemap.xml")
    assert explain(f"{BASE}a", *flags)["file"] == "a/index.html"
    reason = "canonical elsewhere" if kind == "canonical" else "noindex"
    other = explain("a.html", *flags)
    assert (other["listed"], other["reason"], other["sitemap"]) == (False, reason, "")
    assert explain(f"{BASE}b", *flags)["file"] == "b.html"


def test_translations_are_those_of_the_page_that_is_listed_at_the_address(build):
    links = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{BASE}{path}">'
        for code, path in (("en", "a"), ("de", "de/a"))
    )
    pages = {
        "a.html": page("Hidden", NOINDEX),
        "a/index.html": page("A", CANONICAL.format(BASE, "a") + links),
        "de/a.html": page("A", CANONICAL.format(BASE, "de/a") + links),
    }
    flags = build(pages, "--links", "bare")
    alternates = {entry.loc: dict(entry.alternates) for entry in read_sitemap("site/sitemap.xml")}
    both = {"de": f"{BASE}de/a", "en": f"{BASE}a"}
    assert alternates == {f"{BASE}a": both, f"{BASE}de/a": both}
    assert check(*flags, "--select", "hreflang") == []


def test_a_page_that_is_left_out_has_the_style_of_the_others(build):
    pages = {f"{name}/index.html": page(name, CANONICAL.format(BASE, name)) for name in "abc"}
    flags = build({**pages, "q/index.html": page("q", '<meta name="robots" content="noindex">')})
    assert both(lambda: explain("q/index.html", *flags)["loc"]) == f"{BASE}q"


def test_a_page_that_loads_itself_anew_and_links_that_spell_addresses_otherwise(build):
    pages = {f"{name}.html": page(name, CANONICAL.format(BASE, name)) for name in "ab"}
    pages["c.html"] = page("c", '<meta http-equiv="refresh" content="300; url=c.html">')
    flags = build(pages, "--links", "files")
    assert both(lambda: check(*flags, "--ignore", "home-missing")) == []


def test_no_page_of_a_preview_has_another_reason(here):
    """The reasons of the pages do not matter, because the join lists no page of a preview."""
    pages = {
        "index.html": page("Preview"),
        "canonical.html": page("B", CANONICAL.format(BASE, "2.0/")),
        "moved.html": REFRESH.format("index.html"),
        "noindex.html": page("C", NOINDEX),
    }
    preview = "pr-preview/pr-12"
    write(here / "site" / preview, pages)
    write(here / "site/2.0", {"index.html": page("2.0")})
    for folder in (preview, "2.0"):
        assert command("build", f"site/{folder}", "--base-url", f"{BASE}{folder}/").code == 0
    assert command("join", "site", "--base-url", BASE).code == 0
    reasons = both(
        lambda: {name: explain(f"{preview}/{name}", "--base-url", BASE)["reason"] for name in pages}
    )
    assert reasons == dict.fromkeys(pages, "version not selected")


def test_a_date_in_the_future_is_not_the_one_of_the_page(build, tmp_path):
    write(tmp_path, {"docs/index.md": "---\nsitemap: {lastmod: 2999-01-01}\n---\n"})
    flags = build({"index.html": page("Home")}, "--source", "docs")
    why = "the sources are not in a git repository"
    assert both(lambda: explain("index.html", *flags)["undated_cause"]) == why


def test_a_commit_is_that_of_a_file_of_the_page(build, tmp_path):
    """One commit for several pages."""
    commit(write(tmp_path, {f"docs/{name}.md": name for name in ("index", "beta")}), "docs")
    flags = build({"index.html": page("Home"), "beta.html": page("beta")}, "--source", "docs")
    assert both(lambda: explain("docs/beta.md", *flags)["dated"]["file"]) == "docs/beta.md"


def test_a_version_that_was_built_elsewhere(tmp_path, monkeypatch):
    """Of two versions, one has no record here: what it left out is unknown, and no finding."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"site/index.html": '<meta http-equiv="refresh" content="0; url=v2/">'})
    generator = '<meta name="generator" content="mkdocs-1.6.1">'
    for version in ("v1", "v2"):
        files = {"index.html": page(version, generator), "draft.html": page("draft")}
        write(tmp_path / "site" / version, files)
        command("build", f"site/{version}", "--base-url", f"{BASE}{version}/", "--excludes", "draft.html")
        if version == "v1":
            shutil.copytree(user_cache(), tmp_path / "kept")
            shutil.rmtree(user_cache())
    shutil.rmtree(user_cache())
    shutil.copytree(tmp_path / "kept", user_cache())
    command("join", "site", "--base-url", BASE)
    assert check() == []
    message = command("check", "site").err
    assert "No sitemap lists 1 page." in message
    assert "To write the record, set the option `record` in mkdocs.yml" in message
    reasons = {version: explain(f"{version}/draft.html")["reason"] for version in ("v1", "v2")}
    assert reasons == {"v1": "excluded", "v2": "not in the sitemap"}


@pytest.mark.parametrize(
    ("flags", "listed", "copy"),
    [
        pytest.param([], "2.0", "latest", id="the name of the version"),
        pytest.param(["--canonical-version", "latest"], "latest", "2.0", id="the alias"),
        pytest.param(["--versions", "latest", "--versions", "1.0"], "latest", "2.0", id="a choice"),
        pytest.param(
            ["--versions", "latest", "--versions", "1.0", "--merge"], "latest", "2.0", id="one file"
        ),
    ],
)
def test_versions_that_a_join_leaves_out(tmp_path, monkeypatch, flags, listed, copy):
    """Previews, the option leave_out and copies are known without the record of the join."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.sitemap-docs]\nleave-out = ["beta"]\n')
    for version in ("1.0", "2.0", "latest", "beta", "pr-preview/pr-7"):
        text = version.replace("latest", "2.0")
        write(tmp_path / "site" / version, {name: page(text + name) for name in ("index.html", "a.html")})
        assert command("build", f"site/{version}", "--base-url", f"{BASE}{version}/").code == 0
    assert command("join", "site", "--base-url", BASE, *flags).code == 0
    assert both(check) == []
    assert (explain(f"{listed}/a.html")["listed"], explain(f"{listed}/a.html")["detail"]) == (True, "")
    assert explain(f"{copy}/a.html")["detail"] == f"{BASE}{listed}/"
    details = {name: explain(f"{name}/a.html")["detail"] for name in ("beta", "pr-preview/pr-7")}
    assert details == {
        "beta": "the option `leave_out` matches it",
        "pr-preview/pr-7": "the name of its folder looks like a preview",
    }


NEXT_JOB = "what only the build knew is unknown, and never wrong"


def test_the_next_job_after_a_build_of_sphinx(sphinx_project, monkeypatch, tmp_path):
    """Options in conf.py and in a page, and commits that it passes over: one line, which names the option.

    That git names another date is no finding where it is our sitemap.
    """
    project = sphinx_project("a", "b", sitemap_excludes=["b"], sitemap_lastmod_ignore_revs="ignored")
    project.write({"src/off.rst": ":sitemap: false\n\nOff\n===\n"})
    project.commit("2024-01-01T00:00:00+00:00")
    project.write({"src/a.rst": "A\n=\n\nReformatted.\n"})
    project.commit("2024-03-01T00:00:00+00:00")
    project.write({"src/ignored": git(project.root, "rev-parse", "HEAD")})
    project.build()
    file = project.out / "sitemap.xml"
    assert "2024-03-01" not in file.read_text()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "next"))
    flags = ("check", project.out, "--source", project.src)
    for given in (flags[:2], flags):
        done = command(*given)
        assert done.code == 0, f"{NEXT_JOB}: {done.out}"
        assert "`sitemap_record` in conf.py" in done.err
    file.write_bytes(file.read_bytes().replace(b"<!-- sitemap-docs", b"<!-- another program"))
    assert "lastmod-differs-from-git" in command(*flags).out


def test_the_next_job_after_a_build_of_mkdocs(mkdocs_project, monkeypatch, tmp_path):
    pytest.importorskip("mkdocs")
    files = {"index.md": "# Home", "a.md": "# A", "b.md": "# B", "off.md": "---\nsitemap: false\n---\n# Off"}
    project = mkdocs_project(files, options={"excludes": ["a.md"]}, hooks=["hook.py"])
    hook = "def sitemap_entry(entry, *, page, config): return page.path != 'b/' and entry"
    project.write({"hook.py": hook})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "next"))
    done = command("check", str(project.site))
    assert done.code == 0, f"{NEXT_JOB}: {done.out}"
    assert "`record` in mkdocs.yml" in done.err


def test_a_page_that_a_link_to_another_folder_shows(build, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/latest").symlink_to("v2")
    flags = build({f"v2/{name}.html": page(name) for name in ("index", "a")})
    for name in ("latest/a.html", f"{BASE}latest/a.html", "latest/"):
        shown = f"{BASE}v2/{'a.html' * name.endswith('a.html')}"
        assert both(lambda name=name: explain(name, *flags)["detail"]) == shown
        build({})
    assert explain("latest/a.html", *flags)["reason"] == "copy of another build"
    assert command("explain", "site", "latest/b.html", *flags).code == 2
