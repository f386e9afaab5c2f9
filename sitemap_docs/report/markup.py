"""The pieces of HTML that the parts of the report share."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime


def section(name: str, title: str, body: str) -> str:
    head = f'<h2 id="{name}-title">{title}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">\n{head}\n{body}</section>\n'


def figure(name: str, caption: str, drawn: str, more: str = "") -> str:
    return f'<figure>\n{drawn}\n<figcaption id="{name}-caption">{caption}</figcaption>\n</figure>\n{more}'


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in a box of its own that scrolls; the first cell of each row is its heading."""
    body = "".join(
        f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{each}</td>" for each in rest) + "</tr>\n"
        for first, *rest in rows
    )
    return scrolled(
        caption,
        f"<table>\n<caption>{caption}</caption>\n<thead><tr>{columns(head)}</tr></thead>\n"
        f"<tbody>\n{body}</tbody>\n</table>",
    )


def columns(head: Iterable[str]) -> str:
    return "".join(f'<th scope="col">{each}</th>' for each in head)


def scrolled(label: str, body: str, name: str = "") -> str:
    """A box as wide as the page, in which what is wider scrolls, also by keyboard."""
    attribute = f' id="{name}"' if name else ""
    return f'<div class="scroll"{attribute} tabindex="0" role="region" aria-label="{label}">{body}</div>\n'


def folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n{body}</details>\n"


def link(url: str, text: str, label: str = "") -> str:
    name = f' aria-label="{escape(label)}"' if label else ""
    return f'<a href="{escape(url)}"{name}>{escape(text)}</a>'


def day(moment: datetime) -> str:
    return f'<time datetime="{moment:%Y-%m-%d}">{moment:%Y-%m-%d}</time>'
