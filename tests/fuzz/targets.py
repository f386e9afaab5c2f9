"""What the fuzzer feeds: each function ``fuzz_`` takes bytes; only what it may raise may come out."""

import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote_to_bytes, urlsplit

import html5lib
import yaml
from lxml import etree
from protego import Protego

from sitemap_docs import diff, robots
from sitemap_docs.audit.formats import FORMATS, Report
from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.audit.run import audit_site, summed
from sitemap_docs.audit.sitemap_file import MAX_ENTRIES, sitemap_facts
from sitemap_docs.built import open_built, read_built
from sitemap_docs.config.frontmatter import named_sources, page_options, read_front_matter
from sitemap_docs.config.options import OPTIONS, Options
from sitemap_docs.config.patterns import GlobMap
from sitemap_docs.config.unread import find_unread_block, find_unread_fields
from sitemap_docs.diff import compare_places
from sitemap_docs.explain import explain_page
from sitemap_docs.files import Folders
from sitemap_docs.folder.addressing import find_address, find_style
from sitemap_docs.folder.settings import FolderConfiguration, FolderSettings, configure_folder
from sitemap_docs.history.file_commits import read_ignored
from sitemap_docs.history.git import GitTrouble, parse_change, read_changes, read_commit
from sitemap_docs.html.body import MAX_IMAGES, fingerprint, images, read_page
from sitemap_docs.html.head import parse_head, read_head
from sitemap_docs.html.trees import attributes, head_trees, utf8
from sitemap_docs.join.joining import join_sites
from sitemap_docs.join.request import JoinRequest
from sitemap_docs.listing.indexing import canonical_links
from sitemap_docs.model import Entry, SitemapError
from sitemap_docs.output.existing import Replaced
from sitemap_docs.programs import host_files
from sitemap_docs.programs.answers import Configures
from sitemap_docs.programs.followed import answers_to
from sitemap_docs.project import Project
from sitemap_docs.report.figures import count_figures
from sitemap_docs.sitemap.copied_files import find_copied
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.sitemap.render import compress
from sitemap_docs.sitemap.urllist import read_urls
from sitemap_docs.text import printable
from sitemap_docs.tree import OpenedTree
from sitemap_docs.urls.base import MAX_LOC, Base, compare_urls, strip_session
from sitemap_docs.webroot import Webroot
from tests.conftest import built_site, pages_of, publish_pages, rendered, site_project

BASE = Base.of("https://docs.example.org/")
LOC = f"{BASE.url}a/"
LONGEST = 4_000  # characters of a message


@contextmanager
def file_of(data: bytes, name: str = "x") -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        yield file


@contextmanager
def refused() -> Iterator[None]:
    """What is not accepted is said in words, and not in many."""
    words = "-"
    try:
        yield
    except SitemapError as error:
        words = str(error)
    assert 0 < len(words) < LONGEST


# --- pages ---


def fuzz_head(data: bytes) -> None:
    found = parse_head(data, described=True)
    for href in (*found.canonicals, found.refresh or "", *(each.href for each in found.alternates)):
        compare_urls(found.absolute(href, LOC), LOC)
    canonical_links(found, LOC, "a.html", Base.of(LOC), Path())
    found.refresh_elsewhere(LOC)
    parse_head(data[:100])
    if not _READ_OTHERWISE.search(data):
        # As the parser of the HTML standard finds them.
        root = html5lib.parse(utf8(data), namespaceHTMLElements=False, transport_encoding="utf-8")
        expected = [dict(link.attrib) for link in root.iter("link")]
        links = [attributes(link) for tree in head_trees(utf8(data)) for link in tree.tags("link")]
        assert all(link in expected for link in links if "href" in link)


# html5lib 1.1 reads these otherwise than the HTML standard of today: NUL, and elements that are newer.
_READ_OTHERWISE = re.compile(
    rb"[\0\r\x80-\xff]|<(?:/?template|svg|math|select|menuitem|noscript|plaintext|frameset)|!\[CDATA",
    re.IGNORECASE,
)


def fuzz_page(data: bytes) -> None:
    with file_of(data) as file:
        found, _ = read_page(file)
        assert found == read_head(file, described=True) == parse_head(data, described=True)
        shown = images(file, LOC)
        assert len(shown) == len(set(shown)) <= MAX_IMAGES
        assert sum(map(len, shown)) <= 9 * len(data) + len(LOC) * len(shown) + 2 * MAX_LOC * len(shown)
        if shown:
            etree.fromstring(rendered([Entry(loc=LOC, images=shown)]))
        assert re.fullmatch("[0-9a-f]{32}|", fingerprint(file))


