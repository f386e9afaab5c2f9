"""SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import quote

from sitemap_docs import __version__
from sitemap_docs.audit.registry import ALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitemap_docs.model import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(
    findings: Iterable[tuple[Finding, str]], rules: Sequence[str], place: Callable[[Finding], tuple[str, int]]
) -> dict[str, object]:
    """A log of one run; each finding comes with its fingerprint, ``place`` gives its path and line."""
    order = [rule for rule in rules if rule in ALL]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "sitemap-docs",
                        "semanticVersion": __version__,
                        "rules": [_rule(name) for name in order],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(*each, order, *place(each[0])) for each in findings],
            }
        ],
    }


def _rule(name: str) -> dict[str, object]:
    rule = ALL[name]
    return {
        "id": name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.documentation},
        "help": {"text": rule.documentation},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.group]},
    }


def _result(finding: Finding, fingerprint: str, order: list[str], path: str, line: int) -> dict[str, object]:
    text = f"{finding.where}: {finding.message}" if finding.where else finding.message
    location: dict[str, object] = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(os.fsencode(path or "."))},
            "region": {"startLine": line},
        }
    }
    if finding.where:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.where}]
    number = {"ruleIndex": order.index(finding.rule)} if finding.rule in order else {}
    return {
        "ruleId": finding.rule,
        **number,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [location],
        "partialFingerprints": {"sitemapDocs/v1": fingerprint},
    }
