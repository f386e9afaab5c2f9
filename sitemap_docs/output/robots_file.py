"""robots.txt in the output folder, which names the sitemaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urljoin

from sitemap_docs import files, robots
from sitemap_docs.config.options import Options
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.output.transaction import Output, translated_errors
from sitemap_docs.programs.read_the_docs import is_on_read_the_docs
from sitemap_docs.robots import SearchRules
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, without_query
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.urls.versions import is_version

ROBOTS = "robots.txt"


class RobotsTxt:
    """The robots.txt of a build: read once, compared with the listed addresses, and written.

    ``folder`` is deployed to ``base``, and ``root`` is that of the project. Raises SitemapError for a file
    that cannot be read, and for groups of rules that are not valid.
    """

    def __init__(self, folder: Path, base: Base, platform: Platform, options: Options, root: Path) -> None:
        self._file = folder / ROBOTS
        self._base = base
        self._platform = platform
        self._options = options
        self._root = root
        self._groups = options.robots if isinstance(options.robots, Mapping) else None
        self._found: bytes | None = None
        # A link to a device or to a file outside the site is neither read nor changed.
        if files.find_inside(folder, ROBOTS):
            with translated_errors(self._file, "read"):
                self._found = files.read_file(self._file)
        self._yours: bytes | None = None  # what the user wrote of it
        self._fault = ""
        if self._found is not None:
            try:
                self._yours = robots.without(self._found)
            except SitemapError as error:  # in UTF-16
                self._fault = str(error)
        # None where no crawler reads it, or it forbids the whole site.
        self._rules: SearchRules | None = None
        if base.is_root and not self._fault:
            data = self._yours
            if data is None:  # the rules are all ours
                data = robots.render_robots([], self._groups)
            rules = SearchRules(robots.parse_robots(data[: robots.MAX_ROBOTS]))
            if not rules.forbid(base.url):
                self._rules = rules
        self._forbidden: list[str] = []
        self._crawlers: set[str] = set()

    @property
    def named(self) -> list[str]:
        """The addresses of sitemaps in lines of the user's."""
        return [line.value for line in robots.parse_robots(self._yours or b"").sitemaps]

    def compare(self, loc: str) -> None:
        """Takes a listed address."""
        crawlers = self._rules.forbid(loc) if self._rules else ()
        if crawlers:
            self._forbidden.append(loc)
            self._crawlers.update(crawlers)

    def write(self, output: Output, sitemaps: Sequence[str]) -> list[Finding]:
        """Adds the file that names the sitemaps, by their paths below the base, where a crawler reads it.

        The first is the whole sitemap, the others are indexes that it lists.
        Returns findings about listed addresses that it forbids, about lines that the user has to write, and
        about options that have no effect.
        """
        findings = [*self._unread(sitemaps)]
        wanted, base = self._options.robots, self._base
        more = list(extra_sitemaps(self._options.extra_sitemaps, base))
        urls = [urljoin(base.url, name) for name in sitemaps] + more
        lines = " ".join(f"Sitemap: {url}" for url in urls)
        if wanted == "off" or not urls:
            self._remove_our_lines(output)
        elif wanted == "auto" and self._platform.serves_robots and self._yours is None and not self._fault:
            self._remove_our_lines(output)
            if more:
                message = (
                    f"{self._platform.name} serves a robots.txt of its own, so the option `extra_sitemaps` "
                    f"has no effect: {' '.join(more)}. Set the option `robots` to true to write one, with "
                    "the rules for hidden versions that it has."
                )
                findings.append(
                    Finding(rule="extra-sitemaps-unused", where=ROBOTS, message=message, strict=True)
                )
        elif wanted == "auto" and not (base.is_root or self._platform.serves_robots):
            self._remove_our_lines(output)
            if not (base.is_local or is_on_read_the_docs(base, self._root)):
                message = f"Crawlers read only {base.origin}/robots.txt. Add there: {lines}"
                if self._platform.is_version:
                    message = (
                        f"Crawlers read only {base.origin}/robots.txt. When all versions are built, run "
                        "`sitemap-docs join` on their folder"
                    )
                    tree = _tree_of(base)
                    if tree.is_root:
                        message += ": it names one sitemap of all of them there."
                    else:
                        message += f", and add there: Sitemap: {tree.loc(self._options.filename)}"
                findings.append(Finding(rule="robots-below-root", severity="info", message=message))
        elif self._fault:
            message = f"{self._fault} It is not changed, and must have: {lines}"
            findings.append(Finding(rule="robots-not-utf8", where=ROBOTS, message=message))
        elif self._found is None and self._file.is_symlink():
            message = (
                f"{self._file} is a link to a file outside the site, and is not changed. Add to its target: "
                f"{lines}"
            )
            findings.append(Finding(rule="robots-link", where=ROBOTS, message=message))
        else:
            if self._groups and self._yours is not None:
                message = (
                    "The groups of the option `robots` are not used: you have a robots.txt of your own. "
                    "Keep one."
                )
                findings.append(
                    Finding(rule="robots-groups-unused", where=ROBOTS, message=message, strict=True)
                )
            output.add(ROBOTS, robots.merge_robots(self._found, urls, self._groups))
        return findings

    def _unread(self, sitemaps: Sequence[str]) -> Iterator[Finding]:
        """What crawlers do not read of the listed addresses and the sitemaps, by the rules or their own."""
        if self._forbidden:
            message = (
                f"robots.txt forbids {' and '.join(sorted(self._crawlers))} to read {len(self._forbidden):,} "
                f"of the addresses that the sitemap lists, such as {one_line(self._forbidden[0])}. Allow "
                "them there, or take the pages out of the sitemap with the option `excludes`."
            )
            yield Finding(rule="listed-url-disallowed", where=ROBOTS, message=message)
        for name in sitemaps:
            crawlers = self._rules.forbid(urljoin(self._base.url, name)) if self._rules else ()
            if crawlers:
                message = (
                    f"robots.txt forbids {' and '.join(crawlers)} to read the sitemap, {one_line(name)}. "
                    f"Add `Allow: /{one_line(name)}` to their rules there."
                )
                yield Finding(rule="sitemap-disallowed", where=ROBOTS, message=message)
                break
        if len(sitemaps) > 1:
            message = (
                f"{sitemaps[0]} lists {many(len(sitemaps) - 1, 'index')}, and Google and Bing read one "
                "level of indexes only. robots.txt must name these, too, as one that the build writes does."
            )
            yield Finding(rule="index-cascaded", severity="info", message=message)

    def _remove_our_lines(self, output: Output) -> None:
        """Takes back the lines of an earlier build, which may name a sitemap that is gone."""
        if self._found is None or self._fault or self._file.is_symlink():
            return
        if self._yours is None:
            output.remove(ROBOTS)
        elif self._yours != self._found:
            output.add(ROBOTS, self._yours)


def _tree_of(base: Base) -> Base:
    """The base URL of the folder that holds all versions, and all languages, of a version at ``base``."""
    folders = base.url.removeprefix(base.origin).strip("/").split("/")[:-1]
    while folders and (folder_language(folders[-1]) or is_version(folders[-1])):
        folders.pop()
    return Base.of("/".join([base.origin, *folders, ""]))


def extra_sitemaps(urls: Iterable[str], base: Base) -> Iterator[str]:
    """The option ``extra_sitemaps`` as absolute URLs, on any host; SitemapError for one that is none."""
    for url in urls:
        try:
            absolute = urljoin(base.url, url.lstrip("/")).replace(" ", "%20")
            Base.of(without_query(absolute))
        except (SitemapError, ValueError):
            raise SitemapError(
                f"The option `extra_sitemaps` has {url!r}: it must be the address of a sitemap, absolute or "
                "below the base URL."
            ) from None
        yield absolute
