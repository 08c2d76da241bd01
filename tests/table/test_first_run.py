"""A new box asks its questions at each power-on until a hand was scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.i18n import languages
from scorer.session.values.setup_view import ListView
from tests.support.in_process_table import InProcessTable, table_in_process


def asked(box: InProcessTable) -> str | None:
    """The title of the question, or None."""
    setup = box.table.view.setup
    return None if setup is None else str(setup.title)


def variant(box: InProcessTable) -> str:
    return str(box.table.document()["variant"])


def answer_all(box: InProcessTable) -> None:
    while asked(box) is not None:
        box.press("A.quiero")


def test_the_questions_return_after_a_power_cut_until_a_hand_was_scored(tmp_path: Path) -> None:
    with table_in_process(tmp_path, "") as box:
        assert asked(box) == "first_language"
        box.press("B.tantos", "A.quiero")
    with table_in_process(tmp_path, "") as box:
        assert asked(box) == "first_language", "a power cut between two questions"
        setup = box.table.view.setup
        assert setup is not None and isinstance(setup.content, ListView)
        assert setup.content.selected.key == "language.es-UY"
        answer_all(box)
        assert variant(box) == "uruguayan"
        box.press("A.truco")
    with table_in_process(tmp_path, "") as box:
        assert asked(box) == "first_language", "a call is no score"
        answer_all(box)
        assert variant(box) == "uruguayan", "what was answered is proposed again"
        box.press("B.no_quiero")
    with table_in_process(tmp_path, "") as box:
        assert (asked(box), variant(box)) == (None, "uruguayan")


@pytest.mark.parametrize("language", languages())
def test_the_first_game_has_nosotros_as_mano_in_each_language(
    language: str, tmp_path: Path
) -> None:
    with table_in_process(tmp_path, "") as box:
        for _ in range(languages().index(language)):
            box.press("B.tantos")
        answer_all(box)
        first = box.table.document()
        assert (asked(box), first["mano"], set(first["score"].values())) == (None, "A", {0})


def test_a_score_counts_though_nothing_was_answered(tmp_path: Path) -> None:
    with table_in_process(tmp_path, "") as box:
        box.wait(301.0)
        assert asked(box) is None
        box.press("A.tantos")
    with table_in_process(tmp_path, "") as box:
        assert (asked(box), variant(box)) == (None, "argentine")


def test_a_box_whose_file_names_the_truco_asks_nothing(tmp_path: Path) -> None:
    with table_in_process(tmp_path, 'table.variant = "paulista"') as box:
        assert (asked(box), variant(box)) == (None, "paulista")
