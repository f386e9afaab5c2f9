"""SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import quote

from sitemap_docs import __version__
from sitemap_docs.audit.registry import ALL, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemap_docs.model import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(findings: Iterable[tuple[Finding, str, str, int]], rules: Iterable[str]) -> dict[str, object]:
    """A log of one run; each finding comes with its fingerprint, its path and its line."""
    known = [rule for rule in rules if rule in ALL]
    order = {rule: number for number, rule in enumerate(known)}
    results = []
    for finding, fingerprint, path, line in findings:
        text = finding.message
        location: dict[str, object] = {
            "physicalLocation": {
                "artifactLocation": {"uri": quote(os.fsencode(path or "."))},
                "region": {"startLine": line},
            }
        }
        if finding.where:
            text = f"{finding.where}: {text}"
            location["logicalLocations"] = [{"fullyQualifiedName": finding.where}]
        result: dict[str, object] = {"ruleId": finding.rule}
        if finding.rule in order:
            result["ruleIndex"] = order[finding.rule]
        result |= {
            "level": _LEVELS[finding.severity],
            "message": {"text": text},
            "locations": [location],
            "partialFingerprints": {"sitemapDocs/v1": fingerprint},
        }
        results.append(result)
    driver = {
        "name": "sitemap-docs",
        "semanticVersion": __version__,
        "rules": [_rule(ALL[name]) for name in known],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.documentation},
        "help": {"text": rule.documentation},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.group]},
    }
