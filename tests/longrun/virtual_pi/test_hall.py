"""Table, link and hub of a hall on one machine, and a power cut in a batch.

Avahi finds the hall. The commands, settings and results are those of docs/operators/hall.md and
link.md: a page that differs from the program fails here.
"""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scorer.display import draw_view
from scorer.samples import samples
from scorer.session.values.keys import PlainKey, SetupKey
from scorer.session.values.setup_view import JoiningView, ListView, MenuLine, SetupView
from tests.docs.reading import blocks
from tests.longrun.virtual_pi.box import SETTINGS, A, B, Box
from tests.longrun.virtual_pi.figures import Figures
from tests.longrun.virtual_pi.guest import Guest, GuestError
from tests.longrun.virtual_pi.person import NAME, Person, commands, section
from tests.longrun.virtual_pi.recipe import Parts
from tests.paths import ROOT

HALL, LINK = (ROOT / "docs" / "operators" / f"{name}.md" for name in ("hall", "link"))
(HUB,) = (block for block in blocks(HALL.read_text("utf-8"), "toml") if "address" in block)
NAME_OF_HALL = tomllib.loads(HUB)["hub"]["name"]
RULES = "\n[table.house]\ntarget = 15\n\n[guards]\nslap = 0\nclosed = 0\n\n"
AVAHI = "avahi-daemon.service avahi-daemon.socket"
BROWSER = Path(__file__).with_name("at_the_desk.py")
PASSWORD = "tres de copas"
TABLE = 1
UP = 8  # lines of set-up up from the target to that of the hall
TRIES = 5  # openings of set-up until the link has reported, which gives it that line
STEPS = 300  # twice as many rows: twelve batches
# Ends as soon as the hub has stored more rows than it had; prints the last one.
FIRST_BATCH = """
systemctl start --no-block scorer-link
python3 - <<'END'
import sqlite3, time
hub = sqlite3.connect("file:/var/lib/scorer-hub/hub.sqlite?mode=ro", uri=True)
last = lambda: hub.execute("select last from stream").fetchone()[0]
before, until = last(), time.monotonic() + 60
while last() == before and time.monotonic() < until:
    time.sleep(0.002)
print(last())
END
"""
WALL = """python3 -c "
from urllib.request import urlopen
print(urlopen('http://127.0.0.1:8090/api/v1/hall', timeout=60).read().decode())
"
"""


@pytest.mark.slow
def test_a_power_cut_while_rows_are_sent_loses_none(
    parts: Parts, card: Path, figures: Figures
) -> None:
    guest = Guest(parts, card=card)
    try:
        box = Box(guest.start())
        ana = Person(guest)
        guest.write("/opt/at_the_desk.py", BROWSER.read_bytes())
        # A Raspberry Pi OS contains it; for the other tests it would be noise.
        guest.shell(f"systemctl unmask {AVAHI} && systemctl enable --now avahi-daemon")
        box.settle(SETTINGS + RULES + HUB)
        enable(ana)
        join(box)
        vale_cuatro(box)
        audit(box, ana)
        guest.shell("sync")
        before, stored, newest = cut_in_a_batch(box)
        figures.note("rows at the hub when the plug was pulled", f"{stored} of {newest}")
        assert before < stored < newest
        guest.start()
        box.plug_in()
        box.wait_until_drawn()
        assert box.state()["seq"] == newest
        audit(box, ana)
        vale_cuatro(box)
        figures.note("scorer hub audit", audit(box, ana).splitlines()[0])
        (table,) = json.loads(guest.shell(WALL))["tables"]
        assert {each["side"]: each["score"] for each in table["game"]["sides"]} == box.score()
        assert box.restarts() == 0
    finally:
        guest.close()


def enable(ana: Person) -> None:
    """Enable hub and link, and set a password of the desk, as the pages say."""
    assert enabled(ana) == ["disabled", "disabled"]
    assert ana.type("scorer check")
    for command in commands(section(HALL, "Starting")):
        ana.type(command, PASSWORD if "password" in command else "y")
    first, *_ = blocks(LINK.read_text("utf-8"), "")
    ana.type(first)
    assert enabled(ana) == ["enabled", "enabled"]


