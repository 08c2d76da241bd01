"""Measure the processor time of the checks and tests of a commit and of this tree.

``python -m tools.processor COMMIT`` clones both, so that no cache is warm, sets up the environment
of each, and counts what `make check` and `make tests` take. Changes that are not committed are
measured too, new files are not. ``--sample`` prints the median of three runs of collecting the
tests and of one test of `SAMPLED`, of those that both have, with warm caches and in the environment
of this process.

The processes run in a cgroup of their own, whose ``cpu.stat`` includes daemons. Without the right
to make one, the time is that of the children that have ended.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TARGETS = ("check", "tests")
SAMPLED = 200  # one test of so many
RUNS = 3
SAMPLER = """
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if item.nodeid in {names}]
"""


class Run(NamedTuple):
    """A command that has ended; ``seconds`` are those of the processor."""

    seconds: float
    output: str
    succeeded: bool

    @property
    def tests(self) -> int:
        """The tests that passed, by the last line of pytest; 0 if it printed none."""
        tallies = re.findall(r"^(\d+) passed, \d+ failed$", self.output, re.MULTILINE)
        return int(tallies[-1]) if tallies else 0


class Meter:
    """Counts the processor time of commands, in a cgroup if it may be made."""

    def __init__(self, group: Path | None) -> None:
        self._group = group

    @property
    def includes_daemons(self) -> bool:
        """Whether processes count that no other one waits for."""
        return self._group is not None

    def run(self, *command: str, folder: Path, environment: Mapping[str, str]) -> Run:
        """Run a command to its end; its output is what it printed on both streams."""
        if self._group:
            enter = 'echo $$ >"$0/cgroup.procs"; exec "$@"'
            command = ("sh", "-c", enter, str(self._group), *command)
        before = self._seconds()
        done = subprocess.run(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Run(self._seconds() - before, done.stdout, done.returncode == 0)

    def _seconds(self) -> float:
        if self._group is None:
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime
        lines = (self._group / "cpu.stat").read_text(encoding="ascii").splitlines()
        return int(dict(line.split() for line in lines)["usage_usec"]) / 1e6


@contextlib.contextmanager
def meter() -> Iterator[Meter]:
    """A meter with a cgroup below that of this process, or without one."""
    group = _own_group()
    with contextlib.ExitStack() as stack:
        if group:
            try:
                group.mkdir()
            except OSError:
                group = None
            else:
                stack.callback(_remove, group)
        yield Meter(group)


def _remove(group: Path) -> None:
    """End the daemons of a cgroup and remove it."""
    (group / "cgroup.kill").write_text("1", encoding="ascii")
    while "populated 1" in (group / "cgroup.events").read_text(encoding="ascii"):
        time.sleep(0.01)
    group.rmdir()


def _own_group() -> Path | None:
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text("utf-8").splitlines()]
    roots = [mount[1] for mount in mounts if mount[2] == "cgroup2"]
    own = re.search(r"^0::(.*)$", Path("/proc/self/cgroup").read_text("utf-8"), re.MULTILINE)
    if not roots or not own:
        return None
    return Path(roots[0]) / own[1].lstrip("/") / f"truco-processor-{os.getpid()}"


def clone(commit: str, folder: Path) -> Path:
    """A clone of this repository at a commit, without any cache."""
    _git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(folder), at=ROOT)
    _git("checkout", "--quiet", "--detach", commit, at=folder)
    return folder


def this_tree() -> str:
    """The commit of this tree with its changes, which no branch has."""
    return _git("stash", "create", at=ROOT) or "HEAD"


def _git(*arguments: str, at: Path) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=at, check=True, stdout=-1, text=True).stdout.strip()


def main(arguments: list[str]) -> int:
    """Print the times of both trees and their ratio; return 1 if a run failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.processor", description=__doc__)
    parser.add_argument("commit", help="the commit to compare with")
    parser.add_argument("--sample", action="store_true", help=f"one test of {SAMPLED}")
    options = parser.parse_args(arguments)
    commits = {options.commit: _git("rev-parse", options.commit, at=ROOT), "now": this_tree()}
    with tempfile.TemporaryDirectory() as scratch, meter() as counter:
        if not counter.includes_daemons:
            print("No cgroup can be made here: daemons are not counted.")
        folders = {name: clone(at, Path(scratch) / name) for name, at in commits.items()}
        print("".ljust(24) + "".join(name.rjust(14) for name in (*folders, "ratio")))
        measure = sample if options.sample else targets
        failures = list(measure(counter, folders))
    for failure in filter(None, failures):
        print(failure)
    return 1 if any(failures) else 0


def targets(counter: Meter, folders: Mapping[str, Path]) -> Iterator[str]:
    """Print a line for each target; yield the output of those that failed."""
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    for folder in folders.values():
        ready = counter.run("make", "setup", folder=folder, environment=environment)
        if not ready.succeeded:
            raise SystemExit(f"make setup failed:\n{ready.output}")
    for target in TARGETS:
        runs = [
            counter.run("make", target, folder=folder, environment=environment)
            for folder in folders.values()
        ]
        _print_row(f"make {target}", [run.seconds for run in runs], "{:.1f} s")
        yield from (run.output for run in runs if not run.succeeded)
    _print_row("tests that passed", [run.tests for run in runs], "{:,}")


def sample(counter: Meter, folders: Mapping[str, Path]) -> Iterator[str]:
    """Print the times of collecting and of a test; yield the output of failures."""
    collected: dict[str, list[float]] = {name: [] for name in folders}
    tested: dict[str, list[float]] = {name: [] for name in folders}

    def pytest(folder: Path, *arguments: str) -> Run:
        environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": ""}
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *arguments)
        return counter.run(*command, folder=folder, environment=environment)

    # This also compiles the tests.
    names = [pytest(folder, "--collect-only").output.splitlines() for folder in folders.values()]
    common = sorted(name for name in set.intersection(*map(set, names)) if "::" in name)
    for folder in folders.values():
        chosen = set(common[SAMPLED // 2 :: SAMPLED])
        (folder / "sampler.py").write_text(SAMPLER.format(names=chosen), encoding="utf-8")
    for number in range(1, RUNS + 1):
        for name, folder in folders.items():
            collection = pytest(folder, "-p", "sampler", "--collect-only")
            run = pytest(folder, "-p", "sampler")
            collected[name].append(collection.seconds)
            tested[name].append((run.seconds - collection.seconds) / max(1, run.tests))
            if number == RUNS and not run.succeeded:
                yield run.output
    _print_row("collection", [median(times) for times in collected.values()], "{:.1f} s")
    _print_row("a test", [1000 * median(times) for times in tested.values()], "{:.1f} ms")


def _print_row(title: str, values: list[float], shape: str) -> None:
    cells = [shape.format(value) for value in values]
    ratio = f"{100 * values[-1] / values[0]:.0f} %" if values[0] else "-"
    print(title.ljust(24) + "".join(cell.rjust(14) for cell in (*cells, ratio)), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
