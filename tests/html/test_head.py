"""What a head says: the cheap look, the parser behind it, and that neither notices where a file is cut."""

import os
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from sitemap_docs.html import head
from sitemap_docs.html.head import FIRST_READ, ORDINARY, Head, decode, is_ordinary, parse_head, read_head
from sitemap_docs.model import Alternate

LOC = "https://example.org/docs/a/"
OPEN = '<!DOCTYPE html>\n<html lang="en">\n<head>\n'
CANONICAL = f'<link rel="canonical" href="{LOC}" />'
NOINDEX = '<meta name="robots" content="noindex">'
CLOSE = "\n</head>\n<body><h1>A</h1></body>\n</html>\n"
FILLER = f"<script>{'x = 1 < 2;' * 2000}</script>"  # longer than the first read

ORDINARY_HEADS = [
    *(
        pytest.param(f"<link {attributes}{end}", id=f"canonical: {attributes}{end}")
        for attributes in (f'rel="canonical" href="{LOC}"', f'href="{LOC}" rel="canonical"')
        for end in (">", "/>", " />")
    ),
    pytest.param(f"<link rel=canonical href={LOC}>", id="canonical, no quotes"),
    pytest.param(f"<link href={LOC} rel=canonical><link href=a.css rel=stylesheet>", id="mkdocs-minify"),
    pytest.param("<title>A</title>", id="no canonical"),
    pytest.param('<meta charset="utf-8" /><meta name="viewport" content="width=device-width">', id="Sphinx"),
    pytest.param("<meta charset=utf-8><script src=a.js defer></script>", id="no quotes"),
    pytest.param(
        """<meta name="description" content="It's &#34;good&#34; &amp; &#39;so&#x27; cheap">""",
        id="entities that spell no word",
    ),
    pytest.param(
        '<link href="https://fonts.example/css?family=A:300,400&display=fallback">', id="Material's fonts"
    ),
    pytest.param("<script>if (a<b && c) { location.hash = 'x' }</script>", id="script"),
    pytest.param("<style>.headerlink::before { display: none }</style>", id="none in a style"),
    pytest.param(
        "<noscript><style>.js-only { display: none !important }</style></noscript>", id="PyData's noscript"
    ),
    pytest.param(f"<!-- {NOINDEX} -->{CANONICAL}", id="noindex in a comment"),
    pytest.param(
        f"<!--[if lt IE 9]><script src='html5shiv.js'></script><![endif]-->{CANONICAL}", id="conditional"
    ),
    pytest.param('<meta name="robots" content="index, follow">', id="robots that may"),
    pytest.param('<meta name="description" content="None of this">', id="words in a meta"),
    pytest.param("<style>.robot { display: none }</style><script>refresh()</script>", id="words in a script"),
    pytest.param("<title>All of &#8222;this&#8220; &lt;b&gt;</title>", id="title"),
]


def page(inner: str) -> bytes:
    return f"{OPEN}{inner}{CLOSE}".encode()


def directives(said: Head) -> tuple[object, ...]:
    return said.noindex, said.refresh, said.alternates, set(said.canonicals) - {LOC}


@pytest.mark.parametrize("inner", ORDINARY_HEADS)
def test_an_ordinary_head_needs_no_parser(inner: str) -> None:
    data = page(inner)
    assert is_ordinary(data, LOC)
    assert directives(parse_head(data)) == directives(ORDINARY)


