"""A folder of another generator: canonical links spelled three ways, a sitemap, and rules of a host."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import (
    BASE,
    GITIGNORE,
    STUB,
    UNDATED,
    History,
    Project,
    dated_by,
    headers,
    left_out,
    redirects,
)


def page(title: str, canonical: str, head: str = "") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{link}{head}</head>'
        f"<body><h1>{title}</h1></body></html>"
    )


#: Page by page, the address that its canonical link has; most spell it without ``.html``.
SPELLED = {
    "index.html": "",
    "a.html": "a",
    "b.html": "b",
    "c.html": "c",
    "d.html": "d.html",
    "guide/index.html": "guide/",
    "guide/one.html": "guide/one",
    "guide/two/index.html": "guide/two/index.html",
    "alone.html": "alone",
}
NAMES = ("", "a", "b", "c", "d.html", "guide/", "guide/one", "guide/two/index.html", "alone")
SITE = {
    **{name: page(name, BASE + spelled) for name, spelled in SPELLED.items()},
    "plain.html": page("Without a link", ""),
    "quiet.html": page("Quiet", "", '<meta name="robots" content="noindex">'),
    "elsewhere.html": page("Elsewhere", "https://other.example.net/page"),
    "old.html": STUB,
    "part.html": "<p>A part of a page</p>",
    "404.html": page("Not found", ""),
    "secret.html": page("Secret", ""),
    "forced.html": page("Forced", ""),
    "robots.txt": f"User-agent: *\nDisallow: /private/\nSitemap: {BASE}sitemap.xml\n",
    "_headers": headers("/secret"),
    "_redirects": redirects("/forced", "/a"),
    "sitemap.xml": (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        + "".join(f"<url><loc>{BASE}{name}</loc></url>" for name in NAMES)
        + "</urlset>\n"
    ),
}


def make(root: Path) -> None:
    history = History(root)
    sources = {f"content/{name.removesuffix('.html')}.md": f"# {name}\n" for name in SPELLED}
    history.commit({".gitignore": GITIGNORE, **sources})
    history.commit({"content/a.md": "# a\n\nText\n"})
    history.leave_untracked({f"out/{name}": text for name, text in SITE.items()})


def source_of(name: str) -> str:
    return f"content/{name.removesuffix('.html')}.md"


PROJECT = Project(
    name="folder-other",
    host="folder",
    make=make,
    settings={},
    truth={
        **{name: dated_by(source_of(name)) for name in SPELLED},
        "plain.html": UNDATED,
        "quiet.html": left_out("noindex"),
        "elsewhere.html": left_out("canonical elsewhere"),
        "old.html": left_out("redirect"),
        "part.html": left_out("template"),
        "404.html": left_out("404 page"),
        "secret.html": left_out("noindex"),
        "forced.html": left_out("redirect"),
    },
    flags=("--source", "content"),
)
