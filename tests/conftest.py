"""Real projects for the tests: git repositories with fixed dates, and what a host builds from them."""

from __future__ import annotations

import logging
import os
import subprocess
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
import yaml
from lxml import etree

if TYPE_CHECKING:
    from pathlib import Path

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PLATFORMS = ("READTHEDOCS", "NETLIFY", "VERCEL", "CF_PAGES", "GITLAB_CI", "GITHUB_ACTIONS", "SOURCE_DATE_EPOCH")


@pytest.fixture(autouse=True)
def _neutral_environment(monkeypatch, tmp_path):
    """No platform, no cache and no git configuration of the machine that runs the tests."""
    for name in [name for name in os.environ if name.startswith((*PLATFORMS, "GIT_", "CI", "MIKE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


def git(folder: Path, *arguments: str, date: str = "2024-01-01T00:00:00+00:00") -> str:
    """What git prints, with fixed names and the same author's and committer's date."""
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in (
        ("NAME", "A Writer"), ("EMAIL", "writer@example.org"), ("DATE", date)
    )}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=os.environ | who, capture_output=True, text=True, check=True
    )
    return done.stdout


class MkDocsProject:
    """A project of MkDocs, or of ProperDocs where that alone is installed, and its repository."""

    host = "mkdocs" if find_spec("mkdocs") else "properdocs"

    def __init__(self, root: Path) -> None:
        self.root = root
        self.docs = root / "docs"
        self.site = root / "site"
        self.messages: list[str] = []

    def __call__(self, pages: dict[str, str], **settings: object) -> MkDocsProject:
        self.write({f"docs/{name}": text for name, text in pages.items()})
        self._settings = {"site_name": "Test", "site_url": "https://docs.example.org/"}
        self.configure(**settings)
        return self

    def configure(self, *, options: dict[str, object] | None = None, plugins=(), after=(), **settings) -> None:
        """Writes mkdocs.yml; ``plugins`` stand before ours, ``after`` behind."""
        self._settings |= {"plugins": [*plugins, {"sitemap-docs": options or {}}, *after], **settings}
        self.write({"mkdocs.yml": yaml.safe_dump(self._settings, sort_keys=False, allow_unicode=True)})

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")

    def commit(self, date: str) -> None:
        if not (self.root / ".git").exists():
            git(self.root, "init", "-q", "-b", "main")
            self.write({".gitignore": "/site/\n/cache/\n"})
        git(self.root, "add", ".")
        git(self.root, "commit", "-q", "-m", "A change", date=date)

    def config(self, **overrides: object):
        return import_module(f"{self.host}.config").load_config(str(self.root / "mkdocs.yml"), **overrides)

    def build(self, config=None, *, dirty: bool = False, **overrides: object) -> list[str]:
        """Builds in this process; the messages of the build as ``LEVEL text``."""
        self.messages = []
        handler = _Messages(self.messages)
        logger = logging.getLogger(self.host)
        before, propagate = logger.level, logger.propagate
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        try:
            config = config or self.config(**overrides)
            import_module(f"{self.host}.commands.build").build(config, dirty=dirty)
        finally:
            logger.removeHandler(handler)
            logger.setLevel(before)
            logger.propagate = propagate
        return self.messages

    def read(self, name: str) -> str:
        return (self.site / name).read_text(encoding="utf-8")

    def xml(self, name: str = "sitemap.xml") -> etree._Element:
        return etree.parse(self.site / name).getroot()

    def locs(self, name: str = "sitemap.xml") -> list[str]:
        root = self.xml(name)
        assert root.tag == SITEMAP + "urlset"
        return [url.findtext(SITEMAP + "loc") for url in root]

    def paths(self, name: str = "sitemap.xml") -> list[str]:
        """The addresses below the base URL."""
        return [loc.removeprefix(self._settings["site_url"]) for loc in self.locs(name)]

    def lastmods(self) -> dict[str, str | None]:
        dates = [url.findtext(SITEMAP + "lastmod") for url in self.xml()]
        return dict(zip(self.paths(), dates, strict=True))


class _Messages(logging.Handler):
    def __init__(self, messages: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        self._messages.append(f"{record.levelname} {record.getMessage()}")


@pytest.fixture
def mkdocs_project(tmp_path, monkeypatch) -> MkDocsProject:
    """Call it with the pages of ``docs/`` and the settings of mkdocs.yml; ``options`` are ours."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return MkDocsProject(root)
