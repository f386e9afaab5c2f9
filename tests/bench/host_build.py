"""Builds a project with Sphinx or MkDocs in this process, and prints what the build and our handlers cost.

``python -m host_build OUTPUT`` in the folder of a project: seconds of the processor of the build, of our
handlers without git, of git, of loading our modules, and the number of pages.
"""

from __future__ import annotations

import gc
import importlib
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from pkgutil import iter_modules
from time import process_time

OURS = "sitemap_docs"
BASE = "https://docs.example.org/"


class Clock:
    """Adds up what runs in handlers, and what the programs cost that they start.

    A full garbage collection looks at all objects of the host, most of which no handler of ours made: it is
    not counted, in whichever handler it falls.
    """

    def __init__(self) -> None:
        self.own = self.programs = self.loading = 0.0
        self._depth = 0
        self._collecting = 0.0
        gc.callbacks.append(self._full_collection)

    def _full_collection(self, phase: str, info: dict[str, int]) -> None:
        if self._depth and info["generation"] == 2:
            if phase == "start":
                self._collecting = process_time()
            else:
                self.own -= process_time() - self._collecting

    def load(self, name: str) -> None:
        start = process_time()
        importlib.import_module(name)
        self.loading += process_time() - start

    def clocked(self, handler: Callable[..., object]) -> Callable[..., object]:
        def run(*arguments: object, **named: object) -> object:
            own, programs = process_time(), _programs()
            self._depth += 1
            try:
                return handler(*arguments, **named)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.own += process_time() - own
                    self.programs += _programs() - programs

        return run


def _programs() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def mkdocs(output: Path, clock: Clock) -> Callable[[], None]:
    from mkdocs.commands.build import build  # noqa: PLC0415
    from mkdocs.config import defaults, load_config  # noqa: F401, PLC0415  the former is loaded by each build
    from mkdocs.plugins import get_plugins  # noqa: PLC0415

    clock.load(f"{OURS}.mkdocs.plugin")
    config = load_config("mkdocs.yml", site_dir=str(output), site_url=BASE, strict=False)
    config.plugins.pop("sitemap-docs", None)
    plugin = get_plugins()["sitemap-docs"].load()()
    errors, _ = plugin.load_config({"cache": False}, "mkdocs.yml")
    assert not errors, errors
    config.plugins["sitemap-docs"] = plugin
    for event, handlers in config.plugins.events.items():
        config.plugins.events[event] = [
            clock.clocked(handler) if getattr(handler, "__self__", None) is plugin else handler
            for handler in handlers
        ]
    return lambda: build(config)


def sphinx(output: Path, clock: Clock) -> Callable[[], None]:
    from sphinx.application import Sphinx  # noqa: PLC0415
    from sphinx.builders import html, singlehtml  # noqa: F401, PLC0415  which each build has, and we import
    from sphinx.config import Config  # noqa: PLC0415
    from sphinx.events import EventManager  # noqa: PLC0415
    from sphinx.util.docutils import docutils_namespace, patch_docutils  # noqa: PLC0415
    from sphinx.util.tags import Tags  # noqa: PLC0415

    clock.load(f"{OURS}.sphinx.extension")
    # The rest, which is loaded when a build begins; it has had other names.
    for module in iter_modules(sys.modules[f"{OURS}.sphinx"].__path__):
        clock.load(f"{OURS}.sphinx.{module.name}")
    connect = EventManager.connect

    def timed(events: EventManager, name: str, handler: Callable[..., object], priority: int) -> int:
        module = getattr(getattr(handler, "func", handler), "__module__", None) or ""
        return connect(events, name, clock.clocked(handler) if module.startswith(OURS) else handler, priority)

    EventManager.connect = timed
    here = Path.cwd()
    config = Config.read(here, overrides={}, tags=Tags())
    extensions = [*(each for each in config.extensions if each != OURS), OURS]
    options = {"extensions": extensions, "html_baseurl": BASE, "sitemap_cache": False}
    folders = (here, here, output, output / ".doctrees")

    def build() -> None:
        with patch_docutils(here), docutils_namespace():
            Sphinx(*folders, "html", options, status=None, warning=None).build()

    return build


def main() -> None:
    output, clock = Path(sys.argv[1]), Clock()
    prepare = mkdocs if Path("mkdocs.yml").exists() else sphinx
    build = prepare(output, clock)
    start = process_time()
    build()
    seconds = process_time() - start - clock.own
    pages = sum(1 for _ in output.rglob("*.html"))
    print(json.dumps([seconds, clock.own, clock.programs, clock.loading, pages]))


if __name__ == "__main__":
    main()
