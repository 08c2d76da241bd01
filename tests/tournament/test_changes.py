"""What a director changes of a format before it begins."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.tournament import FormatError
from scorer.tournament.changes import changed
from scorer.tournament.export import describe
from scorer.tournament.format import Criterion, PhaseFormat
from tests.tournament.play import built_in

# The format, what is changed, the phase, and what it then has.
CHANGES: list[tuple[str, dict[str, Any], str, dict[str, object]]] = [
    ("zones_and_bracket", {}, "llave", {"variant": "argentine", "target": 30, "best_of": 3}),
    ("zones_and_bracket", {"every_phase": {"variant": "gaucho", "target": 24}}, "llave",
     {"variant": "gaucho", "target": 24, "best_of": 3}),
    ("zones_and_bracket", {"phase": {"zonas": {"zone_size": 6}}}, "zonas", {"zone_size": 6}),
    ("zones_and_bracket", {"phase": {"zonas": {"legs": 2}}}, "zonas", {"legs": 2, "best_of": 1}),
    ("swiss", {"phase": {"suizo": {"rounds": 3, "best_of": 5}}}, "suizo",
     {"rounds": 3, "best_of": 5}),
    ("double", {"every_phase": {"cap": 45, "options": {"fold_first": 1}}}, "llave",
     {"cap": 45, "options": {"fold_first": 1}}),
    ("lnt", {"phase": {"zonas": {"best_of": 3}}}, "zonas",
     {"legs": 0, "best_of": 3, "draws": False}),
    ("jau_2020", {"phase": {"primeira": {"zone_size": 5}}}, "primeira",
     {"zones": 0, "zone_size": 5}),
    ("zones_and_bracket", {"phase": {"llave": {"best_of_last": [5, 3], "best_of": 1}}}, "llave",
     {"best_of": 1, "best_of_last": (5, 3)}),
    ("swiss", {"phase": {"suizo": {"tiebreaks": ["wins", "walkovers", "draw"]}}}, "suizo",
     {"tiebreaks": (Criterion.WINS, Criterion.WALKOVERS, Criterion.DRAW)}),
    ("swiss", {"phase": {"suizo": {"bye": 1, "tiebreaks": ["score", "draw"]}}}, "suizo",
     {"bye_score": 1, "tiebreaks": (Criterion.SCORE, Criterion.DRAW)}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "phase_id", "values"), CHANGES)
def test_a_phase_has_what_was_changed_and_the_rest_of_the_format(
    name: str, changes: dict[str, Any], phase_id: str, values: dict[str, object]
) -> None:
    found = changed(built_in(name), changes)
    phase = found.phase(phase_id)
    assert isinstance(phase, PhaseFormat)
    assert {key: getattr(phase, key) for key in values} == values
    assert [each.id for each in found.phases] == [each.id for each in built_in(name).phases]
    assert found.id == name


def test_a_bye_that_is_no_win_puts_the_score_first() -> None:
    (phase,) = changed(built_in("swiss"), {"phase": {"suizo": {"bye": 1}}}).phases
    assert phase.tiebreaks[:2] == (Criterion.SCORE, Criterion.WINS)
    with pytest.raises(FormatError, match="bye counts less than a win"):
        changed(built_in("swiss"), {"phase": {"suizo": {"bye": 1, "tiebreaks": ["wins", "draw"]}}})
    with pytest.raises(FormatError, match="at most that of a win"):
        changed(built_in("swiss"), {"phase": {"suizo": {"bye": 3}}})


def test_another_variant_has_its_own_house_rules() -> None:
    ruled = changed(built_in("swiss"), {"every_phase": {"options": {"fold_first": 1}}})
    assert changed(ruled, {"every_phase": {"variant": "gaucho"}}).phases[0].options == {}
    assert describe(changed(ruled, {})) == describe(ruled)


REFUSED = [
    ({"title": "x"}, "title", "no key here"),
    ({"every_phase": {"kind": "zones"}}, "every_phase.kind", "cannot be changed"),
    ({"every_phase": []}, "every_phase", "is a table"),
    ({"phase": {"nowhere": {"rounds": 3}}}, "phase.nowhere", "no phase"),
    ({"phase": {"llave": 3}}, "llave", "is a table"),
    ({"phase": {"llave": {"target": 3}}}, "phase.llave.target", "cannot be changed"),
    ({"phase": {"llave": {"rounds": 3}}}, "phase.1.rounds", "no key of a phase"),
    ({"phase": {"zonas": {"zone_size": 1}}}, "phase.0.zone_size", "from 2 to 40"),
    ({"phase": {"llave": {"best_of": 2}}}, "phase.1.best_of", "odd"),
    ({"phase": {"llave": {"best_of_last": [4]}}}, "phase.1.best_of_last", "odd"),
    ({"phase": {"llave": {"best_of_last": [11]}}}, "phase.1.best_of_last.0", "from 1 to 9"),
    ({"phase": {"zonas": {"best_of_last": [3]}}}, "phase.0.best_of_last", "no key of a phase"),
    ({"phase": {"llave": {"legs": 2, "best_of_last": [3]}}}, "phase.1.best_of_last", "best_of"),
    ({"phase": {"zonas": {"bye": 1}}}, "phase.0.bye", "no key of a phase"),
    ({"phase": {"zonas": {"tiebreaks": ["wins"]}}}, "phase.0.tiebreaks", "draw as the last"),
    ({"phase": {"zonas": {"tiebreaks": ["luck", "draw"]}}}, "phase.0.tiebreaks.0", "luck"),
    ({"every_phase": {"target": "30"}}, "phase.0.target", "wants a whole number"),
]


@pytest.mark.parametrize(("changes", "path", "words"), REFUSED)
def test_an_impossible_change_names_its_key(changes: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(FormatError) as error:
        changed(built_in("zones_and_bracket"), changes)
    found = {".".join(each.path): each.sentence for each in error.value.found}
    assert words in found[path], found
