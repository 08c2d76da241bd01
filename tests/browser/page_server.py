"""A server of static files for the built page, with the policy of the page."""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tools.browser.__main__ import OUT, POLICY

NODE = shutil.which("node")
BUILT = (OUT / "service_worker.js").exists() and NODE is not None
WHY_NOT = "make table-page builds the page first (it needs npm)"
needs_page = pytest.mark.skipif(not BUILT, reason=WHY_NOT)


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 - as in the base class
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }
    asked: list[str]
    policy: str

    def do_GET(self) -> None:
        self.asked.append(self.path.partition("?")[0].removeprefix("/"))
        super().do_GET()

    def end_headers(self) -> None:
        # Workers have the policy of their own response, not that of the page.
        if self.policy:
            self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class PageServer:
    """The address of a served folder, and what was asked of it."""

    def __init__(self, url: str, asked: list[str], server: ThreadingHTTPServer) -> None:
        self.url, self.asked, self._server = url, asked, server

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(folder: Path = OUT, policy: str = POLICY) -> Iterator[PageServer]:
    """Serve a folder until the end of the block, or until ``stop``."""
    asked: list[str] = []
    handler = type("Handler", (_Handler,), {"asked": asked, "policy": policy})
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(handler, directory=str(folder))
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    made = PageServer(f"http://127.0.0.1:{server.server_address[1]}/", asked, server)
    try:
        yield made
    finally:
        made.stop()
        thread.join()
