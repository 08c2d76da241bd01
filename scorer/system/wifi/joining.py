"""Join a Wi-Fi network with NetworkManager: write a keyfile, load it, activate it.

The password is only in that file, readable by root alone, and never an argument of a program,
because other users can read those. Errors are one sentence without the password.
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
JOIN_TIMEOUT_S = 45  # seconds for NetworkManager to join or fail
_HANG_GRACE_S = 20  # extra seconds before nmcli is killed

# Messages of NetworkManager (with LC_ALL=C) and their meaning.
_STATUS_OF_ERROR = (
    ("Secrets were required", JoinStatus.PASSWORD),
    ("network could not be found", JoinStatus.ABSENT),
)


class Outcome(NamedTuple):
    """The result, and a sentence for the log."""

    status: JoinStatus
    sentence: str


class CommandResult(NamedTuple):
    """The exit code and output of a program; ``error`` is the first line of stderr."""

    exit_code: int
    output: str
    error: str


def join(network: WifiNetwork, connections: Path = CONNECTIONS) -> Outcome:
    """Join ``network``, unless already joined.

    Raises OSError if a file is not writable.
    """
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
        result = _run("nmcli", *words)
        if result.exit_code != 0:
            return _failure_outcome(network, result)
    return Outcome(JoinStatus.JOINED, f"in {network.name}")


def _failure_outcome(network: WifiNetwork, result: CommandResult) -> Outcome:
    status = next(
        (status for text, status in _STATUS_OF_ERROR if text in result.error), JoinStatus.FAILED
    )
    sentences = {
        JoinStatus.PASSWORD: f"{network.name} does not accept the password",
        JoinStatus.ABSENT: f"{network.name} is not in reach",
        JoinStatus.FAILED: (
            f"{network.name}: {result.error or f'nmcli ended with {result.exit_code}'}"
        ),
    }
    return Outcome(status, sentences[status])


def _set_regulatory_domain(country: str) -> None:
    """Set the country: some radios only listen until it is known."""
    # Errors are ignored: joining fails by itself if the country matters.
    if country and shutil.which("iw") is not None:
        _run("iw", "reg", "set", country)


def _is_joined() -> bool:
    result = _run("nmcli", "--get-values", "GENERAL.STATE", "connection", "show", CONNECTION)
    return result.exit_code == 0 and "activated" in result.output


def _write(file: Path, text: str) -> bool:
    """Write the file atomically; return False if it already had that text."""
    if _text(file) == text:
        return False
    fresh = file.with_name(f".{file.name}.new")
    fresh.unlink(missing_ok=True)
    # Mode 0600 from the start: other users must never be able to read it.
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
    """Run a system program."""
    # C locale: its messages are parsed here.
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
