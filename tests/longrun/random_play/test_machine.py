"""The table as a hypothesis state machine.

Rules are input and faults, at any variant, layout and number of consoles. After each rule all
invariants are checked, and a changed view is drawn in some language.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from scorer.i18n import languages
from scorer.rules import variant_ids
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from tests.longrun.random_play.game_kinds import NAMES, SIZES, Kind
from tests.longrun.random_play.night import MEMORY, Plan, Stormy
from tests.longrun.random_play.script import DEEP, FAULTS, HOLDS, PAIRS, SETUP, TAPS

PLAN = Plan(0, drawing=True, closely=1)
EXAMPLES, STEPS = 6, 30
BUTTONS = buttons(Layout.FULL, 3)
PAUSES = (0.01, 0.1, 0.4, 0.9, 3.1, 4.2, 31.0, 125.0, 1250.0, 7300.0, 25200.0)
PLACES = st.integers(0, 99).map(lambda place: f"0.{place:02}")
PHONES = ("legal", "legal", "wrong", "stale", "undo", "junk", "rows")


class TableMachine(RuleBasedStateMachine):
    """One night; ``teardown`` undoes all of it."""

    @initialize(
        variant=st.sampled_from(variant_ids()),
        layout=st.sampled_from(Layout),
        consoles=st.sampled_from((2, 3)),
        language=st.sampled_from(languages()),
        names=st.sampled_from(NAMES),
        panels=st.lists(st.sampled_from(SIZES), max_size=2),
    )
    def power_on(
        self,
        variant: str,
        layout: Layout,
        consoles: int,
        language: str,
        names: tuple[str, ...],
        panels: list[tuple[int, int]],
    ) -> None:
        kind = Kind(variant, "", layout, consoles, language, names, tuple(panels))
        self.folder = Path(tempfile.mkdtemp(prefix="storm-", dir=MEMORY))
        self.night = Stormy(kind, 1, PLAN, self.folder / "store")
        self.buttons = buttons(Layout.FULL, consoles)

    def button(self, at: int) -> str:
        return self.buttons[at % len(self.buttons)]

    @rule(at=st.integers(0, len(BUTTONS) - 1), held=st.sampled_from(TAPS))
    def press(self, at: int, held: float) -> None:
        self.night.do(f"tap {self.button(at)} {held}")

    @rule(at=st.integers(0, len(BUTTONS) - 1), held=st.sampled_from(HOLDS))
    def hold(self, at: int, held: float) -> None:
        self.night.do(f"tap {self.button(at)} {held}")

    @rule(at=st.integers(0, len(BUTTONS) - 1), down=st.booleans())
    def finger(self, at: int, down: bool) -> None:
        self.night.do(f"{'down' if down else 'up'} {self.button(at)}")

    @rule(
        first=st.integers(0, len(BUTTONS) - 1),
        second=st.integers(0, len(BUTTONS) - 1),
        apart=st.sampled_from(PAIRS),
    )
    def two_buttons(self, first: int, second: int, apart: float) -> None:
        self.night.do(f"pair {self.button(first)} {self.button(second)} {apart}")

    @rule(seconds=st.sampled_from(PAUSES))
    def time_passes(self, seconds: float) -> None:
        self.night.do(f"wait {seconds}")

    @rule(fault=st.sampled_from(sorted({each for each in FAULTS if " " in each})))
    def something_fails_or_heals(self, fault: str) -> None:
        self.night.do(fault)

    @rule(at=st.integers(0, len(BUTTONS) - 1))
    def an_edge_is_lost(self, at: int) -> None:
        self.night.do(f"lost {self.button(at)}")

    @rule()
    def the_plug_is_pulled(self) -> None:
        self.night.do("cut")

    @rule(what=st.sampled_from(PHONES), place=PLACES)
    def a_phone(self, what: str, place: str) -> None:
        self.night.do(f"phone {what} {place}")

    @rule(entry=st.sampled_from(SETUP))
    def into_set_up(self, entry: str) -> None:
        self.night.do("setup")
        self.night.do(f"choose {entry}")

    @precondition(lambda self: self.night.box.table.session.setup is not None)
    @rule(entry=st.one_of(st.sampled_from(DEEP), PLACES))
    def further_in_set_up(self, entry: str) -> None:
        self.night.do(f"choose {entry}")

    @precondition(lambda self: self.night.box.table.session.setup is not None)
    @rule()
    def both_agree(self) -> None:
        self.night.do("tap A.quiero 0.1")
        self.night.do("tap B.quiero 0.1")

    @invariant()
    def everything_holds(self) -> None:
        if hasattr(self, "night"):
            self.night.look()
            self.night.watch.look_closely()

    def teardown(self) -> None:
        if not hasattr(self, "night"):
            return
        try:
            self.night.undo_everything()
        finally:
            self.night.box.close()
            shutil.rmtree(self.folder, ignore_errors=True)


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=EXAMPLES, stateful_step_count=STEPS)
