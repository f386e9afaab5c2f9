"""``build`` and ``check`` on small sites of real generators, compared with their own sitemaps and a server.

``nox -s generators`` installs them. Packages of npm are those of the folder that the variable ``GENERATORS``
names: one folder for each site, with its node_modules. What is missing is skipped.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote
from urllib.request import urlopen

import pytest

from sitemap_docs.model import Entry
from sitemap_docs.sitemap.reader import parse
from tests.audit.test_deployed_site import NGINX, Nginx
from tests.conftest import BASE, command, commit, filled, look_again

HERE = Path(__file__).parent
PACKAGES = Path(os.environ.get("GENERATORS", "no folder"))
THEN = "2024-05-06T07:08:09+00:00"
BUILT = (
    *("node_modules", "_site", "_build", "build", "dist", "public", "book", "output", "site"),
    *(".docusaurus", ".astro", ".cache"),
)
SERVER = re.compile(r"http://localhost:\d+")


class Generator(NamedTuple):
    """How a site is built, and which paths are listed, each with its date.

    ``theirs`` are paths that only the generator's own sitemap lists, ``ours`` those that it leaves out. It
    dates by the build, or by what a page says, where ``has_dates`` is false. ``wrong`` are files of its own
    that go before ours is written, ``shards`` those of its sitemap that ours makes needless. ``findings``
    are true ones about what the generator or its theme writes. ``plugin`` is a package that the
    configuration of the generator loads.
    """

    command: tuple[str, ...]
    site: str
    listed: dict[str, str | None]
    flags: tuple[str, ...] = ()
    theirs: frozenset[str] = frozenset()
    ours: frozenset[str] = frozenset()
    links: str = "folders"
    sitemap: str = "sitemap.xml"
    wrong: tuple[str, ...] = ()
    shards: tuple[str, ...] = ()
    environ: Mapping[str, str] = {}
    findings: frozenset[str] = frozenset()
    has_dates: bool = True
    plugin: str = ""


def dated(*paths: str) -> dict[str, str]:
    return dict.fromkeys(paths, THEN)


def undated(*paths: str) -> dict[str, None]:
    return dict.fromkeys(paths)


GENERATORS = {
    "hugo": Generator(
        ("hugo",),
        "public",
        {
            **dated("", "de/", "de/guide/install/", "guide/", "guide/install/", "posts/moved/"),
            # Lists that no file is the source of.
            **undated(
                "categories/", "de/categories/", "de/guide/", "de/tags/", "posts/", "tags/", "tags/news/"
            ),
        },
        flags=(
            *("--base-url", f"{BASE}hugo/", "--source", "content"),
            *("--map", "de/**/index.html=**.de.md", "--map", "de/**/index.html=**/_index.de.md"),
        ),
        theirs=frozenset({"guide/hidden/"}),  # before Hugo 0.125, which leaves it out
    ),
    "jekyll": Generator(
        ("jekyll", "build"),
        "_site",
        {
            **dated("", "2024/02/03/big-news/", "guide/", "guide/install/", "guides/tour/"),
            **undated("plain.html"),  # its permalink is another path
        },
        flags=(
            *("--base-url", f"{BASE}jekyll/", "--source", "."),
            *("--map", "*/*/*/*/index.html=_posts/*-*-*-*.md"),
            *("--map", "guides/**/index.html=_guides/**.md"),
        ),
        findings=frozenset({"robots-not-at-host-root"}),  # that of jekyll-sitemap
        has_dates=False,
    ),
    "mdbook": Generator(("mdbook", "build"), "book", dated("", "guide/", "guide/install.html")),
    "zensical": Generator(("zensical", "build"), "site", dated("", "guide/install/")),
    "vitepress": Generator(
        ("vitepress", "build"),
        ".vitepress/dist",
        dated("", "de/", "de/guide/install", "guide/", "guide/c++", "guide/install"),
        flags=("--source", "."),
        theirs=frozenset({"guide/hidden"}),
        links="clean",
    ),
    "docusaurus": Generator(
        ("docusaurus", "build"),
        "build",
        {
            f"{language}{path}": date
            for language in ("", "de/")
            for path, date in {
                **dated("", "blog/2024/02/03/big-news", "docs/guide/install", "docs/intro", "help"),
                **undated("blog", "blog/archive", "docs/category/guide"),  # generated lists
            }.items()
        },
        flags=("--config", "sitemap-docs.toml"),
        links="bare",
    ),
    "starlight": Generator(
        ("astro", "build"),
        "dist",
        {
            **dated("", "de/", "de/guides/install/", "guides/install/", "guides/tour/"),
            **undated("de/guides/tour/"),  # not translated
        },
        flags=("--config", "sitemap-docs.toml"),
        sitemap="sitemap-index.xml",
        shards=("sitemap-0.xml",),
    ),
    "eleventy": Generator(
        ("eleventy",),
        "_site",
        dated("", "de/", "de/guide/install/", "guide/install/", "guide/plain.html", "guide/template/"),
        flags=("--base-url", f"{BASE}eleventy/", "--source", "src"),
    ),
    "antora": Generator(
        ("antora", "antora-playbook.yml"),
        "build/site",
        dated("manual/", "manual/guide/install/"),
        flags=(
            *("--base-url", f"{BASE}antora/", "--source", "docs/modules/ROOT/pages"),
            *("--map", "manual/**/index.html=**.adoc", "--map", "manual/index.html=index.adoc"),
        ),
        has_dates=False,
    ),
    "pelican": Generator(
        ("pelican", "content", "-s", "publishconf.py"),
        "output",
        dated("news.html", "news-de.html", "pages/about.html")
        | undated("", "archives.html", "authors.html", "categories.html", "tags.html", "category/misc.html"),
        flags=("--source", "content", "--map", "**/*-*.html=**/*.*.md"),
        findings=frozenset({"hreflang-return-link-missing"}),
        has_dates=False,
        plugin="pelican-sitemap",
    ),
    "myst": Generator(
        ("myst", "build", "--html"),
        "_build/html",
        dated("", "install/", "tour/", "usage/"),
        flags=("--base-url", f"{BASE}myst/"),
        theirs=frozenset({"install", "tour", "usage"}),  # which redirect to a folder
        ours=frozenset({"install/", "tour/", "usage/"}),
        wrong=("robots.txt",),
        environ={"BASE_URL": "/myst"},
    ),
}


class Site(NamedTuple):
    """A site that its generator built, and the entries of the generator's own sitemap by path."""

    name: str
    folder: Path
    theirs: dict[str, Entry]
    entries: dict[str, Entry]
    built: dict
    checked: dict


