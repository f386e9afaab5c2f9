"""The invariants: what must be true after each build of the matrix.

An invariant is a function that yields a line for each thing that is wrong. To add one, write a function whose
name begins with ``promise_`` and the number of the promise that it defends:

1. All entry points, and all kinds of builds, list the same pages. Deleted pages are never listed.
2. The rendered page decides: ``noindex``, redirects and canonical links are read from the output.
3. The address in a sitemap equals the canonical link of its page.
4. A wrong date is worse than no date, and a missing date is explained.
5. The same commit gives the same bytes. A rebuild equals a fresh build.
6. Nothing is lost: no file of the user or of another program, and no date.
7. A build fails only if the user asked for it, or if it would lose something.
8. Builds are silent if there is nothing to do.
9. Each mistake is reported once, with its cause and a fix.
10. Pages and other files of the host stay as they are.
11. Each question has one answer: ``check``, ``explain`` and ``report`` agree with the build.

Independent programs find what is right: beautifulsoup4 reads pages, git finds dates, lxml reads sitemaps, and
Protego robots.txt. Rows that may change pages or dates are only checked by rules between their values.
"""

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from lxml import etree
from protego import Protego

from tests.conftest import SITEMAP, XHTML, git, head_of
from tests.matrix.projects import IGNORED, LATE, Truth
from tests.matrix.rows import (
    ADDRESSES,
    CLOUDFLARE,
    DATES,
    FILES,
    PAGES,
    PREVIEWS,
    RECORDS_LOST,
    SHALLOW_CACHED,
    SHALLOW_SUBMODULE,
    WORKTREE_ALONE,
    WRONG_BASES,
    Row,
    takes,
)
from tests.matrix.run import Files, Ran, pristine

OURS = b"<!-- sitemap-docs"
Problems = Iterator[str]
#: No fresh build has such a page, nor a word about it.
LEFT = "left by an earlier build"
PAGES_LEFT = "[left-by-earlier-build]"
_DIRTY = "[computed-include]"
ROBOTS = "robots.txt"
TEXT = "sitemap.txt"
FILE_KEPT = "[file-kept]"
#: In pages of Sphinx and of Material for MkDocs.
_SHOWN = re.compile(
    r'(?:article:modified_time" content|md-source-file__fact">.*?<time datetime)="([^"]+)', re.DOTALL
)


class Listed(NamedTuple):
    """One address of a sitemap: its date, and its translations."""

    loc: str
    lastmod: str
    alternates: tuple[tuple[str, str], ...]


def sitemaps_in(files: Files) -> dict[str, etree._Element]:
    """The root of each sitemap and index of ours in an output, by its name; packed ones are unpacked."""
    found = {}
    for name, data in files.items():
        if "/" in name.removeprefix("../") or not name.endswith((".xml", ".xml.gz")):
            continue
        text = gzip.decompress(data) if name.endswith(".gz") else data
        if OURS in text:
            root = etree.fromstring(text)
            if root.tag in (f"{SITEMAP}urlset", f"{SITEMAP}sitemapindex"):
                found[name] = root
    return found


@lru_cache(maxsize=24)
def listed_in(ran: Ran) -> dict[str, Listed]:
    """What all sitemaps of an output list, by address; each says the same of an address."""
    listed: dict[str, Listed] = {}
    for root in sitemaps_in(ran.after).values():
        for url in root.iter(f"{SITEMAP}url"):
            links = tuple((link.get("hreflang"), link.get("href")) for link in url.iter(XHTML))
            each = Listed(url.findtext(f"{SITEMAP}loc"), url.findtext(f"{SITEMAP}lastmod") or "", links)
            assert listed.setdefault(each.loc, each) == each
    return listed


@lru_cache(maxsize=24)
def by_file(ran: Ran) -> Mapping[str, Listed]:
    """The addresses that the build listed, by the files that are served there."""
    if not ran.build.wrote:
        return {}
    return {file_at(each.loc, ran.base, ran.after): each for each in listed_in(ran).values()}


