"""Shared test setup: skipped markers with reasons, and the tally as the last line."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import is_hypothesis_test, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from scorer.demo import table_process
from scorer.demo.table_process import start_process
from scorer.hub import passwords
from tests.hub import hub_process
from tests.hub.hub_process import start_process as start_own_hub
from tests.paths import ROOT, SHARED
from tests.sampling import EXHAUSTIVE, QUICK, amount, left_out
from tests.support import cheap_passwords
from tests.support.forked_processes import start_hub, start_table
from tests.web.browser import chromium
from tools import catalogues

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Importing the tests makes no garbage; pytest_collection_finish enables the collection again.
gc.disable()

# No deadline: wall-clock time varies. Derandomized: a failing test fails again.
settings.register_profile(
    "table", deadline=None, derandomize=True, database=None, max_examples=amount(40, 100)
)
settings.load_profile("table")

# Hypothesis draws constants that it reads in the modules of the program: examples would change with
# what a worker has imported, and reading them takes each worker seconds.
providers._get_local_constants = Constants

# It compares with examples that are not part of the sources; the articles beside it need none.
collect_ignore = [] if SHARED.is_dir() else ["rules/test_shared_examples.py"]

BOARD = Path("/proc/device-tree/model")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for the tests of a module, with the marker ``browser``."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session", autouse=True)
def forked_processes() -> Iterator[None]:
    """Fork the tables and hubs of all tests but those that use ``own_processes``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_process, "start_process", start_table)
        patch.setattr(hub_process, "start_process", start_hub)
        yield


@pytest.fixture
def own_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each table and hub as a process that imports its modules, as people do."""
    monkeypatch.setattr(passwords, "_COST", cheap_passwords.COST)
    monkeypatch.setattr(table_process, "start_process", start_process)
    monkeypatch.setattr(hub_process, "start_process", start_own_hub)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark tests with generated examples: `make test` makes fewer of them."""
    if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
        item.add_marker("sampled")


@pytest.hookimpl(trylast=True)  # what -k selects is the whole of which a sample is taken
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take samples; skip tests that this run or machine cannot do, with a reason."""
    marks = ((item, item.get_closest_marker("sampled")) for item in items)
    out = left_out({item.nodeid: mark.args[0] for item, mark in marks if mark and mark.args})
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in out])
    items[:] = [item for item in items if item.nodeid not in out]
    reasons = {}
    if QUICK and not EXHAUSTIVE:
        reasons["slow"] = "QUICK is set: run without it for the slow tests"
    if not os.environ.get("BROWSER"):
        reasons["browser"] = "drives a browser: make browser"
    if not os.environ.get("PACKAGE"):
        reasons["package"] = "builds and reads the Debian package: make check-package"
    if not BOARD.exists() or "Raspberry Pi" not in BOARD.read_text(errors="replace"):
        reasons["hardware"] = "needs a real Raspberry Pi"
    for item in items:
        marked = {mark.name for mark in item.iter_markers()}
        for marker, reason in reasons.items():
            if marker in marked:
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish() -> None:
    """Exclude the objects made so far from garbage collection: they stay to the end."""
    gc.freeze()
    # Syntax trees, views and histories are large: at the default of 700 they are gone through again
    # and again while they are made.
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def tally(counts: dict[str, int], exit_code: int) -> str:
    """``N passed, N failed``; an error without a failed test counts as one failure."""
    failed = counts.get("failed", 0) + counts.get("error", 0)
    if exit_code != 0 and failed == 0:
        failed = 1
    return f"{counts.get('passed', 0)} passed, {failed} failed"


class PlainLine:
    """Prints the tally after all output of pytest."""

    def __init__(self) -> None:
        self._exit_code = 0

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Keep the exit status."""
        self._exit_code = int(exitstatus)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Print the last line of the run."""
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            counts = {outcome: len(reports) for outcome, reports in reporter.stats.items()}
            reporter.write_line(tally(counts, self._exit_code))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the totals of exhaustive tests: they record ``states`` and ``seconds``."""
    passed = terminalreporter.stats.get("passed", [])
    walks = [dict(report.user_properties) for report in passed]
    states = sum(walk.get("states", 0) for walk in walks)
    if states:
        seconds = sum(walk.get("seconds", 0) for walk in walks)
        terminalreporter.write_line(f"{states:,} states walked in {seconds:.0f} s of processor")


def pytest_configure(config: pytest.Config) -> None:
    """Compile catalogues and print the tally, both in the main process alone."""
    if not hasattr(config, "workerinput"):
        catalogues.compile_all(ROOT)
        config.pluginmanager.register(PlainLine(), "plain-line")
