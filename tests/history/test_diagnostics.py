"""What a build says of its dates: files that git does not track, and one change that dates many pages."""

import os
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from sitemap_docs.history import diagnostics
from sitemap_docs.model import Cause
from tests.conftest import BASE, command, commit, git, passed, write

PAGES = [f"page{number}" for number in range(10)]


def line(shown: str, rule_part: str) -> str:
    """The one line of a build's output that holds a text; empty where there is none."""
    found = [each for each in shown.splitlines() if rule_part in each]
    assert len(found) < 2
    return "".join(found)


@pytest.fixture
def sphinx(sphinx_project):
    """Three pages, of which the middle one includes a file that git ignores, and one that a program made."""
    sphinx_project("index", "generated", "other", html_baseurl=BASE)
    include = ".. literalinclude:: options.txt\n\n.. literalinclude:: tracked.txt\n"
    files = {"src/generated.rst": sphinx_project.page("Generated", include), "src/tracked.txt": "tracked"}
    sphinx_project.write(files | {".gitignore": "/out*/\n/trees*/\n/cache/\noptions.txt\n"})
    commit(sphinx_project.root)
    made = "made before the build"
    sphinx_project.write({"src/options.txt": made, "src/made.rst": sphinx_project.page("Made", made)})
    return sphinx_project


UNTRACKED = (
    f"{BASE}made.html has no lastmod: src/made.rst is untracked. Commit the source. If a program writes"
)


def test_a_page_that_is_or_includes_what_git_does_not_track_has_no_date(sphinx):
    """Unless the project takes the included file out, or it is not there."""
    done = sphinx.build("html", "-W", "-v")
    assert sphinx.lastmods()["generated.html"] is None
    assert sphinx.lastmods()["other.html"]
    found = line(done.status, "includes this file")
    assert "has no lastmod: " in found
    assert 'set `sitemap_lastmod_excludes` in conf.py to ["options.txt"].' in found
    assert UNTRACKED in done.status
    assert "`:sitemap-sources: ...` in the field list" in done.status
    assert f"sitemap-docs: no date: {BASE}made.html: src/made.rst is untracked" in done.status
    assert "pages-undated" not in done.status
    for excludes in (["options.txt"], None):
        sphinx.configure(sitemap_lastmod_excludes=excludes)
        done = sphinx.build()
        assert sphinx.lastmods()["generated.html"]
        assert not line(done.status, "includes this file")
        (sphinx.root / "src/options.txt").unlink(missing_ok=True)


SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'
MODULE = 'class Thing:\n    """A thing."""\n\n\ndef use():\n    """Use it."""\n'
CLICK = "import click\n\n\n@click.command()\ndef run():\n    pass\n"
PACK = {"made_pack/__init__.py": "from made_pack._made import Thing\n"}
#: What a page shows that git does not track: its text, the other files of the project, and the file itself.
UNTRACKED_FILES = {
    "image": (".. image:: /made.svg", {}, ("src/made.svg", SVG)),
    "image-any": (".. image:: any.*", {}, ("src/any.svg", SVG)),
    "substitution": (".. |a| image:: made.svg\n\n|a| text", {}, ("src/made.svg", SVG)),
    "table": (".. csv-table:: A\n   :file: made.csv", {}, ("src/made.csv", "a,b\n")),
    "raw": (".. raw:: html\n   :file: made.html", {}, ("src/made.html", "<p>a</p>")),
    "download": (":download:`A file <made.zip>`", {}, ("src/made.zip", "x")),
    "literal": (".. literalinclude:: made.txt", {}, ("src/made.txt", "x")),
    "nested": (".. include:: part.txt", {"src/part.txt": ".. include:: deep.txt\n"}, ("src/deep.txt", "x")),
    "module": (".. automodule:: made_alone", {}, ("made_alone.py", MODULE)),
    "imported": (".. autoclass:: made_pack.Thing", PACK, ("made_pack/_made.py", MODULE)),
    "current": (".. currentmodule:: made_now\n\n.. autofunction:: use", {}, ("made_now.py", MODULE)),
    "click": (".. click:: made_click:run\n   :prog: run", {}, ("made_click.py", CLICK)),
    "myst-image": ("![A](made.svg)", {}, ("src/made.svg", SVG)),
    "myst-link": ("[A file](made.zip)", {}, ("src/made.zip", "x")),
    "myst-definition": ("![A][a]\n\n[a]: made.svg", {}, ("src/made.svg", SVG)),
    "myst-table": ("```{csv-table} A\n---\nfile: made.csv\n---\n```", {}, ("src/made.csv", "a,b\n")),
    "myst-option": ("```{csv-table} A\n:file: made.csv\n```", {}, ("src/made.csv", "a,b\n")),
    "myst-download": ("{download}`made.zip`", {}, ("src/made.zip", "x")),
    "myst-include": ("```{include} part.md\n```", {"src/part.md": "![A](deep.svg)\n"}, ("src/deep.svg", SVG)),
}
NEEDED = {"myst": "myst_parser", "click": "sphinx_click"}
#: What the command dates by the source alone, as with all other generators.
NOT_MARKED = ("image", "substitution", "download", "myst-link", "myst-definition")


