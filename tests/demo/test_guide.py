"""The guided first hand is accepted in every truco and layout, and ends."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer.demo import keys
from scorer.demo.demo_table import DemoTable
from scorer.demo.guide import Guide, first_hand, guide_texts, place_of
from scorer.demo.script_player import ScriptPlayer
from scorer.demo.table_process import TableCommand
from scorer.i18n import languages, translator
from scorer.rules import Start, find_variant, new_game, rules_for, state_document, variant_ids
from tests.support.in_process_desk import desk_of

COLUMNS = 80
ROWS = 3  # of the guide in a terminal of 80 columns


@contextmanager
def table(
    monkeypatch: pytest.MonkeyPatch, store: Path, variant: str, layout: str
) -> Iterator[tuple[DemoTable, ScriptPlayer]]:
    monkeypatch.setattr(TableCommand, "power_on", desk_of)
    command = TableCommand(
        variant=variant,
        options="",
        language="es-AR",
        layout=layout,
        panels=2,
        store=str(store),
        consoles=3 if find_variant(variant).seating.each_alone else 2,
    )
    with DemoTable(command) as desk:
        yield desk, ScriptPlayer(desk, None)


def guide_of(variant: str, desk: DemoTable) -> Guide | None:
    return first_hand(rules_for(find_variant(variant)), desk.ready.lines, desk.report.state)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("layout", ["full", "compact"])
@pytest.mark.parametrize("variant", variant_ids())
def test_every_guided_press_is_accepted_and_the_guide_reaches_its_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variant: str, layout: str
) -> None:
    with table(monkeypatch, tmp_path, variant, layout) as (desk, player):
        guide = guide_of(variant, desk)
        assert guide is not None
        assert len(guide.presses) == 5
        place: int | None = 0
        for number, press in enumerate(guide.presses, 1):
            line = press.line.replace(".", " ") + (" hold" if press.is_held else "")
            result = player.play(number, line)
            assert result.press == ("taken",), line
            place = place_of(guide, desk.report.state, number - 1)
            assert place == number, line
        assert desk.report.state["phase"] == "hand_over"
        assert guide_of(variant, desk) is None, "a store with a scored hand has no guide"


def test_undo_and_a_power_cut_keep_the_place_and_another_button_leaves_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with table(monkeypatch, tmp_path, "argentine", "full") as (desk, player):
        guide = guide_of("argentine", desk)
        assert guide is not None
        place = 0
        for number, (line, expected) in enumerate(
            {
                "A envido": 1,
                "power cut": 1,
                "B envido": None,
                "undo": 1,
                "B quiero": 2,
                " undo": 1,
                "  undo": 0,
            }.items()
        ):
            player.play(number, line.strip())
            now = place_of(guide, desk.report.state, place)
            assert now == expected, line
            place = place if now is None else now


@pytest.mark.parametrize("score", [{"A": 1}, {"B": 3}])
def test_a_game_with_points_has_no_guide(score: dict[str, int]) -> None:
    rules = rules_for(find_variant("argentine"))
    state = state_document(
        new_game(Start(rules))._replace(score=(score.get("A", 0), score.get("B", 0)))
    )
    lines = [f"{side}.{button}" for side in "AB" for button in ("truco", "envido", "quiero")]
    assert first_hand(rules, lines, state) is None


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("variant", ["argentine", "paulista", "destantado", "valencian"])
def test_the_guide_fits_three_lines_of_a_terminal(variant: str, language: str) -> None:
    rules = rules_for(find_variant(variant))
    consoles = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
    lines = [f"{side}.{button}" for side in "ABC" for button in consoles] + ["undo", "menu"]
    # As the table sends it.
    state = json.loads(json.dumps(state_document(new_game(Start(rules)))))
    guide, say = first_hand(rules, lines, state), translator(language)
    assert guide is not None
    letters = {line: letter for letter, line in keys.lines_by_letter(lines).items()}
    for place in (*range(len(guide.presses) + 1), None):
        first, *others = guide_texts(guide, place, say, letters)
        if place != len(guide.presses):
            others.append(say("terminal.guide"))
        told = [*textwrap.wrap(first, COLUMNS), " · ".join(others)]
        assert len(told) <= ROWS and all(len(line) <= COLUMNS for line in told), told
        assert not re.search(r"[{}]|guide\.", " ".join(told)), told
