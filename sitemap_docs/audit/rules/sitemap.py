"""Rules about the sitemap files themselves."""

from datetime import datetime

from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.sitemap_file import MAX_ENTRIES, Sitemap, Url
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.model import MAX_BYTES, MAX_URLS, NO_PAGES
from sitemap_docs.output.existing import find_unread_file, is_ours
from sitemap_docs.sitemap.render import SITEMAP
from sitemap_docs.sitemap.rows import CHANGEFREQS, FEEDS, PREFIXES, PROTOCOL, VALID_PRIORITY
from sitemap_docs.text import many

ORDER = ("loc", "lastmod", "changefreq", "priority")


@rule("error")
def sitemap_missing(site: Site) -> Findings:
    """The site has no sitemap.

    Search engines then find only pages with links to them, and notice changes late.
    Write one with `sitemap-docs build`, the Sphinx extension or the MkDocs plugin.
    Source: sitemaps.org: questions and answers,
    https://www.sitemaps.org/faq.html
    """
    if site.sitemaps or site.no_sitemap:
        return
    message = (
        "The site has no sitemap.xml or sitemap_index.xml, and robots.txt lists no other sitemap of this "
        "site. Write one with `sitemap-docs build`, the Sphinx extension or the MkDocs plugin."
    )
    if not site.pages:
        message = NO_PAGES.format(site.build.output)
    elif all(page.reason for page in site.pages):
        message = (
            "The site has no sitemap, because each of its pages is left out. To see the reasons, run "
            "`sitemap-docs build -v`."
        )
    yield site.place, message


@rule("warning")
def pages_unread(site: Site) -> Findings:
    """The sitemap lists files of the site, but none of them is an HTML file that the audit can read.

    Rules about pages then find nothing, even if there are wrong redirects, canonical links or dates.
    Check the folder with the HTML files, check the deployed site, or pass the record of the build.
    Source: Sphinx: html_file_suffix,
    https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_file_suffix
    """
    if any(page.url for page in site.pages):
        return
    unread = find_unread_file(site.served, (url.loc for url in site.urls))
    if unread:
        message = (
            f"No page of the sitemap was checked: the names of the built files, such as {unread}, do not "
            f"end with {' or '.join(HTML_SUFFIXES)}. Pass the record of the build with `--record`, or check "
            "the deployed site with `--live`."
        )
        yield site.place, message


