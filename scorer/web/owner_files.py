"""Files for browsers in the owner's folder."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, Response

from scorer.serving.static_files import CONTENT_TYPES


def owner_file_response(folder: Path, path: str) -> Response | None:
    """A file under ``folder``; None if there is none that may be served.

    Only known content types, no hidden files, and no links that lead out of the folder.
    """
    *above, name = path.split("/")
    parts = [*above, name or "index.html"]
    if any(not part or part.startswith(".") for part in parts):
        return None
    wanted = folder.joinpath(*parts)
    if wanted.suffix not in CONTENT_TYPES:
        return None
    try:
        found = wanted.resolve(strict=True)
        inside = found.is_relative_to(folder.resolve()) and found.is_file()
    except (OSError, ValueError):
        return None
    if not inside:
        return None
    headers = {"Content-Type": CONTENT_TYPES[wanted.suffix], "Cache-Control": "no-cache"}
    return FileResponse(found, headers=headers)
