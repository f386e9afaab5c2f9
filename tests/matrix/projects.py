"""Small projects, one for each shape of documentation; each holds what is odd, and knows what is right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.conftest import BASE, git, urlset, write

LATE = "late/page.html"  # another extension writes it into the output
IGNORED = ".git-blame-ignore-revs"
GITIGNORE = "/out*/\n/trees*/\n/copy/\n/moved/\n/site*/\n__pycache__/\n*.mo\n"
EMPTY = "{% if 0 %}Nothing{% endif %}"


def html(title: str, canonical: str = "", head: str = "") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{link}{head}</head>'
        f"<body><h1>{title}</h1></body></html>"
    )


HAND_WRITTEN = html("Written by hand")
STUB = html("Moved", head='<meta http-equiv="refresh" content="0; url=/index.html">')
ELSEWHERE = html("Elsewhere", "https://other.example.net/page")


def headers(path: str) -> str:
    """The ``_headers`` that mark a page noindex, at the root of a host and below the path of a version."""
    return "".join(f"{place}{path}*\n  X-Robots-Tag: noindex\n" for place in ("", "/:language/:version"))


def redirects(forced: str, other: str, target: str) -> str:
    """The ``_redirects`` of two pages, at the root of a host and below the path of a version.

    The rules of the first are forced, and hide it. Where a file answers, those of the other do not hold, but
    on Cloudflare Pages.
    """
    rules = (f"{forced}* {target} 301!\n", f"{other}* {target} 301\n")
    return "".join(f"{place}{rule}" for rule in rules for place in ("", "/:language/:version"))


class Truth(NamedTuple):
    """What is right for one page: why it is left out (``""``: it is listed), and the files that date it.

    ``made_of`` are paths from the top of the repository, the files whose newest commit is the date. None:
    there is no date, as the page or something it is made of has no commit. ``day`` is a date that the page
    itself has.
    """

    reason: str = ""
    made_of: tuple[str, ...] | None = None
    day: str = ""


def dated_by(*files: str, day: str = "") -> Truth:
    return Truth(made_of=files, day=day)


def dated_alone(source: str, *names: str) -> dict[str, Truth]:
    """Pages, each dated by the source of its name alone."""
    return {f"{name}.html": dated_by(source.format(name)) for name in names}


def undated(*names: str) -> dict[str, Truth]:
    return {f"{name}.html": Truth() for name in names}


def left_out(reason: str, *names: str) -> dict[str, Truth]:
    return {f"{name}.html": Truth(reason) for name in names}


class History:
    """A repository with one commit after the other, each a month later than the one before."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._month = 0
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "-q", "-b", "main")

    def commit(self, files: Mapping[str, str]) -> str:
        """Writes and commits files, and what was moved. Returns the commit."""
        write(self._root, files)
        git(self._root, "add", "--", *files)
        date = f"{2020 + self._month // 12}-{self._month % 12 + 1:02}-15T12:00:00+00:00"
        self._month += 1
        git(self._root, "commit", "-q", "-m", f"Change {self._month}", date=date)
        return git(self._root, "rev-parse", "HEAD").strip()


