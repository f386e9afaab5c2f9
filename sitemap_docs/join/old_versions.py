"""Headers that keep old versions out of search engines: ``_headers`` of Netlify and Cloudflare Pages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

from sitemap_docs.html.head import read_head
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.text import many
from sitemap_docs.urls.base import split_url
from sitemap_docs.webroot.headers import FILE, merge_headers
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from sitemap_docs.join.sitemaps import Child
    from sitemap_docs.output.folder import Output
    from sitemap_docs.pipeline import SiteBuild
    from sitemap_docs.urls.base import Base
    from sitemap_docs.webroot.headers import Headers

Mode = Literal["canonical", "noindex"]

NOINDEX = "X-Robots-Tag: noindex"
MAX_RULES = 100
"""Of which Cloudflare Pages reads no more: https://developers.cloudflare.com/pages/configuration/headers/."""
_HOSTS = ("", "Netlify", "Cloudflare Pages", "GitHub Actions")  # the last deploys to any host


class PageHeader(NamedTuple):
    """A path pattern of ``_headers``, and the header of the pages that it matches."""

    pattern: str
    header: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OldVersions:
    """The builds that are kept out of the index, each with the path of its canonical build, and how."""

    builds: Mapping[str, str]
    mode: Mode = "canonical"

    def headers(self, webroot: Webroot, children: Sequence[Child], headers: Headers) -> Iterator[PageHeader]:
        """The headers, given the ``headers`` that the user has.

        A page without a canonical link of its own whose address below the build is listed in the canonical
        build, too, gets a canonical link there; the other pages get noindex. What a page itself or the user
        already keeps out of the index gets none.
        """
        for build, target in sorted(self.builds.items()):
            below = webroot.base.loc(build)
            everything = PageHeader(f"{split_url(below).path}*", NOINDEX)
            if self.mode == "noindex":
                yield everything
                continue
            there = webroot.base.loc(target)
            listed = _own(children, target, webroot.base)
            locs = _own(children, build, webroot.base)
            wanted = {loc: _header(loc, there + loc.removeprefix(below), listed, webroot) for loc in locs}
            found = [
                PageHeader(split_url(loc).path, header)
                for loc, header in wanted.items()
                if header and not headers.noindex(loc)
            ]
            alike = len(found) == len(wanted) > 1 and all(each.header == NOINDEX for each in found)
            yield from [everything] if alike else found


def _own(children: Iterable[Child], build: str, base: Base) -> dict[str, None]:
    """The locs of a build's pages that its sitemaps list, as ``base`` spells them.

    Other places get no header because a build lists them, and in this spelling nothing is a wildcard.
    """
    entries = chain.from_iterable(child.entries() for child in children if child.build == build)
    paths = (base.path_of(entry.loc) for entry in entries)
    return {base.loc(path): None for path in paths if path and path.startswith(build)}


def _header(loc: str, counterpart: str, listed: Container[str], webroot: Webroot) -> str:
    file = webroot.file(loc)
    head = read_head(file) if file else None
    if head and (head.noindex or head.refresh_elsewhere(loc) or head.canonical_elsewhere(loc)):
        return ""
    own = head.canonicals if head else ()
    return f'Link: <{counterpart}>; rel="canonical"' if counterpart in listed and not own else NOINDEX


def add_headers(site: SiteBuild, output: Output, headers: Sequence[PageHeader]) -> Iterator[Finding]:
    """Puts the headers into ``_headers`` in place of those of an earlier run, or reports why not."""
    file = output.folder / FILE
    if file.is_symlink():
        if headers:
            yield _unwritten("it is a symbolic link. Replace it by a file.")
        return
    if headers and not site.base.is_root:
        yield _unwritten(f"hosts read it only at the root of {site.base.origin}. Add these there: ", headers)
        return
    found = file.read_bytes() if file.is_file() else b""
    merged = merge_headers(found, headers)
    if not merged and found:
        output.remove(FILE)
    elif merged != found:
        output.add(FILE, merged)
    if headers:
        yield from _limits(site.platform.name, len(headers))


def _limits(platform: str, rules: int) -> Iterator[Finding]:
    if platform not in _HOSTS:
        message = f"{platform} does not read {FILE}. Set the headers of old versions there."
        yield Finding(rule="headers-unread", where=FILE, message=message)
    elif rules > MAX_RULES and platform != "Netlify":
        message = (
            f"{FILE} has {many(rules, 'rule')} for old versions; Cloudflare Pages reads {MAX_RULES}. "
            "Pass --old-versions noindex, which writes one for each version."
        )
        severity: Literal["warning", "info"] = "warning" if platform == "Cloudflare Pages" else "info"
        yield Finding(rule="headers-limit", where=FILE, message=message, severity=severity)


def _unwritten(why: str, headers: Iterable[PageHeader] = ()) -> Finding:
    lines = "\n".join(f"{each.pattern}\n  {each.header}" for each in headers)
    return Finding(rule="headers-unwritten", where=FILE, message=f"{FILE} is not written: {why}", hint=lines)


def require_tree(tree: object) -> None:
    """Raises SitemapError without a folder of builds, whose pages have to be read."""
    if tree is None:
        raise SitemapError("--canonical-version needs the folder of the builds: sitemap-docs join TREE.")
