"""The machines shared by the tests of this folder, and when they run.

They need root, QEMU and minutes, so `make test` skips this folder; `make virtual-pi` runs it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.longrun.virtual_pi import figures as figured
from tests.longrun.virtual_pi import recipe
from tests.longrun.virtual_pi.box import Box
from tests.longrun.virtual_pi.figures import Figures
from tests.longrun.virtual_pi.guest import Guest

BUILDING = figured.spent()  # CPU time of building the parts, in this process before the tests
if "VIRTUAL_PI" not in os.environ:
    collect_ignore_glob = ["test_*.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests with their own machine first: a shared one uses CPU time from then on."""
    items.sort(key=lambda item: "shared_box" in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def parts() -> recipe.Parts:
    """The files of the machine, built if missing."""
    if lacking := recipe.lacking():
        pytest.fail(f"apt install {' '.join(lacking)}")
    return recipe.parts()


@pytest.fixture
def card(parts: recipe.Parts, tmp_path: Path) -> Iterator[Path]:
    """A card of its own, which is written to."""
    path = tmp_path / "card.img"
    subprocess.run(["cp", "--sparse=always", str(parts.card), str(path)], check=True)
    yield path
    path.unlink()


@pytest.fixture(scope="session")
def shared_box(parts: recipe.Parts) -> Iterator[Box]:
    """One machine for all tests of a worker; each test configures it first."""
    with Guest(parts) as guest:
        guest.shell("systemctl is-system-running --wait", 600)
        yield Box(guest)


@pytest.fixture
def box(shared_box: Box) -> Box:
    """The shared machine, everything on it whole, and a new game of the usual kind."""
    shared_box.mend()
    shared_box.settle()
    return shared_box


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """Where to note what was measured."""
    return Figures(request)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the measurements before the tally, if this folder was run."""
    if "VIRTUAL_PI" not in os.environ:
        return
    for line in figured.of_reports(terminalreporter.stats.get("passed", [])):
        terminalreporter.write_line(line)
    spent = figured.spent() - BUILDING
    terminalreporter.write_line(f"the machines and their tests: {spent:.0f} s of a processor")
