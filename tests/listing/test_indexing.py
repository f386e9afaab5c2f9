"""Where canonical links and redirects of a page lead: one answer in all entry points."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import sitemap_docs
from sitemap_docs.api import build, check
from tests import conftest
from tests.conftest import (
    BASE,
    MkDocsProject,
    SphinxProject,
    canonical,
    command,
    html_page,
    read_the_docs,
    write,
)

PACKAGE = Path(sitemap_docs.__file__).parent
LATEST, STABLE = f"{BASE}en/latest/", f"{BASE}en/stable/"


def urlset(*names: str) -> str:
    return conftest.urlset(*(f"{BASE}{name}" for name in names))


def refresh(target: str) -> str:
    return conftest.REFRESH.format(target)


# One place


#: The modules that read the links of a page, and what for.
READERS = {
    "canonicals": {
        "html/body.py": "finds links that are not in the head",
        "html/head.py": "makes the links absolute",
        "listing/indexing.py": "decides where the links lead",
        "listing/selection.py": "asks whether there are any",
        "folder/addressing.py": "looks for the base URL",
        "sphinx/events.py": "asks whether a theme writes them",
        "audit/site_reader.py": "shows them to rules",
        "audit/rules/canonical.py": "checks how they are written",
        "audit/run.py": "groups findings",
        "html/marks.py": "edits them",
    },
    "canonical_urls": {
        "listing/indexing.py": "decides where the links lead",
        "audit/html_page.py": "shows them to rules",
        "audit/rules/live.py": "compares them with the address of a deployed page, which has no folder",
        "folder/collect.py": "asks which folder a linked folder stands for",
    },
    "refresh": {
        "html/head.py": "makes the target absolute",
        "listing/indexing.py": "shows it as the detail of a reason",
        "webroot.py": "shows it in a comparison",
        "tree.py": "asks whether there is one",
        "folder/addressing.py": "asks whether there is one",
    },
    "refresh_elsewhere": {
        "webroot.py": "decides whether the target is the file of the page",
        "tree.py": "asks which version a home page redirects to",
    },
}


@pytest.mark.once
@pytest.mark.parametrize("name", READERS)
def test_other_modules_do_not_decide_where_links_lead(name):
    readers = set()
    for file in PACKAGE.rglob("*.py"):
        nodes = ast.walk(ast.parse(file.read_text("utf-8")))
        if any(isinstance(node, ast.Attribute) and node.attr == name for node in nodes):
            readers.add(file.relative_to(PACKAGE).as_posix())
    assert readers == READERS[name].keys(), (
        "use canonical_links, its attribute `elsewhere`, or find_refresh_target"
    )


# A version whose canonical links lead elsewhere, with <base href>


OTHER_VERSION = f"nothing written: the canonical links of the pages below {LATEST} lead to {STABLE}"
HEAD_OF_THEME = f'<base href="{STABLE}"><link rel="canonical" href="{{{{ %s }}}}">'


def test_base_href_of_another_version_with_sphinx(sphinx_project: SphinxProject, monkeypatch):
    read_the_docs(monkeypatch, LATEST, _VERSION="latest")
    project = sphinx_project("a", html_baseurl=None, templates_path=["templates"])
    head = HEAD_OF_THEME % "pagename + '.html'"
    layout = f'{{% extends "!layout.html" %}}{{% block extrahead %}}{head}{{% endblock %}}'
    project.write({"src/templates/layout.html": layout})
    run = project.passes()
    assert run.summary.startswith(OTHER_VERSION)
    assert not (project.out / "sitemap.xml").exists()
    assert {finding.severity for finding in check(project.out)} == {"warning"}  # the links are relative


def test_base_href_of_another_version_with_mkdocs(mkdocs_project: MkDocsProject, monkeypatch):
    read_the_docs(monkeypatch, LATEST, _VERSION="latest")
    theme = {"name": None, "custom_dir": "theme"}
    page = f"<!doctype html><title>x</title>{HEAD_OF_THEME % 'page.url'}<body>{{{{ page.content }}}}"
    pages = {"guide.md": "# Guide", "a.md": "# A"}
    project = mkdocs_project(pages, site_url=LATEST, theme=theme, use_directory_urls=False)
    project.write({"theme/main.html": page})
    messages = project.build(strict=True)
    assert [line for line in messages if OTHER_VERSION in line]
    assert "sitemap-docs" not in project.read("sitemap.xml")
    assert {finding.severity for finding in check(project.site)} == {"warning"}  # the links are relative


@pytest.mark.parametrize("base", [STABLE, LATEST])
def test_base_href_and_a_mistyped_base_url_in_the_command(tmp_path, base):
    """Another program's sitemap and links that only `<base href>` explains contradict the flag."""
    sitemap = urlset("en/stable/a.html", "en/stable/b.html")
    write(tmp_path, {"sitemap.xml": sitemap})
    for name in ("a", "b"):
        page = html_page(f'<base href="{STABLE}"><link rel=canonical href={name}.html>')
        write(tmp_path, {f"{name}.html": page})
    done = command("build", tmp_path, "--base-url", base)
    if base == STABLE:
        assert "2 pages listed" in done.out
    else:
        assert done.code == 2
        assert f"the canonical links of 2 pages and another program's sitemap begin with {STABLE}" in done.err
        assert (tmp_path / "sitemap.xml").read_text() == sitemap


