"""One module for each program that we follow. ``followed.py`` is the table of them.

A module is loaded when its attribute is used first: ``programs.macros`` loads ``macros.py``. Thus, the table
can refer to all modules although a build needs only a few, and mypy knows what each module contains.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_docs.programs import (
        ablog,
        autoapi,
        cloudflare_pages,
        doxygen,
        github,
        gitlab,
        google,
        include_markdown,
        literate_nav,
        macros,
        markdown_exec,
        markdown_include,
        markdown_include_variants,
        material_blog,
        material_meta,
        mdbook,
        mike,
        mkdocs,
        mkdocs_click,
        mkdocstrings,
        myst,
        netlify,
        print_site,
        pydoctor,
        pymdownx_snippets,
        quarto,
        read_the_docs,
        rustdoc,
        sphinx,
        sphinx_argparse,
        sphinx_click,
        sphinx_gallery,
        sphinx_notfound_page,
        sphinx_tags,
        static_i18n,
        vercel,
    )
else:
    from importlib import import_module

    def __getattr__(name: str) -> object:
        if name.startswith("_"):  # Python itself looks for such names, and no module is called so.
            raise AttributeError(name)
        return import_module(f"{__name__}.{name}")
