"""Read a format from plain data, and report every problem at once.

A format is one TOML file; docs/reference/tournament.md lists the keys. ``scorer.config`` reads the
file, and checks the variants and their options.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorer.plain_values import NO_TABLE, ValueProblem, WrongValues, read
from scorer.tournament.format import (
    CapEnding,
    Criterion,
    Format,
    Pairing,
    PhaseFormat,
    PhaseKind,
    Source,
)

Values = Mapping[str, Any]
MAX_LAST_ROUNDS = 12  # whose matches have a length of their own


class FormatError(ValueError):
    """The data is no format; ``found`` has every problem: ("phase", "0", "kind")."""

    def __init__(self, found: Iterable[ValueProblem]) -> None:
        self.found = tuple(found)
        super().__init__("; ".join(map(str, self.found)))


def define(format_id: str, values: Values) -> Format:
    """The format defined by ``values``. Raises FormatError with every problem."""
    common, written = values.get("every_phase", {}), values.get("phase", [])
    problems: list[ValueProblem] = []
    if not isinstance(common, Mapping):
        problems.append(ValueProblem(("every_phase",), NO_TABLE))
        common = {}
    if "id" in values:
        problems.append(ValueProblem(("id",), "is no key: the id is the name of the file"))
    problems += _problems_of_common(common)
    phases = [
        {**common, **each} if isinstance(each, Mapping) else each
        for each in (written if isinstance(written, list) else ())
    ]
    top = {key: value for key, value in values.items() if key != "every_phase"}
    merged = {**top, "id": format_id, "phase": phases if isinstance(written, list) else written}
    try:
        found = read(Format, merged)
    except WrongValues as error:
        problems += (_located(problem, values) for problem in error.problems)
        raise FormatError(dict.fromkeys(problems)) from None
    ranked = tuple(
        phase if phase.tiebreaks else replace(phase, tiebreaks=default_tiebreaks(phase))
        for phase in found.phases
    )
    problems += (
        ValueProblem(("phase", str(at), *key.split(".")), sentence)
        for at, phase in enumerate(ranked)
        for key, sentence in _contradictions(phase, written[at].keys(), ranked[:at])
    )
    if problems:
        raise FormatError(problems)
    return replace(found, phases=ranked)


def _problems_of_common(values: Values) -> Iterable[ValueProblem]:
    """What is wrong with the keys that all phases have, also where each has its own."""
    try:
        read(PhaseFormat, values)
    except WrongValues as error:
        return [each for each in error.below("every_phase") if each.path[1] in values]
    return ()


def _located(problem: ValueProblem, values: Values) -> ValueProblem:
    """A problem of a phase, at the key that all phases have from one table."""
    match problem.path:
        case ("phase", at, key, *_) if (
            key in values.get("every_phase", {}) and key not in values["phase"][int(at)]
        ):
            return ValueProblem(("every_phase", *problem.path[2:]), problem.sentence)
    return problem


def default_tiebreaks(phase: PhaseFormat) -> tuple[Criterion, ...]:
    """The tie-breaks of a phase that lists none."""
    is_by_wins = not phase.draws and phase.bye_score == phase.score[0]
    first = (Criterion.WINS,) if is_by_wins else (Criterion.SCORE,)
    swiss = (Criterion.BUCHHOLZ_CUT, Criterion.BUCHHOLZ, Criterion.SONNEBORN_BERGER)
    return (
        *first,
        *(swiss if phase.pairing is Pairing.SWISS else ()),
        Criterion.MET,
        Criterion.GAMES_DIFFERENCE,
        Criterion.POINTS_DIFFERENCE,
        Criterion.POINTS_FOR,
        Criterion.WALKOVERS,
        Criterion.DRAW,
    )


def _contradictions(
    phase: PhaseFormat, own: Collection[str], before: Sequence[PhaseFormat]
) -> Iterable[tuple[str, str]]:
    """What the keys of a phase, each readable, say against each other."""
    names = {each.id: each for each in before}
    for key in own:
        if phase.kind not in _ONLY.get(key, (phase.kind,)):
            yield key, f"is no key of a phase of kind {phase.kind}"
    if phase.id in names:
        yield "id", f"'{phase.id}' is another phase"
    if phase.best_of % 2 == 0:
        yield "best_of", "is an odd number"
    if any(each % 2 == 0 for each in phase.best_of_last):
        yield "best_of_last", "has odd numbers"
    if len(phase.best_of_last) > (1 if phase.kind is PhaseKind.DOUBLE else MAX_LAST_ROUNDS):
        yield (
            "best_of_last",
            f"has at most {MAX_LAST_ROUNDS} rounds, of kind double the final alone",
        )
    if "legs" in own and phase.best_of_last:
        yield "best_of_last", "needs best_of; legs are of all rounds"
    if "legs" in own and "best_of" in own:
        yield "legs", "stands instead of best_of; give one of them"
    if phase.draws and (phase.kind in (PhaseKind.BRACKET, PhaseKind.DOUBLE) or not phase.legs):
        yield "draws", "are possible in zones and rounds, in matches of legs"
    if phase.score != tuple(sorted(phase.score, reverse=True)) or phase.score[0] == phase.score[2]:
        yield "score", "is that of a win, a draw and a defeat; a win counts most"
    if phase.bye_score > phase.score[0]:
        yield "bye", "is at most that of a win"
    elif phase.bye_score < phase.score[0] and Criterion.SCORE not in phase.tiebreaks:
        yield "tiebreaks", "has score where a bye counts less than a win"
    if "cap_start" in own and phase.cap_ending is not CapEnding.START:
        yield "cap_start", 'needs cap_ending = "start"'
    if phase.cap_ending is CapEnding.START and not 0 < phase.cap_start < phase.target:
        yield "cap_start", f"is a number from 1 to {phase.target - 1}"
    if phase.tiebreaks[-1:] != (Criterion.DRAW,) or len(set(phase.tiebreaks)) < len(
        phase.tiebreaks
    ):
        yield "tiebreaks", "names each criterion once, and draw as the last one"
    elif Criterion.PLAYOFF in phase.tiebreaks:
        if phase.kind not in (PhaseKind.ZONES, PhaseKind.ROUNDS):
            yield "tiebreaks", "has playoff in zones and rounds only"
        elif phase.tiebreaks[-2] is not Criterion.PLAYOFF:
            yield "tiebreaks", "has playoff directly before draw"
    if phase.kind is PhaseKind.ROUNDS and not phase.rounds:
        yield "rounds", "is missing"
    if phase.third_place and phase.survivors > 1:
        yield "third_place", "needs a final; survivors is 1"
    if phase.redraw and (phase.third_place or phase.survivors > 1):
        yield "redraw", "has neither third_place nor survivors"
    for at, source in enumerate(phase.entrants):
        if sentence := _wrong_source(source, names):
            yield f"from.{at}", sentence
    if not before and any(source.phase for source in phase.entrants):
        yield "from", "of the first phase is left out: all entries"


def _wrong_source(source: Source, before: Mapping[str, PhaseFormat]) -> str:
    if not source.phase:
        return "" if not before else "names a phase before this one"
    origin = before.get(source.phase)
    if origin is None:
        return f"'{source.phase}' is no phase before this one; choose of {', '.join(before)}"
    if source.losers_of and (origin.kind is not PhaseKind.BRACKET or origin.redraw):
        return "losers_of needs a bracket without redraw"
    if source.best and (origin.kind is not PhaseKind.ZONES or source.first != source.last):
        return "best needs one place of zones, such as place = 3"
    if source.last and source.last < source.first:
        return "places are the first and the last"
    return ""


_ONLY: Mapping[str, tuple[PhaseKind, ...]] = {
    "zones": (PhaseKind.ZONES,),
    "zone_size": (PhaseKind.ZONES,),
    "twice": (PhaseKind.ZONES,),
    "leaving": (PhaseKind.ZONES,),
    "survivors": (PhaseKind.BRACKET,),
    "third_place": (PhaseKind.BRACKET,),
    "redraw": (PhaseKind.BRACKET,),
    "rounds": (PhaseKind.ROUNDS,),
    "bye": (PhaseKind.ROUNDS,),
    "best_of_last": (PhaseKind.BRACKET, PhaseKind.ROUNDS, PhaseKind.DOUBLE),
    "pairing": (PhaseKind.ROUNDS,),
    "second_final": (PhaseKind.DOUBLE,),
    "drawn": (PhaseKind.ZONES, PhaseKind.BRACKET, PhaseKind.DOUBLE),
}
