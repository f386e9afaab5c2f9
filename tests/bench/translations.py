"""Whole builds with Sphinx of a project with catalogues of many languages: without us, and with `locales`.

    python tests/bench/translations.py [--pages 1000] [--old COMMIT]

Each of the documents has a title and nine paragraphs. Each language has a catalogue of every document, and
translates every second document. The builds are in the language of the sources, which has no catalogue:
a fresh build, a build without changes, and a fresh build of a preview, which has no sitemap.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

from shared import BASE, HERE, Bench, Cost, Row, run_script

LANGUAGES = [f"{first}{second}" for first, second in product("abcd", "aeiou")]
PARAGRAPHS = 9
CONF = """
import os
project, html_theme, locale_dirs, gettext_compact = "Bench", "basic", ["../locale"], False
html_copy_source = html_use_index = html_search = False
exec(os.environ["LINES"])
"""
URLS = {code: f"{BASE}{code}/" for code in ("en", *LANGUAGES)}
OURS = f"extensions, html_baseurl = ['sitemap_docs'], {URLS['en']!r}\n"
#: Lines of conf.py for each way to build.
WAYS = {"none": "", "sitemap": OURS, "locales": f"{OURS}sitemap_locales = {URLS!r}\n"}
PREVIEW = {"NETLIFY": "true", "CONTEXT": "deploy-preview"}
HEADER = """# The manual.
#
msgid ""
msgstr ""
"Project-Id-Version: Bench 1.0\\n"
"POT-Creation-Date: 2026-01-31 10:00+0000\\n"
"PO-Revision-Date: 2026-02-01 10:{minute:02}+0000\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


def measure(bench: Bench) -> Iterator[Row]:
    pages = min(bench.pages, 1_000)
    folder = bench.made("translations", partial(_write, pages=pages))
    size = f"{pages:,} documents, {len(LANGUAGES)} languages"
    for name in ("fresh", "without changes", "preview"):
        builds = [partial(_build, bench, folder, "none", HERE, name)]
        for checkout, way in product(bench.checkouts, ("sitemap", "locales")):
            builds.append(partial(_build, bench, folder, way, checkout, name))
        none, *costs = (cost.seconds for cost in bench.best(builds))
        for number, way in enumerate(("without `locales`", "with `locales`")):
            ours = tuple((seconds, none) for seconds in costs[number::2])
            yield Row(f"a {name} build {way}, {size}", "s", "a build without sitemap-docs", ours)


def _build(bench: Bench, folder: Path, way: str, checkout: Path, name: str) -> Cost:
    trees = bench.scratch / f"{way}-{bench.checkouts.index(checkout)}"
    if name != "without changes":
        shutil.rmtree(trees, ignore_errors=True)
    arguments = ("-m", "sphinx", "-Q", "-D", "language=en", "-d", trees / "trees", "src", trees / "out")
    environ = {"LINES": WAYS[way], **(PREVIEW if name == "preview" else {})}
    return bench.python(checkout, folder, *arguments, environ=environ)


def _write(folder: Path, pages: int) -> None:
    (folder / "src").mkdir()
    (folder / "src/conf.py").write_text(CONF)
    for page in range(pages):
        title, *paragraphs = _texts(page)
        name = f"page{page}" if page else "index"
        text = "\n\n".join([f":orphan:\n\n{title}\n{'=' * len(title)}", *paragraphs])
        (folder / f"src/{name}.rst").write_text(f"{text}\n")
        for number, code in enumerate(LANGUAGES):
            file = folder / f"locale/{code}/LC_MESSAGES/{name}.po"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                _catalogue(code, name, [title, *paragraphs], has_translation=bool((page + number) % 2))
            )


def _texts(page: int) -> list[str]:
    paragraphs = [f"What paragraph {number} of page {page} says. " * 4 for number in range(PARAGRAPHS)]
    return [f"Page {page}", *(text.strip() for text in paragraphs)]


def _catalogue(code: str, name: str, texts: list[str], *, has_translation: bool) -> str:
    entries = [HEADER.format(code=code, minute=len(name))]
    for line, text in enumerate(texts):
        middle = len(text) // 2
        translation = f"{code} {text}" if has_translation else ""
        entries.append(
            f'#: ../../src/{name}.rst:{4 + line}\nmsgid ""\n"{text[:middle]}"\n"{text[middle:]}"\n'
            f'msgstr "{translation}"\n'
        )
    return "\n".join(entries)


if __name__ == "__main__":
    run_script(measure)
