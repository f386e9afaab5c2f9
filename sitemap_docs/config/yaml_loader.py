"""YAML, as MkDocs reads it. A module of its own, as PyYAML takes long to import and most runs need none."""

import yaml
from yaml_env_tag import construct_env_tag  # type: ignore[import-untyped]

_MOST_MERGED = 10_000


def load(text: str, *, of_page: bool) -> object:
    """Returns what a text holds, without the objects that tags name; ``!ENV`` works in configurations only.

    Raises ValueError with what is wrong and where, without the line itself: the file may be a link to any.
    """
    loader: type[yaml.SafeLoader] = _PageLoader if of_page else _Loader
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506  a SafeLoader
    except yaml.YAMLError as error:
        problem = " ".join(str(error).split())
        if isinstance(error, yaml.MarkedYAMLError) and error.problem and error.problem_mark:
            mark = error.problem_mark
            problem = f"{error.problem} (at line {mark.line + 1}, column {mark.column + 1})"
        raise ValueError(problem) from None
    # What PyYAML's own constructors raise for texts such as `!!int ''` and `!!timestamp x`.
    except (ArithmeticError, AttributeError, LookupError, TypeError, RecursionError) as error:
        raise ValueError(f"a value cannot be read ({type(error).__name__})") from None


class _PageLoader(yaml.SafeLoader):
    """Ignores tags (``!!python/name:…``, ``!relative``), and bounds what merge keys (``<<``) add up to."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        for key, value in node.value:
            if key.tag != "tag:yaml.org,2002:merge":
                continue
            parts = value.value if isinstance(value, yaml.SequenceNode) else [value]
            for part in parts:
                if isinstance(part, yaml.MappingNode):
                    self.flatten_mapping(part)
                    self._merged += len(part.value)
                    if self._merged > _MOST_MERGED:
                        problem = f"merge keys add more than {_MOST_MERGED:,} values"
                        raise yaml.constructor.ConstructorError(problem=problem)
        super().flatten_mapping(node)


class _Loader(_PageLoader):
    """Loads ``!ENV``, which no page may use: the environment has secrets."""


_PageLoader.add_constructor(None, lambda _loader, _node: None)
_Loader.add_constructor("!ENV", construct_env_tag)
