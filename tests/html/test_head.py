"""What a head says, by the parser of the HTML standard, wherever the file is cut."""

import os
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_docs.html.head import Head, parse_head, read_head
from sitemap_docs.html.page import read_page
from sitemap_docs.model import Alternate
from tests.conftest import HANGS

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


def said(head: Head) -> dict[str, object]:
    """What a head says beyond its language, by name."""
    values = {"noindex": head.noindex} | head._asdict()
    silent = (
        {"noindex": False}
        | Head()._asdict()
        | {name: getattr(head, name) for name in ("lang", "robots", "template")}
    )
    return {name: value for name, value in values.items() if value != silent[name]}


@pytest.mark.parametrize("inner", ORDINARY_HEADS)
def test_an_ordinary_head(inner: str) -> None:
    found = said(parse_head(page(inner)))
    assert set(found.pop("canonicals", (LOC,))) == {LOC}
    assert set(found) <= {"title"}


SAID = [
    pytest.param(NOINDEX, {"noindex": True}, id="noindex"),
    pytest.param('<meta name="robots" content="none">', {"noindex": True}, id="none"),
    pytest.param(
        "<meta name='robots' content='follow,noindex'>", {"noindex": True}, id="single quotes, commas"
    ),
    pytest.param("<meta name=robots content=noindex>", {"noindex": True}, id="no quotes"),
    pytest.param('<META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW">', {"noindex": True}, id="upper case"),
    pytest.param(
        '<meta content="follow noindex"\n name = "robots">', {"noindex": True}, id="order and spaces"
    ),
    pytest.param('<meta name="googlebot" content="noindex">', {"noindex": True}, id="googlebot"),
    pytest.param('<meta name="bingbot" content="noindex">', {"noindex": True}, id="bingbot"),
    pytest.param('<meta name="robots" content="no&#105;ndex">', {"noindex": True}, id="numeric entity"),
    pytest.param('<meta name="robots" content="&#x6e;oindex">', {"noindex": True}, id="hexadecimal entity"),
    pytest.param(
        '<meta name="&#114obots" content=noindex>', {"noindex": True}, id="entity without semicolon"
    ),
    pytest.param('<meta name="robots" content="index, follow">', {}, id="index"),
    pytest.param('<meta name="robots" content="max-snippet:0">', {}, id="another directive"),
    pytest.param('<meta name="yandex" content="noindex">', {}, id="another bot"),
    pytest.param('<meta name="description" content="noindex, none">', {}, id="not a directive"),
    pytest.param(f"<!-- {NOINDEX} -->", {}, id="in a comment"),
    pytest.param(f"<script>'{NOINDEX}'</script>", {}, id="in a script"),
    pytest.param(f"<!-- > --{NOINDEX}-->", {}, id="comment with dashes"),
    pytest.param(f"<noscript>{NOINDEX}</noscript>", {"noindex": True}, id="in noscript"),
    pytest.param(f"<div></div>{NOINDEX}", {"noindex": True}, id="after an element that ends the head early"),
    pytest.param(f"<script>'</head>'</script>{NOINDEX}", {"noindex": True}, id="</head> in a script"),
    pytest.param(f"<!-- </head> -->{NOINDEX}", {"noindex": True}, id="</head> in a comment"),
    pytest.param(
        f'<meta name="a" content="</head>">{NOINDEX}', {"noindex": True}, id="</head> in an attribute"
    ),
    pytest.param(f"<meta name=a\"b='c></head>' \">{NOINDEX}", {"noindex": True}, id="stray quotes"),
    pytest.param(f"<style></head><body></style>{NOINDEX}", {"noindex": True}, id="</head> in a style"),
    pytest.param(f'<meta a="<!--">{NOINDEX}<!-- -->', {"noindex": True}, id="comment in an attribute"),
    pytest.param(f"<!-->{NOINDEX}-->", {"noindex": True}, id="comment closed at once"),
    pytest.param(f"<style></style >{NOINDEX}<style></style>", {"noindex": True}, id="end tag with a space"),
    pytest.param(f"<script></SCRIPT>{NOINDEX}<script></script>", {"noindex": True}, id="end tag in capitals"),
    pytest.param(
        f"<script></SCRIPT>{NOINDEX.replace('meta', 'META')}</script>",
        {"noindex": True},
        id="all in capitals",
    ),
    pytest.param(f'<meta a="<script>">{NOINDEX}<script></script>', {"noindex": True}, id="script in one"),
    pytest.param(
        f"<script>'<!--<script>'</script></head><body></script>{NOINDEX}", {"noindex": True}, id="escape"
    ),
    pytest.param(f"{FILLER}{NOINDEX}", {"noindex": True}, id="past the first read"),
    pytest.param(f"{NOINDEX}{FILLER}", {"noindex": True}, id="in the first read, which is not all"),
    pytest.param("<link name=robots content=noindex>", {}, id="robots in a link"),
    pytest.param(f"<script>'</head>'</script>{FILLER}{NOINDEX}", {"noindex": True}, id="both"),
    pytest.param(
        f'{CANONICAL}<link rel="canonical" href="/b/">', {"canonicals": (LOC, "/b/")}, id="two canonicals"
    ),
    pytest.param('<link href=" /b/\n" rel="Canonical">', {"canonicals": ("/b/",)}, id="order, space, case"),
    pytest.param(
        '<link rel="x canonical" href="/b&amp;c/">', {"canonicals": ("/b&c/",)}, id="entity in an address"
    ),
    pytest.param(
        f'<link href="/b/" rel="canonical" href="{LOC}">', {"canonicals": ("/b/",)}, id="the first href"
    ),
    pytest.param(
        '<base target=_top><base href="/x/"><link rel="canonical" href="y">'
        '<link rel="alternate" hreflang="de" href="z"><base href="/y/">',
        {"base": "/x/", "canonicals": ("y",), "alternates": (Alternate("de", "z"),)},
        id="the first base with an address",
    ),
    pytest.param('<link rel="canonical" href="?v=2">', {"canonicals": ("?v=2",)}, id="only a query"),
    pytest.param(
        '<link rel="canonical" href="/b\n/\tc/">', {"canonicals": ("/b/c/",)}, id="line end in an address"
    ),
    pytest.param('<meta rel="canonical" href="/b/">', {}, id="no link"),
    pytest.param(
        '<base href="/x/"><link rel=canonical href="//[">',
        {"base": "/x/", "canonicals": ("//[",)},
        id="no address",
    ),
    pytest.param('<link rel="canonical" href="">', {}, id="empty href"),
    pytest.param('<link rel="canonical" hreflang="de" href="/de/">', {}, id="a canonical Google ignores"),
    pytest.param(
        '<link rel="alternate" hreflang="de" href="/de/"><link rel=alternate hreflang=x-default href="/">',
        {"alternates": (Alternate("de", "/de/"), Alternate("x-default", "/"))},
        id="alternates",
    ),
    pytest.param('<link rel="alternate" type="application/rss+xml" href="/rss">', {}, id="a feed"),
    pytest.param('<meta http-equiv="refresh" content="0; url=/b/">', {"refresh": "/b/"}, id="refresh"),
    pytest.param(
        "<META HTTP-EQUIV=Refresh CONTENT=\"0;URL='/b/?c'\">", {"refresh": "/b/?c"}, id="refresh, quoted"
    ),
    pytest.param(
        """<meta http-equiv=refresh content='0; url="/b/"'>""",
        {"refresh": "/b/"},
        id="refresh in the other quotes",
    ),
    pytest.param(
        """<meta http-equiv="refresh" content="0; '/b/'c'd">""",
        {"refresh": "/b/"},
        id="refresh ends at the second quote",
    ),
    pytest.param(
        '<meta http-equiv="refresh" content="5, /b/">', {"refresh": "/b/"}, id="refresh with a comma"
    ),
    pytest.param('<meta http-equiv="refresh" content="300">', {"refresh": ""}, id="reload"),
    pytest.param('<meta http-equiv="refresh" content="soon">', {}, id="no refresh"),
    pytest.param('<meta http-equiv="refresh" content="">', {}, id="empty refresh"),
    pytest.param(
        '<noscript><meta http-equiv="refresh" content="0; url=b.html" /></noscript>',
        {"refresh": "b.html"},
        id="reredirects' noscript",
    ),
    pytest.param(
        '<meta name="generator" content="zensical-0.1.1"><title> A\n &amp; B</title>',
        {"generator": "zensical-0.1.1", "title": "A & B"},
        id="generator and title",
    ),
    pytest.param("<meta name=generator>", {}, id="generator that says nothing"),
]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "latin-1"]


