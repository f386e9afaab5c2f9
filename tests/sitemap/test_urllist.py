"""The URLs of a site wherever they are: files, folders, gzip, indexes, text, the web."""

import gzip
from pathlib import Path

import pytest

from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap import urllist
from sitemap_docs.sitemap.reader import Walk
from tests import conftest
from tests.conftest import BASE, write


def urlset(*pages: str) -> bytes:
    return conftest.urlset(*map(_loc, pages)).encode()


def index(*locs: str) -> bytes:
    return conftest.sitemapindex(*map(_loc, locs)).encode()


def _loc(path: str) -> str:
    return path if path.startswith("http") else BASE + path


def locs(where: object) -> list[str]:
    return [loc.removeprefix(BASE) for loc, _ in urllist.read_urls(str(where))]


FILES = [
    pytest.param("sitemap.xml", urlset("a/", "b/"), id="urlset"),
    pytest.param("sitemap.xml", gzip.compress(urlset("a/", "b/")), id="gzip by another name"),
    pytest.param("sitemap.xml.gz", gzip.compress(urlset("a/", "b/")), id="gzip"),
    pytest.param("sitemap.txt", b"\xef\xbb\xbf" + f"{BASE}a/\r\n\n{BASE}b/".encode(), id="text"),
    pytest.param("sitemap-index.xml", urlset("a/", "b/"), id="another usual name"),
]


@pytest.mark.parametrize(("name", "data"), FILES)
def test_a_file_and_the_folder_around_it(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert locs(tmp_path) == locs(tmp_path / name) == ["a/", "b/"]


@pytest.mark.parametrize(
    ("written", "read"),
    [("2026-01-31T01:00:00.9+02:00", "2026-01-30T23:00:00+00:00"), ("0001-01-01T00:00:00+09:00", "")],
)
def test_dates_are_in_utc(tmp_path: Path, written: str, read: str) -> None:
    (tmp_path / "sitemap.xml").write_bytes(urlset(f"a/ {written}"))
    assert list(urllist.read_urls(str(tmp_path))) == [(f"{BASE}a/", read)]


@pytest.mark.parametrize("folder", ["", "deep/er/project/"])
def test_an_index_finds_its_sitemaps_beside_it(tmp_path: Path, folder: str) -> None:
    """Wherever the copy of the site lies, and whatever it is deployed to."""
    write(tmp_path, {"sitemap.xml": index(f"{folder}sub/one.xml", f"{folder}two%20.xml.gz")})
    write(tmp_path, {"sub/one.xml": urlset("a/"), "two .xml.gz": gzip.compress(urlset("b/"))})
    assert locs(tmp_path) == ["a/", "b/"]


def test_sitemaps_that_indexes_list_again_are_read_once(loopback) -> None:
    for number in range(3):
        loopback.serve(f"/{number}.xml", index(*[loopback.url("/a.xml"), f"{BASE}b.xml"] * 20))
    loopback.serve("/sitemap.xml", status=301, Location="/index.xml")
    loopback.serve("/index.xml", index(*[loopback.url(f"/{number}.xml") for number in range(3)] * 20))
    loopback.serve("/a.xml", urlset("a/"))
    loopback.serve("/b.xml", urlset("b/"))
    assert locs(loopback.url("/sitemap.xml")) == ["a/", "b/"]
    assert len(loopback.requests) == 7


UNREADABLE = {
    index("sitemap.xml"): "is not another sitemap",  # an index in itself
    index("other/sitemap.xml"): "is not another sitemap in",  # of another site
    index("gone.xml"): "lists https://docs.example.org/gone.xml, which is",  # no child
    index("..%2Fsecret.xml"): "which is not in",  # a child outside
    urlset("a/")[:-9]: "not well-formed",  # cut
}


@pytest.mark.parametrize(("data", "words"), UNREADABLE.items())
def test_what_cannot_be_read_is_named(tmp_path: Path, data: bytes, words: str) -> None:
    write(tmp_path, {"secret.xml": urlset("a/"), "site/sitemap.xml": data})
    with pytest.raises(SitemapError, match=words) as raised:
        locs(tmp_path / "site")
    assert "sitemap.xml" in str(raised.value)


def test_sitemaps_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_docs.sitemap.reader.MAX_SITEMAPS", 3)
    walk = Walk(["a.xml"])
    with pytest.raises(SitemapError, match=r"a\.xml .* 3 sitemaps"):
        walk.add("bbcde")


@pytest.mark.parametrize("where", ["nowhere", "nowhere/sitemap.xml", "."])
def test_nothing_there(here: Path, where: str) -> None:
    with pytest.raises(SitemapError, match=r"does not exist|has no sitemap"):
        locs(where)


def test_a_served_index_of_another_host_is_read_where_it_is(loopback) -> None:
    """A preview serves production's addresses: we ask nobody else."""
    loopback.serve("/docs/sitemap.xml", index(f"{BASE}docs/one.xml", loopback.url("/docs/two.xml.gz")))
    loopback.serve("/docs/one.xml", urlset("a/"))
    loopback.serve("/docs/two.xml.gz", gzip.compress(urlset("b/")))
    assert locs(loopback.url("/docs/sitemap.xml")) == ["a/", "b/"]


PLACES = {
    "https://e.org": "https://e.org/sitemap.xml",  # a host
    "https://e.org/": "https://e.org/sitemap.xml",  # its root
    "https://e.org/en/latest/": "https://e.org/en/latest/sitemap.xml",  # a folder
    "https://e.org/map": "https://e.org/map",  # any name
    "https://e.org/?map": "https://e.org/?map",  # a query
}


@pytest.mark.parametrize(("place", "sitemap"), PLACES.items())
def test_web_address_of_a_folder_means_its_sitemap(place: str, sitemap: str) -> None:
    assert urllist.sitemap_of(place) == sitemap
