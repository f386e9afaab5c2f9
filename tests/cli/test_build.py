"""``sitemap-docs build``: where the base URL comes from, the flags, what is said and the exit status."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sitemap_docs.cli.flags import SITE
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap.reader import parse
from tests import conftest
from tests.conftest import NOINDEX, Answer, canonical, command, html_page, passed, urlset


def run(*arguments: object) -> Answer:
    return command("build", *arguments)


def write(root: Path, files: dict[str, str]) -> None:
    """Writes pages, of which their heads are given, and other files."""
    pages = {name: html_page(head) for name, head in files.items() if name.endswith("html")}
    conftest.write(root, files | pages)


def locs(site: Path, name: str = "sitemap.xml") -> list[str]:
    return [entry.loc for entry in parse(site / name).entries()]


@pytest.fixture
def project(here) -> Path:
    write(here / "site", {"index.html": "", "a/index.html": ""})
    return here


AT = "site --base-url https://e.org"
WRONG = {
    "nowhere": "There is no folder nowhere. Build the site first, or pass the folder",
    "": "Missing argument SITE",
    "site": "--base-url",
    "content": "content contains no HTML page. Build the site first, or pass the folder that contains it.",
    "site --base-url ftp://e.org": "ftp://e.org",
    f"{AT} --groups a/b=x --groups c=d": "`--groups` must be a mapping from names",
    f"{AT} --map x": "The map 'x' has no '='",
    "site --base-url e.org/d": "must start with https:// or http://: write https://e.org/d.",
    f"{AT} --url-scheme en/{{link}}": "`--url-scheme` is for Sphinx only. Remove it.",
    f"{AT} --no-orphans": "`--orphans` is for Sphinx and MkDocs only. Remove it.",
    f"{AT} --leave-out=old": "`--leave-out` is for MkDocs and sitemap-docs join only. Remove it.",
    f"{AT} --no-excludes": "--no-excludes",
    f"{AT} --sitemap-excludes x": "--excludes",
    f"{AT} --config scheme.toml": "`url_scheme` is for Sphinx only. Remove it.",
    f"{AT} --config urls.toml": "There is no option `site_url`. Did you mean `base_url`?",
    f"{AT} --config old.toml": "There is no option `sitemap_excludes`. Did you mean `excludes`?",
    f"{AT} --generator-config twice/mkdocs.yml": "has the option `excludes` twice, in lines 4 and 5",
    f"{AT} --config orphans.toml": "`orphans` is for Sphinx and MkDocs only",
    "site --config odd.toml": "odd.toml: There is no option `nonsense`",
    "site --config maps.toml": "maps.toml: There is no option `maps`. Did you mean `map`?",
    "site --config settings.yml": "settings.yml is not a TOML file. Pass the configuration of a generator as",
    "site --config named/pyproject.toml": "has a table [sitemap-docs]. Name it [tool.sitemap-docs].",
    "site --config broken.toml": "broken.toml",
    f"{AT} --config source.toml": "source.toml: The option `source` must be a list, each value a text",
    f"{AT} --config folder.toml": "folder.toml: `source` contains nowhere, but there is no such folder.",
    f"{AT} --config base.toml": "base.toml: The option `base_url` must be a text, not 3.",
}


@pytest.mark.parametrize(("arguments", "words"), WRONG.items())
def test_wrong_usage(project, arguments, words):
    write(project, {"odd.toml": "base_url = 'https://e.org/'\nnonsense = 1", "broken.toml": "a ="})
    write(project, {"maps.toml": "maps = ['a=b']", "settings.yml": "", "source.toml": "source = 3"})
    write(project, {"named/pyproject.toml": "[sitemap-docs]\nbase-url = 'https://e.org/'"})
    write(project, {"scheme.toml": "url_scheme = '{link}'", "orphans.toml": "orphans = false"})
    write(project, {"base.toml": "base-url = 3", "folder.toml": "source = 'nowhere'"})
    write(project, {"content/a.md": "# A"})
    write(project, {"urls.toml": "site_url = 'https://e.org/'", "old.toml": "sitemap-excludes = ['a']"})
    twice = "plugins: {sitemap-docs: {\n  excludes: [a],\n  excludes: [b]}}"
    write(project, {"twice/mkdocs.yml": f"site_dir: ../site\ndocs_dir: .\n{twice}\n"})
    said = run(*arguments.split())
    assert (said.code, said.out) == (2, "")
    assert words in said.err
    assert "Traceback" not in said.err
    assert not (project / "site/sitemap.xml").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX permissions")
def test_a_folder_that_may_not_be_read():
    with TemporaryDirectory() as above:  # pytest's own folders are closed to others
        Path(above).chmod(0o755)
        folder = Path(above, "ud")
        folder.mkdir(mode=0)
        user = os.geteuid()
        if user == 0:  # who may read everything
            os.seteuid(65_534)
        try:
            with pytest.raises(SitemapError, match="ud cannot be read: Permission denied"):
                SITE.convert(folder)
        finally:
            os.seteuid(user)


def test_a_sitemap_in_the_way_is_answered_with_flags(project):
    write(project, {"site/sitemap.xml": urlset("https://e.org/gone/")})
    said = run(*AT.split())
    assert said.code == 2
    assert "Or set `--filename` to another name, or `--replace` to overwrite the file." in said.err


def test_a_text_sitemap_of_ours_stops_no_build_without_the_record(project):
    """With a new base URL."""
    for number, base in enumerate(("http://old.example.org/", "https://new.example.org/docs/")):
        given = ("--base-url", base, "--formats", "text", "--cache-dir", f"cache-{number}")
        passed("build", project / "site", *given)
        lines = (project / "site/sitemap.txt").read_text().splitlines()
        assert lines
        assert all(line.startswith(base) for line in lines)


def test_a_site_that_is_left_out_and_not_built(project):
    write(project, {"mkdocs.yml": "site_dir: out/html"})
    said = run()
    assert said.code == 2
    assert "There is no folder out/html, the output folder in mkdocs.yml. Build the site first" in said.err


def test_flags_reach_the_options(project):
    write(project / "site", {"b/index.html": "", "c/index.html": ""})
    flags = "--excludes b/* --excludes !b/ --excludes c/ --priority a/=0.5 --no-stylesheet --indent 2"
    passed("build", *AT.split(), *flags.split(), "--robots", "false", "--filename", "s.xml")
    text = (project / "site/s.xml").read_text()
    assert "stylesheet" not in text
    assert "  <url>\n    <loc>https://e.org/a/</loc>\n    <priority>0.5</priority>" in text
    assert locs(project / "site", "s.xml") == ["https://e.org/", "https://e.org/a/", "https://e.org/b/"]
    assert not (project / "site/robots.txt").exists()


def test_a_group_is_given_in_several_flags(project):
    write(project / "site", {"b/index.html": ""})
    assert run(*AT.split(), "--groups", "g=a/", "--groups", "g=b/").code == 0
    assert locs(project / "site", "sitemap-g.xml") == ["https://e.org/a/", "https://e.org/b/"]


def test_config_file_and_flags_that_win(project):
    write(project, {
        "my.toml": "base_url = 'https://e.org/'\nmax-urls = 1\nstylesheet = false\nexcludes = ['a/']\n",
        "mkdocs.yml": "plugins: [{sitemap-docs: {indent: 4, max_urls: 2, stylesheet: true}}]",
    })  # fmt: skip
    said = run("site", "--config", "my.toml", "--max-urls", "7", "--json")
    assert said.data["left_out"] == {"excluded": 1}
    assert said.data["files"] == ["sitemap.xml"]
    assert "    <url>" in (project / "site/sitemap.xml").read_text()


def test_sources_start_at_the_config_file(project):
    write(project, {"conf/my.toml": "source = ['../docs']", "docs/a.md": "---\nsitemap: false\n---\n"})
    said = run("site", "--base-url", "https://e.org", "--config", "conf/my.toml", "--json")
    assert said.data["left_out"] == {"sitemap: false": 1}


def test_a_map_comes_before_a_source_at_the_path_of_the_page(project):
    write(project, {"docs/a.md": "", "docs/b.md": "---\nsitemap: false\n---\n"})
    said = run(*AT.split(), "--source", "docs", "--map", "a/*=b.md", "--json")
    assert said.data["left_out"] == {"sitemap: false": 1}


def test_what_is_said(project):
    write(project / "site", {"404.html": "", "n.html": NOINDEX})
    data, plain, quiet, verbose = (
        run("site", "--base-url", "https://e.org/d/", "--lastmod", "none", *more)
        for more in (["--json", "--dry-run", "-q"], [], ["-q"], ["-v"])
    )
    said = data.data
    assert [finding["rule"] for finding in said.pop("findings")] == ["robots-below-root"]
    assert said == {
        "base_url": "https://e.org/d/",
        "base_url_from": "--base-url",
        "changed": ["sitemap.css", "sitemap.xml"],
        "dated": 0,
        "files": ["sitemap.css", "sitemap.xml"],
        "left_out": {"404 page": 1, "noindex": 1},
        "links": "folders",
        "links_from": "by default",
        "listed": 2,
        "removed": [],
        "skipped": "",
        "version": 1,
    }
    last = "sitemap-docs: 2 pages listed, 2 left out (1 404 page, 1 noindex), 0 dated: "
    last += f"site{os.sep}sitemap.xml\n"
    assert plain[:2] == (0, last)
    assert plain.err.startswith("base URL https://e.org/d/ from --base-url\n")
    assert quiet == (0, "", "")
    assert "left out: https://e.org/d/n.html: noindex\n" in verbose.err
    assert "\x1b" not in plain.err + verbose.err


def test_a_guessed_address_style_is_called_a_guess(project):
    """If something shows the style, the line says what, and nothing is a guess."""
    guess = "shows how addresses end, so a.html, b/ is assumed (--links folders)"
    base_url = ("--base-url", "https://e.org/")
    for _ in range(2):  # Our own sitemap shows no style.
        assert guess in run("site", *base_url).err
    assert "guess" not in run("site", *base_url, "-q").err
    assert "links bare (a, b) by the option `links`" in (
        chosen := run("site", *base_url, "--links", "bare").err
    )
    write(project / "site", {"b/index.html": canonical("https://e.org/b/")})
    assert "links folders (a.html, b/) from the canonical" in (linked := run("site", *base_url).err)
    (project / "site/b/index.html").unlink()
    write(project / "site", {"c/index.html": html_page(), "sitemap.xml": urlset("https://e.org/c")})
    assert "from the existing sitemap" in (listed := run("site", *base_url).err)
    assert "guess" not in chosen + linked + listed


def test_dry_run(project):
    said = run("site", "--base-url", "https://e.org/", "--dry-run")
    assert said.out.startswith("sitemap-docs: 2 pages listed, ")
    assert [line for line in said.err.splitlines() if line.startswith("would")] == [
        f"would write {name}" for name in ("sitemap.css", "sitemap.xml", "robots.txt")
    ]
    assert sorted(path.name for path in (project / "site").iterdir()) == ["a", "index.html"]


@pytest.mark.parametrize(("flags", "code"), [([], 0), (["--strict"], 1)])
def test_warnings(project, flags, code):
    """That of canonical links with another scheme names the settings to change."""
    write(project / "site", {"a/index.html": canonical("http://e.org/a/")})
    said = run("site", "--base-url", "https://e.org/", *flags)
    assert said.code == code
    last = said.err.splitlines()[-1]
    assert last.startswith("warning: ")
    assert last.endswith("[canonical-spelling]")
    assert "change the base URL (`html_baseurl` in conf.py, `site_url` in mkdocs.yml, or --base-url)" in last


def test_a_folder_has_no_navigation_to_leave_pages_out_by(project):
    """In the table of the plugin, the option is for its builds; in our own, it is a mistake (WRONG)."""
    write(project, {"mkdocs.yml": "site_url: https://g.org/\nplugins: [{sitemap-docs: {orphans: false}}]\n"})
    assert run().code == 0
    assert (project / "site/sitemap.xml").exists()


def test_a_base_that_no_documentation_has_is_one_warning(project):
    said = passed("build", "site", "--base-url", "http://https://docs.e.org")
    assert said.err.count("https://docs.e.org/. [base-url-unlikely]") == 1


def test_the_placeholder_of_the_manual_is_reported_with_the_place_where_it_stands(project):
    write(project, {"pyproject.toml": "[tool.sitemap-docs]\nbase_url = 'https://docs.example.com/'\n"})
    url = "https://docs.example.com/"
    for words, place in (([], "pyproject.toml"), (["--base-url", url], "--base-url")):
        said = passed("build", "site", *words)
        assert [place in line for line in said.err.splitlines() if "is a placeholder" in line] == [True]
    checked = command("check", "site")
    assert checked.code == 1
    assert checked.out.count("is a placeholder") == checked.out.count("base-url-unlikely (1)") == 1


def test_a_sitemap_of_other_files_is_replaced_if_the_new_one_lists_them(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.html").write_text("<title>A</title>")
    (site / "a.pdf").write_bytes(b"%PDF-")
    build = ("build", site, "--base-url", "https://e.org", "--extra-urls", "*.pdf", "--lastmod", "none")
    command(*build)
    (site / "a.html").rename(site / "404.html")
    command(*build)
    sitemap = (site / "sitemap.xml").read_text()
    assert ("a.pdf" in sitemap, "a.html" in sitemap) == (True, False)
    command(*build)
    assert (site / "sitemap.xml").read_text() == sitemap


def test_a_sitemap_of_extra_files_is_replaced_by_one_of_pages(tmp_path):
    site = conftest.write(tmp_path / "site", {"index.html": html_page(NOINDEX), "a.pdf": "%PDF-"})
    build = ("build", site, "--base-url", "https://e.org", "--lastmod", "none")
    passed(*build, "--extra-urls", "a.pdf")
    assert "a.pdf" in (site / "sitemap.xml").read_text()
    conftest.write(site, {"index.html": html_page()})
    passed(*build)
    assert "a.pdf" not in (site / "sitemap.xml").read_text()


def test_an_empty_sitemap_replaces_one_of_extra_files_only_on_request(tmp_path):
    site = conftest.write(tmp_path / "site", {"index.html": html_page(NOINDEX), "a.pdf": "%PDF-"})
    build = ("build", site, "--base-url", "https://e.org", "--lastmod", "none")
    passed(*build, "--extra-urls", "a.pdf")
    before = (site / "sitemap.xml").read_text()
    kept = command(*build)
    assert (kept.code, "set the option `replace`" in kept.err) == (2, True)
    assert (site / "sitemap.xml").read_text() == before
    replaced = command(*build, "--replace")
    assert (replaced.code, "empty-sitemap" in replaced.err) == (1, True)
    assert not (site / "sitemap.xml").exists()


def test_a_sitemap_of_another_program_with_other_files_is_replaced_on_request(tmp_path):
    theirs = urlset("https://e.org/a.pdf")
    site = conftest.write(
        tmp_path / "site", {"index.html": html_page(), "a.pdf": "%PDF-", "sitemap.xml": theirs}
    )
    build = ("build", site, "--base-url", "https://e.org", "--lastmod", "none")
    kept = command(*build)
    assert (kept.code, "`--replace`" in kept.err) == (2, True)
    assert (site / "sitemap.xml").read_text() == theirs
    passed(*build, "--replace")
    assert "<loc>https://e.org/</loc>" in (site / "sitemap.xml").read_text()


PHP = {"index.php": "<?php include 'header.php'; ?><h1>Home</h1>", "guide/index.php": "<html><h1>Guide</h1>"}


@pytest.mark.parametrize("files", [PHP, {"index.html": html_page(NOINDEX)}], ids=["no HTML file", "noindex"])
def test_replace_removes_no_sitemap_of_another_program_if_no_page_is_listed(tmp_path, files):
    theirs = urlset("https://e.org/", "https://e.org/guide/")
    site = conftest.write(tmp_path / "site", {**files, "sitemap.xml": theirs})
    build = ("build", site, "--base-url", "https://e.org", "--lastmod", "none")
    kept = command(*build)
    assert (kept.code, "emove" in kept.err) == (2, True)
    assert ("set the option `replace`" in kept.err) is False
    empty = command(*build, "--replace")
    assert (empty.code, "empty-sitemap" in empty.err, "Removed files" in empty.err) == (1, True, False)
    assert (site / "sitemap.xml").read_text() == theirs


def test_a_program_without_html_around_it_is_a_page_that_only_the_host_can_read(tmp_path):
    site = conftest.write(tmp_path / "site", {**PHP, "sitemap.xml": urlset("https://e.org/")})
    checked = command("check", site, "--base-url", "https://e.org")
    assert "pages-unread" in checked.out


def test_a_feed_is_not_the_page_of_its_folder(tmp_path):
    """Hugo writes ``index.xml`` into each folder. It may be left if ``index.html`` is removed."""
    theirs = urlset("https://e.org/posts/")
    files = {"new.html": html_page(), "posts/index.xml": "<rss version='2.0'></rss>", "sitemap.xml": theirs}
    folder = conftest.write(tmp_path / "site", files)
    kept = command("build", folder, "--base-url", "https://e.org", "--lastmod", "none")
    assert (kept.code, "index.xml" in kept.err) == (2, False)
    assert "such as https://e.org/posts/" in kept.err
