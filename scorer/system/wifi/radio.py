"""The radio of the machine, by NetworkManager."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from scorer.config.wifi_section import WifiNetwork
from scorer.system.wifi import own_network
from scorer.system.wifi.joining import (
    JOIN_TIMEOUT_S,
    JoinOutcome,
    is_active,
    run,
    try_network,
)
from scorer.system.wifi.keyfile import OWN_CONNECTION
from scorer.system.wifi.own_network import Machine
from scorer.system.wifi.state import JoinStatus, WifiState

_CONNECTED = re.compile(r"(?:wifi|ethernet):connected(?: \([^:]*\))?:(.*)")


class NetworkManagerRadio:
    """A ``watch.Radio``."""

    def __init__(self, machine: Machine, trials: Path) -> None:
        """``trials``: the folder of networks that are not known to work."""
        self._machine, self._trials = machine, trials

    def is_connected(self) -> bool | None:
        """A cable counts: phones reach the box by its network."""
        if shutil.which("nmcli") is None:
            return None
        answer = run("nmcli", "--terse", "--fields", "TYPE,STATE,CONNECTION", "device")
        if answer.exit_code != 0:
            return None
        found = (_CONNECTED.fullmatch(line) for line in answer.output.splitlines())
        return any(each is not None and each[1] != OWN_CONNECTION for each in found)

    def is_open(self) -> bool:
        return shutil.which("nmcli") is not None and is_active(OWN_CONNECTION)

    def knows_networks(self) -> bool:
        return bool(own_network.known_network(self._machine))

    def has_phones(self) -> bool:
        """False where ``iw`` is missing."""
        radios = (each.parent.name for each in self._machine.interfaces.glob("*/phy80211"))
        return any(
            "Station " in run("iw", "dev", name, "station", "dump").output for name in radios
        )

    def open(self) -> tuple[JoinOutcome, WifiState | None]:
        if not own_network.has_radio(self._machine):
            return JoinOutcome(JoinStatus.FAILED, "this machine has no radio"), None
        return own_network.reopen_network(self._machine)

    def leave(self) -> bool:
        run("nmcli", "connection", "down", "id", OWN_CONNECTION)
        online = run("nm-online", "--quiet", "--timeout", str(JOIN_TIMEOUT_S))
        return online.exit_code == 0 and not self.is_open()

    def join(self, network: WifiNetwork) -> JoinOutcome:
        return try_network(network, self._machine.connections, self._trials)
