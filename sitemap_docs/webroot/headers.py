"""``_headers``: the pages that Netlify and Cloudflare Pages serve with a noindex header."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.config.patterns import Patterns, path_pattern
from sitemap_docs.html.directives import x_robots_tag
from sitemap_docs.urls.base import split_url

if TYPE_CHECKING:
    from pathlib import Path

FILE = "_headers"
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
        found = ""
        for number in self._patterns.candidates(whole):
            rule = self.rules[number]
            if self._patterns.match(number, whole if "://" in rule.pattern else path):
                if not rule.noindex:
                    found = ""
                elif not found:
                    found = rule.pattern
        return found

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns([path_pattern(rule.pattern) for rule in self.rules])


def read_headers(output: Path) -> Headers:
    """What the ``_headers`` file of an output folder says of ``X-Robots-Tag``; empty without one."""
    try:
        data = files.read_inside(output, FILE)
    except OSError:
        return Headers()
    rules = []
    pattern = ""
    for line in data.decode("utf-8", "replace").splitlines():
        if len(line) > _LONGEST or not line or line.startswith("#"):
            continue
        if not line[0].isspace():
            pattern = line.strip()
            continue
        name, _, value = line.partition(":")
        words = name.lower().split()
        if not pattern:
            continue
        if words == ["!", "x-robots-tag"]:
            rules.append(HeaderRule(pattern, noindex=False))
        elif words == ["x-robots-tag"] and any(tag.noindex for tag in x_robots_tag(value)):
            rules.append(HeaderRule(pattern, noindex=True))
    return Headers(tuple(rules))
