"""The pictures of the report, as plain SVG that takes its colours from the page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemap_docs.report.figures import Count, Section

GAP = 3
AGES = ((182, "a0"), (365, "a1"), (730, "a2"), (1_826, "a3"), (10**6, "a4"))
"""Up to so many days, and the class that colours it."""

_LETTER = 7.4  # width of a letter of 13 px on average; what is longer is cut
_LINE = 30  # height that a line of text in a rectangle needs
_SHORTEST = 3  # letters of a name that say something
_SHARES = 960


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float


def shade(age: float | None) -> str:
    """The class for an age in days."""
    for limit, name in AGES:
        if age is not None and age <= limit:
            return name
    return "none"


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


def treemap(sections: Sequence[Section]) -> str:
    """Sections as rectangles, for a wide and for a narrow screen: area is pages, shade is age."""
    return _treemap(sections, Rectangle(0, 0, 960, 380), "wide") + _treemap(
        sections, Rectangle(0, 0, 360, 520), "narrow"
    )


def _treemap(sections: Sequence[Section], room: Rectangle, name: str) -> str:
    places = squarified([section.pages for section in sections], room)
    drawn = "".join(_tile(section, place) for section, place in zip(sections, places, strict=True))
    return (
        f'<svg class="map {name}" viewBox="0 0 {room.width:.0f} {room.height:.0f}" role="img" '
        f'aria-labelledby="sections-caption">{drawn}</svg>'
    )


def _tile(section: Section, place: Rectangle) -> str:
    x, y = place.x + GAP / 2, place.y + GAP / 2
    width, height = max(place.width - GAP, 0.5), max(place.height - GAP, 0.5)
    pages, age = many(section.pages, "page"), age_text(section.age)
    letters = int((width - 16) / _LETTER)
    labels = ""
    if height >= _LINE and letters >= _SHORTEST:
        name = section.name
        if len(name) > letters:
            name = name[: letters - 1] + "…"
        labels += f'<text class="title" x="{x + 9:.1f}" y="{y + 20:.1f}">{escape(name)}</text>'
        if height > 2 * _LINE and len(pages) <= letters:
            labels += f'<text x="{x + 9:.1f}" y="{y + 38:.1f}">{pages}</text>'
        if height > 2.5 * _LINE and len(age) <= letters:
            labels += f'<text x="{x + 9:.1f}" y="{y + 55:.1f}">{age}</text>'
    return (
        f'<g class="tile {shade(section.age)}"><title>{escape(section.name)}: {pages}, {age}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" rx="4" width="{width:.1f}" height="{height:.1f}"/>{labels}</g>'
    )


def age_text(days: float | None) -> str:
    """An age in words: ``11 days``, ``5 months``, ``2.5 years``."""
    if days is None:
        return "no date"
    if days < 60:  # noqa: PLR2004
        return many(round(days), "day")
    if days < 730:  # noqa: PLR2004
        return f"{days / 30.44:.0f} months"
    return f"{days / 365.25:.1f} years"


def squarified(sizes: Sequence[int], room: Rectangle) -> list[Rectangle]:
    """Rectangles as large as ``sizes`` (from large to small), as square as they can be.

    https://doi.org/10.1007/978-3-7091-6783-0_4 (Bruls, Huizing, van Wijk: Squarified Treemaps)
    """
    places = []
    rest = list(sizes)
    while rest:
        scale = room.width * room.height / sum(rest)
        side = min(room.width, room.height)
        # A row along the shorter side takes one more rectangle while its worst one gets no longer by that.
        number = 1
        worst = _worst(rest[:1], side, scale)
        while number < len(rest):
            with_next = _worst(rest[: number + 1], side, scale)
            if with_next > worst:
                break
            number += 1
            worst = with_next
        row, rest = rest[:number], rest[number:]

        thickness = sum(row) * scale / side
        along = 0.0
        for size in row:
            length = size * scale / thickness
            if room.width >= room.height:
                places.append(Rectangle(room.x, room.y + along, thickness, length))
            else:
                places.append(Rectangle(room.x + along, room.y, length, thickness))
            along += length
        if room.width >= room.height:
            room = Rectangle(room.x + thickness, room.y, max(room.width - thickness, 1e-9), room.height)
        else:
            room = Rectangle(room.x, room.y + thickness, room.width, max(room.height - thickness, 1e-9))
    return places


def _worst(row: Sequence[int], side: float, scale: float) -> float:
    """The largest ratio of the sides of the rectangles of a row."""
    area = sum(row) * scale
    return max(side * side * max(row) * scale / (area * area), area * area / (side * side * min(row) * scale))