def enabled(ana: Person) -> list[str]:
    return ana.type("systemctl is-enabled scorer-hub scorer-link", check=False).split()


def join(box: Box) -> None:
    """Join in set-up > hall; desk and panel say that the digits are the same."""
    open_hall(box)
    box.press("A.quiero")
    box.guest.wait_for(lambda: desk(box)["candidates"], 60, "the desk shows the box")
    (candidate,) = desk(box)["candidates"]
    digits = drawn(SetupView(SetupKey.HALL_JOIN, JoiningView(NAME_OF_HALL, candidate["code"])))
    box.shows({A: digits, B: digits}, 10)
    (joined,) = desk(box, do="accept", key=candidate["key"], table=TABLE)["boxes"]
    assert joined["table"] == TABLE
    box.guest.now(3.0)  # QUIERO counts from two seconds after the digits on
    box.press("A.quiero")
    box.guest.shell("until [ -e /var/lib/scorer-link/hall.json ]; do sleep 0.2; done", 60)


def open_hall(box: Box) -> None:
    """Open set-up > hall, until it lists the hall that Avahi finds."""
    line = MenuLine(PlainKey.HALL_FOUND, text=NAME_OF_HALL)
    listed = drawn(SetupView(SetupKey.HALL, ListView((line,))))
    for left in reversed(range(TRIES)):
        box.press("menu", held=0.9)
        for _ in range(UP):
            box.guest.now(0.5)
            box.press("A.tantos")
        box.guest.now(0.5)
        box.press("A.quiero")
        try:
            box.shows({A: listed})
            return
        except GuestError:
            assert left, "set-up lists no hall"
            box.press("menu")
            box.guest.now(1.0)  # a second press at once would be an echo of the first


def drawn(setup: SetupView) -> bytes:
    """A level of set-up as panel A shows it."""
    view = samples()["setup-hall"]._replace(setup=setup)
    return draw_view(view, "es-AR").image.tobytes()


def desk(box: Box, **action: object) -> dict[str, Any]:
    """The state of the desk, after an action in its page."""
    words = [NAME, PASSWORD, *([json.dumps(action)] if action else [])]
    command = f"python3 -I /opt/at_the_desk.py {shlex.join(words)}"
    return dict(json.loads(box.guest.shell(command)))


def vale_cuatro(box: Box) -> None:
    """A hand of four points for A, on the pins."""
    before = box.score()["A"]
    for button, pending in (
        ("A.truco", "truco"),
        ("B.truco", "retruco"),
        ("A.truco", "vale_cuatro"),
        ("B.quiero", None),
    ):
        box.press(button)
        box.waits_for(pending)
        box.guest.now(1.0)  # a press sooner after a call is ignored as a slip
    box.press("A.tantos")
    box.guest.wait_for(lambda: box.score()["A"] == before + 4, 10, "four points")
    box.guest.now(5.0)


def cut_in_a_batch(box: Box) -> tuple[int, int, int]:
    """Pull the plug in a batch; the last row before, at the hub, at the table."""
    guest, before = box.guest, int(box.state()["seq"])
    guest.shell("systemctl stop scorer-link")
    pair = ({"do": "step", "line": "A truco"}, {"do": "undo"})
    newest = before
    for at in range(STEPS):
        reply = box.request(**pair[at % len(pair)], seq=newest)
        assert reply["ok"], reply
        newest = int(reply["seq"])
    stored = int(guest.shell(FIRST_BATCH))
    guest.kill()
    return before, stored, newest


def audit(box: Box, ana: Person) -> str:
    """What ``scorer hub audit`` prints, as soon as it is what the page promises."""
    (example,) = (block for block in blocks(HALL.read_text("utf-8"), "") if block.startswith("$ "))
    command, first, *_, last = example.splitlines()
    rows = first.split()[2]
    wanted = [first.replace(rows, str(box.state()["seq"])), last]

    def is_equal() -> bool:
        return ana.type(command.removeprefix("$ "), check=False).splitlines() == wanted

    box.guest.wait_for(is_equal, 120, "all tables are equal")
    return "\n".join(wanted)
