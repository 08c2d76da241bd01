"""The running table, asked to try itself over its socket; no device is touched from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from scorer.api.server import Client
from scorer.doctor import storage
from scorer.doctor.findings import Finding, bad, look, ok

# Seconds for each line of its answer: longer than a start on a small Pi, and than a restart.
PATIENCE = 20.0

Message = Mapping[str, Any]


class There(Enum):
    """Whether a table runs."""

    NO = "no"
    YES = "yes"  # and it has answered
    SILENT = "silent"
    FORBIDDEN = "forbidden"


class Asked(NamedTuple):
    """Whether a table runs, and its answer if it gave one."""

    presence: There
    answer: Message = MappingProxyType({})


def ask(path: Path, timeout: float = PATIENCE) -> Asked:
    """Asks the table whose socket is at ``path`` to try itself."""
    try:
        client = Client(path, timeout=timeout)
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
        # A socket that nobody listens to was left there by a table that was killed.
        return Asked(There.NO)
    except PermissionError:
        return Asked(There.FORBIDDEN)
    except OSError:
        return Asked(There.SILENT)
    try:
        client.send({"id": "doctor", "do": "selftest"})
        for message in client.messages():
            if message.get("id") == "doctor":
                return Asked(There.YES, message)
    except (OSError, ValueError, AssertionError):
        # Hung, hung up in the middle, or no table at all: devices may be in use all the same.
        return Asked(There.SILENT)
    finally:
        client.close()
    return Asked(There.SILENT)


def findings(reply: Asked) -> Iterator[Finding]:
    """What a table that runs says of itself, or what it means that it says nothing."""
    answer = reply.answer
    if reply.presence is There.SILENT:
        yield bad("table.silent")
    elif reply.presence is There.FORBIDDEN:
        yield bad("table.forbidden")
    elif answer.get("error") == "BUSY":
        yield look("table.busy")
    elif not answer.get("ok"):
        yield look("table.old")
    else:
        minutes = int(answer["uptime"] // 60)
        yield ok("table.runs", minutes=minutes, clients=answer["clients"] - 1)
        for part in _PARTS:
            yield from part(answer)


def buttons(levels: Message) -> Iterator[Finding]:
    """The levels of all buttons: ``{"lines", "down", "stuck", "alive", "fault"}``."""
    stuck = levels["stuck"]
    down = [name for name in levels["down"] if name not in stuck]
    if levels["fault"]:
        yield bad("buttons.lost", why=levels["fault"])
    elif not levels["alive"]:
        yield bad("buttons.dead")
    if stuck:
        yield bad("buttons.stuck", names=", ".join(stuck))
    if down:
        yield look("buttons.down", names=", ".join(down))
    if levels["alive"] and not levels["fault"] and not stuck and not down:
        yield ok("buttons.fine", count=levels["lines"])


def _buttons(answer: Message) -> Iterator[Finding]:
    yield from buttons(answer["buttons"])


def _consoles(answer: Message) -> Iterator[Finding]:
    # A table of an older version has none.
    for console in answer.get("consoles", ()):
        if console["kind"]:
            yield bad("console.lost", console["name"], why=console["fault"])
        else:
            yield ok("console.there", console["name"])


def _panels(answer: Message) -> Iterator[Finding]:
    for panel in answer["panels"]:
        width, height = panel["size"]
        if panel["fault"]:
            yield bad("panel.lost", panel["side"], why=panel["fault"])
        else:
            yield ok("panel.fine", panel["side"], width=width, height=height)


def _lamps(answer: Message) -> Iterator[Finding]:
    for lamp in answer["lamps"]:
        if lamp["fault"]:
            yield bad("lamp.lost", lamp["name"], why=lamp["fault"])
        else:
            yield ok("lamp.fine", lamp["name"])


def _buzzer(answer: Message) -> Iterator[Finding]:
    fault = answer["buzzer"]["fault"]
    yield bad("buzzer.lost", why=fault) if fault else ok("buzzer.fine")


def _store(answer: Message) -> Iterator[Finding]:
    store = answer["store"]
    if store["kind"]:
        yield bad(f"store.{store['kind']}", why=store["fault"] or store["kind"])
        return
    yield ok("store.saves", seq=store["seq"], size=storage.kib(store["size"]))


def _boards(answer: Message) -> Iterator[Finding]:
    if "board" in answer["marks"]:
        yield bad("board.gone")


_PARTS: tuple[Callable[[Message], Iterator[Finding]], ...] = (
    _buttons,
    _consoles,
    _panels,
    _lamps,
    _buzzer,
    _boards,
    _store,
)
