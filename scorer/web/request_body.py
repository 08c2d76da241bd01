"""The body of a state-changing request of our own pages, and its rate limit."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from scorer.serving import csrf
from scorer.serving.middleware import client_address
from scorer.system.rate_limit import RateLimit


def check_rate(request: Request, limit: RateLimit, now: float) -> None:
    """Count a request of its address. Raises HTTPException beyond the limit."""
    seconds = limit.acquire(client_address(request.scope), now)
    if seconds:
        after = {"Retry-After": str(int(seconds) + 1), "Cache-Control": "no-store"}
        raise HTTPException(429, "too fast", after)


async def read_body(request: Request, limit: RateLimit, now: float) -> dict[str, Any]:
    """Read the body of a state-changing request. Raises HTTPException."""
    # Check first: requests of another site must not use up the address's limit.
    why_not = csrf.refusal(request.headers, request.scope["scheme"])
    if why_not is not None:
        raise HTTPException(*why_not)
    check_rate(request, limit, now)
    try:
        wish = json.loads(await request.body())
        # Reject what cannot be encoded again (lone surrogates, infinite numbers).
        json.dumps(wish, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError, ClientDisconnect):
        raise HTTPException(400, "the body is one object in JSON") from None
    if not isinstance(wish, dict):
        raise HTTPException(400, "the body is one object in JSON")
    return wish
