"""``make mutants-beyond``: a random sample of mutants beyond the rules.

``python -m tests.longrun.mutants.beyond [PACKAGE ...]``. Each package is a run of its own: one case
of each of its tests runs once unchanged, which records the functions that it calls; then those that
call a changed function run against the change. Survivors get the other cases, the tests of other
processes, which are forked with the change, and the tests of ``NEIGHBOURS``. ``SEED`` chooses
another sample, ``MUTANTS`` its size. ``QUICK=1`` takes a tenth, and of each test one case. In the
last line, passed counts mutants killed or explained in survivors_beyond.md, failed the others; more
than ``MOST_UNEXPLAINED`` of them are a failure.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

import pytest

from tests.longrun.mutants import code, survivors
from tests.longrun.mutants.forks import Forks, Late, Mutant, teller
from tests.paths import ROOT
from tests.sampling import QUICK
from tests.support import forked_processes

# Functions per package that are changed, each once.
SIZES: Final = {
    "session": 80, "table": 50, "tournament": 50, "hub": 70, "link": 30, "hw": 40, "display": 40,
}  # fmt: skip
NEIGHBOURS: Final = {
    "session": ("evenings",),
    "table": ("api", "backup", "radio", "receipts", "session"),
    "tournament": ("hub",),
    "hub": ("tournament",),
    "link": ("hall",),
    "hw": ("config", "hw/serial", "table"),
    "display": ("phrases", "rulecards"),
}
# Test files that run what they test in another process or thread, where no call is recorded: for
# survivors only.
ELSEWHERE: Final = frozenset(
    """
    table/test_access_log table/test_damaged_store table/test_device_faults table/test_hall
    table/test_inbox table/test_interference table/test_muted_devices table/test_newer_store
    table/test_next_hand table/test_panels table/test_power_cuts table/test_restored_copies
    table/test_safe_mode table/test_service table/test_setup table/test_store_failures
    table/test_stuck_buttons table/test_television table/test_touching_buttons
    table/test_unfinished_starts table/test_wiring_trial_ends hub/test_announcing hub/test_archive
    hub/test_blanked_names hub/test_caps hub/test_cards hub/test_copies hub/test_desk
    hub/test_desk_files hub/test_desk_passwords hub/test_desk_results hub/test_evenings
    hub/test_forget_at_desk hub/test_formats hub/test_legs hub/test_libraries hub/test_older_copy
    hub/test_own_tables hub/test_plain hub/test_postgresql hub/test_procedures hub/test_published
    hub/test_result hub/test_round_pairing hub/test_secrets hub/test_server
    hub/test_several_tournaments hub/test_sittings hub/test_state_changes hub/test_store
    hub/test_stored_or_not hub/test_switchover hub/test_tournament hub/test_tournament_documents
    hub/test_tournament_pages hub/test_troubles hub/test_turns hub/test_two_hubs hub/test_visitors
    link/test_command link/test_finding link/test_https link/test_mqtt link/test_service hw/test_box
    hw/test_load display/test_connection
    """.split()
)
WALL_S: Final = 300  # seconds for a test of a mutant: it may wait without end
MOST_UNEXPLAINED: Final = 0.1  # of a sample
EXPLAINED: Final = Path(__file__).with_name("survivors_beyond.md")


def modules(package: str) -> list[str]:
    """The modules of a package, as ``code`` names them."""
    files = sorted((ROOT / "scorer" / package).rglob("*.py"))
    names = [path.relative_to(ROOT / "scorer").with_suffix("").parts for path in files]
    return [".".join(name) for name in names if name[-1] not in ("__init__", "__main__")]


def sampled(package: str, count: int, seed: str) -> list[Mutant]:
    """Up to ``count`` mutants of as many functions; equal for equal seeds."""
    chance = random.Random(f"{seed} {package}")
    found: list[Mutant] = []
    # Making the mutants of a module takes seconds: a few modules, some functions of each.
    names = modules(package)
    for module in chance.sample(names, min(len(names), max(4, count // 3))):
        by_function: dict[str, list[code.Mutant]] = {}
        for mutant in code.mutants(module):
            by_function.setdefault(mutant.function, []).append(mutant)
        for function in chance.sample(sorted(by_function), min(4, len(by_function))):
            mutant = chance.choice(by_function[function])
            if (replaced := code_of(mutant)) is not None:
                found.append(Mutant(mutant.name, partial(code.put_in_place, mutant), replaced, ""))
    return chance.sample(found, min(count, len(found)))


def code_of(mutant: code.Mutant) -> CodeType | None:
    """The code that the mutant replaces; None if a running process cannot."""
    try:
        found = code.code_of(mutant)
    except (AssertionError, KeyError):
        return None  # decorated, or a slot of a class
    return None if found.co_freevars else found


class Inherited(NamedTuple):
    """A descriptor that a fork has by its number."""

    number: int

    def detach(self) -> int:
        """The descriptor, in the fork."""
        return self.number


class DirectForks:
    """Forks of this process, with its change, which a server of forks lacks."""

    @staticmethod
    def Process(target: Callable[..., None], args: tuple[Any, ...], daemon: bool) -> ForkProcess:
        """A process that runs ``target``; the third of ``args`` are its descriptors."""
        return ForkProcess(target=_run_alone, args=(target, args), daemon=daemon)


def _run_alone(target: Callable[..., None], args: tuple[Any, ...]) -> None:
    kept = {0, 1, 2, *(each.number for each in args[2])}
    # Otherwise it would keep its own pipes open, and never read their end.
    for number in [int(each.name) for each in Path("/proc/self/fd").iterdir()]:
        if number not in kept:
            with suppress(OSError):  # the one that listed them
                os.close(number)
    target(*args)


class Limit:
    """Plugin of pytest that limits the time of a test, and its cases if ``QUICK``."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if QUICK:
            items[:] = {item.nodeid.partition("[")[0]: item for item in reversed(items)}.values()
            items.reverse()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        signal.alarm(WALL_S)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self) -> None:
        signal.alarm(0)


