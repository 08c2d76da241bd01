"""The port of a chip that lights several lamps, each in a channel of its own.

Used by the drivers of lit buttons; a table without them does not import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scorer.hw.ports import Wire


class ChannelOptions(Protocol):
    """Common members of ``Options`` of every driver of channels."""

    @property
    def channel_count(self) -> int:
        """The number of lamps that it can light."""

    @property
    def resource_id(self) -> str:
        """The device, as a word that no other one shares."""

    @property
    def wires(self) -> Sequence[Wire]:
        """Its wires on the header."""


class ChannelLights(Protocol):
    """Lamps in channels, each dark or lit to a percentage."""

    def open(self) -> None:
        """Initialise the chip, all channels dark. Raises DeviceError."""

    def show(self, levels: Sequence[int]) -> None:
        """Light each channel to its percentage, 0 to 100; channels without one are dark.

        Repeated, it also restores a chip that has lost its power meanwhile. Raises DeviceError;
        ValueError for more levels than channels, or others than 0 to 100.
        """

    def close(self) -> None:
        """Leave it dark. Idempotent; allowed after a failed open and on a lost chip."""


def check_levels(levels: Sequence[int], channel_count: int) -> None:
    """Raise ValueError for levels that ``show`` does not take."""
    if len(levels) > channel_count:
        raise ValueError(f"{len(levels)} levels for {channel_count} channels")
    if wrong := [level for level in levels if not 0 <= level <= 100]:
        raise ValueError(f"{wrong[0]} % is not from 0 to 100")