# A redirect in the body of a long page


TEXT = "A sentence of the article that has moved.\n\n" * 150  # more than 4,096 bytes
Builder = Callable[[], tuple[Path, str]]


@pytest.fixture
def built_by_sphinx(sphinx_project: SphinxProject) -> Builder:
    project = sphinx_project("new")
    moved = f"{TEXT}.. raw:: html\n\n   {refresh('new.html')}\n"
    example = f"{TEXT}.. code-block:: html\n\n   {refresh('new.html')}\n"
    project.write({"src/old.rst": project.page("old", moved), "src/example.rst": project.page("x", example)})
    return lambda: (project.out, project.build().summary)


@pytest.fixture
def built_by_mkdocs(mkdocs_project: MkDocsProject) -> Builder:
    pages = {
        "index.md": "# Home",
        "new.md": "# New",
        "old.md": f"# Old\n\n{TEXT}{refresh('new.html')}\n",
        "example.md": f"# Example\n\n{TEXT}```html\n{refresh('new.html')}\n```\n",
    }
    project = mkdocs_project(pages, use_directory_urls=False)

    def run() -> tuple[Path, str]:
        (line,) = [line for line in project.build() if " listed, " in line]
        return project.site, line

    return run


@pytest.fixture
def built_by_the_command(tmp_path) -> Builder:
    example = refresh("new.html").replace("<", "&lt;")
    bodies = {"index": "", "new": "", "old": TEXT + refresh("new.html"), "example": TEXT + example}
    for name, body in bodies.items():
        page = html_page(canonical(f"{BASE}{name}.html"))
        write(tmp_path, {f"site/{name}.html": page.replace("<body>", f"<body>{body}")})
    site = tmp_path / "site"
    return lambda: (site, str(build(site, base_url=BASE)))


@pytest.mark.parametrize("entry_point", ["built_by_sphinx", "built_by_mkdocs", "built_by_the_command"])
def test_a_redirect_in_the_body_of_a_long_page(entry_point, request):
    site, line = request.getfixturevalue(entry_point)()
    assert (site / "old.html").stat().st_size > 4_096
    listed = re.findall(f"<loc>{BASE}(.*)</loc>", (site / "sitemap.xml").read_text())
    assert {"new.html", "example.html"} <= {*listed}
    assert "old.html" not in listed
    assert "1 redirect" in line
    assert "redirect-source-listed" not in {finding.rule for finding in check(site)}
    explained = command("explain", site, "old.html", "--json").data
    assert explained["reason"] == "redirect"

    # Another program may list the page.
    (site / "sitemap.xml").write_text(urlset("new.html", "old.html"))
    findings = [finding for finding in check(site) if finding.rule == "redirect-source-listed"]
    assert [finding.file for finding in findings] == ["old.html"]


