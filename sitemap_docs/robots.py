"""robots.txt (RFC 9309): read it, merge our Sitemap lines into it, render one; what it forbids crawlers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from types import NoneType
from typing import NamedTuple
from urllib.parse import quote, unquote

from sitemap_docs.config.options import shown
from sitemap_docs.config.parsing import as_items
from sitemap_docs.config.patterns import Expression, Patterns
from sitemap_docs.model import SitemapError
from sitemap_docs.text import linear
from sitemap_docs.urls.base import split_url

OWN_FILE = "# Written by sitemap-docs; without this line the file is yours and is kept."
"""The first line of a robots.txt that is all ours."""

OWN_LINE = "# The next line is written by sitemap-docs."
"""The line above each Sitemap line of ours in a robots.txt of the user's."""

SIGNALS = ("content-signal", "content-usage")
"""Fields whose values are pairs of key and value, after a path if any: what a crawler may do with pages."""
SIGNAL = re.compile(r"(?:[/*]\S*\s+)?[^\s=,]+=[^\s,]+(?:\s*,\s*[^\s=,]+=[^\s,]+)*")

FIELDS = ("allow", "disallow", "crawl-delay", *SIGNALS)
"""What a group may hold: RFC 9309, and the lines that contentsignals.org and the IETF's aipref propose."""

MAX_ROBOTS = 500 * 1024
"""What crawlers read of a robots.txt (RFC 9309, 2.5)."""

_BOM = b"\xef\xbb\xbf"
_EOLS = re.compile(rb"\r\n|\r|\n")
_SITEMAP = re.compile(rb"\s*sitemap\s*:", re.IGNORECASE)
SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_STARTS = {
    "user-agent": ("user-agent", "useragent", "user agent"),
    "allow": ("allow",),
    "disallow": ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"),
    "sitemap": ("sitemap", "site-map"),
}
"""How a field begins that Google's crawlers take for the one in front: robots.cc of google/robotstxt."""
_AGENT = re.compile(r"\*|[A-Za-z0-9][A-Za-z0-9_.\- ]*")


PRESETS = {
    "@training": (
        *("GPTBot", "ClaudeBot", "Google-Extended", "Applebot-Extended", "meta-externalagent", "Amazonbot"),
        "CCBot",
    ),
    "@search": (
        *("Googlebot", "Bingbot", "Applebot", "OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"),
        "Amzn-SearchBot",
    ),
}
"""The agents that a name in the option ``robots`` stands for; the manual has the vendors' pages about them.

Google-Extended and Applebot-Extended are names for robots.txt alone; no requests come from them.
"""


CRAWLERS = ("Googlebot", "bingbot")
"""The crawlers of search engines, whose rules and tags decide what these may read and show."""


class Line(NamedTuple):
    """One line that is neither blank nor a comment; ``field`` is in lower case, ``""`` for none.

    ``misspelled`` is the text of a line that only Google's crawlers read as this field and value.
    """

    number: int
    field: str
    value: str
    misspelled: str = ""


class Group(NamedTuple):
    """The user agents named together and the lines that follow them."""

    agents: list[Line]
    rules: list[Line]


@dataclass(frozen=True, slots=True)
class Robots:
    """A robots.txt, line by line."""

    lines: tuple[Line, ...]

    @property
    def sitemaps(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.field == "sitemap")

    @property
    def groups(self) -> list[Group]:
        """Groups in order; a group without agents holds rules that stand before any ``User-agent``."""
        groups: list[Group] = []
        is_complete = False  # RFC 9309 2.2.4: records other than rules do not end a group
        for line in self.lines:
            if line.field == "sitemap":
                continue
            is_agent = line.field == "user-agent"
            if not groups or (is_agent and is_complete):
                groups.append(Group([], []))
                is_complete = not is_agent
            if is_agent:
                groups[-1].agents.append(line)
            else:
                groups[-1].rules.append(line)
                is_complete |= line.field in ("allow", "disallow")
        return groups


@linear
def parse_robots(data: bytes) -> Robots:
    """The lines of ``data``; a BOM is skipped, also part of one; bytes that are not UTF-8 become U+FFFD.

    >>> parse_robots(b"Disallow /a # all").lines
    (Line(number=1, field='disallow', value='/a', misspelled='Disallow /a'),)
    """
    lines = []
    for number, raw in enumerate(data.lstrip(_BOM).splitlines(), 1):
        text = raw.partition(b"#")[0].decode(errors="replace").strip()
        name, colon, value = text.partition(":")
        words = text.split(maxsplit=2)
        if not colon and len(words) == 2:  # noqa: PLR2004
            name, value = words
        field = _field(name.strip().lower())
        if colon or (value and field in _STARTS):
            is_right = colon and field == name.strip().lower()
            lines.append(Line(number, field, value.strip(), "" if is_right else text))
        elif text:
            lines.append(Line(number, "", text))
    return Robots(tuple(lines))


