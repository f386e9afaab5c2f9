"""What the host of a site does: one answer, which builds, check, explain, diff and notify share."""

import ast
import re
from pathlib import Path

import pytest

import sitemap_docs
from sitemap_docs.api import build, check
from sitemap_docs.folder.settings import find_root
from sitemap_docs.hosting import find_hosting, why_not_deployed
from sitemap_docs.programs.followed import platform
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform
from tests.conftest import MkDocsProject, SphinxProject, command, git, html_page, passed, read_the_docs, write

PACKAGE = Path(sitemap_docs.__file__).parent
ROOT = "https://docs.example.org/"
STABLE = "https://project.readthedocs.io/en/stable/"
DOMAIN = f"{ROOT}en/stable/"
CLOUDFLARE = "project.pages.dev"


def rules_of(findings) -> dict[str, str]:
    """The severity of each rule that found something."""
    return {finding.rule: finding.severity for finding in findings}


# Facts


CRAWLED = [
    pytest.param(ROOT, {}, False, "of the site", id="the root of a host"),
    pytest.param(f"{ROOT}docs/", {}, False, "of the host", id="a folder of a host"),
    pytest.param(DOMAIN, {}, False, "of the host", id="a version"),
    pytest.param(DOMAIN, {}, True, "of the default version", id="a version of a project there"),
    pytest.param(STABLE, {}, False, "of the default version", id="a host of Read the Docs"),
    pytest.param(DOMAIN, {"READTHEDOCS": "True"}, False, "of the default version", id="a build there"),
    pytest.param("https://project.readthedocs.io/", {}, False, "of the site", id="a single version"),
]


@pytest.mark.parametrize(("base", "environ", "is_configured", "crawled"), CRAWLED)
def test_the_robots_txt_that_crawlers_read(tmp_path, base, environ, is_configured, crawled):
    if is_configured:
        (tmp_path / ".readthedocs.yaml").touch()
    hosting = find_hosting(platform(environ), Base.of(base), root=tmp_path)
    assert hosting.crawled_robots == crawled
    assert hosting.makes_robots == (crawled == "of the default version" or "readthedocs" in base)


@pytest.mark.parametrize("where", [{"host": "cloudflare-pages"}, {"base": Base.of(f"https://{CLOUDFLARE}/")}])
def test_a_page_on_cloudflare_pages_is_served_without_html(where):
    hosting = find_hosting(Platform(), **{"base": Base.of(ROOT), **where})
    locs = [f"{hosting.base.url}{path}" for path in ("a.html", "b/index.html", "c/", "d")]
    served = [hosting.served_address(loc).removeprefix(hosting.base.url) for loc in locs]
    assert served == ["a", "b/", "c/", "d"]
    assert find_hosting(Platform(), Base.of(ROOT)).served_address(f"{ROOT}a.html") == f"{ROOT}a.html"


# Read the Docs and robots.txt


FORBIDS = "User-agent: *\nDisallow: /en/stable/\nno colon\nDisallow: x\n"
FOUND = {
    "robots-disallow-all": "warning",
    "robots-pattern-start": "warning",
    "robots-unknown-directive": "warning",
}


@pytest.fixture
def stable(tmp_path, monkeypatch) -> Path:
    """A folder of a version, with a robots.txt that may be that of the default version."""
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "site", {"index.html": html_page(), "robots.txt": FORBIDS})


@pytest.mark.parametrize("base", [STABLE, DOMAIN])
def test_check_reads_the_robots_txt_that_may_be_that_of_the_default_version(stable, base):
    (stable.parent / ".readthedocs.yaml").touch()
    build(stable, base_url=base)
    findings = {finding.rule: finding for finding in check(stable)}
    assert rules_of(findings.values()) == FOUND
    condition = "robots.txt forbids Googlebot and bingbot to fetch any page, if this is the default version."
    assert findings["robots-disallow-all"].message.startswith(condition)
    assert "/en/stable/" in findings["robots-disallow-all"].message
    assert "default version" not in findings["robots-pattern-start"].message


