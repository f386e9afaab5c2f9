"""A built folder as a web server shows it: the file behind an address; redirects and headers of its host."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.config.patterns import PLACEHOLDER, Patterns, path_pattern
from sitemap_docs.html.head import read_head, x_robots_tag
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import MOVED, OK, Base, resolve, split_url, without_query

#: The files of the home page, in the order in which a web server looks for them.
HOME_PAGES = ("index.html", "index.htm")

_FOLDERS = 128  # whose names are remembered: addresses come sorted
_DEEPEST = 32  # folders
_TRIES = 100  # addresses that are looked for, to learn where a folder is deployed to


class Webroot:
    """A folder, and the base URL that the folder is deployed to.

    No address leads out of the folder, through links or otherwise, nor to anything but a regular file.

    Args:
        folder: The folder.
        base: The base URL.
        known: The names of files that are known to be in the folder. Others are looked up.
        listed: The files of listed pages, by path below the base. They are only needed for paths at which a
            web server could also send another file.
    """

    def __init__(
        self,
        folder: Path,
        base: Base,
        known: frozenset[str] = frozenset(),
        listed: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.base = base
        self.files = known
        self._listed = listed or {}
        root = os.path.realpath(folder)
        self._names = lru_cache(_FOLDERS)(lambda below: frozenset(files.names_inside(root, below)))

    @classmethod
    def guess(cls, folder: Path, locs: Iterable[str]) -> Webroot | None:
        """Return the folder with the base URL at which most of the first ``locs`` have a file, or None.

        If several base URLs fit equally well, the one at which more of the files are not the home page wins:
        any address is that of the home page at some base URL. Then the longest one wins.
        """
        built: dict[str, Webroot] = {}
        found: Counter[str] = Counter()
        other_pages: Counter[str] = Counter()
        for loc in islice(locs, _TRIES):
            parts = split_url(loc)
            url = f"{parts.scheme}://{parts.netloc}"
            for segment in (parts.path or "/").split("/", _DEEPEST)[:-1]:
                url = f"{url}{segment}/"
                try:
                    built[url] = built.get(url) or cls(folder, Base.of(url))
                except SitemapError:  # the address has no host, or a query in the place of a folder
                    break
                if name := built[url].file_of(loc):
                    found[url] += 1
                    other_pages[url] += name not in HOME_PAGES
        best = max(found, key=lambda url: (found[url], other_pages[url], len(url)), default="")
        return built.get(best)

    def with_pages(self, pages: Iterable[tuple[str, str]]) -> Webroot:
        """Return this folder with the addresses of listed pages, so that several files at one path are known.

        ``pages`` are the addresses of the listed pages, each with the file of the page.
        """
        listed = {}
        for loc, file in pages:
            path = self.path_of(loc)
            if path is None or file not in tried(path)[1:]:  # Most pages have the first file for their path.
                continue
            if self.file_at(path) != file:
                listed[path] = file
        return Webroot(self.folder, self.base, self.files, listed)

    def file(self, url: str) -> Path | None:
        """The file that a web server sends for an address of this site; None when there is none."""
        name = self.file_of(url)
        return None if name is None else self.folder / name

    def file_of(self, url: str) -> str | None:
        """The name below the folder, with slashes, of the file that a web server sends for an address."""
        path = self.path_of(url)
        return None if path is None else self.file_at(path)

    def file_at(self, path: str) -> str | None:
        """Return the file that a web server sends for a path below the base, or None.

        The path is not percent-encoded. If both ``a.html`` and ``a/index.html`` could answer for ``a``, the
        file of the page that is listed there counts. If no page is listed there, the first file counts.
        """
        if path in self._listed:
            return self._listed[path]
        name = path if path.isascii() else os.fsdecode(path.encode("utf-8", "surrogateescape"))
        for each in tried(name):
            if each in self.files:
                return each
        for each in tried(name):
            folder, _, last = each.rpartition("/")
            if files.is_below(each) and last in self._names(folder):
                return each
        return None

    def path_of(self, url: str) -> str | None:
        """The path of an address below the base URL, without query and fragment; None for other sites."""
        return self.base.path_of(without_query(url))


def tried(path: str) -> list[str]:
    """The files that a web server looks for at a path, in its order: with .html, or a folder's index."""
    if not path or path.endswith("/"):
        return [f"{path}index.html", f"{path}index.htm"]
    return [path, f"{path}.html", f"{path}/index.html"]


def find_copied(folder: Path, url: str) -> str | None:
    """The name of the file below a folder that is a copy of what an address names, wherever it is deployed.

    It is the longest end of the address's path that is there; None where nothing is.
    """
    written = [segment for segment in split_url(url).path.split("/") if segment][-_DEEPEST:]
    segments = [unquote(segment, errors="surrogateescape") for segment in written]
    if any("/" in segment for segment in segments):
        return None
    for start in range(len(segments)):
        name = "/".join(segments[start:])
        if files.find_inside(folder, name):
            return name
    return None


# A rule with a query (before the target) or a condition (after the status) holds for some visitors only.
_LINE = re.compile(
    r"\s*(?P<source>/\S*|https?://\S+)\s+(?P<to>/\S*|https?://\S+)(?:\s+(?P<status>\d{3})(?P<forced>!)?)?\s*(?:\s#.*)?",
    re.ASCII,
)
_NAMED = re.compile(r":([A-Za-z]\w*)", re.ASCII)

OutcomeKind = Literal["", "redirected", "served", "lost"]
"""What is at an address that is no longer listed; ``""`` where it cannot be known."""


