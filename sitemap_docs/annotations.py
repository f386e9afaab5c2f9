"""Show warnings of builds as annotations, next to a workflow run of GitHub Actions.

A job that writes a sitemap without dates succeeds, and nobody reads its log.
"""

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress

from sitemap_docs.model import Finding
from sitemap_docs.programs.github import shows_annotations, workflow_command


def annotate(findings: Iterable[Finding], environ: Mapping[str, str]) -> None:
    """Print the warnings and errors of a build as GitHub annotations, if the build runs in GitHub Actions."""
    if sys.stderr is None or not shows_annotations(environ):
        return
    for finding in findings:
        if finding.severity != "info":
            line = workflow_command(finding.severity, str(finding), title=f"sitemap-docs: {finding.rule}")
            with suppress(OSError):  # An annotation that nobody can read must not end a build.
                print(line, file=sys.stderr, flush=True)  # noqa: T201
