"""The right to the settings, and what an owner saves: on a real table and store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.api.server import MAX_LINE_BYTES
from scorer.api.settings_protocol import SettingsChange, SettingsReport
from scorer.commands.settings import save_page
from scorer.config.config import SECTIONS
from scorer.config.page_file import changed, read_page
from scorer.config.page_keys import Way, way_of
from scorer.i18n import languages, sentences, translator
from scorer.session.values.setup_view import ListView, PairingView
from scorer.table.handlers import answer_request
from scorer.table.hooks import TableHooks
from scorer.table.owner_settings import SettingsFiles
from tests.support.in_process_table import InProcessTable, stamp, table_in_process

CODE = "403911"
CONFIG = f"""
[table]
variant = "argentine"
language = "es-AR"
[web]
port = 8000
[owner]
code = "{CODE}"
"""


class Service:
    """The service of the settings, which the test lets answer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.waiting: SettingsChange | None = None

    def request(self, change: SettingsChange) -> bool:
        if self.waiting is not None:
            return False
        self.waiting = change
        return True

    def answer(self, box: Box, *problems: str) -> None:
        change, self.waiting = self.waiting, None
        assert change is not None
        if not problems:
            save_page(self.folder, changed(read_page(self.folder).values, *change[:3]))
        report = SettingsReport(change, not problems, problems)
        box.table.table.on_report(report, box.table.now)


class Box:
    """A table with a settings page, and what its requests answer."""

    def __init__(self, table: InProcessTable, service: Service) -> None:
        self.table, self.service = table, service
        self.key: dict[str, str] = {}
        self.rev = ""

    def ask(self, do: str, right: Right = Right.OWNER, /, **fields: object) -> dict[str, Any]:
        request = Request(1, {"do": do, **fields}, right, "scorer-web")
        answer = answer_request(self.table.table, request, self.table.now)
        self.table.wait(0.01)
        return answer

    def show_code(self, code: str = CODE) -> str:
        """Enter the owner's code at the box; the digits that the panel shows."""
        self.table.choose("owners")
        self.table.press("A.quiero", then=0.9)
        self.table.enter_code(code)
        setup = self.table.table.view.setup
        shown = None if setup is None else setup.content
        return shown.code if isinstance(shown, PairingView) else ""

    def give(self, name: str = "Ana") -> dict[str, Any]:
        answer = self.ask("owner_pair", code=self.show_code(), name=name, address="10.0.0.7")
        if answer["ok"]:
            self.key = {"owner": answer["phone"], "key": answer["key"]}
            self.look()
            self.table.press("menu", then=1.0)  # out of set-up
            self.table.wait(31.0)
        return answer

    def look(self) -> dict[str, Any]:
        answer = self.ask("owner", **self.key)
        self.rev = str(answer.get("rev", ""))
        return answer

    def save(self, section: str, *back: str, **values: object) -> dict[str, Any]:
        """Save values as a page does that has just been looked at."""
        self.look()
        named = {key.replace("__", "."): value for key, value in values.items()}
        fields = {"section": section, "values": named, "back": back, "rev": self.rev}
        return self.ask("owner_save", **self.key, **fields)

    def row(self, path: str) -> dict[str, Any]:
        found = self.look()["sections"]
        return next(row for each in found for row in each["rows"] if row["path"] == path)


@contextmanager
def opened(folder: Path, config: str = CONFIG, code: str = CODE) -> Iterator[Box]:
    page = folder / "page"
    page.mkdir(exist_ok=True)
    service = Service(page)
    hooks = TableHooks(
        owner_code=code,
        settings_files=SettingsFiles(config, None, page),
        request_settings=service.request,
    )
    with table_in_process(folder / "store", config, stamp, None, hooks) as table:
        yield Box(table, service)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with opened(tmp_path) as made:
        made.give()
        yield made


def play(box: Box) -> None:
    box.table.press("A.truco", "B.quiero")


def end_game(box: Box) -> None:
    """Both teams end the game in set-up."""
    box.table.choose("end")
    box.table.press("A.quiero", then=1.0)
    box.table.press("A.quiero", "B.quiero", then=1.0)
    box.table.wait(40.0)


# ---- the right ---------------------------------------------------------------------------------


