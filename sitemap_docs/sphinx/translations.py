"""Find the documents that have no translation, in a build in another language.

The messages of a document are the texts that translators get. They are counted while Sphinx reads the
document, and the counts are kept in the environment. So an incremental build does not load the documents that
have not changed.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from docutils.nodes import document  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


class Messages(NamedTuple):
    """The number of messages in a document. Messages are the texts that translators get.

    Attributes:
        total: The number of messages that Sphinx has looked up in a catalogue.
        translated: The number of these messages that have a translation.
        has_any: Whether the document has messages, even if Sphinx has looked up none of them.
    """

    total: int
    translated: int
    has_any: bool


def connect(app: Sphinx) -> None:
    """Connect the event handlers that count the messages of each document."""
    app.connect("doctree-read", on_read)
    app.connect("env-purge-doc", on_purge)
    app.connect("env-merge-info", on_merge)


def on_read(app: Sphinx, doctree: document) -> None:
    """Keep the messages of a document. Without a folder of translations, they are not needed."""
    if app.config.language and app.config.locale_dirs:
        messages = count_messages(doctree)
        _kept(app.env)[app.env.docname] = (messages.total, messages.translated, messages.has_any)


def on_purge(_: Sphinx, env: BuildEnvironment, name: str) -> None:
    """Forget a document that Sphinx removes or reads again."""
    _kept(env).pop(name, None)


def on_merge(_: Sphinx, env: BuildEnvironment, names: Collection[str], other: BuildEnvironment) -> None:
    """Take over the documents that another process has read."""
    messages = _kept(other)
    for name in names:
        if name in messages:
            _kept(env)[name] = messages[name]


def _kept(env: BuildEnvironment) -> dict[str, tuple[int, int, bool]]:
    """Return the messages by document. They are part of the environment, which Sphinx pickles.

    They are plain tuples, so that Sphinx can load the environment even if this package is not installed.
    """
    kept: dict[str, tuple[int, int, bool]] = vars(env).setdefault("sitemap_docs_messages", {})
    return kept


def count_messages(doctree: document) -> Messages:
    """Count the messages of a document that Sphinx has read."""
    from sphinx.util.nodes import extract_messages  # noqa: PLC0415  only few builds have translations

    # The counts of TranslationProgressTotaliser, since Sphinx 7.1.
    progress: Mapping[str, int] = doctree.get("translation_progress", {})
    has_any = next(iter(extract_messages(doctree)), None) is not None
    return Messages(progress.get("total", 0), progress.get("translated", 0), has_any)


def find_untranslated(env: BuildEnvironment, with_catalogue: Collection[str]) -> frozenset[str]:
    """Return the documents that have messages, but no translated message.

    If no document has a translated message, the result is empty, because the build is in the language in
    which the project is written.

    Args:
        env: The environment after all documents were read.
        with_catalogue: The documents that have a catalogue of translations.
    """
    if not with_catalogue:
        return frozenset()
    kept = _kept(env)
    names = set()
    has_translation = False
    for name in env.all_docs:
        counts = kept.get(name)
        messages = Messages(*counts) if counts else count_messages(env.get_doctree(name))
        total, translated = int(messages.has_any), 0
        if name in with_catalogue:
            total, translated = messages.total, messages.translated
        has_translation = has_translation or translated > 0
        if total and not translated:
            names.add(name)
    return frozenset(names if has_translation else ())
