"""The standings of an evening of three games, played like the other samples."""

from __future__ import annotations

from scorer.records.game_facts import game_facts
from scorer.records.standings import Competitor, GameResult, rank
from scorer.samples.table import BEGIN, Sample, SampleTable
from scorer.session.values.night_view import NightView

_HAND = "wait 100, A truco, B quiero, A tantos"
_ENVIDO = "wait 100, A envido, B quiero, A tantos"
_LOST = "wait 100, B truco, A no_quiero"
# Start, teams and presses of each game.
_GAMES = (
    ("A=26 B=24", ("La Yunta", "Los Pibes"), (_LOST, _HAND, _HAND)),
    ("A=20 B=21", ("Los Pibes", "La Yunta"), (_LOST, _ENVIDO, *[_HAND] * 4, _LOST)),
    ("A=19 B=28", ("Los Pibes", ""), (_ENVIDO, *[_HAND] * 5)),
)


def played_evening() -> NightView:
    """The pages of the night after all games."""
    results = list[GameResult]()
    for start, names, presses in _GAMES:
        table = SampleTable(Sample("argentine", start, ", ".join(presses)))
        game = table.session.game
        assert game.winner is not None
        sides = game.rules.scoring_sides
        players = (
            Competitor(name, "" if name else side) for side, name in zip(sides, names, strict=True)
        )
        minutes = int(table.session.now - BEGIN) // 60
        facts = game_facts(table.session.record)
        results.append(GameResult(tuple(players), sides.index(game.winner), minutes, facts))
    return rank(tuple(results))
