"""Netlify: facts about a build, and the redirects and headers in netlify.toml."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from sitemap_docs.config.parsing import as_list, as_mapping, as_text, load_toml
from sitemap_docs.host_rules import HeaderRule, RedirectRule, header_rule, redirect_rule
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.hosts import UNSHALLOW, Platform

NETLIFY = "netlify.toml"
_CONDITIONS = {"query", "conditions"}


def platform(environ: Mapping[str, str], preview: str) -> Platform:
    """Return facts about a build on Netlify, such as its base URL.

    ``preview`` is the reason why the build is a preview, such as ``CONTEXT is deploy-preview``, or ``""``.
    https://docs.netlify.com/build/configure-builds/environment-variables/
    """
    url = environ.get("DEPLOY_PRIME_URL" if preview else "URL")
    return Platform(
        name="Netlify",
        base_url=url or None,
        preview=preview,
        deploys_later=True,
        whole_history=UNSHALLOW,
        rules=NETLIFY,
    )


def find_rules(output: Path, folders: Iterable[Path]) -> Path | None:
    """Return the first ``netlify.toml`` in ``folders`` that applies to the folder ``output``, or None.

    The file applies if its setting ``publish`` is that folder, or if it has no such setting.
    https://docs.netlify.com/build/configure-builds/file-based-configuration/
    """
    for folder in folders:
        file = folder / NETLIFY
        if file.is_file():
            with suppress(SitemapError):  # no build fails for it
                build = as_mapping(load_toml(file).get("build"))
                below = [as_text(build.get(name)).strip("/") for name in ("base", "publish")]
                if not below[1] or folder.joinpath(*below).resolve() == output.resolve():
                    return file
    return None


def redirects(file: Path) -> Iterator[RedirectRule | None]:
    """Yield the redirects in ``netlify.toml``, and None for each unsupported redirect, such as from ``/*/*``.

    Redirects with conditions, such as a country, are left out.

    Raises:
        SitemapError: The file cannot be read.
    """
    for table in map(as_mapping, as_list(load_toml(file).get("redirects"))):
        source, status = as_text(table.get("from")), table.get("status")
        if not isinstance(status, int):
            status = 301
        if source and _CONDITIONS.isdisjoint(table):
            yield redirect_rule(source, str(table.get("to", "")), status, table.get("force") is True)


def headers(file: Path) -> Iterator[HeaderRule]:
    """Yield the rules in ``netlify.toml`` that set the header ``X-Robots-Tag``."""
    tables: Sequence[object] = ()
    with suppress(SitemapError):
        tables = as_list(load_toml(file).get("headers"))
    for table in map(as_mapping, tables):
        for name, value in as_mapping(table.get("values")).items():
            rule = header_rule(as_text(table.get("for")), name, as_text(value))
            if rule:
                yield rule
