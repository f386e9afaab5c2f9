"""Material for MkDocs in a real browser: what it reads our sitemap for at run time still works."""

import json
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from time import sleep

import pytest

from tests.conftest import Loopback, MkDocsProject, answered, needs, needs_chromium
from tests.manual.blocks import blocks

pytestmark = [needs_chromium, needs("mkdocs", "material")]

PAGES = {
    "index.md": "# Home\n\n[to the guide](guide.md)",
    "guide.md": "# Guide\n\n[home](index.md)",
    "hidden.md": "---\nrobots: noindex\n---\n# Hidden\n\nLeft out of the sitemap.",
}
(NOINDEX,) = (block.text for block in blocks("material") if block.language == "html")
(COPIES,) = (block.text for block in blocks("material") if block.file == "hooks.py")
#: Opens each page in a frame, clicks its links one after the other, and writes down where each click leads,
#: and whether the window is still the one from before. Chromium's virtual time waits for no timer, but for
#: the server: so the server keeps the pauses.
DRIVE = """<!doctype html><body><iframe width="1400" height="800"></iframe><script>
const frame = document.querySelector("iframe"), seen = [];
const until = async (done) => { for (let n = 0; n < 2000 && !done(); n++) await fetch("/pause"); };
const find = (link) => frame.contentDocument.querySelector(link);
const heading = () => find("h1")?.firstChild.textContent;
const has = (path) => {
  const read = frame.contentWindow.performance.getEntriesByType("resource");
  return read.some(({ name, responseEnd }) => responseEnd && new URL(name).pathname === path);
};
const click = async (link) => {
  await until(() => %(reads)s.every(has) && find(link));
  await fetch("/pause");
  const path = frame.contentWindow.location.pathname, title = heading();
  frame.contentWindow.marker = "stays";
  find(link).click();
  const stays = () => frame.contentWindow.marker === "stays";
  const complete = () => frame.contentDocument.readyState === "complete" && heading();
  await until(() => frame.contentWindow.location.pathname !== path
                    && (stays() ? heading() !== title : complete()));
  seen.push([frame.contentWindow.location.pathname, heading(), stays()]);
};
onload = async () => {
  for (const [start, ...links] of %(walks)s) {
    await new Promise((loaded) => { frame.onload = loaded; frame.src = start; });
    for (const link of links) await click(link);
  }
  document.body.textContent = JSON.stringify(seen);
};
</script>"""


def pause(handler: BaseHTTPRequestHandler) -> None:
    sleep(0.05)
    handler.send_response(204)
    handler.end_headers()


class Web:
    """Sites on the loopback server, as deployed to a host of another name."""

    def __init__(self, loopback: Loopback, project: MkDocsProject, profile: Path) -> None:
        self._loopback = loopback
        self._project = project
        self._profile = profile
        # Material gives the addresses of a sitemap its own scheme and host name, but not its own port.
        self.base = loopback.url().replace("127.0.0.1", "docs.example.org").replace("http:", "https:")

    def deploy(self, path: str, *features: str, **settings: object) -> None:
        self._project.write({"theme/main.html": NOINDEX})
        theme = {"name": "material", "font": False, "features": features, "custom_dir": "theme"}
        self._project(PAGES, site_url=self.base.rstrip("/") + path, theme=theme, **settings)
        self._project.build()
        self._loopback.serve_folder(self._project.site, path)

    def delay_root_sitemap(self) -> None:
        """Answer ``/sitemap.xml`` late, because Material prefers the language whose sitemap arrives first."""
        answer = self._loopback.answer["/sitemap.xml"]

        def answer_late(handler: BaseHTTPRequestHandler) -> None:
            sleep(1)
            answer(handler)

        self._loopback.answer["/sitemap.xml"] = answer_late

    def clicked(self, *walks: Sequence[str], reads: Sequence[str]) -> list[tuple[str, str, bool]]:
        """Of each click: the path and the heading of the page it leads to, and whether the window stayed.

        A walk is where it starts, and the links. ``reads`` are the sitemaps that each page has to have read.
        """
        drive = DRIVE % {"walks": json.dumps(walks), "reads": json.dumps(reads)}
        self._loopback.serve("/drive", drive.encode(), Content_Type="text/html")
        self._loopback.answer["/pause"] = pause
        return [tuple(each) for each in answered(self._profile, self._loopback.url("/drive"))]

    def loads(self, path: str) -> list[str]:
        """What Chromium said a request for the path was for: ``iframe`` for a whole page, else ``empty``."""
        return [
            headers["Sec-Fetch-Dest"] for _, asked, headers, _ in self._loopback.requests if asked == path
        ]


@pytest.fixture
def web(loopback, mkdocs_project, tmp_path) -> Web:
    return Web(loopback, mkdocs_project, tmp_path / "profile")


