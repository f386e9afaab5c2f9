"""What the reading commands take from the record of the build, and what they do without one."""

import shutil
from pathlib import Path

import pytest

from sitemap_docs.surroundings import user_cache
from tests.conftest import NOINDEX, canonical, command, commit, git, passed, urlset, write

pytestmark = pytest.mark.usefixtures("here")
BASE = "https://docs.example.org/manual/"
PAGE = '<!doctype html><html lang="en"><head><title>%s</title></head><body><p>%s</p></body></html>'


def data(*arguments: object):
    return command(*arguments, "--json").data


def pages(folder: Path, *names: str) -> Path:
    return write(folder, {name: PAGE % (name, name) for name in names})


def forget() -> None:
    shutil.rmtree(user_cache())


@pytest.fixture
def public(tmp_path):
    """A folder that names its base URL nowhere, built with ``--base-url``."""
    folder = pages(tmp_path / "public", "index.html", "a/index.html", "drafts/index.html")
    passed("build", folder, "--base-url", BASE, "--excludes", "drafts/*")
    return folder


def test_the_base_url_is_that_of_the_build_whatever_the_pages_say(public):
    done = passed("check", public, "-v")
    assert f"base URL {BASE} from the record" in done.err
    assert "using the record" in done.err
    other = "https://other.example/"
    assert data("explain", public, "a/", "--base-url", other)["loc"] == f"{other}a/"
    assert data("check", public)["record"] is True
    forget()
    done = command("check", public, "-v")
    assert f"base URL {BASE} from the sitemap in public" in done.err
    assert "no record of the build" in done.err
    assert data("check", public)["record"] is False
    page = '<head><title>t</title><link rel="canonical" href="https://staging.example.org/"></head>'
    (public / "index.html").write_text(page)
    assert "https://staging.example.org/ from the canonical" in command("check", public).err
    assert command("build", public, "--base-url", BASE).code == 0
    assert f"base URL {BASE} from the record" in command("check", public).err


def test_explain_finds_the_same_whether_it_reads_one_page_or_all(tmp_path):
    """What became wrong since the build: a translation with noindex, one that is gone, canonical links."""
    languages = ("de", "en", "fr")
    links = "".join(f'<link rel="alternate" hreflang="{each}" href="{BASE}{each}/">' for each in languages)
    write(tmp_path, {f"s/{name}/index.html": f"<title>{name}</title>{links}" for name in languages})
    for name, target in (("one", "one.html"), ("two", "en/")):
        write(tmp_path, {f"s/{name}.html": f"<title>{name}</title>{canonical(BASE + target)}"})
    assert command("build", "s", "--base-url", BASE, "--lastmod", "none").code == 0
    (tmp_path / "s/de/index.html").write_text(f"<title>de</title>{links}{NOINDEX}")
    (tmp_path / "s/fr/index.html").unlink()
    write(tmp_path, {"s/one.html": f"<title>one</title>{canonical(f'{BASE}two.html')}"})
    quick = {page: data("explain", "s", page) for page in ("en/", "de/", "one.html", "two.html")}
    forget()
    rules = set()
    for page in quick:
        whole = data("explain", "s", page)
        assert quick[page]["record"]
        for same in ("findings", "alternates", "sitemap", "line", "reason"):
            assert quick[page][same] == whole[same]
        rules |= {finding["rule"] for finding in whole["findings"]}
    assert rules >= {
        "hreflang-target-not-canonical",
        "hreflang-target-missing",
        "canonical-chain",
        "noindex-listed",
    }


def test_the_report_counts_what_the_sitemap_of_another_tool_lists(public):
    forget()
    listed = (f"{BASE} 2024-01-02", f"{BASE}drafts/ 2024-02-02", f"{BASE}elsewhere.pdf 2024-03-02")
    (public / "sitemap.xml").write_text(urlset(*listed))
    pages(public, "b/index.html", "c/index.html")
    found = data("report", public)
    assert (found["listed"], found["dated"]) == (3, 3)
    assert found["left_out"] == {"not in the sitemap": 3}
    days = {page["title"]: page["lastmod"][:10] for page in found["pages"] if page["lastmod"]}
    assert days == {"index.html": "2024-01-02", "drafts/index.html": "2024-02-02"}
    (public / "sitemap.xml").unlink()
    without = data("report", public, "--base-url", BASE)
    assert (without["listed"], without["left_out"]) == (0, {"no sitemap": 5})


