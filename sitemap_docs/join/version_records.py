"""Read the records of single versions, which show the sources of the pages. Users pass them to a join."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from sitemap_docs.join.policy import Policy
from sitemap_docs.model import SitemapError, TreeSite
from sitemap_docs.output.record import Record, find_problem, read_build
from sitemap_docs.tree import ROOT


def read_version_records(
    files: Iterable[tuple[str, Path]], tree: Path, sites: Mapping[str, TreeSite], policy: Policy
) -> dict[str, Record]:
    """Read the records that the user passed, each for one version.

    Records in the user's cache do not count. Otherwise, two machines could edit the same pages differently.

    Args:
        files: Pairs of a version and the file of its record. The version is a path below the tree such as
            ``en/2.0``, an alias, or ``/`` for the root of the tree.
        tree: The folder that contains all versions, such as a checkout of ``gh-pages``.
        sites: All sites of the tree by path.
        policy: The rules by which versions are selected, with the aliases.

    Returns:
        The records, by the paths of the versions.

    Raises:
        SitemapError: There is no such version, or a file is not the record of the version.
    """
    records = {}
    for name, file in files:
        path = _path_of_version(name, sites, policy)
        problem = find_problem(file, tree / path)
        record = None
        if problem is None:
            record = read_build(tree / path, Path(), file)
        if record is None:
            why = problem.words if problem else "it is not the record of one site"
            raise SitemapError(f"{file} cannot be used as the record of version {name}: {why}.")
        records[path] = record
    return records


def _path_of_version(name: str, sites: Mapping[str, TreeSite], policy: Policy) -> str:
    """Return the path of a version below the tree.

    Raises:
        SitemapError: There is no such version.
    """
    folder = name.strip("/")
    folder = policy.aliases.get(folder, folder)
    if folder in ("", ".", ROOT):
        return ""
    path = f"{folder}/"
    if path not in sites:
        versions = ", ".join(site.path.rstrip("/") for site in sites.values() if site.version) or "none"
        raise SitemapError(f"There is no version {name!r} with a record. The versions are: {versions}.")
    return path
