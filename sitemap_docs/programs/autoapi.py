"""sphinx-autoapi: the modules behind the pages that it generates."""

from collections.abc import Iterator, Mapping
from typing import Any

from sitemap_docs.programs.protocols import ExtensionPages


class AutoapiPages(ExtensionPages):
    """The pages that sphinx-autoapi generates for the Python modules of a project."""

    def __init__(self, app: Any, documents: Mapping[str, str]) -> None:  # noqa: ANN401  of Sphinx
        super().__init__(app, documents)
        self._objects: dict[str, Any] = {}  # what the extension has read, by the whole name
        if app.config.autoapi_generate_api_docs:
            self._objects = getattr(app.env, "autoapi_all_objects", {})
        self._pages = {each.include_path.lstrip("/"): each for each in self._objects.values()}

    def modules(self, name: str) -> Iterator[str]:
        """Yield the Python files that a page such as ``autoapi/a/index`` documents, the main one first."""
        documented = self._pages.get(name)
        waiting = [documented] if documented else []
        while waiting:
            entry = waiting.pop(0)
            if not entry.display:
                continue
            inherited = entry.obj.get("inherited_from", {}).get("full_name")
            for identifier in (entry.id, entry.obj.get("original_path"), inherited):
                # The module is the longest part of the name for which the extension has read a file.
                module = identifier or ""
                while module and "file_path" not in getattr(self._objects.get(module), "obj", ()):
                    module = module.rpartition(".")[0]
                if module:
                    yield self._objects[module].obj["file_path"]
            # A page shows an object with a page of its own only as a line.
            if entry is documented or entry.include_path.lstrip("/") not in self.documents:
                waiting += entry.children
