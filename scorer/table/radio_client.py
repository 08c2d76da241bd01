"""Non-blocking client that changes the keys of button boxes over Wi-Fi.

A thread writes a new key onto the board on its USB cable, then passes it to ``scorer radio``: a
board that does not answer changes nothing.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from scorer.api.radio_protocol import RadioReport, RadioResult
from scorer.hw.ports import DeviceError
from scorer.hw.serial.board_settings import (
    KEY_BYTES,
    new_key_text,
    plugged_boards,
    send_settings,
)
from scorer.hw.serial.port import Port
from scorer.hw.serial.radio_port import MAX_REQUEST
from scorer.session.values.effects import BoxKeyEffect, ForgetBoxKey
from scorer.table.service_request import OneAtATime, ServiceError, request_line

ANSWER_TIMEOUT_S = 20.0  # seconds: systemd may have to start the process


class RadioClient:
    """Changes one key at a time. Called in the table's thread, except for the work."""

    def __init__(
        self,
        on_report: Callable[[RadioReport], object],
        taken: Sequence[str],
        path: Path,
        *,
        boards: Callable[[Sequence[str]], list[str]] = plugged_boards,
    ) -> None:
        """``on_report`` is called in another thread; ``taken``: ports of other devices;
        ``path``: the socket of ``scorer radio``.
        """
        self._taken, self._path, self._boards = taken, path, boards
        self._waiting = OneAtATime("radio key", on_report)

    def request(self, asked: BoxKeyEffect) -> RadioReport:
        """Begin the change; return what to show at once."""
        if not self._waiting.begin(lambda: self._change(asked)):
            return RadioReport(RadioResult.WAIT)
        return RadioReport(RadioResult.SENT, asked.box)

    def _change(self, asked: BoxKeyEffect) -> RadioReport:
        try:
            if isinstance(asked, ForgetBoxKey):
                result = self._ask(RadioResult.FORGOTTEN, do="forget", box=asked.box)
            else:
                result = self._give_key(asked.box)
        except ServiceError as error:
            result = RadioResult.OFF if error.is_missing else RadioResult.FAILED
        except DeviceError as error:
            _log(str(error))
            is_lacking = error.kind == "network"
            result = RadioResult.NO_NETWORK if is_lacking else RadioResult.SILENT
        return RadioReport(result, asked.box)

    def _give_key(self, box: str) -> RadioResult:
        # Asked before anything changes: without the service the key would be of no use.
        if self._ask(RadioResult.STORED, do="list") is not RadioResult.STORED:
            return RadioResult.FAILED
        boards = self._boards(self._taken)
        if len(boards) != 1:
            return RadioResult.NO_BOARD
        key = secrets.token_hex(KEY_BYTES)
        send_settings(Port(boards[0]), new_key_text(box, key))
        return self._ask(RadioResult.STORED, do="key", box=box, key=key)

    def _ask(self, done: RadioResult, **request: str) -> RadioResult:
        """``done`` if the service does it. Raises ServiceError."""
        line = json.dumps(request).encode() + b"\n"
        answer = request_line(self._path, line, ANSWER_TIMEOUT_S, 64 * MAX_REQUEST, "radio")
        if answer.get("ok") is True:
            return done
        _log(f"scorer-radio: {answer.get('text')}")
        return RadioResult.FAILED


def _log(sentence: str) -> None:
    sys.stderr.write(f"scorer run: {sentence}\n")
