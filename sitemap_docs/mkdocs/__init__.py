"""The adapter of MkDocs and ProperDocs."""