def test_the_code_of_the_owner_and_digits_of_the_panel_give_the_right(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        assert box.ask("owner_pair", code="000000", name="Ana")["error"] == "NO_CODE"
        answer = box.give("Ana")
        assert answer["ok"]
        assert box.look()["name"] == "Ana"
        assert box.ask("owner", owner=answer["phone"], key="f" * 32)["error"] == "UNPAIRED"


@pytest.mark.sampled(0)
def test_without_the_owners_code_no_digits_are_shown(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        for _ in range(3):
            assert box.show_code("111111") == ""
            box.table.wait(40.0)
        # As for a factory reset, whose tries these are too.
        assert box.show_code(CODE) == ""
        assert "esperá diez minutos" in " ".join(box.table.text)


def test_a_box_without_a_code_has_no_such_entry(tmp_path: Path) -> None:
    with opened(tmp_path, CONFIG.partition("[owner]")[0], "") as box:
        box.table.press("menu", held=1.0)
        seen = set()
        for _ in range(40):
            setup = box.table.table.view.setup
            assert setup is not None and isinstance(setup.content, ListView)
            seen.add(setup.content.selected.key)
            box.table.press("B.tantos", then=0.5)
        assert "reset" in seen
        assert "owners" not in seen


def test_during_a_game_no_phone_gets_the_right(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        play(box)
        box.table.choose("owners")
        box.table.press("A.quiero", then=1.0)
        assert "no durante un partido" in " ".join(box.table.text)


def test_a_game_that_begins_meanwhile_closes_the_way(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        digits = box.show_code()
        box.table.press("undo", then=1.0)
        play(box)
        assert box.ask("owner_pair", code=digits, name="Ana")["error"] == "GAME"


def test_a_phone_that_is_a_console_gets_no_right(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        digits = box.show_code()
        answer = box.ask("owner_pair", code=digits, name="Ana", console=True)
        assert answer["error"] == "CONSOLE"


def test_the_digits_of_an_owner_pair_no_console_and_the_other_way_round(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        digits = box.show_code()
        answer = box.ask("pair", Right.PHONE, code=digits, name="Ana", address="10.0.0.7")
        assert answer["error"] == "NO_CODE"
        box.table.wait(140.0)
        box.table.choose("phones")
        box.table.press("A.quiero", then=1.0)
        setup = box.table.table.view.setup
        assert setup is not None and isinstance(setup.content, PairingView)
        answer = box.ask("owner_pair", code=setup.content.code, name="Ana")
        assert answer["error"] == "NO_CODE"


def test_wrong_digits_are_counted_as_those_of_phones(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        digits = box.show_code()
        wrong = "000000" if digits != "000000" else "111111"
        tries = [box.ask("owner_pair", code=wrong, name="x", address="10.0.0.9") for _ in range(4)]
        assert [each["error"] for each in tries] == [*["WRONG_CODE"] * 3, "BLOCKED"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("right", [Right.READ, Right.PHONE, Right.HALL])
def test_no_other_socket_answers_such_a_request(box: Box, right: Right) -> None:
    for do in ("owner_pair", "owner", "owner_save", "owner_copies", "owner_restore", "owner_leave"):
        assert box.ask(do, right, **box.key)["error"] == "FORBIDDEN"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("do", ["press", "pair", "notice", "assign", "step", "selftest"])
def test_the_socket_of_owners_answers_nothing_else(box: Box, do: str) -> None:
    assert box.ask(do, Right.OWNER)["error"] == "FORBIDDEN"


def test_the_key_of_an_owner_presses_nothing(box: Box) -> None:
    phone = {"phone": box.key["owner"], "key": box.key["key"]}
    answer = box.ask("press", Right.PHONE, **phone, button="truco", side="A", seq=0)
    assert answer["error"] == "UNPAIRED"


def test_the_box_lists_the_owners_and_takes_the_right_back(box: Box) -> None:
    box.table.choose("owners")
    setup = box.table.table.view.setup
    assert setup is not None and isinstance(setup.content, ListView)
    assert "Ana" in " ".join(box.table.text)
    box.table.press("B.tantos", "A.quiero", "A.quiero", then=1.0)
    assert box.look()["error"] == "UNPAIRED"
    assert box.save("light", dim=5)["error"] == "UNPAIRED"


def test_a_phone_gives_its_right_back(box: Box) -> None:
    assert box.ask("owner_leave", **box.key)["ok"]
    assert box.look()["error"] == "UNPAIRED"


def test_the_right_survives_a_power_cut_and_its_key_is_not_stored(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        box.give()
        key = box.key
        assert all(
            key["key"] not in path.read_text(errors="replace")
            for path in (tmp_path / "store").iterdir()
        )
    with opened(tmp_path) as box:
        box.key = key
        assert box.look()["ok"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", languages())
def test_the_panel_never_shows_the_code_and_names_the_page_of_settings(
    tmp_path: Path, language: str
) -> None:
    with opened(tmp_path, CONFIG.replace("es-AR", language)) as box:
        box.table.choose("owners")
        box.table.press("A.quiero", then=0.9)
        box.table.enter_code(CODE[:3])
        assert CODE[:3] not in "".join(box.table.text).replace(" ", "")
        box.table.enter_code(CODE[3:])
        text = " ".join(box.table.text)
        assert "/owner" in text
        assert translator(language)("setup.new_owner").upper() in text


@pytest.mark.parametrize("language", languages())
def test_every_section_of_the_page_has_a_title(language: str) -> None:
    titles = sentences(language, "owner.section.")
    assert [name for name in SECTIONS if f"owner.section.{name}" not in titles] == []


# ---- choices of the box ------------------------------------------------------------------------


def test_a_value_is_applied_at_once_and_taken_back(box: Box) -> None:
    assert box.save("light", dim=5, brightness="low")["ok"]
    light = box.table.table.session.settings.light
    assert (light.dim, light.brightness) == (5.0, "low")
    assert box.row("light.dim")["layers"] == {"box": 5}
    assert box.save("light", "dim")["ok"]
    row = box.row("light.dim")
    assert (row["value"], row["default"], row["layers"]) == (120.0, 120.0, {})
    assert box.row("light.brightness")["value"] == "low"


def test_the_layers_are_beside_each_value(box: Box) -> None:
    save_page(box.service.folder, {"web": {"port": 8100}})
    assert box.row("web.port")["layers"] == {"file": 8000, "page": 8100}
    assert box.row("web.port")["value"] == 8100
    assert box.row("table.language")["layers"] == {"file": "es-AR"}


def test_a_value_is_stored_before_a_power_cut(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        box.give()
        box.save("sound", on=False, quiet="23:00-08:00")
    with opened(tmp_path) as box:
        sound = box.table.table.session.settings.sound
        assert (sound.on, sound.quiet) == (False, "23:00-08:00")


WAITS = [
    ("table", {"variant": "paulista"}, "table.variant"),
    ("table", {"house__target": 15}, "table.house"),
    ("table", {"layout": "compact"}, "table.layout"),
    ("table", {"names": ["Los Pibes", "La Yunta"]}, "table.names"),
    ("table", {"device": "barra"}, "table.device"),
    ("consoles", {"hold": 1.5}, "consoles.hold"),
    ("guards", {"trick_by_trick": True}, "guards.trick_by_trick"),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("section", "values", "waiting"), WAITS)
def test_during_a_game_nothing_restarts_the_table_or_changes_a_price(
    box: Box, section: str, values: dict[str, object], waiting: str
) -> None:
    play(box)
    before, rules = box.table.table, box.table.table.session.rules
    answer = box.save(section, **values)
    assert (answer["ok"], answer["waits"], answer["playing"]) == (True, True, True)
    assert waiting in answer["waiting"]
    box.table.wait(60.0)
    assert box.table.table is before
    assert box.table.table.session.rules is rules
    assert waiting in box.look()["waiting"]
    end_game(box)
    assert box.look()["waiting"] == {}
    assert box.row(waiting if waiting != "table.house" else "table.house.target")["layers"]["box"]


def test_what_waits_survives_a_power_cut(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        box.give()
        play(box)
        box.save("consoles", hold=1.5)
        key = box.key
    with opened(tmp_path) as box:
        box.key = key
        assert box.look()["waiting"] == {"consoles.hold": 1.5}
        assert box.table.table.session.settings.consoles.hold == 0.7
        end_game(box)
        assert box.table.table.session.settings.consoles.hold == 1.5


def test_a_newer_value_replaces_one_that_waits(box: Box) -> None:
    play(box)
    box.save("consoles", hold=1.5)
    box.save("consoles", hold=2.0)
    assert box.look()["waiting"] == {"consoles.hold": 2.0}
    box.save("consoles", "hold")
    end_game(box)
    assert box.table.table.session.settings.consoles.hold == 0.7


def test_light_does_not_wait_for_a_game(box: Box) -> None:
    play(box)
    answer = box.save("light", dim=5)
    assert (answer["waits"], answer["waiting"]) == (False, {})
    assert box.table.table.session.settings.light.dim == 5.0


def test_house_rules_are_added_to_those_chosen_and_another_variant_forgets_them(box: Box) -> None:
    assert box.save("table", house__target=15)["ok"]
    assert box.save("table", house__falta="match")["ok"]
    rows = {key: box.row(f"table.house.{key}")["value"] for key in ("target", "falta")}
    assert rows == {"target": 15, "falta": "match"}
    assert box.save("table", "house.target")["ok"]
    assert box.row("table.house.target")["value"] == 30
    assert box.save("table", variant="paulista")["ok"]
    assert box.row("table.house.target")["value"] == 12
    assert box.save("table", "variant")["ok"]
    assert box.row("table.variant")["value"] == "argentine"


def test_new_inputs_restart_the_table_between_games(box: Box) -> None:
    before = box.table.table
    assert box.save("consoles", hold=1.5)["ok"]
    box.table.wait(1.0)
    assert box.table.table is not before
    assert box.table.table.session.settings.consoles.hold == 1.5
    assert box.look()["ok"]


# ---- the file of the page ----------------------------------------------------------------------


def test_a_value_of_a_service_is_kept_by_its_service(box: Box) -> None:
    answer = box.save("web", port=8100)
    assert answer["saving"]["status"] == "saving"
    assert box.service.waiting == SettingsChange("web", {"port": 8100}, ())
    assert box.save("voice", volume=50)["error"] == "BUSY"
    box.service.answer(box)
    assert box.look()["saving"]["status"] == "saved"
    assert box.row("web.port")["value"] == 8100
    assert box.save("web", "port")["ok"]
    box.service.answer(box)
    assert box.row("web.port")["value"] == 8000


def test_a_service_that_refuses_changes_nothing_and_says_why(box: Box) -> None:
    box.save("web", port=8100)
    box.service.answer(box, "the card cannot be written")
    saving = box.look()["saving"]
    assert (saving["status"], saving["problems"]) == ("failed", ("the card cannot be written",))
    assert box.row("web.port")["value"] == 8000


def test_what_the_table_reads_at_its_start_is_read_between_games(box: Box) -> None:
    play(box)
    before = box.table.table
    box.save("printer", device="tcp:192.168.1.50")
    box.service.answer(box)
    box.table.wait(60.0)
    assert box.table.table is before
    assert box.look()["restarts"]
    end_game(box)
    assert box.table.table is not before


def test_a_secret_is_taken_over_a_private_connection_alone_and_never_shown(box: Box) -> None:
    box.look()
    fields = {"section": "owner", "values": {"code": "123456"}, "rev": box.rev}
    assert box.ask("owner_save", **box.key, **fields)["error"] == "INSECURE"
    assert box.service.waiting is None
    answer = box.ask("owner_save", **box.key, **fields, private=True)
    assert answer["ok"]
    box.service.answer(box)
    told = json.dumps(box.look())
    assert "123456" not in told and CODE not in told
    row = box.row("owner.code")
    assert (row["value"], row["layers"]) == (True, {"file": None, "page": None})


def test_to_take_a_secret_back_is_no_less_private(box: Box) -> None:
    assert box.save("owner", "code")["error"] == "INSECURE"


# ---- bad input ---------------------------------------------------------------------------------

EDITABLE = [
    (section, row)
    for section in SECTIONS
    for row in getattr(SECTIONS[section].record, "_fields", ())
    if way_of(section, row) is not Way.FILE and row not in ("house", "lines")
]
EDITABLE += [("consoles", "lines.A.truco"), ("consoles", "lines.undo")]
EDITABLE += [("link", f"mqtt.{key}") for key in ("broker", "user", "topic", "discovery")]
HOSTILE: dict[str, object] = {
    "huge number": 10**40,
    "tiny": -(10**15),
    "list": [[[1]]],
    "table": {"a": {"b": 1}},
    "huge text": "x" * 3000,
    "control": "a\x00b\x1b[2J",
    "surrogate": "\ud800",
    "markup": "<script>alert(1)</script>",
    "path": "../../../etc/shadow\n",
    "toml": '"\n[owner]\ncode = "000000"\n',
    "nothing": None,
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("section", "key"), EDITABLE)
def test_each_value_takes_hostile_ones_and_stays_as_it_was_or_valid(
    box: Box, section: str, key: str
) -> None:
    """Wrong, huge, foreign and hostile ones: refused in words, or of its type."""
    for what, value in HOSTILE.items():
        before = box.row(f"{section}.{key}")
        fields = {"section": section, "values": {key: value}, "rev": box.rev, "private": True}
        answer = box.ask("owner_save", **box.key, **fields)
        json.dumps(answer)
        if answer["ok"]:
            # A text may be any that its section takes; what is not of its kind never counts.
            assert before["kind"] in ("text", "float", "int") or value == before["value"], what
            if box.service.waiting is not None:
                box.service.answer(box)
        else:
            assert answer["error"] in ("VALUE", "UNREADABLE"), (what, answer)
            assert answer["text"], what
            assert box.row(f"{section}.{key}")["value"] == before["value"], what
    assert not box.table.table.marks.words()
    assert box.look()["ok"]


def test_the_reader_is_the_one_of_the_file(box: Box) -> None:
    told = {
        ("light", "dim"): (-1, "light.dim: -1 is not a number of seconds, 0 or more"),
        ("table", "language"): ("xx", "table.language: no language 'xx'"),
        ("consoles", "hold"): (9, "consoles.hold: s 9 is not from 0.4 to 3.0"),
        ("web", "port"): ("80", "web.port: wants a whole number, not '80'"),
        ("table", "names"): (["a", "a"], "table.names: a name for each team"),
        ("table", "house__target"): (1000, "table.house: target=1000"),
    }
    for (section, key), (value, sentence) in told.items():
        answer = box.save(section, **{key: value})
        assert answer["error"] == "VALUE", (section, key)
        assert sentence.split(" ")[0] in answer["text"]
        assert answer["problems"]


def test_one_wrong_value_of_two_saves_neither(box: Box) -> None:
    assert box.save("light", dim=5, dark=-1)["error"] == "VALUE"
    assert box.row("light.dim")["value"] == 120.0


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("section", "key"),
    [
        ("panel", "address"),
        ("web", "pages"),
        ("store", "directory"),
        ("table", "rulebook"),
        ("hub", "database"),
        ("wifi", "password"),
        ("nothing", "key"),
        ("../web", "port"),
    ],
)
def test_what_only_the_file_has_is_refused(box: Box, section: str, key: str) -> None:
    assert box.save(section, **{key: 1})["error"] == "FIXED"
    assert box.save(section, key)["error"] == "FIXED"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"section": 3},
        {"section": "light", "values": [], "rev": "x"},
        {"section": "light", "values": {"dim": 1}},
        {"section": "light", "values": {f"k{n}": 1 for n in range(100)}, "rev": "x"},
        {"section": "light" * 100, "values": {"dim": 1}, "rev": "x"},
        {"section": "light", "back": "dim", "rev": "x"},
    ],
)
def test_what_is_no_request_is_unreadable(box: Box, fields: dict[str, object]) -> None:
    assert box.ask("owner_save", **box.key, **fields)["error"] == "UNREADABLE"


def test_the_second_of_two_owners_sees_what_changed(box: Box) -> None:
    beto = box.key, box.look()["rev"]
    ana = box.ask("owner_save", **box.key, section="light", values={"dim": 5}, rev=box.rev)
    assert ana["ok"]
    answer = box.ask("owner_save", **beto[0], section="light", values={"dim": 9}, rev=beto[1])
    assert answer["error"] == "STALE"
    assert answer["last"] == {"name": "Ana", "section": "light", "keys": ["dim"]}
    assert box.table.table.session.settings.light.dim == 5.0


def test_a_choice_at_the_box_counts_as_a_change_too(box: Box) -> None:
    rev = box.look()["rev"]
    box.table.choose("light")
    box.table.press("A.quiero", then=1.0)
    box.table.press("B.tantos", "A.quiero", then=1.0)
    answer = box.ask("owner_save", **box.key, section="light", values={"dim": 9}, rev=rev)
    assert answer["error"] == "STALE"


def test_an_answer_fits_into_a_line_of_the_socket(box: Box) -> None:
    assert len(json.dumps(box.look()).encode()) < MAX_LINE_BYTES // 2