@pytest.mark.filterwarnings("ignore")  # other extensions' own
def test_what_git_does_not_track_dates_no_page(sphinx, monkeypatch):
    """The plugin knows by Sphinx what a page shows; for the command, it is marked in the text."""
    monkeypatch.chdir(sphinx.root)
    monkeypatch.syspath_prepend(sphinx.root)
    extensions = ["sitemap_docs", "sphinx.ext.autodoc"]
    extensions += [name for name in ("myst_parser", "sphinx_click") if find_spec(name)]
    sphinx.configure(extensions=extensions, exclude_patterns=["part.md"])
    files, made = {}, {"src/options.txt": "x"}
    for kind, (text, others, (file, content)) in UNTRACKED_FILES.items():
        if find_spec(NEEDED.get(kind.partition("-")[0], "sphinx")):
            name, page = f"src/{kind}.rst", sphinx.page(kind, text)
            if kind.startswith("myst"):
                name, page = f"src/{kind}.md", f"---\norphan: true\n---\n# A\n\n{text}\n"
            files |= {name: page, **others}
            made[file] = content
    ignored = "\n".join(["/out*/", "/trees*/", "/cache/", *made])
    sphinx.commit("2024-01-02T00:00:00+00:00", files | {".gitignore": ignored})
    sphinx.write(made)
    sphinx.build()
    pages = [f"{Path(name).stem}.html" for name in files if Path(name).stem in UNTRACKED_FILES]
    expected = sphinx.lastmods()
    assert [expected[page] for page in pages] == [None] * len(pages)
    assert expected["index.html"] == "2024-01-01T00:00:00+00:00"
    given = ["build", "out", "--source", "src", "--base-url", BASE, "--replace", "-v"]
    done = passed(*given)
    found = sphinx.lastmods()
    for page in pages:
        is_marked = not any(word in page for word in NOT_MARKED)
        assert found[page] == (None if is_marked else "2024-01-02T00:00:00+00:00"), page
        assert (
            f"no date: {BASE}{page}: sitemap-docs does not know the included file of " in done.err
        ) == is_marked
    command(*given, "--no-lastmod-dependencies")
    assert {sphinx.lastmods()[page] for page in pages} == {"2024-01-02T00:00:00+00:00"}


def test_the_author_names_what_the_command_does_not_follow(sphinx, monkeypatch):
    text = sphinx.page("Other", ".. literalinclude:: tracked.txt\n")
    sphinx.commit("2024-01-03T00:00:00+00:00", {"src/other.rst": f":sitemap-sources: tracked.txt\n{text}"})
    monkeypatch.chdir(sphinx.root)
    sphinx.build()
    command("build", "out", "--source", "src", "--base-url", BASE, "--replace")
    assert sphinx.lastmods()["other.html"] == "2024-01-03T00:00:00+00:00"


