"""What an idle link and a hub with quiet boxes cost: wake-ups and memory."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from scorer.hall.wire import EVENTS_PATH
from tools.bench import Measurement, Result
from tools.bench.daemon_process import running_daemon
from tools.bench.hall import bare_client
from tools.bench.hall.boxes import Box, BoxConnection, tls_of_boxes
from tools.bench.hall.processes import (
    RunningHub,
    pss_bytes,
    read_line,
    running_bare,
    running_hub,
    running_link,
    start_process,
)
from tools.bench.idle import switches

QUIET = 32  # boxes
LINK_WAKES, LINK_MEMORY = 6, 1.5  # a minute; times the bare client
HUB_WAKES, WAKES_OF_BOX = 10, 3  # a minute
HUB_MEMORY = 80.0  # MB
BEATS = 3.0  # a minute, that the hub sends to each box
SETTLE = 20.0  # seconds after the start; at most a beat
# Four periods of the beats and of the hub's look at the log; quick: two.
SECONDS, QUICK_SECONDS = 80.0, 40.0
_MINUTE = 60.0
_MB = 1_000_000


def measure(quick: bool) -> Iterator[Result]:
    """Link and bare client in the same minute, then the hub."""
    seconds = QUICK_SECONDS if quick else SECONDS
    yield from _link(seconds)
    yield from _hub(seconds)


def _link(seconds: float) -> Iterator[Measurement]:
    linked, bare = Box(1), Box(2)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        hub = stack.enter_context(running_hub([linked, bare]))
        stack.enter_context(running_daemon(folder, folder / "store"))
        link = stack.enter_context(running_link(linked, hub, folder / "table.sock"))
        words = ["-P", bare_client.__file__, hub.secure.host, str(hub.secure.port), bare.token]
        client = start_process(words, stack)
        read_line(client)
        ours, reference = _wakes([link, client.pid], seconds)
        memory = pss_bytes(link) / _MB, pss_bytes(client.pid) / _MB
    what = "wake-ups of an idle link a minute"
    same = "a bare asyncio + ssl client"
    yield Measurement(what, ours, reference, "times", same, LINK_WAKES, counted=True)
    yield Measurement("memory of an idle link (PSS)", *memory, "MB", same, LINK_MEMORY)


def _hub(seconds: float) -> Iterator[Measurement]:
    boxes = [Box(number) for number in range(1, QUIET + 1)]
    with ExitStack() as stack:
        hub = stack.enter_context(running_hub(boxes))
        bare, _ = stack.enter_context(running_bare("http", hub))
        wakes = asyncio.run(_be_quiet(boxes, hub, seconds))
        memory = pss_bytes(hub.pid) / _MB, pss_bytes(bare) / _MB
    what = f"wake-ups of a hub with {QUIET} quiet boxes a minute"
    beats, limit = BEATS * QUIET, HUB_WAKES + WAKES_OF_BOX * QUIET
    yield Measurement(what, wakes, beats, "times", "its beats", limit, counted=True)
    what, same = f"memory of a hub with {QUIET} boxes (PSS)", "the same server without a store"
    yield Measurement(what, *memory, "MB", same, HUB_MEMORY, counted=True)


async def _be_quiet(boxes: list[Box], hub: RunningHub, seconds: float) -> float:
    """Wake-ups of the hub a minute while boxes hear its events.

    Their connections for requests are closed, as those of boxes that were quiet for two minutes.
    """
    tls = tls_of_boxes()
    streams = []
    for box in boxes:
        asking = await BoxConnection.open(box, hub.secure, tls)
        await asking.ask(box.greeting())
        asking.close()
        streams.append(await BoxConnection.open(box, hub.secure, tls))
        await streams[-1].hear(box.request(EVENTS_PATH))
    (wakes,) = await asyncio.to_thread(_wakes, [hub.pid], seconds)
    if any(stream.reader.at_eof() for stream in streams):
        raise ConnectionError("the hub has ended a stream of events")
    for stream in streams:
        stream.close()
    return wakes


def _wakes(pids: list[int], seconds: float) -> list[float]:
    """Voluntary context switches a minute of each process."""
    time.sleep(SETTLE)
    before = [switches(pid) for pid in pids]
    time.sleep(seconds)
    return [
        (switches(pid)["voluntary"] - each["voluntary"]) * _MINUTE / seconds
        for pid, each in zip(pids, before, strict=True)
    ]
