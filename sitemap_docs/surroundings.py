"""What is around a run: the time, the variables, the platform, and where things are kept between runs."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from platformdirs import user_cache_path

from sitemap_docs.programs.followed import platform
from sitemap_docs.urls.hosts import Platform

#: The variables of this process; nothing else reads them but what prints to the terminal.
ENVIRON: Mapping[str, str] = os.environ


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """``now`` is only compared with, never written.

    ``cache`` is a folder for dates from git and records of builds; None: they are not kept.
    """

    now: datetime
    environ: Mapping[str, str]
    platform: Platform
    cache: Path | None = None


def user_cache() -> Path:
    """The folder in the user's cache for what is kept between builds."""
    return user_cache_path("sitemap-docs", appauthor=False)


def read_surroundings(cache: Path | None = None) -> Surroundings:
    """Those of this process; what is kept is in the user's cache where no other folder is named."""
    return Surroundings(
        now=datetime.now(timezone.utc),
        environ=ENVIRON,
        platform=platform(ENVIRON),
        cache=cache or user_cache(),
    )
