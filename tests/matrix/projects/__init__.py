"""Small projects, one for each shape of documentation; each holds what is odd, and knows what is right."""

from __future__ import annotations

from tests.matrix.projects import mkdocs_plain, sphinx_plain
from tests.matrix.projects.shape import Project

PROJECTS: dict[str, Project] = {
    project.name: project for project in (sphinx_plain.PROJECT, mkdocs_plain.PROJECT)
}
