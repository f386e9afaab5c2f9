"""The files in which hosts have redirects and headers: those that several share, and those of one alone."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from sitemap_docs import files, webroot
from sitemap_docs.model import SitemapError
from sitemap_docs.programs.followed import HOST_FILES, load_program
from sitemap_docs.text import linear
from sitemap_docs.urls.hosts import Platform

REDIRECTS = "_redirects"
_NAMES = (REDIRECTS, *HOST_FILES)  # the rules of the first come first, as on Netlify


def own_rules(output: Path, platform: Platform, folders: Iterable[Path]) -> Path | None:
    """The file of a project that its platform alone reads, in one of the folders; else None."""
    if not platform.rules:
        return None
    found: Path | None = load_program(HOST_FILES[platform.rules]).find_rules(output, folders)
    return found


@linear
def read_redirects(*paths: Path, win: bool = False) -> webroot.Redirects:
    """The redirects of files ``_redirects`` or netlify.toml, or of those in folders, one after the other.

    On a host where all redirects ``win``, each holds where a file answers, too.
    Raises SitemapError for a file that cannot be read or is of no such kind.
    """
    rules: list[webroot.RedirectRule] = []
    for path in paths:
        if path.is_dir():
            in_folder = [path / name for name in _NAMES if files.find_inside(path, name)]
            rules += read_redirects(*in_folder).rules
        elif path.name in _NAMES:
            read = webroot.underscore_redirects
            if path.name in HOST_FILES:
                read = load_program(HOST_FILES[path.name]).redirects
            rules += filter(None, read(path))
        else:
            raise SitemapError(
                f"{path} is not a supported redirects file: pass {' or '.join(_NAMES)}. The redirects of "
                "plugins and extensions are read from the pages that they write."
            )
    if win:
        rules = [rule._replace(forced=True) for rule in rules]
    return webroot.Redirects(tuple(rules))


def redirect_files(output: Path, own: Path | None) -> Iterator[Path]:
    """The files whose redirects a host follows: that of the output folder, and ``own_rules``."""
    if files.find_inside(output, REDIRECTS):
        yield output / REDIRECTS
    if own:
        yield own


def read_forced(paths: Iterable[Path], *, win: bool = False) -> webroot.Redirects:
    """The rules of these files that take a page away although its file is there.

    A file that cannot be read has none: a build does not fail for it.
    """
    rules: list[webroot.RedirectRule] = []
    for path in paths:
        with suppress(SitemapError):
            rules += read_redirects(path, win=win).rules
    return webroot.Redirects(tuple(rule for rule in rules if rule.forced))


def read_headers(output: Path, own: Path | None = None) -> webroot.Headers:
    """Returns what ``_headers`` in an output folder and ``own_rules`` say of ``X-Robots-Tag``."""
    rules = webroot.underscore_headers(output)
    if own:
        rules += load_program(HOST_FILES[own.name]).headers(own)
    return webroot.Headers(tuple(rules))
