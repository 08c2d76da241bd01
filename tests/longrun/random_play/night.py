"""Play one random night from its seed, check every line, and undo all of it.

A failure is reported with the seed and its lines; ``shrunk`` removes the lines it does not need.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from scorer.display import draw_view
from scorer.i18n import languages
from scorer.rules import state_document
from scorer.session.values.settings import Layout
from scorer.session.values.state import Verdict
from scorer.session.view.view import CardPage, View
from tests.longrun.random_play.driver import do, tap
from tests.longrun.random_play.game_kinds import SIZES, Kind, kind_of
from tests.longrun.random_play.invariants import Watch, Wrong
from tests.longrun.random_play.script import storm
from tests.longrun.random_play.table_rig import Box
from tests.support.state_documents import lasting

MEMORY = Path(
    "/dev/shm"
)  # a disk whose fsync costs nothing, so that the journal can be the real one
UNLOCKED, MENU_HELD = 3.3, 0.85


class Plan(NamedTuple):
    """How closely a night is checked."""

    presses: int
    drawing: bool = False
    closely: int = 25  # lines between two complete checks
    redo: bool = True  # redo what was undone at the end, and compare


@dataclass
class Tally:
    """The counts of some nights."""

    nights: int = 0
    presses: int = 0
    steps: int = 0
    undos: int = 0
    unwound: int = 0
    games: int = 0
    cuts: int = 0
    restarts: int = 0
    disk: int = 0
    drawn: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    screens: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(mine, Counter):
                mine.update(value)
            else:
                setattr(self, name, mine + value)


class Fault(Exception):
    """A failed night: its seed, the line, and the error."""

    def __init__(self, seed: int, lines: Sequence[str], error: BaseException) -> None:
        super().__init__(f"seed {seed}, line {len(lines)} ({lines[-1:]}): {_told(error)}")
        self.seed, self.lines, self.error = seed, tuple(lines), error

    @property
    def kind(self) -> str:
        """A key; two failures with the same key are considered the same."""
        return kind_of_error(self.error)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def kind_of_error(error: BaseException) -> str:
    """The error without its numbers."""
    words = "".join(" " if each.isdigit() else each for each in str(error))
    return f"{type(error).__name__} {words[:60]}"


class Stormy:
    """A table with its invariants and counts."""

    def __init__(self, kind: Kind, seed: int, plan: Plan, folder: Path) -> None:
        self.box = Box(kind, folder)
        self.watch = Watch(self.box)
        self.tally = Tally(nights=1)
        self._plan, self._chance = plan, Random(seed)
        self._kind, self._lines = kind, 0
        self._view: View | None = None
        self._undid_correction = False
        self._won = 0

    def do(self, line: str) -> None:
        """Perform one line and check the result."""
        if line == "cut":
            self._cut()
        else:
            self.tally.presses += do(self.box, line)
        self.look()
        self._lines += 1
        if self._lines % self._plan.closely == 0:
            self.watch.look_closely()

    def look(self) -> None:
        """Make the cheap checks, and draw the view if it changed."""
        for verdict in self.watch.look():
            self.tally.verdicts[verdict] += 1
            self._count_reason(verdict)
        winner = self.watch.record.game.winner
        self._won, before = (self.watch.running if winner else 0), self._won
        self.tally.games += bool(self._won and self._won != before)
        if self._plan.drawing:
            self._draw()

    def undo_everything(self) -> None:
        """Undo to the start of the night and, where a hold redoes, redo everything."""
        box = self.box
        box.disk.fault = None
        self._let_go()
        before = box.table.document()
        pressed = self._undone()
        self.tally.unwound += pressed
        table, first = box.table, self.watch.start
        start = state_document(first.start)
        now = state_document(table.session.game)
        if now != start or first.past or table.session.has_earlier_game:
            raise Wrong(f"everything is undone and this is left: {now} for {start}")
        # A correction that was undone is made again, not redone.
        if (
            self._plan.redo
            and not self._undid_correction
            and table.session.settings.table.layout is Layout.FULL
        ):
            self._redone(pressed, before)

    def finish(self) -> Tally:
        """Return the tally."""
        tally, watch, box = self.tally, self.watch, self.box
        tally.steps, tally.undos = watch.steps, watch.undos
        tally.cuts, tally.restarts, tally.disk = box.cuts, box.restarts, box.disk.refusals
        return tally

    def _cut(self) -> None:
        before = lasting(self.box.table.document())
        self.box.cut()
        after = lasting(self.box.table.document())
        # Chosen names apply at once; the names of a current game are those of its header.
        if {**before, "names": ()} != {**after, "names": ()}:
            raise Wrong(f"before the power cut it was\n{before}\nafter it\n{after}")

    def _count_reason(self, verdict: Verdict) -> None:
        if verdict in (Verdict.REFUSED, Verdict.GUARDED):
            notice = self.box.table.session.notice
            self.tally.reasons[notice.key if notice is not None else "(gone)"] += 1

    def _draw(self) -> None:
        """Draw a changed view in any language and size; no text may be cut off."""
        view = self.box.table.view
        if view == self._view:
            return
        self._view = view
        self.tally.drawn += 1
        self.tally.screens[view.screen] += 1
        chance = self._chance
        language, size = chance.choice(languages()), chance.choice(self._sizes(view))
        mine = chance.randrange(len(view.sides))
        canvas = draw_view(view, language, size, mine)
        if canvas.overflow or not canvas.texts:
            raise Wrong(f"{canvas.overflow} is cut off in {language}, {size}, {mine}: {view}")

    def _sizes(self, view: View) -> tuple[tuple[int, int], ...]:
        """Rule cards are paginated for the panels of this table; other views fit any size."""
        if view.setup is None or not isinstance(view.setup.content, CardPage):
            return SIZES
        return self._kind.panels or SIZES[:1]

    def _let_go(self) -> None:
        box = self.box
        for button in box.levels():
            box.edge(button, down=False)
        box.live(5.0)
        if box.table.session.locked:
            tap(box, "undo", UNLOCKED)
        self.look()

    def _undone(self) -> int:
        """Undo until nothing is left; return the number of presses undone."""
        box, taken = self.box, 0
        for _ in range(2 * self.watch.steps + 100):
            session = box.table.session
            if self._is_at_the_start():
                return taken
            self._undid_correction |= any(done.corrects for done in session.record.past)
            before = self.watch.undos
            quiet = session.question is None and session.setup is None
            tap(box, "undo")
            self.look()
            if quiet and box.table.session.question is not None:
                tap(box, "undo")
                self.look()
            taken += self.watch.undos - before
        raise Wrong("UNDO does not come to an end")

    def _is_at_the_start(self) -> bool:
        session = self.box.table.session
        is_busy = session.question is not None or session.setup is not None
        return not (is_busy or session.record.past or session.has_earlier_game)

    def _redone(self, presses: int, wanted: dict[str, object]) -> None:
        for _ in range(presses):
            tap(self.box, "undo", MENU_HELD)
            self.look()
        again = self.box.table.document()
        others = {"seq": 0, "names": ()}
        if lasting(again) | others != lasting(wanted) | others:
            raise Wrong(f"undone and done again it is\n{again}\nand it was\n{wanted}")


def play(
    kind: Kind, seed: int, lines: Sequence[str], plan: Plan, *, unwind: bool = True
) -> tuple[Tally, Fault | None]:
    """Perform ``lines`` on a new table; return the counts and the failure, if any."""
    folder = Path(tempfile.mkdtemp(prefix="storm-", dir=MEMORY if MEMORY.is_dir() else None))
    done: list[str] = []
    tally = Tally()
    try:
        night = Stormy(kind, seed, plan, folder / "store")
        try:
            for line in lines:
                done.append(line)
                night.do(line)
            if unwind:
                done.append("undo everything")
                night.undo_everything()
            night.watch.look_closely()
        finally:
            tally = night.finish()
            night.box.close()
    except Exception as error:
        return tally, Fault(seed, done, error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return tally, None


def lines_of(seed: int, plan: Plan) -> list[str]:
    return list(storm(kind_of(seed, drawing=plan.drawing), seed, plan.presses))


def one_night(seed: int, plan: Plan) -> Tally:
    """Play the night of a seed. Raises Fault."""
    tally, fault = play(kind_of(seed, drawing=plan.drawing), seed, lines_of(seed, plan), plan)
    if fault is not None:
        raise fault from fault.error
    return tally


def shrunk(lines: Sequence[str], fails: Callable[[Sequence[str]], bool]) -> list[str]:
    """Remove lines as long as the rest still fails."""
    kept, size = list(lines), max(1, len(lines) // 2)
    while True:
        at, shorter = 0, False
        while at < len(kept):
            rest = kept[:at] + kept[at + size :]
            if fails(rest):
                kept, shorter = rest, True
            else:
                at += size
        if size == 1 and not shorter:
            return kept
        size = max(1, size // 2)
