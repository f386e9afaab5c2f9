"""Join several sites, such as the versions of a documentation: one sitemap, and edited pages in old versions.

- ``policy.py`` decides which versions are joined, and which version is the canonical one.
- ``version_records.py`` reads the records of versions, which show the sources of pages.
- ``index.py`` writes the sitemap of all joined sites.
- ``replacements.py`` decides which page of the canonical version replaces an old page.
- ``old_versions.py`` decides which pages of old versions are edited, and edits them.
- ``joining.py`` runs these steps in order.
"""