SAID = [
    pytest.param(NOINDEX, Head(noindex=True), id="noindex"),
    pytest.param('<meta name="robots" content="none">', Head(noindex=True), id="none"),
    pytest.param(
        "<meta name='robots' content='follow,noindex'>", Head(noindex=True), id="single quotes, commas"
    ),
    pytest.param("<meta name=robots content=noindex>", Head(noindex=True), id="no quotes"),
    pytest.param('<META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW">', Head(noindex=True), id="upper case"),
    pytest.param(
        '<meta content="follow noindex"\n name = "robots">', Head(noindex=True), id="order and spaces"
    ),
    pytest.param('<meta name="googlebot" content="noindex">', Head(noindex=True), id="googlebot"),
    pytest.param('<meta name="bingbot" content="noindex">', Head(noindex=True), id="bingbot"),
    pytest.param('<meta name="robots" content="no&#105;ndex">', Head(noindex=True), id="numeric entity"),
    pytest.param('<meta name="robots" content="&#x6e;oindex">', Head(noindex=True), id="hexadecimal entity"),
    pytest.param(
        '<meta name="&#114obots" content=noindex>', Head(noindex=True), id="entity without semicolon"
    ),
    pytest.param('<meta name="robots" content="index, follow">', Head(), id="index"),
    pytest.param('<meta name="robots" content="max-snippet:0">', Head(), id="another directive"),
    pytest.param('<meta name="yandex" content="noindex">', Head(), id="another bot"),
    pytest.param('<meta name="description" content="noindex, none">', Head(), id="not a directive"),
    pytest.param(f"<!-- {NOINDEX} -->", Head(), id="in a comment"),
    pytest.param(f"<script>'{NOINDEX}'</script>", Head(), id="in a script"),
    pytest.param(f"<!-- > --{NOINDEX}-->", Head(), id="comment with dashes"),
    pytest.param(f"<noscript>{NOINDEX}</noscript>", Head(noindex=True), id="in noscript"),
    pytest.param(f"<div></div>{NOINDEX}", Head(noindex=True), id="after an element that ends the head early"),
    pytest.param(f"<script>'</head>'</script>{NOINDEX}", Head(noindex=True), id="</head> in a script"),
    pytest.param(f"<!-- </head> -->{NOINDEX}", Head(noindex=True), id="</head> in a comment"),
    pytest.param(
        f'<meta name="a" content="</head>">{NOINDEX}', Head(noindex=True), id="</head> in an attribute"
    ),
    pytest.param(f"<meta name=a\"b='c></head>' \">{NOINDEX}", Head(noindex=True), id="stray quotes"),
    pytest.param(f"<style></head><body></style>{NOINDEX}", Head(noindex=True), id="</head> in a style"),
    pytest.param(f'<meta a="<!--">{NOINDEX}<!-- -->', Head(noindex=True), id="comment in an attribute"),
    pytest.param(f"<!-->{NOINDEX}-->", Head(noindex=True), id="comment closed at once"),
    pytest.param(f"<style></style >{NOINDEX}<style></style>", Head(noindex=True), id="end tag with a space"),
    pytest.param(
        f"<script></SCRIPT>{NOINDEX}<script></script>", Head(noindex=True), id="end tag in capitals"
    ),
    pytest.param(
        f"<script></SCRIPT>{NOINDEX.replace('meta', 'META')}</script>",
        Head(noindex=True),
        id="all in capitals",
    ),
    pytest.param(f'<meta a="<script>">{NOINDEX}<script></script>', Head(noindex=True), id="script in one"),
    pytest.param(
        f"<script>'<!--<script>'</script></head><body></script>{NOINDEX}", Head(noindex=True), id="escape"
    ),
    pytest.param(f"{FILLER}{NOINDEX}", Head(noindex=True), id="past the first read"),
    pytest.param(f"{NOINDEX}{FILLER}", Head(noindex=True), id="in the first read, which is not all"),
    pytest.param("<link name=robots content=noindex>", Head(), id="robots in a link"),
    pytest.param(f"<script>'</head>'</script>{FILLER}{NOINDEX}", Head(noindex=True), id="both"),
    pytest.param(
        f'{CANONICAL}<link rel="canonical" href="/b/">', Head(canonicals=(LOC, "/b/")), id="two canonicals"
    ),
    pytest.param('<link href=" /b/\n" rel="Canonical">', Head(canonicals=("/b/",)), id="order, space, case"),
    pytest.param(
        '<link rel="x canonical" href="/b&amp;c/">', Head(canonicals=("/b&c/",)), id="entity in an address"
    ),
    pytest.param(
        f'<link href="/b/" rel="canonical" href="{LOC}">', Head(canonicals=("/b/",)), id="the first href"
    ),
    pytest.param(
        '<base target=_top><base href="/x/"><link rel="canonical" href="y">'
        '<link rel="alternate" hreflang="de" href="z"><base href="/y/">',
        Head(canonicals=("/x/y",), alternates=(Alternate("de", "/x/z"),)),
        id="the first base with an address",
    ),
    pytest.param('<link rel="canonical" href="?v=2">', Head(canonicals=("?v=2",)), id="only a query"),
    pytest.param(
        '<link rel="canonical" href="/b\n/\tc/">', Head(canonicals=("/b/c/",)), id="line end in an address"
    ),
    pytest.param('<meta rel="canonical" href="/b/">', Head(), id="no link"),
    pytest.param(
        '<base href="/x/"><link rel=canonical href="//[">', Head(canonicals=("//[",)), id="no address"
    ),
    pytest.param('<link rel="canonical" href="">', Head(), id="empty href"),
    pytest.param('<link rel="canonical" hreflang="de" href="/de/">', Head(), id="a canonical Google ignores"),
    pytest.param(
        '<link rel="alternate" hreflang="de" href="/de/"><link rel=alternate hreflang=x-default href="/">',
        Head(alternates=(Alternate("de", "/de/"), Alternate("x-default", "/"))),
        id="alternates",
    ),
    pytest.param('<link rel="alternate" type="application/rss+xml" href="/rss">', Head(), id="a feed"),
    pytest.param('<meta http-equiv="refresh" content="0; url=/b/">', Head(refresh="/b/"), id="refresh"),
    pytest.param(
        "<META HTTP-EQUIV=Refresh CONTENT=\"0;URL='/b/?c'\">", Head(refresh="/b/?c"), id="refresh, quoted"
    ),
    pytest.param(
        """<meta http-equiv=refresh content='0; url="/b/"'>""",
        Head(refresh="/b/"),
        id="refresh in the other quotes",
    ),
    pytest.param(
        """<meta http-equiv="refresh" content="0; '/b/'c'd">""",
        Head(refresh="/b/"),
        id="refresh ends at the second quote",
    ),
    pytest.param(
        '<meta http-equiv="refresh" content="5, /b/">', Head(refresh="/b/"), id="refresh with a comma"
    ),
    pytest.param('<meta http-equiv="refresh" content="300">', Head(refresh=""), id="reload"),
    pytest.param('<meta http-equiv="refresh" content="soon">', Head(), id="no refresh"),
    pytest.param('<meta http-equiv="refresh" content="">', Head(), id="empty refresh"),
    pytest.param(
        '<noscript><meta http-equiv="refresh" content="0; url=b.html" /></noscript>',
        Head(refresh="b.html"),
        id="reredirects' noscript",
    ),
    pytest.param(
        '<meta name="generator" content="zensical-0.1.1"><title> A\n &amp; B</title>',
        Head(generator="zensical-0.1.1", title="A & B"),
        id="generator and title",
    ),
    pytest.param("<meta name=generator>", Head(), id="generator that says nothing"),
]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "latin-1"]


