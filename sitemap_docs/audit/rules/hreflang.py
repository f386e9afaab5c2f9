"""Rules about translations: ``hreflang`` in sitemaps and in pages."""

from collections import defaultdict

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import AlternateLinks, Site
from sitemap_docs.audit.sitemap_file import Url
from sitemap_docs.urls.base import split_url
from sitemap_docs.urls.languages import X_DEFAULT, hreflang


@rule("error")
def hreflang_code_invalid(links: AlternateLinks) -> Findings:
    """A language code is not valid.

    Search engines ignore the link. Frequent mistakes are countries such as `jp`, and `en-UK` and `en_US`.
    Write a language, and after it a country if you need one: `ja`, `en-GB`, `zh-Hant`.
    Source: Google: localized versions of your pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    for code in dict.fromkeys(each.hreflang for each in links.alternates):
        right = hreflang(code)
        if right is None:
            message = (
                f"{code!r} is not a language code that search engines accept. Write a code such as de or "
                "pt-BR."
            )
            yield links.place, message
        elif right.lower() != code.lower():
            yield links.place, f"{code!r} is not a language code that search engines accept. Write {right}."


@rule("error")
def hreflang_href_relative(links: AlternateLinks) -> Findings:
    """A link to a translation is not absolute.

    Search engines ignore it.
    Write the full address.
    Source: Google: localized versions of your pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    for each, written in zip(links.alternates, links.written, strict=True):
        if not split_url(written).scheme:
            message = (
                f"The hreflang link for {each.hreflang} has the relative address {written!r}. Write the full "
                "address."
            )
            yield links.place, message


@rule("error")
def hreflang_return_link_missing(links: AlternateLinks, site: Site) -> Findings:
    """A page lacks a link to itself among its translations, or a translation does not link back to the page.

    Each translation must list itself and all others. Otherwise, search engines ignore the links between them.
    Give all translations the same set of links.
    Source: Google: localized versions of your pages, guidelines,
    https://developers.google.com/search/docs/specialty/international/localized-versions#guidelines
    """
    if all(each.href != links.loc for each in links.alternates):
        message = (
            f"The hreflang links of {links.loc} do not include the page itself. Add a link to it, with its "
            "own language."
        )
        yield links.place, message
    for each in links.alternates:
        if each.href == links.loc or each.hreflang.lower() == X_DEFAULT:
            continue  # a page that only chooses a language need not link back
        page = site.page_of(each.href)
        if (
            page is None
            or _is_left_out(page)
            or page.noindex
            or page.elsewhere
            or site.redirects.target_of(each.href)
        ):
            continue  # a translation that is left out has no links; other rules report it
        is_linked = links.loc in site.translations.get(each.href, ())
        if not is_linked and links.loc not in site.pages_linked_from(each.href):
            message = (
                f"The translation {each.href} ({each.hreflang}) has no hreflang link back to this page. Add "
                "one there."
            )
            yield links.place, message


@rule("error")
def hreflang_duplicate_code(links: AlternateLinks) -> Findings:
    """A page has two links with the same language and different addresses.

    Search engines cannot choose, and ignore both links.
    Keep one address for each language, and one x-default. Two countries need two codes, such as `en-GB`.
    Source: Google: localized versions of your pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    addresses: dict[str, set[str]] = defaultdict(set)
    for each in links.alternates:
        addresses[each.hreflang.lower()].add(each.href)
    for code, hrefs in sorted(addresses.items()):
        if len(hrefs) > 1:
            message = (
                f"The hreflang links for {code} point to {len(hrefs)} different addresses. Keep one of them."
            )
            yield links.place, message


@rule("error")
def hreflang_target_missing(links: AlternateLinks, site: Site) -> Findings:
    """A link to a translation leads to a page that does not exist.

    Crawlers get a 404, and ignore the set of links.
    Remove the link, or build the translation.
    Source: Google: localized versions of your pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    for href in dict.fromkeys(each.href for each in links.alternates):
        if href != links.loc and site.is_lost(href):
            message = (
                f"A link with hreflang points to {href}, but the site has no file for this address. Remove "
                "the link, or build the translation."
            )
            yield links.place, message


@rule("error")
def hreflang_target_not_canonical(links: AlternateLinks, site: Site) -> Findings:
    """A link to a translation leads to a redirect, to a noindex page, or to a page that is not canonical.

    Search engines look for return links only on canonical pages, and they show no page that has noindex.
    Link to the canonical address, or remove the noindex. No canonical link may lead to another language.
    Source: Google: localized versions of your pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    # A page that only chooses a language need not be indexed.
    hrefs = dict.fromkeys(each.href for each in links.alternates if each.hreflang.lower() != X_DEFAULT)
    for href in hrefs:
        target = site.page_of(href)
        if href == links.loc:
            continue
        if site.redirects.target_of(href):
            end = site.redirects.end_of(href)
            if end:  # another rule reports a circle
                message = (
                    f"A link with hreflang points to {href}, which redirects to {end}. Link to {end} "
                    "directly."
                )
                yield links.place, message
        elif target is None or target.loc == links.loc:
            continue  # other rules report them
        elif target.noindex:
            message = (
                f"A link with hreflang points to {href}, which is marked noindex. Remove the noindex or "
                "the link."
            )
            yield links.place, message
        elif target.elsewhere:
            message = (
                f"A link with hreflang points to {href}, which has a canonical link to {target.elsewhere}. "
                "Change the hreflang link, or correct the canonical link."
            )
            yield links.place, message


@rule("warning")
def hreflang_target_left_out(url: Url, site: Site) -> Findings:
    """A link to a translation in the sitemap leads to a page that the build leaves out.

    Search engines may show a page that you left out on purpose, or a page that is not translated.
    Build the sitemap again, or remove the link.
    Source: Google: localized versions of your pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    # A page that only lets readers choose a language need not be listed.
    hrefs = dict.fromkeys(each.href for each in url.alternates if each.hreflang.lower() != X_DEFAULT)
    for href in hrefs:
        page = site.page_of(href)
        if href == url.loc or page is None or not _is_left_out(page):
            continue
        if page.noindex or page.elsewhere or site.redirects.target_of(href):
            continue  # another rule reports it
        message = (
            f"A link with hreflang points to {href}, which the build leaves out: {page.row.why}. "
            "Remove the link, or change the page so that the build lists it."
        )
        yield url.place, message


@rule("error")
def hreflang_html_vs_sitemap(page: HtmlPage) -> Findings:
    """The links to translations in the sitemap and in the page differ.

    Google reads both, and ignores the pairs that contradict each other.
    Keep the links in one of the two places, or generate both from the same source.
    Source: Google: localized versions of your pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    if not (page.url and page.url.alternates) or page.relative_translations:
        return
    listed = {each.hreflang.lower(): each.href for each in page.url.alternates}
    linked = {each.hreflang.lower(): each.href for each in page.alternates}
    for code in sorted(listed.keys() & linked.keys()):
        if listed[code] != linked[code]:
            message = (
                f"The hreflang link for {code} leads to {listed[code]} in the sitemap, but to "
                f"{linked[code]} in the page. Use the same address in both."
            )
            yield page.place, message


def _is_left_out(page: HtmlPage) -> bool:
    """Check whether the build left a page out of the sitemap, and no other sitemap lists the page."""
    return page.url is None and page.row.reason is not None
