"""The language of demo scripts, line by line."""

from __future__ import annotations

import pytest

from scorer.demo.buttons import CONSOLE_BUTTONS
from scorer.demo.script_lines import (
    Command,
    Inventory,
    LaterPress,
    PlugPanel,
    PowerCut,
    ScriptError,
    Stick,
    TimedPress,
    Wait,
    parse_command,
    strip_comment,
)

FULL = Inventory(
    "full",
    frozenset(
        {f"{side}.{button}" for side in "AB" for button in CONSOLE_BUTTONS} | {"undo", "menu"}
    ),
    ("A", "B"),
)
COMPACT = Inventory(
    "compact",
    frozenset(
        {f"{side}.{button}" for side in "AB" for button in ("truco", "envido", "quiero", "tantos")}
        | {"undo"}
    ),
    ("A",),
)
THREE = FULL._replace(buttons=FULL.buttons | {f"C.{button}" for button in CONSOLE_BUTTONS})


def _two(after: float, line: str, held: float = 0.15) -> TimedPress:
    """A tap of A's TRUCO, and another press."""
    return TimedPress(("A.truco",), 0.15, later=(LaterPress(after, (line,), held),))


LINES = (
    # line                       command
    ("A truco",                  TimedPress(("A.truco",), 0.15)),
    ("a TRUCO",                  TimedPress(("A.truco",), 0.15)),
    ("B quiero hold",            TimedPress(("B.quiero",), 0.9)),
    ("A tantos hold 3",          TimedPress(("A.tantos",), 3.0)),
    ("A tantos hold 0.3",        TimedPress(("A.tantos",), 0.3)),
    ("C quiero",                 TimedPress(("C.quiero",), 0.15)),
    ("A no_quiero",              TimedPress(("A.no_quiero",), 0.15)),
    ("A no quiero hold",         TimedPress(("A.no_quiero",), 0.9)),
    ("both tantos",              TimedPress(("A.tantos", "B.tantos"), 0.15)),
    ("both no quiero hold",      TimedPress(("A.no_quiero", "B.no_quiero"), 0.9)),
    ("undo",                     TimedPress(("undo",), 0.15)),
    ("undo hold",                TimedPress(("undo",), 0.9)),
    ("menu hold",                TimedPress(("menu",), 0.9)),
    ("wait 2.5",                 Wait(2.5)),
    ("wait 0",                   Wait(0.0)),
    ("power cut",                PowerCut()),
    ("A truco, power cut",       TimedPress(("A.truco",), 0.15, power_cut=True)),
    ("both tantos,power  cut",   TimedPress(("A.tantos", "B.tantos"), 0.15, power_cut=True)),
    ("undo hold 4, power cut",   TimedPress(("undo",), 4.0, power_cut=True)),
    ("A truco +0.45 B truco",    _two(0.45, "B.truco")),
    ("A truco +2 a TRUCO hold",  _two(2.0, "A.truco", 0.9)),
    ("A truco +0.3 B no quiero hold 2 +1.5 undo", TimedPress(
        ("A.truco",), 0.15,
        later=(LaterPress(0.3, ("B.no_quiero",), 2.0), LaterPress(1.5, ("undo",), 0.15)),
    )),
    ("A truco +0.1 both tantos, power cut", TimedPress(
        ("A.truco",), 0.15, True, (LaterPress(0.1, ("A.tantos", "B.tantos"), 0.15),)
    )),
    ("unplug panel A",           PlugPanel("A", plugged=False)),
    ("plug panel b",             PlugPanel("B", plugged=True)),
    ("stuck A truco",            Stick("A.truco", stuck=True)),
    ("stuck undo",               Stick("undo", stuck=True)),
    ("release A no quiero",      Stick("A.no_quiero", stuck=False)),
)  # fmt: skip

WRONG = (
    # line                    inventory   part of the message
    ("A trucco",              FULL,    "no button 'trucco'; did you mean 'truco'?"),
    ("A xyzzy",               FULL,    "no button 'xyzzy'; known are "),
    ("truco",                 FULL,    "say whose: 'A truco' or 'B truco'"),
    ("A",                     FULL,    "say which button, as in 'A truco'"),
    ("D truco",               FULL,    "'d' begins no line"),
    ("bth tantos",            FULL,    "did you mean 'both'?"),
    ("A undo",                FULL,    "UNDO belongs to no console; write 'undo' alone"),
    ("A truco quickly",       FULL,    "'quickly' behind a button"),
    ("A truco hold long",     FULL,    "behind 'hold' comes nothing or seconds"),
    ("A truco hold 0",        FULL,    "behind 'hold' comes nothing or seconds"),
    ("A truco hold 3 3",      FULL,    "behind 'hold' comes nothing or seconds"),
    ("C quiero",              FULL,    "there is no console C at this table; there are A and B"),
    ("A truco +",             FULL,    "behind '+' come seconds and a button"),
    ("A truco +x B truco",    FULL,    "as in 'A truco +0.45 B truco'"),
    ("A truco + 0.45 B truco", FULL,   "behind '+' come seconds and a button"),
    ("A truco +0.45",         FULL,    "say which button"),
    ("+0.45 B truco",         FULL,    "say which button"),
    ("A truco +0.1 A truco",  FULL,    "A truco is still down 0.1 s after the line begins"),
    ("A truco +1 undo +1.1 undo", FULL, "undo is still down 1.1 s"),
    ("wait 1 +0.45 B truco",  FULL,    "as in 'wait 2.5'"),
    ("wait",                  FULL,    "as in 'wait 2.5'"),
    ("wait -1",               FULL,    "as in 'wait 2.5'"),
    ("wait 1e9",              FULL,    "as in 'wait 2.5'"),
    ("wait 99999999",         FULL,    "as in 'wait 2.5'"),
    ("wait ٣",                FULL,    "as in 'wait 2.5'"),
    ("wait 1.٣",              FULL,    "as in 'wait 2.5'"),
    ("wait .5",               FULL,    "as in 'wait 2.5'"),
    ("power",                 FULL,    "write 'power cut'"),
    ("A truco, powercut",     FULL,    "after a comma comes 'power cut'"),
    ("wait 2, power cut",     FULL,    "'wait' begins no line"),
    (", power cut",           FULL,    "say which button"),
    ("unplug A",              FULL,    "write 'unplug panel A'"),
    ("unplug panel C",        FULL,    "there is no panel C; the panels are A and B"),
    ("plug panel B",          COMPACT, "there is no panel B"),
    ("stuck",                 FULL,    "say which button"),
    ("stuck both truco",      FULL,    "'stuck' takes one button, as in 'stuck A truco'"),
    ("A flor",                COMPACT, "no FLOR; hold ENVIDO ('A envido hold')"),
    ("B no quiero",           COMPACT, "no NO QUIERO; hold QUIERO"),
    ("menu",                  COMPACT, "no MENU; hold UNDO"),
)  # fmt: skip


@pytest.mark.parametrize(("line", "command"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_one_command(line: str, command: Command) -> None:
    assert parse_command(strip_comment(line), THREE) == command


@pytest.mark.parametrize(("line", "bench", "sentence"), WRONG, ids=[line for line, *_ in WRONG])
def test_a_wrong_line_is_explained(line: str, bench: Inventory, sentence: str) -> None:
    with pytest.raises(ScriptError) as error:
        parse_command(strip_comment(line), bench)
    assert sentence in str(error.value)


def test_comments_and_blanks_are_stripped() -> None:
    assert strip_comment("  # only a comment\n") == ""
    assert strip_comment("\r\n") == ""
    assert strip_comment(" A  truco # said late\n") == "A truco"
