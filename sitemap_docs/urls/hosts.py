"""Which hosts only this machine reaches, which only an organisation, and which are previews or examples."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

# Names that never reach the public: RFC 6761, 6762, 8375 and 9476, and what routers and offices use.
_PRIVATE = re.compile(
    r"(?:.*\.)?(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid"
    r"|example|onion|alt)"
)
# Names of examples (RFC 2606, RFC 6761) and of templates that nobody has filled in.
_PLACEHOLDERS = re.compile(
    r"(?:www\.)?example\.(?:com|org|net)|.*\.(?:local|test|invalid)"
    r"|(?:www\.)?your[-.]?(?:domain|site|project|docs)\.(?:com|org|net|io)"
)
# Deployments for review, by the names that platforms give them.
_PREVIEWS = {
    "Netlify": re.compile(r".+--.+\.netlify\.(?:app|com)"),
    "Cloudflare Pages": re.compile(r"[^.]+\.[^.]+\.pages\.dev"),
    "Vercel": re.compile(r".+-git-.+\.vercel\.app|.+-[a-z0-9]{9}(?:-.+)?\.vercel\.app"),
    "Read the Docs": re.compile(r".+\.readthedocs\.build|.+\.rtd-builds?\..+"),
    "Render": re.compile(r".+-pr-\d+\.onrender\.com"),
    "a tunnel": re.compile(
        r".+\.(?:ngrok(?:-free)?\.(?:app|dev|io)|trycloudflare\.com|loca\.lt|app\.github\.dev)"
    ),
}


def is_local_host(host: str) -> bool:
    """Whether only this machine can reach a host: localhost, loopback addresses, 0.0.0.0."""
    name = _name(host)
    address = _address(name)
    if address is None:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


@lru_cache(maxsize=1_024)  # the audit asks for each listed address
def is_placeholder(host: str) -> bool:
    """Whether a host is that of a default setting: ``example.com``, localhost, a private address."""
    name = _name(host)
    address = _address(name)
    if address is not None:
        return not address.is_global
    return is_local_host(name) or _PLACEHOLDERS.fullmatch(name) is not None


def why_not_public(host: str) -> str:
    """Why the public cannot reach a host, or should not, as a phrase after its name; ``""``: it can.

    >>> why_not_public("docs.example.org"), why_not_public("10.0.0.7"), why_not_public("wiki")
    ('', 'is a private address', 'is a private name')
    """
    name = _name(host)
    address = _address(name)
    if address is not None:
        return "" if address.is_global else "is a private address"
    if "." not in name or _PRIVATE.fullmatch(name):
        return "is a private name"
    for platform, names in _PREVIEWS.items():
        if names.fullmatch(name):
            return f"is a preview ({platform})"
    return ""


def _name(host: str) -> str:
    return host.lower().rstrip(".")


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name.strip("[]"))
    except ValueError:
        return None