def test_files_that_the_build_did_not_know_do_not_count(public):
    (public / "later.html").write_text(PAGE % ("later", "later"))
    report = data("report", public)
    assert (report["left_out"], len(report["pages"])) == ({"excluded": 1}, 3)
    (public / "a/index.html").unlink()
    assert [page["status"] for page in data("report", public)["pages"]] == ["listed", "excluded"]


def test_a_page_that_is_left_out_has_the_address_of_the_build_whatever_another_sitemap_lists(tmp_path):
    site = pages(tmp_path, "index.html", "drafts/index.html")
    other = urlset("https://docs.example.org/drafts/index.html")
    write(site, {"robots.txt": "Sitemap: https://docs.example.org/other.xml\n", "other.xml": other})
    command("build", site, "--base-url", "https://docs.example.org/", "--excludes", "drafts/*")
    report = data("report", site, "-o", tmp_path / "report.html")
    assert [page["loc"] for page in report["pages"]][1:] == ["https://docs.example.org/drafts/"]


def test_a_commit_that_git_no_longer_has(tmp_path):
    """After an amended commit: the date is that of the sitemap, without author and subject."""
    write(tmp_path, {"docs/index.md": "x", "site/index.html": PAGE % ("Home", "x")})
    commit(tmp_path, "docs", message="Before")
    assert command("build", "site", "--base-url", BASE, "--source", "docs").code == 0
    shutil.rmtree(tmp_path / ".git")
    commit(tmp_path, "docs", message="After", date="2025-01-01T00:00:00+00:00")
    assert data("report", "site")["dated"] == 1
    assert "2024-01-01" in Path("report.html").read_text()
    assert "Before" not in Path("report.html").read_text()


@pytest.mark.parametrize("folder", [BASE, f"{BASE}en/moved/"])
def test_a_page_that_a_hook_lists_at_another_address(mkdocs_project, monkeypatch, folder):
    """What reads the site looks for the file at its own path, and for the entry at that address.

    That is outside of the base URL, or below it.
    """
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, hooks=["hook.py"], site_url=f"{BASE}en/")
    moved = f"entry._replace(loc='{folder}' + page.path)"
    project.write({"hook.py": f"def sitemap_entry(entry, *, page, config): return {moved}"})
    project.build()
    monkeypatch.chdir(project.root)
    found = data("explain", "site", "docs/a.md")
    assert (found["loc"], found["listed"], found["sitemap"]) == (f"{folder}a/", True, "sitemap.xml")
    rules = {finding["rule"] for finding in data("check", "site")["findings"]}
    assert "page-not-listed" not in rules
    assert ("loc-out-of-scope" in rules) == (folder == BASE)