# Canonical links that contradict each other


@pytest.mark.parametrize(
    ("links", "is_listed", "rules"),
    [
        (["b.html", "c.html"], True, ["canonical-multiple"]),
        (["a.html", "c.html"], True, ["canonical-multiple"]),
        (["b.html", "b.html"], False, ["canonical-elsewhere-listed"]),
        # Several addresses of one page:
        (["b.html", "b"], False, ["canonical-elsewhere-listed", "canonical-multiple"]),
        (["b.html", "b.html#top"], False, ["canonical-elsewhere-listed", "canonical-multiple"]),
    ],
)
def test_a_page_is_listed_if_its_canonical_links_contradict_each_other(
    tmp_path: Path, links: list[str], is_listed: bool, rules: list[str]
) -> None:
    write(tmp_path, {f"{name}.html": html_page(canonical(f"{BASE}{name}.html")) for name in ("b", "c")})
    write(tmp_path, {"a.html": html_page("".join(canonical(f"{BASE}{link}") for link in links))})
    published = build(tmp_path, base_url=BASE)
    assert published.listed == 2 + is_listed
    listed = (tmp_path / "sitemap.xml").read_text()
    assert (f"<loc>{BASE}a.html</loc>" in listed) is is_listed
    # Another program may list the page.
    (tmp_path / "sitemap.xml").write_text(urlset("a.html", "b.html", "c.html"))
    found = [finding.rule for finding in check(tmp_path, base_url=BASE) if finding.file == "a.html"]
    assert [rule for rule in found if rule.startswith("canonical-")] == rules


# Canonical links of pages that are not listed


STUBS = {
    "old.html": html_page(refresh("/a.html") + canonical(f"{BASE}older.html")),
    "older.html": html_page(refresh("/a.html") + canonical(f"{BASE}oldest.html")),
    "oldest.html": html_page(refresh("/a.html") + canonical(f"{BASE}a.html") + canonical("/b.html")),
}
RULES = {"canonical-chain", "canonical-multiple"}


def test_canonical_links_of_redirect_pages_are_no_error_with_sphinx(sphinx_project: SphinxProject):
    project = sphinx_project("a", html_extra_path=["extra"], sitemap_check=True)
    project.write({f"src/extra/{name}": page for name, page in STUBS.items()})
    run = project.build()
    assert not any(rule in run.warnings for rule in RULES)
    assert RULES.isdisjoint(finding.rule for finding in check(project.out))


def test_canonical_links_of_redirect_pages_are_no_error_with_mkdocs(mkdocs_project: MkDocsProject):
    pages = {"index.md": "# Home", "a.md": "# A"}
    project = mkdocs_project(pages, options={"check": True}, use_directory_urls=False)
    project.write({f"docs/{name}": page for name, page in STUBS.items()})
    messages = project.build()
    assert not [line for line in messages if any(rule in line for rule in RULES)]
    assert RULES.isdisjoint(finding.rule for finding in check(project.site))


def test_canonical_links_of_redirect_pages_are_no_error_in_the_command(tmp_path):
    write(tmp_path, STUBS | {"a.html": html_page(), "b.html": html_page()})
    published = build(tmp_path, base_url=BASE, check=True)
    assert published.listed == 2
    assert RULES.isdisjoint(finding.rule for finding in (*published.findings, *check(tmp_path)))

    # If a page is listed, both are errors.
    chain = html_page(canonical(f"{BASE}old.html"))
    several = html_page(canonical(f"{BASE}b.html") + canonical(f"{BASE}a.html"))
    write(tmp_path, {"a.html": chain, "b.html": several, "sitemap.xml": urlset("a.html", "b.html")})
    assert {finding.rule for finding in check(tmp_path, base_url=BASE)} >= RULES
