"""Quarto: its configuration. Quarto writes a sitemap, too, with the time of the render as date."""

from sitemap_docs.programs.configuration import Configuration, GeneratorConfig


def read_configuration(written: Configuration) -> GeneratorConfig:
    """Return the settings in ``written``, a parsed ``_quarto.yml``.

    https://quarto.org/docs/reference/projects/websites.html
    """
    kind = "book" if written.text("project", "type") == "book" else "website"
    return GeneratorConfig(
        file=written.file,
        base_url=written.text(kind, "site-url"),
        site=written.folder("project", "output-dir", default="_book" if kind == "book" else "_site"),
        source=written.root,
    )
