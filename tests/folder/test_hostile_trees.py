"""Sites that mean harm: whatever names, links, heads and options hold, only words come out."""

import json
import os
from contextlib import suppress

import pytest

from sitemap_docs.audit.formats import FORMATS
from sitemap_docs.cli.main import group
from sitemap_docs.config.frontmatter import named_sources, page_options, read_front_matter
from sitemap_docs.files import Folders
from sitemap_docs.html.head import parse_head
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.urls.base import Base
from tests.conftest import command, pages_of, publish_pages, runner, site_project, write

pytestmark = pytest.mark.once

BASE = Base.of("https://docs.example.org/")
LOC = "https://docs.example.org/a/"


# --- names ---

NAMES = [
    *("line\nbreak", "car\rriage", "tab\t", " ", "'quote'", '"quotes"', "<b>", "a&b", "a;b", "%41"),
    *("%", "a%2fb", "..a", "a..", "...", "C:", "C:\\x", "a\\..\\b", "NUL", "con", "$(x)", "`x`", "-rf"),
    *("--", "*", "?", "[a]", "\x1b[31m", "\x7f", "\x01", "\u202egpj", "\u200b", "\u0301", "é"),
    *("e\u0301", "\U0001f600", "\ufffe", "x" * 250, "é" * 125, os.fsdecode(b"\xff\xfe")),
    *(os.fsdecode(b"\xc3("), "中", "#", "a#b", "a?b", "=", "]]>", "-->"),
]


@pytest.mark.skipif(os.name != "posix", reason="Windows and macOS have no such names")
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize(
    "line",
    ["build -v --source docs", "build -v --json --source docs"]
    + [f"check --select all --format {form}" for form in FORMATS],
)
def test_what_commands_say_of_names(here, line, encoding):
    """No error on any terminal, no control character, and no line of its own for a name with a break."""
    text = "<!doctype html><title>\x1b\n::error::\x9b</title><base href='\n::error::/'>"
    source = "---\nsitemap:\n  priority: \x07no\n  lastmod: never\n---\n"
    for name in NAMES:
        write(here, {f"site/{name}.html": text, f"docs/{name}.md": source})
    given = [*line.split(), "site", "--base-url", BASE.url]
    done = runner(encoding).invoke(group, given, catch_exceptions=False)
    assert done.exit_code == line.startswith("check")
    if any(form in line for form in ("json", "sarif", "gitlab")):
        assert json.loads(done.stdout_bytes)
    said = done.stdout_bytes + done.stderr_bytes
    assert not {byte for byte in said if byte < 32 or byte == 127} - {10, 13}
    assert b"\xc2\x9b" not in said
    assert b"\nbreak" not in said
    assert b"\n::error::" not in said.replace(b"\n::error file", b"")


# --- what is no file, and links ---


OURS = ("sitemap.xml", "sitemap.xml.gz", "robots.txt", "_headers")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("name", [*OURS, "sitemap.css", "sitemap.txt", "a.html"])
@pytest.mark.parametrize("kind", ["pipe", "/dev/zero", "loop", "nothing", "folder", "/etc/passwd"])
def test_what_is_no_file(tmp_path, name, kind, replace):
    """It is replaced, left alone or named in an error: never read without end, never written through."""
    folder, outside = tmp_path / "site", tmp_path / "outside"
    write(tmp_path, {"site/index.html": "<title>x</title>", "outside": "precious"})
    file = folder / name
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        target = {"loop": name, "nothing": "nowhere"}.get(kind, kind)
        file.symlink_to(outside if kind == "/etc/passwd" else target)
    with suppress(SitemapError):
        build = site_project(folder, lastmod="none", gzip="beside", formats=["text"], replace=replace)
        publish_pages(build, pages_of(build))
        assert BASE.url in [entry.loc for entry in parse(folder / "sitemap.xml").entries()]
    assert outside.read_text() == "precious"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["outside", "site"]
    written = [each for each in folder.iterdir() if each.is_file() and not each.is_symlink()]
    assert b"precious" not in b"".join(each.read_bytes() for each in written)


GIT = ("project/.git/HEAD",)  # a repository, as far as it is looked at


def test_globs_that_go_round(tmp_path):
    write(tmp_path, {"docs/a/x.py": ""})
    for name in "bcd":
        (tmp_path / "docs" / "a" / name).symlink_to("..")
    odd = ["**", "a/**/x.py", "**.py", "\0", "\ud800", "../../**/x.py", "[", "**/" * 400, "*/" * 400]
    found = [named_sources(glob, tmp_path / "docs", Folders()) for glob in ["**/*.py", *odd]]
    assert [file.name for file in found[0].files] == ["x.py"]


@pytest.mark.parametrize(
    ("glob", "problem"),
    [
        ("../../../../proc/**/*", "leads out of the repository"),
        ("/../../**/*", "leads out of the repository"),
        ("*/../*/../*/../*/../*/../*/../*/../*/../*", "`..` after a folder name"),
        ("out/**/*", "matches no file"),
        ("deep/**/*.md", ""),
        ("../**/a.md", ""),
    ],
)
def test_sources_stay_inside_the_repository(tmp_path, glob, problem):
    deep = "/".join("x" * 900)
    write(tmp_path, dict.fromkeys((*GIT, "secret.md", f"project/docs/deep/{deep}/a.md"), ""))
    docs = tmp_path / "project/docs"
    (docs / "out").symlink_to(tmp_path)
    found = named_sources(glob, docs, Folders())
    assert problem in found.problem
    assert [file.name for file in found.files] == ([] if problem else ["a.md"])


