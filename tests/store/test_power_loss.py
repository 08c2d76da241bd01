"""Power loss: all acknowledged presses are stored, and at most one more."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scorer.store.journal import Journal
from tests.paths import ROOT
from tests.sampling import stride
from tests.store import machines, presses

OFTEN = 6  # pages in the log between checkpoints: a short run includes many
MOST = 2000

needs_strace = pytest.mark.skipif(bool(machines.why_no_strace()), reason=machines.why_no_strace())


def found(folder: Path) -> int:
    """The number of presses that a newly started table finds."""
    with Journal.open(folder) as journal:
        return presses.count_presses(journal, MOST)


def test_a_kill_at_any_time_loses_nothing_acknowledged(tmp_path: Path) -> None:
    stored = 0
    for wanted in (1, 2, 3, 5, 8, 13, 21, 34):
        arguments = machines.command(tmp_path, MOST, OFTEN)
        with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            lines = [table.stdout.readline() for _ in range(wanted)]
            table.kill()
            lines.append(table.stdout.read())
        output = machines.parse_output("".join(lines))
        assert len(output.saved) >= wanted
        assert output.saved == (*range(stored + 1, output.last + 1),)
        stored = found(tmp_path)
        assert stored in (output.last, output.last + 1)


@needs_strace
@pytest.mark.sampled(0)
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync", "ftruncate", "unlink"])
def test_a_kill_at_any_disk_access_loses_nothing_acknowledged(tmp_path: Path, call: str) -> None:
    """From the creation of the store over several checkpoints; then it is used again."""
    attempts, kills = 9, 0
    for at in range(1, 400, stride(41)):
        folder = tmp_path / f"{at}"
        injection = machines.strace(f"{call}:signal=SIGKILL:when={at}")
        output = machines.run([*injection, *machines.command(folder, attempts, OFTEN)])
        stored = found(folder)
        assert stored in (output.last, output.last + 1), at
        if output.last == attempts:
            break
        kills += 1
        again = machines.run(machines.command(folder, 1, OFTEN)) if at % 7 == 0 else None
        assert again is None or again.saved == (stored + 1,)
    print(f"killed at {kills} calls of {call}")
    assert output.last == attempts, "the appender was always killed"
