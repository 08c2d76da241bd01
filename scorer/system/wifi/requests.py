"""What ``scorer wifi --serve`` is asked: a line of JSON over its socket each way.

The table tells whether the box opens its own network when it loses the others; the page of that
network names one to join.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.config.wifi_section import WifiNetwork
from scorer.plain_values import WrongValues, json_object, read, read_tagged
from scorer.system.wifi.watch_request import WatchRequest

BUSY: Final = "busy"  # another network has been named


class JoinRequest(NamedTuple):
    """A network to leave the own one for."""

    name: str
    password: str = ""
    hidden: bool = False


def parse(line: bytes) -> WatchRequest | WifiNetwork | None:
    """The request of a line; None if it is none, or names no possible network."""
    kinds: dict[str, type[WatchRequest | JoinRequest]]
    kinds = {"watch": WatchRequest, "join": JoinRequest}
    try:
        request = read_tagged("do", kinds, json_object(line))
        if isinstance(request, JoinRequest):
            request.name.encode()  # JSON can name half a character
            return read(WifiNetwork, request._asdict())
    except (WrongValues, UnicodeEncodeError):
        return None
    return request
