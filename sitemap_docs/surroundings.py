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
    """Environment variables whose values never appear in a log, because many of them are secrets.

    If a handler of Sphinx fails, Sphinx prints the ``repr`` of the handler and of everything that it
    contains. Logs of builds are often public.
    """

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
    """The surroundings of one run. Other modules take the environment and the current folder from here.

    Attributes:
        now: The current time, to recognise dates in the future. It never becomes the date of a page.
        environ: The environment variables.
        platform: The platform that builds the site.
        cache: The folder for dates from git and records of builds, or None if nothing is kept.
        here: The current folder, to which relative paths in flags and arguments belong.
    """

    now: datetime
    environ: Environment
    platform: Platform
    cache: Path | None = None
    here: Path = field(default_factory=Path.cwd)


def user_cache() -> Path:
    """Return the folder for our files in the cache folder of the user, such as ``~/.cache/sitemap-docs``."""
    return user_cache_path("sitemap-docs", appauthor=False)


def read_surroundings(cache: Path | None = None) -> Surroundings:
    """Read the surroundings of this process.

    ``cache`` is the folder for dates and records. By default, it is in the cache folder of the user.
    """
    environ = Environment(os.environ)
    return Surroundings(
        now=datetime.now(timezone.utc),
        environ=environ,
        platform=platform(environ),
        cache=cache or user_cache(),
    )
