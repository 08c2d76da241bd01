"""Start a real table process on the store that a cut has left; check its panel.

It must equal that of a table on a store with the same presses and no cut, and the state published
before the cut.
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
    """What a table shows before the first press."""

    state: Any
    screen: str
    text: tuple[str, ...]
    pictures: tuple[bytes, ...]


class Started(NamedTuple):
    """One crash point at which a table was started; ``wrong`` is a sentence or ""."""

    point: Point
    wrong: str


def first_frame(store: Path) -> FirstFrame:
    """Start a table on ``store`` and return what it shows."""
    with running_table(table_on(store)) as playing:
        report = playing.report
        pictures = tuple(playing.picture(name) for name in sorted(playing.panels))
        return FirstFrame(same(report.state), report.screen, report.text, pictures)


def started(recording: Recording, truth: Truth, points: Sequence[Point]) -> list[Started]:
    """Start a table at each of ``points``, which are in the order of the log."""
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
    published = truth.documents.get(len(content.rows), ())
    if published and content.rows and shown.state not in published:
        return f"its state is {shown.state}, and {published[-1]} had been shown"
    return ""


def _read(store: Path) -> tuple[Content, dict[str, str]]:
    """The content of a copy of ``store``: opening it changes it."""
    with TemporaryDirectory(prefix="power-cut-copy-", dir=memory()) as name:
        copy = Path(name) / "store"
        shutil.copytree(store, copy)
        with Journal.open(copy) as journal:
            return content_of(journal), journal.settings()
