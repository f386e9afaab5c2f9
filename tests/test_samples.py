"""Every command and every output of README and manual is run by a test, or marked as not run.

Samples are what the commands print: ``pytest --update tests/test_samples.py`` writes them. A comment
``<!-- not run: why -->`` before a block marks one that needs another project or the network.
"""

import gzip
import json
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sitemap_docs.api import read_sitemap
from sitemap_docs.cli.main import group
from tests.conftest import BASE, NOINDEX, SITEMAP, Loopback, commit, filled, needs, runner, write
from tests.manual.blocks import ALL, PAGES, Block, blocks

pytestmark = pytest.mark.once

TESTS = Path(__file__).parent
POLYVERSION = ("versions", "sphinx-polyversion")

#: The file with the test that runs the commands of a section, or compares its text, where no sample is. It
#: names the page, whose text it reads.
ELSEWHERE = {
    ("comparison", "The sitemap of each tool"): "manual/test_comparison.py",
    ("README", "Quick start"): "packages/test_packages.py",
    ("README", "Development"): "test_documents.py",
    ("any-folder", "Monorepo: several sites in one repository"): "manual/test_workflows.py",
    ("cloudflare-pages", "Sphinx"): "manual/test_workflows.py",
    ("cloudflare-pages", "MkDocs"): "manual/test_workflows.py",
    ("cloudflare-pages", "Any other generator"): "manual/test_workflows.py",
    ("commands", "Completion in the shell"): "cli/test_main.py",
    ("commands", "Run sitemap-docs without installing it"): "packages/test_packages.py",
    ("dates", "In themes for Sphinx"): "mkdocs/test_shown_dates.py",
    ("dates", "In themes for MkDocs"): "mkdocs/test_shown_dates.py",
    ("after-you-deploy", "Redirect pages that moved"): "manual/test_after_you_deploy.py",
    **{
        ("moved-pages", section): "manual/test_moved_pages.py"
        for section in (
            "Canonical links from old versions to pages that moved",
            "Redirects within the canonical version",
            "GitHub Pages",
            "Netlify",
            "Read the Docs",
        )
    },
    ("first-steps", "1. Install"): "manual/test_workflows.py",
    ("docker", "Build from a tarball or zip file"): "test_samples.py",
    ("first-steps", "6. Check every pull request"): "manual/test_workflows.py",
    ("index", "Install"): "test_documents.py",
    ("languages", "One folder for each language"): "manual/test_workflows.py",
    ("material", "Language selector"): "test_instant_navigation.py",
    ("material", "`robots: noindex` in front matter"): "test_instant_navigation.py",
    ("mkdocs", "Hook: change or drop an entry"): "test_samples.py",
    ("sphinx", "Hook: change or drop an entry"): "test_samples.py",
    ("netlify", "Sphinx"): "manual/test_workflows.py",
    ("python", "Build"): "test_api.py",
    ("python", "Check and read"): "test_api.py",
    ("python", "Join"): "test_api.py",
    ("python", "Rules of your own"): "test_api.py",
    ("switching", "Switching from sphinx-sitemap"): "sphinx/test_address.py",
    ("replaced-settings", "sphinx-multiversion"): "sphinx/test_address.py",
    ("read-the-docs", "`latest` with `stable` as the canonical version"): "manual/test_workflows.py",
    ("read-the-docs", "Old versions"): "sphinx/test_extension.py",
    **{
        ("mike", section): "manual/test_workflows.py"
        for section in (
            "Set up mike and the sitemap",
            "Check the site",
            "Versions from before you used sitemap-docs",
            "Pages that you rename",
        )
    },
    POLYVERSION: "test_samples.py",
    ("versions", "Old versions in a bucket"): "manual/test_workflows.py",
    ("zensical", "Zensical"): "manual/test_workflows.py",
    **{
        ("generators", name): "generators/test_sites.py"
        for name in (
            *("Hugo", "Jekyll", "Docusaurus", "VitePress", "Astro and Starlight", "Eleventy", "Antora"),
            *("mdBook", "Pelican", "MyST and Jupyter Book 2"),
        )
    },
}


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address at which this machine serves a folder, with packed sitemaps."""
    server = Loopback()
    try:
        server.serve_folder(site)
        packed = {"Content_Type": "application/xml", "Content_Encoding": "gzip"}
        for file in site.rglob("*.xml"):
            server.serve(f"/{file.relative_to(site).as_posix()}", gzip.compress(file.read_bytes()), **packed)
        yield server.url()
    finally:
        server.close()


def printed(folder: Path, *words: str) -> str:
    """What a command prints, to either stream."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = runner().invoke(group, words)
    assert done.exit_code in (0, 1), done.output
    return done.output


