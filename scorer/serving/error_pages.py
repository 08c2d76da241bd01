"""Errors as JSON for programs, and as a page for browsers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer.serving.json_responses import error_response
from scorer.serving.static_files import CONTENT_TYPES
from scorer.serving.templates import Templates

_TEMPLATES = Templates()
_KNOWN = {401: "visitor.login", 403: "visitor.role", 404: "visitor.missing"}


class PageLink(NamedTuple):
    """A link to a page that there is; ``key``: of its words."""

    key: str
    href: str


class PageReader(NamedTuple):
    """The language of a reader, and what says a key of words in it."""

    language: str
    say: Callable[[str], str]


class ErrorPages:
    """Answers an HTTPException; ``answer`` is a handler of Starlette."""

    def __init__(
        self,
        reader: Callable[[Request], PageReader],
        links: Callable[[Request], Iterable[PageLink]],
    ) -> None:
        """``reader``: of a request; ``links``: what there is here."""
        self._reader, self._links = reader, links
        _TEMPLATES.load()

    async def answer(self, request: Request, error: Exception) -> Response:
        """A page for a browser that shows one; the sentence as JSON for all others."""
        # Scripts of pages accept anything.
        shows_pages = "text/html" in request.headers.get("accept", "")
        if request.method not in ("GET", "HEAD") or not shows_pages:
            return await error_response(request, error)
        assert isinstance(error, HTTPException)
        language, say = self._reader(request)
        title = say(_KNOWN.get(error.status_code, "visitor.trouble"))
        html = _TEMPLATES.render(
            "error.html", language=language, say=say, title=title, links=self._links(request)
        )
        headers = {**(error.headers or {}), "Cache-Control": "no-store"}
        headers["Vary"] = "Accept, Accept-Language"
        headers["Content-Type"] = CONTENT_TYPES[".html"]
        return Response(html, error.status_code, headers)
