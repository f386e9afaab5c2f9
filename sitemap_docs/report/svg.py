"""The pictures of the report, as plain SVG that takes its colours from the page."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_docs.report.figures import Count, Section

GAP = 3
AGES = ((182, "a0"), (365, "a1"), (730, "a2"), (1_826, "a3"), (10**6, "a4"))
"""Up to so many days, and the class that colours it."""

_LETTER = 7.4  # width of a letter of 13 px on average; what is longer is cut
_LINE = 30  # height that a line of text in a rectangle needs
_SHARES = 960
_CHART = (300, 96)


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float


def shade(age: float | None) -> str:
    """The class for an age in days."""
    return "none" if age is None else next(name for limit, name in AGES if age <= limit)


def shares(parts: Sequence[Count]) -> str:
    """One bar, divided; it stretches to the width of the page."""
    total = sum(part.pages for part in parts) or 1
    x = 0.0
    drawn = ""
    for number, part in enumerate(parts):
        width = part.pages / total * _SHARES
        drawn += (
            f'<rect class="p{min(number, 6)}" x="{x:.1f}" y="0" width="{max(width - GAP, 1):.1f}" '
            f'height="34"><title>{escape(part.name)}: {part.pages:,}</title></rect>'
        )
        x += width
    return (
        f'<svg class="shares" viewBox="0 0 {_SHARES} 34" preserveAspectRatio="none" role="img" '
        f'aria-labelledby="shares-caption">{drawn}</svg>'
    )


def line_chart(values: Sequence[float | None], label: str) -> str:
    """A line through the values from left to right, on a scale from zero; a gap where there is none."""
    width, height = _CHART
    most = max((value for value in values if value is not None), default=0) or 1
    step = (width - 16) / max(len(values) - 1, 1)
    points = [
        None if value is None else (8 + number * step, height - 8 - value / most * (height - 20))
        for number, value in enumerate(values)
    ]
    lines = "".join(
        f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in run)}"/>' for run in _unbroken(points)
    )
    last = points[-1] if points else None
    dot = f'<circle cx="{last[0]:.1f}" cy="{last[1]:.1f}" r="4"/>' if last else ""
    axis = f'<line class="axis" x1="0" x2="{width}" y1="{height - 4}" y2="{height - 4}"/>'
    return (
        f'<svg class="line" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">'
        f"{axis}{lines}{dot}</svg>"
    )


def _unbroken(points: Iterable[tuple[float, float] | None]) -> Iterator[list[tuple[float, float]]]:
    for there, run in groupby(points, key=bool):
        if there:
            yield [point for point in run if point]


def treemap(sections: Sequence[Section]) -> str:
    """Sections as rectangles, for a wide and for a narrow screen: area is pages, shade is age."""
    return _treemap(sections, Rectangle(0, 0, 960, 380), "wide") + _treemap(
        sections, Rectangle(0, 0, 360, 520), "narrow"
    )


def _treemap(sections: Sequence[Section], room: Rectangle, name: str) -> str:
    sized = [section.pages for section in sections]
    drawn = "".join(
        _tile(section, place) for section, place in zip(sections, squarified(sized, room), strict=True)
    )
    return (
        f'<svg class="map {name}" viewBox="0 0 {room.width:.0f} {room.height:.0f}" role="img" '
        f'aria-labelledby="sections-caption">{drawn}</svg>'
    )


def _tile(section: Section, place: Rectangle) -> str:
    x, y, width, height = place
    inner = Rectangle(x + GAP / 2, y + GAP / 2, max(width - GAP, 0.5), max(height - GAP, 0.5))
    return (
        f'<g class="tile {shade(section.age)}"><title>{escape(section.name)}: {many(section.pages, "page")}, '
        f"{age_text(section.age)}</title>"
        f'<rect x="{inner.x:.1f}" y="{inner.y:.1f}" rx="4" '
        f'width="{inner.width:.1f}" height="{inner.height:.1f}"/>'
        f"{''.join(_labels(section, inner))}</g>"
    )


def _labels(section: Section, place: Rectangle) -> Iterator[str]:
    letters = int((place.width - 16) / _LETTER)
    if place.height < _LINE or letters < 3:  # noqa: PLR2004
        return
    name = section.name if len(section.name) <= letters else section.name[: letters - 1] + "…"
    yield f'<text class="title" x="{place.x + 9:.1f}" y="{place.y + 20:.1f}">{escape(name)}</text>'
    pages = many(section.pages, "page")
    if place.height > 2 * _LINE and len(pages) <= letters:
        yield f'<text x="{place.x + 9:.1f}" y="{place.y + 38:.1f}">{pages}</text>'
    age = age_text(section.age)
    if place.height > 2.5 * _LINE and len(age) <= letters:
        yield f'<text x="{place.x + 9:.1f}" y="{place.y + 55:.1f}">{age}</text>'


def age_text(days: float | None) -> str:
    """An age in words: ``11 days``, ``5 months``, ``2.5 years``."""
    if days is None:
        return "no date"
    if days < 60:  # noqa: PLR2004
        return f"{days:.0f} day{'s' * (round(days) != 1)}"
    if days < 730:  # noqa: PLR2004
        return f"{days / 30.44:.0f} months"
    return f"{days / 365.25:.1f} years"


def squarified(sizes: Sequence[int], room: Rectangle) -> Iterator[Rectangle]:
    """Rectangles as large as ``sizes`` (from large to small), as square as they can be.

    https://doi.org/10.1007/978-3-7091-6783-0_4 (Bruls, Huizing, van Wijk: Squarified Treemaps)
    """
    rest = list(sizes)
    while rest:
        scale = room.width * room.height / sum(rest)
        side = min(room.width, room.height)
        number = 1
        while number < len(rest) and _worst(rest[: number + 1], side, scale) <= _worst(
            rest[:number], side, scale
        ):
            number += 1
        thickness = sum(rest[:number]) * scale / side
        yield from _row(rest[:number], room, thickness, scale)
        rest = rest[number:]
        if room.width >= room.height:
            room = Rectangle(room.x + thickness, room.y, max(room.width - thickness, 1e-9), room.height)
        else:
            room = Rectangle(room.x, room.y + thickness, room.width, max(room.height - thickness, 1e-9))


def _worst(row: Sequence[int], side: float, scale: float) -> float:
    area = sum(row) * scale
    return max(side * side * max(row) * scale / (area * area), area * area / (side * side * min(row) * scale))


def _row(row: Sequence[int], room: Rectangle, thickness: float, scale: float) -> Iterator[Rectangle]:
    along = 0.0
    for size in row:
        length = size * scale / thickness
        if room.width >= room.height:
            yield Rectangle(room.x, room.y + along, thickness, length)
        else:
            yield Rectangle(room.x + along, room.y, length, thickness)
        along += length
