"""Run a real table on a disk where one system call fails, once or repeatedly.

strace makes the system call of the table's process on a file of the store fail; the calls of a
clean game are counted first. What the panel showed is compared with what the next table finds.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from scorer.commands import simulator
from scorer.demo.buttons import press_edges, sort_edges
from scorer.demo.table_process import TableEnded, TableProcess
from scorer.i18n import translator
from scorer.rules import header_of
from scorer.store import file
from scorer.table.simulated_table import TableChoices
from tests.table.table_process import START, TAP, table_on

ERRORS = ("EIO", "ENOSPC")
# Calls with the name or the descriptor of a file.
CALLS = "%file,%desc,mmap,flock"
# A hand with an answer, an envido, an UNDO, and a press that starts the next hand.
STORY = ("A.truco", "B.quiero", "A.tantos", "B.envido", "A.no_quiero", "undo", "B.tantos")
REST = 4.5  # seconds between presses: guards and notices have expired
# Hands that fill the write-ahead log until shortly before a checkpoint.
BEFORE = ("A.tantos", "B.tantos") * 11
LANGUAGE = "es-AR"
NOTICES = ("store_full", "store_read_only", "store_replaced", "unsaved")


class Case(NamedTuple):
    """One run: which call fails, how, and for how long."""

    store: str  # "new", or "old": an evening goes on whose log is nearly full
    call: str
    nth: int  # from 1
    error: str
    last: str = ""  # "" only this call, "+" all from this one on, "..N" up to the Nth
    cut: bool = False  # kill the table at the end; else stop it cleanly


class Told(NamedTuple):
    """The result of one run."""

    case: Case
    taken: int  # presses that counted
    refused: int  # presses that the panel reported as not saved
    died: bool
    trouble: bool  # the table ran, could not score and showed it
    salvaged: bool  # the next table had to salvage
    wrong: str  # what was shown and lost, or not reported; "" if nothing


def strace(folder: Path, *words: str) -> list[str]:
    """The strace command line to trace access to the store in ``folder``."""
    store = folder / file.FILE_NAME
    paths = (folder, store, file.wal_path(store), store.with_name(f"{file.FILE_NAME}-shm"))
    named = [word for path in paths for word in ("-P", str(path))]
    return ["strace", "-f", "--seccomp-bpf", "-qqq", *words, *named]


class Player:
    """Presses buttons of a table process that may die at any moment."""

    def __init__(self, folder: Path, tracer: Sequence[str]) -> None:
        self._chance, self.now = Random(1), START
        self.child = TableProcess([*tracer, *table_on(folder).command(START)])
        self.pid = self.child.start().pid

    def press(self, line: str) -> str:
        """Tap, advance until the result is shown, and return the verdict."""
        edges = sort_edges(press_edges(line, self.now, TAP, self._chance))
        self.now = round(self.now + 1.0, 6)
        verdicts = self.child.advance(edges, self.now).press
        return verdicts[-1] if verdicts else "-"

    def rest(self) -> None:
        self.now = round(self.now + REST, 6)
        self.child.advance([], self.now)

    def pull_plug(self) -> None:
        """Kill the table, not strace: killing strace would leave the table alive."""
        os.kill(self.pid, signal.SIGKILL)
        self.child.close()

    @property
    def shown(self) -> dict[str, Any]:
        """The state of the game on the panel; empty if there is none."""
        return dict(self.child.report.state or {})

    @property
    def text(self) -> str:
        return " ".join(self.child.report.text)


def play(folder: Path, tracer: Sequence[str], story: Sequence[str], *, cut: bool) -> Player:
    """Press ``story`` at a table on ``folder``; the table has ended on return."""
    player = Player(folder, tracer)
    for line in story:
        player.press(line)
        player.rest()
    player.pull_plug() if cut else player.child.close()
    return player


def found(folder: Path) -> tuple[dict[str, Any], str, str]:
    """Start a table on ``folder`` and return its game state, screen and text."""
    lines: list[str] = []
    header = header_of([("Variant", "argentine")])
    choices = TableChoices(header, LANGUAGE)
    choice = simulator.SimulatorOptions(choices, folder, power_on_at=START)
    simulator.run(choice, [], lines.append)
    (line,) = lines
    report = json.loads(line)
    return report["state"] or {}, report["screen"], " ".join(report["texts"]["A"])


def prepare(folder: Path) -> None:
    """Create two stores: an empty one, and a killed one whose log is nearly full."""
    (folder / "new").mkdir(parents=True)
    play(folder / "old", (), BEFORE, cut=True)
    for index in (folder / "old").glob("*-shm"):
        index.unlink()  # as after a power cut: it is never synced


def count(prepared: Path, store: str) -> Counter[str]:
    """How often each system call is made on the store in a clean game."""
    with TemporaryDirectory() as work:
        folder, record = Path(work) / "store", Path(work) / "calls"
        shutil.copytree(prepared / store, folder)
        play(folder, strace(folder, "-o", str(record), "-e", f"trace={CALLS}"), STORY, cut=False)
        lines = record.read_text().splitlines()
    return Counter(line.split(maxsplit=1)[1].partition("(")[0] for line in lines)


def cases(counts: dict[str, Counter[str]], stride: int) -> Iterator[Case]:
    """Every call with every error, or one in ``stride``; some permanently."""
    at = 0
    for store, calls in counts.items():
        for call, times in sorted(calls.items()):
            for nth in range(1, times + 1):
                for error in ERRORS:
                    at += 1
                    # Try every call of a kind that is rare.
                    if times <= 3 or at % stride == 0:
                        yield Case(store, call, nth, error, cut=nth % 2 == 0)
                    if at % (8 * stride) == 0:
                        yield Case(store, call, nth, error, "+", cut=nth % 2 == 0)


def run(prepared: Path, case: Case) -> Told:
    """Run one case; never raises for a failure of the table."""
    with TemporaryDirectory() as work:
        folder = Path(work) / "store"
        shutil.copytree(prepared / case.store, folder)
        before = found_in_copy(folder, Path(work) / "before")
        return _judged(folder, case, before)


def found_in_copy(folder: Path, copy: Path) -> dict[str, Any]:
    """The state a table would find, without changing ``folder``."""
    shutil.copytree(folder, copy)
    return found(copy)[0]


def _judged(folder: Path, case: Case, before: dict[str, Any]) -> Told:
    when = f"{case.nth}{case.last}"
    injection = f"inject={case.call}:error={case.error}:when={when}"
    tracer = strace(folder, "-o", "/dev/null", "-e", f"trace={case.call}", "-e", injection)
    taken, refused, wrong, died, trouble, shown = 0, 0, "", False, False, before
    try:
        player = Player(folder, tracer)
    except TableEnded as error:
        died, wrong = True, f"no start: {str(error)[-200:]}"
    else:
        try:
            trouble = player.child.report.screen == "trouble"
            if not trouble and player.shown != before:
                wrong = "it began with another score than was stored"
            for line in STORY:
                shown, was = player.shown or shown, player.shown
                verdict = player.press(line)
                wrong = wrong or _untrue(player, verdict, was)
                refused += _says_unsaved(player.text)
                taken += verdict == "taken"
                shown = player.shown or shown
                player.rest()
            player.pull_plug() if case.cut else player.child.close()
        except TableEnded as error:
            died, wrong = True, wrong or f"the table died: {str(error)[-200:]}"
    state, screen, text = found(folder)
    if screen == "trouble":
        wrong = wrong or f"on a good disk: {text}"
    elif state != shown:
        wrong = wrong or f"shown {shown.get('seq')} {shown.get('score')}, found {state}"
    salvaged = any(folder.glob("damaged-*"))
    return Told(case, taken, refused, died, trouble, salvaged, wrong)


def _says_unsaved(text: str) -> bool:
    say = translator(LANGUAGE)
    return any(say(f"notice.{key}") in text for key in NOTICES)


def _untrue(player: Player, verdict: str, was: dict[str, Any]) -> str:
    """What is wrong with the panel after a press, or ""."""
    report = player.child.report
    if report.screen == "trouble":
        return "" if report.text else "a panel in trouble that says nothing"
    if verdict == "-":
        return "nothing was said of the press"
    if verdict == "refused" and player.shown != was:
        return "a refused press changed the score"
    if verdict == "refused" and "refused" not in report.sounds:
        return "a refused press did not sound like one"
    return ""


def why_not() -> str:
    """Why strace cannot inject errors here, or ""."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    trial = ["strace", "-f", "--seccomp-bpf", "-qqq", "-e", "trace=fsync", "true"]
    done = subprocess.run(trial, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"strace may not trace here: {done.stderr.strip()}"
