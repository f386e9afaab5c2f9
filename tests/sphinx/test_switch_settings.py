"""Settings of sphinx-sitemap's users, each built with sphinx-sitemap and with ours."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from conftest import Run, SphinxProject

pytestmark = [
    pytest.mark.skipif(
        not (find_spec("sphinx") and find_spec("sphinx_sitemap")), reason="needs Sphinx and sphinx-sitemap"
    ),
    # sphinx-sitemap 2.9 uses env.app.
    pytest.mark.filterwarnings("ignore:.*is deprecated.*"),
]

PAGES = ("a", "b", "guide/index", "guide/c")


class Setting(NamedTuple):
    """A conf.py, its builder, and the address of the build on Read the Docs, if it runs there.

    ``base`` is where our sitemap has the pages; ``""`` where a sitemap cannot be written. ``rules`` are the
    types of the warnings. ``strict`` is whether the build passes with ``-W``.
    """

    conf: str
    base: str
    builder: str = "html"
    canonical_url: str = ""
    rules: tuple[str, ...] = ()
    strict: bool = True
    filename: str = "sitemap.xml"


SCHEME = ("scheme-unconfirmed",)
LOCALES = ("locales-unused",)

SETTINGS = [
    Setting(
        'html_baseurl="https://documentation.ubuntu.com/landscape/"; sitemap_url_scheme="{link}"',
        "https://documentation.ubuntu.com/landscape/",
        "dirhtml",
    ),
    Setting(
        'release="0.1"; html_baseurl="https://earthdatahub.destine.eu/docs/"; '
        'sitemap_excludes=["genindex.html","search.html"]; sitemap_url_scheme="{link}"',
        "https://earthdatahub.destine.eu/docs/",
    ),
    Setting(
        'html_baseurl="https://haive.readthedocs.io/"; sitemap_url_scheme="{link}"',
        "https://haive.readthedocs.io/en/latest/",
        canonical_url="https://haive.readthedocs.io/en/latest/",
        rules=("base-from-platform",),
    ),
    Setting(
        'html_baseurl="https://orgua.github.io/shepherd_dev_log/"; html_extra_path=["robots.txt"]; '
        'sitemap_url_scheme="{link}"',
        "https://orgua.github.io/shepherd_dev_log/",
    ),
    Setting(
        'html_baseurl="https://snapcraft.io/docs/"; sitemap_url_scheme="{link}"; sitemap_show_lastmod=True; '
        'sitemap_excludes=["404/","genindex/","search/"]',
        "https://snapcraft.io/docs/",
        "dirhtml",
    ),
    Setting(
        'language="en"; html_baseurl="https://ex.github.io/p/"; sitemap_url_scheme="{link}"; '
        'sitemap_show_lastmod=True; sitemap_indent=2; sitemap_locales=["en"]',
        "https://ex.github.io/p/",
        rules=LOCALES,
    ),
    Setting(
        'html_baseurl="https://ubuntu.com/desktop/docs/en/latest/"; sitemap_url_scheme="{link}"; '
        'sitemap_show_lastmod=True; sitemap_excludes=["404/","genindex/","search/","_tags/","en"]',
        "https://ubuntu.com/desktop/docs/en/latest/",
        "dirhtml",
        "https://ubuntu.com/desktop/docs/en/latest/",
    ),
    Setting(
        'html_baseurl=os.environ.get("READTHEDOCS_CANONICAL_URL","/"); sitemap_url_scheme="{link}"; '
        'sitemap_excludes=["404/","genindex/","search/"]',
        "",
        "dirhtml",
    ),
    Setting(
        'html_baseurl="https://ex.org/"; sitemap_url_scheme="{link}"; sitemap_show_lastmod=True; '
        'sitemap_excludes=["search.html","genindex.html","_modules/**"]',
        "https://ex.org/",
    ),
    Setting(
        'language="es"; sitemap_locales=[None]; sitemap_url_scheme="{link}"; '
        'html_baseurl="https://guayahack.co/"',
        "https://guayahack.co/",
    ),
    Setting(
        'html_baseurl="https://attakei.net/"; sitemap_url_scheme="{link}"; sitemap_locales=[None]; '
        'sitemap_excludes=["404/","blog/drafts/","search/","genindex/"]',
        "https://attakei.net/",
        "dirhtml",
    ),
    Setting(
        'html_baseurl="https://docs.haive.ai/packages/haive-mcp/"; sitemap_url_scheme="{link}"; '
        'sitemap_filename="sitemap.xml"; sitemap_locales=[None]; sitemap_excludes=["search","genindex"]',
        "https://docs.haive.ai/packages/haive-mcp/",
    ),
    Setting(
        'html_baseurl="https://skfolio.org/"; sitemap_url_scheme="{link}"; sitemap_show_lastmod=True; '
        'sitemap_excludes=["search.html"]',
        "https://skfolio.org/",
    ),
    Setting(
        'html_baseurl="https://docs.vaultvision.com"; sitemap_url_scheme="/{link}"',
        "https://docs.vaultvision.com/",
    ),
    Setting(
        'html_baseurl="https://f.github.io/tenstorrent-sandbox/"; sitemap_filename="sitemap_core.xml"; '
        'sitemap_locales=[None]; sitemap_url_scheme="{link}"',
        "https://f.github.io/tenstorrent-sandbox/",
        filename="sitemap_core.xml",
    ),
    Setting(
        'html_baseurl="https://noether-docs.emmi.ai/"; sitemap_url_scheme="{link}"; '
        'sitemap_filename="sitemap.xml"; html_extra_path=["_static/robots.txt"]',
        "https://noether-docs.emmi.ai/",
    ),
    Setting(
        'html_baseurl="https://www.pysnmp.com/pysnmp"; sitemap_url_scheme="{link}"',
        "https://www.pysnmp.com/pysnmp/",
    ),
    Setting(
        'version="2.1"; html_baseurl="https://docs.conan.io/2/"; sitemap_url_scheme="{link}"',
        "https://docs.conan.io/2/",
    ),
    Setting(
        'html_baseurl="https://documentation.ubuntu.com/lxd/"\n'
        'if "READTHEDOCS_VERSION" in os.environ:\n'
        '    rtd_version = os.environ["READTHEDOCS_VERSION"]\n'
        '    sitemap_url_scheme = f"{rtd_version}/{{link}}"\n'
        "else:\n"
        '    sitemap_url_scheme = "{link}"',
        "https://documentation.ubuntu.com/lxd/latest/",
        "dirhtml",
        "https://documentation.ubuntu.com/lxd/latest/",
    ),
    Setting(
        'html_baseurl="https://documentation.ubuntu.com/charmed-mlflow/"; sitemap_url_scheme="MANUAL/{link}"',
        "https://documentation.ubuntu.com/charmed-mlflow/MANUAL/",
        "dirhtml",
        rules=SCHEME,
    ),
    Setting(
        'html_baseurl="https://documentation.ubuntu.com/charmcraft/"; sitemap_url_scheme="latest/{link}"',
        "https://documentation.ubuntu.com/charmcraft/latest/",
        "dirhtml",
        rules=SCHEME,
    ),
    Setting(
        'html_baseurl="https://documentation.ubuntu.com/multipass/"; sitemap_url_scheme="latest/{link}"',
        "https://documentation.ubuntu.com/multipass/latest/",
        "dirhtml",
        rules=SCHEME,
    ),
    Setting(
        'version=release="0.1"; html_baseurl="https://django-async-backend.readthedocs.io/"; '
        'sitemap_url_scheme="en/stable/{link}"',
        "https://django-async-backend.readthedocs.io/en/stable/",
        rules=SCHEME,
    ),
    Setting(
        'rtd_version=os.environ.get("READTHEDOCS_VERSION",""); '
        'html_baseurl="https://pytensor.readthedocs.io"; language="en"; '
        'sitemap_url_scheme=f"{{lang}}{rtd_version}/{{link}}"',
        "https://pytensor.readthedocs.io/en/latest/",
        canonical_url="https://pytensor.readthedocs.io/en/latest/",
    ),
    Setting(
        'rtd_version=""; site_url="https://causalpy.readthedocs.io/"; '
        'sitemap_url_scheme=f"{{lang}}{rtd_version}/{{link}}"; language="en"',
        "https://causalpy.readthedocs.io/en/",
        rules=SCHEME,
    ),
    Setting(
        'version="0.7.1"; doc_dir="dev" if version.endswith("-dev") else version; '
        'html_baseurl="https://scikit.bio"; sitemap_url_scheme=f"/docs/{doc_dir}/{{link}}"',
        "https://scikit.bio/docs/0.7.1/",
        rules=SCHEME,
    ),
    Setting(
        'html_baseurl="https://handbooks.example.org/"; sitemap_url_scheme="handbook-a/{link}"',
        "https://handbooks.example.org/handbook-a/",
        rules=SCHEME,
    ),
    Setting(
        'html_baseurl="https://www.bankoftests.com/"; sitemap_url_scheme="{lang}/{version}/{link}"',
        "https://www.bankoftests.com/en/",
        rules=SCHEME,
    ),
    Setting(
        'html_baseurl="https://xinetzone.github.io/"; sitemap_url_scheme="{lang}{version}{link}"; '
        'sitemap_locales=[None]; language="zh_CN"',
        "https://xinetzone.github.io/zh_CN/",
        rules=SCHEME,
    ),
    Setting(
        'sitemap_locales=["en"]; html_baseurl="https://kafka-connect-api.readthedocs.io/"; version="0.6"',
        "https://kafka-connect-api.readthedocs.io/en/latest/",
        canonical_url="https://kafka-connect-api.readthedocs.io/en/latest/",
        rules=("base-from-platform", *LOCALES),
    ),
    Setting(
        'language="ko"; html_baseurl="https://ai.pyhub.kr"; sitemap_excludes=["search.html","genindex.html"]',
        "https://ai.pyhub.kr/",
    ),
    Setting('html_baseurl="docs.x65.zone"', "", rules=("base-url",), strict=False),
    Setting(
        'release="1.2.2"; html_baseurl="https://gunthercox.com/ocr-service/"',
        "https://gunthercox.com/ocr-service/",
    ),
    Setting(
        'release="0.3.10"; html_baseurl="https://ex.github.io/fluxfem/"', "https://ex.github.io/fluxfem/"
    ),
    Setting(
        'language="en"; html_baseurl="https://jose.authlib.org/en/"; site_url="https://jose.authlib.org/"; '
        'sitemap_url_scheme="{lang}{link}"; sitemap_filename="../sitemap.xml"; sitemap_locales=[]',
        "https://jose.authlib.org/en/",
        "dirhtml",
        filename="../sitemap.xml",
    ),
    Setting(
        'language="en"; html_baseurl="https://daobook.github.io/nuitka-doc"; '
        'sitemap_locales=["en","zh_CN"]; sitemap_url_scheme="{lang}/{link}"',
        "https://daobook.github.io/nuitka-doc/en/",
        rules=SCHEME,
    ),
    Setting(
        'language="en"; version="latest"; html_baseurl="https://minicpm-o.readthedocs.io/"; '
        'sitemap_url_scheme="{lang}/{version}/{link}"; sitemap_locales=["en","zh_CN"]; '
        'sitemap_filename="sitemap.xml"',
        "https://minicpm-o.readthedocs.io/en/latest/",
        canonical_url="https://minicpm-o.readthedocs.io/en/latest/",
    ),
    Setting(
        'language="de"; locale_dirs=["_locale/"]; html_baseurl="https://jean-rohark.github.io/decore-base/"',
        "https://jean-rohark.github.io/decore-base/",
    ),
]


class Switch:
    """A conf.py, built with sphinx-sitemap and with ours, each in folders of its own."""

    def __init__(self, project: SphinxProject, conf: str, builder: str = "html") -> None:
        self.project = project
        self._conf = conf
        self._builder = builder
        project(*PAGES, html_baseurl=None)
        project.write({"src/robots.txt": "User-agent: *\n", "src/_static/robots.txt": "User-agent: *\n"})
        project.commit("2024-01-01T00:00:00+00:00")

    def build(self, extension: str, *options: str) -> Run:
        folder = self.project.root / extension
        self.project.out = folder / "html"
        self.project.configure(extensions=[extension])
        self.project.extend(f"import os\n{self._conf}\n")
        return self.project.build(self._builder, "-d", str(folder / "trees"), *options)

    def paths(self, base: str, filename: str = "sitemap.xml") -> list[str]:
        locs = self.project.locs(filename)
        assert all(loc.startswith(base) for loc in locs)
        return [loc.removeprefix(base) for loc in locs]


@pytest.fixture
def switch(sphinx_project, monkeypatch):
    """Call it with a conf.py, its builder, and the address on Read the Docs."""

    def make(conf: str, builder: str = "html", canonical_url: str = "") -> Switch:
        if canonical_url:
            monkeypatch.setenv("READTHEDOCS", "True")
            monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", canonical_url)
            monkeypatch.setenv("READTHEDOCS_VERSION", "latest")
        return Switch(sphinx_project, conf, builder)

    return make


LINKS = {
    "html": ["a.html", "b.html", "guide/c.html", "guide/index.html", "index.html"],
    "dirhtml": ["", "a/", "b/", "guide/", "guide/c/"],
}


def rules(warnings: str) -> tuple[str, ...]:
    """The types of our warnings, in their order."""
    return tuple(re.findall(r"\[sitemap_docs\.([a-z-]+)\]", warnings))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.base or setting.conf)
def test_a_public_setting(switch, setting):
    switched = switch(setting.conf, setting.builder, setting.canonical_url)
    theirs = switched.build("sphinx_sitemap", "-W", "--keep-going")
    assert theirs.code == 0, theirs.warnings
    ours = switched.build("sitemap_docs")
    assert ours.code == 0, ours.warnings
    assert rules(ours.warnings) == setting.rules
    if setting.base:
        assert switched.paths(setting.base, setting.filename) == LINKS[setting.builder]
    else:
        assert not (switched.project.out / "sitemap.xml").exists()
    strict = switched.build("sitemap_docs", "-W", "--keep-going")
    assert (strict.code == 0) == setting.strict, strict.warnings
