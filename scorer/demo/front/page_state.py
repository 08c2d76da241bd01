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
from scorer.rules.model import Action

TEXT_KEYS = (
    *(f"front.{key}" for key in ("title", "cable", "power", "sound", "board", "lost", "hint")),
    *(f"front.{key}" for key in ("loose", "panel")),
    *(f"terminal.{key}" for key in ("taken", "refused", "guarded", "question", "woke")),
    *("terminal.dark", "terminal.keys", "terminal.unplug", "terminal.cut"),
)
# The function of each button of a compact console when held.
_HELD = {"envido": "flor", "quiero": "no_quiero", "undo": "menu"}


def greeting(language: str, run: str, finger: str, *, board: bool) -> str:
    """The first message to a page: texts, and its id."""
    message = {
        "run": run,
        "finger": finger,
        "language": language,
        "words": sentences(language, TEXT_KEYS),
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
    """The label of a button. Calls are named by the variant, the rest by the language."""
    if rules is None:
        return say(f"label.{key}")
    if key == "envido" and not rules.bids:
        # Variants without envido have NO QUIERO there on a compact console.
        return (
            _word("no_quiero", rules, say, is_compact=False) if is_compact else say("label.envido")
        )
    shouted = _spoken_action(key, rules)
    return say(f"label.{key}") if shouted is None else rules.variant.word(shouted).upper()


def _spoken_action(key: str, rules: Rules) -> Action | None:
    """The action of a button that stands for a single call."""
    match key:
        case "truco":
            return rules.ladder[0].action
        case "envido":
            return rules.bids[0].action
        case "flor" if rules.flor is not None:
            return Action.FLOR
        case "quiero":
            return Action.QUIERO
        case "no_quiero":
            return Action.NO_QUIERO
    return None


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