def page_at(path: str, head: str = "", body: str = "A page.") -> str:
    head = head or f'<link rel="canonical" href="{BASE}{path}">'
    return f'<!doctype html><html lang="en"><head><title>{path or "Home"}</title>{head}</head><body>{body}\n'


def urlset(*rows: tuple[str, str]) -> str:
    urls = "".join(f"<url><loc>{BASE}{loc}</loc><lastmod>{date}</lastmod></url>\n" for loc, date in rows)
    return f'<urlset xmlns="{SITEMAP.strip("{}")}">\n{urls}</urlset>\n'


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """The site of the summary lines: 420 pages, 412 of them listed, 398 of these with a committed source."""
    names = ["index", *(f"page-{number}/index" for number in range(411))]
    refresh = '<meta http-equiv="refresh" content="0; url=page-1/">'
    left_out = {f"draft-{number}.html": NOINDEX for number in range(4)}
    left_out |= {f"old-{number}.html": refresh for number in range(3)}
    write(tmp_path / "public", {f"{name}.html": page_at(name.removesuffix("index")) for name in names})
    write(tmp_path / "public", {name: page_at(name, head) for name, head in left_out.items()})
    write(tmp_path / "public", {"404.html": page_at("404.html")})
    write(tmp_path / "content", {f"{name.removesuffix('/index')}.md": "" for name in names[:398]})
    commit(tmp_path, "content", message="Write the pages")
    return tmp_path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A site of 25 pages, whose sitemap another tool wrote: it dates 23 pages with the day of the build."""
    paths = ["", "guide/", *(f"guide/part-{number}/" for number in range(21))]
    write(tmp_path / "site", {f"{path}index.html": page_at(path) for path in paths})
    write(tmp_path / "site", {"404.html": page_at("404.html"), "old/index.html": page_at("old/", NOINDEX)})
    write(tmp_path / "site", {"sitemap.xml": urlset(*((path, "2026-11-23") for path in paths))})
    write(tmp_path / "site", {"robots.txt": f"Sitemap: {BASE}sitemap.xml\n"})
    return tmp_path


@pytest.fixture
def dated(tmp_path: Path) -> Path:
    """A project with two committed pages, the site that was built from them, and mkdocs.yml."""
    write(tmp_path, {"docs/index.md": "Home", "mkdocs.yml": f"site_name: Example\nsite_url: {BASE}\n"})
    commit(tmp_path, date="2026-01-31T10:20:30+00:00", message="Start")
    write(tmp_path, {"docs/guide.md": "Guide"})
    commit(tmp_path, date="2026-03-14T15:09:26+00:00", message="Write the guide")
    write(tmp_path / "site", {"index.html": page_at(""), "guide/index.html": page_at("guide/")})
    printed(tmp_path, "build", "site", "--source", "docs")
    return tmp_path


@pytest.fixture
def deployed(tmp_path: Path) -> Path:
    """A built site in site/, and in old.xml the sitemap of the last deployment."""
    same = [(f"guide/part-{number}/", "2025-05-05") for number in range(410)]
    rows = {"old.xml": [("install/", "2026-01-31"), ("guide/groups/", "2026-01-31"), *same]}
    rows["site/sitemap.xml"] = [("install/", "2026-05-30"), *same]
    rows["site/sitemap.xml"] += [("guide/teams/", "2026-05-30"), ("guide/roles/", "2026-05-30")]
    write(tmp_path, {name: urlset(*urls) for name, urls in rows.items()})
    return tmp_path


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    """The branch of a site with three versions, two aliases, and a sitemap for each."""
    for folder in ("1.0", "2.0", "3.0", "latest", "stable"):
        version = folder if folder[0].isdigit() else "3.0"
        site = tmp_path / "gh-pages" / folder
        write(site, {f"{path}index.html": page_at(f"{version}/{path}") for path in ("", "guide/")})
        rows = ((f"{version}/{path}", "2026-01-31") for path in ("", "guide/"))
        write(site, {"sitemap.xml": urlset(*rows)})
    return tmp_path


def of_the_command(folder: Path, line: str) -> str:
    return printed(folder, *shlex.split(line)[1:])


def of_the_deployed(folder: Path, line: str) -> str:
    """With the sitemap of the last deployment in a file in place of its address."""
    return of_the_command(folder, line.replace(f"{BASE}sitemap.xml", "old.xml"))


def of_the_served(folder: Path, _: str) -> str:
    """With a server of this machine in place of the deployed site."""
    with served(folder / "site") as url:
        lines = printed(folder, "check", BASE, "--rate", "1000", "--at", url).splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith(f"{BASE}sitemap.xml: "))
    return "".join(lines[first : first + 2])


def summary(folder: Path, _: str) -> str:
    return (
        printed(folder, "build", "public", "--base-url", BASE, "--source", "content").splitlines()[-1] + "\n"
    )


def as_json(folder: Path, _: str) -> str:
    words = ["build", "public", "--base-url", BASE, "--source", "content", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "sitemap_docs", *words], cwd=folder, capture_output=True, text=True, check=True
    )
    rows = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in json.loads(done.stdout).items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


NOT_FETCHED = """"Couldn't fetch" and "Sitemap could not be read\""""
SAMPLES: dict[tuple[str, str, str], tuple[str, Callable[[Path, str], str]]] = {
    ("README", "Quick start", "text"): ("large", summary),
    ("README", "Ask about one page", "console"): ("dated", of_the_command),
    ("any-folder", "Any folder of HTML", "console"): ("large", of_the_command),
    ("commands", "What a command prints", "json"): ("large", as_json),
    ("audit", "Check a sitemap and a site", "console"): ("small", of_the_command),
    ("after-you-deploy", "What changed", "console"): ("deployed", of_the_deployed),
    ("search-console", NOT_FETCHED, "text"): ("small", of_the_served),
    ("versions", "One sitemap for all builds", "console"): ("versions", of_the_command),
}
SAMPLED = {
    block: SAMPLES[key] for block in ALL if (key := (block.page, block.section, block.language)) in SAMPLES
}


