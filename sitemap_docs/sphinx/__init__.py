"""The Sphinx adapter."""
