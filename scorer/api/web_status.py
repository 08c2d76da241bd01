"""Address and network status reported by the web process (socket.md#notice)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from scorer.session.values.shown import LinkState, LinkView

MAX_ADDRESS_CHARS: Final = 100
MAX_NAME_CHARS: Final = 64  # letters of <hostname>.local: a host name has 63 at most
MAX_WIFI_BYTES: Final = 32  # bytes of an SSID (IEEE 802.11)
MAX_PASSWORD_CHARS: Final = 12  # of the box's own network
MAX_VIEWERS: Final = 100_000
# Why there is no address; beside OFFLINE, which is all that is known of most boxes.
NO_ADDRESS_REASONS: Final = (
    LinkState.OFFLINE,
    LinkState.WAITING,
    LinkState.PASSWORD,
    LinkState.ABSENT,
    LinkState.FAILED,
    LinkState.LOCAL,
)

# Compiled on first use, to keep the start of a table fast.
_ADDRESS = r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[!-~]*)?"
_PASSWORD = "[!-~]*"
_NAME = r"(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+"


def parse(message: Mapping[str, Any]) -> LinkView | str:
    """The status to show, or a sentence that says what is wrong with the message.

    Everything except ``address`` is optional; if that is "", ``network`` says why.
    """
    address, name = message.get("address"), message.get("name", "")
    wifi, clients = message.get("wifi", ""), message.get("clients", 0)
    password = message.get("password", "")
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
    if not _is_valid(password, MAX_PASSWORD_CHARS, _PASSWORD):
        return f"password is a text without accents, {MAX_PASSWORD_CHARS} letters at most"
    # Check the type too: true would be one viewer.
    if type(clients) is not int or not 0 <= clients <= MAX_VIEWERS:
        return f"clients is a number, from 0 to {MAX_VIEWERS}"
    if not address and network not in NO_ADDRESS_REASONS:
        return f"without an address network is one of {', '.join(NO_ADDRESS_REASONS)}"
    return LinkView(
        LinkState.ONLINE if address else LinkState(network), address, name, wifi, clients, password
    )


def _is_valid(text: object, max_chars: int, pattern: str) -> TypeGuard[str]:
    """Whether the value is a matching text, or allowed to be empty."""
    if not isinstance(text, str) or len(text) > max_chars:
        return False
    return not text or re.fullmatch(pattern, text) is not None


def _byte_count(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
