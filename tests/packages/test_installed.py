"""A plain install adds few packages next to Sphinx and MkDocs."""

from importlib.metadata import requires
from pathlib import Path

import pytest
import tomli
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.bench.installed import LIMITS

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def needed(requirements: list[str]) -> set[str]:
    """The packages that are installed for some requirements, without extras, by the metadata of each."""
    names: set[str] = set()
    waiting = list(requirements)
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        if name not in names and (not requirement.marker or requirement.marker.evaluate({"extra": ""})):
            names.add(name)
            waiting += requires(name) or []
    return names


@pytest.mark.parametrize("host", LIMITS)
def test_the_packages_that_are_added_to_a_host(host: str) -> None:
    pytest.importorskip(host)
    project = tomli.loads(PYPROJECT.read_text("utf-8"))["project"]
    added = needed(project["dependencies"]) - needed([host])
    assert len(added) <= LIMITS[host], sorted(added)
