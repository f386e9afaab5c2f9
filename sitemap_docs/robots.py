"""Read, write and merge robots.txt (RFC 9309), and check which addresses it forbids to a crawler."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from types import NoneType
from typing import NamedTuple
from urllib.parse import quote, unquote

from sitemap_docs.config.parsing import as_items
from sitemap_docs.config.patterns import Expression, Patterns
from sitemap_docs.config.similar_names import nearest
from sitemap_docs.linear import linear
from sitemap_docs.model import SitemapError
from sitemap_docs.text import shown
from sitemap_docs.urls.base import split_url

OWN_FILE = "# Written by sitemap-docs; without this line the file is yours and is kept."
"""The first line of a robots.txt that we wrote as a whole."""

OWN_LINE = "# The next line is written by sitemap-docs."
"""The line above each of our Sitemap lines in the user's robots.txt."""

SIGNALS = ("content-signal", "content-usage")
"""Fields that say how a crawler may use pages, as in ``Content-Signal: /blog/ ai-train=no``."""
_SIGNAL = re.compile(r"(?:[/*]\S*\s+)?([^\s=,]+=[^\s,]+(?:\s*,\s*[^\s=,]+=[^\s,]+)*)")
_SIGNAL_WORDS = {
    "content-signal": (("ai-train", "ai-input", "search"), ("no", "yes")),
    "content-usage": (("train-ai", "train-genai", "search", "bots"), ("n", "y")),
}
"""The words of each field and their values, by contentsignals.org and the draft of the IETF's aipref."""

FIELDS = ("allow", "disallow", "crawl-delay", *SIGNALS)
"""The fields of a group, by RFC 9309 and the proposals of contentsignals.org and the IETF's aipref."""

MAX_ROBOTS = 500 * 1024
"""Crawlers may ignore the bytes of a robots.txt after this number (RFC 9309, 2.5)."""

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
"""For each field, the beginnings of names that Google's crawlers accept: robots.cc of google/robotstxt."""
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
"""The user agents that a preset in the option ``robots`` stands for.

The manual links to the vendors' pages about them. Google-Extended and Applebot-Extended are names for
robots.txt only. They do not send requests.
"""


CRAWLERS = ("Googlebot", "bingbot")
"""The crawlers of search engines. Rules and robots tags for them decide about the pages of a site."""


class Line(NamedTuple):
    """A line of a robots.txt, such as ``Disallow: /drafts/``."""

    #: The line number.
    number: int
    #: The name before the colon in lower case.
    field: str
    #: The text after the colon.
    value: str
    #: The line, if only Google accepts its spelling, such as ``Disalow: /a``.
    misspelled: str = ""


class Group(NamedTuple):
    """A part of a robots.txt with the rules for one or more crawlers."""

    #: The lines ``User-agent: …``.
    agents: list[Line]
    #: The lines such as ``Disallow: /drafts/``.
    rules: list[Line]


@dataclass(frozen=True, slots=True)
class Robots:
    """The lines of a parsed robots.txt."""

    lines: tuple[Line, ...]

    @property
    def sitemaps(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.field == "sitemap")

    @property
    def groups(self) -> list[Group]:
        """The rules of the robots.txt, grouped by the crawlers to which they apply."""
        groups: list[Group] = []
        is_complete = False  # only a rule completes the list of agents (RFC 9309 2.2.4)
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
    """Parse a robots.txt. Misspelled fields are accepted, as Google does.

    >>> parse_robots(b"Disallow: /a # all").lines
    (Line(number=1, field='disallow', value='/a', misspelled=''),)
    >>> parse_robots(b"Disallow /a").lines
    (Line(number=1, field='disallow', value='/a', misspelled='Disallow /a'),)
    """
    lines = []
    for number, raw in enumerate(data.lstrip(_BOM).splitlines(), 1):
        text = raw.partition(b"#")[0].decode(errors="replace").strip()
        name, colon, value = text.partition(":")
        words = text.split(maxsplit=2)
        if not colon and len(words) == 2:  # noqa: PLR2004
            name, value = words
        field = _known_field(name.strip().lower())
        if colon or (value and field in _STARTS):
            is_right = colon and field == name.strip().lower()
            misspelled = "" if is_right else text
            lines.append(Line(number, field, value.strip(), misspelled))
        elif text:
            lines.append(Line(number, "", text))
    return Robots(tuple(lines))


