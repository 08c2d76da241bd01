"""A kill at any system call of backup and restore loses no store."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scorer.store import file, health
from scorer.store.journal import Journal
from tests.backup.games import UNFINISHED, WON, games_in, store_of
from tests.paths import ROOT
from tests.sampling import stride
from tests.store import machines

needs_strace = pytest.mark.skipif(bool(machines.why_no_strace()), reason=machines.why_no_strace())

OLD, NEW = 2, 5  # games in the store that is there, and in the copy
MOST = 400  # calls of one kind, at most
CALLS = ("rename", "fsync", "pwrite64", "unlink", "ftruncate", "mkdir")


def scorer(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "scorer", *map(str, words)]


def run(command: list[str]) -> int:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, check=False
    ).returncode


def killed(call: str, at: int, command: list[str]) -> bool:
    """Run the command with a kill at a system call; False if it ended before."""
    return run([*machines.strace(f"{call}:signal=SIGKILL:when={at}"), *command]) != 0


@needs_strace
@pytest.mark.sampled(0)
@pytest.mark.parametrize("call", CALLS)
def test_a_kill_during_a_restore_loses_neither_store(tmp_path: Path, call: str) -> None:
    first = store_of(tmp_path / "first", *[WON] * (OLD - 1), UNFINISHED)
    copy = tmp_path / "copy.sqlite3"
    assert run(scorer("backup", copy, "--store", store_of(tmp_path / "other", *[WON] * NEW))) == 0
    content, kills = copy.read_bytes(), 0
    for at in range(1, MOST, stride(41)):
        store = tmp_path / f"{at}"
        shutil.copytree(first, store)
        if not killed(call, at, scorer("restore", copy, "--store", store)):
            break
        kills += 1
        found = games_in(store)
        kept = list(store.glob("replaced-*.sqlite3"))
        assert (found, len(kept)) in ((OLD, 0), (NEW, 1)), at
        for aside in kept:
            health.check_file(aside, file.connect_immutable)
        assert copy.read_bytes() == content
        assert run(scorer("restore", copy, "--store", store)) == 0, at
        assert games_in(store) == NEW
        assert OLD in {_games_of(aside, tmp_path / f"{at}-old") for aside in _replaced(store)}
    else:
        raise AssertionError("it was always killed")
    print(f"killed at {kills} calls of {call}")


STAGE = """
import sys
from pathlib import Path
from scorer.store.restore import stage_copy
stage_copy(Path(sys.argv[1]), Path(sys.argv[2]), "2026-05-01", lambda copy: None, {"restored": "5"})
"""


@needs_strace
@pytest.mark.sampled(0)
@pytest.mark.parametrize("call", CALLS)
def test_a_kill_while_a_copy_is_put_back_at_the_table_loses_neither_store(
    tmp_path: Path, call: str
) -> None:
    """A table has its store open meanwhile; the next one finds one of both."""
    first = store_of(tmp_path / "first", *[WON] * (OLD - 1), UNFINISHED)
    copy = tmp_path / "copy.sqlite3"
    assert run(scorer("backup", copy, "--store", store_of(tmp_path / "other", *[WON] * NEW))) == 0
    for at in range(1, MOST, stride(41)):
        store = tmp_path / f"{at}"
        shutil.copytree(first, store)
        with Journal.open(store):
            is_killed = killed(call, at, [sys.executable, "-c", STAGE, str(copy), str(store)])
        found = games_in(store)
        assert (found, len(_replaced(store))) in ((OLD, 0), (NEW, 1)), at
        if not is_killed:
            break
        assert run([sys.executable, "-c", STAGE, str(copy), str(store)]) == 0, at
        assert games_in(store) == NEW
    else:
        raise AssertionError("it was always killed")
    assert found == NEW
    assert [_games_of(aside, tmp_path / "old") for aside in _replaced(store)] == [OLD]


def _replaced(store: Path) -> list[Path]:
    return sorted(store.glob("replaced-*.sqlite3"))


def _games_of(aside: Path, folder: Path) -> int:
    folder = folder / aside.stem
    folder.mkdir(parents=True)
    shutil.copy(aside, folder / file.FILE_NAME)
    return games_in(folder)


@needs_strace
@pytest.mark.sampled(0)
@pytest.mark.parametrize("call", CALLS)
def test_a_kill_during_a_backup_leaves_a_whole_copy_or_the_older_one(
    tmp_path: Path, call: str
) -> None:
    store, copy = tmp_path / "store", tmp_path / "usb" / "copy.sqlite3"
    copy.parent.mkdir()
    store_of(store, WON)
    assert run(scorer("backup", copy, "--store", store)) == 0
    older = copy.read_bytes()
    for at in range(1, MOST, stride(41)):
        # A table that runs: its presses are in the log.
        with Journal.open(store):
            is_killed = killed(call, at, scorer("backup", copy, "--replace", "--store", store))
        health.check_file(copy, file.connect_immutable)
        if not is_killed:
            break
        assert copy.read_bytes() == older or call in ("fsync", "unlink"), at
    else:
        raise AssertionError("it was always killed")
    assert [path.name for path in copy.parent.iterdir()] == [copy.name], "nothing else is left"
    assert games_in(store) == 1


@pytest.mark.sampled(0)
@needs_strace
def test_a_copy_is_on_the_disk_before_it_gets_its_name(tmp_path: Path) -> None:
    """After a power cut a name without its content would be a lost store."""
    store, copy = store_of(tmp_path / "store", WON), tmp_path / "copy.sqlite3"
    backup = _disk_calls(tmp_path, scorer("backup", copy, "--store", store))
    assert _order(backup, ".copy.sqlite3.new") == "write sync name", backup
    assert backup[-1] == f"fsync {tmp_path}"
    restore = _disk_calls(tmp_path, scorer("restore", copy, "--store", store))
    # Verified as it was copied, then written again without its epoch.
    assert _order(restore, "restoring/scorer.sqlite3").endswith("write sync name"), restore
    moves = [line for line in restore if line.startswith(("rename", f"fsync {store}"))]
    moved = [re.sub(r"\d{4}-\d\d-\d\d", "DAY", line.replace(f"{store}/", "")) for line in moves]
    folder = f"fsync {store}"
    assert moved == [
        "fsync restoring/scorer.sqlite3",
        "fsync restoring/scorer.sqlite3",
        "rename restoring/scorer.sqlite3 restored-DAY.sqlite3",
        folder,
        "rename scorer.sqlite3-wal replaced-DAY-1.sqlite3-wal",
        "rename scorer.sqlite3 replaced-DAY-1.sqlite3",
        folder,
        "rename restored-DAY.sqlite3 scorer.sqlite3",
        folder,
    ]


def _disk_calls(folder: Path, command: list[str]) -> list[str]:
    """The calls that write, sync or rename files below ``folder``.

    Each as a line: ``fsync /the/path``.
    """
    log = folder / "strace.log"
    calls = "trace=write,pwrite64,sendfile,copy_file_range,fsync,fdatasync,rename"
    assert run(["strace", "-f", "-y", "-qq", "-o", str(log), "-e", calls, *command]) == 0
    found = []
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        call, _, rest = re.sub(r"^\d+ +", "", line).partition("(")
        names = re.findall(rf'[<"]({re.escape(str(folder))}[^>"]*)[>"]', rest)
        if names:
            found.append(" ".join([call, *(names if call == "rename" else names[:1])]))
    log.unlink()
    return found


def _order(calls: list[str], name: str) -> str:
    """The kinds of calls on a file, each once, in the order of the last of each."""
    kinds = {"fsync": "sync", "fdatasync": "sync", "rename": "name"}
    last = {
        kinds.get(line.split()[0], "write"): at
        for at, line in enumerate(calls)
        if line.split()[1].endswith(name)
    }
    return " ".join(sorted(last, key=lambda kind: last[kind]))
