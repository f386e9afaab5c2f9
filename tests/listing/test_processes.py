"""The page scan gives the same decisions on any executor."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import Globs
from sitemap_docs.listing import processes
from sitemap_docs.listing.processes import Spread, scan_in_processes
from sitemap_docs.listing.selection import Decision, Selector
from sitemap_docs.model import Page, Reason, SitemapError
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot.host_rules import HeaderRule, Headers

JUDGE = Selector(
    base=Base.of("https://e.org/"),
    output=Path("/srv/site"),
    options=Options(excludes=Globs(("*7.html", "!17.html"))),
    headers=Headers((HeaderRule("/5.html", noindex=True),)),
)


def made(folder: Path, number: int) -> list[Page]:
    heads = ["", '<meta name="robots" content="noindex">', '<link rel="canonical" href="https://e.org/x">']
    for page in range(number):
        said = heads[page % 5] if page % 5 < 3 else ""
        head = f"<!doctype html><html><head><title>{page}</title>{said}</head>"
        (folder / f"{page}.html").write_text(f"{head}<body></body></html>")
    return [
        Page(path=f"{page}.html", file=str(folder / f"{page}.html"), names=(f"{page}.html",))
        for page in range(number + 1)  # the last is not there
    ]


def test_same_verdicts_in_another_process(tmp_path):
    pages = made(tmp_path, 50)
    expected = list(map(JUDGE, pages))
    found = {decision.reason for decision in expected}
    assert found >= {None, Reason.NOINDEX, Reason.CANONICAL, Reason.UNREADABLE}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(Spread(executor=pool, ahead=2, chunk=7)(JUDGE, pages)) == expected


def process_of(page: Page) -> Decision:
    return Decision(page, page.path, detail=str(os.getpid()))


def test_many_pages_are_read_by_other_processes(tmp_path, monkeypatch):
    pages = made(tmp_path, 40)
    monkeypatch.setattr(processes, "FEW_PAGES", 16)  # 8,192 pages take seconds to make
    read_by = [decision.detail for decision in scan_in_processes(2, process_of, pages)]
    assert set(read_by[:16]) == {str(os.getpid())}  # few pages are read here, before any process starts
    assert str(os.getpid()) not in read_by[16:]


def test_bounded(tmp_path):
    pages = made(tmp_path, 30)
    taken = []
    with ThreadPoolExecutor(1) as pool:
        decisions = Spread(executor=pool, ahead=2, chunk=5)(
            JUDGE, (taken.append(page) or page for page in pages)
        )
        next(decisions)
        assert len(taken) == 10
        decisions.close()
    assert len(taken) == 10


def test_errors_travel(tmp_path):
    def broken():
        yield from made(tmp_path, 3)
        raise ZeroDivisionError

    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        list(Spread(executor=pool, ahead=2, chunk=2)(JUDGE, broken()))


def test_the_manuals_way_to_dask(tmp_path):
    pytest.importorskip("dask.distributed")
    manual = Path(__file__).parents[2] / "example_docs/pages/large-sites.md"
    (code,) = re.findall(r"```python\n(from dask.*?)```", manual.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "on_dask.py").write_text(code)
    (tmp_path / "site").mkdir()
    made(tmp_path / "site", 5)
    command = [sys.executable, "on_dask.py"]
    method = "forkserver" if os.name == "posix" else "spawn"  # a third of the time
    environ = os.environ | {"DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": method}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=environ)
    assert "3 pages listed, 2 left out" in done.stdout
    assert (tmp_path / "site/sitemap.xml").is_file()


def test_a_process_that_the_system_ends(monkeypatch):
    monkeypatch.setattr(processes, "FEW_PAGES", 0)
    with pytest.raises(SitemapError, match=r"ended a process that read pages.* --jobs 1\.$"):
        list(scan_in_processes(2, os._exit, [9]))
