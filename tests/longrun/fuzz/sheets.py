"""Fuzz target: any bytes as a score sheet for ``scorer replay``.

It replays the accepted steps separately and compares the scores.
"""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr
from typing import Any

from hypothesis.strategies import SearchStrategy

from scorer.commands.replay import JsonReport, TextReport, _replay
from scorer.rules import Header, LineError, Step, attempt, header_text, state_document, step_text
from scorer.rules.actions import Action
from scorer.rules.model import Game, Refusal
from scorer.rules.sheet import read_sheet
from tests.longrun.fuzz.limits import bounded
from tests.longrun.fuzz.mutate import nearly_right

TARGET = "sheet"
LONGEST_SENTENCE = 1000  # characters; longer messages cannot be read at a glance
_LOCATED = re.compile(r"-:(\d+): (.+)\n")

Record = dict[str, Any]


def inputs() -> SearchStrategy[bytes]:
    """Score sheets with a few changes."""
    return nearly_right(TARGET)


def check(data: bytes) -> None:
    """Assert one correct document per step, or a located error; no crash or hang."""
    with bounded():
        records, code, stderr = _told(data)
        table = list[str]()
        assert _run(data, TextReport(table.append)) == (code, stderr)
    _is_explained(data, code, stderr)
    assert code == 2 or records, "a sheet that can be read has a game in it"
    assert code == 2 or (code == 1) == any(record.get("ok") is False for record in records)
    _is_true(data, records)


def _told(data: bytes) -> tuple[list[Record], int, str]:
    lines = list[str]()
    code, stderr = _run(data, JsonReport(lines.append))
    for line in lines:
        line.encode()
    return [json.loads(line) for line in lines], code, stderr


def _run(data: bytes, telling: JsonReport | TextReport) -> tuple[int, str]:
    stderr = io.StringIO()
    with redirect_stderr(stderr):
        code = _replay("-", io.BytesIO(data), telling)
    return code, stderr.getvalue()


def _is_explained(data: bytes, code: int, stderr: str) -> None:
    if code != 2:
        assert (code in (0, 1), stderr) == (True, "")
        return
    located = _LOCATED.fullmatch(stderr)
    assert located is not None, stderr
    assert 1 <= int(located[1]) <= max(1, data.count(b"\n") + 1)
    assert located[2].isprintable(), ascii(stderr)
    assert len(located[2]) <= LONGEST_SENTENCE, len(located[2])


def _is_true(data: bytes, records: list[Record]) -> None:
    """Every state must follow from the steps; each header is written and reread."""
    waiting = iter(records)
    line: list[Game] = []
    taken_back: list[Game] = []
    try:
        for entry in read_sheet(io.BytesIO(data)):
            record = next(waiting)
            if isinstance(entry, Header):
                line, taken_back = [_read_again(entry)], []
            else:
                accepted = _played(line, taken_back, entry.step)
                assert record["ok"] == accepted
                assert record["line"] == step_text(entry.step)
            assert record["state"] == json.loads(json.dumps(state_document(line[-1])))
    except LineError:
        pass
    assert next(waiting, None) is None


def _read_again(header: Header) -> Game:
    """The game of this header after writing and rereading it, as a journal does."""
    kept = next(iter(read_sheet(header_text(header.tags).encode().splitlines(keepends=True))))
    assert isinstance(kept, Header)
    assert kept.game() == header.game()
    return kept.game()


def _played(line: list[Game], taken_back: list[Game], step: Step) -> bool:
    """Apply the step and return whether it was possible; ``line`` is the history."""
    if step.action is Action.UNDO:
        if len(line) > 1:
            taken_back.append(line.pop())
            return True
        return False
    if step.action is Action.REDO:
        if taken_back:
            line.append(taken_back.pop())
            return True
        return False
    after = attempt(line[-1], step)
    if isinstance(after, Refusal):
        return False
    line.append(after)
    taken_back.clear()
    return True
