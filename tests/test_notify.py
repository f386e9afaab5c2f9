"""Telling search engines, against a real server that speaks IndexNow with all its answers."""

import json
import re
from pathlib import Path

import pytest

from sitemap_docs.model import SitemapError
from sitemap_docs.notify import check_endpoint
from sitemap_docs.output.text_files import Key
from tests.conftest import BASE, Answer, command, cut, urlset, write

KEY = "0123456789abcdef-TheKey"
JANUARY, MAY = "2026-01-31T00:00:00+00:00", "2026-05-31T00:00:00+00:00"


def write_urls(file: Path, *pages: str, base: str = BASE) -> Path:
    """Pages are ``path date``."""
    return write(file.parent, {file.name: urlset(*(base + page for page in pages))}) / file.name


def pair(folder: Path, old: list[str], new: list[str], base: str = BASE) -> tuple[Path, Path]:
    return write_urls(folder / "o.xml", *old, base=base), write_urls(folder / "n.xml", *new, base=base)


class Engine:
    """An endpoint of the protocol. ``received`` are the URLs of each accepted request.

    ``script`` holds answers to give before the protocol's own: a status, with headers, or a function.
    """

    path = "/indexnow"

    def __init__(self, loopback) -> None:
        self.loopback = loopback
        self.url = loopback.url(self.path)
        self.script: list[object] = []
        self.received: list[list[str]] = []
        self.keys = {KEY: f"{BASE}{KEY}.txt"}
        loopback.answer[self.path] = self.answer

    def answer(self, handler) -> None:
        step = self.script.pop(0) if self.script else None
        if callable(step):
            step(handler)
            return
        status, headers = step if isinstance(step, tuple) else (step or self.judge(), {})
        if status in (200, 202):
            self.received.append(self.said()["urlList"])
        handler.send_response(status)
        for name, value in {"Content-Length": "0", **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()

    def judge(self) -> int:
        said = self.said()
        if said is None or not 1 <= len(said["urlList"]) <= 10_000:
            return 400
        if self.keys.get(said["key"]) != said["keyLocation"]:
            return 403
        scope = said["keyLocation"].rpartition("/")[0] + "/"
        fits = all(url.startswith(scope) and url.split("/")[2] == said["host"] for url in said["urlList"])
        return 200 if fits and re.fullmatch("[A-Za-z0-9-]{8,128}", said["key"]) else 422

    def said(self) -> dict | None:
        method, _, headers, body = self.loopback.requests[-1]
        if method != "POST" or headers["Content-Type"] != "application/json; charset=utf-8":
            return None
        return json.loads(body)


@pytest.fixture
def engine(loopback) -> Engine:
    return Engine(loopback)


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """a stays, b changes, c is added, d goes; e's date appears, f's date goes."""
    old = [f"a/ {MAY}", f"b/ {JANUARY}", f"d/ {MAY}", "e/", f"f/ {MAY}"]
    return pair(tmp_path, old, [f"a/ {MAY}", f"b/ {MAY}", f"c/ {MAY}", f"e/ {MAY}", "f/"])


CHANGED = [f"{BASE}b/", f"{BASE}c/", f"{BASE}d/"]


@pytest.fixture
def run(engine: Engine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("INDEXNOW_KEY", KEY)
    waits: list[float] = []
    monkeypatch.setattr("sitemap_docs.cli.notify.sleep", waits.append)  # minutes, of which the numbers matter

    def call(*arguments: object, send: bool = True) -> Answer:
        flags = ["--endpoint", engine.url, *(["--send"] if send else [])]
        done = command("notify", *flags, *arguments)
        assert KEY not in done.out + done.err
        return done

    call.waits = waits
    return call


def test_exactly_what_changed(run, engine: Engine, places) -> None:
    done = run(*places)
    assert done.code == 0, done.err
    assert engine.received == [CHANGED]
    assert engine.said() == {
        "host": "docs.example.org",
        "key": KEY,
        "keyLocation": f"{BASE}{KEY}.txt",
        "urlList": CHANGED,
    }
    assert done.out == "3 URLs accepted (1 added, 1 removed, 1 changed)\n"
    assert "not submitted: 2 URLs that only got or lost a date" in done.err
    assert "3 URLs: 200 OK" in done.err
    done = run(places[0], places[0])
    assert (done.code, done.out) == (0, "nothing to submit: none of 5 URLs changed\n")
    assert engine.received == [CHANGED]


def test_a_dry_run_is_the_default(run, engine: Engine, places, monkeypatch) -> None:
    monkeypatch.delenv("INDEXNOW_KEY")
    done = run(*places, send=False)
    assert done.code == 0
    *changes, summary = done.out.splitlines()
    assert changes == [f"~ {BASE}b/", f"+ {BASE}c/", f"- {BASE}d/"]
    assert summary.startswith("3 URLs to submit (1 added, 1 removed, 1 changed); pass --send")
    assert (
        done.err.splitlines()[-1]
        == "INDEXNOW_KEY is not set. Before you pass --send, set it to your IndexNow key."
    )
    done = run(*places)
    assert (done.code, "INDEXNOW_KEY is not set" in done.err) == (2, True)
    assert engine.loopback.requests == []


@pytest.mark.parametrize(
    ("status", "words", "attempts"),
    [
        pytest.param(400, "does not accept the form of the request", 1, id="400"),
        pytest.param(403, "{key}.txt is served and contains only the key.\n", 1, id="403"),
        pytest.param(429, "Wait at least ten minutes", 4, id="429"),
        pytest.param(503, "not a status of IndexNow", 4, id="503"),
        pytest.param((307, {"Location": "https://e.org/"}), "redirects to https://e.org/", 1, id="307"),
    ],
)
def test_each_refusal_is_explained(run, engine: Engine, places, status, words: str, attempts: int) -> None:
    engine.script = [status] * 9
    done = run(*places)
    assert done.code == 1
    assert words in done.err
    assert done.out.startswith("0 of 3 URLs accepted")
    assert len(engine.loopback.requests) == attempts
    assert run.waits == [10, 20, 40][: attempts - 1]


def reply(handler, body: bytes, status: int = 403, headers=()) -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **dict(headers)}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        pytest.param(
            b'{"code":"UserForbiddedToAccessSite","message":"User is unauthorized\\nto access it."}',
            "'User is unauthorized to access it.'",
            id="JSON",
        ),
        pytest.param(b"no such\n  site", "'no such site'", id="text"),
        pytest.param(f"{KEY.upper()} is unknown".encode(), "'{key} is unknown'", id="the key"),
        pytest.param(b"x" * 290 + KEY.encode(), "xxx{key}'", id="the key at the limit"),
        pytest.param(b"\x1b[31m\xff", r"\x1b[31m", id="control characters"),
        pytest.param(b"<html><p>Forbidden", "", id="HTML"),
        pytest.param(b'{"message": ["a"]}', "", id="no text"),
        pytest.param(b"[" * 4_000, "[[[…'", id="nested"),
        pytest.param(b"", "", id="nothing"),
    ],
)
def test_the_message_of_the_engine_is_printed(run, engine: Engine, places, body, message) -> None:
    engine.script = [lambda handler: reply(handler, body)]
    done = run(*places)
    assert done.code == 1
    assert (message in done.err, "The engine says" in done.err) == (True, bool(message))
    assert done.err.count("\n") == len(done.err.splitlines())
    assert KEY.lower() not in done.err.lower()


