"""Other pins on trial: the real service of the settings and real files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.api.settings_protocol import SettingsChange, SettingsReport, TrialReport
from scorer.commands.settings import SettingsKeeper
from scorer.config.page_file import read_page
from scorer.session.values.keys import NoticeKey
from scorer.table.handlers import answer_request
from scorer.table.hooks import TableHooks
from scorer.table.owner_settings import SettingsFiles
from scorer.table.wiring_trial import TRIAL_S, TrialLedger
from tests.support.in_process_table import InProcessTable, stamp, table_in_process

CODE = "403911"
CONFIG = f"""
[table]
variant = "argentine"
language = "es-AR"
[owner]
code = "{CODE}"
"""
PIN = {"lines.A.truco": 7}


class Box:
    """A table and the service of its settings, which the test lets answer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.page = folder / "page"
        self.page.mkdir(exist_ok=True)
        self.keeper = SettingsKeeper(folder / "own.toml", folder / "card.toml", self.page)
        self.asked: list[SettingsChange] = []
        self.ledger = TrialLedger(self.page, lambda: self.table.now)
        self.owner: dict[str, str] = {}
        self.table: InProcessTable

    @contextmanager
    def opened(self) -> Iterator[Box]:
        """A process of the table, from its start to a power cut."""
        self.ledger = TrialLedger(self.page, lambda: self.table.now)
        self.ledger.read_first()
        hooks = TableHooks(
            owner_code=CODE,
            settings_files=SettingsFiles(CONFIG, None, self.page),
            request_settings=self._request,
            trials=self.ledger,
        )
        with table_in_process(self.folder / "store", CONFIG, stamp, None, hooks) as self.table:
            yield self

    def _request(self, change: SettingsChange) -> bool:
        self.asked.append(change)
        return True

    def answer(self, *, ok: bool = True) -> None:
        """Let the service answer, and the table start anew if it wants to."""
        change = self.asked.pop(0)
        told: dict[str, Any] = {"ok": False}
        if ok:
            told = self.keeper.answer(json.dumps(change._asdict()).encode())
        is_done = told["ok"] is True
        report = (
            TrialReport(change.trial, is_done) if change.trial else SettingsReport(change, is_done)
        )
        self.table.table.on_report(report, self.table.now)
        self.table.wait(0.01)

    def pair(self) -> None:
        self.table.choose("owners")
        self.table.press("A.quiero", then=0.9)
        self.table.enter_code(CODE)
        content: Any = self.table.table.view.setup and self.table.table.view.setup.content
        answer = self.ask("owner_pair", code=content.code, name="Ana", address="10.0.0.7")
        self.owner = {"owner": answer["phone"], "key": answer["key"]}
        self.table.press("menu", then=1.0)
        self.table.wait(31.0)

    def ask(self, do: str, right: Right = Right.OWNER, /, **fields: object) -> dict[str, Any]:
        request = Request(1, {"do": do, **fields}, right, "scorer-web")
        return answer_request(self.table.table, request, self.table.now)

    def save(self, section: str, values: dict[str, object], *back: str) -> dict[str, Any]:
        rev = self.ask("owner", **self.owner)["rev"]
        fields = {"section": section, "values": values, "back": back, "rev": rev}
        return self.ask("owner_save", **self.owner, **fields)

    @property
    def trial(self) -> dict[str, str]:
        return dict(self.ask("owner", **self.owner)["trial"])

    @property
    def notice(self) -> str:
        notice = self.table.table.session.notice
        return "" if notice is None else str(notice.key)

    @property
    def next_start(self) -> object:
        """What a process that begins now would use."""
        return read_page(self.page).values

    def try_out(self, section: str = "consoles", **values: object) -> None:
        assert self.save(section, values or dict(PIN))["ok"]
        self.answer()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with Box(tmp_path).opened() as made:
        made.pair()
        yield made


