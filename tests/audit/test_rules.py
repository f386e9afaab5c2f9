"""Every rule: a site that trips it and nothing else, and another that trips nothing."""

import re
from pathlib import Path

import pytest

from sitemap_docs.audit.registry import audit_rules, folder_rules
from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.audit.run import audit_site, findings_of_build
from sitemap_docs.config.options import Options
from sitemap_docs.decide import Collected, decide
from tests.audit.cases import CASES, FILES, lay
from tests.conftest import BASE, built_site, command, git, html_page, pages_of, site_project, urlset, write


def repository(folder: Path, commits: list[dict], depth: int) -> Path:
    folder.mkdir()
    git(folder, "init", "-q")
    for commit in commits:
        git(write(folder, commit["files"]), "add", ".")
        authored = commit.get("author-date", commit["date"])
        git(folder, "commit", "-q", "-m", "Change", f"--date={authored}", date=commit["date"])
    if not depth:
        return folder
    git(folder, "clone", "-q", f"--depth={depth}", folder.as_uri(), "../shallow")
    return folder.parent / "shallow"


def look(root: Path, said: dict, *, select: tuple[str, ...] = ("all",), excludes: tuple[str, ...] = ()):
    """The findings of all rules, infos and whole pages included."""
    options = Options.of({"check": {"rules": said.get("check", {})}})
    settings = settings_of(options, select=select, severity="info")
    docs = ()
    if "commits" in said:
        docs = [repository(root.parent / "docs", said["commits"], said.get("depth", 0))]
    more = said.get("options", {})
    build = site_project(root, base_url=said.get("base-url", BASE), excludes=excludes, **more)
    return list(audit_site(built_site(build, *docs), settings).findings)


def test_each_rule_has_a_bad_site_where_its_module_says():
    assert {name.partition("/")[0] for name in CASES if "/bad" in name} == set(folder_rules())
    for file in FILES:
        named = re.findall(r"^=== (\S+)", file.read_text("utf-8"), re.MULTILINE)
        assert {folder_rules()[rule].group for rule in named} == {file.stem}


@pytest.mark.parametrize("case", [name for name in CASES if "/bad" in name])
def test_bad_site_trips_exactly_its_rule(case, tmp_path):
    said = lay(tmp_path / "site", case)
    found = look(tmp_path / "site", said)
    assert {finding.rule for finding in found} == {case.partition("/")[0]}
    assert all(finding.message.endswith(".") or "Sitemap: " in finding.message for finding in found)


def test_a_build_itself_reports_the_shallow_clone_and_its_audit_does_not(tmp_path):
    said = lay(tmp_path / "site", "shallow-clone/bad")
    docs = repository(tmp_path / "docs", said["commits"], said["depth"])
    build = site_project(tmp_path / "site")
    settings = settings_of(select=["lastmod"])
    (finding,) = audit_site(built_site(build, docs), settings).findings
    assert finding.message.startswith("The clone is shallow: it lacks the last change of 2 of 3 pages")
    decided = decide(build, Collected(pages=pages_of(build, docs)), described=True)
    assert len(decided.rows) > 0
    assert findings_of_build(build, decided, settings) == ()


@pytest.mark.parametrize(
    ("case", "lastmod", "rules"),
    [
        ("good-author-date", "2026-03-14T15:09:26+00:00", []),
        ("good-author-date", "2026-03-14", []),
        ("good-committer-date", "2026-03-01T12:00:00+00:00", []),
        ("bad-date-of-no-commit", "2026-03-14T15:09:26+00:00", ["lastmod-differs-from-page"]),
    ],
)
def test_a_commit_explains_both_dates_of_a_page_without_a_known_source(tmp_path, case, lastmod, rules):
    """The site is in the repository, but nothing shows which file is the source of a page."""
    commits = lay(tmp_path / "unused", f"lastmod-differs-from-page/{case}")["commits"]
    site = repository(tmp_path / "project", commits, 0) / "site"
    lay(site, f"lastmod-differs-from-page/{case}")
    sitemap = (site / "sitemap.xml").read_text("utf-8")
    loc = f"{BASE}guide/</loc><lastmod>"
    write(site, {"sitemap.xml": re.sub(f"(?<={re.escape(loc)})[^<]+", lastmod, sitemap)})
    found = look(site, {}, select=("lastmod",))
    assert [finding.rule for finding in found if finding.where == f"{BASE}guide/"] == rules