def test_a_site_is_checked_from_outside_of_its_repository(stable, monkeypatch):
    """The configuration of the host is looked for in the repository of the site."""
    git(stable.parent, "init", "-q")
    (stable.parent / ".readthedocs.yaml").touch()
    build(stable, base_url=DOMAIN)
    outside = stable.parent.parent / "outside"
    outside.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(outside / "cache"))  # without the record of the build
    for here in (outside, stable.parent.parent, stable.parent):
        monkeypatch.chdir(here)
        assert rules_of(check(stable, base_url=DOMAIN)) == FOUND, here


def test_the_folder_of_the_project(tmp_path):
    project, deployed, plain = (tmp_path / name for name in ("project", "deployed", "plain"))
    for folder in (project, project / "clone", deployed, plain):
        (folder / "site").mkdir(parents=True)
    (project / "docs").mkdir()
    for folder in (project, project / "clone", deployed):
        git(folder, "init", "-q")
    assert find_root(project / "site", tmp_path) == project
    assert find_root(project / "site", project / "docs") == project / "docs"
    assert find_root(project / "clone/site", project) == project, "a clone inside of the project"
    assert find_root(deployed, project) == project, "a repository of a site alone"
    assert find_root(deployed / "site", project) == deployed
    assert find_root(deployed / "site", project, [project / "docs"]) == project
    assert find_root(plain / "site", project) == project


def test_errors_about_it_stay_warnings_for_the_severity_that_a_project_sets(stable):
    build(stable, base_url=STABLE)
    rules = {"robots-pattern-start": {"severity": "error"}}
    (stable.parent / "pyproject.toml").write_text(
        "[tool.sitemap-docs.check.rules]\nrobots-pattern-start = {severity = 'error'}\n"
    )
    assert rules_of(check(stable, config=stable.parent / "pyproject.toml")) == FOUND, rules


def test_without_faults_it_is_silent(stable):
    (stable / "robots.txt").write_text("User-agent: *\nDisallow: /en/old/\n")
    build(stable, base_url=STABLE)
    assert check(stable) == ()


def test_lines_about_single_pages_have_the_condition(stable):
    write(stable, {"a.html": html_page(), "b.html": html_page('<meta name="robots" content="noindex">')})
    (stable / "robots.txt").write_text("User-agent: *\nDisallow: /en/stable/a\nDisallow: /en/stable/b\n")
    build(stable, base_url=STABLE)
    found = check(stable)
    assert rules_of(found) == {"listed-url-disallowed": "warning", "disallow-hides-noindex": "warning"}
    assert all("if this is the default version" in finding.message for finding in found)
    data = command("explain", stable, "a", "--json").data
    assert [finding["rule"] for finding in data["findings"]] == ["listed-url-disallowed"]


def test_elsewhere_its_faults_are_errors(stable):
    (stable / "robots.txt").write_text("User-agent: *\nDisallow: /\nDisallow: x\n")
    build(stable, base_url=ROOT)
    found = check(stable)
    assert rules_of(found) == {"robots-disallow-all": "error", "robots-pattern-start": "error"}
    assert not any("default version" in finding.message for finding in found)


def test_a_folder_of_another_host_has_no_robots_txt_of_its_own(stable):
    build(stable, base_url=DOMAIN)
    assert rules_of(check(stable)) == {"robots-not-at-host-root": "error"}


@pytest.mark.parametrize("is_there", [True, False], ids=["on the platform", "on another machine"])
def test_builds_there_print_nothing_about_it_even_with_an_audit(stable, monkeypatch, is_there):
    if is_there:
        read_the_docs(monkeypatch, STABLE)
    done = build(stable, base_url=STABLE, check=True)
    assert [finding.rule for finding in done.findings] == ["sources-missing"]
    assert (stable / "robots.txt").read_text().endswith(f"Sitemap: {STABLE}sitemap.xml\n")


