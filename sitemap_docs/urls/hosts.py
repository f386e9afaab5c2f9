"""Hosts: placeholders, private names, and the platform on which a build runs."""

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

# Private names: those of RFC 6761, 6762, 8375 and 9476, and others that are common in offices and routers.
_PRIVATE = re.compile(
    r"(?:.*\.)?(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid"
    r"|example|onion|alt)"
)
# Names in examples (RFC 2606, RFC 6761) and in templates that nobody has filled in.
_PLACEHOLDERS = re.compile(r"(?:www\.)?example\.(?:org|net)|.*\.(?:local|test|invalid)")
# Hosts in the examples of our own manual are all below example.com.
_TO_FILL_IN = re.compile(
    r"(?:.*\.)?example\.com|(?:www\.)?your[-.]?(?:domain|site|project|docs)\.(?:com|org|net|io)"
)
UNSHALLOW = """At the start of the build command:
  git fetch --unshallow --filter=blob:none || true"""


def is_local_host(host: str) -> bool:
    """Check whether a host name means this machine, such as ``localhost``."""
    name, address = _name_and_ip(host)
    if address is None:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


@lru_cache(maxsize=1_024)  # the audit calls this for each listed address
def is_placeholder(host: str) -> bool:
    """Check whether a host name is only an example or a local name: ``example.com`` or ``localhost``."""
    name, address = _name_and_ip(host)
    if address is not None:
        return not address.is_global
    return is_local_host(name) or is_to_fill_in(name) or _PLACEHOLDERS.fullmatch(name) is not None


def is_to_fill_in(host: str) -> bool:
    """Check whether a user forgot to replace a host name such as ``yourdomain.com``."""
    return _TO_FILL_IN.fullmatch(host.lower()) is not None


def why_not_public(host: str) -> str:
    """Return the reason why a host is not public, or ``""``.

    >>> why_not_public("docs.example.com"), why_not_public("10.0.0.7"), why_not_public("wiki")
    ('', 'is a private address', 'is a name that only a local network knows')
    """
    name, address = _name_and_ip(host)
    if address is not None:
        return "" if address.is_global else "is a private address"
    return "is a name that only a local network knows" if "." not in name or _PRIVATE.fullmatch(name) else ""


def _name_and_ip(host: str) -> tuple[str, IPv4Address | IPv6Address | None]:
    """Return a host in lower case and its IP address, or None as the address if the host is a name."""
    name = host.lower().rstrip(".")
    try:
        return name, ip_address(name.strip("[]"))
    except ValueError:
        return name, None


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """The hosting platform on which a build runs, such as Read the Docs."""

    name: str = ""
    base_url: str | None = None
    #: The reason why this build is a preview, or ``""``.
    preview: str = ""
    #: Whether ``base_url`` is the URL of the built folder.
    is_exact: bool = False
    serves_robots: bool = False
    deploys_later: bool = False
    whole_history: str = ""
    is_version: bool = False
    #: The file for redirects, such as ``_redirects``.
    rules: str = ""
    hosts: tuple[str, ...] = ()
    redirects_win: bool = False
    #: Whether the platform redirects ``a.html`` to ``a``.
    drops_html: bool = False
