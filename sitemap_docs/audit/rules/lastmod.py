"""Rules about dates."""

from collections import Counter, defaultdict
from datetime import datetime, timedelta

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.sitemap_file import Url
from sitemap_docs.config.dates import Date, Day, is_future, read_authors_date, read_date
from sitemap_docs.files import read_inside
from sitemap_docs.history import diagnostics
from sitemap_docs.html.body import Body
from sitemap_docs.programs.sphinx import SCRIPT
from sitemap_docs.programs.sphinx_last_updated_by_git import UPDATED_BY_GIT, has_date, replacement_advice

DAY = timedelta(days=1)
_SHARE = 0.9


@rule("error")
def lastmod_format(entry: Url) -> Findings:
    """A lastmod is not a W3C date, or has a time without a time zone.

    Search engines ignore the date. After several such dates, they may ignore all dates of the site.
    Write 2026-01-31 or 2026-01-31T10:20:30+00:00.
    Source: W3C: date and time formats,
    https://www.w3.org/TR/NOTE-datetime
    """
    if "lastmod" not in entry.tags:
        return
    date = entry.date
    if date is None:
        message = (
            f"The lastmod {entry.lastmod!r} is not a valid date. Write a date such as 2026-01-31 or "
            "2026-01-31T10:20:30+00:00."
        )
        yield entry.place, message
    elif not date.zoned:
        message = (
            f"The lastmod {entry.lastmod} has a time without a time zone. If the time is in UTC, write "
            f"{entry.lastmod}+00:00."
        )
        yield entry.place, message


@rule("error")
def lastmod_future(entry: Url, site: Site) -> Findings:
    """A lastmod is in the future.

    Google uses the dates of a site only if they prove to be accurate, and this date cannot be accurate.
    Correct the clock of the computer, or the date in the front matter.
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    if entry.date and is_future(entry.date.first, site.build.surroundings.now):
        message = (
            f"The lastmod {entry.lastmod} is in the future. Correct the clock of the build, or the date in "
            "the front matter."
        )
        yield entry.place, message


@rule("info")
def lastmod_missing(site: Site) -> Findings:
    """Some entries have no lastmod.

    Bing and Google use the date to decide which pages to fetch again. They fetch pages without a date later.
    Add the date if the git history has it. No date is better than a wrong date.
    Source: sitemaps.org: the element lastmod,
    https://www.sitemaps.org/protocol.html#lastmoddef
    """
    entries: list[Url] = []
    for sitemap in site.sitemaps:
        if not sitemap.is_index and sitemap.format != "text":  # text cannot have dates
            entries += sitemap.urls
    missing = [url for url in entries if not url.lastmod]
    if missing:
        message = (
            f"{len(missing):,} of {len(entries):,} entries have no lastmod, for example this entry. Add the "
            "date of the last change if it is known."
        )
        yield missing[0].place, message


@rule("warning")
def lastmod_all_equal(site: Site, *, at_least: int = 10) -> Findings:
    """Nearly all entries have the same lastmod.

    It is the date of a build, a checkout or a release. Search engines notice this, and ignore all dates.
    Date each page by the commit that changed it, and fetch the whole history before the build.
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    # A few pages may well be of one day, as may be all pages that were imported in one commit.
    days = Counter(date.first.date() for date in site.dated_pages.values())
    if days.total() < at_least:
        return
    day, number = days.most_common(1)[0]
    if number < _SHARE * days.total():
        return
    # Where the sources are not at hand, the record of the build knows that commits date its pages.
    recorded = sum(page.row.known and page.row.commit != "" for page in site.listed)
    changed = Counter(own.date() for own, *_ in site.history.dates.values())
    if max(recorded, *changed.values(), 0) < _SHARE * number:
        message = (
            f"{number:,} of {days.total():,} entries have the same date, {day}, probably that of a build. "
            "Use the date of the last commit to each page."
        )
        yield site.place, message


@rule("error")
def lastmod_shallow_boundary(site: Site) -> Findings:
    """Dates come from the oldest commit of a shallow clone.

    In a shallow clone, the oldest commit seems to have changed every file, so all of these dates are wrong.
    Fetch the whole history: `fetch-depth: 0`, `git fetch --unshallow --filter=blob:none`.
    Source: git: shallow clones,
    https://git-scm.com/docs/shallow
    """
    proven_pages = [page for page in site.listed if _is_proven(page, site)]
    proven_locs = {page.loc for page in proven_pages}
    proven_dates = {page.url.date.first for page in proven_pages if page.url and page.url.date}
    undecided_locs = {page.loc for page in site.listed if _is_undecided(page, site)}
    wrong = []
    for url in site.urls:
        date = url.date
        if url.loc in proven_locs or date is None or isinstance(date.first, Day):
            continue
        is_possible = url.loc in undecided_locs and date.first in proven_dates
        if date.first in site.history.boundary and not is_possible:
            wrong.append(url)
    if wrong:
        message = (
            f"{len(wrong):,} entries have the date of the oldest commit in this shallow clone, which is not "
            "the date of their last change. Fetch the whole history."
        )
        yield wrong[0].place, message