class Outcome(NamedTuple):
    """What is found at an address that is no longer listed; ``target`` is where a redirect leads."""

    kind: OutcomeKind
    target: str = ""


class RedirectRule(NamedTuple):
    """One line of ``_redirects`` or table of netlify.toml.

    ``origin`` is the scheme and host of the addresses, ``""`` for any. ``path`` is a pattern without a slash
    at its end. ``forced`` rules hold where a file answers, too.
    """

    origin: str
    path: str
    to: str
    status: int
    forced: bool

    def outcome(self, values: Mapping[str, str]) -> Outcome:
        """Returns what is found at an address that the rule matches with these values of its placeholders."""
        if self.status in MOVED:
            return Outcome("redirected", _NAMED.sub(lambda name: values.get(name[1], name[0]), self.to))
        if self.status == OK:
            return Outcome("served")
        return Outcome("lost")


@dataclass(frozen=True)
class Redirects:
    """The rules of a host, the first match of which holds."""

    rules: tuple[RedirectRule, ...] = ()

    def find(self, loc: str, *, existing: bool = False) -> Outcome | None:
        """Returns what is found at an address; None where no rule covers it.

        Where a file answers for the address (``existing``), only rules that are forced hold: Netlify and
        GitLab Pages serve the file. On Cloudflare Pages, all rules are forced.
        https://docs.netlify.com/manage/routing/redirects/rewrites-proxies/#shadowing
        https://docs.gitlab.com/user/project/pages/redirects/
        https://developers.cloudflare.com/pages/configuration/redirects/
        """
        if not self.rules:
            return None
        parts = split_url(loc)
        origin, path = f"{parts.scheme}://{parts.netloc}".lower(), unquote(parts.path)
        # A slash at the end makes no difference; one that the address does not have is in no splat.
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

    def elsewhere(self, loc: str, *, existing: bool = False) -> str:
        """The other address that a rule sends visitors of ``loc`` to, as written; ``""`` where none does."""
        outcome = self.find(loc, existing=existing)
        if outcome is None or outcome.kind != "redirected":
            return ""
        # A rule that leads to the address with or without a slash at its end leaves the page there.
        if resolve(loc, outcome.target).rstrip("/") == loc.rstrip("/"):
            return ""
        return outcome.target

    @cached_property
    def patterns(self) -> Patterns:
        # Backwards, as hosts let the first of several placeholders take as much as it can.
        patterns = []
        for rule in self.rules:
            path = rule.path
            if not path.endswith("*"):
                path += "/"
            patterns.append(path_pattern(path, backwards=True))
        return Patterns(patterns)


def finder(redirects: Redirects, built: Webroot | None) -> Callable[[str], Outcome]:
    """Returns what ``diff`` asks for each address that went: first the built pages, then the rules."""

    def find(loc: str) -> Outcome:
        file = built and built.file(loc)
        found = redirects.find(loc, existing=file is not None)
        if found:
            return found
        if file:
            target = read_head(file).refresh
            return Outcome("served") if target is None else Outcome("redirected", target)
        return Outcome("lost" if built or redirects.rules else "")

    return find


def underscore_redirects(file: Path) -> Iterator[RedirectRule | None]:
    try:
        text = files.read_file(file).decode("utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise SitemapError(f"{file} cannot be read: {error}. Save it as UTF-8.") from None
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match:
            yield redirect_rule(
                match["source"], match["to"], int(match["status"] or 301), bool(match["forced"])
            )


def redirect_rule(source: str, to: str, status: int, forced: bool) -> RedirectRule | None:  # noqa: FBT001
    """A rule as Netlify, Cloudflare Pages and GitLab Pages read it; a slash at the end makes no difference.

    None for what no host reads: an impossible address, two splats, a splat and a placeholder between two
    slashes.
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


HEADERS = "_headers"
_LONGEST = 2_000  # characters of a line that Cloudflare reads


class HeaderRule(NamedTuple):
    """A line for ``X-Robots-Tag`` below a path pattern: it forbids indexing or detaches earlier lines."""

    pattern: str
    noindex: bool


@dataclass(frozen=True)
class Headers:
    """The rules of a site for the header ``X-Robots-Tag``; a page has the headers of all rules that match it.

    ``*`` matches any characters and ``:name`` all but slashes, and in a host but dots. ``! X-Robots-Tag``
    detaches what earlier rules attach
    (https://developers.cloudflare.com/pages/configuration/headers/, https://docs.netlify.com/manage/routing/headers/).
    """

    rules: tuple[HeaderRule, ...] = ()

    def noindex(self, loc: str) -> str:
        """The pattern that keeps an absolute URL out of the index; ``""`` when none does."""
        if not self.rules:
            return ""
        whole, path = unquote(loc), unquote(split_url(loc).path)
        pattern = ""
        for number in self.patterns.candidates(whole):
            rule = self.rules[number]
            text = whole if "://" in rule.pattern else path
            if self.patterns.match(number, text):
                if not rule.noindex:
                    pattern = ""
                elif not pattern:
                    pattern = rule.pattern
        return pattern

    @cached_property
    def patterns(self) -> Patterns:
        return Patterns([path_pattern(rule.pattern) for rule in self.rules])


def bars_robots(name: str, value: str) -> bool:
    """Whether a header keeps a page out of the index."""
    return name.lower() == "x-robots-tag" and any(tag.noindex for tag in x_robots_tag(value))


def underscore_headers(output: Path) -> list[HeaderRule]:
    """Returns what ``_headers`` in an output folder says of ``X-Robots-Tag``."""
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
        elif pattern and bars_robots(name.strip(), value):
            rules.append(HeaderRule(pattern, noindex=True))
    return rules
