"""Dates that someone wrote: W3C dates (https://www.w3.org/TR/NOTE-datetime), and those of authors.

The grammar is ours and not that of ``datetime.fromisoformat``, which differs from Python to Python.
"""

import re
from calendar import monthrange
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_W3C = re.compile(
    rf"(\d{{4}})(?:-(\d\d)(?:-(\d\d)(?:T({_TIME})(?::([0-5]\d)(?:\.(\d+))?)?(Z|[+-]{_TIME})?)?)?)?", re.ASCII
)
# What Jekyll, Hugo and Pelican write: a space for the T, one before the zone, no colon in the zone.
_AUTHORS = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d[\d:.]*) ?(?:(Z)|([+-]\d\d):?(\d\d))?", re.ASCII)


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
#: Where a day begins first: https://www.iana.org/time-zones has no zone ahead of UTC+14.
_FIRST_ZONE = timedelta(hours=14)


class Day(datetime):
    """The midnight, in UTC, of a day that somebody wrote without a time."""


class Date(NamedTuple):
    """The moments that a date can mean, in UTC: one, or all of a day, a month or a year.

    ``first`` is a :class:`Day` for a date without a time.
    ``zoned`` is false for a time without a zone, which is then read as UTC.
    """

    first: datetime
    last: datetime
    zoned: bool = True


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
    year, month, day, time, second, fraction, zone = match.groups()
    offset = (zone or "Z").replace("Z", "+00:00")
    micro = (fraction or "").ljust(6, "0")[:6]
    try:
        # In the one form that each Python reads.
        written = f"{year}-{month or '01'}-{day or '01'}T{time or '00:00'}:{second or '00'}.{micro}{offset}"
        first = (datetime if time else Day).fromisoformat(written).astimezone(timezone.utc)
        if time:
            return Date(first, first, zoned=bool(zone))
        last_month = int(month or 12)
        last_day = int(day or monthrange(first.year, last_month)[1])
        return Date(first, datetime(first.year, last_month, last_day, 23, 59, 59, tzinfo=timezone.utc))
    except (ValueError, OverflowError):
        return None


def read_authors_date(text: str) -> Date | None:
    """The date in ``text`` as authors write it: a W3C date, or with spaces and without the zone's colon.

    >>> read_authors_date("2016-03-09 16:20:00 -0500").first.isoformat()
    '2016-03-09T21:20:00+00:00'
    """
    text = text.strip()
    match = _AUTHORS.fullmatch(text)
    if not match:
        return read_date(text)
    day, time, utc, hours, minutes = match.groups()
    zone = utc or (f"{hours}:{minutes}" if hours else "")
    return read_date(f"{day}T{time}{zone}")


def parse_datetime(text: str) -> datetime | None:
    """The moment, in UTC, that a W3C date begins with; None for no date and for a time without a zone."""
    date = read_date(text)
    return date.first if date and date.zoned else None


@lru_cache(maxsize=16_384)  # the files of one commit share it
def moment(seconds: int) -> datetime | None:
    """The time so many seconds after 1970 began, in UTC; None where no calendar has it.

    It is counted, as the C library adds leap seconds where ``TZ`` asks for them.
    """
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return None


def is_future(date: datetime, now: datetime) -> bool:
    """Whether a date is still to come; a day is not, once it has begun in some time zone."""
    if isinstance(date, Day):
        return date > now + _FIRST_ZONE
    return date > now
