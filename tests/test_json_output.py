"""JSON for other programs, in a log of a CI service."""

import json

import pytest

from sitemap_docs.json_output import json_text


@pytest.mark.parametrize("text", ["##vso[task.complete]", "a ##[error]b", '"#', "#\\#", "##teamcity[x"])
def test_json_is_no_command_of_a_ci_service_and_says_the_same(text):
    written = json_text({text: [text]})
    assert "##" not in written
    assert json.loads(written) == {text: [text]}
