"""Read the records of versions, such as ``stable.jsonl``. A record shows the source of each page."""

from collections.abc import Iterable
from pathlib import Path

from sitemap_docs.join.old_versions import find_same_folder
from sitemap_docs.model import SitemapError
from sitemap_docs.output.record import Record, find_problem, read_build
from sitemap_docs.tree import ROOT
from sitemap_docs.version_policy import VersionChoice
from sitemap_docs.webroot import Webroot


def read_version_records(
    files: Iterable[tuple[str, Path]], webroot: Webroot, choice: VersionChoice
) -> dict[str, Record]:
    """Read the records of versions, and return a mapping such as ``{"2.0/": Record(…)}``.

    A record is the file with the decisions of a version's last build. ``files`` are pairs of version and
    record file.

    Raises:
        SitemapError: There is no such version, or its record cannot be used.
    """
    records = {}
    for name, file in files:
        path = choice.policy.find_path(name, choice.sites, choice.left_out)
        problem = find_problem(file, webroot.folder / path)
        record = None
        if problem is None:
            record = read_build(webroot.folder / path, None, [file])
        if record is None:
            why = problem.words if problem else "it is a record of several sites, or of none"
            raise SitemapError(
                f"{file} cannot be used as the record of version {name}: {why}. Pass the record that the "
                f"build of {path or ROOT} has written."
            )
        records[find_same_folder(webroot, choice, path)] = record
    return records