def test_a_press_of_a_changed_button_within_a_minute_keeps_the_wiring(box: Box) -> None:
    box.try_out()
    assert box.trial == {"section": "consoles", "result": ""}
    assert box.notice == NoticeKey.WIRING_TRIAL
    assert box.next_start == {}
    box.table.wait(TRIAL_S - 10)
    box.table.press("A.truco", then=0.5)
    assert box.asked == [SettingsChange("consoles", {}, (), "keep")]
    box.answer()
    assert box.trial == {"section": "", "result": "kept"}
    assert box.notice == NoticeKey.WIRING_KEPT
    assert box.next_start == {"consoles": {"lines": {"A.truco": 7}}}
    box.table.wait(2 * TRIAL_S)
    assert not box.asked and box.next_start == {"consoles": {"lines": {"A.truco": 7}}}


def test_the_press_of_a_trial_is_no_press_of_the_game(box: Box) -> None:
    before = box.table.table.seq
    box.try_out()
    box.table.press("B.truco", "A.truco", then=0.5)
    box.answer()
    assert box.table.table.seq == before
    box.table.press("A.truco")
    assert box.table.table.seq > before


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "values",
    [PIN, {"lines.A.truco": 7, "lines.B.flor": 8}, {"count": 3}],
    ids=lambda values: ", ".join(values),
)
def test_after_a_minute_without_a_press_everything_is_as_before(
    box: Box, values: dict[str, object]
) -> None:
    box.try_out("consoles", **values)
    box.table.wait(TRIAL_S - 1)
    assert box.trial["section"] == "consoles"
    box.table.wait(2.0)
    assert box.trial == {"section": "", "result": "back"}
    assert box.notice == NoticeKey.WIRING_BACK
    assert box.next_start == {}
    assert box.asked == [SettingsChange("consoles", {}, (), "undo")]
    box.answer()
    assert read_page(box.page, with_trial=True).values == {}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("button", ["B.truco", "A.quiero", "undo", "menu"])
def test_a_button_on_an_old_pin_confirms_nothing(box: Box, button: str) -> None:
    box.try_out()
    box.table.press(button, then=1.0)
    assert not box.asked and box.trial["section"] == "consoles"


def test_a_button_that_is_down_since_the_start_confirms_nothing(box: Box) -> None:
    """A wrong pin may be low without end."""
    assert box.save("consoles", dict(PIN))["ok"]
    down = box.table.now
    box.table.simulated.advance([(down, "A.truco", 0)], down + 0.3)
    box.answer()
    box.table.wait(TRIAL_S - 5)
    assert not [each for each in box.asked if each.trial == "keep"]


def test_lamps_are_confirmed_by_any_button(box: Box) -> None:
    box.try_out("lamps", A=7)
    box.table.press("B.quiero", then=0.5)
    box.answer()
    assert box.next_start == {"lamps": {"A": 7}}


def test_a_power_cut_in_a_trial_takes_it_back_and_says_so(tmp_path: Path) -> None:
    made = Box(tmp_path)
    with made.opened() as box:
        box.pair()
        box.try_out()
    with made.opened() as box:
        assert box.notice == NoticeKey.WIRING_BACK
        assert box.trial == {"section": "", "result": "back"}
        assert box.asked == [SettingsChange("consoles", {}, (), "undo")]
        box.answer()
    assert read_page(made.page).trial is None
    with made.opened() as box:
        assert box.notice != NoticeKey.WIRING_BACK
        assert not box.asked


def test_a_trial_that_the_service_never_ended_is_taken_back_by_every_process(
    tmp_path: Path,
) -> None:
    made = Box(tmp_path)
    with made.opened() as box:
        box.pair()
        box.try_out()
    for _ in range(3):
        with made.opened() as box:
            assert box.next_start == {}
            box.answer(ok=False)
            box.ledger.read_again()
            assert box.ledger.running is None
    with made.opened() as box:
        box.answer(ok=False)
        box.try_out("consoles", **{"lines.B.truco": 8})
        box.table.press("B.truco", then=0.5)
        box.answer()
        assert box.next_start == {"consoles": {"lines": {"B.truco": 8}}}


def test_a_service_that_cannot_keep_it_leaves_the_wiring_before(box: Box) -> None:
    box.try_out()
    box.table.press("A.truco", then=0.5)
    box.answer(ok=False)
    box.table.wait(0.01)
    assert box.trial == {"section": "", "result": "back"}
    assert box.next_start == {}


def test_during_a_game_no_wiring_is_tried(box: Box) -> None:
    box.table.press("A.truco", "B.quiero")
    answer = box.save("consoles", dict(PIN))
    assert answer["error"] == "GAME"
    assert not box.asked


