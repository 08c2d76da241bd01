"""A factory reset: what goes, what stays, and a kill at every system call."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer.cli import main
from scorer.commands.reset import ASKS, DONE, REFUSED, ResetFolders
from scorer.store import epoch, file
from scorer.store.journal import Journal
from tests.backup.games import UNFINISHED, WON, games_in, store_of
from tests.backup.test_cuts import MOST, killed
from tests.sampling import stride
from tests.store import machines

PLACES = ResetFolders()
GOES = (
    PLACES.link / "hall.json",
    PLACES.link / "queue" / "0001",
    PLACES.caches / "scorer-web" / "last_good.json",
    PLACES.page / "page.json",
    PLACES.page / "owner-1.json",
    PLACES.connections / "truco-scorer.nmconnection",
    PLACES.connections / "truco-scorer-own.nmconnection",
)
STAYS = (
    PLACES.card / "scorer.toml",
    PLACES.connections / "office.nmconnection",
    PLACES.caches / "apt" / "pkgcache.bin",
    Path("/var/lib/scorer-hub/hub.sqlite"),
    Path("/etc/scorer/scorer.toml"),
)
CHOSEN = {"choices": '{"table": {"language": "en"}}', "phones": "[]", "names": '["Ñandú"]'}
KEPT = {epoch.KEY: '{"id": "0123456789abcdef", "from": 1}', "night": "2"}


def at(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A box that has been used: games, choices, phones, a hall, a network."""
    root = tmp_path / "box"
    fill(root)
    return root


def fill(root: Path) -> None:
    store = store_of(at(root, PLACES.store), WON, WON, UNFINISHED)
    with Journal.open(store) as journal:
        for key, value in {**CHOSEN, **KEPT}.items():
            journal.set_setting(key, value)
    for path in (*GOES, *STAYS):
        at(root, path).parent.mkdir(parents=True, exist_ok=True)
        at(root, path).write_text(f"of {path.name}", encoding="utf-8")
    for path in (PLACES.told, PLACES.state):
        at(root, path).mkdir(parents=True)


def ask(root: Path, words: str = "") -> None:
    at(root, PLACES.card / ASKS).write_text(words, encoding="utf-8")


def run(root: Path) -> int:
    return main(["reset", "--root", str(root), "--config", str(root / "none.toml")])


def settings(root: Path) -> dict[str, str]:
    with Journal.open(at(root, PLACES.store)) as journal:
        return journal.settings()


def is_as_before(root: Path) -> bool:
    return {**CHOSEN, **KEPT}.items() <= settings(root).items() and all(
        at(root, path).exists() for path in GOES
    )


def is_reset(root: Path) -> bool:
    return not CHOSEN.keys() & settings(root).keys() and not any(
        at(root, path).exists() for path in GOES
    )


def test_without_a_request_nothing_happens(box: Path) -> None:
    assert run(box) == 0
    assert is_as_before(box)


