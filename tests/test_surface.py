"""What users and their code may rely on: names, types, options, commands. A change is one for them, too."""

from __future__ import annotations

import inspect
from dataclasses import fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import tomli

import sitemap_docs
from sitemap_docs import api, model
from sitemap_docs.cli import main
from sitemap_docs.config.options import OPTIONS
from tests.conftest import assert_golden

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path(__file__).parent / "golden" / "surface.txt"
PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def surface() -> Iterator[str]:
    """One line for each thing that may be used from outside."""
    for name, thing in public(sitemap_docs):
        yield f"sitemap_docs.{name}{inspect.signature(thing) if callable(thing) else ''}"
    for name in api.__all__:
        thing = getattr(api, name)
        form = inspect.signature(thing) if inspect.isfunction(thing) else members(thing)
        yield f"sitemap_docs.api.{name}{form}"
    for name, thing in public(model):
        if getattr(thing, "__module__", model.__name__) == model.__name__:
            yield f"sitemap_docs.model.{name}{members(thing)}"
    for option in OPTIONS:
        yield f"option {option.name} = {option.form}"
    for command in main.COMMANDS:
        yield f"sitemap-docs {command}"
    project = tomli.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    for group, points in groups.items():
        for name, value in sorted(points.items()):
            yield f"{group}: {name} = {value}"


def public(module: ModuleType) -> list[tuple[str, object]]:
    """Names of a module that are no modules, nor what typing needs."""
    skipped = ("annotations", "TYPE_CHECKING")
    return [
        (name, thing)
        for name, thing in sorted(vars(module).items())
        if name[0] != "_" and name not in skipped and not isinstance(thing, ModuleType)
    ]


def members(thing: object) -> str:
    if is_dataclass(thing):
        return "(" + ", ".join(f"{field.name}: {field.type}" for field in fields(thing)) + ")"
    if isinstance(thing, type) and hasattr(thing, "_fields"):
        types: dict[str, object] = {}
        for each in reversed(thing.__mro__):
            types |= getattr(each, "__annotations__", {})
        return "(" + ", ".join(f"{name}: {spelled(types[name])}" for name in thing._fields) + ")"
    return ""


def spelled(annotation: object) -> str:
    """The same in all versions of Python."""
    return getattr(annotation, "__forward_arg__", str(annotation))


def test_the_surface(request):
    text = "".join(f"{line}\n" for line in surface())
    assert_golden(request, GOLDEN, text)


def test_it_is_typed():
    assert files("sitemap_docs").joinpath("py.typed").is_file()
    for name, function in public(sitemap_docs):
        if callable(function):
            assert "return" in function.__annotations__, name
            assert set(inspect.signature(function).parameters) < set(function.__annotations__), name
