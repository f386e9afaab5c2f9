"""Rules about other files that machines read: llms.txt and IndexNow keys."""

from __future__ import annotations

import re

from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import Site, TextFile

MIN_LLMS = 50
_LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)")
_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
_KEY_NAME = re.compile(r"[0-9a-f]{32}")
_RESERVED = {"robots", "humans", "ads", "app-ads", "security", "llms", "llms-full", "sitemap"}


@rule("warning")
def llms_link_missing_file(llms: TextFile, site: Site) -> Findings:
    """A link in llms.txt leads to a page that does not exist.

    Agents get a 404.
    Build llms.txt with the site.
    Source: https://llmstxt.org.
    """
    for number, line in enumerate(llms.text.splitlines(), 1):
        for href in _LINK.findall(line):
            url = site.absolute(href, llms.name)
            if site.is_ours(url) and not site.file_of(url):
                yield llms.at(number), f"No file found for {href}. Build llms.txt with the site."


@rule("error")
def indexnow_key_body(site: Site) -> Findings:
    """An IndexNow key file does not contain its key.

    Engines answer 403 and reject all submissions.
    Write the key that the file is named after into it, and nothing else.
    Source: https://www.indexnow.org/documentation.
    """
    for name in sorted(site.top):
        stem, dot, ending = name.rpartition(".")
        if dot and ending == "txt" and _KEY_NAME.fullmatch(stem):
            file = site.text(name)
            if file and file.text.strip("\ufeff\r\n ") != stem:
                yield (
                    file.at(1),
                    "The file must contain the key that it is named after, and nothing else.",
                )
