"""Parse dates: the W3C format of sitemaps, and the formats that authors use in front matter.

See https://www.w3.org/TR/NOTE-datetime. ``datetime.fromisoformat`` alone would accept other texts in each
version of Python.
"""

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

from sitemap_docs.linear import linear

_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_W3C = re.compile(
    rf"(\d{{4}})(?:-(\d\d)(?:-(\d\d)(?:T({_TIME})(?::([0-5]\d)(?:\.(\d+))?)?(Z|[+-]{_TIME})?)?)?)?", re.ASCII
)
# Jekyll, Hugo and Pelican also write a space for the T, a space before the zone, and a zone without colon.
_AUTHORS = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d[\d:.]*) ?(?:(Z)|([+-]\d\d):?(\d\d))?", re.ASCII)


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_LONGEST_RSS = 100  # characters; a date with the names of the day and the zone has half of that
#: The offset of the time zone in which a day begins first (https://www.iana.org/time-zones).
_FIRST_ZONE = timedelta(hours=14)
#: The offset of the time zone in which a day ends last.
_LAST_ZONE = timedelta(hours=-12)


class Day(datetime):
    """A date without a time, such as ``2026-01-31``."""


class Date(NamedTuple):
    """The range of time that a date covers, such as all of January."""

    #: The first moment. If no time was given, a :class:`Day`.
    first: datetime
    last: datetime
    #: Whether the time zone is known.
    zoned: bool = True


@lru_cache(maxsize=16_384)
def read_date(text: str) -> Date | None:
    """Parse a W3C date. Return None if the text is invalid.

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
        # This form is valid in all versions of Python.
        iso_date = f"{year}-{month or '01'}-{day or '01'}"
        iso_time = f"{time or '00:00'}:{second or '00'}.{micro}{offset}"
        kind = datetime if time else Day
        first = kind.fromisoformat(f"{iso_date}T{iso_time}").astimezone(timezone.utc)
        if time:
            return Date(first, first, zoned=bool(zone))
        last_month = int(month or 12)
        last_day = int(day or monthrange(first.year, last_month)[1])
        last = datetime(first.year, last_month, last_day, 23, 59, 59, tzinfo=timezone.utc)
        return Date(first, last)
    except (ValueError, OverflowError):
        return None


def read_authors_date(text: str) -> Date | None:
    """Parse a date as authors write it in front matter. Return None if the text is invalid.

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


@linear
def rss_to_w3c(text: str) -> str:
    """Convert an RSS date to the W3C format. An invalid date is returned unchanged.

    >>> rss_to_w3c("Mon, 02 Feb 2026 10:00:00 +0100")
    '2026-02-02T10:00:00+01:00'
    """
    if len(text) > _LONGEST_RSS:
        return text
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  it loads network modules

    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return text


def read_robots_date(text: str) -> Date | None:
    """Parse the date in ``unavailable_after``, an instruction to search engines, or return None.

    >>> read_robots_date("25 jun 2010 15:00:00 pst").first.isoformat()
    '2010-06-25T23:00:00+00:00'
    >>> read_robots_date("2020-09-21").first.isoformat()
    '2020-09-21T00:00:00+00:00'
    """
    text = text.strip().upper()
    return read_authors_date(text) or read_date(rss_to_w3c(text))


def past_robots_date(texts: Iterable[str], now: datetime) -> Date | None:
    """Return the first date in a list that is before ``now``, or None. Invalid dates are skipped.

    ``texts`` are dates from ``unavailable_after``, an instruction to search engines.
    """
    for text in texts:
        date = read_robots_date(text)
        if date and is_past(date, now):
            return date
    return None


def parse_datetime(text: str) -> datetime | None:
    """Convert a W3C date to a ``datetime``. Return None if it is invalid or its time has no zone."""
    date = read_date(text)
    if date and date.zoned:
        return date.first
    return None


@lru_cache(maxsize=16_384)  # The files of one commit share the value.
def moment(seconds: int) -> datetime | None:
    """Convert seconds since 1970 to a time in UTC. Return None if the number is too large."""
    # datetime.fromtimestamp would call the C library, which adds leap seconds if `TZ` asks for them.
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return None


def is_future(date: datetime, now: datetime) -> bool:
    """Check whether a date is in the future.

    A day without a time is in the future only if it has not begun in any time zone.
    """
    if isinstance(date, Day):
        return date > now + _FIRST_ZONE
    return date > now


def is_past(date: Date, now: datetime) -> bool:
    """Check whether a date is in the past. If the time zone is unknown, it must be past in all time zones."""
    if date.zoned and not isinstance(date.first, Day):
        return date.last < now
    return date.last - _LAST_ZONE < now
