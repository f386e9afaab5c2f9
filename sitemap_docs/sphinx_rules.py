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


@reported_text()
def option_unused(message: str) -> None:
    """A value in conf.py is valid for sphinx-sitemap, but not for sitemap-docs.

    The default of the option is used, so that a switch from sphinx-sitemap does not fail the build.
    Correct the value as the message says, or remove the option.
    Wrong: `sitemap_filename = "sitemaps/{lang}.xml"`
    Right: `sitemap_filename = "sitemap.xml"`
    Source: sitemap-docs: the page Options
    """


@reported_text()
def unknown_option(message: str) -> None:
    """A name in conf.py looks like an option of sitemap-docs, but there is no such option.

    The name has no effect.
    Correct or remove the name.
    Wrong: `sitemap_exclude = ["drafts/*"]`
    Right: `sitemap_excludes = ["drafts/*"]`
    Source: sitemap-docs: the page Options
    """


class TwoUrls(NamedTuple):
    """Two base URLs that differ but should be equal, such as those of the sitemap and conf.py."""

    #: The base URL of the pages in the sitemap.
    pages: str
    #: The other base URL, such as that in conf.py.
    other: str
    #: The name of the platform, such as ``Read the Docs``.
    platform: str
    #: The line to write into conf.py, such as ``html_baseurl = …``.
    line: str


@reported()
def scheme_unused(urls: TwoUrls) -> str:
    """The option `sitemap_url_scheme` is not used, because the platform sets the address of the pages.

    The addresses in the sitemap are right.
    Remove the option.
    Wrong: `sitemap_url_scheme = "{lang}{version}{link}"` on Read the Docs
    Right: no scheme
    Source: Read the Docs: environment variables,
    https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    """
    return (
        f"`sitemap_url_scheme` in conf.py is not used, because {urls.platform} sets the address of the "
        f"pages: {urls.pages}. Remove `sitemap_url_scheme`."
    )


@reported("info")
def canonical_corrected(urls: TwoUrls) -> str:
    """The canonical links of the pages begin with the address of the platform, not with that in conf.py.

    The base URL in conf.py has no language and version. `sitemap_url_scheme` applies to the sitemap only.
    Write the address of the platform into conf.py, and remove the scheme.
    Wrong: `html_baseurl = "https://docs.example.com/"` with a scheme
    Right: `html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")`
    Source: Read the Docs: canonical URLs,
    https://docs.readthedocs.com/platform/stable/canonical-urls.html
    """
    return (
        f"The canonical links of the pages were changed from {urls.other} to {urls.pages}, the address at "
        f"which {urls.platform} serves them. In conf.py, write {urls.line} and remove `sitemap_url_scheme`."
    )


@reported()
def base_from_platform(urls: TwoUrls) -> str:
    """The base URL in conf.py is not the address at which the platform serves this build.

    The platform's address is used. Other canonical links would take the pages out of search.
    Write the address of the platform into conf.py.
    Wrong: `html_baseurl = "https://docs.example.com/en/stable/"` in each version
    Right: `html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")`
    Source: Read the Docs: canonical URLs,
    https://docs.readthedocs.com/platform/stable/canonical-urls.html
    """
    return (
        f"`html_baseurl` in conf.py is {urls.other}, but {urls.platform} serves the pages below "
        f"{urls.pages}. The sitemap and the canonical links use the address of {urls.platform}. In conf.py, "
        f"write {urls.line}"
    )


@reported()
def base_off_platform(urls: TwoUrls) -> str:
    """The base URL in conf.py is not on the host from which the platform serves the sitemap.

    Search engines accept a sitemap only for its own host.
    Set the domain as canonical on the platform. If a reverse proxy serves the site, ignore the finding.
    Wrong: `html_baseurl = "https://docs.example.com/"` without that domain on Read the Docs
    Right: the domain in its settings, or behind a proxy `sitemap_ignore = ["base-off-platform"]`
    Source: sitemaps.org: sitemap file location,
    https://www.sitemaps.org/protocol.html#location
    """
    return (
        f"`html_baseurl` in conf.py is {urls.pages}, but {urls.platform} serves the sitemap below "
        f"{urls.other}. Search engines accept a sitemap only for its own host. If the domain of "
        f"`html_baseurl` is yours, set it as the canonical domain on {urls.platform}. Otherwise, remove "
        "`html_baseurl`. If a reverse proxy serves the site at `html_baseurl`, only silence this warning: "
        'write sitemap_ignore = ["base-off-platform"] into conf.py.'
    )