def fuzz_site(data: bytes) -> None:
    """Files of a site, each behind ``==name``: built, audited by every rule, and reported in every form."""
    with TemporaryDirectory() as name:
        folder = Path(name, "site")
        folder.mkdir()
        for chunk in data.split(b"\n==")[:12]:
            write(folder, *chunk.partition(b"\n")[::2])
        built = site_of(folder, images=True, gzip="beside", formats=["text"])
        with refused():
            find_style(configured(folder), None)
            publish_pages(built, pages_of(built))
        check_ours(folder / "sitemap.xml")
        with refused():
            settings = settings_of(select=["all"])
            audited = audit_site(built_site(built), settings)
            list(summed(audited.findings))
            rules = tuple(settings.rules)
            report = Report(findings=audited.findings, rules=rules, folder=folder, start=folder, scope="")
            said = {form: tell(report) for form, tell in FORMATS.items()}
            lines = (printable(line, "utf-8") for text in said.values() for line in text.split("\n"))
            assert all(line.isprintable() for line in lines)
        assert [each.name for each in Path(name).iterdir()] == ["site"]


def check_ours(file: Path) -> None:
    if file.is_file() and b"<!-- sitemap-docs" in (data := file.read_bytes())[-200:]:
        etree.fromstring(data)


def write(folder: Path, name: bytes, data: bytes) -> None:
    parts = name.removeprefix(b"==").split(b"/")
    if {b"..", b".", b""}.isdisjoint(parts) and b"\0" not in name:
        file = folder / os.fsdecode(b"/".join(parts))
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)


def configured(folder: Path) -> FolderConfiguration:
    return configure_folder(FolderSettings(folder=folder, detects=False))


def site_of(folder: Path, **options: object) -> Project:
    return site_project(folder, BASE.url, **{"lastmod": "none", **options})


