"""Accept state-changing requests only from our own pages.

Another site could make a browser in the bar send requests here, with the cookie of a paired phone.
Without a CORS preflight, which is never granted, it can add neither our header nor the JSON type;
browsers also send where a request comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

HEADER = "x-truco"  # our pages send "1" in it
_JSON = "application/json"


def refusal(headers: Mapping[str, str], scheme: str = "http") -> tuple[int, str] | None:
    """The error (status, sentence) if a request with these headers is refused.

    ``scheme``: that of the request, as far as it is known here.
    """
    if headers.get(HEADER) != "1":
        return 403, "say X-Truco: 1"
    if not _is_same_origin(headers, scheme):
        return 403, "this was sent by a page of somebody else"
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return (415, f"send {_JSON}") if kind != _JSON else None


def _is_same_origin(headers: Mapping[str, str], scheme: str) -> bool:
    """Whether Sec-Fetch-Site and Origin, if sent, name our own origin.

    Non-browser clients send neither and cannot be used for CSRF.
    """
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    # A proxy that is not configured may speak HTTPS; a page loaded without it is never ours then.
    schemes = ("https",) if scheme == "https" else ("http", "https")
    return parts.scheme in schemes and parts.netloc.lower() == headers["host"].lower()