@reported()
def scheme_unconfirmed(pages: str, canonical: str, advice: str) -> str:
    """With the option `sitemap_url_scheme`, the addresses in the sitemap differ from the canonical links.

    Search engines see two addresses of each page.
    Write the address with language and version into `html_baseurl`, and remove the scheme.
    Wrong: `html_baseurl = "https://example.org/"` and `sitemap_url_scheme = "en/{link}"`
    Right: `html_baseurl = "https://example.org/en/"`
    Source: Google: consolidate duplicate URLs,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    return (
        f"With `sitemap_url_scheme` in conf.py, the sitemap lists the pages below {pages}, but their "
        f"canonical links are below {canonical}. If the sitemap is right, {advice}, and remove "
        '`sitemap_url_scheme`. If the canonical links are right, write sitemap_url_scheme = "{link}"'
    )


@reported()
def two_base_urls(urls: TwoUrls) -> str:
    """The settings `html_baseurl` and `site_url` in conf.py are different base URLs.

    The sitemap and the canonical links use `html_baseurl`.
    Remove the setting that is wrong.
    Wrong: `html_baseurl = "https://a.example.org/"` and `site_url = "https://b.example.org/"`
    Right: `html_baseurl = "https://a.example.org/"`
    Source: Sphinx: html_baseurl,
    https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_baseurl
    """
    return (
        f"`html_baseurl` in conf.py ({urls.pages}) and `site_url` differ, and `html_baseurl` is used. With "
        f"`site_url`, the pages would be below {urls.other}. Remove the setting that is wrong."
    )


@reported()
def addresses_moved(before: str, now: str, origin: str, advice: str, replaced: str = "") -> str:
    """The pages have other addresses than in the sitemap of the program that the project used before.

    Without a scheme, sphinx-sitemap writes language and version into each address.
    Accept the new addresses with a scheme, or write the old ones into `html_baseurl`.
    Wrong: `html_baseurl` and `sitemap_show_lastmod`, without `sitemap_url_scheme`
    Right: `sitemap_url_scheme = "{link}"`
    Source: sphinx-sitemap: Getting started,
    https://sphinx-sitemap.readthedocs.io/en/latest/getting-started.html
    """
    message = (
        f"The pages have other addresses than {origin}: {before} is now {now}. To accept the new addresses, "
        'write sitemap_url_scheme = "{link}" into conf.py. If the pages are at the old addresses, '
        f"{advice}."
    )
    if replaced:
        return f"The build replaces {replaced}, which listed the pages on another host. {message}"
    return message


@reported()
def locales_unused(reason: str) -> str:
    """The option `sitemap_locales` has no effect.

    No page gets links to its translations.
    Remove the option, or write a mapping from each language to its base URL, also for this build's language.
    Wrong: `sitemap_locales = ["en"]` with `language = "en"`
    Right: `sitemap_locales = {"en": "https://example.org/en/", "de": "https://example.org/de/"}`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return f"{reason} No page gets hreflang links to translations."


@reported("info")
def shared_dependency(files: str, globs: str) -> str:
    """Every page depends on a file, such as one that conf.py reads, so its commits do not date the pages.

    Otherwise, each change of the file would give all pages the same date.
    If the pages should have its date, add the file with a `!` to the option.
    Wrong: `versions.json` in the footer of each page, if its changes should date all pages
    Right: `sitemap_lastmod_excludes = ["!versions.json"]`
    Source: sitemap-docs: the page Dates
    """
    return (
        f"Every page depends on {files}. Commits that change only this file do not date the pages. If they "
        f"should, add this exception to sitemap_lastmod_excludes: {globs}."
    )


