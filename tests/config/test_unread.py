"""Options in a source that no host reads, because of where or how they are written."""

import pytest

from sitemap_docs.config.unread import find_unread_block, find_unread_fields
from tests.conftest import needs

OPTION = "sitemap: false\n"
UNREAD = {
    "a tab": (f"---\ntitle: A\n\tx: 1\n{OPTION}---\n", "(at line 3, column 1). Correct it."),
    "a colon in a value": (
        f"---\ntitle: a: b\n{OPTION}---\n",
        "mapping values are not allowed here (at line 2",
    ),
    "a day that is none": (f"---\ndate: 2026-02-30\n{OPTION}---\n", "day is out of range for month"),
    "a tag": (f"---\nx: !y 1\n{OPTION}---\n", "a value has a tag"),
    "a list": ("---\n- sitemap: false\n---\n", "it has no line of the form `name: value`"),
    "not closed": (f"---\n{OPTION}\n# A\n\nText.\n", "is not closed. Write `---` below it"),
    "not closed, and no blank line": (f"---\n{OPTION}# A\n", "is not closed"),
    "not closed, and code": (f"---\n{OPTION}```\n---\n```\n", "is not closed"),
    "closed by more dashes": (f"---\n{OPTION}-----\n", "is not closed"),
    "a space before the last line": (f"---\n{OPTION} ---\n", "with no space before it"),
    "no line break at the end": (f"---\n{OPTION}---", "Write a line break after its last line"),
    "a space before the first line": (f" ---\n{OPTION}---\n", "must begin in the first line"),
    "a space before each line": (f" ---\n {OPTION} ---\n", "must begin in the first line"),
    "a blank line before it": (f"\n---\n{OPTION}---\n", "must begin in the first line"),
    "more dashes": (f"----\n{OPTION}----\n", "must begin with three dashes"),
    "TOML": ("+++\nsitemap = false\n+++\n", "is TOML. Write YAML"),
    "a table in TOML": ("+++\n[sitemap]\ndisable = true\n+++\n", "is TOML"),
    "a text in several lines": (f"---\ntitle: a: b\nor c\n{OPTION}---\n", "cannot be read"),
    "behind a blank line": (f"---\ntitle: a: b\n\n{OPTION}---\n", "cannot be read"),
    "robots": ("---\nrobots: noindex\n\n# A\n", "`robots: noindex` has no effect"),
    "a field": ("---\nsitemap-lastmod: 2026-01-31\n\n# A\n", "`sitemap-lastmod: 2026-01-31` has no effect"),
    "quotes": ("---\n'sitemap': false\n\n# A\n", "is not closed"),
}


@pytest.mark.parametrize(("text", "problem"), UNREAD.values(), ids=UNREAD)
@needs("mkdocs")
def test_front_matter_that_mkdocs_does_not_read(text, problem):
    from mkdocs.utils.meta import get_data  # noqa: PLC0415  skipped without it

    _, read = get_data(text)
    assert problem in find_unread_block(text, read, reports_errors=False)


