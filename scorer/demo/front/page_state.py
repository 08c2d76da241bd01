"""JSON messages for the page: panels as bits, lamps, buttons, buzzer, labels."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from scorer.demo import keys
from scorer.demo.button_labels import button_words, rules_of, unused_buttons
from scorer.demo.buttons import HOLD
from scorer.demo.live_demo import LiveDemo
from scorer.demo.panel import DemoPanel
from scorer.display.light_frames import COLOURS
from scorer.i18n import Say, sentences


def greeting(language: str, run: str, finger: str, *, board: bool) -> str:
    """The first message to a page: texts, and its id."""
    message = {
        "run": run,
        "finger": finger,
        "language": language,
        "words": sentences(language, "front.", "terminal."),
        "hold": HOLD,
        "board": board,
    }
    return json.dumps(message, ensure_ascii=False)


def snapshot(playing: LiveDemo, say: Say) -> str:
    """The visible and audible state of the table."""
    desk, dark = playing.table, playing.is_powered_off
    lines, report = desk.ready.lines, desk.report
    rules = rules_of(report.state)
    message = {
        "dark": dark,
        "panels": {
            name: _panel(panel, () if dark else report.texts.get(name, ()))
            for name, panel in desk.panels.items()
        },
        "lamps": {name: lamp == "on" and not dark for name, lamp in report.lamps.items()},
        "colours": {
            name: COLOURS[str(colour)] for name, colour in (report.state.get("lamps") or {}).items()
        },
        "names": report.state.get("names") or {},
        "buttons": button_words(lines, rules, say),
        "unused": sorted(unused_buttons(lines, rules)),
        "keys": keys.lines_by_letter(lines),
        "down": sorted(playing.fingers.touched(playing.clock())),
        "verdict": playing.verdict,
        "presses": playing.presses,
        "buzzes": list(playing.buzzes),
    }
    return json.dumps(message, ensure_ascii=False)


def _panel(panel: DemoPanel, said: Sequence[str]) -> dict[str, Any]:
    return {
        "size": panel.size,
        "bits": b64encode(panel.picture().tobytes()).decode(),
        "dim": panel.is_dim,
        "plugged": panel.is_plugged,
        "said": list(said),
    }
