"""Folders that are named after a version."""

from sitemap_docs.urls.versions import is_version, version_number


def test_the_order_is_that_of_pep_440_and_a_series_ends_its_releases():
    ordered = ["0.9", "1.9", "v1.10", "1.x", "2.0.dev1", "2.0rc1", "2.0", "2024.1"]
    assert sorted(["2.0", *ordered[:-2], "2024.1"], key=version_number) == ordered


def test_what_is_a_version():
    assert all(map(is_version, ["1", "v2", "1.2.3", "3.x", "1.0rc1", "latest", "Stable", "nightly", "1899"]))
    assert not any(map(is_version, ["", "guide", "1900", "2026", "20260131", "x", "1.x.2", "v", "9" * 5000]))
