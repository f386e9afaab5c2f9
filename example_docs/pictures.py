"""Draw the pictures of the README and the manual: python example_docs/pictures.py, or nox -s pictures.

The pictures show the report and the sitemap of a made-up site in Chromium, and a page with its date in four
themes. The site has 260 pages and six years of history, which end on the day of the drawing. Two runs on the
same day give the same pictures. Chromium must be on the PATH.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).parent
PICTURES = HERE / "pages" / "pictures"
BASE = "https://docs.example.org/"
MOST = 150_000  # bytes
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--virtual-time-budget=10000"),
)

# --- the site ----------------------------------------------------------------------------------------------

AGES = (30, 90, 180, 365, 730, 1095, 1825, 2300)  # days: the upper ends of the report's bars
SECTIONS = {  # pages, and how many of a hundred are in each bar of the report
    "api": (96, (12, 18, 20, 22, 14, 8, 4, 2)),
    "guide": (44, (6, 10, 14, 26, 22, 12, 8, 2)),
    "how-to": (48, (3, 7, 9, 18, 26, 22, 12, 3)),
    "integrations": (30, (2, 4, 8, 12, 22, 26, 18, 8)),
    "releases": (26, (8, 10, 12, 16, 18, 16, 14, 6)),
    "tutorials": (16, (0, 4, 6, 12, 18, 24, 24, 12)),
}
TOPICS = (
    *("accounts", "alerts", "backups", "billing", "caching", "clusters", "dashboards", "deployments"),
    *("events", "exports", "filters", "imports", "keys", "limits", "logging", "metrics", "migrations"),
    *("networks", "permissions", "pipelines", "plugins", "queries", "queues", "replicas", "roles"),
    *("schedules", "schemas", "secrets", "sessions", "streams", "tables", "tags", "tokens", "traces"),
    *("triggers", "uploads", "users", "views", "webhooks", "workers"),
)
VERBS = ("", "create-", "list-", "delete-")
HIDDEN = 9  # every ninth page of `integrations` and `tutorials` has noindex
CONFIGURATION = f"""site_name: Example
site_url: {BASE}
use_directory_urls: true
theme: {{name: mkdocs, custom_dir: theme}}
plugins: [sitemap-docs]
"""
ROBOTS = """{% extends "base.html" %}
{% block extrahead %}
{% if page and page.meta.robots %}<meta name="robots" content="noindex">{% endif %}
{% endblock %}
"""


class Commit(NamedTuple):
    """A change of one page. ``age`` is its age in days."""

    age: int
    file: str
    text: str


def commits() -> Iterator[Commit]:
    random = Random(0)  # noqa: S311 - the same pages each time
    for file in ("mkdocs.yml", "theme/main.html"):
        yield Commit(AGES[-1] + 1, file, CONFIGURATION if file == "mkdocs.yml" else ROBOTS)
    yield Commit(6, "docs/index.md", "# Example\n\nWelcome.\n")
    for section, (pages, shares) in SECTIONS.items():
        names = [f"{verb}{topic}" for verb in VERBS for topic in TOPICS][:pages]
        if section == "releases":
            names = [f"{number // 6 + 1}.{number % 6}" for number in range(pages)]
        for number, name in enumerate(names):
            bar = random.choices(range(len(AGES)), shares)[0]
            last = random.randrange(AGES[bar - 1] if bar else 0, AGES[bar])
            title = f"{section.capitalize()}: {name.replace('-', ' ')}"
            head = "---\nrobots: noindex\n---\n" if section[0] in "it" and number % HIDDEN == 0 else ""
            file = f"docs/{section}/{name}.md"
            yield Commit(last, file, f"{head}# {title}\n\nAll about {name}.\n")
            if last < AGES[-1]:
                yield Commit(random.randrange(last, AGES[-1]), file, f"{head}# {title}\n")


def write_site(folder: Path, today: date) -> None:
    """Write a repository with commits, each at noon of its day, and build the site and the report with it."""
    midday = datetime.combine(today, time(12), timezone.utc)
    lines = []
    for age, file, text in sorted(commits(), reverse=True):
        stamp = int((midday - timedelta(days=age + 1)).timestamp())
        lines += [
            "commit refs/heads/main",
            f"committer A Writer <writer@example.org> {stamp} +0000",
            *("data 6", "Update"),
            f"M 100644 inline {file}",
            f"data {len(text.encode())}",
            text,
        ]
    git = ("git", "-C", str(folder))
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    subprocess.run([*git, "fast-import", "--quiet"], input="\n".join(lines), text=True, check=True)
    subprocess.run([*git, "reset", "-q", "--hard", "main"], check=True)
    build = ("mkdocs", "build", "-q")
    report = ("sitemap_docs", "report", "site", "--source", "docs", "-o", "site/report.html", "-q")
    for command in (build, report):
        subprocess.run([sys.executable, "-m", *command], cwd=folder, check=True)


# --- a page with its date, in four themes -----------------------------------------------------------------

THEMES = {  # the options of each that its line in the manual names
    "furo": {},
    "pydata_sphinx_theme": {"footer_start": [], "footer_end": ["last-updated"]},
    "sphinx_rtd_theme": {},
}
PARTS = "A widget is made of parts.\n\nEach part has a name.\n"
LATER = {  # further pages of MkDocs, and how many days ago they were changed
    "docs/install.md": (12, "# Install\n\nInstall widgets with the package manager of your system.\n"),
    "docs/parts.md": (267, f"# Parts\n\n{PARTS}"),
}
DATED = {
    "docs/index.md": f"# Widgets\n\n{PARTS}",
    "index.rst": f"Widgets\n=======\n\n{PARTS}",
    "conf.py": f"""import json, os