def test_sphinx_builds_it_silently_and_check_reports_it(sphinx_project: SphinxProject, monkeypatch):
    read_the_docs(monkeypatch, STABLE)
    project = sphinx_project("a", html_baseurl=STABLE, html_extra_path=["robots.txt"], sitemap_check=True)
    project.write({"src/robots.txt": FORBIDS})
    project.commit("2024-01-01T00:00:00+00:00")
    assert "robots" not in project.build().warnings
    monkeypatch.delenv("READTHEDOCS")
    assert {**FOUND, **rules_of(check(project.out))} == rules_of(check(project.out))


def test_mkdocs_builds_it_silently_and_check_reports_it(mkdocs_project: MkDocsProject, monkeypatch):
    read_the_docs(monkeypatch, STABLE)
    pages = {"index.md": "# Home", "robots.txt": FORBIDS}
    project = mkdocs_project(pages, site_url=STABLE, options={"check": True})
    project.commit("2024-01-01T00:00:00+00:00")
    assert not any("robots" in line for line in project.build() if line.startswith("WARNING"))
    monkeypatch.delenv("READTHEDOCS")
    assert {**FOUND, **rules_of(check(project.out))} == rules_of(check(project.out))


# Cloudflare Pages


ELSEWHERE = "/b /elsewhere 301\n"
REDIRECTED = "Cloudflare Pages redirects 2 listed addresses, such as "


def listed(site: Path, base: str = ROOT) -> set[str]:
    """The paths that the sitemap of a site lists."""
    return {entry.loc.removeprefix(base) for entry in parse(site / "sitemap.xml").entries()}


@pytest.fixture
def flat(tmp_path) -> Path:
    """A folder of pages whose names end with ``.html``. The host redirects one of them away."""
    pages = {name: html_page() for name in ("index.html", "a.html", "b.html", "c.html")}
    return write(tmp_path / "site", {**pages, "_redirects": ELSEWHERE})


def test_the_command_reports_addresses_with_html(flat):
    done = passed("build", flat, "--base-url", ROOT, "--links", "files", "--host", "cloudflare-pages")
    assert f"{REDIRECTED.replace('2', '3')}{ROOT}a.html to {ROOT}a." in done.err
    assert listed(flat) == {"index.html", "a.html", "c.html"}
    assert "redirects" not in passed("build", flat, "--base-url", ROOT, "--links", "files").err
    assert listed(flat) == {"index.html", "a.html", "b.html", "c.html"}


def test_a_style_without_html_is_right_there(flat):
    done = passed("build", flat, "--base-url", ROOT, "--links", "clean", "--host", "cloudflare-pages")
    assert "redirects" not in done.err
    assert listed(flat) == {"", "a", "c"}


def test_mkdocs_reports_addresses_with_html(mkdocs_project: MkDocsProject, monkeypatch):
    monkeypatch.setenv("CF_PAGES", "1")
    pages = {"index.md": "# Home", "a.md": "# A", "b.md": "# B", "_redirects": ELSEWHERE}
    project = mkdocs_project(pages, use_directory_urls=False)
    (line,) = (line for line in project.build() if "Pages redirects" in line)
    assert line.startswith("WARNING")
    assert REDIRECTED in line
    assert line.endswith(
        "Remove `use_directory_urls: false`, so that no address ends with .html. [addresses-redirect]"
    )
    assert set(project.paths()) == {"index.html", "a.html"}
    project.configure(use_directory_urls=True)
    assert not any("Pages redirects" in line for line in project.build())


def test_a_rule_that_repeats_what_the_host_does_leaves_the_page_listed(mkdocs_project, monkeypatch):
    """Cloudflare Pages redirects ``/a.html`` to ``/a`` without this rule, too."""
    monkeypatch.setenv("CF_PAGES", "1")
    pages = {"index.md": "# Home", "a.md": "# A", "b.md": "# B", "c.md": "# C"}
    rules = "/a.html /a 301\n/b.html /b 301\n/b /c 301\n"
    project = mkdocs_project({**pages, "_redirects": rules}, use_directory_urls=False)
    project.build()
    assert project.paths() == ["a.html", "c.html", "index.html"]


