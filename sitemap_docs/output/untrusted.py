"""Check the types of values from a JSON file, such as a record, that somebody else may have written."""

from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def require_types(kind: type, fields: dict[str, object]) -> None:
    """Check that fields have the types that a class declares.

    For example, ``require_types(Alternate, {"hreflang": "de", "href": 5})`` raises TypeError.

    Raises:
        LookupError: The class has no such field.
        TypeError: A field has another type.
    """
    types = _types_of(kind)
    for name, value in fields.items():
        if not _has_type(value, types[name]):
            raise TypeError(name)


@cache
def _types_of(kind: type) -> dict[str, Any]:
    """Return the declared type of each field of the class ``kind``."""
    return get_type_hints(kind)


def _has_type(value: object, expected: Any) -> bool:  # noqa: ANN401  such as Literal
    """Check whether a value has a type such as ``tuple[str, ...]``. A list counts as a tuple."""
    origin, arguments = get_origin(expected), get_args(expected)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if origin in (Union, UnionType):
        return any(_has_type(value, each) for each in arguments)
    if origin is tuple:
        return isinstance(value, (list, tuple)) and all(_has_type(item, arguments[0]) for item in value)
    if expected in (None, NoneType):
        return value is None
    return isinstance(value, expected)
