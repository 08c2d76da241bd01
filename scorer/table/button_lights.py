"""The lit buttons of a table.

They show what may be pressed in the session that panels show. Imported only by a table that has
some. Each chip is written in a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from scorer.session.lit_buttons import lit_buttons, next_change
from scorer.session.values.dimming import Light, light_of
from scorer.session.values.state import Session


class Levels(Protocol):
    """The lamps of a chip (``outputs.newest_value``)."""

    @property
    def fault(self) -> str:
        """Why it fails, or ""."""

    def put(self, value: tuple[int, ...], /) -> None:
        """Light each channel to its percentage. Never waits."""


class LightChip(NamedTuple):
    """A chip: its name, the button of each channel or "", and its percentages."""

    name: str
    buttons: tuple[str, ...]
    lit: int
    dimmed: int
    levels: Levels


class ButtonLights:
    """The lights of the buttons of one table; called in the table's thread."""

    def __init__(self, chips: Sequence[LightChip], is_quiet: Callable[[float], bool]) -> None:
        """``is_quiet``: whether a time is within the quiet hours, when lights are dim."""
        self._chips, self._is_quiet = chips, is_quiet
        self._seen: Session | None = None
        self._lit = frozenset[str]()
        self._changes_at: float | None = None
        self._levels: dict[str, tuple[int, ...]] = {}

    def deadline(self) -> float | None:
        """When ``show`` is needed next if nothing else happens, or None."""
        return self._changes_at

    def show(self, session: Session, now: float) -> None:
        """Light what may be pressed; a chip is written only if that has changed."""
        if not self._is_seen(session):
            self._seen, self._lit = session, lit_buttons(session)
            self._changes_at = next_change(session)
        is_dim = light_of(session) is not Light.ON or self._is_quiet(now)
        for chip in self._chips:
            level = chip.dimmed if is_dim else chip.lit
            self._put(chip, tuple(level * (button in self._lit) for button in chip.buttons))

    def test(self) -> list[dict[str, str]]:
        """Light every button until the next ``show``; what is known of each chip."""
        for chip in self._chips:
            self._put(chip, tuple(chip.lit * bool(button) for button in chip.buttons))
        return [{"name": chip.name, "fault": chip.levels.fault} for chip in self._chips]

    def _put(self, chip: LightChip, levels: tuple[int, ...]) -> None:
        if self._levels.get(chip.name) != levels:
            self._levels[chip.name] = levels
            chip.levels.put(levels)

    def _is_seen(self, session: Session) -> bool:
        """Whether ``session`` differs in time only, and no guard has ended since."""
        seen = self._seen
        if seen is None or light_of(seen) is not light_of(session):
            return False
        is_due = self._changes_at is not None and session.now >= self._changes_at
        return not is_due and session._replace(now=seen.now) == seen
