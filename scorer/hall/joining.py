"""How a box joins a hall: both ends show the same six digits.

A third party in between cannot match them.

The box makes its token and shows the hub only its SHA-256, the key. It commits to a nonce, receives
the hub's nonce and reveals its own. The digits follow from the certificate that the box sees, the
key and both nonces: with another certificate in between they differ, and the commitment leaves one
chance in a million. A card carries the certificate's pin and a key of its own instead.
"""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from scorer.hall.fields import (
    VERSION,
    Json,
    Unreadable,
    as_value,
    canonical,
    hexadecimal,
    integer,
    read_object,
    read_request,
    text,
)
from scorer.hall.wire import TOKEN_DIGITS

HASH_DIGITS = 64
NONCE_DIGITS = 32
CODE_DIGITS = 6
_MAX_MACHINE_CHARS = 64
_MAX_PROGRAM_CHARS = 60
_MAX_NAME_CHARS = 60
_PURPOSE = b"truco-scorer link/v1 joining\n"


class CommitRequest(NamedTuple):
    """The first step: the key of the box, and the SHA-256 of its nonce."""

    key: str
    commitment: str
    machine: str
    program: str


class RevealRequest(NamedTuple):
    """The second step; the hub checks the nonce against the commitment."""

    key: str
    nonce: str


class WaitRequest(NamedTuple):
    """Ask, about once a second, whether the desk has decided."""

    key: str


class CardRequest(NamedTuple):
    """Instead of the three steps: the key of a card, which counts for one box."""

    key: str
    card: str
    machine: str
    program: str


JoinRequest = CommitRequest | RevealRequest | WaitRequest | CardRequest


class JoinState(StrEnum):
    """Where a box stands."""

    COMMITTED = "committed"  # the hub's nonce is known; the box reveals its own
    WAITING = "waiting"  # both show the digits; the desk decides
    ACCEPTED = "accepted"  # the token is valid
    REFUSED = "refused"  # by the desk, or for a reason in the text


class JoinReply(NamedTuple):
    """``nonce``: the hub's, once committed. ``table`` and ``hall``: once accepted."""

    state: JoinState
    nonce: str = ""
    table: int = 0
    hall: str = ""
    text: str = ""


def key_of(token: str) -> str:
    """What the hub keeps of a token."""
    return sha256(token.encode("ascii")).hexdigest()


def commitment_to(nonce: str) -> str:
    return sha256(_PURPOSE + nonce.encode("ascii")).hexdigest()


def pin_of(certificate: bytes) -> str:
    """The pin of a certificate (DER): its SHA-256."""
    return sha256(certificate).hexdigest()


def code(pin: str, key: str, box_nonce: str, hub_nonce: str) -> str:
    """The six digits that panel and desk show."""
    parts = "\n".join((pin, key, box_nonce, hub_nonce)).encode("ascii")
    number = int.from_bytes(sha256(_PURPOSE + parts).digest(), "big")
    return f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def encode(message: JoinRequest | JoinReply) -> bytes:
    """The body of a message."""
    if isinstance(message, JoinReply):
        return canonical({key: value for key, value in message._asdict().items() if value})
    return canonical({"v": VERSION, "do": _NAMES[type(message)], **message._asdict()})


@as_value
def parse_join(body: bytes) -> JoinRequest:
    message = read_request(body)
    key = hexadecimal(message, "key", HASH_DIGITS)
    match message.get("do"):
        case "commit":
            commitment = hexadecimal(message, "commitment", HASH_DIGITS)
            return CommitRequest(key, commitment, *_origin(message))
        case "reveal":
            return RevealRequest(key, hexadecimal(message, "nonce", NONCE_DIGITS))
        case "wait":
            return WaitRequest(key)
        case "card":
            return CardRequest(key, hexadecimal(message, "card", TOKEN_DIGITS), *_origin(message))
    raise Unreadable(f"do is one of {', '.join(_NAMES.values())}")


@as_value
def parse_join_reply(body: bytes) -> JoinReply:
    message: Json = {"nonce": "", "table": 0, "hall": "", "text": "", **read_object(body)}
    state = message.get("state")
    if state not in list(JoinState):
        raise Unreadable("the state of joining is unknown")
    return JoinReply(
        JoinState(state),
        hexadecimal(message, "nonce", NONCE_DIGITS, may_be_empty=True),
        integer(message, "table"),
        text(message, "hall", _MAX_NAME_CHARS, may_be_empty=True),
        text(message, "text", 500, may_be_empty=True),
    )


def _origin(message: Json) -> tuple[str, str]:
    return (
        text(message, "machine", _MAX_MACHINE_CHARS),
        text(message, "program", _MAX_PROGRAM_CHARS),
    )


_NAMES: dict[type[JoinRequest], str] = {
    CommitRequest: "commit",
    RevealRequest: "reveal",
    WaitRequest: "wait",
    CardRequest: "card",
}
