"""How a box joins a hall: both ends show the same six digits.

A third party in between cannot match them.

The box makes its token and shows the hub only its SHA-256, the key. The hub commits to a nonce, the
box sends its own, and the hub opens its nonce in the turn in which its desk shows the digits. They
follow from the certificate that the box sees, the key and both nonces: with another certificate in
between they differ, but for one chance in a million of each try, and no try is hidden from both the
desk and the panel. A card carries the certificate's pin and a key of its own instead.
"""

from enum import StrEnum
from hashlib import sha256
from typing import Annotated, NamedTuple

from scorer.hall.fields import (
    VERSION,
    Number,
    as_value,
    canonical,
    hexadecimal,
    optional_hexadecimal,
    read_message,
    read_object,
    read_request,
)
from scorer.hall.wire import TOKEN_DIGITS, Machine, Program
from scorer.plain_values import Text, read_tagged

HASH_DIGITS = 64
NONCE_DIGITS = 32
CODE_DIGITS = 6
_Hash = Annotated[str, hexadecimal(HASH_DIGITS)]
# Of the names that boxes send in TLS; no browser does, as no address ends so (RFC 6761).
_HALL_DOMAIN = ".truco.invalid"
_PURPOSE = b"truco-scorer link/v1 joining\n"


class BeginRequest(NamedTuple):
    """The first step: the key of the box."""

    key: _Hash
    machine: Machine
    program: Program


class NonceRequest(NamedTuple):
    """The second step, once the hub has committed to its nonce."""

    key: _Hash
    nonce: Annotated[str, hexadecimal(NONCE_DIGITS)]


class EarlierRequest(NamedTuple):
    """A step of an earlier version, in which the box committed; it is refused."""

    key: _Hash


class WaitRequest(NamedTuple):
    """Ask, about once a second, whether the desk has decided."""

    key: _Hash


class CardRequest(NamedTuple):
    """Instead of the other steps: the key of a card, which counts for one box."""

    key: _Hash
    card: Annotated[str, hexadecimal(TOKEN_DIGITS)]
    machine: Machine
    program: Program


JoinRequest = BeginRequest | NonceRequest | EarlierRequest | WaitRequest | CardRequest


class JoinState(StrEnum):
    """Where a box stands."""

    COMMITTED = "committed"  # the hub has committed to its nonce; the box sends its own
    WAITING = "waiting"  # both show the digits; the desk decides
    ACCEPTED = "accepted"  # the token is valid
    REFUSED = "refused"  # by the desk, or for a reason in the text


class JoinReply(NamedTuple):
    """Where a box stands, and what it learns there.

    ``commitment``: to the hub's ``nonce``, which it opens for that of the box; ``table`` and
    ``hall``: once accepted; ``wait``: seconds until a refused box may try again, 0 for no time.
    """

    state: JoinState
    nonce: Annotated[str, optional_hexadecimal(NONCE_DIGITS)] = ""
    table: Number = 0
    hall: Annotated[str, Text(60, 0)] = ""
    text: Annotated[str, Text(500, 0)] = ""
    commitment: Annotated[str, optional_hexadecimal(HASH_DIGITS)] = ""
    wait: Number = 0


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
    return read_tagged("do", _KINDS, read_request(body), skips_unknown=True)


@as_value
def parse_join_reply(body: bytes) -> JoinReply:
    return read_message(JoinReply, read_object(body))


_KINDS: dict[str, type[JoinRequest]] = {
    "begin": BeginRequest,
    "nonce": NonceRequest,
    "commit": EarlierRequest,
    "reveal": EarlierRequest,
    "wait": WaitRequest,
    "card": CardRequest,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def server_name_of(hall: str) -> str:
    """What a box sends in TLS (SNI), by which a proxy finds the hall; "": nothing."""
    return hall + _HALL_DOMAIN if hall else ""


def is_of_box(server_name: str | None) -> bool:
    """Whether a box, which pins the hub's own certificate, has sent this name or none."""
    return server_name is None or server_name.endswith(_HALL_DOMAIN)
