"""``scorer wifi``: join the Wi-Fi network named on the card, as root.

Run by scorer-wifi.service.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.config.toml_reader import ConfigError, parse_toml, read_text
from scorer.config.wifi_section import WifiNetwork, find_problems, parse_network
from scorer.system.wifi import joining, state
from scorer.system.wifi.joining import Outcome
from scorer.system.wifi.state import JoinState, JoinStatus

CARD_FILE = Path("/boot/firmware/scorer.toml")
EXAMPLE = """example:
  sudo scorer wifi                                     what scorer-wifi.service does
  sudo systemctl enable --now scorer-wifi.service      do it with every start"""
EX_CONFIG = 78  # permanent until the configuration changes
_RETRYABLE = (JoinStatus.ABSENT, JoinStatus.FAILED)  # may succeed when tried again


class WifiConfigError(Exception):
    """The network on the card is invalid; the text says why."""


def main(argv: list[str]) -> int:
    """Exit code 0: joined, or nothing to join; 1: try again; 78: configuration error."""
    arguments = _parser().parse_args(argv)
    try:
        network = read_network(arguments.card)
    except WifiConfigError as error:
        _log(str(error))
        _save_state(JoinState(JoinStatus.FAILED, ""), arguments.state)
        return EX_CONFIG
    if network is None:
        _log(f"no [wifi] in {arguments.card}: nothing to join")
        return 0
    outcome = _join(network, arguments)
    _log(outcome.sentence)
    _save_state(JoinState(outcome.status, network.name), arguments.state)
    if outcome.status is JoinStatus.JOINED:
        return 0
    return 1 if outcome.status in _RETRYABLE else EX_CONFIG


def read_network(card: Path) -> WifiNetwork | None:
    """The network named on the card, or None. Raises WifiConfigError."""
    try:
        values = parse_toml(read_text(card))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WifiConfigError(f"{card} cannot be read: {error.strerror}") from error
    except ConfigError as error:
        raise WifiConfigError(f"{card}: {error}") from error
    if "wifi" not in values:
        return None
    if wrong := [_format_problem(*each) for each in find_problems(values["wifi"])]:
        raise WifiConfigError(f"{card}: {'; '.join(wrong)}")
    return parse_network(values["wifi"])


def _format_problem(key: str, sentence: str) -> str:
    return f"wifi.{key}: {sentence}" if key else f"wifi: {sentence}"


def _join(network: WifiNetwork, arguments: argparse.Namespace) -> Outcome:
    _save_state(JoinState(JoinStatus.JOINING, network.name), arguments.state)
    try:
        return joining.join(network, arguments.connections)
    except OSError as error:
        return Outcome(
            JoinStatus.FAILED, f"{arguments.connections} cannot be written: {error.strerror}"
        )


def _save_state(joining: JoinState, file: Path) -> None:
    """Write the state for other programs; joining works without it."""
    try:
        state.write(joining, file)
    except OSError as error:
        _log(f"{file} cannot be written: {error.strerror}")


def _log(sentence: str) -> None:
    # Network names come from others: control characters must not reach a terminal.
    printable = "".join(each if each.isprintable() else "?" for each in sentence)
    sys.stderr.write(f"scorer wifi: {printable}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer wifi",
        description="Join the wireless network that [wifi] on the card names, as root.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--card", type=Path, default=CARD_FILE, metavar="FILE", help=f"({CARD_FILE})"
    )
    parser.add_argument(
        "--connections",
        type=Path,
        default=joining.CONNECTIONS,
        metavar="DIR",
        help="where NetworkManager keeps its connections",
    )
    parser.add_argument(
        "--state", type=Path, default=state.FILE, metavar="FILE", help="where to say how it went"
    )
    return parser
