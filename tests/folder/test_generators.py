import os
import re
from contextlib import suppress
from pathlib import Path

import pytest

from sitemap_docs.folder.generators import LOADERS, find_projects
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.sources.source_files import SourceFolders
from tests.conftest import commit, passed, write

FOUND, WRITTEN = {"base_url": "https://e.org/a/"}, "site_url: https://e.org/a/\n"
TAGS = f"""{WRITTEN}markdown_extensions:
- pymdownx.emoji:
    emoji_index: !!python/name:material.extensions.emoji.twemoji
    call: !!python/object/apply:os.system [exit]
    at: !relative $docs_dir
"""
OURS = {"options": {"max_urls": 5}}
#: A configuration, and what is read of it.
READ = {
    "zensical": ("zensical.toml", '[project]\nsite_url = "https://e.org/a/"\n', FOUND),
    "mkdocs": ("mkdocs.yml", WRITTEN, FOUND),
    "mkdocs, with a BOM": ("mkdocs.yml", f"\ufeff{WRITTEN}", FOUND),
    "!ENV, a list": ("mkdocs.yml", "site_url: !ENV [NOWHERE, HERE, 'https://no.org/']\n", FOUND),
    "!ENV, its default": ("mkdocs.yml", "site_url: !ENV [NOWHERE, 'https://e.org/a/']\n", FOUND),
    "tags of Python objects are not run": ("mkdocs.yml", TAGS, FOUND),
    "INHERIT": ("mkdocs.yml", "INHERIT: base/common.yml\nsite_name: x\n", FOUND),
    "it wins over INHERIT": ("mkdocs.yml", f"INHERIT: base/other.yml\n{WRITTEN}", FOUND),
    "the other ending": ("mkdocs.yaml", WRITTEN, FOUND),
    "zensical, in YAML": ("zensical.yml", WRITTEN, FOUND),
    "zensical, the other ending": ("zensical.yaml", WRITTEN, FOUND),
    "properdocs, the other ending": ("properdocs.yaml", WRITTEN, FOUND),
    "Quarto, the other ending": ("_quarto.yaml", "website:\n  site-url: https://e.org/a/\n", FOUND),
    "properdocs": ("properdocs.yml", WRITTEN, FOUND),
    "Quarto": ("_quarto.yml", "website:\n  site-url: https://e.org/a/\n", FOUND),
    "a book of Quarto": (
        "_quarto.yml",
        "project: {type: book}\nbook: {site-url: 'https://e.org/a/'}\n",
        FOUND | {"site": "_book", "source": ""},
    ),
    "mdBook": ("book.toml", '[output.html]\nsite-url = "https://e.org/a/"\n', FOUND),
    "a path is no base URL": ("book.toml", '[output.html]\nsite-url = "/a/"\n', {"base_url": ""}),
    "links to files": ("mkdocs.yml", "use_directory_urls: false\n", {"links": "files"}),
    "an empty file": ("mkdocs.yml", "", {"links": "folders", "site": "site", "source": "docs"}),
    "a list": ("mkdocs.yml", "- a\n- b\n", {"links": "folders", "site": "site", "source": "docs"}),
    "Zensical's defaults": ("zensical.toml", "", {"site": "site", "source": "docs"}),
    "MkDocs' words": ("mkdocs.yml", "site_dir: a\ndocs_dir: b/c\n", {"site": "a", "source": "b/c"}),
    "Quarto's words": ("_quarto.yml", "project: {output-dir: docs}\n", {"site": "docs", "source": ""}),
    "a list of plugins": ("mkdocs.yml", "plugins:\n- search\n- sitemap-docs:\n    max_urls: 5\n", OURS),
    "the name of the import": ("mkdocs.yml", "plugins:\n- sitemap_docs: {max_urls: 5}\n", OURS),
    "plugins in TOML": ("zensical.toml", "[project.plugins.sitemap-docs]\nmax_urls = 5\n", OURS),
}


@pytest.mark.parametrize(("name", "text", "values"), READ.values(), ids=READ)
def test_what_a_configuration_says(tmp_path: Path, monkeypatch, name, text, values) -> None:
    monkeypatch.setenv("HERE", "https://e.org/a/")
    monkeypatch.delenv("NOWHERE", raising=False)
    inherited = {
        "base/common.yml": f"{WRITTEN}site_name: y\n",
        "base/other.yml": "site_url: https://no.org/\n",
    }
    write(tmp_path, {**inherited, name: text})
    ((project,), _) = find_projects([tmp_path, tmp_path / "."])
    assert project.file == tmp_path / name
    for attribute, value in values.items():
        expected = tmp_path / value if attribute in ("site", "source") else value
        assert getattr(project, attribute) == expected


@pytest.mark.parametrize("name", ["config.toml", "hugo.toml", "_config.yml", "package.json"])
def test_files_of_other_programs(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: "a: ["})
    assert find_projects([tmp_path]) == ([], [])


def test_the_generator_of_the_folder_comes_first(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("mkdocs.yml", "book.toml", "web/myst.yml"), ""))
    found, _ = find_projects([tmp_path / "web", tmp_path])
    assert [each.file.name for each in found][:1] == ["myst.yml"]
    found, _ = find_projects([tmp_path], tmp_path / "book")
    assert [each.file.name for each in found] == ["book.toml", "mkdocs.yml"]
    found, _ = find_projects([tmp_path / "web/_build", tmp_path], tmp_path / "web/_build/html")
    assert found[0].file.name == "myst.yml"
    found, _ = find_projects([tmp_path / "web/_build"], tmp_path / "web/_build/other")
    assert found == []


