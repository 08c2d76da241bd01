"""The voice at the real socket of a table, with a simulated clock."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path

import pytest

from tests.support.coroutines import awaited_in
from tests.support.waiting import until
from tests.voice.speaking_table import SpeakingTable
from tools.bench.web import HEADER

TRUCO = "¡truco! vale dos."
REFUSED = "no quisieron el truco: uno para Los Pibes."


Story = Callable[[SpeakingTable], Coroutine[None, None, None]]


@contextlib.asynccontextmanager
async def speaking_table(tmp_path: Path) -> AsyncIterator[SpeakingTable]:
    """A table that has started."""
    speaking = SpeakingTable(tmp_path / "table-read.sock")
    speaking.table.start()
    try:
        yield speaking
    finally:
        speaking.table.stop()


at_a_table = awaited_in(speaking_table)


@at_a_table
async def test_each_press_is_spoken_once(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        await speaking.press("A truco")
        await speaking.press("B no_quiero")
        speaking.table.show()
        await speaking.settle()
    assert speaking.player.ended == [
        TRUCO,
        f"{REFUSED} Los Pibes, una mala; La Yunta, en cero.",
    ]
    assert speaking.synthesiser.languages == ["es-AR", "es-AR"]


@at_a_table
async def test_a_press_of_several_steps_is_one_phrase(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        await speaking.press("A truco", "B no_quiero")
        await speaking.press("- new_hand", "- first_trick_done", "B truco")
    assert [text[:13] for text in speaking.player.ended] == [REFUSED[:13], TRUCO[:13]]


@at_a_table
async def test_what_was_played_before_is_not_spoken(speaking: SpeakingTable) -> None:
    speaking.table.press("A truco")
    async with speaking.voice():
        await speaking.settle()
        assert speaking.player.begun == []
        await speaking.press("B quiero")
    assert speaking.player.ended == ["quiero. vale dos."]


@at_a_table
async def test_an_undone_score_is_cut_and_the_undo_is_spoken(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        await speaking.press("A truco")
        speaking.player.hold()
        await speaking.press("B no_quiero")
        await speaking.press("- undo")
        assert [text[:10] for text in speaking.player.cut] == [REFUSED[:10]]
        speaking.player.release()
        await speaking.settle()
    assert speaking.player.ended == [TRUCO, f"se deshizo: {TRUCO}"]


@at_a_table
async def test_an_undone_score_that_waits_is_not_spoken(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        speaking.player.hold()
        await speaking.press("A truco")
        await speaking.press("B no_quiero")
        await speaking.press("- undo")
        speaking.player.release()
        await speaking.settle()
    assert speaking.player.begun == [TRUCO, f"se deshizo: {TRUCO}"]


@at_a_table
async def test_a_phrase_more_than_a_second_late_is_dropped(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        speaking.player.hold()
        await speaking.press("A truco")
        await speaking.press("B quiero")
        speaking.now += 1.5
        speaking.player.release()
        await speaking.settle()
        assert speaking.player.begun == [TRUCO]
        await speaking.press("A hand_won")
    assert len(speaking.player.begun) == 2


@at_a_table
async def test_the_winner_of_a_game_that_ends_by_fast_presses_is_spoken(
    speaking: SpeakingTable,
) -> None:
    async with speaking.voice():
        speaking.player.hold()
        for line in ("A truco", "B retruco", "A quiero", "B concede"):
            await speaking.press(line)
            speaking.now += 1.0
        speaking.table.open_game()
        await speaking.settle()
        speaking.now += 4.0
        speaking.player.release()
        await speaking.settle()
    first, last = speaking.player.ended
    assert first == TRUCO
    assert last == "La Yunta abandona. ¡partido para Los Pibes! cero a cero."


@at_a_table
async def test_a_new_game_is_announced_and_its_undo_too(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        await speaking.press("A truco")
        speaking.table.open_game()
        await until(lambda: len(speaking.player.ended) == 2)
        speaking.table.undo_game()
        await until(lambda: len(speaking.player.ended) == 3)
    assert speaking.player.ended[1:] == [
        "cero a cero, son mano Los Pibes.",
        f"se deshizo: {TRUCO}",
    ]


@at_a_table
async def test_an_offered_rematch_and_its_start_are_spoken(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        speaking.table.more = {"next_game": "rematch"}
        await speaking.press("A concede")
        speaking.table.more = {}
        speaking.table.open_game(f'{HEADER}[Rematches "A=0 B=1"]\n')
        await until(lambda: len(speaking.player.ended) == 2)
    over, start = speaking.player.ended
    assert over.endswith("¿la revancha? quiero los dos.")
    assert start.startswith("¡va la revancha! cero a cero")


ALL_TIED = {
    "key": "all_tied",
    "word": "",
    "number": 0,
    "side": None,
    "phones": True,
    "yes": {"key": "tied", "to": "A", "points": 1},
    "no": {"key": "dispute", "to": None, "points": 0},
}
ASKED = "¿pardas las tres? quiero, pardas: uno para Los Pibes. no quiero, no se anota."


@at_a_table
async def test_a_question_of_the_box_is_spoken_once_with_both_answers(
    speaking: SpeakingTable,
) -> None:
    async with speaking.voice():
        await speaking.press("A truco", "B quiero")
        await speaking.ask(ALL_TIED)
        assert speaking.player.begun == ["quiero. vale dos."]
        await speaking.pass_time()
        await speaking.ask(ALL_TIED)
        await speaking.pass_time()
        assert speaking.player.ended == ["quiero. vale dos.", ASKED]
        await speaking.ask(None)
        await speaking.ask(ALL_TIED)
        await speaking.pass_time()
    assert speaking.player.ended[1:] == [ASKED, ASKED]


@at_a_table
async def test_a_question_answered_at_once_is_not_spoken(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        await speaking.ask(ALL_TIED)
        await speaking.ask(None)
        await speaking.pass_time()
    assert speaking.player.begun == []


@at_a_table
async def test_an_answer_ends_the_question_that_is_being_spoken(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        await speaking.ask(ALL_TIED)
        speaking.player.hold()
        await speaking.pass_time()
        speaking.table.more = {}
        await speaking.press("- all_tied")
        assert speaking.player.cut == [ASKED]
        speaking.player.release()
        await speaking.settle()
    assert speaking.player.ended[0].startswith("tres pardas, es de la mano: uno")


@at_a_table
async def test_a_question_waits_for_the_end_of_what_is_being_spoken(
    speaking: SpeakingTable,
) -> None:
    async with speaking.voice():
        speaking.player.hold()
        await speaking.press("A truco")
        await speaking.ask(ALL_TIED)
        await speaking.pass_time()
        speaking.now += 5
        speaking.player.release()
        await speaking.settle()
    assert speaking.player.ended == [TRUCO, ASKED]


@pytest.mark.parametrize(("is_mute", "is_quiet"), [(True, False), (False, True)])
@at_a_table
async def test_it_is_silent_at_volume_0_and_while_the_box_is_quiet(
    speaking: SpeakingTable, is_mute: bool, is_quiet: bool
) -> None:
    speaking.table.is_quiet = is_quiet
    async with speaking.voice(is_mute=is_mute):
        await speaking.press("A truco")
    assert (speaking.player.begun, speaking.synthesiser.languages) == ([], [])


@at_a_table
async def test_it_speaks_again_when_the_box_is_no_longer_quiet(speaking: SpeakingTable) -> None:
    speaking.table.is_quiet = True
    async with speaking.voice():
        await speaking.press("A truco")
        speaking.table.is_quiet = False
        await speaking.press("B quiero")
    assert speaking.player.ended == ["quiero. vale dos."]


@pytest.mark.parametrize("part", ["synthesiser", "player"])
@at_a_table
async def test_a_missing_part_is_logged_once_and_used_again_when_it_returns(
    speaking: SpeakingTable, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = getattr(speaking, part)
    async with speaking.voice():
        broken.fault = "no sound"
        await speaking.press("A truco")
        await speaking.press("B quiero")
        broken.fault = ""
        await speaking.press("B retruco")
    assert speaking.player.ended == ["¡quiero retruco! vale tres."]
    assert capsys.readouterr().err == "scorer voice: no sound\n"


@at_a_table
async def test_a_phrase_that_is_replaced_while_it_is_prepared_delays_the_newer_one_no_longer(
    speaking: SpeakingTable,
) -> None:
    async with speaking.voice():
        speaking.synthesiser.is_held = True
        await speaking.press("A truco")
        speaking.synthesiser.is_held = False
        await speaking.press("B no_quiero")
    assert [text[:10] for text in speaking.player.ended] == [REFUSED[:10]]
    assert speaking.synthesiser.cut == [TRUCO]


@at_a_table
async def test_a_table_that_returns_is_spoken_for_again(speaking: SpeakingTable) -> None:
    async with speaking.voice():
        await speaking.press("A truco")
        speaking.table.stop()
        speaking.table.press("B quiero")
        speaking.table.start()
        seen = speaking.table.requests
        await until(lambda: speaking.table.requests > seen)
        await speaking.press("B retruco")
    assert speaking.player.ended == [TRUCO, "¡quiero retruco! vale tres."]


@at_a_table
async def test_a_game_of_unknown_words_is_logged_once_and_the_next_one_is_spoken(
    speaking: SpeakingTable, capsys: pytest.CaptureFixture[str]
) -> None:
    async with speaking.voice():
        await speaking.press("A quadruco")
        await speaking.press("B quiero")
        speaking.table.open_game()
        await speaking.settle()
        await speaking.press("A truco")
    assert speaking.player.ended == [TRUCO]
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("scorer voice: this game cannot be told: ")