@pytest.mark.parametrize("folder", ["", "project/"])
def test_the_advice_on_a_refused_key_mentions_the_root_only_for_a_site_below_the_root(
    run, engine, tmp_path, folder
) -> None:
    places = pair(tmp_path, ["a/", "b/"], ["a/", "c/"], f"{BASE}{folder}")
    engine.script = [403]
    done = run(*places, "--key-location", f"{BASE}{folder}")
    assert f"Check that {BASE}{folder}{{key}}.txt is served" in done.err
    assert (f"pass --key-location {BASE}\n" in done.err) is bool(folder)
    assert run(*places, "--key-location", BASE).code == 0


@pytest.mark.parametrize("headers", [{"Content-Length": "99"}, {"Content-Encoding": "gzip"}])
def test_urls_are_accepted_even_if_the_body_is_broken(run, engine: Engine, places, headers) -> None:
    engine.script = [lambda handler: reply(handler, b"OK", 200, headers)]
    done = run(*places)
    assert (done.code, len(engine.loopback.requests)) == (0, 1), done.err


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        (f"https://e.org/{KEY}/x", "https://e.org/{key}/x"),
        (f"https://{KEY}.e.org/", "https://{key}.e.org/"),
        (f"https://{KEY.lower()}.e.org/", "https://{key}.e.org/"),
        (f"https://e.org/%30{KEY[1:]}", "https://e.org/{key}"),
        (f"/{KEY}.txt", "/{key}.txt"),
    ],
)
@pytest.mark.parametrize("flag", ["-v", "--json"])
def test_the_key_in_the_target_of_a_redirect_is_hidden(run, engine, places, target, shown, flag) -> None:
    engine.script = [(301, {"Location": target})]
    done = run(*places, flag)
    assert (done.code, f"{shown})" in done.err) == (1, True)
    assert KEY.lower() not in (done.out + done.err).lower()