def test_the_record_is_found_where_the_checkout_was_moved_and_without_it(here, monkeypatch):
    """It lies in a cache folder of the project; a job may have that and the artifact, and nothing else."""
    built = write(here / "built", {f"docs/{name}.md": name for name in ("index", "a", "draft")})
    pages(built / "site", "index.html", "a/index.html", "draft/index.html")
    commit(built, "docs", date="2024-05-06T07:08:09+00:00")
    monkeypatch.chdir(built)
    kept = ("--cache-dir", ".cache")
    flags = ("--base-url", BASE, "--source", "docs", "--excludes", "draft/*", *kept)
    assert command("build", "site", *flags).code == 0
    built.joinpath("site").rename(built / "public")
    moved = built.rename(here / "moved")
    monkeypatch.chdir(moved)
    assert data("check", "public", *kept)["findings"] == []
    head = git(moved, "rev-parse", "HEAD").strip()
    for name in ("docs/a.md", "a/", "public/a/index.html"):
        found = data("explain", "public", name, *kept)
        assert found["record"], name
        assert (found["source"], found["dated"]["file"]) == ("docs/a.md", "docs/a.md")
        assert (found["dated"]["commit"], found["dated"]["author"]) == (head, "A Writer")
    for given in (kept, ("--source", "docs")):  # also where no rule asks for dates
        found = data("explain", "public", "docs/a.md", "--select", "title-missing", *given)
        assert (found["dated"]["file"], found["undated_cause"]) == ("docs/a.md", "")
    (moved / "public/draft/index.html").unlink()
    found = data("explain", "public", "docs/draft.md", *kept)
    assert (found["reason"], found["dated"]["file"]) == ("excluded", "docs/draft.md")
    reported = data("report", "public", *kept)["pages"]
    assert {page["source"] for page in reported} == {f"docs/{name}.md" for name in ("index", "a", "draft")}
    monkeypatch.chdir(here)
    for name in ("public", ".cache"):
        (moved / name).rename(name)
    shutil.rmtree(moved)
    found = data("explain", "public", "a/", *kept)
    assert (found["dated"]["commit"], found["dated"]["file"], found["source"]) == (head, *["docs/a.md"] * 2)
    assert f"{head[:12]}, 2024-05-06T07:08:09+00:00" in command("explain", "public", "a/", *kept).out
    assert {page["commit"] for page in data("report", "public", *kept)["pages"]} == {head}


def test_a_plugin_that_is_switched_off_is_no_wrong_option(tmp_path):
    plugin = "plugins:\n- sitemap-docs:\n    enabled: false\n"
    pages(write(tmp_path, {"mkdocs.yml": f"site_name: x\nsite_url: {BASE}\n{plugin}"}), "site/index.html")
    assert "sitemap-missing" in {each["rule"] for each in data("check", "site")["findings"]}


def test_a_build_in_a_tree_that_was_made_anew_counts_no_more(tmp_path):
    """A tree of two languages, each built and then joined; a page of one has the words of the other."""
    words = "These are enough words to tell whether two pages have the same text in their main content. " * 3
    for code in ("en", "de"):
        for name, text in (("index", code * 100), ("same", words), ("draft", code)):
            head = f'<!doctype html><html lang="{code}"><head><title>{name}</title></head>'
            page = f"{head}<body><main>{text}</main></body></html>"
            write(tmp_path, {f"tree/{code}/{name}.html": page})
        base = f"{BASE}{code}/"
        assert command("build", f"tree/{code}", "--base-url", base, "--excludes", "draft.html").code == 0
    assert command("join", "tree", "--base-url", BASE, "--x-default", "en").code == 0
    sitemap = tmp_path / "tree/de/sitemap.xml"
    sitemap.write_bytes(sitemap.read_bytes() + b"\n")
    assert data("explain", "tree", "de/same.html")["reason"] == "not translated"  # as the join decided
    assert data("explain", "tree", "en/draft.html")["reason"] == "excluded"
    assert data("explain", "tree", "de/draft.html")["reason"] == "not in the sitemap"
    assert data("report", "tree")["listed"] == 3


def test_a_build_that_is_newer_than_the_join_is_counted(tmp_path):
    """At the root of the tree; the index of the join is as it was."""
    pages(tmp_path / "tree", "index.html", "web/index.html", "web/off.html")
    assert command("build", "tree/web", "--base-url", f"{BASE}web/", "--excludes", "off.html").code == 0
    assert command("build", "tree", "--base-url", BASE, "--excludes", "web/*").code == 0
    assert command("join", "tree", "--base-url", BASE, "--filename", "all.xml").code == 0
    (tmp_path / "tree/new.html").write_text(PAGE % ("new", "new"))
    assert command("build", "tree", "--base-url", BASE, "--excludes", "web/*").code == 0
    assert (tmp_path / "tree/all.xml").exists()
    assert data("check", "tree")["findings"] == []
    reported = data("report", "tree")
    assert (reported["listed"], reported["left_out"]) == (3, {"excluded": 1})
    assert data("explain", "tree", "web/off.html")["detail"] == "off.html"
    assert data("explain", "tree", "web/index.html")["reason"] == ""


