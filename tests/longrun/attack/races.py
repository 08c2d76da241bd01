"""Races: phones against power cuts, and presses for another game."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import ExitStack, closing
from random import Random
from typing import NamedTuple

import httpx

from scorer.store.journal import Journal
from tests.longrun.attack.checks import Checks
from tests.longrun.attack.rig import Rig, running

NAMES = ("Ana", "Beto", "Caro", "Dani")
BUTTONS = ("truco", "envido", "quiero", "no_quiero", "tantos")


class Accepted(NamedTuple):
    """A press that the table reported as accepted and stored, at this row."""

    name: str
    seq: int


class Racer(threading.Thread):
    """A phone that presses without pause, with the newest state it knows."""

    def __init__(self, name: str, phone: httpx.Client, over: threading.Event) -> None:
        super().__init__(name=name)
        self._phone, self._over, self._random = phone, over, Random(name)
        self.accepted: list[Accepted] = []
        self.wrong: list[str] = []
        self.sent = 0

    def run(self) -> None:
        while not self._over.is_set():
            try:
                self._press()
            except httpx.TransportError:
                continue  # the web server was killed

    def _press(self) -> None:
        shown = self._phone.get("/api/v1/phone")
        if shown.status_code != 200:
            return
        if not shown.json()["paired"]:
            self.wrong.append(f"{self.name} is unpaired")
            return
        side, button = self._random.choice("AB"), self._random.choice(BUTTONS)
        seq = shown.json()["seq"]
        wish = {"side": side, "button": button, "seq": seq}
        answer = self._phone.post("/api/v1/press", json=wish)
        self.sent += 1
        if answer.status_code == 200 and answer.json().get("verdict") == "taken":
            # A QUIERO for the next game stores nothing until the other team's.
            if answer.json()["seq"] > seq:
                self.accepted.append(Accepted(self.name, answer.json()["seq"]))
        elif answer.status_code not in (200, 409, 429, 503):
            self.wrong.append(f"{answer.status_code}: {answer.text}")


def race_through_power_cuts(checks: Checks, share: int) -> None:
    """Four phones press while the table and the web server are killed again and again."""
    cuts = 50 // share
    with running() as rig, ExitStack() as stack:
        phones = [
            stack.enter_context(closing(rig.paired(f"127.0.6.{number}", name)))
            for number, name in enumerate(NAMES, 1)
        ]
        over = threading.Event()
        racers = [Racer(*each, over) for each in zip(NAMES, phones, strict=True)]
        for each in racers:
            each.start()
        try:
            _cut(rig, cuts)
        finally:
            over.set()
            for each in racers:
                each.join()
        rig.table.process.kill()
        _compare(checks, rig, racers)
        taken, sent = sum(len(each.accepted) for each in racers), sum(each.sent for each in racers)
        checks.note = f"{cuts} power cuts and kills; {sent} presses, {taken} taken, all stored"


def _cut(rig: Rig, cuts: int) -> None:
    random = Random(3)
    for number in range(cuts):
        for _ in range(random.randint(5, 30)):
            rig.table.wait(0.7)
        if number % 2:
            rig.kill_web()
        else:
            rig.table.power_cut()
        rig.wait_until_ready()


def _compare(checks: Checks, rig: Rig, racers: list[Racer]) -> None:
    """Each press reported as accepted is in the journal, once and under its name."""
    with Journal.open(rig.folder / "store") as journal:
        sources = {row.seq: row.source for row in journal.since(0, 1_000_000)}
    accepted = [each for racer in racers for each in racer.accepted]
    for name, seq in accepted:
        checks.check(name in sources.get(seq, ""), f"row {seq} of {name} is {sources.get(seq)}")
    twice = [seq for seq, count in Counter(each.seq for each in accepted).items() if count > 1]
    checks.check(not twice, f"rows reported twice: {twice}")
    checks.check(bool(accepted), "no press was taken: the race proves nothing")
    for racer in racers:
        checks.check(not racer.wrong, racer.wrong[:3])


def press_after_the_game(checks: Checks, share: int) -> None:
    """A phone that shows a finished game presses after the next one has begun."""
    games = 50 // share
    with running(options="target=1") as rig, closing(rig.paired("127.0.6.1", "Ana")) as phone:
        for _ in range(games):
            rig.table.press("A.tantos", duration_s=5.0)
            shown = _state(phone, "match_over")
            rig.table.press("A.quiero")
            rig.table.press("B.quiero", duration_s=3.0)
            fresh = _state(phone, "playing")
            checks.check(fresh["seq"] == shown["seq"], "the new game has a row of its own")
            wish = {"side": "B", "button": "tantos", "number": shown["number"], "seq": shown["seq"]}
            answer = phone.post("/api/v1/press", json=wish)
            checks.check(answer.status_code in (409, 429), f"a late press is {answer.text}")
            score = rig.table.wait(1.0).state["score"]
            checks.check(score == {"A": 0, "B": 0}, f"the score is {score}")
        checks.note = f"{games} games, no press counted in the next one"


def _state(phone: httpx.Client, phase: str) -> dict[str, object]:
    for _ in range(20_000):
        answer = phone.get("/api/v1/state")
        if answer.status_code == 200 and answer.json()["state"]["phase"] == phase:
            return dict(answer.json()["state"])
    raise AssertionError(f"the game is never {phase}")
