"""``sitemap-docs check``: audit a built folder or a deployed site."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from sitemap_docs.audit.deployed_site import (
    Limits,
    explain_fetching,
    live_incomplete,
    served_sitemaps,
    visit_site,
)
from sitemap_docs.audit.formats import FIRST, FORMATS, Report, without_known, write_baseline
from sitemap_docs.audit.ignore_option import about_ignored, of_audit, unmatched
from sitemap_docs.audit.registry import all_rules, audit_rules, current_name, deployed_rules
from sitemap_docs.audit.rule_settings import SEVERITIES, Settings, no_rule, settings_of
from sitemap_docs.audit.run import audit, audit_site
from sitemap_docs.built import BuiltFolder, open_built, read_built
from sitemap_docs.cli import flags
from sitemap_docs.cli.console import STDOUT, Console, print_data, print_line, print_text, write_file
from sitemap_docs.config.ignored import ALWAYS, without_ignored
from sitemap_docs.config.options import Options, accepted_by
from sitemap_docs.config.project_file import read_project
from sitemap_docs.files import seen_from
from sitemap_docs.history.diagnostics import SOURCES_MISSING, SOURCES_UNTRACKED
from sitemap_docs.model import Reason, Rule, SitemapError
from sitemap_docs.robots import blocked_search_bots
from sitemap_docs.surroundings import Surroundings, read_surroundings
from sitemap_docs.text import many
from sitemap_docs.tree import find_tree
from sitemap_docs.urls.base import Base, is_web

FROM_CHECKOUT = ("github", "gitlab", "sarif", "markdown")
CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def _list_rules() -> None:
    for name, rules in sorted(all_rules().items()):
        rule = rules[0]
        note = ""
        if rule.whole:
            note = " (reads whole pages; runs only if selected)"
        elif not rule.by_default:
            note = " (runs only if selected)"
        if name not in audit_rules():
            note = " (of builds)"
        print_line(f"{rule.severity:<8} {name:<36} {rule.summary}{note}")


def _explain_rule(name: str) -> None:
    rules = all_rules()
    now = name if name in rules else current_name(name)
    if now is None:
        raise SitemapError(no_rule(name, rules))
    if not now:
        print_text(f"The rule {name} was removed, and no other rule replaces it.")
        return
    if now != name:
        print_text(f"{name} is part of {now} now.\n")
    rule, *others = rules[now]
    severities = [rule.severity, *(f"{each.severity} of a build" for each in others)]
    print_text(f"{now} ({', '.join(severities)}, group {rule.group})\n\n{rule.documentation}")
    if rule.settings:
        print_text(f"\n[tool.sitemap-docs.check.rules.{now}]")
        for key, value in rule.settings.items():
            print_text(f"  {key} = {value}")


_AT = (
    "Send all requests to this host instead, such as http://localhost:8000/ or a staging host. Addresses are "
    "checked as if they were at the base URL."
)
_FAIL_ON = (
    "Exit with 1 only for findings of this severity or a higher one. The value info also reports findings "
    "of this severity. [default: all reported findings]"
)
_OUTPUT = "File to write the findings to, or - for standard output. [default: -]"
_BASELINE = "Report only findings that are not in this baseline file."
_WRITE_BASELINE = "Write all findings to this baseline file, and exit with 0."
_EXPLAIN = "Explain a rule: the problem, the reason and the solution."
_FORMAT = "Format of the findings. [default: text]"
_RATE = "Maximum requests per second. [default: 20]"
_AT_ONCE = "Maximum concurrent requests. [default: 8]"
_MAX_PAGES = "Maximum number of pages to request. [default: all]"
_SEVERITY = "Minimum severity to report. [default: warning]"
_SELECT = f"Rules to run: names, globs, groups, default or all. {flags.REPEAT} [default: default]"


@click.command("check", cls=flags.Command)
@click.argument("where", metavar="[SITE|URL]", required=False, type=flags.PATH_OR_URL)
@flags.folder_flags("read")
@click.option("--live", is_flag=True, help="Check the deployed site at the base URL instead of the folder.")
@click.option("--at", metavar="URL", help=_AT)
@flags.timeout
@click.option("--rate", type=click.FloatRange(0.1), default=20.0, help=_RATE)
@click.option("--at-once", type=click.IntRange(1, 32), default=8, help=_AT_ONCE)
@click.option("--max-pages", type=click.IntRange(0), default=0, help=_MAX_PAGES)
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", help=_FORMAT)
@click.option("-o", "--output", type=flags.FILE, help=_OUTPUT)
@click.option("--select", multiple=True, metavar="RULE", help=_SELECT)
@click.option("--severity", type=click.Choice(SEVERITIES), help=_SEVERITY)
@click.option("--fail-on", type=click.Choice((*SEVERITIES, "never")), help=_FAIL_ON)
@click.option("--baseline", "known", type=flags.FILE, help=_BASELINE)
@click.option("--write-baseline", type=flags.FILE, help=_WRITE_BASELINE)
@click.option("--list-rules", is_flag=True, help="List the rules.")
@click.option("--explain-rule", metavar="RULE", help=_EXPLAIN)
@flags.verbosity
def command(where: str | None, live: bool, **values: Any) -> int:  # noqa: ANN401, FBT001
    """Audit a built or deployed site.

    SITE is the folder that contains the built HTML files. You may leave it out if the configuration of your
    generator sets the folder. To check a deployed site, pass its URL instead.

    Exit status: 0 if nothing is found, 1 if something is found, 2 for wrong usage.
    """
    if values["list_rules"]:
        _list_rules()
        return 0
    if values["explain_rule"] is not None:
        _explain_rule(values["explain_rule"])
        return 0
    console = Console(values)
    if values["fail_on"] == "info":  # what is not reported fails nothing
        values["severity"] = values["severity"] or "info"
    if values["at"] is not None and not values["at"].strip():  # else the folder would be checked
        raise SitemapError(
            "`--at` is empty. Pass a URL. If its value comes from a variable of the CI job, set that "
            "variable."
        )
    # Two addresses are enough: where the site will be, and where it is served now.
    if values["at"] and where is None and values["base_url"]:
        where = values["base_url"]

    if where and is_web(where):
        _require_one_base(where, values["base_url"])
        project = read_project(values["config"])
        in_file = accepted_by("audit", project.options)
        passed = flags.given(accepted_by("audit", values))
        options = Options.of({**in_file, **passed})
        return _report(_audit_live(where, options, values, console), values, console)

    folder = flags.SITE.convert(where) if where else None
    built = open_built(flags.folder_settings({**values, "folder": folder}))
    console.info(f"base URL {built.project.base.url} from {built.project.address.origin}")
    tree = find_tree(built.project.output)
    if tree:
        here = built.project.surroundings.here
        console.info(
            f"{seen_from(here, built.project.output)} is one of several versions, and its pages may refer to "
            f"others. To check all versions: sitemap-docs check {seen_from(here, tree)}"
        )
    console.debug(built.read_from)
    setting_warnings = (*built.setting_warnings, *built.record_warnings, *built.glob_warnings)
    console.findings(without_ignored(setting_warnings, built.project.options.ignore))
    if live or values["at"]:
        report = _audit_live(built.project.base.url, built.project.options, values, console)
    else:
        report = _audit_folder(built, values, console)
    return _report(report, values, console)


def _require_one_base(url: str, base_url: str | None) -> None:
    """Raise SitemapError if the user passes one URL to check, and another URL as ``--base-url``."""
    if base_url and Base.of(base_url).url != Base.of(url).url:
        raise SitemapError(
            f"The site to check is {url}, but `--base-url` is {base_url}. To check a site that is served at "
            f"another address than its base URL, pass `--base-url {base_url} --at {url}`. Otherwise, leave "
            "`--base-url` out."
        )


def _audit_folder(folder: BuiltFolder, values: dict[str, Any], console: Console) -> Report:
    settings, shown = _choose_rules(folder.project.options, values, console)
    start = _start_folder(values["form"], folder.project.surroundings)
    with console.progress("check") as watch:
        built = read_built(folder, watch)
        audited = audit_site(built, settings, sources_from=start, watch=watch)
    site = audited.site
    if console.verbose and all(row.reason is not Reason.UNREADABLE for row in built.rows):
        for line in unmatched(audited, settings):
            console.debug(line)
    if site.expects_none:
        console.info(f"no sitemap expected: {site.expects_none.words}")
    if site.unknown:
        they_were = "it was" if site.unknown == 1 else "they were"
        console.info(
            f"No sitemap lists {many(site.unknown, 'page')}. To see whether {they_were} left out on purpose, "
            "pass the record of the build with --record FILE. To write the record, set the option `record` "
            "in mkdocs.yml or `sitemap_record` in conf.py, or run `build --record FILE`."
        )
    listed = {url.loc for url in site.urls}
    if len(site.dated_pages) < len(listed) / 2:
        # Where no record shows why the build found no dates; not a finding: no search engine requires them.
        rules = (SOURCES_MISSING, SOURCES_UNTRACKED)
        found = without_ignored(built.findings, built.project.options.ignore, built.project.base.url)
        console.findings(replace(finding, severity="info") for finding in found if finding.rule in rules)
    shown_folder = seen_from(built.project.surroundings.here, built.project.output)
    return Report(
        findings=audited.findings,
        rules=tuple(shown.rules),
        severity=shown.severity,
        folder=built.project.output,
        start=start,
        scope=f"{shown_folder}: {many(len(site.pages), 'page')}, "
        f"{many(len(site.sitemaps), 'sitemap')}, {many(len(listed), 'address')} listed, "
        f"{len(site.dated_pages):,} dated",
        record=built.record is not None,
    )


def _choose_rules(
    options: Options, values: dict[str, Any], console: Console, rules: Mapping[str, Rule] | None = None
) -> tuple[Settings, Settings]:
    """Return two settings: the rules that an audit runs, and the rules whose findings the user sees.

    ``options`` are the options of the project, and ``values`` the flags of the command. ``rules`` are the
    rules to choose from. Warnings about the options and flags are printed to ``console``.
    """
    ignore = of_audit(values["ignore"])
    chosen = partial(settings_of, options, rules=rules, select=values["select"], ignore=ignore)
    shown = chosen(severity=values["severity"])
    console.findings(shown.findings)
    if options.ignore:
        console.findings(about_ignored({name for name, _ in options.ignore} - ALWAYS))
    return chosen(severity="info"), shown


def _start_folder(form: str, surroundings: Surroundings) -> Path:
    """Return the folder to which paths in a report are relative, usually the current folder.

    For formats that CI services read, such as ``github``, it is the folder into which the CI run has checked
    out the repository.
    """
    here = surroundings.here
    # https://docs.github.com/en/actions/reference/workflows-and-actions/variables
    # https://docs.gitlab.com/ci/variables/predefined_variables/
    for name in CHECKOUTS:
        folder = surroundings.environ.get(name)
        if form in FROM_CHECKOUT and folder:
            checkout = Path(folder).resolve()
            if here.is_relative_to(checkout):
                return checkout
    return here


def _audit_live(url: str, options: Options, values: dict[str, Any], console: Console) -> Report:
    settings, shown = _choose_rules(options, values, console, deployed_rules())
    home, _, name = url.rpartition("/")
    if name.endswith((".xml", ".xml.gz", ".txt", ".txt.gz", ".html")):
        raise SitemapError(f"{url} is the address of a file. Pass the address of the site: {home}/")
    limits = Limits(at_once=values["at_once"], rate=values["rate"], pages=values["max_pages"])
    at = Base.of(values["at"]) if values["at"] else None
    surroundings = read_surroundings()
    with console.progress("check") as watch:
        site = visit_site(Base.of(url), limits, surroundings.now, watch=watch, at=at)
    lines = served_sitemaps(site)
    for number, line in enumerate(lines):
        if number < FIRST or console.verbose:
            console.info(line)
    if len(lines) > FIRST and not console.verbose:
        console.info(f"… and {len(lines) - FIRST:,} more sitemaps (-v shows all)")
    verdict = explain_fetching(site)
    if verdict:
        console.info(verdict)
    bots = blocked_search_bots(site.robots_file.parsed, site.base.url) if site.robots_file else []
    if bots:
        console.info(f"The deployed {site.robots_response.url} blocks {', '.join(bots)} from the site")
    is_empty = not any(page.status for page in site.pages)
    if is_empty:
        console.findings([live_incomplete().at(site.base.url)])
    return Report(
        findings=audit(site, settings),
        rules=tuple(shown.rules),
        severity=shown.severity,
        folder=None,
        start=surroundings.here,
        scope=f"{site.base.url}: {many(len(site.pages), 'address')} of "
        f"{many(len(site.sitemap_responses), 'sitemap')} fetched",
        is_empty=is_empty,
    )


def _report(report: Report, values: dict[str, Any], console: Console) -> int:
    """Print the findings of an audit or write them to a file, and return the exit status.

    ``values`` maps the flags of the command ``check`` to their values.
    """
    shown = tuple(finding for finding in report.findings if finding.rule in report.rules)
    notes = len(report.findings) - len(shown)
    report = replace(report, findings=shown, notes=notes, verbose=console.verbose)
    if values["write_baseline"]:
        write_file(values["write_baseline"], write_baseline(report.findings))
        console.info(f"{many(len(report.findings), 'finding')} written to {values['write_baseline']}")
        return int(report.is_empty)
    if values["known"]:
        report = without_known(report, values["known"])

    form = "json" if console.json else values["form"]
    text = FORMATS[form](report)
    if values["output"] not in (None, STDOUT):
        write_file(values["output"], f"{text}\n")
        console.info(f"{many(len(report.findings), 'finding')} written to {values['output']}")
    elif text and (report.findings or not console.quiet):
        if form in ("text", "github", "markdown"):
            print_text(text)  # in the encoding of the terminal; the others are for programs
        else:
            print_data(text)
    if form == "github":  # whose annotations are ten of a severity at most, and none of a sound site
        console.info(f"{report.scope}: {report.counted}")

    mildest = values["fail_on"] or SEVERITIES[-1]
    if mildest == "never":
        return 0
    failing = SEVERITIES[: SEVERITIES.index(mildest) + 1]
    return int(report.is_empty or any(finding.severity in failing for finding in report.findings))
