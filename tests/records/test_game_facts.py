"""Facts of a game: calls, refusals, envidos, hands and deficits; counted twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from scorer.records.game_facts import GameFacts, HandScore, SideFacts, game_facts
from scorer.records.replay import replay_sheet
from scorer.rules import Action
from scorer.rules.document import state_document
from scorer.session.values.record import Record
from tests.receipts.games import SHEETS, game_of_sheet, played_game


def record_of(lines: Sequence[str], variant: str = "argentine") -> Record:
    played = played_game(variant, lines)
    return replay_sheet(played.header, played.rows)


@pytest.mark.parametrize(
    ("lines", "a", "b"),
    [
        (["A truco", "B quiero", "A hand_won"], SideFacts(called=1), SideFacts()),
        (["A truco", "B no_quiero"], SideFacts(called=1, refused=1), SideFacts()),
        # A raise is a call; the refused call is the last one.
        (["A truco", "B retruco", "A no_quiero"], SideFacts(called=1), SideFacts(1, 1)),
        (["A envido", "B quiero", "B envido_won"], SideFacts(), SideFacts(envidos=1)),
        (["A envido", "B no_quiero"], SideFacts(), SideFacts()),
        (
            ["A envido", "B quiero", "B envido_won", "B envido_reversed"],
            SideFacts(envidos=1),
            SideFacts(),
        ),
        (["A truco", "B no_quiero", "- undo"], SideFacts(called=1), SideFacts()),
        (["A truco", "- undo"], SideFacts(), SideFacts()),
    ],
)
def test_calls_refusals_and_envidos(lines: list[str], a: SideFacts, b: SideFacts) -> None:
    assert game_facts(record_of(lines)).sides == (a, b)


@pytest.mark.parametrize(
    ("variant", "lines", "called"),
    [
        ("paulista", ["A truco", "B seis", "A no_quiero"], (1, 1)),
        ("valencian", ["B truc", "A quiero"], (0, 1)),
        ("destantado", ["A truco"], (1, 0, 0)),
    ],
)
def test_every_call_of_the_ladder_counts(
    variant: str, lines: list[str], called: tuple[int, ...]
) -> None:
    facts = game_facts(record_of(lines, variant))
    assert tuple(side.called for side in facts.sides) == called


@pytest.mark.parametrize(
    ("scores", "counts_down", "deficits"),
    [
        ([(0, 0), (1, 9), (12, 9)], False, (8, 3)),
        ([(0, 0)], False, (0, 0)),
        ([(9, 9, 9), (5, 12, 9), (0, 12, 3)], True, (0, 12, 4)),
    ],
)
def test_a_deficit_is_counted_at_the_end_of_a_hand(
    scores: list[tuple[int, ...]], counts_down: bool, deficits: tuple[int, ...]
) -> None:
    curve = tuple(HandScore(hand, each) for hand, each in enumerate(scores))
    facts = GameFacts(curve=curve, counts_down=counts_down)
    assert tuple(facts.largest_deficit(side) for side in range(len(deficits))) == deficits


def test_a_correction_changes_the_curve() -> None:
    lines = ["A award 9", "B hand_won", "A correct 2"]
    assert game_facts(record_of(lines)).curve[-1].scores == (2, 1)


def counted_by_lines(record: Record) -> tuple[list[SideFacts], int]:
    """Calls, refusals and envidos of two sides, from the words of the sheet alone."""
    words = {rung.action for rung in record.game.rules.ladder}
    called: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    envidos: Counter[str] = Counter()
    for done in record.past:
        side, before = str(done.step.side), state_document(done.before)
        rival = "B" if side == "A" else "A"
        if done.step.action in words:
            called[side] += 1
        if done.step.action is Action.NO_QUIERO and before["phase"] == "pending_truco":
            refused[rival] += 1
        if done.step.action is Action.ENVIDO_WON:
            envidos[side] += 1
        if done.step.action is Action.ENVIDO_REVERSED:
            envidos[side] -= 1
            envidos[rival] += 1
    hands = {(sum(done.before.games), done.before.hand_number) for done in record.past}
    sides = [SideFacts(called[s], refused[s], envidos[s]) for s in "AB"]
    return sides, len(hands)


TWO_SIDED = [path for path in SHEETS if "gallo" not in path.name and "destantado" not in path.name]


@pytest.mark.parametrize("path", TWO_SIDED, ids=lambda path: path.stem)
def test_recorded_games_have_the_facts_of_their_lines(path: Path) -> None:
    played = game_of_sheet(path)
    record = replay_sheet(played.header, played.rows)
    facts = game_facts(record)
    assert (list(facts.sides), facts.hands) == counted_by_lines(record)
