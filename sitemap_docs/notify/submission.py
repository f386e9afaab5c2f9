"""What is submitted to search engines after a deployment: exactly what changed, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.diff.difference import compute_difference
from sitemap_docs.model import SitemapError
from sitemap_docs.notify import client, submitted
from sitemap_docs.notify.client import MOST, Owner
from sitemap_docs.output.key import KEY_FILE, VARIABLE, Key
from sitemap_docs.sitemap import urllist
from sitemap_docs.sitemap.sorting import Lines
from sitemap_docs.urls.platforms import platform

if TYPE_CHECKING:
    from sitemap_docs.diff.difference import Change, Difference, Kind
    from sitemap_docs.notify.client import Client, Reply

_MANY = 1_000
_BUILDERS = ("Read the Docs", "Netlify", "Vercel", "Cloudflare Pages")
_REVIEWS = {
    "GITHUB_EVENT_NAME": ("pull_request", "pull_request_target", "merge_group"),
    "CI_PIPELINE_SOURCE": ("merge_request_event", "external_pull_request_event"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be submitted: ``counts`` of each kind.

    ``undated`` counts the pages whose date was only added or removed, which are not submitted.
    ``location`` is the URL of the key file, with ``{key}`` for the key. ``baseline`` is what was submitted
    before.
    """

    difference: Difference
    baseline: Iterable[str]
    location: str
    counts: Mapping[Kind, int]
    undated: int

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def changes(self) -> Iterator[Change]:
        """The changes to submit, sorted by address."""
        return filter(_matters, self.difference.changes())


class Delivery(NamedTuple):
    """One request: the number of its URLs, and the response."""

    urls: int
    answer: Reply


def plan(
    old: str,
    new: str,
    *,
    state: Path | None = None,
    location: str = "",
    key_file: str = KEY_FILE,
    everything: bool = False,
) -> Plan:
    """What changed from ``old`` (a place, ``""`` for nothing) to ``new`` and is to be submitted.

    A ``state`` that exists is used in place of ``old``. Raises SitemapError for a place that cannot be read,
    for a host that is not public, for URLs that the key at ``location`` is not valid for, and for most of
    the site unless ``everything`` is set. ``key_file`` is the option ``indexnow_file``.
    """
    known = submitted.read_submitted(state) if state else None
    if known is None and not old and not everything:
        raise SitemapError("No earlier submission is recorded: pass OLD and NEW, or --all for every URL.")
    baseline = Lines(urllist.distinct(urllist.lines(old) if known is None and old else known or ()))
    now = Lines(urllist.lines(new))
    difference = compute_difference(baseline, now)
    counts = Counter(change.kind for change in difference.changes() if _matters(change))
    where = location or _location(new, now, baseline)
    planned = Plan(
        difference=difference,
        baseline=Lines(submitted.submitted_after(baseline, _appeared(difference))),
        location=where + key_file if where.endswith("/") else where,
        counts=counts,
        undated=difference.counts["changed"] - counts["changed"],
    )
    client.check_host(planned.location)
    _check(planned, everything=everything)
    return planned


def send(plan: Plan, key: Key, sender: Client, *, state: Path | None = None) -> Iterator[Delivery]:
    """Submits what is planned, at most 10,000 URLs a request; ends after the first that is not accepted.

    ``state`` is written before the first request and after each that is accepted, so that the next run
    submits what this one did not, and nothing twice.
    """
    owner = Owner(key=key, location=plan.location)
    if state:
        submitted.write_submitted(state, plan.baseline)
    changes = plan.changes()
    while batch := list(islice(changes, MOST)):
        answer = sender.submit([change.loc for change in batch], owner)
        if state and answer.accepted:
            submitted.write_submitted(
                state, submitted.submitted_after(submitted.read_submitted(state) or (), batch)
            )
        yield Delivery(len(batch), answer)
        if not answer.accepted:
            return


def why_not_here(environ: Mapping[str, str]) -> str:
    """Why nothing must be sent from here: a build before its deployment, or a preview; ``""`` for neither."""
    where = platform(environ)
    if where.preview:
        return f"this is a preview deployment ({where.preview})"
    if where.name in _BUILDERS:
        return f"{where.name} deploys after the build ends, and engines would crawl the old pages"
    for variable, events in _REVIEWS.items():
        if environ.get(variable) in events:
            return f"this is a run for a review ({variable} is {environ[variable]})"
    return ""


def check_key_file(folder: Path, key: Key, key_file: str = KEY_FILE) -> None:
    """Raises SitemapError when a built folder lacks the key file, or it holds something else."""
    file = folder / key.within(key_file)
    if not file.is_file():
        raise SitemapError(
            f"{folder} has no IndexNow key file: build with {VARIABLE} set, "
            "or pass --key-location with the address of the file."
        )
    if not key.proven_by(file.read_bytes()):
        raise SitemapError(f"The IndexNow key file in {folder} does not contain the key: build again.")


def _matters(change: Change) -> bool:
    return change.kind != "changed" or bool(change.before and change.after)


def _appeared(difference: Difference) -> Iterator[Change]:
    return (change for change in difference.changes("changed") if not change.before)


def _location(new: str, now: Iterable[str], baseline: Iterable[str]) -> str:
    if built := urllist.built_at(new):
        return built.base.url
    folder = urllist.common_folder(chain(now, baseline))
    if not folder:
        raise SitemapError(f"{new} lists URLs of several hosts, or none: pass --key-location.")
    served = urllist.sitemap_of(new).rpartition("/")[0] + "/"
    return served if folder.startswith(served) else folder


def _check(plan: Plan, *, everything: bool) -> None:
    scope = plan.location.rpartition("/")[0] + "/"
    beyond = (change.loc for change in plan.changes() if not change.loc.startswith(scope))
    if first := next(beyond, ""):
        raise SitemapError(
            f"{1 + sum(1 for _ in beyond):,} URLs are not below {scope}, such as {first}: the key at "
            f"{plan.location} does not cover them. Serve the key file from a higher folder, and pass "
            "its URL as --key-location."
        )
    if not everything and plan.total and _is_everything(plan):
        raise SitemapError(
            f"{plan.total:,} URLs would be submitted, with {plan.difference.new:,} listed now and "
            f"{plan.difference.old:,} before: submit only what changed. Check that OLD is the "
            "last deployment and NEW is complete, or pass --all."
        )


def _is_everything(plan: Plan) -> bool:
    kept = plan.difference.new - plan.counts["added"] - plan.counts["changed"]
    largest = max(plan.difference.old, plan.difference.new)
    return kept == 0 or plan.total > max(_MANY, largest / 2)
