"""The recipes of the manual for the time after a deployment; test_documents.py calls their commands."""

import re

import yaml

from sitemap_docs.notify import MEANINGS
from tests.manual.blocks import PAGES, ROOT, blocks

BLOCKS = blocks("after-you-deploy")
YAML = [block.data() for block in BLOCKS if block.language == "yaml"]
PIPELINES = [each for each in YAML if isinstance(each, dict) and each.keys() != {True}]  # `on` alone


def test_pipelines() -> None:
    assert len(PIPELINES) == 2
    for text in map(str, PIPELINES):
        assert (
            text.count("sitemap-docs notify") == text.count("sitemap-docs notify old.xml new.xml --send") == 1
        )


def test_the_action_is_used_before_and_after_the_deployment() -> None:
    (steps,) = (each for each in YAML if isinstance(each, list) and len(each) > 1)
    before, _, after = steps
    inputs = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
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
    (payload,) = (block.data() for block in BLOCKS if block.language == "json")
    assert payload["build"] == "{{ build.id }}"


def test_every_answer_is_explained() -> None:
    text = PAGES["after-you-deploy"].read_text(encoding="utf-8")
    table = text.partition("### Responses of the engines")[2].partition("##")[0]
    assert set(map(int, re.findall(r"(?<!\d)[2-5]\d\d(?=[,\s][^|]*\|[^|]*\|[^|]*\|)", table))) == set(
        MEANINGS
    )
