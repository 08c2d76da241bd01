"""The event loop of a service of systemd: its watchdog, and its end by a signal."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any

from scorer.system.sd_notify import Notifier


def run_until_signal(service: Coroutine[Any, Any, None], notifier: Notifier) -> None:
    """Run a service in a new event loop; SIGTERM and SIGINT cancel it."""

    async def run() -> None:
        running = asyncio.create_task(service)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, running.cancel)
        try:
            await running
        except asyncio.CancelledError:
            notifier.stopping()

    asyncio.run(run())


async def ping_watchdog(notifier: Notifier, interval: float) -> None:
    """Ping the watchdog while the event loop runs.

    ``interval``: at most so many seconds.
    """
    pace = notifier.ping_interval(interval)
    while True:
        notifier.ping_watchdog()
        await asyncio.sleep(pace)