def fuzz_names(data: bytes) -> None:
    """Each page that is there is listed once, at the address that leads to its file."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for line in data.split(b"\n")[:12]:
            write(folder, line + b".html", b"<!doctype html><title>x</title>")
        there = {os.path.relpath(file, folder) for file in folder.rglob("*.html") if file.is_file()}
        expected = {file for file in there if not any(part[0] == "." for part in file.split("/"))}
        found = [BASE.loc(each.path) for each in pages_of(site_of(folder)) if not each.facts]
        paths = {os.fsdecode(unquote_to_bytes(loc[len(BASE.url) :])) for loc in found}
        assert len(paths) == len(found)
        left_out = {file for file in expected if file.rpartition("/")[2] in ("404.html", "index.html")}
        assert {path for path in expected if path not in left_out} <= paths
        for loc in found:
            assert loc.isascii()
            assert Webroot.at(folder, BASE).file(loc) == folder / files_of(loc)


def files_of(loc: str) -> str:
    path = os.fsdecode(unquote_to_bytes(loc[len(BASE.url) :]))
    return f"{path}index.html" if not path or path.endswith("/") else path


# --- sitemaps and robots.txt ---


def fuzz_sitemap(data: bytes) -> None:
    for form in (data, compress(data)):
        with refused():
            entries = list(parse(io.BytesIO(form), name="x.xml", feeds=True).entries())
            ours = rendered(entries)
            again = list(parse(io.BytesIO(ours)).entries())
            assert len(again) == len(entries)
            if not re.search(rb"[^>]\n|[\r\t]", ours):  # white space in an address reads as another
                assert rendered(again) == ours
                facts = sitemap_facts(io.BytesIO(ours), "x.xml")
                assert [url.loc for url in facts.urls] == [each.loc for each in entries]
        found = sitemap_facts(io.BytesIO(form), "x.xml")
        assert found.fault or found.format or found.root
        assert len(found.urls) <= MAX_ENTRIES


def fuzz_robots(data: bytes) -> None:
    with refused():
        merged = robots.merge_robots(data, [LOC])
        assert robots.merge_robots(merged, [LOC]) == merged
        assert len(merged) <= len(data) + 400
        assert LOC in {line.value for line in robots.parse_robots(merged).sitemaps}
        yours = robots.remove_our_lines(data)
        if LOC not in {line.value for line in robots.parse_robots(yours or b"").sitemaps}:
            text = merged.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
            assert LOC in set(Protego.parse(text).sitemaps)
        assert yours is None or merged.startswith(yours)
        assert robots.remove_our_lines(merged) in (yours, None)
    assert robots.parse_robots(data).groups is not None


def fuzz_changes(data: bytes) -> None:
    """Two sitemaps, ``==`` between them: read in two ways, compared, and joined as builds of one tree."""
    with TemporaryDirectory() as name:
        tree = Path(name)
        for build, text in zip((b"a", b"b"), data.partition(b"\n==\n")[::2], strict=True):
            write(tree, build + b"/sitemap.xml", text)
        places = [str(tree / build / "sitemap.xml") for build in "ab"]
        with refused():
            quick = [loc for loc, _ in read_urls(places[0])]
            parsed = parse(Path(places[0]))
            slow = [entry.loc.translate(dict.fromkeys([*range(32), 127])) for entry in parsed.entries()]
            assert parsed.is_index or quick == slow
        with refused():
            found = compare_places(*places)
            json.dumps(diff.difference_data(found))
            assert len(diff.difference_markdown(found)) < 1 << 16
            assert list(diff.difference_text(found))
        with refused():
            join_sites(OpenedTree(site_of(tree), tree), JoinRequest(is_merged=data.endswith(b" ")))
            check_ours(tree / "sitemap.xml")


# --- addresses and what hosts say of them ---


def fuzz_url(data: bytes) -> None:
    """A base URL, and on the next line a path and an address."""
    text, _, path = data.decode("utf-8", "surrogateescape").partition("\n")
    found = BASE.path_of(BASE.loc(path))
    assert found is None or "." in path or os.fsencode(found) == os.fsencode(path)
    assert unquote_to_bytes(BASE.loc(path)[len(BASE.url) :]) == os.fsencode(path)
    assert compare_urls(BASE.loc(path), BASE.loc(path)) == "same"
    for href in (text, path):
        compare_urls(href, LOC)
        assert strip_session(strip_session(href)) == strip_session(href)
        assert len(strip_session(href)) <= len(href)
        BASE.path_of(href)
        with suppress(ValueError):
            spelled = BASE.normalise(href)
            assert BASE.normalise(spelled) == spelled
            assert spelled.isascii()
        with refused():
            base = Base.of(href)
            assert Base.of(base.url) == base
            assert base.path_of(base.loc("a/b.html")) == "a/b.html"
            assert base.url.startswith(base.origin)


def fuzz_hosts(data: bytes) -> None:
    """``_headers`` and ``_redirects`` of hosts."""
    lines = (line.split()[0].decode("utf-8", "replace") for line in data.splitlines()[:5] if line.split())
    asked = [LOC, *lines]
    with file_of(data, "_headers") as file:
        said = host_files.read_headers(file.parent)
        for loc in asked:
            with suppress(ValueError):
                urlsplit(loc)
                assert said.noindex(loc) in ("", *(rule.pattern for rule in said.rules))
    with file_of(data, "_redirects") as file, refused():
        found_redirects = host_files.read_redirects(file)
        for loc in asked:
            found_redirects.find(loc)


def fuzz_lookup(data: bytes) -> None:
    """Addresses, one a line: the file behind each lies in the folder, after links, and can be read."""
    with TemporaryDirectory() as place:
        outside, site = Path(place, "outside.html"), Path(place, "site")
        site.joinpath("a").mkdir(parents=True)
        for file in (outside, site / "index.html", site / "a/b.html", site / "a/index.html"):
            file.write_bytes(b"")
        for name, target in (("out.html", "../outside.html"), ("up", ".."), ("loop", "loop"), ("own", ".")):
            site.joinpath(name).symlink_to(target)
        os.mkfifo(site / "pipe")
        webroot = Webroot.at(site, BASE)
        for line in data.decode("utf-8", "surrogateescape").splitlines():
            for loc in (line, BASE.url + line):
                found = webroot.file(loc), find_copied(site, loc)
                for file in (found[0], site / found[1] if found[1] else None):
                    assert file is None or (file.is_file() and file.resolve().is_relative_to(site.resolve()))


# --- what people write ---


CONFIGURATIONS = {
    (answer.load(), Path(name).suffix): name for answer in answers_to(Configures) for name in answer.files
}
EACH_FORM = tuple(CONFIGURATIONS.values())


def fuzz_config(data: bytes) -> None:
    for name in EACH_FORM:
        with file_of(data, name) as file, refused():
            find_address(configured(file.parent / "site"), Replaced())
    with file_of(data, "netlify.toml") as file, refused():
        host_files.read_redirects(file).find(LOC)


def fuzz_front(data: bytes) -> None:
    with file_of(b"---\n" + data + b"\n---\n", "a.md") as file, refused():
        found, findings = page_options(read_front_matter(str(file)), "a.md")
        assert all(len(finding.message) < LONGEST for finding in findings)
        for glob in found.sources:
            named_sources(glob, file.parent, Folders())
    text = data.decode("utf-8", "replace")
    for source in (text, f"---\nsitemap: {text}\n---\n", f"---\nsitemap: false\n{text}"):
        problem = find_unread_block(source, {}, reports_errors=False)
        assert len(problem) < LONGEST
    assert all(len(problem) < LONGEST for problem in find_unread_fields(text, {}))


def fuzz_options(data: bytes) -> None:
    """A value of any type, for every option; those that take it build a site together."""
    try:
        value = yaml.safe_load(data.decode("utf-8", "replace"))
    except (yaml.YAMLError, ValueError, RecursionError):
        return
    accepted: dict[str, object] = {}
    for option in OPTIONS:
        with refused():
            made = Options.of({option.name: value})
            assert vars(made) == vars(Options.of({option.name: value}))
            accepted[option.name] = value
            if option.name == "check":
                settings_of(made)
            if isinstance(made.robots, dict):
                written = robots.merge_robots(None, [LOC], made.robots)
                assert robots.remove_our_lines(written) is None
                assert LOC in {line.value for line in robots.parse_robots(written).sitemaps}
            made.excludes.decision(["a", "b/"])
            GlobMap(made.priority).get(["a"])
    with file_of(b"<!doctype html><title>x</title>", "site/index.html") as file, refused():
        built = site_of(file.parent, **accepted)
        publish_pages(built, pages_of(built))
        for written in file.parent.glob("*.xml"):
            etree.parse(written)
    _, findings = page_options({"sitemap": value, "robots": value, "sitemap-lastmod": value}, "a.md")
    assert all(len(finding.message) < LONGEST for finding in findings)


def fuzz_record(data: bytes) -> None:
    """The record of a build: fields of its first line, and its other lines, for all that read it."""
    first, _, lines = data.partition(b"\n")
    fields: object = {}
    with suppress(ValueError, RecursionError):
        fields = json.loads(first)
    if not isinstance(fields, dict):
        return
    with TemporaryDirectory() as name:
        folder, file, old = Path(name, "site"), Path(name, "record.jsonl"), Path(name, "old.txt")
        for page in (b"index.html", b"a/index.html"):
            write(folder, page, b"<!doctype html><title>x</title>")
        Path(name, "pyproject.toml").write_text('[tool.sitemap-docs]\nrecord = "record.jsonl"\n')
        old.write_text(f"{LOC}\n{LOC}old/\n")
        project = site_of(folder, record=str(file))
        project = replace(project, surroundings=replace(project.surroundings, cache=Path(name, "cache")))
        publish_pages(project, pages_of(project))
        site, _, rows = file.read_bytes().partition(b"\n")
        rows = lines or rows
        changed = {**json.loads(site), "bytes": len(rows), **fields}
        file.write_bytes(json.dumps(changed, separators=(",", ":")).encode() + b"\n" + rows)
        settings = settings_of(select=["all"])
        with refused():
            built = open_built(FolderSettings(folder=folder, detects=False))
            pages = read_built(built)
            count_figures(audit_site(pages, settings), pages)
            for page in ("", "a/", "a/index.html"):
                with refused():
                    json.dumps(explain_page(built, page, settings))
        with refused():
            list(diff.difference_text(compare_places(str(old), str(folder))))
        publish_pages(project, pages_of(project))
        assert file.read_bytes().partition(b"\n")[0] == site


def fuzz_git(data: bytes) -> None:
    """Any output of git gives an answer or GitTrouble; so does a list of commits to ignore."""
    tokens = data.split(b"\0")
    for _, change in read_changes(tokens):
        with suppress(GitTrouble):
            parse_change(change)
    for token in tokens[:3]:
        with suppress(GitTrouble):
            read_commit(token)
    with file_of(data) as file:
        assert len(read_ignored(file)[0]) <= len(data)


TARGETS = {
    name.removeprefix("fuzz_"): function for name, function in globals().items() if name.startswith("fuzz_")
}
