"""The real table on simulated hardware, moved by its caller.

Under ``scorer run --desk`` and with it the demo, the benchmarks and the tests. Nothing here opens a
socket, starts a process or a thread, or reads a clock: requests are passed to ``handle_request``,
and the hardware, its clock, the store and the dates of the rows are arguments.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from scorer.api.marks import Mark
from scorer.api.request import Request
from scorer.config.loader import default_config
from scorer.config.sources import ResolvedConfig, resolve
from scorer.display import screen_text
from scorer.hw.ports import Buzzer, Display, Edge, InputSource, Lamp, Phrase
from scorer.rules import Header
from scorer.session.values.settings import Layout
from scorer.session.view.view import View
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.store.salvage import SalvageResult
from scorer.table.handlers import handle_request
from scorer.table.hooks import TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.observers import PressResult, StateObserver
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, SyncRenderer
from scorer.table.startup import (
    StartupOptions,
    TolerantSettings,
    applied_settings,
    needs_first_run,
    settings_saver,
    start_table,
)
from scorer.table.table import Table

if TYPE_CHECKING:
    from scorer.hw.outputs.colour_light import ColourLight

Message = dict[str, Any]
PinEdge = Sequence[Any]  # seconds, line, level: 0 is pressed
_RESTARTS = (LoopCommand.SAFE_MODE, LoopCommand.RESTART)


class SettableClock(Protocol):
    """A clock that never goes back. Call it to read seconds."""

    def __call__(self) -> float: ...
    def set(self, now: float) -> None: ...


class TableHardware(Protocol):
    """The simulated devices of one table, closed, and what moves and reads them."""

    @property
    def clock(self) -> SettableClock: ...
    @property
    def inputs(self) -> InputSource: ...
    @property
    def displays(self) -> Mapping[str, Display]: ...
    @property
    def lamp_drivers(self) -> Mapping[str, Lamp]: ...
    @property
    def buzzer(self) -> Buzzer: ...
    def set_pin(self, line: str | int, level: int, at: float) -> None: ...
    def set_fault(self, panel: str, kind: str | None) -> None: ...
    def take_messages(self) -> Sequence[tuple[str, bytes]]: ...
    def lamps(self) -> dict[str, bool]: ...
    def take_sounds(self) -> Sequence[tuple[float, Phrase]]: ...


class TableStore(Protocol):
    """The store of the table: ``startup.StoreHolder``, or one that fails on demand."""

    @property
    def journal(self) -> Journal | StoreError: ...
    @property
    def salvaged(self) -> SalvageResult | None: ...
    @property
    def store_replaced(self) -> bool: ...
    def retry_open(self) -> bool: ...


class SimulatedError(ValueError):
    """The hardware has no such part; the text says which."""


class TableChoices(NamedTuple):
    """What an owner chose for a simulated table."""

    header: Header
    language: str
    layout: Layout = Layout.FULL
    consoles: int = 2
    rematch: bool = False
    has_machine: bool = True  # as in ``BoxSettings``

    def owner_text(self) -> str:
        """The choices as an owner's file."""
        rules, names = self.header.rules, self.header.names
        table = {
            "variant": rules.variant.id,
            "language": self.language,
            "layout": str(self.layout),
            "rematch": self.rematch,
            "names": [names.get(side, "") for side in rules.scoring_sides] if names else [],
        }
        sections = (
            ("table", table),
            ("table.house", dict(rules.chosen)),
            ("consoles", {"count": self.consoles}),
        )
        # Strings, lists of strings, numbers and booleans are the same in JSON and TOML.
        return "".join(
            "\n".join((f"[{name}]", *(f"{key} = {json.dumps(values[key])}" for key in values), ""))
            for name, values in sections
        )


