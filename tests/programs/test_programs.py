"""What is known of each program: it stands in one module, was read in a version, and is proven by a test."""

import ast
import re
from datetime import date
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
import tomli
from packaging.specifiers import SpecifierSet

import sitemap_docs
from sitemap_docs.folder.generators import LOADERS
from sitemap_docs.programs import followed
from sitemap_docs.programs.answers import Configures
from sitemap_docs.programs.material_blog import BlogLayout, PostPages

PACKAGE = Path(sitemap_docs.__file__).parent
TESTS = Path(__file__).parents[1]
KNOWN = tomli.loads(Path(__file__).with_name("programs.toml").read_text("utf-8"))
#: The list of programs, and what their modules share; by the words of the list, a program is met.
GENERAL = {
    "__init__",
    "answers",
    "built_pages",
    "configuration",
    "followed",
    "host_files",
    "include_marks",
    "protocols",
}
LIST = "programs/followed.py"
SENTENCE = re.compile("[a-z]+ [a-z]+ [a-z]+")  # it tells people what to write, and knows nothing


def words_of(source: str) -> str:
    """The texts and names of attributes in code, a line each; docstrings and comments are none."""
    tree = ast.parse(source)
    prose = set()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            prose |= {id(each.value) for each in node.body if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in prose:
            text = node.value
            if isinstance(text, bytes):
                text = text.decode("latin-1")
            if isinstance(text, str) and not SENTENCE.search(text):
                found.append(text.replace("\\", ""))  # as expressions escape it
        elif isinstance(node, ast.Attribute):
            found.append(node.attr)
    return "\n".join(found)


@cache
def code() -> dict[str, str]:
    files = sorted(PACKAGE.rglob("*.py"))
    return {file.relative_to(PACKAGE).as_posix(): words_of(file.read_text("utf-8")) for file in files}


def holders(word: str) -> set[str]:
    """The modules whose code has a word."""
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)" if word.isidentifier() else re.escape(word))
    return {file for file, text in code().items() if pattern.search(text)}


def test_prose_is_no_knowledge():
    source = '"""word"""\n# word\na.named("text", b"bytes", "this is a sentence")\n'
    assert words_of(source).split("\n") == ["named", "text", "bytes"]


def test_each_program_has_an_entry():
    modules = {file.stem for file in (PACKAGE / "programs").glob("*.py")} - GENERAL
    assert modules == {name for name, entry in KNOWN.items() if "stands_in" not in entry}
    # Other code imports these modules, because no configuration, variable or file tells that they are needed.
    assert modules - modules_of_the_table() == {
        *("encryptcontent", "markdown_exec", "pydata_sphinx_theme"),
        *("sphinx_last_updated_by_git", "sphinx_sitemap"),
    }


def modules_of_the_table() -> set[str]:
    """The names of the modules that the rows of the table load. Some rows load a class of the module."""
    loaded = set()
    for program in followed.PROGRAMS:
        for answer in program.answers:
            if "load" in answer._fields:
                implementation = answer.load()
                name = getattr(implementation, "__module__", None) or implementation.__name__
                loaded.add(name.rpartition(".")[2])
    return loaded


def signs_of_the_table() -> set[str]:
    """The texts by which the table recognises programs: names of plugins, files, variables and so on."""
    signs = set()
    for program in followed.PROGRAMS:
        for answer in program.answers:
            for value in answer:
                texts = value if isinstance(value, tuple) else (value,)
                signs |= {text for text in texts if isinstance(text, str)}
    signs |= modules_of_the_table()
    of_entry_points = {"mkdocs", "sphinx"}
    return signs - of_entry_points - {"", "1", "true", "True", "main", "master", "production"}


def compared_texts(source: str) -> set[str]:
    """The texts with which code compares a value, that it looks up, or with which a value begins or ends."""
    places: list[ast.AST] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare() | ast.MatchValue():
                places.append(node)
            case ast.Subscript(value, index) if ast.unparse(value) != "Literal":
                places.append(index)
            case ast.Call(func=ast.Attribute(attr="get" | "startswith" | "endswith")):
                places += node.args
    constants = [node for place in places for node in ast.walk(place) if isinstance(node, ast.Constant)]
    return {node.value for node in constants if isinstance(node.value, str)}


#: What is compared outside ``programs/`` although it is the name of a program, and why.
COMPARED = {
    ("cli/check.py", "github"): "a value of --format",
    ("cli/schema.py", "mkdocs.yml"): "an argument of the command",
    ("diff.py", "netlify"): "a value of --redirects",
}


@pytest.mark.once
def test_no_other_code_decides_by_the_name_of_a_program():
    names = signs_of_the_table()
    found = set()
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE).as_posix()
        if not path.startswith("programs/"):
            found |= {(path, text) for text in compared_texts(file.read_text("utf-8")) if text in names}
    assert found == COMPARED.keys()


def test_a_comparison_with_a_name_is_found():
    source = 'if x == "a" or "b" in y or z.startswith(("c", "d")):\n    plugins.get("e", plugins["f"])\n"no"'
    assert compared_texts(source) == set("abcdef")


