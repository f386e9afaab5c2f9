"""The addresses of a site: the base URL, hosts, languages, versions, and the comparison of two URLs."""
