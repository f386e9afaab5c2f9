"""The rules in the files of hosts: redirects, and headers ``X-Robots-Tag``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.config.patterns import PLACEHOLDER, Patterns, path_pattern
from sitemap_docs.html.head import x_robots_tag
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import MOVED, OK, resolve, split_url, without_query

REDIRECTS = "_redirects"
HEADERS = "_headers"
_LONGEST = 2_000  # characters of a line that Cloudflare reads

# A rule with a query (before the target) or a condition (after the status) applies to some visitors only.
_LINE = re.compile(
    r"\s*(?P<source>/\S*|https?://\S+)\s+(?P<to>/\S*|https?://\S+)(?:\s+(?P<status>\d{3})(?P<forced>!)?)?\s*(?:\s#.*)?",
    re.ASCII,
)
_NAMED = re.compile(r":([A-Za-z]\w*)", re.ASCII)

OutcomeKind = Literal["", "redirected", "served", "lost"]
"""What visitors find at an address that is no longer listed, or ``""`` if that cannot be known."""


class Outcome(NamedTuple):
    """What visitors find at an old address: a page, a redirect or nothing."""

    kind: OutcomeKind
    target: str = ""


def drop_html(loc: str) -> str:
    """Remove ``.html`` and ``index.html`` from the end of an address.

    >>> [drop_html(f"https://e.org/{path}") for path in ("a.html", "b/index.html", "c/")]
    ['https://e.org/a', 'https://e.org/b/', 'https://e.org/c/']
    """
    if loc.endswith("/index.html"):
        return loc.removesuffix("index.html")
    return loc.removesuffix(".html")


class RedirectRule(NamedTuple):
    """A redirect in ``_redirects`` or netlify.toml."""

    #: The scheme and host, or ``""`` for any host.
    origin: str
    #: A pattern such as ``/old/*``.
    path: str
    #: The target, as written.
    to: str
    status: int
    #: Whether the rule applies even if there is a file at the address.
    forced: bool

    def outcome(self, values: Mapping[str, str]) -> Outcome:
        """Return what visitors get from this redirect rule, for example another page or an error.

        ``values`` replace placeholders in the target, such as ``:splat``.
        """
        if self.status in MOVED:
            return Outcome("redirected", _NAMED.sub(lambda name: values.get(name[1], name[0]), self.to))
        if self.status == OK:
            return Outcome("served")
        return Outcome("lost")


@dataclass(frozen=True)
class Redirects:
    """The redirects of a host. The first rule that matches an address applies."""

    #: The rules.
    rules: tuple[RedirectRule, ...] = ()
    #: Whether the host itself redirects ``a.html`` to ``a``.
    drops_html: bool = False

    def find(self, loc: str, *, existing: bool = False) -> Outcome | None:
        """Return the ``Outcome`` for visitors of a URL to which a redirect rule applies, otherwise None.

        If there is a file at the URL (``existing``), only rules that override files apply, such as those with
        the status ``301!``. https://docs.netlify.com/manage/routing/redirects/rewrites-proxies/#shadowing
        https://docs.gitlab.com/user/project/pages/redirects/
        https://developers.cloudflare.com/pages/configuration/redirects/
        """
        for address in self._addresses(loc):
            outcome = self._match(address, existing=existing)
            if outcome:
                return outcome
        return None

    def elsewhere(self, loc: str, *, existing: bool = False) -> str:
        """Return the target of the redirect from a URL to another page, or ``""`` if there is none.

        If a file exists at the URL (``existing``), only forced rules such as ``/a /b 301!`` apply.
        """
        for address in self._addresses(loc):
            outcome = self._match(address, existing=existing)
            if outcome is None:
                continue
            if outcome.kind != "redirected":
                return ""
            target = resolve(address, outcome.target)
            # A rule that only adds or removes the slash at the end, a query or a fragment leaves the page at
            # its address. So does a rule from a.html to a, if the host redirects so without a rule.
            is_same_page = without_query(target).rstrip("/") == without_query(address).rstrip("/")
            repeats_host = self.drops_html and address.endswith(".html") and target == drop_html(address)
            if not (is_same_page or repeats_host):
                return outcome.target
        return ""

    def _addresses(self, loc: str) -> tuple[str, ...]:
        """Return the URLs of a page that a redirect rule may have: ``/a.html``, on some hosts also ``/a``."""
        if self.drops_html and loc.endswith(".html"):
            return loc, drop_html(loc)
        return (loc,)

    def _match(self, loc: str, *, existing: bool) -> Outcome | None:
        """Return the :class:`Outcome` of the first redirect rule for exactly this URL, or None.

        The outcome is a redirect, a page or an error. If there is a file at the URL (``existing``), only
        rules that override files apply, such as a rule with ``301!``.
        """
        if not self.rules:
            return None
        parts = split_url(loc)
        origin, path = f"{parts.scheme}://{parts.netloc}".lower(), unquote(parts.path)
        # A slash at the end makes no difference. If the address has none, no splat contains it.
        added = "" if path.endswith("/") else "/"
        text = f"{path}{added}"[::-1]
        for number in self.patterns.candidates(text):
            rule = self.rules[number]
            if rule.origin not in ("", origin) or (existing and not rule.forced):
                continue
            match = self.patterns.match(number, text)
            if match:
                values = {name: value[::-1] for name, value in match.groupdict().items()}
                if rule.path.endswith("*"):
                    values["splat"] = values["splat"].removesuffix(added)
                return rule.outcome(values)
        return None

    @cached_property
    def patterns(self) -> Patterns:
        """The paths of the rules, such as ``/old/*``, as compiled patterns."""
        # Hosts let the first of several placeholders take as much as it can, so the patterns run backwards.
        patterns = []
        for rule in self.rules:
            path = rule.path
            if not path.endswith("*"):
                path += "/"
            patterns.append(path_pattern(path, backwards=True))
        return Patterns(patterns)


def underscore_redirects(file: Path) -> Iterator[RedirectRule | None]:
    """Yield the redirects in a file ``_redirects``, and None for each redirect that no host accepts.

    For example, no host accepts a path with two ``*``.

    Raises:
        SitemapError: The file cannot be read.
    """
    with files.translated_errors(file, "read", files.CHECK_FILE):
        data = files.read_file(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeError as error:
        raise SitemapError(f"{file} cannot be read: {error}. Save it as UTF-8.") from None
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match:
            yield redirect_rule(
                match["source"], match["to"], int(match["status"] or 301), bool(match["forced"])
            )


def redirect_rule(source: str, to: str, status: int, forced: bool) -> RedirectRule | None:  # noqa: FBT001
    """Create a redirect, or return None if no host accepts it, for example with two ``*`` in the path.

    https://docs.netlify.com/routing/redirects/redirect-options/
    https://developers.cloudflare.com/pages/configuration/redirects/
    """
    origin, path = "", source
    if "://" in source:
        parts = split_url(source)
        origin, path = f"{parts.scheme}://{parts.netloc}".lower(), parts.path
        if not parts.netloc:
            return None
    path = path.rstrip("/")
    if path.count("*") > 1:
        return None
    for segment in path.split("/"):
        if "*" in segment and len(PLACEHOLDER.findall(segment)) > 1:
            return None
    return RedirectRule(origin, path, to, status, forced)


class HeaderRule(NamedTuple):
    """A line about ``X-Robots-Tag`` in a file such as ``_headers``."""

    #: The paths to which the line applies, such as ``/drafts/*``.
    pattern: str
    #: Whether search engines must not list the pages.
    noindex: bool
    #: The dates after which Google no longer shows the pages.
    unavailable_after: tuple[str, ...] = ()

    @property
    def attaches(self) -> bool:
        """Whether a line in a file such as ``_headers`` sets a header. Other lines remove the header."""
        return self.noindex or bool(self.unavailable_after)


@dataclass(frozen=True)
class Headers:
    """The rules of a site for the header ``X-Robots-Tag``.

    The syntax: https://developers.cloudflare.com/pages/configuration/headers/,
    https://docs.netlify.com/manage/routing/headers/
    """

    #: The rules.
    rules: tuple[HeaderRule, ...] = ()
    #: Whether the host redirects ``a.html`` to ``a``.
    drops_html: bool = False

    def noindex(self, loc: str) -> str:
        """Return the pattern of the header rule that sets ``noindex`` for a URL, or ``""`` if there is none.

        For ``https://example.org/drafts/a/``, the pattern may be ``/drafts/*``.
        """
        return next((rule.pattern for rule in self._find(loc) if rule.noindex), "")

    def unavailable_after(self, loc: str) -> tuple[str, ...]:
        """Return the dates after which Google no longer shows a URL, as strings.

        The host sets these dates in its ``X-Robots-Tag`` headers: ``unavailable_after: 2027-01-01``. ``loc``
        is an absolute URL.
        """
        return tuple(chain.from_iterable(rule.unavailable_after for rule in self._find(loc)))

    def _find(self, loc: str) -> list[HeaderRule]:
        """Return the rules that set HTTP headers for a URL.

        If the host removes ``.html`` from addresses, the rules for ``/a`` also apply to ``/a.html``.
        """
        if not self.rules:
            return []
        rules = self._match(loc)
        if self.drops_html and loc.endswith(".html"):
            rules += self._match(drop_html(loc))
        return rules

    def _match(self, loc: str) -> list[HeaderRule]:
        """Return the rules that set the header ``X-Robots-Tag`` for a URL.

        If a rule removes the header, the rules before it are left out.
        """
        whole, path = unquote(loc), unquote(split_url(loc).path)
        matched: list[HeaderRule] = []
        for number in self.patterns.candidates(whole):
            rule = self.rules[number]
            text = whole if "://" in rule.pattern else path
            if self.patterns.match(number, text):
                if rule.attaches:
                    matched.append(rule)
                else:
                    matched.clear()
        return matched

    @cached_property
    def patterns(self) -> Patterns:
        """The paths of the rules, such as ``/drafts/*``, as compiled patterns."""
        return Patterns([path_pattern(rule.pattern) for rule in self.rules])


def header_rule(pattern: str, name: str, value: str) -> HeaderRule | None:
    """Return a rule for pages if a header, such as ``X-Robots-Tag: noindex``, hides them, otherwise None.

    Args:
        pattern: The paths of the pages, such as ``/drafts/*``.
        name: The name of the header.
        value: The value of the header.
    """
    if name.lower() != "x-robots-tag":
        return None
    tags = x_robots_tag(value)
    dates = tuple(filter(None, (tag.unavailable_after for tag in tags)))
    rule = HeaderRule(pattern, any(tag.noindex for tag in tags), dates)
    return rule if rule.attaches else None


def underscore_headers(output: Path) -> list[HeaderRule]:
    """Read the rules for ``X-Robots-Tag`` in the file ``_headers`` of a built folder."""
    rules: list[HeaderRule] = []
    data = b""
    with suppress(OSError):
        data = files.read_inside(output, HEADERS)
    pattern = ""
    for line in data.decode("utf-8-sig", "replace").splitlines():
        if len(line) > _LONGEST or not line or line.startswith("#"):
            continue
        if not line[0].isspace():
            pattern = line.strip()
            continue
        name, _, value = line.partition(":")
        words = name.lower().split()
        if pattern and words == ["!", "x-robots-tag"]:
            rules.append(HeaderRule(pattern, noindex=False))
        elif pattern and (rule := header_rule(pattern, name.strip(), value)):
            rules.append(rule)
    return rules
