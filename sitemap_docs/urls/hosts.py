"""Hosts: which only this machine reaches, an organisation, a preview; and where a build runs."""

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

# Names that never reach the public: RFC 6761, 6762, 8375 and 9476, and what routers and offices use.
_PRIVATE = re.compile(
    r"(?:.*\.)?(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid"
    r"|example|onion|alt)"
)
# Names of examples (RFC 2606, RFC 6761) and of templates that nobody has filled in.
_PLACEHOLDERS = re.compile(r"(?:www\.)?example\.(?:org|net)|.*\.(?:local|test|invalid)")
# Those of our own examples are all below example.com.
_TO_FILL_IN = re.compile(
    r"(?:.*\.)?example\.com|(?:www\.)?your[-.]?(?:domain|site|project|docs)\.(?:com|org|net|io)"
)
UNSHALLOW = """At the start of the build command:
  git fetch --unshallow || true"""


def is_local_host(host: str) -> bool:
    """Whether only this machine can reach a host: localhost, loopback addresses, 0.0.0.0."""
    name, address = _parsed(host)
    if address is None:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


@lru_cache(maxsize=1_024)  # the audit asks for each listed address
def is_placeholder(host: str) -> bool:
    """Whether a host is that of a default setting: ``example.com``, localhost, a private address."""
    name, address = _parsed(host)
    if address is not None:
        return not address.is_global
    return is_local_host(name) or is_to_fill_in(name) or _PLACEHOLDERS.fullmatch(name) is not None


def is_to_fill_in(host: str) -> bool:
    """Whether a host stands in examples and templates for that of the site, and can be no host of one."""
    return _TO_FILL_IN.fullmatch(host.lower()) is not None


def why_not_public(host: str) -> str:
    """Returns why the public cannot reach a host, as a phrase after its name; ``""``: it can.

    >>> why_not_public("docs.example.com"), why_not_public("10.0.0.7"), why_not_public("wiki")
    ('', 'is a private address', 'is a private name')
    """
    name, address = _parsed(host)
    if address is not None:
        return "" if address.is_global else "is a private address"
    return "is a private name" if "." not in name or _PRIVATE.fullmatch(name) else ""


def _parsed(host: str) -> tuple[str, IPv4Address | IPv6Address | None]:
    """A host in lower case without the dot of the root, and its address if it is one."""
    name = host.lower().rstrip(".")
    try:
        return name, ip_address(name.strip("[]"))
    except ValueError:
        return name, None


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """Where the build runs; ``name`` is ``""`` on any other machine.

    ``base_url`` is that of this deployment, as the platform spells it; None where it names none.
    ``preview`` is why this is a preview deployment, as messages show it; ``""`` for all others.
    ``is_exact`` is true where ``base_url`` is the address of the built folder itself, not only of the
    deployment that holds it. ``serves_robots`` is true where the platform makes a robots.txt that is better
    left alone. ``deploys_later``: it deploys the site when the build has ended.
    ``whole_history`` are the lines with which it fetches the whole history of the repository. ``rules`` is
    the file of a project in which it alone has redirects and headers, ``hosts`` how its own hosts end.
    ``redirects_win`` is whether its redirects hold where a file answers, too, and ``drops_html`` whether it
    redirects ``a.html`` to ``a``.
    """

    name: str = ""
    base_url: str | None = None
    preview: str = ""
    is_exact: bool = False
    serves_robots: bool = False
    deploys_later: bool = False
    whole_history: str = ""
    is_version: bool = False
    rules: str = ""
    hosts: tuple[str, ...] = ()
    redirects_win: bool = False
    drops_html: bool = False
