"""The lasting faults of a table, as status page, self-test and doctor name them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from scorer.api.print_protocol import PrintResult

CONFIG_LINE = "config_line"  # Mark.CONFIG where the line is known, which follows
# How a console can be missing; any other fault counts as the first one.
CONSOLE_FAULTS = ("absent", "forbidden", "taken", "silent", "version")


class Mark(StrEnum):
    """A fault or a special mode that lasts longer than a notice."""

    BATTERY = "battery"  # it is low; its percent follow
    BOARD = "board"  # a scoreboard is lost
    BUTTON_LIGHTS = "button_lights"  # a chip of lit buttons is lost; its consoles follow
    BUTTONS = "buttons"  # the inputs cannot be opened
    BUZZER = "buzzer"  # the buzzer cannot sound
    BOX_BATTERY = "console_battery"  # of a button box, low; its console follows
    CARD = "card"  # the system on the card is damaged
    CONFIG = "config"  # the configuration has problems
    FORGETS = "forgets"  # the store is lost at power-off
    INTERFERENCE = "interference"  # more lines changed at once than hands press, and again
    LAMP = "lamp_lost"  # its name follows
    LIGHT = "light"  # the team light cannot be lit
    MUTED = "muted"  # a device reports too many changes and is ignored
    NEWER = "newer"  # a newer program has written the store: this game is in one beside it
    PANEL = "panel_lost"  # the side on its left follows
    POWER = "power"  # undervoltage is reported
    SAFE = "safe"  # safe mode: default settings
    SALVAGED = "salvaged"  # the store was damaged and is incomplete
    STUCK = "stuck"  # a button has been down since the start, or too long; its name follows
    WORDS = "words"  # the display of words is lost


class Marks:
    """The marks of one table."""

    def __init__(self) -> None:
        self._marks: set[Mark] = set()
        self._config_line = 0
        self.lost_devices: tuple[str, ...] = ()  # their words, sorted
        self._print_failure: PrintResult | None = None
        self._battery: int | None = None

    def __contains__(self, mark: Mark) -> bool:
        return mark in self._marks

    def set(self, mark: Mark, *, is_set: bool = True) -> None:
        (self._marks.add if is_set else self._marks.discard)(mark)

    def set_config_line(self, line: int) -> None:
        """Name the first line of the configuration that has a problem; 0 if it is unknown."""
        self._config_line = line

    def set_battery(self, percent: int | None) -> None:
        """Name the percent that a low battery has left; None while it is not low."""
        self._battery = percent

    def set_lost_devices(self, words: Iterable[str]) -> None:
        """Set the words of all devices that are lost; one with a name ends in it."""
        self.lost_devices = tuple(sorted({str(word) for word in words}))

    def set_print_result(self, result: PrintResult) -> None:
        """Set a printer fault; it stays until a slip is printed or fails otherwise."""
        self._print_failure = result if result.is_failure else None

    def words(self) -> list[str]:
        """Every mark as a word of the socket, sorted.

        A device's ends with its name, that of the configuration with a line if one is known.
        """
        marks = {*map(str, self._marks), *self.lost_devices}
        if Mark.CONFIG in self._marks and self._config_line:
            marks ^= {Mark.CONFIG, f"{CONFIG_LINE} {self._config_line}"}
        printer = [] if self._print_failure is None else [str(self._print_failure)]
        battery = [] if self._battery is None else [f"{Mark.BATTERY} {self._battery}"]
        return sorted([*marks, *printer, *battery])