@pytest.mark.parametrize(("inner", "expected"), SAID)
def test_what_a_head_says(inner: str, expected: dict[str, object], tmp_path: Path) -> None:
    data = page(inner)
    file = tmp_path / "a.html"
    file.write_bytes(data)
    assert said(parse_head(data)) == expected
    assert read_head(file) == parse_head(data)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(encoding: str) -> None:
    bom = {"utf-16-be": b"\xfe\xff", "utf-16-le": b"\xff\xfe"}.get(encoding, b"")
    charset = '<meta charset="iso-8859-1">' if encoding == "latin-1" else ""
    data = bom + f"{OPEN}{charset}<link rel=canonical href='/é/'>{NOINDEX}{CLOSE}".encode(encoding)
    assert said(parse_head(data)) == {"canonicals": ("/é/",), "noindex": True}


@pytest.mark.parametrize(
    ("charset", "href"),
    [
        pytest.param(b"", "é", id="none, but valid UTF-8"),
        pytest.param(b"<meta charset=nonsense>", "é", id="unknown"),
        pytest.param(b"<meta charset=utf-16>", "é", id="cannot be true"),
        pytest.param(b"<meta charset=utf-7>", "é", id="no browser reads it"),
        pytest.param(b"<meta charset=raw_unicode_escape>", "é", id="only Python reads it"),
        pytest.param(b"<meta charset=latin1>", "Ã©", id="read as declared"),
        pytest.param(
            b'<meta http-equiv=content-type content="text/html; charset=gbk">', "茅", id="http-equiv"
        ),
    ],
)
def test_declared_charsets(charset: bytes, href: str) -> None:
    data = b"<head>" + charset + "<link rel=canonical href=é></head>".encode()
    assert parse_head(data).canonicals == (href,)


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
    after = f"{NOINDEX}<script>'<body>'</script><body sitemap-docs-body=9>{NOINDEX}"
    assert said(parse_head(f"{head}</head><body>{after}".encode())) == {"generator": "x"}
    assert said(parse_head(f"{head}<p>{NOINDEX}".encode())) == {"generator": "x", "noindex": True}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"", {}, id="empty"),
        pytest.param(b"notes.txt", {}, id="no markup at all"),
        pytest.param(b"<p>A fragment", {}, id="a fragment"),
        pytest.param(b'<meta http-equiv=refresh content="0;url=b">', {"refresh": "b"}, id="only a refresh"),
        pytest.param(
            b'<html><body><p>Moved.<meta http-equiv=refresh content="0;url=b"></body></html>',
            {"refresh": "b"},
            id="a stub whose head is implied",
        ),
        pytest.param(
            b"<!doctype html><title>A</title><meta name=robots content=noindex><p>x",
            {"noindex": True, "title": "A"},
            id="optional tags left out",
        ),
        pytest.param(
            b"<head><meta name=robots content=noindex><body><meta name=generator content=x>",
            {"noindex": True},
            id="an open head ends at the body",
        ),
        pytest.param(b"<head></head><body><meta name=robots content=noindex>", {}, id="in the body"),
        pytest.param(
            b"<head lang=en></head lang=en><body lang=en><meta name=robots content=noindex>",
            {},
            id="in a body with attributes",
        ),
        pytest.param(b"<head></head><meta name=robots content=none><body>", {"noindex": True}, id="after it"),
        pytest.param(b"<header></header><meta name=robots content=noindex>", {"noindex": True}, id="header"),
        pytest.param(
            b'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
            b'<meta name="robots" content="noindex"/></head></html>',
            {"noindex": True},
            id="XHTML",
        ),
        pytest.param(
            b'<?xml version="1.0"?><rss version="2.0"><channel><title>x</title></channel></rss>',
            {"title": "x"},
            id="XML",
        ),
        pytest.param(b"<head>\0<meta name=robots\0 content=noindex></head>", {}, id="NUL"),
        pytest.param(
            b"<head><meta name=robots content=none>\xff\0<x></head>", {"noindex": True}, id="binary"
        ),
    ],
)
def test_files_that_are_hardly_pages(data: bytes, expected: dict[str, object]) -> None:
    assert said(parse_head(data)) == expected


