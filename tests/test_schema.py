"""The JSON Schemas: what they accept is what the options' declaration accepts."""

import ast
import json
from functools import cache
from pathlib import Path

import pytest
import yaml

from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.cli.schema import TARGETS, schema_of
from sitemap_docs.config.options import COMMAND_DOORS, HOSTS, OPTIONS, Options
from sitemap_docs.config.parsing import load_yaml
from sitemap_docs.model import SitemapError
from tests import reference
from tests.config.test_options import WRONG
from tests.conftest import command
from tests.manual.blocks import ALL

jsonschema = pytest.importorskip("jsonschema")

TABLE, PYPROJECT, MKDOCS = TARGETS
EXAMPLES = {each.name: yaml.safe_load(reference.example(each))[each.name] for each in OPTIONS}
EXAMPLES.pop("url_scheme")
HOSTS_ONLY = {option.name for option in OPTIONS if option.doors <= HOSTS}
VALUES = (
    *(None, True, False, -1, 0, 1, 64, 65, 10_000, 50_000, 50_001, 52_428_800, 0.5, 1.5),
    *("", "a", "sitemap.txt", "a.xml ", "{key}.txt", "auto", "on", "off", "beside", "gzip", "commit"),
    *("mtime", "text", "daily", "2026-01-31", [], ["a"], ["text"], ["pdf"], [1], [None], [["a"]]),
    *({}, {"a": "b"}, {"a/b": ["c"]}, {"a": 1}, {"a": 0.5}, {"a": 2}, {"a": None}, {"a": ["b"]}),
    *({"a": "daily"}, {"a": True}, {"select": ["all"]}, [{"loc": "a"}], [{"loc": 1}], [{"lastmod": "x"}]),
)


@cache
def validator(file: str):
    return jsonschema.Draft7Validator(schema_of(file))


def accepts(file: str, document: object) -> bool:
    """Whether the schema accepts a document, in which dates are texts, as editors see them."""
    return validator(file).is_valid(json.loads(json.dumps(document, default=str)))


def valid(name: str, value: object) -> bool:
    try:
        settings_of(Options.of({name: value}))
    except SitemapError:
        return False
    return True


def test_the_schema_command_prints_a_valid_json_schema() -> None:
    for file in TARGETS:
        assert command("schema", file).data == schema_of(file)
        jsonschema.Draft7Validator.check_schema(schema_of(file))


def test_the_schema_has_every_option_with_its_help_text() -> None:
    properties = validator(TABLE).schema["properties"]
    for option in OPTIONS:
        if option.doors & COMMAND_DOORS:
            assert properties[option.name]["description"] == option.help
            assert properties[option.name.replace("_", "-")] == properties[option.name]
    ours = {option.name for option in OPTIONS}
    assert {name.replace("-", "_") for name in properties} - ours == {"base_url", "source", "map"}


def test_the_table_has_what_a_command_takes_and_mkdocs_what_the_plugin_takes() -> None:
    for option in OPTIONS:
        for file, takes in ((TABLE, option.doors & COMMAND_DOORS), (MKDOCS, "mkdocs" in option.doors)):
            document = {option.name: EXAMPLES.get(option.name, option.default)}
            if file == MKDOCS:
                document = {"plugins": [{"sitemap-docs": document}]}
            assert accepts(file, document) == bool(takes), (file, option.name)


def documents(name: str, value: object) -> list[tuple[str, object]]:
    """An option in every place that it may be written to."""
    table, plugin = {name.replace("_", "-"): value}, {"sitemap-docs": {name: value}}
    toml = [
        (TABLE, {name: value}),
        (TABLE, table),
        (PYPROJECT, {"project": {"name": "x"}, "tool": {"ruff": {}, "sitemap-docs": table}}),
    ]
    return [
        *([] if name in HOSTS_ONLY else toml),
        (MKDOCS, {"site_name": "x", "plugins": ["search", plugin, {"tags": {}}]}),
        (MKDOCS, {"plugins": {"search": None, **plugin}}),
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_schema_accepts_the_same_values_as_the_option(name: str) -> None:
    """It also accepts the examples of the manual, in every place where an option may be written."""
    assert [value for value in VALUES if accepts(*documents(name, value)[-1]) != valid(name, value)] == []
    for file, document in documents(name, EXAMPLES[name]):
        assert accepts(file, document), (file, document)
    for file, document in documents(f"{name}x", EXAMPLES[name]):
        assert not accepts(file, document), (file, document)


def test_the_schema_refuses_wrong_values() -> None:
    wrong = [each.values[0] for each in WRONG]
    assert [each for each in wrong if accepts(MKDOCS, {"plugins": [{"sitemap-docs": each}]})] == []


def test_the_schema_accepts_every_snippet_of_the_manual(tmp_path: Path) -> None:
    tables = [block.data() for block in ALL if block.language == "toml"]
    configured = [data for data in tables if "sitemap-docs" in data.get("tool", {})]
    assert len(configured) >= 2
    assert [data for data in configured if not accepts(PYPROJECT, data)] == []
    file, seen = tmp_path / "mkdocs.yml", 0
    for block in ALL:
        if block.language == "yaml" and "sitemap-docs" in block.text and "plugins:" in block.text:
            file.write_text(block.text, encoding="utf-8")
            assert accepts(MKDOCS, load_yaml(file)), block
            seen += 1
    assert seen > 5


def test_each_option_in_a_conf_py_of_the_manual_is_valid() -> None:
    options = {option.name for option in OPTIONS if "sphinx" in option.doors}
    seen = set()
    for block in ALL:
        for node in ast.walk(ast.parse(block.text)) if block.language == "python" else ():
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id.removeprefix("sitemap_")
                if name != node.targets[0].id and name != "docs":
                    assert name in options, block
                    if not any(isinstance(each, ast.Name) for each in ast.walk(node.value)):
                        assert valid(name, ast.literal_eval(node.value)), block
                    seen.add(name)
    assert len(seen) > 5
