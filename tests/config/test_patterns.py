"""Many wildcard patterns at once: the same answers as one by one, in time that is no product."""

from __future__ import annotations

from fnmatch import fnmatchcase
from random import Random

import pytest

from sitemap_docs.config.options import GlobMap, Globs
from sitemap_docs.config.patterns import PatternIndex


def test_globs_answer_as_each_alone():
    random = Random(0)
    text = lambda size: "".join(random.choices("ab/.-", k=size))  # noqa: E731
    for _ in range(200):
        globs = [
            "".join(random.choices(["*", "?", "[ab]", "[!a]", "[", text(1), text(3)], k=4)) for _ in range(40)
        ]
        names = [text(random.randrange(12)) for _ in range(3)]
        expected = next((g for g in reversed(globs) if any(fnmatchcase(name, g) for name in names)), None)
        found = Globs(tuple(globs)).decision(names)
        assert (found and found[1]) == expected
        assert GlobMap(tuple((glob, glob) for glob in globs)).get(names) == expected


@pytest.mark.parametrize("form", ["drafts/{}/*", "*/{}.html", "*-{}-*", "page-{}.html", "*{}*"])
def test_few_of_many_patterns_are_tried(form):
    literals = [[form.format(f"x{number:04}y").replace("*", "")] for number in range(4_000)]
    index = PatternIndex(literals)
    tried = [len(list(index.candidates(f"guide/{form.format('x0007y').replace('*', 'z')}/more.html")))]
    tried += [len(list(index.candidates(f"guide/page-{number}/index.html"))) for number in range(100)]
    assert 0 < tried[0] < 40
    assert max(tried) < 40
