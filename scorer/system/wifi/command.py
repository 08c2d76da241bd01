"""``scorer wifi``: join the Wi-Fi network named on the card, as root.

Run by scorer-wifi.service.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.config.config import sentence_of
from scorer.config.toml_reader import ConfigError, parse_toml, read_text
from scorer.config.wifi_section import WifiNetwork
from scorer.plain_values import WrongValues, read
from scorer.system.sd_notify import passed_sockets
from scorer.system.wifi import joining, own_network, state
from scorer.system.wifi.card import CannotRemove, remove_network
from scorer.system.wifi.joining import JoinOutcome
from scorer.system.wifi.radio import NetworkManagerRadio
from scorer.system.wifi.serve import serve
from scorer.system.wifi.state import JoinStatus, WifiState
from scorer.system.wifi.watch import NetworkWatch

CARD_FILE = Path("/boot/firmware/scorer.toml")
EXAMPLE = """example:
  sudo scorer wifi                                     what scorer-wifi.service does
  sudo systemctl enable --now scorer-wifi.service      do it with every start
  sudo scorer wifi --remove-from-card                  once joined: no password on the card"""
TRIALS = Path("/run/NetworkManager/system-connections")  # of networks to try; a restart empties it
EX_CONFIG = 78  # permanent until the configuration changes
_RETRYABLE = (JoinStatus.ABSENT, JoinStatus.FAILED)  # may succeed when tried again


class WifiConfigError(Exception):
    """The network on the card is invalid; the text says why."""


def main(argv: list[str]) -> int:
    """Exit code 0: joined, or nothing to join; 1: try again; 78: configuration error."""
    arguments = _parser().parse_args(argv)
    if arguments.remove_from_card:
        return _remove_from_card(arguments.card)
    if arguments.serve:
        return _serve(arguments)
    try:
        network = read_network(arguments.card)
    except WifiConfigError as error:
        _log(str(error))
        _save_state(WifiState(JoinStatus.FAILED, ""), arguments.state)
        return EX_CONFIG
    if network is None:
        _log(f"no [wifi] in {arguments.card}: nothing to join")
        return _open_own_network(arguments) if arguments.own_network else 0
    before = state.read(arguments.state)
    outcome = _join(network, arguments)
    _log(outcome.sentence)
    if outcome.status is JoinStatus.OWN:
        # scorer-network.service leaves its network for this one.
        _save_state(before or WifiState(JoinStatus.ABSENT, network.name), arguments.state)
        return 0
    _save_state(WifiState(outcome.status, network.name), arguments.state)
    if outcome.status is JoinStatus.JOINED:
        if network.remove_after_joining:
            _remove_from_card(arguments.card)
        return 0
    return 1 if outcome.status in _RETRYABLE else EX_CONFIG


def _open_own_network(arguments: argparse.Namespace) -> int:
    """Exit code 0: open, or not needed; 1: try again."""
    try:
        outcome, opened = own_network.open_network(own_network.Machine(arguments.connections))
    except OSError as error:
        _log(f"{error.filename}: {error.strerror}")
        return 1
    _log(outcome.sentence)
    if opened is not None:
        _save_state(opened, arguments.state)
    return 1 if outcome.status is JoinStatus.FAILED else 0


def _serve(arguments: argparse.Namespace) -> int:
    """Exit code 0: nothing is left to do; 2: systemd has passed no socket."""
    if not (passed := passed_sockets()):
        _log("--serve is started by scorer-network.socket, not by hand")
        return 2
    radio = NetworkManagerRadio(own_network.Machine(arguments.connections), arguments.trials)
    watch = NetworkWatch(radio, lambda found: _save_state(found, arguments.state), _log)
    serve(passed[0][1], watch, _log)
    return 0


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
    try:
        return read(WifiNetwork, values["wifi"])
    except WrongValues as error:
        wrong = "; ".join(
            f"{'.'.join(found.path)}: {sentence_of(found)}" for found in error.below("wifi")
        )
        raise WifiConfigError(f"{card}: {wrong}") from None


def _remove_from_card(card: Path) -> int:
    """Exit code 0: the card names no network any more; 1: it still does."""
    try:
        removed = remove_network(card)
    except FileNotFoundError:
        removed = False
    except (CannotRemove, OSError) as error:
        _log(str(error))
        return 1
    _log(
        f"removed from {card}; the box stays in its network"
        if removed
        else f"no [wifi] in {card}: nothing to remove"
    )
    return 0


def _join(network: WifiNetwork, arguments: argparse.Namespace) -> JoinOutcome:
    _save_state(WifiState(JoinStatus.JOINING, network.name), arguments.state)
    try:
        return joining.join(network, arguments.connections)
    except OSError as error:
        return JoinOutcome(
            JoinStatus.FAILED, f"{arguments.connections} cannot be written: {error.strerror}"
        )


def _save_state(joining: WifiState, file: Path) -> None:
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
    parser.add_argument(
        "--own-network",
        action="store_true",
        help="without [wifi], a cable or a known network, open a network of the box; the panel "
        "shows its password",
    )
    parser.add_argument(
        "--serve",
        action="store_true",
        help="open the box's own network when the known ones are away, and join the network that "
        "its page names; what scorer-network.service does",
    )
    parser.add_argument("--trials", type=Path, default=TRIALS, help=argparse.SUPPRESS)
    parser.add_argument(
        "--remove-from-card",
        action="store_true",
        help="remove the network and its password from the card; the box stays in the network",
    )
    return parser