@pytest.mark.parametrize(("inner", "expected"), SAID)
def test_what_a_head_says(inner: str, expected: Head, tmp_path: Path) -> None:
    data = page(inner)
    file = tmp_path / "a.html"
    file.write_bytes(data)
    assert parse_head(data) == expected
    said = read_head(file, LOC)
    assert said is ORDINARY or said == expected
    assert (said is ORDINARY) == is_ordinary(data[:FIRST_READ], LOC)
    assert not is_ordinary(data, LOC) or directives(expected) == directives(ORDINARY)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(encoding: str) -> None:
    bom = {"utf-16-be": b"\xfe\xff", "utf-16-le": b"\xff\xfe"}.get(encoding, b"")
    charset = '<meta charset="iso-8859-1">' if encoding == "latin-1" else ""
    data = bom + f"{OPEN}{charset}<link rel=canonical href='/é/'>{NOINDEX}{CLOSE}".encode(encoding)
    assert parse_head(data) == Head(canonicals=("/é/",), noindex=True)
    assert not is_ordinary(data, LOC)


@pytest.mark.parametrize(
    ("charset", "href"),
    [
        pytest.param(b"", "é", id="none, but valid UTF-8"),
        pytest.param(b"<meta charset=nonsense>", "é", id="unknown"),
        pytest.param(b"<meta charset=utf-16>", "é", id="cannot be true"),
        pytest.param(b"<meta charset=utf-7>", "é", id="no browser reads it"),
        pytest.param(b"<meta charset=raw_unicode_escape>", "é", id="only Python reads it"),
        pytest.param(b"<meta charset=latin-1>", "Ã©", id="read as declared"),
        pytest.param(
            b'<meta http-equiv=content-type content="text/html; charset=gbk">', "茅", id="http-equiv"
        ),
    ],
)
def test_declared_charsets(charset: bytes, href: str) -> None:
    data = b"<head>" + charset + "<link rel=canonical href=é></head>".encode()
    assert parse_head(data).canonicals == (href,)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(b"\x80\x81", "\u20ac\ufffd", id="Windows' Latin-1, if it is not UTF-8"),
        pytest.param(
            b"<meta charset=latin1>\x80", "<meta charset=latin1>\u20ac", id="that is called Latin-1"
        ),
        pytest.param(b"<meta charset=ascii>\x80", "<meta charset=ascii>\u20ac", id="and ASCII"),
        pytest.param(b"<meta charset=utf-8>\xff", "<meta charset=utf-8>\ufffd", id="not what it says"),
        pytest.param(b"\xff\xfea\0\0\xd8", "a\ufffd", id="half a character"),
        pytest.param(
            b" " * 1024 + "<meta charset=gbk>é".encode(), " " * 1024 + "<meta charset=gbk>é", id="too late"
        ),
        pytest.param(b'\n<?xml version="1.0"?>\0a', "\ufffda", id="XML's declaration, NUL"),
    ],
)
def test_decode(data: bytes, text: str) -> None:
    assert decode(data) == text


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param("<style><body></style>{}", id="a style"),
        pytest.param("<script>'<body>'</script><!-- <body> -->{}", id="several"),
        pytest.param("<hr><style><body></style>{}", id="and a rule before"),
    ],
)
@pytest.mark.parametrize("before", ["<head>", "<!--<body>--><head>", "<style><body></style></head>"])
def test_a_body_that_is_none_does_not_end_the_head(before: str, inner: str) -> None:
    head = before + inner.format("<meta name=generator content=x>")
    after = f"{NOINDEX}<script>'<body>'</script><hr id=sitemap-docs-probe9>{NOINDEX}"
    assert parse_head(f"{head}</head><body>{after}".encode()) == Head(generator="x")
    assert parse_head(f"{head}<p>{NOINDEX}".encode()) == Head(generator="x", noindex=True)


