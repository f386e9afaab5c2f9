from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemap_docs.configuration import load_yaml
from sitemap_docs.folder.generators import find_projects
from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from pathlib import Path

BASES = [
    pytest.param("zensical.toml", '[project]\nsite_url = "https://e.org/a/"\n', id="zensical"),
    pytest.param("zensical.toml", 'site_url = "https://e.org/a/"\n', id="zensical, flat"),
    pytest.param("mkdocs.yml", "site_url: https://e.org/a/\n", id="mkdocs"),
    pytest.param("mkdocs.yml", "\ufeffsite_url: https://e.org/a/\n", id="mkdocs, with a BOM"),
    pytest.param("mkdocs.yml", "site_url: !ENV HERE\n", id="!ENV"),
    pytest.param("mkdocs.yml", "site_url: !ENV [NOWHERE, HERE, 'https://no.org/']\n", id="!ENV, a list"),
    pytest.param("mkdocs.yml", "site_url: !ENV [NOWHERE, 'https://e.org/a/']\n", id="!ENV, its default"),
    pytest.param(
        "mkdocs.yml",
        "site_url: https://e.org/a/\nmarkdown_extensions:\n- pymdownx.emoji:\n"
        "    emoji_index: !!python/name:material.extensions.emoji.twemoji\n"
        "    call: !!python/object/apply:os.system [exit]\n    at: !relative $docs_dir\n",
        id="tags of Python objects are not run",
    ),
    pytest.param("mkdocs.yml", "INHERIT: base/common.yml\nsite_name: x\n", id="INHERIT"),
    pytest.param("mkdocs.yaml", "site_url: https://e.org/a/\n", id="the other ending"),
    pytest.param("properdocs.yml", "site_url: https://e.org/a/\n", id="properdocs"),
    pytest.param("antora-playbook.yml", "site:\n  title: x\n  url: https://e.org/a/\n", id="antora"),
]


@pytest.mark.parametrize(("name", "text"), BASES)
def test_base_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    monkeypatch.setenv("HERE", "https://e.org/a/")
    monkeypatch.delenv("NOWHERE", raising=False)
    (tmp_path / "base").mkdir()
    (tmp_path / "base/common.yml").write_text("site_url: https://e.org/a/\nsite_name: y\n")
    (tmp_path / name).write_text(text, encoding="utf-8")
    (project,) = find_projects([tmp_path, tmp_path / "."])
    assert (project.file, project.base_url) == (tmp_path / name, "https://e.org/a/")


@pytest.mark.parametrize(
    ("name", "text", "site", "docs"),
    [
        pytest.param("zensical.toml", "", "site", "docs", id="Zensical's defaults"),
        pytest.param(
            "zensical.toml", '[project]\nsite_dir="a"\ndocs_dir="b"', "a", "b", id="Zensical's words"
        ),
        pytest.param("mkdocs.yml", "", "site", "docs", id="MkDocs' defaults, an empty file"),
        pytest.param("mkdocs.yml", "site_dir: a\ndocs_dir: b/c\n", "a", "b/c", id="MkDocs' words"),
        pytest.param("mkdocs.yml", "site_dir: 3\nsite_url: [1]\n", "site", "docs", id="not texts"),
        pytest.param("antora-playbook.yml", "output: {dir: out}", "out", None, id="Antora has many sources"),
        pytest.param("antora-playbook.yml", "site: x", "build/site", None, id="Antora's default"),
    ],
)
def test_folders(tmp_path: Path, name: str, text: str, site: str, docs: str | None) -> None:
    (tmp_path / name).write_text(text)
    (project,) = find_projects([tmp_path])
    assert project.site == tmp_path / site
    assert project.docs == (tmp_path / docs if docs else None)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("mkdocs.yml", "plugins:\n- search\n- sitemap-docs:\n    max_urls: 5\n", id="a list"),
        pytest.param("mkdocs.yml", "plugins:\n  search:\n  sitemap-docs: {max_urls: 5}\n", id="a mapping"),
        pytest.param("zensical.toml", "[project.plugins.sitemap-docs]\nmax_urls = 5\n", id="TOML"),
    ],
)
def test_our_options(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (project,) = find_projects([tmp_path])
    assert project.options == {"max_urls": 5}


def test_nearest_folder_first(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "zensical.toml").write_text("")
    (tmp_path / "sub/mkdocs.yml").write_text("")
    (tmp_path / "sub/zensical.toml").write_text("")
    found = [
        project.file.relative_to(tmp_path).as_posix()
        for project in find_projects([tmp_path / "sub", tmp_path])
    ]
    assert found == ["sub/zensical.toml", "sub/mkdocs.yml", "zensical.toml"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("zensical.toml", "[project", id="TOML"),
        pytest.param("mkdocs.yml", "a: [", id="YAML"),
        pytest.param("mkdocs.yml", "INHERIT: ../gone.yml", id="an inherited file is missing"),
        pytest.param("mkdocs.yml", "INHERIT: mkdocs.yml", id="it inherits itself"),
        pytest.param("mkdocs.yml", "a: \udcff", id="not UTF-8"),
    ],
)
def test_unreadable(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(SitemapError, match="cannot be read"):
        list(find_projects([tmp_path]))


def test_not_a_mapping(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("- a\n- b\n")
    assert load_yaml(tmp_path / "mkdocs.yml") == {}
