"""Formats: problems with their keys; published regulations played through."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scorer.config.toml_reader import ConfigError
from scorer.config.tournament_formats import built_in_formats, load_format
from scorer.tournament import FormatError, Reason, define
from scorer.tournament.events import EnterAgain, StartPhase
from scorer.tournament.format import Criterion, PhaseKind
from tests.tournament.play import PHASE, Played, built_in, coin, format_of, stronger

ZONES: dict[str, Any] = {"id": "a", "kind": "zones"}
SECOND: dict[str, Any] = {"id": "b", "from": [{"phase": "a"}]}

ERRORS = [
    # first phase, second phase or None, path of the key, words of the sentence
    ({"kind": "league"}, None, "phase.0.kind", "wants one of zones, bracket"),
    ({"id": "Zona 1"}, None, "phase.0.id", "small letters"),
    ({"colour": 1}, None, "phase.0.colour", "no such key"),
    ({"target": 0}, None, "phase.0.target", "from 1 to 99"),
    ({"target": True}, None, "phase.0.target", "wants a whole number"),
    ({"best_of": 2}, None, "phase.0.best_of", "odd"),
    ({"best_of": 3, "legs": 2}, None, "phase.0.legs", "instead of best_of"),
    ({"draws": True, "legs": 2}, None, "phase.0.draws", "zones and rounds"),
    ({"kind": "zones", "draws": True}, None, "phase.0.draws", "legs"),
    ({"zones": 3}, None, "phase.0.zones", "no key of a phase of kind bracket"),
    ({"kind": "rounds"}, None, "phase.0.rounds", "missing"),
    ({"kind": "rounds", "rounds": 3, "third_place": True}, None, "phase.0.third_place", "no key"),
    ({"third_place": True, "survivors": 3}, None, "phase.0.third_place", "needs a final"),
    ({"redraw": True, "survivors": 3}, None, "phase.0.redraw", "neither"),
    ({"tiebreaks": ["wins"]}, None, "phase.0.tiebreaks", "draw as the last"),
    ({"tiebreaks": ["wins", "wins", "draw"]}, None, "phase.0.tiebreaks", "once"),
    ({"tiebreaks": ["wins", "playoff", "draw"]}, None, "phase.0.tiebreaks", "zones and rounds"),
    ({**ZONES, "tiebreaks": ["playoff", "wins", "draw"]}, None, "phase.0.tiebreaks", "before draw"),
    ({**ZONES, "tiebreaks": ["wins", "playoff"]}, None, "phase.0.tiebreaks", "draw as the last"),
    ({"tiebreaks": ["luck"]}, None, "phase.0.tiebreaks.0", "wants one of score, wins"),
    ({"tiebreaks": "draw"}, None, "phase.0.tiebreaks", "wants a list"),
    ({"score": [1, 2, 0]}, None, "phase.0.score", "a win counts most"),
    ({"score": [1, 0]}, None, "phase.0.score", "wants 3 values"),
    ({"cap_start": 11}, None, "phase.0.cap_start", "needs cap_ending"),
    ({"cap_ending": "start"}, None, "phase.0.cap_start", "from 1 to 29"),
    ({"options": {"flor": []}}, None, "phase.0.options.flor", "wants one value"),
    ({"title": ""}, None, "phase.0.title", "1 to 40"),
    ({"apart": 1}, None, "phase.0.apart", "true or false"),
    ({"from": [{"phase": "z"}]}, None, "phase.0.from.0", "no phase before"),
    ({"from": []}, None, "phase.0.from", "has 0 entries"),
    ({"from": [{"places": [1, 2]}]}, None, "phase.0.from.0.phase", "is missing"),
    ({}, {**SECOND, "id": "a"}, "phase.1.id", "another phase"),
    ({}, {"id": "b"}, "phase.1.from.0", "names a phase before"),
    (ZONES, {**SECOND, "from": [{"phase": "a", "best": 2}]}, "phase.1.from.0", "one place"),
    ({}, {**SECOND, "from": [{"phase": "a", "place": 3, "best": 2}]}, "phase.1.from.0", "of zones"),
    (ZONES, {**SECOND, "from": [{"phase": "a", "losers_of": 1}]}, "phase.1.from.0", "a bracket"),
    ({}, {**SECOND, "from": [{"phase": "a", "places": [3, 2]}]}, "phase.1.from.0", "first and the"),
    ({}, {**SECOND, "from": [{"phase": "a", "places": [0, 2]}]}, "phase.1.from.0.places", "from 1"),
    ({}, {**SECOND, "from": [{"phase": "a", "place": 1, "losers_of": 1}]}, "phase.1.from.0", "one"),
    ({}, {**SECOND, "from": [{"phase": "a", "rank": 1}]}, "phase.1.from.0.rank", "no such key"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "path", "words"), ERRORS)
def test_a_problem_names_its_key(
    first: dict[str, Any], second: dict[str, Any] | None, path: str, words: str
) -> None:
    with pytest.raises(FormatError) as error:
        format_of(first, *([second] if second else []))
    sentences = {".".join(each.path): each.sentence for each in error.value.found}
    assert words in sentences[path], sentences


@pytest.mark.parametrize(
    ("values", "paths"),
    [
        ({}, {"title", "phase"}),
        ({"title": "x", "phase": []}, {"phase"}),
        ({"title": "x", "phase": [1]}, {"phase.0"}),
        ({"title": "x", "phase": [{"id": "a"}]},
         {"phase.0.kind", "phase.0.variant", "phase.0.target"}),
        ({"title": "x", "teams": [5, 4], "players": 4, "phase": [PHASE]}, {"teams", "players"}),
        ({"title": "x", "every_phase": 3, "phase": [PHASE]}, {"every_phase"}),
        ({"title": "x", "every_phase": {"target": "x"}, "phase": [PHASE]}, {"every_phase.target"}),
    ],
)  # fmt: skip
def test_every_problem_is_reported_at_once(values: dict[str, Any], paths: set[str]) -> None:
    with pytest.raises(FormatError) as error:
        define("x", values)
    assert {".".join(each.path) for each in error.value.found} == paths


def test_every_phase_gives_what_a_phase_lacks() -> None:
    values = {"title": "x", "every_phase": {"target": 24, "best_of": 3}}
    listed = [{**PHASE, "target": 30}, {"id": "b", "kind": "double", "variant": "gaucho", **SECOND}]
    phases = define("x", {**values, "phase": listed}).phases
    assert [(phase.target, phase.best_of) for phase in phases] == [(30, 3), (24, 3)]


def test_the_default_tiebreaks_follow_the_kind() -> None:
    swiss = {"kind": "rounds", "rounds": 3, "pairing": "swiss"}
    draws = {"kind": "zones", "legs": 2, "draws": True}
    assert format_of({}).phases[0].tiebreaks[:2] == (Criterion.WINS, Criterion.MET)
    assert format_of(swiss).phases[0].tiebreaks[1] is Criterion.BUCHHOLZ_CUT
    assert format_of(draws).phases[0].tiebreaks[0] is Criterion.SCORE


# ---- files --------------------------------------------------------------------------------------


def test_the_built_in_formats_are_right() -> None:
    loaded = {name: load_format(path) for name, path in built_in_formats().items()}
    assert len(loaded) == 10
    assert all(format_.id == name for name, format_ in loaded.items())
    assert {phase.kind for each in loaded.values() for phase in each.phases} == set(PhaseKind)


def test_a_phase_names_its_rulebook(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'title = "x"\nteams = [4, 8]\n[[phase]]\nid = "a"\nkind = "bracket"\n'
        'variant = "uruguayan"\nrulebook = "granaventura"\ntarget = 20\nbest_of = 3\n',
        encoding="utf-8",
    )
    (phase,) = load_format(path).phases
    assert phase.rulebook == "granaventura"


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (('variant = "argentine"', 'variant = "argentino"'), 9, "did you mean 'argentine'"),
        (("target = 30", "target = 30\noptions = { colour = 1 }"), 11, "no option 'colour'"),
        (("target = 30", 'target = 30\nrulebook = "vep"'), 11, "VEP is a rulebook of venezuelan"),
        (("target = 30", "target = 0"), 10, "target: 0 is not from 1 to 99"),
        (('kind = "bracket"', 'kind = "knockout"'), 8, "kind: wants one of"),
        (('kind = "bracket"', 'kind = "bracket'), 8, "no TOML"),
    ],
)
def test_a_problem_of_a_file_has_its_line(
    tmp_path: Path, change: tuple[str, str], line: int, words: str
) -> None:
    text = (
        'title = "x"\n\n# A comment.\nteams = [4, 8]\n\n[[phase]]\nid = "a"\n'
        'kind = "bracket"\nvariant = "argentine"\ntarget = 30\n'
    )
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert load_format(path).teams == (4, 8)
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_format(path)
    assert [(each.line, words in each.sentence) for each in error.value.problems] == [(line, True)]


# ---- regulations --------------------------------------------------------------------------------


def sizes(played: Played) -> dict[str, tuple[int, int]]:
    """Teams and matches of every phase."""
    return {
        name: (len(stage.entrants), len(stage.matches))
        for name, stage in played.state.stages.items()
    }


def test_the_gaucho_champion_of_the_repechage_enters_the_semifinal() -> None:
    played = Played(built_in("gaucho"), 40, clubs=13).draw().play(coin(1))
    assert sizes(played) == {
        "classificatoria": (40, 60),
        "principal": (24, 21),
        "repescagem": (16, 15),
        "final": (4, 4),
    }
    stages, order = played.state.stages, played.order("classificatoria")
    assert set(stages["principal"].entrants) == set(order[:24])
    assert set(stages["repescagem"].entrants) == set(order[24:])
    semifinal = [*played.order("principal")[:3], played.order("repescagem")[0]]
    assert sorted(stages["final"].entrants) == sorted(semifinal)
    rounds = Counter(match.round for match in stages["principal"].matches.values())
    assert rounds == {1: 12, 2: 6, 3: 3}
    assert {played.phase(each).best_of for each in ("classificatoria", "final")} == {3}
    assert played.phase("repescagem").best_of == 1
    assert played.phase("repescagem").target == 24


def test_jau_2022_takes_the_four_best_fifths() -> None:
    played = Played(built_in("jau_2022"), 42).draw().play(coin(2))
    assert sizes(played) == {"primeira": (42, 105), "segunda": (32, 48), "final": (16, 15)}
    stages = played.state.stages
    assert Counter(map(len, stages["primeira"].zones)) == {6: 7}
    assert Counter(map(len, stages["segunda"].zones)) == {4: 8}
    orders = [played.order("primeira", zone) for zone in range(1, 8)]
    entered = set(stages["segunda"].entrants)
    assert entered >= {team for order in orders for team in order[:4]}
    fifths = {order[4] for order in orders}
    assert len(entered & fifths) == 4
    assert not entered & {order[5] for order in orders}
    # A group of the second phase has no two pairs of one group, as in the published map.
    for zone in stages["segunda"].zones:
        assert len({group for team in zone for group in range(7) if team in orders[group]}) == 4


def test_jau_2020_takes_two_best_thirds_twice() -> None:
    played = Played(built_in("jau_2020"), 52).draw().play(coin(3))
    assert sizes(played) == {"primeira": (52, 78), "segunda": (28, 42), "final": (16, 15)}
    for phase, zones, following in (("primeira", 13, "segunda"), ("segunda", 7, "final")):
        orders = [played.order(phase, zone) for zone in range(1, zones + 1)]
        entered = set(played.state.stages[following].entrants)
        assert entered >= {team for order in orders for team in order[:2]}
        assert len(entered & {order[2] for order in orders}) == 2


@pytest.mark.parametrize(("teams", "losers"), [(32, 16), (27, 11), (17, 1)])
def test_the_ptc_losers_of_round_one_play_a_repechage(teams: int, losers: int) -> None:
    played = Played(built_in("ptc_2013"), teams).draw()
    played.play_phase("principal", coin(4))
    if losers == 1:
        assert played.refused(StartPhase("repescagem")).reason is Reason.TOO_FEW
        return
    played.play_phase("repescagem", coin(4))
    assert sizes(played) == {"principal": (teams, teams - 1), "repescagem": (losers, losers - 1)}
    first = [each for each in played.state.stages["principal"].matches.values() if each.round == 1]
    lost = {played.reader.loser(match.id) for match in first}
    assert set(played.state.stages["repescagem"].entrants) == lost
    assert played.phase("principal").tolerance == 30


def test_the_ptc_repechage_begins_while_the_bracket_goes_on() -> None:
    played = Played(built_in("ptc_2013"), 16).draw()
    played.do(StartPhase("principal"))
    assert played.refused(StartPhase("repescagem")).reason is Reason.NOT_COMPLETE
    played.play_open("principal", stronger)
    played.do(StartPhase("repescagem"))
    played.play_phase("repescagem", stronger)
    assert not played.reader.is_complete("principal")


def test_of_the_acla_seven_advance_and_one_goes_straight_to_the_final() -> None:
    played = Played(built_in("acla_2025"), 14).draw().play(coin(5))
    assert sizes(played) == {"clasificacion": (14, 21), "llave": (6, 5), "final": (2, 1)}
    order = played.order("clasificacion")
    assert sorted(played.state.stages["llave"].entrants) == sorted(order[1:7])
    assert played.state.stages["final"].entrants == (order[0], played.order("llave")[0])


def test_the_lnt_has_four_zones_of_ten_and_a_final_of_eight() -> None:
    played = Played(built_in("lnt"), 40, clubs=40).draw().play(coin(6))
    assert sizes(played) == {"zonas": (40, 180), "final": (8, 7)}
    stage = played.state.stages["zonas"]
    assert Counter(map(len, stage.zones)) == {10: 4}
    expected = {team for zone in range(1, 5) for team in played.order("zonas", zone)[:2]}
    assert set(played.state.stages["final"].entrants) == expected
    assert max(match.round for match in stage.matches.values()) == 9
    assert played.phase("zonas").legs == 2


def test_losers_enter_a_repechage_again_by_entry() -> None:
    again = {"id": "b", "from": [{"phase": "a", "losers_of": 1, "by_entry": True}]}
    final = {
        "id": "c",
        "from": [{"phase": "a", "places": [1, 1]}, {"phase": "b", "places": [1, 1]}],
    }
    played = Played(format_of({}, again, final), 8).draw()
    played.do(StartPhase("a"))
    played.play_open("a", stronger)
    losers = [played.reader.loser(f"a-R1-M{at}") for at in range(1, 5)]
    one, other, *_ = (team for team in losers if team)
    played.do(EnterAgain("b", one))
    played.do(EnterAgain("b", other))
    assert played.refused(EnterAgain("b", 1)).reason is Reason.NOT_ENTITLED
    played.play(stronger)
    assert sorted(played.state.stages["b"].entrants) == sorted((one, other))
    assert played.order("c")[0] == 1
    assert played.refused(EnterAgain("b", one)).reason is Reason.TOO_LATE
