"""Warnings of builds as annotations, which GitHub shows next to a workflow run.

A job that writes a sitemap without dates is green, and nobody reads its log.
"""

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress

from sitemap_docs.model import Finding
from sitemap_docs.programs.github import shows_annotations, workflow_command


def annotate(findings: Iterable[Finding], environ: Mapping[str, str]) -> None:
    """Print the warnings and errors among the findings of a build as annotations, in GitHub Actions only.

    They go to standard error, so that they never become part of a result on standard output.
    """
    if sys.stderr is None or not shows_annotations(environ):
        return
    for finding in findings:
        if finding.severity != "info":
            line = workflow_command(finding.severity, str(finding), title=f"sitemap-docs: {finding.rule}")
            with suppress(OSError):  # An annotation that nobody can read must not end a build.
                print(line, file=sys.stderr, flush=True)  # noqa: T201
