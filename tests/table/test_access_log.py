"""What is logged of access and set-up: one line each, of a bounded number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.records.game_log import GameLog
from scorer.records.pair_names import RenameFault
from scorer.session.values.setup_view import ListView, PairingView
from scorer.system.log_limit import BURST
from scorer.table.access_log import open_access_log
from scorer.table.evening import EveningRecords
from tests.api.test_phone_requests import WRONG
from tests.longrun.random_play.game_kinds import Kind
from tests.longrun.random_play.table_rig import Box
from tests.support.service_process import configuration, running_service
from tests.support.table_client import Message, TableClient


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    made = Box(Kind("argentine"), tmp_path)
    yield made
    made.close()


def tap(box: Box, line: str, held: float = 0.15) -> None:
    box.edge(line, down=True)
    box.live(held)
    box.edge(line, down=False)
    box.live(1.0)


def enter(box: Box, key: str) -> None:
    """Go down to an entry of the open list, and in."""
    for _ in range(40):
        setup = box.table.view.setup
        assert setup is not None and isinstance(setup.content, ListView)
        if setup.content.selected.key == key:
            break
        tap(box, "B.tantos")
    tap(box, "A.quiero")


def code(box: Box) -> str:
    """The digits of a new phone, in set-up."""
    tap(box, "menu", held=1.0)
    enter(box, "phones")
    enter(box, "new_phone")
    setup = box.table.view.setup
    assert setup is not None and isinstance(setup.content, PairingView)
    return setup.content.code


def pair(box: Box, name: str, address: str, digits: str) -> Message:
    return box.ask({"do": "pair", "code": digits, "name": name, "address": address})


def test_pairing_forgetting_and_failed_attempts_are_logged(box: Box) -> None:
    digits = code(box)
    for _ in range(4):
        pair(box, "Eva", "192.168.1.9", WRONG)
    ana = pair(box, 'Ana "la Ñata"\n', "192.168.1.7", digits)
    box.ask({"do": "phone", "phone": ana["phone"], "key": "0"})
    box.ask({"do": "phone", "phone": ana["phone"], "key": ana["key"]})
    enter(box, "phone")
    tap(box, "A.quiero")
    assert list(box.log) == [
        "wrong pairing code from 192.168.1.9 (root), tries left: 2",
        "wrong pairing code from 192.168.1.9 (root), tries left: 1",
        "wrong pairing code from 192.168.1.9 (root), tries left: 0",
        f'phone "Ana \\"la Ñata\\"" ({ana["phone"]}) paired, from 192.168.1.7 (root)',
        "a phone without a valid key was refused, from root",
        f'phone "Ana \\"la Ñata\\"" ({ana["phone"]}) forgotten, by A',
    ]
    assert [(event.line, event.source) for event in box.journal.events()] == [
        (f'paired {ana["phone"]} Ana "la Ñata"', "192.168.1.7 (root)"),
        (f'forgotten {ana["phone"]} Ana "la Ñata"', "A"),
    ]


def test_the_code_that_ends_is_logged_with_the_last_address(box: Box) -> None:
    code(box)
    for number in range(20):
        pair(box, "Eva", f"192.168.1.{number}", WRONG)
    assert box.log[-1] == (
        "wrong pairing code from 192.168.1.19 (root), tries left: 0; the code is void after 20"
    )


def test_changes_in_set_up_are_logged(box: Box) -> None:
    digits = code(box)
    ana = pair(box, "Ana", "192.168.1.7", digits)
    tap(box, "menu")
    box.log.clear()
    key = {"phone": ana["phone"], "key": ana["key"]}
    box.ask({"do": "names", "names": {"A": "Los Pibes"}, **key})
    box.ask({"do": "unpair", **key})
    tap(box, "menu", held=1.0)
    enter(box, "language")
    enter(box, "language.en")
    assert list(box.log) == [
        'set-up: table.names = ["Los Pibes", ""], by phone Ana (root)',
        f'phone "Ana" ({ana["phone"]}) forgotten, by phone Ana (root)',
        'set-up: table.language = "en", by A',
    ]


class RenamedPairs(GameLog):
    """A log of games that gives a pair its name, or says why not."""

    def __init__(self, fault: RenameFault | None) -> None:
        self._fault = fault

    def rename_pair(self, pair: str, name: str) -> RenameFault | None:
        return self._fault


def test_the_new_name_of_a_pair_is_logged_and_a_refused_one_is_not() -> None:
    lines: list[str] = []
    for fault, name in (RenameFault.UNKNOWN, "Pía"), (None, "Eva"):
        evening = EveningRecords(RenamedPairs(fault), lines.append)
        assert evening.rename_pair("Ana", name, "phone Luz (root)") is fault
    assert lines == ["standings: 'Ana' is named 'Eva', by phone Luz (root)"]


def test_the_log_is_bounded_and_says_how_much_it_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = open_access_log()
    for number in range(1000):
        log(f"wrong pairing code number {number} 100 %s")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == BURST
    assert lines[0] == "scorer run: wrong pairing code number 0 100 %s"


def test_the_service_logs_on_its_standard_error(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path)) as table:
        table.messages_until("READY")
        with TableClient(table.path) as client:
            assert client.ask(do="press", phone="x\ny", key="")["error"] == "UNPAIRED"
        assert table.stop() == 0
        assert "scorer run: a phone without a valid key was refused, from " in table.stderr_text
