"""The page scan gives the same decisions in other processes."""

import os
from pathlib import Path

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import Globs
from sitemap_docs.host_rules import HeaderRule, Headers
from sitemap_docs.listing import processes
from sitemap_docs.listing.processes import scan_in_processes
from sitemap_docs.listing.selection import Decision, Selector
from sitemap_docs.model import Page, Reason, SitemapError
from sitemap_docs.urls.base import Base
from tests.conftest import NOINDEX, canonical, html_page

JUDGE = Selector(
    base=Base.of("https://e.org/"),
    output=Path("/srv/site"),
    options=Options(excludes=Globs(("*7.html", "!17.html"))),
    headers=Headers((HeaderRule("/5.html", noindex=True),)),
)


def made(folder: Path, number: int) -> list[Page]:
    heads = ["", NOINDEX, canonical("https://e.org/x")]
    for page in range(number):
        said = heads[page % 5] if page % 5 < 3 else ""
        (folder / f"{page}.html").write_text(html_page(said))
    return [
        Page(path=f"{page}.html", file=str(folder / f"{page}.html"), names=(f"{page}.html",))
        for page in range(number + 1)  # the last is not there
    ]


def process_of(page: Page) -> Decision:
    return Decision(page, page.path, detail=str(os.getpid()))


def test_many_pages_are_read_by_other_processes(tmp_path, monkeypatch):
    pages = made(tmp_path, 40)
    monkeypatch.setattr(processes, "FEW_PAGES", 16)  # 8,192 pages take seconds to make
    read_by = [decision.detail for decision in scan_in_processes(2, process_of, pages)]
    assert set(read_by[:16]) == {str(os.getpid())}  # few pages are read here, before any process starts
    assert str(os.getpid()) not in read_by[16:]


def test_the_decisions_come_in_the_order_of_the_pages_and_few_pages_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "FEW_PAGES", 8)
    monkeypatch.setattr(processes, "PAGES_A_TASK", 3)  # more tasks than are submitted at once
    pages = made(tmp_path, 50)
    expected = list(map(JUDGE, pages))
    reasons = {decision.reason for decision in expected}
    assert reasons >= {None, Reason.NOINDEX, Reason.CANONICAL, Reason.UNREADABLE}
    taken = []
    decisions = scan_in_processes(2, JUDGE, (taken.append(page) or page for page in pages))
    assert [next(decisions) for _ in range(9)] == expected[:9]
    assert len(taken) == 8 + 6 * 3
    assert list(decisions) == expected[9:]


def test_errors_travel(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "FEW_PAGES", 1)

    def broken():
        yield from made(tmp_path, 3)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(scan_in_processes(2, JUDGE, broken()))


def test_a_process_that_the_system_ends(monkeypatch):
    monkeypatch.setattr(processes, "FEW_PAGES", 0)
    with pytest.raises(SitemapError, match=r"ended a process that read pages.* --jobs 1 "):
        list(scan_in_processes(2, os._exit, [9]))
