"""The server of the front panel on 127.0.0.1: pages, event stream, and input."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from importlib import resources
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from scorer.demo.front import page_state
from scorer.demo.front.board_process import BoardProcess
from scorer.demo.front.page_input import PageFingers, WrongRequest, parse_edges, parse_object
from scorer.demo.front.page_state import PanelState, TableState
from scorer.demo.front.request_guard import LocalGuard
from scorer.demo.front.stream import PageStream
from scorer.demo.live_demo import LiveDemo
from scorer.i18n import translator

HOST = "127.0.0.1"
SHUTDOWN_TIMEOUT = 1  # seconds for connections to end when the demo does
_KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class FrontPanel:
    """The front panel of one table."""

    def __init__(self, playing: LiveDemo, language: str, board: BoardProcess | None = None) -> None:
        """``board``: the target of its link; None: no link."""
        self.board = board
        self._playing, self._language = playing, language
        self._say = translator(language)
        self._run = secrets.token_hex(4)
        self._fingers = PageFingers(playing.fingers, playing.clock)
        self._stream = PageStream(self._on_join, self._fingers.remove_page)
        self._files = _files()

    def publish(self) -> None:
        """Send the current state to the pages."""
        if self._stream.is_watched():
            desk, report = self._playing.table, self._playing.table.report
            panels = {
                name: PanelState(
                    size=panel.size,
                    bits=panel.picture().tobytes(),
                    is_dim=panel.is_dim,
                    is_plugged=panel.is_plugged,
                    texts=report.texts.get(name, ()),
                )
                for name, panel in desk.panels.items()
            }
            state = TableState(
                panels=panels,
                lamps={name: lamp == "on" for name, lamp in report.lamps.items()},
                state=report.state,
                lines=desk.ready.lines,
                down=self._playing.fingers.touched(self._playing.clock()),
                is_dark=self._playing.is_powered_off,
            )
            self._stream.publish(page_state.snapshot(state, self._playing.activity, self._say))

    def build_app(self) -> ASGIApp:
        """The application behind the guard."""
        routes = [
            Route("/", self._page, methods=["GET"]),
            Route("/page/{name}", self._file, methods=["GET"]),
            Route("/looks", self._stream, methods=["GET"]),
            Route("/fingers", self._handle_fingers, methods=["POST"]),
            Route("/plugs", self._handle_plugs, methods=["POST"]),
            Route("/board", self._redirect_to_board, methods=["GET"]),
        ]
        return LocalGuard(Starlette(routes=routes))

    def close(self) -> None:
        """Disconnect every page."""
        self._stream.close()

    def _on_join(self) -> tuple[str, str]:
        page = secrets.token_hex(8)
        self._fingers.add_page(page)
        board = "" if self.board is None else "board"
        return page, page_state.greeting(self._language, self._run, page, board=board)

    async def _page(self, request: Request) -> Response:
        html = self._files["index.html"].decode().replace("{{language}}", self._language)
        return Response(html, headers={"content-type": _KINDS["html"]})

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        body = self._files.get(name)
        if body is None:
            return Response(status_code=404)
        return Response(body, headers={"content-type": _KINDS[name.rpartition(".")[2]]})

    async def _handle_fingers(self, request: Request) -> Response:
        return await _apply_body(request, self._move_fingers)

    async def _handle_plugs(self, request: Request) -> Response:
        return await _apply_body(request, self._plug)

    def _move_fingers(self, document: dict[str, object]) -> None:
        edges = parse_edges(document.get("edges"), self._playing.table.ready.lines)
        self._fingers.move(str(document.get("finger")), edges)

    def _plug(self, document: dict[str, object]) -> None:
        panels = self._playing.table.panels
        match document:
            case {"panel": str(name)} if name in panels:
                self._playing.toggle_cable(name)
            case {"wall": True}:
                self._playing.cut_power()
            case _:
                raise WrongRequest('send {"wall": true} or {"panel": "A"}')

    async def _redirect_to_board(self, request: Request) -> Response:
        if self.board is None:
            return Response(status_code=404)
        try:
            return RedirectResponse(await self.board.address(), 303)
        except TimeoutError:
            return Response("scorer web does not start; try again", 503)


async def _apply_body(request: Request, act: Callable[[dict[str, object]], object]) -> Response:
    """Apply the body; an invalid one gets an error sentence."""
    try:
        act(parse_object(await request.body()))
    except WrongRequest as error:
        return JSONResponse({"error": str(error)}, 400)
    return Response(status_code=204)


def _files() -> dict[str, bytes]:
    folder = resources.files("scorer.demo.front").joinpath("page")
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def open_socket(port: int) -> socket.socket:
    """A listening socket for browsers on this machine. Raises OSError."""
    made = socket.create_server((HOST, port))
    made.setblocking(False)
    return made


class _Server(uvicorn.Server):
    """uvicorn's server without its signal handlers: the demo handles signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def serve_front(
    front: FrontPanel, playing: LiveDemo, listener: socket.socket
) -> AsyncIterator[str]:
    """Serve on ``listener`` for the block; yields the address."""
    port: int = listener.getsockname()[1]
    config: Any = uvicorn.Config(
        front.build_app(),
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    playing.watchers.append(front.publish)
    try:
        yield f"http://{HOST}:{port}"
    finally:
        playing.watchers.remove(front.publish)
        front.close()
        server.should_exit = True
        await task
        if front.board is not None:
            await front.board.close()
