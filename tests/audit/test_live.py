"""The live check, against a real nginx with faults."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sitemap_docs.audit import LIVE, Settings, audit, deployed_rules
from sitemap_docs.audit.formats import FORMATS
from sitemap_docs.audit.live import visit_site
from sitemap_docs.audit.visitor import Limits
from sitemap_docs.cli.main import group
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import Base
from tests.conftest import HANGS, on_a_terminal, runner

pytest.importorskip("httpx", reason="the extra `web` is not installed")
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed (Debian: nginx-light)")

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
    listen 127.0.0.1:{port}{tls};
    root {folder}/www;
    {more}
  }}
}}
"""
PAGE = (
    '<!doctype html><html lang="en"><head><title>T</title><link rel="canonical" href="{}">{}</head>'
    "<body>" + "text " * 1_000 + "</body></html>"
)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


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
        for path in paths:
            file = self.folder / "www" / path / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(PAGE.format(self.base + path, head))
        self.listing(*paths)
        said = f"User-agent: *\nAllow: /\n\nSitemap: {self.base}sitemap.xml\n" if robots is None else robots
        (self.folder / "www" / "robots.txt").write_text(said)

    def listing(self, *paths: str) -> None:
        rows = "".join(f"<url><loc>{self.base}{path}</loc></url>" for path in paths)
        (self.folder / "www" / "sitemap.xml").write_text(
            f'<?xml version="1.0" encoding="UTF-8"?><urlset '
            f'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
        )

    def start(self, more: str = "gzip on;", tls: str = "") -> None:
        conf = self.folder / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""  # pytest's folders are the user's own
        conf.write_text(CONF.format(user=user, folder=self.folder, port=self.port, more=more, tls=tls))
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
        return (self.folder / "access.log").read_text().splitlines()


@pytest.fixture
def nginx(tmp_path):
    server = Nginx(tmp_path / "nginx")
    yield server
    server.stop()


def visit(base: str, limits: Limits | None = None):
    return visit_site(Base.of(base), limits or Limits(rate=200))


def rules(base: str, each: dict | None = None) -> dict[str, str]:
    """Rule → where, of all rules of the live check; a busy machine is not a slow server."""
    settings = Settings.of(rules=LIVE, severity="info", each={"live-slow": {"seconds": HANGS}} | (each or {}))
    return {finding.rule: finding.where for finding in audit(visit(base), settings)}


def test_sound_site_has_no_findings(nginx):
    nginx.write("", "guide/")
    nginx.start()
    site = visit(nginx.base)
    assert [page.status for page in site.pages] == [200, 200]
    assert site.pages[0].headers["content-encoding"] == "gzip"
    assert rules(nginx.base) == {}


FAULTS = {
    "live-status": "location /bad/ { return 404; }",
    "live-noindex-header": 'location /bad/ { add_header X-Robots-Tag "googlebot: noindex, nofollow"; }',
    "live-canonical": "location /bad/ { add_header Link '<https://other.example.org/>; rel=\"canonical\"'; }",
    "live-content-type": "location /bad/ { types { } default_type application/octet-stream; }",
    "live-redirect": "location /bad/ { return 301 /good/; }",
    "live-unreachable": "location /bad/ { return 444; }",
    "live-soft-404": "error_page 404 =200 /index.html;",
    "live-sitemap-type": "location = /sitemap.xml { types { text/html xml; } }",
    "live-sitemap-status": "location = /sitemap.xml { return 403; }",
}


@pytest.mark.parametrize("rule", list(FAULTS))
def test_fault_of_the_server_is_found_and_nothing_else(rule, nginx):
    nginx.write("", "bad/", "good/")
    nginx.start(f"gzip on; {FAULTS[rule]}")
    found = rules(nginx.base)
    assert set(found) == {rule}
    if "/bad/" in FAULTS[rule]:
        assert found[rule] == f"{nginx.base}bad/"


def test_robots_with_a_server_error_forbids_all(nginx):
    nginx.write("")
    nginx.start("gzip on; location = /robots.txt { return 500; }")
    assert set(rules(nginx.base)) == {"live-robots-status"}
    assert {line.split('"')[1] for line in nginx.log()} == {"GET /robots.txt HTTP/1.1"}


