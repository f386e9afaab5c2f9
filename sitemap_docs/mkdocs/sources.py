"""What a page of MkDocs is made of: its source, and what it includes, documents or lists."""

from __future__ import annotations

import posixpath
import re
import sys
from glob import glob
from os import PathLike, fspath
from os.path import abspath, normpath
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin

from sitemap_docs.mkdocs.modules import defining_file
from sitemap_docs.paths import seen_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

    from sitemap_docs.options import Globs

    Reader = Callable[[str, Path, Path], Iterable[Path]]

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1", re.MULTILINE | re.DOTALL)


class PageSources:
    """Finds the files behind the pages of one build; reads each included file once."""

    def __init__(self, config: MkDocsConfig, dependencies: Globs | bool) -> None:  # noqa: FBT001
        self._config = config
        self._dependencies = dependencies
        self.docs = Path(config.docs_dir)
        self._texts: dict[Path, str] = {}
        self._readers = tuple(reader for make in _READERS if (reader := make(config)))

    def of(self, file: File) -> tuple[Path, ...]:
        """The page's own source first, unless it is generated, then the rest without repetition."""
        own = self._own(file)
        if self._dependencies is False:
            return own
        found = (*_edited(file, self._config), *_listed(file), *self._read(file))
        return tuple(dict.fromkeys((*own, *(path for path in found if self._counts(path)))))

    def _own(self, file: File) -> tuple[Path, ...]:
        if not file.generated_by:
            return (Path(file.abs_src_path),) if file.abs_src_path else ()
        # A generated file lies in a temporary folder; mkdocs-gen-files may have begun it with a real one.
        path = self.docs / file.src_uri
        return (path,) if path.is_file() else ()

    def _read(self, file: File) -> Iterator[Path]:
        if not self._readers or not file.is_documentation_page():
            return
        folder = Path(file.abs_src_path).parent if file.abs_src_path else self.docs
        queue, seen = [(file.content_string, folder)], set()
        while queue:
            text, place = queue.pop()
            for path in (found for read in self._readers for found in read(text, place, folder)):
                if path not in seen:
                    seen.add(path)
                    yield path
                    if path.suffix != ".py":
                        queue.append((self._text(path), path.parent))

    def _text(self, path: Path) -> str:
        if path not in self._texts:
            self._texts[path] = path.read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def _counts(self, path: Path) -> bool:
        if isinstance(self._dependencies, bool):
            return True
        return not self._dependencies.includes([seen_from(self.docs, path)])


def _edited(file: File, config: MkDocsConfig) -> Iterator[Path]:
    """The file behind the "edit" button of a generated page, as mkdocs-gen-files 0.5 sets it."""
    edit_url = file.page.edit_url if file.page else None
    if not file.generated_by or not edit_url or not config.edit_uri or set(config.edit_uri) & {"?", "#"}:
        return
    docs_url = urljoin((config.repo_url or "").rstrip("/") + "/", config.edit_uri)
    path = Path(normpath(Path(config.docs_dir, unquote(posixpath.relpath(edit_url, docs_url)))))
    if path.is_file():
        yield path


def _listed(file: File) -> Iterator[Path]:
    """The posts of a view (index, archive, category) of Material's blog plugin."""
    posts: Iterable[Any] = getattr(file.page, "posts", ())
    return (Path(post.file.abs_src_path) for post in posts if post.file.abs_src_path)


_SNIPPET = re.compile(r"""^[ \t]*-+8<-+(?:[ \t]+(["'])(?P<inline>.+?)\1|(?P<block>))\r?$""")
_LINES = re.compile(r"(?i):(?:[-0-9:,]*|[a-z][-_0-9a-z]*)$")


