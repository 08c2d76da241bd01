"""JSON messages for the page: panels as bits, lamps, buttons, buzzer, labels."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Collection, Mapping
from typing import Any

from scorer.demo import keys
from scorer.demo.buttons import HOLD
from scorer.demo.live_demo import LiveDemo
from scorer.demo.panel import DemoPanel
from scorer.i18n import Say, sentences
from scorer.rules import Rules, RulesError, find_variant, rules_for

# The function of each button of a compact console when held.
_HELD = {"envido": "flor", "quiero": "no_quiero", "undo": "menu"}


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
    message = {
        "dark": dark,
        "panels": {name: _panel(panel) for name, panel in desk.panels.items()},
        "said": [] if dark else list(report.text),
        "lamps": {name: lamp == "on" and not dark for name, lamp in report.lamps.items()},
        "names": report.state.get("names") or {},
        "buttons": button_words(lines, _rules_from(report.state), say),
        "keys": keys.lines_by_letter(lines),
        "down": sorted(playing.fingers.touched(playing.clock())),
        "verdict": playing.verdict,
        "presses": playing.presses,
        "buzzes": list(playing.buzzes),
    }
    return json.dumps(message, ensure_ascii=False)


def button_words(lines: Collection[str], rules: Rules | None, say: Say) -> dict[str, list[str]]:
    """Per button its label, and the small one below it (its hold function) or ""."""
    compact = {line[0] for line in lines if "." in line and f"{line[0]}.flor" not in lines}
    words = {}
    for line in lines:
        console, _, key = line.rpartition(".")
        few = console in compact if console else "menu" not in lines
        words[line] = [
            _word(key, rules, say, is_compact=few),
            _small_word(key, rules, say, is_compact=few),
        ]
    return words


def _word(key: str, rules: Rules | None, say: Say, *, is_compact: bool) -> str:
    """The label of a button, as printed."""
    # Without envido, its button on a compact console is NO QUIERO.
    means_no = key == "envido" and is_compact and rules is not None and not rules.bids
    return say("label.no_quiero" if means_no else f"label.{key}")


def _small_word(key: str, rules: Rules | None, say: Say, *, is_compact: bool) -> str:
    if not is_compact:
        return say("label.undo.small") if key == "undo" else ""
    other = _HELD.get(key)
    if other is None or not _has_hold(key, rules):
        return ""
    return say("label.held", word=_word(other, rules, say, is_compact=False))


def _has_hold(key: str, rules: Rules | None) -> bool:
    if rules is None or key == "undo":
        return True
    return rules.flor is not None if key == "envido" else bool(rules.bids)


def _rules_from(state: Mapping[str, Any]) -> Rules | None:
    """The rules of the current game, or None if they are not known here."""
    try:
        return rules_for(find_variant(str(state["variant"])), state.get("options") or {})
    except (KeyError, RulesError):
        return None


def _panel(panel: DemoPanel) -> dict[str, Any]:
    return {
        "size": panel.size,
        "bits": b64encode(panel.picture().tobytes()).decode(),
        "dim": panel.is_dim,
        "plugged": panel.is_plugged,
    }
