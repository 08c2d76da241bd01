"""Switching the machine off in set-up."""

from __future__ import annotations

from collections.abc import Callable

from scorer.session.values.effects import Effect, Task
from scorer.session.values.state import Session
from scorer.table.guest import Guest, ServiceReport
from scorer.table.loop_commands import LoopCommand


class SwitchOff(Guest):
    """Passes the command to the loop."""

    handles = frozenset((Task.SWITCH_OFF,))

    def __init__(self, on_command: Callable[[LoopCommand], object]) -> None:
        self._on_command = on_command

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        self._on_command(LoopCommand.SWITCH_OFF)
        return session