def test_what_is_no_file_of_the_project_hides_no_date(sphinx, tmp_path_factory):
    """An installed package; and a Python that pyenv has installed into its own clone, which ignores it."""
    clone = tmp_path_factory.mktemp("pyenv")
    git(clone, "init", "-q")
    git(clone, "commit", "-q", "--allow-empty", "-m", "A version")
    (clone / "module.py").write_text("pass\n")
    included = os.path.relpath(clone / "module.py", sphinx.root / "src").replace(os.sep, "/")
    sphinx.write({"venv/lib/site-packages/options.txt": "1"})
    files = (included, "../venv/lib/site-packages/options.txt")
    text = "".join(f".. literalinclude:: {file}\n\n" for file in files)
    sphinx.write({"src/generated.rst": sphinx.page("Generated", text)})
    commit(sphinx.root, "src/generated.rst", date="2024-02-01T00:00:00+00:00")
    sphinx.build()
    assert sphinx.lastmods()["generated.html"].startswith("2024-02-01")


def test_one_included_file_that_dates_most_pages(mkdocs_project):
    pytest.importorskip("pymdownx", reason="needs pymdown-extensions")
    pages = {f"{name}.md": '# x\n\n--8<-- "docs/words.txt"\n' for name in PAGES} | {"words.txt": "one"}
    project = mkdocs_project({"index.md": "# Home", **pages}, markdown_extensions=["pymdownx.snippets"])
    project.commit("2024-01-01T00:00:00+00:00")
    assert not line("\n".join(project.build()), "of 11 pages")
    project.commit("2024-02-01T00:00:00+00:00", {"docs/words.txt": "two"})
    found = line("\n".join(project.build()), "of 11 pages")
    assert "INFO" in found
    assert "10 of 11 pages have the date of docs/words.txt, because" in found
    assert '`lastmod_excludes` to ["docs/words.txt"]' in found
    project.configure(options={"lastmod_excludes": ["docs/words.txt"]})
    assert not line("\n".join(project.build()), "of 11 pages")
    assert set(project.lastmods().values()) == {"2024-01-01T00:00:00+00:00"}


def folder(root, pages: dict[str, str | None]) -> None:
    """A built page of each name, and its source where there is one."""
    for name, source in pages.items():
        write(root, {f"site/{name}/index.html": f"<title>{name}</title>"})
        if source is not None:
            write(root, {f"docs/{name}.md": source})


def run(*arguments: str):
    return command(*arguments, "--source", "docs", "--base-url", BASE)


def test_the_command_reports_them_too_and_check_finds_no_source(here, monkeypatch):
    folder(here, {"a": "A", "b": "B"})
    write(here, {".gitignore": "docs/\nsite/\n"})
    commit(here)
    done = run("build", "site", "-v")
    assert done.err.count("2 pages have no lastmod") == done.err.count("untracked-source") == 1
    assert f"no date: {BASE}a/: docs/a.md is untracked" in done.err
    assert "sources-missing" not in done.err
    assert "untracked-source" not in run("check", "site").err  # the build has said so
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "another"))
    assert run("check", "site").err.count("untracked-source") == 1
    git(here, "add", "-f", "docs")
    git(here, "commit", "-qm", "x")
    done = run("check", "site")
    assert "sources-missing" not in done.err + done.out


def test_a_third_without_a_date_is_reported_whatever_the_cause(here):
    """Here they have no source; of fewer, and of what the options take out, nothing is said."""
    folder(here, {"a": "A", "b": "B", "c": None})
    commit(here)
    done = run("build", "site")
    assert done.err.count("pages-undated") == 1
    assert f"1 of 3 pages has no lastmod, such as {BASE}c/: no source file is known" in done.err
    folder(here, {"d": "D"})
    commit(here)
    assert "pages-undated" not in run("build", "site").err
    assert "pages-undated" not in run("build", "site", "--lastmod-excludes", "docs/*").err