def test_an_address_that_html_reads_otherwise_is_not_sure() -> None:
    loc = "https://example.org/a&lt/"
    data = page(f'<link rel="canonical" href="{loc}">')
    assert not is_ordinary(data, loc)
    assert parse_head(data).canonicals == ("https://example.org/a</",)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"", Head(), id="empty"),
        pytest.param(b"notes.txt", Head(), id="no markup at all"),
        pytest.param(b"<p>A fragment", Head(), id="a fragment"),
        pytest.param(b'<meta http-equiv=refresh content="0;url=b">', Head(refresh="b"), id="only a refresh"),
        pytest.param(
            b'<html><body><p>Moved.<meta http-equiv=refresh content="0;url=b"></body></html>',
            Head(refresh="b"),
            id="a stub whose head is implied",
        ),
        pytest.param(
            b"<!doctype html><title>A</title><meta name=robots content=noindex><p>x",
            Head(noindex=True, title="A"),
            id="optional tags left out",
        ),
        pytest.param(
            b"<head><meta name=robots content=noindex><body><meta name=generator content=x>",
            Head(noindex=True),
            id="an open head ends at the body",
        ),
        pytest.param(b"<head></head><body><meta name=robots content=noindex>", Head(), id="in the body"),
        pytest.param(
            b"<head lang=en></head lang=en><body lang=en><meta name=robots content=noindex>",
            Head(),
            id="in a body with attributes",
        ),
        pytest.param(
            b"<head></head><meta name=robots content=none><body>", Head(noindex=True), id="after it"
        ),
        pytest.param(b"<header></header><meta name=robots content=noindex>", Head(noindex=True), id="header"),
        pytest.param(
            b'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
            b'<meta name="robots" content="noindex"/></head></html>',
            Head(noindex=True),
            id="XHTML",
        ),
        pytest.param(
            b'<?xml version="1.0"?><rss version="2.0"><channel><title>x</title></channel></rss>',
            Head(title="x"),
            id="XML",
        ),
        pytest.param(b"<head>\0<meta name=robots\0 content=noindex></head>", Head(), id="NUL"),
        pytest.param(
            b"<head><meta name=robots content=none>\xff\0<x></head>", Head(noindex=True), id="binary"
        ),
    ],
)
def test_files_that_are_hardly_pages(data: bytes, expected: Head) -> None:
    assert not is_ordinary(data, LOC)
    assert parse_head(data) == expected


