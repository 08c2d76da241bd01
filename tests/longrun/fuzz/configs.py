"""Fuzz target: any bytes as a configuration, from every source.

``scorer check`` must report every fault, and the table must start anyway. The whole service is
started on each file, with simulated pins and panels, in its own folder, and stopped after one
press.
"""

from __future__ import annotations

import io
import json
import os
import queue
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from socket import socket
from typing import Any, NamedTuple
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from scorer.api import server as sockets
from scorer.api.marks import Mark
from scorer.api.rights import Right
from scorer.commands import check as check_command
from scorer.config.config import SECTIONS, Config, without_secrets
from scorer.config.loader import parse_config, validate
from scorer.config.nested_values import merge_values
from scorer.config.sources import resolve, save_choices, store_directory
from scorer.config.standalone import Program, load_for_program
from scorer.config.toml_reader import ConfigError, KeyLines, parse_toml, read_text
from scorer.hw.ports import Edge
from scorer.table import service, startup
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import Inbox, Loop, PowerPort
from scorer.table.table import Table
from tests.longrun.fuzz.limits import bounded
from tests.longrun.fuzz.mutate import nearly_right
from tests.support.fake_settings import FakeSettings
from tests.support.simulated_service import simulated_seams
from tests.support.wrong_containers import WRONG, example, keys, toml, with_wrong

TARGET = "config"
LONGEST_SENTENCE = 1000  # characters
GOOD = '[table]\nvariant = "mineiro"\nlanguage = "pt-BR"\n[guards]\nslap = 1.5\n'
_MEMORY = Path("/dev/shm")
_KEYS = tuple(keys(example()))


def inputs() -> SearchStrategy[bytes]:
    """Configurations with a few changes, or with values of a wrong kind at some keys."""
    return st.one_of(nearly_right(TARGET), _wrong_kinds())


@st.composite
def _wrong_kinds(draw: DrawFn) -> bytes:
    """One to three keys with a wrong container, in the whole example or alone."""
    values = draw(st.sampled_from(({}, example())))
    for _ in range(draw(st.integers(1, 3))):
        path, wrong = draw(st.sampled_from(_KEYS)), draw(st.sampled_from(WRONG))
        values = merge_values(values, with_wrong(path, wrong))
    return toml(values).encode()


def check(data: bytes) -> None:
    """Assert that the file is accepted or its faults are reported, and a table starts."""
    with place() as folder, bounded():
        file = folder / "scorer.toml"
        file.write_bytes(data)
        is_accepted = _checked(file, data)
        config = _config_of_table(read_text(file))
        right = config is not None
        assert right or not is_accepted
        _is_last_good(read_text(file), config)
        _starts_from_every_source(file, folder)
        started = start(file, folder)
        assert started.marked is not right
        _is_told(started.said, data, right=right)


class Started(NamedTuple):
    """Whether the service marked its configuration as faulty, and its stderr."""

    marked: bool
    said: str


def _checked(file: Path, data: bytes) -> bool:
    """Whether ``scorer check`` accepts it; every line it prints must name its place."""
    out = io.StringIO()
    with redirect_stdout(out):
        code = check_command.main([str(file)])
    assert code in (0, 1), out.getvalue()
    lines = out.getvalue().splitlines()
    assert lines
    for line in lines if code else ():
        _is_sentence(line, rf"{re.escape(str(file))}(?::(\d+))?: (.+)", data)
    return code == 0


def _is_sentence(line: str, pattern: str, data: bytes) -> None:
    found = re.fullmatch(pattern, line)
    assert found is not None, ascii(line)
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert int(found[1] or 0) <= lines, line
    assert found[2].isprintable(), ascii(line)
    assert len(found[2]) <= LONGEST_SENTENCE, len(found[2])


def _is_told(stderr: str, data: bytes, *, right: bool) -> None:
    faults = [line for line in stderr.splitlines() if "configuration," in line]
    assert bool(faults) is not right, stderr
    for line in faults:
        _is_sentence(line, r"scorer run: configuration,(?: line (\d+):)? (.+)", data)


def _config_of_table(text: str) -> Config | None:
    """The configuration of the table, without the sections of other programs."""
    try:
        return validate(_values_of_table(text), KeyLines(text))
    except ConfigError:
        return None


def _is_last_good(text: str, config: Config | None) -> None:
    """A wrong file keeps the last good configuration; a right one becomes it."""
    kept = FakeSettings()
    resolve(GOOD, None, kept)
    settled = resolve(text, None, kept)
    assert bool(settled.problems) is (config is None)
    if config is None:
        assert settled.config == parse_config(GOOD)
        return
    assert settled.config == config
    assert store_directory(text) == config.store_folder
    # Stored as JSON, it must be read back unchanged.
    stored = validate(without_secrets(_values_of_table(text)), KeyLines(""))
    assert resolve("[", None, kept).config == stored


