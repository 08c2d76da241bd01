"""``scorer demo --script``: plays the lines of a script in simulated time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from scorer.demo.buttons import PinEdge, close_contact, open_contact, press_edges, sort_edges
from scorer.demo.demo_table import DemoTable
from scorer.demo.panel import FrameRecorder
from scorer.demo.script_lines import (
    Command,
    PlugPanel,
    PowerCut,
    ScriptError,
    Stick,
    TimedPress,
    Wait,
    parse_command,
    strip_comment,
)
from scorer.demo.table_process import TableReport

START = 100.0  # seconds; a Pi's monotonic clock is not zero either when the table starts
LINE_TIME = 1.0  # seconds from one line of a script to the next
SETTLE_TIME = 0.09  # seconds for a release to settle and be debounced
POWER_OFF_TIME = 0.5  # seconds without power
SECOND_FINGER_DELAY = (0.02, 0.1)  # seconds between two simultaneous presses

# Frames are detected by polling: (from this many seconds after the line's start, this often).
_FRAME_INTERVALS = ((0.0, 0.05), (2.0, 0.5), (60.0, 10.0), (600.0, 60.0), (3600.0, 600.0))


class LineResult(NamedTuple):
    """The result of one line."""

    line: str
    report: TableReport
    press: tuple[str, ...]
    sounds: tuple[str, ...]
    frames: tuple[tuple[int, str], ...]  # number and file of each new picture
    pid: int | None = None  # of a table that was started in this line


class ScriptPlayer:
    """Plays commands on a table. Raises TableEnded, ScriptError and OSError (frames)."""

    def __init__(self, table: DemoTable, folder: Path | None = None) -> None:
        self._table = table
        self.now = START
        self._pid: int | None = table.power_on(START).pid
        self._frames = None if folder is None else FrameRecorder(folder, table.panels)
        self._clear_results()
        self._record(table.report)

    def play(self, number: int, text: str) -> LineResult:
        """Play line ``number`` of the script, until the next one may begin."""
        command = parse_command(text, self._table.inventory())
        self._run(command, Random(number))
        answer = LineResult(
            line=text,
            report=self._table.report,
            press=tuple(self._press),
            sounds=tuple(self._sounds),
            frames=tuple(self._new_frames),
            pid=self._pid,
        )
        self._pid = None
        self._clear_results()
        return answer

    def _clear_results(self) -> None:
        self._press: list[str] = []
        self._sounds: list[str] = []
        self._new_frames: list[tuple[int, str]] = []

    def _run(self, command: Command, rng: Random) -> None:
        match command:
            case TimedPress(lines, held, power_cut=cut, later=later):
                edges = self._press_lines(self.now, lines, held, rng)
                for press in later:
                    at = self.now + press.after
                    edges += self._press_lines(at, press.lines, press.held, rng)
                edges = sort_edges(edges)
                until = max(self.now + LINE_TIME, edges[-1].time + SETTLE_TIME)
                if not cut:
                    self._advance(edges, until)
                    return
                report = self._table.advance_with_power_cut(edges, until)
                if report is not None:
                    # Nothing of this press was stored; the power is cut anyway.
                    self._record(report)
                    self._table.power_off()
                self._restart(until)
            case Wait(seconds):
                self._advance([], self.now + seconds)
            case PowerCut():
                self._table.power_off()
                self._restart(self.now + LINE_TIME)
            case PlugPanel(panel, plugged):
                self._record(self._table.plug(panel, plugged=plugged))
                self._advance([], self.now + LINE_TIME)
            case Stick(line, stuck):
                self._advance(self._stick(line, rng, stuck=stuck), self.now + LINE_TIME)

    def _press_lines(
        self, at: float, lines: Iterable[str], held: float, rng: Random
    ) -> list[PinEdge]:
        edges: list[PinEdge] = []
        for line in lines:
            if line in self._table.stuck_lines:
                raise ScriptError(
                    f"{_button_words(line)} is stuck; write 'release {_button_words(line)}'"
                )
            edges += press_edges(line, at, held, rng)
            at += rng.uniform(*SECOND_FINGER_DELAY)
        return edges

    def _stick(self, line: str, rng: Random, *, stuck: bool) -> list[PinEdge]:
        if stuck == (line in self._table.stuck_lines):
            already = "stuck already" if stuck else "not stuck"
            raise ScriptError(f"{_button_words(line)} is {already}")
        if stuck:
            self._table.stuck_lines.add(line)
            return close_contact(line, self.now, rng)
        self._table.stuck_lines.remove(line)
        return open_contact(line, self.now, rng)

    def _advance(self, edges: list[PinEdge], until: float) -> None:
        # Without pictures nothing is to be seen before ``until``; the timers of the table fire.
        moments = [round(until, 6)] if self._frames is None else _moments(self.now, until)
        for moment in moments:
            self._record(
                self._table.advance([edge for edge in edges if edge.time <= moment], moment)
            )
            edges = [edge for edge in edges if edge.time > moment]
        self.now = round(until, 6)

    def _restart(self, until: float) -> None:
        self._record_frames()
        at = max(self.now + POWER_OFF_TIME, until - POWER_OFF_TIME)
        self._pid = self._table.power_on(at).pid
        self._record(self._table.report)
        self.now = at
        self._advance([], max(until, at + POWER_OFF_TIME))

    def _record(self, report: TableReport) -> None:
        self._press += report.press
        self._sounds += report.sounds
        self._record_frames()

    def _record_frames(self) -> None:
        if self._frames is not None:
            self._new_frames += self._frames.record_new(self._table.panels)


def _moments(start: float, until: float) -> Iterator[float]:
    """The polling times between ``start`` and ``until``, ending with ``until``."""
    at = start
    while True:
        pause = next(
            every for since, every in reversed(_FRAME_INTERVALS) if at - start >= since - 1e-9
        )
        at = round(at + pause, 6)
        if at >= until - 1e-9:
            yield round(until, 6)
            return
        yield at


def _button_words(line: str) -> str:
    return line.replace(".", " ")


def play(
    numbered: Iterable[tuple[int, str]], script: ScriptPlayer, report: Callable[[LineResult], None]
) -> None:
    """Play each line as it arrives and report its result at once.

    Raises ScriptError with the line's number, and what ``ScriptPlayer.play`` raises.
    """
    for number, line in numbered:
        text = strip_comment(line)
        if not text:
            continue
        try:
            answer = script.play(number, text)
        except ScriptError as error:
            raise ScriptError(f"line {number}: '{text[:60]}': {error}") from None
        report(answer)


def as_json(result: LineResult) -> str:
    """The result as one line of JSON for other programs."""
    report = result.report
    document: dict[str, object] = {
        "line": result.line,
        "state": report.state,
        "press": _last(result.press),
        "screen": report.screen,
        "text": report.text,
        "lamps": report.lamps,
        "sound": _last(result.sounds),
        "frames": sorted({number for number, _ in result.frames}),
        "files": [file for _, file in result.frames],
        "seq": report.seq,
        "now": report.now,
    }
    if len(result.press) > 1:
        document["presses"] = result.press
    if len(result.sounds) > 1:
        document["sounds"] = result.sounds
    if report.light:
        document["light"] = ["#{:02x}{:02x}{:02x}".format(*pixel) for pixel in report.light]
    if result.pid is not None:
        document["pid"] = result.pid
    return json.dumps(document, ensure_ascii=False)


def as_text(result: LineResult) -> str:
    """The result for a reader: the line, its last verdict, the text on the panel."""
    return f"{result.line:20} {_last(result.press):9} {' | '.join(result.report.text)}".rstrip()


def _last(words: tuple[str, ...]) -> str:
    return words[-1] if words else "-"