class SimulatedTable:
    """A table and its hardware. ``close`` it after use; the store is its owner's.

    ``commands``: those that only a machine can follow, such as switching it off; the owner of the
    simulation takes them out.
    """

    def __init__(
        self,
        choices: TableChoices | str,
        hardware: TableHardware,
        store: TableStore,
        stamp: Callable[[float], Stamp],
        *,
        observer: StateObserver | None = None,
        hooks: TableHooks | None = None,
        light: ColourLight | None = None,
        run_turn: Callable[[Callable[[], object]], object] = lambda act: act(),
    ) -> None:
        """Power on, at the time of the hardware's clock.

        ``choices`` may be the text of an owner's file. A pin that is low now is a button that was
        held while the power came. ``hooks``: all but ``on_command`` and ``save_choices``.
        ``run_turn`` calls its argument, one turn of the loop; a benchmark measures there.
        """
        self._owner_text = choices if isinstance(choices, str) else choices.owner_text()
        # A header has more than a configuration: who plays alone, the first hand.
        self._header = None if isinstance(choices, str) else choices.header
        self._has_machine = isinstance(choices, str) or choices.has_machine
        self.hardware, self._store, self._stamp, self._observer = hardware, store, stamp, observer
        self._run_turn = run_turn
        self._edges: list[Edge] = []
        self._obeyed: list[LoopCommand] = []
        self.commands: list[LoopCommand] = []
        self._hooks = (hooks or TableHooks())._replace(on_command=self._obeyed.append)
        self._stack = ExitStack()
        self._devices = self._open_devices(light)
        self._reported: tuple[View, str, int] | None = None
        self.table = self._start(None)

    def resolved(self) -> ResolvedConfig:
        """The owner's file, with the choices made at the table."""
        return resolve(self._owner_text, None, TolerantSettings(self._store.journal))

    def advance(self, edges: Sequence[PinEdge], until: float) -> None:
        """Move pins at their times, and let every timer fire at its own, up to ``until``."""
        for when, line, level in edges:
            self.settle(float(when))
            # A timer may have fired a rounding error later than the edge.
            self.move_pin(str(line), int(level), max(float(when), self.hardware.clock()))
        self.settle(until)

    def move_pin(self, line: str, level: int, at: float) -> None:
        """Move one pin. Raises SimulatedError for a button that is not there."""
        try:
            self.hardware.set_pin(line, level, at)
        except KeyError:
            raise SimulatedError(f"there is no button '{line}' here") from None
        edges, self._edges[:] = list(self._edges), []
        for edge in edges:
            self._turn(partial(self.table.handle_edge, edge))

    def settle(self, until: float) -> None:
        """Let every timer fire up to ``until``, and check the devices then."""
        while self.fire_next(until):
            pass
        self.tick(max(until, self.hardware.clock()))
        self._obey()

    def fire_next(self, until: float) -> bool:
        """Let the next timer fire if it is due by ``until``; return whether it was."""
        due = self.table.deadline()
        if due is None or due > until:
            return False
        self.tick(max(due, self.hardware.clock()))
        return True

    def tick(self, now: float) -> None:
        """Set the clock and pass the time to the table."""
        self.hardware.clock.set(now)
        self._turn(partial(self.table.tick, now))

    def set_fault(self, panel: str, kind: str | None) -> None:
        """Break the wire of a panel, or repair it (None)."""
        self.hardware.set_fault(panel, kind)
        self.settle(self.hardware.clock())

    def handle_request(self, request: Request) -> None:
        """Answer one request; the observer gets the reply."""
        self._turn(partial(handle_request, self.table, request, self.hardware.clock()))

    def report(self, *, brief: bool = False) -> Message:
        """What happened since the last report, as plain values.

        ``brief``: without texts and state if they have not changed.
        """
        table = self.table
        view, seq = table.view, table.seq
        seen = self.take_presses()
        told: Message = {
            "now": self.hardware.clock(),
            "bus": [[name, message.hex()] for name, message in self.hardware.take_messages()],
            "lamps": {name: "on" if on else "off" for name, on in self.hardware.lamps().items()},
            "sounds": [result.sound for result in seen if result.sound],
            "buzz": [phrase for _, phrase in self.hardware.take_sounds()],
            "press": [result.verdict for result in seen if result.verdict != "-"],
            "screen": view.screen,
            "seq": seq,
        }
        newest = (view, table.language, seq)
        if not brief or newest != self._reported:
            self._reported = newest
            is_neutral = len(self.hardware.displays) < 2
            told["texts"] = {
                name: screen_text(view, table.language, left_side=at, is_neutral=is_neutral)
                for at, name in enumerate(self.hardware.displays)
            }
            told["language"] = table.language
            told["state"] = None if table.has_failed else table.document()
        return told

    def take_presses(self) -> list[PressResult]:
        """The results of the presses since the last call."""
        seen = list(self.table.press_log)
        self.table.press_log.clear()
        return seen

    def close(self) -> None:
        """Close the devices. Idempotent."""
        self._stack.close()

    def _turn(self, act: Callable[[], object]) -> None:
        self._run_turn(act)
        self._obey()

    def _obey(self) -> None:
        """Restart the table on command; the other commands are for the owner."""
        orders, self._obeyed[:] = list(self._obeyed), []
        self.commands += [order for order in orders if order not in _RESTARTS]
        restart = next((order for order in orders if order in _RESTARTS), None)
        if restart is not None:
            seen = self.table.press_log
            self.table = self._start(restart)
            # The result of the press that caused the restart is still to be reported.
            self.table.press_log.extendleft(reversed(seen))

    def _start(self, command: LoopCommand | None) -> Table:
        """Start a table: at power-on, or for safe mode or new settings."""
        now, store = self.hardware.clock(), self._store
        is_safe = command is LoopCommand.SAFE_MODE
        settled = ResolvedConfig(default_config(), (), ()) if is_safe else self.resolved()
        config = settled.config
        applied = applied_settings(settled, has_machine=self._has_machine)
        header = config.header if applied.box.rules is not None else self._header
        hooks, journal = self._hooks, store.journal
        if command is LoopCommand.RESTART and hooks.trials is not None:
            hooks.trials.read_again()
        if isinstance(journal, Journal):
            saver = settings_saver(self._owner_text, journal, has_machine=self._has_machine)
            hooks = hooks._replace(save_choices=saver)
        options = StartupOptions(
            header=header or config.header,
            applied=applied,
            now=now,
            stamp=self._stamp,
            observer=self._observer,
            hooks=hooks,
            mark=Mark.SAFE if is_safe else None,
            is_restart=command is LoopCommand.RESTART,
            needs_first_run=command is None and needs_first_run(settled),
            salvaged=store.salvaged,
            store_replaced=store.store_replaced,
            can_recover=store.retry_open,
        )
        table = start_table(journal, self._devices, options)
        table.tick(now)
        return table

    def _open_devices(self, light: ColourLight | None) -> Devices:
        hardware = self.hardware
        hardware.inputs.open(self._edges.append)
        self._stack.callback(hardware.inputs.close)
        panels = [Panel(name, display, name) for name, display in hardware.displays.items()]
        outputs: list[Lamp | Buzzer] = [*hardware.lamp_drivers.values(), hardware.buzzer]
        for output in outputs:
            output.open()
            self._stack.callback(output.close)
        drawing = _RestingRenderer(panels)
        self._stack.callback(drawing.close)
        return Devices(
            hardware.inputs,
            panels,
            drawing,
            hardware.lamp_drivers,
            hardware.buzzer,
            team_light=light,
        )


class _RestingRenderer(SyncRenderer):
    """Asks for no turn while all panels are dark: a simulated day would take 21,600.

    A dark panel shows nothing wrong, and is sent everything when it wakes.
    """

    def draw(self, now: float) -> float | None:
        again = super().draw(now)
        return None if all(panel.is_dark for panel in self._panels) else again
