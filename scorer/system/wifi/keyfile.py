"""A Wi-Fi network as a NetworkManager keyfile, nm-settings-keyfile(5).

Names and passwords of any characters are escaped to one value on one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scorer.config.wifi_section import WifiNetwork

CONNECTION: Final = "truco-scorer"  # shown to the owner by nmcli
FILE_NAME: Final = f"{CONNECTION}.nmconnection"
TRIAL_CONNECTION: Final = "truco-scorer-trial"  # of a network that is not known to work
TRIAL_FILE_NAME: Final = f"{TRIAL_CONNECTION}.nmconnection"
# Constant, so that a changed network replaces the connection instead of adding one.
_UUID: Final = "ec0ebdb6-ec87-5f44-8f2c-1db244f47dc6"
_TRIAL_UUID: Final = "8b0d8ce4-63a5-5a6d-9c3f-0f4f9a3f6a52"
_OWN_UUID: Final = "2f4d7c59-0b1c-5c3e-9a55-6f6f0a8f3f1d"
OWN_CONNECTION: Final = "truco-scorer-own"  # the network that the box opens
OWN_ADDRESS: Final = "10.42.0.1"  # of the box in its own network
_PRIORITY: Final = 10  # prefers the network of the card to others configured earlier


def keyfile(network: WifiNetwork) -> str:
    """The text of the keyfile. It contains the password: only root may read the file."""
    return _joining(
        network,
        {
            "id": CONNECTION,
            "uuid": _UUID,
            "type": "wifi",
            "autoconnect-priority": str(_PRIORITY),
        },
    )


def trial_keyfile(network: WifiNetwork) -> str:
    """The text of the keyfile of a trial, which NetworkManager never starts by itself."""
    return _joining(
        network,
        {"id": TRIAL_CONNECTION, "uuid": _TRIAL_UUID, "type": "wifi", "autoconnect": "false"},
    )


def _joining(network: WifiNetwork, connection: Mapping[str, str]) -> str:
    # As byte values: a name may be no valid text, or contain list separators.
    wifi = {"mode": "infrastructure", "ssid": _byte_list(network.name)}
    sections: dict[str, Mapping[str, str]] = {
        "connection": connection,
        # The radio then asks for the name instead of waiting to hear it.
        "wifi": {**wifi, "hidden": "true"} if network.hidden else wifi,
        "wifi-security": {"key-mgmt": "wpa-psk", "psk": _escaped(network.password)},
        "ipv4": {"method": "auto"},
        "ipv6": {"method": "auto"},
    }
    if not network.password:
        del sections["wifi-security"]
    return _spelled(sections)


def own_keyfile(network: WifiNetwork, connection: str) -> str:
    """The text of the keyfile of an access point with the address OWN_ADDRESS."""
    return _spelled(
        {
            "connection": {
                "id": connection,
                "uuid": _OWN_UUID,
                "type": "wifi",
                "autoconnect": "false",
            },
            # 2.4 GHz: every phone and every radio regulation has it.
            "wifi": {"mode": "ap", "band": "bg", "ssid": _byte_list(network.name)},
            "wifi-security": {
                "key-mgmt": "wpa-psk",
                "proto": "rsn",
                "pairwise": "ccmp",
                "psk": _escaped(network.password),
            },
            # Gives addresses to the phones.
            "ipv4": {"method": "shared", "address1": f"{OWN_ADDRESS}/24"},
            "ipv6": {"method": "disabled"},
        }
    )


def _spelled(sections: Mapping[str, Mapping[str, str]]) -> str:
    return "\n".join(
        "".join([f"[{name}]\n", *(f"{key}={value}\n" for key, value in values.items())])
        for name, values in sections.items()
    )


def _byte_list(name: str) -> str:
    return "".join(f"{byte};" for byte in name.encode("utf-8"))


def _escaped(text: str) -> str:
    r"""Escape for GLib: backslashes doubled, leading and trailing blanks as \s."""
    whole = text.replace("\\", "\\\\")
    inner = whole.strip(" ")
    before = len(whole) - len(whole.lstrip(" "))
    after = len(whole) - len(inner) - before if inner else 0
    return "\\s" * before + inner + "\\s" * after