def test_each_configuration_has_a_reader():
    names = [name for answer in followed.answers_to(Configures) for name in answer.files]
    assert {Path(name).suffix for name in names} <= LOADERS.keys()


@pytest.mark.parametrize("name", KNOWN)
def test_an_entry(name):
    entry = KNOWN[name]
    assert entry["url"].startswith("https://")
    assert entry["works"].endswith(".")
    assert isinstance(entry.get("read"), date) != ("versions" in entry and "package" in entry)
    assert entry["words"] or entry["plain"]
    file, _, test = entry["test"].partition("::")
    assert f"def {test}(" in (TESTS / file).read_text("utf-8"), "no such test"


@pytest.mark.once
@pytest.mark.parametrize(("name", "word"), [(name, word) for name in KNOWN for word in KNOWN[name]["words"]])
def test_what_is_known_stands_in_one_module(name, word):
    own = KNOWN[name].get("stands_in", f"programs/{name}.py")
    elsewhere = holders(word) - {own, LIST}
    assert holders(word) & {own, LIST}, f"{own} does not have {word!r}: correct programs.toml"
    if word in KNOWN[name].get("shared", {}):
        assert elsewhere, f"{word!r} stands in {own} alone: it is not shared"
    else:
        assert elsewhere == set(), f"move it to {own}, or say in programs.toml why both have {word!r}"


@pytest.mark.parametrize("name", [name for name in KNOWN if "package" in KNOWN[name]])
def test_the_version_that_is_installed_was_read(name):
    entry = KNOWN[name]
    try:
        installed = distribution(entry["package"])
    except PackageNotFoundError:
        pytest.skip(f"{entry['package']} is not installed")
    texts = [
        path.read_bytes()
        for path in map(Path, map(installed.locate_file, installed.files or ()))
        if path.suffix in {".py", ".html", ".jinja", ".js", ".so", ".pyd", ".txt", ".rst"} and path.is_file()
    ]
    everything = b"\n".join(texts)
    missing = [word for word in entry["words"] if word.encode() not in everything]
    again = f"read {entry['package']} {installed.version} again: tests/programs/programs.toml, {entry['url']}"
    assert missing == [], again
    assert SpecifierSet(entry["versions"]).contains(installed.version, prereleases=True), again


def test_both_functions_of_the_blog_agree(mkdocs_project):
    """The pages of a build name their posts; from the sources alone, the same are found."""
    pytest.importorskip("material")
    post = "---\ndate: {}\ncategories: [{}]\n---\n# {}\n\nText\n\n<!-- more -->\n\nMore.\n"
    posts = {
        "one": post.format("{created: 2023-05-05}", "News", "One"),
        "two": post.format("2024-05-05", "News, Old & new", "Two"),
        "draft": post.format("2024-05-06", "News", "Draft").replace("date:", "draft: true\ndate:"),
    }
    pages = {f"blog/posts/{name}.md": text for name, text in posts.items()}
    project = mkdocs_project(
        {"index.md": "# Home", "blog/index.md": "# Blog", **pages},
        theme={"name": "material"},
        plugins=["blog"],
    )
    config = project.config()
    living = {}
    posts = PostPages(config.plugins["material/blog"])

    def note(output, *, page, config):
        if page.file.dest_uri != "index.html":
            living[page.file.dest_uri] = sorted(posts.sources(page))
        return output

    config.plugins.events["post_page"].append(note)
    project.build(config)
    layout = BlogLayout(project.docs, config.plugins["material/blog"].config)
    assert len(living) == 7
    assert sum(map(len, living.values())) == 2 + 2 + 2 + 1
    assert {file: sorted(map(str, layout.listed_sources(file))) for file in living} == living


POSTS = {
    "one_post": "Text.\n\n# After text\n",
    "two": "```sh\n# a comment\n```\n\n# After code\n",
    "three": "\n\n# First {#id} \n",
    "Four-Post_x": "Setext\n======\n",
    "six": "   # Indented `x` [l](a.md) <b>\n",
    "seven": "<!-- more -->\n# After a comment\n",
    "eight": "# Eight C# #\n",
}


@pytest.mark.filterwarnings("ignore")  # of Material
def test_the_source_of_each_post_is_found_by_its_address(mkdocs_project):
    """The address has the heading only if the heading is in the first line of the text."""
    pytest.importorskip("material")
    posts = {f"blog/posts/{name}.md": f"---\ndate: 2024-01-01\n---\n{text}" for name, text in POSTS.items()}
    project = mkdocs_project(
        {"index.md": "# Home", "blog/index.md": "# Blog", **posts},
        theme={"name": "material"},
        plugins=["blog"],
    )
    config = project.config()
    project.build(config)
    layout = BlogLayout(project.docs, config.plugins["material/blog"].config)
    addresses = [file.relative_to(project.site) for file in (project.site / "blog/2024").rglob("index.html")]
    stems = [place[1] for address in addresses for place in layout.places(address.as_posix())]
    assert sorted(stem for stem in stems if stem in POSTS) == sorted(POSTS)
