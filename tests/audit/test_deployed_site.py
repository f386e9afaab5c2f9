"""The live check, against a real nginx with faults, servers that mean harm, and a staging host."""

import gzip
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest

from sitemap_docs import web
from sitemap_docs.audit.deployed_site import (
    MAX_PAUSE,
    Answer,
    Limits,
    Visitor,
    explain_fetching,
    moved,
    retry_delay,
    served_sitemaps,
    visit_site,
)
from sitemap_docs.audit.formats import FORMATS
from sitemap_docs.audit.registry import deployed_rules
from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.audit.run import audit
from sitemap_docs.html.head import parse_head
from sitemap_docs.model import SitemapError
from sitemap_docs.robots import MAX_ROBOTS
from sitemap_docs.urls.base import Base
from tests.conftest import Loopback, canonical, command, html_page, passed, sitemapindex, urlset, write

pytest.importorskip("httpx", reason="the extra `web` is not installed")
NOW = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")

CONF = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 64; }}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  types {{ text/html html; application/xml xml; text/plain txt; application/gzip gz; }}
  default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/www;
    {more}
  }}
}}
"""
PAGE = (
    '<!doctype html><html lang="en"><head><title>T</title><link rel="canonical" href="{}">{}</head>'
    "<body>" + "text " * 1_000 + "</body></html>"
)


class Nginx:
    """A server of its own on loopback.

    It inherits a socket that listens already, as when its binary is replaced ("Upgrading executable on the
    fly" in the manual of nginx): no other process gets the port, and no test waits for the start.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.base = f"http://localhost:{self.port}/"
        (folder / "www").mkdir(parents=True)
        self.process: subprocess.Popen | None = None

    def write(self, *paths: str, robots: str | None = None, head: str = "") -> None:
        if robots is None:
            robots = f"User-agent: *\nAllow: /\n\nSitemap: {self.base}sitemap.xml\n"
        pages = {f"{path}index.html": PAGE.format(self.base + path, head) for path in paths}
        write(self.folder / "www", {**pages, "robots.txt": robots})
        self.listing(*paths)

    def listing(self, *paths: str) -> None:
        write(self.folder / "www", {"sitemap.xml": urlset(*(self.base + path for path in paths))})

    def start(self, more: str = "gzip on;") -> None:
        conf = self.folder / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""  # pytest's folders are the user's own
        conf.write_text(CONF.format(user=user, folder=self.folder, port=self.port, more=more))
        self.process = subprocess.Popen(
            [NGINX, "-e", "stderr", "-p", str(self.folder), "-c", str(conf)],
            env=os.environ | {"NGINX": f"{self.socket.fileno()};"},
            pass_fds=[self.socket.fileno()],
        )

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait()
        self.socket.close()

    def log(self) -> list[str]:
        """The requests before this one: the server writes a line after its answer, and before the next."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            while connection.recv(4_096):
                pass
        return (self.folder / "access.log").read_text().splitlines()[:-1]


@pytest.fixture
def nginx(tmp_path):
    if NGINX is None:
        pytest.skip("nginx is not installed (Debian: nginx-light)")
    server = Nginx(tmp_path / "nginx")
    yield server
    server.stop()


LIVE_RULES = {name: rule for name, rule in deployed_rules().items() if rule.group == "live"}


def visit(base: str, **limits):
    return visit_site(Base.of(base), Limits(rate=1_000, **limits), NOW)


def rules(base: str) -> dict[str, str]:
    """Rule → where, of all rules of the live check."""
    return {
        each.rule: each.where for each in audit(visit(base), settings_of(rules=LIVE_RULES, severity="info"))
    }


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ("location /bad/ { return 404; }", {"live-status": "bad/"}),
        ("location /bad/ { return 444; }", {"live-status": "bad/"}),
        # a line is not of the bot of the line before
        (
            'location /bad/ { add_header X-Robots-Tag "otherbot: none"; add_header X-Robots-Tag noindex; }',
            {"live-noindex": "bad/"},
        ),
        (
            'location /bad/ { add_header X-Robots-Tag "unavailable_after: Fri, 25 Jun 2010 15:00:00 PST"; }',
            {"live-unavailable-after": "bad/"},
        ),
        (
            "location /bad/ { add_header Link '<https://other.example.org/>; rel=\"canonical\"'; }",
            {"live-canonical": "bad/"},
        ),
        ("location /bad/ { types { } }", {"live-content-type": "bad/"}),
        ("location = /robots.txt { return 500; }", {"live-robots-status": "robots.txt"}),
        ("error_page 404 =200 /index.html;", {"live-soft-404": "no-such-page"}),
    ],
)
def test_a_fault_is_found_and_nothing_else(fault, found, nginx):
    nginx.write("", "bad/", "good/")
    nginx.start(f"gzip on; {fault}")
    reported = {rule: re.sub(r"-\w{16}$", "", where) for rule, where in rules(nginx.base).items()}
    assert reported == {rule: f"{nginx.base}{where}" for rule, where in found.items()}
    if "live-robots-status" in found:  # which forbids all
        assert {line.split('"')[1] for line in nginx.log()} == {"GET /robots.txt HTTP/1.1"}


@pytest.mark.parametrize(
    ("links", "message"),
    [
        pytest.param(["{}bad/"], "", id="itself"),
        pytest.param(["{}other/"], "canonical link of this page points to {}other/. List that", id="another"),
        pytest.param(["{}bad/#top"], "canonical link of this page points to {}bad/#top.", id="a spelling"),
        pytest.param(
            ["{}bad/", "{}other/"],
            "The page has several canonical links: {0}bad/, {0}other/. Keep one of them.",
            id="itself and another",
        ),
        pytest.param(
            ["{}next/", "{}other/"],
            "The page has several canonical links: {0}next/, {0}other/. Keep one of them.",
            id="two others",
        ),
        pytest.param(["{}other/", "{}other/"], "page points to {}other/. List that", id="another, twice"),
    ],
)
def test_canonical_links_are_judged_as_a_build_judges_them(links, message, nginx):
    """Search engines ignore links that contradict each other, so the address is not replaced by another."""
    nginx.write("", "bad/")
    head = "".join(f'<link rel="canonical" href="{link.format(nginx.base)}">' for link in links)
    write(nginx.folder / "www", {"bad/index.html": PAGE.replace('<link rel="canonical" href="{}">{}', head)})
    nginx.start()
    findings = [*audit(visit(nginx.base), settings_of(rules=LIVE_RULES))]
    assert [finding.rule for finding in findings] == ["live-canonical"] * bool(message)
    assert all(message.format(nginx.base) in finding.message for finding in findings)


def test_date_in_the_head_of_a_deployed_page(nginx):
    nginx.write("past/", head='<meta name="robots" content="unavailable_after: 2010-06-25">')
    nginx.write("hidden/", head='<meta name="robots" content="noindex, unavailable_after: 2010-06-25">')
    nginx.write("", "future/", head='<meta name="robots" content="unavailable_after: 2026-06-25">')
    nginx.write("bing/", head='<meta name="bingbot" content="unavailable_after: 2010-06-25">')
    nginx.listing("", "bing/", "future/", "hidden/", "past/")
    nginx.start('location /bing/ { add_header X-Robots-Tag "bingbot: unavailable_after: 2010-06-25"; }')
    found = audit(visit(nginx.base), settings_of(rules=LIVE_RULES))
    assert [(each.rule, each.where) for each in found] == [
        ("live-noindex", f"{nginx.base}hidden/"),
        ("live-unavailable-after", f"{nginx.base}past/"),
    ]
    assert found[1].message == (
        "Google has not shown this page since 2010-06-25, because of `unavailable_after` in the robots "
        "meta tag of the page. Correct this date, or mark the page noindex."
    )


def test_chain_of_redirects_is_reported_step_by_step(nginx):
    nginx.write("", "good/")
    nginx.listing("", "one/")
    nginx.start("gzip on; location /one/ { return 301 /two/; } location /two/ { return 302 /good/; }")
    [finding] = audit(visit(nginx.base), settings_of(rules=LIVE_RULES))
    assert (finding.rule, finding.where) == ("live-redirect", f"{nginx.base}one/")
    assert finding.message == (
        f"The address redirects with status 301 to {nginx.base}two/ → {nginx.base}good/. List "
        f"{nginx.base}good/ instead."
    )


@pytest.mark.parametrize(
    ("robots", "more", "served", "verdict"),
    [
        ("", "gzip on; gzip_types *; gzip_min_length 1;", "200, application/xml, gzip; 2 of 2", "wait"),
        ("", "location = /sitemap.xml { return 302 /map.xml; }", "redirects to {base}map.xml; the", "change"),
        ("User-agent: Googlebot\nDisallow: /sitemap.xml\n", "", "blocks Googlebot from it; the", "change"),
        ("", "location = /sitemap.xml { return 403; }", "with status 403, text/html; 0 of 0", "change"),
    ],
)
def test_why_a_sitemap_could_not_be_fetched(robots, more, served, verdict, nginx):
    nginx.write("", "guide/", robots=robots)
    nginx.start(more)
    visited = visit(nginx.base)
    (first,) = served_sitemaps(visited)
    last = explain_fetching(visited)
    assert served.format(base=nginx.base) in first
    assert ("wait and look again later" in last) == (verdict == "wait")
    assert ("correct this" in last) == (verdict == "change")
    if "Googlebot" in robots:
        where = f"{nginx.base}sitemap.xml"
        assert rules(nginx.base) == {"live-sitemap-status": where, "live-sitemap-unmentioned": where}
    done = command("check", nginx.base)
    assert f"{first}\n{last}\n" in done.err


def test_robots_txt_is_obeyed_and_whom_it_shuts_out_is_information(nginx):
    """Hosts add groups of bots at the edge, where no build sees them."""
    edge = (
        "User-agent: Amzn-SearchBot\nUser-agent: Applebot\nDisallow: /\nuseragent: PerplexityBot\nAllow: /b\n"
    )
    rest = f"User-agent: *\nDisallow: /secret/\n\nSitemap: {nginx.base}sitemap.xml\n"
    nginx.write("", "secret/", robots=edge + rest)
    nginx.start()
    assert rules(nginx.base) == {"live-disallowed": f"{nginx.base}secret/"}
    assert not [line for line in nginx.log() if "/secret/" in line]
    done = passed("check", nginx.base, "--ignore", "robots-unknown-directive", "--ignore", "live-disallowed")
    assert f"{nginx.base}robots.txt blocks Applebot, Amzn-SearchBot from the site\n" in done.err


def test_a_sound_site_with_an_index_and_a_packed_sitemap_has_no_findings_of_any_rule(nginx):
    nginx.write("", "guide/")
    www = nginx.folder / "www"
    (www / "part.xml.gz").write_bytes(gzip.compress((www / "sitemap.xml").read_bytes()))
    write(www, {"sitemap.xml": sitemapindex(f"{nginx.base}part.xml.gz")})
    nginx.start()
    site = visit(nginx.base)
    assert len(site.sitemaps) == 2
    assert [page.headers["content-encoding"] for page in site.pages] == ["gzip", "gzip"]
    assert list(audit(site, settings_of(rules=deployed_rules()))) == []


def test_site_below_a_path_has_its_own_sitemap_and_no_other_address_is_asked(nginx):
    nginx.write("", "docs/", "docs/guide/", robots=f"Sitemap: {nginx.base}sitemap.xml\nDissallow: /x\n")
    www = nginx.folder / "www"
    rows = (www / "sitemap.xml").read_text()
    elsewhere = "<url><loc>http://other.example.org/</loc></url></urlset>"
    (www / "docs" / "sitemap.xml").write_text(rows.replace("</urlset>", elsewhere))
    (www / "sitemap.xml").unlink()
    nginx.start()
    site = visit(f"{nginx.base}docs/")
    assert [answer.url for answer, _ in site.sitemap_responses] == [f"{nginx.base}docs/sitemap.xml"]
    assert [page.url for page in site.pages] == [f"{nginx.base}docs/", f"{nginx.base}docs/guide/"]
    found = {finding.rule for finding in audit(site, settings_of(rules=deployed_rules()))}
    assert found == {"live-sitemap-elsewhere"}, "robots.txt is that of the host"


@pytest.mark.parametrize(
    ("robots", "message"),
    [
        pytest.param(None, "{host}robots.txt does not exist. Write a file that contains", id="no file"),
        pytest.param("User-agent: *\nAllow: /\n", "{host}robots.txt does not mention this", id="no line"),
        pytest.param("Sitemap: {host}sitemap.xml\n", "{host}robots.txt does not mention this", id="another"),
        pytest.param("Sitemap: {host}docs/sitemap.xml\n", "", id="its line"),
        pytest.param("Sitemap: {host}docs/./sitemap.xml\n", "", id="its line, spelled in another way"),
        pytest.param("Sitemap: {host}docs/index.xml\n", "", id="in an index"),
        pytest.param("Sitemap: {host}index.xml\n", "", id="in an index above the site"),
        pytest.param("Sitemap: {host}indexes.xml\n", "", id="in an index of indexes"),
        pytest.param("Sitemap: {host}all.xml\n", "", id="all pages in a sitemap above the site"),
        pytest.param("Sitemap: {host}some.xml\n", "does not mention", id="no page in a sitemap above"),
        pytest.param("Sitemap: {host}other/index.xml\n", "does not mention", id="an index next to the site"),
        pytest.param("Sitemap: {host}none.xml\n", "does not mention", id="a file that does not exist"),
    ],
)
def test_whether_search_engines_find_the_sitemap_of_a_site_in_a_folder(nginx, robots, message):
    """As a project site of GitHub Pages, whose robots.txt is in another repository."""
    nginx.write("docs/", robots=robots and robots.format(host=nginx.base))
    www = nginx.folder / "www"
    if robots is None:
        (www / "robots.txt").unlink()
    (www / "sitemap.xml").rename(www / "docs" / "sitemap.xml")
    own = f"{nginx.base}docs/sitemap.xml"
    indexes = {
        "docs/index.xml": own,
        "index.xml": own,
        "indexes.xml": f"{nginx.base}index.xml",
        "other/index.xml": own,
    }
    write(www, {name: sitemapindex(child) for name, child in indexes.items()})
    pages = {
        "all.xml": [nginx.base, f"{nginx.base}docs/"],
        "some.xml": [nginx.base, f"{nginx.base}docs/a/"],
    }
    write(www, {name: urlset(*locs) for name, locs in pages.items()})
    nginx.start()
    done = command("check", f"{nginx.base}docs/", "--severity", "info")
    assert done.code == bool(message)
    assert ("live-sitemap-unmentioned" in done.out) == bool(message)
    assert message.format(host=nginx.base) in done.out
    if message:
        assert f"Sitemap: {nginx.base}docs/sitemap.xml" in done.out


@pytest.mark.parametrize("mentions_own", [True, False])
def test_a_sitemap_above_the_site_is_only_fetched_if_it_matters_and_after_the_pages(nginx, mentions_own):
    robots = f"Sitemap: {nginx.base}big.xml\n"
    if mentions_own:
        robots += f"Sitemap: {nginx.base}docs/sitemap.xml\n"
    nginx.write("docs/", "docs/guide/", robots=robots)
    www = nginx.folder / "www"
    (www / "sitemap.xml").rename(www / "docs" / "sitemap.xml")
    write(www, {"big.xml": sitemapindex(f"{nginx.base}other/sitemap.xml")})
    nginx.start()
    assert visit(f"{nginx.base}docs/").is_mentioned is mentions_own
    requests = [line for line in nginx.log() if "big.xml" in line or "/docs/guide/" in line]
    assert ["big.xml" in line for line in requests] == ([False] if mentions_own else [False, True])


@pytest.mark.parametrize(
    ("mentioned", "is_found"),
    [("en/latest", False), ("en/stable", False), ("en/2.0", False), ("de/latest", True), ("en/guide", True)],
)
def test_a_robots_txt_that_mentions_another_version(nginx, mentioned, is_found):
    """As on Read the Docs, which serves the robots.txt of the default version."""
    nginx.write("en/latest/", robots=f"Sitemap: {nginx.base}{mentioned}/sitemap.xml\n")
    www = nginx.folder / "www"
    (www / "sitemap.xml").rename(www / "en" / "latest" / "sitemap.xml")
    nginx.start()
    done = command("check", f"{nginx.base}en/latest/", "--severity", "info")
    assert ("live-sitemap-unmentioned" in done.out) == is_found


@pytest.mark.parametrize(
    ("robots", "message"),
    [
        (None, "does not exist. Write a file in the repository octocat.github.io that contains this line"),
        ("Allow: /", "does not mention this sitemap. Add this line to the file in the repository octocat."),
    ],
)
def test_the_repository_of_a_robots_txt_on_github_pages(nginx, robots, message):
    nginx.write("docs/", robots=robots)
    www = nginx.folder / "www"
    if robots is None:
        (www / "robots.txt").unlink()
    write(www, {"docs/sitemap.xml": urlset("https://octocat.github.io/docs/")})
    nginx.start()
    at = f"{nginx.base}docs/"
    done = command("check", "https://octocat.github.io/docs/", "--at", at, "--severity", "info")
    assert message in done.out


ELSEWHERE = "https://e.example.org/"


@pytest.mark.parametrize(
    ("start", "message", "verdicts"),
    [
        ("<url", "Line 1 is not valid XML: ", 1),
        (
            f"<url><loc>{ELSEWHERE}</loc></url><url>",
            f"1 of 2 addresses are not below {{}}, for example {ELSEWHERE}",
            0,
        ),
    ],
    ids=["broken", "of another site"],
)
def test_a_sitemap_that_engines_drop_is_reported(nginx, start, message, verdicts):
    """That addresses are elsewhere stops no engine from fetching it."""
    nginx.write("")
    file = nginx.folder / "www" / "sitemap.xml"
    file.write_text(file.read_text().replace("<url>", start))
    nginx.start()
    visited = visit(nginx.base)
    [finding] = audit(visited, settings_of(rules=deployed_rules()))
    assert finding.message.startswith(message.format(nginx.base))
    assert explain_fetching(visited).count("Couldn't fetch") == verdicts
    (line,) = served_sitemaps(visited)
    assert line in command("check", nginx.base).err


def test_sitemaps_of_another_server_are_named_with_the_command_that_checks_them(nginx):
    nginx.write("")
    there, secure = nginx.base.replace("localhost", "127.0.0.1"), "https://localhost/"
    listed = sitemapindex(f"{there}docs/a.xml", f"{there}docs/b.xml", f"{secure}c.xml")
    write(nginx.folder / "www", {"sitemap.xml": listed})
    nginx.start()
    done = command("check", nginx.base)
    assert done.code == 1
    assert "error: live-sitemap-elsewhere (2)" in done.out
    assert f"2 sitemaps on {there[:-1]}, such as {there}docs/a.xml. This check does not" in done.out
    assert f"To check that server, run: sitemap-docs check {there}docs/\n" in done.out
    assert f"To check that server, run: sitemap-docs check {secure}\n" in done.out


@pytest.mark.parametrize(
    ("flags", "code"),
    [(["--select", "robots"], 1), (["--write-baseline", "known.json"], 1), (["--fail-on", "never"], 0)],
)
def test_a_site_of_which_no_page_was_fetched_is_no_success(nginx, flags, code, here):
    """As where a sitemap lists an index that lists an index, which no rule is against."""
    nginx.write("")
    for name, child in (("sitemap", "a"), ("a", "b"), ("b", "c")):
        write(nginx.folder / "www", {f"{name}.xml": sitemapindex(f"{nginx.base}{child}.xml")})
    nginx.start()
    done = command("check", nginx.base, *flags)
    assert done.code == code
    assert f"{nginx.base}: 0 addresses of 3 sitemaps fetched" in done.out or "--write-baseline" in flags
    assert (
        "/: No page was checked, because no address in a sitemap could be fetched. Check the address of the "
        "site, its robots.txt and its sitemap. [live-incomplete]" in done.err
    )


def test_robots_and_sitemaps_are_read_as_they_are_served(nginx):
    nginx.write("", robots="User-agent: *\nDissallow: /x\n")
    file = nginx.folder / "www" / "sitemap.xml"
    file.write_text(file.read_text().replace("</loc>", "</loc><lastmod>yesterday</lastmod>"))
    nginx.start()
    found = list(audit(visit(nginx.base), settings_of(rules=deployed_rules())))
    assert [(each.rule, each.where, each.file, each.line) for each in found] == [
        ("lastmod-format", nginx.base, f"{nginx.base}sitemap.xml", 1),
        ("robots-unknown-directive", f"{nginx.base}robots.txt", f"{nginx.base}robots.txt", 2),
    ]
    done = {form: command("check", nginx.base, "--format", form) for form in FORMATS}
    assert {each.code for each in done.values()} == {1}
    assert {form for form in done if "robots-unknown-directive" in done[form].out} == set(FORMATS)
    assert done["gitlab"].data[0]["location"]["path"] == "."
    assert f"  {nginx.base}robots.txt:2\n" in done["text"].out


def test_a_connection_serves_all_pages(nginx):
    nginx.write("", "a/", "b/", head=f"<style>{'a{}' * 50_000}</style>")
    nginx.start("add_header X-Connection $connection;")
    pages = visit(nginx.base, at_once=1).pages
    assert len({page.headers["x-connection"] for page in pages}) == 1


def test_address_of_a_sitemap_is_no_site(monkeypatch, here):
    done = command("check", "https://docs.example.org/en/sitemap.xml")
    assert done.code == 2
    assert " https://docs.example.org/en/" in done.err


# --- servers that mean harm, and a staging host ---

SMALL = b'<!doctype html><html lang="en"><head><title>x</title></head><body>x</body></html>'
HTML = {"Content_Type": "text/html"}


def sitemap(*locs: str) -> bytes:
    return urlset(*locs).encode()


@pytest.fixture
def site(loopback):
    """A site of one page; tests replace what its server answers."""
    loopback.serve("/robots.txt", b"User-agent: *\nAllow: /\n")
    loopback.serve("/sitemap.xml", sitemap(loopback.url("/a/")), Content_Type="application/xml")
    loopback.serve("/a/", SMALL, **HTML)
    return loopback


def page_of(server, **limits):
    [page] = visit(server.url(), **limits).pages
    return page


def test_what_is_unpacked_is_bounded(site):
    site.serve("/robots.txt", gzip.compress(b"a" * 50_000_000), Content_Encoding="gzip")
    assert len(visit(site.url()).robots_response.body) == MAX_ROBOTS


def test_a_page_that_never_ends_is_left(site):
    def drip(handler):
        while not site.released.wait(0.02):
            handler.wfile.write(b"a")

    site.answer["/a/"] = drip
    assert page_of(site, deadline=0.3).error == "no complete response in 0.3 seconds"


def answer_late(handler):
    """Send a small page after half a second."""
    time.sleep(0.5)
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + SMALL)


def test_what_was_not_reached_in_the_budget_is_a_finding(site):
    """Each of 40 pages is served in time, and all of them would take twenty seconds."""
    names = [f"/{number}/" for number in range(40)]
    site.answer.update(dict.fromkeys(names, answer_late))
    site.serve("/sitemap.xml", sitemap(*map(site.url, names)), Content_Type="application/xml")
    start = time.monotonic()
    done = command("check", site.url(), "--at-once", "1", "--timeout", "2.5", "--json")
    assert time.monotonic() - start < 15
    assert done.code == 1
    [finding] = [each for each in done.data["findings"] if each["rule"] == "live-incomplete"]
    assert re.search(r"3\d of 40 ", finding["message"])
    assert len(site.requests) < 12


def test_a_sitemap_above_the_site_that_was_not_reached_may_list_the_site(site):
    names = [f"/docs/{number}/" for number in range(20)]
    site.answer.update(dict.fromkeys(names, answer_late))
    site.serve("/robots.txt", f"Sitemap: {site.url('/index.xml')}\n".encode())
    site.serve("/docs/sitemap.xml", sitemap(*map(site.url, names)), Content_Type="application/xml")
    flags = ("--at-once", "1", "--timeout", "2.5", "--json", "--severity", "info")
    done = command("check", site.url("/docs/"), *flags)
    found = {finding["rule"] for finding in done.data["findings"]}
    assert "live-incomplete" in found
    assert "live-sitemap-unmentioned" not in found


def test_other_ports_of_the_host_are_not_asked(site):
    """Another service of the same machine, which a site must not make us ask."""
    other = Loopback()
    try:
        site.serve("/robots.txt", f"Sitemap: {other.url('/a.xml')}\nSitemap: {site.url('/i.xml')}\n".encode())
        listed = sitemapindex(other.url("/b.xml"), site.url("/sitemap.xml"))
        site.serve("/i.xml", listed.encode(), Content_Type="text/xml")
        site.serve("/a/", status=302, Location=other.url("/c/"))
        assert page_of(site).error == f"it redirects to {other.url('/c/')}, on another port"
        assert other.requests == []
    finally:
        other.close()


@pytest.fixture
def other():
    """Another service of the same machine."""
    server = Loopback()
    yield server
    server.close()


def test_a_page_on_another_port_is_not_requested(site, other):
    other.serve("/a/", SMALL, **HTML)
    site.serve("/sitemap.xml", sitemap(site.url("/a/"), other.url("/a/")), Content_Type="text/xml")
    done = command("check", site.url(), "--rate", "1000", "--json")
    assert other.requests == []
    [finding] = [each for each in done.data["findings"] if each["rule"] == "live-sitemap-elsewhere"]
    assert (
        f"1 of 2 addresses are not below {site.url()}, for example {other.url('/a/')}." in finding["message"]
    )


@pytest.mark.parametrize("spelling", ["HTTP://{server}", "http://{host}:0{port}", "HTTP://{host}:00{port}"])
def test_with_at_no_spelling_of_an_address_leads_to_the_deployed_server(site, other, spelling):
    host, _, port = site.url("").removeprefix("http://").partition(":")
    origin = spelling.format(server=f"{host}:{port}", host=host, port=port)
    paths = ("/docs/a/", "/docs/b/?c=1", "/docs/./d/")
    locs = [origin + path for path in paths]
    index = sitemapindex(f"{origin}/docs/pages.xml")
    robots = f"User-agent: *\nAllow: /\n\nSitemap: {origin}/docs/sitemap.xml\n"
    other.serve("/robots.txt", robots.encode())
    other.serve("/staging/sitemap.xml", index.encode(), Content_Type="text/xml")
    other.serve("/staging/pages.xml", sitemap(*locs), Content_Type="text/xml")
    for path in ("a", "b", "d"):
        other.serve(f"/staging/{path}/", SMALL, **HTML)
    done = command("check", site.url("/docs/"), "--at", other.url("/staging/"), "--rate", "1000", "--json")
    assert site.requests == []
    requested = {path for _, path, _, _ in other.requests}
    assert requested >= {"/staging/pages.xml", "/staging/a/", "/staging/b/?c=1", "/staging/d/"}
    assert "live-status" not in {each["rule"] for each in done.data["findings"]}


def test_two_different_addresses_of_one_site_need_at(loopback):
    """``--base-url`` alone would have no effect on a check of the address."""
    done = command("check", loopback.url("/docs/"), "--base-url", "https://docs.example.org/")
    assert done.code == 2
    assert f"pass `--base-url https://docs.example.org/ --at {loopback.url('/docs/')}`" in done.err
    assert loopback.requests == []


def test_without_at_an_address_is_requested_as_it_is_written():
    base = Base.of("http://example.org/docs/")
    for url in ("https://www.example.org/docs/a/", "HTTP://example.org/x/../docs/"):
        assert moved(url, base, base) == url


@pytest.mark.parametrize("target", ["https://example.org/docs/a/", "http://www.example.org/docs/a/"])
def test_with_at_a_redirect_to_another_spelling_of_the_deployed_server_is_no_circle(site, target):
    site.serve("/a/", status=301, Location=target)
    site.serve("/sitemap.xml", sitemap("http://example.org/docs/a/"), Content_Type="text/xml")
    visited = visit_site(Base.of("http://example.org/docs/"), Limits(rate=1_000), NOW, at=Base.of(site.url()))
    [page] = visited.pages
    assert page.error == f"it redirects to {target}, on another host"


def test_memory_is_bounded_by_what_can_be_asked(site):
    """A task, or an answer, for each of a million forbidden addresses would take gigabytes."""
    site.serve("/robots.txt", b"User-agent: *\nDisallow: /d/\n")
    locs = [site.url(f"/d/{number}") for number in range(4_000)]
    site.serve("/sitemap.xml", sitemap(*locs), Content_Type="application/xml")
    with web.budget(60):
        visited = visit_site(Base.of(site.url()), Limits(rate=50), NOW)
    assert 2_000 < len(visited.pages) <= 3_001
    assert visited.not_reached == 4_000 - len(visited.pages)
    assert not any(page.allowed for page in visited.pages)


@pytest.mark.parametrize("limit", ["MAX_VISITED", "MAX_LISTED"])
def test_sitemaps_without_end_are_left(site, monkeypatch, limit):
    monkeypatch.setattr(f"sitemap_docs.audit.deployed_site.{limit}", 20)

    def another(handler):
        page = f"{handler.path[: -len('.xml')]}0"
        body = sitemapindex(*(site.url(f"{page}{each}.xml") for each in range(9)))
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n" + body.encode())

    names = ["/sitemap", *(f"/sitemap0{each}" for each in range(9))]
    names += [f"{each}0{more}" for each in names[1:] for more in range(9)]
    site.answer.update({f"{name}.xml": another for name in names})
    visited = visit(site.url())
    assert len(site.requests) < 25
    [finding] = audit(visited, settings_of(rules={"live-incomplete": LIVE_RULES["live-incomplete"]}))
    assert finding.rule == "live-incomplete"


@pytest.mark.parametrize(("delay", "pause"), [("0.5", 0.5), ("1000000000", MAX_PAUSE), ("0.001", 0.05)])
def test_crawl_delay_is_obeyed_within_reason(delay, pause):
    base = Base.of("https://docs.example.org/")
    visitor = Visitor(None, Limits(rate=20), base, base)
    visitor.obey(Answer(url=base.url, status=200, body=f"User-agent: *\nCrawl-delay: {delay}\n".encode()))
    assert visitor.pause == pause


@pytest.mark.parametrize(
    ("retry_after", "number", "seconds"),
    [
        ("7", 0, 7),
        ("9" * 400, 0, 30),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 1, 0),
        ("Thu, 01 Jan 2026 00:00:00 +99999999999999", 1, 1),
        ("\xb2", 1, 1),
    ],
)
def test_retry_after(retry_after, number, seconds):
    assert retry_delay(web.Response(url="", headers={"retry-after": retry_after}), number) == seconds


def test_rate_is_kept(site):
    start = time.monotonic()
    visit_site(Base.of(site.url()), Limits(rate=10), NOW)
    assert len(site.requests) == 4  # robots.txt, the sitemap, a page, one that is not there
    assert time.monotonic() - start > 0.3


def test_no_more_of_a_page_is_read_than_may_be_its_head(site):
    sent = []

    def endless(handler):
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + SMALL)
        while not site.released.is_set():
            handler.wfile.write(b"x" * 65_536)
            sent.append(65_536)

    site.answer["/a/"] = endless
    page = page_of(site, deadline=600)
    assert page.head == parse_head(SMALL)
    assert not page.error


def test_busy_server_is_asked_again(site):
    def busy(handler):
        site.serve("/a/", SMALL, **HTML)
        handler.wfile.write(b"HTTP/1.0 503 Busy\r\nRetry-After: 0\r\n\r\n")

    site.answer["/a/"] = busy
    assert page_of(site).status == 200
    assert sum(path == "/a/" for _, path, _, _ in site.requests) == 2


def test_no_more_requests_at_once_than_allowed(site):
    running, most = set(), []
    three = threading.Barrier(3, timeout=30)

    def together(handler):
        running.add(handler.path)
        most.append(len(running))
        three.wait()
        time.sleep(0.05)  # in which a fourth would come
        running.discard(handler.path)
        handler.wfile.write(b"HTTP/1.0 404 Not Found\r\n\r\n")

    names = [f"/{number}/" for number in range(12)]
    site.answer.update(dict.fromkeys(names, together))
    site.serve("/sitemap.xml", sitemap(*map(site.url, names)))
    visit(site.url(), at_once=3)
    assert max(most) == 3


def test_max_pages(site):
    site.serve("/sitemap.xml", sitemap(*(site.url(f"/{number}/") for number in range(5))))
    visited = visit(site.url(), pages=2)
    assert (len(visited.pages), visited.not_reached) == (2, 0)


def test_nobody_there_is_an_error_in_words():
    with pytest.raises(SitemapError, match=r"http://127.0.0.1:9 could not be reached"):
        visit_site(Base.of("http://127.0.0.1:9/"), Limits(), NOW)


def test_staging_host(site):
    """The sitemap names the host to be, the server answers here, below another path."""
    base = "https://docs.example.net/manual/"
    site.serve("/robots.txt", f"User-agent: *\nSitemap: {base}sitemap.xml\n".encode())
    listed = sitemap(*(base + path for path in ("a/", "b", "c", "gone/")))
    site.serve("/next/sitemap.xml", listed, Content_Type="text/xml")
    site.serve("/next/a/", html_page(canonical(f"{base}a/")).encode(), **HTML)
    site.serve("/next/b", status=301, Location=site.url("/next/a/"))
    site.serve("/next/c", status=301, Location=site.url("/login"))
    site.serve("/login", SMALL, **HTML)
    flags = ["--base-url", base, "--at", site.url("/next/"), "--json", "--rate", "1000"]
    done = command("check", *flags)
    assert done.code == 1, done.err
    findings = done.data["findings"]
    found = {(each["rule"], each["where"]) for each in findings}
    redirects = {each["where"]: each["message"] for each in findings if each["rule"] == "live-redirect"}
    assert redirects[f"{base}b"] == (
        f"The address redirects with status 301 to {base}a/. List {base}a/ instead."
    )
    assert site.url("/login") in redirects[f"{base}c"], "another site of the host is none of the deployed one"
    assert {("live-redirect", f"{base}b"), ("live-status", f"{base}gone/")} <= found
    assert not [where for _, where in found if where.startswith(site.url())]
    assert {path for _, path, _, _ in site.requests} >= {"/next/a/", "/next/b", "/next/gone/", "/robots.txt"}
