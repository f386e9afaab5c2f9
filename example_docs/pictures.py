"""The pictures of the README and the manual: python example_docs/pictures.py, or nox -s pictures.

They show the manual's own site: its report and its sitemap in Chromium. Needs Chromium on the PATH.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).parent
PICTURES = HERE / "pages" / "pictures"
BASE = "https://sitemap-docs.example/"
MOST = 150_000  # bytes
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--virtual-time-budget=10000"),
)
FRAME = """<!doctype html><body style="margin:0;overflow:hidden">
<iframe src="%s" style="display:block;border:0;width:%dpx;height:6000px"></iframe>"""


class Picture(NamedTuple):
    """A page of the site, cut to a size in CSS pixels, in light or dark."""

    name: str
    page: str
    width: int
    height: int
    dark: bool = False


SHOWN = (
    Picture("report", "report.html", 1_100, 1_000),
    Picture("report-dark", "report.html", 1_100, 1_000, dark=True),
    Picture("report-phone", "report.html", 400, 900),
    Picture("sitemap", "sitemap.xml", 900, 480),
    Picture("sitemap-dark", "sitemap.xml", 900, 480, dark=True),
)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def main() -> int:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        sys.stderr.write("Chromium is not on the PATH. On Debian: apt-get install chromium\n")
        return 1
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        site = Path(folder, "site")
        build(site)
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            for picture in SHOWN:
                take(picture, site, chromium, server.server_port)
            server.shutdown()
    return 0


def build(site: Path) -> None:
    sphinx = ("-m", "sphinx", "-q", "-b", "dirhtml", "-c", str(HERE), str(HERE / "pages"), str(site))
    report = ("report", str(site), "--source", str(HERE / "pages"), "--base-url", BASE)
    subprocess.run([sys.executable, *sphinx], check=True)
    subprocess.run(
        [sys.executable, "-m", "sitemap_docs", *report, "-o", str(site / "report.html"), "-q"], check=True
    )


def take(picture: Picture, site: Path, chromium: str, port: int) -> None:
    frame = site / "frame.html"
    frame.write_text(FRAME % (picture.page, picture.width), encoding="utf-8")
    file = PICTURES / f"{picture.name}.png"
    subprocess.run(
        [
            chromium,
            *FLAGS,
            f"--user-data-dir={site.parent / 'profile'}",
            f"--blink-settings=preferredColorScheme={0 if picture.dark else 1}",
            f"--window-size={picture.width},{picture.height}",
            f"--screenshot={file}",
            f"http://127.0.0.1:{port}/frame.html",
        ],
        check=True,
        capture_output=True,
    )
    size = file.stat().st_size
    if size > MOST:
        raise SystemExit(f"{file} has {size:,} bytes: cut it to less than {MOST:,}.")
    sys.stdout.write(f"{file.relative_to(HERE)}: {size:,} bytes\n")


if __name__ == "__main__":
    sys.exit(main())