extensions = ["sitemap_docs"]
project = "Widgets"
html_theme = os.environ["THEME"]
html_theme_options = json.loads(os.environ["THEME_OPTIONS"])
html_baseurl = "{BASE}"
sitemap_page_dates = True
""",
    "mkdocs.yml": f"""site_name: Widgets
site_url: {BASE}
theme:
  name: material
  font: false
  palette: [{{media: "(prefers-color-scheme: light)", scheme: default}},
            {{media: "(prefers-color-scheme: dark)", scheme: slate}}]
plugins: [{{sitemap-docs: {{page_dates: true}}}}]
""",
}


def commit_all(folder: Path, day: date) -> None:
    """Commit all changes in a folder, with the date ``day`` at noon."""
    when = datetime.combine(day, time(12), timezone.utc).isoformat()
    git = ("git", "-C", str(folder), "-c", "user.name=A Writer", "-c", "user.email=writer@example.org")
    subprocess.run([*git, "add", "-A"], check=True)
    environ = os.environ | {"GIT_COMMITTER_DATE": when}
    subprocess.run([*git, "commit", "-q", "-m", "Page", "--date", when], env=environ, check=True)


def write_dated(folder: Path, output: Path, today: date) -> None:
    """Write a small project for Sphinx and MkDocs, and build it with four themes.

    The home page is 40 days old.
    """
    folder.mkdir()
    for name, text in DATED.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    commit_all(folder, today - timedelta(days=40))
    for name, (age, text) in sorted(LATER.items(), key=lambda item: -item[1][0]):
        (folder / name).write_text(text, encoding="utf-8")
        commit_all(folder, today - timedelta(days=age))
    for theme, options in THEMES.items():
        environ = os.environ | {"THEME": theme, "THEME_OPTIONS": json.dumps(options)}
        build = (sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html", ".", str(output / theme))
        subprocess.run(build, cwd=folder, env=environ, check=True)
    build = (sys.executable, "-m", "mkdocs", "-q", "build", "-d", str(output / "material"))
    subprocess.run(build, cwd=folder, check=True)


# --- the pictures ------------------------------------------------------------------------------------------

FRAME = """<!doctype html><body style="margin:0;overflow:hidden">
<iframe src="%s" style="display:block;border:0;width:%dpx;height:6000px"></iframe>"""
OVERVIEW = """<!doctype html><meta name="color-scheme" content="light dark">
<style>
  body { margin: 0; background: Canvas; font: 15px sans-serif } /* little wider than a phone */
  p { margin: 0; padding: 8px 2px 6px; color: CanvasText }
  div { box-sizing: border-box; overflow: hidden; border: 1px solid #8886; border-radius: 9px }
  iframe { display: block; border: 0; width: 478px; height: 6000px }
  #page { height: 425px }
  #sitemap { margin-top: -160px }
</style>
<p>A page of the documentation, with the date of its last commit:</p>
<div style="height: 262px"><iframe src="material/install/index.html" id="page"></iframe></div>
<p>The sitemap, with the same date:</p>
<div style="height: 176px"><iframe src="material/sitemap.xml" id="sitemap"></iframe></div>
"""
DATES = """<!doctype html><meta name="color-scheme" content="light dark">
<style>
  body { margin: 0; display: grid; gap: 10px; grid-template-columns: 1fr 1fr; background: Canvas }
  iframe { box-sizing: border-box; width: 100%; height: 420px; border: 1px solid #8886; border-radius: 9px }
</style>
<iframe src="furo/index.html"></iframe><iframe src="material/index.html"></iframe>
<iframe src="sphinx_rtd_theme/index.html"></iframe><iframe src="pydata_sphinx_theme/index.html"></iframe>
"""


class Picture(NamedTuple):
    """A picture of a page. ``width`` and ``height`` are CSS pixels."""

    name: str
    page: str
    width: int
    height: int
    dark: bool = False
    scale: int = 1


SHOWN = (
    Picture("overview", "overview.html", 480, 506, scale=2),
    Picture("overview-dark", "overview.html", 480, 506, dark=True, scale=2),
    Picture("report", "report.html", 1_100, 980),
    Picture("report-dark", "report.html", 1_100, 980, dark=True),
    Picture("report-phone", "report.html#list?section=guide", 400, 900),
    Picture("sitemap", "sitemap.xml", 900, 480),
    Picture("sitemap-dark", "sitemap.xml", 900, 480, dark=True),
    Picture("dates", "dates.html", 900, 850),
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
        os.environ["XDG_CACHE_HOME"] = folder
        project = Path(folder, "project")
        write_site(project, datetime.now(timezone.utc).date())
        site = project / "site"
        write_dated(Path(folder, "dated"), site, datetime.now(timezone.utc).date())
        (site / "overview.html").write_text(OVERVIEW, encoding="utf-8")
        (site / "dates.html").write_text(DATES, encoding="utf-8")
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            for picture in SHOWN:
                take(picture, site, chromium, server.server_port)
            server.shutdown()
    return 0


def take(picture: Picture, site: Path, chromium: str, port: int) -> None:
    page = picture.page
    if page.startswith(("report.html", "sitemap.xml")):  # which are longer than the picture
        page = "frame.html"
        (site / page).write_text(FRAME % (picture.page, picture.width), encoding="utf-8")
    file = PICTURES / f"{picture.name}.png"
    profile = site.parents[1] / ("dark" if picture.dark else "light")  # Material stores the colours there
    subprocess.run(
        [
            chromium,
            *FLAGS,
            f"--user-data-dir={profile}",
            f"--blink-settings=preferredColorScheme={0 if picture.dark else 1}",
            f"--force-device-scale-factor={picture.scale}",
            f"--window-size={picture.width},{picture.height}",
            f"--screenshot={file}",
            f"http://127.0.0.1:{port}/{page}",
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
