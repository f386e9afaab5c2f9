"""What the documents say is held against the code."""

import ast
import doctest
import re
import shlex
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
import pytest
import tomli
import yaml

from sitemap_docs.audit.formats import FORMATS
from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.cli.main import COMMANDS, group
from sitemap_docs.config.options import OPTIONS, Options
from sitemap_docs.model import Reason
from sitemap_docs.robots import PRESETS
from sitemap_docs.urls.hosts import is_to_fill_in
from tests import reference

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "example_docs/pages").glob("*.md"))]
_BLOCK = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
PEER = re.compile(r"^\| (.+?) \| (.+?) \| .+ \| ([\d.]+) s \| ([\d.]+) s \|$", re.MULTILINE)
_COMMAND = re.compile(rf"(?<![\w/-])sitemap-docs ({'|'.join(COMMANDS)})\b([^\n&|;>]*)")


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


PARTS = (reference.options, reference.rules, reference.commands, reference.programs)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_the_reference_is_the_code(part: Callable[[], str], request: pytest.FixtureRequest) -> None:
    if part == reference.rules:  # those of the plugins are among them
        pytest.importorskip("sphinx", reason="needs Sphinx")
        pytest.importorskip("mkdocs", reason="needs MkDocs")
    begin, end = f"<!-- {part.__name__} -->\n", f"<!-- /{part.__name__} -->"
    (file,) = (page for page in PAGES if begin in page.read_text("utf-8"))
    before, _, rest = file.read_text(encoding="utf-8").partition(begin)
    written, _, after = rest.partition(end)
    if request.config.getoption("update"):
        file.write_text(before + begin + part() + end + after, encoding="utf-8")
        return
    assert written == part(), "run pytest --update tests/test_documents.py"


def test_samples_count_the_rules_and_the_readme_names_the_formats(request: pytest.FixtureRequest) -> None:
    """The samples are of what ``check`` prints. No other text of the manual has a number of rules."""
    built = len(settings_of().rules)
    counts = {r"\d+(?= rules run\))": str(built)}
    assert re.findall(r"\d+ rules(?! run\))", text_of("README.md")) == []
    shown = set()
    for page in PAGES:
        right = text = page.read_text("utf-8")
        for pattern, count in counts.items():
            right, number = re.subn(pattern, count, right)
            shown |= {pattern} if number else set()
        if request.config.getoption("update"):
            page.write_text(right, encoding="utf-8")
        else:
            assert text == right, "run pytest --update tests/test_documents.py"
    assert shown == counts.keys()
    assert [name for name in FORMATS if name not in PAGES[0].read_text("utf-8").lower()] == []


def test_no_block_of_the_readme_overflows() -> None:
    """112 characters fit where a forge renders it at 1012 pixels."""
    text = text_of("README.md")
    assert [line for block in _BLOCK.findall(text) for line in block.splitlines() if len(line) > 110] == []


def test_the_manual_is_short() -> None:
    """20,000 words, without the reference, generated pages and changelog; a word has a letter or digit."""
    _, _, nav = text_of("example_docs/mkdocs.yml").partition("\nnav:\n")
    groups = {name: pages for group in yaml.safe_load(nav) for name, pages in group.items()}
    left_out = {page.removesuffix(".md") for page in groups["Reference"]} | {"works-with", "changelog"}
    texts = (page.read_text("utf-8") for page in PAGES[1:] if page.stem not in left_out)
    words = sum(bool(re.search(r"\w", word)) for text in texts for word in text.split())
    assert words <= 20_000


