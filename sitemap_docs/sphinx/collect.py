"""Collect the pages that Sphinx has written, with their sources and the facts that leave some of them out."""

from __future__ import annotations

import gettext
import os
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cache, cached_property, partial
from pathlib import Path
from urllib.parse import quote, unquote

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.i18n import docname_to_domain

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.config.own_options import about_unread, with_own_options
from sitemap_docs.history.git import GitTrouble, open_repository
from sitemap_docs.history.page_dates import PageSources, page_sources
from sitemap_docs.history.shared_files import shared_file
from sitemap_docs.listing.selection import is_asked_for
from sitemap_docs.model import NO_FACTS, Fact, Finding, Page
from sitemap_docs.programs.followed import extension_pages
from sitemap_docs.programs.sphinx import GENERATED, UNTITLED, copied_file
from sitemap_docs.programs.sphinx_gallery import TIMES
from sitemap_docs.project import Project
from sitemap_docs.sources.includes import MARKDOWN
from sitemap_docs.sphinx.catalogues import Catalogues
from sitemap_docs.sphinx.translations import find_untranslated, find_untranslated_in
from sitemap_docs.sphinx_rules import shared_dependency
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.text import one_line
from sitemap_docs.urls.languages import X_DEFAULT, hreflang, read_locales
from sitemap_docs.urls.link_styles import LinkStyle

DOCUTILS = "docutils.conf"

#: The mode of a symbolic link in git, and what may be the name of a file in a text.
_LINK = b"120000"
_WORDS = re.compile(r"[^\s\0`\"'<>(){}\[\]|]+")


def page_path(uri: str, name: str) -> str:
    """Return the path of a page without percent-encoding: ``ä.html`` for ``%C3%A4.html``.

    ``name`` is the name of the page in Sphinx, here ``ä``.
    """
    if "%" in uri and uri.startswith(quote(name.removesuffix("index"))):
        return unquote(uri)
    return uri


def builder_style(builder: StandaloneHTMLBuilder) -> LinkStyle:
    """Return ``folders`` if a Sphinx builder writes addresses such as ``guide/``, otherwise ``files``."""
    return "folders" if builder.get_target_uri("guide/index").endswith("/") else "files"


def collect(
    app: Sphinx,
    builder: StandaloneHTMLBuilder,
    extras: Mapping[str, str],
    options: Options,
    surroundings: Surroundings,
) -> tuple[list[Page], list[Finding]]:
    """Return the pages that Sphinx has written, and warnings about wrong options in these pages.

    ``extras`` contains the pages without a source document, such as ``genindex``, with their templates.
    ``surroundings`` contains the current time and the environment variables.
    """
    env = app.env
    sources = DocumentSources(app, options, surroundings)
    additional: Mapping[str, str] = app.config.html_additional_pages
    modules = _viewcode_pages(app)
    facts = _facts(app, extras, modules, sources)
    pages: list[Page] = []
    findings: list[Finding] = []
    for name in sorted({*env.all_docs, *additional, *extras, *modules}):
        file = os.fspath(builder.get_outfilename(name))
        if not os.path.isfile(file):
            continue
        path = page_path(builder.get_target_uri(name), name)
        page = Page(path, file, names=(name, path), facts=facts[name])
        if name in env.all_docs:
            page, wrong = sources.as_document(page, name)
            findings += wrong
        elif name in additional:
            page = page._replace(sources=sources.of_template(additional[name]))
        elif name in sources.lists:
            page = page._replace(sources=sources.of_list(name))
        else:
            page = page._replace(sources=sources.of_module(modules.get(name, "")))
        pages.append(page)
    shared_files = {file for page in pages for file in page.undated}
    shared = sorted(files.seen_from(app.confdir, file) for file in shared_files)
    if shared and options.lastmod != "none":
        counted = ", ".join(repr(f"!{name}") for name in shared)
        findings.append(shared_dependency(one_line(", ".join(shared)), one_line(counted)))
    return pages, findings