def test_chain_of_redirects_is_reported_step_by_step(nginx):
    nginx.write("", "good/")
    nginx.listing("", "one/")
    nginx.start("gzip on; location /one/ { return 301 /two/; } location /two/ { return 302 /good/; }")
    page = visit(nginx.base).pages[1]
    assert page.hops == ((301, f"{nginx.base}two/"), (302, f"{nginx.base}good/"))
    assert page.status == 200
    assert set(rules(nginx.base)) == {"live-redirect"}


def test_circle_of_redirects_ends(nginx):
    nginx.write("")
    nginx.listing("", "one/")
    nginx.start("gzip on; location /one/ { return 301 /two/; } location /two/ { return 301 /one/; }")
    assert visit(nginx.base).pages[1].error == "it redirects in a circle"


def test_other_hosts_are_not_asked(nginx, loopback):
    """What a site says must not make us ask the machines around us."""
    nginx.write("", robots=f"Sitemap: {loopback.url('/x.xml')}\nSitemap: {nginx.base}index.xml\n")
    nginx.listing("", "away/")
    listed = [loopback.url("/y.xml"), f"{nginx.base}sitemap.xml", f"{nginx.base}index.xml"]
    rows = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in listed)
    (nginx.folder / "www" / "index.xml").write_text(f"<sitemapindex>{rows}</sitemapindex>")
    nginx.start(f"gzip on; location /away/ {{ return 302 {loopback.url('/z/')}; }}")
    site = visit(nginx.base)
    assert [answer.url for answer, _ in site.sitemap_responses] == [
        f"{nginx.base}index.xml",
        f"{nginx.base}sitemap.xml",
    ]
    assert site.pages[1].error == f"it redirects to {loopback.url('/z/')}, on another host"
    assert loopback.requests == []


def test_indexes_of_indexes_end(nginx):
    nginx.write("", robots="")
    nginx.start(
        "location ~ ^/(a*)sitemap.xml { default_type text/xml; return 200 "
        f"'<sitemapindex><sitemap><loc>{nginx.base}a$1sitemap.xml</loc></sitemap></sitemapindex>'; }}"
    )
    assert len(visit(nginx.base).sitemaps) == 3


def test_page_that_is_noindex_as_served(nginx):
    nginx.write("", head='<meta name="robots" content="noindex">')
    nginx.start()
    assert set(rules(nginx.base)) == {"live-noindex"}


def test_robots_txt_is_obeyed(nginx):
    robots = f"User-agent: *\nDisallow: /secret/\n\nSitemap: {nginx.base}sitemap.xml\n"
    nginx.write("", "secret/", robots=robots)
    nginx.start()
    assert rules(nginx.base) == {"live-disallowed": f"{nginx.base}secret/"}
    assert not [line for line in nginx.log() if "/secret/" in line]


def test_index_and_packed_sitemaps_are_followed(nginx):
    nginx.write("", "guide/")
    www = nginx.folder / "www"
    (www / "part.xml.gz").write_bytes(gzip.compress((www / "sitemap.xml").read_bytes()))
    (www / "sitemap.xml").write_text(
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<sitemap><loc>{nginx.base}part.xml.gz</loc></sitemap></sitemapindex>"
    )
    nginx.start()
    site = visit(nginx.base)
    assert len(site.sitemaps) == 2
    assert len(site.pages) == 2
    assert rules(nginx.base) == {}


def test_site_below_a_path_has_its_own_sitemap_and_no_other_address_is_asked(nginx):
    nginx.write("", "docs/", "docs/guide/", robots=f"Sitemap: {nginx.base}sitemap.xml\n")
    www = nginx.folder / "www"
    rows = (www / "sitemap.xml").read_text()
    elsewhere = "<url><loc>http://other.example.org/</loc></url></urlset>"
    (www / "docs" / "sitemap.xml").write_text(rows.replace("</urlset>", elsewhere))
    (www / "sitemap.xml").unlink()
    nginx.start()
    site = visit(f"{nginx.base}docs/")
    assert [answer.url for answer, _ in site.sitemap_responses] == [f"{nginx.base}docs/sitemap.xml"]
    assert [page.url for page in site.pages] == [f"{nginx.base}docs/", f"{nginx.base}docs/guide/"]