def _field(name: str) -> str:
    """The field for which Google's crawlers take a name, or the name."""
    for field, starts in _STARTS.items():
        if name.startswith(starts) and not name.startswith("sitemap "):  # it ends in the scheme of an address
            return field
    return name


def merge_robots(
    existing: bytes | None, sitemaps: Sequence[str], groups: Mapping[str, object] | None = None
) -> bytes:
    """The robots.txt that names each of ``sitemaps`` once.

    What the user wrote in ``existing`` is kept byte for byte, and ``groups`` are then left to it; lines that
    an earlier run added are replaced. Without a file of the user's, one is rendered from ``groups``: user
    agents or presets, with commas between them, to a mapping of ``FIELDS`` to a value or a list of values.

    Raises SitemapError for groups that are not valid and for a file in UTF-16.
    """
    yours = without(existing) if existing is not None else None
    if yours is None:
        return render_robots(sitemaps, groups)
    named = {line.value for line in parse_robots(yours).sitemaps}
    eol: bytes = [b"\n", *_EOLS.findall(yours)][-1]
    added: list[bytes] = []
    for url in dict.fromkeys(sitemaps):
        if url not in named:
            added += [OWN_LINE.encode(), f"Sitemap: {url}".encode()]
    if not added:
        return yours
    block = eol.join(added)
    if yours in (b"", _BOM):
        return yours + block + eol
    if yours.endswith((b"\n", b"\r")):
        return yours + eol + block + eol
    # Where the last line of the user's has no end, ours has none: so it can be seen which was there.
    return yours + eol + eol + block