@pytest.mark.parametrize("send", [False, True])
def test_the_key_in_other_addresses_is_hidden(run, engine: Engine, tmp_path: Path, send: bool) -> None:
    """The key itself as --key-location, in place of `{key}`, and a sitemap that lists the key file."""
    old, new = pair(tmp_path, ["a/", "b/"], ["a/", f"{KEY}.txt"])
    assert run(old, new, "--key-location", f"{BASE}{KEY}.txt", send=send).code == 0
    located = run(old, new, "--key-location", f"{BASE}guide/{KEY}.txt", send=send)
    assert (located.code, f"with the key at {BASE}guide/{{key}}.txt" in located.err) == (2, True)
    missing = run(old, tmp_path / f"{KEY}.xml", send=send)
    assert (missing.code, "{key}.xml does not exist" in missing.err) == (2, True)
    wrong = run(old, new, "--endpoint", f"http://e.org/{KEY}", send=send)
    assert (wrong.code, "http://e.org/{key}/, is not encrypted" in wrong.err) == (2, True)


def test_accepted_with_the_key_still_to_be_checked(run, engine: Engine, places) -> None:
    engine.script = [202]
    said = run(*places, "--json")
    assert (said.code, engine.received) == (0, [CHANGED])
    assert "202 Accepted" in said.err
    assert (said.data["accepted"], said.data["not_submitted"], said.data["urls"]) == (3, 2, CHANGED)


def test_a_cut_connection_is_tried_again(run, engine: Engine, places) -> None:
    engine.script = [cut, 503]
    done = run(*places)
    assert (done.code, engine.received, run.waits) == (0, [CHANGED], [10, 20])
    engine.script = [cut] * 9
    done = run(*places)
    assert (done.code, "no answer from http://127.0.0.1" in done.err) == (1, True)


def test_no_wait_is_longer_than_the_budget(run, engine: Engine, places) -> None:
    engine.script = [lambda _: engine.loopback.released.wait(20)]
    done = run(*places, "--timeout", 0.5)
    assert (done.code, run.waits) == (1, [])
    assert "no complete response before --timeout" in done.err


@pytest.mark.parametrize(
    ("retry_after", "waits", "code"),
    [
        pytest.param("7", [7.0], 0, id="seconds"),
        pytest.param("600", [], 1, id="longer than the budget"),
        pytest.param("soon", [10.0], 0, id="nonsense"),
        pytest.param("Fri, 31 Dec 9999 23:59:59 GMT", [], 1, id="a date far away"),
    ],
)
def test_retry_after(run, engine: Engine, places, retry_after: str, waits: list[float], code: int) -> None:
    engine.script = [(429, {"Retry-After": retry_after})]
    done = run(*places)
    assert (done.code, run.waits) == (code, waits)
    if code:
        assert "retry after" in done.err


# What is never sent


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(["x/a/"], ["y/a/"], id="another site"),
        pytest.param(["a/", "b/"], [], id="nothing was built"),
        pytest.param(
            [f"{page}/ {JANUARY}" for page in "abc"], [f"{page}/ {MAY}" for page in "abc"], id="every date"
        ),
        pytest.param(["a/"], [f"{number}/" for number in range(1_002)] + ["a/"], id="most of a large one"),
    ],
)
def test_the_whole_site_is_not_sent_by_accident(run, engine: Engine, tmp_path: Path, old, new) -> None:
    places = pair(tmp_path, old, new)
    done = run(*places)
    assert (done.code, "pass --all" in done.err) == (2, True)
    assert engine.loopback.requests == []
    assert run(*places, "--all").code == 0
    assert len(engine.received) == 1


