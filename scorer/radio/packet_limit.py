"""A limit on the packets of each box and address, so that a flood costs no MAC."""

from __future__ import annotations

from collections import Counter
from typing import Final

PACKETS_PER_SECOND: Final = 200  # of one box from one address
MAX_ADDRESSES: Final = 64  # per box in one second; packets of further ones are dropped


class PacketLimit:
    """Counts packets by box and address in seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._second = 0
        self._packets: Counter[tuple[str, str]] = Counter()
        self._addresses: Counter[str] = Counter()

    def admit(self, name: str, address: str, now: float, *, is_known: bool = False) -> bool:
        """Count a packet; False if it is one too many.

        ``is_known``: the box is heard from this address, which other addresses cannot displace.
        """
        if int(now) != self._second:
            self._second = int(now)
            self._packets.clear()
            self._addresses.clear()
        key = (name, address)
        if key not in self._packets and not is_known:
            if self._addresses[name] >= MAX_ADDRESSES:
                return False
            self._addresses[name] += 1
        self._packets[key] += 1
        return self._packets[key] <= PACKETS_PER_SECOND
