"""What the audit says, in each format, and what a baseline keeps quiet."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from junitparser import JUnitXml

from sitemap_docs.audit.formats import FORMATS, Report, fingerprints, without_known, write_baseline
from sitemap_docs.audit.registry import ALL
from sitemap_docs.model import Finding, SitemapError

SCHEMA = Path(__file__).parents[1] / "golden" / "sarif" / "sarif-schema-2.1.0.json"
PAGE = Finding(
    rule="noindex-listed",
    severity="error",
    message="100% wrong,\nsee: here.",
    where="https://docs.example.org/a%20b/",
    file="a b/index.html",
    source="docs/a b.md",
)
ROBOTS = Finding(
    rule="robots-unknown-directive", message="'dissallow' is not a directive.", file="robots.txt", line=2
)
WHOLE = Finding(rule="lastmod-all-equal", message="21 of 22 dates are 2026-01-01.", severity="info")


@pytest.fixture
def report(tmp_path) -> Report:
    return Report(
        findings=(PAGE, ROBOTS, WHOLE),
        rules=("noindex-listed", "robots-unknown-directive", "lastmod-all-equal", "empty-urlset"),
        folder=tmp_path / "site",
        start=tmp_path,
        scope="site: 3 pages",
    )


def test_text_is_grouped_worst_first_with_counts_and_places(report):
    many = replace(report, findings=(*report.findings, *[PAGE] * 4))
    said = FORMATS["text"](many).splitlines()
    assert said[:4] == [
        "site: 3 pages",
        "",
        f"error: noindex-listed (5): {ALL[PAGE.rule].summary}",
        "  https://docs.example.org/a%20b/  docs/a b.md",
    ]
    assert "  … and 2 more (-v shows all)" in said
    assert "  site/robots.txt:2" in said
    assert "  the whole site" in said
    assert "5 errors, 1 warning, 1 info (4 rules run)" in said
    assert FORMATS["text"](replace(many, verbose=True)).count("docs/a b.md") == 5


@pytest.mark.parametrize(
    ("severity", "nothing"),
    [("info", "No findings"), ("warning", "No errors or warnings"), ("error", "No errors")],
)
def test_text_says_what_was_not_found(report, severity, nothing):
    """A check for warnings must not say that there are no findings at all: the report shows its infos."""
    said = FORMATS["text"](replace(report, findings=(), severity=severity))
    assert f"\n{nothing} (4 rules run)" in said


def test_json_names_rule_severity_place_and_file(report):
    said = json.loads(FORMATS["json"](report))
    assert said["counts"] == {"error": 1, "warning": 1, "info": 1}
    page, robots, whole = said["findings"]
    assert (page["rule"], page["severity"], page["where"]) == ("noindex-listed", "error", PAGE.where)
    assert (page["file"], page["source"], page["path"]) == ("a b/index.html", "docs/a b.md", "docs/a b.md")
    assert (robots["path"], robots["line"]) == ("site/robots.txt", 2)
    assert (whole["file"], whole["path"], whole["line"]) == ("", None, None)


WHERE = "https://docs.example.org/a%2520b/"


def test_github_points_at_the_source_and_escapes(report):
    odd = replace(report, findings=(PAGE, replace(ROBOTS, file="a,b:c.txt"), WHOLE))
    assert FORMATS["github"](odd).splitlines() == [
        f"::error file=docs/a b.md,line=1,title={PAGE.rule}::{WHERE}: 100%25 wrong,\\nsee: here.",
        f"::warning file=site/a%2Cb%3Ac.txt,line=2,title={ROBOTS.rule}::{ROBOTS.message}",
        "::notice title=lastmod-all-equal::21 of 22 dates are 2026-01-01.",
    ]


def test_gitlab_has_what_code_quality_needs(report):
    for entry in json.loads(FORMATS["gitlab"](report)):
        assert set(entry) == {"check_name", "description", "fingerprint", "severity", "location"}
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert not Path(entry["location"]["path"]).is_absolute()
        assert entry["location"]["lines"]["begin"] >= 1


def test_junit_has_a_case_for_each_rule_and_fails_those_that_found(report, tmp_path):
    odd = replace(report, findings=(*report.findings, replace(WHOLE, message="<&\x00>")))
    file = tmp_path / "junit.xml"
    file.write_text(FORMATS["junit"](odd), encoding="utf-8")
    suites = JUnitXml.fromfile(str(file))
    cases = [case for suite in suites for case in suite]
    assert [case.name for case in cases] == list(report.rules)
    assert [case.name for case in cases if case.result] == list(report.rules[:3])


@pytest.fixture
def log(report) -> dict:
    return json.loads(FORMATS["sarif"](report))


def test_sarif_follows_the_schema(log):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    checker = jsonschema.FormatChecker()
    check = jsonschema.validators.validator_for(schema)(schema, format_checker=checker)
    check.validate(log)
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not check.is_valid(log)


def test_sarif_paths_are_relative_and_encoded(log):
    run = log["runs"][0]
    uris = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]
    ]
    assert uris == ["docs/a%20b.md", "site/robots.txt", "."]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_markdown_has_a_table_of_rules_and_one_of_places(report):
    assert FORMATS["markdown"](report).splitlines() == [
        "**Sitemap:** 1 error, 1 warning, 1 info (4 rules run)",
        "",
        "`site: 3 pages`",
        "",
        "| severity | rule | findings | what is wrong |",
        "|---|---|---:|---|",
        f"| error | `noindex-listed` | 1 | {ALL[PAGE.rule].summary} |",
        f"| warning | `{ROBOTS.rule}` | 1 | {ALL[ROBOTS.rule].summary} |",
        f"| info | `{WHOLE.rule}` | 1 | {ALL[WHOLE.rule].summary} |",
        "",
        "| rule | where | finding |",
        "|---|---|---|",
        "| `noindex-listed` | `https://docs.example.org/a%20b/` `docs/a b.md` | `100% wrong,\\nsee: here.` |",
        f"| `{ROBOTS.rule}` | `site/robots.txt:2` | `'dissallow' is not a directive.` |",
        f"| `{WHOLE.rule}` | the whole site | `{WHOLE.message}` |",
    ]


def test_markdown_without_findings(report):
    sound = replace(report, findings=(), known=2)
    assert FORMATS["markdown"](sound).splitlines() == [
        "**Sitemap:** no findings (4 rules run)",
        "",
        "`site: 3 pages`",
        "",
        "Not shown: 2 findings of the baseline.",
    ]


HOSTILE = "</td>`|![x](https://example.com/a.png)\n\n# <b>@someone\x1b[31m::error::é"


def test_markdown_holds_no_markup_of_others(report):
    odd = replace(PAGE, where=HOSTILE, source=HOSTILE, message=HOSTILE)
    *_, row = FORMATS["markdown"](replace(report, findings=(odd,), scope=HOSTILE)).splitlines()
    assert (row.count("|"), row.count("`")) == (4, 2 + 3 * 5)
    assert row.isprintable()


@pytest.mark.parametrize("form", ["json", "gitlab", "sarif"])
def test_json_that_is_printed_to_a_log_is_no_command(report, form):
    command = "##vso[task.setvariable variable=a]b"
    odd = replace(PAGE, where=command, file=command, source="", message=f"{command} ##[error]x")
    written = FORMATS[form](replace(report, findings=(odd,)))
    assert "##" not in written
    assert command in str(json.loads(written))


@pytest.mark.parametrize(
    ("text", "number"),
    [(HOSTILE, 9_000), ("é " * 9_000, 900)],
    ids=["many", "wide"],
)
def test_markdown_fits_a_job_summary(report, text, number):
    """GitHub refuses more than 1 MiB from a step."""
    findings = (*[replace(PAGE, message=text)] * number, WHOLE)
    summary = FORMATS["markdown"](replace(report, findings=findings, verbose=True))
    assert len(summary.encode()) <= 1_048_576
    assert re.search(r"… and [1-9][0-9,]* more \|$", summary)
    assert summary.replace("\n", "").isprintable()


def prints(*findings: Finding) -> list[str]:
    return [print_ for _, print_ in fingerprints(findings)]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(replace(ROBOTS, line=9), True, id="lines move"),
        pytest.param(replace(ROBOTS, severity="error"), True, id="severity is configuration"),
        pytest.param(replace(ROBOTS, source="x.md"), True, id="a source may be found later"),
        pytest.param(replace(ROBOTS, message="'disalow' is not a directive."), False, id="another mistake"),
        pytest.param(replace(ROBOTS, file="b/robots.txt"), False, id="another file"),
        pytest.param(replace(ROBOTS, rule="robots-too-large"), False, id="another rule"),
    ],
)
def test_fingerprints_are_stable(other, same):
    assert (prints(ROBOTS) == prints(other)) is same
    assert prints(WHOLE) == prints(replace(WHOLE, message="1,021 of 1,022 dates are 2027-02-02."))


def test_baseline_hides_what_is_known_and_counts_what_is_gone(report, tmp_path):
    file = tmp_path / "baseline.json"
    file.write_text(write_baseline([PAGE, ROBOTS, ROBOTS]), encoding="utf-8")
    new = without_known(replace(report, findings=(ROBOTS, WHOLE)), file)
    assert (new.findings, new.known, new.gone) == ((WHOLE,), 1, 2)
    # What a rule that did not run would find is neither known nor gone.
    other = without_known(replace(report, findings=(), rules=(PAGE.rule,)), file)
    assert (other.known, other.gone) == (0, 1)


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "findings": {}}', '{"version": 1}'])
def test_broken_baseline_is_an_error_in_words(report, text, tmp_path):
    file = tmp_path / "baseline.json"
    file.write_text(text)
    with pytest.raises(SitemapError, match="--write-baseline"):
        without_known(report, file)
