"""Where old addresses lead: redirects from the files in which hosts and generators are told of them."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote

from sitemap_docs.configuration import load_toml, load_yaml
from sitemap_docs.html.head import read_head
from sitemap_docs.model import SitemapError
from sitemap_docs.urls import split_url
from sitemap_docs.webroot.lookup import Webroot, stem

if TYPE_CHECKING:
    from sitemap_docs.urls import Base

_MOVED = {301, 302, 303, 307, 308}
# A rule with a query (before the target) or a condition (after the status) holds for some visitors only.
_LINE = re.compile(
    r"\s*(?P<source>/\S*|https?://\S+)\s+(?P<to>/\S*|https?://\S+)(?:\s+(?P<status>\d{3})!?)?\s*(?:\s#.*)?",
    re.ASCII,
)
_HOLES = 2
_CONDITIONS = {"query", "conditions"}
_PLACEHOLDER = re.compile(r":([A-Za-z_]\w*)|\*")


OutcomeKind = Literal["", "redirected", "served", "lost"]
"""What is at an address that is no longer listed; ``""`` where it cannot be known."""


class Outcome(NamedTuple):
    """What is found at an address that is no longer listed; ``target`` is where a redirect leads."""

    kind: OutcomeKind
    target: str = ""


class RedirectRule(NamedTuple):
    """One line of ``_redirects`` or table of netlify.toml; ``pattern`` matches host and path, not encoded."""

    pattern: re.Pattern[str]
    to: str
    status: int


@dataclass(frozen=True, kw_only=True)
class Redirects:
    """A host's rules, the first match of which holds, and a generator's own: ``lookup.stem`` → target."""

    rules: tuple[RedirectRule, ...] = ()
    stems: Mapping[str, str] = field(default_factory=dict)

    def __or__(self, other: Redirects) -> Redirects:
        return Redirects(rules=(*self.rules, *other.rules), stems={**self.stems, **other.stems})

    def __bool__(self) -> bool:
        return bool(self.rules or self.stems)

    def find(self, loc: str, base: Base | None) -> Outcome | None:
        """What is found at an address; None when no redirect speaks of it. Stems start at ``base``."""
        path = base.path_of(loc) if base else None
        if path is not None and stem(path) in self.stems:
            return Outcome("redirected", self.stems[stem(path)])
        parts = split_url(loc)
        asked = parts.netloc.lower() + unquote(parts.path)
        for rule in self.rules:
            if match := rule.pattern.fullmatch(asked):
                return _found(rule, match)
        return None


def read_redirects(path: Path) -> Redirects:
    """The redirects that a file tells of; for a folder, those of the files in it (``FILES``).

    Raises SitemapError for a file that cannot be read or is of no known kind.
    """
    if path.is_dir():
        known = (read_redirects(path / name) for name in FILES if (path / name).is_file())
        return sum_up(known)
    read = FILES.get(path.name) or (_read_rediraffe if path.suffix == ".txt" else None)
    if read is None:
        raise SitemapError(
            f"{path} is no file of redirects that we know: {', '.join(FILES)} or rediraffe's list."
        )
    return read(path)


def sum_up(redirects: Iterable[Redirects]) -> Redirects:
    together = Redirects()
    for each in redirects:
        together |= each
    return together


def finder(redirects: Redirects, built: Webroot | None, base: Base | None) -> Callable[[str], Outcome]:
    """What ``diff`` asks for each address that is no longer listed: first the built pages, then the rules."""

    def find(loc: str) -> Outcome:
        file = built.file(loc) if built else None
        if file:
            target = read_head(file, loc).refresh
            return Outcome("served") if target is None else Outcome("redirected", target)
        return redirects.find(loc, base) or Outcome("lost" if built or redirects else "")

    return find


def _found(rule: RedirectRule, match: re.Match[str]) -> Outcome:
    if rule.status in _MOVED:
        values = {name: value or "" for name, value in match.groupdict().items()}
        return Outcome("redirected", re.sub(r":(\w+)", lambda name: values.get(name[1], name[0]), rule.to))
    return Outcome("served" if rule.status == 200 else "lost")  # noqa: PLR2004


def _rules(said: Iterable[tuple[str, str, int]]) -> tuple[RedirectRule, ...]:
    return tuple(rule for each in said if (rule := _rule(*each)))


def _rule(source: str, to: str, status: int) -> RedirectRule | None:
    """A rule as Netlify, Cloudflare Pages and GitLab Pages read it; a slash at the end makes no difference.

    None for what no host reads: an impossible address, two splats, many placeholders between two slashes.
    https://docs.netlify.com/routing/redirects/redirect-options/
    https://developers.cloudflare.com/pages/configuration/redirects/
    """
    host, path = "[^/]*", source
    if "://" in source:
        parts = split_url(source)
        host, path = re.escape(parts.netloc.lower()), parts.path
    path = unquote(path).rstrip("/")
    if not host or path.count("*") > 1 or any(part.count(":") > _HOLES for part in path.split("/")):
        return None  # such patterns try everything, too
    pattern, end = "", 0
    for place in _PLACEHOLDER.finditer(path):
        name, taken = place[1] or "splat", "[^/]+" if place[1] else ".*"
        group = f"(?:{taken})" if f"(?P<{name}>" in pattern else f"(?P<{name}>{taken})"
        pattern += re.escape(path[end : place.start()]) + group
        end = place.end()
    pattern = (pattern + re.escape(path[end:])).replace("/(?P<splat>.*)", "(?:/(?P<splat>.*))?")
    return RedirectRule(re.compile(f"{host}{pattern}/?", re.DOTALL), to, status)


def _read_underscore(file: Path) -> Redirects:
    lines = (_LINE.fullmatch(line) for line in _text(file).splitlines())
    return Redirects(
        rules=_rules((line["source"], line["to"], int(line["status"] or 301)) for line in lines if line)
    )


def _read_netlify(file: Path) -> Redirects:
    tables = load_toml(file).get("redirects")
    return Redirects(
        rules=_rules(
            (table["from"], str(table.get("to", "")), table.get("status", 301))
            for table in (tables if isinstance(tables, list) else ())
            if isinstance(table, Mapping)
            and isinstance(table.get("from"), str)
            and not _CONDITIONS & table.keys()
        )
    )


def _read_mkdocs(file: Path) -> Redirects:
    """The ``redirect_maps`` of mkdocs-redirects."""
    plugins = load_yaml(file).get("plugins")
    listed = plugins if isinstance(plugins, list) else [plugins]
    for plugin in listed:
        options = plugin.get("redirects") if isinstance(plugin, Mapping) else None
        maps = options.get("redirect_maps") if isinstance(options, Mapping) else None
        if isinstance(maps, Mapping):
            return Redirects(stems={stem(str(old)): str(new) for old, new in maps.items()})
    return Redirects()


def _read_conf(file: Path) -> Redirects:
    """What sphinx-reredirects and rediraffe are told, where conf.py spells it out; conf.py is not run."""
    try:
        statements = ast.parse(_text(file)).body
    except (SyntaxError, ValueError) as error:
        raise SitemapError(f"{file} cannot be read: {error}. Correct it.") from None
    stems: dict[str, str] = {}
    for name, value in _literals(statements):
        if name in ("redirects", "rediraffe_redirects") and isinstance(value, dict):
            stems |= {stem(str(old)): str(new) for old, new in value.items()}
        elif name == "rediraffe_redirects" and isinstance(value, str) and (file.parent / value).is_file():
            stems |= _read_rediraffe(file.parent / value).stems
    return Redirects(stems=stems)


def _literals(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, object]]:
    for statement in statements:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            try:
                yield statement.targets[0].id, ast.literal_eval(statement.value)
            except (ValueError, TypeError, MemoryError, RecursionError):
                continue  # it is computed: the stubs in the built folder tell


def _read_rediraffe(file: Path) -> Redirects:
    """Lines of an old and a new source, perhaps quoted (https://sphinxext-rediraffe.readthedocs.io/)."""
    stems: dict[str, str] = {}
    for number, line in enumerate(_text(file).splitlines(), 1):
        try:
            names = shlex.split(line, comments=True)
        except ValueError as error:
            raise SitemapError(f"{file}, line {number} cannot be read: {error}. Correct it.") from None
        if len(names) == 2:  # noqa: PLR2004
            stems[stem(names[0])] = names[1]
    return Redirects(stems=stems)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise SitemapError(f"{file} cannot be read: {error}. Save it as UTF-8.") from None


FILES: Mapping[str, Callable[[Path], Redirects]] = {
    "_redirects": _read_underscore,
    "netlify.toml": _read_netlify,
    "conf.py": _read_conf,
    "mkdocs.yml": _read_mkdocs,
    "mkdocs.yaml": _read_mkdocs,
    "properdocs.yml": _read_mkdocs,
}
