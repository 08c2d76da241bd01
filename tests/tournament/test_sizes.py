"""The sizes of a format, compared with tournaments played through."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.config.tournament_formats import built_in_formats
from scorer.tournament.sizes import ImpossiblePhase, Obstruction, PhaseSize, sizes
from tests.tournament.play import Played, built_in, format_of, stronger

SWISS = {"kind": "rounds", "rounds": 5, "pairing": "swiss"}
ZONES = {"kind": "zones", "zone_size": 2}
TOP = {"id": "b", "from": [{"phase": "a", "places": [1, 3]}]}
BEST = {"id": "b", "from": [{"phase": "a", "place": 3, "best": 2}]}

IMPOSSIBLE: list[tuple[list[dict[str, Any]], int, ImpossiblePhase]] = [
    ([SWISS], 4, ImpossiblePhase("a", Obstruction.TOO_MANY_ROUNDS, 5, 3, (0, 5))),
    ([ZONES, TOP], 8, ImpossiblePhase("b", Obstruction.NO_SUCH_PLACE, 3, 2, (0, 0))),
    (
        [{"kind": "zones", "zone_size": 3}, BEST],
        4,
        ImpossiblePhase("b", Obstruction.TOO_FEW_PLACES, 2, 0, (0, 6)),
    ),
    (
        [{"kind": "zones", "zones": 4}],
        7,
        ImpossiblePhase("a", Obstruction.TOO_MANY_ZONES, 4, 3, (0, 8)),
    ),
    ([{"survivors": 4}], 4, ImpossiblePhase("a", Obstruction.TOO_MANY_SURVIVORS, 4, 3, (0, 5))),
    (
        [{}, {"id": "b", "from": [{"phase": "a", "losers_of": 1}]}],
        3,
        ImpossiblePhase("b", Obstruction.TOO_FEW_TEAMS, 1, 2, (0, 4)),
    ),
    ([{}], 1, ImpossiblePhase("a", Obstruction.TOO_FEW_ENTRIES, 1, 2, (0, 2))),
    ([{}], 1001, ImpossiblePhase("a", Obstruction.TOO_MANY_ENTRIES, 1001, 1000, (1000, 0))),
]


@pytest.mark.parametrize(("phases", "teams", "expected"), IMPOSSIBLE)
def test_an_impossible_format_says_why_and_which_numbers_work(
    phases: list[dict[str, Any]], teams: int, expected: ImpossiblePhase
) -> None:
    assert sizes(format_of(*phases), teams) == expected


# Of each format a number of teams that works.
TEAMS = {"gaucho": 37, "jau_2020": 52, "jau_2022": 42, "lnt": 40, "acla_2025": 14, "ptc_2013": 27}


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", built_in_formats())
def test_the_sizes_are_those_of_the_tournament_played(name: str) -> None:
    teams = TEAMS.get(name, 13)
    played = Played(built_in(name), teams).draw().play(stronger)
    assert sizes(played.state.format, teams) == {
        phase: PhaseSize(
            len(stage.entrants),
            tuple(map(len, stage.zones)),
            sum(not match.is_second_final for match in stage.matches.values()),
        )
        for phase, stage in played.state.stages.items()
    }


@pytest.mark.parametrize("name", built_in_formats())
def test_a_built_in_format_works_with_its_most_teams(name: str) -> None:
    format_ = built_in(name)
    assert not isinstance(sizes(format_, format_.teams[1]), ImpossiblePhase)
