"""The word to search engines."""