def link(path: str) -> str:
    return f".md-nav--primary a[href$='{path}']"


INSTANT = "navigation.instant"
INDEX = {"index": True, "indent": 2, "gzip": "beside"}


@pytest.mark.parametrize(("path", "options"), [("/", {}), ("/en/latest/", INDEX)])
def test_instant(web, path, options):
    web.deploy(path, INSTANT, options=options)
    links = (".md-content p a", ".md-content p a", link("guide/"), link("hidden/"), link("guide/"))
    assert web.clicked([path, *links], reads=[f"{path}sitemap.xml"]) == [
        (f"{path}guide/", "Guide", True),
        (path, "Home", True),
        (f"{path}guide/", "Guide", True),
        (f"{path}hidden/", "Hidden", False),  # left out of the sitemap
        (f"{path}guide/", "Guide", True),
    ]
    assert set(web.loads(f"{path}guide/")) == {"empty"}
    assert web.loads(f"{path}hidden/") == ["iframe"]


def test_versions(web, loopback):
    """The selector finds a page in the other version, if the sitemap there lists it and the home page."""
    versions = [{"version": name, "title": name, "aliases": []} for name in ("2.0", "1.0")]
    loopback.serve("/versions.json", json.dumps(versions).encode(), Content_Type="application/json")
    for version in versions:
        web.deploy(f"/{version['version']}/", INSTANT, extra={"version": {"provider": "mike"}})
    other, own = ".md-version a[href$='/2.0/']", ["/1.0/sitemap.xml"]
    clicked = web.clicked(["/1.0/guide/", other], ["/1.0/hidden/", other], reads=own)
    assert clicked == [("/2.0/guide/", "Guide", False), ("/2.0/", "Home", False)]


def test_languages(web):
    """The switch finds a page in the other language, if the sitemap there lists it."""
    names = {"en": "English", "fr": "Français"}
    languages = [{"lang": lang, "name": name, "link": f"/{lang}/"} for lang, name in names.items()]
    for language in languages:
        web.deploy(language["link"], INSTANT, extra={"alternate": languages})
    other, both = ".md-select a[hreflang=fr]", ["/en/sitemap.xml", "/fr/sitemap.xml"]
    clicked = web.clicked(["/en/guide/", other], ["/en/hidden/", other], reads=both)
    assert clicked == [("/fr/guide/", "Guide", False), ("/fr/", "Home", False)]


ROOT_LAST = [
    {"lang": "de", "name": "Deutsch", "link": "/de/"},
    {"lang": "en", "name": "English", "link": "/"},
]
BOTH_SITEMAPS = ["/de/sitemap.xml", "/sitemap.xml"]
GERMAN = {"docs/de/index.md": "# Start", "docs/de/guide.md": "# Anleitung"}


@pytest.mark.parametrize(("hooks", "found"), [(["hooks.py"], "guide/"), ([], "")])
def test_languages_of_one_build(web, mkdocs_project, hooks, found):
    """The switch finds the page in German if the hook of the manual copies the sitemap."""
    mkdocs_project.write({**GERMAN, "hooks.py": COPIES})
    web.deploy("/", extra={"alternate": ROOT_LAST}, hooks=hooks)
    web.delay_root_sitemap()
    other = ".md-select a[hreflang=de]"
    ((path, _, _),) = web.clicked(["/guide/", other], reads=BOTH_SITEMAPS)
    assert path == f"/de/{found}"


def test_languages_with_one_at_the_root(web):
    """The switch keeps the page on the way there. On the way back, it leads to the home page."""
    for language in ROOT_LAST:
        web.deploy(language["link"], extra={"alternate": ROOT_LAST})
    web.delay_root_sitemap()
    german, english = (f".md-select a[hreflang={lang}]" for lang in ("de", "en"))
    clicked = web.clicked(["/guide/", german], ["/de/guide/", english], reads=BOTH_SITEMAPS)
    assert [path for path, _, _ in clicked] == ["/de/guide/", "/"]


@needs("mkdocs_static_i18n")
def test_languages_of_static_i18n(web, mkdocs_project):
    """The plugin links each page to its translation, without a sitemap in the folder of the language."""
    mkdocs_project.write({"docs/index.de.md": "# Start", "docs/guide.de.md": "# Anleitung"})
    languages = [
        {"locale": "en", "name": "English", "default": True, "build": True},
        {"locale": "de", "name": "Deutsch", "build": True},
    ]
    web.deploy("/", plugins=[{"i18n": {"languages": languages}}])
    german, english = (f".md-select a[hreflang={lang}]" for lang in ("de", "en"))
    clicked = web.clicked(["/guide/", german], ["/de/guide/", english], reads=[])
    assert [path for path, _, _ in clicked] == ["/de/guide/", "/guide/"]
