"""Documents as JSON: responses that no cache keeps, and files with a tag."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer.serving.static_files import CONTENT_TYPES, CachedFile, cached_file

_LEVEL = 5  # of gzip: little is gained above


def json_response(document: object, status: int = 200) -> Response:
    """A document as JSON."""
    headers = {"Content-Type": CONTENT_TYPES[".json"], "Cache-Control": "no-store"}
    return Response(_encoded(document), status, headers)


def compressed_response(request: Request, body: bytes, more: Mapping[str, str]) -> Response:
    """Encoded JSON that no cache keeps, compressed for a client that accepts it.

    ``more``: headers. Nothing in the body may be a secret beside what a stranger can choose.
    """
    headers = {"Content-Type": CONTENT_TYPES[".json"], "Cache-Control": "no-store", **more}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = gzip.compress(body, _LEVEL, mtime=0)
    return Response(body, headers=headers)


def json_file(document: object) -> CachedFile:
    """A document as a file in memory, whose tag changes with it."""
    return cached_file(_encoded(document), CONTENT_TYPES[".json"])


def _encoded(document: object) -> bytes:
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode()


async def error_response(request: Request, error: Exception) -> Response:
    """The sentence of an HTTPException as JSON; a handler of Starlette."""
    assert isinstance(error, HTTPException)
    response = json_response({"error": error.detail}, error.status_code)
    response.headers.update(error.headers or {})
    return response
