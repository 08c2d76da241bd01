"""The protocol as a state machine of hypothesis."""

from __future__ import annotations

import functools
from enum import Enum, auto
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from scorer.hub.intake import Intake
from scorer.hub.store.database import Database
from tests.hub.protocol import unguarded
from tests.hub.protocol.laws import check_acknowledged, check_end, check_streams
from tests.hub.protocol.world import MAX_BOXES, Box, Content, Fate, World

AT = st.integers(0, 7)
SOME_FATES = st.lists(st.sampled_from([Fate.ANSWERED] * 4 + [*Fate]), min_size=1, max_size=6)


class Fault(Enum):
    """Faults of one box that copy nothing."""

    LINK_KILLED = auto()
    CONNECTION_LOST = auto()
    LATE_DELIVERY = auto()
    NEW_EPOCH = auto()
    SALVAGED = auto()


class Copy(Enum):
    """What is copied, or put back from a copy."""

    CLONE = auto()
    SPARE_BOX = auto()
    BACKUP_OF_BOX = auto()
    OLD_BOX = auto()
    BACKUP_OF_HUB = auto()
    OLD_HUB = auto()
    OLD_HUB_UNNOTICED = auto()


IN_MEMORY = "sqlite://"


@functools.lru_cache(maxsize=1)
def database(url: str) -> Database:
    """One database, emptied before each history."""
    return Database.open(url)


@functools.lru_cache(maxsize=1)
def empty(url: str) -> Content:
    return World(database(url)).snapshot()


class Protocol(RuleBasedStateMachine):
    """Boxes at one table. Subclasses remove a guard, or name another database."""

    url = IN_MEMORY
    intake_type: type[Intake] = Intake
    acknowledges_early = False
    allows_copies = True

    def __init__(self) -> None:
        super().__init__()
        content = empty(self.url)
        self.world = World(database(self.url), self.intake_type, self.acknowledges_early)
        self.world.put_back(content)

    @initialize(rows=st.integers(0, 3))
    def begin(self, rows: int) -> None:
        self.world.add_box()
        for _ in range(rows):
            self.world.press(self.world.boxes[0])

    def _box(self, at: int) -> Box:
        return self.world.boxes[at % len(self.world.boxes)]

    # ---- what happens in a hall: most of the time

    @rule(at=AT, count=st.integers(0, 3), fates=SOME_FATES, hub=st.integers(0, 1))
    def play(self, at: int, count: int, fates: list[Fate], hub: int) -> None:
        """Rows are pressed while the sender works."""
        box = self._box(at)
        for fate in fates:
            for _ in range(count):
                self.world.press(box)
            self.world.step(box, fate, hub)
        check_acknowledged(self.world)

    @rule(at=AT, count=st.integers(1, 3), fates=SOME_FATES)
    def play_in_a_new_game(self, at: int, count: int, fates: list[Fate]) -> None:
        self.world.open_game(self._box(at))
        self.play(at, count, fates, 0)

    @rule(at=AT, count=st.integers(1, 4))
    def play_without_faults(self, at: int, count: int) -> None:
        for _ in range(count):
            self.world.press(self._box(at))
        self.world.send_all(self._box(at))

    @rule(seconds=st.sampled_from([1, 31, 61, 130]), late=AT)
    def wait(self, seconds: int, late: int) -> None:
        self.world.clock.now += seconds
        self.world.deliver_late(late, late)

    @rule(at=AT, is_passed=st.booleans())
    def assign(self, at: int, is_passed: bool) -> None:
        """A match is assigned; its event may be lost."""
        self.world.assign(self._box(at))
        if is_passed:
            self.world.pass_decision(self._box(at))

    # ---- faults of networks and processes

    @rule(at=AT, lost=st.integers(0, 3), fault=st.sampled_from(Fault))
    def suffer(self, at: int, lost: int, fault: Fault) -> None:
        box, world = self._box(at), self.world
        match fault:
            case Fault.LINK_KILLED:
                world.restart_link(box)
            case Fault.CONNECTION_LOST:
                box.sender.disconnected()
            case Fault.LATE_DELIVERY:
                world.deliver_late(at, lost)
            case Fault.NEW_EPOCH:
                world.renew_epoch(box)
                box.sender.greet_again()
            case Fault.SALVAGED:
                world.salvage(box, lost)

    # ---- copies

    @precondition(lambda self: self.allows_copies)
    @rule(at=AT, backup=AT, copy=st.sampled_from(Copy), count=st.integers(0, 4))
    def copy(self, at: int, backup: int, copy: Copy, count: int) -> None:
        """A card or the hub's disk is copied, or an old copy is put back; rows follow."""
        box, world = self._box(at), self.world
        has_room = len(world.boxes) < MAX_BOXES
        match copy:
            case Copy.CLONE if has_room:
                world.clone(box)
                box = world.boxes[-1]
            case Copy.SPARE_BOX if has_room:
                world.add_box()
            case Copy.BACKUP_OF_BOX:
                world.back_up_box(box)
            case Copy.OLD_BOX:
                world.put_back_box(box, backup)
            case Copy.BACKUP_OF_HUB:
                world.back_up_hub()
            case Copy.OLD_HUB:
                world.put_back_hub(backup, is_noticed=True)
            case Copy.OLD_HUB_UNNOTICED:
                world.put_back_hub(backup, is_noticed=False)
            case _:
                pass
        for _ in range(count):
            world.press(box)

    @precondition(lambda self: self.allows_copies and len(self.world.boxes) < MAX_BOXES)
    @rule(at=AT, first=st.integers(1, 3), second=st.integers(1, 5))
    def second_life(self, at: int, first: int, second: int) -> None:
        """A hub that goes back unnoticed hears the rest from a clone."""
        one = self._box(at)
        self.world.back_up_hub()
        self.world.clone(one)
        for _ in range(first):
            self.world.press(one)
        self.world.send_all(one)
        self.world.put_back_hub(-1, is_noticed=False)
        self.world.clock.now += 130
        other = self.world.boxes[-1]
        for _ in range(second):
            self.world.press(other)
        self.world.send_all(other)

    @rule(at=AT, how=AT, which=AT)
    def resolve(self, at: int, how: int, which: int) -> None:
        self.world.resolve(at, how, which)

    @rule(at=AT)
    def join_again(self, at: int) -> None:
        self.world.join_again(self._box(at))

    def teardown(self) -> None:
        if self.world.boxes:
            check_streams(self.world)
            self.world.settle()
            check_end(self.world)


class WithoutCopies(Protocol):
    """Faults of networks and processes only: streams equal, no alarms."""

    allows_copies = False


def at(url: str, machine: type[Protocol]) -> type[Protocol]:
    """The machine with its hub at another database."""
    return type(f"{machine.__name__}_at_database", (machine,), {"url": url})


def without(guard: str, url: str = IN_MEMORY) -> type[Protocol]:
    """The machine with one guard removed."""
    values: dict[str, Any] = {"acknowledges_early": guard == "commit", "url": url}
    if guard != "commit":
        intake = type("Intake", (Intake,), {"turn_type": unguarded.TURNS[guard]})
        values["intake_type"] = intake
    return type(f"Without_{guard}", (Protocol,), values)


GUARDS = (*unguarded.TURNS, "commit")
