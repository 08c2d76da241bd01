"""``scorer backup`` and ``scorer restore``: what they say, and the exit codes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from scorer.cli import main
from scorer.store import file, header
from scorer.store.journal import Journal
from tests.backup.games import UNFINISHED, WON, games_in, store_of

Said = Callable[[], str]
REFUSED = ("A quiero", "A hand_won")  # an answer to nothing


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    def read() -> str:
        output = capsys.readouterr()
        return output.out + output.err

    return read


def backup(store: Path, *words: str | Path) -> int:
    return main(["backup", *map(str, words), "--store", str(store)])


def restore(store: Path, *words: str | Path) -> int:
    return main(["restore", *map(str, words), "--store", str(store)])


def test_a_copy_and_back(tmp_path: Path, said: Said) -> None:
    store, copy = store_of(tmp_path / "store", WON, UNFINISHED), tmp_path / "copy.sqlite3"
    assert backup(store, copy) == 0
    assert said() == f"{copy}: 2 games, 4 steps\n"
    store_of(store, WON)
    assert restore(store, copy) == 0
    assert re.fullmatch(
        rf"{store}: 2 games, 4 steps from {copy}\n"
        rf"the games that were there before: {store}/replaced-\d{{4}}-\d\d-\d\d-1\.sqlite3\n",
        said(),
    )
    assert games_in(store) == 2


def test_in_a_folder_the_copy_is_named_after_the_day(tmp_path: Path, said: Said) -> None:
    store = store_of(tmp_path / "store", WON)
    (tmp_path / "usb").mkdir()
    assert [backup(store, tmp_path / "usb") for _ in range(3)] == [0, 0, 0]
    names = sorted(path.name for path in (tmp_path / "usb").iterdir())
    day = names[-1].removeprefix("truco-").removesuffix(".sqlite3")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", day)
    assert names == [f"truco-{day}-2.sqlite3", f"truco-{day}-3.sqlite3", f"truco-{day}.sqlite3"]
    assert said().count("1 game, 1 steps") == 3


def test_the_store_is_the_one_of_the_configuration(tmp_path: Path) -> None:
    store_of(tmp_path / "store", WON)
    config = tmp_path / "scorer.toml"
    config.write_text(f'[store]\ndirectory = "{tmp_path / "store"}"\n')
    copy = tmp_path / "copy.sqlite3"
    assert main(["backup", str(copy), "--config", str(config)]) == 0
    assert main(["restore", str(copy), "--config", str(config)]) == 0


def test_an_older_copy_is_replaced_only_on_request(tmp_path: Path, said: Said) -> None:
    store, copy = store_of(tmp_path / "store", WON), tmp_path / "copy.sqlite3"
    copy.write_text("older")
    assert backup(store, copy) == 1
    assert said() == f"scorer backup: {copy} exists: choose another name, or add --replace\n"
    assert copy.read_text() == "older"
    assert backup(store, copy, "--replace") == 0
    assert restore(tmp_path / "new", copy) == 0


def test_the_games_themselves_are_never_the_copy(tmp_path: Path, said: Said) -> None:
    store = store_of(tmp_path / "store", WON)
    assert backup(store, store / file.FILE_NAME, "--replace") == 1
    assert "is in the folder of the games" in said()
    assert games_in(store) == 1


@pytest.mark.parametrize("words", [[], ["copy", "--stick"]])
def test_one_target_has_to_be_named(tmp_path: Path, words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        backup(tmp_path, *words)
    assert end.value.code == 2


def test_nothing_to_copy_is_said(tmp_path: Path, said: Said) -> None:
    assert backup(tmp_path / "none", tmp_path / "copy.sqlite3") == 1
    assert said() == f"scorer backup: {tmp_path / 'none'} has no games yet\n"
    store = store_of(tmp_path / "store", WON)
    assert backup(store, tmp_path / "no" / "copy.sqlite3") == 1
    assert said() == f"scorer backup: there is no folder {tmp_path / 'no'}\n"


def spoiled(copy: Path, change: Callable[[bytearray], None]) -> Path:
    content = bytearray(copy.read_bytes())
    change(content)
    copy.write_bytes(content)
    return copy


def flip_a_letter(content: bytearray) -> None:
    content[content.rindex(b"award")] ^= 1


def of_a_newer_version(content: bytearray) -> None:
    version = (max(header.VERSIONS) + 1).to_bytes(4, "big")
    content[header.VERSION_AT : header.VERSION_AT + 4] = version
    at = content.index(b"CREATE TABLE journal")
    content[at + 13 : at + 20] = b"journey"


def of_another_program(content: bytearray) -> None:
    content[:] = b"PK\x03\x04" * 1000


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        (flip_a_letter, "the store is damaged"),
        (flip_a_letter, "take another copy"),
        (of_a_newer_version, "another Truco Scorer has written it"),
        (of_a_newer_version, "install the newest version"),
        (of_another_program, "this is no store of Truco Scorer"),
        (of_another_program, "name a file that scorer backup has written"),
    ],
)
def test_a_wrong_file_is_refused_with_advice(
    tmp_path: Path, said: Said, change: Callable[[bytearray], None], advice: str
) -> None:
    store, copy = store_of(tmp_path / "store", WON), tmp_path / "copy.sqlite3"
    backup(store, copy)
    store_of(store, WON)
    assert restore(store, spoiled(copy, change)) == 1
    assert advice in said()
    assert games_in(store) == 2


def test_a_missing_file_is_refused(tmp_path: Path, said: Said) -> None:
    assert restore(tmp_path / "store", tmp_path / "none") == 1
    assert said().endswith("none cannot be read: No such file or directory\n")
    assert not (tmp_path / "store").exists()


def test_while_the_table_runs_it_says_how_to_stop_it(tmp_path: Path, said: Said) -> None:
    copy = tmp_path / "copy.sqlite3"
    backup(store_of(tmp_path / "other", WON), copy)
    with Journal.open(tmp_path / "store"):
        assert restore(tmp_path / "store", copy) == 1
    assert "stop the table first: sudo systemctl stop scorer.socket scorer.service" in said()


def test_games_that_the_rules_refuse_are_named(tmp_path: Path, said: Said) -> None:
    store, copy = store_of(tmp_path / "store", WON, REFUSED, WON), tmp_path / "copy.sqlite3"
    assert backup(store, copy) == 0
    assert "game 2 cannot be replayed by this version; they are in the copy" in said()
    assert restore(tmp_path / "new", copy) == 1
    assert "game 2 cannot be replayed by this version: update Truco Scorer" in said()
    assert not (tmp_path / "new" / file.FILE_NAME).exists()
    assert restore(tmp_path / "new", copy, "--anyway") == 0
    assert games_in(tmp_path / "new") == 3


def test_many_such_games_are_counted(tmp_path: Path, said: Said) -> None:
    store = store_of(tmp_path / "store", *[REFUSED] * 14)
    assert backup(store, tmp_path / "copy.sqlite3") == 0
    assert "games 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4 more cannot" in said()


def test_the_copy_is_a_database_that_other_programs_can_read(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    backup(store_of(tmp_path / "store", WON), copy)
    database = sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)
    assert database.execute("SELECT line FROM journal").fetchall() == [("A award 18",)]
    database.close()