NO_PATHS = ("a\\u0000b", "n" * 300, "n/" * 3000, "\\ud800")
UNREADABLE = [
    pytest.param("zensical.toml", "[project", "cannot be read", id="TOML"),
    pytest.param("mkdocs.yml", "a: [", "cannot be read", id="YAML"),
    ("mkdocs.yml", "INHERIT: ../gone.yml", "mkdocs.yml, cannot be read"),
    pytest.param("mkdocs.yml", "INHERIT: mkdocs.yml", "cannot be read", id="it inherits itself"),
    pytest.param("mkdocs.yml", "a: \udcff", "cannot be read", id="not UTF-8"),
    *(("mkdocs.yml", f'docs_dir: "{path}"', "is not a valid path") for path in NO_PATHS),
    *(("mkdocs.yml", f'theme: {{custom_dir: "{path}"}}', "is not a valid path") for path in NO_PATHS),
    *(("book.toml", f'[build]\nbuild-dir = "{path}"', "is not a valid path") for path in NO_PATHS[:3]),
    *(("book.toml", f'[book]\nsrc = "{path}"', "is not a valid path") for path in NO_PATHS[:3]),
]


@pytest.mark.parametrize(("name", "text", "words"), UNREADABLE)
def test_unreadable(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_bytes(text.encode(errors="surrogateescape"))
    (finding,) = find_projects([tmp_path]).findings
    assert words in finding.message


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for load in LOADERS.values():
        with suppress(SitemapError):
            assert load(tmp_path / "pipe") == {}
    write(tmp_path, {"mkdocs.yml": "INHERIT: pipe"})
    (finding,) = find_projects([tmp_path]).findings
    assert re.search("Not a file, but a folder, a pipe or a device", finding.message)


@pytest.mark.parametrize("name", ["mkdocs.yml", "book.toml"])
def test_a_configuration_of_gigabytes_is_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    os.truncate(tmp_path / name, 3 << 30)
    (finding,) = find_projects([tmp_path]).findings
    assert re.search(r"has more than [0-9,]+ bytes", finding.message)


def test_no_line_of_a_configuration_is_shown(tmp_path: Path) -> None:
    write(tmp_path, {"secret": "key: a: 0123456789abcdef\n"})
    (tmp_path / "mkdocs.yml").symlink_to("secret")
    (finding,) = find_projects([tmp_path]).findings
    assert re.search("line 1, column 7", finding.message)
    assert "0123456789abcdef" not in finding.message


MYST = {
    "myst.yml": "",
    "README.md": "",
    "guide/01-install.md": "",
    "guide/Start.ipynb": "{}",
    "tour.md": "",
    "_build/html/readme.json": '{"slug": "readme", "location": "/README.md"}',
    "_build/html/install.json": '{"slug": "install", "location": "/guide/01-install.md"}',
    "_build/html/guide.start.json": '{"slug": "guide.start", "location": "/guide/Start.ipynb"}',
    "_build/html/broken.json": "{",
    "_build/html/odd.json": '{"location": 3}',
    "_build/html/out.json": '{"location": "/../../tour.md"}',
}


@pytest.mark.parametrize(
    ("page", "source"),
    [
        pytest.param("index.html", "README.md", id="MyST, the home page"),
        pytest.param("install/index.html", "guide/01-install.md", id="MyST, without folders"),
        pytest.param("guide/start/index.html", "guide/Start.ipynb", id="MyST, with folders"),
        pytest.param("broken/index.html", None, id="MyST, data that is no JSON"),
        pytest.param("odd/index.html", None, id="MyST, other data"),
        pytest.param("out/index.html", "tour.md", id="MyST, out of the project"),
    ],
)
def test_sources(tmp_path: Path, page: str, source: str | None) -> None:
    write(tmp_path, MYST)
    ((project,), _) = find_projects([tmp_path])
    found = SourceFolders([project.source], layout=project.layout).find(page)
    assert found == (source and str(tmp_path / source))


def test_sources_of_quarto(tmp_path: Path) -> None:
    """A page is dated by its document, not by the time of the render, which Quarto's own sitemap has."""
    head = '<meta name="generator" content="quarto-1.8.25"><title>A</title>'
    write(tmp_path, {"_quarto.yml": "website:\n  site-url: https://e.org/a/\n"})
    names = ("index.qmd", "about.md", "posts/one/index.ipynb", "data.rmd")
    for day, name in enumerate(names, 1):
        write(tmp_path, {name: "{}"})
        commit(tmp_path, name, date=f"2024-01-0{day}T00:00:00+00:00")
        write(tmp_path, {f"_site/{name.partition('.')[0]}.html": head})
    passed("build", tmp_path / "_site")
    entries = parse(tmp_path / "_site/sitemap.xml").entries()
    dates = {entry.loc.removeprefix("https://e.org/a/"): entry.lastmod.day for entry in entries}
    assert dates == {"": 1, "about.html": 2, "posts/one/": 3, "data.html": 4}