def update(block: Block, text: str) -> None:
    file = PAGES[block.page]
    page = filled(file).replace(block.text, text)
    file.write_text(page.replace("docs.example.org", "docs.example.com"), encoding="utf-8")


@pytest.mark.parametrize("block", SAMPLED, ids=str)
def test_a_sample_is_what_is_printed(block: Block, request: pytest.FixtureRequest) -> None:
    fixture, run = SAMPLED[block]
    prompt = next((line for line in block.text.splitlines() if line.startswith("$ ")), "")
    shown = run(request.getfixturevalue(fixture), prompt[2:])
    if prompt:
        shown = f"{prompt}\n{shown}"
    if request.config.getoption("update"):
        update(block, shown)
        return
    assert block.text == shown, "run pytest --update tests/test_samples.py"


def is_prompts(block: Block) -> bool:
    """Whether it has commands of ours alone, without what they print."""
    return block.language == "console" and all(
        re.match(r" *\$ (sitemap-docs|python -c) ", line) for line in block.text.splitlines()
    )


PROMPTS = [
    block
    for block in ALL
    if is_prompts(block)
    and block not in SAMPLED
    and not block.marked
    and (block.page, block.section) not in ELSEWHERE
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What the commands of the manual are called on: sites, sources, parts and versions."""
    pages = {f"{path}index.html": page_at(path) for path in ("", "guide/install/")}
    rows = urlset(("", "2026-01-31"), ("guide/install/", "2026-01-31"))
    for name in ("site", "public", "_site"):
        write(tmp_path / name, {**pages, "sitemap.xml": rows, "llms.txt": "# Example\n"})
    for name in ("docs", "content", "src", "_posts"):
        write(tmp_path / name, {"index.md": "", "guide.md": "", "guide/install.md": "", "generate.py": ""})
    for name in ("site/de", "gh-pages/1.0", "gh-pages/stable"):
        path = f"{name.partition('/')[2]}/"
        write(tmp_path / name, {"index.html": page_at(path), "sitemap.xml": urlset((path, "2026-01-31"))})
    part = gzip.compress(urlset(("guide/install/", "2026-01-31")).encode())
    write(tmp_path, {"old/sitemap.xml": rows, "new.xml": rows, "guide/sitemap.xml.gz": part})
    write(tmp_path, {"api/sitemap.xml": urlset(("", "2026-01-31"))})
    write(tmp_path, {"known.json": '{"version": 1, "findings": []}'})
    commit(tmp_path, message="Start")
    return tmp_path


@pytest.mark.parametrize("block", PROMPTS, ids=str)
def test_commands_run(block: Block, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a server of this machine in place of the addresses."""
    monkeypatch.setenv("INDEXNOW_KEY", "0123456789abcdef0123456789abcdef")
    with served(project / "site") as url:
        for line in block.text.splitlines():
            program, *words = shlex.split(
                line.replace(f" {BASE}sitemap.xml", " new.xml").partition(" > ")[0]
            )[1:]
            if program == "python":
                assert subprocess.run([sys.executable, *words], check=True, capture_output=True).stdout
                continue
            words = [url if word == "http://localhost:8000/" else word for word in words]
            if words == ["check", BASE]:
                words += ["--at", url]
            assert printed(project, *words)


SETTING = re.compile(r"^(sitemap_|html_baseurl|extensions|suppress_warnings)", re.MULTILINE)
MKDOCS_KEY = re.compile(r"^(site_url|plugins|sitemap-docs):", re.MULTILINE)
OTHERS = [block for block in ALL if (block.page, block.section) not in ELSEWHERE]
OF_CONF = [block for block in OTHERS if block.language == "python" and SETTING.search(block.text)]
OF_MKDOCS = [
    block for block in ALL if block.language == "yaml" and MKDOCS_KEY.search(block.text) and not block.marked
]
OF_RST = [block for block in ALL if block.language == "rst"]
FRONT_MATTER = [block for block in ALL if block.text.startswith("---\n")]


def test_each_code_block_of_the_manual_has_a_test_or_a_mark() -> None:
    left = [
        str(block)
        for block in OTHERS
        if block.language not in ("yaml", "toml")  # test_workflows.py and test_schema.py read them
        and not block.marked
        and block not in [*SAMPLED, *PROMPTS, *OF_CONF, *OF_RST]
    ]
    assert left == []
    assert ELSEWHERE.keys() - {(block.page, block.section) for block in ALL} == set()
    for (page, _), file in ELSEWHERE.items():
        text = (TESTS / file).read_text(encoding="utf-8")
        before, _, rest = text.partition("\nELSEWHERE = {")  # The table is no test of its pages.
        text = before + rest.partition("\n}\n")[2]
        assert f'"{page}"' in text or f"{page}.md" in text, f"{file} does not read {page}"


@needs("sphinx")
@pytest.mark.parametrize("block", OF_CONF, ids=str)
def test_lines_of_conf_py_build(block, sphinx_project):
    project = sphinx_project("guide", html_baseurl=f"{BASE}en/latest/")
    project.extend(f'import os\nlanguage = "en"\nversion = "1.2"\n{block.text}')
    project.passes()


@needs("mkdocs", "mkdocs_static_i18n")
@pytest.mark.parametrize("block", OF_MKDOCS, ids=str)
def test_lines_of_mkdocs_yml_build(block, mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "guide.md": "# Guide", "guide/teams.md": "# Teams"})
    text = block.text
    if text.startswith("sitemap-docs:"):
        text = f"plugins:\n  -\n{textwrap.indent(text, '    ')}"
    project.write({"mkdocs.yml": f"site_name: Example\nsite_url: {BASE}\n{text}"})
    project.build(strict=True)