def test_truncated_sitemap_is_broken(nginx):
    nginx.write("")
    file = nginx.folder / "www" / "sitemap.xml"
    file.write_text(file.read_text()[:-20])
    nginx.start()
    assert set(rules(nginx.base)) == {"live-sitemap-broken"}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        pytest.param(
            "<url><loc>https://docs.example.org/a/</loc></url><url><loc>{base}</loc></url>",
            "1 of 2 addresses are not below {base}, such as https://docs.example.org/a/.",
            id="another host",
        ),
        pytest.param(
            "<url><loc>https://docs.example.org/a/</loc></url>" * 2,
            "2 of 2 addresses are not below {base}, such as https://docs.example.org/a/.",
            id="another host only",
        ),
    ],
)
def test_sitemap_without_pages_of_the_site_is_reported(nginx, rows, said):
    nginx.write("")
    file = nginx.folder / "www" / "sitemap.xml"
    head, _, _ = file.read_text().partition("<url>")
    file.write_text(f"{head}{rows.format(base=nginx.base)}</urlset>")
    nginx.start()
    settings = Settings.of(rules=LIVE)
    (finding,) = audit(visit(nginx.base), settings)
    assert (finding.rule, finding.message) == ("live-sitemap-elsewhere", said.format(base=nginx.base))


def test_robots_and_sitemaps_are_read_as_they_are_served(nginx):
    nginx.write("", robots="User-agent: *\nDissallow: /x\n")
    file = nginx.folder / "www" / "sitemap.xml"
    file.write_text(file.read_text().replace("</loc>", "</loc><lastmod>yesterday</lastmod>"))
    nginx.start()
    found = list(audit(visit(nginx.base), Settings.of(rules=deployed_rules())))
    assert [(each.rule, each.where, each.file, each.line) for each in found] == [
        ("lastmod-format", nginx.base, f"{nginx.base}sitemap.xml", 1),
        ("robots-unknown-directive", f"{nginx.base}robots.txt", f"{nginx.base}robots.txt", 2),
    ]
    done = runner().invoke(group, ["check", nginx.base], catch_exceptions=False)
    assert f"  {nginx.base}robots.txt:2\n" in done.stdout


def test_robots_of_the_host_is_not_held_against_a_site_below_a_path(nginx):
    nginx.write("docs/", robots="Dissallow: /x\n")
    (nginx.folder / "www" / "sitemap.xml").rename(nginx.folder / "www" / "docs" / "sitemap.xml")
    nginx.start("gzip on;")
    assert list(audit(visit(f"{nginx.base}docs/"), Settings.of(rules=deployed_rules()))) == []


def test_sound_site_has_no_findings_of_any_rule(nginx):
    nginx.write("", "guide/")
    nginx.start()
    assert list(audit(visit(nginx.base), Settings.of(rules=deployed_rules()))) == []


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_a_deployed_site(nginx, form):
    nginx.write("", robots="Dissallow: /x\n")
    nginx.start()
    done = runner().invoke(group, ["check", nginx.base, "--format", form], catch_exceptions=False)
    assert done.exit_code == 1
    assert "robots-unknown-directive" in done.stdout
    if form == "gitlab":
        assert json.loads(done.stdout)[0]["location"]["path"] == "."


