"""Tests that are coroutines."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

CoroutineTest = Callable[..., Awaitable[None]]
Decorator = Callable[[CoroutineTest], Callable[..., None]]


def awaited(test: CoroutineTest) -> Callable[..., None]:
    """Run a coroutine test to its end."""

    @functools.wraps(test)
    def run(**fixtures: object) -> None:
        async def whole() -> None:
            await test(**fixtures)

        asyncio.run(whole())

    return run


def awaited_in(
    opening: Callable[..., AbstractAsyncContextManager[Any]], count: int = 1
) -> Decorator:
    """Run a coroutine test within ``opening``.

    It yields the first ``count`` arguments of the test. The others, and the parameters of
    ``opening``, are fixtures.
    """
    outer = inspect.signature(opening).parameters

    def decorate(test: CoroutineTest) -> Callable[..., None]:
        inner = dict([*inspect.signature(test).parameters.items()][count:])

        def run(**fixtures: object) -> None:
            async def whole() -> None:
                async with opening(**{name: fixtures[name] for name in outer}) as opened:
                    first = [opened] if count == 1 else opened
                    await test(*first, **{name: fixtures[name] for name in inner})

            asyncio.run(whole())

        functools.update_wrapper(run, test)
        asked = {**inner, **outer}.values()
        run.__signature__ = inspect.Signature([*asked])  # type: ignore[attr-defined]
        return run

    return decorate
