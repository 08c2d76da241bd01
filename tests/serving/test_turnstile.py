"""Requests of visitors begin one after the other, and the addresses in turn."""

from __future__ import annotations

import asyncio

from scorer.serving.turnstile import Turnstile


async def begun(asked: list[str], gone: set[int] = frozenset()) -> tuple[list[str], list[int]]:  # type: ignore[assignment]
    """The addresses in the order in which their requests began, and the pass of each."""
    turnstile, order, passes = Turnstile(), list[str](), list[int]()
    number, running = 0, True

    async def request(address: str) -> None:
        await turnstile.enter(address)
        order.append(address)
        passes.append(number)

    async def count() -> None:
        nonlocal number
        while running:
            number += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    tasks = [asyncio.create_task(request(address)) for address in asked]
    await asyncio.sleep(0)
    for at in gone:
        tasks[at].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    running = False
    await counting
    return order, passes


def test_one_request_begins_in_a_pass_of_the_loop() -> None:
    _, passes = asyncio.run(begun(["guest"] * 50))
    assert len(set(passes)) == 50
    # Besides, each is followed by passes for others.
    assert passes[-1] - passes[0] >= 3 * 49


def test_an_address_with_many_requests_delays_no_other() -> None:
    order, _ = asyncio.run(begun(["flood"] * 40 + ["one", "two"]))
    assert order.index("one") <= 2
    assert order.index("two") <= 3
    assert len(order) == 42


def test_a_request_that_has_gone_delays_no_other() -> None:
    order, _ = asyncio.run(begun(["flood"] * 5 + ["one"], gone={1, 2}))
    assert sorted(order) == ["flood"] * 3 + ["one"]
