"""The quick reader of catalogues, compared with babel, and the texts that are kept for later builds."""

import json
import os
import random
import re

import pytest

from sitemap_docs.api import read_sitemap
from sitemap_docs.sphinx.catalogues import parse_usual, parse_with_babel
from tests.conftest import SphinxProject
from tests.sphinx.test_translations import URLS, catalogue, links

pytest.importorskip("sphinx")

CATALOGUES = int(os.environ.get("CATALOGUES", "2000"))
KEPT = "trees/sitemap-docs-catalogues.json"

#: Pieces of catalogues: usual ones, rare ones, and wrong ones.
USUAL = [
    'msgid "{}"\nmsgstr "x"\n',
    'msgid ""\n"{} "\n"b"\nmsgstr ""\n"c"\n""\n',
    'msgid "{}"\nmsgstr ""\n',
    'msgid "{}\\n\\"\\t\\\\n"\nmsgstr " \\n"\n',
    "\n",
    "#: src/a.rst:1\n",
    "#. comment\n",
    "# fuzzy\n",
    "#, fuzzy\n",
    "#, python-format , fuzzy\n",
    "#,no-wrap\n",
    '#| msgid "old"\n',
    '#~ msgid "{}"\n#~ msgstr "x"\n',
    '#~ msgid ""\n#~ "{}"\n#~ msgstr ""\n#~ "x"\n',
]
RARE = [
    'msgctxt "menu"\n',
    'msgid "{}"\nmsgid_plural "b"\nmsgstr[0] "x"\nmsgstr[1] "y"\n',
    'msgid "same"\nmsgstr "x"\n',
    'msgid "same"\nmsgstr ""\n',
    '  msgid  "{}" \n\tmsgstr "x"\t\n',
    'msgid "{}"\n\nmsgstr "x"\n',
    'msgid "{}"\n# between\nmsgstr "x"\n',
    'msgid "{}"\n',
    'msgstr "x"\n',
    '"alone"\n',
    'msgid "a\\q{}"\nmsgstr "x"\n',
    'msgid "a"{}"\nmsgstr "x\n',
    "msgid {}\nmsgstr x\n",
    '#~| msgid "old"\n',
    "#-\n",
    "#~\n",
    "text\n",
    'msgid "{}"\nmsgstr "\x85"\n',
]
HEADER = 'msgid ""\nmsgstr ""\n"{}\\n"\n"POT-Creation-Date: 2026-01-31 10:00+0000\\n"\n"Language: de\\n"\n\n'
FIELDS = [
    "Content-Type: text/plain; charset=UTF-8",
    "PO-Revision-Date: 2026-02-28 23:59-1145",
    "PO-Revision-Date: 2026-02-31 10:00+0000",
    "PO-Revision-Date: YEAR-MO-DA HO:MI+ZONE",
    "POT-Creation-Date: yesterday",
    "Plural-Forms: nplurals=x; plural=0",
    'X-Words: \\"a\\"',
    "no colon",
    "",
]


def outcome(parse, text: str, *, allows_fuzzy: bool) -> object:
    """The texts that a reader finds, without repeats, or "error"."""
    try:
        texts = parse(text, allows_fuzzy=allows_fuzzy)
    except Exception:  # noqa: BLE001  babel raises many types
        return "error"
    return texts if texts is None else sorted(texts)


def written(chance: random.Random) -> str:
    """A random catalogue. Most have only usual lines."""
    pieces = [chance.choice(USUAL) for _ in range(chance.randint(0, 12))]
    if chance.random() < 0.3:
        pieces.insert(chance.randint(0, len(pieces)), chance.choice(RARE))
    header = HEADER.format(chance.choice(FIELDS)) if chance.random() < 0.8 else ""
    text = header + "".join(piece.format(f"text {number}") for number, piece in enumerate(pieces))
    return text.rstrip("\n") if chance.random() < 0.2 else text


def test_the_quick_reader_finds_the_same_as_babel(capsys):
    """It may leave a catalogue to babel, but not the usual ones."""
    chance = random.Random(1)
    left = 0
    for _ in range(CATALOGUES):
        text, allows_fuzzy = written(chance), chance.random() < 0.5
        found = outcome(parse_usual, text, allows_fuzzy=allows_fuzzy)
        left += found is None
        assert found in (None, outcome(parse_with_babel, text, allows_fuzzy=allows_fuzzy)), text
    assert 0 < left < CATALOGUES / 2
    capsys.readouterr()  # babel prints warnings