def test_sources_of_a_folder_that_is_a_link(tmp_path):
    """What is above it is as its name says; its top is that of its own repository, in which git dates it."""
    names = ("secret.txt", "project/a/b/c/x", "shared/.git/HEAD", "project/top.txt", "shared/top.txt")
    write(tmp_path, dict.fromkeys((*GIT, *names, "shared/docs/x"), ""))
    (tmp_path / "project/link").symlink_to("a/b/c")
    found = named_sources("../../*.txt", tmp_path / "project/link", Folders())
    assert ("leads out of the repository" in found.problem, found.files) == (True, ())
    (tmp_path / "project/docs").symlink_to(tmp_path / "shared/docs")
    found = named_sources("/top.txt", tmp_path / "project/docs", Folders())
    assert found.files == (tmp_path / "shared/top.txt",)


@pytest.mark.parametrize("names", [("alink", "real"), ("real", "zlink")])
def test_a_file_that_two_names_lead_to_has_the_first(tmp_path, names):
    write(tmp_path, {"real/x.py": ""})
    (link,) = {*names} - {"real"}
    (tmp_path / link).symlink_to("real")
    assert named_sources("*/x.py", tmp_path, Folders()).files == (tmp_path / names[-1] / "x.py",)


def test_the_work_of_one_glob_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("sitemap_docs.files.MAX_GLOBBED", 20)
    write(tmp_path, {f"{number}/a.html": "" for number in range(30)})
    assert "searches more than 20 files" in named_sources("**/*", tmp_path, Folders()).problem


# --- heads ---


def test_a_base_is_not_repeated_for_each_link():
    """Half a megabyte of it, and a thousand links: as large as a disk, once they are joined."""
    data = f"<base href='/{'a' * 500_000}/'>{'<link rel=canonical href=x>' * 1_000}".encode()
    assert sum(map(len, parse_head(data).canonical_urls(LOC))) < 10 * len(data)


# --- values ---


@pytest.mark.parametrize(
    "value", ["!!python/object/apply:os.system [touch canary]", "{lastmod: !ENV SECRET}"]
)
def test_front_matter_runs_nothing_and_reads_no_variable(here, monkeypatch, value):
    monkeypatch.setenv("SECRET", "hunter2")
    (here / "a.md").write_text(f"---\nsitemap: {value}\n---\n")
    assert "hunter2" not in str(page_options(read_front_matter("a.md"), "a.md"))
    assert [each.name for each in here.iterdir()] == ["a.md"]


@pytest.mark.parametrize(
    "text",
    ["[sitemap" + ".a" * 30_000 + "]", "sitemap = {" + '"a b" . ' * 7_000 + "b = 1}"],
    ids=["a table", "an inline table"],
)
def test_keys_of_thousands_of_parts(tmp_path, text):
    (tmp_path / "a.md").write_text(f"+++\n{text}\n+++\n")
    with pytest.raises(SitemapError, match="more than 100 parts"):
        read_front_matter(str(tmp_path / "a.md"))


# --- all commands: what is read below a site lies inside it, ends, and is read once ---

SECRET = "indexnow_key: 0123456789abcdef\n"
PAGE = "<!DOCTYPE html><title>x</title>"


def answered(name):
    """The exit status of a command about the site, and what it printed."""
    more = {"explain": ["index.html"], "diff": ["s"], "notify": ["--all"]}.get(name, [])
    flags = [] if name in ("diff", "notify") else ["--base-url", BASE.url]
    done = command(name, "s", *more, *flags)
    return done.code, done.out + done.err


@pytest.fixture
def site(here):
    secret = f"{SECRET}{BASE.url}secret\n/* /secret\n"
    return write(here, {"s/index.html": PAGE, "secret": secret}) / "s"


@pytest.mark.parametrize("name", ["check", "explain", "report", "build", "diff"])
@pytest.mark.parametrize(
    "file", ["robots.txt", "sitemap.xml", "sitemap.txt", "_headers", "_redirects", "a.html", "llms.txt"]
)
def test_no_line_of_a_file_outside_is_shown(site, name, file):
    (site / file).symlink_to("../secret")
    code, text = answered(name)
    assert code in (0, 1, 2)
    assert "0123456789abcdef" not in text
    assert "/secret" not in text.replace("../secret", "")
    assert (site.parent / "secret").read_text().startswith(SECRET)


def test_a_folder_is_entered_through_links_once(site):
    for number in range(30):  # two links in each: 2**30 paths
        write(site, {f"d{number:02}/index.html": f'{PAGE}<link rel=canonical href="./">'})
        for name in ("x", "y"):
            (site / f"d{number:02}" / name).symlink_to(f"../d{number + 1:02}")
    assert answered("build")[0] == 0
    assert len(list(parse(site / "sitemap.xml").entries())) == 1 + 30 + 29


@pytest.mark.parametrize("name", ["build", "check", "explain", "report", "diff", "notify", "join"])
@pytest.mark.parametrize("file", ["sitemap.xml", "sitemap.xml.gz", "robots.txt", "_headers", "_redirects"])
def test_a_pipe_in_the_place_of_a_file_is_not_read(site, name, file):
    os.mkfifo(site / file)
    assert answered(name)[0] in (0, 1, 2)