def _is_undecided(page: HtmlPage, site: Site) -> bool:
    """Check whether the audit cannot judge the date of a page, because no git commit is known for it."""
    # Only the build knows, for example, the file that a macro includes. Pages that are cut off by a shallow
    # clone have no date at all.
    return page.row.commit == "" and page.file not in site.history.cut


def _is_proven(page: HtmlPage, site: Site) -> bool:
    """Check whether the date of a page in the sitemap is the date of a commit or of the last build's record.

    The record is the file with the decisions of the last build.
    """
    if page.url is None or page.url.date is None:
        return False
    date = page.url.date.first
    is_recorded = page.row.known and page.row.commit != "" and page.row.lastmod == date
    return is_recorded or date in site.history.dates.get(page.file, ())


@rule("warning")
def shallow_clone(site: Site) -> Findings:
    """Listed pages have no date because of a shallow clone.

    The clone lacks the commits that changed these pages. Search engines fetch pages without a date later.
    Fetch the whole history before the build: `fetch-depth: 0`, `git fetch --unshallow --filter=blob:none`.
    Source: git: shallow clones,
    https://git-scm.com/docs/shallow
    """
    cut = [page for page in site.listed if page.file in site.history.cut]
    undated = [page for page in cut if page.loc not in site.dated_pages]
    undated_by_clone = defaultdict(list)
    for page in undated:
        undated_by_clone[page.row.cause.root if page.row.cause else ""].append(page)
    for root, pages in sorted(undated_by_clone.items()):
        yield pages[0].place, diagnostics.shallow_clone(len(pages), len(site.listed), root).message