def _values_of_table(text: str) -> dict[str, Any]:
    others = {section.name for section in SECTIONS.values() if not section.is_of_table}
    return {name: each for name, each in parse_toml(text).items() if name not in others}


def _starts_from_every_source(file: Path, folder: Path) -> None:
    """Read the text as that of the card, of the store and of other programs."""
    text = read_text(file)
    card = FakeSettings()
    resolve(GOOD, None, card)
    if resolve(GOOD, text, card).problems:
        assert resolve(GOOD, None, card).config == parse_config(GOOD)
    with suppress(ConfigError):
        # Dates, which JSON lacks, are no values of a store.
        stored = json.dumps(parse_toml(text), default=str)
        for key in ("card", "box", "last_good"):
            store = FakeSettings({key: stored})
            for owner in (GOOD, "["):
                resolve(owner, None, store)
            with suppress(ConfigError):
                save_choices(GOOD, store, [(("sound", "on"), False), (("table", "names"), [])])
    with redirect_stderr(io.StringIO()):
        for name in ("web", "hub", "link", "voice", "printer", "backup"):
            program = Program(name, (name, "socket"), {})
            load_for_program(program, file, folder / "none")
            load_for_program(program, folder / "none", file)


@contextmanager
def place() -> Iterator[Path]:
    """A temporary folder, in memory if the machine has ``/dev/shm``."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as name:
        yield Path(name)


def start(file: Path, folder: Path) -> Started:
    """Start the service on ``file`` with all paths in ``folder``, press once, stop."""
    tables: list[Table] = []
    inbox: Inbox = queue.SimpleQueue()
    inbox.put(LoopCommand.STOP)
    stderr = io.StringIO()
    with ExitStack() as stack:
        for name, stand_in in _stand_ins(folder, tables).items():
            stack.enter_context(patch.object(service, name, stand_in))
        stack.enter_context(patch.dict(os.environ, GPIOZERO_PIN_FACTORY="mock"))
        stack.enter_context(redirect_stderr(stderr))
        service.serve(file, None, inbox, platform=service.Platform(simulated_seams, _build_power))
    (table,) = tables
    return Started(Mark.CONFIG in table.marks, stderr.getvalue())


def _stand_ins(folder: Path, tables: list[Table]) -> dict[str, object]:
    """Patches for the service: temporary folders, no bus, a loop that presses."""

    class Pressing(Loop):
        """A loop that makes one press before it reads the inbox."""

        def __init__(
            self,
            table: Table,
            *,
            power: object,
            now: object,
            **others: Any,  # noqa: ANN401
        ) -> None:
            super().__init__(table, power=_Machine(), now=_Seconds(), **others)
            tables.append(table)

        def run(self) -> LoopCommand:
            ended = super().run()
            _press(tables[-1], self._now() + 4000.0)
            return ended

    def keeping(directory: Path, stack: ExitStack) -> startup.StoreHolder:
        return startup.StoreHolder(within(folder, directory), stack)

    def listen(path: Path) -> dict[Right, socket]:
        inside = within(folder, path)
        inside.parent.mkdir(parents=True, exist_ok=True)
        return sockets.listen_for_all(inside)

    return {"Loop": Pressing, "StoreHolder": keeping, "listen_for_all": listen}


def _build_power(inbox: Inbox, stack: ExitStack) -> PowerPort:
    return _Machine()


def within(folder: Path, path: Path) -> Path:
    """``path`` as if ``folder`` were the root."""
    return Path(f"{folder}/root{os.path.normpath(f'/{path}')}")


class _Machine:
    """A machine with a good power supply that is never switched off."""

    def has_undervoltage(self, now: float) -> bool:
        return False

    def on_table_ready(self) -> None:
        """No-op."""

    def switch_off(self) -> None:
        """No-op."""


class _Seconds:
    """A clock that advances one second per reading."""

    def __init__(self) -> None:
        # The service has begun with the time of the machine.
        self._now = time.monotonic()

    def __call__(self) -> float:
        self._now += 1.0
        return self._now


def _press(table: Table, begin: float) -> None:
    for at, level in ((begin, True), (begin + 0.5, False)):
        table.handle_edge(Edge(at, "A.truco", level))
        table.tick(at + 0.4)
    deadline = table.deadline()
    assert deadline is None or deadline > 0
    if not table.has_failed:
        sys.stderr.write(f"{table.document()['score']}\n")
