"""Places and machine of ``scorer run --mock``, never those of a box."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from scorer.config.schema import SocketSection, StoreSection
from scorer.table.loop_commands import LoopCommand


class Simulation(NamedTuple):
    """The places of a simulated table.

    ``temporary_folder`` is called when it is needed. ``store``: a folder to use in any case.
    ``is_installed``: the configuration is that of a box, whose places are never used.
    ``on_start`` is called with the pins of the buttons when each table has read their levels.
    """

    temporary_folder: Callable[[], Path]
    store: Path | None = None
    is_installed: bool = False
    on_start: Callable[[Mapping[str, int]], None] = lambda pins: None

    def store_for(self, configured: Path) -> Path:
        """The folder of the store: the given one, the file's own, or a temporary one."""
        if self.store is not None:
            return self.store
        return self._own(configured, StoreSection().directory, "store")

    def socket_for(self, configured: Path) -> Path:
        """The path of the socket: the file's own, or a temporary one."""
        return self._own(configured, SocketSection().path, "table.sock")

    def _own(self, configured: Path, of_a_box: str, name: str) -> Path:
        if self.is_installed or configured == Path(of_a_box):
            return self.temporary_folder() / name
        return configured


class SimulatedPower:
    """A PowerPort that ends the table instead of the machine."""

    def __init__(self, on_command: Callable[[LoopCommand], None]) -> None:
        self._on_command = on_command

    def has_undervoltage(self, now: float) -> bool:
        return False

    def on_table_ready(self) -> None:
        """No-op: there is no shutdown to delay."""

    def switch_off(self) -> None:
        sys.stderr.write("scorer run: a box would switch off now; this table ends\n")
        self._on_command(LoopCommand.SHUTTING_DOWN)