def test_the_numbers_of_the_speed_are_those_of_the_last_run() -> None:
    results, page, readme = map(text_of, ("tests/bench/speed.md", "example_docs/pages/speed.md", "README.md"))
    measured = re.findall(
        r"^\| (.+) \| .+ \| .*?([\d.]+ (?:s|µs a page|KB a page))\)? \|$", results, re.MULTILINE
    )
    _, _, clones = results.partition("<!-- clones -->\n")
    clones, _, _ = clones.partition("<!-- /clones -->")
    assert clones in page
    rows = re.findall(r"^\| (.+) \| ([\d.]+ .+) \|$", page.replace(clones, ""), re.MULTILINE)
    assert len(rows) > 5
    assert [row for row in rows if row not in measured] == []
    micros = [float(dict(measured)[f"{host}, our part"].split()[0]) for host in ("Sphinx", "MkDocs")]
    assert {round(each / 1000, 1) for each in micros} == {0.1}
    assert {round(each * 20_000 / 1e6) for each in micros} == {2}
    assert "About 0.1 ms a page in Sphinx and MkDocs; 20,000 pages take two seconds more" in readme
    builds = re.findall(
        r"^\| (?:Sphinx|MkDocs), 2,000 .* \| ([\d.]+) s \| [^|]+ \| ([\d.]+) s \|$", results, re.MULTILINE
    )
    assert [time for times in builds for time in times if f"{time} s" not in page] == []
    assert "at least 5 times slower" in readme
    assert min(float(theirs) / float(ours) for ours, theirs in builds) >= 5
    peers = {name: float(ours) / float(theirs) for _, name, ours, theirs in PEER.findall(results)}
    for name, shown in (("static-sitemap-cli", 3), ("generate-sitemap", 14)):
        (ratio,) = (ratio for peer, ratio in peers.items() if peer.startswith(name))
        assert f"{name} takes {shown} times" in page
        assert round(ratio) == shown


def test_the_home_page_alone_says_what_to_install() -> None:
    """A release changes it there; until then, the name of the package is not registered."""
    text = text_of("example_docs/pages/index.md")
    assert "\nsitemap-docs[web] @ git+https://git.example.org/sitemap-docs\n" in text
    installed = [
        f"{page.name}: {line}"
        for page in PAGES
        for line in page.read_text(encoding="utf-8").splitlines()
        if re.search(r"pip install [^&|;]*(?<![\w./])sitemap-docs|^ *sitemap-docs *$", line)
    ]
    assert installed == []


def test_every_option_has_an_example_that_is_valid() -> None:
    for option in OPTIONS:
        values = yaml.safe_load(reference.example(option))
        assert list(values) == [option.name]
        assert vars(Options.of(values)) != vars(Options())


def test_the_manual_has_the_changelog_and_how_to_contribute() -> None:
    pages = ROOT / "example_docs" / "pages"
    for page in ("changelog", "contributing"):
        assert f"<!-- {page.upper()}.md -->" in (pages / f"{page}.md").read_text(encoding="utf-8")
        assert (ROOT / f"{page.upper()}.md").is_file()


def test_the_house_is_drawn_as_imports_run() -> None:
    contracts = tomli.loads(text_of("pyproject.toml"))["tool"]["importlinter"]
    layers = next(each["layers"] for each in contracts["contracts"] if each["type"] == "layers")
    drawing = text_of("CONTRIBUTING.md").partition("```text\n")[2]
    drawn = []
    for line in drawing.partition("```")[0].splitlines():
        names = line.partition("  ")[0].split()
        drawn.append(" | ".join(name.rstrip("/").removesuffix(".py") for name in names))
    assert drawn == layers  # which are exhaustive


def test_every_reason_is_explained() -> None:
    page = text_of("example_docs/pages/reasons.md")
    _, _, table = page.partition("| reason | what it means |")
    reported = [row.split("`")[1] for row in table.splitlines() if row.startswith("| `")]
    assert reported == [reason.value for reason in Reason]


