"""The files that pages of Sphinx are made of."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.i18n import docname_to_domain

from sitemap_docs.config.options import Globs
from sitemap_docs.paths import seen_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

#: A dependency of every document of one format is configuration on sites of at least so many of them.
MANY = 6

DOCUTILS = "docutils.conf"

#: What Sphinx notes as the title of a document that has none (TitleCollector, Sphinx 7.4 to 9.0).
_UNTITLED = "<no title>"


class DocumentSources:
    """Finds the files behind the pages of one build; ``dependencies`` is ``lastmod_dependencies``."""

    def __init__(self, app: Sphinx, dependencies: Globs | bool) -> None:  # noqa: FBT001
        self._app = app
        self._env = app.env
        self._wanted = dependencies is not False
        self._globs = dependencies if isinstance(dependencies, Globs) else Globs()
        self._srcdir = Path(app.srcdir).resolve()
        self._file = cache(self._resolved)
        self._catalogs = cache(self._translations)

    def of_document(self, name: str) -> tuple[Path, ...]:
        """The document's source, then what it includes and its translations."""
        source = Path(self._env.doc2path(name))
        counted = set()
        for file in self._dependencies(name) if self._wanted else ():
            excluded = self._excluded(file)
            if excluded is False or (excluded is None and file not in self.configuration):
                counted.add(file)
        return (source, *sorted(counted))

    def of_template(self, template: str) -> tuple[Path, ...]:
        """The project's own template of an additional page; a theme's is no source of the project."""
        for folder in self._app.config.templates_path:
            file = Path(self._app.confdir, folder, template)
            if file.is_file():
                return (file,)
        return ()

    def of_module(self, module: str) -> tuple[Path, ...]:
        """The module's file, looked up among the dependencies of the documents that describe it."""
        entry = getattr(self._env, "_viewcode_modules", {}).get(module)
        documents = set(entry[2].values()) if entry else ()
        path = "/" + module.replace(".", "/")
        files = {file for name in documents for file in self._dependencies(name)}
        return tuple(f for f in sorted(files) if f.as_posix().endswith((f"{path}.py", f"{path}/__init__.py")))

    def fragments(self) -> frozenset[str]:
        """The documents without a title that others include: Sphinx renders them as pages, too."""
        untitled = {}
        for name, title in self._env.titles.items():
            if title.astext() == _UNTITLED:
                untitled[Path(self._env.doc2path(name))] = name
        if not untitled:
            return frozenset()
        included: set[Path] = set()
        for name in self._env.all_docs:
            included.update(set(self._dependencies(name)) - {Path(self._env.doc2path(name))})
        return frozenset(name for file, name in untitled.items() if file in included)

    def undated(self, name: str) -> tuple[Path, ...]:
        """The dependencies of a document that do not date it, because they belong to all."""
        if not self._wanted:
            return ()
        return tuple(sorted(self.configuration.intersection(self._dependencies(name))))

    @cached_property
    def configuration(self) -> frozenset[Path]:
        """The dependencies that date no page, because they belong to all pages.

        ``docutils.conf``, and what every document of a format (a suffix) depends on, unless it is a document
        itself: what ``rst_prolog`` includes, a file of substitutions, one catalogue of all translations.
        """
        documents = {Path(self._env.doc2path(name)): name for name in self._env.all_docs}
        totals = Counter(source.suffix for source in documents)
        counts: dict[str, Counter[Path]] = defaultdict(Counter)
        for source, name in documents.items():
            counts[source.suffix].update(set(self._dependencies(name)))
        shared = set()
        for suffix, counter in counts.items():
            for file, count in counter.items():
                everywhere = count == totals[suffix] >= MANY and file not in documents
                if (everywhere or file.name == DOCUTILS) and self._excluded(file) is None:
                    shared.add(file)
        return frozenset(shared)

    def _excluded(self, file: Path) -> bool | None:
        """Whether ``lastmod_dependencies`` takes a file out; None: it does not mention it."""
        decision = self._globs.decision([seen_from(self._srcdir, file)])
        return None if decision is None else decision[0]

    def _dependencies(self, name: str) -> Iterator[Path]:
        # Sphinx 9 notes absolute paths, earlier ones are relative to the source folder.
        for dependency in self._env.dependencies.get(name, ()):
            yield self._file(str(dependency))
        yield from self._catalogs(docname_to_domain(name, self._app.config.gettext_compact))

    def _resolved(self, dependency: str) -> Path:
        # Links stay, as each is a source; `..` goes unless it stands behind a link.
        written = self._srcdir / dependency
        file = Path(os.path.normpath(written))
        if file.resolve() != written.resolve():
            file = written
        if file.suffix == ".mo" and file.with_suffix(".po").is_file():  # made from it by Sphinx itself
            file = file.with_suffix(".po")
        return file

    def _translations(self, domain: str) -> tuple[Path, ...]:
        # The .mo files are dependencies, too, but not of a document that was just read (Sphinx 9.0).
        found = []
        for folder in self._app.config.locale_dirs:
            file = f"{folder}/{self._app.config.language}/LC_MESSAGES/{domain}.po"
            if (self._srcdir / file).is_file():
                found.append(self._file(file))
        return tuple(found)


def copied_from(app: Sphinx, name: str) -> Path | None:
    """The file of the project that a file of the output folder is a copy of, as Sphinx copies files."""
    folder, _, rest = name.partition("/")
    if folder in ("_downloads", "_images"):
        copies = app.env.dlfiles if folder == "_downloads" else app.env.images
        for source, (_, target) in copies.items():
            if os.fspath(target) == rest:
                return Path(app.srcdir, source)
        return None
    copied = [(entry, name) for entry in app.config.html_extra_path]
    if folder == "_static":
        copied += [(entry, rest) for entry in app.config.html_static_path]
    for entry, below in copied:
        path = Path(app.confdir, entry)
        if path.is_dir() and (path / below).is_file():
            return path / below
        if path.is_file() and path.name == below:
            return path
    return None
