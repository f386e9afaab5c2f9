"""What the fuzzer learned and what it once broke: no target may fail on it again."""

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

FOLDER = Path(__file__).parent
KEPT = [
    pytest.param(target, file, id=f"{target}-{kind}-{file.name}")
    for target in TARGETS
    for kind in ("corpus", "crashes")
    for file in sorted((FOLDER / kind / target).glob("*"))
]


@pytest.mark.parametrize(("target", "file"), KEPT)
def test_corpus_and_crashes(target, file):
    TARGETS[target](file.read_bytes())


def test_each_target_has_a_corpus():
    assert {target for target, file in (param.values for param in KEPT)} == set(TARGETS)
