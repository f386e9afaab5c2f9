"""Redirects of old addresses, from the files in which hosts and generators configure them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.config.parsing import load_python, load_toml, load_yaml
from sitemap_docs.config.patterns import PatternIndex
from sitemap_docs.html.head import read_head
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import split_url
from sitemap_docs.webroot.lookup import Webroot, stem

if TYPE_CHECKING:
    from sitemap_docs.urls.base import Base

_MOVED = {301, 302, 303, 307, 308}
# A rule with a query (before the target) or a condition (after the status) holds for some visitors only.
_LINE = re.compile(
    r"\s*(?P<source>/\S*|https?://\S+)\s+(?P<to>/\S*|https?://\S+)(?:\s+(?P<status>\d{3})(?P<forced>!)?)?\s*(?:\s#.*)?",
    re.ASCII,
)
_CONDITIONS = {"query", "conditions"}
_PLACEHOLDER = re.compile(r"(:[A-Za-z_]\w*|\*)")
_WITH_SPLAT = 3  # pieces of a segment: what is before the splat, the splat, what is after it


OutcomeKind = Literal["", "redirected", "served", "lost"]
"""What is at an address that is no longer listed; ``""`` where it cannot be known."""


class Outcome(NamedTuple):
    """What is found at an address that is no longer listed; ``target`` is where a redirect leads."""

    kind: OutcomeKind
    target: str = ""


class RedirectRule(NamedTuple):
    """One line of ``_redirects`` or table of netlify.toml.

    ``host`` is ``""`` for any. ``path`` has the segments of the pattern, not encoded, each as texts and
    placeholders in turn. ``forced`` rules hold where a file answers, too.
    """

    host: str
    path: tuple[tuple[str, ...], ...]
    to: str
    status: int
    forced: bool = False

    def match(self, host: str, path: str) -> Mapping[str, str] | None:
        """What the placeholders stand for; None where the rule does not match a path that is not encoded.

        Matching goes segment by segment and takes time that grows as the path, whatever the rule holds.
        """
        if self.host not in ("", host):
            return None
        splat = next((number for number, pieces in enumerate(self.path) if "*" in pieces), None)
        if splat is None:
            return _match_segments(self.path, path.removesuffix("/").split("/"))
        before, (first, _, last), after = self.path[:splat], self.path[splat], self.path[splat + 1 :]
        segments = (path.removesuffix("/") if after or last else path).split("/")
        end = len(segments) - len(after)
        text = "/".join(segments[splat:end])
        if end < splat or len(text) < len(first + last):
            return None
        if not (text.startswith(first) and text.endswith(last)):
            return None
        values = _match_segments((*before, *after), [*segments[:splat], *segments[end:]])
        return None if values is None else {"splat": text[len(first) : len(text) - len(last)], **values}

    def found(self, values: Mapping[str, str]) -> Outcome:
        """What is found at an address that the rule matches with these values of its placeholders."""
        if self.status in _MOVED:
            to = re.sub(r":(\w+)", lambda name: values.get(name[1], name[0]), self.to)
            return Outcome("redirected", to)
        return Outcome("served" if self.status == 200 else "lost")  # noqa: PLR2004


def _match_segments(patterns: Sequence[Sequence[str]], segments: Sequence[str]) -> Mapping[str, str] | None:
    if len(patterns) != len(segments):
        return None
    values: dict[str, str] = {}
    for pieces, segment in zip(reversed(patterns), reversed(segments), strict=True):
        found = _match_segment(pieces, segment)
        if found is None:
            return None
        values |= found
    return values


def _match_segment(pieces: Sequence[str], segment: str) -> Mapping[str, str] | None:
    """What each placeholder stands for: one character at least, and the earlier ones as much as they can."""
    if len(pieces) == 1:
        return {} if segment == pieces[0] else None
    if not (segment.startswith(pieces[0]) and segment.endswith(pieces[-1])):
        return None
    values: dict[str, str] = {}
    end = len(segment) - len(pieces[-1])
    for place in range(len(pieces) - 2, 0, -2):
        before = pieces[place - 1]
        found = 0 if place == 1 else segment.rfind(before, 0, max(end - 1, 0))
        start = found + len(before)
        if found < 0 or start >= end:
            return None
        values[pieces[place].removeprefix(":")] = segment[start:end]
        end = found
    return values


@dataclass(frozen=True, kw_only=True)
class Redirects:
    """A host's rules, the first match of which holds, and a generator's own: ``lookup.stem`` → target."""

    rules: tuple[RedirectRule, ...] = ()
    stems: Mapping[str, str] = field(default_factory=dict)

    def __or__(self, other: Redirects) -> Redirects:
        return Redirects(rules=(*self.rules, *other.rules), stems={**self.stems, **other.stems})

    def __bool__(self) -> bool:
        return bool(self.rules or self.stems)

    def find(self, loc: str, base: Base | None, *, existing: bool = False) -> Outcome | None:
        """What is found at an address; None where no redirect covers it. Stems start at ``base``.

        Where a file answers for the address (``existing``), only rules that are forced hold: Netlify and
        GitLab Pages serve the file. Cloudflare Pages does not; the file of rules does not tell the host.
        https://docs.netlify.com/manage/routing/redirects/rewrites-proxies/#shadowing
        https://docs.gitlab.com/user/project/pages/redirects/
        """
        path = None if existing or base is None else base.path_of(loc)
        if path is not None and stem(path) in self.stems:
            return Outcome("redirected", self.stems[stem(path)])
        parts = split_url(loc)
        host, asked = parts.netloc.lower(), unquote(parts.path)
        for number in self._index.candidates(asked):
            rule = self.rules[number]
            if (rule.forced or not existing) and (values := rule.match(host, asked)) is not None:
                return rule.found(values)
        return None

    @cached_property
    def _index(self) -> PatternIndex:
        return PatternIndex([list(_literals(rule)) for rule in self.rules])


def read_redirects(path: Path) -> Redirects:
    """The redirects that a file tells of; for a folder, those of the files in it (``FILES``).

    Raises SitemapError for a file that cannot be read or is of no known kind.
    """
    if path.is_dir():
        known = (read_redirects(path / name) for name in FILES if files.find_inside(path, name))
        return sum_up(known)
    read = FILES.get(path.name) or (_read_rediraffe if path.suffix == ".txt" else None)
    if read is None:
        raise SitemapError(
            f"{path} is not a supported redirects file: pass {', '.join(FILES)} or rediraffe's list."
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
        if forced := redirects.find(loc, base, existing=True):
            return forced
        if file:
            target = read_head(file).refresh
            return Outcome("served") if target is None else Outcome("redirected", target)
        return redirects.find(loc, base) or Outcome("lost" if built or redirects else "")

    return find


def _rules(written: Iterable[tuple[str, str, int, bool]]) -> tuple[RedirectRule, ...]:
    return tuple(rule for each in written if (rule := _rule(*each)))


def _rule(source: str, to: str, status: int, forced: bool) -> RedirectRule | None:  # noqa: FBT001
    """A rule as Netlify, Cloudflare Pages and GitLab Pages read it; a slash at the end makes no difference.

    None for what no host reads: an impossible address, two splats, a splat and a placeholder between two
    slashes.
    https://docs.netlify.com/routing/redirects/redirect-options/
    https://developers.cloudflare.com/pages/configuration/redirects/
    """
    host, path = "", source
    if "://" in source:
        parts = split_url(source)
        host, path = parts.netloc.lower(), parts.path
        if not host:
            return None
    segments = unquote(path).rstrip("/").split("/")
    pieces = tuple(tuple(_PLACEHOLDER.split(segment)) for segment in segments)
    if path.count("*") > 1 or any("*" in each and len(each) > _WITH_SPLAT for each in pieces):
        return None
    return RedirectRule(host, pieces, to, status, forced)


def _literals(rule: RedirectRule) -> Iterator[str]:
    return (piece for pieces in rule.path for piece in pieces[::2] if piece)


def _read_underscore(file: Path) -> Redirects:
    lines = (_LINE.fullmatch(line) for line in _text(file).splitlines())
    return Redirects(
        rules=_rules(
            (line["source"], line["to"], int(line["status"] or 301), bool(line["forced"]))
            for line in lines
            if line
        )
    )


def _read_netlify(file: Path) -> Redirects:
    tables = load_toml(file).get("redirects")
    return Redirects(
        rules=_rules(
            (table["from"], str(table.get("to", "")), _status(table), table.get("force") is True)
            for table in (tables if isinstance(tables, list) else ())
            if isinstance(table, Mapping)
            and isinstance(table.get("from"), str)
            and not _CONDITIONS & table.keys()
        )
    )


def _status(table: Mapping[str, object]) -> int:
    status = table.get("status")
    return status if isinstance(status, int) else 301


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
    """The redirects of sphinx-reredirects and rediraffe, from literals in conf.py, which is not run.

    Of what it computes, the stubs in the built folder tell.
    """
    stems: dict[str, str] = {}
    for name, value in load_python(file).items():
        if name in ("redirects", "rediraffe_redirects") and isinstance(value, dict):
            stems |= {stem(str(old)): str(new) for old, new in value.items()}
        elif name == "rediraffe_redirects" and value and files.find_inside(file.parent, str(value)):
            stems |= _read_rediraffe(file.parent / str(value)).stems
    return Redirects(stems=stems)


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
        return files.read_file(file).decode("utf-8-sig")
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
