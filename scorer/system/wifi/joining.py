"""Join a Wi-Fi network with NetworkManager: write a keyfile, load it, activate it.

The password is only in that file, readable by root alone, and never an argument of a program,
because other users can read those. Errors are one sentence without the password.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import NamedTuple

from scorer.config.wifi_section import WifiNetwork
from scorer.system.wifi.keyfile import (
    CONNECTION,
    FILE_NAME,
    OWN_CONNECTION,
    TRIAL_CONNECTION,
    TRIAL_FILE_NAME,
    keyfile,
    trial_keyfile,
)
from scorer.system.wifi.state import JoinStatus

CONNECTIONS = Path("/etc/NetworkManager/system-connections")
JOIN_TIMEOUT_S = 45  # seconds for NetworkManager to join or fail
_ONLY_ROOT = 0o600  # mode of the keyfile
_MAX_BYTES = 64 * 1024  # of a keyfile, which has some hundreds
_HANG_GRACE_S = 20  # extra seconds before nmcli is killed

# Messages of NetworkManager (with LC_ALL=C) and their meaning.
_STATUS_OF_ERROR = (
    ("Secrets were required", JoinStatus.PASSWORD),
    ("network could not be found", JoinStatus.ABSENT),
)


class JoinOutcome(NamedTuple):
    """The result, and a sentence for the log."""

    status: JoinStatus
    sentence: str


NO_NMCLI = JoinOutcome(JoinStatus.FAILED, "nmcli is missing: apt install network-manager")


class CommandResult(NamedTuple):
    """The exit code and output of a program; ``error`` is the first line of stderr."""

    exit_code: int
    output: str
    error: str


def join(network: WifiNetwork, connections: Path = CONNECTIONS) -> JoinOutcome:
    """Join ``network``, unless already joined, or tried before the box opened its own.

    Raises OSError if a file is not writable.
    """
    if shutil.which("nmcli") is None:
        return NO_NMCLI
    _set_country(network)
    file = connections / FILE_NAME
    if not write_keyfile(file, keyfile(network)):
        if is_active(CONNECTION):
            return JoinOutcome(JoinStatus.JOINED, f"in {network.name}, as before")
        if is_active(OWN_CONNECTION):
            return JoinOutcome(
                JoinStatus.OWN, f"the network of the box is open: {network.name} later"
            )
    return _outcome(network, activate(file, CONNECTION))


def try_network(network: WifiNetwork, connections: Path, trials: Path) -> JoinOutcome:
    """Join ``network``; keep it in ``connections`` only once it is joined.

    The trial is in ``trials``, which a restart empties: after a power cut the box knows the
    networks that it knew before. Raises OSError if a file is not writable.
    """
    if shutil.which("nmcli") is None:
        return NO_NMCLI
    _set_country(network)
    trials.mkdir(exist_ok=True)
    trial = trials / TRIAL_FILE_NAME
    write_keyfile(trial, trial_keyfile(network))
    outcome = _outcome(network, activate(trial, TRIAL_CONNECTION))
    if outcome.status is JoinStatus.JOINED:
        # The trial stays active: to join once more could fail.
        write_keyfile(connections / FILE_NAME, keyfile(network))
        run("nmcli", "connection", "load", str(connections / FILE_NAME))
    else:
        run("nmcli", "connection", "delete", "id", TRIAL_CONNECTION)
        trial.unlink(missing_ok=True)
    return outcome


def _set_country(network: WifiNetwork) -> None:
    if network.country and shutil.which("iw") is not None:
        # Some radios only listen until the country is known. Errors are ignored: joining fails
        # by itself if it matters.
        run("iw", "reg", "set", network.country)


def _outcome(network: WifiNetwork, failed: CommandResult | None) -> JoinOutcome:
    if failed is None:
        return JoinOutcome(JoinStatus.JOINED, f"in {network.name}")
    status = next(
        (status for text, status in _STATUS_OF_ERROR if text in failed.error), JoinStatus.FAILED
    )
    sentences = {
        JoinStatus.PASSWORD: f"{network.name} does not accept the password",
        JoinStatus.ABSENT: f"{network.name} is not in reach",
        JoinStatus.FAILED: f"{network.name}: {failed.error}",
    }
    return JoinOutcome(status, sentences[status])


def activate(file: Path, connection: str) -> CommandResult | None:
    """Load a keyfile and activate its connection; the result that failed, or None."""
    for words in (
        ("radio", "wifi", "on"),
        ("connection", "load", str(file)),
        ("--wait", str(JOIN_TIMEOUT_S), "connection", "up", "id", connection),
    ):
        result = run("nmcli", *words)
        if result.exit_code != 0:
            return result._replace(error=result.error or f"nmcli ended with {result.exit_code}")
    return None


def is_active(connection: str) -> bool:
    """Whether NetworkManager has activated a connection."""
    result = run("nmcli", "--get-values", "GENERAL.STATE", "connection", "show", connection)
    return result.exit_code == 0 and "activated" in result.output


def write_keyfile(file: Path, text: str) -> bool:
    """Write the file atomically; return False if it was already right.

    A file that others can read is written anew: it was open to them, and NetworkManager ignores it.
    """
    if keyfile_text(file) == text and stat.S_IMODE(file.lstat().st_mode) == _ONLY_ROOT:
        return False
    fresh = file.with_name(f".{file.name}.new")
    fresh.unlink(missing_ok=True)
    # This mode from the start: other users must never be able to read it.
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _ONLY_ROOT)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    fresh.replace(file)
    return True


def keyfile_text(file: Path) -> str:
    """A file of NetworkManager, to the length that one may have; "" without one."""
    try:
        with file.open("rb") as opened:
            return opened.read(_MAX_BYTES).decode(errors="replace")
    except OSError:
        return ""


def run(program: str, *words: str) -> CommandResult:
    """Run a system program; one that hangs is ended."""
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