def _known_field(name: str) -> str:
    """Correct a misspelled field of a robots.txt: ``disalow`` becomes ``disallow``."""
    for field, starts in _STARTS.items():
        # In `sitemap https://…`, the colon belongs to the address.
        if name.startswith(starts) and not name.startswith("sitemap "):
            return field
    return name


def merge_robots(
    existing: bytes | None, sitemaps: Sequence[str], groups: Mapping[str, object] | None = None
) -> bytes:
    """Add the URLs of sitemaps to an existing robots.txt, or return a new one.

    Args:
        existing: The current robots.txt, or None.
        sitemaps: The URLs of the sitemaps.
        groups: Rules for a new robots.txt, such as ``{"GPTBot": {"disallow": "/drafts/"}}``.

    Raises:
        SitemapError: A rule is not valid, or the file is in UTF-16.
    """
    users_text = None
    if existing is not None:
        users_text = remove_our_lines(existing)
    if users_text is None:
        return render_robots(sitemaps, groups)
    present_urls = {line.value for line in parse_robots(users_text).sitemaps}
    eol: bytes = [b"\n", *_EOLS.findall(users_text)][-1]
    our_lines: list[bytes] = []
    for url in dict.fromkeys(sitemaps):
        if url not in present_urls:
            our_lines += [OWN_LINE.encode(), f"Sitemap: {url}".encode()]
    if not our_lines:
        return users_text
    block = eol.join(our_lines)
    if users_text in (b"", _BOM):
        return users_text + block + eol
    if users_text.endswith((b"\n", b"\r")):
        return users_text + eol + block + eol
    # The user's last line has no end. Then our last line has none either, so that `remove_our_lines` knows.
    return users_text + eol + eol + block