@pytest.fixture
def project(sphinx_project) -> SphinxProject:
    project = sphinx_project("a", "b", locale_dirs=["../locale"], gettext_compact=False)
    project.configure(sitemap_locales={code: URLS[code] for code in ("en", "de")})
    for name in ("a", "b"):
        project.write({f"locale/de/LC_MESSAGES/{name}.po": catalogue(name, "x" if name == "a" else "")})
    return project


def exchange(project: SphinxProject, *, changes_time: bool) -> None:
    """Give the translated catalogue the content of one without the translation, but keep its size."""
    file = project.root / "locale/de/LC_MESSAGES/a.po"
    status = file.stat()
    file.write_text(catalogue("a", " "))
    time = status.st_mtime_ns + (1 if changes_time else 0)
    os.utime(file, ns=(status.st_atime_ns, time))
    assert file.stat().st_size == status.st_size
    project.write({"locale/de/LC_MESSAGES/b.po": catalogue("b", "x")})


def test_a_catalogue_that_has_not_changed_is_not_read_again(project):
    assert links(project, "en") == {"index": [], "a": ["de", "en"], "b": []}
    exchange(project, changes_time=False)
    assert links(project, "en") == {"index": [], "a": ["de", "en"], "b": ["de", "en"]}


def test_a_catalogue_that_has_changed_is_read_again(project):
    assert links(project, "en") == {"index": [], "a": ["de", "en"], "b": []}
    exchange(project, changes_time=True)
    assert links(project, "en") == {"index": [], "a": [], "b": ["de", "en"]}


def test_an_option_that_changes_what_is_translated_makes_the_kept_texts_void(project):
    project.write({"locale/de/LC_MESSAGES/b.po": catalogue("b", "x").replace("\nmsgid", "\n#, fuzzy\nmsgid")})
    assert links(project, "en")["b"] == []
    project.configure(gettext_allow_fuzzy_translations=True)
    assert links(project, "en")["b"] == ["de", "en"]


def test_an_option_may_have_a_value_that_json_lacks(project):
    """Sphinx warns about the type of the value, and uses it."""
    assert links(project, "en")["b"] == []
    project.write({"locale/de/LC_MESSAGES/b.po": catalogue("b", "x").replace("\nmsgid", "\n#, fuzzy\nmsgid")})
    project.configure(gettext_allow_fuzzy_translations={1})
    project.build("html", "-D", "language=en", "-D", f"html_baseurl={URLS['en']}")
    codes = {}
    for url in read_sitemap(project.out / "sitemap.xml"):
        codes[url.loc] = {link.hreflang for link in url.alternates}
    assert "de" in codes[f"{URLS['en']}b.html"]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda _: b"[" * 100_000, id="nested"),
        pytest.param(lambda data: data.replace(b'"catalogues"', b'"x"'), id="another name"),
        pytest.param(lambda data: data[: len(data) // 2], id="half written"),
        pytest.param(lambda data: json.dumps({**json.loads(data), "catalogues": [5]}).encode(), id="list"),
        pytest.param(lambda data: re.sub(rb'"[0-9a-f]*"\]', b"5]", data), id="number as hashes"),
        pytest.param(lambda data: re.sub(rb'"[0-9a-f]{2}', b'"', data), id="hashes of another length"),
    ],
)
def test_damaged_kept_texts_are_read_again(project, damage):
    before = links(project, "en")
    file = project.root / KEPT
    data = file.read_bytes()
    file.write_bytes(damage(data))
    assert links(project, "en") == before
    assert file.read_bytes() == data


def test_a_build_that_writes_no_sitemap_reads_no_catalogue(project, monkeypatch):
    monkeypatch.setenv("NETLIFY", "true")
    monkeypatch.setenv("CONTEXT", "deploy-preview")
    project.passes("html", "-D", "language=en")
    assert not (project.root / KEPT).exists()
    assert not (project.out / "sitemap.xml").exists()
    monkeypatch.delenv("NETLIFY")
    assert links(project, "en")["a"] == ["de", "en"]
    assert (project.root / KEPT).exists()
