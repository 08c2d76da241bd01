"""Open a Wi-Fi network of the box: an access point, if there is none to join.

The password is made once and kept in the keyfile of NetworkManager. The panel shows it: it is for
the people at the table.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import Final, NamedTuple

from scorer.config.wifi_section import WifiNetwork
from scorer.system.shown_password import LENGTH, LETTERS, new_password
from scorer.system.wifi.joining import (
    NO_NMCLI,
    JoinOutcome,
    activate,
    is_active,
    keyfile_text,
    run,
    write_keyfile,
)
from scorer.system.wifi.keyfile import OWN_CONNECTION, own_keyfile
from scorer.system.wifi.state import JoinStatus, WifiState

OWN_FILE_NAME: Final = f"{OWN_CONNECTION}.nmconnection"
CABLE_WAIT_S = 30  # seconds for a cable to connect


class Machine(NamedTuple):
    """Folders and files of the machine."""

    connections: Path
    interfaces: Path = Path("/sys/class/net")
    machine_id: Path = Path("/etc/machine-id")


def open_network(machine: Machine) -> tuple[JoinOutcome, WifiState | None]:
    """Open the network unless the box has another; no state: it stays closed.

    Raises OSError if a file is not readable or writable.
    """
    if shutil.which("nmcli") is None:
        return NO_NMCLI, None
    if reason := _reason_to_stay_closed(machine):
        return JoinOutcome(JoinStatus.JOINED, f"{reason}: no network is opened"), None
    return reopen_network(machine)


def reopen_network(machine: Machine) -> tuple[JoinOutcome, WifiState | None]:
    """Open the network, also if the box knows others; no state: it stays closed.

    Raises OSError if a file is not readable or writable.
    """
    file = machine.connections / OWN_FILE_NAME
    # A name that differs between boxes, and the password of an earlier start.
    digest = hashlib.sha256(machine.machine_id.read_bytes()).hexdigest()
    kept = re.search(rf"^psk=([{LETTERS}]{{{LENGTH}}})$", keyfile_text(file), re.MULTILINE)
    network = WifiNetwork(f"Truco-{digest[:4].upper()}", kept[1] if kept else new_password())
    state = WifiState(JoinStatus.OWN, network.name, network.password)
    is_new = write_keyfile(file, own_keyfile(network, OWN_CONNECTION))
    if not is_new and is_active(OWN_CONNECTION):
        return JoinOutcome(JoinStatus.OWN, f"{network.name} is open, as before"), state
    if failed := activate(file, OWN_CONNECTION):
        return JoinOutcome(
            JoinStatus.FAILED, f"{network.name} cannot be opened: {failed.error}"
        ), None
    return JoinOutcome(JoinStatus.OWN, f"{network.name} is open"), state


def has_radio(machine: Machine) -> bool:
    """Whether the machine has a radio for Wi-Fi, blocked or not."""
    return any((each / "phy80211").exists() for each in machine.interfaces.iterdir())


def known_network(machine: Machine) -> str:
    """The name of a keyfile of a network to join; "" if the box knows none."""
    for file in sorted(machine.connections.glob("*.nmconnection")):
        if file.name != OWN_FILE_NAME and "\ntype=wifi\n" in keyfile_text(file):
            return file.stem
    return ""


def _reason_to_stay_closed(machine: Machine) -> str:
    """Why the box needs no network of its own, or cannot have one; "" to open it."""
    if known := known_network(machine):
        return f"{known} is known"
    is_connected = run("nm-online", "--quiet", "--timeout", str(CABLE_WAIT_S)).exit_code == 0
    if is_connected and not is_active(OWN_CONNECTION):
        return "a cable is connected"
    # Asked after the wait: the driver of a radio may load late.
    return "" if has_radio(machine) else "this machine has no radio"
