"""The files that pages of Sphinx are made of."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter, defaultdict
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util.i18n import docname_to_domain

from sitemap_docs import files
from sitemap_docs.config.options import Globs
from sitemap_docs.folder.generated import UNTITLED
from sitemap_docs.paths import seen_from
from sitemap_docs.sources.modules import command_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

#: A dependency of every document of one format is configuration on sites of at least so many of them.
MANY = 6

DOCUTILS = "docutils.conf"

#: How Sphinx-Gallery names the text above the examples of a folder.
_GALLERY_HEADERS = ("GALLERY_HEADER", "README", "readme")
#: A directive of sphinx-click or sphinx-argparse, in reStructuredText or MyST.
_COMMAND = re.compile(
    r"^[ \t]*(?:\.\. (?:click|argparse)::|(?:`{3,}|:{3,})\{(?:click|argparse)\})"
    r"[ \t]*(?P<name>[\w.:]*)[ \t]*\n"
    r"(?P<options>(?:[ \t]*:[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
_FIELD = re.compile(r"^[ \t]*:(\w+):[ \t]*(\S+)", re.MULTILINE)


class DocumentSources:
    """Finds the files behind the pages of one build; ``dependencies`` is ``lastmod_dependencies``."""

    def __init__(self, app: Sphinx, dependencies: Globs | bool) -> None:  # noqa: FBT001
        self._app = app
        self._env = app.env
        self._wanted = dependencies is not False
        self._globs = dependencies if isinstance(dependencies, Globs) else Globs()
        self._srcdir = Path(app.srcdir).resolve()
        self._file = cache(self._resolved)
        self._commands = cache(lambda name: tuple(self._command_modules(name)))
        self._api = cache(self._api_modules)
        self._catalogs = cache(self._translations)

    def of_document(self, name: str) -> tuple[Path, ...]:
        """The document's source, then what it includes and its translations."""
        source = Path(self._env.doc2path(name))
        counted = set()
        for file in self._dependencies(name) if self._wanted else ():
            excluded = self._excluded(file)
            if excluded is False or (excluded is None and file not in self.configuration):
                counted.add(file)
        files_of_galleries = {file for file in (source, *counted) if self._is_of_gallery(file)}
        originals = {self._example(file) for file in files_of_galleries}
        counted = {file for file in counted | originals if file and file not in files_of_galleries}
        generated_from = self._api(name)
        own = generated_from[0] if generated_from else self._example(source) or source
        return (own, *sorted(counted - {own}))

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
        found = {file for name in documents for file in self._dependencies(name)}
        return tuple(f for f in sorted(found) if f.as_posix().endswith((f"{path}.py", f"{path}/__init__.py")))

    @cached_property
    def archives(self) -> dict[str, tuple[Path, ...]]:
        """The pages that ABlog renders of a blog, with the sources of the posts that each lists."""
        if "ablog" not in self._app.extensions:
            return {}
        blog = import_module("ablog.blog").Blog(self._app)
        if not blog:  # before Sphinx 8.2, a build that finds nothing to do renders no archives
            import_module("ablog.post").register_posts(self._app)
        listed: dict[str, set[str]] = defaultdict(set)
        for catalog in (blog.blog, blog.archive, *blog.catalogs.values()):
            for collection in catalog:
                posts = {post.docname for post in collection}
                listed[collection.docname] |= posts
                # The catalogue of posts and drafts has the name of the page that lists the posts alone.
                if catalog is not blog.blog:
                    listed[catalog.docname] |= posts
        found = {}
        for page, names in listed.items():
            known = sorted(names & self._env.all_docs.keys())
            found[page] = tuple(Path(self._env.doc2path(name)) for name in known)
        return found

    def fragments(self) -> frozenset[str]:
        """The documents without a title that others include: Sphinx renders them as pages, too."""
        untitled = {}
        for name, title in self._env.titles.items():
            if title.astext() == UNTITLED:
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

    @cached_property
    def _galleries(self) -> list[tuple[Path, Path]]:
        """The folders of Sphinx-Gallery: of the examples, and of what it makes of them."""
        conf = getattr(self._app.config, "sphinx_gallery_conf", None) or {}
        pairs = zip(_listed(conf.get("examples_dirs")), _listed(conf.get("gallery_dirs")), strict=False)
        return [
            (Path(os.path.normpath(self._srcdir / one)), Path(os.path.normpath(self._srcdir / other)))
            for one, other in pairs
        ]

    def _is_of_gallery(self, file: Path) -> bool:
        return any(file.is_relative_to(made) for _, made in self._galleries)

    def _example(self, file: Path) -> Path | None:
        """The example that Sphinx-Gallery made a file of, or the text above the examples of a folder."""
        for examples, made in self._galleries:
            if not file.is_relative_to(made):
                continue
            original = examples / file.relative_to(made)
            endings = self._app.config.sphinx_gallery_conf.get("example_extensions", {".py"})
            names = [f"{original.stem}{end}" for end in sorted(endings)]
            if original.stem == "index":
                names = [f"{name}{end}" for name in _GALLERY_HEADERS for end in (".rst", ".txt", ".md")]
            for name in names:
                if original.with_name(name).is_file():
                    return original.with_name(name)
        return None

    def _command_modules(self, name: str) -> Iterator[Path]:
        """The modules of the commands that sphinx-click and sphinx-argparse describe in a document."""
        if self._app.extensions.keys().isdisjoint(("sphinx_click", "sphinx_click.ext", "sphinxarg.ext")):
            return
        source = Path(self._env.doc2path(name))
        try:
            text = files.read_file(source).decode("utf-8", "replace")
        except OSError:
            return
        folders = [Path(folder) for folder in sys.path]
        for directive in _COMMAND.finditer(text):
            options = dict(_FIELD.findall(directive["options"]))
            module, _, command = directive["name"].partition(":")
            if "ref" in options:
                module, _, command = options["ref"].rpartition(".")
            found = command_files(options.get("module", module), options.get("func", command), folders)
            if "filename" in options:
                found.append(source.parent / options["filename"])
            # What is installed next to the project is no source of it.
            yield from (self._file(str(file)) for file in found if "site-packages" not in file.parts)

    @cached_property
    def _api_objects(self) -> dict[str, Any]:
        """What sphinx-autoapi has read, by the whole name; nothing where it generates no pages."""
        if "autoapi.extension" not in self._app.extensions or not self._app.config.autoapi_generate_api_docs:
            return {}
        return getattr(self._env, "autoapi_all_objects", {})

    @cached_property
    def _api_pages(self) -> dict[str, Any]:
        """What each page that sphinx-autoapi generates documents."""
        return {each.include_path.lstrip("/"): each for each in self._api_objects.values()}

    def _api_modules(self, name: str) -> tuple[Path, ...]:
        """The modules behind a page of sphinx-autoapi: the one that it documents comes first.

        Then come those that define what this one imports or inherits, as far as the page shows it.
        """
        documented = self._api_pages.get(name)
        found: dict[Path, None] = {}
        waiting = [documented] if documented else []
        while waiting:
            each = waiting.pop(0)
            if not each.display:
                continue
            inherited = each.obj.get("inherited_from", {}).get("full_name")
            for identifier in filter(None, (each.id, each.obj.get("original_path"), inherited)):
                if file := self._api_module(identifier):
                    found[file] = None
            # What has a page of its own is summed up in a line here.
            if each is documented or each.include_path.lstrip("/") not in self._env.all_docs:
                waiting += each.children
        return tuple(found)

    def _api_module(self, identifier: str) -> Path | None:
        """The file of the module that an identifier begins with, as sphinx-autoapi has read it."""
        objects = self._api_objects
        while identifier:
            if identifier in objects and "file_path" in objects[identifier].obj:
                return self._file(objects[identifier].obj["file_path"])
            identifier = identifier.rpartition(".")[0]
        return None

    def _excluded(self, file: Path) -> bool | None:
        """Whether ``lastmod_dependencies`` takes a file out; None: it does not mention it."""
        decision = self._globs.decision([seen_from(self._srcdir, file)])
        return None if decision is None else decision[0]

    def _dependencies(self, name: str) -> Iterator[Path]:
        # Sphinx 9 notes absolute paths, earlier ones are relative to the source folder.
        for dependency in self._env.dependencies.get(name, ()):
            yield self._file(str(dependency))
        yield from self._catalogs(docname_to_domain(name, self._app.config.gettext_compact))
        yield from self._commands(name)
        yield from self._api(name)

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


def _listed(value: object) -> list[str]:
    """The folders of a setting that takes one or a list."""
    folders = value if isinstance(value, (list, tuple)) else [value]
    return [str(folder) for folder in folders if folder]


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
