"""Read the records of versions, such as ``stable.jsonl``. A record shows the source of each page."""

from collections.abc import Iterable
from pathlib import Path

from sitemap_docs.join.old_versions import find_same_folder
from sitemap_docs.model import SitemapError
from sitemap_docs.output.record import Record, find_problem, read_build
from sitemap_docs.version_policy import VersionChoice
from sitemap_docs.webroot import Webroot


def read_version_records(
    files: Iterable[tuple[str, Path]], webroot: Webroot, choice: VersionChoice
) -> dict[str, Record]:
    """Return the records that the user passed, by the folder of the version, such as ``2.0/``.

    If search engines should show another folder with the same pages, the record belongs to that folder.

    Args:
        files: Pairs of a version and its file, such as ``("latest", Path("stable.jsonl"))``.
        webroot: The folder with all versions, such as a checkout of ``gh-pages``.
        choice: The versions in this folder.

    Raises:
        SitemapError: There is no such version, or the build of another version wrote the file.
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
                f"build of {path} has written."
            )
        records[find_same_folder(webroot, choice, path)] = record
    return records
