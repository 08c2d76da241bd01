"""What a self-test found, as lines that set-up shows: a key each, and the name of what it is.

It knows the answer of a self-test and the lines of set-up; no device, no language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.session.setup.pages import Act, Doing, Line

_BACK = Act(Doing.UP)


def findings(found: Mapping[str, Any] | None) -> tuple[Line, ...]:
    """A line a device, what is wrong first; None is a self-test that was only just done."""
    if found is None:
        return (_line("wait"),)
    wrong_first = sorted(_lines(found), key=lambda line: not line.marked)
    return tuple(line._replace(marked=False) for line in wrong_first)


def _lines(found: Mapping[str, Any]) -> Iterator[Line]:
    yield from _of_buttons(found["buttons"])
    for console in found["consoles"]:
        yield _line("console", str(console["name"]), wrong=bool(console["kind"]))
    for panel in found["panels"]:
        yield _line("panel", str(panel["side"]), wrong=bool(panel["fault"]))
    for lamp in found["lamps"]:
        yield _line("lamp", str(lamp["name"]), wrong=bool(lamp["fault"]))
    yield _line("buzzer", wrong=bool(found["buzzer"]["fault"]))
    yield _line("store", wrong=bool(found["store"]["fault"]))


def _of_buttons(buttons: Mapping[str, Any]) -> Iterator[Line]:
    if not buttons["alive"] or buttons["fault"]:
        yield _line("buttons", wrong=True)
        return
    stuck = [str(name) for name in buttons["stuck"]]
    for name in stuck:
        yield Line("found.buttons_down", _BACK, figure=_said(name), marked=True)
    if not stuck:
        yield _line("buttons")


def _line(what: str, word: str = "", *, wrong: bool = False) -> Line:
    key = f"found.{what}_lost" if wrong else f"found.{what}"
    return Line(key, _BACK, figure=word, marked=wrong)


def _said(button: str) -> str:
    """ "A truco" of ``A.truco``."""
    return button.replace(".", " ").replace("_", " ")
