"""The robots.txt in the output folder, which mentions the sitemaps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urljoin

from sitemap_docs import files, robots
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.output.transaction import Output
from sitemap_docs.programs.github import robots_repository
from sitemap_docs.project import Project
from sitemap_docs.rules import reported
from sitemap_docs.urls.base import Base, split_url, without_query
from sitemap_docs.urls.languages import folder_language

ROBOTS = "robots.txt"


class RobotsTxt:
    """The robots.txt in the output folder of a project.

    Raises:
        SitemapError: The file cannot be read.
    """

    def __init__(self, project: Project) -> None:
        options, folder = project.options, project.output
        self._file = folder / ROBOTS
        self._base = project.base
        self._hosting = project.hosting
        self._is_version = project.surroundings.platform.is_version
        self._options = options
        self._groups = options.robots if isinstance(options.robots, Mapping) else None
        self._found: bytes | None = None
        # A link to a device or to a file outside the site is neither read nor changed.
        if files.find_inside(folder, ROBOTS):
            with files.translated_errors(self._file, "read"):
                self._found = files.read_file(self._file)
        self._yours: bytes | None = None  # the file without our lines
        self._fault = ""
        if self._found is not None:
            try:
                self._yours = robots.remove_our_lines(self._found)
            except SitemapError as error:  # in UTF-16
                self._fault = str(error)

    @property
    def named(self) -> list[str]:
        """The sitemap URLs that the user, not sitemap-docs, has written into robots.txt."""
        return [line.value for line in robots.parse_robots(self._yours or b"").sitemaps]

    @property
    def rules(self) -> robots.Robots:
        """The rules for crawlers in robots.txt after the build, such as ``Disallow: /private/``."""
        # Lines of an earlier build do not count, because the option may have changed since.
        if self._hosting.crawled_robots != "of the site":
            return robots.Robots(())
        text = self._yours or b""
        if self._yours is None and self._groups:
            text = robots.render_robots((), self._groups)
        return robots.parse_robots(text[: robots.MAX_ROBOTS])

    def write(self, output: Output, sitemaps: Sequence[str]) -> list[Finding]:
        """Write a ``Sitemap:`` line for each sitemap into robots.txt, and return messages about problems."""
        findings = []
        wanted, base, hosting = self._options.robots, self._base, self._hosting
        more = list(extra_sitemaps(self._options.extra_sitemaps, base))
        urls = [urljoin(base.url, name) for name in sitemaps] + more
        lines = " ".join(f"Sitemap: {url}" for url in urls)
        if wanted == "off" or not urls:
            self._remove_our_lines(output)
        elif wanted == "auto" and hosting.makes_robots and self._yours is None and not self._fault:
            self._remove_our_lines(output)
            if more:
                findings.append(extra_sitemaps_unused(hosting.platform.name, " ".join(more)).at(ROBOTS))
        elif wanted == "auto" and hosting.crawled_robots == "of the host":
            self._remove_our_lines(output)
            if not base.is_local:
                advice = f"Add to that file: {lines}"
                if self._is_version:
                    advice = _advice_about_join(base)
                findings.append(robots_below_root(base.origin, advice))
        elif self._fault:
            findings.append(robots_not_utf8(self._fault, lines).at(ROBOTS))
        elif self._found is None and self._file.is_symlink():
            findings.append(robots_link(self._file, lines).at(ROBOTS))
        else:
            if self._groups and self._yours is not None:
                findings.append(robots_groups_unused().at(ROBOTS))
            output.add(ROBOTS, robots.merge_robots(self._found, urls, self._groups))
        return findings

    def _remove_our_lines(self, output: Output) -> None:
        """Remove the ``Sitemap:`` lines that an earlier build has written into robots.txt."""
        if self._found is None or self._fault or self._file.is_symlink():
            return
        # The lines may point to a deleted sitemap.
        if self._yours is None:
            output.remove(ROBOTS)
        elif self._yours != self._found:
            output.add(ROBOTS, self._yours)


def _advice_about_join(base: Base) -> str:
    """Return the advice to run ``sitemap-docs join``, which joins the sitemaps of all versions.

    It says whether the command adds the sitemap to robots.txt, or only prints the line to add.
    """
    advice = "When all versions are built, run `sitemap-docs join` on their folder. It"
    *parents, _ = split_url(base.url).path.strip("/").split("/")
    # At the root of the host, as in /2.0/, `join` adds the sitemap to robots.txt. In a folder such as
    # /widget/2.0/, the user must add it. For /en/2.0/, both are possible.
    if not parents:
        return f"{advice} adds one sitemap of all versions to that robots.txt."
    if all(map(folder_language, parents)):
        return f"{advice} adds one sitemap of all versions to that robots.txt, or prints the line to add."
    return f"{advice} writes one sitemap of all versions, and prints the line to add."


def extra_sitemaps(urls: Iterable[str], base: Base) -> Iterator[str]:
    """Yield the absolute URL of each sitemap in the option ``extra_sitemaps``, such as ``blog/sitemap.xml``.

    Raises:
        SitemapError: A value is not a URL.
    """
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


@reported(strict=True)
def extra_sitemaps_unused(platform: str, urls: str) -> str:
    """The option `extra_sitemaps` has no effect, because the platform serves its own robots.txt.

    Search engines do not learn of these sitemaps.
    Set the option `robots` to write a robots.txt, and copy the rules for hidden versions from the platform's.
    Wrong: `extra_sitemaps: [https://docs.example.com/blog/sitemap.xml]` alone
    Right: the same with `robots: true`
    Source: Read the Docs: robots.txt,
    https://docs.readthedocs.com/platform/stable/reference/robots.html
    """
    return (
        f"{platform} serves its own robots.txt, so the option `extra_sitemaps` has no effect: {urls}. To "
        "replace that robots.txt, set the option `robots` to true, and copy the rules for hidden versions "
        "from it."
    )


@reported("info")
def robots_below_root(origin: str, advice: str) -> str:
    """The site is in a folder of its host, but crawlers read only the robots.txt of the host.

    A robots.txt in the folder would have no effect, so none is written.
    Add the line to the robots.txt of the host, or submit the sitemap in Search Console.
    Wrong: `https://example.org/docs/robots.txt`
    Right: `Sitemap: https://example.org/docs/sitemap.xml` in `https://example.org/robots.txt`
    Source: RFC 9309, section 2.3,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.3
    """
    repository = robots_repository(origin)
    place = f", a file in the repository {repository}" if repository else ""
    return f"Crawlers read only {origin}/robots.txt{place}. {advice}"


@reported()
def robots_not_utf8(fault: str, lines: str) -> str:
    """The robots.txt of the project is not in UTF-8, so no line was added."""
    return f"{fault} The file was not changed. Convert it to UTF-8, or add: {lines}"


@reported()
def robots_link(file: Path, lines: str) -> str:
    """The robots.txt in the output folder is a symbolic link to a file outside of the folder.

    The file is not changed, so crawlers do not learn of the sitemap.
    Add the line to the target of the link.
    Wrong: `public/robots.txt -> /etc/robots.txt`
    Right: `public/robots.txt`, a file
    Source: sitemaps.org: submitting the sitemap,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    return (
        f"{file} is a symbolic link to a file outside of the site, so it was not changed. Add to the target "
        f"of the link: {lines}"
    )


@reported(strict=True)
def robots_groups_unused() -> str:
    """The option `robots` has groups of rules, but the project has its own robots.txt.

    Your file is kept, and the groups have no effect.
    Move the groups to the file, or remove the file.
    Wrong: `robots: {"*": {disallow: [/private/]}}`, with a file `docs/robots.txt`
    Right: `Disallow: /private/` in the file
    Source: sitemap-docs: the page robots.txt
    """
    return (
        "The groups in the option `robots` have no effect, because the project has its own robots.txt. Move "
        "the groups to that file, or remove the file."
    )
