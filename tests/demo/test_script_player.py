"""Scripts on the fake table: time, frames, cables, power cuts and errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from scorer.demo import script_player
from scorer.demo.buttons import PinEdge
from scorer.demo.demo_table import DemoTable
from scorer.demo.script_lines import ScriptError
from scorer.demo.script_player import START, LineResult, ScriptPlayer, as_json, as_text
from scorer.demo.table_process import TableEnded, TableReport
from tests.demo.demo_rigs import FakeCommand


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DemoTable]:
    with DemoTable(FakeCommand(str(tmp_path))) as desk:
        yield desk


def _played(desk: DemoTable, *lines: str, folder: Path | None = None) -> list[LineResult]:
    answers: list[LineResult] = []
    script_player.play(enumerate(lines, 1), ScriptPlayer(desk, folder), answers.append)
    return answers


def _count(answer: LineResult) -> int:
    return int(answer.report.text[0].rpartition(" ")[2])


def test_a_bouncing_press_counts_once(desk: DemoTable) -> None:
    answers = _played(desk, "A truco", "B quiero hold", "# nobody", "", "both tantos", "undo")
    assert [_count(answer) for answer in answers] == [1, 2, 4, 3]
    assert [answer.press for answer in answers] == [
        ("taken",),
        ("taken",),
        ("taken", "taken"),
        ("taken",),
    ]


def test_each_line_takes_at_least_a_second(desk: DemoTable) -> None:
    played = ScriptPlayer(desk)
    times = [played.now]
    for number, line in enumerate(("A truco", "A truco hold", "wait 2.5", "A truco hold 3"), 1):
        played.play(number, line)
        times.append(played.now)
    took = [round(after - before, 1) for before, after in pairwise(times)]
    assert took == [1.0, 1.0, 2.5, 3.1]
    assert desk.report.now == played.now


def test_a_press_begins_its_offset_after_the_line(desk: DemoTable) -> None:
    played = ScriptPlayer(desk)
    lines = ("wait 1", "A truco +0.45 B truco", "A truco +2.5 B truco", "B truco +0.02 A truco")
    takes = [(played.play(number, line), played.now) for number, line in enumerate(lines)][1:]
    assert [len(answer.press) for answer, _ in takes] == [2, 2, 2]
    assert [round(now, 1) for _, now in takes] == [102.0, 104.7, 105.7]


class _NotedTable(DemoTable):
    """A table that keeps the edges of its pins and the times it was advanced to."""

    edges: tuple[PinEdge, ...] = ()
    times: tuple[float, ...] = ()

    def advance(self, edges: Sequence[PinEdge], until: float) -> TableReport:
        self.edges += tuple(edges)
        self.times += (until,)
        return super().advance(edges, until)


def test_the_offset_counts_from_the_start_of_the_line(tmp_path: Path) -> None:
    desk = _NotedTable(FakeCommand(str(tmp_path)))
    with desk:
        ScriptPlayer(desk).play(1, "A truco hold +0.45 B truco +0.3 undo")
    first = {edge.line: edge.time for edge in reversed(desk.edges)}
    assert first == {"A.truco": START, "undo": START + 0.3, "B.truco": START + 0.45}


def test_a_long_wait_is_polled_less_often(tmp_path: Path) -> None:
    desk = _NotedTable(FakeCommand(str(tmp_path)))
    with desk:
        played = ScriptPlayer(desk, tmp_path)
        played.play(1, "wait 86400")
    assert (played.now, desk.report.now) == (86500.0, 86500.0)
    assert desk.times[:2] == (START + 0.05, START + 0.1)
    assert len(desk.times) < 500


def test_without_pictures_a_line_is_one_step(tmp_path: Path) -> None:
    desk = _NotedTable(FakeCommand(str(tmp_path)))
    with desk:
        answers = _played(desk, "A truco", "wait 60")
    assert desk.times == (START + 1, START + 61)
    assert [answer.frames for answer in answers] == [(), ()]


def test_only_the_first_result_and_a_power_cut_have_a_pid(desk: DemoTable) -> None:
    answers = _played(desk, "A truco", "A truco", "power cut", "A truco", "A truco, power cut")
    pids = [answer.pid for answer in answers]
    assert [pid is not None for pid in pids] == [True, False, True, False, True]
    assert len(set(pids)) == 4


def test_a_power_cut_blackens_the_panels_and_keeps_the_store(
    desk: DemoTable, tmp_path: Path
) -> None:
    lines = ("A truco", "power cut", "A truco, power cut", "A truco")
    answers = _played(desk, *lines, folder=tmp_path)
    assert [_count(answer) for answer in answers] == [1, 1, 2, 3]
    black, back = ["A-0003.png", "B-0003.png"], ["A-0004.png", "B-0004.png"]
    assert [file for _, file in answers[1].frames] == black + back


def test_a_cut_after_a_press_that_stores_nothing_still_happens(desk: DemoTable) -> None:
    answers = _played(desk, "A truco", "B no quiero, power cut")
    assert (answers[1].press, _count(answers[1])) == (("refused",), 1)
    assert answers[1].pid is not None


def test_an_unplugged_panel_is_black_until_it_is_plugged_in(
    desk: DemoTable, tmp_path: Path
) -> None:
    lines = ("A truco", "unplug panel A", "A truco", "power cut", "plug panel A")
    answers = _played(desk, *lines, folder=tmp_path)
    files = [[file for _, file in answer.frames if file[0] == "A"] for answer in answers]
    # Black, 1 press; black; (hidden); (hidden, and no light to lose); the picture of B.
    assert files == [["A-0001.png", "A-0002.png"], ["A-0003.png"], [], [], ["A-0004.png"]]
    newest = sorted(tmp_path.glob("B-*.png"))[-1]
    assert (tmp_path / "A-0004.png").read_bytes() == newest.read_bytes()


def test_a_stuck_button_is_down_when_the_table_starts(desk: DemoTable) -> None:
    answers = _played(desk, "stuck A truco", "power cut", "release A truco", "A truco")
    assert [answer.report.state["down"] for answer in answers] == [["A.truco"], ["A.truco"], [], []]
    assert [_count(answer) for answer in answers] == [1, 1, 1, 2]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (("A trucco",), "line 1: 'A trucco': no button 'trucco'; did you mean 'truco'?"),
        (("A truco", "C truco"), "line 2: 'C truco': there is no console C"),
        (("stuck A truco", "A truco"), "A truco is stuck; write 'release A truco'"),
        (("stuck A truco", "both truco"), "A truco is stuck"),
        (("stuck A truco", "stuck A truco"), "A truco is stuck already"),
        (("release undo",), "undo is not stuck"),
    ],
)
def test_a_wrong_line_ends_the_script_with_its_number(
    desk: DemoTable, lines: tuple[str, ...], sentence: str
) -> None:
    answers: list[LineResult] = []
    with pytest.raises(ScriptError, match=sentence.partition("?")[0]):
        script_player.play(enumerate(lines, 1), ScriptPlayer(desk), answers.append)
    assert len(answers) == len(lines) - 1


@pytest.mark.parametrize(
    ("fail", "sentence", "code"),
    [
        ("sentence", "config: line 12", 78),
        ("mute", "the table has ended", 1),
        ("nonsense", "the table said something strange", 1),
    ],
)
def test_a_failing_table_is_reported_with_its_code(
    tmp_path: Path, fail: str, sentence: str, code: int
) -> None:
    with (
        DemoTable(FakeCommand(str(tmp_path), fail=fail)) as desk,
        pytest.raises(TableEnded) as error,
    ):
        _played(desk, "A truco", "menu")
    assert (str(error.value).startswith(sentence), error.value.code) == (True, code)


def test_a_result_as_json_has_the_documented_keys(desk: DemoTable, tmp_path: Path) -> None:
    first, second = _played(desk, "A truco", "both truco", folder=tmp_path)
    document = json.loads(as_json(first))
    assert document.pop("pid") > 0
    assert document == {
        "line": "A truco",
        "state": {"score": {"A": 1, "B": 0}, "down": []},
        "press": "taken",
        "screen": "playing",
        "text": ["A 1"],
        "lamps": {"A": "off", "B": "off"},
        "sound": "key",
        "frames": [1, 2],
        "files": ["A-0001.png", "B-0001.png", "A-0002.png", "B-0002.png"],
        "seq": 1,
        "now": START + 1,
    }
    assert json.loads(as_json(second))["presses"] == ["taken", "taken"]


def test_a_result_for_readers_is_one_line(desk: DemoTable) -> None:
    first, second = _played(desk, "A truco", "wait 1")
    assert as_text(first).split() == ["A", "truco", "taken", "A", "1"]
    assert as_text(second).split() == ["wait", "1", "-", "A", "1"]