def test_during_a_trial_a_second_owner_sees_it_and_saves_nothing(box: Box) -> None:
    box.try_out()
    shown = box.ask("owner", **box.owner)
    row = next(
        row
        for section in shown["sections"]
        for row in section["rows"]
        if row["path"] == "consoles.lines.A.truco"
    )
    assert row["layers"] == {"page": 7}
    others: dict[str, dict[str, object]] = {"consoles": {"lines.B.flor": 8}, "light": {"dim": 5}}
    for section, values in others.items():
        assert box.save(section, values)["error"] == "TRIAL"
    assert not box.asked


@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("consoles", {"lines.A.truco": 17}),  # that of B
        ("consoles", {"lines.A.truco": 2}),
        ("consoles", {"lines.A.truco": 99}),
        ("consoles", {"lines.A.truco": "7; rm"}),
        ("consoles", {"lines.Z.truco": 7}),
        ("consoles", {"lines.": 7}),
        ("consoles", {"driver": "../gpio"}),
        ("consoles", {"driver": "none"}),
        ("consoles", {"count": 4}),
        ("lamps", {"A": 5}),
        ("lamps", {"A": -1}),
        ("sound", {"pin": 3}),
    ],
)
def test_wrong_wiring_is_refused_at_once_in_words(
    box: Box, section: str, values: dict[str, object]
) -> None:
    answer = box.save(section, values)
    assert answer["error"] == "VALUE" and answer["problems"]
    assert not box.asked
    request = {"section": section, "values": values, "back": []}
    assert box.keeper.answer(json.dumps(request).encode())["ok"] is False
    assert box.next_start == {}


def test_wiring_and_other_values_are_saved_one_after_the_other(box: Box) -> None:
    assert box.save("consoles", {**PIN, "hold": 1.0})["error"] == "VALUE"
    assert not box.asked


def test_a_trial_ends_a_minute_after_its_start_whatever_restarts_the_table(box: Box) -> None:
    box.try_out()
    box.table.wait(TRIAL_S - 10)
    box.ledger.read_again()
    running = box.ledger.running
    assert running is not None
    assert running.ends_at - box.table.now == pytest.approx(10.0, abs=0.5)


def test_a_trial_taken_back_leaves_what_was_confirmed_before(box: Box) -> None:
    box.try_out()
    box.table.press("A.truco", then=0.5)
    box.answer()
    box.try_out("consoles", **{"lines.A.truco": 8})
    box.table.wait(TRIAL_S + 1)
    box.table.wait(0.01)
    box.answer()
    assert read_page(box.page, with_trial=True).values == {"consoles": {"lines": {"A.truco": 7}}}


def test_a_pin_is_taken_back_on_trial_too(box: Box) -> None:
    box.try_out()
    box.table.press("A.truco", then=0.5)
    box.answer()
    assert box.save("consoles", {}, "lines.A.truco")["ok"]
    box.answer()
    assert box.trial["section"] == "consoles"
    assert box.next_start == {"consoles": {"lines": {"A.truco": 7}}}
    box.table.press("A.truco", then=0.5)
    box.answer()
    assert box.next_start == {}


def test_a_phone_presses_nothing_in_a_trial(box: Box) -> None:
    """A game that it began would be interrupted when the wiring is taken back."""
    phone, key = box.table.table.phones.add("Beto", "10.0.0.8", "scorer-web", box.table.now)
    before = box.table.table.seq
    box.try_out()
    fields = {"phone": phone.id, "key": key, "seq": before, "button": "truco", "side": "A"}
    answer = box.ask("press", Right.PHONE, **fields)
    assert (answer["error"], answer["say"]) == ("REFUSED", "notice.wiring_trial")
    assert box.table.table.seq == before and box.trial["section"] == "consoles"


def test_wiring_that_waits_for_the_start_is_not_replaced_by_other_wiring(box: Box) -> None:
    box.table.press("menu", held=1.0, then=0.1)  # set-up is open: the table does not start anew
    assert box.save("consoles", dict(PIN))["ok"]
    box.answer()
    assert box.save("lamps", {"A": 8})["error"] == "TRIAL"
    assert not box.asked