def test_explain_gives_the_cause_of_the_build(here):
    """From its record, and without one."""
    named = "---\nsitemap: {sources: b.md}\n---\n{% include name %}"
    folder(here, {"a": "{% include name %}", "b": "B", "c": named})
    write(here, {"mkdocs.yml": "plugins: [macros]\n"})
    commit(here)
    why = "the name of an included file is computed, {% include name %}"
    for built in (False, True):
        known = run("explain", "site", "a/", "--json").data
        assert (known["record"], known["undated_cause"], known["undated"]) == (built, why, [])
        assert known["source"] == "docs/a.md"
        done = run("build", "site")
        assert f"{BASE}a/ has no lastmod: {why}. Write the name of the file itself instead" in done.err
    assert f"<loc>{BASE}c/</loc><lastmod>" in (here / "site/sitemap.xml").read_text()


def test_what_a_configuration_inherits_matters_only_without_a_record(here):
    folder(here, {"a": "A"})
    commit(here)
    run("build", "site")
    write(here, {"mkdocs.yml": "INHERIT: gone.yml\n"})
    assert "gone.yml" not in run("explain", "site", "a/").err
    (here / "site/sitemap.xml").write_text("<urlset/>")
    assert "gone.yml, the file in INHERIT of " in run("check", "site").err


# Advice that fits the repository


@pytest.fixture
def site(here):
    """A built page and its source, in a repository with one commit."""
    folder(here, {"a": "A"})
    write(here, {".gitignore": "site/\n"})
    commit(here)
    return here


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        pytest.param({"extensions.some": "x"}, "unknown repository extension found: some)", id="one"),
        pytest.param({"extensions.a": "1", "extensions.b": "2"}, "extensions found: a b)", id="two"),
        pytest.param(
            {"core.repositoryFormatVersion": "99"}, "git repo version <= 1, found 99)", id="version"
        ),
        pytest.param({"extensions.objectFormat": "sha9"}, "'extensions.objectformat': 'sha9')", id="hash"),
    ],
)
def test_a_repository_that_needs_a_newer_git(site, settings, shown):
    """Git prints the names of extensions on lines of their own."""
    for name, value in {"core.repositoryFormatVersion": "1", **settings}.items():
        git(site, "config", "--file", str(site / ".git/config"), name, value)
    found = line(run("build", "site").err, "[git-outdated]")
    assert shown in found
    assert "Install a newer git" in found


def test_a_message_of_git_on_two_lines_is_shown_whole(site):
    git(site, "config", "extensions.noop-v1", "true")  # only valid in version 1
    found = line(run("build", "site").err, "[git-failed]")
    if found:  # since git 2.28
        assert "v1-only extension found: noop-v1" in found


def test_a_worktree_without_the_folder_of_its_repository(site, tmp_path):
    git(site, "worktree", "add", "-q", "tree")
    (site / ".git").rename(site / "moved")
    (site / "tree/site").symlink_to(site / "site")
    found = line(run("build", "site", "--source", "tree/docs").err, "[git-folder-missing]")
    assert str(site / ".git/worktrees/tree") in found
    assert "no-repository" not in run("explain", "site", "a/", "--source", "tree/docs").out


def test_a_clone_whose_objects_are_in_a_missing_folder(site, tmp_path):
    git(tmp_path, "clone", "-q", "--shared", str(site), "copy")
    (site / ".git").rename(site / "moved")
    found = line(run("build", "site", "--source", str(tmp_path / "copy/docs")).err, "[git-folder-missing]")
    assert str(site / ".git/objects") in found


def test_a_file_that_git_tracks_with_other_capital_letters(site):
    """On a system that tells the names apart, the file may have been renamed without git."""
    git(site, "mv", "docs/a.md", "docs/A.md")
    commit(site)
    (site / "docs/A.md").rename(site / "docs/a.md")
    done = run("build", "site")
    found = line(done.err, "[file-name-case]")
    assert (
        f"{BASE}a/ has no lastmod: git tracks docs/a.md as docs/A.md (upper and lower case differ). " in found
    )
    assert "untracked" not in done.err
    commands = done.err.split("[file-name-case]\n")[1].splitlines()[:2]
    for command_line in commands:
        git(site, *command_line.split()[1:])
    git(site, "commit", "-qm", "The present name")
    assert "1 dated" in run("build", "site").out


