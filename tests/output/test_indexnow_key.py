"""The IndexNow key file that a build writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_docs.model import SitemapError
from tests.output.test_text_sitemap import KEY, build, names


def test_the_key_file(tmp_path: Path) -> None:
    done = build(tmp_path, {"": None}, environ={"INDEXNOW_KEY": KEY})
    assert (tmp_path / f"{KEY}.txt").read_bytes() == KEY.encode()
    assert "{key}.txt" in done.changed
    assert KEY not in f"{done!r} {done}"
    assert build(tmp_path, {"": None}, environ={"INDEXNOW_KEY": KEY}).changed == ()


def test_a_key_file_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / f"{KEY}.txt").write_text(f"{KEY}\n")
    build(tmp_path, {"": None}, environ={"INDEXNOW_KEY": KEY})
    assert (tmp_path / f"{KEY}.txt").read_text() == f"{KEY}\n"
    (tmp_path / f"{KEY}.txt").write_text("something else")
    build(tmp_path, {"": None}, environ={"INDEXNOW_KEY": KEY})
    assert (tmp_path / f"{KEY}.txt").read_text() == KEY


def test_no_key_for_previews_and_none_that_is_none(tmp_path: Path) -> None:
    build(tmp_path, {"": None}, environ={"INDEXNOW_KEY": KEY, "NETLIFY": "true", "CONTEXT": "deploy-preview"})
    assert names(tmp_path) == set()
    with pytest.raises(SitemapError, match="INDEXNOW_KEY is not") as raised:
        build(tmp_path, {"": None}, environ={"INDEXNOW_KEY": "../../secret"})
    assert "secret" not in str(raised.value).replace("secrets", "")
    assert names(tmp_path) == set()
