"""What a director changes of a format before a tournament of it begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.plain_values import ValueProblem
from scorer.tournament.definition import FormatError, define
from scorer.tournament.export import describe
from scorer.tournament.format import Format

Values = Mapping[str, Any]

_TABLES = frozenset({"every_phase", "phase"})
_COMMON = frozenset({"variant", "target", "cap", "options"})
_OWN = frozenset({"best_of", "best_of_last", "legs", "zone_size", "rounds", "tiebreaks", "bye"})
# A key takes the place of others.
_INSTEAD = {
    "best_of": ("legs", "draws"),
    "legs": ("best_of", "best_of_last"),
    "zone_size": ("zones",),
    # House rules belong to their variant.
    "variant": ("options",),
}


def changed(format_: Format, changes: Values) -> Format:
    """The format with other values in its phases.

    ``changes``: ``every_phase``, a table of keys, and ``phase``, such a table for each id. Raises
    FormatError with every problem.
    """
    common, own = (_table(changes, key) for key in ("every_phase", "phase"))
    values = describe(format_)
    known = {phase["id"] for phase in values["phase"]}
    problems = [ValueProblem((key,), "is no key here") for key in changes.keys() - _TABLES]
    problems += [ValueProblem(("phase", each), "is no phase") for each in own.keys() - known]
    problems += _unknown(common, _COMMON, ("every_phase",))
    for phase in values["phase"]:
        of_phase = _table(own, phase["id"])
        problems += _unknown(of_phase, _OWN, ("phase", phase["id"]))
        for key in (*common, *of_phase):
            for other in _INSTEAD.get(key, ()):
                phase.pop(other, None)
        phase.update({**common, **of_phase})
        # Other points of a bye have an effect where the score counts.
        if "bye" in of_phase and "tiebreaks" not in of_phase and "score" not in phase["tiebreaks"]:
            phase["tiebreaks"] = ["score", *phase["tiebreaks"]]
    if problems:
        raise FormatError(problems)
    return define(format_.id, values)


def _table(values: Values, key: str) -> Values:
    """The table below a key. Raises FormatError."""
    found = values.get(key, {})
    if not isinstance(found, Mapping):
        raise FormatError([ValueProblem((key,), "is a table")])
    return found


def _unknown(values: Values, known: frozenset[str], path: tuple[str, ...]) -> list[ValueProblem]:
    sentence = f"cannot be changed; choose of {', '.join(sorted(known))}"
    return [ValueProblem((*path, key), sentence) for key in values.keys() - known]
