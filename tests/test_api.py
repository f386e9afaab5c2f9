"""The public Python API: what the manual shows, run, and rules of other packages."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sitemap_docs import api
from sitemap_docs.audit import registry
from sitemap_docs.config import typed
from sitemap_docs.html.head import Head
from tests import reference
from tests.conftest import BASE, assert_golden, filled, urlset, write

TYPED = Path(typed.__file__)
MANUAL = Path(__file__).parent.parent / "example_docs" / "pages" / "python.md"
PAGE = '<!DOCTYPE html><html lang="en"><title>{}</title><link rel="canonical" href="{}{}">'


@pytest.fixture
def site(here):
    """A built folder of two pages, in the current folder."""
    pages = {
        "index.html": PAGE.format("Home", BASE, ""),
        "guide/index.html": PAGE.format("A guide", BASE, "guide/"),
    }
    return write(here / "site", pages)


@pytest.fixture
def rules_of(tmp_path, monkeypatch):
    """Installs a package with the entry point ``extra`` of the group, whose module has a given source."""

    def install(source: str) -> None:
        monkeypatch.syspath_prepend(str(tmp_path / "packages"))
        info = {
            "METADATA": "Metadata-Version: 2.1\nName: house-rules\nVersion: 1.0\n",
            "entry_points.txt": "[sitemap_docs.rules]\nextra = house_rules\n",
        }
        write(tmp_path / "packages/house_rules-1.0.dist-info", info)
        write(tmp_path / "packages", {"house_rules.py": source})

    before = dict(registry.DECLARED)
    registry.load_rules.cache_clear()
    yield install
    registry.load_rules.cache_clear()
    sys.modules.pop("house_rules", None)
    registry.DECLARED.clear()
    registry.DECLARED.update(before)


def test_the_typed_options_are_those_of_the_declaration(request):
    assert_golden(request, TYPED, reference.typed_options())


def test_build_writes_what_the_command_writes(site):
    published = api.build(site, base_url=BASE, lastmod="none", stylesheet=False)
    assert (published.listed, published.files) == (2, ("sitemap.xml",))
    assert api.read_sitemap(site / "sitemap.xml") == (api.Entry(BASE), api.Entry(f"{BASE}guide/"))
    assert api.build(site, base_url=BASE, lastmod="none", stylesheet=False).changed == ()


def test_build_audits_with_the_settings_that_are_passed(site):
    (site / "robots.txt").write_text("Disalow: /\n")
    check = {"select": ["robots-unknown-directive"]}
    findings = api.build(site, base_url=BASE, check=check, robots=False, lastmod="none").findings
    assert [finding.rule for finding in findings] == ["robots-unknown-directive"]


def test_check_returns_findings(site):
    api.build(site, base_url=BASE, excludes=["guide*"])
    assert api.check(site, base_url=BASE) == (), "the options of the build are in its record"
    api.build(site, base_url=BASE)
    assert api.check(site, base_url=BASE) == ()
    (site / "guide" / "index.html").unlink()
    assert {each.rule for each in api.check(site, base_url=BASE, severity="error")} == {"target-missing"}
    assert api.check(site, base_url=BASE, ignore=["target-missing"], severity="error") == ()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: api.build("nowhere", base_url=BASE), "no folder nowhere", id="no folder"),
        pytest.param(lambda: api.build("site", base_url=BASE, exclude=[]), "`exclude`", id="no option"),
        pytest.param(
            lambda: api.check("site", base_url=BASE, gzip="beside"), "`gzip` is for Sphinx", id="of a build"
        ),
        pytest.param(
            lambda: api.check("site", base_url=BASE, check=True), "`check` must be a map", id="a switch"
        ),
        pytest.param(
            lambda: api.check("site", base_url=BASE, check=False), "check.. always checks", id="a switch off"
        ),
        pytest.param(lambda: api.build("site", site_url=BASE), "the argument `base_url`", id="base URL"),
        pytest.param(
            lambda: api.build("site", sources=["nowhere"]), "^`sources` contains now", id="no sources"
        ),
        pytest.param(lambda: api.check("site", base_url=BASE, select=["x"]), "no rule 'x'", id="no rule"),
        pytest.param(lambda: api.check("site", severity=""), "must be one of error, warning", id="severity"),
        pytest.param(lambda: api.check("site", select=[1]), "`select` must be a list", id="type of a rule"),
        pytest.param(lambda: api.build("site", maps="ab"), "map 'ab' has no '='", id="map"),
        pytest.param(lambda: api.build("site", dry_run="no"), "`dry_run` must be one of", id="switch"),
        pytest.param(
            lambda: api.build("site", sources=None), "`sources` is None. Pass a value, or leave", id="None"
        ),
        pytest.param(lambda: api.read_sitemap("site/index.html"), "index.html", id="no sitemap"),
        pytest.param(lambda: api.read_sitemap("sitemap.xml"), "sitemap.xml", id="no file"),
    ],
)
def test_errors_name_what_is_wrong(site, call, message):
    with pytest.raises(api.SitemapError, match=message):
        call()


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (api.build, ("base_url", "sources", "maps", "dry_run")),
        (api.check, ("base_url", "sources", "maps", "select", "ignore", "severity")),
        (api.join, ("base_url", "versions", "newest", "canonical_version", "x_default", "root_language")),
        (api.join, ("merge", "dry_run")),
    ],
)
def test_no_argument_with_another_default_may_be_none(site, function, names):
    """None often comes from an environment variable that is not set."""
    for name in names:
        with pytest.raises(api.SitemapError, match=f"The argument `{name}` is None"):
            function("site", **{name: None})


def test_versions_are_separated_by_commas_as_on_the_command_line(here):
    for name in ("1.0", "2.0", "3.0"):
        pages = {f"tree/{name}/index.html": PAGE.format(name, f"{BASE}{name}/", "")}
        write(Path(), {**pages, f"tree/{name}/sitemap.xml": urlset(f"{BASE}{name}/")})
    for versions in ("1.0,2.0", ["1.0", "2.0"], ["1.0,2.0"]):
        joined = api.join("tree", base_url=BASE, versions=versions, dry_run=True)
        assert [site.folder for site in joined.sites if site.state == "joined"] == ["1.0/", "2.0/"]


def test_a_single_text_is_read_as_a_list(site):
    api.build(site, base_url=BASE)
    (site / "guide" / "index.html").unlink()
    assert api.check(site, base_url=BASE, ignore="target-missing", severity="error") == ()
    assert {each.rule for each in api.check(site, base_url=BASE, select="target-*")} == {"target-missing"}
    with pytest.raises(api.SitemapError, match="contains nowhere"):
        api.build(site, base_url=BASE, sources="nowhere")


TITLES = '''
from sitemap_docs.api import rule

@rule("warning")
def title_too_long(page, *, at_most: int = 60):
    """The title is long.

    Shorten it.
    """
    if page.listed and len(page.head.title or "") > at_most:
        yield page.place, f"{len(page.head.title)} characters."
'''


def test_rules_of_an_installed_package_run(site, rules_of):
    rules_of(TITLES)
    api.build(site, base_url=BASE)
    settings = {"rules": {"title-too-long": {"at-most": 5}}}
    (finding,) = api.check(site, base_url=BASE, check=settings)
    assert (finding.rule, finding.where) == ("title-too-long", f"{BASE}guide/")
    assert finding.message == "7 characters."
    assert registry.audit_rules()["title-too-long"].summary == "The title is long."


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param("import nothing_of_this_name", "ModuleNotFoundError: No module named", id="import"),
        pytest.param(TITLES.replace("title_too_long", "target_missing"), "has a rule 'target-m", id="twice"),
        pytest.param(TITLES.replace("warning", "warn"), "must be one of error, warning, info", id="severity"),
    ],
)
def test_a_broken_package_of_rules_is_named(site, rules_of, source, message):
    rules_of(source)
    with pytest.raises(api.SitemapError, match="'extra' of the package house-rules") as caught:
        api.check(site, base_url=BASE)
    assert message in str(caught.value)


@pytest.mark.parametrize("number", range(4))
def test_the_manual(site, number, capsys):
    """Each example of the manual runs, in the folder that holds ``site``."""
    examples = re.findall(r"```python\n(.*?)```", filled(MANUAL), re.DOTALL)
    assert len(examples) == 4
    write(
        Path(), {f"gh-pages/{name}/index.html": PAGE.format(name, BASE, name) for name in ("1.0", "stable")}
    )
    write(Path(), {"gh-pages/stable/sitemap.xml": urlset(f"{BASE}stable/")})
    try:
        exec(compile(examples[number], f"{MANUAL.name} {number}", "exec"), {"__name__": "__main__"})
    finally:
        registry.DECLARED.pop("title-too-long", None)
    assert (number == 3) or capsys.readouterr().out


def test_what_the_manual_says_that_rules_receive_is_there():
    rows = re.findall(r"^\| `[\w.]+` \| `(\w+)` \| (.+) \|$", MANUAL.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 8
    for name, text in rows:
        kind = getattr(api, name, Head)
        known = {*dir(kind), *getattr(kind, "__dataclass_fields__", ())}
        assert set(re.findall(r"`(\w+)[`(]", text)) - known == set(), name


def test_many_pages_in_a_script_without_a_main_guard(site, tmp_path):
    """More than the command reads in one process: a script that starts processes would be run by each."""
    many = "from sitemap_docs.listing import processes\nprocesses.FEW_PAGES = 1\n"
    built = f"from sitemap_docs import api\nprint(api.build('site', base_url={BASE!r}, lastmod='none'))\n"
    write(tmp_path, {"script.py": many + built})
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 pages listed")


def test_sources_are_named_from_the_root_of_the_system_too(site, tmp_path, monkeypatch):
    write(tmp_path, {"docs/index.md": "# Home", "site/index.html": PAGE.format("", BASE, "")})
    api.build(site, sources=[tmp_path / "docs"], lastmod="none")
    monkeypatch.chdir("/")
    findings = api.check(site, sources=[tmp_path / "docs"], select=["title-missing"])
    assert [finding.source for finding in findings] == [f"{tmp_path}/docs/index.md".lstrip("/")]


def test_no_configuration_of_the_current_folder_is_read(site, tmp_path, monkeypatch):
    """That of the generator next to the built folder is the site's own."""
    table = "[tool.sitemap-docs]\nexcludes = ['guide/*']\n"
    files = {"pyproject.toml": f"{table}source = 'nowhere'\n", "broken.toml": "x = ["}
    files |= {"mkdocs.yml": "site_url: https://other.example.org/\ndocs_dir: .\n"}
    here = write(tmp_path / "here", files)
    monkeypatch.chdir(here)
    assert api.build(site, dry_run=True, lastmod="none").listed == 2
    assert api.build(site, dry_run=True, lastmod="none").findings == ()
    write(here, {"pyproject.toml": table, "docs/start.md": "---\nsitemap: false\n---\n"})
    assert api.build(site, dry_run=True, lastmod="none", config="pyproject.toml").listed == 1
    with pytest.raises(api.SitemapError, match=r"broken\.toml"):
        api.check(site, config="broken.toml")
    mapped = api.build(site, dry_run=True, sources=["docs"], maps=["guide/index.html=start.md"])
    assert mapped.listed == 1
