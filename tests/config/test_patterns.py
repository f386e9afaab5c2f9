"""Many wildcard patterns at once: the same answers as one by one, in time that is no product."""

import re
from fnmatch import fnmatchcase
from random import Random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_docs.config.patterns import Expression, GlobMap, Globs, Patterns, path_pattern
from tests.conftest import HANGS


def test_globs_answer_as_each_alone():
    random = Random(0)
    text = lambda size: "".join(random.choices("aAb/.-", k=size))  # noqa: E731
    for _ in range(100):
        globs = [
            "".join(random.choices(["*", "?", "[ab]", "[!a]", "[", text(1), text(3)], k=4)) for _ in range(40)
        ]
        names = [text(random.randrange(12)) for _ in range(3)]
        expected = next((g for g in reversed(globs) if any(fnmatchcase(name, g) for name in names)), None)
        taken_out = [random.choice(["", "!"]) + glob for glob in globs]
        found = Globs(tuple(taken_out)).decision(names)
        assert (found and found[1].lstrip("!")) == expected
        assert found is None or found[0] is (found[1] == expected)
        assert Globs(tuple(taken_out)).includes(names) is bool(found and found[0])
        assert GlobMap(tuple((glob, glob) for glob in globs)).get(names) == expected


@pytest.mark.parametrize("form", ["drafts/{}/*", "*/{}.html", "*-{}-*", "page-{}.html", "*{}*"])
def test_few_of_many_patterns_are_tried(form):
    literals = [(form.format(f"x{number:04}y").replace("*", ""),) for number in range(2_000)]
    patterns = Patterns([Expression("", each) for each in literals])
    tried = [len(list(patterns.candidates(f"guide/{form.format('x0007y').replace('*', 'z')}/more.html")))]
    tried += [len(list(patterns.candidates(f"guide/page-{number}/index.html"))) for number in range(100)]
    assert 0 < tried[0] < 40
    assert max(tried) < 40


PIECES = st.lists(st.one_of(st.just("*"), st.just(":x"), st.text("/-.", min_size=1, max_size=3)), max_size=7)


@given(PIECES.map("".join), st.text("/-.", max_size=14), st.booleans())
def test_patterns_of_hosts_match_as_plain_expressions_do(pattern, text, backwards):
    """Also where a placeholder or a text could be at several places."""
    plain = re.escape(pattern).replace(r"\*", ".*").replace(":x", "[^/]+")
    patterns = Patterns([path_pattern(pattern, backwards=backwards)])
    matched = patterns.match(0, text[::-1] if backwards else text) is not None
    assert matched == (re.fullmatch(plain, text) is not None)


@given(PIECES.map("".join), st.text("/-.", max_size=14))
def test_backwards_the_first_placeholder_takes_as_much_as_it_can(pattern, text):
    pattern = pattern.replace("*", "").replace(":x", ":y", 1).replace(":x", ":z", 1)
    plain = re.escape(pattern).replace(":y", "(?P<y>[^/]+)").replace(":z", "(?P<z>[^/]+)")
    found = re.fullmatch(plain.replace(":x", "[^/]+"), text)
    match = Patterns([path_pattern(pattern, backwards=True)]).match(0, text[::-1])
    for name, value in (found.groupdict() if found else {}).items():
        assert match[name][::-1] == value


@pytest.mark.parametrize("wildcards", ["*a", ":xa", "*b:xa", ":x-*a"])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_pattern_of_many_wildcards_does_not_hang(wildcards, backwards):
    text = wildcards.replace("xa", "x%61") * 40 + "c"
    begun = process_time()
    assert Patterns([path_pattern(text, backwards=backwards)]).match(0, "ab-" * 700) is None
    assert process_time() - begun < HANGS / 100
