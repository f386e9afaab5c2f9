"""The rules of the Sphinx extension.

This module can be imported without Sphinx. It imports little, because Sphinx loads it with the extension.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sitemap_docs.programs.sphinx_last_updated_by_git import UPDATED_BY_GIT, replacement_advice
from sitemap_docs.programs.sphinx_sitemap import SPHINX_SITEMAP
from sitemap_docs.rules import reported, reported_text
from sitemap_docs.text import many, one_line

_SETTLE = "In conf.py, write {line} and remove `sitemap_url_scheme`."


@reported_text()
def option_unused(message: str) -> None:
    """A value of conf.py that only sphinx-sitemap takes has no effect.

    A switch from it does not fail the build: the default of the option is used.
    Write the value as the manual has it, or remove the option.
    Wrong: `sitemap_filename = "sitemaps/{lang}.xml"`
    Right: `sitemap_filename = "sitemap.xml"`
    Source: sitemap-docs: the page Options
    """


@reported_text()
def unknown_option(message: str) -> None:
    """A name in conf.py begins like an option, and is none.

    It has no effect.
    Write the name of the option, or remove it.
    Wrong: `sitemap_exclude = ["drafts/*"]`
    Right: `sitemap_excludes = ["drafts/*"]`
    Source: sitemap-docs: the page Options
    """


class TwoUrls(NamedTuple):
    """Two base URLs that do not agree, for the message about them.

    Attributes:
        pages: The base URL of the pages in the sitemap.
        other: The other base URL.
        platform: The name of the platform that builds the site.
        line: The line to write into conf.py.
    """

    pages: str
    other: str
    platform: str
    line: str


@reported()
def scheme_unused(urls: TwoUrls) -> str:
    """The option `sitemap_url_scheme` is not used, as the platform has the address of the pages.

    The addresses are right without it.
    Remove the option.
    Wrong: `sitemap_url_scheme = "{lang}{version}{link}"` on Read the Docs
    Right: no scheme
    Source: Read the Docs: environment variables,
    https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    """
    return (
        f"`sitemap_url_scheme` in conf.py is not used: {urls.platform} has the address of the pages, "
        f"{urls.pages}. Remove `sitemap_url_scheme`."
    )


@reported("info")
def canonical_corrected(urls: TwoUrls) -> str:
    """The canonical links of the pages begin with the address at which the platform serves them.

    conf.py has an address without language and version, with a scheme for the sitemap alone.
    Write the address of the platform into conf.py, and remove the scheme.
    Wrong: `html_baseurl = "https://docs.example.com/"` with a scheme
    Right: `html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")`
    Source: Read the Docs: canonical URLs,
    https://docs.readthedocs.com/platform/stable/canonical-urls.html
    """
    return (
        f"The canonical links of the pages now begin with {urls.pages}, where {urls.platform} serves them, "
        f"not with {urls.other}. {_SETTLE.format(line=urls.line)}"
    )


@reported()
def base_from_platform(urls: TwoUrls) -> str:
    """conf.py and the platform have different addresses of this build, and the platform is right.

    Canonical links that lead elsewhere take the pages out of search.
    Write the address of the platform into conf.py.
    Wrong: `html_baseurl = "https://docs.example.com/en/stable/"` in each version
    Right: `html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")`
    Source: Read the Docs: canonical URLs,
    https://docs.readthedocs.com/platform/stable/canonical-urls.html
    """
    return (
        f"{urls.platform} serves the pages below {urls.pages}: sitemap and canonical links begin with it, "
        f"not with `html_baseurl`, {urls.other}. In conf.py, write {urls.line}"
    )


@reported()
def base_off_platform(urls: TwoUrls) -> str:
    """The base URL is on another host than the platform serves the sitemap from.

    Search engines accept a sitemap only for its own host.
    Set the domain as the canonical one at the platform, or ignore this if a reverse proxy serves the site.
    Wrong: `html_baseurl = "https://docs.example.com/"` without that domain on Read the Docs
    Right: the domain in its settings, or behind a proxy `sitemap_ignore = ["base-off-platform"]`
    Source: sitemaps.org: sitemap file location,
    https://www.sitemaps.org/protocol.html#location
    """
    return (
        f"`html_baseurl` in conf.py is {urls.pages}, but {urls.platform} serves the sitemap below "
        f"{urls.other}. Search engines accept a sitemap only for its own host. Set the domain of "
        f"`html_baseurl` as the canonical domain on {urls.platform}, or remove `html_baseurl`. If a reverse "
        "proxy serves the site at `html_baseurl`, change nothing; to silence this warning, write "
        'sitemap_ignore = ["base-off-platform"] into conf.py.'
    )


@reported()
def scheme_unconfirmed(urls: TwoUrls) -> str:
    """The option `sitemap_url_scheme` puts the pages elsewhere than their canonical links.

    Engines see two addresses of each page.
    Write the address with language and version into `html_baseurl`, and remove the scheme.
    Wrong: `html_baseurl = "https://example.org/"` and `sitemap_url_scheme = "en/{link}"`
    Right: `html_baseurl = "https://example.org/en/"`
    Source: Google: consolidate duplicate URLs,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    return (
        f"`sitemap_url_scheme` in conf.py puts the pages below {urls.pages}, their canonical links below "
        f"{urls.other}. The sitemap has the former. {_SETTLE.format(line=urls.line)} If the latter is right: "
        'sitemap_url_scheme = "{link}"'
    )


