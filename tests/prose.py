"""Checks the grammar of the manual, of docstrings and of messages: ``python tests/prose.py``.

Harper reads the Markdown files as they are. Of each module it gets docstrings and messages, at their own
lines and without code, so that a finding names the line in the module.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

PROJECT = Path(__file__).parents[1]
CODE = re.compile(r"``[^`]+``|`[^`\n]+`|\{[^{}]*\}|--\w[\w-]*|<[^<> ]+>|[\w*./]*[_/*\\][\w*./]*|\w+\.\w+")
MESSAGE = 4  # words, from which on a text is for a reader; its longest word has more letters than a code
SQL = ("SELECT", "INSERT", "CREATE", "DELETE")
IGNORED = {  # why rules of Harper do not hold here, and which
    "codespell does it; names of options and generators are not in a dictionary": "SpellCheck",
    "code that was cut out, and ranges in it": "Spaces SingleBe QuoteSpacing UnclosedQuotes MergeWords"
    " NumericRangeEnDash",
    "names of files: mkdocs.yml, netlify.toml, conf.py": "OrthographicConsistency ExpandConfiguration",
    "the section `Args:` of a docstring": "ExpandArgument",
    "`unclosed` tags": "WrongNegative",
    "names of options and arguments": "ExpandDirectory Dashes UseEllipsisCharacter MissingDeterminer",
    "KiB, MiB and ms are units": "ExpandMemoryShorthands ExpandTimeShorthands",
    "words of the field: noindex, work tree, pre-release, stdout, OK, `..`, a plugin, a finding": "SplitWords"
    " CompoundNouns DisjointPrefixes ExpandStandardInputAndOutput OkToOkay EllipsisLength MassNouns"
    " PhrasalVerbAsCompoundNoun",
    "headings are sentences, and sitemap-docs may begin one": "UseTitleCase SentenceCapitalization",
    "optional in British English": "OxfordComma",
    "wrong in `N entries have`, after a condition, and behind a noun or one with a clause": "HavePronoun"
    " MissingPreposition OutOfDate PronounInflectionBe",
    "`from here`, `to here`, and the values of changefreq": "ToTwoToo MultipleFrequencyAdverbs",
}


def main() -> int:
    files = subprocess.run(
        ["git", "ls-files", "*.md", "sitemap_docs/*.py"],
        cwd=PROJECT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    command = ["harper", "--no-color", "lint", "--quiet", "--format", "compact", "--dialect", "british"]
    with TemporaryDirectory() as folder:
        copies = [copied(name, Path(folder)) for name in files if not name.startswith("tests/")]
        ignored = ",".join(" ".join(IGNORED.values()).split())
        done = subprocess.run([*command, "--ignore", ignored, *copies], cwd=folder, check=False)
    return done.returncode


def copied(name: str, folder: Path) -> str:
    """The name of the file's copy in ``folder``, where a module is its prose."""
    text = (PROJECT / name).read_text("utf-8")
    copy = folder / f"{name}.md"
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(prose(text) if name.endswith(".py") else text, encoding="utf-8")
    return f"{name}.md"


def prose(source: str) -> str:
    """The text of a module at its own lines: docstrings and messages, code cut out."""
    lines = [""] * (source.count("\n") + 2)
    for node, text in texts(ast.parse(source), "`code`"):
        for number, line in enumerate(f"{text}.".splitlines(), node.lineno - 1):
            lines[number] += CODE.sub("`code`", line.strip())
    return "\n".join(lines).replace("..", ".")


def texts(tree: ast.AST, computed: str) -> Iterator[tuple[ast.expr, str]]:
    """Yields each text for a reader, with a mark for what is computed: docstrings and messages, no SQL."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else computed for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            text = node.value
        words = text.split()
        is_long = len(words) >= MESSAGE and max(map(len, words)) > MESSAGE
        if is_long and not text.lstrip().startswith(SQL):
            yield node, text


if __name__ == "__main__":
    sys.exit(main())
