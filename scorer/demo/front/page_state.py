"""JSON messages for the page: panels as bits, lamps, buttons, buzzer, labels."""

import json
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scorer.demo import keys
from scorer.demo.activity import Activity
from scorer.demo.button_labels import button_words, rules_of, unused_buttons
from scorer.demo.buttons import HOLD
from scorer.display.light_frames import COLOURS
from scorer.i18n import Say, sentences
from scorer.phrases.scene import NAME_BY_SEAT


class PanelState(NamedTuple):
    """A panel with its picture in mode "1", packed, and its texts."""

    size: tuple[int, int]
    bits: bytes
    is_dim: bool
    is_plugged: bool
    texts: Sequence[str]


class TableState(NamedTuple):
    """A table as plain values, wherever it runs."""

    panels: Mapping[str, PanelState]
    lamps: Mapping[str, bool]
    state: Mapping[str, Any]  # the state document, {} without one
    lines: Collection[str]  # the buttons
    down: Collection[str]  # those that are touched
    is_dark: bool = False  # without power
    lit: Mapping[str, int] = MappingProxyType({})  # percent of each lit button


def greeting(language: str, run: str, finger: str, *, board: str) -> str:
    """The first message to a page: texts, its id, and the address of the board or ""."""
    message = {
        "run": run,
        "finger": finger,
        "language": language,
        "words": sentences(language, "front.", "terminal."),
        "hold": HOLD,
        "board": board,
    }
    return json.dumps(message, ensure_ascii=False)


def snapshot(table: TableState, activity: Activity, say: Say) -> str:
    """The visible and audible state of the table."""
    dark, rules = table.is_dark, rules_of(table.state)
    colours = table.state.get("lamps") or {}
    names = table.state.get("names") or {}
    # A team without a name has that of its lamp.
    usual = (
        NAME_BY_SEAT if len(names) > 2 else {side: f"side.lamp.{colours[side]}" for side in colours}
    )
    message = {
        "dark": dark,
        "panels": {
            name: {
                "size": panel.size,
                "bits": b64encode(panel.bits).decode(),
                "dim": panel.is_dim,
                "plugged": panel.is_plugged,
                "said": [] if dark else list(panel.texts),
            }
            for name, panel in table.panels.items()
        },
        "lamps": {name: is_lit and not dark for name, is_lit in table.lamps.items()},
        "colours": {name: COLOURS[str(colour)] for name, colour in colours.items()},
        "names": {side: name or say(usual.get(side, "side.third")) for side, name in names.items()},
        "score": table.state.get("score") or {},
        "buttons": button_words(table.lines, rules, say),
        "unused": sorted(unused_buttons(table.lines, rules)),
        "keys": keys.lines_by_letter(table.lines),
        "down": sorted(table.down),
        "verdict": activity.verdict,
        "lit": {} if dark else dict(table.lit),
        "presses": activity.presses,
        "buzzes": list(activity.buzzes),
    }
    return json.dumps(message, ensure_ascii=False)
