"""The parts of the manual that are code; ``pytest --update tests/test_documents.py`` writes them."""

from __future__ import annotations

import re
from collections import Counter
from inspect import cleandoc
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import tomli

from sitemap_docs.audit.registry import all_rules, audit_rules
from sitemap_docs.cli.main import COMMANDS, group
from sitemap_docs.config.options import OPTIONS, Option
from sitemap_docs.model import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

EXAMPLES = {  # as YAML, below `sitemap-docs:` in mkdocs.yml; of what is no switch and no choice
    "filename": "filename: docs-sitemap.xml",
    "excludes": 'excludes: ["drafts/*", "!drafts/ready/"]',
    "noindex_versions": 'noindex_versions: ["0.*", "1.*"]',
    "leave_out": 'leave_out: ["pr-*", "internal/"]',
    "url_scheme": 'url_scheme: "{lang}/{version}/{link}"',
    "locales": "locales: {en: https://docs.example.com/en/, de: https://docs.example.com/de/}",
    "lastmod_ignore_revs": "lastmod_ignore_revs: .docs-ignore-revs",
    "lastmod_excludes": 'lastmod_excludes: ["docs/abbreviations/*"]',
    "lastmod_fields": "lastmod_fields: [last_update.date]",
    "gzip": "gzip: beside",
    "indent": "indent: 2",
    "max_urls": "max_urls: 10000",
    "groups": 'groups: {api: ["api/*"], news: ["blog/*", "releases/*"]}',
    "extra_urls": 'extra_urls: [tool/, "downloads/*.pdf", {loc: old/, lastmod: 2026-01-31}]',
    "extra_sitemaps": "extra_sitemaps: [https://docs.example.com/blog/sitemap.xml]",
    "excludes_generated": "excludes_generated: [lists, pagination]",
    "formats": "formats: [text]",
    "record": "record: record.jsonl",
    "changefreq": 'changefreq: {"news/*": daily}',
    "priority": 'priority: {"guide/*": 0.8}',
    "robots": 'robots: {"*": {disallow: [/private/]}}',
    "ignore": "ignore: [unmatched-pattern, title-missing=news/*]",
    "check": "check: {severity: error}",
}


def options() -> str:
    """Every option below a heading, in the groups of ``--help``."""
    groups: dict[str, list[str]] = {}
    for option in OPTIONS:
        section = f"### `{option.name}`\n\n{option.help}\n\nDefault: `{option.form}`.\n\n{_fenced(option)}\n"
        groups.setdefault(option.heading, []).append(section)
    return "\n".join(f"## {heading}\n\n" + "\n".join(sections) for heading, sections in groups.items())


def example(option: Option[Any]) -> str:
    """A value as YAML: of a switch or a choice, the first that is not the default."""
    if option.name in EXAMPLES:
        return EXAMPLES[option.name]
    words = option.type.words or ("true", "false")
    return f"{option.name}: {next(word for word in words if word != option.form)}"


def _fenced(option: Option[Any]) -> str:
    written = example(option)
    if option.name == "url_scheme":  # an option of Sphinx alone
        key, _, value = written.partition(": ")
        return f"```python\nsitemap_{key} = {value}\n```"
    return f"```yaml\n{written}\n```"


def typed_options() -> str:
    """The module with the options as the Python API takes them."""
    read, build, join = "", "", ""
    for option in OPTIONS:
        line = f"    {option.name}: {_annotation(option.type.schema)}\n"
        if "join" in option.doors:
            join += line
        if option.name == "ignore":  # which `check` has as an argument
            build += line
        elif "read" in option.doors:
            read += line
        elif "build" in option.doors:
            build += line
    return f'''\
"""The options of a build as the Python API takes them. Made by ``pytest --update tests/test_api.py``."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict


class _CommonOptions(TypedDict, total=False):
{read}

class CheckOptions(_CommonOptions, total=False):
    """The options of ``sitemap_docs.api.check``. The option ``check`` configures single rules."""

    check: Mapping[str, object]


class BuildOptions(_CommonOptions, total=False):
    """The options of ``sitemap_docs.api.build``. The page "Options" of the manual describes them."""

{build}

class JoinOptions(TypedDict, total=False):
    """The options that ``sitemap_docs.api.join`` accepts as ``**options``."""

{join}'''


