"""Which hosts the public can reach, and which are private or a preview."""

from __future__ import annotations

import re
from ipaddress import ip_address

#: Names that never reach the public: RFC 6761, 6762, 8375 and 9476, and what routers and offices use.
_PRIVATE = re.compile(
    r"(?:.*\.)?(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid"
    r"|example|onion|alt)"
)

#: Deployments for review, by the names that platforms give them.
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


def why_not_public(host: str) -> str:
    """Why a host is not to be submitted, as a phrase after its name; ``""`` for a public one.

    >>> why_not_public("docs.example.org"), why_not_public("10.0.0.7"), why_not_public("wiki")
    ('', 'is a private address', 'is a private name')
    """
    name = host.lower().rstrip(".")
    try:
        return "" if ip_address(name.strip("[]")).is_global else "is a private address"
    except ValueError:
        pass
    if "." not in name or _PRIVATE.fullmatch(name):
        return "is a private name"
    preview = next((platform for platform, names in _PREVIEWS.items() if names.fullmatch(name)), "")
    return f"is a preview ({preview})" if preview else ""
