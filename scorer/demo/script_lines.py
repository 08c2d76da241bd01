"""Parser of demo scripts: one line of text to one command."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from scorer.demo.buttons import (
    BETWEEN_PRESSES,
    COMPACT_HINTS,
    CONSOLE_BUTTONS,
    CONSOLES,
    HOLD,
    SHARED_BUTTONS,
    TAP,
)
from scorer.plain_values import did_you_mean, suggestion

MAX_WAIT = 7 * 24 * 3600.0  # seconds


class LaterPress(NamedTuple):
    """A press that begins ``after`` seconds from the start of its line of the script."""

    after: float
    lines: tuple[str, ...]
    held: float


class TimedPress(NamedTuple):
    """A press of ``lines`` for ``held`` seconds; ``power_cut``: cut in the middle."""

    lines: tuple[str, ...]
    held: float
    power_cut: bool = False
    later: tuple[LaterPress, ...] = ()


class Wait(NamedTuple):
    """No input for this many seconds."""

    seconds: float


class PowerCut(NamedTuple):
    """The power is cut and restored."""


class PlugPanel(NamedTuple):
    """A panel is unplugged or plugged in."""

    panel: str
    plugged: bool


class Stick(NamedTuple):
    """A button jams down, or is freed."""

    line: str
    stuck: bool


Command = TimedPress | Wait | PowerCut | PlugPanel | Stick


class Inventory(NamedTuple):
    """The buttons and panels of the table."""

    layout: str
    buttons: frozenset[str]
    panels: tuple[str, ...]


class ScriptError(Exception):
    """An invalid line; the text is a sentence that says what to write."""


def strip_comment(line: str) -> str:
    """The line without its comment and surrounding blanks."""
    return " ".join(line.partition("#")[0].split())


def parse_command(text: str, inventory: Inventory) -> Command:
    """Parse ``text`` (from ``strip_comment``, not empty). Raises ScriptError."""
    act, comma, rest = text.partition(",")
    if comma:
        if rest.lower().split() != ["power", "cut"]:
            raise ScriptError("after a comma comes 'power cut', as in 'A truco, power cut'")
        return _parse_presses(act.lower().split(), inventory)._replace(power_cut=True)
    match text.lower().split():
        case ["power", *more]:
            if more != ["cut"]:
                raise ScriptError("write 'power cut'")
            return PowerCut()
        case ["wait", *more]:
            seconds = _parse_seconds(more[0]) if len(more) == 1 else None
            if seconds is None:
                raise ScriptError("write how many seconds to wait, as in 'wait 2.5'")
            return Wait(seconds)
        case [("unplug" | "plug") as verb, *more]:
            name = more[1].upper() if len(more) == 2 and more[0] == "panel" else ""
            if not name:
                raise ScriptError(f"write '{verb} panel {inventory.panels[0]}'")
            if name not in inventory.panels:
                there = " and ".join(inventory.panels)
                raise ScriptError(f"there is no panel {name}; the panels are {there}")
            return PlugPanel(name, verb == "plug")
        case [("stuck" | "release") as verb, *more]:
            return Stick(_parse_one_line(verb, more, inventory), verb == "stuck")
        case words:
            return _parse_presses(words, inventory)


def _parse_seconds(word: str) -> float | None:
    """A plain decimal number up to MAX_WAIT, or None."""
    whole, _, part = word.partition(".")
    if not (whole.isascii() and whole.isdigit() and (part.isdigit() or "." not in word)):
        return None
    number = float(word) if part.isascii() else MAX_WAIT + 1
    return number if number <= MAX_WAIT else None


def _parse_one_line(verb: str, rest: list[str], inventory: Inventory) -> str:
    lines = _parse_lines(rest, inventory)
    if len(lines) != 1:
        raise ScriptError(f"'{verb}' takes one button, as in '{verb} A truco'")
    return lines[0]


def _parse_presses(words: list[str], inventory: Inventory) -> TimedPress:
    """One press, and those behind ``+0.45``, which begin that long after the line."""
    starts = [at for at, word in enumerate(words) if word.startswith("+")]
    first = _parse_press(words[: min(starts, default=len(words))], inventory)
    presses = [LaterPress(0.0, first.lines, first.held)]
    for at, end in pairwise([*starts, len(words)]):
        after = _parse_seconds(words[at].removeprefix("+"))
        if after is None:
            raise ScriptError("behind '+' come seconds and a button, as in 'A truco +0.45 B truco'")
        press = _parse_press(words[at + 1 : end], inventory)
        presses.append(LaterPress(after, press.lines, press.held))
    for former, latter in pairwise(sorted(presses, key=lambda press: press.after)):
        down = set(former.lines) & set(latter.lines)
        if down and latter.after < former.after + former.held + BETWEEN_PRESSES:
            button = min(down).replace(".", " ")
            raise ScriptError(f"{button} is still down {latter.after:g} s after the line begins")
    return first._replace(later=tuple(presses[1:]))


def _parse_press(words: list[str], inventory: Inventory) -> TimedPress:
    held = TAP
    if "hold" in words:
        where = words.index("hold")
        words, rest = words[:where], words[where + 1 :]
        seconds = _parse_seconds(rest[0]) if len(rest) == 1 else None
        if rest and not seconds:
            raise ScriptError("behind 'hold' comes nothing or seconds, as in 'A tantos hold 3'")
        held = seconds or HOLD
    return TimedPress(_parse_lines(words, inventory), held)


def _parse_lines(words: list[str], inventory: Inventory) -> tuple[str, ...]:
    """The input lines named by ``words``: one, or two for ``both``."""
    match words:
        case ["no", "quiero"] | [_, "no", "quiero"]:
            return _parse_lines([*words[:-2], "no_quiero"], inventory)
        case [("undo" | "menu") as button]:
            return (_check_line(button, button, inventory),)
        case ["both", button]:
            return tuple(
                _check_line(f"{side}.{_parse_button(button)}", button, inventory) for side in "AB"
            )
        case [console, button] if console.upper() in CONSOLES:
            return (
                _check_line(
                    f"{console.upper()}.{_parse_button(button)}", _parse_button(button), inventory
                ),
            )
    raise ScriptError(_unknown_line(words))


def _parse_button(word: str) -> str:
    if word in SHARED_BUTTONS:
        raise ScriptError(f"{word.upper()} belongs to no console; write '{word}' alone")
    if word not in CONSOLE_BUTTONS:
        raise ScriptError(f"no button '{word}'{suggestion(word, CONSOLE_BUTTONS)}")
    return word


def _check_line(line: str, button: str, inventory: Inventory) -> str:
    if line in inventory.buttons:
        return line
    consoles = sorted({each[0] for each in inventory.buttons if "." in each})
    third = "." in line and line[0] in consoles and inventory.layout != "compact"
    if (inventory.layout == "compact" or third) and button in COMPACT_HINTS:
        # A third console always has the compact buttons.
        where = f"console {line[0]}" if third else "the compact layout"
        instead = COMPACT_HINTS[button].replace("'A ", f"'{line[0]} " if third else "'A ")
        raise ScriptError(f"{where} has no {button.upper().replace('_', ' ')}; {instead}")
    raise ScriptError(
        f"there is no console {line[0]} at this table; there are {' and '.join(consoles)}"
    )


def _unknown_line(words: list[str]) -> str:
    if not words:
        return "say which button, as in 'A truco'"
    if len(words) == 1 and words[0] in CONSOLE_BUTTONS:
        return f"say whose: 'A {words[0]}' or 'B {words[0]}'"
    if len(words) == 1 and words[0].upper() in CONSOLES:
        return f"say which button, as in '{words[0].upper()} truco'"
    if words[0].upper() in CONSOLES or words[0] == "both":
        return f"'{' '.join(words[2:])}' behind a button; write nothing, 'hold' or 'hold 3' there"
    firsts = (
        *CONSOLES,
        *SHARED_BUTTONS,
        "both",
        "wait",
        "power",
        "unplug",
        "plug",
        "stuck",
        "release",
    )
    hint = did_you_mean(words[0], firsts) or ", as in 'A truco', 'undo', 'wait 2.5' or 'power cut'"
    return f"'{words[0]}' begins no line{hint}"