@pytest.mark.parametrize(
    "nasty",
    [
        pytest.param("<meta " + "a=1 " * 4000, id="a tag without end"),
        pytest.param(" \n" * 8000 + "<", id="white space"),
        pytest.param("<!--" + "-" * 16000, id="dashes"),
        pytest.param("<!-- a -->\n" * 1400 + "<p>", id="comments"),
        pytest.param("<script>" + "<" * 16000, id="angle brackets"),
        pytest.param('<meta a="' + "&amp;" * 3000, id="entities"),
        pytest.param("<noscript>" + "<meta a=b> " * 1400, id="an open noscript"),
        pytest.param("<meta a=" + "b" * 16000 + "<", id="one long value"),
    ],
)
def test_the_cheap_look_is_cheap_for_nasty_heads(nasty: str) -> None:
    """A regular expression that backtracks without bounds does not come back from these."""
    assert not is_ordinary((OPEN + nasty).encode(), LOC)


def test_the_look_stays_within_what_it_was_given() -> None:
    data = page(f"{CANONICAL}<title>A</title>")
    first = next(n for n in range(len(data)) if is_ordinary(data[:n], LOC))
    assert data[:first].endswith(b"</head>\n<body>")


def test_a_head_that_ends_before_it_begins_is_not_sure() -> None:
    data = b"<!-- </head><body> -->" + page(NOINDEX)
    assert not is_ordinary(data, LOC)
    assert parse_head(data).noindex


def test_a_missing_file_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"gone\.html"):
        read_head(tmp_path / "gone.html", LOC)
    with pytest.raises(OSError, match="no regular file"):
        read_head(os.devnull, LOC)


@pytest.mark.parametrize("inner", ["", NOINDEX])
def test_files_are_closed(tmp_path: Path, inner: str) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(page(inner))
    free = os.dup(0)
    os.close(free)
    read_head(file, LOC)
    now_free = os.dup(0)
    os.close(now_free)
    assert now_free == free


# --- heads that nobody thought of --------------------------------------------------------------------------

