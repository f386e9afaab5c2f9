"""What the build writes, ``check`` accepts: random sites, every rule on canonical links and hreflang."""

from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitemap_docs.urls.base import Base
from tests.conftest import command, write

NAMES = st.sampled_from(
    ["a", "B", "b", "é", "a b", "q'x", "100%", "ü&v", "c.d", "~x", "%41", "日本", "index2"]
)
BASES = ["https://docs.example.org/", "https://docs.example.org/en/latest/", "http://bücher.example/d/"]
OURS = {"canonical-elsewhere-listed", "canonical-trailing-slash"}
"""Rules about a page whose address in the sitemap, which is ours, contradicts it."""


@st.composite
def sites(draw: st.DrawFn) -> tuple[Base, dict[str, str]]:
    """A base URL, and built pages with the heads that themes and authors write, right and wrong."""
    base = Base.of(draw(st.sampled_from(BASES)))
    stems = draw(st.lists(st.lists(NAMES, min_size=1, max_size=2).map("/".join), max_size=6, unique=True))
    endings = st.sampled_from([".html", "/index.html"])
    files = ["index.html"]
    for stem in stems:
        folders = draw(st.sets(st.sampled_from(["", "de/", "pt-br/"]), min_size=1))
        files += [folder + stem + draw(endings) for folder in sorted(folders)]
    files = list(dict.fromkeys(files))
    clean = draw(st.booleans())  # the host serves a.html as /a, and the pages say so
    locs = {}
    for file in files:
        path = file.removesuffix("index.html")
        locs[file] = base.loc(path.removesuffix(".html") if clean else path)
    pages = {}
    for file in files:
        head = ""
        others = st.sampled_from(list(locs.values()))
        own = st.just(locs[file])
        canonical = draw(own | others if clean else st.none() | own | others)
        if canonical is not None:
            head += f'<link rel="canonical" href="{escape(canonical)}">'
        if draw(st.integers(0, 5)) == 0:
            head += '<meta name="robots" content="noindex">'
        codes = draw(st.lists(st.sampled_from(["en", "de", "pt-BR", "x-default"]), max_size=4, unique=True))
        for code in codes:
            target = draw(others | st.just(f"{base.url}gone/") | own)
            head += f'<link rel="alternate" hreflang="{code}" href="{escape(target)}">'
        pages[file] = f"<!doctype html><html><head><title>{escape(file)}</title>{head}</head></html>"
    return base, pages


PAGE = "<!doctype html><title>x</title>"
OWN = f'{PAGE}<link rel="canonical" href="{BASES[0]}{{}}">'


@given(sites(), st.booleans())
@example((Base.of(BASES[0]), {"index.html": PAGE}), True)  # the other languages are built elsewhere
@example((Base.of(BASES[1]), {"index.html": PAGE, "a.html": PAGE, "de/a.html": PAGE}), True)
@example((Base.of(BASES[0]), {"a.html": OWN.format("a"), "de/a/index.html": OWN.format("de/a/")}), True)
@settings(deadline=None, max_examples=15)
def test_check_right_after_build_finds_nothing_in_what_the_build_wrote(site, locales) -> None:
    base, pages = site
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, pages)
        languages = {"en": base.url, "de": f"{base.url}de/", "pt-BR": f"{base.url}pt-br/"}
        rows = "".join(f'{code} = "{url}"\n' for code, url in languages.items())
        (folder / "options.toml").write_text(f"[locales]\n{rows}" if locales else "", encoding="utf-8")
        place = (name, "--base-url", base.url, "--config", str(folder / "options.toml"))
        built = command("build", *place)
        assert built.code in (0, 1), built.err
        selected = ("--select", "canonical-*", "--select", "hreflang-*", "--severity", "info")
        found = command("check", *place, *selected, "--json").data["findings"]
        contradicts = OURS if locales else {*OURS, "hreflang-html-vs-sitemap"}
        ours = [each for each in found if each["file"].endswith(".xml") or each["rule"] in contradicts]
        assert ours == [], (folder / "sitemap.xml").read_text()
