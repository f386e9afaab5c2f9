"""Find the documents that have no translation, in the language of the build and in other languages.

The messages of a document are the texts that translators get. They are counted while Sphinx reads the
document, and the counts are kept in the environment. So an incremental build does not load the documents that
have not changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from docutils.nodes import document  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util.i18n import docname_to_domain

from sitemap_docs.urls.languages import hreflang

if TYPE_CHECKING:
    from sitemap_docs.sphinx.catalogues import Catalogues


class Messages(NamedTuple):
    """The number of translatable texts in a document, and how many are translated."""

    #: The number of texts that Sphinx has looked up.
    total: int
    #: The number of texts with a translation.
    translated: int
    #: Whether the document contains any translatable text.
    has_any: bool


def connect(app: Sphinx) -> None:
    """Let Sphinx count the translatable texts of each document that it reads."""
    app.add_transform(KeepMessages)
    app.connect("doctree-read", on_read)
    app.connect("env-purge-doc", on_purge)
    app.connect("env-merge-info", on_merge)


class KeepMessages(SphinxTransform):
    """Stores a hash of each text in a document before Sphinx translates the text.

    With these hashes, a build in one language can check whether translations into other languages exist.
    """

    default_priority = 15  # PreserveTranslatableMessages has 10, and Locale has 20.

    def apply(self, **_: Any) -> None:  # noqa: ANN401  of Sphinx
        """Store a hash of each translatable text in the document that Sphinx is reading."""
        if not (self.config.sitemap_locales and self.config.locale_dirs):
            return
        from sphinx.util.nodes import extract_messages  # noqa: PLC0415  only few builds have translations

        from sitemap_docs.sphinx.catalogues import hash_text  # noqa: PLC0415

        # Before Sphinx 8, each translated message is a small document with the same name, and comes later.
        digests = _kept_digests(self.env)
        if self.env.docname not in digests:
            messages = (message for _, message in extract_messages(self.document))
            digests[self.env.docname] = frozenset(map(hash_text, messages))


def on_read(app: Sphinx, doctree: document) -> None:
    """Count the translatable texts in a document, and store the counts in Sphinx's environment."""
    if app.config.language and app.config.locale_dirs:
        messages = count_messages(doctree)
        _kept(app.env)[app.env.docname] = (messages.total, messages.translated, messages.has_any)


def on_purge(_: Sphinx, env: BuildEnvironment, name: str) -> None:
    """Delete the stored counts and hashes of a document's texts when Sphinx removes the document.

    Sphinx also does this before it reads a document again. The counts and hashes show which texts are
    translated.
    """
    _kept(env).pop(name, None)
    _kept_digests(env).pop(name, None)


def on_merge(_: Sphinx, env: BuildEnvironment, names: Collection[str], other: BuildEnvironment) -> None:
    """Copy the translation data of documents from another process of a parallel Sphinx build.

    For each document, the data is the number of its texts, how many are translated, and hashes of the texts.
    ``names`` are the documents that the other process has read, and ``other`` is its environment.
    """
    messages, digests = _kept(other), _kept_digests(other)
    for name in names:
        if name in messages:
            _kept(env)[name] = messages[name]
        if name in digests:
            _kept_digests(env)[name] = digests[name]


def _kept(env: BuildEnvironment) -> dict[str, tuple[int, int, bool]]:
    """Return how many texts each document has, and how many are translated, from Sphinx's environment."""
    # The values are plain tuples, so that Sphinx can load the environment even without this package.
    kept: dict[str, tuple[int, int, bool]] = vars(env).setdefault("sitemap_docs_messages", {})
    return kept


def _kept_digests(env: BuildEnvironment) -> dict[str, frozenset[int]]:
    """Return the hashes of translatable texts that Sphinx's environment stores for each document."""
    kept: dict[str, frozenset[int]] = vars(env).setdefault("sitemap_docs_digests", {})
    return kept


def count_messages(doctree: document) -> Messages:
    """Count the translatable texts of a document that Sphinx has read."""
    from sphinx.util.nodes import extract_messages  # noqa: PLC0415  only few builds have translations

    # The counts of TranslationProgressTotaliser, since Sphinx 7.1.
    progress: Mapping[str, int] = doctree.get("translation_progress", {})
    has_any = next(iter(extract_messages(doctree)), None) is not None
    return Messages(progress.get("total", 0), progress.get("translated", 0), has_any)


def find_untranslated(env: BuildEnvironment, with_catalogue: Collection[str]) -> frozenset[str]:
    """Return the names of documents in which no text is translated.

    If no document at all is translated, return an empty set: the project is probably written in the language
    of the build. ``with_catalogue`` are the documents with a translation file for this language, such as
    ``a.po``.
    """
    if not with_catalogue:
        return frozenset()
    kept = _kept(env)
    all_messages = {}
    for name in env.all_docs:
        counts = kept.get(name)
        messages = Messages(*counts) if counts else count_messages(env.get_doctree(name))
        if name not in with_catalogue:
            messages = Messages(int(messages.has_any), 0, messages.has_any)
        all_messages[name] = messages
    return _without_translation(all_messages)


def find_untranslated_in(
    code: str, env: BuildEnvironment, catalogues: Catalogues, folders: Iterable[Path]
) -> frozenset[str]:
    """Return the names of documents that are not translated into another language.

    If ``folders`` contain no translation files (``.po``) for that language, return no names: the files may be
    elsewhere.

    Args:
        code: The other language, such as ``pt-BR``.
        env: Sphinx's environment, after all documents were read.
        catalogues: The texts in the translation files of all languages.
        folders: The folders of the Sphinx setting ``locale_dirs``.
    """
    folders_in_language = [*_folders_in(code, folders)]
    # The catalogues of this language may be somewhere else.
    if not folders_in_language:
        return frozenset()
    translated_by_domain: dict[str, frozenset[int]] = {}
    all_messages = {}
    for name, digests in _kept_digests(env).items():
        domain = docname_to_domain(name, env.config.gettext_compact)
        if domain not in translated_by_domain:
            texts = [catalogues.translated_texts(folder, domain) for folder in folders_in_language]
            translated_by_domain[domain] = frozenset().union(*texts)
        has_translation = not digests.isdisjoint(translated_by_domain[domain])
        all_messages[name] = Messages(len(digests), int(has_translation), bool(digests))
    return _without_translation(all_messages)


def _without_translation(all_messages: Mapping[str, Messages]) -> frozenset[str]:
    """Return the names of documents in which no text is translated.

    If no document has any translation, return nothing: the project is probably written in this language.
    """
    names = set()
    has_translation = False
    for name, messages in all_messages.items():
        has_translation = has_translation or messages.translated > 0
        if messages.total and not messages.translated:
            names.add(name)
    # If no document is translated, the project is written in this language, or its catalogues are not known.
    return frozenset(names if has_translation else ())


def _folders_in(code: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders with translations into a language such as ``pt-BR``.

    For ``pt-BR``, they are ``locales/pt_BR/LC_MESSAGES`` and ``locales/pt/LC_MESSAGES``.
    """
    from sitemap_docs.files import names_in  # noqa: PLC0415  only few builds have translations

    for folder in folders:
        for name in names_in(folder):
            is_in_language = hreflang(name) in (code, code.partition("-")[0])
            messages_folder = folder / name / "LC_MESSAGES"
            with suppress(OSError):
                if is_in_language and messages_folder.is_dir():
                    yield messages_folder