def recipe(name: str) -> list[list[str]]:
    """The words of the lines that the manual has for a generator."""
    sections = filled(HERE.parents[1] / "example_docs/pages/generators.md").split("\n## ")
    (section,) = (each for each in sections[1:] if name in each.partition("\n")[0].lower())
    return [shlex.split(line[2:]) for line in section.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "zensical"])
def test_the_manual_has_the_lines_that_are_tested(name):
    generator = GENERATORS[name]
    flags = [flag.replace(f"{BASE}{name}/", BASE) for flag in generator.flags]
    assert recipe(name) == [
        list(generator.command),
        *(["rm", f"{generator.site}/{file}"] for file in generator.wrong),
        ["sitemap-docs", "build", generator.site, *flags],
        *(["rm", f"{generator.site}/{shard}"] for shard in generator.shards),
    ]


def program(name: str, command: tuple[str, ...]) -> list[str]:
    there = PACKAGES / name / "node_modules/.bin" / command[0]
    found = str(there) if there.exists() else shutil.which(command[0])
    if not found:
        pytest.skip(f"{command[0]} is not installed: nox -s generators")
    return [found, *command[1:]]


def is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def by_path(entries: Iterable[Entry], base: str) -> dict[str, Entry]:
    """The entries by their decoded path; the base URL may lack its slash, or be the server of the build."""
    locs = ((SERVER.sub(base.removesuffix("/"), each.loc), each) for each in entries)
    return {unquote(f"{loc}/" if f"{loc}/" == base else loc).removeprefix(base): each for loc, each in locs}


