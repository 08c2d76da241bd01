"""Parse and format one line of a score sheet.

For example ``A truco``, ``- tricks A,B,tie``, ``- mano A``, ``B award 1``. Legality is checked by
the engine. An unknown word raises SheetError; a word of another variant is parsed, and then refused
by the engine.
"""

from __future__ import annotations

from scorer.plain_values import did_you_mean
from scorer.rules.actions import OF_A_SCORING_SIDE, SIDELESS, Action, Side
from scorer.rules.model import Step
from scorer.rules.variant import Rules

_NUMBER_NEEDED = frozenset((Action.AWARD, Action.CORRECT, Action.ENVIDO_MAS))
_NUMBER_ALLOWED = _NUMBER_NEEDED | {
    Action.ENVIDO,
    Action.FLOR_ENVIDA,
    Action.FLOR_ENVIDA_MAS,
    Action.FLOR_WON,
}
_SIDE_LAST = frozenset((Action.MANO,))  # said by no side; its side is the argument
_BY_WORD = {action.value: action for action in Action}
_NO_SIDE = "-"
_TIE = "tie"
_MOST_DIGITS = 4
_LONGEST_WORD = 60
_LONGEST_SENTENCE = 800


class SheetError(ValueError):
    """A score sheet cannot be read; the message is one sentence that says what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(one_line(sentence))


def one_line(sentence: str) -> str:
    """``sentence`` as one printable line; quoted input may contain control characters."""
    told = "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in sentence
    )
    return told if len(told) <= _LONGEST_SENTENCE else f"{told[:_LONGEST_SENTENCE]}…"


def shorten(word: str) -> str:
    """A word of a file, shortened for a message."""
    return word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…"


def parse_step(text: str, rules: Rules) -> Step:
    """Parse the step in ``text`` (without its comment). Raises SheetError."""
    words = text.split()
    if len(words) < 2:
        raise SheetError(
            f"'{shorten(text.strip())}' is half a step: write a side and a word, as in 'A truco'"
        )
    if len(words) > 3:
        raise SheetError(
            f"'{shorten(text.strip())}' has too many words: side, word and one argument at most"
        )
    word = words[1]
    action = _BY_WORD.get(word)
    if action is None:
        raise SheetError(f"unknown word '{shorten(word)}'{did_you_mean(word.lower(), _BY_WORD)}")
    argument = words[2] if len(words) == 3 else None
    if action in _SIDE_LAST:
        return Step(_side_argument(words[0], argument, action, rules), action)
    side = _side(words[0], action, rules)
    if action is Action.TRICKS:
        return Step(side, action, tricks=_tricks(argument, rules))
    return Step(side, action, _amount(argument, action))


def step_text(step: Step) -> str:
    """Format the step as a line of a score sheet; the inverse of ``parse_step``."""
    words = [step.side or _NO_SIDE, step.action]
    if step.action in _SIDE_LAST:
        words = [_NO_SIDE, step.action, step.side or ""]
    if step.amount is not None:
        words.append(str(step.amount))
    if step.action is Action.TRICKS:
        words.append(",".join(winner or _TIE for winner in step.tricks))
    return " ".join(words)


def split_comment(line: str) -> tuple[str, str]:
    """The step and the comment of a line, both stripped."""
    text, _, comment = line.partition("#")
    return text.strip(), comment.strip()


def _side(word: str, action: Action, rules: Rules) -> Side | None:
    if action in SIDELESS:
        if word != _NO_SIDE:
            raise SheetError(f"{action} belongs to no side; write '- {action}'")
        return None
    # Points are given to scoring sides, calls are made by speaking sides.
    scoring = action in OF_A_SCORING_SIDE
    sides = rules.scoring_sides if scoring else rules.speaking_sides
    if word not in sides:
        known = " and ".join(sides)
        who = "nobody" if word == _NO_SIDE else f"'{shorten(word)}'"
        raise SheetError(f"{who} cannot say {action} in {rules.variant.id}; the sides are {known}")
    return Side(word)


def _side_argument(word: str, argument: str | None, action: Action, rules: Rules) -> Side:
    sides, example = rules.scoring_sides, f"'- {action} A'"
    if word != _NO_SIDE:
        raise SheetError(f"{action} belongs to no side; write it as in {example}")
    if argument not in sides:
        told = "nothing" if argument is None else f"'{shorten(argument)}'"
        known = " and ".join(sides)
        sentence = f"{action} names a side, as in {example}, not {told}; the sides are {known}"
        raise SheetError(sentence)
    return Side(argument)


def _amount(argument: str | None, action: Action) -> int | None:
    if argument is None:
        if action in _NUMBER_NEEDED:
            raise SheetError(f"{action} needs a number, as in 'A {action} 2'")
        return None
    if action not in _NUMBER_ALLOWED:
        raise SheetError(f"{action} takes no argument; '{shorten(argument)}' is too much")
    if not (argument.isascii() and argument.isdigit() and len(argument) <= _MOST_DIGITS):
        raise SheetError(f"'{shorten(argument)}' is not a number from 0 to {10**_MOST_DIGITS - 1}")
    return int(argument)


def _tricks(argument: str | None, rules: Rules) -> tuple[Side | None, ...]:
    names: dict[str, Side | None] = {
        **{side.value: side for side in rules.speaking_sides},
        _TIE: None,
    }
    results = (argument or "").split(",")
    wrong = [result for result in results if result not in names]
    if wrong:
        known = ", ".join(names)
        quoted = shorten(wrong[0])
        raise SheetError(
            f"'{quoted}' is no trick; write a list of {known}, as in '- tricks A,B,tie'"
        )
    return tuple(names[result] for result in results)
