"""Front matter and field lists, in the forms in which hosts hand them on."""

from datetime import date, datetime, timezone

import pytest

from sitemap_docs.config.frontmatter import page_options, read_front_matter
from sitemap_docs.model import PageOptions, SitemapError

MOMENT = datetime(2026, 1, 31, 10, 20, 30, tzinfo=timezone.utc)
DAY = datetime(2026, 1, 31, tzinfo=timezone.utc)  # its first second
AT = PageOptions(lastmod=MOMENT)


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        pytest.param({}, PageOptions(), id="nothing said"),
        pytest.param({"sitemap": "False"}, PageOptions(listed=False), id="MyST flattens booleans"),
        pytest.param({"sitemap": {"disable": True}}, PageOptions(listed=False), id="Hugo"),
        pytest.param({"sitemap-priority": "0.3"}, PageOptions(priority=0.3), id="a field"),
        pytest.param({"sitemap": "false "}, PageOptions(listed=False), id="a field list's text"),
        pytest.param({"sitemap": True}, PageOptions(listed=True), id="asked for"),
        pytest.param({"robots": "noindex, follow"}, PageOptions(noindex=True), id="Material's custom"),
        pytest.param({"robots": "NONE"}, PageOptions(noindex=True), id="none is noindex, nofollow"),
        pytest.param({"robots": "index, follow"}, PageOptions(), id="other directives"),
        pytest.param({"robots": "googlebot"}, PageOptions(), id="another word"),
        pytest.param({"robots": "max-image-preview: none"}, PageOptions(), id="none of another directive"),
        pytest.param({"sitemap": {"lastmod": MOMENT}}, AT, id="YAML timestamp"),
        pytest.param({"sitemap": '{"lastmod": "2026-01-31T10:20:30Z"}'}, AT, id="MyST flattens to JSON"),
        pytest.param({"sitemap-lastmod": "2026-01-31T12:20:30+02:00"}, AT, id="another zone"),
        pytest.param({"sitemap": {"lastmod": date(2026, 1, 31)}}, PageOptions(lastmod=DAY), id="a date"),
        pytest.param({"sitemap": "{“sources”: [“a.py”]}"}, PageOptions(sources=("a.py",)), id="smart"),
        pytest.param({"sitemap": {"sources": "a.py"}}, PageOptions(sources=("a.py",)), id="one source"),
        pytest.param({"sitemap": {"changefreq": "daily"}}, PageOptions(changefreq="daily"), id="ignored"),
    ],
)
def test_understood(meta: dict[str, object], expected: PageOptions) -> None:
    assert page_options(meta, "a") == (expected, [])


FIELDS = ("last_update.date", "lastmod", "date.updated")


@pytest.mark.parametrize(
    ("meta", "lastmod"),
    [
        pytest.param({}, None, id="none"),
        pytest.param({"last_update": {"date": date(2026, 1, 31), "author": "A"}}, DAY, id="Docusaurus"),
        pytest.param({"lastmod": MOMENT, "date": {"updated": DAY}}, MOMENT, id="the first that is there"),
        pytest.param({"date": '{"updated": "2026-01-31"}'}, DAY, id="MyST flattens to JSON"),
        pytest.param({"date": date(2025, 1, 1)}, None, id="another form"),
        pytest.param({"lastmod": MOMENT, "sitemap": {"lastmod": DAY}}, DAY, id="our own comes first"),
        pytest.param({"lastmod": MOMENT, "sitemap-lastmod": "2026-01-31"}, DAY, id="also as a field"),
    ],
)
def test_fields_that_date_a_page(meta, lastmod):
    assert page_options(meta, "a", FIELDS) == (PageOptions(lastmod=lastmod), [])
    assert page_options({"x": 1, **meta}, "a")[0].lastmod in (None, DAY)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-31", "2026-01-31T00:00:00"),
        ("2026-01-31T10:20Z", "2026-01-31T10:20:00"),
        ("2026-01-31T10:20:30.5+02:00", "2026-01-31T08:20:30"),
        ("2026-01-31T10:20:30.123456789Z", "2026-01-31T10:20:30"),
        ("2026-01-31 10:20", "2026-01-31T10:20:00"),
        ("2016-03-09 16:20:00 -0500", "2016-03-09T21:20:00"),
        (" 2016-03-09T16:20:00 Z ", "2016-03-09T16:20:00"),
    ],
)
def test_dates_that_authors_write(text, moment):
    """The same on every Python, whose own parsers differ."""
    expected = datetime.fromisoformat(f"{moment}+00:00")
    assert page_options({"lastmod": text}, "a", ["lastmod"]) == (PageOptions(lastmod=expected), [])


@pytest.mark.parametrize(
    "text",
    [
        *("20260131", "2026-W05-6", "2026-031", "2026-01-31T10", "2026-01-31T102030", "2026-02", "2026"),
        *("2026-01-31T10:20:30,5", "2026-01-31t10:20:30z", "2026-02-30", "31.1.2026", "2026-01-31 10:20 CET"),
    ],
)
def test_what_is_no_date_on_any_python(text):
    options, (finding,) = page_options({"lastmod": text}, "a", ["lastmod"])
    assert options.lastmod is None
    assert f"`lastmod: {text}` must be a date such as" in finding.message


@pytest.mark.parametrize(
    ("meta", "reported"),
    [
        pytest.param({"sitemap": {"lastmod": "yesterday"}}, "must be a date such as 2026-01-31", id="date"),
        pytest.param({"sitemap": {"priority": 10**400}}, "from 0.0 to 1.0", id="more than a float has"),
        pytest.param({"sitemap": {"lastmodd": "2026"}}, "no option `lastmodd` of `sitemap`. Did", id="key"),
        pytest.param({"sitemap-lastmd": "2026"}, "Did you mean `lastmod`?", id="misspelled field"),
        pytest.param({"sitemap": "{broken"}, "must be false, true or a mapping", id="broken JSON"),
    ],
)
def test_a_bad_value_is_reported_and_the_rest_is_kept(meta: dict[str, object], reported: str) -> None:
    options, findings = page_options(meta | {"robots": "noindex"}, "guide/a")
    assert options == PageOptions(noindex=True)
    assert [(finding.rule, finding.where) for finding in findings] == [("page-option", "guide/a")]
    assert all(reported in finding.message for finding in findings)


@pytest.mark.parametrize("word", ["no-index", "No_Index", "no index", "noindexed", "nonindex"])
def test_a_misspelled_noindex_is_reported(word):
    """It does not stop a strict build."""
    options, (finding,) = page_options({"robots": f"nofollow, {word}"}, "a")
    assert options == PageOptions()
    assert (finding.rule, finding.where, finding.severity) == ("front-matter", "a", "warning")
    assert finding.message == f"`robots: {word}` has no effect. Did you mean `noindex`?"
    assert finding.severity_in(strict=True) == "info"


def test_brackets_nest_a_hundred_levels_deep_and_no_more(tmp_path):
    file = tmp_path / "a.md"
    file.write_text(f"---\nsitemap: {'[' * 100}{']' * 100}\n---\n")
    assert read_front_matter(str(file)).keys() == {"sitemap"}
    file.write_text(f"---\nsitemap: {'[' * 101}{']' * 101}\n---\n")
    with pytest.raises(SitemapError, match="levels deep"):
        read_front_matter(str(file))