VALUES = r"""
"robots" 'robots' robots "noindex" "no&#105;ndex" none "refresh" "0;url=x" "" " ' "canonical" /b/ "it's" ">"
"</head>" "<body>" "<!--" "-->" '"' "&quot;" "a&b" & utf-8 "utf-16" "alternate" "&#114;obots" x/
""".split()  # noqa: SIM905
NAMES = r"""
name NAME content rel href http-equiv hreflang a a" ' = charset media
""".split()  # noqa: SIM905
TAGS = """
meta link META Link base script style title noscript x ! ? /script /style /title /noscript textarea /textarea
template /template svg html head /head body iframe plaintext header !doctype
""".split()  # noqa: SIM905
MARKUP = """
<!-- --> --!> <!--> <!---> <!- -- </head> </HEAD> </head <body> <script> </script> </script <style> </style>
<title> </title> <noscript> </noscript> <![CDATA[ ]]> < > ' " &#60; & = / text é none noindex
""".split()  # noqa: SIM905

ATTRIBUTE = st.builds(
    "{}{}{}{}".format,
    st.sampled_from([" ", " ", "\n", "", "/", " / ", "\x0b"]),
    st.sampled_from(NAMES),
    st.sampled_from(["=", "=", "", " = ", "=="]),
    st.sampled_from([*VALUES, f'"{LOC}"', f'"{LOC}"']),
)
TAG = st.builds(
    "<{}{}{}".format,
    st.sampled_from(TAGS),
    st.lists(ATTRIBUTE, max_size=4).map("".join),
    st.sampled_from([">", ">", "/>", " >", "", "\n/>"]),
)
PLAIN = st.sampled_from([str(p.values[0]) for p in [*ORDINARY_HEADS, *SAID]])
PIECE = st.one_of(
    PLAIN, PLAIN, TAG, st.sampled_from([*MARKUP, " ", "\n", "\0", "\ufeff", CANONICAL, NOINDEX])
)


def spoiled(pieces: list[str], place: int, gone: int, put: str) -> str:
    text = "\n".join(pieces)
    place = place % (len(text) + 1)
    return text[:place] + put + text[place + gone :]


TIDY = st.sampled_from([CANONICAL, "<noscript>", "</noscript>", *(str(p.values[0]) for p in ORDINARY_HEADS)])
NEAT_VALUES = """
robots ROBOTS googlebot noindex no&#105;ndex &#x6e;one none refresh alternate canonical cano&#110;ical
hreflang de /b/ <!-- --> <script> </script> <style> </head> <body> it's &quot; &amp; a&b > = /
""".split()  # noqa: SIM905
NEAT = st.builds(
    "<{} {}>".format,
    st.sampled_from(["meta", "link"]),
    st.lists(
        st.builds(
            '{}="{}"'.format,
            st.sampled_from(["name", "content", "rel", "href", "http-equiv", "hreflang", "a"]),
            st.sampled_from([*NEAT_VALUES, LOC, "0; url=/b/"]),
        ),
        max_size=4,
    ).map(" ".join),
)
FAMILIAR = st.sampled_from(
    [
        '<meta name="robots" content="{}">',
        '<meta http-equiv="{}" content="0; url=/b/">',
        '<link rel="{}" href="/b/">',
        '<link rel="alternate" {}="de" href="/b/">',
        f'<link rel="canonical" href="{LOC}" {{}}>',
        f'<link {{}} rel="canonical" href="{LOC}">',
        "<title>{}</title>",
        "<!--{}-->",
        "<script>{}</script>",
        "<style>{}</style>",
    ]
).flatmap(lambda form: st.sampled_from(NEAT_VALUES).map(form.format))
NEAT_INNER = st.lists(st.one_of(TIDY, NEAT, FAMILIAR, FAMILIAR), max_size=4).map("".join)
INNER = st.one_of(
    st.lists(PIECE, max_size=8).map("".join),
    st.builds(
        spoiled,
        st.lists(TIDY, min_size=1, max_size=4),
        st.integers(0, 10_000),
        st.sampled_from([0, 0, 0, 1, 2, 9]),
        st.one_of(PIECE, st.sampled_from(["", "", *VALUES, *NAMES])),
    ),
)
PROLOGUE = st.one_of(
    st.just(OPEN),
    st.just(OPEN),
    st.sampled_from(["<head>", "", "<html>", "\ufeff" + OPEN, OPEN.lower(), f"<!-- x -->{OPEN}"]),
)
REST = st.sampled_from([CLOSE, CLOSE, "</head>" + NOINDEX, "", NOINDEX + CLOSE])
PARSERS = ["lxml", "html5lib", "html.parser"]


