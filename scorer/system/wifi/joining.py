"""The box joins a network: NetworkManager is given a file, told to read it, and asked to go there.

The password is in that file alone, which only root may read; it is no argument of any program, for
whoever is on the machine can read those. What went wrong is one sentence without it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from scorer.config.wifi_section import WifiNetwork
from scorer.system.wifi.keyfile import CONNECTION, FILE_NAME, keyfile
from scorer.system.wifi.state import JoinStatus

CONNECTIONS = Path("/etc/NetworkManager/system-connections")
JOIN_TIMEOUT_S = 45  # seconds in which NetworkManager has joined a network or has said why not
_HANG_GRACE_S = 20  # seconds more until the program that speaks to it is given up

# What NetworkManager says, in its own English (LC_ALL=C), and what it means.
_STATUS_OF_ERROR = (
    ("Secrets were required", JoinStatus.PASSWORD),
    ("network could not be found", JoinStatus.ABSENT),
)


class Outcome(NamedTuple):
    """How it went, and the sentence for the log."""

    status: JoinStatus
    sentence: str


class CommandResult(NamedTuple):
    """How a program ended, and the first line of what it complained of."""

    exit_code: int
    output: str
    error: str


def join(network: WifiNetwork, connections: Path = CONNECTIONS) -> Outcome:
    """Joins ``network``, unless the box is in it already. Raises OSError where a file says no."""
    if shutil.which("nmcli") is None:
        return Outcome(JoinStatus.FAILED, "nmcli is missing: apt install network-manager")
    _set_regulatory_domain(network.country)
    if not _write(connections / FILE_NAME, keyfile(network)) and _is_joined():
        return Outcome(JoinStatus.JOINED, f"in {network.name}, as before")
    for words in (
        ("radio", "wifi", "on"),
        ("connection", "load", str(connections / FILE_NAME)),
        ("--wait", str(JOIN_TIMEOUT_S), "connection", "up", "id", CONNECTION),
    ):
        said = _run("nmcli", *words)
        if said.exit_code != 0:
            return _failure_outcome(network, said)
    return Outcome(JoinStatus.JOINED, f"in {network.name}")


def _failure_outcome(network: WifiNetwork, result: CommandResult) -> Outcome:
    how = next((how for words, how in _STATUS_OF_ERROR if words in result.error), JoinStatus.FAILED)
    sentences = {
        JoinStatus.PASSWORD: f"{network.name} does not accept the password",
        JoinStatus.ABSENT: f"{network.name} is not in reach",
        JoinStatus.FAILED: (
            f"{network.name}: {result.error or f'nmcli ended with {result.exit_code}'}"
        ),
    }
    return Outcome(how, sentences[how])


def _set_regulatory_domain(country: str) -> None:
    """Before its country is known a radio listens and does not speak, on some boards."""
    # It is asked for and not insisted on: the network says what came of it.
    if country and shutil.which("iw") is not None:
        _run("iw", "reg", "set", country)


def _is_joined() -> bool:
    said = _run("nmcli", "--get-values", "GENERAL.STATE", "connection", "show", CONNECTION)
    return said.exit_code == 0 and "activated" in said.output


def _write(file: Path, text: str) -> bool:
    """Puts the text into the file, whole or not at all; False where it stood there already."""
    if _text(file) == text:
        return False
    fresh = file.with_name(f".{file.name}.new")
    fresh.unlink(missing_ok=True)
    # Nobody else may read it, not even before it is complete.
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    fresh.replace(file)
    return True


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _run(program: str, *words: str) -> CommandResult:
    """Runs one of the system's programs."""
    # Its sentences are read here: they have to be those that are known.
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            [program, *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=JOIN_TIMEOUT_S + _HANG_GRACE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return CommandResult(-1, "", f"{program} does not answer")
    complaint = done.stderr.strip().partition("\n")[0].removeprefix("Error: ")
    return CommandResult(done.returncode, done.stdout.strip(), complaint)