def listed(folder: Path) -> Iterator[Entry]:
    for file in sorted(folder.rglob("sitemap*.xml")):
        found = parse(file)
        entries = list(found.entries())
        yield from entries if found.root == "urlset" else ()


@pytest.fixture(scope="module", params=GENERATORS)
def site(request, tmp_path_factory) -> Site:
    """The site in a repository with one commit, built by its generator and by ``sitemap-docs``."""
    name = request.param
    generator = GENERATORS[name]
    line = program(name, generator.command)
    if generator.plugin and not is_installed(generator.plugin):
        pytest.skip(f"{generator.plugin}, which the configuration of {name} loads, is not installed")
    packages, apart = PACKAGES / name, tmp_path_factory.mktemp(name)
    root = (packages if packages.is_dir() else apart) / "project"  # beside its packages, as projects are
    shutil.rmtree(root, ignore_errors=True)
    shutil.rmtree(packages / "node_modules/.cache", ignore_errors=True)  # of other sources
    shutil.copytree(HERE / name, root)
    (root / ".gitignore").write_text("".join(f"/{name}\n" for name in BUILT))
    commit(root, date=THEN)
    environ = os.environ | {"ASTRO_TELEMETRY_DISABLED": "1", "CI": "true"} | generator.environ
    done = subprocess.run(line, cwd=root, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    base, folder = f"{BASE}{name}/", root / generator.site
    theirs = by_path(listed(folder), base)
    for file in generator.wrong:
        (folder / file).unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        patch.setenv("XDG_CACHE_HOME", str(apart / "cache"))
        built = command("build", generator.site, *generator.flags, "--json")
        assert built.code in (0, 1), built.err
        for name in generator.shards:
            (folder / name).unlink()
        flags = generator.flags[:2] if "--config" in generator.flags else ()
        checked = command("check", generator.site, *flags, "--json")
        assert checked.code in (0, 1), checked.err
    entries = by_path(parse(folder / generator.sitemap).entries(), base)
    return Site(request.param, folder, theirs, entries, built.data, checked.data)


def test_pages_and_dates(site):
    found = {path: entry.lastmod and entry.lastmod.isoformat() for path, entry in site.entries.items()}
    assert found == GENERATORS[site.name].listed
    assert site.built["base_url"] == f"{BASE}{site.name}/"
    assert site.built["links"] == GENERATORS[site.name].links
    look_again(site.folder)


def test_the_generators_own_sitemap(site):
    generator = GENERATORS[site.name]
    if not site.theirs:
        pytest.skip(f"{site.name} writes no sitemap")
    assert site.theirs.keys() - site.entries.keys() <= generator.theirs
    assert site.entries.keys() - site.theirs.keys() == generator.ours
    for path, theirs in site.theirs.items():
        ours = site.entries.get(path, theirs)
        assert set(ours.alternates) >= set(theirs.alternates)
        assert not (generator.has_dates and theirs.lastmod and ours.lastmod) or theirs.lastmod == ours.lastmod


def test_nothing_is_wrong_with_it(site):
    found = {each["rule"] for each in site.checked["findings"] if each["severity"] != "info"}
    assert found == GENERATORS[site.name].findings


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed (Debian: nginx-light)")
def test_each_address_is_served(site, tmp_path):
    nginx = Nginx(tmp_path / "server")
    (tmp_path / "server/www" / site.name).symlink_to(site.folder)
    nginx.start("location / { try_files $uri $uri.html $uri/index.html =404; }")
    try:
        for entry in site.entries.values():
            with urlopen(nginx.base + entry.loc.removeprefix(BASE)) as answer:
                assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html")
                assert b"<title" in answer.read()
    finally:
        nginx.stop()
