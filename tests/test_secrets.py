"""No log shows an environment variable: no ``repr`` of the package contains one."""

import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from inspect import get_annotations
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType, MethodType

import pytest

import sitemap_docs
from sitemap_docs.surroundings import Environment, read_surroundings
from tests.conftest import BASE, command, commit, html_page, passed, write

TOKEN = "token-that-no-log-may-show"
KEY = "0123456789abcdef-key-of-indexnow"
OURS = "sitemap_docs."
PACKAGE = str(Path(sitemap_docs.__file__).parent)
HOSTS = ("mkdocs", "sphinx")
#: The file of the key is one of those in the output folder, which is public.
NAMES_ON_THE_DISK = {"_FolderNames"}


@pytest.fixture(autouse=True)
def _secrets(monkeypatch):
    monkeypatch.setenv("DEPLOY_TOKEN", TOKEN)
    monkeypatch.setenv("INDEXNOW_KEY", KEY)


def test_the_environment_hides_its_variables():
    environ = read_surroundings().environ
    assert environ["DEPLOY_TOKEN"] == TOKEN
    texts = [repr(environ), str(environ), f"{environ}", repr(environ.items()), repr(environ.values())]
    assert not any(TOKEN in text for text in texts)


# --- the classes of the package -----------------------------------------------------------------------------


def is_ours(kind: type) -> bool:
    return kind.__module__.startswith(OURS)


def names_in_hints(kind: type) -> set[str]:
    """The names that occur in the annotations of a class and of its ``__init__``, and those of its bases."""
    hints = [*get_annotations(kind).values(), *get_annotations(kind.__init__).values()]
    text = " ".join([*map(str, hints), *(base.__name__ for base in kind.__bases__)])
    return set(re.findall(r"\w+", text))


def classes() -> set[type]:
    """All classes that the package defines."""
    found: set[type] = set()
    for module in walk_packages(sitemap_docs.__path__, OURS):
        is_of_host = module.name.split(".")[1] in HOSTS
        if module.name.endswith("__main__"):
            continue
        try:
            members = vars(import_module(module.name)).values()
        except ImportError:
            if is_of_host:
                continue
            raise
        found |= {member for member in members if isinstance(member, type) and is_ours(member)}
    return found


def classes_that_reach_the_environment() -> set[type]:
    """The classes that hold the environment, or an object of a class that does."""
    names = {kind: names_in_hints(kind) for kind in classes()}
    reaching = {Environment}
    while more := {kind for kind in names if names[kind] & {each.__name__ for each in reaching}} - reaching:
        reaching |= more
    return reaching


class Watch:
    """Takes the ``repr`` of each object that the package works with: variables, arguments and results.

    ``seen`` has the classes of the objects, ``leaks`` those whose ``repr`` contains a secret.
    """

    def __init__(self) -> None:
        self.seen: set[type] = set()
        self.leaks: set[str] = set()
        self._times: dict[CodeType, int] = {}

    def __call__(self, frame, event: str, argument: object) -> None:
        code = frame.f_code
        if event not in {"call", "return"} or not code.co_filename.startswith(PACKAGE):
            return
        self._times[code] = self._times.get(code, 0) + 1
        if self._times[code] > 20:  # later ones have the same classes
            return
        values = [*frame.f_locals.values(), argument]
        if any(value is self for value in values) or code.co_name in {"__init__", "__post_init__", "__new__"}:
            return  # what is not made yet has no `repr`
        for value in values:
            self.look_at(value, code.co_qualname if sys.version_info >= (3, 11) else code.co_name)

    def look_at(self, value: object, place: str) -> None:
        kind = type(value)
        if isinstance(value, MethodType):
            kind = type(value.__self__)
        if not (is_ours(kind) or isinstance(value, partial)):
            return
        self.seen.add(kind)
        text = repr(value)
        if kind.__name__ in NAMES_ON_THE_DISK:
            text = text.replace(f"{KEY}.txt", "")
        if TOKEN in text or KEY in text:
            self.leaks.add(f"{kind.__qualname__} in {place}")

    @contextmanager
    def watching(self) -> Iterator[None]:
        before = sys.getprofile()
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(before)


@pytest.fixture
def watch() -> Watch:
    return Watch()


def unseen(watch: Watch, is_wanted) -> set[type]:
    return {kind for kind in classes_that_reach_the_environment() - watch.seen if is_wanted(kind.__module__)}


def test_no_class_of_the_extension_shows_a_secret(sphinx_project, watch):
    project = sphinx_project("a", sitemap_page_dates=True, sitemap_check=True)
    project.commit("2024-01-01T00:00:00+00:00")
    with watch.watching():
        project.build()
    assert watch.leaks == set()
    assert unseen(watch, lambda module: ".sphinx." in module) == set()


def test_no_class_of_the_plugin_shows_a_secret(mkdocs_project, watch):
    project = mkdocs_project({"index.md": "# Home"}, options={"page_dates": True, "check": True})
    project.commit("2024-01-01T00:00:00+00:00")
    with watch.watching():
        project.build()
    assert watch.leaks == set()
    assert unseen(watch, lambda module: ".mkdocs." in module) == set()


def test_no_class_of_the_commands_shows_a_secret(here, watch):
    files = {f"{version}/{name}.html": html_page() for version in ("1.0", "2.0") for name in ("index", "a")}
    files |= {"src/index.md": "# Home", "src/a.md": "# A"}
    commit(write(here, files), date="2024-01-01T00:00:00+00:00")
    newest, old = "2.0", "1.0"
    with watch.watching():
        for version in (newest, old):
            base = f"{BASE}{version}/"
            passed("build", version, "--base-url", base, "--source", "src", "--formats", "text")
        passed("check", newest, "--select", "all", "--fail-on", "never")
        passed("explain", newest, "a.html")
        passed("report", newest)
        command("diff", old, newest)
        passed("join", ".")
        command("notify", old, newest)
    assert watch.leaks == set()
    assert unseen(watch, lambda module: not re.search(r"\.(?:sphinx|mkdocs)\.", module)) == set()


# --- what Sphinx prints if a handler raises -----------------------------------------------------------------

#: A project whose own handler gives the pages a link that cannot be compared with anything.
ODD_LINK = """
class Link:
    def __eq__(self, other):
        raise ValueError("no comparison")
    __hash__ = None
def setup(app):
    def link(app, name, template, context, doctree):
        context["pageurl"] = Link()
    app.connect("html-page-context", link)
"""


def test_a_handler_that_raises(sphinx_project, tmp_path, monkeypatch):
    """Sphinx prints the handler with everything that it can reach, also into the log of the error."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    project = sphinx_project("a")
    project.extend(ODD_LINK)
    run = project.build("html", "-T", code=2)
    (log,) = tmp_path.glob("sphinx-err-*.log")
    for text in (run.warnings, log.read_text(encoding="utf-8")):
        assert "Handler <bound method Build.on_page" in text
        assert TOKEN not in text
        assert KEY not in text
