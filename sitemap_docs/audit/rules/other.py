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
def llms_no_h1(llms: TextFile) -> Findings:
    """llms.txt does not begin with a heading.

    The proposal asks for an H1 with the name of the project; Lighthouse checks it.
    Begin with `# Name`.
    Source: https://llmstxt.org.
    """
    if not re.search(r"^# \S", llms.text, re.MULTILINE):
        yield llms.at(1), "There is no line that begins with `# `."


@rule("warning")
def llms_no_links(llms: TextFile) -> Findings:
    """llms.txt links to nothing.

    It is a list of links to what a model should read.
    Add them: `- [title](https://…): what it is`.
    Source: https://llmstxt.org.
    """
    if not _LINK.search(llms.text):
        yield llms.at(), "There is no Markdown link."


@rule("warning")
def llms_too_short(llms: TextFile, *, at_least: int = MIN_LLMS) -> Findings:
    """llms.txt says next to nothing.

    Lighthouse calls a file of less than 50 characters useless.
    Describe the project, or remove the file.
    Source: https://llmstxt.org.
    """
    if len(llms.text.strip()) < at_least:
        yield llms.at(), f"The file has {len(llms.text.strip())} characters."


@rule("warning")
def llms_link_missing_file(llms: TextFile, site: Site) -> Findings:
    """A link in llms.txt leads to a page that is not there.

    Agents get a 404.
    Build llms.txt with the site.
    Source: https://llmstxt.org.
    """
    for number, line in enumerate(llms.text.splitlines(), 1):
        for href in _LINK.findall(line):
            url = site.absolute(href, llms.name)
            if site.is_ours(url) and not site.file_of(url):
                yield llms.at(number), f"There is no file for {href}."


@rule("error")
def indexnow_key_body(site: Site) -> Findings:
    """An IndexNow key file does not hold its key.

    Engines answer 403 and take no notification.
    The file's content must be the key that its name is, and nothing else.
    Source: https://www.indexnow.org/documentation.
    """
    for name in sorted(site.top):
        stem, dot, ending = name.rpartition(".")
        if dot and ending == "txt" and _KEY_NAME.fullmatch(stem):
            file = site.text(name)
            if file and file.text.strip("\ufeff\r\n ") != stem:
                yield file.at(1), "The file must hold the key that its name is, and nothing else."


@rule("error")
def indexnow_key_format(site: Site) -> Findings:
    """An IndexNow key has a wrong form.

    Engines answer 422 and take no notification.
    A key has 8 to 128 of the characters a-z, A-Z, 0-9 and -.
    Source: https://www.indexnow.org/documentation.
    """
    for name in sorted(site.top):
        stem, dot, ending = name.rpartition(".")
        if dot and ending == "txt" and stem not in _RESERVED and not _KEY.fullmatch(stem):
            file = site.text(name)
            if file and file.text.strip() == stem:
                yield file.at(1), f"{stem!r} is not 8 to 128 letters, digits and hyphens."