STUB = '<head><title>x</title></head><body><p>Moved.{}<meta http-equiv="Refresh" content="0; url=/b/">'


@pytest.mark.parametrize(
    ("data", "refresh"),
    [
        pytest.param(STUB.format(""), "/b/", id="a stub"),
        pytest.param(STUB.format("<noscript>"), "/b/", id="in noscript"),
        pytest.param(STUB.format('<meta http-equiv="x" content="y">'), "/b/", id="another meta before"),
        pytest.param(STUB.format("<template>"), None, id="inert"),
        pytest.param(STUB.format("<!--"), None, id="a comment"),
        pytest.param(STUB.format("x" * 5_000), None, id="no stub: a page of 5 KB"),
        pytest.param(
            STUB.replace("<title>", '<meta http-equiv=refresh content="0;/a/"><title>'), "/a/", id="both"
        ),
    ],
)
def test_browsers_follow_a_refresh_in_the_body(tmp_path: Path, data: str, refresh: str | None) -> None:
    (tmp_path / "a.html").write_text(data)
    head = read_head(tmp_path / "a.html")
    assert head.refresh == refresh
    assert parse_head(data.encode()) == read_page(tmp_path / "a.html")[0] == head


def test_a_missing_file_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"gone\.html"):
        read_head(tmp_path / "gone.html")
    with pytest.raises(OSError, match="Not a regular file"):
        read_head(os.devnull)


