"""Listed addresses that the host redirects to another spelling."""

from collections.abc import Iterable, Iterator

from sitemap_docs.hosting import Hosting
from sitemap_docs.model import Finding, Row
from sitemap_docs.rules import reported
from sitemap_docs.text import many


def find_redirected(rows: Iterable[Row], hosting: Hosting, advice: str) -> Iterator[Finding]:
    """Yield a warning if the web host redirects addresses in the sitemap, such as ``/a.html`` to ``/a``.

    ``advice`` is the text for the warning that says how to correct this.
    """
    redirected = [row for row in rows if hosting.served_address(row.loc, row.file) != row.loc]
    if redirected:
        first = redirected[0]
        target = hosting.served_address(first.loc, first.file)
        yield addresses_redirect(hosting.platform.name, len(redirected), first.loc, target, advice)


@reported()
def addresses_redirect(platform: str, number: int, first: str, target: str, advice: str) -> str:
    """The host redirects listed addresses that end with `.html`."""
    return f"{platform} redirects {many(number, 'listed address')}, such as {first} to {target}. {advice}"
