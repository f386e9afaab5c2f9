"""A page of a generator that is not followed has no date if its source marks that it includes files."""

import pytest

from sitemap_docs.model import Cause
from sitemap_docs.programs.include_marks import include_mark

MARKED = [
    pytest.param(".adoc", "= A\n\ninclude::b.adoc[tag=x]\n", "include::b.adoc[tag=x]", id="AsciiDoc"),
    pytest.param(".mdx", "import B from './b.mdx';\n\n# A", "import B from './b.mdx'", id="MDX"),
    pytest.param(".mdx", 'import {\n  b,\n} from "@site";', 'import {\\n  b,\\n} from "@site"', id="lines"),
    pytest.param(".mdx", "import '../b.js'", "import '../b.js'", id="without a name"),
    pytest.param(".md", "import B from '@my/b';\n", "import B from '@my/b'", id="an alias, or a package"),
    pytest.param(".astro", "---\nimport B from 'src/b'\n---\n", "import B from 'src/b'", id="Astro"),
    pytest.param(".md", "{% include b.html x='y' %}", "{% include b.html x='y' %}", id="Jekyll"),
    pytest.param(".njk", "{% from 'b.njk' import c %}", "{% from 'b.njk' import c %}", id="Nunjucks"),
    pytest.param(".liquid", "{% renderFile './b.md' %}", "{% renderFile './b.md' %}", id="Eleventy"),
    pytest.param(".mdoc", '{% partial file="b.md" /%}', '{% partial file="b.md" /%}', id="Markdoc"),
    pytest.param(".md", '{{% include "b.md" %}}', '{{% include "b.md" %}}', id="Hugo"),
    pytest.param(".md", '{{< docs/readfile "b" >}}', '{{< docs/readfile "b" >}}', id="Hugo, a folder"),
    pytest.param(".qmd", "{{< include _b.qmd >}}", "{{< include _b.qmd >}}", id="Quarto"),
    pytest.param(".md", "{{#include b.rs:2}}", "{{#include b.rs:2}}", id="mdBook without book.toml"),
    pytest.param(".md", "<!--@include: ./b.md-->", "<!--@include: ./b.md-->", id="VitePress"),
    pytest.param(".md", "A\n\n<<< @/b.js{2}\n", "<<< @/b.js{2}", id="code of VitePress"),
    pytest.param(".md", ":::{include} b.md\n:::", "{include} b.md", id="MyST"),
    pytest.param(".rst", "A\n\n.. include:: b.rst\n", ".. include:: b.rst", id="reStructuredText"),
    pytest.param(".rst", "..  csv-table::\n   :file: b.csv\n", ":file: b.csv", id="a table"),
    pytest.param(".rst", "```{raw}\n---\na: b\nfile: b.csv\n---\n```\n", "file: b.csv", id="options of MyST"),
    pytest.param(".org", "#+INCLUDE: b.org", "#+INCLUDE: b.org", id="Org"),
    # What looks like a comment or code, and is neither.
    pytest.param(".md", "{# {% include 'b' %} #}", "{% include 'b' %} #}", id="Liquid has no such comment"),
    pytest.param(".md", "{% raw %}{% comment %}{% endraw %}{% include 'b' %}", "{% include 'b' %}", id="raw"),
    pytest.param(".md", "````{note}\n```{include} b.md\n```\n````\n", "{include} b.md", id="a note of MyST"),
    pytest.param(".md", "```md\n{% include b %}\n```\n", "{% include b %}", id="code with Liquid"),
    pytest.param(".org", "#+begin_src\n#+INCLUDE: b.org", "#+INCLUDE: b.org", id="no end of code in Org"),
    pytest.param(".adoc", "----\n////\ninclude::b[]\n////\n----\n", "include::b[]", id="code in AsciiDoc"),
    pytest.param(".rst", "* A::\n\n    b\n\n  .. include:: c\n", ".. include:: c", id="in a list"),
    pytest.param(".rst", "A::\n\n   b\n\n.. include:: c\n", ".. include:: c", id="behind a literal block"),
    pytest.param(".rst", ".. note::\n\n   .. include:: c\n", ".. include:: c", id="in a note"),
    pytest.param(".rst", ".. [1] A\n\n   .. include:: c\n", ".. include:: c", id="in a footnote"),
    pytest.param(".rst", "..\n\n  .. include:: c\n", ".. include:: c", id="behind an empty comment"),
]