@rule("warning")
def sitemap_unnamed(site: Site) -> Findings:
    """The site has a second sitemap, and no robots.txt, index or option mentions it.

    A search engine that knows it from earlier still reads its old dates, and its pages that are gone.
    Remove it and its source. If you need it, add it to robots.txt or to `extra_sitemaps`.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    listed = {url.loc for url in site.urls}
    for sitemap in site.unnamed:
        locs = {url.loc for url in sitemap.urls}
        message = (
            "Nothing refers to this sitemap: no robots.txt, no index and no option. It lists "
            f"{many(len(locs), 'address')}, of which other sitemaps also list {len(locs & listed):,}"
        )
        if dates := [url.date.first for url in sitemap.urls if url.date]:
            message += f"; its newest date is {max(dates):%Y-%m-%d}"
        yield sitemap.place, f"{message}. Remove the sitemap, or add it to robots.txt."


@rule("error")
def xml_not_wellformed(sitemap: Sitemap) -> Findings:
    """The sitemap is neither well-formed XML nor a text with addresses, or its `<!DOCTYPE>` defines entities.

    A search engine ignores the whole file after such an error.
    Write it with a tool, or escape & ' " < > as the protocol requires, and remove the `<!DOCTYPE …>`.
    Source: sitemaps.org: escaping,
    https://www.sitemaps.org/protocol.html#escaping
    """
    fault = sitemap.fault
    if fault is None:
        return
    place = sitemap.place._replace(line=fault.line)
    if fault.kind == "xml":
        yield place, f"Line {fault.line} is not valid XML: {fault.problem}. Build the file again."
    elif fault.kind == "doctype":
        message = (
            "The file has a <!DOCTYPE> with declarations, and nothing after it is read. Remove the "
            "<!DOCTYPE>."
        )
        yield place, message
    elif fault.kind == "format":
        message = (
            "The file is neither XML nor a text file with one full address on each line, such as "
            "https://example.com/guide/. Build it again."
        )
        yield place, message
    elif fault.kind == "empty":
        message = (
            "The file is empty. A sitemap is XML, or a text file with one full address on each line. Build "
            "it again, or remove it."
        )
        yield place, message


@rule("error")
def xml_encoding_not_utf8(sitemap: Sitemap) -> Findings:
    """The sitemap is not in UTF-8.

    The protocol allows no other encoding. Search engines reject the file or misread its addresses.
    Save it as UTF-8, and declare this encoding in the XML declaration.
    Source: sitemaps.org: the protocol,
    https://www.sitemaps.org/protocol.html
    """
    if sitemap.encoding not in ("utf-8", "utf8", "us-ascii", "ascii"):
        yield sitemap.place, f"The file is in {sitemap.encoding}. Save it as UTF-8."
    elif sitemap.fault and sitemap.fault.kind == "encoding":
        place = sitemap.place._replace(line=sitemap.fault.line)
        yield place, f"Line {place.line} is not UTF-8. Save the file as UTF-8."


@rule("error")
def root_element_wrong(sitemap: Sitemap) -> Findings:
    """The root element of the file is neither `<urlset>` nor `<sitemapindex>`.

    The file is not a sitemap. Often it is an error page that was saved by mistake.
    Build the sitemap again.
    Source: sitemaps.org: the protocol,
    https://www.sitemaps.org/protocol.html
    """
    if sitemap.fault and sitemap.fault.kind == "rdf":
        message = (
            "The file is RDF, the format of RSS 1.0. Search engines read only sitemaps, RSS 2.0 and Atom. "
            "Write one of these formats."
        )
        yield sitemap.place, message
    elif sitemap.root and not sitemap.format:
        message = (
            f"The root element is <{sitemap.root}>, not <urlset> or <sitemapindex>. Build the sitemap again."
        )
        yield sitemap.place, message


@rule("error")
def namespace_wrong(sitemap: Sitemap) -> Findings:
    """The root element is not in the sitemaps.org namespace.

    Search engines accept only `http://www.sitemaps.org/schemas/sitemap/0.9`, not even the same with https.
    Copy the namespace from the protocol.
    Source: sitemaps.org: elements of a sitemap,
    https://www.sitemaps.org/protocol.html#xmlTagDefinitions
    """
    if sitemap.format in PROTOCOL and sitemap.namespace != SITEMAP:
        message = (
            f"The namespace of the root element is {sitemap.namespace or 'missing'}. Replace it with "
            f"{SITEMAP}."
        )
        yield sitemap.place, message


@rule("warning")
def element_unknown(sitemap: Sitemap) -> Findings:
    """An entry has elements that the protocol does not define.

    Validators reject the file, and search engines ignore the elements. Often it is a typing error.
    Remove or rename the elements. Elements of an extension need their own namespace.
    Source: sitemaps.org: the schema,
    https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd
    """
    known = {"loc", "lastmod"} if sitemap.is_index else set(ORDER)
    # Extensions have elements of their own; `?:` marks those of a namespace that is not known.
    prefixes = tuple(filter(None, PREFIXES.values()))
    unknown: dict[str, Url] = {}
    for url in sitemap.urls:
        for tag in url.tags:
            if tag not in known and not tag.startswith(prefixes):
                unknown.setdefault(tag, url)
    for tag, url in sorted(unknown.items()):
        message = (
            f"<{tag.removeprefix('?:')}> is not an element of the sitemap protocol. Remove or rename it."
        )
        yield url.place, message


@rule("error")
def empty_urlset(sitemap: Sitemap) -> Findings:
    """The sitemap lists nothing.

    The schema requires at least one entry, and Search Console reports an empty sitemap as an error.
    Remove the file, or run `sitemap-docs explain` to see why no page is listed.
    Source: sitemaps.org: the schema,
    https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd
    """
    if not sitemap.format or sitemap.urls or sitemap.fault:
        return
    if sitemap.format in FEEDS:
        message = (
            f"The feed ({FEEDS[sitemap.format]}) lists no page. Add the pages of the site, or remove the "
            "file."
        )
        yield sitemap.place, message
    else:
        message = (
            f"The sitemap lists nothing: its <{sitemap.root}> is empty. Remove the file. To see why no page "
            "is listed, run `sitemap-docs explain`."
        )
        yield sitemap.place, message


@rule("error")
def too_many_urls(sitemap: Sitemap, *, at_most: int = MAX_URLS) -> Findings:
    """The file has more entries than the protocol allows.

    The limit is 50,000. Search engines ignore the whole file, or all entries after the limit.
    Split the file, and list the parts in an index.
    Source: sitemaps.org: size of a sitemap,
    https://www.sitemaps.org/faq.html#faq_sitemap_size
    """
    number, fault = len(sitemap.urls), sitemap.fault
    if number > at_most:
        more = " or more" if number == MAX_ENTRIES else ""
        message = f"The file has {number:,}{more} entries, more than the limit of {at_most:,}. Split it."
        yield sitemap.place, message
    elif fault and fault.kind == "elements":
        yield sitemap.place._replace(line=fault.line), f"Line {fault.line}: {fault.problem}. Split the file."


@rule("error")
def file_too_large(sitemap: Sitemap, *, at_most: int = MAX_BYTES) -> Findings:
    """The file is larger than the protocol allows, unpacked.

    Search engines reject the whole file. Compression does not help, because the limit is for unpacked bytes.
    Split the file, and list the parts in an index.
    Source: sitemaps.org: size of a sitemap,
    https://www.sitemaps.org/faq.html#faq_sitemap_size
    """
    if sitemap.size > at_most:
        message = (
            f"The unpacked file has {sitemap.size:,} bytes, more than the limit of {at_most:,}. Split it."
        )
        yield sitemap.place, message


@rule("error")
def priority_changefreq_invalid(url: Url) -> Findings:
    """A priority or change frequency has a value that the protocol does not define.

    Search Console reports an invalid tag value, and validators reject the file.
    Remove both, because search engines ignore them. Or write 0.0 to 1.0, and a word such as `weekly`.
    Source: sitemaps.org: elements of a sitemap,
    https://www.sitemaps.org/protocol.html#xmlTagDefinitions
    """
    if url.changefreq and url.changefreq not in CHANGEFREQS:
        message = (
            f"The changefreq {url.changefreq!r} is not valid. Remove it, or write one of these: "
            f"{', '.join(CHANGEFREQS)}."
        )
        yield url.place, message
    if url.priority and not VALID_PRIORITY.fullmatch(url.priority):
        message = f"The priority {url.priority!r} is not valid. Remove it, or write a number from 0.0 to 1.0."
        yield url.place, message


@rule("error")
def index_nested(site: Site) -> Findings:
    """A sitemap index lists another index that robots.txt does not mention.

    An index may only list sitemaps. Search Console reports an error, and the other index is not read.
    List the sitemaps themselves, or add both indexes to robots.txt.
    Source: sitemaps.org: index files,
    https://www.sitemaps.org/protocol.html#index
    """
    unnamed = {each.name for each in site.sitemaps if each.is_index} - site.named_sitemaps
    for url in site.children:
        # Ours are asked for (`index: cascaded`), and the build says where to name the inner ones.
        if site.file_of(url.loc) in unnamed and not is_ours(site.build.output / url.sitemap):
            message = (
                f"This index lists another index, {url.loc}. List the sitemaps of that index instead, or add "
                "it to robots.txt."
            )
            yield url.place, message


@rule("warning")
def index_lastmod_older_than_content(site: Site) -> Findings:
    """The lastmod of a sitemap in an index is older than an entry of that sitemap.

    Search engines fetch a sitemap again only if its lastmod in the index is newer, so they miss the changes.
    Write the newest lastmod of the sitemap into the index.
    Source: sitemaps.org: elements of an index,
    https://www.sitemaps.org/protocol.html#sitemapIndexTagDefinitions
    """
    newest: dict[str, datetime] = {}
    for sitemap in site.sitemaps:
        for url in sitemap.urls:
            if url.date:
                newest[sitemap.name] = max(url.date.first, newest.get(sitemap.name, url.date.first))
    for url in site.children:
        inside = newest.get(site.file_of(url.loc) or "")
        if url.date and inside and url.date.last < inside:
            message = (
                f"The index gives {url.lastmod} as the lastmod of this sitemap, but the sitemap has an "
                f"entry from {inside:%Y-%m-%d}. Write the newest lastmod of the sitemap into the index."
            )
            yield url.place, message


@rule("error")
def gzip_corrupt(sitemap: Sitemap) -> Findings:
    """A packed sitemap cannot be unpacked.

    Search engines ignore the file.
    Build it again, and check that no step of the deployment repacks or truncates it.
    Source: RFC 1952,
    https://www.rfc-editor.org/rfc/rfc1952
    """
    if sitemap.fault and sitemap.fault.kind == "gzip":
        yield sitemap.place, f"The file cannot be unpacked: {sitemap.fault.problem}. Build it again."
