"""The recipes of the manual for the time after a deployment; test_documents.py calls their commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

from sitemap_docs.notify import MEANINGS

PAGE = Path(__file__).parents[2] / "example_docs/pages/after-you-deploy.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^( *)```(\w+)\n(.*?)^\1```$", TEXT, re.DOTALL | re.MULTILINE)
YAML = [yaml.safe_load(text) for _, language, text in BLOCKS if language == "yaml"]
PIPELINES = [each for each in YAML if isinstance(each, dict) and each.keys() != {True}]  # `on` alone


def steps(pipeline: dict) -> list[str]:
    """The shell lines of a GitHub workflow or a GitLab pipeline."""
    jobs = pipeline.get("jobs", pipeline).values()
    lines = [step.get("run", "") for job in jobs if "steps" in job for step in job["steps"]]
    return [*lines, *(line for job in jobs for line in job.get("script", []))]


def test_pipelines() -> None:
    pipelines = PIPELINES
    assert len(pipelines) == 2
    for pipeline in pipelines:
        reported = [line for line in steps(pipeline) if "sitemap-docs notify" in line]
        assert len(reported) == 1
        assert "sitemap-docs notify old.xml new.xml --send" in reported[0]


def test_the_action_is_used_before_and_after_the_deployment() -> None:
    (steps,) = (each for each in YAML if isinstance(each, list) and len(each) > 1)
    before, _, after = steps
    inputs = yaml.safe_load((PAGE.parents[2] / "action.yml").read_text("utf-8"))["inputs"]
    assert set(before["with"]) == set(after["with"]) <= set(inputs)
    assert before["with"]["notify"] == "true"
    assert after["with"]["notify"] == f"${{{{ steps.{before['id']}.outputs.changed }}}}"


def test_the_last_sitemap_is_kept_where_it_was_submitted() -> None:
    """Both platforms save a cache after jobs that succeed; GitHub never replaces one."""
    for job in (job for pipeline in PIPELINES for job in pipeline.get("jobs", pipeline).values()):
        if "cache" in job:
            assert job["cache"] == {"key": "submitted", "paths": ["old.xml"]}
        for step in job.get("steps", []):
            if step.get("uses", "").startswith("actions/cache"):
                assert step["with"]["path"] == "old.xml"
                assert "github.run_attempt" in step["with"]["key"]


def test_payload() -> None:
    (payload,) = (json.loads(text) for _, language, text in BLOCKS if language == "json")
    assert payload["build"] == "{{ build.id }}"


def test_every_answer_is_explained() -> None:
    table = TEXT.partition("### Responses of the engines")[2].partition("##")[0]
    assert set(map(int, re.findall(r"(?<!\d)[2-5]\d\d(?=[,\s][^|]*\|[^|]*\|[^|]*\|)", table))) == set(
        MEANINGS
    )
