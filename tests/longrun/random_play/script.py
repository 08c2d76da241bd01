"""Random-play scripts: lines of text made from a seed.

Presses, pauses, faults and power cuts. The lines do not depend on the state of the table, so a seed
always gives the same script and any part of it can be left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from tests.longrun.random_play.game_kinds import Kind

WEIGHTS = {
    "truco": 4, "envido": 3, "flor": 2, "quiero": 5, "no_quiero": 3, "tantos": 5, "undo": 6,
    "menu": 2,
}  # fmt: skip
TAPS, HOLDS = (0.005, 0.02, 0.1, 0.1, 0.2), (0.3, 0.72, 0.9, 0.9, 1.5, 3.3)
PAIRS = (0.0, 0.001, 0.004, 0.007, 0.009, 0.1, 0.29, 0.31, 0.45)  # seconds between the two presses
SETUP = (
    "new_game", "house", "names", "language", "light", "layout", "back", "correct", "fouls",
    "end", "redo", "card", "selftest", "lock", "clear_night", "switch_off",
)  # fmt: skip
DEEP = ("play", "variant", "target", "mano", "start", "name", "points", "time", "concede", "redeal")
LONG = (31.0, 125.0, 301.0, 1250.0, 7300.0, 25200.0)


class Mood(NamedTuple):
    """A stretch of a script: pauses, and the relative frequency of each kind of line."""

    pauses: tuple[float, ...]
    tap: int = 60
    hold: int = 6
    pair: int = 4
    finger: int = 4  # a button that stays down, or is released
    phone: int = 3
    walk: int = 1  # through set-up
    long: int = 0
    fault: int = 1
    cut: int = 0


MOODS = (
    Mood((0.3, 0.9, 1.5, 3.1, 4.2)),  # people who play
    Mood((0.3, 0.9, 1.5, 3.1, 4.2), hold=12, walk=2, long=1, cut=1),
    Mood((0.0, 0.001, 0.006, 0.02, 0.1), pair=20, finger=20),  # children
    Mood((0.02, 0.3, 0.6, 3.1), walk=12, hold=10),
    Mood((0.1, 0.9, 3.1), fault=8, cut=2, phone=8),
    Mood((0.1, 0.5, 0.9), long=2),
)
STRETCH = 80  # lines of one mood
FAULTS = (
    "disk begin", "disk commit", "disk after", "disk open", "disk mend", "disk mend", "disk mend",
    "panel 0 absent", "panel 1 absent", "panel 0 nak", "panel 0 back", "panel 1 back",
    "lamp A gone", "lamp A back", "lost", "resync",
)  # fmt: skip


def storm(kind: Kind, seed: int, presses: int) -> Iterator[str]:
    """The lines of a night with about ``presses`` presses."""
    chance = Random(f"storm {seed}")
    made = 0
    while made < presses:
        mood = chance.choice(MOODS)
        for _ in range(STRETCH):
            for line in _happening(kind, mood, chance):
                made += presses_of(line)
                yield line


def presses_of(line: str) -> int:
    """The least number of buttons that go down in a line."""
    word = line.partition(" ")[0]
    return {"tap": 1, "down": 1, "pair": 2, "setup": 1, "choose": 2, "lost": 1}.get(word, 0)


def _happening(kind: Kind, mood: Mood, chance: Random) -> list[str]:
    words = mood._fields[1:]
    word = chance.choices(words, [getattr(mood, each) for each in words])[0]
    lines = _WORDS[word](kind, chance)
    pause = chance.choice(mood.pauses)
    return [*lines, f"wait {pause}"] if pause else lines


def button(kind: Kind, chance: Random) -> str:
    """One of the table's buttons; important ones are more frequent."""
    # A button of the other layout must have no effect; it is pressed occasionally.
    other = chance.random() < 0.02
    known = buttons(Layout.FULL if other else kind.layout, kind.consoles)
    return chance.choices(known, [WEIGHTS[each.rpartition(".")[2]] for each in known])[0]


def _tap(kind: Kind, chance: Random) -> list[str]:
    return [f"tap {button(kind, chance)} {chance.choice(TAPS)}"]


def _hold(kind: Kind, chance: Random) -> list[str]:
    return [f"tap {button(kind, chance)} {chance.choice(HOLDS)}"]


def _pair(kind: Kind, chance: Random) -> list[str]:
    first = button(kind, chance)
    console, _, key = first.rpartition(".")
    same = chance.random() < 0.6 and console in ("A", "B")
    second = f"{'B' if console == 'A' else 'A'}.{key}" if same else button(kind, chance)
    return [f"pair {first} {second} {chance.choice(PAIRS)}"]


def _finger(kind: Kind, chance: Random) -> list[str]:
    if chance.random() < 0.05:
        return [chance.choice(("all down", "all up"))]
    return [f"{chance.choice(('down', 'up', 'up'))} {button(kind, chance)}"]


def _phone(kind: Kind, chance: Random) -> list[str]:
    what = chance.choice(("legal", "legal", "legal", "wrong", "stale", "undo", "junk", "rows"))
    return [f"phone {what} {chance.random():.4f}"]


def _walk(kind: Kind, chance: Random) -> list[str]:
    """Open set-up, go to an entry, and press on from there."""
    entry = chance.choice(SETUP)
    lines = ["setup", f"choose {entry}"]
    if entry == "lock":
        # Unlock a locked table again; otherwise the rest of the night has no effect.
        return [*lines, *_tap(kind, chance), *_hold(kind, chance), "tap undo 3.3"]
    for _ in range(chance.randrange(5)):
        deeper = chance.choice(DEEP) if chance.random() < 0.4 else f"{chance.random():.4f}"
        lines.append(f"choose {deeper}")
    if chance.random() < 0.5:
        # Both sides must agree to some entries.
        lines += [f"tap {console}.quiero 0.1" for console in ("A", "B")]
    return lines


def _long(kind: Kind, chance: Random) -> list[str]:
    return [f"wait {chance.choice(LONG)}"]


def _fault(kind: Kind, chance: Random) -> list[str]:
    fault = chance.choice(FAULTS)
    return [f"lost {button(kind, chance)}"] if fault == "lost" else [fault]


def _cut(kind: Kind, chance: Random) -> list[str]:
    return ["cut"]


_WORDS = {
    "tap": _tap,
    "hold": _hold,
    "pair": _pair,
    "finger": _finger,
    "phone": _phone,
    "walk": _walk,
    "long": _long,
    "fault": _fault,
    "cut": _cut,
}
