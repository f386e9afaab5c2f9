"""What is inserted into a page is seen by every parser, and can be taken out again."""

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_docs.html.marks import HeadProblem, UnsureHead, with_canonical, with_noindex, without_marks
from tests.test_old_versions import BASE, CLOSE, URL, link, page

PIECES = [
    *("<title>A</title>", "<!--", "-->", "<script>", "</script>", "<noscript>", "</noscript>", "<template>"),
    *("</template>", "<style>", "</style>", "<p>", "</head>", "<body>", "<base href=/b/>"),
    *("<", ">", '"', "'", "=", "href=", " data-x", "é", "\n", "\0", "\x1b$B", "<meta charset=gbk>"),
    '<link rel="canonical" href="/a/">',
    "<LINK REL=canonical HREF=/a/>",
    "<link href = '/a/' rel='x canonical'/>",
    "<link/rel=canonical/href=/a/>",
    "<link rel=canonical href>",
    "<link rel='canonical\" href=/a/>",
    '<link rel="&#99;anonical" href=/a/>',
    "<link rel=canonical rel=x href=/a/ href=/b/>",
    "<link rel=canonical media=print href=/a/>",
]


@settings(max_examples=settings().max_examples * 2 // 5)  # html5lib takes its time
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=8).map("".join))
def test_any_head_gets_its_bytes_back(head):
    """A mark counts for every parser of the HTML standard, or the page is not changed."""
    original = f"<!doctype html><html><head>{head}{CLOSE}".encode("utf-8", "surrogatepass")
    assert without_marks(original) == original
    for url, unlinked in ((URL, False), ("", False), ("", True)):
        try:
            marked = with_canonical(original, url) if url else with_noindex(original, unlinked=unlinked)
        except UnsureHead:
            continue
        assert without_marks(marked) == original
        seen = html5lib.parse(marked, namespaceHTMLElements=False).find("head")
        links = [each for each in seen.findall("link") if "canonical" in each.get("rel", "").split()]
        if not url:
            assert "noindex" in {each.get("content") for each in seen.findall("meta")}
            assert not (unlinked and [each for each in links if each.get("href") and not each.get("media")])
        else:
            assert URL in {each.get("href") for each in links if "media" not in each.attrib}


def test_what_looks_like_a_mark_in_a_title_or_a_comment_stays():
    mark = '<meta name="robots" content="noindex" data-sitemap-docs=""/>'
    rewritten = '<link rel="canonical" href="/b/" data-sitemap-docs-href="/a/">'
    original = (
        f"<!doctype html><html><head><title>{mark} {rewritten}</title><!-- {mark} {rewritten} -->{mark}"
        f"{link('1.0/')}{CLOSE}"
    ).encode()
    assert without_marks(original) == original
    for marked in (with_noindex(original), with_canonical(original, URL)):
        assert marked != original
        assert without_marks(marked) == original


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "shift_jis"])
def test_a_canonical_link_is_ascii_in_a_page_of_any_encoding(encoding):
    head = f'<meta charset="{encoding}">'
    for canonical in ("", link("1.0/")):
        marked = with_canonical(page(head + canonical).encode(encoding), f"{BASE}2.0/я é/?a=%C3%A9&b#c")
        assert b"/2.0/%D1%8F%20%C3%A9/?a=%C3%A9&amp;b#c" in marked


@pytest.mark.parametrize(
    ("original", "problem"),
    [
        ("<!doctype html><title>A</title><p>Text", HeadProblem.NO_END),
        ("<!doctype html><head><title>A</title><!-- </head> --></head>", HeadProblem.HIDDEN_END),
        (page("<meta name=a content=b>" * 600), HeadProblem.TOO_MANY_TAGS),
    ],
)
def test_the_reason_why_a_page_stays_as_it_is_is_a_value(original, problem):
    with pytest.raises(UnsureHead) as caught:
        with_noindex(original.encode())
    assert caught.value.problem is problem
