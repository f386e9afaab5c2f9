"""The configuration of Zensical, which has the keys of MkDocs."""

from __future__ import annotations

from sitemap_docs.config.parsing import as_mapping
from sitemap_docs.programs import mkdocs
from sitemap_docs.programs.configuration import Configuration, GeneratorConfig


def read_configuration(written: Configuration) -> GeneratorConfig:
    project = written.keys.get("project", written.keys)
    return mkdocs.read_configuration(written._replace(keys=as_mapping(project)))
