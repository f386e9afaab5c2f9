"""The command ``check`` on built folders."""

import json
import shutil
from datetime import datetime, timezone
from pathlib import Path

import pytest

from tests.audit.cases import change, lay
from tests.conftest import command, commit, git, passed, urlset, write

HERE = Path(__file__).parents[1]


@pytest.fixture
def site(here) -> Path:
    """A site with one warning, in a project of its own."""
    lay(here / "site", "robots-unknown-directive/bad")
    return here / "site"


def check(*arguments: str):
    return command("check", *arguments)


def test_findings_exit_with_1_and_are_told_on_stdout(site):
    done = check("site")
    assert done.code == 1
    assert "warning: robots-unknown-directive (1)" in done.out
    assert "site/robots.txt:2" in done.out
    assert "base URL https://docs.example.org/" in done.err
    assert check("site", "--json").data["counts"]["warning"] == 1
    assert check("site", "--format", "sarif", "-o", "audit.sarif").out == ""
    assert json.loads(Path("audit.sarif").read_text())["version"] == "2.1.0"
    shutil.copyfile(HERE / "audit" / "site" / "robots.txt", site / "robots.txt")
    assert check("site").code == 0
    assert check("site", "--quiet").out == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--explain-rule", "nonsense"], "There is no rule 'nonsense'", id="a rule to explain"),
        (["site", "--select", "title-missng"], "Did you mean `title-missing`?"),
        pytest.param(["ftp://e.org/"], "begins with https:// or http://", id="an address of another scheme"),
        pytest.param(["site", "-o", "none/a.json"], "cannot be written: No such", id="a file"),
        pytest.param(["site", "--ignore", "hreflan"], "Did you mean `hreflang`?", id="a misspelled group"),
        pytest.param(["site", "--format", "pdf"], "pdf", id="a format"),
        pytest.param(["site", "--baseline", "none.json"], "none.json", id="a baseline"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_why(site, arguments, said):
    done = check(*arguments)
    assert done.code == 2
    assert said in done.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["--ignore", "robots"], 0, id="ignored by group"),
        pytest.param(["--ignore", "robots-*"], 0, id="ignored by glob"),
        pytest.param(["--select", "hreflang"], 0, id="another group selected"),
        pytest.param(["--fail-on", "error"], 0, id="milder than what fails"),
        pytest.param(["--fail-on", "never"], 0, id="nothing fails"),
        pytest.param(["--fail-on", "info"], 1, id="more severe than asked for"),
    ],
)
def test_rules_are_chosen(site, arguments, code):
    assert check("site", *arguments).code == code


@pytest.mark.parametrize(
    ("table", "code"),
    [
        pytest.param('ignore = ["robots"]', 0, id="ignored"),
        ('severity = "error"\nrules.robots-unknown-directive.severity = "error"', 1),
        pytest.param('rules.robots-unknown-directive.ignore = ["robots.txt"]', 0, id="a place ignored"),
        pytest.param("rules.lastmod-all-equal.at-most = 3", 2, id="a setting that is not there"),
        pytest.param('rules.lastmod-all-equal.at-least = "3"', 2, id="a setting of a wrong type"),
        pytest.param('ignored = ["robots"]', 2, id="a word that is not there"),
    ],
)
def test_rules_are_configured_in_toml(site, table, code):
    (site.parent / "pyproject.toml").write_text(f"[tool.sitemap-docs.check]\n{table}\n")
    assert check("site").code == code


def test_baseline_lets_a_site_start_today(site):
    assert check("site", "--write-baseline", "known.json").code == 0
    assert "1 finding that the baseline contains." in passed("check", "site", "--baseline", "known.json").out
    assert check("site", "--baseline", "known.json", "--write-baseline", "known.json").code == 0
    assert check("site", "--baseline", "known.json").code == 0
    assert "Gone" not in check("site", "--baseline", "known.json", "--select", "hreflang").out
    shutil.copyfile(HERE / "audit" / "site" / "robots.txt", site / "robots.txt")
    assert "Fixed since the baseline: 1 finding." in check("site", "--baseline", "known.json").out
    (site / "sitemap.xml").write_text("<urlset>")
    assert check("site", "--baseline", "known.json").code == 1


