"""Keeps the few inputs that matter: ``python tests/fuzz/distil.py head FOLDER`` fills ``corpus/head``.

Of all inputs in the corpus and in the folder, 60 at most stay: those that together take each step from line
to line of the package about as often as any of them does. Short ones are liked better.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

import sitemap_docs  # noqa: E402
from tests.fuzz.targets import TARGETS  # noqa: E402

MOST = 60  # the last ones take a step or two more
PACKAGE = str(Path(sitemap_docs.__file__).parent)
Steps = set[tuple[str, int, int, int]]


def steps(name: str, data: bytes) -> Steps:
    """The steps from line to line that a target takes on an input, and how often: in powers of two."""
    found: Counter[tuple[str, int, int]] = Counter()

    def enter(frame, _event, _argument):
        file = frame.f_code.co_filename
        if not file.startswith(PACKAGE):
            return None
        last = frame.f_code.co_firstlineno

        def walk(frame, event, _argument):
            nonlocal last
            if event == "line":
                found[file, last, frame.f_lineno] += 1
                last = frame.f_lineno
            return walk

        return walk

    sys.settrace(enter)
    try:
        TARGETS[name](data)
    finally:
        sys.settrace(None)
    return {(*step, number.bit_length()) for step, number in found.items()}


def distilled(reached: dict[bytes, Steps]) -> list[bytes]:
    """Inputs that together take all steps: each takes most of those that are left, for its length."""
    left = set().union(*reached.values())
    kept = []
    while left:
        best = max(reached, key=lambda data: len(reached[data] & left) / (len(data) + 100))
        kept.append(best)
        left -= reached[best]
    return kept


def main() -> None:
    name, *folders = sys.argv[1:]
    corpus = HERE / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    files = sorted(file for folder in (corpus, *map(Path, folders)) for file in folder.iterdir())
    steps(name, files[0].read_bytes())  # what is cached between runs is reached by none
    reached = {data: steps(name, data) for data in sorted({file.read_bytes() for file in files})}
    kept = distilled(reached)[:MOST]
    for file in corpus.iterdir():
        file.unlink()
    for number, data in enumerate(sorted(kept, key=lambda data: (len(data), data))):
        (corpus / f"{number:02}").write_bytes(data)
    print(f"{name}: {len(kept)} of {len(reached)} inputs")


if __name__ == "__main__":
    main()
