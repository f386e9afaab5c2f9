"""``sitemap-docs notify``: submits to search engines by IndexNow what changed, after the deployment."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import click

from sitemap_docs.cli.console import Console, print_line, verbosity
from sitemap_docs.cli.flags import configured
from sitemap_docs.model import SitemapError
from sitemap_docs.notify import client
from sitemap_docs.notify import submission as core
from sitemap_docs.notify.client import ENDPOINT, Client, Owner
from sitemap_docs.output.key import KEY_FILE, VARIABLE, Key
from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_docs.diff.difference import Kind
    from sitemap_docs.notify.submission import Delivery, Plan

SHOWN = 50
_RETRIES = "Retries after 429, 5xx or no response."
_TIMEOUT = "Seconds to wait for a response."
_SIGNS: Mapping[Kind, str] = {"added": "+", "removed": "-", "changed": "~"}


@click.command("notify")
@click.argument("targets", metavar="[OLD] NEW", nargs=-1, required=True)
@click.option("--send", is_flag=True, help="Send. Without it, only print what would be sent.")
@click.option("--all", "everything", is_flag=True, help="Submit even if most URLs changed, or all.")
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File that records what was submitted. Once it exists, it is used in place of OLD.",
)
@click.option(
    "--key-location",
    default="",
    metavar="URL",
    help="Where the key file is served; write {key} for the key. [default: {key}.txt at the base URL]",
)
@configured
@click.option("--endpoint", default=ENDPOINT, show_default=True, help="One engine; they share submissions.")
@click.option("--retries", type=click.IntRange(0, 10), default=3, show_default=True, help=_RETRIES)
@click.option("--timeout", type=click.FloatRange(0.1, 600), default=30.0, show_default=True, help=_TIMEOUT)
@verbosity
def command(
    targets: tuple[str, ...],
    *,
    send: bool,
    everything: bool,
    state: Path | None,
    **flags: Any,  # noqa: ANN401  what click made of the flags
) -> int:
    """Submit the URLs of NEW that changed since OLD to search engines, by IndexNow.

    OLD and NEW are sitemaps, indexes, built folders or web addresses. The key comes from the environment
    variable INDEXNOW_KEY.

    Exit status: 0 accepted, or nothing to send; 1 not all accepted; 2 wrong usage.
    """
    if len(targets) > 2:  # noqa: PLR2004
        raise click.UsageError("Pass OLD and NEW, or NEW alone with --state or --all.")
    console = Console.of(flags)
    old, new = ("", *targets)[-2:]
    client.check_endpoint(flags["endpoint"])
    key = Key.of(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None
    location = flags["key_location"]
    planned = core.plan(old, new, state=state, location=location, everything=everything)
    if key and Path(new).is_dir() and not location:
        core.check_key_file(Path(new), key, KEY_FILE)
    _print_plan(console, planned)
    owner = Owner(key=_ready(key) if send else Key(""), location=planned.location)
    deliveries = []
    for delivery in core.send(planned, owner.key, _client(console, flags), state=state) if send else ():
        print_line(f"{many(delivery.urls, 'URL')}: {delivery.answer.explained(owner)}", err=True)
        deliveries.append(delivery)
    accepted = sum(delivery.urls for delivery in deliveries if delivery.answer.accepted)
    summary = _summary(planned, accepted, flags["endpoint"], send=send)
    console.result(summary, _as_data(planned, deliveries, accepted, send=send))
    return int(send and accepted < planned.total)


def _client(console: Console, flags: Mapping[str, Any]) -> Client:
    def wait(seconds: float) -> None:
        console.info(f"waiting {seconds:.0f} seconds before the next try")
        sleep(seconds)

    return Client(
        endpoint=flags["endpoint"],
        retries=flags["retries"],
        timeout=flags["timeout"],
        wait=wait,
        now=lambda: datetime.now(timezone.utc),
    )


def _ready(key: Key | None) -> Key:
    if why := core.why_not_here(os.environ):
        raise SitemapError(
            f"Nothing is sent: {why}. Run notify where the site is deployed, after the deployment."
        )
    if key is None:
        raise SitemapError(f"The environment variable {VARIABLE} is not set: set it to your IndexNow key.")
    return key


def _print_plan(console: Console, plan: Plan) -> None:
    changes = plan.changes()
    for change in changes if console.verbose else islice(changes, SHOWN):
        console.info(f"{_SIGNS[change.kind]} {change.loc}")
    if not console.verbose and plan.total > SHOWN:
        console.info(f"… and {plan.total - SHOWN:,} more (-v shows them)")
    if plan.undated:
        console.info(f"not submitted: {plan.undated:,} whose date was only added or removed")


def _summary(plan: Plan, accepted: int, endpoint: str, *, send: bool) -> str:
    counts = ", ".join(f"{plan.counts[kind]:,} {kind}" for kind in _SIGNS)
    if not plan.total:
        return f"nothing to submit: nothing changed of {many(plan.difference.new, 'URL')}"
    if not send:
        return f"{many(plan.total, 'URL')} to submit ({counts}); pass --send to send them to {endpoint}"
    if accepted < plan.total:
        return f"{accepted:,} of {many(plan.total, 'URL')} accepted ({counts}); run it again for the rest"
    return f"{many(accepted, 'URL')} accepted ({counts})"


def _as_data(plan: Plan, deliveries: list[Delivery], accepted: int, *, send: bool) -> dict[str, object]:
    owner = Owner(key=Key(""), location=plan.location)
    return {
        "dry_run": not send,
        "key_location": plan.location,
        "counts": {kind: plan.counts[kind] for kind in _SIGNS},
        "urls": [change.loc for change in plan.changes()],
        "not_submitted": plan.undated,
        "accepted": accepted,
        "requests": [
            {
                "urls": each.urls,
                "status": each.answer.status,
                "attempts": each.answer.attempts,
                "message": each.answer.explained(owner),
            }
            for each in deliveries
        ],
    }