TYPES = {"boolean": "bool", "integer": "int", "number": "float", "string": "str"}


def _annotation(schema: Mapping[str, Any]) -> str:
    """The type of Python that a JSON Schema of ours describes."""
    kinds = " | ".join(dict.fromkeys(_kinds(schema)))
    return kinds.replace('"] | Literal["', '", "')


def _kinds(schema: Mapping[str, Any]) -> Iterator[str]:
    for value in sorted(schema.get("enum", ()), key=lambda value: isinstance(value, bool)):
        yield "bool" if isinstance(value, bool) else f'Literal["{value}"]'
    for each in schema.get("anyOf", ()):
        yield from _kinds(each)
    written = schema.get("type", ())
    for kind in [written] if isinstance(written, str) else written:
        if kind == "array":
            yield f"Sequence[{_annotation(schema['items'])}]"
        elif kind == "object":
            values = schema.get("additionalProperties")
            yield f"Mapping[str, {_annotation(values) if values else 'object'}]"
        elif kind != "null":  # an empty value of a file
            yield TYPES[kind]


def rules() -> str:
    """A table of all rules, which a script filters, and each with an anchor of its own; from docstrings."""
    every = all_rules()
    of_audit = audit_rules()
    ordered = sorted(of_audit.values(), key=attrgetter("group", "id"))
    ordered += sorted(
        (rules[0] for name, rules in every.items() if name not in of_audit), key=attrgetter("id")
    )
    table = [
        '<div id="rules-filter"></div>\n\n| subject | rule | severity | what is wrong |\n|---|---|---|---|\n'
    ]
    sections = []
    for name, same in groupby(
        ordered, key=lambda rule: GROUPS[rule.group] if rule.id in of_audit else BUILDS
    ):
        sections.append(f"\n## {name}\n")
        for each in same:
            summary = _markdown(each.summary)
            table.append(f"| {name} | [`{each.id}`](#{each.id}) | {each.severity} | {summary} |\n")
            sections.append(_rule(each, every[each.id][1:]))
    return "".join(table + sections)


GROUPS = {
    "canonical": "Canonical links",
    "hreflang": "Translations",
    "lastmod": "Dates",
    "live": "Deployed sites",
    "llms": "llms.txt and Markdown",
    "loc": "Addresses",
    "pages": "Pages",
    "robots": "robots.txt",
    "sitemap": "Sitemap files",
}


BUILDS = "Findings of builds"
OURS = "sitemap-docs: the page "
PAGES = Path(__file__).parents[1] / "example_docs" / "pages"


def _rule(rule: Rule, others: list[Rule]) -> str:
    settings = "".join(f" Setting `{name}`: `{value}`." for name, value in rule.settings.items())
    whole = ""
    if rule.whole:
        whole = " Reads whole pages, so it runs only if selected."
    elif not rule.by_default:
        whole = " Runs only if selected."
    what, _, why, advice, *more = rule.documentation.splitlines()
    example = "".join(f"- {_markdown(line)}\n" for line in more if line.startswith(("Wrong: ", "Right: ")))
    if example:
        example += "\n"
    if rule.id not in audit_rules():
        whole = " Stops a strict build." if rule.strict else ""
    elif others:
        whole += f" A build reports it, too: {others[0].severity}."
    name, url = rule.source
    if not url and name.startswith(OURS):
        name = name.removeprefix(OURS)
        url = next(
            page.name for page in PAGES.glob("*.md") if page.read_text("utf-8").startswith(f"# {name}\n")
        )
    source = f"[{name}]({url})" if url else name
    return (
        f"\n### `{rule.id}`\n\n{_markdown(what)}\n\n{_markdown(why)} {_markdown(advice)}\n\n"
        f"{example}Severity: {rule.severity}.{settings}{whole} Source: {source}.\n"
    )


