"""The packets between a box and this process: their layout and their MAC.

HMAC-SHA-256 (RFC 2104), cut to its first 16 bytes as that RFC allows, over the nonce and all of the
packet before the MAC. A packet without a nonce is authenticated with zeros.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from enum import Enum
from typing import Final, NamedTuple

from scorer.hw.serial.lines import MAX_LINE

VERSION: Final = b"TR1"
MAC_BYTES: Final = 16
NONCE_BYTES: Final = 16
START_BYTES: Final = 8
NAME_BYTES: Final = 8
NO_NONCE: Final = bytes(NONCE_BYTES)
_HEAD = struct.Struct(f">3sc{NAME_BYTES}s{START_BYTES}sI")
HEAD_BYTES: Final = _HEAD.size
MAX_PACKET: Final = HEAD_BYTES + MAX_LINE + 2 + MAC_BYTES
"""Bytes of the longest packet: a line between two ends of line."""


class PacketKind(Enum):
    """What a packet is."""

    HELLO = b"H"  # a box asks for the nonce; without a body
    NONCE = b"N"  # the answer, with the start and the counter of the hello
    LINE = b"L"  # a line of the box


class Packet(NamedTuple):
    """A packet whose MAC is not checked yet.

    ``start``: random, new at every start of the box. ``counter``: of the packets of this kind since
    then. ``body``: the line or the nonce. ``signed``: all bytes before ``mac``.
    """

    kind: PacketKind
    name: str
    start: bytes
    counter: int
    body: bytes
    signed: bytes
    mac: bytes


def split_packet(data: bytes) -> Packet | None:
    """The parts of a packet by their places; None for what cannot be one."""
    if not HEAD_BYTES + MAC_BYTES <= len(data) <= MAX_PACKET:
        return None
    signed, mac = data[:-MAC_BYTES], data[-MAC_BYTES:]
    version, letter, name, start, counter = _HEAD.unpack_from(signed)
    if version != VERSION or letter not in _LETTERS or not name.isascii():
        return None
    body = signed[HEAD_BYTES:]
    return Packet(
        PacketKind(letter), name.rstrip(b"\0").decode("ascii"), start, counter, body, signed, mac
    )


def make_packet(
    key: bytes,
    kind: PacketKind,
    name: str,
    start: bytes,
    counter: int,
    *,
    body: bytes = b"",
    nonce: bytes = NO_NONCE,
) -> bytes:
    """A packet with its MAC."""
    signed = _HEAD.pack(VERSION, kind.value, name.encode("ascii"), start, counter) + body
    return signed + packet_mac(key, nonce, signed)


def packet_mac(key: bytes, nonce: bytes, signed: bytes) -> bytes:
    """The MAC of a packet."""
    return hmac.new(key, nonce + signed, hashlib.sha256).digest()[:MAC_BYTES]


def is_authentic(packet: Packet, key: bytes, nonce: bytes = NO_NONCE) -> bool:
    """Whether the MAC is right; compared in constant time."""
    return hmac.compare_digest(packet_mac(key, nonce, packet.signed), packet.mac)


_LETTERS = frozenset(kind.value for kind in PacketKind)
