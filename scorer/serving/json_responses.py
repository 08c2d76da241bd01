"""JSON responses, which no cache keeps."""

from __future__ import annotations

import json

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer.serving.static_files import CONTENT_TYPES


def json_response(document: object, status: int = 200) -> Response:
    """A document as JSON."""
    body = json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False)
    headers = {"Content-Type": CONTENT_TYPES[".json"], "Cache-Control": "no-store"}
    return Response(body, status, headers)


async def error_response(request: Request, error: Exception) -> Response:
    """The sentence of an HTTPException as JSON; a handler of Starlette."""
    assert isinstance(error, HTTPException)
    response = json_response({"error": error.detail}, error.status_code)
    response.headers.update(error.headers or {})
    return response
