"""Processor time and memory of ``scorer circuit`` for a season of 504 evenings.

The reference reads and verifies the same files, in a process of its own as well.
"""

from __future__ import annotations

import contextlib
import io
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from scorer.circuit import command
from scorer.circuit.people import load_people
from tools.bench import Measurement, Result

SIZE = (12, 42, 300)  # halls, evenings of each, pairs
QUICK_SIZE = (4, 15, 100)
TIME_BUDGET = 16.0
MEMORY_BUDGET = 8.0
_CIRCUIT = """
import sys
from scorer.circuit.command import main

assert main([sys.argv[1], "--out", sys.argv[2]]) == 0
"""
_READ = """
import sys
from pathlib import Path
from scorer.circuit.season_file import load_season
from scorer.season.evening_file import HallKey, SignedEvening, read_evening

path = Path(sys.argv[1])
keys = [HallKey(each.key, each.since, each.until) for each in load_season(path).key]
for each in sorted(path.parent.glob("evenings/**/*.json")):
    assert isinstance(read_evening(each.read_bytes(), keys), SignedEvening), each
"""


# The memory that the system reports of a child is also that of the process which it was before.
_PRINT_MEMORY = """
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


class _Used(NamedTuple):
    """Seconds of a processor, and the most memory in KiB."""

    seconds: float
    memory: float


def measure(quick: bool) -> Iterator[Result]:
    """Time and memory, each beside that of reading the files."""
    # Imported lazily: the tests are beside the program only in a checkout.
    from tests.circuit.simulated_season import answered, simulate

    size = QUICK_SIZE if quick else SIZE
    season = simulate(*size)
    with TemporaryDirectory() as folder:
        path = season.write(Path(folder))
        people = path.with_name("people.toml")
        for _ in range(2):
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.redirect_stderr(io.StringIO()),
            ):
                code = command.main([str(path)])
            if code and people.exists():
                text = people.read_text(encoding="utf-8")
                people.write_text(answered(text, load_people(people), season.truth), "utf-8")
        ours = _run(_CIRCUIT, str(path), _new(path.parent))
        alone = _run(_READ, str(path))
    what = f"scorer circuit, {size[0] * size[1]} evenings"
    reference = f"reading and verifying its {len(season.files)} files"
    yield Measurement(
        f"{what}: processor time", ours.seconds, alone.seconds, "s", reference, TIME_BUDGET
    )
    yield Measurement(
        f"{what}: resident memory",
        ours.memory / 1024, alone.memory / 1024, "MiB", reference, MEMORY_BUDGET,
    )  # fmt: skip


def _new(folder: Path) -> str:
    out = folder / "out"
    out.mkdir()
    return str(out)


def _run(program: str, *arguments: str) -> _Used:
    """Run a program of Python, which prints its most memory.

    Raises CalledProcessError.
    """
    words = [sys.executable, "-c", program + _PRINT_MEMORY, *arguments]
    before = _processor_seconds()
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    memory = int(done.stdout.split()[-2])
    return _Used(_processor_seconds() - before, memory)


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
