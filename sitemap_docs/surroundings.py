"""The surroundings of a run: time, environment, platform, current folder and cache folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from platformdirs import user_cache_path

from sitemap_docs.programs.followed import platform
from sitemap_docs.urls.hosts import Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The surroundings of one run. No other module reads the environment or the current folder.

    Attributes:
        now: The current time. Dates are compared with it, and it is never written.
        environ: The environment variables.
        platform: The platform that builds the site.
        cache: The folder for dates from git and records of builds, or None if nothing is kept.
        here: The current folder, in which the paths of flags and arguments start.
    """

    now: datetime
    environ: Mapping[str, str]
    platform: Platform
    cache: Path | None = None
    here: Path = field(default_factory=Path.cwd)


def user_cache() -> Path:
    """Return the folder in the user's cache in which builds keep files."""
    return user_cache_path("sitemap-docs", appauthor=False)


def read_surroundings(cache: Path | None = None) -> Surroundings:
    """Read the surroundings of this process. Without a cache folder, the user's is taken."""
    return Surroundings(
        now=datetime.now(timezone.utc),
        environ=os.environ,
        platform=platform(os.environ),
        cache=cache or user_cache(),
    )
