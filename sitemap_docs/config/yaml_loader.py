"""Parse YAML as MkDocs does.

This is a separate module because PyYAML is slow to import, and most builds do not need it.
"""

from typing import NamedTuple

import yaml
from yaml_env_tag import construct_env_tag  # type: ignore[import-untyped]

_MOST_MERGED = 10_000
_MERGE = "tag:yaml.org,2002:merge"  # of the key ``<<``


def load(text: str, *, of_page: bool) -> object:
    """Parse YAML from a configuration file or from the front matter of a page.

    ``of_page`` says that the text is front matter. There, values with a tag such as ``!ENV`` become None.

    Raises:
        ValueError: The text is invalid. The message does not quote it.
    """
    loader: type[yaml.SafeLoader] = _PageLoader if of_page else _Loader
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506  a SafeLoader
    except yaml.YAMLError as error:
        # The message does not quote the text, because a link in the sources could point to a secret file.
        problem = " ".join(str(error).split())
        if isinstance(error, yaml.MarkedYAMLError) and error.problem and error.problem_mark:
            line = error.problem_mark.line + 1
            column = error.problem_mark.column + 1
            problem = f"{error.problem} (at line {line}, column {column})"
        raise ValueError(problem) from None
    # PyYAML's constructors raise these errors for values such as `!!int ''` and `!!timestamp x`.
    except (ArithmeticError, AttributeError, LookupError, TypeError, RecursionError) as error:
        raise ValueError(f"a value cannot be read ({type(error).__name__})") from None


class RepeatedKey(NamedTuple):
    """A key that a YAML mapping contains twice, with the numbers of both lines."""

    #: The keys from the top, such as ``("plugins", "sitemap-docs", "excludes")``.
    path: tuple[str, ...]
    #: The two line numbers, from 1.
    lines: tuple[int, int]


def find_repeated(text: str) -> list[RepeatedKey]:
    """Return each key that a mapping in a YAML text contains twice, in the order of its lines."""
    try:
        top = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return []
    repeated = []
    waiting: list[tuple[tuple[str, ...], yaml.Node | None]] = [((), top)]
    visited = set()  # Aliases lead to the same node again and again.
    while waiting:
        path, node = waiting.pop()
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += [(path, item) for item in node.value]
        elif isinstance(node, yaml.MappingNode):
            lines: dict[str, int] = {}
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    continue
                name = str(key.value)
                line = key.start_mark.line + 1
                waiting.append(((*path, name), value))
                if name in lines and key.tag != _MERGE:
                    repeated.append(RepeatedKey((*path, name), (lines[name], line)))
                lines[name] = line
    return sorted(repeated, key=lambda key: key.lines)


class _PageLoader(yaml.SafeLoader):
    """A YAML parser for front matter. Values with a tag such as ``!ENV`` become None."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        for key, value in node.value:
            if key.tag != _MERGE:
                continue
            parts = value.value if isinstance(value, yaml.SequenceNode) else [value]
            for part in parts:
                if isinstance(part, yaml.MappingNode):
                    self.flatten_mapping(part)
                    self._merged += len(part.value)
                    if self._merged > _MOST_MERGED:
                        problem = f"the keys `<<` add more than {_MOST_MERGED:,} values"
                        raise yaml.constructor.ConstructorError(problem=problem)
        super().flatten_mapping(node)


class _Loader(_PageLoader):
    """A YAML parser for configuration files, which may read environment variables with ``!ENV``."""


# Only configuration files may use !ENV, because the environment contains secrets.
_PageLoader.add_constructor(None, lambda _loader, _node: None)
_Loader.add_constructor("!ENV", construct_env_tag)
