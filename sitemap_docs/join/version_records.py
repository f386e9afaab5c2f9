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
    """Read the files that the builds of some versions wrote with the option ``record``.

    Args:
        files: Pairs of a version and its file. The version is a path such as ``en/2.0``, an alias, or ``/``
            for the top folder.
        tree: The folder with all versions, such as a checkout of ``gh-pages``.
        sites: All versions and languages by path.
        policy: The user's choice of versions, with all aliases.

    Returns:
        The results of the builds, by the path of the version.

    Raises:
        SitemapError: There is no such version, or the build of another version wrote the file.
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
    """Return the folder of a version, such as ``2.0/`` for ``2.0`` or for ``latest``.

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
