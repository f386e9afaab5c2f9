"""The pages that Sphinx rendered, and the files that each is made of."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from functools import cache, cached_property
from pathlib import Path
from posixpath import basename
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from sphinx.util.i18n import docname_to_domain

from sitemap_docs.config.frontmatter import with_own_options
from sitemap_docs.config.options import Globs
from sitemap_docs.folder.generated import TIMES
from sitemap_docs.model import Finding, Page, Reason
from sitemap_docs.paths import seen_from
from sitemap_docs.sphinx.translation import untranslated
from sitemap_docs.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder

    from sitemap_docs.config.options import Options

#: The templates with which Sphinx itself renders pages that are no documents.
GENERATED = frozenset(
    {"domainindex.html", "genindex.html", "genindex-single.html", "genindex-split.html", "search.html"}
)


class Extra(NamedTuple):
    """A page that is no document, and the template that rendered it."""

    name: str
    template: str


class Memory:
    """The extra pages of the last complete build, kept beside the doctrees.

    Before Sphinx 8.2, a build that finds nothing to do fires no page events.
    """

    def __init__(self, app: Sphinx) -> None:
        self._file = Path(app.doctreedir) / f"sitemap-docs-{app.builder.name}.json"

    def recall(self) -> frozenset[Extra]:
        try:
            return frozenset(Extra(name, template) for name, template in json.loads(self._file.read_bytes()))
        except (OSError, ValueError, TypeError):
            return frozenset()

    def keep(self, extras: Iterable[Extra]) -> None:
        self._file.write_text(json.dumps(sorted(extras)), encoding="utf-8")


def page_path(builder: StandaloneHTMLBuilder, name: str) -> str:
    """The path of a page below the base URL, not percent-encoded; ``""`` is the home page of dirhtml.

    ``StandaloneHTMLBuilder.get_target_uri`` quotes the name, ``DirectoryHTMLBuilder``'s does not.
    """
    uri = builder.get_target_uri(name)
    return unquote(uri) if uri.startswith(quote(name.removesuffix("index"))) else uri


def collect(
    app: Sphinx, builder: StandaloneHTMLBuilder, extras: Iterable[Extra], options: Options
) -> tuple[list[Page], list[Finding]]:
    """Each document and each extra page whose output exists, and what their own options got wrong.

    Its names are docname and link, and the path of its source below the source folder where ``excludes`` has
    just that: for sphinx-sitemap, ``*.rst`` matches no page. Sphinx leaves the output of a deleted document
    behind, but no longer knows its name.
    """
    sources = DocumentSources(app, dependencies=options.lastmod_dependencies)
    pages: list[Page] = []
    findings: list[Finding] = []
    for name, made_of, default in _named(app, extras, sources, options):
        file = Path(builder.get_outfilename(name))
        if file.is_file():
            page = Page(path=page_path(builder, name), file=file, sources=made_of, default=default)
            page, wrong = _described(app, name, page, sources, options)
            pages.append(page)
            findings += wrong
    if sources.configuration and options.lastmod != "none":
        findings.append(_dates_no_page(app, sources.configuration))
    return pages, findings


def copied_from(app: Sphinx, name: str) -> Path | None:
    """The file of the project that a file of the output folder is a copy of, as Sphinx copies files."""
    folder, _, rest = name.partition("/")
    if folder in ("_downloads", "_images"):
        targets = (app.env.dlfiles if folder == "_downloads" else app.env.images).items()
        return next(
            (Path(app.srcdir, source) for source, (_, target) in targets if os.fspath(target) == rest), None
        )
    config = app.config
    folders = [(entry, name) for entry in config.html_extra_path]
    folders += [(entry, rest) for entry in config.html_static_path if folder == "_static"]
    found = (_copy(Path(app.confdir, entry), below) for entry, below in folders)
    return next(filter(None, found), None)


def _copy(entry: Path, name: str) -> Path | None:
    """The file ``name`` of a folder whose content is copied, or a file that is copied itself."""
    file = entry / name if entry.is_dir() else entry
    return file if file.is_file() and (file != entry or entry.name == name) else None


def _dates_no_page(app: Sphinx, files: Iterable[Path]) -> Finding:
    names = sorted(seen_from(app.srcdir, file) for file in files)
    return Finding(
        rule="shared-dependency",
        severity="info",
        message=f"Every page depends on {one_line(', '.join(names))}: its commits date no page. "
        f"To count them, set sitemap_lastmod_dependencies = {['!' + name for name in names]}.",
    )


def _described(
    app: Sphinx, name: str, page: Page, sources: DocumentSources, options: Options
) -> tuple[Page, Iterable[Finding]]:
    """The page with its names, and with what the document's fields say; and what is wrong there."""
    if name not in app.env.all_docs:
        return page._replace(names=(name, page.path)), ()
    source = str(app.env.doc2path(name, base=False))
    asked = {source, f"!{source}"} & {*options.excludes.patterns}
    names = (name, page.path, *([source] if asked else []))
    page = page._replace(names=names, undated=sources.undated(name))
    folder = Path(app.env.doc2path(name)).parent
    return with_own_options(page, app.env.metadata.get(name, {}), name, folder, options.lastmod_fields)


