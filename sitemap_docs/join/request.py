"""The flags of ``sitemap-docs join``."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sitemap_docs.model import SitemapError
from sitemap_docs.urls.languages import hreflang

Treatment = Literal["noindex", "canonical", "keep"]
"""How the pages of old versions are edited. ``keep`` restores the original pages."""


def split_versions(texts: Iterable[str]) -> tuple[str, ...]:
    """Split texts at their commas, and return all names of versions in them.

    >>> split_versions(["1.0,2.*", "stable"])
    ('1.0', '2.*', 'stable')
    """
    return tuple(name for text in texts for name in text.split(",") if name)


class RequestError(SitemapError):
    """An error about an option of ``sitemap-docs join`` that the user must change.

    The message contains the name of the option in Python, such as ``canonical_version``. On the command line,
    the user reads ``--canonical-version`` instead.
    """


@dataclass(frozen=True, kw_only=True)
class JoinRequest:
    """The options of ``sitemap-docs join``, the command that joins the sitemaps of several versions."""

    #: The flag ``--versions``, such as ``2.*``.
    names: Sequence[str] = ()
    #: The number of newest versions to list, or 0 for all.
    newest: int = 0
    #: The flag ``--canonical-version``, such as ``stable``.
    canonical: str = ""
    #: The flag ``--old-versions``, such as ``noindex``.
    treatment: Treatment | None = None
    is_merged: bool = False
    default_language: str = ""
    root_language: str = ""
    version_records: Sequence[tuple[str, Path]] = ()
    prints_redirects: bool = False
    #: How the user passes a record, in messages. Braces stand for the version.
    record_argument: str = "version_record={{{0!r}: 'FILE'}}"

    def check(self, *, has_tree: bool) -> None:
        """Raise RequestError if an option is invalid, or cannot be combined with another option.

        ``has_tree`` is true if the user has passed a folder with all versions, and false for a list of
        sitemaps.
        """
        if self.treatment and not has_tree:
            raise RequestError(
                "The option `old_versions` edits pages in a folder, not sitemaps. Pass the folder of all "
                "versions."
            )
        if self.treatment in ("noindex", "canonical") and not self.canonical:
            raise RequestError(
                f"The option `old_versions`, set to {self.treatment}, needs the option `canonical_version`."
            )
        if self.prints_redirects and self.treatment:
            raise RequestError(
                "The option `redirects` only prints redirects and edits no page. Leave out the option "
                "`old_versions`."
            )
        if self.prints_redirects and not (has_tree and self.canonical):
            raise RequestError(
                "The option `redirects` needs the folder of all versions and the option `canonical_version`."
            )
        if self.version_records and not (self.prints_redirects or self.treatment == "canonical"):
            raise RequestError(
                "The option `version_record` needs the option `redirects`, or the option `old_versions` set "
                "to canonical."
            )
        for option, code in (("x_default", self.default_language), ("root_language", self.root_language)):
            if code and hreflang(code) is None:
                raise RequestError(
                    f"The option `{option}` must be a language code such as en or pt-BR, not {code!r}."
                )
