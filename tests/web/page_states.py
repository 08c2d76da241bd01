"""The states in which pages are tested and drawn."""

from __future__ import annotations

from scorer.rules.model import HandKind
from scorer.session.values.settings import Tally
from tests.web.fake_reports import Report, offline_report, report

LONG = ("Los Invencibles del Club Social y Deportivo", "Sociedad de Fomento La Esperanza F. C.")
HOSTILE = ("<script>document.title='x'</script>", "<img src=x onerror=alert(1)>")
NIGHT = {
    "games": 4,
    "longest": 38,
    "rows": [
        {"name": "Los Pibes", "key": "", "won": 3, "played": 4, "streak": 2},
        {"name": "La Yunta", "key": "", "won": 1, "played": 3, "streak": 0},
        {"name": "", "key": "B", "won": 0, "played": 1, "streak": 0},
    ],
}

# Whole hands, to grow a history and a chart.
FIFTEEN_WITH_FLOR = {
    "from": "hand",
    "target": 15,
    "flor": True,
    "variant": "argentine_flor",
    "options": {"target": 15},
}
ARGENTINE_HANDS = (
    ("A truco", "B quiero", "B hand_won"),
    ("B envido", "A quiero", "A envido_won", "A hand_won"),
    ("A envido", "B real_envido", "A no_quiero", "A truco", "B retruco", "A quiero", "A hand_won"),
    ("B truco", "A no_quiero"),
    ("A envido", "B quiero", "B envido_won", "A truco", "B quiero", "A hand_won"),
    ("B real_envido", "A quiero", "B envido_won", "B hand_won"),
    ("A truco", "B retruco", "A vale_cuatro", "B quiero", "A hand_won"),
    ("B envido", "A envido", "B quiero", "A envido_won", "B hand_won"),
)


def hands(*chosen: tuple[str, ...]) -> list[str]:
    """Lines of whole hands, one after another."""
    lines: list[str] = []
    for hand in chosen:
        lines += ["- new_hand", *hand] if lines else hand
    return lines


def to_the_end() -> list[str]:
    """A game to 30 whose last hand is a falta."""
    lines = hands(*ARGENTINE_HANDS, ("A truco", "B quiero", "A hand_won"))
    return [*lines, "- new_hand", "A falta_envido", "B quiero", "A envido_won"]


PAGE_STATES: dict[str, Report] = {
    "start": report(),
    "start-unnamed": report(names=()),
    "twelve-nine": report(lines=hands(*ARGENTINE_HANDS[:1]), score=(12, 7)) | {},
    "play": report(lines=[*hands(ARGENTINE_HANDS[1]), "- new_hand"], score=(16, 9), night=NIGHT),
    "truco": report(lines=["A truco"], score=(12, 9), mano="B"),
    "retruco": report(lines=["A truco", "B retruco"], score=(22, 28)),
    "quiero": report(lines=["A truco", "B quiero"], score=(18, 28)),
    "falta": report(lines=["B falta_envido"], score=(27, 19)),
    "envido-first": report(lines=["A truco", "B envido"], score=(4, 3)),
    "winner": report(lines=["A truco", "B envido", "A real_envido", "B quiero"], score=(4, 3)),
    "paid": report(lines=["A envido", "B quiero", "A envido_won"], score=(4, 3)),
    "flor": report("argentine_flor", ["A flor"], score=(10, 11)),
    "contraflor": report("argentine_flor", ["A flor", "B contraflor"], score=(10, 11)),
    "hand-over": report(lines=hands(ARGENTINE_HANDS[0]), score=(10, 3)),
    "rule-change": report(lines=("A truco",), score=(10, 3), rule_change=FIFTEEN_WITH_FLOR),
    "hand-next": report(lines=hands(ARGENTINE_HANDS[0]), score=(10, 3), is_next_hand_shown=True),
    "hand-over-both": report(lines=hands(ARGENTINE_HANDS[7]), score=(10, 3)),
    "paulista": report("paulista", ["B truco"], score=(7, 4)),
    "mao": report("paulista", [], score=(11, 8), mano="B"),
    "mao-played": report("paulista", ["A mao_play"], score=(11, 8)),
    "mao-next": report("paulista", ["A truco", "B no_quiero"], score=(10, 8)),
    "iron": report("paulista", [], score=(11, 11)),
    "gaucho": report("gaucho", ["A envido"], score=(14, 17)),
    "uruguay": report("uruguayan", ["A truco"], score=(23, 31)),
    "valencia": report("valencian", ["A truc"], score=(13, 5)),
    "venezuela": report("venezuelan", ["A truco", "B quiero"], score=(14, 9)),
    "cantando": report("venezuelan", [], score=(23, 16)),
    "pica": report(
        "pica_pica", ["A hand_won", "B truco", "A quiero"], score=(14, 11), kind=HandKind.PICA
    ),
    "pica-call": report("pica_pica", ["A hand_won", "B truco"], score=(14, 11), kind=HandKind.PICA),
    "pica-call-unnamed": report(
        "pica_pica", ["A hand_won", "B truco"], score=(14, 29), kind=HandKind.PICA, names=()
    ),
    "pica-envido": report("pica_pica", ["B truco", "A envido"], score=(14, 11), kind=HandKind.PICA),
    "gallo": report("pata_gallo", ["gallo truco"], score=(12, 7, 9)),
    "gallo-play": report("pata_gallo", [], score=(12, 7, 9)),
    "alone": report("destantado", [], score=(7, 10, 4), names=("Ana", "Beto", "Carlitos")),
    "alone-truco": report(
        "destantado", ["B truco"], score=(7, 10, 4), names=("Ana", "Beto", "Caro")
    ),
    "series": report(
        lines=["A concede", "- new_hand", "B concede", "- new_hand"], best_of=3, score=(8, 3)
    ),
    "rematch-over": report(lines=["A concede"], rematches=(1, 0), score=(21, 24), offers="decider"),
    "game-over": report(lines=to_the_end(), best_of=3, night=NIGHT),
    "match-over": report(lines=to_the_end(), night=NIGHT),
    "match-over-unnamed": report(lines=to_the_end(), names=()),
    "gallo-over": report("pata_gallo", ["- time"], score=(12, 7, 9), night=NIGHT),
    "undone": report(lines=["A truco", "B quiero", "- undo"], score=(5, 6)),
    "gone": offline_report(report(lines=["A truco"], score=(12, 9)), 12),
    "long-names": report(lines=["A falta_envido"], score=(27, 19), names=LONG),
    "long-names-over": report(lines=to_the_end(), names=LONG, night=NIGHT),
    "hostile": report(lines=["A truco"], names=HOSTILE),
    "target-99": report(lines=["A truco"], target=99, score=(88, 61)),
    "fours": report(lines=[], target=24, score=(15, 8), tally=Tally.FOURS),
    "threes": report(lines=["A truco"], target=18, score=(13, 7), tally=Tally.THREES),
    "target-15": report(lines=[], target=15, score=(14, 14)),
}
