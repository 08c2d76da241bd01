"""The port of a display of words: a few lines of characters.

Used by its drivers; a table without such a display does not import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scorer.hw.ports import Wire


class WordDisplayOptions(Protocol):
    """Common members of ``Options`` of every driver of words."""

    @property
    def columns(self) -> int:
        """The characters of a line."""

    @property
    def resource_id(self) -> str:
        """The device, as a word that no other one shares."""

    @property
    def wires(self) -> Sequence[Wire]:
        """Its wires on the header."""


class WordDisplay(Protocol):
    """A display of words."""

    def open(self) -> None:
        """Initialise it, blank. Raises DeviceError."""

    def show(self, lines: tuple[str, ...]) -> None:
        """Show these lines, each cut to the columns; without any, it is dark.

        Characters that it lacks are shown without their accents. Repeated, it also restores a
        display that has lost its power meanwhile. Raises DeviceError.
        """

    def close(self) -> None:
        """Leave it dark. Idempotent; allowed after a failed open and on a lost display."""