def _facts(
    app: Sphinx, extras: Mapping[str, str], modules: Iterable[str], sources: DocumentSources
) -> defaultdict[str, frozenset[Fact]]:
    """Map each Sphinx page to facts that may keep it out of the sitemap, such as ``Fact.ORPHAN``.

    ``extras`` maps pages without a source document, such as ``genindex``, to their templates. ``modules`` are
    pages that show the code of Python modules.
    """
    env = app.env
    generated = set(modules)
    for name, template in extras.items():
        if template in GENERATED:
            generated.add(name)
    generated -= env.all_docs.keys() | app.config.html_additional_pages.keys()
    generated |= {name for name in env.all_docs if posixpath.basename(name) == TIMES}
    # The documents that no toctree names, marked with `:orphan:` or not.
    navigated = {app.config.root_doc}
    navigated.update(*env.toctree_includes.values())
    for extension in sources.extensions:
        navigated.update(extension.linked_documents())
    with_catalogue = {name for name in env.all_docs if sources.catalogs(name)}
    known = {
        Fact.GENERATED: generated,
        Fact.ORPHAN: env.all_docs.keys() - navigated,
        Fact.UNTRANSLATED: find_untranslated(env, with_catalogue),
        Fact.INCLUDED: sources.fragments(),
    }
    facts: defaultdict[str, frozenset[Fact]] = defaultdict(lambda: NO_FACTS)
    for fact, names in known.items():
        for name in names:
            facts[name] |= {fact}
    for extension in sources.extensions:
        for name, fact in extension.facts():
            facts[name] |= {fact}
    return facts


def locale_folders(app: Sphinx) -> list[str]:
    """Return the existing folders of translations, which the Sphinx setting ``locale_dirs`` lists."""
    source_folder = os.path.realpath(app.srcdir)
    folders = (os.path.join(source_folder, folder) for folder in app.config.locale_dirs)
    return [folder for folder in folders if os.path.isdir(folder)]


def untranslated_pages(
    app: Sphinx, builder: StandaloneHTMLBuilder, project: Project, pages: Iterable[Page]
) -> dict[str, frozenset[str]]:
    """Return the HTML files without a translation, for each language of the option ``locales``.

    Pages that the user has asked to list are left out, because they are listed even without a translation.
    """
    options = project.options
    if project.no_sitemap or options.untranslated or not options.locales:
        return {}
    asked_for = {os.fspath(page.file) for page in pages if is_asked_for(page, options)}
    folders = [Path(folder) for folder in locale_folders(app)]
    catalogues = Catalogues(Path(app.doctreedir), app.config)
    files_by_language = {}
    for code in read_locales(options.locales, project.base, project.language):
        if code not in (X_DEFAULT, hreflang(project.language)):
            names = find_untranslated_in(code, app.env, catalogues, folders)
            untranslated = {os.fspath(builder.get_outfilename(name)) for name in names}
            files_by_language[code] = frozenset(untranslated - asked_for)
    catalogues.keep()
    return files_by_language


def _viewcode_pages(app: Sphinx) -> dict[str, str]:
    """Return the pages with Python source code: ``_modules/a/b`` for the module ``a.b``."""
    # viewcode renders only pages that are out of date, so the events of a build do not show all of them.
    entries: dict[str, object] = getattr(app.env, "_viewcode_modules", {})
    if not entries:
        return {}
    pages = {"_modules/index": ""}
    for module, entry in entries.items():
        if entry:
            pages[f"_modules/{module.replace('.', '/')}"] = module
    return pages


