"""The surroundings of a run: the time, environment, platform, current folder and cache folder."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from platformdirs import user_cache_path

from sitemap_docs.programs.followed import platform
from sitemap_docs.urls.hosts import Platform


class Environment(Mapping[str, str]):
    """The environment variables, as a mapping whose ``repr`` does not show their secret values."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def __getitem__(self, name: str) -> str:
        return self._variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    def __repr__(self) -> str:
        return "Environment(…)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The current time, the environment variables and the folders of one run."""

    #: The current time, to recognise dates in the future.
    now: datetime
    environ: Environment
    platform: Platform
    #: The cache folder of sitemap-docs, or None.
    cache: Path | None = None
    #: The current folder.
    here: Path = field(default_factory=Path.cwd)


def user_cache() -> Path:
    """Return the cache folder of sitemap-docs, such as ``~/.cache/sitemap-docs``."""
    return user_cache_path("sitemap-docs", appauthor=False)


def read_surroundings(cache: Path | None = None) -> Surroundings:
    """Return the current time and the environment variables. ``cache`` replaces the usual cache folder."""
    environ = Environment(os.environ)
    return Surroundings(
        now=datetime.now(timezone.utc),
        environ=environ,
        platform=platform(environ),
        cache=cache or user_cache(),
    )
