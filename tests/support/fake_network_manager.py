"""NetworkManager with one radio: programs named nmcli, nm-online and iw.

They share a state file: the networks in the air, what is connected, and faults. As with the real
one, a radio that joins leaves the network that it had opened, also if joining fails.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_PROGRAM = """#!/bin/sh
exec "{python}" -S -E "{script}" "{folder}" "$(basename "$0")" "$@"
"""
_NO_PASSWORD = "Connection activation failed: (7) Secrets were required, but not provided."
_NO_NETWORK = "Connection activation failed: (53) The Wi-Fi network could not be found."


class FakeNetworkManager:
    """The side of the tests: sets what is in the air, and reads what became of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.connections, self.trials = folder / "connections", folder / "trials"
        self.connections.mkdir()
        self.programs = folder / "bin"
        self.programs.mkdir()
        for name in ("nmcli", "nm-online", "iw"):
            program = self.programs / name
            program.write_text(
                _PROGRAM.format(python=sys.executable, script=__file__, folder=folder)
            )
            program.chmod(0o755)
        self.update(active="", air={}, hidden=[], cable=False, phones=False, blocked=True, mute="")

    @property
    def path(self) -> str:
        """PATH for what shall use these programs."""
        return f"{self.programs}:/usr/bin:/bin"

    @property
    def active(self) -> str:
        """The connection of the radio."""
        return str(_load(self.folder)["active"])

    def update(self, **values: object) -> None:
        """Change the state."""
        _save(self.folder, {**_load(self.folder), **values})

    def put_in_air(self, networks: Mapping[str, str]) -> None:
        """The networks in reach, with their passwords."""
        self.update(air={name.encode().hex(): password for name, password in networks.items()})

    def calls(self) -> list[str]:
        """What the programs were called with, so far."""
        return (self.folder / "calls").read_text(encoding="utf-8").splitlines()


def _load(folder: Path) -> dict[str, Any]:
    file = folder / "network.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _save(folder: Path, state: dict[str, Any]) -> None:
    (folder / "network.json").write_text(json.dumps(state), encoding="utf-8")


def _keyfiles(folder: Path) -> dict[str, dict[str, str]]:
    """The connections that NetworkManager accepts: only root may read their files."""
    found = {}
    for place in ("connections", "trials"):
        for file in (folder / place).glob("*.nmconnection"):
            if file.stat().st_mode & 0o077 == 0:
                lines = file.read_text(encoding="utf-8").splitlines()
                values = dict(line.split("=", 1) for line in lines if "=" in line)
                found[values["id"]] = values
    return found


def _join(state: dict[str, Any], values: Mapping[str, str]) -> str:
    """The error of joining, "" without one."""
    if state["blocked"]:
        return "Connection activation failed: the radio is blocked"
    if values["mode"] == "ap":
        return ""
    ssid = bytes(int(byte) for byte in values["ssid"].strip(";").split(";")).hex()
    if ssid not in state["air"] or (ssid in state["hidden"] and values.get("hidden") != "true"):
        return _NO_NETWORK
    password = values.get("psk", "").replace("\\s", " ").replace("\\\\", "\\")
    return "" if password == state["air"][ssid] else _NO_PASSWORD


def _autoconnect(folder: Path, state: dict[str, Any]) -> None:
    for name, values in _keyfiles(folder).items():
        if values.get("autoconnect") != "false" and not _join(state, values):
            state["active"] = name


def _nmcli(folder: Path, state: dict[str, Any], words: list[str]) -> int:
    if state["mute"]:
        sys.stderr.write(f"Error: {state['mute']}\n")
        return 8
    match words:
        case ["radio", "wifi", "on"]:
            state["blocked"] = False
        case ["connection", "load", file]:
            return 0 if Path(file).exists() else 2
        case ["--wait", _, "connection", "up", "id", name]:
            values = _keyfiles(folder).get(name)
            state["active"] = ""
            error = "unknown connection" if values is None else _join(state, values)
            if error:
                sys.stderr.write(f"Error: {error}\n")
                return 4
            state["active"] = name
        case ["connection", "delete", "id", name]:
            state["active"] = "" if state["active"] == name else state["active"]
        case ["connection", "down", "id", name]:
            state["active"] = ""
            _autoconnect(folder, state)
        case ["--get-values", "GENERAL.STATE", "connection", "show", name]:
            if state["active"] == name:
                sys.stdout.write("activated\n")
        case ["--terse", "--fields", "TYPE,STATE,CONNECTION", "device"]:
            name, cable = state["active"], state["cable"]
            sys.stdout.write(f"wifi:{'connected' if name else 'disconnected'}:{name}\n")
            sys.stdout.write(f"ethernet:{'connected:Wired 1' if cable else 'unavailable:'}\n")
            sys.stdout.write("loopback:connected (externally):lo\nwifi-p2p:disconnected:\n")
        case _:
            sys.stderr.write(f"Error: unknown {words}\n")
            return 2
    return 0


def _main(folder: Path, program: str, words: list[str]) -> int:
    state = _load(folder)
    with (folder / "calls").open("a", encoding="utf-8") as calls:
        calls.write(" ".join([program, *words]) + "\n")
    if program == "nm-online":
        return 0 if state["active"] or state["cable"] else 1
    if program == "iw":
        sys.stdout.write("Station 02:00:00:00:01:00 (on wlan0)\n" if state["phones"] else "")
        return 0
    code = _nmcli(folder, state, words)
    _save(folder, state)
    return code


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(_main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