def test_versions_with_addresses_that_are_not_theirs_are_no_part_of_the_record(tmp_path):
    """What a build listed at the addresses of an alias is no page of the folder of its version."""
    pages(tmp_path / "tree", *(f"{build}.html" for build in ("1.0/index", "1.0/a", "2.0/index", "2.0/a")))
    command("build", "tree/1.0", "--base-url", f"{BASE}latest/")
    command("build", "tree/2.0", "--base-url", f"{BASE}2.0/", "--excludes", "a.html")
    command("join", "tree", "--base-url", BASE)
    assert data("report", "tree")["listed"] == 1
    assert data("explain", "tree", "2.0/a.html")["reason"] == "excluded"
    assert data("explain", "tree", "1.0/a.html")["record"] is False


def test_what_the_build_decided_is_unknown_without_its_record(public):
    """One line for all pages; next to a record, a page that the build did not know is a finding."""
    for number in range(20):
        (public / f"drafts/{number}.html").write_text(PAGE % (number, number))
    assert command("build", public, "--base-url", BASE, "--excludes", "drafts/*").code == 0
    (public / "new.html").write_text(PAGE % ("new", "new"))
    (known,) = data("check", public)["findings"]
    assert (known["rule"], known["where"]) == ("page-not-listed", f"{BASE}new.html")
    (public / "new.html").unlink()
    forget()
    done = passed("check", public)
    assert "No sitemap lists 21 pages. To see whether they were left out on purpose" in done.err
    assert data("explain", public, "drafts/3.html")["reason"] == "not in the sitemap"
    assert data("explain", public, "drafts/3.html")["findings"] == []
    sitemap = public / "sitemap.xml"  # of another program, whose pages are judged
    sitemap.write_bytes(sitemap.read_bytes().replace(b"<!-- sitemap-docs -->", b""))
    (finding,) = data("check", public)["findings"]
    assert (finding["rule"], finding["where"]) == (known["rule"], f"{BASE}drafts/")
    assert finding["message"].startswith("21 pages. The first: ")


@pytest.mark.parametrize("place", ["next to the site", "in the repository"])
def test_every_command_reads_the_record_that_a_file_near_the_site_names(tmp_path, here, monkeypatch, place):
    app = tmp_path / "app"
    site = pages(app / ("site" if place == "next to the site" else "out/site"), "index.html", "a/index.html")
    write(app, {"pyproject.toml": '[tool.sitemap-docs]\nrecord = "record.jsonl"\n', "a.md": "A"})
    commit(app, "pyproject.toml", "a.md", date="2024-05-06T07:08:09+00:00")
    monkeypatch.chdir(app)
    passed("build", site, "--base-url", BASE)
    forget()
    monkeypatch.chdir(here)
    assert data("check", site)["record"] is True
    assert data("report", site)["record"] is True
    assert data("explain", site, "a/")["record"] is True
    old = pages(tmp_path / "old", "index.html", "a/index.html", "gone/index.html")
    passed("build", old, "--base-url", BASE)
    assert "no record" not in passed("diff", old, site).out
    passed("check", site, "--record", app / "record.jsonl")
    other = command("check", site, "--record", tmp_path / "missing.jsonl")
    assert other.code == 2, "A record that is passed is the only one that is read."


def test_a_page_of_a_version_that_is_not_joined_has_the_same_address_with_and_without_the_record(tmp_path):
    write(tmp_path, {"tree/1.0/searchindex.js": 'Search.setIndex({"docnames":["index","a/index"]})'})
    pages(tmp_path / "tree", "1.0/index.html", "1.0/search.html", "1.0/a/index.html", "2.0/index.html")
    for version in ("1.0", "2.0"):
        passed("build", f"tree/{version}", "--base-url", f"{BASE}{version}/")
    passed("join", "tree", "--base-url", BASE, "--versions", "2.0")
    by_record = data("explain", "tree", "1.0/a/index.html")["loc"]
    forget()
    by_dry_run = data("explain", "tree", "1.0/a/index.html")["loc"]
    assert [by_record, by_dry_run] == [f"{BASE}1.0/a/index.html"] * 2
