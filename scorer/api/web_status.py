"""What the program that serves phones says of itself, for as long as it stays connected.

It judges what somebody else wrote and keeps it apart for each client of the socket; it knows no
network and no panel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeGuard

from scorer.session.view.view import LinkView

LONGEST_ADDRESS: Final = 100
LONGEST_NAME: Final = 64  # letters of <hostname>.local: a host's own name has 63 at most
LONGEST_WIFI: Final = 32  # bytes, as the standard has it
MOST_VIEWERS: Final = 100_000
# Why there is no address; beside "offline", which is all that is known of most boxes.
WITHOUT: Final = ("offline", "waiting", "password", "absent", "failed")

# Not compiled before somebody says something: a table pays for that at every start.
_ADDRESS = r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[!-~]*)?"
_NAME = r"(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+"


def read(message: Mapping[str, Any]) -> LinkView | str:
    """A notice that can be shown, or the sentence that says what is wrong with it.

    Everything but ``address`` may be left out; where that is "", ``network`` says why.
    """
    address, name = message.get("address"), message.get("name", "")
    wifi, clients = message.get("wifi", ""), message.get("clients", 0)
    network = message.get("network", WITHOUT[0])
    if not _fits(address, LONGEST_ADDRESS, _ADDRESS):
        return (
            f"address is a text like http://192.168.1.7:8080/, {LONGEST_ADDRESS} letters at most; "
            "without a network it is empty"
        )
    if not _fits(name, LONGEST_NAME, _NAME):
        return f"name is a text like truco.local, {LONGEST_NAME} letters at most"
    if not isinstance(wifi, str) or not wifi.isprintable() or _bytes(wifi) > LONGEST_WIFI:
        return f"wifi is the name of a network, {LONGEST_WIFI} bytes at most"
    # By its type, too: true would be one viewer.
    if type(clients) is not int or not 0 <= clients <= MOST_VIEWERS:
        return f"clients is a number, from 0 to {MOST_VIEWERS}"
    if not address and network not in WITHOUT:
        return f"without an address network is one of {', '.join(WITHOUT)}"
    return LinkView("online" if address else network, address, name, wifi, clients)


def _fits(text: object, max_chars: int, pattern: str) -> TypeGuard[str]:
    """Is it a text, nothing or as it should be?"""
    if not isinstance(text, str) or len(text) > max_chars:
        return False
    return not text or re.fullmatch(pattern, text) is not None


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


class Notices:
    """The newest notice of every client that is still there; the newest of them counts."""

    def __init__(self, is_connected: Callable[[int], bool]) -> None:
        self._is_connected = is_connected
        self._links: dict[int, LinkView] = {}

    def put(self, client: int, link: LinkView) -> None:
        """What ``client`` says from now on."""
        self._links.pop(client, None)
        self._links = {each: kept for each, kept in self._links.items() if self._is_connected(each)}
        self._links[client] = link

    def newest(self) -> LinkView:
        """What was said last by one who is still there; "off" where nobody is."""
        for client in reversed(self._links):
            if self._is_connected(client):
                return self._links[client]
        return LinkView()
