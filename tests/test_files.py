"""Paths and names of files."""

import errno
import os
from pathlib import Path

import pytest

from sitemap_docs.cache import write_kept
from sitemap_docs.config.option_types import FILE_NAME
from sitemap_docs.files import is_inside, replace_file, seen_from
from sitemap_docs.history.git import program
from sitemap_docs.urls.base import Base

SEEN = [
    pytest.param("/srv/docs", "/srv/docs/a/b.md", "a/b.md", id="below"),
    pytest.param("/srv/docs", "/srv/a.md", "../a.md", id="above"),
    pytest.param("/srv/docs", "/srv/docs/../a.md", "../a.md", id="above, by a way below"),
    pytest.param("/srv/docs", "/srv/docs", ".", id="the folder"),
    pytest.param("/srv/docs", Path("/srv/docs-2/b.md"), "../docs-2/b.md", id="a longer name"),
    pytest.param("/srv", "/srv/a\\b.md", "a\\b.md", id="a backslash in a name"),
]


@pytest.mark.parametrize(("start", "file", "reported"), SEEN)
def test_seen_from(start, file, reported):
    assert seen_from(start, file) == reported


@pytest.mark.parametrize(
    ("file", "inside"),
    [("/site/a", True), ("/site", True), ("/site-2/a", False), ("/Site/a", False), ("/", False)],
)
def test_is_inside(file, inside):
    assert is_inside(file, "/site") is inside


@pytest.mark.skipif(os.name != "nt", reason="elsewhere the current folder is not searched")
def test_git_of_windows_is_never_that_of_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "git.exe").write_text("")
    monkeypatch.chdir(tmp_path)
    assert program({"PATH": f".;;bin;{tmp_path}"}) == str(tmp_path / "git.exe")
    assert not Path(program({"PATH": ".;;bin"})).exists()


@pytest.mark.parametrize("name", ["C:x.xml", "a\\b.xml", "a:b.xml", "..\\x.xml", "/a/b.xml", "?.xml"])
def test_no_file_of_ours_has_a_name_that_windows_reads_as_a_path(name):
    with pytest.raises(ValueError, match="file name without folders"):
        FILE_NAME.parse(name)


def test_both_spellings_of_an_accent_are_two_addresses():
    """macOS may take the two files for one; a web server does not."""
    base = Base.of("https://docs.example.org/")
    assert base.loc("\u00e9") != base.loc("e\u0301")
    assert [base.path_of(base.loc(name)) for name in ("\u00e9", "e\u0301")] == ["\u00e9", "e\u0301"]


@pytest.mark.parametrize("name", ["file", "é" * 120])
def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, name):
    file = tmp_path / name

    def chunks():
        yield b"half of "
        if not file.exists() or file.read_bytes() == b"old":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        yield b"the new file"

    for old in (None, b"old"):
        if old:
            file.write_bytes(old)
        with pytest.raises(OSError, match="No space left"):
            replace_file(file, chunks())
        write_kept(file, (str(chunk, "ascii") for chunk in chunks()))  # what a cache cannot keep is no error
        assert [each.read_bytes() for each in tmp_path.iterdir()] == [old] * bool(old)
    file.write_bytes(b"older")
    replace_file(file, chunks())
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"half of the new file"]