def file_at(loc: str, base: str, files: Iterable[str]) -> str:
    """The file of an output that a server shows at an address; ``""`` for none."""
    if not loc.startswith(base):
        return ""
    path = unquote(urlsplit(loc).path[len(urlsplit(base).path) :])
    for name in (path, f"{path}.html", f"{path.rstrip('/')}/index.html".lstrip("/")):
        if name in files and name:
            return name
    return ""


def truths(row: Row) -> dict[str, Truth]:
    """What is right for each HTML file, in the spelling of a row."""
    right = row.project.truth
    if row["environment"] == CLOUDFLARE or row["host"].given == "cloudflare-pages":
        right = {**right, **dict.fromkeys(row.project.unforced, Truth("redirect"))}
    return {spelled(name, row): truth for name, truth in right.items()}


def spelled(name: str, row: Row) -> str:
    """The name of an HTML file, where pages may be folders with an index.html."""
    is_file = row["spelling"].name == "files" or name in row.project.copied
    if is_file or f"/{name}".endswith("/index.html"):
        return name
    return f"{name.removesuffix('.html')}/index.html"


def right_date(root: Path, truth: Truth) -> str:
    """The date that git names, as a sitemap has it; ``""`` where there is none."""
    ignored = (root / IGNORED).read_text("utf-8") if (root / IGNORED).is_file() else ""
    newest = truth.day
    moves = moves_of(root) if (root.parent / ".git").is_dir() else {}
    for file in truth.made_of or ():
        newest = max(newest, moves.get(file, ""))
        for line in git(root, "log", "--format=%H %ct", "--", file).splitlines():
            commit, _, date = line.partition(" ")
            if commit not in ignored:
                newest = max(newest, _at(date))
                break
    return newest


def _at(seconds: str) -> str:
    """A time that git names, as a sitemap has it."""
    return datetime.fromtimestamp(int(seconds), timezone.utc).isoformat()


@lru_cache(maxsize=24)
def moves_of(root: Path) -> dict[str, str]:
    """When the repository around a submodule last moved it to another state of each file, as git shows it."""
    flags = ("-c", "core.quotePath=false", "-c", "diff.renames=false")
    how = ("-p", "--submodule=diff", "--diff-filter=M", "--format=moved %ct")  # not the commit that added it
    moves: dict[str, str] = {}
    date = ""
    for line in git(root.parent, *flags, "log", *how, "--", root.name).splitlines():
        file = re.fullmatch(rf"diff --git a/{root.name}/(.+) b/{root.name}/\1", line)
        if line.startswith("moved "):
            date = _at(line.removeprefix("moved "))
        elif file:
            moves.setdefault(file[1], date)
    return moves


def resolved(loc: str, href: str) -> str:
    parts = urlsplit(urljoin(loc, href))
    return urlunsplit(parts._replace(netloc=parts.netloc.removesuffix(":")))  # an empty port is none


