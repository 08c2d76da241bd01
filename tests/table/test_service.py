"""The table as a service: its systemd notifications, and faults at the start.

All output of table and devices comes through one socket, in order; tests wait for messages, never
for time.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sqlite3
from pathlib import Path

import pytest

from scorer.config.loader import default_config
from scorer.display import render
from scorer.rules import Header
from scorer.session.input.gestures import SAFE_BUTTONS
from scorer.session.values.keys import NoticeKey
from scorer.session.values.settings import Settings
from scorer.session.values.shown import Notice, Screen
from scorer.session.values.state import new_session
from scorer.session.view.build_view import view_of
from scorer.session.view.view import View
from scorer.store import file
from scorer.store.health import volatile_file_system
from scorer.system.sd_notify import Notifier, passed_sockets
from scorer.table.device_faults import STATUS_BUTTONS_MISSING, STATUS_FINE
from scorer.table.store_failure import _SIDES
from tests.sampling import sample
from tests.support.faulty_drivers.displays.telling import digest
from tests.support.service_process import configuration, running_service
from tests.support.table_client import TableClient
from tests.web.contract import unnumbered

TELLING = """
[[panel]]
driver = "telling"
"""
FAULTY = """
consoles.driver = "faulty"
"""
PING, READY, STOPPING = "WATCHDOG=1", "READY=1", "STOPPING=1"


def shown(view: View) -> str:
    """The message of the recording panel when it shows ``view``."""
    return f"STATUS=shows {digest(render(view, 'es-AR', (128, 64), 0, is_neutral=True))}"


def first_view(*marks: str, header: Header | None = None) -> View:
    """The first view of a new table with this fault."""
    header = header or default_config().header
    names = ("",) * len(header.rules.scoring_sides)
    session = new_session(header.game(), Settings(), now=0.0, names=names)
    return view_of(session._replace(marks=marks))


# ---- what systemd hears ------------------------------------------------------------------------


def test_ready_comes_after_the_buttons_listen_and_then_it_pings(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path, FAULTY)) as table:
        heard = table.messages_until(READY)
        assert "STATUS=buttons open" in heard
        assert PING not in heard
        for _ in range(3):
            assert PING in table.messages_until(PING)


def test_sigterm_says_stopping_and_leaves_the_panel_dark(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path, FAULTY + TELLING)) as table:
        table.messages_until(READY)
        assert table.stop() == 0
        heard = table.messages_until(STOPPING)
        assert "STATUS=panel dark" not in heard
        heard = table.messages_until("STATUS=panel dark", "STATUS=buttons closed")
        heard += table.messages_until("STATUS=panel dark", "STATUS=buttons closed")
        assert {"STATUS=panel dark", "STATUS=buttons closed"} <= set(heard)
        assert table.stderr_text.count("Traceback") == 0


def test_a_loop_that_hangs_does_not_ping(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path, FAULTY)) as table:
        table.messages_until(PING)
        (tmp_path / "hang").touch()
        table.messages_until("STATUS=hangs")
        # The loop hangs for many ticks; pings from a separate thread would show here.
        assert table.next_message() == "STATUS=goes on"
        table.messages_until(PING)


def test_dead_buttons_let_the_watchdog_go_hungry(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path, FAULTY)) as table:
        table.messages_until(PING)
        (tmp_path / "dead").touch()
        heard = table.messages_until("STATUS=dead")
        for _ in range(4):
            heard = table.messages_until("STATUS=dead")
            assert PING not in heard
        (tmp_path / "dead").unlink()
        table.messages_until(PING)


def test_buttons_that_were_never_there_are_waited_for_and_it_pings(tmp_path: Path) -> None:
    (tmp_path / "dead").touch()
    with running_service(tmp_path, configuration(tmp_path, FAULTY)) as table:
        assert "STATUS=buttons open" not in table.messages_until(READY)
        assert "STATUS=buttons open" not in table.messages_until(PING)
        (tmp_path / "dead").unlink()
        table.messages_until("STATUS=buttons open")
        table.messages_until(PING)


def test_the_status_says_whether_the_buttons_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "dead").touch()
    missing = f"STATUS={STATUS_BUTTONS_MISSING}: buttons: the faulty buttons are dead"
    with running_service(tmp_path, configuration(tmp_path, FAULTY)) as table:
        assert table.messages_until(READY)[-1] == f"{READY}\n{missing}"
        with TableClient(table.path) as calling:
            assert calling.next_state()["variant"] == "argentine", "phones are served"
            found = calling.ask(do="selftest")
            assert found["marks"] == ["buttons", *marks_of_disk(tmp_path)]
        (tmp_path / "dead").unlink()
        table.messages_until(f"STATUS={STATUS_FINE}")
        log = [line for line in table.stderr_text.splitlines() if "buttons" in line]
        wanted = ["buttons: the faulty buttons are dead", "buttons: they can be read"]
        assert log == [f"scorer run: {line}" for line in wanted], "one line each"
    with running_service(tmp_path, configuration(tmp_path, FAULTY)) as table:
        assert table.messages_until(READY)[-1] == f"{READY}\nSTATUS={STATUS_FINE}"


def test_the_first_picture_comes_before_the_buttons_are_opened(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path, FAULTY + TELLING)) as table:
        heard = table.messages_until("STATUS=buttons open")
        assert any(message.startswith("STATUS=shows") for message in heard), heard


def test_a_button_that_is_held_at_the_start_is_stuck_and_no_press(tmp_path: Path) -> None:
    (tmp_path / "held").write_text("A.truco", encoding="utf-8")
    with running_service(tmp_path, configuration(tmp_path, FAULTY)) as table:
        table.messages_until(READY)
        with TableClient(table.path) as calling:
            assert calling.ask(do="selftest")["buttons"]["stuck"] == ["A.truco"]
            (tmp_path / "held").unlink()
            for _ in range(3):
                table.messages_until(PING)
            assert calling.state["seq"] == 0


def test_the_buttons_of_safe_mode_count_from_the_start_on(tmp_path: Path) -> None:
    (tmp_path / "held").write_text(" ".join(SAFE_BUTTONS), encoding="utf-8")
    with running_service(tmp_path, configuration(tmp_path, FAULTY)) as table:
        table.messages_until(READY)
        table.messages_until(READY)
        assert "safe mode" in table.stderr_text


def test_the_picture_after_the_first_says_that_the_buttons_are_missing(tmp_path: Path) -> None:
    (tmp_path / "dead").touch()
    config = configuration(tmp_path, f'table.variant = "argentine"\n{FAULTY}{TELLING}')
    with running_service(tmp_path, config) as table:
        assert table.messages_until("STATUS=shows")[-1] == shown(first_view())
        lost = first_view("buttons")._replace(notice=Notice(NoticeKey.BUTTONS_LOST, urgent=True))
        assert table.messages_until("STATUS=shows")[-1] == shown(lost)
        (tmp_path / "dead").unlink()
        back = first_view()._replace(notice=Notice(NoticeKey.BUTTONS_BACK, urgent=True))
        assert table.messages_until("STATUS=shows")[-1] == shown(back)


def test_a_missing_console_on_a_cable_is_part_of_the_status(tmp_path: Path) -> None:
    box = f"""
