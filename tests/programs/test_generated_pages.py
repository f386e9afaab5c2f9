"""Pages that programs other than Sphinx generate: in real output, and as the templates write them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sitemap_docs.model import Fact
from sitemap_docs.programs import followed
from sitemap_docs.programs.answers import Generates
from sitemap_docs.programs.built_pages import BuiltPages, Generated
from sitemap_docs.surroundings import user_cache
from tests.conftest import BASE, lastmods, passed, write

MANUAL = Path(__file__).parents[2] / "example_docs/pages/which-pages.md"
CONTENTS = '<div class="contents">\n'
TEXT = f'{CONTENTS}<div class="textblock"><p >Text.</p>\n'
LINE = '<div class="line"><a id="l00001" name="l00001"></a><span class="lineno">    1</span> </div>'
OLD_LINE = '<div class="line"><a name="l00001"></a><span class="lineno">    1</span></div>'
FILE = '<a href="pot_8h.html">Go to the documentation of this file.</a>'
MEMBERS = '<p>The complete list of members for <a class="el" href="classPot.html">Pot</a>, including all.</p>'
LETTER = '<h3><a id="index_a" name="index_a"></a>- a -</h3><ul>'
PYDOCTOR = '<title>{}</title>\n    <meta name="generator" content="pydoctor 25.10.1">'

#: The path of a page, and what its template writes there.
GENERATED = [
    ("search.html", '<div id="mkdocs-search-results" class="search-results">'),  # mkdocs-nature 0.6
    ("sitemap.html", '<h1 id="index">Sitemap</h1>'),
    ("print_page/index.html", '<div id="print-site-page" class="print-site-enumerate-headings">'),
    ("print.html", '<div id="print-site-page" class="">'),
    ("api/search/all_0.html", '<body class="SRPage"><div id="SRIndex">'),  # Doxygen 1.9.4
    ("api/pot_8h_source.html", f'{CONTENTS}{FILE}<div class="fragment">{LINE}'),
    ("api/pot_8cpp_source.html", f'{CONTENTS}<div class="fragment">{OLD_LINE}'),  # Doxygen 1.8
    ("api/d1/classPot-members.html", f'{CONTENTS}\n{MEMBERS}\n<table class="directory">'),
    ("api/functions.html", f'{CONTENTS}<div class="textblock">Here is a list:</div>\n\n{LETTER}'),
    ("api/functions_a.html", f'{CONTENTS}<div class="textblock">Here is a list:</div>\n\n{LETTER}'),
    ("api/functions_func.html", f"{CONTENTS}&#160;\n\n{LETTER}"),
    ("api/globals.html", f'{CONTENTS}<div class="textblock">Here is a list:</div><ul>\n<li>boil()'),
    ("api/namespacemembers_func.html", f"{CONTENTS}&#160;<ul>\n<li>stir()"),
    ("api/classes.html", f'{CONTENTS}<div class="qindex"><a class="qindex" href="#letter_B">B</a>'),
    ("doc/help.html", '<body class="rustdoc mod sys"><h1>Help</h1>'),  # rustdoc 1.95
    ("doc/settings.html", '<body class="rustdoc mod sys"><h1>Settings</h1>'),
    ("doc/pot/all.html", '<body class="rustdoc mod sys"><h1>List of all items</h1>'),
    ("doc/src/pot/pot.rs.html", '<body class="rustdoc src"><pre>'),
    ("doc/src/a/lib.rs.html", '<body class="rustdoc source"><pre>'),
    ("all-documents.html", PYDOCTOR.format("All Documents")),
    ("api/nameIndex.html", PYDOCTOR.format("Index of Names")),
    ("api/moduleIndex.html", PYDOCTOR.format("Module Index")),
    ("api/undoccedSummary.html", PYDOCTOR.format("Summary of Undocumented Objects")),
    ("api/apidocs-help.html", PYDOCTOR.format("Help")),
]
#: Documents that look like generated pages.
DOCUMENTS = [
    ("api/md_src_my_source.html", f'{TEXT}<div class="fragment">{LINE}'),
    ("api/team-members.html", f'{TEXT}{MEMBERS}<table class="markdownTable">'),
    ("api/functions.html", f"{TEXT}{LETTER}"),
    ("api/pot_8h.html", f'{CONTENTS}{FILE}<div class="fragment">{LINE}'),
    ("doc/pot/index.html", '<body class="rustdoc mod crate">'),
    ("api/nameIndex.html", PYDOCTOR.format("nameIndex")),
]


def generated(folder: Path, name: str) -> Generated | None:
    """The answer of all programs about a file below a folder."""
    return followed.recognise_generated(BuiltPages(str(folder)).page(name))


def page(text: str) -> str:
    return f"<!doctype html><title>A</title>{text}"


@pytest.mark.parametrize(("name", "text"), GENERATED)
def test_a_page_as_its_template_writes_it(tmp_path, name, text):
    """A page with the same name and other text is a document."""
    for folder, content in (("theirs", text), ("ours", "<body><h1>Help</h1>")):
        write(tmp_path, {f"{folder}/{name}": page(content), f"{folder}/js/print-site.js": ""})
    answer = generated(tmp_path, f"theirs/{name}")
    assert answer
    assert answer.fact is Fact.GENERATED
    assert generated(tmp_path, f"ours/{name}") is None


@pytest.mark.parametrize(("name", "text"), DOCUMENTS)
def test_a_document_that_looks_like_a_generated_page(tmp_path, name, text):
    write(tmp_path, {name: page(text)})
    assert generated(tmp_path, name) is None


def test_the_print_page_needs_the_script_of_its_plugin(tmp_path):
    """Thus, the text of most pages is not read."""
    write(tmp_path, {"a.html": page('<div id="print-site-page" class="">')})
    assert generated(tmp_path, "a.html") is None


def test_the_proof_for_google_is_at_the_root(tmp_path):
    name = "google0123456789abcdef.html"
    assert generated(tmp_path, name)
    assert generated(tmp_path, f"a/{name}") is None


#: The programs with tests of their own, here or in ``tests/folder/test_generated.py``.
TESTED_ELSEWHERE = {"ABlog", "Google Search Console", "Sphinx", "Sphinx-Gallery"}


def test_each_program_that_generates_pages_has_a_page_here(tmp_path):
    write(tmp_path, {"js/print-site.js": "", **{name: page(text) for name, text in GENERATED}})
    pages = [BuiltPages(str(tmp_path)).page(name) for name, _ in GENERATED]
    without_page = set()
    for program in followed.PROGRAMS:
        for answer in program.answers:
            if isinstance(answer, Generates) and not any(map(answer.load().generated, pages)):
                without_page.add(program.name)
    assert without_page == TESTED_ELSEWHERE


def test_the_manual_lists_what_programs_generate(tmp_path):
    """Each kind of page is in the row of its program, and each kind in a row has a page here."""
    rows = re.findall(r"^\| ([^|]+) \| (.+) \|$", MANUAL.read_text("utf-8"), re.MULTILINE)
    write(tmp_path, {"js/print-site.js": "", **{name: page(text) for name, text in GENERATED}})
    pages = [BuiltPages(str(tmp_path)).page(name) for name, _ in GENERATED]
    for program in followed.PROGRAMS:
        for answer in program.answers:
            if isinstance(answer, Generates) and program.name not in TESTED_ELSEWHERE:
                found = filter(None, map(answer.load().generated, pages))
                kinds = {kind for each in found for kind in each.pages.split(", ")}
                listed = next(kinds for name, kinds in rows if program.name in name)
                assert kinds == set(listed.split(", ")), program.name


HEADER = """
/** \\file
 * A pot. */
