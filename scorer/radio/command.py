"""``scorer radio``: receives the boxes over Wi-Fi, and gives them their keys.

Started by systemd with its socket it is the service; otherwise it asks the service.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import Any

from scorer.hw.ports import DeviceError
from scorer.hw.serial.board_settings import (
    KEY_BYTES,
    BoardSettings,
    new_key_text,
    send_settings,
)
from scorer.hw.serial.port import Port
from scorer.hw.serial.radio_port import SOCKET, name_problem
from scorer.plain_values import json_object
from scorer.radio import service
from scorer.radio.keys import FILE_NAME, KeyFileError
from scorer.system.sd_notify import Notifier, passed_sockets, state_folder

EXAMPLE = """example:
  sudo scorer radio key norte --network Bar --usb /dev/ttyACM0   a new key, onto the board
  sudo scorer radio key norte --network Bar --file radio.json    the same as a file
  sudo scorer radio forget norte                                 its packets do not count any more
  sudo scorer radio list                                         which boxes are heard

Without a word it is the service, started by scorer-radio.socket. See docs/makers/radio.md."""
ANSWER_WAIT = 10.0  # seconds


class RadioError(Exception):
    """What was asked for cannot be done; the text says why."""


def main(argv: list[str]) -> int:
    """0: done, or ended by a signal; 1: it cannot be done; 2: usage error."""
    arguments = _parser().parse_args(argv)
    try:
        match arguments.do:
            case "key":
                _give_key(arguments)
            case "forget":
                _forget(arguments)
            case "list":
                _list_boxes(arguments.socket)
            case _:
                _serve(arguments)
    except (RadioError, KeyFileError, DeviceError) as error:
        sys.stderr.write(f"scorer radio: {error}\n")
        return 1
    return 0


def _serve(arguments: argparse.Namespace) -> None:
    passed = passed_sockets()
    folder = arguments.state or state_folder()
    if not passed or folder is None:
        raise RadioError("this is the service: systemctl enable --now scorer-radio")
    try:
        service.run(folder / FILE_NAME, passed[0][1], arguments.port, Notifier())
    except OSError as error:
        raise RadioError(f"UDP port {arguments.port}: {error.strerror}") from error


def _give_key(arguments: argparse.Namespace) -> None:
    """Make a key, store it on both sides. The board comes first: it may be absent."""
    key = secrets.token_hex(KEY_BYTES)
    text = _settings_text(arguments, key)
    # Asked before anything changes: without the service the key would be of no use.
    _ask(arguments.socket, do="list")
    if arguments.usb:
        send_settings(Port(arguments.usb), text)
    else:
        try:
            # A new file that is readable by its owner alone.
            handle = os.open(
                arguments.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600
            )
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        except OSError as error:
            raise RadioError(f"{arguments.file} cannot be written: {error.strerror}") from error
    _ask(arguments.socket, do="key", box=arguments.name, key=key)
    where = f"on the board at {arguments.usb}" if arguments.usb else f"in {arguments.file}"
    print(f"the box {arguments.name} has a new key, {where}")
    if not arguments.usb:
        print("copy it onto the board, then delete it here: whoever has it can press")


def _settings_text(arguments: argparse.Namespace, key: str) -> str:
    """The settings for the board; without a network only name and key.

    Raises RadioError.
    """
    if arguments.network is None:
        if not arguments.usb:
            raise RadioError("a file needs the network of the box too: --network")
        return new_key_text(arguments.name, key)
    password = arguments.password
    if password is None:
        password = getpass.getpass(f"password of {arguments.network}, empty for an open network: ")
    settings = BoardSettings(
        arguments.name,
        key,
        arguments.network,
        password,
        arguments.host,
        arguments.port,
        arguments.battery,
    )
    for problem in settings.find_problems():
        raise RadioError(problem)
    return settings.text()


def _forget(arguments: argparse.Namespace) -> None:
    _ask(arguments.socket, do="forget", box=arguments.name)
    print(f"the key of the box {arguments.name} is forgotten here")
    if arguments.usb:
        send_settings(Port(arguments.usb), "")
        print(f"and on the board at {arguments.usb}")


def _list_boxes(path: Path) -> None:
    boxes = _ask(path, do="list")["boxes"]
    for box in boxes:
        battery = "" if box["battery"] is None else f", battery {box['battery']} %"
        heard = f"heard at {box['address']}" if box["heard"] else "away"
        print(f"{box['box']}: {heard}{battery}")
    if not boxes:
        print("no box has a key: scorer radio key NAME")


def _ask(path: Path, **request: object) -> dict[str, Any]:
    """The answer of the service. Raises RadioError."""
    try:
        with socket.socket(socket.AF_UNIX) as to:
            to.settimeout(ANSWER_WAIT)
            to.connect(str(path))
            to.sendall(json.dumps(request).encode() + b"\n")
            with to.makefile("rb") as lines:
                answer = json_object(lines.readline())
    except OSError as error:
        hint = "systemctl enable --now scorer-radio; as root"
        raise RadioError(f"{path}: {error.strerror or error} ({hint})") from error
    if answer is None or answer.get("ok") is not True:
        raise RadioError("the service gave no answer" if answer is None else answer.get("text"))
    return answer


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer radio",
        description="Button boxes over Wi-Fi: their service, and their keys.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=service.UDP_PORT, help="of UDP (%(default)s)")
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="where the service has keys")
    parser.add_argument("--socket", type=Path, default=Path(SOCKET), help=f"({SOCKET})")
    words = parser.add_subparsers(dest="do", metavar="WORD")
    key = words.add_parser("key", help="make a new key for a box, also in place of the old one")
    key.add_argument("name", type=_parse_name, help="a to z, digits, hyphens; 8 at most")
    key.add_argument("--network", help="its Wi-Fi network (that which the board has)")
    key.add_argument("--password", help="of the network (asked for)")
    key.add_argument(
        "--host",
        default="",
        metavar="ADDRESS",
        help="of the Pi, if the Pi has not opened the network",
    )
    key.add_argument("--battery", action="store_true", help="its battery is wired to be measured")
    where = key.add_mutually_exclusive_group(required=True)
    where.add_argument("--usb", metavar="PORT", help="the board, on a USB cable")
    where.add_argument("--file", type=Path, help="a new file, to copy as radio.json")
    forget = words.add_parser("forget", help="forget the key of a box")
    forget.add_argument("name", type=_parse_name)
    forget.add_argument(
        "--usb", metavar="PORT", default="", help="the board, to forget it there too"
    )
    words.add_parser("list", help="the boxes with a key, and which are heard")
    return parser


def _parse_name(text: str) -> str:
    if problem := name_problem(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no name of a box: it {problem}")
    return text