def test_sphinx_leaves_out_a_page_whose_address_without_html_is_redirected(sphinx_project, monkeypatch):
    monkeypatch.setenv("CF_PAGES", "1")
    project = sphinx_project("a", "b", html_extra_path=["_redirects"], html_baseurl=ROOT)
    project.write({"src/_redirects": ELSEWHERE})
    warnings = project.build().warnings
    assert re.search(r"redirects 2 listed addresses, such as \S+/a\.html to \S+/a\. Build with", warnings)
    assert set(project.paths()) == {"index.html", "a.html"}
    project.configure(sitemap_links="clean")
    assert "redirects" not in project.build().warnings


@pytest.mark.parametrize("has_record", [True, False])
def test_check_reports_addresses_with_html_for_the_option_host(flat, has_record):
    passed("build", flat, "--base-url", ROOT, "--links", "files")
    flags = ["--cache-dir", flat.parent / "none"] * (not has_record)
    assert "redirects" not in command("check", flat, "--base-url", ROOT, *flags).out
    checked = command("check", flat, "--base-url", ROOT, "--host", "cloudflare-pages", *flags)
    assert f"Cloudflare Pages redirects this address to {ROOT}a." in checked.out
    assert "3 pages. The first: " in checked.out, "b.html has another finding"
    assert "redirect-source-listed" in checked.out


def test_a_build_with_an_audit_reports_them_once(flat):
    done = build(flat, base_url=ROOT, links="files", host="cloudflare-pages", check=True)
    assert [finding.rule for finding in done.findings].count("addresses-redirect") == 1


def test_a_header_for_the_address_without_html_applies(flat):
    write(flat, {"_headers": "/c\n  X-Robots-Tag: noindex\n"})
    passed("build", flat, "--base-url", ROOT, "--links", "files", "--host", "cloudflare-pages")
    assert listed(flat) == {"index.html", "a.html"}


DIFFED = [
    pytest.param({}, "", "still served, but not listed", id="a host that serves the file"),
    pytest.param({"CF_PAGES": "1"}, "", "redirects to /elsewhere", id="this run"),
    pytest.param({}, "cloudflare-pages", "redirects to /elsewhere", id="the record of the build"),
]


@pytest.mark.parametrize(("environ", "host", "found"), DIFFED)
def test_diff_knows_whether_a_redirect_wins_over_a_file(flat, monkeypatch, environ, host, found):
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    old = write(flat.parent / "old", {f"{name}.html": html_page() for name in ("index", "a", "b", "c")})
    passed("build", old, "--base-url", ROOT, "--links", "files")
    flags = ["--host", host] * bool(host)
    passed("build", flat, "--base-url", ROOT, "--links", "files", "--excludes", "b.html", *flags)
    assert f"- {ROOT}b.html  {found}" in command("diff", old, flat).out


# Previews