def _named(
    app: Sphinx, extras: Iterable[Extra], sources: DocumentSources, options: Options
) -> Iterator[tuple[str, tuple[Path, ...], Reason | None]]:
    additional = app.config.html_additional_pages
    modules = _modules(app)
    left_out = _left_out(app, extras, modules, sources, options)
    for name in {*app.env.all_docs, *additional, *(extra.name for extra in extras), *modules}:
        if name in additional:
            yield name, sources.of_template(additional[name]), left_out.get(name)
        elif name in app.env.all_docs:
            yield name, sources.of_document(name), left_out.get(name)
        else:
            yield name, sources.of_module(modules.get(name, "")), left_out.get(name)


def _left_out(
    app: Sphinx,
    extras: Iterable[Extra],
    modules: Iterable[str],
    sources: DocumentSources,
    options: Options,
) -> dict[str | None, Reason]:
    """The pages that are left out by default, each with the first of its reasons."""
    generated = {*(extra.name for extra in extras if extra.template in GENERATED), *modules}
    written = app.env.all_docs.keys() | app.config.html_additional_pages.keys()
    return {
        **dict.fromkeys(generated - written, Reason.GENERATED),
        **dict.fromkeys(_computation_times(app), Reason.GENERATED),
        **dict.fromkeys(frozenset() if options.orphans else _orphans(app), Reason.ORPHAN),
        **dict.fromkeys(untranslated(app, options.min_translated), Reason.FALLBACK),
        _drafts_page(app): Reason.DRAFT,
        **dict.fromkeys(sources.fragments(), Reason.INCLUDED),
        **dict.fromkeys(("404", getattr(app.config, "notfound_pagename", None)), Reason.NOT_FOUND),
    }


def _orphans(app: Sphinx) -> frozenset[str]:
    """The documents that no toctree names, marked with ``:orphan:`` or not. ABlog lists its posts itself."""
    named = {name for names in app.env.toctree_includes.values() for name in names}
    posts: Iterable[str] = getattr(app.env, "ablog_posts", ())
    return frozenset(app.env.all_docs) - named - {app.config.root_doc, *posts}


def _computation_times(app: Sphinx) -> frozenset[str]:
    """The orphans in which Sphinx-Gallery lists how long examples ran, one a gallery and one for all."""
    return frozenset(name for name in app.env.all_docs if basename(name) == TIMES)


def _drafts_page(app: Sphinx) -> str | None:
    """The page on which ABlog 0.11 lists the posts that are not published yet."""
    return f"{app.config.blog_path}/drafts" if "ablog" in app.extensions else None


