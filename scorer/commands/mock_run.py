"""``scorer run --mock``: simulated pins and panels, pressed from the terminal."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from scorer.config.sources import OWNER_FILE
from scorer.hw.options import did_you_mean
from scorer.hw.simulated import set_mock_pin
from scorer.table import service
from scorer.table.simulation import Simulation

TAP_S, HOLD_S = 0.15, 1.5  # seconds a button is down
HELP = "type a button and Enter to press it, with + to hold it, such as A.truco or undo+"
Tell = Callable[[str], None]


def run(config: Path, card: Path | None, variants_folder: Path, store: Path | None) -> int:
    """Run until stopped; return 0.

    ``store``: a folder to keep, instead of a temporary one.
    """
    with ExitStack() as stack:
        pressing = _Pressing()
        simulation = Simulation(
            _temporary_folder(stack), store, _is_installed(config), pressing.set_pins
        )
        return service.run(config, card, simulation=simulation, variants_folder=variants_folder)


class _Pressing:
    """Presses what is typed, from the first table on."""

    def __init__(self) -> None:
        self._pins: dict[str, int] = {}
        self._is_reading = not _may_read(sys.stdin)

    def set_pins(self, pins: Mapping[str, int]) -> None:
        """Use these pins from now on; the first ones start the reading."""
        self._pins.clear()
        self._pins.update(pins)
        if not self._is_reading:
            self._is_reading = True
            _tell(HELP if pins else "no button of this configuration is on a pin")
            arguments = (sys.stdin, self._pins, threading.Event().wait, _tell)
            threading.Thread(target=press_buttons, args=arguments, daemon=True).start()


def press_buttons(
    lines: Iterable[str], pins: Mapping[str, int], wait: Callable[[float], object], tell: Tell
) -> None:
    """Press the button named by each line; ``wait`` takes seconds."""
    for line in lines:
        word = line.strip()
        name = word.removesuffix("+")
        if name in pins:
            set_mock_pin(pins[name], down=True)
            wait(HOLD_S if word.endswith("+") else TAP_S)
            set_mock_pin(pins[name], down=False)
        elif name:
            tell(f"no button '{name}', {did_you_mean(name, pins)}")


def _temporary_folder(stack: ExitStack) -> Callable[[], Path]:
    """Return a function that creates a folder once; ``stack`` removes it."""

    @cache
    def create() -> Path:
        return Path(stack.enter_context(TemporaryDirectory(prefix="scorer-mock-")))

    return create


def _is_installed(config: Path) -> bool:
    """Whether this is the file of an installed box, by whatever name."""
    return config.resolve() == OWNER_FILE.resolve()


def _may_read(stream: TextIO | None) -> bool:
    """Whether reading cannot stop this process: not from a terminal in the background."""
    if stream is None:
        return False
    try:
        return not stream.isatty() or os.tcgetpgrp(stream.fileno()) == os.getpgrp()
    except (OSError, ValueError):
        return False


def _tell(line: str) -> None:
    sys.stderr.write(f"scorer run: {line}\n")