class DocumentSources:
    """Finds the source files of the pages that Sphinx builds.

    ``documents`` maps the name of each Sphinx document, such as ``guide/a``, to its source file.
    ``extensions`` are the Sphinx extensions that add pages or generate sources.
    """

    def __init__(self, app: Sphinx, options: Options, surroundings: Surroundings) -> None:
        self._environ = surroundings.environ
        self._config = app.config
        self._app = app
        self._env = app.env
        self._options = options
        self._folders = files.Folders()
        self._srcdir = os.path.realpath(app.srcdir)
        doc2path = app.env.doc2path
        self.documents = {
            name: os.path.join(self._srcdir, doc2path(name, False)) for name in app.env.all_docs
        }
        self.extensions = extension_pages(app.extensions, app, self.documents)
        self._locales = locale_folders(app)
        self._file = cache(self._resolved)
        self._dependencies = cache(self._all_dependencies)

    def as_document(self, page: Page, name: str) -> tuple[Page, list[Finding]]:
        """Add the source files and options of a document to its page, and return warnings about the options.

        ``name`` is the name of the Sphinx document, such as ``guide/a``. ``page`` is the HTML page that
        Sphinx has built from this document.
        """
        source = self.documents[name]
        documented = self._documented_modules(name)
        own = documented[0] if documented else self._original(source) or source
        found = page_sources(own, partial(self._other_sources, name), self._options)
        page = page._replace(sources=found.files, undated=found.undated)
        fields = self._env.metadata.get(name, {})
        dates = self._options.lastmod_fields
        page, findings = with_own_options(page, fields, name, source, self._folders, dates)
        return page, [*findings, *self._unread_options(name, fields)]

    def _other_sources(self, name: str) -> PageSources:
        """Return the files, besides a document's own source, whose last change can be the date of its page.

        Examples are included files such as ``notes.txt``, and catalogues with translations. The field
        ``undated`` of the returned object contains files without influence on the date: all documents depend
        on them, as on ``docutils.conf``.
        """
        undated = self._dependencies(name) & self.shared_files
        dependencies = self._dependencies(name) - undated
        counted = {self._original(file) for file in dependencies | self._through_links(name, dependencies)}
        return PageSources(tuple(sorted(counted - {""})), undated=tuple(sorted(undated)))

    def of_list(self, name: str) -> tuple[Path | str, ...]:
        """Return the source files of the posts that a page such as ``blog/2024`` lists."""
        return page_sources(None, lambda: PageSources(self.lists[name]), self._options).files

    def _unread_options(self, name: str, fields: Mapping[str, object]) -> list[Finding]:
        """Return a warning for each sitemap option that Sphinx could not read from the document ``name``.

        ``fields`` is the metadata that Sphinx has read from the document.
        """
        source = self.documents[name]
        ending = os.path.splitext(source)[1]
        kind = self._config.source_suffix.get(ending)
        if kind == "restructuredtext":
            ending = ".rst"
        elif ending not in MARKDOWN:
            return []
        try:
            text = files.read_file(source)
        except OSError:
            return []
        # MyST warns of YAML that it cannot read, and of no other mistake.
        return about_unread(text, ending, fields, name, reports_errors=True)

    def _through_links(self, document: str, dependencies: AbstractSet[str]) -> set[str]:
        """Return the symbolic links through which a document includes files.

        Sphinx records only the target of a link. If a document includes ``link.txt``, which leads to
        ``a.txt``, ``dependencies`` contains ``a.txt``, and this method returns ``link.txt``.
        """
        # Sphinx notes only the target of a link, but a commit can also change the link itself.
        linked = {file for file in dependencies if files.is_below_any(_as_folder(file), self._links.keys())}
        if not linked:
            return set()
        names = defaultdict(set)  # by what a text may have at the end of a path
        for file in linked.union(*self._links.values()):
            name = os.path.basename(file)
            names[name].add(name)
            names[f"{os.path.splitext(name)[0]}.*"].add(name)
        found = set()
        for text in (self.documents[document], *dependencies):
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
    def _links(self) -> Mapping[str, list[str]]:
        """The symbolic links in the git repository, grouped by the path to which they lead."""
        links = defaultdict(list)
        root = files.repository_of(self._srcdir) or ""
        with suppress(GitTrouble):  # which the dates report
            tree = open_repository(os.fspath(root), self._environ).tree(()) if root else {}
            for path, state in tree.items():
                if state.startswith(_LINK):
                    link = os.path.join(root, os.fsdecode(path))
                    links[_as_folder(os.path.realpath(link))].append(link)
        return links

    def of_template(self, template: str) -> tuple[str, ...]:
        """Return a page template as ``("…/page.html",)``, or ``()`` if the template is not in the project."""
        for folder in self._config.templates_path:
            file = os.path.join(self._app.confdir, folder, template)
            if os.path.isfile(file):
                return (file,)
        return ()

    def of_module(self, module: str) -> tuple[str, ...]:
        """Return the files of a Python module that pages document, such as ``("…/a/b.py",)`` for ``a.b``."""
        entry = getattr(self._env, "_viewcode_modules", {}).get(module)
        if not entry:
            return ()
        path = module.replace(".", os.sep)
        endings = (f"{os.sep}{path}.py", f"{os.sep}{path}{os.sep}__init__.py")
        described = frozenset[str]().union(*map(self._dependencies, entry[2].values()))
        return tuple(sorted(file for file in described if file.endswith(endings)))

    @cached_property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """For each page that lists others, such as a blog archive, the source files of the listed pages."""
        lists: dict[str, tuple[str, ...]] = {}
        for extension in self.extensions:
            lists.update(extension.lists)
        return lists

    def fragments(self) -> frozenset[str]:
        """Return the documents without a title that other documents include."""
        untitled = {}
        for name, title in self._env.titles.items():
            if title.astext() == UNTITLED:
                untitled[self.documents[name]] = name
        if not untitled:
            return frozenset()
        documents: set[str] = set()
        for name, source in self.documents.items():
            included = self._dependencies(name) & untitled.keys()
            documents.update(untitled[file] for file in included - {source})
        return frozenset(documents)

    @cached_property
    def shared_files(self) -> frozenset[str]:
        """The files on which all documents depend, such as ``docutils.conf``.

        Commits that change these files do not count for the dates of pages.
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
                everywhere = shared_file(count, totals[suffix]).is_configuration
                is_shared = everywhere and file not in sources
                if is_shared or os.path.basename(file) == DOCUTILS:
                    globs = self._options.lastmod_excludes
                    if globs.decision([globs.name_of(file)]) is None:
                        shared.add(file)
        return frozenset(shared)

    def _original(self, file: str) -> str:
        """Return the source of a file that a Sphinx extension has generated, or ``""`` if it is unknown.

        Return any other file unchanged.
        """
        for extension in self.extensions:
            original = extension.original(file)
            if original != file:
                return original
        return file

    def _all_dependencies(self, name: str) -> frozenset[str]:
        # Sphinx 9 notes absolute paths, earlier ones are relative to the source folder.
        dependencies = {self._file(str(dependency)) for dependency in self._env.dependencies.get(name, ())}
        # The .mo files are dependencies, too, but not of a document that was just read (Sphinx 9.0).
        dependencies.update(map(self._file, self.catalogs(name)))
        dependencies.update(self._documented_modules(name))
        return frozenset(dependencies)

    def catalogs(self, name: str) -> list[str]:
        """Return the files, such as ``a.mo``, that translate a document into the language of the build."""
        domain = docname_to_domain(name, self._config.gettext_compact)
        found = (gettext.find(domain, folder, [self._config.language]) for folder in self._locales)
        return [file for file in found if file]

    def _documented_modules(self, name: str) -> tuple[str, ...]:
        """Return the Python files that a page such as ``autoapi/a/index`` documents, the main one first."""
        found: dict[str, None] = {}
        for extension in self.extensions:
            for module in extension.modules(name):
                found[self._file(module)] = None
        return tuple(found)

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


def _as_folder(file: str) -> str:
    return f"{file}/".replace(os.sep, "/")


def copied_from(app: Sphinx, name: str) -> Path | None:
    """Return the original of a file that Sphinx has copied, such as ``_static/a.css``, or None."""
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
        if source := copied_file(below, [os.path.join(app.confdir, entry)]):
            return Path(source)
    return None
