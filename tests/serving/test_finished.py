"""Answers are made once, within a share of the processor."""

from __future__ import annotations

import asyncio

import pytest
from starlette.exceptions import HTTPException

from scorer.serving import finished
from scorer.serving.finished import MAX_WAITING_EACH, FinishedAnswers, Make, WorkShare
from scorer.serving.static_files import CachedFile, cached_file
from tests.support.coroutines import awaited


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Kitchen:
    """Finished answers, and how often each was made."""

    def __init__(self, share: WorkShare | None = None, stale_for: float = 0.0) -> None:
        self.clock, self.made = Clock(), list[str]()
        plenty = WorkShare(1.0, 1e6, clock=self.clock)
        self.answers = FinishedAnswers(share or plenty, 10_000, stale_for, self.clock)

    def make(self, body: str) -> Make:
        async def make() -> CachedFile:
            self.made.append(body)
            await asyncio.sleep(0)
            return cached_file(body.encode(), "text/plain")

        return make

    async def get(self, name: str, revision: int = 1, address: str = "guest") -> str:
        body = f"{name} {revision}"
        return (await self.answers.get(name, revision, address, self.make(body))).body.decode()


@awaited
async def test_an_answer_is_made_once_for_all_who_ask_at_once() -> None:
    kitchen = Kitchen()
    asked = [kitchen.get("page", 1, f"guest {number}") for number in range(20)]
    assert {*await asyncio.gather(*asked)} == {"page 1"}
    assert kitchen.made == ["page 1"]
    assert await kitchen.get("page", 2) == "page 2"


@awaited
async def test_an_old_answer_is_given_for_some_seconds_while_work_must_wait() -> None:
    share = WorkShare(0.1, 0.5)
    kitchen = Kitchen(share, stale_for=5.0)
    await kitchen.get("page", 1)
    share.spend(0.505)
    assert await kitchen.get("page", 2) == "page 1"
    kitchen.clock.now += 6.0
    assert await kitchen.get("page", 3) == "page 3", "it waits for its share"


@awaited
async def test_an_address_waits_with_few_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finished, "REFUSAL_SECONDS", 0.0)
    kitchen = Kitchen()
    asked = [kitchen.get(f"page {number}") for number in range(MAX_WAITING_EACH + 3)]
    other = kitchen.get("other", 1, "another guest")
    found = await asyncio.gather(*asked, other, return_exceptions=True)
    refused = [each for each in found if isinstance(each, HTTPException)]
    assert [each.status_code for each in refused] == [429] * 3
    assert all((each.headers or {})["Retry-After"] == "1" for each in refused)
    assert found[-1] == "other 1"


@awaited
async def test_a_maker_that_fails_is_asked_again_and_leaves_no_place_taken() -> None:
    kitchen = Kitchen()

    async def fail() -> CachedFile:
        raise HTTPException(422)

    for _ in range(2 * MAX_WAITING_EACH):
        with pytest.raises(HTTPException):
            await kitchen.answers.get("page", 1, "guest", fail)
    assert await kitchen.get("page") == "page 1"


@awaited
async def test_what_is_kept_has_a_bound_and_the_newest_stay() -> None:
    kitchen = Kitchen()
    for number in range(100):
        await kitchen.get(f"page {number}")
        await kitchen.get("home")
    kitchen.made.clear()
    for name in ("page 0", "page 99", "home"):
        await kitchen.get(name)
    assert kitchen.made == ["page 0 1"]


def test_work_is_paid_back_by_waiting() -> None:
    clock = Clock()
    share = WorkShare(0.1, 0.5, clock=clock)
    share.spend(0.5)
    assert share.wait() == 0.0, "what is allowed at once"
    share.spend(0.2)
    assert share.wait() == pytest.approx(2.0)
    clock.now += 2.0
    assert share.wait() == pytest.approx(0.0)


def test_there_are_so_many_works_a_second_however_short_they_are() -> None:
    clock, count = Clock(), 0
    share = WorkShare(0.5, 1.0, rate=2.0, clock=clock)
    while clock.now < 160.0:
        if share.wait() == 0.0:
            share.spend(0.0)
            count += 1
        else:
            clock.now += 0.05
    assert count <= 2 * 60 + 6
