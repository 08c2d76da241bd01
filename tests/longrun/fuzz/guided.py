"""Fuzz by coverage: inputs that reach new lines of a parser are changed further.

The parsers are those that strangers reach: score sheets, messages of the link, lines of a socket,
forms of the desk. atheris guides where it is installed, hypothesis elsewhere, by the number of
lines newly reached. ``python -m tests.longrun.fuzz.guided [NAME...]``: ``SECONDS=600`` in all;
``MERGE=1`` adds the fewest inputs that reach more to the corpus. The last line is "N passed, N
failed", counting inputs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from tests.longrun.fuzz.mutate import CORPUS

LONGEST = 4096  # bytes of an input
FOUND = Path("build/fuzz")  # where failing inputs are kept
PARSERS = ("sheet", "link", "socket", "form")
SEEDS = {"sheet": ("sheet",), "link": ("hall",), "socket": ("socket",), "form": ("form",)}


class Fed(NamedTuple):
    """What was fed to one parser; ``fault``: what failed, or ""."""

    inputs: int
    lines: str  # how much was reached
    fault: str


def check_of(name: str) -> Callable[[bytes], None]:
    """The check of one parser, imported late so that atheris sees its lines."""
    if name == "sheet":
        from tests.longrun.fuzz import sheets

        return sheets.check
    if name == "link":
        from tests.longrun.fuzz import hall

        return hall.check
    if name == "socket":
        from tests.longrun.fuzz import sockets

        return lambda data: sockets.check(sockets.Said(data))
    from tests.longrun.fuzz import forms

    return forms.check


def learned(name: str) -> Path:
    """The folder of the corpus that fuzzing has found."""
    return CORPUS / "learned" / name


def main(words: list[str]) -> int:
    """Feed all or the named parsers; return 1 if an input failed, else 0."""
    if words[:1] == ["--guide"]:
        guide_by_atheris(words[1], words[2:])
        return 0
    names = [name for name in PARSERS if not words or name in words]
    seconds = int(os.environ.get("SECONDS", "60" if os.environ.get("QUICK") else "600"))
    feed = feed_by_atheris if find_spec("atheris") else feed_by_hypothesis
    passed = failed = 0
    for name in names:
        fed = feed(name, seconds // len(names))
        print(f"{name:8} {fed.inputs:9,} inputs, {fed.lines}")
        if fed.fault:
            print(fed.fault)
        sys.stdout.flush()
        passed, failed = passed + fed.inputs - bool(fed.fault), failed + bool(fed.fault)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def guide_by_atheris(name: str, words: list[str]) -> None:
    """Run libFuzzer in this process, which ends it."""
    atheris = import_module("atheris")  # without types

    with atheris.instrument_imports(include=["scorer"]):
        check = check_of(name)

    def feed(data: bytes) -> None:
        check(data)

    atheris.Setup([sys.argv[0], *words], feed)
    atheris.Fuzz()


def feed_by_atheris(name: str, seconds: int) -> Fed:
    """Feed one parser in a process of its own."""
    FOUND.mkdir(parents=True, exist_ok=True)
    seeds = [str(CORPUS / each) for each in SEEDS[name]]
    learned(name).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as fresh:
        options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=60"]
        places = [f"-artifact_prefix={FOUND}/{name}-", fresh, str(learned(name)), *seeds]
        told = _guided(name, ["-print_final_stats=1", *options, *places])
        if os.environ.get("MERGE"):
            keep_fewest(name, Path(fresh))
    inputs = int((re.findall(r"number_of_executed_units: (\d+)", told) or ["0"])[-1])
    reached = (re.findall(r"cov: (\d+) ft: (\d+)", told) or [("0", "0")])[-1]
    is_done = "Done" in told and "ERROR" not in told
    fault = "" if is_done else told[-4000:]
    return Fed(inputs, f"{reached[0]} edges and {reached[1]} features reached", fault)


def keep_fewest(name: str, fresh: Path) -> None:
    """Add to the corpus what reaches lines that it does not reach, the shortest first."""
    check = check_of(name)
    folders = (*(CORPUS / each for each in SEEDS[name]), learned(name))
    reached = set[tuple[str, int]]()
    for each in (path for folder in folders for path in folder.iterdir()):
        reached |= lines_of(partial(check, each.read_bytes()))
    for each in sorted(fresh.iterdir(), key=lambda path: (path.stat().st_size, path.name)):
        data = each.read_bytes()
        if not (found := lines_of(partial(check, data))) <= reached:
            reached |= found
            (learned(name) / each.name[:12]).write_bytes(data)


def _guided(name: str, words: list[str]) -> str:
    command = [sys.executable, "-m", "tests.longrun.fuzz.guided", "--guide", name, *words]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return done.stdout + done.stderr


def feed_by_hypothesis(name: str, seconds: int) -> Fed:
    """Feed one parser in this process; an input counts as better by its new lines."""
    from hypothesis import HealthCheck, given, settings, target

    from tests.longrun.fuzz.mutate import nearly_right

    check, seen, inputs, end = check_of(name), set[tuple[str, int]](), 0, time.monotonic() + seconds

    @settings(max_examples=1000, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(nearly_right(SEEDS[name][0]))
    def fed(data: bytes) -> None:
        nonlocal inputs
        if time.monotonic() >= end:
            return
        inputs += 1
        reached = lines_of(lambda: check(data[:LONGEST]))
        target(float(len(reached - seen)), label="new lines")
        seen.update(reached)

    try:
        while time.monotonic() < end:
            fed()
    except Exception as error:
        return Fed(
            inputs, f"{len(seen)} lines reached", "".join(map(str, error.args)) or repr(error)
        )
    return Fed(inputs, f"{len(seen)} lines reached", "")


def lines_of(work: Callable[[], object]) -> set[tuple[str, int]]:
    """The lines of the program that ``work`` runs."""
    reached = set[tuple[str, int]]()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ANN401 - as sys has it
        name = frame.f_code.co_filename
        if "/scorer/" not in name:
            return None
        if event == "line":
            reached.add((name, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return reached


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