@pytest.mark.parametrize(("ending", "text", "mark"), MARKED)
def test_marks(ending, text, mark):
    cause = include_mark(text, ending)
    assert cause == Cause("computed-include", f"sitemap-docs does not know the included file of {mark}")


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        pytest.param(".adoc", "See \\include::b.adoc[] and include::b.adoc[].", id="AsciiDoc"),
        pytest.param(".mdx", "import Tabs from '@theme/Tabs';\nimport 'react'\n", id="packages"),
        pytest.param(".mdx", "import C from '@astrojs/starlight/components'\n", id="a package of Starlight"),
        pytest.param(".mdx", "```js\nimport B from './b'\n```\n", id="code that imports"),
        pytest.param(".mdx", "import {\n\n'./b'", id="no import"),
        pytest.param(".md", "To\nimport files, don't use './b'.\n\nimport it\n", id="prose"),
        pytest.param(".md", "{% raw %}{% include b.html %}{% endraw %} {% if a %}", id="raw"),
        pytest.param(".md", '{{</* include "b" */>}} {{< figure src="a.png" >}} {{ a }}', id="Hugo"),
        pytest.param(".md", "include::b.adoc[]\n.. include:: b\n`{include}`", id="other markup"),
        pytest.param(".njk", "{% extends 'a.njk' %}{% important %} {% fromage %}", id="a layout"),
        pytest.param(".rst", "{% include 'b' %}\n\n::\n\n   file: a.yml\n", id="reStructuredText"),
        pytest.param(".qmd", "{{{< include _b.qmd >}}}", id="an escaped shortcode of Quarto"),
        pytest.param(".qmd", "``` {.md shortcodes='false'}\n{{< include b >}}\n```\n", id="code of Quarto"),
        pytest.param(".mdoc", "```{% process=false %}\n{% partial file='b' /%}\n```\n", id="Markdoc"),
        pytest.param(".md", "{% comment %}{% include b %}{% endcomment %}", id="a comment of Liquid"),
        pytest.param(".njk", "{# {% include 'b' %} #}", id="a comment of Nunjucks"),
        pytest.param(".md", "````md\n```{include} b.md\n```\n````\n", id="code that shows MyST"),
        pytest.param(".md", "```md\n<<< @/b.js\n```\n", id="code that shows VitePress"),
        pytest.param(".mdx", "{/*\nimport B from './b'\n*/}\n", id="a comment in MDX"),
        pytest.param(".md", "<!--\nimport B from './b'\n-->\n", id="a comment in HTML"),
        pytest.param(".tsx", "import type { B } from './b'\n", id="a type"),
        pytest.param(".adoc", "////\ninclude::b.adoc[]\n////\n", id="a comment in AsciiDoc"),
        pytest.param(".org", "#+BEGIN_SRC org\n#+INCLUDE: b.org\n#+END_SRC\n", id="code in Org"),
        pytest.param(".rst", "Write::\n\n   .. include:: b\n\nText\n", id="a literal block"),
        pytest.param(".rst", ".. code-block:: rst\n   :a: b\n\n   .. include:: b\n", id="a code block"),
        pytest.param(".rst", ".. Comment\n   .. include:: b\n\n..\n   .. include:: c\n", id="comments"),
        pytest.param(".rst", "````md\n```{include} b.md\n```\n````\n", id="code in Sphinx with MyST"),
    ],
)
def test_no_marks(ending, text):
    assert include_mark(text, ending) is None