def _snippets(config: MkDocsConfig) -> Reader | None:
    """``--8<--`` of pymdownx.snippets 9 and later; what ``auto_append`` adds to every page dates none."""
    if "pymdownx.snippets" not in config.markdown_extensions:
        return None
    options = (config.mdx_configs or {}).get("pymdownx.snippets") or {}
    bases = options.get("base_path", ".")
    bases = [bases] if isinstance(bases, (str, PathLike)) else list(bases)
    restricted = options.get("restrict_base_path", True)

    def read(text: str, place: Path, page: Path) -> Iterator[Path]:  # noqa: ARG001
        for name in _snippet_names(text) if "8<-" in text else ():
            found = (_under(_folder(base, page), name, restricted=restricted) for base in bases)
            if path := next(filter(None, found), None):
                yield path

    return read


def _snippet_names(text: str) -> Iterator[str]:
    block = False
    for line in text.split("\n"):
        match = _SNIPPET.match(line)
        if match and match["block"] is not None:
            block = not block
        elif match and not block:
            yield _LINES.sub("", match["inline"])
        elif block and (name := line.strip()):
            yield _LINES.sub("", name)


def _folder(base: str | PathLike[str], page: Path) -> str:
    # MkDocs resolves its tag `!relative` only while it renders the page.
    relative = type(base).__name__ == "RelativeDirPlaceholder"
    return str(page) if relative else abspath(fspath(base))  # noqa: PTH100  links stay


def _under(base: str, name: str, *, restricted: bool) -> Path | None:
    path = Path(normpath(Path(base, name)))
    if Path(base).is_file():
        return Path(base) if path.name == Path(base).name else None
    return path if path.is_file() and (not restricted or path.is_relative_to(base)) else None


_EXCLUDE = re.compile(r"""\bexclude=(?:"([^"]+)"|'([^']+)')""")


def _included(config: MkDocsConfig) -> Reader | None:
    """The directives of mkdocs-include-markdown-plugin 6 and later."""
    plugin = config.plugins.get("include-markdown")
    if plugin is None:
        return None
    options = plugin.config
    opening, closing = re.escape(options["opening_tag"]), re.escape(options["closing_tag"])
    words = "|".join(re.escape(word) for word in options["directives"].values() if word)
    quoted = r"""(?:"((?:\\"|[^"])+)"|'((?:\\'|[^'])+)')"""
    directive = re.compile(rf"{opening}\s*(?:{words})\s+{quoted}(.*?){closing}", re.DOTALL)

    def read(text: str, place: Path, page: Path) -> Iterator[Path]:  # noqa: ARG001
        for double, single, arguments in directive.findall(text):
            excluded = {path for pair in _EXCLUDE.findall(arguments) for path in files("".join(pair), place)}
            yield from (path for path in files(double or single, place) if path not in excluded)

    def files(name: str, place: Path) -> list[Path]:
        folder = place if name.startswith(("./", "../")) else Path(config.docs_dir)
        exact = Path(normpath(folder / name))
        names = [str(exact)] if exact.is_file() else sorted(glob(str(folder / name), recursive=True))  # noqa: PTH207  allows more
        return [path for path in map(Path, map(normpath, names)) if path.is_file()]

    return read


_IDENTIFIER = re.compile(r"^(?:#{1,6} *)?::: ?([\w.]+) *\r?$", re.MULTILINE)


def _documented(config: MkDocsConfig) -> Reader | None:
    """The Python modules of mkdocstrings' ``::: package.module``."""
    plugin = config.plugins.get("mkdocstrings")
    if plugin is None:
        return None
    handler = (plugin.config["handlers"] or {}).get("python") or {}
    root = Path(config.config_file_path or config.docs_dir).parent
    folders = [*(root / path for path in handler.get("paths") or ["."]), *map(Path, sys.path)]

    def read(text: str, place: Path, page: Path) -> Iterator[Path]:  # noqa: ARG001
        for identifier in _IDENTIFIER.findall(_FENCED.sub("", text)) if ":::" in text else ():
            if module := defining_file(identifier, folders):
                yield module

    return read


_READERS = (_snippets, _included, _documented)
