"""All measures but those of growth: the table of the manual's page "Speed".

    python tests/bench/all.py [--old DIR] [--write] [--generate-sitemap DIR] [ROWS...]

``ROWS`` are names of scripts. ``--write`` puts the tables into the page, between its markers. With the sizes
that are the default it takes half an hour on two processors that have nothing else to do.
"""

from __future__ import annotations

import os
import platform
import tempfile
from importlib import import_module
from pathlib import Path

from peers import Peer
from shared import HERE, Bench, Row, argument_parser
from shown_dates import Builds

SCRIPTS = (
    *("head", "build", "hosts", "after_build", "dates", "write", "diff", "start", "memory", "peers"),
    "shown_dates",
)
PAGE = HERE / "tests/bench/speed.md"


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROWS", help=", ".join(SCRIPTS))
    parser.add_argument("--write", action="store_true", help="write the tables into speed.md")
    given = parser.parse_args()
    measured = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch), given)
        for name in given.rows or SCRIPTS:
            for row in import_module(name).measure(bench):
                print(row, flush=True)
                measured.append(row)
    if given.write:
        text = PAGE.read_text()
        text = _replaced(text, "costs", cost_lines([row for row in measured if isinstance(row, Row)], bench))
        text = _replaced(text, "peers", peer_lines([row for row in measured if isinstance(row, Peer)]))
        text = _replaced(text, "shown", shown_lines([row for row in measured if isinstance(row, Builds)]))
        PAGE.write_text(text)


def _replaced(text: str, name: str, lines: list[str]) -> str:
    """The text of the page with these lines between two markers."""
    before, start, rest = text.partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    assert end, f"{PAGE} has no markers for {name}"
    return "\n".join([before + start, *lines, "", end + after])


def cost_lines(rows: list[Row], bench: Bench) -> list[str]:
    """A table of what each piece of work costs; with a column for the old checkout."""
    names = ["Before", "Now"][-len(bench.checkouts) :]
    machine = f"Python {platform.python_version()} on {platform.system()}, {os.cpu_count()} processors"
    lines = [
        f"{machine}; {bench.pages:,} pages of 3 KB.",
        "",
        f"| Work | Measured against | {' | '.join(names)} |",
        f"| --- | --- | {' | '.join('--:' for _ in names)} |",
    ]
    for row in rows:
        cells = []
        for ours, floor in row.costs:
            cells.append(
                f"{ours / floor:.2f} ({ours:.3g} {row.unit})" if row.floor else f"{ours:.3g} {row.unit}"
            )
        lines.append(f"| {row.work} | {row.floor or '–'} | {' | '.join(cells)} |")
    return lines


def shown_lines(builds: list[Builds]) -> list[str]:
    """A table of whole builds without dates, with ours, and with the extension that shows dates."""
    return [
        "| Project | Without dates | With our sitemap | And `page_dates` | Extension | With it |",
        "| --- | --: | --: | --: | --- | --: |",
        *(each.row() for each in builds),
    ]


def peer_lines(peers: list[Peer]) -> list[str]:
    """A table of the same work by others; a line for each that could not be measured."""
    lines = [
        "| Work | Generator | Command | Its time | Ours |",
        "| --- | --- | --- | --: | --: |",
    ]
    missing = []
    for peer in peers:
        if peer.peer is None:
            missing.append(peer.name)
        else:
            times = f"{peer.peer:.2f} s | {peer.ours:.2f} s"
            lines.append(f"| {peer.work} | {peer.name} | {peer.command} | {times} |")
    if missing:
        lines += ["", f"Not measured here, because it was not installed: {', '.join(missing)}."]
    return lines


if __name__ == "__main__":
    main()
