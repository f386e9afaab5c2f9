"""Every set-up of the manual builds a site without a warning, and passes the audit of its own build.

That the commands say of a build what it decided is shown by tests/matrix.
"""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from sitemap_docs.config.options import OPTIONS

pytestmark = pytest.mark.once

MANUAL = Path(__file__).parents[1] / "example_docs/pages"
BLOCK = re.compile(r"^```(yaml|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BASE = "https://docs.example.org/"
OLD, NEW = "2024-01-01T00:00:00+00:00", "2025-02-02T00:00:00+00:00"
ENVIRONMENTS = {
    "cloudflare-pages": {"CF_PAGES": "1", "CF_PAGES_URL": "https://abc.example.pages.dev"},
    "gitlab-pages": {"GITLAB_CI": "true", "CI_JOB_NAME": "pages", "CI_PAGES_URL": BASE},
    "netlify": {"NETLIFY": "true", "URL": BASE},
    "read-the-docs": {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": f"{BASE}en/latest/"},
    "staging": {"DEPLOY": "production"},
    "vercel": {"VERCEL": "1", "VERCEL_PROJECT_PRODUCTION_URL": "docs.example.org"},
}
NAMES = (
    *("guide/install", "news/one", "blog/one", "releases/one", "api/one", "old", "fr/one"),
    *("internal/one", "internal/public", "drafts/one", "drafts/ready"),
    *("blog/page/2", "blog/archive/2025", "blog/category/a", "tags/a"),
)
FILES = {
    "docs/abbreviations.md": "*[HTML]: Hyper Text",
    "docs/abbreviations/one.md": "# Abbreviations",
    "docs/downloads/one.pdf": "%PDF-1.4",
    "docs/legal/one.md": "# Terms",
    "docs/tool/index.html": "<!doctype html><title>Made by another program</title>",
    "docs/generated/one.md": "# Generated",
    "docs/demo/one.html": '<!doctype html><html lang="en"><title>Demo</title><p>Demo</p></html>',
    "shared/part.md": "A part.",
    ".docs-ignore-revs": "",
}


TRANSLATED = ("docs/de/index.md", "docs/de/guide/install.md", "docs/guide/install.fr.md")


class Setup(NamedTuple):
    """A piece of configuration in the manual."""

    page: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def setups(language: str) -> list[Setup]:
    texts = {page.stem: page.read_text(encoding="utf-8") for page in sorted(MANUAL.glob("*.md"))}
    return [
        Setup(page, text[: block.start()].count("\n") + 1, block[2])
        for page, text in texts.items()
        for block in BLOCK.finditer(text)
        if block[1] == language
    ]


class _Loader(yaml.SafeLoader):
    """``!ENV [NAME, default]`` is the default: no variable is set."""


_Loader.add_constructor("!ENV", lambda loader, node: loader.construct_sequence(node)[-1])


def mkdocs_settings(setup: Setup) -> dict[str, object] | None:
    """The settings of mkdocs.yml; None for another file."""
    if re.search(r"^(on|jobs|steps|- |repos|---|check:)", setup.code, re.MULTILINE):
        return None
    written = yaml.load(setup.code, _Loader)
    if isinstance(written, dict) and written.keys() <= {option.name for option in OPTIONS}:
        written = {"sitemap-docs": written}
    if isinstance(written, dict) and "sitemap-docs" in written:
        written = {"plugins": [written]}
    return written if isinstance(written, dict) and {"site_url", "plugins"} & written.keys() else None


def is_conf(setup: Setup) -> bool:
    """Whether a snippet can be a conf.py: it names an extension, the base URL or an option of ours."""
    assigned = re.findall(r"^(\w+) (?:=|\+=)", setup.code, re.MULTILINE)
    ours = [
        name for name in assigned if name.startswith(("sitemap_", "html_baseurl", "extensions", "suppress_"))
    ]
    warned = "sitemap_url_scheme" in assigned  # of canonical links that differ, as the manual has it
    warned |= '"/stable/")' in setup.code  # whose version latest has no sitemap, as test_workflows.py shows
    return bool(ours) and not warned and "sphinx_polyversion" not in setup.code


MKDOCS = [pytest.param(each, id=str(each)) for each in setups("yaml") if mkdocs_settings(each)]
SPHINX = [pytest.param(each, id=str(each)) for each in setups("python") if is_conf(each)]


def is_quiet(lines: list[str]) -> None:
    """A sound build prints its counts, and what is to be done about robots.txt."""
    assert [line for line in lines if " listed, " not in line and "/robots.txt. Add there:" not in line] == []


def pages(setup: Setup) -> list[str]:
    """The pages of the site: no drafts where robots.txt may forbid them, no blog that is built elsewhere."""
    without = () if "excludes" in setup.code else ("drafts/",)
    without += ("blog/",) if "/blog/sitemap.xml" in setup.code else ()
    return [name for name in NAMES if not name.startswith(without)]


@pytest.fixture
def environment(monkeypatch):
    def of(setup: Setup) -> None:
        for name, value in ENVIRONMENTS.get(setup.page, {}).items():
            monkeypatch.setenv(name, value)

    return of


@pytest.mark.parametrize("setup", MKDOCS)
def test_mkdocs(mkdocs_project, environment, setup):
    settings = mkdocs_settings(setup)
    plugins = [each if isinstance(each, dict) else {each: {}} for each in settings.pop("plugins", [])]
    if any("i18n" in each for each in plugins) and not find_spec("mkdocs_static_i18n"):
        pytest.skip("needs mkdocs-static-i18n")
    if setup.page == "material" and not find_spec("material"):
        pytest.skip("needs material")
    environment(setup)
    ours = next((each["sitemap-docs"] for each in plugins if "sitemap-docs" in each), None) or {}
    assert ours.pop("enabled", True) is True
    others = [each for each in plugins if "sitemap-docs" not in each]
    english = "en/" if "docs_structure: folder" in setup.code else ""
    more = "More."
    if "shared/" in setup.code:
        pytest.importorskip("pymdownx", reason="needs pymdown-extensions")
        settings["markdown_extensions"] = ["pymdownx.snippets"]
        more = '--8<-- "shared/part.md"'
    project = mkdocs_project(
        {f"{english}index.md": "# Home", **{f"{english}{name}.md": f"# {name}" for name in pages(setup)}},
        options={"check": True, **ours},
        after=others,
        theme="material" if setup.page == "material" else "mkdocs",
        **{"site_url": next(iter(ours.get("locales", {}).values()), BASE), **settings},
    )
    project.write(dict.fromkeys(TRANSLATED, "# Translated") if others else FILES)
    project.commit(OLD)
    project.write({f"docs/{english}index.md": f"# Home\n\n{more}\n"})
    project.commit(NEW)
    try:
        messages = project.build(strict=True)
    finally:
        print("\n".join(line for line in project.messages if line.startswith(("WARN", "ERR"))))
    ours = [line for line in messages if line.startswith(("INFO sitemap-docs", "WARNING sitemap-docs"))]
    is_quiet(ours)


CONF = """
extensions = ["sitemap_docs"]
html_baseurl = "{}"
html_theme = "basic"
language = "en"
{}
sitemap_check = globals().get("sitemap_check", True)
"""


@pytest.mark.parametrize("setup", SPHINX)
def test_sphinx(sphinx_project, environment, setup):
    ast.parse(setup.code)
    environment(setup)
    project = sphinx_project(*pages(setup))
    on_read_the_docs = setup.page == "read-the-docs" or "/en/latest/" in setup.code
    base = f"{BASE}en/latest/" if on_read_the_docs else BASE
    project.write(
        {
            "src/conf.py": f"import os\n{CONF.format(base, setup.code)}",
            "src/substitutions.txt": "x",
            "package/version.py": "1",
        }
    )
    project.commit(OLD)
    included = ".. include:: substitutions.txt\n\n.. literalinclude:: ../package/version.py"
    project.write({"src/index.rst": project.page("Home", included)})
    project.commit(NEW)
    run = project.build("html", "-W", "--keep-going")
    assert run.code == 0, run.warnings
    is_quiet([line for line in run.status.splitlines() if "sitemap-docs: " in line])