@pytest.mark.once
def test_troubleshooting_quotes_messages() -> None:
    page = text_of("example_docs/pages/troubleshooting.md")
    rows = page.partition("|---|---|\n")[2].partition("<!-- /messages -->")[0].splitlines()
    quoted = [row.split(" | ")[0].removeprefix("| ") for row in rows]
    texts = [
        node.value
        for file in sorted((ROOT / "sitemap_docs").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    of_sphinx = "Could not import extension sitemap-docs"
    assert [text for text in quoted if not any(text in each for each in texts)] == [of_sphinx]
    assert len(quoted) > 10


def test_every_agent_of_a_preset_has_its_vendor() -> None:
    page = text_of("example_docs/pages/crawlers.md")
    rows = re.findall(r"\| `(@\w+)` \| `([\w-]+)` \| \[\w[\w ]*\]\(https://[^)]+\) \|", page)
    assert rows == [(name, agent) for name, agents in PRESETS.items() for agent in agents]


SHOWN = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for file in sorted((ROOT / "sitemap_docs").rglob("*.py"))
    if ">>> " in file.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_address_of_a_site_that_pages_show_is_a_placeholder(page: Path) -> None:
    """Builds and checks report one that a reader has pasted as it is."""
    addresses = re.findall(r"\bdocs\.example\.(?:com|org|net)\b", page.read_text(encoding="utf-8"))
    assert all(map(is_to_fill_in, addresses))


@pytest.mark.parametrize("module", SHOWN)
def test_examples_in_docstrings(module: str) -> None:
    if (host := module.split(".")[1]) in ("sphinx", "mkdocs"):
        pytest.importorskip(host)
    done = doctest.testmod(import_module(module))
    assert done.attempted
    assert not done.failed


def commands() -> list[object]:
    """Each command of the manual, without what a workflow or a shell fills in."""
    found = (
        (page.name, command[1], re.sub(r"\$\{\{.*?\}\}", "x", command[2]))
        for page in PAGES
        for block in _BLOCK.findall(page.read_text(encoding="utf-8").partition("<!-- commands -->")[0])
        for command in _COMMAND.finditer(block)
    )
    unquoted = {
        (name, command, words.removesuffix('"') if words.count('"') % 2 else words)
        for name, command, words in found
    }
    return [
        pytest.param(command, words, id=f"{name}:{command}{words}")
        for name, command, words in sorted(unquoted)
    ]


@pytest.mark.parametrize(("command", "words"), commands())
def test_commands_of_the_manual_can_be_called(command: str, words: str) -> None:
    found = group.get_command(click.Context(group), command)
    context = click.Context(found)
    values, left, _ = found.make_parser(context).parse_args(shlex.split(words))
    assert left == []
    for parameter in found.params:  # choices and numbers; files need not be there
        given = values.get(parameter.name)  # click 8.2 has a mark for arguments that are left out
        if isinstance(given, (str, list, tuple, bool)) and not isinstance(parameter.type, click.Path):
            parameter.type_cast_value(context, given)


def test_recipes_have_the_actions_of_our_own_workflows(request: pytest.FixtureRequest) -> None:
    """Of the same major version; Dependabot moves ours, and ``--update`` those of the recipes."""
    workflows = [*ROOT.glob(".github/workflows/*.yml")]
    if not workflows:
        pytest.skip("an sdist has no CI")
    text = "\n".join(file.read_text(encoding="utf-8") for file in workflows)
    ours = dict(re.findall(r"([\w/-]+)@[0-9a-f]{40} # (v\d+)", text))
    used = set()
    for file in (*PAGES, ROOT / "sitemap_docs" / "urls" / "hosts.py"):
        text = file.read_text(encoding="utf-8")
        if request.config.getoption("update"):
            for name, version in ours.items():
                text = re.sub(rf"{name}@v\d+$", f"{name}@{version}", text, flags=re.MULTILINE)
            file.write_text(text, encoding="utf-8")
        used.update(re.findall(r"([\w/-]+)@(v\d+)$", text, re.MULTILINE))
    assert {name for name, _ in used} >= {"actions/checkout", "actions/setup-python"}
    old = [name for name, version in used if ours.get(name, version) != version]
    assert old == [], "run pytest --update tests/test_documents.py"


def test_the_manual_shows_every_command() -> None:
    assert {parameter.values[0] for parameter in commands()} == set(COMMANDS)


def test_ci_runs_what_nox_has() -> None:
    file = ROOT / ".github" / "workflows" / "ci.yml"
    if not file.exists():
        pytest.skip("an sdist has no CI")
    text, noxfile = file.read_text(encoding="utf-8"), text_of("noxfile.py")
    assert "nox -t ci --list --json" in text
    named = shlex.split(" ".join(re.findall(r"nox -s ([a-z].*?)(?: --.*)?$", text, re.MULTILINE)))
    found = {name.partition("(")[0] for name in named}
    found.update(re.findall(r'"ci".*\n(?:@.*\n)*def (\w+)', noxfile))
    sessions = set(re.findall(r"^@nox\.session.*\n(?:@.*\n)*def (\w+)", noxfile, re.MULTILINE))
    assert found == sessions - {"pythons", "mutation", "stress", "pictures"}
    assert "tests(hosts='newest')" in named, "the tag is that of all others"


def test_the_readme_has_two_blocks_with_all_their_set_up() -> None:
    """One runs the main job on example_docs/, one all tests, each on a machine with Python, pip and git."""
    readme = text_of("README.md")
    set_up = "$ python3 -m venv .venv && .venv/bin/pip install -q 'nox[uv]' && .venv/bin/nox"
    for command in (f"{set_up} -s example", set_up):
        assert f"```console\n{command}\n```\n" in readme
