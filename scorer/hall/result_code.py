"""The result of a match as a code that a phone of the desk reads from the panel.

``Q/<device>-<rev>-<seq>-<phase>-<games>-<points>-<mac>``: numbers in base 36, those of the sides
joined by dots. It is signed with the key of the box, which only the box and the hub have, and with
the id of the match, so that the same ``rev`` of another log does not fit.
"""

from __future__ import annotations

import hmac
import re
from enum import StrEnum
from typing import Final, NamedTuple

from scorer.hall.fields import as_value
from scorer.plain_values import wrong_value

PATH: Final = "/Q/"
MAX_QR_CHARS: Final = 77  # capitals and digits of a QR code of version 3
_QR_ADDRESS: Final = re.compile(r"[0-9A-Z.\-:]+")  # of the host, which a QR code keeps in capitals
_DEVICE_DIGITS: Final = 8  # of the key, in hexadecimal
_MAC_DIGITS: Final = 12  # 62 bits
_PURPOSE: Final = b"truco-scorer link/v1 result\n"
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NUMBER: Final = r"(?:0|[1-9A-Z][0-9A-Z]{0,9})"
_NUMBERS: Final = rf"{_NUMBER}(?:\.{_NUMBER}){{1,2}}"
_CODE: Final = re.compile(
    rf"({_NUMBER})-({_NUMBER})-({_NUMBER})-([EAC])-({_NUMBERS})-({_NUMBERS})"
    rf"-([0-9A-Z]{{{_MAC_DIGITS}}})"
)


class ResultPhase(StrEnum):
    """Whether the teams agree."""

    ENDED = "ended"
    AGREED = "agreed"
    CONTESTED = "contested"


class MatchResult(NamedTuple):
    """The state that decided a match.

    ``rev``: of its assignment; ``seq``: the row of the journal at which the state stands; ``games``
    and ``points``: of each side, the games won with the last one.
    """

    rev: int
    seq: int
    phase: ResultPhase
    games: tuple[int, ...]
    points: tuple[int, ...]


class ResultCode(NamedTuple):
    """A code as read; ``is_signed_by`` says whether it is authentic."""

    device: str  # the first digits of the key of the box
    result: MatchResult
    text: str  # what is signed
    mac: str

    def is_signed_by(self, key: str, match: str) -> bool:
        """Whether the box with this key (``joining.key_of``) made it for this match."""
        return hmac.compare_digest(self.mac, _mac(self.text, key, match))


def format_code(result: MatchResult, key: str, match: str) -> str:
    """The code of a result. ``key``: of the box, as ``joining.key_of`` gives it."""
    numbers = (int(key[:_DEVICE_DIGITS], 16), result.rev, result.seq)
    text = "-".join(
        (
            *map(_base36, numbers),
            result.phase[0].upper(),
            ".".join(map(_base36, result.games)),
            ".".join(map(_base36, result.points)),
        )
    )
    return f"{text}-{_mac(text, key, match)}"


def qr_text(hub: str, code: str) -> str:
    """The address that a phone opens; "" if it does not fit or needs small letters.

    ``hub``: host and port of the hub.
    """
    host = hub.upper()
    text = f"HTTPS://{host}{PATH}{code}"
    return text if _QR_ADDRESS.fullmatch(host) and len(text) <= MAX_QR_CHARS else ""


@as_value
def parse_code(text: str) -> ResultCode:
    """A code, which may be that of another hall."""
    found = _CODE.fullmatch(text)
    if found is None:
        raise wrong_value("the code is not complete; scan it again")
    device, rev, seq, phase, games, points, mac = found.groups()
    sides = [tuple(int(each, 36) for each in numbers.split(".")) for numbers in (games, points)]
    if int(device, 36) >= 16**_DEVICE_DIGITS or len(sides[0]) != len(sides[1]):
        raise wrong_value("the code is not complete; scan it again")
    result = MatchResult(int(rev, 36), int(seq, 36), _PHASES[phase], sides[0], sides[1])
    return ResultCode(f"{int(device, 36):0{_DEVICE_DIGITS}x}", result, text[: -1 - len(mac)], mac)


def _mac(text: str, key: str, match: str) -> str:
    signed = _PURPOSE + f"{text}\n{match}".encode()
    digest = hmac.digest(bytes.fromhex(key), signed, "sha256")
    number = int.from_bytes(digest, "big") % 36**_MAC_DIGITS
    return _base36(number).rjust(_MAC_DIGITS, "0")


def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits


_PHASES: Final = {phase[0].upper(): phase for phase in ResultPhase}