@reported("info")
def page_dates_late(number: int, first: str) -> str:
    """A page may show a date that is too old.

    Some of its sources were found only after the page was written. The date in the sitemap is right.
    Build again.
    Wrong: one build with an empty folder of doctrees
    Right: two, or a cache of the doctrees
    Source: sitemap-docs: the page Dates
    """
    return (
        f"{many(number, 'page')}, such as {first}, may show a date that is too old, because some sources "
        "were found only after the pages were written. Build again."
    )


@reported("info")
def footer_dates(options: Sequence[str]) -> str:
    """The pages show the dates of sphinx-last-updated-by-git."""
    return f"The pages show the dates that {UPDATED_BY_GIT} writes. {replacement_advice(options)}"


@reported()
def sphinx_sitemap_loaded() -> str:
    """The extension sphinx-sitemap is loaded, too, and is switched off.

    Both extensions would write the same file.
    Remove it from `extensions`.
    Wrong: `extensions = ["sphinx_sitemap", "sitemap_docs"]`
    Right: `extensions = ["sitemap_docs"]`
    Source: sitemap-docs: the page Switching from sphinx-sitemap
    """
    return (
        f"{SPHINX_SITEMAP} is switched off, because sitemap_docs writes the sitemap. Remove "
        f"{SPHINX_SITEMAP} from `extensions` in conf.py. If another extension loads it, write "
        'suppress_warnings = ["sitemap_docs.sphinx-sitemap-loaded"]'
    )


@reported()
def noindex_everywhere(version: str) -> str:
    """The option `noindex_versions` matches the version in conf.py, so every page has a noindex tag.

    If this build is deployed, search engines remove the whole site.
    Correct the globs, or set the option only on the platform that builds several versions.
    Wrong: `sitemap_noindex_versions = ["*", "!stable", "!latest"]`, also on other hosts
    Right: the same line below `if os.environ.get("READTHEDOCS") == "True":`
    Source: Google: block indexing with noindex,
    https://developers.google.com/search/docs/crawling-indexing/block-indexing
    """
    return (
        f"Every page has a noindex tag, because the option `noindex_versions` matches the version of this "
        f"build, {one_line(version)}. Search engines will not show the site. If the version is not old, "
        "correct the option."
    )


@reported()
def theme_canonical(option: str, number: int, url: str) -> str:
    """The theme writes its own canonical links, and some of them lead to other addresses.

    Search engines show the pages at the other addresses, so the pages with these links are left out.
    Remove the option of the theme. Sphinx then writes the links below `html_baseurl`.
    Wrong: `html_theme_options = {"canonical_url": "https://old.example.org/"}`
    Right: `html_baseurl = "https://docs.example.com/"`
    Source: Sphinx: html_baseurl,
    https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_baseurl
    """
    return (
        f"Because of {option}, the theme writes the canonical links. The sitemap leaves out "
        f"{many(number, 'page')}, because these links lead to other addresses. Remove {option}. Sphinx then "
        f"writes links to {url}."
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
    return (
        f"The version {version} has the same `html_baseurl` as all other versions. In conf.py, append the "
        f"environment variable {variable} to `html_baseurl`."
    )


@reported()
def languages_share_address(language: str, url: str) -> str:
    """A translation is built into its own folder, but with the base URL of all languages.

    The sitemaps of all languages list the same addresses.
    Set `html_baseurl` for each language.
    Wrong: `sphinx-build -D language=de docs public/de`
    Right: `sphinx-build -D language=de -D html_baseurl=https://example.org/de/ docs public/de`
    Source: Sphinx: html_baseurl,
    https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_baseurl
    """
    return (
        f"The pages are built into the folder {language}, but their base URL, {url}, does not contain "
        f"/{language}/. Set `html_baseurl` for each language: with `-D html_baseurl={url}{language}/`, or in "
        "conf.py in a function for the event `config-inited`."
    )