@needs("sphinx")
@pytest.mark.parametrize("block", OF_RST, ids=str)
def test_fields_of_a_page_in_rst_build(block, sphinx_project):
    project = sphinx_project()
    page = f"{block.text}:orphan:\n\nGuide\n=====\n"
    project.write({"src/a/guide.rst": page, "src/package/a.py": ""})
    project.passes()


@needs("mkdocs")
@pytest.mark.parametrize("block", FRONT_MATTER, ids=str)
def test_front_matter_builds(block, mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "a/guide.md": f"{block.text}# Guide\n"})
    project.write({"src/package/a.py": ""})
    project.build(strict=True)


def test_the_lines_for_sphinx_polyversion_are_those_of_the_matrix() -> None:
    built = (TESTS / "matrix" / "test_trees.py").read_text(encoding="utf-8")
    checkout, _ = (block.text for block in ALL if (block.page, block.section) == POLYVERSION)
    assert set(checkout.splitlines()) <= set(built.splitlines())


def hook(page: str) -> str:
    (code,) = (block.text for block in blocks(page) if block.section == "Hook: change or drop an entry")
    return code


@needs("mkdocs")
def test_the_hook_of_mkdocs(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "internal/one.md": "# One"}, hooks=["hook.py"])
    project.write({"hook.py": hook("mkdocs")})
    assert any("1 page listed" in line for line in project.build(strict=True))
    assert "<priority>1.0</priority>" in (project.site / "sitemap.xml").read_text(encoding="utf-8")