def test_annotations_point_at_the_source_page_from_the_checkout(site, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(site))  # of another project
    commit(write(site.parent, {"docs/guide.md": "# Guide"}), date="2026-03-14T15:09:26+00:00")
    change(site, "noindex-listed/bad")
    done = check("site", "--source", "docs", "--format", "github", "--select", "noindex-listed")
    assert done.out.startswith("::error file=docs/guide.md,line=1,title=noindex-listed::")
    assert "1 error (1 rule run)" in done.err
    monkeypatch.setenv("GITHUB_WORKSPACE", str(site.parent.parent))
    said = check("site", "--source", "docs", "--format", "github", "--select", "noindex-listed").out
    assert said.startswith(f"::error file={site.parent.name}/docs/guide.md,line=1")
    assert f"`{site.parent.name}/site/robots.txt:2`" in check("site", "--format", "markdown").out
    assert "site/guide/index.html" in check("site", "--select", "noindex-listed").out


def test_findings_of_a_sitemap_name_the_source_of_the_page(site):
    write(site.parent, {"docs/guide.md": "# Guide"})
    change(site, "lastmod-format/bad")
    flags = ("--source", "docs", "--select", "lastmod-format")
    assert "::error file=docs/guide.md,line=1," in check("site", *flags, "--format", "github").out
    assert "guide/  site/sitemap.xml:5\n" in check("site", *flags).out
    (entry,) = check("site", *flags, "--json").data["findings"]
    assert (entry["file"], entry["line"], entry["path"]) == ("sitemap.xml", 5, "docs/guide.md")


def test_rules_are_listed_and_explained():
    assert "title-missing" in passed("check", "--list-rules").out
    assert "at-least = 10" in passed("check", "--explain-rule", "lastmod-all-equal").out
    renamed = passed("check", "--explain-rule", "redirect-loop").out
    assert renamed.startswith("redirect-loop is part of redirect-target-missing now.\n\nredirect-t")
    assert passed("check", "--explain-rule", "llms-coverage").out.startswith(
        "The rule llms-coverage was removed"
    )


@pytest.mark.parametrize(("host", "absent"), [("docs.example.net", True), ("x.readthedocs.io", False)])
def test_read_the_docs_serves_a_robots_txt_itself(tmp_path, host, absent):
    write(tmp_path, {"site/index.html": '<html lang="en"><title>Home</title></html>'})
    flags = (str(tmp_path / "site"), "--base-url", f"https://{host}/")
    command("build", *flags, "--robots", "false")
    assert ("robots-absent" in check(*flags).out) is absent


def test_a_site_of_redirects_alone_has_no_sitemap(tmp_path):
    """A build would write none, so that it is no advice."""
    write(tmp_path, {"site/index.html": "<meta http-equiv=refresh content='0; url=https://e.org/'>"})
    done = check(str(tmp_path / "site"), "--base-url", "https://e.net/", "--select", "sitemap-missing")
    assert done.code == 1
    assert "because each of its pages is left out" in done.out


def test_a_sitemap_without_dates_is_explained(here, monkeypatch):
    """The build has said that it found no sources; without its record, the command does."""
    write(here, {"site/index.html": '<html lang="en"><title>Home</title></html>'})
    command("build", "site", "--base-url", "https://docs.example.net/")
    assert "sources-missing" not in check("site").err
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "another"))
    done = check("site")
    assert (done.code, done.err.count("[sources-missing]")) == (0, 1)
    assert "--source" in done.err
    assert "sources-missing" not in check("site", "--lastmod", "none").err


@pytest.mark.parametrize(
    ("flags", "table", "audited"),
    [
        pytest.param([], "", False, id="not asked for"),
        pytest.param(["--check", "true"], "", True, id="asked for"),
        pytest.param(["--check", "true"], 'ignore = ["robots"]', False, id="with the table"),
        pytest.param(["--check", "true", "--dry-run"], "", False, id="nothing is written"),
    ],
)
def test_a_build_ends_with_an_audit_where_it_is_asked_for(site, flags, table, audited):
    (site.parent / "pyproject.toml").write_text(f"[tool.sitemap-docs.check]\n{table}\n" if table else "")
    build = ["build", "site", "--lastmod", "none", "--replace", "--robots", "false"]
    done = command(*build, *flags)
    assert ("[robots-unknown-directive]" in done.err) is audited


