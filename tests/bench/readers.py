"""What readers are given to see how their work grows: texts that mean harm, and products of two inputs.

``growth.py`` measures each row, ``tests/test_growth.py`` counts its steps and misses those of new readers.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from string import ascii_lowercase
from typing import Any, NamedTuple

from sitemap_docs import robots
from sitemap_docs.api import build, check
from sitemap_docs.config import dates, frontmatter, parsing, unread
from sitemap_docs.config.frontmatter import named_sources
from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import Globs
from sitemap_docs.files import Folders, is_below_any
from sitemap_docs.history import file_commits
from sitemap_docs.host_rules import Headers
from sitemap_docs.html import body, head
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.selection import Selector
from sitemap_docs.model import Alternate, Page, SitemapError, TreeSite, TreeSitemap
from sitemap_docs.programs import host_files
from sitemap_docs.programs.followed import includes_of
from sitemap_docs.programs.include_marks import include_mark
from sitemap_docs.programs.material_blog import BlogLayout
from sitemap_docs.programs.sphinx import included_names
from sitemap_docs.report import figures
from sitemap_docs.sitemap import reader, urllist
from sitemap_docs.sources.includes import MarkdownConfig
from sitemap_docs.sphinx.catalogues import parse_usual
from sitemap_docs.tree import VersionNames, mark_copies, read_sites, version_of
from sitemap_docs.urls.base import Base
from sitemap_docs.version_policy import Policy, find_left_out


class Text(NamedTuple):
    """A text with a part that is repeated."""

    before: str
    part: str
    behind: str = ""

    def of(self, number: int) -> str:
        return self.before + self.part * number + self.behind


class Row(NamedTuple):
    """A function that reads a file, and files of any size that might make it slow."""

    read: Callable[[Path], object]
    texts: tuple[Text, ...]
    name: str = "a.md"


def _included(names: str, *texts: Text) -> Row:
    """The reader of extensions and plugins with these names."""

    def read(file: Path) -> object:
        here = file.parent
        options: dict[str, dict[str, object]] = {each: {} for each in names.split()}
        config = MarkdownConfig(
            docs=here, root=here, start=here, extensions=options, plugins=options, objects={}
        )
        return includes_of(config).find(file.read_text(), here)

    return Row(read, texts)


def _urls(file: Path) -> list[object]:
    return [*reader.parse(file).rows()]


def _front_matter(file: Path) -> object:
    try:
        return frontmatter.read_front_matter(str(file), ("date",))
    except SitemapError as error:
        return error


def _unread_block(file: Path) -> object:
    return unread.find_unread_block(file.read_text(), {}, reports_errors=False)


def _repeated(file: Path) -> object:
    return parsing.repeated_keys(file.read_text())


def _unread_fields(file: Path) -> object:
    return [*unread.find_unread_fields(file.read_text(), {})]


BASE = "https://docs.example.org/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
DOCUMENT = "<!doctype html><html><head><title>A</title>"
FENCES = (Text("::: a\n", "`", "\n"), Text("::: a\n", "```\n~~~~\n"), Text("::: a\n", "    ::: a\n\n"))
#: By the module and the name of each function that is marked as a reader.
ROWS: dict[str, Row] = {
    "programs.pymdownx_snippets.reader": _included(
        "pymdownx.snippets",
        Text("", "--8<-- 'a"),
        Text("--8<-- '", ":1", "x'\n"),
        Text("", "--8<-- 'a.md:1'\n"),
        Text("", "-8<-"),
    ),
    "programs.markdown_include_variants.reader": _included(
        "markdown_include_variants", Text("{* ", "a"), Text("", "{* a *}\n"), Text("{* a", " ", "*}")
    ),
    "programs.include_markdown.reader": _included(
        "include-markdown",
        Text("", '{% include "a" '),
        Text("", '{% include "'),
        Text('{% include "a"', " exclude='", "%}"),
        Text("{% include", " "),
    ),
    "programs.markdown_include.reader": _included(
        "mdx_include.mdx_include", Text("{!", "a"), Text("", "{!a"), Text("{!a", "!"), Text("", "{!a!}")
    ),
    "programs.macros.reader": _included(
        "macros",
        Text("{% include", " "),
        Text("", "{% raw %}"),
        Text("", "{% raw %}{% endraw %}"),
        Text("", '{% include "a" %}'),
        Text("---\n", "render_macros: \n", "---\n"),
    ),
    "programs.mdbook.reader": _included(
        "mdbook", Text("", "{{#include a "), Text("{{#include ", " "), Text("", "{{#include a }")
    ),
    "programs.mkdocstrings.reader": _included("mkdocstrings", *FENCES, Text("", "::: a\n    members:\n")),
    "programs.mkdocs_click.reader": _included("mkdocs-click", *FENCES, Text("", "::: a\n    :a: b\n")),
    "programs.include_marks.include_mark": Row(
        lambda file: include_mark(file.read_text(), ".md"),
        (
            *(Text("", "{% "), Text("{%", " "), Text("", "{{<a-"), Text("{{<", "includ")),
            *(Text("", "<!-- "), Text("", "```"), Text("", "{% raw %}"), Text("", "<<<\n")),
            *(Text("", "import "), Text("", "import {\n"), Text("", "import 'a\n"), Text("import ", '"')),
            *(Text("import a from 'b';\n", "import b from 'a';\n"), Text("import a", "\n ", "'b'")),
        ),
    ),
    "programs.macros.unrendered": _included(
        "macros pymdownx.snippets",
        Text("", "{{ a }}"),
        Text("", "{{ a "),
        Text("", "{% raw %}"),
        Text("{{ a", " ", "}}"),
        Text("{{", "|", "}}"),
    ),
    "programs.markdown_exec.executed": _included(
        "pymdownx.snippets", Text("", "a exec=1\n"), Text("```python", " exec=no", "\n")
    ),
    "html.head.parse_head": Row(
        lambda file: head.parse_head(file.read_bytes(), described=True),
        (
            Text(DOCUMENT, "<link rel=canonical href=a>"),
            Text("", "<head "),
            Text(DOCUMENT, "<!--"),
            Text("", "<body "),
            Text(f"{DOCUMENT}<body>", "q"),
            Text(f"{DOCUMENT}<body>", "http-equiv "),
            Text(f"{DOCUMENT}<body>", "<noscript><meta http-equiv=refresh content=0;a>"),
            Text(f"{DOCUMENT}<body>", "<div><meta http-equiv=refresh content=x>"),
            Text(f"{DOCUMENT}<body><template>", "<div><meta http-equiv=refresh content=x>"),
        ),
    ),
    "html.head.refresh_target": Row(
        lambda file: head.refresh_target(file.read_text()),
        (Text("0", " ", "x"), Text("0;", " ;"), Text("", "0")),
    ),
    "html.head.x_robots_tag": Row(
        lambda file: head.x_robots_tag(file.read_text()),
        (
            Text("", "unavailable_after "),
            Text("", "a: b,"),
            Text("unavailable_after:", " ", "a"),
            Text("", "a "),
            Text("a", " "),
            Text("", "a"),
        ),
    ),
    "html.body.read_page": Row(
        body.read_page,
        (Text(DOCUMENT, "<a href=b>c</a>"), Text(DOCUMENT, "<time datetime=1>"), Text("", "<p>")),
    ),
    "html.body.images": Row(
        lambda file: body.images(file, "https://e.org/"), (Text(DOCUMENT, "<img src=a>"),)
    ),
    "html.body.fingerprint": Row(body.fingerprint, (Text(f"{DOCUMENT}<main>", "word "),)),
    "sitemap.reader.parse": Row(
        _urls,
        (
            Text(
                '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
                "<url><loc>a</loc></url>",
                "</urlset>",
            ),
        ),
    ),
    "sitemap.parsers.XmlParser": Row(
        lambda file: [*reader.parse(file, feeds=True).rows()],
        (
            Text(
                '<rss version="2.0"><channel>',
                "<item><link>a</link><pubDate>1</pubDate></item>",
                "</channel></rss>",
            ),
            Text("<rss><channel>", "<title>a</title>", "</channel></rss>"),
            Text('<feed xmlns="http://www.w3.org/2005/Atom">', "<entry><link href='a'/></entry>", "</feed>"),
        ),
    ),
    "sitemap.parsers.TextParser": Row(
        _urls,
        (
            Text("", "https://e.org/a\n"),
            Text("https://e.org/", "\r"),
            Text("https://e.org/", "a"),
            Text("https://e.org/\n", " "),
            Text("https://e.org/\n", "no address\n"),
        ),
    ),
    "config.dates.rss_to_w3c": Row(
        lambda file: dates.rss_to_w3c(file.read_text()),
        (Text("Mon, ", "1 "), Text("", ","), Text("1 Feb 26 1", ":1")),
    ),
    "sitemap.urllist.read_urls": Row(
        lambda file: [*urllist.read_urls(str(file))], (Text("", "https://e.org/a\n"),), "a.txt"
    ),
    "robots.parse_robots": Row(
        lambda file: robots.parse_robots(file.read_bytes()),
        (
            Text("", "user-agent: a\n"),
            Text("", "sitemap: a\n"),
            Text("user-agent: *\ncrawl-delay: ", "1", "x\n"),
        ),
    ),
    "programs.host_files.read_redirects": Row(
        host_files.read_redirects, (Text("", "/a/* /b/:splat\n"), Text("", "a" * 9)), "_redirects"
    ),
    "config.parsing.load_json": Row(parsing.load_json, (Text('{"a": [', "1,", "1]}"), Text("{", " ", "}"))),
    "config.unread.find_unread_block": Row(
        _unread_block,
        (
            Text("---\n", "sitemap: false\n"),
            Text("---\nsitemap: ", "[", "\n---\n"),
            Text("---\nsitemap: 1\na", " ", "\n---\n"),
            Text("", "\n", "---\nsitemap: false\n"),
            Text("", "---\n"),
            Text("---", "-", "\nsitemap: false\n"),
        ),
    ),
    "config.parsing.repeated_keys": Row(
        _repeated,
        (
            Text("", "sitemap: 1\n"),
            Text("sitemap: {", "a: 1, ", "}"),
            Text("sitemap: &a {}\nx:\n", "- *a\n"),
        ),
    ),
    "config.unread.find_unread_fields": Row(
        _unread_fields,
        (
            Text("", ":sitemap: false\n"),
            Text(".. meta::\n", "   :sitemap: false\n"),
            Text(":sitemap:", " ", "false\n"),
            Text("", ":"),
            Text(":robots: ", "no-index,", "\n"),
        ),
    ),
    "config.frontmatter.parse_front_matter": Row(
        _front_matter,
        (
            Text("---\ndate: 1\n", "a\n"),
            Text("---\ndate: ", "[", "\n---\n"),
            Text("---\ndate: ", " ", "\n---\n"),
            Text("+++\n", "[[date]]\n", "+++\n"),
            Text("+++\ndate = [", "1,", "]\n+++\n"),
        ),
    ),
    "sphinx.catalogues.parse_usual": Row(
        lambda file: parse_usual(file.read_text(), allows_fuzzy=False),
        (
            Text("", '#, fuzzy\nmsgid "a"\n"b"\nmsgstr ""\n"c"\n'),
            Text('msgid "a"\n', '"b\\\\n"\n'),
            Text('msgid "', "\\\\"),
            Text("", "#\n", "x"),
            Text("", '#~ msgid "a"\n#~ msgstr "b"\n'),
            Text('msgid "a"\nmsgstr ""\n', '"b"\n', "x"),
        ),
        name="a.po",
    ),
    "programs.sphinx.included_names": Row(
        lambda file: included_names(file.read_text()),
        (Text("", ".. include:: a\n"), Text(".. include::", " "), Text("", "`"), Text("", ":")),
    ),
    "programs.material_blog.BlogLayout": Row(
        lambda file: BlogLayout(file.parent, {"post_dir": "."}).listed_sources("blog/index.html"),
        (Text("# x", " ", "y{"), Text("# ", "<"), Text("", "# \n"), Text("# a", " {b", "}")),
    ),
    "history.file_commits.read_ignored": Row(
        file_commits.read_ignored, (Text("", f"{'a' * 40}\n"), Text("", "#"))
    ),
    "report.figures.site_names": Row(
        lambda file: figures.site_names([file.read_text()] * 3),
        (Text("a", " - a"), Text("", " "), Text("", " -")),
    ),
}


class Work(NamedTuple):
    """What is run, and the size of what it reads and answers; what is ``without`` is not counted."""

    run: Callable[[], object]
    size: int
    without: Callable[[], object] = bool


def pages_and_a_glob(folder: Path, number: int) -> Work:
    """Pages that all include all pages."""
    for each in range(number):
        (folder / f"{each}.md").write_text('{% include "*.md" %}\n')
    config = MarkdownConfig(docs=folder, root=folder, start=folder, plugins={"include-markdown": {}})
    includes = includes_of(config)
    text = '{% include "*.md" %}'
    return Work(lambda: [includes.find(text, folder) for _ in range(number)], number * number)


def a_chain_of_snippets(folder: Path, number: int) -> Work:
    """A page with a snippet that includes another, and so on."""
    for each in range(number):
        (folder / f"{each}.md").write_text(f"--8<-- '{each + 1}.md'\n")
    config = MarkdownConfig(docs=folder, root=folder, start=folder, extensions={"pymdownx.snippets": {}})
    return Work(lambda: includes_of(config).find("--8<-- '0.md'\n", folder), number)


def globs_of_pages(folder: Path, number: int) -> Work:
    """Pages that all name the same globs as their sources, each of which matches one of many files."""
    for each in range(number):
        (folder / f"{each}-a.py").write_text("")

    def run() -> None:
        folders = Folders()
        for _page in range(number):
            for each in range(10):
                named_sources(f"{each}-*.py", folder, folders)

    return Work(run, number)


def titles_and_names(_: Path, number: int) -> Work:
    """Titles of pages that all end with the same names."""
    titles = [f"{each} - Part - Site" for each in range(number)]
    return Work(lambda: figures.site_names(titles), number)


def _codes() -> list[str]:
    return [f"q{first}{second}" for first in "abcdefgh" for second in ascii_lowercase]


def _linked_pages(folder: Path, pages: Mapping[str, str], linked: Iterable[str]) -> list[Page]:
    """Pages, each in a language, that all link to the pages ``linked``."""
    head = "".join(f'<link rel="alternate" hreflang="{pages[name]}" href="{BASE}{name}/">' for name in linked)
    written = []
    for name in pages:
        (folder / name).mkdir()
        file = folder / name / "index.html"
        file.write_text(f"<!doctype html><html><head><title>A</title>{head}</head></html>")
        written.append(Page(path=f"{name}/", file=str(file)))
    return written


def _selector(folder: Path) -> Selector:
    return Selector(base=Base(BASE), output=folder, options=Options(), headers=Headers())


def languages_in_heads(folder: Path, number: int) -> Work:
    """Pages in many languages, each of which names all of them."""
    codes = _codes()[:number]
    pages = _linked_pages(folder, dict(zip(codes, codes, strict=True)), codes)

    def run() -> None:
        select = _selector(folder)
        decisions = [*map(select, pages)]
        languages = Languages(select, decisions=decisions)
        for decision in decisions:
            assert len(languages.alternates(decision)) > 1

    return Work(run, len(codes) ** 2)


class _CountedText(str):
    """A text whose hash takes a line of Python, which ``tests/test_growth.py`` counts."""

    __slots__ = ()

    def __hash__(self) -> int:
        return super().__hash__()


def links_of_one_language(folder: Path, number: int) -> Work:
    """Pages in one language, each of which links to all of them as its translations."""
    names = _folders(number)
    pages = _linked_pages(folder, dict.fromkeys(names, "en"), names)
    decisions = []
    select = _selector(folder)
    for decision in map(select, pages):
        links = tuple(Alternate(code, _CountedText(href)) for code, href in decision.alternates)
        decisions.append(decision._replace(alternates=links))

    def run() -> None:
        languages = Languages(select, decisions=decisions)
        for decision in decisions:
            assert languages.alternates(decision) == ()

    return Work(run, number * number)


def links_without_links_back(folder: Path, number: int) -> Work:
    """Pages that link to other pages as their translations, which link only to each other."""
    names = _folders(2 * number)
    _linked_pages(folder, dict.fromkeys(names, "en"), names[number:])
    rows = "".join(f"<url><loc>{BASE}{name}/</loc></url>" for name in names)
    (folder / "sitemap.xml").write_text(f'<urlset xmlns="{NAMESPACE}">{rows}</urlset>')
    run_rule = partial(check, folder, base_url=BASE, cache=False)

    def run() -> None:
        findings = run_rule(select=["hreflang-return-link-missing"])
        assert len(findings) == number * (number + 1)

    return Work(run, number * number, lambda: run_rule(select=["loc-missing"]))


def _folders(number: int) -> list[str]:
    """Names as long as each other, with few characters in common."""
    return [f"{each * 2_654_435_761 % 2**32:08x}" for each in range(number)]


def globs_and_pages(_: Path, number: int) -> Work:
    """Many globs in ``excludes``, each of which matches one of many pages."""
    re.purge()  # expressions of an earlier size
    folders = _folders(number)
    globs = Globs(tuple(f"{each}/*" for each in folders))

    def run() -> None:
        for each in folders:
            assert globs.includes((f"{each}/page.html",))

    return Work(run, number)


def versions_and_folders(_: Path, number: int) -> Work:
    """Versions with aliases, and their folders."""
    names = ("{}.0", "v{}", "release-{}")
    aliases = {name.format(each): f"{each}.0" for each in range(number) for name in names}
    policy = Policy(listed=VersionNames(aliases, frozenset(aliases)), newest=number)
    paths = [f"docs/{each}.0/" for each in range(number)]
    names = policy.folder_names

    def choose() -> None:
        sitemaps = (TreeSitemap(BASE),)
        rows = [TreeSite(path, "", "", version_of(path, names), sitemaps) for path in paths]
        policy.select(rows, None)
        policy.versions(rows)

    return Work(choose, number)


def builds_that_are_left_out(_: Path, number: int) -> Work:
    """Builds that a join leaves out: half of them by globs, and half of them by robots.txt."""
    forbidden = "".join(f"Disallow: /docs/{each}/\n" for each in range(number))
    rules = robots.parse_robots(f"User-agent: *\n{forbidden}".encode())
    globs = Globs(tuple(f"docs/{each}" for each in range(0, number, 2)))
    builds = {}
    for each in range(number):
        url = f"{BASE}docs/{each}/"
        builds[f"docs/{each}/"] = TreeSite(f"docs/{each}/", sitemaps=(TreeSitemap(url, pages=url),))

    def run() -> None:
        assert len(find_left_out(builds, Base(BASE), globs, rules, frozenset())) == number

    return Work(run, number)


def versions_and_pages(folder: Path, number: int) -> Work:
    """Versions that a join left out, and the pages that ``check`` finds in them."""
    folders = frozenset(f"docs/{each}.0/" for each in range(number))

    def run() -> None:
        assert all(is_below_any(f"{each}a.html", folders) for each in folders)

    return Work(run, number)


def links_and_files(folder: Path, number: int) -> Work:
    """Links of a tree to the folder of a version with many files, which a join looks into."""
    (folder / "1.0").mkdir()
    for each in range(number):
        (folder / f"1.0/{each}.html").write_text("")
        (folder / f"v{each}").symlink_to("1.0")
    base = Base(BASE)
    return Work(lambda: mark_copies(folder, base, read_sites(folder, base, frozenset())), number)


def sources_and_pages(folder: Path, number: int) -> Work:
    """Folders of sources, each of which has that of one page."""
    for each in _folders(number):
        (folder / each).mkdir()
        (folder / each / f"{each}.md").write_text("")
    work = _build(folder, number, sources=[folder / each for each in _folders(number)])
    return work._replace(size=number * number)  # a page is looked for in each folder


def maps_and_pages(folder: Path, number: int) -> Work:
    """Maps, each of which names the source of one page."""
    return _build(folder, number, maps=[f"{each}/**=a/{each}.md" for each in _folders(number)])


def robots_and_pages(folder: Path, number: int) -> Work:
    """Rules of robots.txt, and pages that one of them allows."""
    rules = "".join(f"Disallow: /{each}/x\nAllow: /{each}\n" for each in _folders(number))
    return _build(folder, number, {"robots.txt": f"User-agent: *\n{rules}"})


def robots_and_files(folder: Path, number: int) -> Work:
    """Lines of robots.txt for sitemaps in folders that are not there, and the files of the site."""
    names = _folders(8 * number)  # fewer take no time beside the rest of a check
    for name in names:
        (folder / f"{name}.html").write_text("<!doctype html><title>A</title>")
    (folder / "robots.txt").write_text("".join(f"Sitemap: {BASE}{name}/sitemap.xml\n" for name in names))
    rule = "robots-sitemap-file-missing"

    def run() -> None:
        assert check(folder, base_url=BASE, cache=False, select=[rule]) == ()

    return Work(run, number)


def redirects_and_pages(folder: Path, number: int) -> Work:
    """Redirects that hold where a page is, and lead there."""
    lines = "".join(f"/{each}/* /{each}/ 301!\n" for each in _folders(number))
    return _build(folder, number, {"_redirects": lines})


def headers_and_pages(folder: Path, number: int) -> Work:
    """Rules for headers, one for each page."""
    lines = "".join(f"/{each}/*\n  ! X-Robots-Tag\n" for each in _folders(number))
    return _build(folder, number, {"_headers": lines})


#: For each option of a build that takes any number of values: as many as pages, which all are still listed.
LISTS: dict[str, Callable[[int], object]] = {
    "excludes": lambda number: [f"!{each}/index.html" for each in _folders(number)],
    "lastmod_excludes": lambda number: [f"!docs/{each}.md" for each in _folders(number)],
    "lastmod_fields": lambda number: [f"field{each}" for each in range(number)],
    "groups": lambda number: {each: [f"{each}/index.html"] for each in _folders(number)},
    "extra_urls": lambda number: [f"!{each}/x.pdf" for each in _folders(number)],
    "ignore": lambda number: [f"title-missing={each}/" for each in _folders(number)],
    # The standard library keeps the parts of 128 addresses. These are more, and others for each number.
    "extra_sitemaps": lambda number: [f"{BASE}{number}/{each}.xml" for each in range(8 * number)],
    "changefreq": lambda number: {f"{each}/index.html": "daily" for each in _folders(number)},
    "priority": lambda number: {f"{each}/index.html": 0.5 for each in _folders(number)},
    "locales": lambda number: {code: f"https://{code}.example.org/" for code in _codes()[:number]},
}


def _option_and_pages(name: str) -> Product:
    """Pages, and an option that has a value for each."""

    def product(folder: Path, number: int) -> Work:
        work = _build(folder, number, **{name: LISTS[name](number)})
        if name == "locales":  # each page is linked with that of each language
            return work._replace(size=number * len(_codes()[:number]))
        if name == "lastmod_fields":  # each is looked for in each page
            return work._replace(size=number * number)
        return work

    return product


def _build(folder: Path, number: int, files: Mapping[str, str] | None = None, **described: Any) -> Work:
    """A build of so many pages that is described so and has these files, and one without either."""
    (folder / "docs").mkdir()
    for each in _folders(number):
        (folder / f"docs/{each}.md").write_text("---\ntitle: A\n---\n")
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for command in (("init", "-q"), ("add", "docs"), (*identity, "commit", "-q", "-m", "All")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    for site in ("with", "without"):
        for each in _folders(number):
            (folder / site / each).mkdir(parents=True)
            html = f'<!doctype html><title>A</title><link rel=canonical href="{BASE}{each}/">'
            (folder / site / each / "index.html").write_text(html)
    for name, content in (files or {}).items():
        (folder / "with" / name).write_text(content)
    re.purge()  # expressions of an earlier size
    common: dict[str, Any] = {"base_url": BASE, "cache": False, "sources": [folder / "docs"]}

    def run() -> None:
        assert build(folder / "with", **common | described).listed == number

    return Work(run, number, lambda: build(folder / "without", **common))


Product = Callable[[Path, int], Work]
#: By their names. The options `formats`, `leave_out` and `noindex_versions` are compared with no page.
PRODUCTS: dict[str, Product] = {
    product.__name__: product
    for product in (
        *(pages_and_a_glob, a_chain_of_snippets, globs_of_pages, titles_and_names),
        *(languages_in_heads, links_of_one_language, links_without_links_back, globs_and_pages),
        *(versions_and_folders, versions_and_pages, links_and_files),
        builds_that_are_left_out,
        *(sources_and_pages, maps_and_pages, robots_and_pages, robots_and_files),
        *(redirects_and_pages, headers_and_pages),
    )
}
PRODUCTS |= {f"option {name}": _option_and_pages(name) for name in LISTS}