def test_two_files_whose_names_differ_in_capital_letters(site):
    if (site / "docs/A.md").exists():
        pytest.skip("the names are one file here")
    git(site, "mv", "docs/a.md", "docs/A.md")
    commit(site)
    (site / "docs/a.md").write_text("Another file.")
    assert "[untracked-source]" in run("build", "site").err


@pytest.mark.parametrize("seconds", ["-31536000", "-1"])
def test_a_commit_before_1970(site, seconds):
    tree = git(site, "rev-parse", "HEAD^{tree}").strip()
    who = f"A <a@example.org> {seconds} +0000"
    text = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nOld\n"
    name = git(site, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", given=text).strip()
    git(site, "update-ref", "HEAD", name)
    done = run("build", "site")
    found = line(done.err, "[old-commit]")
    assert "dated before 1970" in found
    assert name[:12] in found
    assert "future" not in done.err
    assert "is dated before 1970" in run("explain", "site", "a/").out


def test_a_future_author_date_is_shown_where_author_dates_count(site):
    write(site, {"docs/a.md": "B"})
    git(site, "commit", "-qam", "B", "--date=2098-01-01T00:00:00+00:00")
    assert "2098-01-01" in line(run("build", "site", "--lastmod", "author").err, "[future-commit]")
    assert "future-commit" not in run("build", "site").err


@pytest.mark.parametrize("trouble", ["no-repository", "git-missing"])
def test_a_page_without_a_source_is_not_the_cause_for_all_pages(site, trouble, monkeypatch):
    """Most pages have no date because of git, and one because it is generated."""
    folder(site, {"made": None})
    if trouble == "no-repository":
        (site / ".git").rename(site / "moved")
    else:
        monkeypatch.setenv("PATH", str(site / "site"))
    write(site, {f"docs/{name}.md": name for name in "bcd"})
    folder(site, dict.fromkeys("bcd"))
    done = run("build", "site")
    assert trouble in done.err
    assert "no source file is known" not in done.err


def test_a_shallow_submodule_of_a_whole_clone(here, tmp_path, monkeypatch):
    """The message shows the folder and its command, and not the setting of the platform for the clone."""
    library = write(tmp_path / "library", {"lib.md": "1", "new.md": "1"})
    commit(library)
    commit(write(library, {"new.md": "2"}))
    folder(here, {"a": "A"})
    write(here, {".gitignore": "site/\n"})
    commit(here)
    url = library.as_uri()
    git(
        here,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        "--depth",
        "1",
        url,
        "docs/vendor",
    )
    commit(here)
    write(here, {f"site/vendor/{name}/index.html": f"<title>{name}</title>" for name in ("lib", "new")})
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("SITEMAP_DOCS_ACTION", "true")  # Each warning is printed once.
    done = run("build", "site")
    found = line(done.err, "[shallow-clone]")
    assert "The clone in docs/vendor is shallow: it lacks the last change of 2 of 3 pages" in found
    assert f"run in {here}:\n  (cd docs/vendor && git fetch --unshallow --filter=blob:none)" in done.err
    assert "fetch-depth" not in done.err
    assert "the clone in docs/vendor is shallow" in run("explain", "site", "vendor/lib/").out
    git(here, "rm", "-q", "--cached", "docs/a.md")  # The audit says the same about the pages.
    assert "The clone in docs/vendor is shallow" in run("check", "site").out
    git(here / "docs/vendor", "fetch", "-q", "--unshallow")
    assert "shallow-clone" not in run("build", "site").err


def test_the_advice_on_listing_sources_fits_the_format_of_the_page(here):
    names = {"a.adoc": "include::x.adoc[]\n", "b.rst": ".. include:: x\n", "c.md": "{% include x %}\n"}
    names |= {"d.adoc": "---\ntitle: D\n---\ninclude::x.adoc[]\n"}
    for name, text in names.items():
        write(here, {f"docs/{name}": text, f"site/{name[0]}.html": "<title>x</title>"})
    commit(here)
    found = [part for part in run("build", "site").err.splitlines() if "[computed-include]" in part]
    advice = {
        part.split(BASE)[1][:6]: part.partition("has no lastmod: ")[2]
        for part in found
        if "2 pages" not in part
    }
    assert "`lastmod_dependencies` to false" in advice["a.html"]
    assert "`:sitemap-sources: ...` in the field list" in advice["b.html"]
    (of_front_matter,) = [part for part in found if "2 pages have no lastmod, such as " in part]
    assert "`sitemap: {sources: [...]}` in the front matter" in of_front_matter


def test_the_command_names_the_extension_of_sphinx(sphinx, monkeypatch):
    monkeypatch.chdir(sphinx.root)
    sphinx.build()
    done = passed("build", "out", "--source", "src", "--base-url", BASE, "--replace")
    found = line(done.err, "[computed-include]")
    assert 'Add "sitemap_docs" to `extensions` in conf.py' in found
    assert "front matter" not in found


# Causes are values: nothing reads their words


WORDS = "Other words, [so] they; say (nothing)"


def change_words(monkeypatch) -> None:
    """From now on, each cause has other words, as if another version of the program had made it."""
    create = Cause.__new__
    monkeypatch.setattr(
        target=Cause,
        name="__new__",
        value=lambda cls, rule, _, *others, **named: create(cls, rule, WORDS, *others, **named),
    )
    constants = {name: value for name, value in vars(diagnostics).items() if isinstance(value, Cause)}
    assert len(constants) > 3
    for name, cause in constants.items():
        monkeypatch.setattr(diagnostics, name, cause._replace(words=WORDS))


@pytest.fixture
def undated(tmp_path, monkeypatch) -> Path:
    """A shallow clone of a project of MkDocs and its site, with a page for each frequent cause."""
    plugins = "plugins: [macros, mkdocstrings]\nmarkdown_extensions: [pymdownx.snippets]\n"
    config = f"site_name: x\nsite_url: {BASE}\n{plugins}"
    origin = write(tmp_path / "origin", {"mkdocs.yml": config, "docs/cut.md": "# Cut", "docs/new.md": "# 1"})
    commit(origin)
    computed = {"docs/computed.md": "{% include name %}\n", "docs/part.md": '--8<-- "part.txt"\n'}
    commit(write(origin, {**computed, "docs/new.md": "# 2", ".gitignore": "*.txt\nmade.md\nsite\n"}))
    commit(write(origin, {"docs/new.md": "# 3"}))
    root = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "2", origin.as_uri(), str(root))
    write(root, {"docs/made.md": "# Made", "part.txt": "untracked"})
    names = ("new", "cut", "computed", "part", "made", "generated")
    write(root, {f"site/{name}/index.html": f"<!doctype html><title>{name}</title>" for name in names})
    monkeypatch.chdir(root)
    return root


