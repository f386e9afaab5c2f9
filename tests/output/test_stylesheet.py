"""The sitemap in a real browser: what it shows in light, in dark and on a narrow screen."""

import json
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sitemap_docs.config.dates import parse_datetime
from sitemap_docs.model import Alternate, Entry
from sitemap_docs.sitemap.render import Style, stylesheet
from tests.conftest import CHROMIUM, FLAGS, answered, needs_chromium, rendered

pytestmark = [needs_chromium, pytest.mark.once]

BASE = "https://example.org/"
PAGE = Entry(
    loc=BASE,
    lastmod=parse_datetime("2026-01-31T10:20:30Z"),
    alternates=(Alternate("en", BASE), Alternate("pt-BR", f"{BASE}pt-br/"), Alternate("x-default", BASE)),
    images=(f"{BASE}one.png", f"{BASE}two.png"),
    changefreq="weekly",
    priority=0.8,
)
FRAMES = [("urlset.xml", 1000), ("indented.xml", 1000), ("index.xml", 1000), ("urlset.xml", 320)]
IFRAME = '<iframe src="{}" width="{}" height="600"></iframe>'
#: Behind frames: writes down what is computed for the parts of the first row of the sitemap in each.
LOOK = """<script>
const look = (node, pseudo) => {
  const { content, display, position, color, backgroundColor, backgroundImage, width } =
    getComputedStyle(node, pseudo);
  return { content, display, position, color, backgroundColor, backgroundImage, width };
};
const parts = (inside) => {
  const seen = {};
  const names = ["url", "sitemap", "loc", "lastmod", "link", "image"];
  for (const name of [inside.documentElement.localName, ...names]) {
    const node = inside.getElementsByTagNameNS("*", name)[0];
    if (node) seen[name] = { itself: look(node), before: look(node, "::before"), after: look(node, "::after"),
                             wide: inside.documentElement.scrollWidth };
  }
  return seen;
};
onload = () => {
  const frames = Array.from(document.querySelectorAll("iframe"));
  document.body.textContent = JSON.stringify(frames.map((frame) => parts(frame.contentDocument)));
};
</script>"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    style = Style(stylesheet="sitemap.css")
    pages = [PAGE, *(Entry(loc=f"{BASE}page-{number}/") for number in range(11))]
    parts = [Entry(loc=f"{BASE}sitemap-{number}.xml", lastmod=PAGE.lastmod) for number in range(3)]
    (folder / "sitemap.css").write_bytes(stylesheet(BASE))
    (folder / "urlset.xml").write_bytes(rendered(pages, style=style))
    (folder / "indented.xml").write_bytes(rendered(pages, style=style, indent=2))
    (folder / "index.xml").write_bytes(rendered(parts, style=style, kind="sitemapindex"))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def look(site, profile, *, dark=False):
    """What each frame shows, by the name of its sitemap and its width, in one run of the browser."""
    folder, url = site
    iframes = "".join(IFRAME.format(name, width) for name, width in FRAMES)
    (folder / "frames.html").write_text(f"<!doctype html><body>{iframes}{LOOK}")
    scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
    return dict(zip(FRAMES, answered(profile, scheme, f"{url}frames.html"), strict=True))


@pytest.fixture(scope="module")
def light(site, tmp_path_factory):
    return look(site, tmp_path_factory.mktemp("profile"))


def heading(listed: str, columns: str) -> str:
    """What stands above the rows: their number, that they are no links, and the names of the columns."""
    thin = "\u2005"
    first, _, last = columns.partition(" ")
    note = "The addresses are not links. Select one to copy it.".replace(" ", thin)
    lines = rf"{listed.replace(' ', thin)}.\a {note}\a \a {first} {last.replace(' ', thin)}"
    return f'counter(row) "{thin}{lines}"'


@pytest.mark.parametrize("name", ["urlset.xml", "indented.xml"])
def test_urlset(light, name):
    seen = light[name, 1000]
    assert seen["urlset"]["before"]["content"] == '"Sitemap"'
    assert seen["urlset"]["after"]["content"] == heading("pages", "Address Last change")
    assert seen["url"]["itself"]["display"] == "block"
    assert seen["url"]["before"]["content"] == "counter(row)"
    assert seen["url"]["after"]["content"] == 'counter(picture) " images"'
    assert seen["loc"]["itself"]["color"] == "rgba(0, 0, 0, 0)"
    quiet, ink = "rgb(92, 102, 112)", "rgb(27, 31, 36)"
    assert re.fullmatch(
        rf"linear-gradient\(to right, {re.escape(quiet)} [\d.]+px, {re.escape(ink)} 0px\)",
        seen["loc"]["itself"]["backgroundImage"],
    )
    assert seen["lastmod"]["itself"]["position"] == "absolute"
    assert seen["link"]["before"]["content"] in {"attr(hreflang)", '"en"'}
    assert seen["link"]["itself"]["display"] == "inline"


def test_index(light):
    seen = light["index.xml", 1000]
    assert seen["sitemapindex"]["before"]["content"] == '"Sitemap index"'
    assert seen["sitemapindex"]["after"]["content"] == heading("sitemaps of pages", "Sitemap Newest change")
    assert seen["sitemap"]["itself"]["display"] == "block"


def test_dark(site, light, tmp_path):
    dark = look(site, tmp_path / "profile", dark=True)["urlset.xml", 1000]["urlset"]["itself"]
    by_day = light["urlset.xml", 1000]["urlset"]["itself"]
    assert (by_day["backgroundColor"], by_day["color"]) == ("rgb(255, 255, 255)", "rgb(27, 31, 36)")
    assert (dark["backgroundColor"], dark["color"]) == ("rgb(20, 23, 27)", "rgb(228, 232, 236)")


def test_narrow(light):
    seen = light["urlset.xml", 320]
    assert seen["lastmod"]["itself"]["position"] == "static"
    assert seen["urlset"]["wide"] <= 320


#: Becomes Chromium, with the two ends of its pipes where it looks for them.
START = """import os, sys
os.dup2(int(sys.argv[1]), 3), os.dup2(int(sys.argv[2]), 4), os.execv(sys.argv[3], sys.argv[3:])"""


@contextmanager
def phone(profile, url):
    """Computes scripts in a page that Chromium shows as a phone: 980 pixels wide, if it names no width."""
    flags = [flag for flag in FLAGS if "virtual-time" not in flag]
    theirs, ours = os.pipe()
    answers, answering = os.pipe()
    command = [sys.executable, "-c", START, str(theirs), str(answering), CHROMIUM, *flags]
    command += ["--remote-debugging-pipe", f"--user-data-dir={profile}"]
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser = subprocess.Popen(command, pass_fds=(theirs, answering), stderr=subprocess.DEVNULL)
    os.close(theirs)
    os.close(answering)
    with browser, os.fdopen(ours, "wb", buffering=0) as asking, os.fdopen(answers, "rb") as answered:

        def wait(name, value):
            message = b""
            while byte := answered.read(1):
                message += byte
                if byte == b"\0":
                    answer = json.loads(message[:-1])
                    if answer.get(name) == value:
                        return answer
                    message = b""
            raise EOFError

        def call(method, session=(), **parameters):
            message = {"id": 1, "method": method, "params": parameters, **dict(session)}
            asking.write(json.dumps(message).encode() + b"\0")
            return wait("id", 1)["result"]

        try:
            target = call("Target.createTarget", url="about:blank")["targetId"]
            session = {"sessionId": call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
            call("Emulation.setDeviceMetricsOverride", session, **size)
            call("Page.enable", session)
            call("Page.navigate", session, url=url)
            wait("method", "Page.loadEventFired")
            yield lambda script: call("Runtime.evaluate", session, expression=script)["result"]["value"]
        finally:
            browser.kill()


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_phone(site, tmp_path):
    """The letters are as large as elsewhere, and nothing is wider than the screen."""
    with phone(tmp_path / "profile", f"{site[1]}index.xml") as value:
        assert value("innerWidth") == 980
        style = "getComputedStyle(document.getElementsByTagNameNS('*', '{}')[0])"
        loc, date = style.format("loc"), style.format("lastmod")
        size = float(value(f"{loc}.fontSize").removesuffix("px")) * value("visualViewport.scale")
        assert size == pytest.approx(12.9, abs=0.5)
        assert value("document.documentElement.scrollWidth") == 980
        assert value(f"{date}.position") == "static"
