"""The addresses at which phones and televisions open the pages of this hub."""

from __future__ import annotations

import ipaddress
import re
import socket
from enum import StrEnum
from typing import NamedTuple

from starlette.requests import Request

from scorer.hall import result_code

_SCREEN = re.compile(r"[A-Z0-9]{1,8}")


class HallPage(StrEnum):
    """A page with an address of its own; the desk's need a login."""

    WALL = "wall"
    SCREEN = "tv"
    TEAMS = "teams"
    DESK = "desk"
    ORGANISE = "organise"


_PATHS = {
    HallPage.WALL: "/",
    HallPage.SCREEN: "/tv",
    HallPage.TEAMS: "/e/",
    HallPage.DESK: "/desk",
    HallPage.ORGANISE: "/desk/tournament",
}
# What a browser opens at the desk; the last one is the code of a panel.
PAGE_PATHS = ("/desk", "/desk/tournament", result_code.PATH + "{code}")
_OF_THE_DESK = (HallPage.DESK, HallPage.ORGANISE)


class PageAddresses(NamedTuple):
    """The ports at which the hub serves: of viewers, and of the desk."""

    wall_port: int
    desk_port: int

    def of(self, request: Request, page: HallPage, screen: str = "") -> str:
        """The address of a page, at the name by which the client knows this hub.

        ``screen``: the code of one television.
        """
        query = f"?screen={screen}" if screen else ""
        return f"{self.base(request, is_desk=page in _OF_THE_DESK)}{_PATHS[page]}{query}"

    def base(self, request: Request, *, is_desk: bool) -> str:
        """Scheme, host and port of the pages of desk or viewers."""
        host = shared_host(request.url.hostname or "")
        scheme, port = ("https", self.desk_port) if is_desk else ("http", self.wall_port)
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def is_screen(code: str) -> bool:
    """Whether a television may have this code; "": none in particular."""
    return not code or _SCREEN.fullmatch(code) is not None


def shared_host(host: str) -> str:
    """The host; for a browser on this machine, the name that others use."""
    return own_address() if not host or is_loopback(host) else host


def is_loopback(host: str) -> bool:
    """Whether an address leads to this machine from itself alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_address() -> str:
    """The address of this machine in its network, found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return f"{socket.gethostname()}.local"
        return str(probe.getsockname()[0])