def remove_our_lines(data: bytes) -> bytes | None:
    """Remove the lines that :func:`merge_robots` added to a robots.txt.

    If sitemap-docs has created the file, return None.

    Raises:
        SitemapError: The file is in UTF-16.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SitemapError(
            "robots.txt is encoded in UTF-16, but crawlers only read UTF-8 (RFC 9309). Save the file as "
            "UTF-8."
        )
    bom = _BOM if data.startswith(_BOM) else b""
    users_lines: list[bytes] = []
    our_last_line = b""  # the line above, if it is ours
    for line in data[len(bom) :].splitlines(keepends=True):
        if line.strip() == OWN_LINE.encode():
            # We wrote an empty line before the first of our marks.
            if users_lines and users_lines[-1] in (b"\n", b"\r\n", b"\r") and not our_last_line:
                users_lines.pop()
            our_last_line = line
        elif our_last_line.strip() == OWN_LINE.encode() and _SITEMAP.match(line):
            our_last_line = line
        else:
            users_lines.append(line)
            our_last_line = b""
    if users_lines and users_lines[0].strip() == OWN_FILE.encode():
        return None
    if users_lines and our_last_line and not our_last_line.endswith((b"\n", b"\r")):
        users_lines[-1] = users_lines[-1].rstrip(b"\r\n")
    return bom + b"".join(users_lines)


def render_robots(sitemaps: Sequence[str], groups: Mapping[str, object] | None = None) -> bytes:
    """Return the content of a new robots.txt.

    Args:
        sitemaps: The URLs of the sitemaps.
        groups: Rules such as ``{"GPTBot": {"disallow": "/drafts/"}}``.

    Raises:
        SitemapError: A rule is not valid.
    """
    blocks = []
    for agents, rules in (groups or {"*": {"allow": "/"}}).items():
        if not isinstance(rules, Mapping):
            raise SitemapError(
                f"robots: {agents} must have a mapping such as {{'disallow': '/drafts/'}}, "
                f"not {shown(rules)}."
            )
        lines = []
        for name in map(str.strip, agents.split(",")):
            if name not in PRESETS and not _AGENT.fullmatch(name):
                raise SitemapError(
                    f"robots: {shown(name)} is not valid. Write the name of a crawler such as GPTBot, or one "
                    f"of: *, {', '.join(PRESETS)}."
                )
            lines += [f"User-agent: {agent}" for agent in PRESETS.get(name, (name,))]
        lines += _rule_lines(agents, rules)
        blocks.append("\n".join(lines))
    if sitemaps:
        lines = [f"Sitemap: {url}" for url in dict.fromkeys(sitemaps)]
        blocks.append("\n".join(lines))
    text = "\n\n".join(blocks)
    return f"{OWN_FILE}\n{text}\n".encode()


def _rule_lines(agents: str, rules: Mapping[object, object]) -> Iterator[str]:
    """Yield the lines of a robots.txt for rules: ``Disallow: /drafts/`` for ``{"disallow": "/drafts/"}``.

    ``agents`` are the crawlers to which the rules apply, for error messages.
    """
    for name, values in rules.items():
        field = str(name).lower().replace("_", "-")
        if field not in FIELDS:
            raise SitemapError(
                f"robots: {agents} has the unknown field {shown(name)}. The fields are: {', '.join(FIELDS)}."
            )
        for value in as_items(values):
            text = str(value).strip() if value is not None else ""
            wrong = ""
            if not isinstance(value, (str, int, float, NoneType)) or "#" in text or not text.isprintable():
                wrong = "one line without #"
            elif field in ("allow", "disallow") and text and text[0] not in "/*":
                wrong = "a path that starts with / or *"
            elif field == "crawl-delay" and not SECONDS.fullmatch(text):
                wrong = "a number of seconds"
            elif field in SIGNALS:
                wrong = find_signal_fault(field, text)
            if wrong:
                raise SitemapError(f"robots: {agents}, {field}: {shown(value)} must be {wrong}.")
            yield f"{field.capitalize()}: {text}".rstrip()


def find_signal_fault(field: str, text: str) -> str:
    """Return how to correct the value of ``Content-Signal`` or ``Content-Usage`` in robots.txt, or ``""``.

    If the value is wrong, the returned text can follow the words "It must be":

    >>> find_signal_fault("content-signal", "search=yes, ai-train=no")
    ''
    >>> find_signal_fault("content-signal", "ai_train=no")
    'pairs with ai-train=no or ai-train=yes, instead of ai_train=no'
    """
    words, values = _SIGNAL_WORDS[field]
    match = _SIGNAL.fullmatch(text)
    if match is None:
        example = f"{words[0]}={values[0]}"
        return f"pairs such as {example}, separated by commas. A path may come first"
    for pair in map(str.strip, match[1].split(",")):
        word, _, value = pair.partition("=")
        known = word.lower()
        if known not in words:
            known = nearest(known, words) or ""
        is_valid = known == word.lower() and value.lower() in values
        if known and not is_valid:
            allowed = " or ".join(f"{known}={value}" for value in values)
            return f"pairs with {allowed}, instead of {pair}"
    return ""


_LENIENT = {"Googlebot", "sitemap-docs"}  # our client obeys all rules that Google obeys
_TOKEN = re.compile(r"\*(?=\s|$)|[a-z_-]+")
_KEPT_ESCAPE = re.compile(r"(%(?:25|2F|2A))", re.IGNORECASE)  # decoded, %, / and * have another meaning


class CrawlerRules:
    r"""The rules of a robots.txt that apply to one crawler.

    >>> rules = CrawlerRules(parse_robots(b"User-agent: *\nDisallow: /drafts/"), "Googlebot")
    >>> rules.forbids("https://example.org/drafts/a"), rules.forbids("https://example.org/guide/")
    (True, False)

    Attributes:
        delay: The seconds to wait between two requests (``Crawl-delay``), or 0.
    """

    def __init__(self, robots: Robots, agent: str) -> None:
        self.delay = 0.0
        allows: dict[str, bool] = {}
        for line in _lines_for(robots, agent):
            if not line.value:
                continue
            pattern = _normalise(line.value.removesuffix("$"), safe="/%=*")
            if line.value.endswith("$"):
                pattern += "$"
            if line.field == "crawl-delay" and SECONDS.fullmatch(line.value):
                self.delay = float(line.value)
            elif line.field == "disallow":
                allows.setdefault(pattern, False)
            elif line.field == "allow":
                allows[pattern] = True
                folder, slash, name = pattern.rpartition("/")
                if slash and name.startswith("index.htm"):  # for Google, this allows the folder itself, too
                    allows[f"{folder}/$"] = True
        # The longest pattern that matches decides. If two patterns have this length, the permission decides.
        order = sorted(allows, key=lambda pattern: (-len(pattern), not allows[pattern]))
        self._allows = []
        expressions = []
        for pattern in order:
            self._allows.append(allows[pattern])
            # In a pattern, only "*" is special, and "$" at the end.
            text = pattern.removesuffix("$")
            glob = text
            if text == pattern:
                glob += "*"
            parts = tuple(text.split("*"))
            expressions.append(Expression(translate(glob), parts))
        self._patterns = Patterns(expressions)

    def forbids(self, url: str) -> bool:
        """Check whether the robots.txt forbids the crawler to fetch a URL."""
        if all(self._allows):
            return False
        parts = split_url(url)
        if not parts.netloc or parts.path == "/robots.txt":
            return False
        path = parts.path or "/"
        if "?" in url.partition("#")[0]:  # parts.query does not tell `a?` from `a`
            path += f"?{parts.query}"
        for first in self._patterns.all([_normalise(path, safe="/%=")]):
            return not self._allows[first]
        return False


def search_rules(robots: Robots) -> dict[str, CrawlerRules]:
    """Return the rules of a robots.txt for each crawler of a search engine, such as ``Googlebot``."""
    return {crawler: CrawlerRules(robots, crawler) for crawler in CRAWLERS}


def forbids_folder(rules: CrawlerRules, url: str) -> bool:
    """Check whether robots.txt blocks a crawler from a whole folder, such as ``https://example.org/2.0/``.

    ``rules`` are the rules of robots.txt for this crawler.
    """
    return rules.forbids(url) and rules.forbids(f"{url}any-page")


def blocked_search_bots(robots: Robots, url: str) -> list[str]:
    r"""Return the crawlers of search engines that may fetch no page of a site.

    >>> blocked_search_bots(parse_robots(b"User-agent: Bingbot\nDisallow: /"), "https://example.org/")
    ['Bingbot']
    """
    return [bot for bot in PRESETS["@search"] if forbids_folder(CrawlerRules(robots, bot), url)]


def _lines_for(robots: Robots, agent: str) -> tuple[Line, ...]:
    """Return the rules for a crawler. If it has no rules of its own, return the rules for ``*``."""
    by_agent: dict[str, list[Line]] = {}
    if agent not in _LENIENT:  # only Google's crawlers accept more than RFC 9309 allows
        lines = [line for line in robots.lines if not line.misspelled]
        robots = Robots(tuple(lines))
    for group in robots.groups:
        tokens = set()
        for line in group.agents:
            match = _TOKEN.match(line.value.lower())
            if match:
                tokens.add(match[0])
        for token in tokens:
            by_agent.setdefault(token, []).extend(group.rules)
    return tuple(by_agent.get(agent.lower(), by_agent.get("*", ())))


def _normalise(text: str, safe: str) -> str:
    """Return a path in one spelling, so that ``/%7Ea`` and ``/~a`` become equal.

    ``safe`` contains the characters that are not percent-encoded.
    """
    normalised = ""
    for number, part in enumerate(_KEPT_ESCAPE.split(text)):
        is_escape = number % 2 == 1
        if is_escape:
            normalised += part.upper()
        else:
            normalised += quote(unquote(part), safe=safe)
    return normalised
