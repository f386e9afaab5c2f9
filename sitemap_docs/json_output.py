"""Write JSON for other programs. It can also be printed to the log of a CI service."""

import re
from collections.abc import Mapping
from json import dumps

from sitemap_docs.text import without_users

JSON_VERSION = 1
"""The version of the JSON that commands print. It changes if a field goes or gets another meaning."""

_HASHES = re.compile(r'(?<=")#|#(?=#)')  # in JSON, a hash is always in a text


def json_text(data: object, *, sort_keys: bool = False) -> str:
    r"""Convert data to JSON, and escape ``##``, which starts a command in the logs of some CI services.

    >>> json_text(["##vso[task.complete]"]) == '[\n  "\\u0023#vso[task.complete]"\n]'
    True
    """
    text = dumps(data, indent=2, sort_keys=sort_keys, ensure_ascii=False)
    # Commands of Azure Pipelines and TeamCity begin with ``##``.
    return _HASHES.sub(r"\\u0023", without_users(text))


def result_json(result: Mapping[str, object], *, sort_keys: bool = False) -> str:
    """Convert the result of a command to JSON. The key ``version`` has the version of the JSON format."""
    return json_text({"version": JSON_VERSION, **result}, sort_keys=sort_keys)