consoles.driver = "none"
[[box]]
console = "AB"
port = {json.dumps(str(tmp_path / "no-such-port"))}
"""
    with running_service(tmp_path, configuration(tmp_path, box)) as table:
        ready = table.messages_until(READY)[-1]
        assert ready.startswith(f"{READY}\nSTATUS={STATUS_BUTTONS_MISSING}: console AB: ")
        assert "no-such-port" in ready


@pytest.mark.parametrize(
    ("patience", "seconds"),
    [
        ("", 7.0),  # no watchdog
        ("10000000", 7.0),  # scorer.service
        ("60000000", 7.0),  # never less often than a table wants to look at its buttons
        ("2000000", 1.4),  # an owner's drop-in
        ("0", 0.05),  # nonsense must not turn the loop without a pause
        ("-5", 7.0),
        ("soon", 7.0),
        ("9" * 400, 7.0),
    ],
)
def test_the_ping_comes_in_time_for_every_watchdog(patience: str, seconds: float) -> None:
    assert Notifier({"WATCHDOG_USEC": patience}).ping_interval(7.0) == pytest.approx(seconds)


# ---- whatever is wrong, it starts --------------------------------------------------------------


WRONG = [
    ('[table]\nvariant = "truquito"', 2, "truquito"),
    ("[table]\nlayuot = 'compact'", 2, "layout"),
    ("[table\n", 1, "TOML"),
    ("[sound]\npin = 2", 2, "SDA"),
    ("[sound]\npin = 99", 2, "GPIO 99"),
    ("[consoles]\ndriver = 'gpoi'", 2, "gpio"),
    ('[consoles]\nlines = { "A.truco" = 3 }', 2, "SCL"),
    ('[consoles]\nlines = { "A.truco" = 21 }', 2, "already"),
    ("[lamps]\nA = 2", 2, "SDA"),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("wrong", "line", "words"), sample(WRONG, 3))
def test_a_wrong_file_does_not_prevent_the_start_and_is_logged_with_its_line(
    tmp_path: Path, wrong: str, line: int, words: str
) -> None:
    good = configuration(tmp_path, f"[table]\nvariant = 'paulista'\n{TELLING}")
    with running_service(tmp_path, good) as table:
        table.messages_until(READY)
        assert table.stop() == 0
    head = configuration(tmp_path)
    with running_service(tmp_path, head + wrong) as table:
        table.messages_until(READY)
        place = head.count("\n") + line
        told = [text for text in table.stderr_text.splitlines() if f"line {place}:" in text]
        assert told and words in told[0], table.stderr_text
        with TableClient(table.path) as calling:
            assert calling.next_state()["variant"] == "paulista", "the last good settings"


def marks_of_disk(folder: Path) -> list[str]:
    """The mark of a folder of tests on tmpfs, or on the overlay of a container."""
    return ["forgets"] if volatile_file_system(folder) else []


def test_the_panel_names_the_line_that_is_wrong(tmp_path: Path) -> None:
    good = configuration(tmp_path, f'table.variant = "argentine"\n{TELLING}')
    lasting = marks_of_disk(tmp_path)
    with running_service(tmp_path, good) as table:
        assert table.messages_until("STATUS=shows")[-1] == shown(first_view(*lasting))
        assert table.stop() == 0
    with running_service(tmp_path, good + "[tabel]\n") as table:
        line = good.count("\n") + 1
        wrong = first_view(f"config_line {line}", *lasting)
        assert table.messages_until("STATUS=shows")[-1] == shown(wrong)


def test_an_invalid_store_is_shown_on_the_panel_and_the_table_pings(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    strangers = b"These are the beers of Saturday.\n" * 20
    (store / file.FILE_NAME).write_bytes(strangers)
    trouble = View(Screen.STORE_FAILURE, _SIDES, 0, None, 0, (), marks=("not_a_store",))
    with running_service(tmp_path, configuration(tmp_path, TELLING)) as table:
        assert table.messages_until("STATUS=shows")[-1] == shown(trouble)
        table.messages_until(PING)
        with TableClient(table.path) as calling:
            assert calling.hello["hello"] == 1
            assert calling.ask(do="step", line="A truco", seq=0)["error"] == "STORE"
            found = calling.ask(do="selftest")
            assert (found["ok"], found["store"]["kind"]) == (True, "not_a_store")
        assert table.stop() == 0
    assert (store / file.FILE_NAME).read_bytes() == strangers


# ---- programs beside it ------------------------------------------------------------------------


def test_two_phones_hear_the_same_and_the_slower_one_is_refused(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path)) as table:
        table.messages_until(READY)
        with TableClient(table.path) as ana, TableClient(table.path) as beto:
            assert ana.next_state() == beto.next_state()
            seq = ana.state["seq"]
            assert ana.ask(do="step", line="A truco", seq=seq, who="Ana")["ok"] is True
            refused = beto.ask(do="step", line="B envido", seq=seq, who="Beto")
            assert (refused["ok"], refused["error"]) == (False, "STALE")
            assert ana.state_at(seq + 1) == beto.state_at(seq + 1)
            assert beto.state["pending"]["call"] == "truco"


@pytest.mark.sampled(0)
def test_each_socket_of_systemd_has_the_right_of_its_name(tmp_path: Path) -> None:
    press = {"do": "press", "button": "truco"}
    with contextlib.ExitStack() as stack:
        names = ("phone", "read", "table")
        passed = {name: stack.enter_context(listening(tmp_path / name)) for name in names}
        config = configuration(tmp_path)
        table = stack.enter_context(running_service(tmp_path, config, passed=passed))
        table.messages_until(READY)
        for name, error in zip(names, ("UNPAIRED", "FORBIDDEN", "UNPAIRED"), strict=True):
            with TableClient(tmp_path / name) as calling:
                assert calling.ask(**press)["error"] == error, name
        with TableClient(tmp_path / "phone") as calling:
            assert calling.ask(do="undo", seq=0)["error"] == "FORBIDDEN"
        assert not table.path.exists(), "it makes none of its own"


@pytest.mark.sampled(0)
def test_a_socket_with_an_unknown_name_has_the_least_right(tmp_path: Path) -> None:
    ours = tmp_path / "ours.sock"
    with (
        listening(ours) as passed,
        running_service(tmp_path, configuration(tmp_path), passed={"odd": passed}) as table,
    ):
        table.messages_until(READY)
        with TableClient(ours) as calling:
            assert calling.ask(do="journal")["ok"] is True
            assert calling.ask(do="pair")["error"] == "FORBIDDEN"


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"LISTEN_FDS": "1"},
        {"LISTEN_FDS": "x", "LISTEN_PID": str(os.getpid())},
        {"LISTEN_FDS": "1", "LISTEN_PID": "1"},
        {"LISTEN_FDS": "0", "LISTEN_PID": str(os.getpid())},
    ],
)
def test_a_socket_that_is_not_for_us_is_left_alone(environment: dict[str, str]) -> None:
    assert passed_sockets(environment) == []


def test_a_table_that_was_killed_comes_back_with_the_same_score(tmp_path: Path) -> None:
    config = configuration(tmp_path)
    with running_service(tmp_path, config) as table:
        table.messages_until(READY)
        with TableClient(table.path) as calling:
            for seq, line in enumerate(("A envido", "B quiero", "A envido_won", "B truco")):
                assert calling.ask(do="step", line=line, seq=seq)["ok"] is True
            before = unnumbered(calling.state_at(4))
        table.kill()
    with running_service(tmp_path, config) as table:
        table.messages_until(READY)
        with TableClient(table.path) as calling:
            assert unnumbered(calling.next_state()) == before
    assert before["score"] == {"A": 2, "B": 0}
    assert before["pending"]["call"] == "truco"


# ---- the self-test -----------------------------------------------------------------------------


def test_a_self_test_tells_of_every_device_and_changes_nothing(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path, TELLING)) as table:
        table.messages_until(READY)
        with TableClient(table.path) as calling:
            before = calling.next_state()
            found = calling.ask(do="selftest")
            assert found["ok"] is True
            assert found["buttons"] == {
                "lines": 14, "down": [], "stuck": [], "touching": [], "alive": True, "fault": ""
            }  # fmt: skip
            assert found["panels"] == [{"name": "0", "side": "A", "size": [128, 64], "fault": ""}]
            assert [lamp["name"] for lamp in found["lamps"]] == ["A", "B"]
            assert {lamp["fault"] for lamp in found["lamps"]} == {""} == {found["buzzer"]["fault"]}
            assert found["store"]["kind"] == "" and found["store"]["free"] > 0
            assert found["clients"] == 1
            again = calling.ask(do="selftest")
            assert (again["ok"], again["error"]) == (False, "BUSY")
            assert calling.ask(do="step", line="A truco", seq=before["seq"])["ok"] is True


def test_a_self_test_finds_a_store_that_another_program_holds(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path)) as table:
        table.messages_until(READY)
        with TableClient(table.path) as calling:
            other = sqlite3.connect(tmp_path / "store" / file.FILE_NAME, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            assert calling.ask(do="selftest")["store"]["kind"] == "busy"
            other.execute("ROLLBACK")
            other.close()
            assert calling.ask(do="step", line="A truco", seq=0)["ok"] is True


def listening(path: Path) -> socket.socket:
    """A socket as systemd makes it before the table is there."""
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(path))
    made.listen()
    return made
