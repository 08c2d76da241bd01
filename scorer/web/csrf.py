"""Whether a request that changes something comes from a page of ours, or from one of somebody else.

A page in the internet can have a browser in the bar send requests here, with the cookie of a paired
phone. It cannot give them a header of its own, nor say that they are JSON, without asking first,
and nobody answers that; where they come from the browser says by itself. It knows headers alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

HEADER = "x-truco"  # any page of ours says "1" in it
_JSON = "application/json"


def refusal(headers: Mapping[str, str]) -> tuple[int, str] | None:
    """Why the request with these ``headers`` is not ours (status, sentence), None where it is."""
    if headers.get(HEADER) != "1":
        return 403, "say X-Truco: 1"
    if not _is_same_origin(headers):
        return 403, "this was sent by a page of somebody else"
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return (415, f"send {_JSON}") if kind != _JSON else None


def _is_same_origin(headers: Mapping[str, str]) -> bool:
    """What the browser says of the page; who is no browser says nothing, and is nobody's tool."""
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == headers["host"].lower()