@pytest.mark.parametrize(
    ("lastmod", "rules"),
    [
        pytest.param("2026-05-05T10:00:00+00:00", [], id="of the newer commit"),
        pytest.param("2026-05-05", [], id="of its day"),
        pytest.param(
            "2026-05-07T10:00:00+00:00", ["lastmod-differs-from-git"], id="of no commit to a source"
        ),
    ],
)
@pytest.mark.parametrize("kept_by", ["tag", "branch", "remote", "nothing"])
def test_a_date_of_a_newer_commit_than_the_one_that_is_checked_out_is_right(
    tmp_path, kept_by, lastmod, rules
):
    """As in a clone at the tag of an old version, with the site of the newest version."""
    lay(tmp_path / "site")
    files = {"docs/about.md": "About", "docs/index.md": "Home", "docs/guide.md": "Guide"}
    dates = {
        "2025-11-02": files,
        "2026-05-05": {"docs/guide.md": "More"},
        "2026-05-07": {"deployed.txt": "Site"},
    }
    commits = [{"date": f"{day}T10:00:00+00:00", "files": written} for day, written in dates.items()]
    top = repository(tmp_path / "project", commits, 0)
    git(top, *{"tag": ["tag", "3.1"], "branch": ["branch", "next"]}.get(kept_by, ["status"]))
    if kept_by == "remote":
        git(top, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(top, "reset", "-q", "--hard", "HEAD~2")
    sitemap = (tmp_path / "site" / "sitemap.xml").read_text("utf-8")
    sitemap = re.sub("<lastmod>[^<]+", "<lastmod>2025-11-02T10:00:00+00:00", sitemap)
    loc = f"{BASE}guide/</loc><lastmod>"
    write(tmp_path / "site", {"sitemap.xml": re.sub(f"(?<={re.escape(loc)})[^<]+", lastmod, sitemap)})
    build = site_project(tmp_path / "site", base_url=BASE)
    found = audit_site(
        built_site(build, top / "docs"), settings_of(select=["lastmod-differs-from-git"])
    ).findings
    expected = ["lastmod-differs-from-git"] if kept_by == "nothing" else rules
    assert [finding.rule for finding in found] == expected


@pytest.mark.parametrize(
    ("path", "is_missing"),
    [
        pytest.param("en/latest/en/latest/sitemap.xml", True, id="language and version twice"),
        pytest.param("en/latest/old.xml", True, id="no such file"),
        pytest.param("en/latest/sitemap.xml", False, id="the sitemap"),
        pytest.param("de/latest/sitemap.xml", False, id="another language"),
        pytest.param("en/stable/sitemap.xml", False, id="another version"),
    ],
)
def test_a_dead_line_below_the_address_of_a_version_on_read_the_docs(tmp_path, path, is_missing):
    host = "https://demo.readthedocs.io/"
    base = f"{host}en/latest/"
    robots = f"Sitemap: {base}sitemap.xml\nSitemap: {host}{path}\n"
    write(tmp_path, {"index.html": html_page(), "sitemap.xml": urlset(base), "robots.txt": robots})
    done = command("check", tmp_path, "--base-url", base, "--select", "robots-sitemap-file-missing")
    assert done.code == is_missing
    assert (f"no file for the sitemap {host}{path}, if this is the default version" in done.out) == is_missing


@pytest.mark.parametrize(
    ("case", "advice"),
    [
        ("canonical-scheme-host/bad", "change the setting from which the theme"),
        ("canonical-scheme-host/bad-encoding", "percent-encode the path"),
        ("noindex-listed/bad-headers", "_headers: /guide/*"),
        ("unavailable-after-past/bad", "in the robots meta tag of the page"),
        ("unavailable-after-past/bad-headers", "in the header X-Robots-Tag of the host"),
        ("hreflang-code-invalid/bad", "Write en-GB."),
        ("canonical-chain/bad-redirect", f"redirects to {BASE}about/."),  # without its fragment
    ],
)
def test_advice_fits_what_is_wrong(tmp_path, case, advice):
    (message,) = {each.message for each in look(tmp_path / "site", lay(tmp_path / "site", case))}
    assert advice in message


@pytest.mark.parametrize("cases", [(), *((name,) for name in CASES if "/good" in name)], ids="".join)
def test_what_is_right_trips_nothing(cases, tmp_path):
    """The sound site, and what nearly trips a rule."""
    said = lay(tmp_path / "site", *cases)
    assert look(tmp_path / "site", said) == []


def test_one_source_has_one_name():
    named = {}
    for rule in audit_rules().values():
        name, url = rule.source
        assert named.setdefault(url or name, name) == name
