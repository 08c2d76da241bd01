"""A network as NetworkManager keeps one: the text of a keyfile (nm-settings-keyfile(5)).

Whatever a name or a password is made of, it stays one value of one line. It writes nothing.
"""

from __future__ import annotations

from typing import Final

from scorer.config.wifi_section import WifiNetwork

CONNECTION: Final = "truco-scorer"  # what the owner sees in nmcli
FILE_NAME: Final = f"{CONNECTION}.nmconnection"
# The same on every box and after every change: a connection is replaced and never piled up.
_UUID: Final = "ec0ebdb6-ec87-5f44-8f2c-1db244f47dc6"
_PRIORITY: Final = 10  # the card says where the box belongs, whatever it was set up with


def keyfile(network: WifiNetwork) -> str:
    """The whole text. It holds the password: only root may read the file it goes to."""
    sections = {
        "connection": {
            "id": CONNECTION,
            "uuid": _UUID,
            "type": "wifi",
            "autoconnect-priority": str(_PRIORITY),
        },
        # As numbers of bytes: a name is not always a text, and may hold what divides lists.
        "wifi": {"mode": "infrastructure", "ssid": _byte_list(network.name)},
        "wifi-security": {"key-mgmt": "wpa-psk", "psk": _escaped(network.password)},
        "ipv4": {"method": "auto"},
        "ipv6": {"method": "auto"},
    }
    if not network.password:
        del sections["wifi-security"]
    return "\n".join(
        "".join([f"[{name}]\n", *(f"{key}={value}\n" for key, value in values.items())])
        for name, values in sections.items()
    )


def _byte_list(name: str) -> str:
    return "".join(f"{byte};" for byte in name.encode("utf-8"))


def _escaped(text: str) -> str:
    """As GLib reads a value back: a backslash is two, blanks at either end have a spelling."""
    whole = text.replace("\\", "\\\\")
    inner = whole.strip(" ")
    before = len(whole) - len(whole.lstrip(" "))
    after = len(whole) - len(inner) - before if inner else 0
    return "\\s" * before + inner + "\\s" * after
