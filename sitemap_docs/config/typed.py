"""The options of a build as the Python API takes them. Made by ``pytest --update tests/test_api.py``."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict


class _CommonOptions(TypedDict, total=False):
    excludes: str | Sequence[str]
    links: Literal["auto", "folders", "files", "clean", "bare"]
    lastmod: Literal["commit", "author", "none"]
    cache: bool
    record: str
    host: Literal["auto", "cloudflare-pages"]


class CheckOptions(_CommonOptions, total=False):
    """The options of ``sitemap_docs.api.check``. The option ``check`` configures single rules."""

    check: Mapping[str, object]


class BuildOptions(_CommonOptions, total=False):
    """The options of ``sitemap_docs.api.build``. The page "Options" of the manual describes them."""

    filename: str
    locales: Mapping[str, str] | str | Sequence[str]
    untranslated: bool
    lastmod_format: Literal["exact", "day"]
    lastmod_dependencies: bool
    lastmod_ignore_revs: str
    lastmod_excludes: str | Sequence[str]
    lastmod_fields: str | Sequence[str]
    images: bool
    gzip: Literal["auto", "off", "beside", "instead"] | bool
    stylesheet: bool
    indent: bool | int
    max_urls: int
    index: Literal["auto", "cascaded"] | bool
    groups: Mapping[str, str | Sequence[str]]
    extra_urls: str | Mapping[str, object] | Sequence[str | Mapping[str, object]]
    extra_sitemaps: str | Sequence[str]
    formats: Literal["text"] | Sequence[Literal["text"]]
    replace: bool
    changefreq: Mapping[str, Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]]
    priority: Mapping[str, float]
    robots: Literal["auto", "on", "off"] | bool | Mapping[str, object]
    previews: bool
    ignore: Mapping[str, str | Sequence[str]] | str | Sequence[str]
    check: bool | Mapping[str, object]


class JoinOptions(TypedDict, total=False):
    """The options that ``sitemap_docs.api.join`` accepts as ``**options``."""

    filename: str
    leave_out: str | Sequence[str]
    untranslated: bool
    lastmod_format: Literal["exact", "day"]
    gzip: Literal["auto", "off", "beside", "instead"] | bool
    stylesheet: bool
    indent: bool | int
    max_urls: int
    index: Literal["auto", "cascaded"] | bool
    extra_sitemaps: str | Sequence[str]
    replace: bool
    record: str
    robots: Literal["auto", "on", "off"] | bool | Mapping[str, object]
    previews: bool
    ignore: Mapping[str, str | Sequence[str]] | str | Sequence[str]
