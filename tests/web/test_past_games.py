"""Past games are read from the table once, one at a time and not too many."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scorer.api.table_source import Message
from scorer.table_link import TableLink
from scorer.web.past_games import MAX_PAST_ROWS, PAST_READ_BURST, PastGames, TooManyReads
from tests.support.coroutines import awaited
from tools.bench.web import HEADER, row

GAMES = 40
LINES = ("A truco", "B no_quiero")


class GameServer(TableLink):
    """A connection to a table with ``GAMES`` games, which counts its requests."""

    def __init__(self) -> None:
        super().__init__(Path("/none"))
        self.greetings, self.running = 1, GAMES
        self.requested: list[int] = []
        self.at_once = self.most_at_once = 0

    async def request(self, **fields: object) -> Message:
        number = fields.get("number", self.running)
        assert isinstance(number, int)
        self.requested.append(number)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        start = fields["from"]
        assert isinstance(start, int)
        rows = [row(seq, line) for seq, line in enumerate(LINES, 1) if seq >= start]
        known = {"running": self.running, "first": GAMES, "newest": GAMES, "language": "es-AR"}
        return {"ok": True, "header": HEADER, "rows": rows, "seq": len(LINES), **known}


async def reader_of(link: GameServer, now: list[float]) -> PastGames:
    link.state = {"seq": len(LINES)}
    reader = PastGames(link, lambda: now[0])
    await reader.journal.catch_up()
    link.requested.clear()
    return reader


@awaited
async def test_a_past_game_is_requested_once_however_many_read_it() -> None:
    link = GameServer()
    reader = await reader_of(link, [0.0])
    stories = await asyncio.gather(*(reader.read(3) for _ in range(100)))
    assert all(story is stories[0] for story in stories)
    assert link.requested == [3, 3], "the rows, and that there are no more"


@awaited
async def test_different_games_are_read_one_at_a_time_and_then_refused() -> None:
    link, now = GameServer(), [0.0]
    reader = await reader_of(link, now)
    answers = await asyncio.gather(
        *(reader.read(number) for number in range(1, 31)), return_exceptions=True
    )
    refused = [each for each in answers if isinstance(each, TooManyReads)]
    assert (len(answers) - len(refused), link.most_at_once) == (PAST_READ_BURST, 1)
    with pytest.raises(TooManyReads) as caught:
        await reader.read(30)
    assert 0 < caught.value.wait <= 2
    now[0] = 10.0
    assert (await reader.read(30)).number == 30


@pytest.mark.parametrize("number", [-1, 0, GAMES + 1, 10**30])
@awaited
async def test_a_game_that_does_not_exist_is_not_requested(number: int) -> None:
    link = GameServer()
    reader = await reader_of(link, [0.0])
    with pytest.raises(KeyError):
        await reader.read(number)
    assert link.requested == []


@awaited
async def test_a_game_that_is_continued_is_read_again() -> None:
    link = GameServer()
    reader = await reader_of(link, [0.0])
    past = await reader.read(3)
    link.running = 3
    await reader.journal.read_on()
    assert await reader.read(3) is reader.journal.timeline
    link.running = GAMES
    await reader.journal.read_on()
    assert await reader.read(3) is not past


@awaited
async def test_another_table_has_other_games() -> None:
    link = GameServer()
    reader = await reader_of(link, [0.0])
    past = await reader.read(3)
    link.greetings += 1
    await reader.journal.catch_up()
    assert await reader.read(3) is not past


@awaited
async def test_kept_games_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorer.web.past_games.MAX_PAST_ROWS", 2 * len(LINES))
    assert len(LINES) < MAX_PAST_ROWS
    link = GameServer()
    reader = await reader_of(link, [0.0])
    for number in (1, 2, 3, 1):
        await reader.read(number)
    assert link.requested == [1, 1, 2, 2, 3, 3, 1, 1]
