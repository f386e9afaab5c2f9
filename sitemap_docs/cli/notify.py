"""``sitemap-docs notify``: submit changed addresses to search engines with IndexNow, after the deployment."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from time import sleep
from typing import Any

import click

from sitemap_docs import notify
from sitemap_docs.cli.console import Console, print_line
from sitemap_docs.cli.flags import PATH_OR_URL, Command, timeout, verbosity
from sitemap_docs.diff import SHOWN, SIGNS
from sitemap_docs.model import SitemapError
from sitemap_docs.output.text_files import VARIABLE, Key, hidden_keys
from sitemap_docs.surroundings import read_surroundings
from sitemap_docs.text import many
from sitemap_docs.urls.base import without_query

_LOCATION = "URL of the key file. {key} stands for the key. [default: {key}.txt at the base URL]"


@click.command("notify", cls=Command)
@click.argument("targets", metavar="[OLD] NEW", nargs=-1, type=PATH_OR_URL)
@click.option("--send", is_flag=True, help="Send the URLs. By default, the command only prints them.")
@click.option("--all", "everything", is_flag=True, help="Submit even if most or all URLs have changed.")
@click.option("--key-location", default="", metavar="URL", help=_LOCATION)
@click.option("--endpoint", default=notify.ENDPOINT, hidden=True)
@timeout
@verbosity
def command(targets: tuple[str, ...], **flags: Any) -> int:  # noqa: ANN401  what click made of the flags
    """Submit changed URLs with IndexNow.

    Tell search engines which URLs in NEW have changed since OLD. Both are sitemaps, sitemap indexes, built
    folders or URLs of deployed sites. Set the key in the environment variable INDEXNOW_KEY.

    Exit status: 0 if all URLs were accepted or there is nothing to send, 1 if some were not accepted, 2 for
    wrong usage.
    """
    if not targets:
        raise click.UsageError("Missing argument NEW. Pass the sitemap or site with the URLs to submit.")
    if len(targets) > 2:  # noqa: PLR2004
        raise click.UsageError("Too many arguments. Pass OLD and NEW, or only NEW with --all.")
    environ = read_surroundings().environ
    key = Key.of_environment(environ)
    with hidden_keys([key] if key else []):
        return _notify(targets, flags, environ, key)


def _notify(
    targets: Sequence[str], flags: Mapping[str, Any], environ: Mapping[str, str], key: Key | None
) -> int:
    """Submit changed URLs to search engines, and return the exit status.

    ``targets`` are the old and the new sitemap, or only the new one. ``key`` is the IndexNow key, or None.
    """

    def hide(text: str) -> str:
        return key.hidden_in(text) if key else text

    console = Console(flags)
    old, new = ("", *targets)[-2:]
    send, endpoint, location = flags["send"], flags["endpoint"], flags["key_location"]
    notify.check_endpoint(endpoint)
    planned = notify.plan(old, new, key=key, location=location, everything=flags["everything"])
    _print_plan(planned, console, hide, send=send)
    if key is None and not send:
        console.info(f"{VARIABLE} is not set. Before you pass --send, set it to your IndexNow key.")
    replies: list[notify.Reply] = []
    if send:
        notify.require_deployed(environ)
        if key is None:
            raise SitemapError(
                f"The environment variable {VARIABLE} is not set. Set it to your IndexNow key."
            )
        replies = _send(planned, key, endpoint, console)
    accepted = sum(reply.urls for reply in replies if reply.accepted)
    console.result(
        hide(_summary(planned, accepted, endpoint, send=send)),
        {
            "dry_run": not send,
            "key_location": hide(planned.location),
            "counts": {kind: planned.counts[kind] for kind in SIGNS},
            "urls": [change.loc for change in planned.changes()],
            "not_submitted": planned.undated + len(planned.elsewhere),
            "accepted": accepted,
            "requests": [reply._asdict() for reply in replies],
        },
    )
    return int(send and accepted < planned.total)


def _print_plan(planned: notify.Plan, console: Console, hide: Callable[[str], str], *, send: bool) -> None:
    """Print the URLs to submit, and how many changed URLs are not submitted.

    ``hide`` returns a text without the IndexNow key. If ``send`` is true, print the URLs to standard error,
    so that standard output has only the result.
    """
    if planned.warning:
        print_line(f"warning: {hide(planned.warning)}", err=True)
    most = None if console.verbose else SHOWN
    if not (console.json or console.quiet):
        for change in islice(planned.changes(), most):
            print_line(hide(f"{SIGNS[change.kind]} {change.loc}"), err=send)
        if most is not None and planned.total > most:
            print_line(f"… and {planned.total - most:,} more (-v shows them)", err=send)
    if planned.undated:
        console.info(
            f"not submitted: {many(planned.undated, 'URL')} that only got or lost a date, because this is "
            "no change of the page"
        )
    if planned.elsewhere:
        urls = many(len(planned.elsewhere), "URL")
        console.info(
            f"not submitted: {urls} that only OLD lists on another host, such as "
            f"{hide(planned.elsewhere[0])}, because the key is not valid there"
        )


def _send(planned: notify.Plan, key: Key, endpoint: str, console: Console) -> list[notify.Reply]:
    """Submit the URLs to the search engine at ``endpoint``, and print and return its replies."""

    def wait(seconds: float) -> None:
        console.info(f"waiting {seconds:.0f} seconds before the next try")
        sleep(seconds)

    replies = []
    for reply in notify.send(planned, key, endpoint=endpoint, wait=wait):
        print_line(f"{many(reply.urls, 'URL')}: {reply.message}", err=True)
        replies.append(reply)
    return replies


def _summary(planned: notify.Plan, accepted: int, endpoint: str, *, send: bool) -> str:
    counts = ", ".join(f"{planned.counts[kind]:,} {kind}" for kind in SIGNS)
    if not planned.total:
        return f"nothing to submit: none of {many(planned.difference.new, 'URL')} changed"
    if not send:
        there = without_query(endpoint)  # a token may follow
        return f"{many(planned.total, 'URL')} to submit ({counts}); pass --send to send them to {there}"
    if accepted < planned.total:
        of_all = f"{accepted:,} of {many(planned.total, 'URL')}"
        return f"{of_all} accepted ({counts}); run the command again to submit the rest"
    return f"{many(accepted, 'URL')} accepted ({counts})"
