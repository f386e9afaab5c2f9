"""What the audit says, in each format, and what a baseline keeps quiet."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sitemap_docs import __version__
from sitemap_docs.audit.formats import FORMATS, Report, fingerprints, without_known, write_baseline
from sitemap_docs.model import Finding, SitemapError
from tests.conftest import assert_golden, write

GOLDEN = Path(__file__).parents[1] / "golden" / "formats"
SCHEMA = Path(__file__).parents[1] / "golden" / "sarif" / "sarif-schema-2.1.0.json"
PAGE = Finding(
    rule="noindex-listed",
    severity="error",
    message="100% wrong,\nsee: here.",
    where="https://docs.example.org/a%20b/",
    file="a b/index.html",
    source="docs/a b.md",
)
ROBOTS = Finding(rule="robots-unknown-directive", message="<&\0>", file="a,b:c.txt", line=2)
WHOLE = Finding(rule="lastmod-all-equal", message="21 of 22 dates are 2026-01-01.", severity="info")


@pytest.fixture
def report() -> Report:
    return Report(
        findings=(PAGE, ROBOTS, WHOLE, *[PAGE] * 3),
        rules=("noindex-listed", "robots-unknown-directive", "lastmod-all-equal", "empty-urlset"),
        folder=Path("/project/site"),
        start=Path("/project"),
        scope="site: 3 pages",
    )


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_is_as_in_its_golden_file(request, report, form):
    """For what has a page and a source, what has a file and a line, and what is about the whole site."""
    file = GOLDEN / form
    written = FORMATS[form](report).replace(__version__, "VERSION")
    assert_golden(request, file, written)


@pytest.mark.parametrize(
    ("form", "severity", "nothing"),
    [
        ("text", "info", "\nNo findings (4 rules run)"),
        ("text", "warning", "\nNo errors or warnings (4 rules run)"),
        ("markdown", "info", "no findings (4 rules run)\n\n`site: 3 pages`\n\nNot shown: 2 findings"),
    ],
)
def test_what_was_not_found_is_said(report, form, severity, nothing):
    """A check for warnings must not say that there are no findings at all: the report shows its infos."""
    assert nothing in FORMATS[form](replace(report, findings=(), severity=severity, known=2))


def test_sarif_follows_the_schema():
    log = json.loads((GOLDEN / "sarif").read_text(encoding="utf-8"))
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    checker = jsonschema.FormatChecker()
    check = jsonschema.validators.validator_for(schema)(schema, format_checker=checker)
    check.validate(log)
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not check.is_valid(log)


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


@pytest.mark.parametrize(("text", "number"), [(HOSTILE, 9_000), ("é " * 9_000, 400)], ids=["many", "wide"])
def test_markdown_fits_a_job_summary(report, text, number):
    """GitHub refuses more than 1 MiB from a step."""
    findings = (*[replace(PAGE, message=text)] * number, WHOLE)
    summary = FORMATS["markdown"](replace(report, findings=findings, verbose=True))
    assert len(summary.encode()) <= 1_048_576
    assert re.search(r"… and [1-9][0-9,]* more \|$", summary)
    assert summary.replace("\n", "").isprintable()


def test_markdown_of_one_rule_shows_all_places_and_fits_an_issue(report):
    """GitHub refuses an issue of more than 65,536 characters."""
    five = tuple(replace(PAGE, where=f"https://example.org/{number}/") for number in range(5))
    one = replace(report, findings=five, rules=(PAGE.rule,))
    assert FORMATS["markdown"](one).count("https://example.org/") == 5
    assert FORMATS["markdown"](replace(one, rules=report.rules)).count("https://example.org/") == 3
    many = FORMATS["markdown"](replace(one, findings=five * 400))
    assert 50_000 < len(many.encode()) <= 65_536
    assert re.search(r"… and 1,[0-9]+ more \|$", many)


def prints(*findings: Finding) -> list[str]:
    return [print_ for _, print_ in fingerprints(findings)]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(replace(ROBOTS, line=9), True, id="lines move"),
        pytest.param(replace(ROBOTS, severity="error"), True, id="severity is configuration"),
        pytest.param(replace(ROBOTS, message="'disalow' is not a directive."), False, id="another mistake"),
        pytest.param(replace(ROBOTS, file="b/robots.txt"), False, id="another file"),
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


def test_a_finding_of_a_baseline_is_known_by_the_name_that_its_rule_had(report, tmp_path):
    former = [replace(ROBOTS, rule="robots-noindex-directive"), replace(PAGE, rule="llms-coverage")]
    file = tmp_path / "baseline.json"
    file.write_text(write_baseline([*former, replace(former[0], message="Fixed since.")]), encoding="utf-8")
    found = (ROBOTS, replace(ROBOTS, message="Another."), WHOLE)
    new = without_known(replace(report, findings=found), file)
    assert (new.findings, new.known, new.gone) == (found[1:], 1, 1)


def test_a_baseline_from_before_the_messages_changed_knows_a_finding_by_its_place(report, tmp_path):
    """One finding of the baseline stands for one finding, so a second fault at the same place is new."""
    file = tmp_path / "baseline.json"
    reworded = replace(PAGE, message="The same fault in other words.")
    written = write_baseline([PAGE, ROBOTS])
    file.write_text(written.replace('"version": 2', '"version": 1'), encoding="utf-8")
    second = replace(reworded, message="A second fault.")
    old = without_known(replace(report, findings=(reworded, second, ROBOTS)), file)
    assert (old.findings, old.known, old.gone) == ((second,), 2, 0)
    file.write_text(written, encoding="utf-8")
    new = without_known(replace(report, findings=(reworded, ROBOTS)), file)
    assert (new.findings, new.known, new.gone) == ((reworded,), 1, 1)


BROKEN = ["", '{"version": 3, "findings": {}}', '{"version": 1}', "[" * 100_000]


@pytest.mark.parametrize("text", BROKEN, ids=["empty", "another version", "no findings", "nested"])
def test_broken_baseline_is_an_error_in_words(report, text, tmp_path):
    file = tmp_path / "baseline.json"
    file.write_text(text)
    with pytest.raises(SitemapError, match="--write-baseline"):
        without_known(report, file)


def test_sarif_names_the_manual_where_the_metadata_do(report, tmp_path, monkeypatch):
    metadata = "Metadata-Version: 2.1\nName: sitemap-docs\nVersion: 9\nProject-URL: Documentation, https://a.example/"
    write(tmp_path, {"sitemap_docs-9.dist-info/METADATA": metadata})
    monkeypatch.syspath_prepend(tmp_path)
    [run] = json.loads(FORMATS["sarif"](report))["runs"]
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["helpUri"] == f"https://a.example/rules/#{rule['id']}"