@reported()
def two_base_urls(urls: TwoUrls) -> str:
    """conf.py has two base URLs which do not agree.

    The canonical links have that of `html_baseurl`, and so has the sitemap.
    Remove the one that is wrong.
    Wrong: `html_baseurl = "https://a.example.org/"` and `site_url = "https://b.example.org/"`
    Right: `html_baseurl = "https://a.example.org/"`
    Source: Sphinx: html_baseurl,
    https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_baseurl
    """
    return (
        f"`html_baseurl` is used, {urls.pages}, and not `site_url` in conf.py, with which the pages would be "
        f"below {urls.other}. Remove the one that is wrong."
    )


@reported()
def addresses_moved(before: str, now: str, line: str, replaced: str = "") -> str:
    """The pages have other addresses than in the sitemap that another program wrote.

    sphinx-sitemap puts language and version into each address without a scheme: engines would find both.
    Write the scheme into conf.py, the one or the other.
    Wrong: `html_baseurl` and `sitemap_show_lastmod`, without `sitemap_url_scheme`
    Right: `sitemap_url_scheme = "{link}"`
    Source: sphinx-sitemap: Getting started,
    https://sphinx-sitemap.readthedocs.io/en/latest/getting-started.html
    """
    message = (
        f"The switch from another sitemap program moves the addresses of the pages: {before} is now {now}. "
        f'In conf.py, write sitemap_url_scheme = "{{link}}" to accept it, or {line} for the former addresses.'
    )
    if replaced:
        return f"The build replaces {replaced}, which listed the pages on another host. {message}"
    return message


