"""Pages in, files out, with the counts and findings that users see."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from threading import Event
from urllib.parse import unquote

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import SourceGlobs
from sitemap_docs.decide import Collected
from sitemap_docs.history.date_cache import DATES
from sitemap_docs.listing.no_sitemap import of_preview, of_version
from sitemap_docs.listing.selection import Decision
from sitemap_docs.model import Entry, Fact, Page, PageOptions, Reason, SitemapError
from sitemap_docs.output import transaction
from sitemap_docs.output.existing import listed_rows
from sitemap_docs.output.transaction import Output
from sitemap_docs.programs.followed import platform
from sitemap_docs.project import Address, Project
from sitemap_docs.publish import Published
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.urls.base import Base
from tests.conftest import (
    HANGS,
    NOINDEX,
    REFRESH,
    canonical,
    command,
    commit,
    git,
    html_page,
    passed,
    sitemapindex,
    urlset,
    write,
)
from tests.conftest import publish_pages as run

BASE = Base.of("https://example.org/")
NOW = datetime(2026, 6, 1, tzinfo=timezone.utc)
THEN = datetime(2026, 1, 31, 10, 20, 30, tzinfo=timezone.utc)


def page(folder: Path, path: str, head: str = "", **more: object) -> Page:
    file = write(folder / path, {"index.html": html_page(head)}) / "index.html"
    return Page(path=path, file=file, names=(path.rstrip("/"),))._replace(**more)


def site(output: Path, base: Base = BASE, environ=None, **options: object) -> Project:
    surroundings = Surroundings(now=NOW, environ=environ or {}, platform=platform(environ or {}))
    read = Options.of({"lastmod": "none"} | options)
    address = Address(base=base, no_sitemap=of_preview(surroundings.platform, base, read))
    return Project(root=output, output=output, options=read, address=address, surroundings=surroundings)


def hidden(project: Project, version: str) -> Project:
    """The project of a version that search engines must not show."""
    return replace(project, address=replace(project.address, no_sitemap=of_version(version)))


def entries(output: Path) -> list[Entry]:
    return list(parse(output / "sitemap.xml").entries())


def listed(output: Path) -> list[str]:
    return [entry.loc.removeprefix("https://example.org/") for entry in entries(output)]


def test_the_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heads = {"a/": "", "b/": NOINDEX, "c/": REFRESH.format("../"), "d/": REFRESH.format("../")}
    pages = [page(tmp_path, "", options=PageOptions(lastmod=THEN))]
    pages += [page(tmp_path, path, head) for path, head in heads.items()]
    pages += [page(tmp_path, "e/", facts=frozenset({Fact.GENERATED}))]
    line = "2 pages listed, 4 left out (2 redirects, 1 generated, 1 noindex), 1 dated"
    assert str(run(site(tmp_path), pages)) == f"{line}: {tmp_path / 'sitemap.xml'}"
    monkeypatch.chdir(tmp_path.parent)
    assert str(run(site(tmp_path), pages)) == f"{line}: {Path(tmp_path.name, 'sitemap.xml')}"
    assert str(run(replace(site(tmp_path), dry_run=True), pages)) == line


@pytest.mark.parametrize(
    ("head", "options", "cause"),
    [
        (None, {}, "contains no HTML page"),
        ("", {"excludes": ["*"]}, "1 page left out (1 excluded). Run with -v"),
        (NOINDEX, {"excludes": ["b"]}, "2 pages left out (1 excluded, 1 noindex). Run with -v to list them."),
        (canonical("https://a.net/"), {}, "The canonical link of a page leads to https://a.net/. Check"),
    ],
)
def test_an_empty_sitemap_is_an_error_with_its_cause(tmp_path: Path, head, options, cause) -> None:
    pages = [] if head is None else [page(tmp_path, "", head)]
    if options.get("excludes") == ["b"]:
        pages.append(page(tmp_path, "b/"))
    published = run(site(tmp_path, **options), pages)
    [found] = [each for each in published.findings if each.rule == "empty-sitemap"]
    assert found.severity == "error"
    assert cause in found.message


def test_extra_urls_stand_in_their_place_once(tmp_path: Path) -> None:
    """A date of one is that of the page at this address."""
    urls = [{"loc": "a/", "lastmod": "2020-02-02"}, "/b é/", f"{BASE.url}c/", "c/", "x"]
    urls.insert(3, {"loc": "x", "lastmod": "2020-02-02"})
    published = run(site(tmp_path, extra_urls=urls), [page(tmp_path, "a/"), page(tmp_path, "c/")])
    assert (published.listed, published.dated) == (4, 2)
    assert listed(tmp_path) == ["a/", "b%20%C3%A9/", "c/", "x"]


def test_a_transform_changes_and_drops_entries(tmp_path: Path) -> None:
    """Also their addresses, which decide where they stand; of two with one address, the first is listed."""

    def transform(each: Page, entry: Entry) -> Entry | None:
        changed = entry._replace(lastmod=THEN, loc=entry.loc.replace("/a/", "/z/").replace("/d/", "/c/"))
        return None if each.path == "b/" else changed

    pages = [page(tmp_path, f"{name}/") for name in "cdab"]
    lines: list[str] = []
    published = run(site(tmp_path), pages, transform=transform, log=lines.append)
    assert (published.listed, published.dated) == (2, 2)
    assert published.left_out == {Reason.DUPLICATE: 1, Reason.HOOK: 1}
    assert listed(tmp_path) == ["c/", "z/"]
    assert f"left out: {BASE.url}b/: dropped by the entry hook" in lines
    assert "duplicate-address" in [finding.rule for finding in published.findings]


def test_an_error_of_a_transform_goes_on(tmp_path: Path) -> None:
    def failing(_: Page, entry: Entry) -> Entry:
        raise FileNotFoundError(2, "No such file", "data.json")

    with pytest.raises(FileNotFoundError, match=r"data\.json"):
        run(site(tmp_path), [page(tmp_path, "a/")], transform=failing)
    assert not (tmp_path / "sitemap.xml").exists()


def test_a_date_in_the_future_from_front_matter_is_not_used(tmp_path: Path) -> None:
    days = {f"{day:+}/": NOW + timedelta(days=day) for day in (-1, 0, 1, 400)}
    pages = [page(tmp_path, path, options=PageOptions(lastmod=when)) for path, when in days.items()]
    published = run(site(tmp_path), pages)
    shown = {unquote(entry.loc[20:]): entry.lastmod for entry in entries(tmp_path)}
    assert shown == {path: when if when <= NOW else None for path, when in days.items()}
    (finding,) = published.findings
    assert finding.rule == "lastmod-future"
    assert "2 pages" in finding.message


def test_a_date_in_the_future_from_a_transform_is_not_used(tmp_path: Path) -> None:
    """The page keeps the date that it has; a transform may still remove a date, or set a date in the past."""

    def transform(page: Page, entry: Entry) -> Entry:
        days = {"removed/": None, "past/": NOW - timedelta(days=9), "future/": NOW + timedelta(days=9)}
        return entry._replace(lastmod=days[page.path])

    own = PageOptions(lastmod=NOW - timedelta(days=1))
    pages = [page(tmp_path, path, options=own) for path in ("removed/", "past/", "future/")]
    published = run(site(tmp_path), pages, transform=transform)
    shown = {entry.loc.removeprefix(BASE.url): entry.lastmod for entry in entries(tmp_path)}
    assert shown == {"removed/": None, "past/": NOW - timedelta(days=9), "future/": own.lastmod}
    (finding,) = [each for each in published.findings if each.rule == "lastmod-future"]
    assert (finding.where, "entry hook" in finding.message) == (f"{BASE.url}future/", True)


def test_changefreq_and_priority_by_glob_and_by_page(tmp_path: Path) -> None:
    own = PageOptions(changefreq="never", priority=0.0)
    where = site(tmp_path, changefreq={"*": "daily"}, priority={"*": 0.5})
    run(where, [page(tmp_path, "a/", options=own), page(tmp_path, "b/")])
    found = [(each.changefreq, each.priority) for each in entries(tmp_path)]
    assert found == [("never", 0.0), ("daily", 0.5)]


def test_a_sitemap_above_the_output_folder_is_in_place_before_robots_txt_names_it(tmp_path, monkeypatch):
    """And nothing is removed before all new files are in place, in both folders."""
    done = []
    move, unlink = Path.replace, Path.unlink

    def moved(file, target):
        done.append(target.relative_to(tmp_path).as_posix())
        return move(file, target)

    def removed(file, **more):
        done.append(f"- {file.relative_to(tmp_path).as_posix()}")
        unlink(file, **more)

    monkeypatch.setattr(Path, "replace", moved)  # only the system knows the order
    monkeypatch.setattr(Path, "unlink", removed)
    output = tmp_path / "en"
    run(shared(tmp_path, "en", robots=True), [page(output, "")])
    assert done == ["sitemap.css", "sitemap.xml", "en/robots.txt"]
    done.clear()
    gone = shared(tmp_path, "en", robots={"*": {"disallow": "/x/"}}, stylesheet=False)
    run(gone, [page(output, ""), page(output, "a/")])
    assert done == ["sitemap.xml", "en/robots.txt", "- sitemap.css"]


def shared(folder: Path, language: str, **options: object) -> Project:
    """The build of a language that writes the sitemap of all languages."""
    base = Base.of(f"https://example.org/{language}/")
    return site(folder / language, base, filename="../sitemap.xml", **options)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_builds_that_share_a_sitemap_wait_for_each_other(tmp_path, monkeypatch):
    waits = Event()
    monkeypatch.setattr(transaction, "sleep", lambda _: waits.set())  # tells that it waits
    where, pages = shared(tmp_path, "en"), [page(tmp_path / "en", "")]
    with ThreadPoolExecutor() as pool:
        with Output(tmp_path):
            build = pool.submit(run, where, pages)
            assert waits.wait(HANGS)
            assert not (tmp_path / "sitemap.xml").exists()
        assert build.result().listed == 1
    monkeypatch.setattr(transaction, "PATIENCE", 0)  # two minutes
    with Output(tmp_path), pytest.raises(SitemapError, match="Another build is writing to"):
        run(where, pages)


@pytest.mark.parametrize(
    "settings", [{}, {"gzip": "instead"}, {"max_urls": 1}, {"index": "cascaded"}], ids=str
)
def test_each_build_replaces_its_own_pages_in_a_sitemap_that_languages_share(tmp_path, settings) -> None:
    def build(language: str, *paths: str) -> set[str]:
        run(shared(tmp_path, language, **settings), [page(tmp_path / language, path) for path in paths])
        name = "sitemap.xml.gz" if "gzip" in settings else "sitemap.xml"
        return {row.loc.removeprefix("https://example.org/") for row in listed_rows(tmp_path / name)}

    english = {"en/", "en/a/"}
    assert build("en", "", "a/") == english
    assert build("de", "", "a/") == {*english, "de/", "de/a/"}
    files = {file.name: file.read_bytes() for file in tmp_path.glob("sitemap*")}
    assert build("en", "", "a/") == {*english, "de/", "de/a/"}
    assert {file.name: file.read_bytes() for file in tmp_path.glob("sitemap*")} == files
    assert build("de", "", "b/") == {*english, "de/", "de/b/"}
    shutil.rmtree(tmp_path / "en")
    assert build("de", "") == {"de/"}


def test_builds_that_share_a_sitemap_above_their_folders(tmp_path: Path) -> None:
    def build(
        language: str, paths: list[str], *, is_hidden: bool = False, dry_run: bool = False
    ) -> Published:
        pages = [page(tmp_path / language, path) for path in paths]
        project = replace(shared(tmp_path, language), dry_run=dry_run)
        return run(hidden(project, language) if is_hidden else project, pages)

    dry = build("en", ["", "a/"], dry_run=True)
    assert (dry.listed, dry.changed) == (2, ("../sitemap.css", "../sitemap.xml"))
    assert [file.name for file in tmp_path.iterdir()] == ["en"]
    for language, paths in (("en", ["", "a/"]), ("de", ["", "a/"]), ("en", ["b/"])):
        published = build(language, paths)
    assert listed(tmp_path) == ["de/", "de/a/", "en/b/"]
    assert (published.listed, published.files) == (1, ("../sitemap.css", "../sitemap.xml"))
    assert "every page has a noindex" in str(build("de", ["", "a/"], is_hidden=True))
    assert listed(tmp_path) == ["en/b/"]
    assert set(build("en", ["b/"], is_hidden=True).removed) == {"../sitemap.css", "../sitemap.xml"}
    assert not (tmp_path / "sitemap.xml").exists()


@pytest.mark.parametrize(
    "settings", [{}, {"gzip": "instead"}, {"max_urls": 1}, {"index": "cascaded"}], ids=str
)
@pytest.mark.parametrize("other", ["http://example.org", "https://www.example.org"])
def test_a_shared_sitemap_has_each_page_once_after_a_change_of_the_scheme(tmp_path, settings, other) -> None:
    """Also of pages that are gone; those of the other language stay until it is built again."""

    def build(language: str, origin: str, *paths: str) -> set[str]:
        base = Base.of(f"{origin}/{language}/")
        where = site(tmp_path / language, base, filename="../sitemap.xml", **settings)
        run(where, [page(tmp_path / language, path) for path in paths])
        name = "sitemap.xml.gz" if "gzip" in settings else "sitemap.xml"
        return {row.loc for row in listed_rows(tmp_path / name)}

    new = "https://example.org"
    for language in ("en", "de"):
        build(language, other, "", "a/")
    (tmp_path / "en/a/index.html").unlink()
    assert build("en", new, "") == {f"{new}/en/", f"{other}/de/", f"{other}/de/a/"}
    assert build("de", new, "", "a/") == {f"{new}/en/", f"{new}/de/", f"{new}/de/a/"}


def test_another_name_above_the_output_folder_after_a_change_of_the_scheme(tmp_path: Path) -> None:
    where = shared(tmp_path, "en")
    old = Base.of("http://example.org/en/")
    run(site(tmp_path / "en", old, filename="../sitemap.xml"), [page(tmp_path / "en", "")])
    renamed = replace(where, options=where.options.replaced(filename="../pages.xml"))
    assert set(run(renamed, [page(tmp_path / "en", "")]).removed) == {"../sitemap.xml", "../sitemap.css"}


@pytest.mark.parametrize(
    ("before", "now", "left"),
    [
        ("../sitemap.xml", "sitemap.xml", "../sitemap.xml"),
        ("../../sitemap.xml", "sitemap.xml", "../../sitemap.xml"),
        ("../../sitemap.xml", "../sitemap.xml", "../../sitemap.xml"),
        ("sitemap.xml", "../sitemap.xml", ""),
        ("../sitemap.xml", "../sitemap.xml", ""),
    ],
)
def test_a_sitemap_that_is_left_above_is_mentioned(tmp_path, before, now, left) -> None:
    """Once, and whatever its scheme was; nothing is removed there."""
    base, output = Base.of("https://example.org/en/latest/"), tmp_path / "en/latest"
    old = site(output, Base.of("http://example.org/en/latest/"), filename=before, max_urls=1)
    run(old, [page(output, path) for path in ("", "a/")])
    done = run(site(output, base, filename=now), [page(output, "")])
    found = [(each.severity, each.where) for each in done.findings if each.rule == "sitemap-above"]
    assert found == ([("info", left)] if left else [])
    assert not left or (output / left).is_file()


def test_a_sitemap_above_that_has_other_pages_is_not_mentioned(tmp_path: Path) -> None:
    """Nor one of a join, of another program, or one that cannot be read."""

    def build() -> list[str]:
        done = run(site(tmp_path / "en", Base.of("https://example.org/en/")), [page(tmp_path / "en", "")])
        return [each.where for each in done.findings if each.rule == "sitemap-above"]

    run(shared(tmp_path, "en"), [page(tmp_path / "en", "")])
    ours = (tmp_path / "sitemap.xml").read_bytes()
    assert build() == ["../sitemap.xml"]
    for text in (
        ours.replace(b"<!-- sitemap-docs -->", b"<!-- sitemap-docs join -->"),
        ours.replace(b"<!-- sitemap-docs -->", b""),
        ours.replace(b"/en/", b"/de/"),
        ours.replace(b"<loc>", b"<loc"),
    ):
        assert text != ours
        (tmp_path / "sitemap.xml").write_bytes(text)
        assert build() == []
    write(tmp_path, {"sitemap.xml": ours, "all.xml": sitemapindex("https://example.org/sitemap.xml")})
    assert build() == []


def test_below_a_path_the_line_for_the_root_is_reported(tmp_path: Path) -> None:
    (finding,) = run(site(tmp_path, Base.of("https://example.org/docs/")), [page(tmp_path, "")]).findings
    assert (finding.rule, finding.severity) == ("robots-below-root", "info")
    assert "https://example.org/robots.txt" in finding.message
    assert "Sitemap: https://example.org/docs/sitemap.xml" in finding.message
    assert not (tmp_path / "robots.txt").exists()
    (finding,) = run(
        site(tmp_path, Base.of("https://octocat.github.io/docs/")), [page(tmp_path, "")]
    ).findings
    assert "octocat.github.io/robots.txt, a file in the repository octocat.github.io. Add" in finding.message
    for url in ("http://localhost:8000/docs/", "https://x.readthedocs.io/en/latest/"):
        assert run(site(tmp_path, Base.of(url)), [page(tmp_path, "")]).findings == ()


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("https://docs.example.org/1.0/", "adds one sitemap of all versions to that robots.txt."),
        ("https://docs.example.org/en/1.0/", "to that robots.txt, or prints the line to add."),
        ("https://name.github.io/project/1.0/", "all versions, and prints the line to add."),
    ],
)
def test_a_version_is_told_what_the_join_does_at_its_host(tmp_path: Path, url: str, advice: str) -> None:
    where = site(tmp_path, Base.of(url), {"MIKE_DOCS_VERSION": "1.0"})
    (finding,) = run(where, [page(tmp_path, "")]).findings
    assert "run `sitemap-docs join` on their folder" in finding.message
    assert finding.message.endswith(advice)


def test_groups_that_a_robots_txt_of_the_users_own_overrules_are_reported(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\nAllow: /\n")
    where = site(tmp_path, robots={"*": {"disallow": "/drafts/"}})
    (reported,) = run(where, [page(tmp_path, "")]).findings
    assert (reported.rule, reported.strict) == ("robots-groups-unused", True)


@pytest.mark.parametrize(("option", "ends"), [("auto", ["", ".gz"]), ("off", [""]), ("instead", [".gz"])])
def test_the_option_gzip_overrides_the_choice_of_the_host(
    tmp_path: Path, option: str, ends: list[str]
) -> None:
    run(site(tmp_path, gzip=option), [page(tmp_path, "")], collected=Collected(gzip="beside"))
    assert sorted(file.name[11:] for file in tmp_path.glob("sitemap.xml*")) == ends


def test_the_same_bytes_in_any_order_of_pages_and_untouched_when_equal(tmp_path: Path) -> None:
    pages = [page(tmp_path, name) for name in ("", "b/", "a/", "a-/", "é/")]
    run(site(tmp_path), pages)
    first = (tmp_path / "sitemap.xml").stat()
    run(site(tmp_path), pages[::-1])
    assert (tmp_path / "sitemap.xml").stat().st_mtime_ns == first.st_mtime_ns
    assert listed(tmp_path) == ["", "%C3%A9/", "a-/", "a/", "b/"]


@pytest.mark.parametrize(
    ("history", "hours", "options", "severity", "why"),
    [
        pytest.param("whole", 25, {}, "error", "option `replace`", id="git could date the pages"),
        pytest.param("whole", 25, {"lastmod": "none"}, "warning", "`lastmod` is `none`", id="the option"),
        pytest.param("whole", 25, {"replace": True}, None, "", id="asked for"),
        pytest.param("whole", 24, {}, "error", "option `replace`", id="two days, as dates without a time"),
        pytest.param("whole", 23, {}, "warning", "because no source file is known", id="one day"),
        pytest.param("around the site", 25, {}, "error", "option `replace`", id="the command runs elsewhere"),
        pytest.param("whole", 0, {}, None, "", id="build time"),
        pytest.param("whole", 1 / 3600, {}, None, "", id="build time to the second"),
        pytest.param("shallow", 25, {}, "warning", "", id="shallow"),
        pytest.param("none", 25, {}, "warning", "are not in a git repository", id="no repository"),
        pytest.param("no git", 25, {}, "warning", "", id="no git"),
    ],
)
def test_dates_that_git_could_give_are_not_replaced_by_none(tmp_path, history, hours, options, severity, why):
    root = write(tmp_path / "origin", {"a.md": "# A"})
    if history != "none":
        commit(root)
    if history == "shallow":
        commit(write(root, {"a.md": "# B"}))
        git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), str(tmp_path / "clone"))
        root = tmp_path / "clone"
    environ = {**os.environ, "PATH": str(tmp_path)} if history == "no git" else os.environ
    sources = (root / "a.md",) if history == "none" else ()
    pages = [page(root / "site", path, sources=sources) for path in ("a/", "b/", "c/")]
    dates = {"a/": THEN, "b/": THEN + timedelta(hours=hours)}
    row = "<url><loc>{}</loc><lastmod>{}</lastmod></url>"
    rows = "".join(row.format(BASE.url + path, date.isoformat()) for path, date in dates.items())
    before = write(root / "site", {"sitemap.xml": f"<urlset>{rows}</urlset>"}) / "sitemap.xml"
    where = site(root / "site", **{"lastmod": "commit", "replace": False} | options)
    folder = write(tmp_path / "elsewhere", {}) if history == "around the site" else root
    where = replace(where, root=folder, surroundings=replace(where.surroundings, environ=environ))
    published = run(where, pages)
    found = [each for each in published.findings if each.rule == "dates-lost"]
    assert [each.severity for each in found] == [severity] * bool(severity)
    assert all(why in each.message for each in found)
    assert (b"sitemap-docs" in before.read_bytes()) == (severity != "error")
    if severity == "error":
        assert str(published) == "nothing written: the dates of the existing sitemap would be lost"
        assert all(option in found[0].message for option in ("option `lastmod`", "option `replace`"))
        assert {file.name for file in before.parent.iterdir()} == {"a", "b", "c", "sitemap.xml"}
    else:  # what is ours is not compared
        again = run(where, pages)
        assert "dates-lost" not in {each.rule for each in again.findings}


@pytest.mark.parametrize(
    ("days", "rule", "severity"),
    [
        pytest.param((1, 1), "sources-missing", "warning", id="the time of a build"),
        pytest.param((1, 2), "dates-lost", "error", id="two days"),
        pytest.param((1, 3), "dates-lost", "error", id="several days"),
    ],
)
def test_missing_sources_and_lost_dates_are_one_finding(tmp_path, days, rule, severity):
    commit(write(tmp_path, {"a.md": "# A"}))
    pages = [page(tmp_path, "a/"), page(tmp_path, "b/")]
    rows = [f"{BASE.url}{path} 2024-01-0{day}" for path, day in zip(("a/", "b/"), days, strict=True)]
    (tmp_path / "sitemap.xml").write_text(urlset(*rows))
    where = replace(site(tmp_path, lastmod="commit", replace=False), root=tmp_path)
    found = run(where, pages, collected=Collected(looked_in="content"))
    (finding,) = found.findings
    assert (finding.rule, finding.severity) == (rule, severity)
    assert "looked in: content" in finding.message
    assert ("`--replace`" in finding.message) is (severity == "error")


def test_an_existing_sitemap_had_dates_and_ours_has_some(tmp_path):
    pages = [page(tmp_path, f"{name}/", options=PageOptions(lastmod=THEN)) for name in "bcd"]
    pages.insert(0, page(tmp_path, "a/"))
    (tmp_path / "sitemap.xml").write_text(urlset(f"{BASE.url}a/ 2024-01-01"))
    found = run(site(tmp_path, lastmod="commit"), pages)
    assert (found.dated, [each.rule for each in found.findings]) == (3, [])


def dated_pages(folder: Path) -> list[Page]:
    """Three pages in a repository, whose sources were committed on three days."""
    pages = []
    for day, name in enumerate("abc", 1):
        source = write(folder, {f"docs/{name}.md": name}) / f"docs/{name}.md"
        commit(folder, date=f"2026-01-0{day}T00:00:00+00:00")
        pages.append(page(folder / "site", f"{name}/", sources=(source,)))
    return pages


def test_dates_come_from_the_sources_that_are_not_excluded(tmp_path: Path) -> None:
    pages = dated_pages(tmp_path)
    excludes = ["docs/b.md", "docs/d.md"]
    where = site(tmp_path / "site", lastmod="commit")
    globs = SourceGlobs(tuple(excludes), tmp_path)
    where = replace(where, root=tmp_path, options=where.options.replaced(lastmod_excludes=globs))
    published = run(where, pages)
    assert (published.listed, published.dated) == (3, 2)
    days = [entry.lastmod and entry.lastmod.day for entry in entries(tmp_path / "site")]
    assert days == [1, None, 3]
    (finding,) = published.findings
    assert finding.rule == "unmatched-pattern"
    assert "'docs/d.md'" in finding.message


def test_what_is_wrong_with_options_is_reported(tmp_path: Path) -> None:
    locales = {"en": BASE.url, "jp": "https://example.org/ja/"}
    where = site(tmp_path, Base.of(f"{BASE.url}docs/"), locales=locales, extra_urls=["https://example.org/x"])
    rules = {finding.rule for finding in run(where, [page(tmp_path, "")]).findings}
    assert rules == {"language-code", "locales-without-own", "url-out-of-scope", "robots-below-root"}


@pytest.mark.parametrize("kept", [True, False])
def test_dates_are_kept_in_the_cache_unless_it_is_off(tmp_path: Path, kept: bool) -> None:
    pages = dated_pages(tmp_path)
    where = site(tmp_path / "site", lastmod="commit", cache=kept)
    where = replace(where, surroundings=replace(where.surroundings, cache=tmp_path / "cache"))
    assert run(where, pages).dated == 3
    assert (tmp_path / "cache" / DATES).exists() is kept


def test_built_files_that_are_listed_are_dated_and_our_own_are_not_among_them(tmp_path: Path) -> None:
    pages = dated_pages(tmp_path)
    output = tmp_path / "site"
    (output / "manual.pdf").write_bytes(b"%PDF")
    (output / "sitemap.xml.gz").write_bytes(b"of the host")
    key = {"INDEXNOW_KEY": "0123456789abcdef"}
    extra = ["*.pdf", "*.txt", "*.gz"]
    where = site(output, environ=key, lastmod="commit", extra_urls=extra, formats=["text"])
    source_of = {"manual.pdf": pages[2].sources[0]}.get
    collected = Collected(source_of=source_of, made=frozenset({"sitemap.xml.gz"}))
    for _ in range(2):  # the second time, the files of the first are there
        published = run(where, pages, collected=collected)
        assert listed(output) == ["a/", "b/", "c/", "manual.pdf"]
    assert entries(output)[3].lastmod == datetime(2026, 1, 3, tzinfo=timezone.utc)
    assert (published.listed, published.dated) == (4, 4)


def test_a_change_of_the_source_that_pages_are_made_of_is_no_finding(tmp_path: Path) -> None:
    """Only a file that pages include may be taken out of what dates them."""
    source = dated_pages(tmp_path)[2].sources[0]
    pages = [page(tmp_path / "site", f"{number:02}/", sources=(source,)) for number in range(12)]
    published = run(site(tmp_path / "site", lastmod="commit"), pages)
    assert (published.dated, published.findings) == (12, ())


def test_a_page_is_in_the_first_group_that_names_it(tmp_path: Path) -> None:
    run(site(tmp_path, groups={"api": ["a"], "rest": ["*"]}), [page(tmp_path, "a/"), page(tmp_path, "b/")])
    assert listed(tmp_path) == ["sitemap-api.xml", "sitemap-rest.xml"]


def test_a_page_with_a_date_of_its_own_needs_none_of_its_sources(tmp_path: Path) -> None:
    """Git does not know a file that the second page includes, but nothing is missing there."""
    pages = dated_pages(tmp_path)[:2]
    part = tmp_path / "docs" / "part.md"
    part.write_text("new", encoding="utf-8")
    own = PageOptions(lastmod=THEN)
    pages[0] = pages[0]._replace(options=own)
    pages[1] = pages[1]._replace(sources=(*pages[1].sources, part), options=own)
    published = run(site(tmp_path / "site", lastmod="commit"), pages)
    assert [entry.lastmod for entry in entries(tmp_path / "site")] == [THEN, THEN]
    assert published.findings == ()


def test_an_error_of_the_system_is_one_sentence_with_the_file(tmp_path: Path) -> None:
    def scan(*_: object) -> list[Decision]:
        raise OSError(28, "No space left on device", str(tmp_path / "a.html"))

    with pytest.raises(SitemapError) as raised:
        run(site(tmp_path), [], scan=scan)
    assert str(raised.value) == f"{tmp_path / 'a.html'}: No space left on device. Nothing was changed."


def test_a_preview_removes_nothing(tmp_path: Path) -> None:
    pages = [page(tmp_path, "", NOINDEX)]
    before = run(site(tmp_path), [page(tmp_path, "a/")]).files
    where = site(tmp_path, environ={"NETLIFY": "true", "CONTEXT": "deploy-preview"})
    assert run(where, pages).removed == ()
    assert run(hidden(site(tmp_path), "1.2"), pages).removed == (*before, "robots.txt")


def test_a_hidden_version_keeps_its_sitemap_where_a_page_cannot_be_read(tmp_path: Path) -> None:
    pages = [page(tmp_path, "a/"), page(tmp_path, "b/")]
    run(site(tmp_path), pages)
    before = (tmp_path / "sitemap.xml").read_bytes()
    project = hidden(site(tmp_path), "1.2")
    with pytest.raises(SitemapError, match=r"a pipe or a device\. Nothing was changed\."):
        run(project, [pages[0], pages[1]._replace(file="/dev/null")])
    assert (tmp_path / "sitemap.xml").read_bytes() == before
    gone = pages[1]._replace(file=tmp_path / "draft.html")
    assert "1 page of this version" in run(project, [pages[0], gone]).findings[0].message
    assert not (tmp_path / "sitemap.xml").exists()


def test_a_build_and_check_find_the_record_that_settings_near_the_folder_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the record, nothing proves that an earlier build wrote the text sitemap."""
    repo = tmp_path / "repo"
    settings = '[tool.sitemap-docs]\nrecord = "rec.jsonl"\nformats = ["text"]\nbase_url = "https://x.org/"\n'
    write(repo, {"pyproject.toml": settings, "public/index.html": html_page()})
    git(repo, "init", "-q")
    monkeypatch.chdir(repo)
    passed("build", "public", "--lastmod", "none")
    assert (repo / "public/sitemap.txt").exists()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    flags = ("../repo/public", "--base-url", "https://x.org/", "--cache-dir", tmp_path / "other-cache")
    assert "rec.jsonl" in command("check", *flags, "-v").err
    built = command("build", *flags, "--lastmod", "none")
    assert built.code == 0, built.err
    assert "file-kept" not in built.err
    assert not (repo / "public/sitemap.txt").exists()
    assert (repo / "rec.jsonl").exists()
