"""What the program that serves phones says of itself, for as long as it stays connected.

It judges what somebody else wrote and keeps it apart for each client of the socket; it knows no
network and no panel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeGuard

from scorer.session.view.view import LinkState, LinkView

MAX_ADDRESS_CHARS: Final = 100
MAX_NAME_CHARS: Final = 64  # letters of <hostname>.local: a host's own name has 63 at most
MAX_WIFI_BYTES: Final = 32  # bytes, as the standard has it
MAX_VIEWERS: Final = 100_000
# Why there is no address; beside OFFLINE, which is all that is known of most boxes.
NO_ADDRESS_REASONS: Final = (
    LinkState.OFFLINE,
    LinkState.WAITING,
    LinkState.PASSWORD,
    LinkState.ABSENT,
    LinkState.FAILED,
)

# Not compiled before somebody says something: a table pays for that at every start.
_ADDRESS = r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[!-~]*)?"
_NAME = r"(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+"


def parse(message: Mapping[str, Any]) -> LinkView | str:
    """A notice that can be shown, or the sentence that says what is wrong with it.

    Everything but ``address`` may be left out; where that is "", ``network`` says why.
    """
    address, name = message.get("address"), message.get("name", "")
    wifi, clients = message.get("wifi", ""), message.get("clients", 0)
    network = message.get("network", NO_ADDRESS_REASONS[0])
    if not _is_valid(address, MAX_ADDRESS_CHARS, _ADDRESS):
        return (
            "address is a text like http://192.168.1.7:8080/, "
            f"{MAX_ADDRESS_CHARS} letters at most; "
            "without a network it is empty"
        )
    if not _is_valid(name, MAX_NAME_CHARS, _NAME):
        return f"name is a text like truco.local, {MAX_NAME_CHARS} letters at most"
    if not isinstance(wifi, str) or not wifi.isprintable() or _byte_count(wifi) > MAX_WIFI_BYTES:
        return f"wifi is the name of a network, {MAX_WIFI_BYTES} bytes at most"
    # By its type, too: true would be one viewer.
    if type(clients) is not int or not 0 <= clients <= MAX_VIEWERS:
        return f"clients is a number, from 0 to {MAX_VIEWERS}"
    if not address and network not in NO_ADDRESS_REASONS:
        return f"without an address network is one of {', '.join(NO_ADDRESS_REASONS)}"
    return LinkView(
        LinkState.ONLINE if address else LinkState(network), address, name, wifi, clients
    )


def _is_valid(text: object, max_chars: int, pattern: str) -> TypeGuard[str]:
    """Is it a text, nothing or as it should be?"""
    if not isinstance(text, str) or len(text) > max_chars:
        return False
    return not text or re.fullmatch(pattern, text) is not None


def _byte_count(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


class WebStatusRegistry:
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