def files(folder: str) -> list[str]:
    return [str(path) for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))]


def _runs_here(path: Path) -> bool:
    return f"{path.parent.name}/{path.stem}" not in ELSEWHERE


def run(package: str, tell: Callable[[str], None]) -> tuple[int, int]:
    """How many mutants of a package were killed or explained, and the rest."""
    count = int(os.environ.get("MUTANTS", SIZES[package]))
    mutants = sampled(package, max(4, count // 10) if QUICK else count, os.environ.get("SEED", "1"))
    known = list(survivors.read(EXPLAINED.read_text(encoding="utf-8")))
    own = files(package)
    seen = set[str]()

    def late(item: pytest.Item) -> Late | None:
        test, _, _ = item.nodeid.partition("[")
        if test in seen or str(item.path) not in own or not _runs_here(item.path):
            return Late("", 0.0)
        seen.add(test)
        return None

    forks = Forks(
        mutants,
        late,
        0.0,
        lambda name: bool(survivors.reason_for(name, known)),
        tuple(f"scorer/{module.replace('.', '/')}.py" for module in modules(package)),
        max(1, int(os.environ.get("WORKERS", "2"))),
        tell,
    )
    others = [] if QUICK else [path for each in NEIGHBOURS[package] for path in files(each)]
    patch = pytest.MonkeyPatch()
    patch.setattr(forked_processes, "_FORKING", DirectForks())
    patch.setattr(forked_processes, "DupFd", Inherited)
    options = ["-qq", "--capture=sys", "--tb=no", "--assert=plain", "--import-mode=importlib"]
    options += ["-p", "no:cacheprovider", "-o", "addopts=", "-o", "timeout=0"]
    done = pytest.main([*options, *own, *others], plugins=[forks, Limit()])
    if done not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"the tests of {package} cannot be run: {done!r}")
    living = [each.mutant.name for each in forks.outcomes if not each.killed_by]
    unexplained = [name for name in living if not survivors.reason_for(name, known)]
    print(*(f"FAILED no test sees it: {name}" for name in sorted(unexplained)), sep="\n")
    print(f"{package}: {len(mutants)} mutants, {len(living)} live, {len(unexplained)} unexplained")
    return len(mutants) - len(unexplained), len(unexplained)


def main(packages: list[str]) -> int:
    """Judge each package in a process of its own; return 1 if a mutant is unexplained."""
    if len(packages) == 1:
        passed, failed = run(packages[0], teller())
        return _report(passed, failed)
    totals = [0, 0]
    for package in packages or SIZES:
        command = [sys.executable, "-m", "tests.longrun.mutants.beyond", package]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        *lines, last = done.stdout.splitlines() or [""]
        print(*(line for line in lines if line.startswith(("FAILED", package))), sep="\n")
        found = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
        if found is None:
            print(f"the tests of {package} cannot be run: {last}")
            return 1
        totals = [total + int(count) for total, count in zip(totals, found.groups(), strict=True)]
    return _report(*totals)


def _report(passed: int, failed: int) -> int:
    print(f"{passed} passed, {failed} failed")
    return 1 if failed > MOST_UNEXPLAINED * (passed + failed) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