def test_a_preview_has_no_sitemap(tmp_path, monkeypatch):
    """What the build decided holds where its record is, what a build would decide where it is not."""
    (tmp_path / "index.html").write_text("<!doctype html><html lang=en><title>Home</title><p>x")
    preview = {"CONTEXT": "deploy-preview", "DEPLOY_PRIME_URL": "https://d--x.netlify.app"}
    for name, value in (("NETLIFY", "true"), *preview.items()):
        monkeypatch.setenv(name, value)
    built = command("build", tmp_path)
    assert "nothing written: a preview deployment" in built.out
    checked = passed("check", tmp_path)
    assert "no sitemap expected: a preview" in checked.err
    monkeypatch.delenv("NETLIFY")
    for name, more in (("check", ()), ("report", ("-o", str(tmp_path / "report.txt")))):
        checked = passed(name, tmp_path, *more)
        assert "no sitemap expected: a preview" in checked.err
    explained = command("explain", tmp_path, "index.html")
    assert "left out: no sitemap" in explained.out
    reported = command("report", tmp_path, "--json", "-o", tmp_path / "report.html").data
    assert (reported["listed"], reported["left_out"]) == (0, {"no sitemap": 1})
    assert [page["status"] for page in reported["pages"]] == ["no sitemap"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    checked = command("check", tmp_path, "--base-url", "https://docs.example.org")
    assert (checked.code, "sitemap-missing" in checked.out) == (1, True)


def test_a_folder_without_pages(tmp_path):
    """Check gives the advice that the build gives."""
    flags = [str(tmp_path), "--base-url", "https://docs.example.org/"]
    (tmp_path / "notes.txt").touch()
    advice = "contains no HTML page. Build the site first, or pass the folder that contains it."
    checked = command("check", *flags)
    assert advice in checked.out
    assert "Build one" not in checked.out
    assert advice in command("build", *flags).err


def test_notes_that_are_not_shown_are_counted(here):
    home = "https://docs.example.org/"
    page = "<!doctype html><title>Home</title>"
    write(here, {"site/index.html": page, "site/sitemap.xml": urlset(home)})
    line = "1 note not shown. To show them: --severity info"
    assert line in check("site", "--base-url", home).out
    assert line not in check("site", "--base-url", home, "--severity", "info").out


@pytest.fixture
def aged(here) -> Path:
    """A site with five pages: four were changed last in 2020, 2021, 2022 and 2023, and one today."""
    days = [*(f"{year}-01-01T00:00:00+00:00" for year in range(2020, 2024)), f"{datetime.now(timezone.utc)}"]
    for name, day in zip("ebdca", days, strict=True):
        write(here, {f"docs/{name}.md": f"# {name}\n", f"site/{name}.html": f"<title>{name}</title>"})
        commit(here, f"docs/{name}.md", date=day)
    passed("build", "site", *AGED)
    return here


AGED = ("--source", "docs", "--base-url", "https://docs.example.org/", "--links", "files")
STALE = "page-stale"


def stale_pages(*arguments: str) -> list[str]:
    """The sources of the pages that are found to be old, in their order."""
    findings = check("site", *AGED, "--json", *arguments).data["findings"]
    return [finding["source"] for finding in findings if finding["rule"] == STALE]


@pytest.mark.parametrize("cache", ["cache", ""])
def test_pages_that_nobody_has_changed_are_listed_if_the_rule_is_selected(aged, monkeypatch, cache):
    """With the record of the build and without it."""
    if cache:
        monkeypatch.setenv("XDG_CACHE_HOME", str(aged / cache))
    oldest_first = [f"docs/{name}.md" for name in "ebdc"]
    assert stale_pages() == []
    for selected in (STALE, "lastmod", "all"):
        assert stale_pages("--select", selected) == oldest_first
    assert stale_pages("--select", STALE, "--ignore", f"{STALE}=b.html") == ["docs/e.md", *oldest_first[2:]]
    days = (datetime.now(timezone.utc) - datetime(2021, 7, 1, tzinfo=timezone.utc)).days
    write(aged, {"pyproject.toml": f"[tool.sitemap-docs.check.rules.{STALE}]\nmax-age = {days}\n"})
    assert stale_pages("--select", STALE) == oldest_first[:2]


def test_the_old_pages_as_the_text_of_an_issue(aged):
    """With all pages, and their commits."""
    done = check("site", *AGED, "--select", STALE, "--format", "markdown")
    assert done.code == 1
    rows = [line for line in done.out.splitlines() if line.startswith(f"| `{STALE}`")]
    assert [row.count("docs/") for row in rows] == [1] * 4
    assert [row[row.index(" on ") + 4 :][:4] for row in rows] == ["2020", "2021", "2022", "2023"]
    for name, row in zip("ebdc", rows, strict=True):
        assert git(aged, "log", "-1", "--format=%h", "--abbrev=12", f"docs/{name}.md").strip() in row
