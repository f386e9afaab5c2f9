"""The files that pages of Sphinx are made of."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util.i18n import docname_to_domain

from sitemap_docs import files
from sitemap_docs.config.options import Globs
from sitemap_docs.folder.generated import UNTITLED
from sitemap_docs.sources.modules import command_files

if TYPE_CHECKING:
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
_COMMANDS = ("sphinx_click", "sphinx_click.ext", "sphinxarg.ext")
_FIELD = re.compile(r"^[ \t]*:(\w+):[ \t]*(\S+)", re.MULTILINE)


class DocumentSources:
    """Finds the files behind the pages of one build; ``dependencies`` is ``lastmod_dependencies``.

    ``documents`` are the sources of all documents. Each file becomes a path once, however many pages it is
    a part of.
    """

    def __init__(self, app: Sphinx, dependencies: Globs | bool) -> None:  # noqa: FBT001
        self._app = app
        self._env = app.env
        self._wanted = dependencies is not False
        self._globs = dependencies if isinstance(dependencies, Globs) else Globs()
        self._srcdir = os.path.realpath(app.srcdir)
        self.documents = {name: Path(self._env.doc2path(name)) for name in self._env.all_docs}
        self._file = cache(self._resolved)
        self._excluded = cache(self._is_excluded)
        self._dependencies = cache(self._all_dependencies)

    def of_document(self, name: str) -> tuple[Path, ...]:
        """The document's source, then what it includes and its translations."""
        source = self.documents[name]
        counted = set()
        if self._wanted:
            for file in self._dependencies(name):
                excluded = self._excluded(file)
                if excluded is False or (excluded is None and file not in self.configuration):
                    counted.add(file)
        if self._galleries:
            for file in (source, *counted):
                if any(file.is_relative_to(made) for _, made in self._galleries):
                    counted.discard(file)
                    original = self._example(file)
                    if original:
                        counted.add(original)
        documented = self._modules_of_autoapi(name)
        own = documented[0] if documented else self._example(source) or source
        counted.discard(own)
        return (own, *sorted(counted))

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
        if not entry:
            return ()
        path = "/" + module.replace(".", "/")
        found = set()
        for name in set(entry[2].values()):
            for file in self._dependencies(name):
                if file.as_posix().endswith((f"{path}.py", f"{path}/__init__.py")):
                    found.add(file)
        return tuple(sorted(found))

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
            known = sorted(names & self.documents.keys())
            found[page] = tuple(self.documents[name] for name in known)
        return found

    def fragments(self) -> frozenset[str]:
        """The documents without a title that others include: Sphinx renders them as pages, too."""
        titles = {name: title.astext() for name, title in self._env.titles.items()}
        untitled = {self.documents[name]: name for name, title in titles.items() if title == UNTITLED}
        if not untitled:
            return frozenset()
        found = set()
        for name, source in self.documents.items():
            for file in self._dependencies(name):
                if file in untitled and file != source:
                    found.add(untitled[file])
        return frozenset(found)

    def undated(self, name: str) -> tuple[Path, ...]:
        """The dependencies of a document that do not date it, because they belong to all."""
        if not self._wanted or not self.configuration:
            return ()
        return tuple(sorted(self.configuration.intersection(self._dependencies(name))))

    @cached_property
    def configuration(self) -> frozenset[Path]:
        """The dependencies that date no page, because they belong to all pages.

        ``docutils.conf``, and what every document of a format (a suffix) depends on, unless it is a document
        itself: what ``rst_prolog`` includes, a file of substitutions, one catalogue of all translations.
        """
        sources = frozenset(self.documents.values())
        totals = Counter(source.suffix for source in sources)
        counts: dict[str, Counter[Path]] = defaultdict(Counter)
        for name, source in self.documents.items():
            counts[source.suffix].update(self._dependencies(name))
        shared = set()
        for suffix, counter in counts.items():
            for file, count in counter.items():
                everywhere = count == totals[suffix] >= MANY and file not in sources
                if (everywhere or file.name == DOCUTILS) and self._excluded(file) is None:
                    shared.add(file)
        return frozenset(shared)

    @cached_property
    def _galleries(self) -> list[tuple[Path, Path]]:
        """The folders of Sphinx-Gallery: of the examples, and of what it makes of them."""
        conf = getattr(self._app.config, "sphinx_gallery_conf", None) or {}
        examples, made = _listed(conf.get("examples_dirs")), _listed(conf.get("gallery_dirs"))
        pairs = []
        for one, other in zip(examples, made, strict=False):
            source = Path(os.path.normpath(os.path.join(self._srcdir, one)))
            pairs.append((source, Path(os.path.normpath(os.path.join(self._srcdir, other)))))
        return pairs

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

    def _all_dependencies(self, name: str) -> frozenset[Path]:
        # Sphinx 9 notes absolute paths, earlier ones are relative to the source folder.
        found = {self._file(str(dependency)) for dependency in self._env.dependencies.get(name, ())}
        # The .mo files are dependencies, too, but not of a document that was just read (Sphinx 9.0).
        for folder in self._catalogs:
            domain = docname_to_domain(name, self._app.config.gettext_compact)
            catalog = f"{folder}/{domain}.po"
            if os.path.isfile(catalog):
                found.add(self._file(catalog))
        if not self._app.extensions.keys().isdisjoint(_COMMANDS):
            found.update(self._modules_of_commands(name))
        found.update(self._modules_of_autoapi(name))
        return frozenset(found)

    @cached_property
    def _catalogs(self) -> list[str]:
        """The folders of the translations into the language of the build."""
        config = self._app.config
        folders = [f"{self._srcdir}/{each}/{config.language}/LC_MESSAGES" for each in config.locale_dirs]
        return [folder for folder in folders if os.path.isdir(folder)]

    def _modules_of_commands(self, name: str) -> Iterator[Path]:
        """The modules of the commands that sphinx-click and sphinx-argparse describe in a document."""
        source = self.documents[name]
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
            for file in found:
                if "site-packages" not in file.parts:  # installed next to the project, and no source of it
                    yield self._file(str(file))

    @cached_property
    def _autoapi(self) -> dict[str, Any]:
        """What sphinx-autoapi has read, by the whole name; nothing where it generates no pages."""
        if "autoapi.extension" not in self._app.extensions or not self._app.config.autoapi_generate_api_docs:
            return {}
        return getattr(self._env, "autoapi_all_objects", {})

    @cached_property
    def _autoapi_pages(self) -> dict[str, Any]:
        """What each page that sphinx-autoapi generates documents."""
        return {each.include_path.lstrip("/"): each for each in self._autoapi.values()}

    def _modules_of_autoapi(self, name: str) -> tuple[Path, ...]:
        """The modules behind a page of sphinx-autoapi: the one that it documents comes first.

        Then come those that define what this one imports or inherits, as far as the page shows it.
        """
        documented = self._autoapi_pages.get(name)
        found: dict[Path, None] = {}
        waiting = [documented] if documented else []
        while waiting:
            each = waiting.pop(0)
            if not each.display:
                continue
            inherited = each.obj.get("inherited_from", {}).get("full_name")
            for identifier in (each.id, each.obj.get("original_path"), inherited):
                module = identifier or ""  # what it begins with: the longest name of a file that was read
                while module and "file_path" not in getattr(self._autoapi.get(module), "obj", ()):
                    module = module.rpartition(".")[0]
                if module:
                    found[self._file(self._autoapi[module].obj["file_path"])] = None
            # What has a page of its own is summed up in a line here.
            if each is documented or each.include_path.lstrip("/") not in self.documents:
                waiting += each.children
        return tuple(found)

    def _is_excluded(self, file: Path) -> bool | None:
        """Whether ``lastmod_dependencies`` takes a file out; None: it does not mention it."""
        if not self._globs.patterns:
            return None
        decision = self._globs.decision([files.seen_from(self._srcdir, file)])
        if decision is None:
            return None
        return decision[0]

    def _resolved(self, dependency: str) -> Path:
        written = os.path.join(self._srcdir, dependency)
        # Links stay, as each is a source; `..` goes unless it stands behind a link.
        name = os.path.normpath(written)
        if name != written and os.path.realpath(name) != os.path.realpath(written):
            name = written
        file = Path(name)
        if file.suffix == ".mo" and file.with_suffix(".po").is_file():  # made from it by Sphinx itself
            file = file.with_suffix(".po")
        return file


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
