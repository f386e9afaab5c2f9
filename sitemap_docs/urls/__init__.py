"""The addresses of a site: its base URL, its hosts, when two spellings are one."""
