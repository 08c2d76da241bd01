"""The voice at the real socket of a table, with a simulated clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from tests.support.waiting import until
from tests.voice.speaking_table import SpeakingTable
from tools.bench.web import HEADER

TRUCO = "¡truco! vale dos."
REFUSED = "no quisieron el truco: uno para Los Pibes."


Story = Callable[[SpeakingTable], Coroutine[None, None, None]]


@pytest.fixture
def tell(tmp_path: Path) -> Callable[[Story], None]:
    """Runs a story at a table that has started."""

    def run(story: Story) -> None:
        async def whole() -> None:
            speaking = SpeakingTable(tmp_path / "table-read.sock")
            speaking.table.start()
            try:
                await story(speaking)
            finally:
                speaking.table.stop()

        asyncio.run(whole())

    return run


Tell = Callable[[Story], None]


def test_each_press_is_spoken_once(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
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

    tell(story)


def test_a_press_of_several_steps_is_one_phrase(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            await speaking.press("A truco", "B no_quiero")
            await speaking.press("- new_hand", "- first_trick_done", "B truco")
        assert [text[:13] for text in speaking.player.ended] == [REFUSED[:13], TRUCO[:13]]

    tell(story)


def test_what_was_played_before_is_not_spoken(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        speaking.table.press("A truco")
        async with speaking.voice():
            await speaking.settle()
            assert speaking.player.begun == []
            await speaking.press("B quiero")
        assert speaking.player.ended == ["quiero. vale dos."]

    tell(story)


def test_an_undone_score_is_cut_and_the_undo_is_spoken(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            await speaking.press("A truco")
            speaking.player.hold()
            await speaking.press("B no_quiero")
            await speaking.press("- undo")
            assert [text[:10] for text in speaking.player.cut] == [REFUSED[:10]]
            speaking.player.release()
            await speaking.settle()
        assert speaking.player.ended == [TRUCO, f"se deshizo: {TRUCO}"]

    tell(story)


def test_an_undone_score_that_waits_is_not_spoken(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            speaking.player.hold()
            await speaking.press("A truco")
            await speaking.press("B no_quiero")
            await speaking.press("- undo")
            speaking.player.release()
            await speaking.settle()
        assert speaking.player.begun == [TRUCO, f"se deshizo: {TRUCO}"]

    tell(story)


def test_a_phrase_more_than_a_second_late_is_dropped(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
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

    tell(story)


def test_the_winner_of_a_game_that_ends_by_fast_presses_is_spoken(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
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

    tell(story)


def test_a_new_game_is_announced_and_its_undo_too(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
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

    tell(story)


def test_an_offered_rematch_and_its_start_are_spoken(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            speaking.table.more = {"next_game": "rematch"}
            await speaking.press("A concede")
            speaking.table.more = {}
            speaking.table.open_game(f'{HEADER}[Rematches "A=0 B=1"]\n')
            await until(lambda: len(speaking.player.ended) == 2)
        over, start = speaking.player.ended
        assert over.endswith("¿la revancha? quiero los dos.")
        assert start.startswith("¡va la revancha! cero a cero")

    tell(story)


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


def test_a_question_of_the_box_is_spoken_once_with_both_answers(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
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

    tell(story)


def test_a_question_answered_at_once_is_not_spoken(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            await speaking.ask(ALL_TIED)
            await speaking.ask(None)
            await speaking.pass_time()
        assert speaking.player.begun == []

    tell(story)


def test_an_answer_ends_the_question_that_is_being_spoken(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
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

    tell(story)


def test_a_question_waits_for_the_end_of_what_is_being_spoken(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            speaking.player.hold()
            await speaking.press("A truco")
            await speaking.ask(ALL_TIED)
            await speaking.pass_time()
            speaking.now += 5
            speaking.player.release()
            await speaking.settle()
        assert speaking.player.ended == [TRUCO, ASKED]

    tell(story)


@pytest.mark.parametrize(("is_mute", "is_quiet"), [(True, False), (False, True)])
def test_it_is_silent_at_volume_0_and_while_the_box_is_quiet(
    tell: Tell, is_mute: bool, is_quiet: bool
) -> None:
    async def story(speaking: SpeakingTable) -> None:
        speaking.table.is_quiet = is_quiet
        async with speaking.voice(is_mute=is_mute):
            await speaking.press("A truco")
        assert (speaking.player.begun, speaking.synthesiser.languages) == ([], [])

    tell(story)


def test_it_speaks_again_when_the_box_is_no_longer_quiet(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        speaking.table.is_quiet = True
        async with speaking.voice():
            await speaking.press("A truco")
            speaking.table.is_quiet = False
            await speaking.press("B quiero")
        assert speaking.player.ended == ["quiero. vale dos."]

    tell(story)


@pytest.mark.parametrize("part", ["synthesiser", "player"])
def test_a_missing_part_is_logged_once_and_used_again_when_it_returns(
    tell: Tell, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story(speaking: SpeakingTable) -> None:
        broken = getattr(speaking, part)
        async with speaking.voice():
            broken.fault = "no sound"
            await speaking.press("A truco")
            await speaking.press("B quiero")
            broken.fault = ""
            await speaking.press("B retruco")
        assert speaking.player.ended == ["¡quiero retruco! vale tres."]

    tell(story)
    assert capsys.readouterr().err == "scorer voice: no sound\n"


def test_a_phrase_that_is_replaced_while_it_is_prepared_delays_the_newer_one_no_longer(
    tell: Tell,
) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            speaking.synthesiser.is_held = True
            await speaking.press("A truco")
            speaking.synthesiser.is_held = False
            await speaking.press("B no_quiero")
        assert [text[:10] for text in speaking.player.ended] == [REFUSED[:10]]
        assert speaking.synthesiser.cut == [TRUCO]

    tell(story)


def test_a_table_that_returns_is_spoken_for_again(tell: Tell) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            await speaking.press("A truco")
            speaking.table.stop()
            speaking.table.press("B quiero")
            speaking.table.start()
            seen = speaking.table.requests
            await until(lambda: speaking.table.requests > seen)
            await speaking.press("B retruco")
        assert speaking.player.ended == [TRUCO, "¡quiero retruco! vale tres."]

    tell(story)


def test_a_game_of_unknown_words_is_logged_once_and_the_next_one_is_spoken(
    tell: Tell, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story(speaking: SpeakingTable) -> None:
        async with speaking.voice():
            await speaking.press("A quadruco")
            await speaking.press("B quiero")
            speaking.table.open_game()
            await speaking.settle()
            await speaking.press("A truco")
        assert speaking.player.ended == [TRUCO]

    tell(story)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("scorer voice: this game cannot be told: ")