def programs() -> str:
    """A table of the programs that we follow, from their entries."""
    entries = tomli.loads((Path(__file__).parent / "programs" / "programs.toml").read_text("utf-8"))
    rows = ["| program | versions | what works | tested by |\n|---|---|---|---|\n"]
    for each in sorted(entries.values(), key=lambda entry: entry["name"].lower()):
        versions = f"`{each['versions']}`" if "versions" in each else f"as of {each['read']}"
        rows.append(
            f"| [{each['name']}]({each['url']}) | {versions} | {each['works']} | `tests/{each['test']}` |\n"
        )
    return "".join(rows)


def _markdown(text: str) -> str:
    """A docstring as Markdown: literals stay, marks of Markdown are escaped, addresses become links."""
    parts = re.split(r"(``?[^`]+``?|https?://[^\s,]+[^\s,.])", text)
    return "".join(
        f"`{part.strip('`')}`"
        if part.startswith("`")
        else f"<{part}>"
        if part.startswith("http")
        else re.sub(r"([<*_\[\]|])", r"\\\1", part)
        for part in parts
    )


def commands() -> str:
    """Every command with its usage, its help and the flags that are not options of the project.

    Flags that mean the same in several commands have a table of their own.
    """
    parent = click.Context(group, info_name="sitemap-docs")
    contexts = [
        click.Context(command, info_name=name, parent=parent)
        for name in COMMANDS
        if (command := group.get_command(parent, name))
    ]
    counted = Counter(flag for context in contexts for flag in _flags(context))
    shared = [flag for flag, number in counted.items() if number > 1]
    everywhere = [flag for flag in shared if counted[flag] == len(contexts) - 1]  # but in `schema`
    rows = "".join(f"| {names} | {text} |\n" for names, text in shared)
    intro = "These flags have the same meaning in each command that has them:"
    table = f"## Flags of several commands\n\n{intro}\n\n| flag | meaning |\n|---|---|\n{rows}\n"
    table += f"All commands except `schema` have the flags {_listed(everywhere)}.\n\n"
    return table + "\n".join(_command(context, shared, everywhere) for context in contexts)


def _listed(flags: list[tuple[str, str]]) -> str:
    return ", ".join(f"`{re.findall('--[a-z-]+', names)[0]}`" for names, _ in flags)


def _command(context: click.Context, shared: list[tuple[str, str]], everywhere: list[tuple[str, str]]) -> str:
    command = context.command
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    flags = _flags(context)
    own = "".join(f"| {names} | {text} |\n" for names, text in flags if (names, text) not in shared)
    table = f"| flag | meaning |\n|---|---|\n{own}\n" if own else ""
    others = [flag for flag in flags if flag in shared and flag not in everywhere]
    also = ""
    if others:
        link = "[shared flags](#flags-of-several-commands)"
        also = f"`{context.info_name}` also has these {link}: {_listed(others)}.\n"
    more = _project_flags({str(each.name) for each in command.params})
    text = _markdown(cleandoc(command.help or ""))
    return f"## `{context.info_name}`\n\n```text\n{usage}\n```\n\n{text}\n\n{table}{also}{more}"


def _flags(context: click.Context) -> list[tuple[str, str]]:
    """The flags of a command that are not options of the project: how they are spelled, what they mean."""
    project = {option.name for option in OPTIONS}
    return [
        (_names(each, context), _markdown(each.help or ""))
        for each in context.command.params
        if isinstance(each, click.Option) and not each.hidden and each.name not in project
    ]


def _project_flags(names: set[str]) -> str:
    """Which options of the project are flags of a command that has parameters of these names."""
    taken = [f"`{option.name}`" for option in OPTIONS if option.name in names]
    others = [f"`{option.name}`" for option in OPTIONS if option.name not in names]
    if not taken:
        return ""
    if len(others) < len(taken):
        return f"\nYou can set all [options](options.md) as flags, except {', '.join(others)}.\n"
    return f"\nYou can set these [options](options.md) as flags: {', '.join(taken)}.\n"


def _names(option: click.Option, context: click.Context) -> str:
    record = option.get_help_record(context)
    names = record[0] if record else option.opts[0]
    return f"`{names.replace('|', '/')}`"
