"""mkdocs-static-i18n: where translations lie, and which pages of a build are none."""

from collections.abc import Mapping
from pathlib import Path
from posixpath import splitext
from typing import Any

from sitemap_docs.config.parsing import as_list, as_mapping, as_text
from sitemap_docs.sources.source_files import SourceLayout
from sitemap_docs.urls.languages import hreflang


class TranslatedLayout(SourceLayout):
    """Sources of mkdocs-static-i18n: ``de/a/`` is ``a.de.md`` or ``de/a.md``, else the default language."""

    def __init__(self, docs: Path, options: Mapping[str, Any]) -> None:
        default, languages = "", []
        for each in as_list(options.get("languages")):
            language = as_text(as_mapping(each).get("locale"))
            if language:
                languages.append(language)
                if each.get("default") is True:
                    default = language
        maps = []
        for language in languages:
            prefix = "" if language == default else f"{language}/"
            if options.get("docs_structure") == "folder":
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
        self._others = frozenset(languages) - {default}

    def is_untranslated(self, file: str, source: str) -> bool:
        language, slash, _ = file.partition("/")
        if not slash or language not in self._others:
            return False
        return not (
            splitext(source)[0].endswith(f".{language}") or source.startswith(f"{self.root}/{language}/")
        )


def is_fallback(file: Any) -> bool:  # noqa: ANN401  of MkDocs, as the next
    """Whether a build shows the page of a file in the default language in place of a translation."""
    # It cannot know the language of what a plugin generates, and takes the default one.
    language = getattr(file, "locale", "")
    return bool(language != getattr(file, "locale_alternate_of", language) and not file.generated_by)


def translation(file: Any) -> tuple[str, str] | None:  # noqa: ANN401
    """The language of the page of a file, and the key that its translations share."""
    language = hreflang(getattr(file, "locale", ""))
    if language is None or file.generated_by or is_fallback(file):
        return None
    return language, getattr(file, "norm_src_uri", "")
