"""The pages that Sphinx rendered, and which of them are left out by default."""

from __future__ import annotations

import gettext
import json
import os
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.i18n import docname_to_domain
from sphinx.util.nodes import extract_messages

from sitemap_docs.config.options import Options
from sitemap_docs.config.own_options import with_own_options
from sitemap_docs.files import Folders, seen_from
from sitemap_docs.model import NO_FACTS, Fact, Finding, Page, reported
from sitemap_docs.programs.followed import EXTENSIONS, met
from sitemap_docs.programs.sphinx import GENERATED
from sitemap_docs.programs.sphinx_gallery import TIMES
from sitemap_docs.sphinx.sources import DocumentSources
from sitemap_docs.text import one_line


class Memory:
    """What a build keeps next to the doctrees for the next one by this builder.

    The extra pages and their templates: before Sphinx 8.2, a build that finds nothing to do fires no page
    events. With ``what``, the dates that the pages of an output folder show.
    """

    def __init__(self, app: Sphinx, what: str = "") -> None:
        self._file = Path(app.doctreedir) / f"sitemap-docs-{what}{app.builder.name}.json"

    def recall(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self._file.read_bytes()))
        except (OSError, ValueError, TypeError):
            return {}

    def keep(self, values: Mapping[str, object]) -> None:
        self._file.write_text(json.dumps(values, sort_keys=True), encoding="utf-8")


def page_path(uri: str, name: str) -> str:
    """The path of a page below the base URL, not percent-encoded; ``""`` is the home page of dirhtml.

    ``uri`` is the builder's for the name: ``StandaloneHTMLBuilder.get_target_uri`` quotes the name,
    ``DirectoryHTMLBuilder``'s does not.
    """
    if "%" in uri and uri.startswith(quote(name.removesuffix("index"))):
        return unquote(uri)
    return uri


def collect(
    app: Sphinx, builder: StandaloneHTMLBuilder, extras: Mapping[str, str], options: Options
) -> tuple[list[Page], list[Finding]]:
    """Each document and each extra page whose output exists, and what their own options got wrong.

    ``extras`` are the pages that are no documents, with their templates. Sphinx leaves the output of a
    deleted document behind, but no longer knows its name.
    """
    env = app.env
    sources = DocumentSources(app, options)
    additional: Mapping[str, str] = app.config.html_additional_pages
    modules = _modules(app)
    facts = _facts(app, extras, modules, sources)
    folders = Folders()
    pages: list[Page] = []
    findings: list[Finding] = []
    for name in sorted({*env.all_docs, *additional, *extras, *modules}):
        file = os.fspath(builder.get_outfilename(name))
        if not os.path.isfile(file):
            continue
        path = page_path(builder.get_target_uri(name), name)
        if name in additional:
            made_of = sources.of_template(additional[name])
        elif name in env.all_docs:
            made_of = ()  # see below
        elif name in sources.archives:
            made_of = sources.archives[name]
        else:
            made_of = sources.of_module(modules.get(name, ""))
        page = Page(path, file, made_of, names=(name, path), facts=facts[name])
        if name in env.all_docs:
            page, wrong = as_document(page, name, sources, options, folders)
            findings += wrong
        pages.append(page)
    shared = sorted(seen_from(app.confdir, file) for file in sources.configuration)
    if shared and options.lastmod != "none":
        counted = ", ".join(repr(f"!{name}") for name in shared)
        findings.append(shared_dependency(one_line(", ".join(shared)), one_line(counted)))
    return pages, findings


def as_document(
    page: Page, name: str, sources: DocumentSources, options: Options, folders: Folders
) -> tuple[Page, list[Finding]]:
    """The page of a document with its sources and its own options, and what is wrong with these."""
    page = page._replace(sources=sources.of_document(name))
    source = sources.documents[name]
    if sources.configuration:
        page = page._replace(undated=sources.undated(name))
    fields = sources.app.env.metadata.get(name, {})
    return with_own_options(page, fields, name, source, folders, options.lastmod_fields)


def _facts(
    app: Sphinx, extras: Mapping[str, str], modules: Iterable[str], sources: DocumentSources
) -> defaultdict[str, frozenset[Fact]]:
    """Returns what Sphinx and other extensions know of pages, by their names."""
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
    drafts = set()
    lists: set[str] = set()
    programs = met(EXTENSIONS, app.extensions)
    if tags := programs.get("sphinx_tags"):
        lists |= tags.lists_of_tags(app.config, env.all_docs)
    if ablog := programs.get("ablog"):
        lists |= ablog.lists_of_posts(app.config, sources.archives)
        navigated.update(ablog.posts(env))
        drafts.add(ablog.drafts_page(app.config))
    known = {
        Fact.GENERATED: generated,
        Fact.ORPHAN: env.all_docs.keys() - navigated,
        Fact.UNTRANSLATED: untranslated(app),
        Fact.DRAFT: drafts,
        Fact.LIST: lists,
        Fact.INCLUDED: sources.fragments(),
        Fact.ERROR_PAGE: {getattr(app.config, "notfound_pagename", None) or "404"},
    }
    facts: defaultdict[str, frozenset[Fact]] = defaultdict(lambda: NO_FACTS)
    for fact, names in known.items():
        for name in names:
            facts[name] |= {fact}
    return facts


def _modules(app: Sphinx) -> dict[str, str]:
    """The pages of viewcode → their modules; viewcode renders only those that are out of date."""
    entries: dict[str, object] = getattr(app.env, "_viewcode_modules", {})
    if not entries:
        return {}
    pages = {"_modules/index": ""}
    for module, entry in entries.items():
        if entry:
            pages[f"_modules/{module.replace('.', '/')}"] = module
    return pages


def untranslated(app: Sphinx) -> frozenset[str]:
    """The documents without a translated message.

    None in a build without a catalogue of a document, and none where nothing is translated: that is the
    language in which the project is written. A document without messages is not to be translated.
    """
    config, env = app.config, app.env
    folders = []
    for each in config.locale_dirs:
        folder = app.srcdir / each
        if folder.is_dir():
            folders.append(folder)
    if not folders:
        return frozenset()
    known = set()
    for name in env.all_docs:
        domain = docname_to_domain(name, config.gettext_compact)
        if any(gettext.find(domain, folder, [config.language]) for folder in folders):
            known.add(name)
    if not known:
        return frozenset()
    names = set()
    translates = False
    for name in env.all_docs:
        doctree = env.get_doctree(name)
        if name in known:
            # Counted for documents that have a catalogue (TranslationProgressTotaliser, since Sphinx 7.1).
            progress: dict[str, int] = doctree.get("translation_progress", {})
            total, done = progress.get("total", 0), progress.get("translated", 0)
        else:
            total, done = len([*extract_messages(doctree)]), 0
        translates = translates or done > 0
        if total and not done:
            names.add(name)
    return frozenset(names if translates else ())


@reported("info")
def shared_dependency(files: str, globs: str) -> str:
    """Every page depends on a file, such as one that conf.py reads, whose commits date no page.

    Each change of it would give all pages one date.
    Add it with a `!` to the option where it changes what every page says.
    Wrong: `versions.json` in the footer of each page, to be seen as a change of all
    Right: `sitemap_lastmod_excludes = ["!versions.json"]`
    Source: sitemap-docs: the page Dates
    """
    return (
        f"Every page depends on {files}, whose commits date no page. To count them, add to "
        f"sitemap_lastmod_excludes: {globs}."
    )
