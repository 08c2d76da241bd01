"""The plug is pulled: whatever was acknowledged is there, whole, and at most one press more."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scorer.store.journal import Journal
from tests.paths import ROOT
from tests.sampling import stride
from tests.store import machines, presses

OFTEN = 6  # pages in the log before a checkpoint: a short night meets many
MOST = 2000

needs_strace = pytest.mark.skipif(bool(machines.why_no_strace()), reason=machines.why_no_strace())


def found(folder: Path) -> int:
    """How many presses a table finds that starts now."""
    with Journal.open(folder) as journal:
        return presses.count_presses(journal, MOST)


def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    stored = 0
    for wanted in (1, 2, 3, 5, 8, 13, 21, 34):
        arguments = machines.command(tmp_path, MOST, OFTEN)
        with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            heard = [table.stdout.readline() for _ in range(wanted)]
            table.kill()
            heard.append(table.stdout.read())
        said = machines.parse_output("".join(heard))
        assert len(said.saved) >= wanted
        assert said.saved == (*range(stored + 1, said.last + 1),)
        stored = found(tmp_path)
        assert stored in (said.last, said.last + 1)


@needs_strace
@pytest.mark.sampled
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync", "ftruncate", "unlink"])
def test_killed_at_each_access_to_the_disk_nothing_acknowledged_is_lost(
    tmp_path: Path, call: str
) -> None:
    """From the making of the store over several checkpoints; then the store is used again."""
    attempts, kills = 9, 0
    for at in range(1, 400, stride(6)):
        folder = tmp_path / f"{at}"
        injection = machines.strace(f"{call}:signal=SIGKILL:when={at}")
        said = machines.run([*injection, *machines.command(folder, attempts, OFTEN)])
        stored = found(folder)
        assert stored in (said.last, said.last + 1), at
        if said.last == attempts:
            break
        kills += 1
        again = machines.run(machines.command(folder, 1, OFTEN)) if at % 7 == 0 else None
        assert again is None or again.saved == (stored + 1,)
    print(f"killed at {kills} calls of {call}")
    assert said.last == attempts, "the night never ended"
