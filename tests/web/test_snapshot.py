"""What is published, and when: late journals, disagreements, lost tables."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from scorer import table_link
from scorer.api.table_source import TableUnavailable
from scorer.rules import Game, parse_step, read_header, state_document
from scorer.rules.engine import apply
from scorer.serving.broadcaster import Broadcaster, Viewer
from scorer.table_link import LinkStatus, TableLink
from scorer.web import snapshot as reports
from scorer.web.audience import DEFAULT_AUDIENCE, Audience
from scorer.web.snapshot import Reporter
from tests.support.coroutines import awaited_in
from tests.web.contract import check
from tests.web.fake_reports import LAMPS

SOON = 10.0
HEADER = '[Variant "argentine"]\n'
Message = dict[str, Any]


def played(*lines: str) -> Game:
    game = read_header(HEADER).game()
    for line in lines:
        game = apply(game, parse_step(line, game.rules))
    return game


class Table(TableLink):
    """A link to a scripted table. ``slow``: its journal waits for ``speaks``."""

    def __init__(self) -> None:
        super().__init__(Path("nowhere"))
        self.lines: list[str] = []
        self.speaks = asyncio.Event()
        self.speaks.set()

    def play(self, *lines: str) -> None:
        self.lines += lines
        self.tell(len(self.lines))

    def tell(self, seq: int, **wrong: object) -> None:
        """The state after row ``seq``, as the socket would tell it."""
        document = state_document(played(*self.lines[:seq]))
        told = {
            **document,
            "seq": seq,
            "number": seq,
            "names": {"A": "", "B": ""},
            "lamps": LAMPS,
            "tally": 5,
            "match": None,
            **wrong,
        }
        self._receive(json.loads(json.dumps({"state": told})))

    def find(self) -> None:
        self._receive({"hello": 1, "device": "mesa 4", "seq": len(self.lines)})

    def lose(self) -> None:
        self._on_lost()

    async def request(self, **wish: Any) -> Message:  # noqa: ANN401 - as TableLink has it
        await self.speaks.wait()
        if self.status is LinkStatus.OFFLINE:
            raise TableUnavailable("gone")
        rows = [
            {
                "seq": seq, "press": seq, "line": line, "source": "A", "boot": "b",
                "monotonic_ms": seq, "wall": "2026-11-21T21:00:00+00:00", "trusted": False,
            }
            for seq, line in enumerate(self.lines, 1)
            if seq >= wish["from"]
        ]  # fmt: skip
        return {
            "ok": True, "game": 1, "running": 1, "first": 1, "newest": 1, "language": "pt-BR",
            "seq": len(self.lines), "header": HEADER, "rows": rows,
        }  # fmt: skip


class Television:
    """A viewer of what a reporter publishes."""

    def __init__(self, feed: Broadcaster[Audience]) -> None:
        viewer = feed.join(DEFAULT_AUDIENCE)
        assert viewer is not None
        self._viewer: Viewer[Audience] = viewer

    async def next(self, wanted: Callable[[Message], bool] = lambda _: True) -> Message:
        """The next event that is as wanted: its data, and its name as ``event``."""
        async with asyncio.timeout(SOON):
            while True:
                frame = await self._viewer.next()
                assert frame is not None
                name, *_, data = frame.decode().strip().split("\n")
                told: Message = json.loads(data.removeprefix("data: "))
                if wanted(told):
                    return {**told, "event": name.removeprefix("event: ")}


@contextlib.asynccontextmanager
async def reported_table() -> AsyncIterator[tuple[Table, Television]]:
    table, feed = Table(), Broadcaster[Audience](3)
    reporter = Reporter(table, feed, "es-AR", lambda: 1000.0)
    television = Television(feed)
    running = asyncio.create_task(reporter.run())
    try:
        yield table, television
    finally:
        running.cancel()


watched = awaited_in(reported_table, 2)


def stands_at(seq: int) -> Callable[[Message], bool]:
    return lambda told: (told.get("state") or {}).get("seq") == seq


@watched
async def test_a_press_is_one_report_with_everything_that_belongs_to_it(
    table: Table, television: Television
) -> None:
    table.find()
    table.play("A truco")
    await television.next(lambda told: told.get("night") is not None)
    table.play("B no_quiero")
    told = await television.next(stands_at(2))
    assert (told["event"], told["board"] is None, told["language"]) == ("state", False, "pt-BR")
    assert told["recent"][-1]["key"] == "truco_refused"
    assert told["hands"][-1] == {"hand": 1, "score": {"A": 1, "B": 0}}


@watched
async def test_a_hand_that_the_panels_have_left_is_followed_by_the_next(
    table: Table, television: Television
) -> None:
    table.find()
    table.play("A truco", "B no_quiero")
    over = await television.next(lambda told: told.get("board") is not None)
    assert over["board"]["next_mano"] == "B"
    assert (over["phrases"]["hand"], len(over["phrases"]["reasons"])) == ("mão 1", 1)
    table.tell(2, is_next_hand_shown=True)
    shown = await television.next(lambda told: told["rev"] > over["rev"])
    assert (shown["board"]["next_mano"], shown["board"]["mano"]) == (None, "B")
    assert (shown["phrases"]["hand"], shown["phrases"]["reasons"]) == ("mão 2", [])
    assert shown["state"]["phase"] == "hand_over"
    assert shown["recent"] == over["recent"]


@watched
async def test_a_report_names_a_chosen_change_of_rules_and_its_first_hand(
    table: Table, television: Television
) -> None:
    change = {"target": 15, "flor": None, "variant": "argentine", "options": {"target": 15}}
    table.find()
    table.play("A truco", "B no_quiero")
    over = await television.next(lambda told: told.get("board") is not None)
    assert "15" not in over["phrases"]["game"]
    table.tell(2, rule_change={"from": "hand", **change})
    told = await television.next(lambda told: told["rev"] > over["rev"])
    assert told["board"] is not None
    assert told["phrases"]["game"] == "próx. mão: até 15"
    assert "desde a próxima mão: até 15" in told["phrases"]["news"]
    table.tell(2, is_next_hand_shown=True, rule_change={"from": "this_hand", **change})
    shown = await television.next(lambda each: each["rev"] > told["rev"])
    assert shown["phrases"]["game"] == "esta mão: até 15"
    table.tell(2, rule_change={"from": "tomorrow", **change, "variant": "martian"})
    newer = await television.next(lambda each: each["rev"] > shown["rev"])
    assert newer["board"] is not None, "a table of a later version"


@watched
async def test_a_state_does_not_wait_for_a_slow_journal(
    table: Table, television: Television, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "HISTORY_TIMEOUT", 0.01)
    table.find()
    table.play("A truco")
    before = await television.next(lambda told: told.get("night") is not None)
    table.speaks.clear()
    table.play("B no_quiero")
    alone = await television.next(stands_at(2))
    assert (alone["board"], alone["phrases"], alone["hands"]) == (None, None, [])
    assert alone["recent"] == before["recent"], "nothing goes away for it"
    table.speaks.set()
    whole = await television.next(lambda told: told["rev"] > alone["rev"])
    assert whole["board"] is not None
    assert whole["state"] == alone["state"]


@watched
async def test_a_journal_that_runs_ahead_waits_for_its_state(
    table: Table, television: Television
) -> None:
    table.find()
    table.play("A truco")
    first = await television.next(lambda told: told.get("night") is not None)
    # The journal has the press already while the previous state is being sent.
    table.lines += ["B quiero", "A hand_won"]
    table.tell(2)
    table.tell(3)
    told = await television.next()
    assert (told["state"]["seq"], told["rev"]) == (3, first["rev"] + 1)
    assert told["board"] is not None


@watched
async def test_where_the_rules_here_disagree_the_state_of_the_table_stands_alone(
    table: Table, television: Television
) -> None:
    table.find()
    table.lines.append("A truco")
    table.tell(1, score={"A": 7, "B": 0})
    told = await television.next(stands_at(1))
    assert (told["state"]["score"]["A"], told["phrases"], told["hands"]) == (7, None, [])


@watched
async def test_a_key_that_a_newer_table_adds_is_no_disagreement(
    table: Table, television: Television
) -> None:
    table.find()
    table.lines.append("A truco")
    table.tell(1, weather="rain")
    told = await television.next(stands_at(1))
    assert told["state"]["weather"] == "rain"
    assert told["phrases"]["call"] is not None


@watched
async def test_a_table_that_goes_leaves_its_last_score_and_the_moment(
    table: Table, television: Television
) -> None:
    table.find()
    table.play("A truco")
    shown = await television.next(lambda told: told.get("night") is not None)
    table.lose()
    gone = await television.next()
    assert (gone["event"], gone["table"], gone["state"]) == ("gone", "gone", shown["state"])
    assert gone["since"] == pytest.approx(1000.0, abs=SOON)
    table.find()
    table.tell(1)
    back = await television.next()
    assert (back["event"], back["table"], back["since"]) == ("state", "here", None)
    assert back["rev"] > gone["rev"] > shown["rev"]
    assert back["epoch"] == shown["epoch"]


@watched
async def test_while_nothing_happens_there_are_signs_of_life(
    table: Table, television: Television, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "HEARTBEAT", 0.01)
    table.find()
    table.play("A truco")
    shown = await television.next(lambda told: told.get("night") is not None)
    beat = await television.next()
    assert (beat["event"], beat["id"], beat["seq"]) == ("beat", shown["id"], 1)
    check("Beat", beat)
    check("Report", shown)


@watched
async def test_a_table_that_has_no_score_is_said_to_be_in_trouble(
    table: Table, television: Television, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "HEARTBEAT", 0.01)
    monkeypatch.setattr(table_link, "GRACE", 0.0)
    table.find()
    told = await television.next(lambda told: told["table"] == "trouble")
    assert (told["event"], told["state"], told["device"]) == ("state", None, "mesa 4")
