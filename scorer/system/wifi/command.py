"""``scorer wifi``: joins the network that the card names. Run by root, by scorer-wifi.service."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.config.toml_reader import ConfigError, parsed, text_of
from scorer.config.wifi_section import Network, network_of, problems
from scorer.system.wifi import joining, state
from scorer.system.wifi.joining import Outcome
from scorer.system.wifi.state import How, Joining

CARD = Path("/boot/firmware/scorer.toml")
EXAMPLE = """example:
  sudo scorer wifi                                     what scorer-wifi.service does
  sudo systemctl enable --now scorer-wifi.service      do it with every start"""
NOT_AGAIN = 78  # what stays wrong until somebody writes something else
_LATER = (How.ABSENT, How.FAILED)  # may have become better when it is tried again


class Wrong(Exception):
    """The card says something that is no network; the text says what."""


def main(argv: list[str]) -> int:
    """0: joined, or nothing to join; 1: not now; 78: not before something else is written."""
    arguments = _parser().parse_args(argv)
    try:
        network = written(arguments.card)
    except Wrong as error:
        _say(str(error))
        _keep(Joining(How.FAILED, ""), arguments.state)
        return NOT_AGAIN
    if network is None:
        _say(f"no [wifi] in {arguments.card}: nothing to join")
        return 0
    outcome = _joined(network, arguments)
    _say(outcome.sentence)
    _keep(Joining(outcome.status, network.name), arguments.state)
    if outcome.status is How.JOINED:
        return 0
    return 1 if outcome.status in _LATER else NOT_AGAIN


def written(card: Path) -> Network | None:
    """The network that a card names; None where it names none. Raises Wrong."""
    try:
        values = parsed(text_of(card))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Wrong(f"{card} cannot be read: {error.strerror}") from error
    except ConfigError as error:
        raise Wrong(f"{card}: {error}") from error
    if "wifi" not in values:
        return None
    if wrong := [_told(*each) for each in problems(values["wifi"])]:
        raise Wrong(f"{card}: {'; '.join(wrong)}")
    return network_of(values["wifi"])


def _told(key: str, sentence: str) -> str:
    return f"wifi.{key}: {sentence}" if key else f"wifi: {sentence}"


def _joined(network: Network, arguments: argparse.Namespace) -> Outcome:
    _keep(Joining(How.JOINING, network.name), arguments.state)
    try:
        return joining.join(network, arguments.connections)
    except OSError as error:
        return Outcome(How.FAILED, f"{arguments.connections} cannot be written: {error.strerror}")


def _keep(joining: Joining, file: Path) -> None:
    """For whoever shows it; a box joins a network without that, too."""
    try:
        state.write(joining, file)
    except OSError as error:
        _say(f"{file} cannot be written: {error.strerror}")


def _say(sentence: str) -> None:
    # Names of networks are somebody else's: nothing of them moves a cursor.
    told = "".join(each if each.isprintable() else "?" for each in sentence)
    sys.stderr.write(f"scorer wifi: {told}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer wifi",
        description="Join the wireless network that [wifi] on the card names, as root.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--card", type=Path, default=CARD, metavar="FILE", help=f"({CARD})")
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
