"""W3C dates, as sitemaps write them (https://www.w3.org/TR/NOTE-datetime)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?", re.ASCII
)


class Date(NamedTuple):
    """The moments that a date can mean, in UTC: one, or all of a day, a month or a year.

    ``zoned`` is false for a time without a zone, which is then read as UTC.
    """

    first: datetime
    last: datetime
    zoned: bool = True
    timed: bool = True


@lru_cache(maxsize=100_000)
def read_date(text: str) -> Date | None:
    """The date in ``text``; None when it is not a W3C date (of a time zone that is missing, ``zoned`` tells).

    >>> read_date("2026-01-31T10:00:00+02:00").first.isoformat()
    '2026-01-31T08:00:00+00:00'
    >>> read_date("31.1.2026")
    """
    match = _W3C.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second, zone = match.groups()
    try:
        first = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            tzinfo=_zone(zone),
        ).astimezone(timezone.utc)
        if hour:
            return Date(first, first, zoned=zone is not None)
        last = first + timedelta(days=1 if day else 31 if month else 366) - timedelta(seconds=1)
    except (ValueError, OverflowError):  # the last days of the calendar, too
        return None
    return Date(first, last, timed=False)


def _zone(text: str | None) -> timezone:
    if text is None or text == "Z":
        return timezone.utc
    hours, minutes = int(text[1:3]), int(text[4:6])
    return timezone(timedelta(hours=hours, minutes=minutes) * (-1 if text[0] == "-" else 1))
