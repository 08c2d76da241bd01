"""Play whole tournaments with results by a seeded coin."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from scorer.config.tournament_formats import built_in_formats
from scorer.tournament import (
    EventRefusal,
    Format,
    Reader,
    Result,
    Tournament,
    apply,
    as_logged,
    begin,
    define,
    results,
)
from scorer.tournament.events import (
    AnswerNames,
    Draw,
    Enter,
    Event,
    PairRound,
    RecordResult,
    StartPhase,
)
from scorer.tournament.format import PhaseFormat, PhaseKind

PHASE = {"id": "a", "kind": "bracket", "variant": "argentine", "target": 30}
# Who wins, given the state, the match and its two teams: 0 or 1.
Chooser = Callable[[Tournament, str, int, int], int]


def built_in(name: str) -> Format:
    return define(name, tomllib.loads(built_in_formats()[name].read_text(encoding="utf-8")))


def format_of(*phases: Mapping[str, Any], **keys: object) -> Format:
    """A format of phases that lack only what differs from PHASE."""
    return define(
        "test", {"title": "test", **keys, "phase": [{**PHASE, **each} for each in phases]}
    )


def coin(seed: int) -> Chooser:
    flips = random.Random(seed)
    return lambda *_: flips.randrange(2)


def stronger(_: Tournament, __: str, one: int, other: int) -> int:
    """The team that entered first wins."""
    return 0 if one < other else 1


def result_of(phase: PhaseFormat, winner: int, *, points: int | None = None) -> Result:
    """All games to the winner; the loser has ``points``."""
    games = phase.games_to_win
    won, lost = games * phase.target, points if points is not None else games
    both = ((games, 0), (won, lost)) if winner == 0 else ((0, games), (lost, won))
    found = results.played(phase, *both)
    assert isinstance(found, Result)
    return found


class Played:
    """A tournament, and the log of its events."""

    def __init__(self, format_: Format, teams: int = 0, *, clubs: int = 0, seeds: int = 0) -> None:
        self.state = begin(format_)
        self.log: list[Event] = []
        for at in range(1, teams + 1):
            club = f"club {at % clubs}" if clubs else ""
            self.do(Enter(f"team {at}", club=club, seed=at if at <= seeds else 0))

    def do(self, event: Event) -> None:
        event = as_logged(self.state, event)
        after = apply(self.state, event)
        assert not isinstance(after, EventRefusal), (event, after)
        self.log.append(event)
        self.state = after

    def draw(self, number: str = "20261123") -> Played:
        self.do(Draw(number))
        return self

    def answer_names(self, *people: int) -> Played:
        """AnswerNames: those of these teams alone are names of people."""
        self.do(AnswerNames(people, tuple(each for each in self.state.teams if each not in people)))
        return self

    @property
    def reader(self) -> Reader:
        return Reader(self.state)

    def phase(self, phase_id: str) -> PhaseFormat:
        found = self.state.format.phase(phase_id)
        assert found is not None
        return found

    def win(self, match_id: str, team: int) -> None:
        """RecordResult that ``team`` wins a match."""
        winner = self.reader.sides(match_id).index(team)
        self.do(RecordResult(match_id, result_of(self.reader.phase_of(match_id), winner)))

    def open_matches(self, phase_id: str) -> list[str]:
        reader = self.reader
        return [
            each
            for each in self.state.stages[phase_id].matches
            if None not in reader.sides(each) and reader.result(each) is None
        ]

    def play_open(self, phase_id: str, choose: Chooser) -> bool:
        """Play the matches that can be played now; False if there is none."""
        reader, found = self.reader, self.open_matches(phase_id)
        for match_id in found:
            one, other = reader.sides(match_id)
            assert one is not None and other is not None
            winner = choose(self.state, match_id, one, other)
            self.do(RecordResult(match_id, result_of(self.reader.phase_of(match_id), winner)))
        return bool(found)

    def next_round(self, phase_id: str) -> bool:
        """Pair a round or a play-off if one is left."""
        phase, stage = self.phase(phase_id), self.state.stages[phase_id]
        left = phase.kind is PhaseKind.ROUNDS and len(stage.rounds) < phase.rounds
        left = left or bool(self.reader.unpaired(phase_id))
        if left or (phase.redraw and len(self.reader.still_in(stage)) > 1):
            self.do(PairRound(phase_id))
            return True
        return False

    def play_phase(self, phase_id: str, choose: Chooser) -> None:
        if phase_id not in self.state.stages:
            self.do(StartPhase(phase_id))
        while self.play_open(phase_id, choose) or self.next_round(phase_id):
            pass
        assert self.reader.is_complete(phase_id)

    def play(self, choose: Chooser) -> Played:
        for phase in self.state.format.phases:
            self.play_phase(phase.id, choose)
        return self

    def order(self, phase_id: str, zone: int = 0) -> list[int]:
        return [each.team for each in self.reader.standings(phase_id, zone)]

    def refused(self, event: Event) -> EventRefusal:
        refusal = apply(self.state, event)
        assert isinstance(refusal, EventRefusal), event
        return refusal
