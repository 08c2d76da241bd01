"""The boxes that have a key, and which of their packets count.

Pure: packets, addresses and times are arguments. A box asks for a nonce (hello) and authenticates
its lines with it. The first authentic line begins a session, which ends after two seconds without
one. Within a session the counter of the lines grows; a line that was recorded counts neither in
this session nor in a later one, because each has a nonce of its own:

- of a session: it stays as long as the session;
- before one: derived from the secret of this process, the start of the box, the number of its
  sessions so far, and the present two seconds. Nothing is stored for a hello, so that hellos of
  others displace nothing.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final, NamedTuple

from scorer.hw.serial.box_lines import BoxMessage, UnknownVersion, decode_line
from scorer.radio.packet_limit import PacketLimit
from scorer.radio.packets import (
    NONCE_BYTES,
    Packet,
    PacketKind,
    is_authentic,
    make_packet,
    split_packet,
)

AWAY_AFTER: Final = 2.0  # seconds without an authentic line after which a box is away


class PacketRefusal(Enum):
    """Why a packet was dropped."""

    MALFORMED = "no packet of a box"
    UNKNOWN = "a box without a key here"
    LIMITED = "too many packets"
    WRONG_KEY = "another key"
    FORGED = "a wrong MAC, or one of an older nonce"
    REPLAYED = "a counter that was used"
    SECOND = "a second box with this name and key, while the first one is heard"
    BROKEN = "an authentic line that is none of a box"


class NonceAnswer(NamedTuple):
    """A packet for the sender."""

    packet: bytes


class BoxLine(NamedTuple):
    """A line of a box, without its ends."""

    name: str
    line: bytes
    message: BoxMessage | UnknownVersion
    is_first: bool  # of its session


class Refused(NamedTuple):
    """A packet that was dropped; ``name`` is "" if it names no box."""

    why: PacketRefusal
    name: str = ""


class BoxSession(NamedTuple):
    """A box that is heard."""

    start: bytes
    nonce: bytes
    counter: int  # of the newest line
    heard_at: float  # seconds, monotonic
    address: str


class Station:
    """The sessions of the boxes with a key. ``secret``: random, new for every process."""

    def __init__(self, keys: Mapping[str, bytes], secret: bytes) -> None:
        self._keys, self._secret = dict(keys), secret
        self._sessions: dict[str, BoxSession] = {}
        self._generations: dict[str, int] = {}  # sessions that each box has had
        self._limit = PacketLimit()

    @property
    def names(self) -> tuple[str, ...]:
        """The boxes with a key, sorted."""
        return tuple(sorted(self._keys))

    def set_key(self, name: str, key: bytes) -> None:
        """Replace the key of a box; packets with the old one do not count any more."""
        self._end_session(name)
        self._keys[name] = key

    def forget(self, name: str) -> bool:
        """Forget the key of a box; False if it has none."""
        self._end_session(name)
        return self._keys.pop(name, None) is not None

    def expire(self, now: float) -> Iterator[str]:
        """End the sessions of boxes that are away since now; yield their names."""
        for name, session in list(self._sessions.items()):
            if now - session.heard_at > AWAY_AFTER:
                self._end_session(name)
                yield name

    def session(self, name: str) -> BoxSession | None:
        """The session of a box; None if it is away."""
        return self._sessions.get(name)

    def receive(self, data: bytes, address: str, now: float) -> NonceAnswer | BoxLine | Refused:
        """Judge a packet. The caller has called ``expire`` for this time."""
        packet = split_packet(data)
        if packet is None or packet.kind is PacketKind.NONCE:
            return Refused(PacketRefusal.MALFORMED)
        name = packet.name
        key = self._keys.get(name)
        if key is None:
            return Refused(PacketRefusal.UNKNOWN)
        session = self._sessions.get(name)
        is_known = session is not None and session.address == address
        if not self._limit.admit(name, address, now, is_known=is_known):
            return Refused(PacketRefusal.LIMITED, name)
        if packet.kind is PacketKind.HELLO:
            if packet.body or not is_authentic(packet, key):
                return Refused(PacketRefusal.WRONG_KEY, packet.name)
            if session is not None and session.start != packet.start:
                return Refused(PacketRefusal.SECOND, packet.name)
            nonce = self._new_nonces(packet, now)[0] if session is None else session.nonce
            head = (packet.name, packet.start, packet.counter)
            return NonceAnswer(make_packet(key, PacketKind.NONCE, *head, body=nonce))
        return self._accept_line(packet, key, session, address, now)

    def _accept_line(
        self, packet: Packet, key: bytes, session: BoxSession | None, address: str, now: float
    ) -> BoxLine | Refused:
        name = packet.name
        nonces: tuple[bytes, ...]
        if session is None:
            nonces = self._new_nonces(packet, now)
        elif session.start == packet.start:
            nonces = (session.nonce,)
        else:
            return Refused(PacketRefusal.FORGED, name)
        nonce = next((each for each in nonces if is_authentic(packet, key, each)), None)
        if nonce is None:
            return Refused(PacketRefusal.FORGED, name)
        if session is not None and packet.counter <= session.counter:
            return Refused(PacketRefusal.REPLAYED, name)
        line = packet.body.strip(b"\n")
        message = decode_line(line)
        if message is None:
            return Refused(PacketRefusal.BROKEN, name)
        self._sessions[name] = BoxSession(packet.start, nonce, packet.counter, now, address)
        return BoxLine(name, line, message, is_first=session is None)

    def _new_nonces(self, packet: Packet, now: float) -> tuple[bytes, bytes]:
        """The nonces of a session that begins: of these two seconds, and of those before."""
        slot, generation = int(now // AWAY_AFTER), self._generations.get(packet.name, 0)
        here, before = (
            hmac.new(
                self._secret,
                f"{packet.name} {packet.start.hex()} {generation} {each}".encode("ascii"),
                hashlib.sha256,
            ).digest()[:NONCE_BYTES]
            for each in (slot, slot - 1)
        )
        return here, before

    def _end_session(self, name: str) -> None:
        self._sessions.pop(name, None)
        self._generations[name] = self._generations.get(name, 0) + 1
