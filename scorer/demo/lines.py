"""The language of demo scripts: one line of text -> what it asks of the table.

Pure. It knows which buttons and panels are on this desk, not what they do.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.demo.buttons import COMPACT_INSTEAD, CONSOLES, HOLD, OF_A_CONSOLE, SHARED, TAP
from scorer.rules.options import nearest

LONGEST_WAIT = 7 * 24 * 3600.0  # seconds


class Press(NamedTuple):
    """A finger on each of ``lines`` for ``held`` seconds; ``cut``: the power goes in the middle."""

    lines: tuple[str, ...]
    held: float
    power_cut: bool = False


class Wait(NamedTuple):
    """Nobody touches anything for so many seconds."""

    seconds: float


class PowerCut(NamedTuple):
    """The plug is pulled and put back."""


class PlugPanel(NamedTuple):
    """A panel's cable comes out, or goes back in."""

    panel: str
    plugged: bool


class Stick(NamedTuple):
    """A button jams down, or comes free."""

    line: str
    stuck: bool


Command = Press | Wait | PowerCut | PlugPanel | Stick


class Bench(NamedTuple):
    """What there is to press and to unplug."""

    layout: str
    buttons: frozenset[str]
    panels: tuple[str, ...]


class ScriptError(Exception):
    """A line that says nothing; the text is a sentence that says what to write."""


def words_of(line: str) -> str:
    """The line without its comment and the blanks around it."""
    return " ".join(line.partition("#")[0].split())


def command_of(text: str, inventory: Bench) -> Command:
    """What ``text`` (of ``words_of``, not empty) asks for. Raises ScriptError."""
    act, comma, rest = text.partition(",")
    if comma:
        return _cut_short(act.split(), rest.split(), inventory)
    match text.lower().split():
        case ["power", *more]:
            return _power(more)
        case ["wait", *more]:
            return Wait(_wait(more))
        case [("unplug" | "plug") as verb, *more]:
            return PlugPanel(_panel(verb, more, inventory), verb == "plug")
        case [("stuck" | "release") as verb, *more]:
            return Stick(_one_line(verb, more, inventory), verb == "stuck")
        case words:
            return _press(words, inventory)


def _cut_short(act: list[str], rest: list[str], inventory: Bench) -> Command:
    if [word.lower() for word in rest] != ["power", "cut"]:
        raise ScriptError("after a comma comes 'power cut', as in 'A truco, power cut'")
    return _press([word.lower() for word in act], inventory)._replace(power_cut=True)


def _power(rest: list[str]) -> PowerCut:
    if rest != ["cut"]:
        raise ScriptError("write 'power cut'")
    return PowerCut()


def _wait(rest: list[str]) -> float:
    seconds = _number(rest[0]) if len(rest) == 1 else None
    if seconds is None:
        raise ScriptError("write how many seconds to wait, as in 'wait 2.5'")
    return seconds


def _number(word: str) -> float | None:
    """A plain decimal number up to LONGEST_WAIT, or None."""
    whole, _, part = word.partition(".")
    if not (whole.isascii() and whole.isdigit() and (part.isdigit() or "." not in word)):
        return None
    number = float(word) if part.isascii() else LONGEST_WAIT + 1
    return number if number <= LONGEST_WAIT else None


def _panel(verb: str, rest: list[str], inventory: Bench) -> str:
    name = rest[1].upper() if len(rest) == 2 and rest[0] == "panel" else ""
    if not name:
        raise ScriptError(f"write '{verb} panel {inventory.panels[0]}'")
    if name not in inventory.panels:
        there = " and ".join(inventory.panels)
        raise ScriptError(f"there is no panel {name}; the panels are {there}")
    return name


def _one_line(verb: str, rest: list[str], inventory: Bench) -> str:
    lines = _lines(rest, inventory)
    if len(lines) != 1:
        raise ScriptError(f"'{verb}' takes one button, as in '{verb} A truco'")
    return lines[0]


def _press(words: list[str], inventory: Bench) -> Press:
    held = TAP
    if "hold" in words:
        where = words.index("hold")
        held = _held(words[where + 1 :])
        words = words[:where]
    return Press(_lines(words, inventory), held)


def _held(rest: list[str]) -> float:
    if not rest:
        return HOLD
    seconds = _number(rest[0]) if len(rest) == 1 else None
    if not seconds:
        raise ScriptError("behind 'hold' comes nothing or seconds, as in 'A tantos hold 3'")
    return seconds


def _lines(words: list[str], inventory: Bench) -> tuple[str, ...]:
    """The input lines that ``words`` name: one, or two for ``both``."""
    match words:
        case ["no", "quiero"] | [_, "no", "quiero"]:
            return _lines([*words[:-2], "no_quiero"], inventory)
        case [("undo" | "menu") as button]:
            return (_there(button, button, inventory),)
        case ["both", button]:
            return tuple(_there(f"{side}.{_button(button)}", button, inventory) for side in "AB")
        case [console, button] if console.upper() in CONSOLES:
            return (_there(f"{console.upper()}.{_button(button)}", _button(button), inventory),)
    raise ScriptError(_unknown(words))


def _button(word: str) -> str:
    if word in SHARED:
        raise ScriptError(f"{word.upper()} belongs to no console; write '{word}' alone")
    if word not in OF_A_CONSOLE:
        hint = nearest(word, OF_A_CONSOLE) or f"; the buttons are {', '.join(OF_A_CONSOLE)}"
        raise ScriptError(f"no button '{word}'{hint}")
    return word


def _there(line: str, button: str, inventory: Bench) -> str:
    if line in inventory.buttons:
        return line
    consoles = sorted({each[0] for each in inventory.buttons if "." in each})
    third = "." in line and line[0] in consoles and inventory.layout != "compact"
    if (inventory.layout == "compact" or third) and button in COMPACT_INSTEAD:
        # A third console has few buttons, whatever the others have.
        where = f"console {line[0]}" if third else "the compact layout"
        instead = COMPACT_INSTEAD[button].replace("'A ", f"'{line[0]} " if third else "'A ")
        raise ScriptError(f"{where} has no {button.upper().replace('_', ' ')}; {instead}")
    raise ScriptError(
        f"there is no console {line[0]} at this table; there are {' and '.join(consoles)}"
    )


def _unknown(words: list[str]) -> str:
    if not words:
        return "say which button, as in 'A truco'"
    if len(words) == 1 and words[0] in OF_A_CONSOLE:
        return f"say whose: 'A {words[0]}' or 'B {words[0]}'"
    if len(words) == 1 and words[0].upper() in CONSOLES:
        return f"say which button, as in '{words[0].upper()} truco'"
    if words[0].upper() in CONSOLES or words[0] == "both":
        return f"'{' '.join(words[2:])}' behind a button; write nothing, 'hold' or 'hold 3' there"
    firsts = (*CONSOLES, *SHARED, "both", "wait", "power", "unplug", "plug", "stuck", "release")
    hint = nearest(words[0], firsts) or ", as in 'A truco', 'undo', 'wait 2.5' or 'power cut'"
    return f"'{words[0]}' begins no line{hint}"
