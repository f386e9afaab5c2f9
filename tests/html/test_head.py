"""What a head says, by the parser of the HTML standard, wherever the file is cut."""

import os
from pathlib import Path
from time import process_time

import pytest

from sitemap_docs.html.body import read_page
from sitemap_docs.html.head import Head, parse_head, read_head
from sitemap_docs.model import Alternate
from tests.conftest import HANGS, NOINDEX

LOC = "https://example.org/docs/a/"
OPEN = '<!DOCTYPE html>\n<html lang="en">\n<head>\n'
CANONICAL = f'<link rel="canonical" href="{LOC}" />'
CLOSE = "\n</head>\n<body><h1>A</h1></body>\n</html>\n"
FILLER = f"<script>{'x = 1 < 2;' * 2000}</script>"  # longer than the first read


def page(inner: str) -> bytes:
    return f"{OPEN}{inner}{CLOSE}".encode()


def said(data: bytes) -> dict[str, object]:
    """What a page's head says beyond its language, by name."""
    head = parse_head(data, described=True)
    values = {"noindex": head.noindex} | head._asdict()
    silent = Head()._asdict() | {name: getattr(head, name) for name in ("lang", "robots", "template")}
    silent["noindex"] = False
    return {name: value for name, value in values.items() if value != silent[name]}


HIDES = [
    NOINDEX,
    '<meta name="robots" content="none">',
    '<META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW">',
    '<meta content="follow noindex"\n name = "robots">',
    '<meta name="googlebot" content="noindex">',
    '<meta name="bingbot" content="noindex">',
    '<meta name="&#114obots" content=noindex>',
    f"<noscript>{NOINDEX}</noscript>",
    f"<div></div>{NOINDEX}",  # an element that ends the head early
    f"<script>'</head>'</script>{NOINDEX}",
    f"<!-- </head> -->{NOINDEX}",
    f'<meta name="a" content="</head>">{NOINDEX}',
    f"<style></head><body></style>{NOINDEX}",
    f'<meta a="<!--">{NOINDEX}<!-- -->',
    f"<!-->{NOINDEX}-->",
    f"<script></SCRIPT>{NOINDEX.replace('meta', 'META')}</script>",
    f'<meta a="<script>">{NOINDEX}<script></script>',
    f"<script>'<!--<script>'</script></head><body></script>{NOINDEX}",
    f"{FILLER}{NOINDEX}",  # past the first read
    f"{NOINDEX}{FILLER}",  # in the first read, which is not all
    f"<script>'</head>'</script>{FILLER}{NOINDEX}",
]
HIDES_NOTHING = [
    '<meta name="robots" content="index, follow">',
    '<meta name="yandex" content="noindex">',
    '<meta name="description" content="noindex, none">',
    f"<!-- {NOINDEX} -->",
    f"<script>'{NOINDEX}'</script>",
    f"<!-- > --{NOINDEX}-->",
    "<link name=robots content=noindex>",
    "<meta charset=utf-8><script>if (a<b && c) { location.hash = 'x' }</script>",
    '<link rel="canonical" href="">',
    '<link rel="canonical" hreflang="de" href="/de/">',  # Google ignores it
    '<meta http-equiv="refresh" content="soon">',
    '<meta http-equiv="refresh" content="">',
    "<meta name=generator>",
]
CANONICALS = {
    f'<!-- {NOINDEX} -->{CANONICAL}<link href="/b/" rel="canonical">': (LOC, "/b/"),
    '<link href=" /b/\n" rel="Canonical">': ("/b/",),
    '<link rel="x canonical" href="/b&amp;c/">': ("/b&c/",),
    f'<link href="/b/" rel="canonical" href="{LOC}">': ("/b/",),
    '<link rel="canonical" href="/b\n/\tc/">': ("/b/c/",),
    '<link rel=canonical href="//[">': ("//[",),
}
REFRESHES = {
    '<meta http-equiv="refresh" content="0; url=/b/">': "/b/",
    "<META HTTP-EQUIV=Refresh CONTENT=\"0;URL='/b/?c'\">": "/b/?c",
    """<meta http-equiv=refresh content='0; url="/b/"'>""": "/b/",
    """<meta http-equiv="refresh" content="0; '/b/'c'd">""": "/b/",
    '<meta http-equiv="refresh" content="5, /b/">': "/b/",
    '<meta http-equiv="refresh" content="300">': "",
    '<meta http-equiv="refresh" content="soon"><meta http-equiv="refresh" content="0; url=/b/">': "/b/",
    '<noscript><meta http-equiv="refresh" content="0; url=b.html" /></noscript>': "b.html",
}
GERMAN, DE = '<link rel="alternate" hreflang="de" href="/de/">', Alternate("de", "/de/")
OTHERS = [
    (f'<base target=_top><base href="/x/">{GERMAN}<base href="/y/">', {"base": "/x/", "alternates": (DE,)}),
    (GERMAN + GERMAN.replace('"de"', "fr"), {"alternates": (DE, Alternate("fr", "/de/"))}),
    ("<meta name=generator content=x-1><title> A\n &amp; B</title>", {"generator": "x-1", "title": "A & B"}),
]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "latin-1"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(encoding: str) -> None:
    bom = {"utf-16-be": b"\xfe\xff", "utf-16-le": b"\xff\xfe"}.get(encoding, b"")
    charset = '<meta charset="iso-8859-1">' if encoding == "latin-1" else ""
    data = bom + f"{OPEN}{charset}<link rel=canonical href='/é/'>{NOINDEX}{CLOSE}".encode(encoding)
    assert said(data) == {"canonicals": ("/é/",), "noindex": True}