PREVIEWS = [
    ("https://docs--1.org.readthedocs.build/en/1/", {}),
    ("https://deploy-preview-1--docs.netlify.app/", {}),
    ("https://docs-git-fix-team.vercel.app/", {}),
    ("https://docs-a1b2c3d4e-team.vercel.app/", {}),
    ("https://fix.docs.pages.dev/", {}),
    ("https://me.github.io/p/pr-preview/pr-12/", {}),
    ("https://docs.example.org/previews/PR12/", {}),
    (ROOT, {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"}),
    (ROOT, {"NETLIFY": "true", "CONTEXT": "deploy-preview"}),
    (ROOT, {"VERCEL": "1", "VERCEL_ENV": "preview"}),
    (ROOT, {"CF_PAGES": "1", "CF_PAGES_BRANCH": "fix"}),
    (ROOT, {"GITLAB_CI": "true", "CI_JOB_NAME": "pages", "CI_PIPELINE_SOURCE": "merge_request_event"}),
]
PUBLIC = [
    (ROOT, {}),
    ("https://my-reference.vercel.app/", {}),
    ("https://docs.pages.dev/", {}),
    ("https://me.github.io/preview/", {}),
    ("https://docs.example.org/2.0/preview/tools/", {}),
    ("https://docs.example.org/preview/1.0/", {}),
    ("https://docs.example.org/previews/latest/", {}),
    ("https://docs.example.org/preview/en/", {}),
    ("https://x.readthedocs.io/projects/preview/en/latest/", {}),
    (ROOT, {"NETLIFY": "true", "CONTEXT": "production"}),
    (ROOT, {"VERCEL": "1"}),
    (ROOT, {"CF_PAGES": "1", "CF_PAGES_BRANCH": "master"}),
    (ROOT, {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request"}),
]


def given(monkeypatch, environ: dict[str, str]) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(("base", "environ"), [*PREVIEWS, *PUBLIC])
def test_builds_and_notify_agree_about_previews(tmp_path, monkeypatch, base, environ):
    is_preview = (base, environ) in PREVIEWS
    given(monkeypatch, environ)
    site = write(tmp_path / "site", {"index.html": html_page()})
    hosting = find_hosting(platform(environ), Base.of(base))
    assert bool(hosting.preview) == is_preview
    done = build(site, base_url=base)
    assert (done.no_sitemap is not None) == is_preview
    if is_preview:
        assert (done.no_sitemap.kind, hosting.preview in done.no_sitemap.words) == ("preview", True)
    assert build(site, base_url=base, previews=True).listed == 1
    if base != ROOT:
        refused = "its URLs are not submitted" in command("notify", site, "--all").err
        assert refused == is_preview
    elif is_preview:
        assert "preview" in why_not_deployed(environ) or "review" in why_not_deployed(environ)


def test_the_versions_of_a_project_called_preview_are_joined(tmp_path):
    base = "https://docs.example.org/preview/"
    for version in ("1.0", "2.0"):
        site = write(tmp_path / version, {"index.html": html_page(f"<!-- {version} -->")})
        passed("build", site, "--base-url", f"{base}{version}/", "--lastmod", "none")
    passed("join", tmp_path, "--base-url", base)
    joined = [row.loc for row in parse(tmp_path / "sitemap.xml").rows()]
    assert joined == [f"{base}1.0/sitemap.xml", f"{base}2.0/sitemap.xml"]


@pytest.mark.parametrize("base", [base for base, environ in PREVIEWS if not environ])
@pytest.mark.parametrize("host", ["sphinx", "mkdocs"])
def test_sphinx_and_mkdocs_agree(request, base, host):
    line = f"a preview deployment, {find_hosting(Platform(), Base.of(base)).preview}"
    project = request.getfixturevalue(f"{host}_project")
    if host == "sphinx":
        assert line in project("a", html_baseurl=base).build().status
    else:
        assert any(line in message for message in project({"index.md": "# Home"}, site_url=base).build())


def test_a_review_deploys_nothing_but_its_build_is_no_preview(tmp_path, monkeypatch):
    """A pull request is compared with the deployed site, so its build writes a sitemap."""
    environ = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request"}
    given(monkeypatch, environ)
    assert build(write(tmp_path, {"index.html": html_page()}), base_url=ROOT).listed == 1
    assert (
        why_not_deployed(environ)
        == "this run is for a review, not for the public site (GITHUB_EVENT_NAME is pull_request)"
    )


# One answer


#: Facts about hosts, and the modules that may read them. All other code asks ``Hosting`` and ``Webroot``.
FACTS = {"drops_html", "redirects_win", "serves_robots", "rules", "preview", "deploys_later"}
ANSWERS = {"hosting.py", "webroot.py", "host_rules.py", "programs/followed.py", "programs/host_files.py"}


def read_facts(source: str) -> set[str]:
    """The facts that code reads of a value whose name says that it is a platform or the host."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in FACTS:
            _, _, name = ast.unparse(node.value).rpartition(".")
            if re.search(r"platform|served|host|where", name):
                found.add(node.attr)
    return found


@pytest.mark.once
def test_only_hosting_reads_facts_about_platforms():
    readers = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        if name not in ANSWERS and (facts := read_facts(file.read_text("utf-8"))):
            readers[name] = facts
    assert readers == {}


def test_a_module_that_reads_a_fact_is_found():
    assert read_facts("x = project.surroundings.platform.serves_robots") == {"serves_robots"}
    assert read_facts("x = site.hosting.crawled_robots, robots.rules") == set()
