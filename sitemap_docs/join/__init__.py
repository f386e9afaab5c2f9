"""Join several sites, such as the versions of a documentation: one sitemap, and edited pages in old versions.

- ``request.py`` has the flags of the user.
- ``version_records.py`` reads the records of versions, which show the sources of pages.
- ``index.py`` writes the common sitemap of all versions.
- ``replacements.py`` finds the new page that replaces an old page.
- ``old_versions.py`` decides which pages of old versions are edited, and edits them.
- ``joining.py`` runs these steps in order.
- ``redirects.py`` returns redirects for pages that have moved. It edits no page.

``version_policy.py``, outside of this package, decides which versions the common sitemap lists.
"""
