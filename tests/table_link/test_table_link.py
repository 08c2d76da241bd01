"""The table link: connects, reconnects, and survives silent or broken tables."""

from __future__ import annotations

import asyncio
import contextlib
import queue
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from scorer import table_link
from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.api.server import TableServer, listen
from scorer.api.table_source import TableUnavailable
from scorer.table_link import LinkStatus, TableLink
from scorer.web.journal_reader import JournalReader
from tests.support.coroutines import awaited_in

SOON = 10.0  # seconds for what takes milliseconds
Message = dict[str, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sock"


class Found:
    """A link that is running, and a count of its news."""

    def __init__(self, path: Path) -> None:
        self.link = TableLink(path)

    async def news(self) -> None:
        async with asyncio.timeout(SOON):
            await self.link.news.wait()
        self.link.news.clear()

    async def until(self, wanted: Callable[[], bool]) -> None:
        while not wanted():
            await self.news()


@contextlib.asynccontextmanager
async def link_to(path: Path) -> AsyncIterator[Found]:
    found = Found(path)
    running = asyncio.create_task(found.link.run())
    try:
        yield found
    finally:
        running.cancel()


linked = awaited_in(link_to)


def server(path: Path, inbox: Callable[[Request], None] = lambda _: None) -> TableServer:
    made = TableServer({Right.TABLE: listen(path)}, "mesa 4", inbox)
    made.start()
    return made


@linked
async def test_a_table_is_found_lost_and_found_again(
    found: Found, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_link, "PAUSE", 0.01)
    link = found.link
    assert (link.status, link.state, link.seq) == (LinkStatus.OFFLINE, None, -1)
    one = server(path)
    one.publish({"seq": 7}, 7)
    await found.until(lambda: link.status is LinkStatus.ONLINE)
    assert (link.device, link.seq) == ("mesa 4", 7)
    one.close()
    await found.until(lambda: link.status is LinkStatus.OFFLINE)
    assert link.seq == 7, "what was known stays known"
    other = server(path)
    other.publish({"seq": 3}, 3)
    await found.until(lambda: link.seq == 3)
    assert (link.status, link.greetings) == (LinkStatus.ONLINE, 2)
    other.close()


@linked
async def test_a_table_without_a_score_is_in_trouble_and_not_gone(
    found: Found, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = server(path)
    made.publish_unavailable()
    async with asyncio.timeout(SOON):
        while not found.link.greetings:
            await asyncio.sleep(0)
    assert found.link.status is LinkStatus.OFFLINE, "its first state may still be on the way"
    monkeypatch.setattr(table_link, "GRACE", 0.0)
    assert (found.link.status, found.link.state) == (LinkStatus.NO_STATE, None)
    made.publish({"seq": 1}, 1)
    await found.until(lambda: found.link.status is LinkStatus.ONLINE)
    made.close()


@linked
async def test_answers_find_who_asked_in_any_order(found: Found, path: Path) -> None:
    asked: queue.SimpleQueue[Request] = queue.SimpleQueue()
    made = server(path, asked.put)
    made.publish({"seq": 1}, 1)
    await found.until(lambda: found.link.status is LinkStatus.ONLINE)
    answers = asyncio.gather(found.link.request(do="one"), found.link.request(do="two"))
    requests = [await asyncio.to_thread(asked.get, timeout=SOON) for _ in range(2)]
    for request in reversed(requests):
        reply = {"id": request.message["id"], "did": request.message["do"]}
        made.reply(request.client, reply)
    assert [answer["did"] for answer in await answers] == ["one", "two"]
    made.close()


@linked
async def test_a_request_without_a_table_raises(found: Found) -> None:
    with pytest.raises(TableUnavailable):
        await found.link.request(do="game")


@linked
async def test_a_table_that_dies_during_a_request_ends_the_wait(found: Found, path: Path) -> None:
    made = server(path)
    made.publish({"seq": 1}, 1)
    await found.until(lambda: found.link.status is LinkStatus.ONLINE)
    asked = asyncio.create_task(found.link.request(do="game"))
    await asyncio.sleep(0)
    await asyncio.to_thread(made.close)
    with pytest.raises(TableUnavailable):
        await asked


@linked
async def test_a_table_that_hangs_is_given_up_and_looked_for_again(
    found: Found, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_link, "PATIENCE", 0.05)
    monkeypatch.setattr(table_link, "PAUSE", 0.01)
    made = server(path)
    made.publish({"seq": 1}, 1)
    await found.until(lambda: found.link.status is LinkStatus.ONLINE)
    with pytest.raises(TableUnavailable):
        await found.link.request(do="game")
    await found.until(lambda: found.link.greetings == 2)
    made.close()


@pytest.mark.parametrize(
    "line",
    [
        b"rubbish\n",
        b"[]\n",
        b"null\n",
        b'{"hello": 1}\n',
        b"x" * 70_000,
        b'{"state": 5}',
        b"\xff\n",
    ],
    ids=lambda line: line[:12].decode("latin-1"),
)
@linked
async def test_what_is_no_table_does_not_end_the_link(
    found: Found, path: Path, line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_link, "PAUSE", 0.01)
    met = asyncio.Event()

    async def liar(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(line)
        writer.close()
        met.set()

    async with await asyncio.start_unix_server(liar, path):
        async with asyncio.timeout(SOON):
            await met.wait()
    made = server(path)
    made.publish({"seq": 1}, 1)
    await found.until(lambda: found.link.status is LinkStatus.ONLINE)
    made.close()


# ---- what is asked over it ----------------------------------------------------------------------


class Scripted(TableLink):
    """A link whose table says what a test says, one answer a question."""

    def __init__(self, *answers: Message) -> None:
        super().__init__(Path("nowhere"))
        self.answers, self.wishes = list(answers), list[Message]()

    async def request(self, **wish: object) -> Message:
        self.wishes.append(wish)
        return self.answers.pop(0)


HEADER = '[Variant "argentine"]\n'


def row(seq: int, line: str) -> Message:
    return {
        "seq": seq, "game": 1, "press": seq, "line": line, "source": "A", "boot": "b",
        "monotonic_ms": seq, "wall": "2026-11-21T21:00:00+00:00", "trusted": True,
    }  # fmt: skip


def game(number: int, seq: int, *rows: Message, first: int = 1) -> Message:
    """The table's answer about its running game."""
    return {
        "ok": True, "game": number, "seq": seq, "language": "pt-BR", "running": number,
        "first": first, "newest": number, "header": HEADER, "rows": list(rows),
    }  # fmt: skip


def caught_up(*answers: Message, seq: int) -> tuple[JournalReader, Scripted]:
    """A ledger that has read on to row ``seq``."""
    link = Scripted(*answers)
    link.greetings, link.state = 1, {"seq": seq}
    ledger = JournalReader(link)
    asyncio.run(ledger.catch_up())
    return ledger, link


def test_a_long_game_is_read_page_by_page() -> None:
    pages = game(1, 3, row(1, "A truco")), game(1, 3, row(2, "B quiero"), row(3, "A hand_won"))
    ledger, link = caught_up(*pages, seq=3)
    assert [wish["from"] for wish in link.wishes] == [1, 2]
    assert ledger.timeline is not None
    assert (ledger.seq, ledger.timeline.last_seq, ledger.language) == (3, 3, "pt-BR")


def test_the_next_game_is_read_from_its_beginning() -> None:
    ledger, link = caught_up(game(1, 1, row(1, "A truco")), seq=1)
    link.state = {"seq": 2}
    link.answers += [game(2, 2), game(2, 2, row(2, "B envido"))]
    asyncio.run(ledger.catch_up())
    assert ledger.timeline is not None
    assert (ledger.timeline.number, ledger.timeline.last_seq) == (2, 2)


def test_another_table_behind_the_socket_is_another_story() -> None:
    ledger, link = caught_up(game(1, 2, row(1, "A truco"), row(2, "B quiero")), seq=2)
    link.greetings, link.state = 2, {"seq": 1}
    link.answers.append(game(1, 1, row(1, "B envido")))
    asyncio.run(ledger.catch_up())
    assert ledger.timeline is not None
    assert [entry["key"] for entry in ledger.timeline.entries] == ["envido"]


def test_a_game_in_words_that_we_do_not_know_leaves_the_state_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ledger, _ = caught_up(game(1, 1, row(1, "A sings")), seq=1)
    assert (ledger.timeline, ledger.seq) == (None, 1)
    assert "game 1 cannot be told" in capsys.readouterr().err


def test_an_older_table_that_knows_no_games_is_as_good_as_gone() -> None:
    with pytest.raises(TableUnavailable):
        caught_up({"ok": False, "error": "UNKNOWN", "text": "do is one of step"}, seq=1)


def test_the_games_of_the_night_are_asked_for_once_each() -> None:
    ledger, link = caught_up(game(3, 9, row(9, "A truco"), first=1), seq=9)
    won = {**game(1, 9, row(1, "A award 30")), "running": 3}
    link.answers += [won, {**won, "rows": []}]
    link.answers += [{"ok": False, "error": "NO_SUCH_GAME", "text": "no"}]

    async def everything() -> None:
        while await ledger.read_next_result():
            continue

    asyncio.run(everything())
    assert (ledger.ranking() or {})["games"] == 1
    assert [wish.get("number") for wish in link.wishes[1:]] == [1, 1, 2]
