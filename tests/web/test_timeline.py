"""The timeline of a game from its rows: the same lines as on the panel."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from scorer.records.replay import build_header
from scorer.rules import Action, Start, Step, legal, new_game, rules_for, step_text
from scorer.rules.registry import find_variant, variant_ids
from scorer.session.values.night_view import NightStanding
from scorer.session.values.record import (
    REDO,
    UNDO,
    JournalLine,
    Record,
    append_press,
    new_record,
    replay_lines,
)
from scorer.session.view import history
from scorer.web.standings_cache import EveningGames, StandingsCache
from scorer.web.timeline import Timeline, TimelineRow, parse_row
from tests.web.contract import check

HEADER = '[Variant "argentine"]\n[Options "target=15"]\n[NameA "Los Pibes"]\n'


def row(seq: int, line: str, press: int | None = None, source: str = "A") -> TimelineRow:
    wall = f"2026-11-21T21:{seq // 60 % 60:02}:{seq % 60:02}+00:00"
    return TimelineRow(seq, press or seq, line, source, "boot", seq * 1000, wall, True)


def story(*lines: str, header: str = HEADER) -> Timeline:
    told = Timeline(1, header)
    told.add_rows([row(seq, line) for seq, line in enumerate(lines, 1)])
    return told


def test_a_hand_has_one_entry_per_step_with_the_score() -> None:
    told = story("A truco", "B quiero", "A hand_won", "- new_hand", "B envido", "A no_quiero")
    short = [
        (each["hand"], each["side"], each["key"], each["word"], each["points"], each["score"])
        for each in told.entries
    ]
    assert short == [
        (1, "A", "truco",          "truco",  0, {"A": 0, "B": 0}),
        (1, "B", "quiero",         "quiero", 0, {"A": 0, "B": 0}),
        (1, "A", "hand",           "truco",  2, {"A": 2, "B": 0}),
        (2, "B", "envido",         "envido", 0, {"A": 2, "B": 0}),
        (2, "B", "envido_refused", "envido", 1, {"A": 2, "B": 1}),
    ]  # fmt: skip


def test_what_is_taken_back_is_marked_and_what_comes_again_is_not() -> None:
    told = story("A truco", "B quiero", "- undo", "- undo", "- redo")
    marks = [(each["key"], each["undone"]) for each in told.entries]
    assert marks == [
        ("truco", False), ("quiero", True), ("undo", False), ("undo", False), ("redo", False),
    ]  # fmt: skip


def test_one_press_that_undoes_many_steps_is_one_entry() -> None:
    told = Timeline(1, HEADER)
    lines = (("A truco", 1), ("B quiero", 2), ("B hand_won", 2), ("- undo", 4), ("- undo", 4))
    told.add_rows([row(seq, line, press) for seq, (line, press) in enumerate(lines, 1)])
    assert [(each["key"], each["undone"]) for each in told.entries] == [
        ("truco", False), ("quiero", True), ("hand", True), ("undo", False),
    ]  # fmt: skip


def test_a_game_that_was_taken_back_whole_comes_again_as_it_was() -> None:
    told = story("A truco", "- undo", "- undo", "- redo", "- redo", "B quiero")
    assert [each["undone"] for each in told.entries if each["key"] == "truco"] == [False]
    assert told.game.hand.truco.pending is False


def test_a_reason_goes_along_and_is_no_part_of_the_line() -> None:
    told = story("A correct 12  # contamos mal")
    (entry,) = told.entries
    assert (entry["line"], entry["reason"]) == ("A correct 12", "contamos mal")
    assert entry["score"] == {"A": 12, "B": 0}


def test_rows_that_are_known_are_passed_over() -> None:
    rows = [row(1, "A truco"), row(2, "B quiero"), row(3, "A hand_won")]
    told = Timeline(1, HEADER)
    for page in (rows[:1], rows[:2], rows, rows):
        told.add_rows(page)
    assert [each["seq"] for each in told.entries] == [1, 2, 3]
    assert told.last_seq == 3


def test_a_row_is_read_with_whatever_it_may_get_later() -> None:
    known = row(1, "A truco")
    assert parse_row({**known._asdict(), "game": 1, "new": "key"}) == known


@pytest.mark.parametrize("line", ["A trucco", "B quiero", "A flor"])
def test_a_row_that_no_table_would_have_written_is_an_error(line: str) -> None:
    with pytest.raises(ValueError):
        story(line)


def test_the_chart_begins_at_the_start_and_has_every_hand_that_is_over() -> None:
    header = '[Variant "argentine"]\n[Start "A=12 B=9"]\n'
    told = story("A hand_won", "- new_hand", "B truco", "A no_quiero", header=header)
    assert told.hand_scores() == [
        {"hand": 0, "score": {"A": 12, "B": 9}},
        {"hand": 1, "score": {"A": 13, "B": 9}},
        {"hand": 2, "score": {"A": 13, "B": 10}},
    ]
    told.add_rows([row(5, "- undo")])
    assert told.hand_scores()[-1]["hand"] == 1


def test_the_chart_of_a_series_is_that_of_its_newest_game() -> None:
    header = '[Variant "argentine"]\n[Options "target=15 best_of=3"]\n'
    told = story("A award 15", header=header)
    assert told.hand_scores()[-1]["score"] == {"A": 15, "B": 0}
    told.add_rows([row(2, "- new_hand"), row(3, "B hand_won")])
    assert [each["score"] for each in told.hand_scores()] == [{"A": 0, "B": 0}, {"A": 0, "B": 1}]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("seed", range(3))
def test_the_entries_are_those_of_the_panel(variant: str, seed: int) -> None:
    chance = Random(f"{variant} {seed}")
    start = new_game(Start(rules_for(find_variant(variant), {})))
    record, lines = new_record(start), list[str]()
    while len(lines) < 120:
        step = _some_step(record, chance)
        record = _written(record, step)
        lines.append(step_text(step))
    told = story(*lines, header=build_header(start, {}))
    assert told.game == record.game
    standing = [
        (each["hand"], each["word"], each["key"], each["points"], tuple(each["score"].values()))
        for each in told.entries
        if not each["undone"] and each["key"] not in ("undo", "redo")
    ]
    again = replay_lines(start, [JournalLine(seq, line) for seq, line in enumerate(lines)])
    shown = [(h.hand, h.word, h.key, h.points, h.scores) for h in history.history_lines(again)]
    assert shown
    assert standing[-len(shown) :] == shown


def _some_step(record: Record, chance: Random) -> Step:
    if record.past and chance.random() < 0.15:
        return UNDO
    if record.future and chance.random() < 0.5:
        return REDO
    steps = [step for step in legal(record.game) if step.action is not Action.CONCEDE]
    return chance.choice(steps) if steps else UNDO


def _written(record: Record, step: Step) -> Record:
    after = append_press(record, (step,))
    assert isinstance(after, Record), (step, after)
    return after


def tonight(*games: Sequence[str]) -> StandingsCache:
    known = StandingsCache()
    for number, lines in enumerate(games, 1):
        known.add(number, story(*lines))
    return known


def test_the_standings_count_finished_games() -> None:
    known = tonight(("A award 15",), ("B truco",), ("A award 14", "B concede"), ())
    told = known.ranking(EveningGames(4, 1, 4))
    first = NightStanding("Los Pibes", "", 2, 2, 2, "los pibes", best_streak=2, hands=1)
    assert (told["games"], told["rows"][0]) == (2, first._asdict())
    assert known.ranking(EveningGames(4, 2, 4))["games"] == 1, "from the second game on"


def test_a_game_that_goes_on_is_asked_for_again_and_the_others_are_not() -> None:
    known = tonight(("A award 15",), ("B award 15",))
    games = EveningGames(2, 1, 2)
    assert known.next_missing(games) is None
    known.forget(2)
    assert known.next_missing(games) == 2
    assert known.next_missing(EveningGames(3, 3, 3)) == 3


def test_a_game_that_cannot_be_replayed_does_not_count() -> None:
    known = tonight(("A award 15",))
    known.add(2, None)
    games = EveningGames(2, 1, 2)
    assert (known.next_missing(games), known.ranking(games)["games"]) == (None, 1)
    assert len(list(known.curves(games))) == 1


def test_a_curve_has_the_score_after_each_hand_and_the_newest_names() -> None:
    known = tonight(("A truco", "B quiero", "A hand_won", "- new_hand", "A award 13"), ("B truco",))
    (curve,) = known.curves(EveningGames(2, 1, 2, {"los pibes": "Los Nuevos"}))
    assert [hand["score"] for hand in curve["hands"]] == [
        {"A": 0, "B": 0},
        {"A": 2, "B": 0},
        {"A": 15, "B": 0},
    ]
    assert (curve["names"]["A"], curve["winner"], curve["target"]) == ("Los Nuevos", "A", 15)
    check("NightGames", {"games": [curve]})
    rivals = {"los pibes": "Los Nuevos", "B": "Los nuevos"}
    (own,) = known.curves(EveningGames(2, 1, 2, rivals))
    assert own["names"] == {"A": "Los Pibes", "B": ""}, "as in the ranking"
    known.forget(1)
    assert list(known.curves(EveningGames(2, 1, 2))) == []


def test_a_long_night_is_read_no_further_back_than_the_panel_does() -> None:
    assert len(EveningGames(100, 1, 100).evening_range()) == 60
    assert list(EveningGames(3, 2, 3).evening_range()) == [2, 3]


def test_a_step_that_moves_points_has_an_entry_for_each_side() -> None:
    told = story("A envido", "B quiero", "A envido_won", "A envido_reversed", "B truco")
    moved = [entry for entry in told.entries if entry["seq"] == 4]
    assert [(entry["side"], entry["points"]) for entry in moved] == [("A", -2), ("B", 2)]
    assert told.entries_from(4, 1) == moved
    assert told.entries_from(1, 0) == []
    told.add_rows([row(6, "- undo"), row(7, "- undo")])
    assert all(entry["undone"] for entry in moved)