def without(data: bytes) -> bytes | None:
    """``data`` without what :func:`merge_robots` added to it; None when the whole file is ours."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SitemapError("robots.txt is in UTF-16; crawlers read UTF-8 only (RFC 9309): save it as UTF-8.")
    bom = _BOM if data.startswith(_BOM) else b""
    kept: list[bytes] = []
    ours = b""  # the line above, where it is ours
    for line in data[len(bom) :].splitlines(keepends=True):
        if line.strip() == OWN_LINE.encode():
            # We wrote an empty line before the first of our marks.
            if kept and kept[-1] in (b"\n", b"\r\n", b"\r") and not ours:
                kept.pop()
            ours = line
        elif ours.strip() == OWN_LINE.encode() and _SITEMAP.match(line):
            ours = line
        else:
            kept.append(line)
            ours = b""
    if kept and kept[0].strip() == OWN_FILE.encode():
        return None
    if kept and ours and not ours.endswith((b"\n", b"\r")):
        kept[-1] = kept[-1].rstrip(b"\r\n")
    return bom + b"".join(kept)


def render_robots(sitemaps: Sequence[str], groups: Mapping[str, object] | None = None) -> bytes:
    """A whole robots.txt of ours; without ``groups`` everything is allowed. Raises SitemapError."""
    blocks = []
    for agents, rules in (groups or {"*": {"allow": "/"}}).items():
        if not isinstance(rules, Mapping):
            raise SitemapError(
                f"robots: {agents} needs a mapping such as {{'disallow': '/drafts/'}}, not {shown(rules)}."
            )
        lines = []
        for name in map(str.strip, agents.split(",")):
            if name not in PRESETS and not _AGENT.fullmatch(name):
                raise SitemapError(f"robots: {shown(name)} is not a user agent, *, {' or '.join(PRESETS)}.")
            lines += [f"User-agent: {agent}" for agent in PRESETS.get(name, (name,))]
        blocks.append("\n".join([*lines, *_rule_lines(agents, rules)]))
    if sitemaps:
        blocks.append("\n".join(f"Sitemap: {url}" for url in dict.fromkeys(sitemaps)))
    return "".join([OWN_FILE, "\n", "\n\n".join(blocks), "\n"]).encode()


def _rule_lines(agents: str, rules: Mapping[object, object]) -> Iterator[str]:
    for name, values in rules.items():
        field = str(name).lower().replace("_", "-")
        if field not in FIELDS:
            raise SitemapError(f"robots: {agents} has {shown(name)}; a group may hold: {', '.join(FIELDS)}.")
        for value in as_items(values):
            text = str(value).strip() if value is not None else ""
            wrong = ""
            if not isinstance(value, (str, int, float, NoneType)) or "#" in text or not text.isprintable():
                wrong = "one line without #"
            elif field in ("allow", "disallow") and text and text[0] not in "/*":
                wrong = "a path that starts with / or *"
            elif field == "crawl-delay" and not SECONDS.fullmatch(text):
                wrong = "a number of seconds"
            elif field in SIGNALS and not SIGNAL.fullmatch(text):
                wrong = "pairs such as train-ai=n, with commas between them; a path may stand in front"
            if wrong:
                raise SitemapError(f"robots: {agents}, {field}: {shown(value)} must be {wrong}.")
            yield f"{field.capitalize()}: {text}".rstrip()


_LENIENT = {"Googlebot", "sitemap-docs"}  # and ours, which asks for nothing that Google may not
_TOKEN = re.compile(r"\*(?=\s|$)|[a-z_-]+")
_KEPT_ESCAPE = re.compile(r"(%(?:25|2F|2A))", re.IGNORECASE)  # %, / and * would mean something else


class CrawlerRules:
    """The rules of robots.txt for one crawler; ``delay`` is its ``Crawl-delay`` in seconds, or 0.

    The crawler is known by its product token, such as ``Googlebot``.
    """

    def __init__(self, robots: Robots, agent: str) -> None:
        self.delay = 0.0
        allows: dict[str, bool] = {}
        for line in _lines_for(robots, agent):
            if not line.value:
                continue
            pattern = _normalised(line.value.removesuffix("$"), safe="/%=*")
            if line.value.endswith("$"):
                pattern += "$"
            if line.field == "crawl-delay" and SECONDS.fullmatch(line.value):
                self.delay = float(line.value)
            elif line.field == "disallow":
                allows.setdefault(pattern, False)
            elif line.field == "allow":
                allows[pattern] = True
                folder, slash, name = pattern.rpartition("/")
                if slash and name.startswith("index.htm"):  # for Google it is the page of its folder, too
                    allows[f"{folder}/$"] = True
        # The longest pattern that matches decides; of two as long, the permission.
        order = sorted(allows, key=lambda pattern: (-len(pattern), not allows[pattern]))
        self._allows = []
        expressions = []
        for pattern in order:
            self._allows.append(allows[pattern])
            # In which only "*", and "$" at the end, are more than themselves.
            glob = text = pattern.removesuffix("$")
            if text == pattern:
                glob += "*"
            expressions.append(Expression(translate(glob), tuple(text.split("*"))))
        self._patterns = Patterns(expressions)

    def forbids(self, url: str) -> bool:
        """Whether the crawler may not fetch an absolute address."""
        if all(self._allows):
            return False
        parts = split_url(url)
        if not parts.netloc or parts.path == "/robots.txt":
            return False
        path = parts.path or "/"
        if "?" in url.partition("#")[0]:  # also where nothing follows it
            path += f"?{parts.query}"
        for first in self._patterns.all([_normalised(path, safe="/%=")]):
            return not self._allows[first]
        return False


def shut_out(robots: Robots, url: str) -> list[str]:
    """The bots of the preset ``@search`` that may fetch neither the home page ``url`` nor a page below it."""
    bots = []
    for bot in PRESETS["@search"]:
        rules = CrawlerRules(robots, bot)
        if rules.forbids(url) and rules.forbids(f"{url}any-page"):
            bots.append(bot)
    return bots


def _lines_for(robots: Robots, agent: str) -> tuple[Line, ...]:
    """The lines of all groups for a crawler, or where there are none, of those for all crawlers."""
    by_agent: dict[str, list[Line]] = {}
    if agent not in _LENIENT:  # no crawler but Google's reads otherwise than RFC 9309 has it
        robots = Robots(tuple(line for line in robots.lines if not line.misspelled))
    for group in robots.groups:
        tokens = set()
        for line in group.agents:
            match = _TOKEN.match(line.value.lower())
            if match:
                tokens.add(match[0])
        for token in tokens:
            by_agent.setdefault(token, []).extend(group.rules)
    return tuple(by_agent.get(agent.lower(), by_agent.get("*", ())))


def _normalised(text: str, safe: str) -> str:
    """A path or a pattern with an escape for each character that needs one, and for no other."""
    written = ""
    for number, part in enumerate(_KEPT_ESCAPE.split(text)):
        if number % 2:
            written += part.upper()
        else:
            written += quote(unquote(part), safe=safe)
    return written
