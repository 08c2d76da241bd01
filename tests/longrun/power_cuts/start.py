"""A real table, in a process of its own, started on what a cut has left: what does it show first?

The same as a table on a store that holds the same presses and never saw a cut, and the state that
had been told before the cut. It knows the desk protocol and stores, not disks.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from scorer.store.journal import Journal
from tests.longrun.power_cuts.crash_image import Point
from tests.longrun.power_cuts.evidence import Recording, same
from tests.longrun.power_cuts.expected import Content, Truth, content_of, rebuild
from tests.longrun.power_cuts.survey import folders, memory, side_by_side
from tests.table.table_process import running_table, table_on


class FirstFrame(NamedTuple):
    """What a table shows before anybody has touched it."""

    state: Any
    screen: str
    text: tuple[str, ...]
    pictures: tuple[bytes, ...]


class Started(NamedTuple):
    """One crash point at which a table was started; ``wrong`` is a sentence, or nothing."""

    point: Point
    wrong: str


def first_frame(store: Path) -> FirstFrame:
    """Starts a table on ``store`` and looks."""
    with running_table(table_on(store)) as playing:
        report = playing.report
        pictures = tuple(playing.picture(name) for name in sorted(playing.panels))
        return FirstFrame(same(report.state), report.screen, report.text, pictures)


def started(recording: Recording, truth: Truth, points: Sequence[Point]) -> list[Started]:
    """A table at each of ``points``, which are in the order of the log."""
    return side_by_side(partial(_start, recording, truth), points, chunk=10)


def _start(recording: Recording, truth: Truth, points: Sequence[Point]) -> list[Started]:
    with TemporaryDirectory(prefix="power-cut-twin-", dir=memory()) as name:
        return [
            Started(point, _problem(folder, Path(name), truth))
            for point, folder, _ in folders(recording, points)
        ]


def _problem(store: Path, work: Path, truth: Truth) -> str:
    content, settings = _read(store)
    twin = work / "twin"
    shutil.rmtree(twin, ignore_errors=True)
    rebuild(twin, content, settings)
    shown, expected = first_frame(store), first_frame(twin)
    if shown != expected:
        return f"it shows {shown.screen}, {shown.text}; without a cut {expected.text}"
    heard = truth.documents.get(len(content.rows), ())
    if heard and content.rows and shown.state not in heard:
        return f"its state is {shown.state}, and {heard[-1]} had been shown"
    return ""


def _read(store: Path) -> tuple[Content, dict[str, str]]:
    """What is in a copy of ``store``: the table that is looked at makes the first step itself."""
    with TemporaryDirectory(prefix="power-cut-copy-", dir=memory()) as name:
        copy = Path(name) / "store"
        shutil.copytree(store, copy)
        with Journal.open(copy) as journal:
            return content_of(journal), journal.settings()
