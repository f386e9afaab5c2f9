"""Find globs that match no page because of their form, although another form would match listed pages.

For example, ``internal`` and ``/internal/`` match no page below ``internal/``, but ``internal/*`` does.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from posixpath import splitext

from sitemap_docs.config.patterns import MisspelledGlob, globs
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.model import Page
from sitemap_docs.urls.base import Base

#: Folders above the sources that a glob may begin with, such as ``docs`` or ``project/docs``.
_DEEPEST = 3


def find_misspelled(
    unmatched: Iterable[tuple[str, str]], listed_pages: Sequence[Page], base: Base
) -> list[MisspelledGlob]:
    """Find globs that would match pages if they were written correctly: ``internal/*`` for ``/internal/``.

    ``unmatched`` are pairs of an option and a glob that matches no page. ``listed_pages`` are the pages that
    the sitemap lists.
    """
    options = [(option, glob) for option, glob in unmatched if not glob.startswith("!")]
    if not options or not listed_pages:
        return []
    folders = _folders_of_sources(listed_pages)
    forms = [(option, glob, form) for option, glob in options for form in _other_forms(glob, base, folders)]
    matcher = globs(form for _, _, form in forms)
    counts: Counter[int] = Counter()
    for page in listed_pages:
        counts.update(matcher.all(page.names))
    misspelled: dict[tuple[str, str], MisspelledGlob] = {}
    for number, (option, glob, form) in enumerate(forms):
        best = misspelled.get((option, glob))
        # For /internal/, the form internal/ may match only the home page of the folder.
        if counts[number] > (best.number if best else 0):
            misspelled[option, glob] = MisspelledGlob(option, glob, form, counts[number])
    return [*misspelled.values()]


def _folders_of_sources(pages: Iterable[Page]) -> set[str]:
    """Return the ways to write the folder of the sources in a glob: ``docs/`` and ``project/docs/``."""
    folders = set()
    roots = set()
    for page in pages:
        if not page.sources:
            continue
        source = PurePath(page.sources[0])
        # The command knows the name of the built file only, such as ``a.html`` or ``a/index.html``.
        names = {*page.names, *map(_without_html, page.names)}
        for path in (source.as_posix(), source.with_suffix("").as_posix()):
            for name in filter(None, names):
                if path.endswith(f"/{name}"):
                    roots.add(path.removesuffix(f"/{name}"))
    # A user may have written docs/ at the start of a glob. Addresses do not contain this folder.
    for root in roots:
        parts = root.strip("/").split("/")
        for depth in range(1, min(len(parts), _DEEPEST) + 1):
            folders.add("/".join(parts[-depth:]) + "/")
    return folders


def _without_html(name: str) -> str:
    """Return ``a`` for the built files ``a.html`` and ``a/index.html``, and for the address ``a/``."""
    stem, ending = splitext(name)
    if ending not in HTML_SUFFIXES:
        return name.rstrip("/")
    return stem.removesuffix("/index")


def _other_forms(glob: str, base: Base, folders: Iterable[str]) -> Iterator[str]:
    """Yield globs that a user may have meant instead of a glob: ``docs/a/*`` for ``/docs/a/``.

    ``folders`` are the ways to write the folder of the source files, such as ``docs/``. A glob must not start
    with them.
    """
    start = glob
    if "://" in glob:
        start = base.path_of(glob) or ""
    start = start.removeprefix("./").lstrip("/")
    starts = [start]
    starts += [start.removeprefix(folder) for folder in sorted(folders) if start.startswith(folder)]
    for text in starts:
        if not text.strip("*/"):  # It would match all pages.
            continue
        if text != glob:
            yield text
        if not text.endswith("*"):
            yield f"{text.rstrip('/')}/*"