def changed(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    """The names of what is not the same in both."""
    return [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]


def differences(what: str, mine: dict[str, str], expected: dict[str, str]) -> Problems:
    for name in changed(mine, expected):
        yield f"{what} of {name}: {mine.get(name)!r}, expected {expected.get(name)!r}"


def promise_1_the_pages_are_right(ran: Ran, default: Ran) -> Problems:
    """Each page is listed, or left out for the reason that is right, whatever is built where and how."""
    if ran.row.changes >= PAGES or not ran.build.wrote:
        return
    pages, listed = truths(ran.row), by_file(ran)
    for file, truth in pages.items():
        if bool(file in listed) != (not truth.reason):
            yield f"{file}: {'listed' if file in listed else 'not listed'}, but is {truth.reason or 'a page'}"
        elif file not in ran.record:
            yield f"{file}: is not in the record"
        elif ran.record[file].reason != truth.reason:
            yield f"{file}: {ran.record[file].reason or 'listed'}, but is {truth.reason or 'a page'}"
    for file in sorted({*listed, *ran.record} - pages.keys()):
        # Themes have others that are generated.
        if file not in ran.record or ran.record[file].reason not in ("generated", LEFT):
            yield f"{file or 'an address without a file'}: is recorded or listed, and is no page"


def promise_2_no_listed_page_asks_not_to_be(ran: Ran, default: Ran) -> Problems:
    """The rendered page decides: noindex, a meta refresh, a canonical link elsewhere."""
    for file, listed in by_file(ran).items():
        if not file.endswith(".html"):
            continue
        head = head_of(ran.after[file])
        if head.noindex or head.refresh:
            yield f"{listed.loc}: listed, but its head has noindex or a refresh"


def promise_3_every_loc_is_the_canonical_link_of_its_page(ran: Ran, default: Ran) -> Problems:
    """``loc`` equals ``rel=canonical``; so does each hreflang target. One base, percent-encoded once."""
    locs = listed_in(ran)
    for loc, listed in locs.items():
        file = file_at(loc, ran.base, ran.after)
        if not file and "extra_urls" not in ran.row.options:
            yield f"{loc}: no file is served there"
        if not file.endswith(".html"):
            continue
        canonicals = {resolved(loc, href) for href in head_of(ran.after[file]).canonicals}
        if canonicals and canonicals != {loc} and not ran.row["links"].changes >= ADDRESSES:
            yield f"{loc}: the canonical link of its page is {', '.join(sorted(canonicals))}"
        for code, href in listed.alternates:
            if href.startswith(ran.base) and href not in locs:
                yield f"{loc}: its translation {code} is {href}, which is not listed"


def promise_4_the_dates_are_right(ran: Ran, default: Ran) -> Problems:
    """What ``git log`` names for anything that a page is made of, whatever is built where and how."""
    if ran.row.changes >= DATES:
        return
    listed = by_file(ran)
    is_cached = ran.row["history"] == SHALLOW_CACHED
    if is_cached and ran.row.options.get("cache") is False:  # Then this is any shallow clone.
        return
    # The clone does not show all commits that are in the cache.
    judge = pristine(ran.row.project.name) if is_cached else ran.root
    for file, truth in truths(ran.row).items():
        if file in listed and not truth.reason:
            date, right = listed[file].lastmod, right_date(judge, truth)
            if date.replace("T00:00:00+00:00", "") != right and (date or not _is_unrendered(ran)):
                yield f"{file}: dated {date or 'not at all'}, git names {right or 'no date'}"


def _is_unrendered(ran: Ran) -> bool:
    """Whether pages that only rendering dates are not rendered, as with ``mkdocs build --dirty``."""
    return ran.row["state"].name == "incremental" and bool(ran.row.project.only_in_plugin)


def promise_4_no_commit_dates_a_page_where_dates_are_off(ran: Ran, default: Ran) -> Problems:
    if ran.row.options.get("lastmod") == "none":
        days = {truth.day for truth in ran.row.project.truth.values()}
        for file, listed in by_file(ran).items():
            if listed.lastmod and listed.lastmod.partition("T")[0] not in days:
                yield f"{file}: dated {listed.lastmod}"


def promise_4_a_page_shows_its_lastmod(ran: Ran, default: Ran) -> Problems:
    """One date, in the sitemap and on the page, with the option ``page_dates``."""
    if not ran.row.options.get("page_dates"):
        return
    for file, listed in by_file(ran).items():
        if file not in ran.after:  # an address of `extra_urls`
            continue
        shown = _SHOWN.search(ran.after[file].decode(errors="replace"))
        if shown and not shown[1].startswith((listed.lastmod or "")[:10]):
            yield f"{file}: shows {shown[1]}, and its lastmod is {listed.lastmod}"


def promise_4_what_is_undated_is_explained(ran: Ran, default: Ran) -> Problems:
    """``explain`` has a cause for each page without a date."""
    for file, answer in ran.explained.items():
        data = answer.data
        if data and data["listed"] and not (data["dated"] or data["undated_cause"] or data["lastmod"]):
            yield f"{file}: has no date, and explain does not say why"


def promise_5_a_rebuild_equals_a_fresh_build(ran: Ran, default: Ran) -> Problems:
    """Files, findings, last line, exit status, whatever was built there before; but for what was removed."""
    if _is_unrendered(ran):
        return
    for name in changed(ran.after, ran.again):
        is_ours = name == ROBOTS or name.endswith((".xml", ".xml.gz", ".txt"))
        if name == TEXT and keeps_text(ran):
            continue
        if is_ours and "/" not in name.removeprefix("../"):
            yield f"{name}: differs after another build of the same site"
    said, again = (
        [line for line in build.ours if not any(words in line for words in ("emoved", LEFT, PAGES_LEFT))]
        for build in (ran.build, ran.rebuild)
    )
    for line in sorted({*said} ^ {*again}):
        if ran.row["state"].name == "incremental" and _DIRTY in line:
            continue  # `mkdocs build --dirty` leaves pages alone, of which only the source is known then
        if FILE_KEPT in line and keeps_text(ran):
            continue
        yield f"{'not said' if line in again else 'said'} where something was built before: {line}"
    if ran.build.code != ran.rebuild.code:
        yield f"exit {ran.build.code}, fresh or again {ran.rebuild.code}"


def promise_5_the_cache_of_dates_only_adds_dates(ran: Ran, default: Ran) -> Problems:
    """It changes or removes no date that the build finds without it."""
    for root in sitemaps_in(ran.uncached).values():
        for url in root.iter(f"{SITEMAP}url"):
            loc, date = url.findtext(f"{SITEMAP}loc"), url.findtext(f"{SITEMAP}lastmod")
            with_cache = listed_in(ran).get(loc)
            if date and (with_cache is None or with_cache.lastmod != date):
                yield f"{loc}: dated {date}, and with the cache {with_cache and with_cache.lastmod}"


def promise_5_the_command_takes_nothing_from_the_files_of_a_plugin(ran: Ran, default: Ran) -> Problems:
    """Over a plugin's output, it writes and says what it does over that output without our files."""
    over = ran.answers.get("build over a copy")
    if over is None:
        return
    copy = ran.answers["build of a copy"]
    for name in changed(ran.copied, ran.over):
        if "/" not in name:
            yield f"{name}: the command over the output with our files writes another"
    said, again = (
        {name: value for name, value in each.data.items() if name not in ("changed", "removed")}
        for each in (copy, over)
    )
    if said != again or copy.code != over.code:
        yield f"the command says {again}, and without our files {said}"


def promise_6_no_file_of_an_earlier_build_stays(ran: Ran, default: Ran) -> Problems:
    """Parts, packed copies, other names and formats that an earlier build wrote are gone."""
    if not ran.build.wrote:
        return
    for name in sitemaps_in(ran.after):
        if name not in ran.written:
            yield f"{name}: is ours, and this build did not write it"
    if keeps_text(ran):
        if not any(FILE_KEPT in line for line in ran.build.lines):
            yield f"{TEXT}: stays, and nothing says so"
    elif TEXT in ran.after and "text" not in ran.row.options.get("formats", ()):
        yield f"{TEXT}: this build did not write it"


def keeps_text(ran: Ran) -> bool:
    """Whether the text sitemap of an earlier build stays, as no record shows whose it is."""
    is_written = "text" in ran.row.options.get("formats", ())
    return ran.row["state"] in RECORDS_LOST and TEXT in ran.after and not is_written


def promise_6_every_sitemap_that_robots_names_exists(ran: Ran, default: Ran) -> Problems:
    """And what is ours in the output is named, where robots.txt is ours to write; nothing else is."""
    if ROBOTS not in ran.after or not ran.base:
        return
    named = [*Protego.parse(ran.after[ROBOTS].decode()).sitemaps]
    extra = ran.row.options.get("extra_sitemaps", [])
    for loc in named:
        if f"Sitemap: {loc}".encode() in ran.without.get(ROBOTS, b""):
            continue  # the user's own line
        if loc not in extra and loc.startswith(ran.base) and loc[len(ran.base) :] not in ran.after:
            yield f"robots.txt names {loc}, which is not there"


def promise_6_the_files_are_those_of_the_default_row(ran: Ran, default: Ran) -> Problems:
    """The same names of sitemaps, and the same robots.txt; what options switch off is gone."""
    if ran.row.changes >= FILES or not ran.build.wrote:
        return
    files = ours(ran)
    if keeps_text(ran):
        files.remove(TEXT)
    names = dict.fromkeys(files, "there")
    yield from differences("file", names, dict.fromkeys(ours(default), "there"))
    mine, expected = ran.after.get(ROBOTS, b""), default.after.get(ROBOTS, b"")
    if mine != expected:
        yield f"robots.txt is {mine.decode()!r}, by default {expected.decode()!r}"


def ours(ran: Ran) -> set[str]:
    """The files of an output that its host alone does not write."""
    pages = (".html", ".js", ".css", ".inv", ".txt.gz", ".buildinfo", ".buildinfo.bak")
    return {
        name
        for name in ran.after
        if (name not in ran.without or "sitemap" in name) and "/" not in name and not name.endswith(pages)
    }


def promise_6_nothing_of_the_user_is_lost(ran: Ran, default: Ran) -> Problems:
    """No source changes, and each file that the host wrote without us is there with us."""
    for name in changed(ran.source_before, ran.source_after):
        yield f"{name}: a source was changed or removed"
    if ran.build.code:
        return
    for name, data in ran.without.items():
        of_theme = "/" in name and not name.endswith(".html")
        if name not in ran.after and "sitemap" not in name and not of_theme:
            yield f"{name}: the host writes it, with us it is gone"
        if name == ROBOTS and not set(data.splitlines()) <= set(ran.after.get(name, b"").splitlines()):
            yield "robots.txt: lines of the user are gone"


def promise_6_a_base_url_that_all_pages_contradict_changes_nothing(ran: Ran, default: Ran) -> Problems:
    """Given as a flag, it is mistyped, or that of another version: the good sitemap of before stays."""
    if ran.row.host != "folder" or ran.row["base"] not in WRONG_BASES or not ran.row["base"].given:
        return
    if ran.build.code != 2:
        yield f"exit {ran.build.code}: {' '.join(ran.build.lines[-2:])}"
    for name in changed(ran.before, ran.after):
        yield f"{name}: changed"


def promise_7_a_build_that_passes_without_us_passes_with_us(ran: Ran, default: Ran) -> Problems:
    if not ran.build.code or ran.bare.code or ran.row.host == "folder":  # the command is a step of its own
        return
    warned = [line for line in ran.build.ours if "WARNING" in line]
    ours = [line for line in warned if any(f"{name}`" in line for name in ran.row.options)]
    asked = ran.row["strictness"].given and ("check" in ran.row.options or ours == warned != [])
    if not asked:
        yield f"fails with us: {' '.join(ran.build.lines[-3:])}"


def promise_8_a_preview_writes_nothing(ran: Ran, default: Ran) -> Problems:
    if ran.row["environment"] not in PREVIEWS or "previews" in ran.row.options:
        return
    if ran.build.wrote:
        yield "a preview has a sitemap"
    for name in ("sitemap.css", ROBOTS):
        if ran.after.get(name) != ran.without.get(name):
            yield f"{name}: written in a preview"


def promise_9_the_advice_fits_the_repository(ran: Ran, default: Ran) -> Problems:
    """A message about a part of a repository shows the folder that is missing or shallow."""
    if not ran.build.wrote or ran.row.options.get("lastmod") == "none":
        return
    text = "\n".join(ran.build.lines)
    history = ran.row["history"]
    if history == WORKTREE_ALONE and str(Path("main", ".git", "worktrees")) not in text:
        yield "nothing shows the missing folder of the worktree"
    command = f"(cd {ran.root.name} && git fetch"
    if history == SHALLOW_SUBMODULE and "[shallow-clone]" in text and command not in text:
        yield "the command is not for the submodule"


def promise_9_no_traceback(ran: Ran, default: Ran) -> Problems:
    messages = {name: answer.err for name, answer in {**ran.answers, **ran.explained}.items()}
    messages |= {"build": "\n".join(ran.build.lines), "build again": "\n".join(ran.rebuild.lines)}
    for name, text in messages.items():
        if "Traceback" in text:
            yield f"{name}: {text[-600:]}"


def promise_9_no_message_twice(ran: Ran, default: Ran) -> Problems:
    for line, number in Counter(ran.build.ours).items():
        if number > 1:
            yield f"{number} times: {line}"


def promise_9_what_a_message_says_was_done_was_done(ran: Ran, default: Ran) -> Problems:
    """The counts of the last line are those of the sitemap; nothing changed where a message says so."""
    text = "\n".join(ran.build.lines)
    for said in ("Nothing was changed", "nothing written"):
        if said in text and ran.before:
            for name in changed(ran.before, ran.after):
                if "sitemap" in name or name == ROBOTS:
                    yield f"the build says {said!r}, but changed {name}"
    found = re.search(r"([\d,]+) pages? listed, ([\d,]+) left out.*, ([\d,]+) dated", text)
    if found:
        number, left_out, dated = (int(each.replace(",", "")) for each in found.groups())
        listed = listed_in(ran)
        if number != len(listed):
            yield f"the last line says {number} listed, the sitemap has {len(listed)}"
        elif listed and dated != sum(bool(each.lastmod) for each in listed.values()):
            yield f"the last line says {dated} dated"
        reasons = [page.reason for page in ran.record.values() if page.reason not in ("", LEFT)]
        if left_out != len(reasons):
            yield f"the last line says {left_out} left out, the record differs"


def promise_10_pages_are_as_without_us(ran: Ran, default: Ran) -> Problems:
    """No footprint: with the same base URL, each page has the bytes that its host alone writes."""
    row = ran.row
    if not row.is_default():
        return
    random = {spelled(name, row) for name in row.project.random}
    for name, data in ran.without.items():
        if name in random or not name.endswith(".html"):
            continue
        if name in ran.after and stamped(ran.after[name]) != stamped(data):
            yield f"{name}: is not as its host alone writes it"


def stamped(data: bytes) -> str:
    """A page without the time at which MkDocs wrote it, and with an address as it is percent-encoded."""
    text = re.sub(r"Build Date UTC : [^\n]*", "", data.decode())
    return re.sub(r'(?<=rel="canonical" href=")[^"]*', lambda href: unquote(href[0]), text)


def promise_11_check_agrees_with_the_build(ran: Ran, default: Ran) -> Problems:
    """No finding advises to undo what the build decided; those of a row are those of its default row."""
    if not ran.build.wrote:
        return
    left_out = {page.loc for page in ran.record.values() if page.reason}
    for finding in ran.answers["check"].data.get("findings", []):
        if finding["rule"] == "page-not-listed" and finding["where"] in left_out:
            yield f"check: {finding['rule']}: {finding['where']}: {finding['message']}"
    found = {
        name: {(each["rule"], each["where"]) for each in answer.data.get("findings", [])}
        for name, answer in ran.answers.items()
        if name.startswith("check")
    }
    for name in ("check without record", "check elsewhere"):
        for rule, where in sorted(found[name] - found["check"]):
            # Only the build and its record know the option `host`, which may contradict the platform.
            if not ("host" in ran.row.options and rule.startswith("robots-")):
                yield f"{name}: {rule}: {where}"


def promise_11_check_reads_the_text_sitemap_of_the_build(ran: Ran, default: Ran) -> Problems:
    """A text sitemap that robots.txt lists has the faults of the entries, and no fault of XML."""
    entries = {"target-missing", "base-url-unlikely"}
    for finding in ran.answers["check"].data.get("findings", []):
        is_in_text = (finding["file"] or "").endswith("sitemap.txt")
        if is_in_text and finding["rule"] not in entries and "sitemap.txt" in ran.written:
            yield f"check: {finding['rule']}: {finding['message']}"


def promise_11_explain_agrees_with_the_build(ran: Ran, default: Ran) -> Problems:
    listed = by_file(ran)
    for file, answer in ran.explained.items():
        page, data = ran.record[file], answer.data
        if answer.code:
            yield f"explain {file}: exit {answer.code}: {answer.err.strip()}"
        elif data["reason"] != page.reason:
            yield f"explain {file}: {data['reason'] or 'listed'}, the build: {page.reason or 'listed'}"
        elif data["loc"] != page.loc:
            yield f"explain {file}: {data['loc']}, the build: {page.loc}"
        elif file in listed and data["lastmod"] != listed[file].lastmod:
            yield f"explain {file}: {data['lastmod']}, the sitemap: {listed[file].lastmod}"


def promise_11_report_agrees_with_the_build(ran: Ran, default: Ran) -> Problems:
    if not ran.build.wrote or not ran.record:
        return
    report = ran.answers["report"]
    if report.code:
        yield f"report: exit {report.code}: {report.err}"
        return
    statuses = {page["loc"]: page["status"] for page in report.data["pages"]}
    expected = {page.loc: page.reason or "listed" for page in ran.record.values()}
    yield from differences("report", statuses, expected)
    listed = listed_in(ran)
    dated = [each for each in listed.values() if each.lastmod]
    for what, number in (("listed", len(listed)), ("dated", len(dated))):
        if report.data[what] != number:
            yield f"report of {what} pages: {report.data[what]}, the sitemap: {number}"


def promise_11_with_the_record_is_without_it(ran: Ran, default: Ran) -> Problems:
    """What is decided about a folder is the same where a dry run with the build's options decides it.

    A page that another program's sitemap next to ours lists is listed to who has no record.
    """
    if not ran.build.wrote or "report without record" not in ran.answers:
        return
    other = ran.after.get("sitemap.xml", OURS)
    locs = [] if OURS in other else re.findall("<loc>(.*?)</loc>", other.decode())
    theirs = {file_at(loc, ran.base, ran.after) for loc in locs} - {""}
    known, dry = (
        {
            page["loc"]: page
            for page in ran.answers[name].data.get("pages", [])
            if file_at(page["loc"], ran.base, ran.after) not in theirs
        }
        for name in ("report", "report without record")
    )
    for what in ("status", "detail", "lastmod", "commit", "source"):
        yield from differences(
            what, *({loc: page[what] for loc, page in each.items()} for each in (dry, known))
        )


def promise_11_the_folder_door_agrees_with_the_plugin(ran: Ran, default: Ran) -> Problems:
    """The command lists, leaves out, spells and dates a copy of the output as the plugin does."""
    copy = ran.answers.get("build of a copy")
    if copy is None or ran.row.host == "folder":
        return
    if copy.code == 2:
        yield f"build of a copy: exit {copy.code}: {copy.err.strip()[-300:]}"
        return
    if not all(takes("folder", name) for name in ran.row.options):
        return
    mine = {file: page.reason for file, page in ran.copied_record.items()}
    theirs = {file: page.reason for file, page in ran.record.items()}
    for file, reason in [*theirs.items()]:
        is_unseen = file not in ran.after and file not in mine  # a draft, or a template that renders nothing
        if is_unseen or reason == LEFT:
            del theirs[file]
        elif reason == "not translated" and not mine[file]:  # which no file shows
            theirs[file] = ""
        elif file == LATE and reason == "static file":
            theirs[file] = ""  # a folder may be of several programs: there, their HTML is a page
    yield from differences("folder door", mine, theirs)
    for file, page in ran.copied_record.items() if ran.row.is_default() else ():
        if not page.reason and file in ran.record and page.loc != ran.record[file].loc:
            yield f"folder door: {file} is at {page.loc}, by the plugin at {ran.record[file].loc}"
    dates = {file: page.lastmod for file, page in ran.copied_record.items() if not page.reason}
    expected = {file: page.lastmod for file, page in ran.record.items() if not page.reason}
    project = ran.row.project
    unknown = {spelled(name, ran.row) for name in project.only_in_plugin}
    for file in sorted(dates.keys() & expected.keys()):
        # The command does not follow the includes of Sphinx: such a page has no date. It reads no catalogues.
        is_older = project.name == "sphinx-gettext" and dates[file] < expected[file]
        is_unknown = (ran.row.host == "sphinx" or file in unknown) and not dates[file]
        if dates[file] != expected[file] and not is_older and not is_unknown:
            yield f"folder door: {file} is dated {dates[file]!r}, by the plugin {expected[file]!r}"


INVARIANTS: dict[str, Callable[[Ran, Ran], Problems]] = {
    name: function for name, function in globals().items() if name.startswith("promise_")
}