@pytest.mark.parametrize(
    "inner",
    ["<style><body></style>{}", "<script>'<body>'</script><!-- <body> -->{}", "<hr><style><body></style>{}"],
)
@pytest.mark.parametrize("before", ["<head>", "<!--<body>--><head>", "<style><body></style></head>"])
def test_a_body_that_is_none_does_not_end_the_head(before: str, inner: str) -> None:
    head = before + inner.format("<meta name=generator content=x>")
    after = f"{NOINDEX}<script>'<body>'</script><body sitemap-docs-body=9>{NOINDEX}"
    assert said(f"{head}</head><body>{after}".encode()) == {"generator": "x"}
    assert said(f"{head}<p>{NOINDEX}".encode()) == {"generator": "x", "noindex": True}


MOVED = b'<meta http-equiv=refresh content="0;url=b">'
XHTML = b'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
HARDLY_PAGES = {
    b"": {},
    b"notes.txt": {},
    b"<p>A fragment": {},
    MOVED: {"refresh": "b"},
    b"<html><body><p>Moved." + MOVED + b"</body></html>": {"refresh": "b"},
    b"<head x></head x><body x><meta name=robots content=none>": {},
    b"<head></head><meta name=robots content=none><body>": {"noindex": True},
    b"<header></header><meta name=robots content=noindex>": {"noindex": True},
    XHTML + b'<meta name="robots" content="none"/></head>': {"noindex": True},
    b'<?xml version="1.0"?><rss><a><title>x</title></a></rss>': {"title": "x"},
    b"<head>\0<meta name=robots\0 content=noindex></head>": {},
    b"<head><meta name=robots content=none>\xff\0<x></head>": {"noindex": True},
}
STUB = '<head><title>x</title></head><body><p>Moved.{}<meta http-equiv="Refresh" content="0; url=/b/">'
STUBS = {
    STUB.format(""): "/b/",
    STUB.format("<noscript>"): "/b/",
    STUB.format('<meta http-equiv="x" content="y">'): "/b/",
    STUB.format("<template>"): None,
    STUB.format("<!--"): None,
    STUB.format("x" * 5_000): "/b/",
    STUB.replace("<title>", "<meta http-equiv=refresh content='0;/a/'><title>"): "/a/",
}
LONG = f"<head><title>x</title></head><body>{'<p>Text of the article.</p>' * 250}"  # more than 4,096 bytes
REFRESH = '<meta http-equiv="refresh" content="0; url=/b/">'
FOLLOWED_BY_BROWSERS = [
    "{}",
    "<article><p>Moved.</p>{}</article>",
    "<table><tr><td>x</td>{}</tr></table>",
    "<svg><g>{}</g></svg>",
    "<div hidden>{}</div>",
    "<pre><code>{}</code></pre>",  # an element, unless it is escaped
    "</body></html>{}",
    "<noscript></noscript>{}",
    "<!-- a comment -->{}",
    '<meta http-equiv="refresh" content="soon">{}',
    "q" * 2_000 + "{}",
]
IGNORED_BY_BROWSERS = [
    "<noscript>{}</noscript>",
    "<noscript><p>{}",
    "<template>{}</template>",
    "<div><template shadowrootmode=open>{}</template></div>",
    "<!-- {} -->",
    "<!-- {}",
    "<script>'{}'</script>",
    "<style>{}</style>",
    "<textarea>{}</textarea>",
    "<xmp>{}</xmp>",
    "<iframe>{}</iframe>",
    "<p title='{}'>x</p>",
    "<meta itemprop=position content=1><p>The attribute http-equiv, with the value refresh</p><!-- {} -->",
]
ESCAPED = "<pre><code>" + REFRESH.replace("<", "&lt;") + "</code></pre>"
SPELLED = [
    REFRESH.upper().replace("/B/", "/b/"),
    REFRESH.replace("http-equiv", "Http-Equiv").replace("refresh", "Refresh"),
    REFRESH.replace("refresh", "refr&#101;sh"),
    "<meta\ncontent=0;/b/\nhttp-equiv=refresh>",
]
MANY = "<p>" * 16_500
IN_THE_BODY = [
    *((LONG + inner.format(REFRESH), {"refresh": "/b/"}) for inner in FOLLOWED_BY_BROWSERS),
    *((LONG + inner.format(REFRESH), {}) for inner in IGNORED_BY_BROWSERS),
    *((LONG + meta, {"refresh": "/b/"}) for meta in SPELLED),
    (LONG + ESCAPED, {}),
    (LONG.replace("<head>", "").replace("</head>", "") + f"<noscript>{REFRESH}</noscript>", {}),
    (LONG.replace("</head>", f"<noscript>{REFRESH}</noscript></head>"), {}),
    (LONG.replace("</head>", f"<noscript>{REFRESH}</noscript></head>") + REFRESH, {"refresh": "/b/"}),
    (f"{LONG}{MANY}{REFRESH}", {"refresh": "/b/"}),
    (f"{LONG}<!--{MANY}{REFRESH}-->", {}),
    (f"{LONG}<template>{MANY}{REFRESH}</template>", {}),
]
SAID = [
    *((text.encode(), {"title": "x"} | expected) for text, expected in IN_THE_BODY),
    *((page(inner), {"noindex": True}) for inner in HIDES),
    *((page(inner), {}) for inner in HIDES_NOTHING),
    *((page(inner), {"canonicals": urls}) for inner, urls in CANONICALS.items()),
    *((page(inner), {"refresh": url}) for inner, url in REFRESHES.items()),
    *((page(inner), expected) for inner, expected in OTHERS),
    *HARDLY_PAGES.items(),
    *((text.encode(), {"title": "x"} | ({"refresh": url} if url else {})) for text, url in STUBS.items()),
]


