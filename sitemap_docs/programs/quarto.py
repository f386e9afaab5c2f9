"""The configuration of Quarto, whose own sitemap is dated by the time of the render."""

from sitemap_docs.programs.configuration import Configuration, GeneratorConfig


def read_configuration(written: Configuration) -> GeneratorConfig:
    """https://quarto.org/docs/reference/projects/websites.html; a book has its own folder and table."""
    kind = "book" if written.text("project", "type") == "book" else "website"
    return GeneratorConfig(
        file=written.file,
        base_url=written.text(kind, "site-url"),
        site=written.folder("project", "output-dir", default="_book" if kind == "book" else "_site"),
        source=written.root,
    )
