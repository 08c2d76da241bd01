"""The printed labels of the buttons, and the buttons that a truco does not use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from scorer.i18n import Say
from scorer.rules import Rules, RulesError, find_variant, rules_for

# The function of each button of a compact console when held.
_HELD = {"envido": "flor", "quiero": "no_quiero", "undo": "menu"}


def rules_of(state: Mapping[str, Any]) -> Rules | None:
    """The rules of the current game, or None if they are not known here."""
    try:
        return rules_for(find_variant(str(state["variant"])), state.get("options") or {})
    except (KeyError, RulesError):
        return None


def button_words(lines: Collection[str], rules: Rules | None, say: Say) -> dict[str, list[str]]:
    """Per button its label, and the small one below it (its hold function) or ""."""
    return {
        line: [
            _word(key, rules, say, is_compact=is_compact),
            _small_word(key, rules, say, is_compact=is_compact),
        ]
        for line, key, is_compact in _buttons(lines)
    }


def unused_buttons(lines: Collection[str], rules: Rules | None) -> frozenset[str]:
    """The buttons of calls that the rules do not have."""
    if rules is None:
        return frozenset()
    has = {"flor": rules.flor is not None, "envido": bool(rules.bids)}
    return frozenset(
        line
        for line, key, is_compact in _buttons(lines)
        # Without envido, its button on a compact console is NO QUIERO.
        if not has.get(key, True) and not (is_compact and key == "envido")
    )


def legend(keys: Mapping[str, str], rules: Rules | None, say: Say) -> dict[str, list[str]]:
    """Per console its keys with their labels; those of shared buttons below "".

    A capital letter is a button held: ``q TRUCO``, ``a QUIERO``, ``A NO QUIERO``.
    """
    unused, found = unused_buttons(keys.values(), rules), dict[str, list[str]]()
    letters = {line: letter for letter, line in keys.items()}
    for line, key, is_compact in _buttons(keys.values()):
        if line not in unused:
            entries = found.setdefault(line.rpartition(".")[0], [])
            entries.append(f"{letters[line]} {_word(key, rules, say, is_compact=is_compact)}")
            if held := _held_word(key, rules, say, is_compact=is_compact):
                entries.append(f"{letters[line].upper()} {held}")
    return dict(sorted(found.items(), key=lambda each: each[0] or "~"))


def _buttons(lines: Collection[str]) -> Iterator[tuple[str, str, bool]]:
    """Each line with its key, and whether its console has few buttons."""
    compact = {line[0] for line in lines if "." in line and f"{line[0]}.flor" not in lines}
    for line in lines:
        console, _, key = line.rpartition(".")
        yield line, key, console in compact if console else "menu" not in lines


def _word(key: str, rules: Rules | None, say: Say, *, is_compact: bool) -> str:
    """The label of a button, as printed."""
    # Without envido, its button on a compact console is NO QUIERO.
    means_no = key == "envido" and is_compact and rules is not None and not rules.bids
    return say("label.no_quiero" if means_no else f"label.{key}")


def _small_word(key: str, rules: Rules | None, say: Say, *, is_compact: bool) -> str:
    if not is_compact:
        return say("label.undo.small") if key == "undo" else ""
    held = _held_word(key, rules, say, is_compact=True)
    return say("label.held", word=held) if held else ""


def _held_word(key: str, rules: Rules | None, say: Say, *, is_compact: bool) -> str:
    """The label of the button that this one is when held, or ""."""
    other = _HELD.get(key)
    if not is_compact or other is None:
        return ""
    if rules is not None and key != "undo":
        has_hold = rules.flor is not None if key == "envido" else bool(rules.bids)
        if not has_hold:
            return ""
    return _word(other, rules, say, is_compact=False)
