"""sphinx-autoapi: the modules behind the pages that it generates."""

from collections.abc import Container, Iterator
from typing import Any


class DocumentedModules:
    """Finds the files of the modules behind the pages of a build."""

    def __init__(self, app: Any, documents: Container[str]) -> None:  # noqa: ANN401  of Sphinx
        self._documents = documents
        self._objects: dict[str, Any] = {}  # what was read, by the whole name
        if app.config.autoapi_generate_api_docs:
            self._objects = getattr(app.env, "autoapi_all_objects", {})
        self._pages = {each.include_path.lstrip("/"): each for each in self._objects.values()}

    def of(self, name: str) -> Iterator[str]:
        """The modules behind a page: the one that it documents comes first.

        Then come those that define what this one imports or inherits, as far as the page shows it.
        """
        documented = self._pages.get(name)
        waiting = [documented] if documented else []
        while waiting:
            each = waiting.pop(0)
            if not each.display:
                continue
            inherited = each.obj.get("inherited_from", {}).get("full_name")
            for identifier in (each.id, each.obj.get("original_path"), inherited):
                module = identifier or ""  # what it begins with: the longest name of a file that was read
                while module and "file_path" not in getattr(self._objects.get(module), "obj", ()):
                    module = module.rpartition(".")[0]
                if module:
                    yield self._objects[module].obj["file_path"]
            # What has a page of its own is summed up in a line here.
            if each is documented or each.include_path.lstrip("/") not in self._documents:
                waiting += each.children
