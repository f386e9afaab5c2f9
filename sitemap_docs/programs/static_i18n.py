"""mkdocs-static-i18n: the sources of translations, and the pages that are not translated."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from posixpath import relpath, splitext
from typing import Any

from sitemap_docs.config.parsing import as_list, as_mapping, as_text
from sitemap_docs.model import Fact
from sitemap_docs.programs.protocols import PluginPages
from sitemap_docs.sources.source_files import SourceLayout
from sitemap_docs.urls.languages import Translation, hreflang


class TranslatedLayout(SourceLayout):
    """Finds the sources of translated pages.

    The source of ``de/a/`` is ``a.de.md`` or ``de/a.md``.
    """

    def __init__(self, docs: Path, options: Mapping[str, Any]) -> None:
        default, languages = "", []
        for each in as_list(options.get("languages")):
            language = as_text(as_mapping(each).get("locale"))
            if language:
                languages.append(language)
                if each.get("default") is True:
                    default = language
        self._has_folders = options.get("docs_structure") == "folder"
        maps = []
        for language in languages:
            prefix = "" if language == default else f"{language}/"
            if self._has_folders:
                maps.append(f"{prefix}**={default}/**")
                continue
            for ending in dict.fromkeys([language, default]):
                maps += [
                    f"{prefix}**/index.html=**.{ending}.html",
                    f"{prefix}**/index.html=**/index.{ending}.html",
                    f"{prefix}**/index.html=**/README.{ending}.html",
                    f"{prefix}**.html=**.{ending}.html",
                ]
            maps.append(f"{prefix}**=**")
        super().__init__(docs, maps)
        self._default = default
        self._languages = frozenset(languages)
        self.default_language = hreflang(default) or ""

    def is_untranslated(self, file: str, source: str) -> bool:
        """Check whether a page such as ``de/a/index.html`` shows the default language instead of German."""
        language = self._language_of_page(file)
        if language == self._default:
            return False
        return not (
            splitext(source)[0].endswith(f".{language}") or source.startswith(f"{self.root}/{language}/")
        )

    def translation(self, file: str, source: str) -> Translation | None:
        """Return the language of a page, such as ``de``, and the path ``a.md`` of all its translations.

        The path of ``a.de.md`` and ``de/a.md`` is ``a.md``. If the language is unknown, return None.
        """
        name = relpath(source, self.root)
        language, key = self._default, name
        if self._has_folders:
            folder, slash, below = name.partition("/")
            if slash and folder in self._languages:
                language, key = folder, below
        else:
            ending = splitext(splitext(name)[0])[1].removeprefix(".")
            if ending in self._languages:
                language, key = ending, name.replace(f".{ending}", "", 1)
        tag = hreflang(language)
        if tag is None or language != self._language_of_page(file) or name.startswith("../"):
            return None
        return Translation(tag, key)

    def _language_of_page(self, file: str) -> str:
        """Return the language of a page, such as ``de`` for ``de/a/index.html``."""
        folder, slash, _ = file.partition("/")
        return folder if slash and folder in self._languages else self._default


class TranslatedPages(PluginPages):
    """The pages that mkdocs-static-i18n builds in several languages."""

    builds_languages = True

    @staticmethod
    def layout(docs: Path, options: Mapping[str, Any]) -> SourceLayout:
        """Return a :class:`SourceLayout`, which finds the source file of each translated page."""
        return TranslatedLayout(docs, options)

    @property
    def default_language(self) -> str:
        """The language of pages outside folders such as ``de/``, or ``""`` if it is unknown."""
        return hreflang(self.plugin.default_language) or ""

    def facts(self, file: Any, *, is_orphan: bool) -> Iterator[Fact]:  # noqa: ANN401  of MkDocs
        """Yield ``Fact.UNTRANSLATED`` if a page shows the default language because it is not translated.

        ``is_orphan`` is not used here.
        """
        if _is_fallback(file):
            yield Fact.UNTRANSLATED

    def translation(self, file: Any) -> Translation | None:  # noqa: ANN401
        """Return the language of a page, such as ``de``, and the path ``a.md`` of all its translations.

        If the language is unknown, or if the page is not translated, return None.
        """
        language = hreflang(getattr(file, "locale", ""))
        if language is None or file.generated_by or _is_fallback(file):
            return None
        return Translation(language, getattr(file, "norm_src_uri", ""))


def _is_fallback(file: Any) -> bool:  # noqa: ANN401
    """Check whether a page shows the default language because its translation is missing."""
    # The plugin cannot know the language of generated files, and takes the default language.
    language = getattr(file, "locale", "")
    return bool(language != getattr(file, "locale_alternate_of", language) and not file.generated_by)
