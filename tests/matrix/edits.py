"""What all sequences of edits have: pages that come, move and go, options, lost records, and builds."""

from __future__ import annotations

import shutil
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from unittest import TestCase

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.conftest import SIZE, write


class Edited(RuleBasedStateMachine):
    """A project whose pages are in one folder, and the model of them.

    Pages with the names ``movable`` come and go; ``choices`` are the values of each option but its default.
    """

    movable: Sequence[str]
    choices: Mapping[str, Sequence[Any]]
    place: str

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(mkdtemp(prefix="edited-"))
        self.folder = self.root / self.place
        self.pages: dict[str, str] = {}
        self.options: dict[str, Any] = {}
        self.cache = 0

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    def put(self, name: str, text: str) -> None:
        self.pages[name] = text
        write(self.folder, {name: text})

    def take(self, name: str) -> str:
        (self.folder / name).unlink()
        return self.pages.pop(name)

    @rule(data=st.data())
    def page_removed(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(self.movable))
        if name in self.pages:
            self.take(name)

    @rule(data=st.data())
    def page_moved(self, data: st.DataObject) -> None:
        old, new = data.draw(st.tuples(*[st.sampled_from(self.movable)] * 2))
        if old in self.pages and old != new:
            self.put(new, self.take(old))  # with a new time, as else Sphinx sees no change

    @rule(data=st.data())
    def option(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from([*self.choices]))
        value = data.draw(st.sampled_from([None, *self.choices[name]]))
        self.options.pop(name, None)
        if value is not None:
            self.options[name] = value

    @rule()
    def record_lost(self) -> None:
        self.cache += 1

    @rule()
    def edited_no_more(self) -> None:
        """A second rule that builds, so that there are twice as many."""
        self.build()

    @rule()
    @abstractmethod
    def build(self) -> None:
        """A build in the folder, and one of the same files where nothing of ours ever was."""


def tried(machine: type[Edited], examples: int) -> type[TestCase]:
    """A test of so many sequences, always the same ones, and shorter where the matrix is not run.

    A failure is shown as it was found: to make it short would take many builds.
    """
    steps = 15 if SIZE == "part" else 30
    phases = [Phase.explicit, Phase.generate]
    machine.TestCase.settings = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, phases=phases, derandomize=True
    )
    ignored = "ignore::hypothesis.errors.NonInteractiveExampleWarning"
    return pytest.mark.filterwarnings(ignored)(machine.TestCase)