def test_an_empty_file_on_the_card_deletes_all_but_games_and_the_owners_files(
    box: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(box)
    assert run(box) == 0
    assert is_reset(box)
    assert games_in(at(box, PLACES.store)) == 3
    assert {key: settings(box)[key] for key in KEPT} == KEPT
    assert all(at(box, path).read_text() == f"of {path.name}" for path in STAYS)
    assert not at(box, PLACES.card / ASKS).exists()
    told = at(box, PLACES.card / DONE).read_text(encoding="utf-8")
    assert "paired phones" in told and "wireless networks" in told and "games are kept" in told
    assert [line.removeprefix("deleted: ") for line in capsys.readouterr().out.splitlines()] == (
        told.splitlines()
    )
    assert at(box, PLACES.told / "done").read_text() == told
    assert list(at(box, PLACES.state).iterdir()) == []


def test_the_next_start_resets_nothing_again(box: Path) -> None:
    ask(box)
    assert run(box) == 0
    with Journal.open(at(box, PLACES.store)) as journal:
        journal.set_setting("choices", "{}")
    assert run(box) == 0
    assert settings(box)["choices"] == "{}"


def test_the_word_games_deletes_them_after_a_copy_on_the_card(box: Path) -> None:
    (at(box, PLACES.store) / "replaced-2026-05-01-1.sqlite3").write_bytes(b"older games")
    ask(box, "Games\r\n")
    assert run(box) == 0
    assert list(at(box, PLACES.store).iterdir()) == []
    (copy,) = at(box, PLACES.card).glob("truco-2*.sqlite3")
    (box / "read").mkdir()
    shutil.copy(copy, box / "read" / file.FILE_NAME)
    assert games_in(box / "read") == 3
    assert not any(at(box, path).exists() for path in GOES)


def test_games_that_cannot_be_copied_stay_and_nothing_else_goes(
    box: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = at(box, PLACES.store) / file.FILE_NAME
    damaged.write_bytes(damaged.read_bytes()[:4096] + b"\0" * 4096)
    ask(box, "games")
    assert run(box) == 1
    assert "the games stay" in capsys.readouterr().err
    assert all(at(box, path).exists() for path in (*GOES, *STAYS))
    assert damaged.exists()
    assert "the games stay" in at(box, PLACES.card / REFUSED).read_text()
    assert not at(box, PLACES.card / ASKS).exists(), "or each start would try"
    assert "the games stay" in at(box, PLACES.told / "refused").read_text()


@pytest.mark.parametrize("words", ["partidos", "games please", "{}", "\0\xff", "no"])
def test_other_words_are_refused_with_what_to_write(box: Path, words: str) -> None:
    ask(box, words)
    assert run(box) == 1
    assert "leave it empty, or write games" in at(box, PLACES.card / REFUSED).read_text()
    assert is_as_before(box)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """The folder as a card with its switch moved: even root cannot write."""
    subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts need root")
@pytest.mark.parametrize("words", ["", "games", "nonsense"])
def test_a_card_that_cannot_be_written_is_refused_in_words_at_every_start(
    box: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(box, words)
    with read_only(at(box, PLACES.card)):
        for _ in range(2):
            assert run(box) == 1
            error = capsys.readouterr().err
            assert "nothing was deleted" in error or "the games stay" in error or "says" in error
            assert is_as_before(box)
            assert at(box, PLACES.told / "refused").read_text()
    assert list(at(box, PLACES.state).iterdir()) == []


def test_set_up_asks_in_the_folder_of_the_games(box: Path) -> None:
    (at(box, PLACES.store) / "reset.json").write_text('{"games": false}')
    assert run(box) == 0
    assert is_reset(box)
    assert games_in(at(box, PLACES.store)) == 3
    assert not (at(box, PLACES.store) / "reset.json").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "\xff"])
def test_a_damaged_request_of_set_up_deletes_nothing_and_is_gone(box: Path, text: str) -> None:
    (at(box, PLACES.store) / "reset.json").write_bytes(text.encode("latin-1"))
    assert run(box) == 1
    assert is_as_before(box)
    assert run(box) == 0


def test_links_lead_out_of_no_folder(box: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine")
    at(box, PLACES.link / "away").symlink_to(outside)
    shutil.rmtree(at(box, PLACES.caches / "scorer-web"))
    at(box, PLACES.caches / "scorer-web").symlink_to(outside)
    ask(box)
    assert run(box) == 0
    assert (outside / "mine").read_text() == "mine"
    assert not at(box, PLACES.link / "away").is_symlink()


def test_a_store_that_cannot_be_read_names_the_store_and_the_rest_goes(box: Path) -> None:
    (at(box, PLACES.store) / file.FILE_NAME).write_bytes(b"no database, but something else")
    ask(box)
    assert run(box) == 0
    assert "not the choices of the box" in at(box, PLACES.card / DONE).read_text()
    assert not any(at(box, path).exists() for path in GOES)


def test_a_box_without_anything_is_reset_too(tmp_path: Path) -> None:
    card = at(tmp_path, PLACES.card)
    card.mkdir(parents=True)
    ask(tmp_path)
    assert run(tmp_path) == 0
    assert (card / DONE).exists()


@pytest.mark.skipif(bool(machines.why_no_strace()), reason=machines.why_no_strace())
@pytest.mark.sampled(0)
@pytest.mark.parametrize("call", ["rename", "unlink", "unlinkat", "fsync", "pwrite64", "rmdir"])
@pytest.mark.parametrize("words", ["", "games"])
def test_a_kill_at_any_moment_leaves_the_box_as_before_or_reset(
    tmp_path: Path, call: str, words: str
) -> None:
    """The next start goes on with what has begun, and one more finds nothing."""
    for turn in range(1, MOST, stride(5)):
        root = tmp_path / f"{turn}"
        fill(root)
        ask(root, words)
        command = [sys.executable, "-m", "scorer", "reset", "--root", str(root)]
        is_killed = killed(call, turn, [*command, "--config", str(root / "none.toml")])
        asks = at(root, PLACES.card / ASKS).exists()
        has_begun = any(at(root, PLACES.state).glob("pending"))
        if asks and not has_begun:
            assert is_as_before(root), turn
        assert run(root) == 0, turn
        assert not any(at(root, path).exists() for path in GOES), turn
        assert not CHOSEN.keys() & settings(root).keys(), turn
        assert list(at(root, PLACES.state).iterdir()) == [], turn
        copies = list(at(root, PLACES.card).glob("truco-2*.sqlite3"))
        assert games_in(at(root, PLACES.store)) == (0 if words else 3), turn
        assert bool(copies) is bool(words), turn
        if not is_killed:
            return
    raise AssertionError("it was always killed")
