"""The files that pages of Sphinx are made of."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.i18n import docname_to_domain

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.repository import open_repository
from sitemap_docs.programs.followed import EXTENSIONS, met
from sitemap_docs.programs.sphinx import UNTITLED
from sitemap_docs.surroundings import ENVIRON

#: A dependency of every document of one format is configuration on sites of at least so many of them.
_FEWEST_DOCUMENTS = 6

DOCUTILS = "docutils.conf"


#: The mode of a symbolic link in git, and what may be the name of a file in a text.
_LINK = b"120000"
_WORDS = re.compile(r"[^\s\0`\"'<>(){}\[\]|]+")


class DocumentSources:
    """Finds the files behind the pages of one build.

    ``documents`` are the sources of all documents. All files are whole names, as path objects are expensive.
    """

    def __init__(self, app: Sphinx, options: Options) -> None:
        self.app = app
        self._env = app.env
        self._wanted = options.lastmod_dependencies
        self._excludes = options.lastmod_excludes
        self._srcdir = os.path.realpath(app.srcdir)
        doc2path = app.env.doc2path
        self.documents = {
            name: os.path.join(self._srcdir, doc2path(name, False)) for name in app.env.all_docs
        }
        programs = met(EXTENSIONS, app.extensions)
        self._ablog = programs.get("ablog")
        self._gallery = programs.get("sphinx_gallery")
        self._autoapi = None
        if autoapi := programs.get("autoapi"):
            self._autoapi = autoapi.DocumentedModules(app, self.documents)
        self._file = cache(self._resolved)
        self._dependencies = cache(self._all_dependencies)

    def of_document(self, name: str) -> tuple[str, ...]:
        """The document's source, then what it includes and its translations."""
        source = self.documents[name]
        counted: set[str] = set()
        if self._wanted:
            dependencies = self._dependencies(name) - self.configuration
            for file in dependencies | self._through_links(name, dependencies):
                counted.add(self._original(file))
        documented = self._modules_of_autoapi(name)
        own = documented[0] if documented else self._original(source) or source
        return (own, *sorted(counted - {own, ""}))

    def _through_links(self, document: str, dependencies: AbstractSet[str]) -> set[str]:
        """The dependencies as a document names them where a symbolic link leads to one.

        Sphinx notes only what a link leads to, but the link is a file in git that may be pointed elsewhere.
        """
        targets = {os.path.realpath(link) for link in self._links}
        linked = {file for file in dependencies if not targets.isdisjoint(_with_folders(file))}
        names = defaultdict(set)  # by what a text may have at the end of a path
        for file in (*self._links, *linked) if linked else ():
            name = os.path.basename(file)
            names[name].add(name)
            names[f"{os.path.splitext(name)[0]}.*"].add(name)
        found = set()
        for text in (self.documents[document], *dependencies) if linked else ():
            with suppress(OSError):
                for word in set(_WORDS.findall(files.read_file(text).decode("utf-8", "replace"))):
                    folder, _, end = word.rpartition("/")
                    start = self._srcdir if word[0] == "/" else os.path.dirname(self.documents[document])
                    for name in names.get(end, ()):
                        path = os.path.normpath(os.path.join(start, folder.lstrip("/"), name))
                        if path not in linked and os.path.realpath(path) in linked:
                            found.add(path)
        return found

    @cached_property
    def _links(self) -> tuple[str, ...]:
        """The symbolic links that git has in the repository of the project."""
        root = files.repository_of(self._srcdir)
        if root is None:
            return ()
        with suppress(GitTrouble):  # which the dates report
            tree = open_repository(os.fspath(root), ENVIRON).tree(())
            links = (path for path, state in tree.items() if state.startswith(_LINK))
            return tuple(os.path.join(root, os.fsdecode(path)) for path in links)
        return ()

    def of_template(self, template: str) -> tuple[str, ...]:
        """The project's own template of an additional page; a theme's is no source of the project."""
        for folder in self.app.config.templates_path:
            file = os.path.join(self.app.confdir, folder, template)
            if os.path.isfile(file):
                return (file,)
        return ()

    def of_module(self, module: str) -> tuple[str, ...]:
        """The module's file, looked up among the dependencies of the documents that describe it."""
        entry = getattr(self._env, "_viewcode_modules", {}).get(module)
        if not entry:
            return ()
        path = module.replace(".", os.sep)
        endings = (f"{os.sep}{path}.py", f"{os.sep}{path}{os.sep}__init__.py")
        files_of_module: set[str] = set()
        for name in set(entry[2].values()):
            for file in self._dependencies(name):
                if file.endswith(endings):
                    files_of_module.add(file)
        return tuple(sorted(files_of_module))

    @cached_property
    def archives(self) -> Mapping[str, tuple[str, ...]]:
        """The pages that list posts of a blog, with the sources of these."""
        return self._ablog.archives(self.app, self.documents) if self._ablog else {}

    def fragments(self) -> frozenset[str]:
        """The documents without a title that others include: Sphinx renders them as pages, too."""
        untitled = {}
        for name, title in self._env.titles.items():
            if title.astext() == UNTITLED:
                untitled[self.documents[name]] = name
        if not untitled:
            return frozenset()
        documents: set[str] = set()
        for name, source in self.documents.items():
            included = self._dependencies(name) & untitled.keys()
            for file in included - {source}:
                documents.add(untitled[file])
        return frozenset(documents)

    def undated(self, name: str) -> tuple[str, ...]:
        """The dependencies of a document that do not date it, because they belong to all."""
        if not self._wanted:
            return ()
        return tuple(sorted(self.configuration & self._dependencies(name)))

    @cached_property
    def configuration(self) -> frozenset[str]:
        """The dependencies that date no page, because they belong to all pages.

        ``docutils.conf``, and what every document of a format (a suffix) depends on, unless it is a document
        itself: what ``rst_prolog`` includes, a file of substitutions, one catalogue of all translations.
        Of what the option ``lastmod_excludes`` mentions, it decides.
        """
        sources = frozenset(self.documents.values())
        totals: Counter[str] = Counter()
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for name, source in self.documents.items():
            suffix = os.path.splitext(source)[1]
            totals[suffix] += 1
            counts[suffix].update(self._dependencies(name))
        shared = set()
        for suffix, counter in counts.items():
            for file, count in counter.items():
                everywhere = count == totals[suffix] >= _FEWEST_DOCUMENTS and file not in sources
                if everywhere or os.path.basename(file) == DOCUTILS:
                    written = files.seen_from(self.app.confdir, file)
                    if self._excludes.decision([written]) is None:
                        shared.add(file)
        return frozenset(shared)

    @cached_property
    def _galleries(self) -> Sequence[tuple[str, str]]:
        return self._gallery.galleries(self.app.config, self._srcdir) if self._gallery else ()

    def _original(self, file: str) -> str:
        """The example of a gallery that a file was made of; ``""`` for one of a gallery made of no file."""
        if self._gallery is None:
            return file
        original: str = self._gallery.original(file, self._galleries, self.app.config)
        return original

    def _all_dependencies(self, name: str) -> frozenset[str]:
        # Sphinx 9 notes absolute paths, earlier ones are relative to the source folder.
        dependencies = {self._file(str(dependency)) for dependency in self._env.dependencies.get(name, ())}
        # The .mo files are dependencies, too, but not of a document that was just read (Sphinx 9.0).
        for folder in self._catalogs:
            domain = docname_to_domain(name, self.app.config.gettext_compact)
            catalog = f"{folder}/{domain}.po"
            if os.path.isfile(catalog):
                dependencies.add(self._file(catalog))
        dependencies.update(self._modules_of_autoapi(name))
        return frozenset(dependencies)

    @cached_property
    def _catalogs(self) -> list[str]:
        """The folders of the translations into the language of the build."""
        config = self.app.config
        folders = []
        for each in config.locale_dirs:
            folder = f"{self._srcdir}/{each}/{config.language}/LC_MESSAGES"
            if os.path.isdir(folder):
                folders.append(folder)
        return folders

    def _modules_of_autoapi(self, name: str) -> tuple[str, ...]:
        """The modules behind a page that is generated of them; the one that it documents comes first."""
        found = self._autoapi.of(name) if self._autoapi else ()
        return tuple(dict.fromkeys(map(self._file, found)))

    def _resolved(self, dependency: str) -> str:
        written = os.path.join(self._srcdir, dependency)
        # Links stay, as each is a source; `..` goes unless it stands behind a link.
        file = os.path.normpath(written)
        if file != written and os.path.realpath(file) != os.path.realpath(written):
            file = written
        source = f"{file.removesuffix('.mo')}.po"
        if file.endswith(".mo") and os.path.isfile(source):  # made from it by Sphinx itself
            return source
        return file


def _with_folders(file: str) -> Iterator[str]:
    """A file and the folders above it."""
    while file != os.path.dirname(file):
        yield file
        file = os.path.dirname(file)


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