def answers(root: Path) -> list[object]:
    """What the commands decide and find, without the words of messages."""
    result: list[object] = []
    for arguments in (("build", "site", "-v"), ("check", "site", "--severity", "info", "--json")):
        done = command(*arguments)
        result += [done.code, sorted(re.findall(r"\[[a-z-]+\]$", done.err, re.MULTILINE))]
    findings = done.data["findings"]
    result += [(finding["rule"], finding["severity"], finding["where"]) for finding in findings]
    result.append((root / "site/sitemap.xml").read_bytes())
    for name in ("new", "cut", "computed", "part", "made", "generated"):
        page = command("explain", "site", f"{name}/index.html", "--json").data
        result += [page["listed"], page["lastmod"], page["dated"], bool(page["undated_cause"])]
    return result


def test_the_words_of_causes_decide_nothing(undated, monkeypatch):
    expected = answers(undated)
    rules = ("[shallow-clone]", "[computed-include]", "[untracked-dependency]", "[untracked-source]")
    assert set(rules) <= set(expected[1])
    assert ("shallow-clone", "warning", f"{BASE}cut/") in expected  # of the audit, from the record
    change_words(monkeypatch)
    assert answers(undated) == expected
    explained = command("explain", "site", "cut/index.html", "--json").data
    assert (explained["record"], explained["undated_cause"]) == (True, WORDS)
