"""Ask the running table for its self-test over the socket; opens no device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from scorer.api.error_codes import ErrorCode
from scorer.api.marks import Mark
from scorer.api.server import Client
from scorer.doctor import storage
from scorer.doctor.findings import Finding, fail, ok, warn

# Seconds for each line of the reply: longer than a start or restart on a small Pi.
PATIENCE = 20.0

Message = Mapping[str, Any]


class TablePresence(Enum):
    """Whether a table runs."""

    NO = "no"
    YES = "yes"  # and it has replied
    SILENT = "silent"
    FORBIDDEN = "forbidden"


class SelfTestReply(NamedTuple):
    """Whether a table runs, and its reply if there was one."""

    presence: TablePresence
    answer: Message = MappingProxyType({})


def request_selftest(path: Path, timeout: float = PATIENCE) -> SelfTestReply:
    """Request a self-test from the table whose socket is ``path``."""
    try:
        client = Client(path, timeout=timeout)
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
        # Without a listener the socket is left over from a killed table.
        return SelfTestReply(TablePresence.NO)
    except PermissionError:
        return SelfTestReply(TablePresence.FORBIDDEN)
    except OSError:
        return SelfTestReply(TablePresence.SILENT)
    try:
        client.send({"id": "doctor", "do": "selftest"})
        for message in client.messages():
            if message.get("id") == "doctor":
                return SelfTestReply(TablePresence.YES, message)
    except (OSError, ValueError, AssertionError):
        # Hung, disconnected or not a table: devices may be in use all the same.
        return SelfTestReply(TablePresence.SILENT)
    finally:
        client.close()
    return SelfTestReply(TablePresence.SILENT)


def selftest_findings(reply: SelfTestReply) -> Iterator[Finding]:
    """Findings of the self-test reply, or of its absence."""
    answer = reply.answer
    if reply.presence is TablePresence.SILENT:
        yield fail("table.silent")
    elif reply.presence is TablePresence.FORBIDDEN:
        yield fail("table.forbidden")
    elif answer.get("error") == ErrorCode.BUSY:
        yield warn("table.busy")
    elif not answer.get("ok"):
        yield warn("table.old")
    else:
        minutes = int(answer["uptime"] // 60)
        yield ok("table.runs", minutes=minutes, clients=answer["clients"] - 1)
        yield from _input_findings(answer)
        yield from _output_findings(answer)
        if Mark.BOARD in answer["marks"]:
            yield fail("board.gone")
        store = answer["store"]
        if store["kind"]:
            yield fail(f"store.{store['kind']}", why=store["fault"] or store["kind"])
        else:
            yield ok("store.saves", seq=store["seq"], size=storage.kib(store["size"]))


def button_findings(levels: Message) -> Iterator[Finding]:
    """Findings of ``{"lines", "down", "stuck", "touching", "alive", "fault"}``."""
    stuck = levels["stuck"]
    down = [name for name in levels["down"] if name not in stuck]
    if levels["fault"]:
        yield fail("buttons.lost", why=levels["fault"])
    elif not levels["alive"]:
        yield fail("buttons.dead")
    if stuck:
        yield fail("buttons.stuck", names=", ".join(stuck))
    if down:
        yield warn("buttons.down", names=", ".join(down))
    # Absent in replies of older versions.
    touching = levels.get("touching", ())
    for pair in touching:
        yield fail("button.touch_box", pair[0], names=", ".join(pair))
    if levels["alive"] and not (levels["fault"] or stuck or down or touching):
        yield ok("buttons.fine", count=levels["lines"])


def _input_findings(answer: Message) -> Iterator[Finding]:
    yield from button_findings(answer["buttons"])
    if Mark.MUTED in answer["marks"]:
        yield fail("buttons.muted")
    # Absent in replies of older versions.
    for console in answer.get("consoles", ()):
        if console["kind"]:
            yield fail("console.lost", console["name"], why=console["fault"])
        else:
            yield ok("console.there", console["name"])


def _output_findings(answer: Message) -> Iterator[Finding]:
    for panel in answer["panels"]:
        width, height = panel["size"]
        if panel["fault"]:
            yield fail("panel.lost", panel["side"], why=panel["fault"])
        else:
            yield ok("panel.fine", panel["side"], width=width, height=height)
    for lamp in answer["lamps"]:
        name, fault = lamp["name"], lamp["fault"]
        yield fail("lamp.lost", name, why=fault) if fault else ok("lamp.fine", name)
    fault = answer["buzzer"]["fault"]
    yield fail("buzzer.lost", why=fault) if fault else ok("buzzer.fine")
    # The rest is absent in replies of tables without such devices.
    if "light" in answer:
        fault = answer["light"]["fault"]
        yield fail("light.lost", why=fault) if fault else ok("light.fine")
    for chip in answer.get("button_lights", ()):
        if chip["fault"]:
            yield fail("button_lights.lost", chip["name"], why=chip["fault"])
        else:
            yield ok("button_lights.fine", chip["name"])
    if "words" in answer:
        fault = answer["words"]["fault"]
        yield fail("words.lost", why=fault) if fault else ok("words.fine", words="TRUCO SCORER")
