"""What is printed of a match: its round, its teams, the word for its games."""

from __future__ import annotations

from fractions import Fraction

from scorer.hub.titles import title_text
from scorer.i18n import translator
from scorer.rules.registry import find_variant
from scorer.tournament import Reader, Result, Tournament
from scorer.tournament.bracket import FINAL, LOSERS, MAIN
from scorer.tournament.format import Criterion, PhaseFormat, PhaseKind
from scorer.tournament.model import Fixture, Loser, Slot, Winner

# Words of a variant of truco, in every language of the page.
_GAMES = {"gaucho": "Perna", "br_general": "Queda", "mineiro": "Queda", "paulista": "Queda"}
_SIGNED = (Criterion.GAMES_DIFFERENCE, Criterion.POINTS_DIFFERENCE)
_NEGATIVE = (Criterion.DRAW, Criterion.WALKOVERS)


class Names:
    """The words of one state in one language."""

    def __init__(self, state: Tournament, language: str) -> None:
        self.state = state
        self.language = language
        self.reader = Reader(state)
        self._say = translator(language)

    def say(self, key: str, **fields: object) -> str:
        return self._say(key, **fields)

    def phase(self, phase: PhaseFormat) -> str:
        return title_text(phase.title, self._say) or phase.id

    @property
    def title(self) -> str:
        """Of the tournament."""
        return title_text(self.state.format.title, self._say)

    def game(self, phase: PhaseFormat) -> str:
        return _GAMES.get(phase.variant) or self.say("paper.game")

    def rules(self, phase: PhaseFormat) -> str:
        """How many games to which score."""
        if phase.legs:
            games = self.say("paper.legs", n=phase.legs)
        else:
            games = self.say("paper.best_of", n=phase.best_of) if phase.best_of > 1 else ""
        parts = (find_variant(phase.variant).title, games, self.say("paper.to", n=phase.target))
        return " · ".join(filter(None, parts))

    def stage(self, match: Fixture) -> str:
        """The zone and round of a match, or its round of a bracket."""
        phase = self.reader.phase_of(match.id)
        round_ = self.round(match)
        if phase.kind is PhaseKind.ZONES and match.group:
            return f"{self.say('paper.zone', n=match.group)} · {round_}"
        if phase.kind is PhaseKind.DOUBLE:
            if match.group == FINAL:
                return self.say("paper.second_final" if match.is_second_final else "paper.final")
            return self.say("paper.upper" if match.group == MAIN else "paper.lower", n=match.round)
        if match.group == LOSERS and phase.kind is PhaseKind.BRACKET:
            return self.say("paper.third")
        return self.say("paper.final") if self._is_final(match, phase) else round_

    def round(self, match: Fixture) -> str:
        if match.is_playoff:
            return self.say("paper.playoff")
        phase = self.state.format.phase(match.phase)
        is_zone = phase is not None and phase.kind is PhaseKind.ZONES
        return self.say("paper.zone_round" if is_zone else "paper.round", n=match.round)

    def _is_final(self, match: Fixture, phase: PhaseFormat) -> bool:
        if phase.kind is not PhaseKind.BRACKET or phase.survivors > 1 or phase.redraw:
            return False
        matches = self.state.stages[phase.id].matches.values()
        return match.round == max(each.round for each in matches)

    def sides(self, match: Fixture) -> tuple[str, str]:
        """Both teams, or the matches from which they come."""
        known = self.reader.sides(match.id)
        one, other = (
            self.team(team) if team else self._origin(slot)
            for team, slot in zip(known, match.slots, strict=True)
        )
        return one, other

    def team(self, team: int) -> str:
        return self.state.teams[team].name

    def _origin(self, slot: Slot) -> str:
        match slot:
            case Winner(match_id):
                return self.say("paper.winner_of", match=match_id)
            case Loser(match_id):
                return self.say("paper.loser_of", match=match_id)
            case _:
                return ""

    def result(self, result: Result | None) -> str:
        """The games of both sides, of a single game its points."""
        if result is None:
            return ""
        pair = result.points if max(result.games) <= 1 and any(result.points) else result.games
        shown = f"{pair[0]}–{pair[1]}"
        ending = result.ending.value
        return shown if ending == "played" else f"{shown} ({self.say(f'paper.ending.{ending}')})"

    def value(self, criterion: Criterion, value: Fraction | None) -> str:
        if value is None:
            return ""
        if criterion in _NEGATIVE:
            return str(-value)
        sign = "+" if criterion in _SIGNED and value > 0 else ""
        return f"{sign}{value}"