def _modules(app: Sphinx) -> dict[str, str]:
    """The pages of viewcode → their modules; viewcode renders only those that are out of date."""
    entries: dict[str, object] = getattr(app.env, "_viewcode_modules", {})
    pages = {f"_modules/{module.replace('.', '/')}": module for module, entry in entries.items() if entry}
    return pages | {"_modules/index": ""} if entries else {}


#: What Sphinx notes as the title of a document that has none (TitleCollector, Sphinx 7.4 to 9.0).
_UNTITLED = "<no title>"

#: A dependency of every document of one format is configuration on sites of at least so many of them.
MANY = 6


class DocumentSources:
    """What pages are made of; ``dependencies`` is the option ``lastmod_dependencies``."""

    def __init__(self, app: Sphinx, *, dependencies: Globs | bool) -> None:
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
        dependencies = self._dependencies(name) if self._wanted else ()
        return (source, *sorted({file for file in dependencies if self._counts(file)}))

    def fragments(self) -> frozenset[str]:
        """The documents without a title that others include: Sphinx renders them as pages, too."""
        titles = self._env.titles
        untitled = {
            Path(self._env.doc2path(name)): name for name in titles if titles[name].astext() == _UNTITLED
        }
        included: set[Path] = set()
        for name in self._env.all_docs if untitled else ():
            included.update(set(self._dependencies(name)) - {Path(self._env.doc2path(name))})
        return frozenset(name for file, name in untitled.items() if file in included)

    def undated(self, name: str) -> tuple[Path, ...]:
        """The dependencies of a document that do not date it, because they belong to all."""
        dependencies = self._dependencies(name) if self._wanted else ()
        return tuple(sorted(set(dependencies) & self.configuration))

    @cached_property
    def configuration(self) -> frozenset[Path]:
        """The dependencies that date no page, because they belong to all pages.

        ``docutils.conf``, and what every document of a format (a suffix) depends on, unless it is a document
        itself: what ``rst_prolog`` includes, a file of substitutions, one catalogue of all translations.
        """
        documents = {Path(self._env.doc2path(name)): name for name in self._env.all_docs}
        counts: dict[str, Counter[Path]] = defaultdict(Counter)
        totals = Counter(source.suffix for source in documents)
        for source, name in documents.items():
            counts[source.suffix].update(set(self._dependencies(name)))
        shared = {
            file
            for suffix, counter in counts.items()
            for file, count in counter.items()
            if count == totals[suffix] >= MANY and file not in documents
        }
        found = {file for counter in counts.values() for file in counter}
        shared |= {file for file in found if file.name == "docutils.conf"}
        return frozenset(file for file in shared if self._asked(file) is None)

    def _counts(self, file: Path) -> bool:
        asked = self._asked(file)
        return file not in self.configuration if asked is None else not asked

    def _asked(self, file: Path) -> bool | None:
        """Whether ``lastmod_dependencies`` takes a file out; None: it does not mention it."""
        decision = self._globs.decision([seen_from(self._srcdir, file)])
        return decision and decision[0]

    def of_template(self, template: str) -> tuple[Path, ...]:
        """The project's own template of an additional page; a theme's is no source of the project."""
        folders = (Path(self._app.confdir, folder) for folder in self._app.config.templates_path)
        return tuple(file for folder in folders if (file := folder / template).is_file())[:1]

    def of_module(self, module: str) -> tuple[Path, ...]:
        """The module's file, looked up among the dependencies of the documents that describe it."""
        entry = getattr(self._env, "_viewcode_modules", {}).get(module)
        documents = set(entry[2].values()) if entry else ()
        stem = "/" + module.replace(".", "/")
        files = {file for name in documents for file in self._dependencies(name)}
        return tuple(f for f in sorted(files) if f.as_posix().endswith((f"{stem}.py", f"{stem}/__init__.py")))

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
        config = self._app.config
        folders = (f"{folder}/{config.language}/LC_MESSAGES" for folder in config.locale_dirs)
        files = (f"{folder}/{domain}.po" for folder in folders)
        return tuple(self._file(file) for file in files if (self._srcdir / file).is_file())