def oracle(data: bytes, parser: str) -> set[str]:
    """What the head of a whole page says that an ordinary head does not say."""
    soup = BeautifulSoup(data, parser, from_encoding="utf-8")
    said = set()
    top = soup.head or soup
    for tag in top.find_all("meta"):
        name, content = str(tag.get("name", "")).lower(), str(tag.get("content", "")).lower()
        if name in ("robots", "googlebot", "bingbot") and ("noindex" in content or "none" in content):
            said.add("noindex")
        if str(tag.get("http-equiv", "")).lower() == "refresh":
            said.add("refresh")
    for tag in top.find_all("link"):
        rel = " ".join(tag.get_attribute_list("rel", "")).lower()
        if "canonical" in rel and tag.get("href", LOC) != LOC:
            said.add("canonical")
        if "alternate" in rel and tag.get("hreflang"):
            said.add("alternate")
    return said


@pytest.mark.parametrize("parser", PARSERS)
@given(prologue=PROLOGUE, inner=INNER, rest=REST)
def test_no_parser_finds_more_in_an_ordinary_head(parser: str, prologue: str, inner: str, rest: str) -> None:
    data = f"{prologue}{inner}{rest}".encode()
    if is_ordinary(data, LOC):
        assert oracle(data, parser) == set()


@given(NEAT_INNER)
def test_nor_in_one_that_is_neatly_written(inner: str) -> None:
    data = page(inner)
    if is_ordinary(data, LOC):
        assert oracle(data, "html5lib") == set()
        assert directives(parse_head(data)) == directives(ORDINARY)


@given(prologue=PROLOGUE, inner=INNER, rest=st.text(max_size=30), cut=st.integers(0, 4000))
def test_the_look_agrees_with_the_truth_wherever_it_is_cut(
    prologue: str, inner: str, rest: str, cut: int
) -> None:
    data = f"{prologue}{inner}</head><body>{rest}".encode()
    if is_ordinary(data[:cut], LOC):
        assert is_ordinary(data, LOC)
    if is_ordinary(data, LOC):
        assert directives(parse_head(data)) == directives(ORDINARY)


HIDDEN = st.sampled_from(
    [
        "<script>'<body>'</script>",
        "<!-- <body> -->",
        '<meta content="</head><body>">',
        "<style></head><body></style>",
        f"<!-- </head><body>{NOINDEX} -->",
    ]
)


@given(
    st.lists(st.one_of(PLAIN, HIDDEN), max_size=6),
    st.sampled_from(["<h1>A</h1>", "<p>x</p><!-- </head> --><script>'<body>'</script>", ""]),
)
def test_cutting_at_the_end_of_the_head_goes_unnoticed(pieces: list[str], body: str) -> None:
    """With nothing to find in the body, the parser finds the same in the whole page as in its head."""
    text = f"<head>{''.join(pieces)}</head><body>{body}</body>"
    whole = head._said(head._parse(text))
    assert parse_head(text.encode()) == whole


@given(st.binary(max_size=200), st.booleans())
def test_bytes_of_any_kind_are_read(data: bytes, inside: bool) -> None:
    parse_head(b"<head>" + data + b"</head>" if inside else data)
    assert not is_ordinary(data, LOC)
