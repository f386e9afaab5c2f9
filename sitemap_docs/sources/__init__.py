"""Find the files that a page is made of: its source, included files, documented modules, and posts."""
