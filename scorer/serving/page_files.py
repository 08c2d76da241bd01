"""The pages of a package: HTML with a few fields, what they load, and their texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer.serving import static_files
from scorer.serving.static_files import CachedFile, cached_file
from scorer.serving.templates import Templates


class PageFiles:
    """Serves the files of ``package`` from memory."""

    def __init__(self, package: str) -> None:
        self._static = static_files.static_files(static_files.page_files(package))
        self._templates = Templates(package)
        self._templates.load()
        self._texts: dict[str, CachedFile] = {}

    def page(self, request: Request, file: str, /, **fields: object) -> Response:
        """A page, which is a template with these fields."""
        return _response(request, self.filled(file, **fields))

    def filled(self, file: str, /, **fields: object) -> CachedFile:
        """The same as a file in memory."""
        html = self._templates.render(file, **fields)
        return cached_file(html.encode(), static_files.CONTENT_TYPES[".html"])

    async def static(self, request: Request) -> Response:
        """The file ``name`` of the path. Raises HTTPException."""
        file = self._static.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        return _response(request, file)

    def texts(self, request: Request, name: str, read: Callable[[], Mapping[str, str]]) -> Response:
        """Texts as JSON; ``read`` is called once for each ``name``."""
        if name not in self._texts:
            body = json.dumps(read(), ensure_ascii=False, sort_keys=True)
            self._texts[name] = cached_file(body.encode(), static_files.CONTENT_TYPES[".json"])
        return _response(request, self._texts[name])


def _response(request: Request, file: CachedFile) -> Response:
    headers = request.headers
    accepted = headers.get("accept-encoding", "")
    return static_files.file_response(file, headers.get("if-none-match"), accepted)
