"""The adapter of MkDocs and ProperDocs."""

from importlib.util import find_spec

# ProperDocs' command answers for mkdocs; its library does once this is loaded.
if find_spec("mkdocs") is None:
    import properdocs.replacement  # noqa: F401
