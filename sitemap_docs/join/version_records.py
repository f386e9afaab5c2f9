"""Read the records of single versions, which show the sources of the pages. Users pass them to a join."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from sitemap_docs.model import SitemapError, TreeSite
from sitemap_docs.output.record import Record, find_problem, read_build
from sitemap_docs.version_policy import Policy


def read_version_records(
    files: Iterable[tuple[str, Path]],
    tree: Path,
    sites: Mapping[str, TreeSite],
    policy: Policy,
    left_out: Collection[str],
) -> dict[str, Record]:
    """Read the files that the builds of some versions wrote with the option ``record``.

    Args:
        files: Pairs of a version and its file. The version is a path such as ``en/2.0``, an alias,
            ``newest``, or ``/`` for the top folder.
        tree: The folder with all versions, such as a checkout of ``gh-pages``.
        sites: All versions and languages by path.
        policy: The user's choice of versions, with all aliases.
        left_out: The paths of the versions that are never listed, such as previews.

    Returns:
        The results of the builds, by the path of the version.

    Raises:
        SitemapError: There is no such version, or the build of another version wrote the file.
    """
    records = {}
    for name, file in files:
        path = policy.find_path(name, sites, left_out)
        problem = find_problem(file, tree / path)
        record = None
        if problem is None:
            record = read_build(tree / path, Path(), file)
        if record is None:
            why = problem.words if problem else "it is a record of several sites, or of none"
            raise SitemapError(f"{file} cannot be used as the record of version {name}: {why}.")
        records[path] = record
    return records
