"""How much of each document a build with gettext catalogues translates."""

from __future__ import annotations

import gettext
from typing import TYPE_CHECKING

from sphinx.util.i18n import docname_to_domain
from sphinx.util.nodes import extract_messages

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def untranslated(app: Sphinx, minimum: int) -> frozenset[str]:
    """The documents of which less than ``minimum`` percent is translated.

    None in a build without a catalogue of a document, and none where nothing is translated: that is the
    language in which the project is written. A document without messages is not to be translated.
    """
    names = app.env.all_docs
    known = {name for name in names if _has_catalogue(app, name)} if minimum else set()
    if not known:
        return frozenset()
    progress = {name: _percent(app, name, translates=name in known) for name in names}
    if not any(progress.values()):
        return frozenset()
    return frozenset(name for name, done in progress.items() if done is not None and done < minimum)


def _has_catalogue(app: Sphinx, name: str) -> bool:
    config = app.config
    domain = docname_to_domain(name, config.gettext_compact)
    folders = (app.srcdir / folder for folder in config.locale_dirs)
    return any(gettext.find(domain, folder, [config.language]) for folder in folders)


def _percent(app: Sphinx, name: str, *, translates: bool) -> int | None:
    """The translated part in whole percent, at least 1 for any; None for a document without messages.

    Sphinx counts the messages of documents that have a catalogue (TranslationProgressTotaliser, since 7.1).
    """
    doctree = app.env.get_doctree(name)
    if not translates:
        return 0 if any(True for _ in extract_messages(doctree)) else None
    progress: dict[str, int] = doctree.get("translation_progress", {})
    total, done = progress.get("total", 0), progress.get("translated", 0)
    return max(100 * done // total, bool(done)) if total else None
