"""Text of others in terminals, logs and comments."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.text import markdown_code, one_line, printable

HOSTILE = "a\n::error::b\r\x1b[31m\x85\u2028\udc80"
ESCAPED = "a\\n::error::b\\r\\u001b[31m\\u0085\\u2028\\udc80"


LOGGED = {
    SitemapError(HOSTILE): ESCAPED,  # an error
    Finding(rule="r", message="m", where=HOSTILE): f"{ESCAPED}: m [r]",  # a place
    Finding(rule="r", message=HOSTILE): f"{ESCAPED} [r]",  # a message
}


@pytest.mark.parametrize(("thing", "text"), LOGGED.items())
def test_what_doors_log_is_one_line(thing, text):
    assert str(thing) == text


def test_messages_quote_a_part_of_what_is_too_long():
    for text in ("a" * 255_000, "a b " * 255_000):
        finding = Finding(rule="r", message=f"Here is {text}.", where=text)
        assert len(finding.summary) < 5_000
        assert len(str(SitemapError(f"Here is {text}."))) < 5_000
    assert "a" * 200 in Finding(rule="r", message="a" * 255_000).message


COMMANDS = {
    "::error::x": "\\u003a:error::x",
    "  ::add-mask::x": "  \\u003a:add-mask::x",
    "page ##[error]x": "page \\u0023#[error]x",
    "##vso[task.complete]": "\\u0023#vso[task.complete]",
    "std::vector.html": "std::vector.html",
}


@pytest.mark.parametrize(("text", "shown"), COMMANDS.items())
def test_no_line_is_a_command_of_a_ci_service(text, shown):
    assert one_line(text) == shown


@given(st.text(), st.sampled_from(["utf-8", "ascii", "cp1252", "utf-16"]))
def test_printable_text_can_be_written_in_every_encoding(text, encoding):
    """Text on one line is printable already."""
    assert printable(text, encoding).encode(encoding).decode(encoding).isprintable()
    assert printable(one_line(text)) == one_line(one_line(text)) == one_line(text)


@given(st.text(), st.sampled_from(["utf-8", "ascii"]))
def test_printable_json_still_contains_the_same_text(text, encoding):
    written = json.dumps({"a": text}, ensure_ascii=False)
    assert json.loads(printable(written, encoding)) == {"a": text}


@given(st.text())
def test_no_text_ends_the_markdown_code_that_contains_it(text):
    """The code is also safe in a cell of a table."""
    code = markdown_code(text)
    assert code.isprintable()
    assert "|" not in code
    if text:
        fence, inner = re.fullmatch(r"(`+)([^`]|[^`].*[^`])\1", code).groups()
        assert fence not in re.findall("`+", inner)
