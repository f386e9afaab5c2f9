"""The text sitemap and the IndexNow key file that a build writes."""

import traceback
from dataclasses import replace
from pathlib import Path

import pytest

from sitemap_docs.model import SitemapError
from sitemap_docs.output import text_files
from sitemap_docs.output.transaction import Output
from sitemap_docs.publish import Published
from sitemap_docs.urls.base import Base
from tests.test_publish import page, run, site

BASE = Base.of("https://docs.example.org/project/")
KEY = "0123456789abcdef"


def build(output: Path, *paths: str, environ=None, records: Path | None = None, **options) -> Published:
    where = site(output, BASE, environ, **options)
    where = replace(where, surroundings=replace(where.surroundings, cache=records))
    return run(where, [page(output, path) for path in paths])


def names(output: Path) -> set[str]:
    return {file.name for file in output.iterdir() if file.is_file() and file.suffix != ".html"}


def test_text(tmp_path: Path) -> None:
    """Also in place of one that lists no more."""
    (tmp_path / "sitemap.txt").write_text(f"{BASE.url}\n")
    done = build(tmp_path, "é/", "", "a/", formats=["text"])
    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE.url}\n{BASE.url}%C3%A9/\n{BASE.url}a/\n"
    assert "sitemap.txt" in done.changed
    assert build(tmp_path, "é/", "", "a/", formats=["text"]).changed == ()
    assert build(tmp_path, "", "b/", formats=["text"]).changed == ("sitemap.xml", "sitemap.txt")
    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE.url}\n{BASE.url}b/\n"


def test_an_error_about_the_key_file_does_not_contain_the_key(tmp_path: Path) -> None:
    (tmp_path / f"{KEY}.txt").mkdir()
    with pytest.raises(SitemapError, match=r"\{key\}\.txt is a folder") as raised:
        build(tmp_path, "", environ={"INDEXNOW_KEY": KEY})
    assert KEY not in "".join(traceback.format_exception(raised.value))


def test_text_that_would_be_too_long(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(text_files, "MAX_URLS", 2)
    done = build(tmp_path, "", "a/", "b/", formats=["text"])
    assert "text-too-long" in {finding.rule for finding in done.findings}
    assert "sitemap.txt" not in names(tmp_path)
    build(tmp_path, "", "a/", formats=["text"])
    assert "sitemap.txt" in names(tmp_path)
    assert build(tmp_path, formats=["text"]).listed == 0
    assert names(tmp_path) == set()


@pytest.mark.parametrize(
    "text", ["Site map of the museum\n", "https://other.example.org/\n", f"{BASE.url}\n{BASE.url}app\n"]
)
def test_files_of_the_users_own_stay(tmp_path: Path, text: str) -> None:
    """A text, one of another site, and one of this site that lists what is no page."""
    file = tmp_path / "sitemap.txt"
    file.write_text(text)
    with pytest.raises(SitemapError, match=r"sitemap\.txt exists and was not written"):
        build(tmp_path, "", formats=["text"])
    assert (file.read_text(), names(tmp_path)) == (text, {"sitemap.txt"})
    build(tmp_path, "")
    assert file.read_text() == text
    build(tmp_path, "", formats=["text"], replace=True)
    assert file.read_text() != text


@pytest.mark.parametrize("text", [f"{BASE.url}\n", f"{BASE.url}\n{BASE.url}a/\n"], ids=["less", "the same"])
def test_a_text_of_the_users_own_stays_where_the_record_does_not_have_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "sitemap.txt").write_text(text)
    records = tmp_path.parent / f"{tmp_path.name}-records"
    for _ in range(3):
        done = build(tmp_path, "", "a/", records=records)
        assert (tmp_path / "sitemap.txt").read_text() == text
        assert ("file-kept", "sitemap.txt") in {(each.rule, each.where) for each in done.findings}
    build(tmp_path, "", "a/", records=records, formats=["text"])
    assert build(tmp_path, "", "a/", records=records).removed == ("sitemap.txt",)
    build(tmp_path, "", "a/", records=records, formats=["text"])
    (tmp_path / "sitemap.txt").write_text(text + text)  # was changed since
    assert build(tmp_path, "", "a/", records=records).removed == ()


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        pytest.param(f"{BASE.url}\n{BASE.url}a/\n", False, id="as we write it"),
        pytest.param(f"{BASE.url}\n", True, id="less"),
        pytest.param(f"{BASE.url}\r\n{BASE.url}a/\r\n", True, id="another form"),
    ],
)
def test_without_a_record_a_text_goes_that_is_that_of_our_sitemap(tmp_path, text, stays) -> None:
    build(tmp_path, "", "a/", formats=["text"])
    (tmp_path / "sitemap.txt").write_bytes(text.encode())
    done = build(tmp_path, "", "a/")
    assert ("file-kept" in {finding.rule for finding in done.findings}) is stays
    assert (tmp_path / "sitemap.txt").exists() is stays


def test_a_build_that_ended_between_its_files_is_repaired_by_the_next(tmp_path: Path) -> None:
    """The text sitemap is put in place first: next to a newer sitemap, its lines are those of no build."""
    build(tmp_path, "", "a/", formats=["text"])
    (tmp_path / "a/index.html").unlink()
    style = tmp_path / "sitemap.css"
    with Output(tmp_path) as output:
        output.add("sitemap.css", b"new")
        output.add("sitemap.txt", f"{BASE.url}\n".encode(), first=True)
        style.unlink()
        style.mkdir()
        with pytest.raises(SitemapError, match="cannot be put in place"):
            output.commit()
    style.rmdir()
    build(tmp_path, "", formats=["text"])
    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE.url}\n"


# The IndexNow key file


def test_the_key_file(tmp_path: Path) -> None:
    done = build(tmp_path, "", environ={"INDEXNOW_KEY": KEY})
    assert (tmp_path / f"{KEY}.txt").read_bytes() == KEY.encode()
    assert "{key}.txt" in done.changed
    assert KEY not in f"{done!r} {done}"
    for text, written in ((KEY, KEY), (f"{KEY}\n", f"{KEY}\n"), ("something else", KEY)):
        (tmp_path / f"{KEY}.txt").write_text(text)
        done = build(tmp_path, "", environ={"INDEXNOW_KEY": KEY})
        assert (tmp_path / f"{KEY}.txt").read_text() == written
        assert bool(done.changed) is (text != written)


def test_no_key_for_previews_and_none_that_is_none(tmp_path: Path) -> None:
    build(tmp_path, "", environ={"INDEXNOW_KEY": KEY, "NETLIFY": "true", "CONTEXT": "deploy-preview"})
    assert names(tmp_path) == set()
    with pytest.raises(SitemapError, match="INDEXNOW_KEY is not") as raised:
        build(tmp_path, "", environ={"INDEXNOW_KEY": "../../secret"})
    assert "secret" not in str(raised.value).replace("secrets", "")
    assert names(tmp_path) == set()
