"""Performs the lines of a random-play script on a table.

Presses, pauses, phone requests, walks through set-up, and faults. Only the replies to phones are
checked here; see ``invariants`` for the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scorer.hw.displays.fake_bus import Fault
from scorer.rules import Action, Game, Refusal, Step, alphabet, attempt, legal, step_text
from scorer.session.setup.levels import ListLevel
from scorer.session.values.game_queries import current_hand
from scorer.session.values.settings import Layout
from tests.longrun.random_play.failing_disk import DiskFault
from tests.longrun.random_play.stored_game import stored_game
from tests.longrun.random_play.table_rig import Box

HELD, APART = 0.1, 0.07  # seconds of a tap, and between taps in a walk through set-up
MENU_HELD = 0.85
PAGES = 9  # presses of MENU, at most, until set-up opens
SETTLED = 0.07  # seconds from a release to the next press of the same button


def do(box: Box, line: str) -> int:
    """Perform one line; return the number of buttons that went down."""
    word, *rest = line.split()
    return _WORDS[word](box, rest)


def tap(box: Box, button: str, held: float = HELD) -> None:
    """Press and release a button; if it is already down, release it first."""
    if box.levels()[button]:
        box.edge(button, down=False)
        box.live(SETTLED)
    box.edge(button, down=True)
    box.live(held)
    box.edge(button, down=False)
    box.live(APART)


def _tap(box: Box, rest: list[str]) -> int:
    tap(box, rest[0], float(rest[1]))
    return 1


def _down(box: Box, rest: list[str]) -> int:
    was = box.levels()[rest[0]]
    box.edge(rest[0], down=True)
    return 0 if was else 1


def _up(box: Box, rest: list[str]) -> int:
    box.edge(rest[0], down=False)
    return 0


def _pair(box: Box, rest: list[str]) -> int:
    first, second, apart = rest[0], rest[1], float(rest[2])
    for button in (first, second):
        box.edge(button, down=False)
    box.live(SETTLED)
    box.edge(first, down=True)
    box.live(apart)
    box.edge(second, down=True)
    box.live(HELD)
    for button in (first, second):
        box.edge(button, down=False)
    box.live(APART)
    return 2


def _all(box: Box, rest: list[str]) -> int:
    """Press or release every button at the same moment, which is interference."""
    levels, down = box.levels(), rest[0] == "down"
    for button in levels:
        box.edge(button, down=down)
    return sum(not was for was in levels.values()) if down else 0


def _wait(box: Box, rest: list[str]) -> int:
    box.live(float(rest[0]))
    return 0


def _lost(box: Box, rest: list[str]) -> int:
    """Lose a release edge, as the kernel may; the periodic resync must find it."""
    box.edge(rest[0], down=True)
    box.live(HELD)
    box.edge(rest[0], down=False, lost=True)
    box.live(1.0)
    box.resync()
    box.live(SETTLED)
    return 1


def _resync(box: Box, rest: list[str]) -> int:
    box.resync()
    return 0


def _disk(box: Box, rest: list[str]) -> int:
    box.disk.fault = None if rest[0] == "mend" else DiskFault(rest[0])
    return 0


def _panel(box: Box, rest: list[str]) -> int:
    box.break_panel(int(rest[0]), None if rest[1] == "back" else Fault(rest[1]))
    return 0


def _lamp(box: Box, rest: list[str]) -> int:
    box.break_lamp(rest[0], absent=rest[1] == "gone")
    return 0


def _cut(box: Box, rest: list[str]) -> int:
    box.cut()
    return 0


# Set-up.


def _setup(box: Box, rest: list[str]) -> int:
    """Open set-up by holding its button."""
    presses = 0
    full = box.table.session.settings.table.layout is Layout.FULL
    while box.table.session.setup is None and presses < PAGES:
        tap(box, "menu" if full else "undo", MENU_HELD)
        presses += 1
    return presses


def _choose(box: Box, rest: list[str]) -> int:
    """Enter a line of the list by key or position; elsewhere turn a few times."""
    setup = box.table.session.setup
    if setup is None:
        return 0
    level, presses = setup.level, 0
    for button in _way(level, rest[0]):
        tap(box, button)
        presses += 1
    tap(box, "A.quiero")
    return presses + 1


def _way(level: object, wanted: str) -> list[str]:
    if not isinstance(level, ListLevel):
        return ["B.tantos"] * (ord(wanted[-1]) % 3)
    count, keys = len(level.lines), [line.key.rpartition(".")[2] for line in level.lines]
    if wanted[0].isdecimal():
        to = int(float(wanted) * count)
    else:
        to = keys.index(wanted) if wanted in keys else level.at
    return ["B.tantos"] * ((to - level.at) % count)


# Phone requests.


def _phone(box: Box, rest: list[str]) -> int:
    _PHONES[rest[0]](box, float(rest[1]))
    return 0


def _step(step: Step) -> dict[str, Any]:
    return {"id": 1, "do": "step", "line": step_text(step), "who": "phone Ana"}


def _ask(box: Box, message: dict[str, Any], place: float) -> dict[str, Any]:
    """Send a request for the newest state, with its number or its row alone.

    The row alone must be refused while a later game without rows shares it with the one before.
    """
    row = {"seq": box.journal.last_seq()}
    state = {name: box.heard.state[name] for name in ("seq", "number")}
    if not _row_names_a_game(box):
        _assert_stale(box, {**message, **row})
        return box.ask({**message, **state})
    return box.ask({**message, **(state if int(place * 100) % 2 else row)})


def _row_names_a_game(box: Box) -> bool:
    if box.table.session.record.past:
        return True
    running = stored_game(box)
    return running.number == 1 or running.first_row is not None


def _assert_stale(box: Box, message: dict[str, Any]) -> None:
    game = box.table.session.game
    answer = box.ask(message)
    assert answer.get("error") == "STALE", answer
    assert box.table.session.game == game


def _legal(box: Box, place: float) -> None:
    """Send a legal step; the reply must match the rules."""
    game = box.table.session.game
    steps = legal(game)
    if not steps:
        return
    step = steps[int(place * len(steps))]
    after = attempt(game, step)
    assert isinstance(after, Game)
    failing = box.disk.fault is not None
    answer = _ask(box, _step(step), place)
    if not failing:
        assert answer.get("ok") is True, f"{step_text(step)} is legal, and is answered {answer}"
    if answer.get("ok"):
        assert box.table.session.game == after, f"{step_text(step)} leads elsewhere"


def _wrong(box: Box, place: float) -> None:
    """Send an illegal step; it must be refused for the reason given by the rules."""
    game = box.table.session.game
    hand = current_hand(game)
    wrong = [
        (step, why)
        for step in alphabet(hand)
        if isinstance(why := attempt(hand, step), Refusal)
        and isinstance(attempt(game, step), Refusal)
    ]
    if not wrong:
        return
    step, why = wrong[int(place * len(wrong))]
    answer = _ask(box, _step(step), place)
    assert answer.get("ok") is False and answer.get("error") == why, (step_text(step), why, answer)
    assert box.table.session.game == game


def _stale(box: Box, place: float) -> None:
    steps = legal(box.table.session.game) or (Step(None, Action.NEW_HAND),)
    ago = 1 + int(place * 3)
    for name in ("seq", "number"):
        _assert_stale(box, {**_step(steps[0]), name: box.heard.state[name] - ago})


def _undo(box: Box, place: float) -> None:
    before = box.table.session
    past, chosen = before.record.past, before.change and before.change.standing
    answer = _ask(box, {"id": 2, "do": "undo"}, place)
    if chosen is not None and chosen.after >= len(past):
        # The change of rules that was chosen since goes first.
        assert box.table.session.record.past == past
    elif not past:
        assert answer.get("error") == "NOTHING_TO_UNDO", answer
    elif answer.get("ok"):
        newest = [done for done in past if done.press == past[-1].press]
        stands = newest[0].replaced if newest[0].corrects else ()
        expected = (*past[: -len(newest)], *stands)
        now = box.table.session.record.past
        assert [done.step for done in now] == [done.step for done in expected]


def _junk(box: Box, place: float) -> None:
    game = box.table.session.game
    message = _JUNK[int(place * len(_JUNK))]
    assert box.ask(message).get("ok") is False, message
    assert box.table.session.game == game


def _rows(box: Box, place: float) -> None:
    if box.disk.fault is None:
        last = box.journal.last_seq()
        answer = box.ask({"do": "journal", "from": max(1, last - 3), "limit": 9})
        assert answer["ok"] and [row["seq"] for row in answer["rows"]][-1:] == [last][:last]


_JUNK: tuple[dict[str, Any], ...] = (
    {},
    {"do": None},
    {"do": ["step"]},
    {"do": "step"},
    {"do": "step", "line": 7, "seq": -1},
    {"do": "step", "line": "A truco", "seq": "1"},
    {"do": "step", "line": "A truco\n", "seq": None},
    {"do": "journal", "from": "1"},
    {"do": "journal", "from": 1, "limit": 0},
    {"do": "shutdown"},
)
_PHONES = {
    "legal": _legal,
    "wrong": _wrong,
    "stale": _stale,
    "undo": _undo,
    "junk": _junk,
    "rows": _rows,
}
_WORDS: dict[str, Callable[[Box, list[str]], int]] = {
    "tap": _tap,
    "down": _down,
    "up": _up,
    "pair": _pair,
    "all": _all,
    "wait": _wait,
    "lost": _lost,
    "resync": _resync,
    "disk": _disk,
    "panel": _panel,
    "lamp": _lamp,
    "cut": _cut,
    "setup": _setup,
    "choose": _choose,
    "phone": _phone,
}
