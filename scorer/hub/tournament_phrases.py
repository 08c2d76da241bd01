"""A tournament in words: stage, sides, result, place, criteria, reasons.

Pages, paper and spreadsheets say the same of a match, because each phrase is made here only.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction

from scorer.hub.match_place import AT_END, MatchPlace, PlayingTime
from scorer.hub.titles import date_text, event_heading, event_title, title_text
from scorer.i18n import Say, translator
from scorer.rules.registry import find_variant
from scorer.tournament import Consequences, Reader, Result
from scorer.tournament.bracket import FINAL, LOSERS, MAIN
from scorer.tournament.consequences import (
    ByResult,
    ByScore,
    BySeed,
    ByTie,
    Departure,
    why,
)
from scorer.tournament.format import Criterion, PhaseFormat, PhaseKind
from scorer.tournament.model import Ending, Fixture, Loser, Pair, Winner
from scorer.tournament.results import doubt

# Words of a variant of truco, in every language of the page.
_GAMES = {"gaucho": "Perna", "br_general": "Queda", "mineiro": "Queda", "paulista": "Queda"}
_SIGNED = (Criterion.GAMES_DIFFERENCE, Criterion.POINTS_DIFFERENCE)
_NEGATIVE = (Criterion.DRAW, Criterion.WALKOVERS)  # counted negative, shown positive


class StageKey(StrEnum):
    """What the rounds of a phase are called."""

    ZONE = "zone"
    ROUND = "round"
    ROUND_OF_16 = "round_of_16"
    QUARTERFINAL = "quarterfinal"
    SEMIFINAL = "semifinal"
    FINAL = "final"
    THIRD = "third"
    UPPER = "upper"
    LOWER = "lower"
    SECOND_FINAL = "second_final"
    PLAYOFF = "playoff"


_LAST_ROUNDS = (  # from the end
    StageKey.FINAL,
    StageKey.SEMIFINAL,
    StageKey.QUARTERFINAL,
    StageKey.ROUND_OF_16,
)


def last_round(phase: PhaseFormat, at: int, say: Say) -> str:
    """What the last round of a phase (0), the one before it (1), and so on are called."""
    if phase.kind is PhaseKind.ROUNDS:
        return say("phrase.stage.round", round=phase.rounds - at)
    if at < len(_LAST_ROUNDS) and phase.survivors == 1:
        return say(f"phrase.stage.{_LAST_ROUNDS[at]}")
    return say("phrase.last_round", n=at + 1)


class Phrases:
    """The words of one state of a tournament in one language."""

    def __init__(self, reader: Reader, language: str) -> None:
        """``language``: one with a catalogue."""
        self.reader, self.state, self.language = reader, reader.state, language
        self.say = translator(language)

    @property
    def title(self) -> str:
        """The name of the tournament, or of its format, and its category."""
        name, _, category = self.state.names
        return event_title(name, self.state.format.title, category, self.say)

    @property
    def format(self) -> str:
        """The title of its format."""
        return title_text(self.state.format.title, self.say)

    @property
    def date(self) -> str:
        """The day of the tournament in numbers; "" without one."""
        return date_text(self.state.names.date, self.say)

    @property
    def champion(self) -> str:
        """The name of the team that has won the tournament; "" before."""
        return self.team(self.reader.champion)

    @property
    def heading(self) -> str:
        """Its title and its day, at the head of paper."""
        return event_heading(self.state.names, self.state.format.title, self.say)

    # ---- phases and teams

    def phase(self, phase: PhaseFormat) -> str:
        """The title of a phase."""
        return title_text(phase.title, self.say) or phase.id

    def phase_of_id(self, phase_id: str) -> str:
        """The title of the phase with an id."""
        phase = self.state.format.phase(phase_id)
        assert phase is not None, phase_id
        return self.phase(phase)

    def zone(self, number: int) -> str:
        """The name of a zone; "" for 0, a phase without zones."""
        return self.say("phrase.zone", zone=number) if number else ""

    def game(self, phase: PhaseFormat) -> str:
        """The word for one game of a match."""
        return _GAMES.get(phase.variant) or self.say("paper.game")

    def rules(self, phase: PhaseFormat) -> str:
        """How many games to which score."""
        if phase.legs:
            games = self.say("paper.legs", n=phase.legs)
        else:
            games = self.say("paper.best_of", n=phase.best_of) if phase.best_of > 1 else ""
        last = [
            f"{last_round(phase, at, self.say)}: {self.say('paper.best_of', n=best_of)}"
            for at, best_of in enumerate(phase.best_of_last)
            if best_of != phase.best_of
        ]
        to = self.say("paper.to", n=phase.target)
        parts = (find_variant(phase.variant).title, games, *reversed(last), to)
        return " · ".join(filter(None, parts))

    def team(self, team: int | None) -> str:
        """The name of a team; "" for none."""
        return self.state.teams[team].name if team else ""

    def teams(self, teams: Iterable[int | None]) -> str:
        """The names of teams as a list."""
        return ", ".join(map(self.team, teams))

    # ---- matches

    def name(self, match_id: str) -> str:
        """The short name of a match, such as ``R2-M1``: its id without that of its phase."""
        match = self.state.match(match_id)
        return match_id.removeprefix(f"{match.phase}-") if match else match_id

    def stage(self, match: Fixture) -> str:
        """The zone and round of a match, or its round of a bracket."""
        key = self.stage_key(match)
        if key is StageKey.PLAYOFF and self._is_of_zone(match):
            return f"{self.zone(match.group)} · {self.say('phrase.stage.playoff')}"
        if key is StageKey.SECOND_FINAL and self.reader.result(match.id) is None:
            return self.say("phrase.stage.second_final.open")
        return self.say(f"phrase.stage.{key}", zone=match.group, round=match.round)

    def round(self, match: Fixture) -> str:
        """The same without the zone."""
        if self.stage_key(match) is StageKey.ZONE:
            return self.say("phrase.stage.zone_round", round=match.round)
        return self.stage(match)

    def stage_key(self, match: Fixture) -> StageKey:
        """What the round of a match is called."""
        stage, phase = self.state.stages[match.phase], self.reader.phase_of(match.id)
        if match.is_playoff:
            return StageKey.PLAYOFF
        if phase.kind is PhaseKind.ZONES:
            return StageKey.ZONE
        if phase.kind is PhaseKind.DOUBLE:
            if match.group == FINAL:
                return StageKey.SECOND_FINAL if match.is_second_final else StageKey.FINAL
            return StageKey.UPPER if match.group == MAIN else StageKey.LOWER
        if phase.kind is PhaseKind.ROUNDS or phase.redraw or phase.survivors > 1:
            return StageKey.ROUND
        if match.group == LOSERS:
            return StageKey.THIRD
        last = max(each.round for each in stage.matches.values() if each.group == MAIN)
        rounds_left = last - match.round
        return _LAST_ROUNDS[rounds_left] if rounds_left < len(_LAST_ROUNDS) else StageKey.ROUND

    def match(self, match: Fixture) -> str:
        """The phase and stage of a match: "Llave, Final"; a zone names its phase itself."""
        stage = self.stage(match)
        if self._is_of_zone(match):
            return stage
        return f"{self.phase(self.reader.phase_of(match.id))}, {stage}"

    def label(self, match: Fixture) -> str:
        """Both sides of a match, and where it stands."""
        return f"{' – '.join(self.sides(match))}, {self.match(match)}"

    def _is_of_zone(self, match: Fixture) -> bool:
        """Whether a match is of one zone; a play-off may be of several."""
        return bool(match.group and self.state.stages[match.phase].zones)

    def sides(self, match: Fixture) -> tuple[str, str]:
        """Both teams, or the matches from which they come."""
        teams = self.reader.sides(match.id)
        one, other = (self._side(*each) for each in zip(teams, match.slots, strict=True))
        return one, other

    def _side(self, team: int | None, slot: object) -> str:
        match slot:
            case _ if team:
                return self.team(team)
            case Winner(match_id):
                return self.say("phrase.winner_of", match=self.name(match_id))
            case Loser(match_id):
                return self.say("phrase.loser_of", match=self.name(match_id))
            case _:
                return self.say("phrase.nobody")

    def place(self, place: MatchPlace) -> str:
        """Where a match is, and how far: "Mesa 7 · jugando", "espera la mesa 7"."""
        if place.waits_at:
            return self.say("phrase.waits_at", table="/".join(map(str, sorted(place.waits_at))))
        table = self.say("hub.table", n=place.table) if place.table else ""
        queue = self.say("phrase.queue", n=place.queue) if place.queue else ""
        return " · ".join(filter(None, (table, self.progress(place), queue)))

    def progress(self, place: MatchPlace) -> str:
        """How far a match is: "jugando"."""
        return self.say(f"hub.state.{place.state}")

    def clock(self, time: PlayingTime | None) -> str:
        """The minutes that are left, or that it is over time; "" without a limit."""
        if time is None or time.left is None:
            return ""
        return clock_text(time.left, time.over, self.say)

    # ---- results

    def scores(self, match: Fixture, place: MatchPlace | None = None) -> list[Pair]:
        """The numbers of both sides that are shown of a match.

        The games of a series, and of one in play the points of its game too; the points of a
        single game. None before the first game.
        """
        phase, result = self.reader.phase_of(match.id), self.reader.result(match.id)
        if result is not None:
            return _result_scores(phase, result)
        if place is None or place.state not in ("playing", *AT_END):
            return []
        if not phase.is_series:
            return [place.points]
        return [place.games, place.running] if place.state == "playing" else [place.games]

    def score(self, match: Fixture, place: MatchPlace | None = None) -> str:
        """The score of a match in one line: "1–0 · 18–9"."""
        return score_text(self.scores(match, place))

    def result(self, match: Fixture) -> str:
        """The official result of a match with its ending; "" without one."""
        result = self.reader.result(match.id)
        score, ending = self.score(match), self.ending(result)
        # Of a decision without numbers the winner is all there is.
        shown = score or self.team(self.reader.winner(match.id))
        return _with_ending(shown, ending)

    def outcome(self, match: Fixture, result: Result | None) -> str:
        """Who wins by a result: "ganó Los Primos 30–22"; "" without one.

        The number of the winner is first.
        """
        if result is None:
            return ""
        pairs = _result_scores(self.reader.phase_of(match.id), result)
        score = score_text(pair[::-1] if result.winner == 1 else pair for pair in pairs)
        if result.winner is not None:
            winner = self.sides(match)[result.winner]
            text = self.say("phrase.outcome.won", team=winner, score=score).strip()
        elif result.ending is Ending.WALKOVER:
            text = self.say("phrase.outcome.absent")
        elif result.ending is Ending.ANNULLED:
            text = score
        else:
            text = self.say("phrase.outcome.drawn", score=score).strip()
        return _with_ending(text, self.ending(result))

    def questions(self, match: Fixture, result: Result) -> list[str]:
        """What to ask of a result before it is official, a sentence for each."""
        phase = self.reader.phase_of(match.id)
        found = doubt(phase, result)
        if found is None:
            return []
        score = score_text([result.points])
        return [self.say(f"phrase.doubt.{found.value}", score=score, target=phase.target)]

    def ending(self, result: Result | None) -> str:
        """How a match has ended that was not played to its end; "" for the others."""
        if result is None or result.ending is Ending.PLAYED:
            return ""
        return self.say(f"hub.ending.{result.ending.value}")

    # ---- standings

    def criterion(self, criterion: Criterion) -> tuple[str, str]:
        """The short and the long name of a criterion."""
        return (
            self.say(f"phrase.criterion.{criterion}"),
            self.say(f"phrase.criterion.{criterion}.long"),
        )

    def columns(self, phase: PhaseFormat) -> list[tuple[str, str]]:
        """The short and long names of the values of standings: matches played, criteria."""
        matches = self.say("phrase.matches"), self.say("phrase.matches.long")
        return [matches, *map(self.criterion, phase.tiebreaks)]

    def legend(self, phase: PhaseFormat) -> str:
        """What the short names mean."""
        return " · ".join(map(" ".join, self.columns(phase)))

    def value(self, criterion: Criterion, value: Fraction | None) -> str:
        """The value of a criterion as it is shown; "" where it does not apply."""
        if value is None:
            return ""
        if criterion in _NEGATIVE:
            return str(-value)
        sign = "+" if criterion in _SIGNED and value > 0 else ""
        return f"{sign}{value}"

    # ---- reasons

    def why(self, match_id: str) -> list[str]:
        """Why the teams of a match meet, in sentences. Raises KeyError."""
        found = why(self.state, match_id)
        say = self.say
        match found:
            case ByScore():
                one, other = found.scores
                return [say("phrase.why.score", one=one, other=other)] + [
                    say(
                        f"phrase.why.{each.obstacle.value}",
                        team=self.team(each.team),
                        opponent=self.team(each.opponent),
                    )
                    for each in found.nearer
                ]
            case BySeed():
                one, other = found.seeds
                return [say("phrase.why.seed", one=one, other=other)]
            case ByResult():
                return [say("phrase.why.result", matches=", ".join(map(self.name, found.matches)))]
            case ByTie():
                return [say("phrase.why.playoff", teams=self.teams(found.teams))]
            case _:
                return [say("phrase.why.zone", zone=found.zone)]

    def departure(self, found: Departure) -> list[str]:
        """What follows when a team leaves, a line for each change."""
        reader, after = self.reader, Reader(found.after)
        return [
            *(
                f"{self.label(match)}: "
                f"{self.change(match, reader.result(match.id), after.result(match.id))}"
                for match in self.state.matches()
                if match.id in found.changed
            ),
            *([self.say("phrase.leaving.kept", n=len(found.kept))] if found.kept else []),
            *self.consequences(found.rest),
        ]

    def change(self, match: Fixture, before: Result | None, after: Result | None) -> str:
        """Two results of a match in words."""
        outcomes = (self.outcome(match, each) for each in (before, after))
        return " → ".join(each or self.say("phrase.changes.none") for each in outcomes)

    def consequences(self, found: Consequences) -> list[str]:
        """What another result of a match changes, a line for each change."""
        say, matches = self.say, {each.id: each for each in self.state.matches()}

        def sides_of(match_id: str, teams: Iterable[int | None]) -> str:
            pairs = zip(teams, matches[match_id].slots, strict=True)
            return " – ".join(self._side(*each) for each in pairs)

        return [
            *(
                say("phrase.changes.blocking", match=self.label(matches[match_id]))
                for match_id in found.blocking
            ),
            *(
                f"{self.match(matches[each.match])}: "
                f"{sides_of(each.match, each.before)} → {sides_of(each.match, each.after)}"
                for each in found.exchanges
            ),
            *(
                say("phrase.changes.standings", table=self.zone(zone) or self.phase_of_id(phase))
                for phase, zone in found.standings
            ),
            *(say("phrase.changes.pairings", n=number) for number in found.pairings),
            *(
                f"{self.phase_of_id(each.phase)}: "
                f"{self.teams(each.leaving)} → {self.teams(each.entering)}"
                for each in found.entrants
            ),
            *(
                say(
                    "phrase.changes.level" if each.is_level else "phrase.changes.not_level",
                    phase=self.phase_of_id(each.phase),
                    teams=self.teams(each.teams),
                )
                for each in found.ties
            ),
        ]


def _with_ending(text: str, ending: str) -> str:
    return f"{text} ({ending})" if text and ending else text or ending


def _result_scores(phase: PhaseFormat, result: Result) -> list[Pair]:
    """The numbers that are shown of a result; none of one that has none."""
    if result.ending in (Ending.DECIDED, Ending.ANNULLED) and not any(result.games + result.points):
        return []
    is_counted = any(result.points) and not (phase.is_series and any(result.games))
    return [result.points if is_counted else result.games]


def clock_text(left: int, over: int, say: Say) -> str:
    """The clock of a match in play; ``left`` and ``over``: its minutes."""
    if left:
        return say("hub.clock.left", n=left)
    return say("hub.clock.late", n=over) if over else say("hub.clock.over")


def score_text(scores: Iterable[Pair]) -> str:
    """Pairs of numbers in one line: "1–0 · 18–9"."""
    return " · ".join(f"{one}–{other}" for one, other in scores)