@reported()
def locales_unused(reason: str) -> str:
    """The option `sitemap_locales` has no effect.

    No page gets links to its translations.
    Write a mapping from languages to base URLs, that of this build included.
    Wrong: `sitemap_locales = ["en"]` with `language = "en"`
    Right: `sitemap_locales = {"en": "https://example.org/en/", "de": "https://example.org/de/"}`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return f"{reason} No page gets hreflang links to translations."


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


@reported("info")
def page_dates_late(number: int, first: str) -> str:
    """A page was written before all files that it is made of were known, and may show a date that is too old.

    The sitemap has the right one.
    Build again.
    Wrong: one build with an empty folder of doctrees
    Right: two, or a cache of the doctrees
    Source: sitemap-docs: the page Dates
    """
    return (
        f"{many(number, 'page')}, such as {first}, may show a date that is too old: what they are made of "
        "was known only after they were written. Build again."
    )


@reported("info")
def footer_dates(options: Sequence[str]) -> str:
    """The pages show the dates of sphinx-last-updated-by-git."""
    return f"The pages show the dates of {UPDATED_BY_GIT}. {replacement_advice(options)}"


@reported()
def sphinx_sitemap_loaded() -> str:
    """The extension sphinx-sitemap is loaded, too, and is switched off.

    Both would write one file.
    Remove it from `extensions`, or let what loads it load this one.
    Wrong: `extensions = ["sphinx_sitemap", "sitemap_docs"]`
    Right: `extensions = ["sitemap_docs"]`
    Source: sitemap-docs: the page Switching from sphinx-sitemap
    """
    return (
        f"{SPHINX_SITEMAP} is loaded, too. It is switched off; sitemap_docs writes the sitemap. Remove it "
        "from `extensions` in conf.py, or let the extension that loads it load sitemap_docs. To accept it: "
        'suppress_warnings = ["sitemap_docs.sphinx-sitemap-loaded"]'
    )


@reported()
def noindex_everywhere(version: str) -> str:
    """The option `noindex_versions` matches the version in conf.py, so every page has a noindex.

    If this build is deployed, search engines remove the whole site.
    Correct the globs, or set the option only on the platform that builds several versions.
    Wrong: `sitemap_noindex_versions = ["*", "!stable", "!latest"]`, also on other hosts
    Right: the same line below `if os.environ.get("READTHEDOCS") == "True":`
    Source: Google: block indexing with noindex,
    https://developers.google.com/search/docs/crawling-indexing/block-indexing
    """
    return (
        f"Every page has a noindex, because the option `noindex_versions` matches the version of this build, "
        f"{one_line(version)}. Search engines will not show the site. If the version is not old, correct the "
        "option."
    )


@reported()
def theme_canonical(option: str, number: int, url: str) -> str:
    """The theme writes canonical links of its own, and those of some pages lead elsewhere.

    Engines show the pages that they lead to, so that these are left out.
    Remove the option of the theme: Sphinx writes the links below `html_baseurl`.
    Wrong: `html_theme_options = {"canonical_url": "https://old.example.org/"}`
    Right: `html_baseurl = "https://docs.example.com/"`
    Source: Sphinx: html_baseurl,
    https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_baseurl
    """
    return (
        f"The theme writes the canonical links, by {option}, and those of {many(number, 'page')} lead "
        f"elsewhere: they are left out. Remove it: Sphinx writes them below {url}."
    )


@reported()
def versions_share_address(version: str, variable: str) -> str:
    """A version is built with the base URL of all versions.

    The sitemaps of all versions list the same addresses.
    Append the name of the version to `html_baseurl`.
    Wrong: `html_baseurl = "https://example.org/"`
    Right: `html_baseurl = f"https://example.org/{os.environ['SPHINX_MULTIVERSION_NAME']}/"`
    Source: sphinx-multiversion: environment variables,
    https://sphinx-contrib.github.io/multiversion/main/configuration.html
    """
    return f"{version} has the html_baseurl of all versions: append {variable} to it."


@reported()
def languages_share_address(language: str, url: str) -> str:
    """A translation is built into a folder of its own with the base URL of all languages.

    The sitemaps of all languages list the same addresses.
    Set `html_baseurl` for each language.
    Wrong: `sphinx-build -D language=de docs public/de`
    Right: `sphinx-build -D language=de -D html_baseurl=https://example.org/de/ docs public/de`
    Source: Sphinx: html_baseurl,
    https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_baseurl
    """
    return (
        f"The pages in {language} are built into a folder of that name, but their base URL, {url}, has no "
        f"such folder. Set `html_baseurl` for each language: with `-D html_baseurl={url}{language}/`, or in "
        "conf.py in a function for the event `config-inited`."
    )
