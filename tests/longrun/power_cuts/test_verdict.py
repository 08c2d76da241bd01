"""The verdict accepts right stores and finds what is wrong with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.store import file
from scorer.store.journal import Journal, StoredRow
from tests.longrun.power_cuts.checkpoints import checkpoints
from tests.longrun.power_cuts.evidence import Recording, Shown, Watcher
from tests.longrun.power_cuts.expected import Content, Truth, content_of, document_of, rebuild
from tests.longrun.power_cuts.verdict import judge
from tests.longrun.power_cuts.writes import SECTOR, Entry

HEADER = '[Variant "argentine"]\n'
# Rows with the press they belong to: the third press has two.
ROWS = tuple(
    StoredRow(
        seq, 1, press, line, "A", "boot", 1000 * press, "2026-05-01T21:00:00+00:00", trusted=False
    )
    for seq, press, line in (
        (1, 1, "A truco"),
        (2, 2, "B quiero"),
        (3, 3, "A hand_won"),
        (4, 3, "- new_hand"),
        (5, 5, "B truco"),
    )
)
EVENING = Content(ROWS, ((1, HEADER),))


def beginning(count: int) -> Content:
    """The first ``count`` rows of the evening."""
    return Content(ROWS[:count], EVENING.headers)


def store(folder: Path, content: Content) -> Path:
    rebuild(folder, content, {"night": "1"})
    return folder


def truth(folder: Path) -> Truth:
    """The evening, with the state published after each of its presses."""
    documents = {}
    for count in (1, 2, 4, 5):
        with Journal.open(store(folder / f"document-{count}", beginning(count))) as journal:
            document = document_of(journal)
            assert document is not None
            documents[count] = [document]
    return Truth(EVENING, documents)


@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_a_store_with_everything_shown_is_accepted(tmp_path: Path, count: int) -> None:
    verdict = judge(store(tmp_path / "cut", beginning(count)), truth(tmp_path), count)
    assert verdict == (count, "")


def test_a_store_may_hold_a_press_that_was_not_shown(tmp_path: Path) -> None:
    assert judge(store(tmp_path / "cut", beginning(5)), truth(tmp_path), 2) == (5, "")


def test_a_cut_before_the_first_game_leaves_an_empty_store(tmp_path: Path) -> None:
    assert judge(tmp_path / "cut", truth(tmp_path), 0) == (0, "")


def test_a_lost_press_that_was_shown_is_found(tmp_path: Path) -> None:
    verdict = judge(store(tmp_path / "cut", beginning(4)), truth(tmp_path), 5)
    assert "row 5 had been shown" in verdict.wrong


def test_half_a_press_is_found(tmp_path: Path) -> None:
    verdict = judge(store(tmp_path / "cut", beginning(3)), truth(tmp_path), 2)
    assert verdict.wrong == "row 3 is half a press"


def test_a_changed_press_is_found(tmp_path: Path) -> None:
    changed = Content((ROWS[0], ROWS[1]._replace(line="B no_quiero")), EVENING.headers)
    assert (
        "are not the first 2" in judge(store(tmp_path / "cut", changed), truth(tmp_path), 2).wrong
    )


def test_an_invented_press_is_found(tmp_path: Path) -> None:
    added = Content((*ROWS, ROWS[4]._replace(seq=6, press=6, line="A quiero")), EVENING.headers)
    verdict = judge(store(tmp_path / "cut", added), truth(tmp_path), 2)
    assert "are not the first 6" in verdict.wrong


def test_a_wrong_header_is_found(tmp_path: Path) -> None:
    other = Content(ROWS[:2], ((1, '[Variant "paulista"]\n'),))
    assert "headers" in judge(store(tmp_path / "cut", other), truth(tmp_path), 2).wrong


def test_a_state_other_than_the_one_shown_is_found(tmp_path: Path) -> None:
    correct = truth(tmp_path)
    lied = Truth(EVENING, {2: [{**correct.documents[2][0], "score": {"A": 9, "B": 9}}]})
    assert "had been shown" in judge(store(tmp_path / "cut", beginning(2)), lied, 2).wrong


def test_a_damaged_store_is_found(tmp_path: Path) -> None:
    folder = store(tmp_path / "cut", beginning(5))
    path = folder / file.FILE_NAME
    path.write_bytes(path.read_bytes()[: 2 * file.PAGE])
    assert "cannot be opened" in judge(folder, truth(tmp_path), 0).wrong


def test_a_rebuilt_store_has_the_same_content(tmp_path: Path) -> None:
    with Journal.open(store(tmp_path / "twin", EVENING)) as journal:
        assert content_of(journal) == EVENING
        assert journal.settings() == {"night": "1"}


def test_a_row_must_be_stored_once_the_log_is_as_long_as_when_it_was_shown() -> None:
    shown = (Shown(0, 1, "socket"), Shown(900, 4, "panel"), Shown(700, 3, "socket"))
    nothing = Path("nothing")
    recording = Recording(nothing, nothing, 0, 1000, shown, {}, 3, nothing)
    assert [recording.owed(end) for end in (0, 699, 700, 899, 900)] == [1, 1, 3, 3, 4]


def test_a_picture_counts_from_its_first_appearance() -> None:
    watcher = Watcher()
    watcher.pictures([((b"old",), 10)], 1)
    watcher.pictures([((b"old",), 20), ((b"new",), 30), ((b"hint",), 40), ((b"new",), 50)], 2)
    assert watcher.shown == [Shown(10, 1, "panel"), Shown(30, 2, "panel")]
    # It was shown before, so it does not belong to the newest row.
    watcher.pictures([((b"hint",), 60), ((b"old",), 70)], 3)
    assert len(watcher.shown) == 2


def test_a_checkpoint_lasts_from_the_first_block_of_the_store_to_the_flush() -> None:
    def write(block: int) -> Entry:
        return Entry(block * 8 * SECTOR, 8 * SECTOR, 0, 0, False, False, False)

    flush = Entry(0, 0, 0, 0, True, False, False)
    entries = [write(1), flush, write(7), write(1), write(8), flush, write(1), flush, write(7)]
    found = checkpoints(entries, frozenset({7, 8}))
    assert found == (range(2, 7), range(8, 10))
