"""Full, read-only, foreign or newer stores: the panel shows it, no point is lost.

Real disks: a small one that is filled (needs root), a limit on file sizes, another program's file.
What could not be stored is never shown as a score.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.table.table_process import TableDriver, running_table, table_on

STORE = "scorer.sqlite3"
SMALL = "size=256k"


def _won(told: TableDriver) -> None:
    """Two points for A."""
    assert [told.press(line) for line in ("A.truco", "B.quiero", "A.tantos")] == ["taken"] * 3
    assert told.score == {"A": 2, "B": 0}
    told.wait(4.0)


def _sides_of(file: Path) -> dict[str, bytes]:
    """Every file of the store's folder."""
    return {path.name: path.read_bytes() for path in file.parent.iterdir()}


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of its own; skips where it cannot be mounted."""
    folder.mkdir()
    made = ["mount", "-t", "tmpfs", "-o", SMALL, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(made, capture_output=True).returncode != 0:
        pytest.skip("a small disk can only be mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _fill(folder: Path) -> Path:
    """Fill the disk completely."""
    big = folder / "photos"
    with big.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return big


def _until_refused(told: TableDriver, sentence: str) -> None:
    """Hands won by A until one cannot be stored; only stored scores are shown."""
    for _ in range(25):
        before = told.state
        if told.press("A.tantos") == "refused":
            break
        told.wait(4.0)
    assert told.report.press == ("refused",)
    assert told.report.sounds[-1] == "refused"
    assert told.state == before
    assert sentence in told.text
    assert told.report.screen != "trouble", "the score stays on the panel"


@pytest.mark.sampled(0)
def test_a_full_disk_is_said_and_with_room_the_next_press_counts(tmp_path: Path) -> None:
    with small_disk(tmp_path / "card") as card, running_table(table_on(card)) as told:
        _won(told)
        photos = _fill(card)
        _until_refused(told, "disco lleno: no cuenta")
        score = told.score
        told.wait(30.0)
        photos.unlink()
        assert told.press("B.tantos") == "taken"
        assert told.score == {"A": score["A"], "B": 1}
        told.power_cut()
        assert told.score == {"A": score["A"], "B": 1}


def test_a_full_disk_and_a_power_cut_lose_no_point_that_was_shown(tmp_path: Path) -> None:
    with small_disk(tmp_path / "card") as card, running_table(table_on(card)) as told:
        _won(told)
        _fill(card)
        _until_refused(told, "disco lleno: no cuenta")
        shown = told.state
        told.power_cut()
        assert told.state == shown


@pytest.mark.sampled(2)
@pytest.mark.parametrize("content", [b"a shopping list\n" * 500, b"SQLite format 3\0", b"?"])
def test_a_file_that_is_no_store_is_left_alone_and_the_panel_says_so(
    content: bytes, tmp_path: Path
) -> None:
    (tmp_path / STORE).write_bytes(content)
    _refuses_everything(tmp_path, "Lo guardado no es de Truco Scorer.")


def test_a_database_of_another_program_is_left_alone_and_the_panel_says_so(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / STORE) as database:
        database.execute("CREATE TABLE wine (name TEXT)")
    database.close()
    _refuses_everything(tmp_path, "Lo guardado no es de Truco Scorer.")


def _refuses_everything(folder: Path, sentence: str) -> None:
    """The table runs, shows ``sentence`` and no score; no press changes the file."""
    before = _sides_of(folder / STORE)
    with running_table(table_on(folder)) as told:
        assert told.report.screen == "trouble"
        assert sentence in told.text
        for line in ("A.truco", "B.tantos", "undo"):
            assert told.press(line) == "refused", line
            assert told.report.press == ("refused",), "a bouncing contact is one press"
            assert "refused" in told.report.sounds
        assert sentence in told.text
        assert not told.state
        picture = told.picture("A")
        assert any(picture), "it is on the panel, too"
        told.power_cut()
        assert sentence in told.text
    assert _sides_of(folder / STORE) == before


def test_a_disk_that_may_only_be_read_is_said_and_the_score_is_there_again_later(
    tmp_path: Path,
) -> None:
    with small_disk(tmp_path / "card") as card:
        with running_table(table_on(card)) as told:
            _won(told)
        subprocess.run(["mount", "-o", "remount,ro", str(card)], check=True)
        with running_table(table_on(card)) as told:
            assert "no deja escribir" in told.text or "no puedo escribir" in told.text
            assert told.press("A.tantos") == "refused"
            assert not told.state or told.score == {"A": 2, "B": 0}
        subprocess.run(["mount", "-o", "remount,rw", str(card)], check=True)
        with running_table(table_on(card)) as told:
            assert told.score == {"A": 2, "B": 0}
            assert told.press("A.tantos") == "taken"


def test_a_disk_that_the_kernel_shuts_in_the_middle_refuses_presses_and_keeps_the_score(
    tmp_path: Path,
) -> None:
    with failing_card(tmp_path) as (card, shut):
        with running_table(table_on(card)) as told:
            _won(told)
            shut()
            for line in ("A.truco", "B.tantos"):
                assert told.press(line) == "refused"
                assert told.report.sounds[-1] == "refused"
                assert "no cuenta" in told.text
                assert told.score == {"A": 2, "B": 0}
                told.wait(30.0)
            told.press("A.truco")
            assert "no puedo escribir: no cuenta" in told.text
            assert told.report.screen != "trouble", "the score stays on the panel"
            told.process.kill()
        subprocess.run(["umount", str(card)], check=True)
        subprocess.run(["e2fsck", "-fy", str(tmp_path / "image")], capture_output=True)
        subprocess.run(["mount", "-o", "loop", str(tmp_path / "image"), str(card)], check=True)
        with running_table(table_on(card)) as told:
            assert told.score == {"A": 2, "B": 0}
            assert told.press("A.tantos") == "taken"


@contextmanager
def failing_card(folder: Path) -> Iterator[tuple[Path, Callable[[], None]]]:
    """A card of its own and a function that makes it read-only; skips if impossible."""
    image, card = folder / "image", folder / "card"
    card.mkdir()
    with image.open("wb") as file:
        file.truncate(16 << 20)
    mount = ["mount", "-o", "loop,errors=remount-ro", str(image), str(card)]
    try:
        subprocess.run(["mkfs.ext4", "-q", str(image)], check=True, capture_output=True)
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no card can be mounted here: {error}")
    lines = (line.split() for line in Path("/proc/mounts").read_text("utf-8").splitlines())
    device = next(Path(words[0]).name for words in lines if words[1] == str(card))
    lever = Path(f"/sys/fs/ext4/{device}/trigger_fs_error")
    try:
        if not os.access(lever, os.W_OK):
            pytest.skip("this kernel does not shut a disk when it is asked to")
        yield card, lambda: _pull(lever)
    finally:
        subprocess.run(["umount", "-l", str(card)], check=True)


def _pull(lever: Path) -> None:
    lever.write_text("1", "ascii")


def test_a_second_table_on_the_same_store_loses_nothing_of_the_first(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as first:
        _won(first)
        with running_table(table_on(tmp_path)) as second:
            assert second.score == {"A": 2, "B": 0}
            second.press("B.truco")
            second.press("A.no_quiero")
        told = [first.press(line) for line in ("A.truco", "A.truco", "A.truco")]
        assert told.count("taken") <= 1
        first.power_cut()
        assert first.score["A"] >= 2
