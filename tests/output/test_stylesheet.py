"""The sitemap in a real browser: what it shows in light, in dark and on a narrow screen."""

import re

import pytest

from sitemap_docs.config.dates import parse_datetime
from sitemap_docs.model import Alternate, Entry
from sitemap_docs.sitemap.render import XmlStyle, stylesheet
from tests.conftest import answered, needs_chromium, rendered, write

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
FRAMES = [("urlset.xml", 1000, 600), ("indented.xml", 1000, 600), ("index.xml", 1000, 600)]
FRAMES += [("urlset.xml", 320, 600), ("index.xml", 980, 2000)]
IFRAME = '<iframe src="{}" width="{}" height="{}"></iframe>'
#: Behind frames: writes down what is computed for the parts of the first row of the sitemap in each.
LOOK = """<script>
const look = (node, pseudo) => {
  const { content, display, position, color, backgroundColor, backgroundImage, fontSize } =
    getComputedStyle(node, pseudo);
  return { content, display, position, color, backgroundColor, backgroundImage, fontSize };
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


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    style = XmlStyle(stylesheet="sitemap.css")
    pages = [PAGE, *(Entry(loc=f"{BASE}page-{number}/") for number in range(11))]
    parts = [Entry(loc=f"{BASE}sitemap-{number}.xml", lastmod=PAGE.lastmod) for number in range(3)]
    iframes = "".join(IFRAME.format(*frame) for frame in FRAMES)
    return write(folder, {
        "sitemap.css": stylesheet(BASE),
        "urlset.xml": rendered(pages, style=style),
        "indented.xml": rendered(pages, style=style, indent=2),
        "index.xml": rendered(parts, style=style, kind="sitemapindex"),
        "frames.html": f"<!doctype html><body>{iframes}{LOOK}",
    })  # fmt: skip


def look(site, *flags: str):
    """What each frame shows, by the name of its sitemap and its width, in one run of the browser."""
    profile = site.with_name(f"profile-{len([*site.parent.iterdir()])}")
    seen = answered(profile, "--allow-file-access-from-files", *flags, (site / "frames.html").as_uri())
    return dict(zip([(name, width) for name, width, _ in FRAMES], seen, strict=True))


@pytest.fixture(scope="module")
def light(site):
    return look(site, "--blink-settings=preferredColorScheme=1")


@pytest.mark.parametrize("name", ["urlset.xml", "indented.xml"])
def test_urlset(light, name):
    seen = light[name, 1000]
    assert seen["urlset"]["before"]["content"] == '"Sitemap"'
    assert re.search("pages.*The.addresses.are.not.links.*Address.*Last", seen["urlset"]["after"]["content"])
    assert seen["url"]["itself"]["display"] == "block"
    assert seen["url"]["before"]["content"] == "counter(row)"
    assert seen["url"]["after"]["content"] == 'counter(picture) " images"'
    assert seen["loc"]["itself"]["color"] == "rgba(0, 0, 0, 0)"
    assert seen["loc"]["itself"]["backgroundImage"].startswith("linear-gradient(to right, rgb(92, 102, 112)")
    assert seen["lastmod"]["itself"]["position"] == "absolute"
    assert seen["link"]["before"]["content"] in {"attr(hreflang)", '"en"'}
    assert seen["link"]["itself"]["display"] == "inline"


def test_index(light):
    seen = light["index.xml", 1000]
    assert seen["sitemapindex"]["before"]["content"] == '"Sitemap index"'
    assert re.search("sitemaps.*Sitemap.*Newest", seen["sitemapindex"]["after"]["content"])
    assert seen["sitemap"]["itself"]["display"] == "block"


def test_dark(site, light):
    dark = look(site, "--blink-settings=preferredColorScheme=0")["urlset.xml", 1000]["urlset"]["itself"]
    by_day = light["urlset.xml", 1000]["urlset"]["itself"]
    assert (by_day["backgroundColor"], by_day["color"]) == ("rgb(255, 255, 255)", "rgb(27, 31, 36)")
    assert (dark["backgroundColor"], dark["color"]) == ("rgb(20, 23, 27)", "rgb(228, 232, 236)")


def test_narrow(light):
    seen = light["urlset.xml", 320]
    assert seen["lastmod"]["itself"]["position"] == "static"
    assert seen["urlset"]["wide"] <= 320


def test_phone(site, light):
    """It shows what names no width as if it were 980 pixels wide: there, the letters are larger."""
    seen = look(site, "--screen-info={390x844}", "--ozone-override-screen-size=390,844")["index.xml", 980]
    size = float(seen["loc"]["itself"]["fontSize"].removesuffix("px"))
    assert size * 390 / 980 == pytest.approx(12.9, abs=0.5)
    assert seen["sitemapindex"]["wide"] == 980
    assert seen["lastmod"]["itself"]["position"] == "static"
    assert light["index.xml", 980]["lastmod"]["itself"]["position"] == "absolute"