FINE = {
    "read": f"---\n{OPTION}---\n",
    "read, and closed by dots": f"---\n{OPTION}...\n",
    "no option": "---\ntitle: a: b\n---\n",
    "an option of another one": "---\ntitle: a: b\nseo:\n  robots: noindex\n---\n",
    "a horizontal line": f"---\n\n# A\n\nWrite this:\n\n{OPTION}",
    "a horizontal line and code": f"---\n\n# A\n\n```yaml\n{OPTION}```\n",
    "a horizontal line and text": f"---\nText.\n{OPTION}",
    "two horizontal lines": f"---\n\nText.\n\n{OPTION}\n---\n",
    "code": f"# A\n\n```yaml\n---\n{OPTION}---\n```\n",
    "MultiMarkdown": OPTION,
    "no text": "",
    "blank lines": "\n\n",
    "one line": "---",
}


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
@needs("mkdocs")
def test_what_is_no_front_matter_or_is_read(text):
    from mkdocs.utils.meta import get_data  # noqa: PLC0415  skipped without it

    _, read = get_data(text)
    assert find_unread_block(text, read, reports_errors=False) == ""


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        pytest.param("sitemap: false\nsitemap: true", "`sitemap` twice, in lines 3 and 4", id="top"),
        pytest.param("sitemap:\n  ignore: a\n  ignore: b", "`sitemap: ignore` twice, in lines 4", id="below"),
        pytest.param(
            "'robots': a\nsitemap: true\nrobots: b", "`robots` twice, in lines 3 and 5", id="quotes"
        ),
        pytest.param("sitemap: {priority: 1, priority: 0.5}", "`sitemap: priority` twice", id="braces"),
        pytest.param("tags: a\ntags: b\nsitemap: false", "", id="another name"),
        pytest.param("seo: {sitemap: 1, sitemap: 2}\nsitemap: false", "", id="another program"),
        pytest.param("sitemap: &a {<<: {}, <<: {}}\nrobots: *a", "", id="merge keys"),
    ],
)
def test_an_option_that_front_matter_has_twice(lines, name):
    text = f"---\ntitle: A\n{lines}\n---\n"
    problem = find_unread_block(text, {"sitemap": True, "robots": "x"}, reports_errors=True)
    assert name in problem
    assert bool(problem) is bool(name)


def test_brackets_that_nest_too_deep_are_not_parsed():
    text = f"---\nsitemap: {'[' * 101}{']' * 101}\n---\n"
    assert "more than 100 levels deep" in find_unread_block(text, {}, reports_errors=False)


def test_a_host_that_reports_errors_or_reads_toml():
    """Of Sphinx, and of the command."""
    broken, toml = UNREAD["a colon in a value"][0], UNREAD["TOML"][0]
    assert find_unread_block(broken, {}, reports_errors=True) == ""
    assert find_unread_block(toml, {"sitemap": False}, reports_errors=True, reads_toml=True) == ""
    unclosed = "+++\nsitemap = false\n"
    problem = find_unread_block(unclosed, {}, reports_errors=True, reads_toml=True)
    assert "Write `+++` below it" in problem


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        pytest.param("A\n=\n\n:sitemap: false\n", [":sitemap: false"], id="below the title"),
        pytest.param("A\n=\n\n:sitemap: 0\n:sitemap: no\n:sitemap: false\n", [":sitemap: no"], id="once"),
        pytest.param("Text.\n:robots: noindex\n", [":robots: noindex"], id="in a paragraph"),
        pytest.param(".. meta::\n   :sitemap: false\n", [":sitemap: false"], id="in meta"),
        pytest.param(".. meta::\n   :robots: noindex\n", [], id="a meta tag"),
        pytest.param(".. meta::\n   :a: b\n\n   :sitemap: false\n", [":sitemap: false"], id="last in meta"),
        pytest.param(".. note::\n   :sitemap: false\n", [], id="another directive"),
        pytest.param(".. meta::\n   :a: b\n\nT\n\n::\n\n   :sitemap: false\n", [], id="code"),
        pytest.param("A\n=\n\n:sitemap: lists all pages\n", [], id="another meaning"),
        pytest.param("A\n=\n\n:sitemap-priority: 0.3\n", [":sitemap-priority: 0.3"], id="another option"),
        pytest.param("A\n=\n\n:sitemap-size: 3\n", [], id="no option"),
        pytest.param("A\n=\n\n:robots: arms and legs\n", [], id="no directive"),
    ],
)
def test_fields_in_the_wrong_place(text, fields):
    problems = list(find_unread_fields(text, {}))
    assert [problem.split("`")[1] for problem in problems] == fields
    assert all("above the title" in problem for problem in problems)
    assert list(find_unread_fields(text, {"sitemap": "", "robots": "", "sitemap-priority": ""})) == []