class Busy(BaseHTTPRequestHandler):
    """Answers 503 the first time, then late."""

    asked = 0

    def do_GET(self) -> None:
        Busy.asked += 1
        if Busy.asked == 1:
            self.send_response(503)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        time.sleep(0.4)
        body = PAGE.format(f"{self.headers['X-Base']}slow/", "").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_busy_server_is_asked_again_and_a_slow_one_reported(nginx):
    Busy.asked = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    nginx.write("")
    nginx.listing("", "slow/")
    nginx.start(
        f"gzip on; location /slow/ {{ proxy_pass http://127.0.0.1:{server.server_port};"
        f" proxy_set_header X-Base {nginx.base}; }}"
    )
    try:
        site = visit(nginx.base)
    finally:
        server.shutdown()
        server.server_close()
    settings = Settings.of(rules=LIVE, severity="info", each={"live-slow": {"seconds": 0.3}})
    found = [(finding.rule, finding.where) for finding in audit(site, settings)]
    assert {rule for rule, _ in found} == {"live-slow"}
    assert found[-1] == ("live-slow", f"{nginx.base}slow/")
    assert Busy.asked == 2


def test_no_more_requests_at_once_than_allowed(nginx):
    now, most = 0, 0
    lock = threading.Lock()
    three = threading.Barrier(3, timeout=HANGS)

    class Counting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            three.wait()
            time.sleep(0.05)  # in which a fourth would come
            with lock:
                now -= 1
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    nginx.write("")
    nginx.listing(*(f"p/{number}/" for number in range(12)))
    nginx.start(f"location /p/ {{ proxy_pass http://127.0.0.1:{server.server_port}; }}")
    try:
        visit(nginx.base, Limits(rate=500, at_once=3))
    finally:
        server.shutdown()
        server.server_close()
    assert most == 3


def test_progress_on_a_terminal(nginx):
    nginx.write("", "a/")
    nginx.start()
    shown = on_a_terminal(sys.executable, "-m", "sitemap_docs", "check", nginx.base)
    assert b"pages fetched" in shown.terminal
    assert b"2/2" in shown.terminal
    assert shown.out.startswith(nginx.base.encode())


def test_max_pages(nginx):
    nginx.write("", "a/", "b/")
    nginx.start()
    assert len(visit(nginx.base, Limits(rate=200, pages=2)).pages) == 2


def test_http2_is_spoken_where_it_is_offered(nginx, monkeypatch):
    pytest.importorskip("h2")
    openssl = shutil.which("openssl")
    if not openssl:
        pytest.skip("openssl is not installed")
    key, cert = nginx.folder / "key.pem", nginx.folder / "cert.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True,
        capture_output=True,
    )  # fmt: skip
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    nginx.base = f"https://localhost:{nginx.port}/"
    nginx.write("", "a/")
    nginx.start(f"gzip on; ssl_certificate {cert}; ssl_certificate_key {key};", " ssl http2")
    assert {page.version for page in visit(nginx.base).pages} == {"HTTP/2"}
    assert rules(nginx.base) == {}


def test_nobody_there_is_an_error_in_words():
    with pytest.raises(SitemapError, match="could not be reached"):
        visit(f"http://localhost:{free_port()}/")


def test_command_checks_a_url(nginx, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    nginx.write("", "bad/")
    nginx.start(f"gzip on; {FAULTS['live-status']}")
    done = runner().invoke(group, ["check", nginx.base, "--rate", "200"], catch_exceptions=False)
    assert done.exit_code == 1
    assert "error: live-status (1)" in done.stdout
    assert os.linesep.join(done.stdout.splitlines()[:1]).endswith("HTTP/1.1")


@pytest.mark.parametrize(
    ("select", "code"),
    [
        pytest.param('["hreflang"]', 2, id="none that runs here"),
        pytest.param('["hreflang", "live-status"]', 0, id="of both kinds"),
    ],
)
def test_rules_selected_for_folders_are_none_for_deployed_sites(nginx, tmp_path, monkeypatch, select, code):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(f"[tool.sitemap-docs.check]\nselect = {select}\n")
    nginx.write("")
    nginx.start()
    done = runner().invoke(group, ["check", nginx.base, "--rate", "200"], catch_exceptions=False)
    assert done.exit_code == code
    assert ("None of the selected rules runs here" in done.stderr) is bool(code)


def test_address_of_a_sitemap_is_no_site(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    done = runner().invoke(group, ["check", "https://docs.example.org/en/sitemap.xml"])
    assert done.exit_code == 2
    assert "pass the URL of the site, https://docs.example.org/en/" in done.stderr