@needs("mkdocs")
def test_the_hook_for_an_archive_without_git(mkdocs_project, monkeypatch):
    """The dates of another sitemap are in the new one, although the project is in no repository."""
    (code,) = (block.text for block in blocks("docker") if block.file == "hooks.py")
    project = mkdocs_project({"index.md": "# Home", "guide.md": "# Guide"}, hooks=["hooks.py"])
    monkeypatch.chdir(project.root)
    project.write({"hooks.py": code, "dates.xml": urlset(("guide/", "2026-01-31"))})
    project.build(strict=True)
    dates = {entry.loc: entry.lastmod for entry in read_sitemap(project.site / "sitemap.xml")}
    assert {loc: date and date.isoformat()[:10] for loc, date in dates.items()} == {
        BASE: None,
        f"{BASE}guide/": "2026-01-31",
    }


@needs("sphinx")
def test_the_hook_of_sphinx(sphinx_project):
    project = sphinx_project("news/one")
    project.write(
        {"src/conf.py": f'extensions = ["sitemap_docs"]\nhtml_baseurl = "{BASE}"\n{hook("sphinx")}'}
    )
    project.passes()
    (changed,) = re.findall(r"<loc>(.*)</loc>.*<changefreq>daily<", (project.out / "sitemap.xml").read_text())
    assert changed == f"{BASE}news/one.html"
