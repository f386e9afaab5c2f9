"""Small projects, one for each shape of documentation; each holds what is odd, and knows what is right."""

from __future__ import annotations

from tests.matrix.projects import (
    folder_other,
    mkdocs_blog,
    mkdocs_i18n,
    mkdocs_monorepo,
    mkdocs_plain,
    sphinx_blog,
    sphinx_gettext,
    sphinx_plain,
)
from tests.matrix.projects.shape import Project

PROJECTS: dict[str, Project] = {
    module.PROJECT.name: module.PROJECT
    for module in (
        sphinx_plain,
        sphinx_gettext,
        sphinx_blog,
        mkdocs_plain,
        mkdocs_i18n,
        mkdocs_blog,
        mkdocs_monorepo,
        folder_other,
    )
}
