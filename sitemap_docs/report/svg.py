"""The pictures of the report, as plain SVG that takes its colours from the page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemap_docs.report.figures import Count, Section

WIDTH = 960
GAP = 3
AGES = ((182, "a0"), (365, "a1"), (730, "a2"), (1_826, "a3"), (10**6, "a4"))
"""Up to so many days, and the class that colours it."""

_BARS = 240
_MAP = 380
_LETTER = 7.4  # width of a letter of 13 px on average; what is longer is cut
_LINE = 30  # height that a line of text in a rectangle needs


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float


def shade(age: float | None) -> str:
    """The class for an age in days."""
    return "none" if age is None else next(name for limit, name in AGES if age <= limit)


def histogram(bars: Sequence[Count], limits: Sequence[int]) -> str:
    """Bars with their numbers above and their names below."""
    most = max((bar.pages for bar in bars), default=0) or 1
    step = WIDTH / len(bars)
    drawn = "".join(
        _bar(bar, number * step, step, bar.pages / most, shade(limit))
        for number, (bar, limit) in enumerate(zip(bars, limits, strict=True))
    )
    return _picture(
        _BARS + 56,
        "ages",
        f'{drawn}<line class="axis" x1="0" x2="{WIDTH}" y1="{_BARS + 24}" y2="{_BARS + 24}"/>',
    )


def _bar(bar: Count, x: float, step: float, share: float, shaded: str) -> str:
    height = share * _BARS if not bar.pages else max(share * _BARS, 2)
    middle = x + step / 2
    return (
        f'<rect class="{shaded}" x="{x + step * 0.14:.1f}" y="{_BARS + 24 - height:.1f}" rx="3" '
        f'width="{step * 0.72:.1f}" height="{height:.1f}"/>'
        f'<text class="number{" zero" * (not bar.pages)}" x="{middle:.1f}" y="{_BARS + 16 - height:.1f}">'
        f"{bar.pages:,}</text>"
        f'<text class="name" x="{middle:.1f}" y="{_BARS + 46}">{escape(bar.name)}</text>'
    )


def shares(parts: Sequence[Count]) -> str:
    """One bar, parted."""
    total = sum(part.pages for part in parts) or 1
    x = 0.0
    drawn = ""
    for number, part in enumerate(parts):
        width = part.pages / total * WIDTH
        drawn += (
            f'<rect class="p{min(number, 6)}" x="{x:.1f}" y="0" width="{max(width - GAP, 1):.1f}" '
            f'height="34" rx="3"><title>{escape(part.name)}: {part.pages:,}</title></rect>'
        )
        x += width
    return _picture(34, "shares", drawn)


def treemap(sections: Sequence[Section]) -> str:
    """Sections as rectangles: the area counts pages, the shade says how old half of them are."""
    sized = [section.pages for section in sections]
    drawn = "".join(
        _tile(section, place)
        for section, place in zip(sections, squarified(sized, Rectangle(0, 0, WIDTH, _MAP)), strict=True)
    )
    return _picture(_MAP, "sections", drawn)


def _tile(section: Section, place: Rectangle) -> str:
    x, y, width, height = place
    inner = Rectangle(x + GAP / 2, y + GAP / 2, max(width - GAP, 0.5), max(height - GAP, 0.5))
    return (
        f'<g class="tile {shade(section.age)}"><title>{escape(section.name)}: {section.pages:,} pages, '
        f"{told_age(section.age)}</title>"
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
    told = f"{section.pages:,} pages" if section.pages != 1 else "1 page"
    if place.height > 2 * _LINE and len(told) <= letters:
        yield f'<text x="{place.x + 9:.1f}" y="{place.y + 38:.1f}">{told}</text>'
    age = told_age(section.age)
    if place.height > 2.5 * _LINE and len(age) <= letters:
        yield f'<text x="{place.x + 9:.1f}" y="{place.y + 55:.1f}">{age}</text>'


def told_age(days: float | None) -> str:
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


def _picture(height: float, name: str, drawn: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{name}-says" '
        f'preserveAspectRatio="xMidYMid meet">{drawn}</svg>'
    )
