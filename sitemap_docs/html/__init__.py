"""Read rendered pages in the same way as browsers and search engines."""
