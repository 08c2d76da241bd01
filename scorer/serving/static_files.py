"""Files of a package for browsers, served from memory."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from starlette.responses import Response

CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}
_COMPRESSIBLE = ("text/", "image/svg", "application/")
_SHARED = "scorer.serving.pages"
_NOT_SERVED = (".html", ".json", ".txt")  # of our files; pages have paths of their own


class CachedFile(NamedTuple):
    """A file in memory. ``tag`` changes when its bytes do."""

    body: bytes
    content_type: str
    etag: str


def cached_file(body: bytes, content_type: str) -> CachedFile:
    """A file with its content type and tag."""
    return CachedFile(body, content_type, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def page_files(package: str) -> dict[str, CachedFile]:
    """The files of the pages in a package, and those that all pages share, by name."""
    folders = (resources.files(_SHARED), resources.files(package))
    return {
        file.name: cached_file(file.read_bytes(), CONTENT_TYPES[Path(file.name).suffix])
        for folder in folders
        for file in folder.iterdir()
        if Path(file.name).suffix in CONTENT_TYPES
    }


def static_files(files: Mapping[str, CachedFile]) -> dict[str, CachedFile]:
    """The files that pages load by name."""
    return {name: file for name, file in files.items() if not name.endswith(_NOT_SERVED)}


@lru_cache(maxsize=256)
def compressed(body: bytes) -> bytes:
    """The body as gzip; a page takes a third of its bytes."""
    return gzip.compress(body, mtime=0)


def file_response(
    file: CachedFile,
    if_none_match: str | None,
    accept_encoding: str = "",
    compress: Callable[[bytes], bytes] = compressed,
) -> Response:
    """The file, or 304 if ``if_none_match`` has its tag.

    It is compressed for clients that accept it: its bytes are the same for all, and no secret.
    ``compress``: another function than the one that keeps what it has compressed.
    """
    # Revalidated each time: after an update no page may mix old and new files.
    headers = {"Cache-Control": "no-cache"}
    if file.content_type.startswith(_COMPRESSIBLE):
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in accept_encoding:
            headers["Content-Encoding"] = "gzip"
            file = file._replace(etag=f'{file.etag[:-1]}-gzip"')
    headers["ETag"] = file.etag
    if if_none_match is not None and file.etag in if_none_match:
        return Response(status_code=304, headers=headers)
    body = compress(file.body) if "Content-Encoding" in headers else file.body
    return Response(body, media_type=None, headers={**headers, "Content-Type": file.content_type})