@pytest.mark.parametrize("inner", ["", NOINDEX])
def test_files_are_closed(tmp_path: Path, inner: str) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(page(inner))
    free = os.dup(0)
    os.close(free)
    read_head(file)
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
    st.integers(0, 4_000),
)
def test_cutting_at_the_end_of_the_head_goes_unnoticed(pieces: list[str], body: str, cut: int) -> None:
    text = f"<head>{''.join(pieces)}</head><body>{body}</body>"
    assert parse_head(text.encode()) == parse_head(text.replace("<body>", "<p>").encode())


@given(st.binary(max_size=200), st.booleans())
def test_bytes_of_any_kind_are_read(data: bytes, inside: bool) -> None:
    parse_head(b"<head>" + data + b"</head>" if inside else data)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(
            b"<html " + b" ".join(b"a%d" % each for each in range(80_000)) + b"><head>", id="attributes"
        ),
        pytest.param(b"<meta " + b" ".join(b"a%d='><'" % each for each in range(80_000)) + b">", id="quoted"),
        pytest.param(b"".join(b"<html a%d>" % each for each in range(80_000)), id="tags that add to one"),
        pytest.param(b"<head><!-- " + b"</head>" * 80_000, id="</head> in an open comment"),
        pytest.param(b"<head><!-- " + b"<body " * 80_000, id="<body in an open comment"),
        pytest.param(
            b"<p>" + b"".join(b"<b id=%d>" % each for each in range(5_000)) + b"<p>x" * 5_000, id="formatting"
        ),
        pytest.param(b"<div>" * 80_000, id="nesting"),
        pytest.param(b"<div>" * 10_000 + b"</p>" * 10_000, id="end tags that look through all of it"),
    ],
)
def test_hostile_pages_end(data: bytes, tmp_path: Path) -> None:
    """Each took minutes, or gigabytes, in a parser that is given all of it at once."""
    file = tmp_path / "a.html"
    file.write_bytes(data)
    begun = process_time()
    read_head(file)
    assert process_time() - begun < HANGS


@pytest.mark.parametrize("tag", ["<div>", "<table>", "<svg>", "<noscript>", "</p>", "<script>a<b</script>"])
@pytest.mark.parametrize("end", ["</head><body>", "</head><style><body></style><body>", ""])
def test_a_head_of_many_elements_is_read_to_its_end(tag: str, end: str) -> None:
    data = f"<html lang=en><head><title>A</title>{tag * 2_000}{CANONICAL}{NOINDEX}{end}".encode()
    head = parse_head(data)
    assert (head.lang, head.title, head.canonicals, head.noindex) == ("en", "A", (LOC,), True)


@pytest.mark.parametrize("shift", range(4))
def test_a_large_head_keeps_the_text_of_its_attributes(shift: int) -> None:
    href = f"{LOC}?a{'<' * 100}b"
    data = f'<head>{"<meta>" * shift}{f"""<link rel="canonical" href="{href}">""" * 40}</head><body>'
    assert set(parse_head(data.encode()).canonicals) == {href}


@pytest.mark.parametrize("end", ["</head><body>", ""])
def test_a_large_head_keeps_the_text_of_its_title_and_data(end: str) -> None:
    before = "<meta>" * 505
    dated = '<script type="application/ld+json">{"a": "<<<<<", "dateModified": "2026-01-02"}</script>'
    head = parse_head(f"<head>{before}<title>{'a < b ' * 20}</title>{dated}{end}".encode())
    assert (head.title, head.modified) == (("a < b " * 20).strip(), ("2026-01-02",))


def test_what_a_large_head_says_is_read(tmp_path: Path) -> None:
    style = "a > b { color: red }\n" * 20_000
    data = (
        f"{OPEN}<style>{style}</style>{NOINDEX}<script>{'a<b;' * 5_000}</script>{CANONICAL}{CLOSE}".encode()
    )
    assert said(parse_head(data)) == {"noindex": True, "canonicals": (LOC,)}


def test_a_template_says_nothing() -> None:
    data = page(f"<template>{NOINDEX}</template><svg><title>x</title></svg>{CANONICAL}")
    assert parse_head(data).canonicals == (LOC,)
    assert not parse_head(data).noindex  # the contents of a template are inert: HTML 4.12.3
