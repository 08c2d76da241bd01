"""What becomes of a new key of a button box over Wi-Fi, asked for in set-up."""

from enum import StrEnum
from typing import NamedTuple


class RadioResult(StrEnum):
    """The result, as keys of the catalogue."""

    SENT = "radio_sent"
    WAIT = "radio_wait"  # another key is being changed
    STORED = "radio_stored"
    FORGOTTEN = "radio_forgotten"
    NO_BOARD = "radio_no_board"  # not exactly one board is plugged in
    NO_NETWORK = "radio_no_network"  # the board has not been in a network yet
    SILENT = "radio_silent"  # the board does not answer
    OFF = "radio_off"  # no process serves the socket
    FAILED = "radio_failed"


class RadioReport(NamedTuple):
    """The result, and the name of the box."""

    result: RadioResult
    box: str = ""