@pytest.mark.parametrize("former", ["https://old.example.org/", "http://docs.example.org/"])
def test_a_site_that_has_moved_to_another_host(run, engine: Engine, tmp_path: Path, former: str) -> None:
    """The new URLs are submitted. The key is not valid for the old URLs."""
    old = write_urls(tmp_path / "o.xml", f"a/ {MAY}", f"b/ {MAY}", base=former)
    new = write_urls(tmp_path / "n.xml", f"a/ {MAY}", f"c/ {MAY}")
    done = run(old, new)
    assert done.code == 2
    assert f"OLD lists 2 URLs on {former}, but the URLs of NEW are on {BASE}. If the site has" in done.err
    done = run(old, new, "--all")
    assert done.code == 0
    assert f"not submitted: 2 URLs that only OLD lists on another host, such as {former}a/" in done.err
    assert done.out == "2 URLs accepted (2 added, 0 removed, 0 changed)\n"
    assert engine.received == [[f"{BASE}a/", f"{BASE}c/"]]
    assert json.loads(run(old, new, "--all", "--json", send=False).out)["not_submitted"] == 2


@pytest.mark.parametrize(
    ("spelling", "host"),
    [
        ("https://DOCS.Example.org:443/", BASE),
        ("https://bücher.example.org/", "https://xn--bcher-kva.example.org/"),
    ],
)
def test_all_spellings_of_a_host_are_the_same_host(
    run, engine: Engine, tmp_path: Path, spelling, host
) -> None:
    engine.keys = {KEY: f"{host}{KEY}.txt"}
    old = write_urls(tmp_path / "o.xml", *(f"{page}/ {MAY}" for page in "abde"), base=spelling)
    new = write_urls(tmp_path / "n.xml", *(f"{page}/ {MAY}" for page in "acde"), base=host)
    for places in ([old, new], [old, new, "--key-location", spelling]):
        assert run(*places).code == 0
        assert engine.received.pop() == [f"{host}b/", f"{host}c/"]
    assert run(new, old).code == 0
    assert engine.received == [[f"{host}b/", f"{host}c/"]]


@pytest.mark.parametrize("path", ["a.pdf?v=1", "a%2Fb/", "a/?x=/docs#y"])
def test_any_path_below_the_key_is_submitted(run, engine: Engine, tmp_path: Path, path: str) -> None:
    new = write_urls(tmp_path / "n.xml", f"{path} {MAY}", "b/")
    assert run(new, "--all").code == 0
    assert engine.received == [[f"{BASE}{path}", f"{BASE}b/"]]


def test_a_url_with_an_invalid_port_is_refused(run, engine: Engine, tmp_path: Path) -> None:
    invalid = "https://docs.example.org:99999/"
    new = write_urls(tmp_path / "n.xml", f"a/ {MAY}", base=invalid)
    done = run(new, "--all", "--key-location", BASE)
    assert (done.code, f"for example {invalid}a/" in done.err) == (2, True)
    assert engine.loopback.requests == []


def test_urls_on_several_hosts_have_no_common_key(run, engine: Engine, tmp_path: Path) -> None:
    texts = urlset(f"{BASE}a/", "https://other.example.org/a/")
    write(tmp_path, {"n.xml": texts})
    done = run(tmp_path / "n.xml", "--all")
    assert (done.code, "n.xml lists no URLs, or URLs of several hosts" in done.err) == (2, True)
    assert engine.loopback.requests == []


def test_new_alone(run, engine: Engine, places) -> None:
    assert "Pass OLD and NEW" in run(places[1]).err
    assert "Missing argument NEW. Pass the sitemap or site" in run().err
    assert run(places[1], "--all").code == 0
    assert len(engine.received[0]) == 5
    assert run("a", "b", "c").code == 2


@pytest.mark.parametrize(
    "base", ["https://10.1.2.3:8443/", "https://wiki/", "https://docs--12.org.readthedocs.build/en/12/"]
)
def test_hosts_that_are_not_submitted(run, engine: Engine, tmp_path: Path, base: str) -> None:
    done = run(*pair(tmp_path, ["a/", "b/"], ["a/", "c/"], base), "--all", send=False)
    assert (done.code, "so its URLs are not submitted" in done.err) == (2, True)
    assert engine.loopback.requests == []


def test_urls_with_a_password_are_not_submitted(run, engine: Engine, tmp_path: Path) -> None:
    secret = "https://user:hush@docs.example.org/"
    done = run(*pair(tmp_path, ["a/"], ["a/", "c/"], secret), "--all")
    assert (done.code, "URLs with a user name or a password are not" in done.err, "hush" in done.err) == (
        2,
        True,
        False,
    )
    assert engine.loopback.requests == []


