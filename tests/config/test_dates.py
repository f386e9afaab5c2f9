"""Days, times and the future, wherever dates are read and compared."""

import re
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest

from sitemap_docs.config.dates import is_future, is_past, moment, parse_datetime, read_date, read_robots_date
from tests.conftest import BASE, command, commit, write

NOW = datetime(2026, 1, 31, 16, tzinfo=timezone.utc)  # in Tokyo, it is the first of February


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-31", False),
        pytest.param("2026-02-01", False, id="today in Tokyo"),
        pytest.param("2026-02-02", True, id="today nowhere"),
        pytest.param("2026-01-31T16:00:00+00:00", False, id="now"),
        pytest.param("2026-01-31T16:00:01+00:00", True, id="a time has no slack"),
        pytest.param("2026-02-01T00:30:00+09:00", False, id="a time in Tokyo"),
    ],
)
def test_the_future(text, expected):
    date = read_date(text)
    assert date
    assert is_future(date.first, NOW) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("2026-01-29", True), ("2026-01-30", True), ("2026-01-31", False)),
        pytest.param("2026-01-31T15:59:59+00:00", True, id="a time has no slack"),
        pytest.param("2026-01-31T16:00:00+00:00", False, id="now"),
        pytest.param("31 Jan 2026 15:00:00 GMT", True, id="RFC 822"),
        pytest.param("Saturday, 31-Jan-26 17:00:00 GMT", False, id="RFC 850"),
        pytest.param("31 Jan 2026 15:00:00", False, id="no zone"),
        pytest.param("31 jan 2026 15:00:00 pst", False, id="the zone counts"),
    ],
)
def test_the_past(text, expected):
    date = read_robots_date(text)
    assert date
    assert is_past(date, NOW) == expected


@pytest.mark.parametrize("text", ["", "soon", "25 Jun 2010", "2026-13-01", "9" * 200])
def test_texts_that_are_no_date_of_robots_tags(text):
    assert read_robots_date(text) is None


@pytest.mark.parametrize(
    ("text", "last"),
    [
        *(("2026-02", "2026-02-28T23:59:59"), ("2024-02", "2024-02-29T23:59:59")),
        *(("2026", "2026-12-31T23:59:59"), ("9999", "9999-12-31T23:59:59")),
        ("2026-01-31T10:00:00.5Z", "2026-01-31T10:00:00.500000"),
    ],
)
def test_the_last_moment_that_a_date_can_mean(text, last):
    assert read_date(text).last.isoformat() == f"{last}+00:00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("2026", "2026-01-01T00:00:00"), ("2026-11", "2026-11-01T00:00:00")),
        *(("2026-11-21", "2026-11-21T00:00:00"), ("2026-11-21T10:00Z", "2026-11-21T10:00:00")),
        ("2026-11-21T10:00:01Z", "2026-11-21T10:00:01"),
        ("2026-11-21T10:00:01.25+05:30", "2026-11-21T04:30:01.250000"),
        ("2026-11-21T10:00:01.123456789-08:00", "2026-11-21T18:00:01.123456"),
        *(("2026-11-21T10:00:00", None), ("2026-11-21 10:00:00+00:00", None), ("2026-02-30", None)),
        *(("0000-01-01", None), ("2026-11-21T10:00:00+99:00", None), ("٢٠٢٦", None), ("20261121", None)),
        ("", None),
    ],
)
def test_dates_of_sitemaps(text, expected):
    assert parse_datetime(text) == (expected and datetime.fromisoformat(f"{expected}+00:00"))


def test_the_end_of_the_calendar():
    assert moment(253_402_300_799) == datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone.utc)
    assert moment(-62_135_596_800) == datetime(1, 1, 1, tzinfo=timezone.utc)
    assert [moment(253_402_300_800), moment(-62_135_596_801), moment(1 << 62)] == [None] * 3


def build(folder: Path, files: dict[str, str], *flags: object) -> list[str]:
    """The dates in the sitemap of a site by the command."""
    write(folder, {f"site/{name}.html": "<title>x</title>" for name in ("index", "a", "b")} | files)
    command("build", folder / "site", "--source", folder / "docs", "--base-url", BASE, *flags)
    return re.findall("<lastmod>(.*?)</lastmod>", (folder / "site/sitemap.xml").read_text())


def test_a_date_that_is_written_as_a_day_stays_a_day(tmp_path):
    files = {
        "docs/index.md": "---\nsitemap: {lastmod: 2026-01-31}\n---\n",
        "docs/a.md": '---\nsitemap: {lastmod: "2026-01-31"}\n---\n',
        "docs/b.md": "---\nsitemap: {lastmod: 2026-01-31 10:20:00}\n---\n",
        "sitemap-docs.toml": f'extra_urls = [{{loc = "{BASE}x/", lastmod = 2026-02-01}}]\n',
    }
    days = ["2026-01-31", "2026-01-31", "2026-01-31T10:20:00+00:00", "2026-02-01"]
    assert build(tmp_path, files, "--config", tmp_path / "sitemap-docs.toml") == days


def test_leap_seconds_of_the_c_library_shift_no_date(tmp_path, monkeypatch):
    """``TZ=right/UTC`` has them."""
    if not Path("/usr/share/zoneinfo/right/UTC").is_file():
        pytest.skip("no zones with leap seconds")
    commit(write(tmp_path, {"docs/a.md": "a"}), date="2024-01-01T12:00:00+00:00")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "right/UTC")
        time.tzset()
        assert time.gmtime(1_700_000_000).tm_sec == 53, "27 of them, at 22:13:20"
        assert build(tmp_path, {}) == ["2024-01-01T12:00:00+00:00"]
    time.tzset()
