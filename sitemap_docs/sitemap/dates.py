"""W3C dates, as sitemaps write them (https://www.w3.org/TR/NOTE-datetime)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:(Z)|([+-]\d\d):(\d\d))?)?)?)?",
    re.ASCII,
)
_END = datetime.max.replace(tzinfo=timezone.utc)


class Date(NamedTuple):
    """The moments that a date can mean, in UTC: one, or all of a day, a month or a year.

    ``zoned`` is false for a time without a zone, which is then read as UTC.
    """

    first: datetime
    last: datetime
    zoned: bool = True
    timed: bool = True


@lru_cache(maxsize=16_384)
def read_date(text: str) -> Date | None:
    """The date in ``text``; None when it is not a W3C date (``zoned`` is false for a missing time zone).

    >>> read_date("2026-01-31T10:00:00+02:00").first.isoformat()
    '2026-01-31T08:00:00+00:00'
    >>> read_date("31.1.2026")
    """
    match = _W3C.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second, fraction, utc, hours, minutes = match.groups()
    try:
        first = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            int((fraction or "0")[:6].ljust(6, "0")),
            _zone(hours, minutes),
        ).astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return None
    if hour:
        return Date(first, first, zoned=bool(utc or hours))
    try:
        last = first + timedelta(days=1 if day else 31 if month else 366) - timedelta(seconds=1)
    except OverflowError:
        last = _END
    return Date(first, last, timed=False)


def parse_datetime(text: str) -> datetime | None:
    """The moment, in UTC, that a W3C date begins with; None for no date and for a time without a zone."""
    date = read_date(text)
    return date.first if date and date.zoned else None


def _zone(hours: str | None, minutes: str | None) -> timezone:
    if hours is None or minutes is None:
        return timezone.utc
    offset = timedelta(hours=int(hours[1:]), minutes=int(minutes))
    return timezone(-offset if hours[0] == "-" else offset)