@pytest.mark.parametrize(
    ("environ", "why"),
    [
        ({"READTHEDOCS": "True"}, "deploys after the build"),
        ({"VERCEL": "1", "VERCEL_ENV": "preview"}, "preview"),
        ({"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request"}, "a review"),
        ({"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push"}, ""),
    ],
    ids=lambda value: "-".join(value.values()) if isinstance(value, dict) else "",
)
def test_never_from_a_build_or_a_review(run, engine: Engine, places, monkeypatch, environ, why: str) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    done = run(*places)
    assert done.code == (2 if why else 0)
    assert why in done.err
    assert bool(engine.loopback.requests) is not bool(why)


# The key


@pytest.mark.parametrize("key", ["short", "a" * 129, "sl/ash-key", "new\nline-key"])
def test_what_is_no_key_is_said_without_it(run, places, monkeypatch, key: str) -> None:
    monkeypatch.setenv("INDEXNOW_KEY", key)
    done = run(*places)
    assert (done.code, "INDEXNOW_KEY is not" in done.err) == (2, True)
    assert key not in done.out + done.err
    assert repr(Key(KEY)) == "Key(…)"


@pytest.mark.parametrize(
    ("location", "told_location"),
    [
        pytest.param(BASE + "en/", BASE + f"en/{KEY}.txt", id="a folder"),
        pytest.param(BASE + "indexnow.txt", BASE + "indexnow.txt", id="a name without the key"),
        pytest.param(BASE + "en/k-{key}.txt", BASE + f"en/k-{KEY}.txt", id="a pattern"),
    ],
)
def test_key_locations(run, engine: Engine, tmp_path: Path, location: str, told_location: str) -> None:
    engine.keys = {KEY: told_location}
    places = pair(tmp_path, ["en/a/", "en/b/"], ["en/a/", "en/c/"])
    assert run(*places, "--key-location", location).code == 0
    assert engine.said()["keyLocation"] == told_location


@pytest.mark.parametrize("location", [BASE.rstrip("/"), f"{BASE[:-1]}?x=1", "https://[::1/", "foo", "e.org/"])
@pytest.mark.parametrize("send", [False, True])
def test_an_invalid_key_location_is_refused(run, engine: Engine, places, location: str, send: bool) -> None:
    """Without the final slash, the folder of ``https://example.org`` would be that of every site."""
    done = run(*places, "--key-location", location, send=send)
    assert (done.code, "The address of the key file is not valid" in done.err) == (2, True)
    assert engine.loopback.requests == []


@pytest.mark.parametrize("location", [f"{BASE}guide/{{key}}.txt", "https://other.example.org/", f"{BASE}b/"])
def test_urls_that_the_key_is_not_valid_for(run, engine: Engine, places, location: str) -> None:
    done = run(*places, "--key-location", location)
    assert (done.code, "URLs cannot be submitted with the key" in done.err) == (2, True)
    assert engine.loopback.requests == []


def test_a_built_folder_must_hold_the_key_file(run, engine: Engine, tmp_path: Path) -> None:
    old = write_urls(tmp_path / "o.xml", "en/a/", "en/b/")
    site = tmp_path / "site"
    write_urls(site / "sitemap.xml", "en/a/", "en/c/")
    write(site, {"en/a/index.html": "", "en/c/index.html": ""})
    assert "has no IndexNow key file" in run(old, site).err
    (site / f"{KEY}.txt").write_text("another key")
    assert "does not contain the key" in run(old, site).err
    assert run(old, site, "--key-location", BASE, send=False).code == 0
    (site / f"{KEY}.txt").write_text(f"{KEY}\n")
    assert run(old, site).code == 0
    assert engine.said()["keyLocation"] == f"{BASE}{KEY}.txt"  # the folder is deployed to the root


@pytest.mark.parametrize("endpoint", ["http://www.bing.com/indexnow", "https://user:password@www.bing.com/"])
def test_endpoints_that_are_none(endpoint: str) -> None:
    with pytest.raises(SitemapError, match="--endpoint"):
        check_endpoint(endpoint)


def test_no_more_than_10_000_a_request(run, engine: Engine, tmp_path: Path) -> None:
    new = write_urls(tmp_path / "new.xml", *(f"{number:05}/" for number in range(20_001)))
    requests = run(new, "--all", "--json").data["requests"]
    assert [request["urls"] for request in requests] == [10_000, 10_000, 1]
    urls = [url for urls in engine.received for url in urls]
    assert urls == [f"{BASE}{number:05}/" for number in range(20_001)]
    engine.script = [200, 403]
    assert run(new, "--all").code == 1, "the second is refused"