@rule("warning")
def lastmod_differs_from_git(page: HtmlPage, site: Site, *, days: int = 1) -> Findings:
    """A lastmod is not the date of the last commit to the page.

    The sitemap was built from another state of the sources, or its dates are file times or build times.
    Date each page by the last commit that changed the page or a file that it includes.
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    right = site.history.dates.get(page.file)
    if not (page.url and page.url.date and right) or page.dated_elsewhere:
        return
    date = page.url.date
    if date.first in site.history.boundary:
        return  # another rule reports dates from where a clone is cut
    if date.first in site.history.dates_elsewhere:
        return  # The site or a version was built from another commit than the one that is checked out.
    # A later date is right for a page that includes other files. A date from before the last commit to the
    # page is wrong, and also a date from after the newest commit. Either date of the commit is right, but no
    # date between the two.
    slack = timedelta(days=days)
    newest = max(site.history.newest, *right)
    is_near = any(date.first - each <= slack and each - date.last <= slack for each in right)
    is_between = min(right) < date.first < max(right) and date.first not in site.history.explained
    if min(right) - date.last > slack or (is_between and not is_near):
        message = (
            f"The lastmod is {page.url.lastmod}, but the date of the last commit is "
            f"{right[0]:%Y-%m-%d %H:%M}. Build the sitemap again."
        )
        yield page.place, message
    elif date.first - newest > slack:
        message = (
            f"The lastmod is {page.url.lastmod}, but the newest commit here is from "
            f"{newest:%Y-%m-%d %H:%M}. If the site was built from a newer commit, run the check in a clone "
            "with that commit."
        )
        yield page.place, message


@rule("warning")
def lastmod_differs_from_page(page: HtmlPage, site: Site, *, days: int = 1) -> Findings:
    """A lastmod differs from the date in the page's own metadata.

    Google compares the dates, and ignores both if they differ.
    Take both dates from the same source.
    Source: Google: dates of a page,
    https://developers.google.com/search/docs/appearance/publication-dates
    """
    yield from _date_findings(page, site, page.head.modified, days)


@rule("warning")
def lastmod_differs_from_shown_date(page: HtmlPage, site: Site, body: Body, *, days: int = 1) -> Findings:
    """A lastmod differs from the date that the page shows its readers.

    For example, the footer says "last updated" with the date of the build. It contradicts the sitemap.
    Show the date of the sitemap on the page, or no date.
    Source: Google: dates of a page,
    https://developers.google.com/search/docs/appearance/publication-dates
    """
    yield from _date_findings(page, site, body.dates, days)


@rule("info")
def footer_dates(site: Site, *, days: int = 1) -> Findings:
    """The pages show dates of sphinx-last-updated-by-git that differ from the dates of the sitemap.

    That extension uses author dates, and counts merges. Google compares the dates, and may ignore both.
    Remove it and its options from conf.py, and write `sitemap_page_dates = True`.
    Source: sphinx-last-updated-by-git: usage,
    https://github.com/mgeier/sphinx-last-updated-by-git
    """
    for page in site.listed:
        if _differing_date(page, site, page.head.modified, days) and _is_dated_by_extension(page, site):
            yield page.place, f"The page shows the date that {UPDATED_BY_GIT} writes. {replacement_advice()}"
            return


def _is_dated_by_extension(page: HtmlPage, site: Site) -> bool:
    """Check whether the extension sphinx-last-updated-by-git has written a date into a page."""
    try:
        data = read_inside(site.build.output, page.file)
    except OSError:  # The site is deployed.
        return False
    is_of_sphinx = SCRIPT in data
    return is_of_sphinx and has_date(data)


def _date_findings(page: HtmlPage, site: Site, texts: tuple[str, ...], days: int) -> Findings:
    """Yield a finding if the date on a page differs from the page's date in the sitemap.

    ``texts`` are the dates as the page shows them. A difference of up to ``days`` days is allowed.
    """
    shown = _differing_date(page, site, texts, days)
    # Another rule reports dates of sphinx-last-updated-by-git.
    if shown and page.url and not _is_dated_by_extension(page, site):
        message = (
            f"The lastmod is {page.url.lastmod}, but the page has the date {shown.first:%Y-%m-%d}. Use the "
            "same date in both."
        )
        yield page.place, message


def _differing_date(page: HtmlPage, site: Site, texts: tuple[str, ...], days: int) -> Date | None:
    """Return the date on a page if it differs from the page's date in the sitemap, otherwise None.

    ``texts`` are the dates as the page shows them. A difference of up to ``days`` days is allowed.
    """
    shown = next(filter(None, map(_shown_date, texts)), None)
    if page.url is None or page.url.date is None or shown is None:
        return None
    # The author date and the committer date are both right, to the day, whichever the sitemap gives.
    right = [(page.url.date.first, page.url.date.last, timedelta(days=days))]
    commit_dates = site.history.dates.get(page.file)
    if commit_dates is None:  # The source is unknown, but one commit may have both dates.
        commit_dates = tuple(site.history.commit_dates.get(page.url.date.first, ()))
    right += [(date, date, DAY) for date in commit_dates]
    for first, last, slack in right:
        if first - shown.last <= slack and shown.first - last <= slack:  # so that no date leaves the calendar
            return None
    return shown


def _shown_date(text: str) -> Date | None:
    """Parse a date such as ``2024-05-31`` or ``31 May 2024``. If this fails, return None."""
    date = read_authors_date(text.rstrip(" .")) or read_date(text.strip()[:10])
    if date:
        return date
    day = " ".join(text.replace(",", " ").rstrip(".").split()[-3:])
    for form in ("%B %d %Y", "%b %d %Y", "%d %B %Y", "%d %b %Y"):
        try:
            return read_date(datetime.strptime(day, form).strftime("%Y-%m-%d"))  # noqa: DTZ007
        except ValueError:
            continue
    return None


@rule("warning", by_default=False)
def page_stale(site: Site, *, max_age: int = 365) -> Findings:
    """Nobody has changed a listed page for a long time. `max-age` is the number of days.

    Readers and search engines may find instructions for versions that are no longer supported.
    Read the page again. Correct it, remove it, or ignore the rule in its front matter.
    Source: Google: creating helpful, reliable, people-first content,
    https://developers.google.com/search/docs/fundamentals/creating-helpful-content
    """
    now = site.build.surroundings.now
    stale_pages = []
    for page in site.listed:
        date = _last_date(page)
        if date and (now - date).days > max_age:
            stale_pages.append((date, page))
    stale_pages.sort(key=lambda stale: (stale[0], stale[1].loc))
    for date, page in stale_pages:
        commit = f" (commit {page.row.commit[:12]})" if page.row.commit else ""
        age = f"{(now - date).days:,} days ago"
        yield (
            page.place,
            f"The page was last changed on {date:%Y-%m-%d}{commit}, {age}. Check whether it is still right.",
        )


def _last_date(page: HtmlPage) -> datetime | None:
    """Return when a page was last changed. The date comes from the build, or else from the sitemap."""
    if page.row.lastmod:
        return page.row.lastmod
    return page.url.date.last if page.url and page.url.date else None