@pytest.mark.parametrize(("data", "expected"), SAID)
def test_what_a_head_says(data: bytes, expected: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(data)
    assert said(data) == expected
    head = parse_head(data, described=True)
    assert read_page(file)[0] == read_head(file, described=True) == head
    assert read_head(file) == parse_head(data) == head._replace(title=None, generator=None, modified=())


def test_a_missing_file_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"gone\.html"):
        read_head(tmp_path / "gone.html")
    with pytest.raises(OSError, match="Not a file, but a folder, a pipe or a device"):
        read_head(os.devnull)


# --- heads that nobody thought of --------------------------------------------------------------------------


HOSTILE = [
    pytest.param(b"<html " + b" ".join(b"a%d" % each for each in range(80_000)), id="attributes"),
    pytest.param(b"<meta " + b" ".join(b"a%d='><'" % each for each in range(80_000)) + b">", id="quoted"),
    pytest.param(b"".join(b"<html a%d>" % each for each in range(80_000)), id="tags that add to one"),
    pytest.param(b"<head><!-- " + b"</head>" * 80_000, id="</head> in an open comment"),
    pytest.param(b"<head><!-- " + b"<body " * 80_000, id="<body in an open comment"),
    pytest.param(b"<p>" + b"<b id=x>" * 5_000 + b"<p>x" * 5_000, id="formatting"),
    pytest.param(b"<div>" * 80_000, id="nesting"),
    pytest.param(b"<div>" * 10_000 + b"</p>" * 10_000, id="end tags that look through all of it"),
]


@pytest.mark.parametrize("data", HOSTILE)
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
    head = parse_head(data, described=True)
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
    data = f"<head>{before}<title>{'a < b ' * 20}</title>{dated}{end}".encode()
    head = parse_head(data, described=True)
    assert (head.title, head.modified) == (("a < b " * 20).strip(), ("2026-01-02",))


def test_a_template_says_nothing() -> None:
    data = page(f"<template>{NOINDEX}</template><svg><title>x</title></svg>{CANONICAL}")
    assert parse_head(data).canonicals == (LOC,)
    assert not parse_head(data).noindex  # the contents of a template are inert: HTML 4.12.3


@pytest.mark.parametrize("data", ['{"dateModified":', '{"dateModified": ' + "[" * 100_000])
def test_linked_data_that_cannot_be_read_says_nothing(data: str) -> None:
    text = f'<head><title>A</title><script type="application/ld+json">{data}</script></head>'
    head = parse_head(text.encode(), described=True)
    assert (head.title, head.modified) == ("A", ())