/** A pot for soup. */
class Pot { public: /** Cook. */ void cook(int minutes); /** A lid. */ int lid; };
/** Boil. */
void boil(int degrees);
/** \\namespace kitchen
 * The kitchen. */
namespace kitchen { /** Stir. */ void stir(); }
"""
DOXYFILE = """
PROJECT_NAME = Pot
INPUT = src
FILE_PATTERNS = *.h *.md
SOURCE_BROWSER = YES
SEARCHENGINE = YES
GENERATE_LATEX = NO
HAVE_DOT = NO
QUIET = YES
"""


@pytest.mark.once
@pytest.mark.skipif(shutil.which("doxygen") is None, reason="doxygen is not installed")
def test_the_pages_of_doxygen(here):
    """With the command, and with check without and with the record of the build."""
    write(here, {"src/pot.h": HEADER, "src/team-members.md": "# Team\n\n    code\n", "Doxyfile": DOXYFILE})
    write(here, {"src/my_source.md": "# Source\n\n~~~{.c}\nint x;\n~~~\n"})
    subprocess.run(["doxygen"], check=True, capture_output=True)
    passed("build", "html", "--base-url", BASE, "--lastmod", "none")
    listed = set(lastmods(here / "html/sitemap.xml", BASE))
    all_pages = {file.relative_to(here / "html").as_posix() for file in (here / "html").rglob("*.html")}
    left_out = {name for name in all_pages if not name.startswith("search/")} - listed - {"index.html"}
    assert left_out == {
        *("classPot-members.html", "pot_8h_source.html", "classes.html", "functions.html"),
        *("functions_func.html", "functions_vars.html", "globals.html", "globals_func.html"),
        *("namespacemembers.html", "namespacemembers_func.html"),
    }
    assert {"classPot.html", "pot_8h.html", "annotated.html", "namespacekitchen.html"} <= listed
    assert [name for name in listed if "members" in name and name.endswith(".html")] != []
    passed("check", "html", "--fail-on", "warning")
    shutil.rmtree(user_cache())
    passed("check", "html", "--fail-on", "warning")