@dataclass(frozen=True, kw_only=True)
class Project:
    """One shape of documentation.

    ``files`` are in the first commit, with symbolic ``links``; ``commits`` are the files of those that
    follow. Before the last one, that of a move is made, which the last one says to ignore. ``settings`` are
    those of conf.py or mkdocs.yml without ours; ``code`` is what else conf.py has. ``truth`` maps the name of
    each HTML file of the output, in the spelling of ``html`` and ``use_directory_urls: false``, to what is
    right for it. ``copied`` are files whose names no spelling changes, ``random`` those that no two builds
    write alike. ``only_in_plugin`` are pages that the command does not date, ``unforced`` those that a rule
    redirects on Cloudflare Pages alone. ``configuration`` is the folder of the configuration.
    """

    name: str
    files: Mapping[str, str]
    commits: tuple[Mapping[str, str], ...]
    links: Mapping[str, str] = field(default_factory=dict)
    moved: tuple[str, ...] = ()
    untracked: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    truth: Mapping[str, Truth]
    code: str = ""
    configuration: str = ""
    copied: tuple[str, ...] = ()
    random: tuple[str, ...] = ()
    only_in_plugin: tuple[str, ...] = ()
    unforced: tuple[str, ...] = ()
    themes: tuple[object, ...] = ()
    plugins: tuple[object, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def host(self) -> str:
        """``sphinx``, ``mkdocs`` or ``folder``: what its name begins with."""
        return self.name.partition("-")[0]

    def make(self, root: Path) -> None:
        """Writes and commits the files below a folder."""
        history = History(root)
        write(root, self.files)
        for name, target in self.links.items():
            (root / name).symlink_to(target)
        git(root, "add", ".")
        *earlier, last = self.commits
        for files in ({".gitignore": GITIGNORE, **self.files}, *earlier):
            history.commit(files)
        if self.moved:
            old, new = self.moved
            (root / new).parent.mkdir(parents=True, exist_ok=True)
            git(root, "mv", old, new)
            last = {IGNORED: f"{history.commit({})}\n", **last}
        history.commit(last)
        write(root, self.untracked)


# --- Sphinx ---


def rst(title: str, body: str = "", fields: str = "") -> str:
    return f"{fields}\n{'=' * 40}\n{title}\n{'=' * 40}\n\n{body}\n"


ORPHAN = ":orphan:\n"


def orphans(*names: str) -> dict[str, str]:
    return {f"src/{name}.rst": rst(name, "A text.", ORPHAN) for name in names}


TREE = """
.. toctree::
   :hidden:

   guide/install
   guide/usage
   errors/404
   api
   late-part
   computed
   über uns
   moved/new
"""
LATE_AND_REMOVED = """
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


def write_late(app, error):
    if app.builder.format != "html":
        return
    folder = Path(app.outdir, "late")
    folder.mkdir(exist_ok=True)
    text = "<!doctype html><html><head><title>Late</title></head><body>Written at the end</body></html>"
    (folder / "page.html").write_text(text, encoding="utf-8")
    for name in ("removed.html", "removed/index.html"):  # which is no page then
        Path(app.outdir, name).unlink(missing_ok=True)


def setup(app):
    app.connect("build-finished", write_late, 400)
"""
#: Documents, a module, hand-written HTML, files of a host, and pages that others render.
SPHINX_PLAIN = Project(
    name="sphinx-plain",
    files={
        "src/conf.py": "",
        "src/index.rst": rst("Home", TREE),
        **orphans("404", "da/404", "alone", "secret", "forced", "removed"),
        "src/guide/install.rst": rst("Install", "Text."),
        "src/guide/usage.rst": rst("Usage", ".. include:: /shared/part.rst\n"),
        "src/errors/404.rst": rst("The error 404", "What it means."),
        "src/api.rst": rst("API", ".. automodule:: matrix_thing\n   :members:\n"),
        "src/late-part.rst": rst("Late part", ".. literalinclude:: data/example.txt\n"),
        "src/computed.rst": rst("Untracked part", ".. include:: /shared/untracked.txt\n"),
        "src/über uns.rst": rst("Über uns", "Text."),
        "src/moved/old.rst": rst("Moved", "Text."),
        "src/quiet.rst": rst("Quiet", ".. meta::\n   :robots: noindex\n", ORPHAN),
        "src/hidden/off.rst": rst("Off", fields=":orphan:\n:sitemap: false\n"),
        "src/hidden/robots.rst": rst("Off", fields=":orphan:\n:robots: noindex\n"),
        "src/dated.rst": rst("Dated", fields=":orphan:\n:sitemap-lastmod: 2019-03-04\n"),
        "src/forced.txt": "A text that no document includes.\n",
        "src/usage-notes.rst": rst("Notes", fields=":orphan:\n:sitemap-priority: 0.3\n"),
        "src/shared/part.rst": "A part that has no title.\n",
        "src/data/example.txt": "An example.\n",
        "src/matrix_thing.py": "def thing():\n    '''A thing.'''\n",
        "src/extra/report.html": HAND_WRITTEN,
        "src/extra/old.html": STUB,
        "src/extra/javadoc/index.html": HAND_WRITTEN,
        "src/extra/fr/404.html": HAND_WRITTEN,
        "src/one/alone-file.html": HAND_WRITTEN,
        "src/extra/robots.txt": "# Ours\nUser-agent: *\nDisallow: /private/\n",
        "src/extra/_headers": headers("/secret"),
        "src/extra/_redirects": redirects("/forced", "/usage-notes", "/guide/install.html"),
        "src/templates/elsewhere.html": ELSEWHERE,
        "src/templates/empty.html": "{% if false %}Nothing{% endif %}",
    },
    commits=(
        {"src/guide/install.rst": rst("Install", "More text.")},
        {"src/shared/part.rst": "A part that changed after the page.\n"},
        {"src/matrix_thing.py": "def thing():\n    '''Another thing.'''\n"},
        {"src/usage-notes.rst": rst("Notes", "More", ":orphan:\n:sitemap-priority: 0.3\n")},
        {"src/data/example.txt": "Another example.\n"},
        {"src/templates/empty.html": EMPTY},
    ),
    moved=("src/moved/old.rst", "src/moved/new.rst"),
    untracked={
        **orphans("untracked"),
        "src/shared/untracked.txt": "Text of a file that git does not know.\n",
    },
    configuration="src",
    settings={
        "extensions": ["sphinx.ext.autodoc", "sphinx.ext.viewcode"],
        "html_theme": "basic",
        "html_extra_path": ["extra", "one/alone-file.html"],
        "templates_path": ["templates"],
        "html_additional_pages": {"elsewhere": "elsewhere.html", "empty": "empty.html"},
        "exclude_patterns": ["extra", "one", "templates"],
        "show_warning_types": True,
    },
    code=LATE_AND_REMOVED,
    themes=("basic", "pydata_sphinx_theme", "furo"),
    truth={
        **dated_alone("src/{}.rst", "index", "guide/install", "errors/404", "über uns", "alone"),
        **dated_alone("src/{}.rst", "usage-notes"),
        "guide/usage.html": dated_by("src/guide/usage.rst", "src/shared/part.rst"),
        "api.html": dated_by("src/api.rst", "src/matrix_thing.py"),
        "late-part.html": dated_by("src/late-part.rst", "src/data/example.txt"),
        "moved/new.html": dated_by("src/moved/old.rst"),
        "dated.html": dated_by(day="2019-03-04"),
        **left_out("404 page", "404", "da/404", "fr/404"),
        **undated("computed", "untracked"),
        **left_out("noindex", "quiet", "hidden/robots", "secret"),
        **left_out("sitemap: false", "hidden/off"),
        **left_out("redirect", "forced", "old"),
        **left_out("only included elsewhere", "shared/part"),
        **left_out("static file", "report", "javadoc/index", "alone-file", "late/page"),
        **left_out("canonical elsewhere", "elsewhere"),
        **left_out("template", "empty"),
        **left_out("generated", "search", "genindex", "py-modindex"),
        **left_out("generated", "_modules/index", "_modules/matrix_thing"),
    },
    unforced=("usage-notes.html",),
    copied=("report.html", "old.html", LATE, "javadoc/index.html", "fr/404.html", "alone-file.html"),
)


def catalogue(*pairs: tuple[str, str]) -> str:
    texts = "".join(f'msgid "{text}"\nmsgstr "{translation}"\n\n' for text, translation in pairs)
    return 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n' + texts


TEXT = ("A text.", "Ein Text.")
WHOLE = catalogue(("Whole", "Ganz"), TEXT)
#: The theme renders no canonical link: the folder alone tells how the builder links to its pages.
WITHOUT_CANONICAL = """

def setup(app):
    app.connect("html-page-context", without_address, 999)


def without_address(app, name, template, context, tree):
    context["pageurl"] = None
"""
#: A language other than that of the sources, with catalogues of some documents.
SPHINX_GETTEXT = Project(
    name="sphinx-gettext",
    files={
        "src/conf.py": "",
        "src/index.rst": rst("Home", ".. toctree::\n\n   whole\n   half\n   none\n   new\n"),
        "src/whole.rst": rst("Whole", "A text."),
        "src/half.rst": rst("Half", "A text.\n\nAnother text.\n"),
        "src/none.rst": rst("Not translated", "A text.\n"),
        "src/new.rst": rst("A new page", "A text.\n"),
        **orphans("sub/index", "alone"),
    },
    commits=(
        {
            "src/locale/de/LC_MESSAGES/index.po": catalogue(("Home", "Startseite")),
            "src/locale/de/LC_MESSAGES/whole.po": WHOLE,
            "src/locale/de/LC_MESSAGES/half.po": catalogue(("Half", "Halb"), ("A text.", "")),
            "src/locale/de/LC_MESSAGES/none.po": catalogue(("Not translated", ""), ("A text.", "")),
            "src/locale/de/LC_MESSAGES/sub/index.po": catalogue(("sub/index", "Darunter"), TEXT),
            "src/locale/de/LC_MESSAGES/alone.po": catalogue(("alone", "Allein"), TEXT),
        },
        {"src/locale/de/LC_MESSAGES/whole.po": f"{WHOLE}# A note\n"},
    ),
    configuration="src",
    code=WITHOUT_CANONICAL,
    settings={
        "extensions": [],
        "language": "de",
        "locale_dirs": ["locale"],
        "gettext_compact": False,
        "exclude_patterns": ["locale"],
    },
    themes=("basic", "alabaster", "sphinx_rtd_theme"),
    truth={
        **{
            f"{name}.html": dated_by(f"src/{name}.rst", f"src/locale/de/LC_MESSAGES/{name}.po")
            for name in ("index", "whole", "half", "sub/index", "alone")
        },
        **left_out("not translated", "none", "new"),
        **left_out("generated", "search", "genindex"),
    },
)


def post(title: str, date: str, tags: str, option: str = "") -> str:
    return rst(title, f".. post:: {date}\n   :tags: {tags}\n{option}\nA text.\n")


SECOND = post("Second", "2021-04-01", "news, other")
_POSTS = tuple(f"src/posts/{name}.rst" for name in ("first", "second", "moved", "far"))
#: ABlog: posts, drafts, archives and tags.
SPHINX_BLOG = Project(
    name="sphinx-blog",
    files={
        "src/conf.py": "",
        "src/index.rst": rst("Home", ".. toctree::\n\n   about\n"),
        "src/about.rst": rst("About", "A text."),
        **orphans("alone", "drafts"),
        "src/posts/first.rst": post("First", "2021-03-01", "news, drafts"),
        "src/posts/second.rst": SECOND,
        "src/posts/later.rst": post("Later", "2099-01-01", "other"),
        "src/posts/moved.rst": post("Moved", "2021-03-02", "news", "   :redirect: old/moved\n"),
        "src/posts/far.rst": post(
            "Far", "2021-03-03", "far", "   :canonical_link: https://other.example.net/post\n"
        ),
    },
    commits=({"src/posts/second.rst": f"{SECOND}More.\n"},),
    configuration="src",
    settings={
        "extensions": ["ablog"],
        "blog_title": "Blog",
        "blog_baseurl": BASE,
        "fontawesome_included": True,
    },
    themes=("alabaster", "sphinx_rtd_theme"),
    truth={
        **dated_alone("src/{}.rst", "index", "about", "alone", "drafts"),
        **dated_alone("src/{}.rst", "posts/first", "posts/second", "posts/later", "posts/moved"),
        **dict.fromkeys(("blog.html", "blog/archive.html", "blog/2021.html"), dated_by(*_POSTS)),
        "blog/tag.html": dated_by(*_POSTS),
        "blog/tag/news.html": dated_by(*_POSTS[:3]),
        "blog/tag/far.html": dated_by("src/posts/far.rst"),
        "blog/tag/drafts.html": dated_by("src/posts/first.rst"),
        "blog/tag/other.html": dated_by("src/posts/second.rst"),
        **left_out("redirect", "old/moved"),
        **left_out("canonical elsewhere", "posts/far"),
        **left_out("draft", "blog/drafts"),
        **left_out("generated", "search", "genindex"),
    },
)

# --- MkDocs ---


def titled(*names: str) -> dict[str, str]:
    """Pages of a title alone."""
    return {f"docs/{name}.md": f"# {name}\n" for name in names}


#: Drafts, an encrypted and a removed page, redirects, code that runs, and files of a host.
MKDOCS_PLAIN = Project(
    name="mkdocs-plain",
    files={
        "mkdocs.yml": "",
        **titled("index", "errors/404", "da/404", "über uns", "alone", "secret", "forced"),
        **titled("drafts/soon", "excluded/never", "removed"),  # the last by a hook
        "docs/guide/install.md": "# Install\n\nText\n",
        "docs/guide/usage.md": '# Usage\n\n--8<-- "part.md"\n',
        "docs/guide/untracked-part.md": '# Usage\n\n--8<-- "untracked.md"\n',
        "docs/moved/old.md": "# Moved\n\nText\n",
        "docs/quiet.md": "---\nrobots: noindex, follow\n---\n# Quiet\n",
        "docs/hidden/off.md": "---\nsitemap: false\n---\n# Off\n",
        "docs/hidden/listed.md": "---\nsitemap:\n  disable: true\n---\n# Off\n",
        "docs/dated.md": "---\nsitemap:\n  lastmod: 2019-03-04\n---\n# Dated\n",
        "docs/fields.md": "---\nlast_update:\n  date: 2018-05-06\n---\n# Dated by a field\n",
        "docs/made-of.md": "---\nsitemap:\n  sources: [../src/thing.py]\n---\n# Made of a program\n",
        "docs/usage-notes.md": "---\nsitemap:\n  priority: 0.3\n  changefreq: monthly\n---\n# Notes\n",
        "docs/locked.md": "---\npassword: abc\n---\n# Locked\n\nText\n",
        "docs/runs.md": """# Runs\n\n```python exec="1"\nprint("Text")\n```\n""",
        "docs/reads.md": """# Reads\n\n```python exec="1"\nimport os\nprint(os.path.exists("x"))\n```\n""",
        "docs/report.html": HAND_WRITTEN,
        "docs/old.html": STUB,
        "docs/part.html": "<p>A part of a page.</p>",
        "docs/robots.txt": "# Ours\nUser-agent: *\nDisallow: /private/\n",
        "docs/_headers": headers("/secret"),
        "docs/_redirects": redirects("/forced", "/usage-notes", "/guide/install.html"),
        "overrides/main.html": (
            '{% extends "base.html" %}{% block extrahead %}{% if page and page.meta.robots %}'
            '<meta name="robots" content="{{ page.meta.robots }}">{% endif %}{% endblock %}'
        ),
        "overrides/empty.html": "{% if false %}Nothing{% endif %}",
        "remove.py": (
            "from pathlib import Path\n\n\n"
            "def on_post_build(config):\n"
            '    for name in ("removed.html", "removed/index.html"):\n'
            "        Path(config.site_dir, name).unlink(missing_ok=True)\n"
        ),
        "snippets/part.md": "A part.\n",
        "src/thing.py": "THING = 1\n",
        "generate.py": (
            "import mkdocs_gen_files\n\n"
            'with mkdocs_gen_files.open("generated.md", "w") as page:\n    page.write("# Generated\\n")\n'
        ),
    },
    commits=(
        {"docs/guide/install.md": "# Install\n\nMore text\n"},
        {"snippets/part.md": "A part that changed after the page.\n"},
        {"src/thing.py": "THING = 2\n"},
        {"docs/secret.md": "# Secret\n\nText\n", "docs/alone.md": "# Alone\n"},
        {"overrides/empty.html": EMPTY},
    ),
    moved=("docs/moved/old.md", "docs/moved/new.md"),
    untracked={"docs/untracked.md": "# Untracked\n", "snippets/untracked.md": "Untracked\n"},
    settings={
        "nav": [
            *("index.md", "guide/install.md", "guide/usage.md", "guide/untracked-part.md"),
            *("errors/404.md", "über uns.md", "moved/new.md"),
        ],
        "not_in_nav": "*\n",
        "exclude_docs": "excluded/\n",
        "draft_docs": "drafts/\n",
        "hooks": ["remove.py"],
        "markdown_extensions": [{"pymdownx.snippets": {"base_path": ["snippets"]}}, "pymdownx.superfences"],
    },
    plugins=(
        {"gen-files": {"scripts": ["generate.py"]}},
        {"redirects": {"redirect_maps": {"gone.md": "guide/install.md"}}},
        {"encryptcontent": {"search_index": "clear"}},
        "markdown-exec",
    ),
    themes=("mkdocs", "readthedocs", "material"),
    truth={
        **dated_alone("docs/{}.md", "index", "guide/install", "errors/404", "über uns", "alone", "fields"),
        **dated_alone("docs/{}.md", "usage-notes"),
        "guide/usage.html": dated_by("docs/guide/usage.md", "snippets/part.md"),
        "moved/new.html": dated_by("docs/moved/old.md"),
        "dated.html": dated_by(day="2019-03-04"),
        "made-of.html": dated_by("docs/made-of.md", "src/thing.py"),
        **undated("guide/untracked-part", "generated", "untracked", "runs", "reads"),
        **left_out("404 page", "404", "da/404"),
        **left_out("noindex", "quiet", "secret"),
        **left_out("sitemap: false", "hidden/off", "hidden/listed"),
        **left_out("redirect", "forced", "gone", "old"),
        **left_out("encrypted", "locked"),
        **left_out("static file", "report", "part"),
        **left_out("unreadable", "removed"),
        **left_out("draft", "drafts/soon"),
        **left_out("generated", "empty"),
    },
    unforced=("usage-notes.html",),
    copied=("report.html", "old.html", "part.html", "404.html", "empty.html"),
    random=("locked.html",),
)

LANGUAGES = [
    {"locale": "en", "name": "English", "build": True, "default": True},
    {"locale": "de", "name": "Deutsch", "build": True},
]
#: mkdocs-static-i18n: two languages, and pages that one of them lacks.
MKDOCS_I18N = Project(
    name="mkdocs-i18n",
    files={
        "mkdocs.yml": "",
        **titled("index", "index.de", "both.en", "both.de", "english", "only.de", "off", "alone"),
        **titled("quiet", "quiet.de"),
        "docs/off.de.md": "---\nsitemap: false\n---\n# Aus\n",
        "docs/_headers": headers("/de/quiet"),
        "docs/report.html": HAND_WRITTEN,
    },
    commits=({"docs/both.de.md": "# Beide\n\nText\n"},),
    plugins=({"i18n": {"docs_structure": "suffix", "languages": LANGUAGES}},),
    themes=("mkdocs", "readthedocs", "material"),
    truth={
        **dated_alone("docs/{}.md", "index", "english", "off", "alone", "quiet"),
        "both.html": dated_by("docs/both.en.md"),
        **{f"de/{name}.html": dated_by(f"docs/{name}.de.md") for name in ("index", "both", "only")},
        **left_out("404 page", "404"),
        **left_out("static file", "report"),
        **left_out("sitemap: false", "de/off"),
        **left_out("noindex", "de/quiet"),
        **left_out("not translated", "de/english", "de/alone"),
    },
    copied=("404.html", "report.html"),
)

A_POST, B_POST = "docs/blog/posts/a.md", "docs/blog/posts/2025/b.md"
BLOG = {
    A_POST: "---\ndate: 2024-01-31\ncategories: [News]\n---\n# Hello World\n\nText\n",
    B_POST: "---\ndate:\n  created: 2025-01-31\nslug: second\n---\n# Another\n\nText\n",
}
#: Material for MkDocs with its blog: posts, a draft, an archive, categories.
MKDOCS_BLOG = Project(
    name="mkdocs-blog",
    files={
        "mkdocs.yml": "",
        **titled("index", "alone", "blog/index"),
        **BLOG,
        "docs/blog/posts/c.md": "---\ndate: 2025-02-28\ndraft: true\n---\n# Not yet\n\nText\n",
    },
    commits=tuple({name: f"{text}More\n"} for name, text in BLOG.items()),
    plugins=({"blog": {"pagination_per_page": 1}},),
    themes=("material",),
    truth={
        **dated_alone("docs/{}.md", "index", "alone"),
        "blog/index.html": dated_by("docs/blog/index.md", *BLOG),
        "blog/2024/01/31/hello-world.html": dated_by(A_POST),
        "blog/2025/01/31/second.html": dated_by(B_POST),
        "blog/archive/2024.html": dated_by(A_POST),
        "blog/archive/2025.html": dated_by(B_POST),
        "blog/page/2/index.html": dated_by(*BLOG),
        "blog/category/news.html": dated_by(A_POST),
        **left_out("404 page", "404"),
    },
    copied=("404.html",),
)

#: Below a monorepo: ``docs_dir: ../docs``, ``INHERIT`` with snippets, macros that write snippets, links.
MKDOCS_MONOREPO = Project(
    name="mkdocs-monorepo",
    files={
        "docs/index.html": HAND_WRITTEN,
        "docs/alone.md": "# Alone\n",
        "docs/snippet.md": '# A snippet\n\n--8<-- "part.py"\n',
        "docs/macro.md": '# A macro that writes a snippet\n\n{{ code("part.py") }}\n',
        "docs/included.md": '# An include\n\n{% include "part.txt" %}\n',
        "docs/computed.md": "# A computed include\n\n{% set name = 'part.txt' %}{% include name %}\n",
        "docs/javadoc/index.html": HAND_WRITTEN,
        "docs/javadoc/Thing.html": HAND_WRITTEN,
        "docs/old.html": STUB,
        "README.md": "# Read me\n",
        "shared/folder/page.md": "# A page\n",
        "snippets/part.py": "PART = 1\n",
        "includes/part.txt": "Part\n",
        "base.yml": "markdown_extensions:\n  - pymdownx.snippets:\n      base_path: [../snippets]\n",
        "build/matrix_macros.py": (
            "def define_env(env):\n    @env.macro\n    def code(name):\n        return f'--8<-- \"{name}\"'\n"
        ),
        "build/mkdocs.yml": "",
    },
    links={"docs/linked.md": "../README.md", "docs/folder": "../shared/folder"},
    commits=(
        {"docs/alone.md": "# Alone\n\nText\n"},
        {"includes/part.txt": "Another part\n"},
        {"snippets/part.py": "PART = 2\n"},
        {"README.md": "# Read this\n", "shared/folder/page.md": "# Another page\n"},
    ),
    configuration="build",
    settings={"INHERIT": "../base.yml", "docs_dir": "../docs"},
    plugins=({"macros": {"module_name": "matrix_macros", "include_dir": "../includes"}},),
    themes=("mkdocs", "readthedocs", "material"),
    truth={
        "index.html": dated_by("docs/index.html"),
        "alone.html": dated_by("docs/alone.md"),
        "snippet.html": dated_by("docs/snippet.md", "snippets/part.py"),
        "macro.html": dated_by("docs/macro.md", "snippets/part.py"),
        "included.html": dated_by("docs/included.md", "includes/part.txt"),
        "linked.html": dated_by("docs/linked.md", "README.md"),
        "folder/page.html": dated_by("docs/folder", "shared/folder/page.md"),
        **undated("computed"),
        **left_out("redirect", "old"),
        **left_out("static file", "javadoc/index", "javadoc/Thing"),
        **left_out("404 page", "404"),
    },
    copied=("404.html", "javadoc/index.html", "javadoc/Thing.html", "old.html"),
    only_in_plugin=("macro.html",),
)

# --- a folder ---

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
SITE = {
    **{name: html(name, BASE + spelled) for name, spelled in SPELLED.items()},
    **{name: html(name) for name in ("plain.html", "404.html", "secret.html", "forced.html")},
    "quiet.html": html("Quiet", head='<meta name="robots" content="noindex">'),
    "elsewhere.html": ELSEWHERE,
    "old.html": STUB,
    "part.html": "<p>A part of a page</p>",
    "robots.txt": f"User-agent: *\nDisallow: /private/\nSitemap: {BASE}sitemap.xml\n",
    "_headers": headers("/secret"),
    "_redirects": redirects("/forced", "/plain", "/a"),
    "sitemap.xml": urlset(*(BASE + spelled for spelled in SPELLED.values())),
}
SOURCES = {name: f"content/{name.removesuffix('.html')}.md" for name in SPELLED}
#: That of another generator: canonical links spelled three ways, a sitemap, and rules of a host.
FOLDER_OTHER = Project(
    name="folder-other",
    files={source: f"# {name}\n" for name, source in SOURCES.items()},
    commits=({"content/a.md": "# a\n\nText\n"},),
    untracked={f"out/{name}": text for name, text in SITE.items()},
    truth={
        **{name: dated_by(source) for name, source in SOURCES.items()},
        **undated("plain"),
        **left_out("noindex", "quiet", "secret"),
        **left_out("canonical elsewhere", "elsewhere"),
        **left_out("redirect", "old", "forced"),
        **left_out("template", "part"),
        **left_out("404 page", "404"),
    },
    unforced=("plain.html",),
    flags=("--source", "content"),
)

PROJECTS: dict[str, Project] = {
    project.name: project
    for project in (
        *(SPHINX_PLAIN, SPHINX_GETTEXT, SPHINX_BLOG),
        *(MKDOCS_PLAIN, MKDOCS_I18N, MKDOCS_BLOG, MKDOCS_MONOREPO),
        FOLDER_OTHER,
    )
}
