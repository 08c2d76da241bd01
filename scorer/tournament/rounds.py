"""The next round of a phase: drawn, Swiss, or a bracket drawn anew each round."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from scorer.tournament.bracket import section_size
from scorer.tournament.draw import drawn_order
from scorer.tournament.format import Pairing, PhaseFormat
from scorer.tournament.model import EventRefusal, Fixture, Pair, Reason
from scorer.tournament.reader import Reader, teams_of
from scorer.tournament.swiss import Contestant, PairedRound, PairingTask
from scorer.tournament.ties import UnpairedMatch
from scorer.tournament.tournament import Round, Stage, Tournament


def pair_next(reader: Reader, phase: PhaseFormat, known: PairedRound) -> Stage | EventRefusal:
    """The stage with one more round, or with a play-off.

    A Swiss round needs all results before it. ``known``: how it was paired; without pairs it is
    paired here.
    """
    stage = reader.state.stages[phase.id]
    if unpaired := reader.unpaired(phase.id):
        return _with_playoff(stage, phase, unpaired, known)
    if refusal := _refusal(reader, phase):
        return refusal
    if phase.redraw:
        return _draw_survivors(reader, phase, known)
    contestants = before_round(reader, phase)
    if len(contestants) < 2:
        return EventRefusal(Reason.TOO_FEW)
    if known.pairs:
        return _with_known(stage, phase, tuple(contestants), known)
    found = _task(reader, phase, contestants).solve()
    if found is None:
        return EventRefusal(Reason.NO_PAIRING)
    return _with_round(stage, phase, tuple(contestants), found)


def next_task(reader: Reader, phase: PhaseFormat) -> PairingTask | None:
    """What has to be solved for ``pair_next``.

    None if that is refused, makes a play-off, or draws the teams of a bracket.
    """
    if phase.redraw or reader.unpaired(phase.id) or _refusal(reader, phase):
        return None
    contestants = before_round(reader, phase)
    return _task(reader, phase, contestants) if len(contestants) > 1 else None


def _refusal(reader: Reader, phase: PhaseFormat) -> EventRefusal | None:
    stage = reader.state.stages[phase.id]
    if stage.has_all_rounds(phase) and not phase.redraw:
        return EventRefusal(Reason.NO_ROUND_LEFT)
    needs_results = phase.redraw or phase.pairing is Pairing.SWISS
    if needs_results and not all(map(reader.is_over, stage.matches)):
        return EventRefusal(Reason.NOT_COMPLETE)
    return None


def _task(reader: Reader, phase: PhaseFormat, contestants: list[Contestant]) -> PairingTask:
    number = len(reader.state.stages[phase.id].rounds) + 1
    compared = contestants
    if phase.pairing is Pairing.DRAWN:
        compared = [each._replace(score=0, floats=(0, 0)) for each in contestants]
    avoided = _of_one_club(reader.state, contestants) if phase.apart else ()
    return PairingTask(
        tuple(compared),
        frozenset(met(reader, phase)) | reader.state.forbidden,
        frozenset(avoided),
        phase.rounds - number,
        reader.state.seed,
        f"{phase.id} round {number}",
    )


def before_round(reader: Reader, phase: PhaseFormat) -> list[Contestant]:
    """The teams of the next round, with score, byes and floats so far."""
    state, stage = reader.state, reader.state.stages[phase.id]
    number = len(stage.rounds) + 1
    scores, floats = reader.scores(phase.id), _floats(stage)
    byes = Counter(each.bye for each in stage.rounds)
    return [
        Contestant(team, scores[team], byes[team], floats.get(team, (0, 0)))
        for team in stage.entrants
        if team not in state.withdrawn and (phase.id, number, team) not in state.absences
    ]


def met(reader: Reader, phase: PhaseFormat) -> set[Pair]:
    """The pairs that this phase pairs no more, the smaller id first."""
    sides = (reader.sides(match_id) for match_id in reader.state.stages[phase.id].matches)
    times = Counter((min(a, b), max(a, b)) for a, b in sides if a and b)
    allowed = reader.state.rematches
    return {pair for pair, count in times.items() if count > ((phase.id, *pair) in allowed)}


def exchange(reader: Reader, phase: PhaseFormat, one: int, other: int) -> Stage | EventRefusal:
    """The stage with two teams of the last round exchanged.

    One of them may have its bye; both must be without a result. It is refused if it makes a
    rematch or a forbidden pair.
    """
    stage = reader.state.stages[phase.id]
    if not stage.rounds or one == other:
        return EventRefusal(Reason.NO_TEAMS)
    last = stage.rounds[-1]
    place = {team: each for each in last.matches for team in reader.sides(each)}
    if last.bye:
        place[last.bye] = ""
    if one not in place or other not in place or place[one] == place[other]:
        return EventRefusal(Reason.NO_TEAMS)
    changed = [each for each in (place[one], place[other]) if each]
    if played := tuple(each for each in changed if reader.result(each) is not None):
        return EventRefusal(Reason.RESTS, played)
    swapped = {one: other, other: one}
    matches = {**stage.matches}
    for each in changed:
        a, b = teams_of(stage.matches[each])
        matches[each] = stage.matches[each]._replace(slots=(swapped.get(a, a), swapped.get(b, b)))
    before = {key: each for key, each in stage.matches.items() if key not in last.matches}
    stages = {**reader.state.stages, phase.id: stage._replace(matches=before)}
    excluded = met(Reader(reader.state._replace(stages=stages)), phase) | reader.state.forbidden
    pairs = (sorted(teams_of(matches[each])) for each in changed)
    if any((a, b) in excluded for a, b in pairs):
        return EventRefusal(Reason.NO_PAIRING)
    bye = swapped.get(last.bye, last.bye)
    rounds = (*stage.rounds[:-1], last._replace(bye=bye))
    return stage._replace(matches=matches, rounds=rounds)


def _of_one_club(state: Tournament, contestants: list[Contestant]) -> set[Pair]:
    clubs: dict[str, list[int]] = {}
    for each in contestants:
        clubs.setdefault(state.teams[each.team].club, []).append(each.team)
    clubs.pop("", None)
    return {pair for teams in clubs.values() for pair in combinations(sorted(teams), 2)}


def _floats(stage: Stage) -> dict[int, Pair]:
    """How often each team met a lower, and a higher score."""
    floats: dict[int, Pair] = {}
    for paired in stage.rounds:
        score = {each.team: each.score for each in paired.contestants}
        for match_id in paired.matches:
            one, other = teams_of(stage.matches[match_id])
            for team, opponent in ((one, other), (other, one)):
                down, up = floats.get(team, (0, 0))
                gap = score[team] - score[opponent]
                floats[team] = (down + (gap > 0), up + (gap < 0))
    return floats


def _draw_survivors(reader: Reader, phase: PhaseFormat, known: PairedRound) -> Stage | EventRefusal:
    """The next round of a bracket drawn anew: byes to the best seeds, in round 1 only."""
    stage = reader.state.stages[phase.id]
    teams = reader.still_in(stage)
    if len(teams) < 2:
        return EventRefusal(Reason.NO_ROUND_LEFT)
    contestants = tuple(Contestant(team, 0) for team in teams)
    if known.pairs:
        return _with_known(stage, phase, contestants, known)
    number = len(stage.rounds) + 1
    byes = section_size(len(teams)) - len(teams)
    order = drawn_order(reader.state.seed, f"{phase.id} round {number}", teams[byes:])
    pairs = tuple(zip(order[::2], order[1::2], strict=True))
    return _with_round(stage, phase, contestants, PairedRound(pairs))


def _with_known(
    stage: Stage, phase: PhaseFormat, contestants: tuple[Contestant, ...], known: PairedRound
) -> Stage | EventRefusal:
    """The stage with a round that was paired before.

    It is refused unless its teams are those of the round; in a bracket some may have no match.
    """
    here = {each.team for each in contestants}
    named = [team for pair in known.pairs for team in pair] + [known.bye] * bool(known.bye)
    is_whole = phase.redraw or len(named) == len(here)
    if len(set(named)) < len(named) or not here.issuperset(named) or not is_whole:
        return EventRefusal(Reason.NO_PAIRING)
    return _with_round(stage, phase, contestants, known)


def _with_round(
    stage: Stage, phase: PhaseFormat, contestants: tuple[Contestant, ...], paired: PairedRound
) -> Stage:
    number = len(stage.rounds) + 1
    made = [
        Fixture(f"{phase.id}-R{number}-M{at}", phase.id, 0, number, pair, level=number)
        for at, pair in enumerate(paired.pairs, 1)
    ]
    return stage._replace(
        matches={**stage.matches, **{each.id: each for each in made}},
        rounds=(*stage.rounds, Round(contestants, tuple(each.id for each in made), paired.bye)),
    )


def _with_playoff(
    stage: Stage, phase: PhaseFormat, unpaired: list[UnpairedMatch], known: PairedRound
) -> Stage | EventRefusal:
    """The stage with the matches of a play-off, after all others."""
    needed = {each.pair: each for each in unpaired}
    pairs = known.pairs or tuple(needed)
    if not set(pairs) <= needed.keys() or len(set(pairs)) < len(pairs) or known.bye:
        return EventRefusal(Reason.NO_PAIRING)
    last = max(each.round for each in stage.matches.values())
    name = f"{phase.id}-P{len(stage.playoffs) + 1}"
    made = {
        f"{name}-M{at}": Fixture(
            f"{name}-M{at}",
            phase.id,
            needed[pair].zone,
            last + needed[pair].round,
            pair,
            is_playoff=True,
        )
        for at, pair in enumerate(pairs, 1)
    }
    return stage._replace(
        matches={**stage.matches, **made}, playoffs=(*stage.playoffs, tuple(made))
    )
