"""MyST and Jupyter Book 2: the output folder, and the source of each page."""

from collections.abc import Iterator
from pathlib import Path
from posixpath import basename, dirname, normpath, splitext

from sitemap_docs import files
from sitemap_docs.config.parsing import as_text, load_json
from sitemap_docs.model import SitemapError
from sitemap_docs.programs.configuration import Configuration, GeneratorConfig
from sitemap_docs.sources.source_files import SourceLayout

_HOMES = ("index.json", "readme.json", "main.json")


def read_configuration(written: Configuration) -> GeneratorConfig:
    """Return the source folder and the output folder of a MyST project.

    ``written`` is the parsed configuration file, ``myst.yml``.
    """
    # MyST reads only the path of the site, from the environment variable BASE_URL.
    site = written.root / "_build/html"
    return GeneratorConfig(
        file=written.file, site=site, source=written.root, layout=_Layout(written.root, site)
    )


class _Layout(SourceLayout):
    """Finds the source file of a page in the JSON file that MyST writes for it, such as ``guide.json``."""

    def __init__(self, root: Path, site: Path) -> None:
        super().__init__(root)
        self._site = site

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        # The address of a page leaves out folders and numbers of the source path.
        slug = file.removesuffix("index.html").strip("/").replace("/", ".")
        for name in (f"{slug}.json", f"{slug}.index.json") if slug else _HOMES:
            if not files.find_inside(self._site, name):
                continue
            try:
                location = as_text(load_json(self._site / name).get("location"))
            except SitemapError:
                continue
            if location:
                below = normpath(f"/{location}").strip("/")
                yield dirname(below), splitext(basename(below))[0]
