"""Phones at a real table: paired with the panel's code, after the buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.api.test_requests import ME
from tests.support.phone_pairing import open_phones, show_new_code, shown_code, undo_everything
from tests.support.table_client import Message, TableClient
from tests.table.table_process import TableDriver, running_table, table_on

WRONG = "x"  # never what six digits are
PAIRED: list[dict[str, str]] = []  # by the test before


class Paired:
    """A phone with its key, and how it asks."""

    def __init__(self, asks: TableClient, told: Message) -> None:
        assert told["ok"] is True, told
        self.name = told["name"]
        self._asks, self._who = asks, {"phone": told["phone"], "key": told["key"]}
        PAIRED.append(self._who)

    def ask(self, wish: str, **more: object) -> Message:
        return self._asks.ask(do=wish, **self._who, **more)

    def press(self, button: str, side: str = "", seq: int | None = None, **more: object) -> Message:
        """A press on the newest score there is, unless another one is named."""
        if seq is None:
            seq = self.ask("phone")["seq"]
        return self.ask("press", button=button, side=side, seq=seq, **more)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("phones") / "table.sock"


@pytest.fixture(scope="module")
def evening(path: Path) -> Iterator[TableDriver]:
    with running_table(table_on(path.parent / "store", socket=path)) as one:
        yield one


@pytest.fixture
def told(evening: TableDriver, path: Path) -> TableDriver:
    """The one table of all these tests, as new."""
    with TableClient(path) as asks:
        for who in PAIRED:
            asks.ask(do="unpair", **who)
    PAIRED.clear()
    undo_everything(evening, path)
    return evening


@pytest.fixture
def calls(told: TableDriver, path: Path) -> Iterator[Callable[[], TableClient]]:
    """Further connections to the table, closed at the end."""
    made: list[TableClient] = []

    def call() -> TableClient:
        made.append(TableClient(path))
        return made[-1]

    yield call
    for each in made:
        each.close()


@pytest.fixture
def asks(calls: Callable[[], TableClient]) -> TableClient:
    return calls()


def pair(told: TableDriver, asks: TableClient, name: str) -> Paired:
    """Pairs a phone as people do, and closes set-up behind it."""
    answer = asks.ask(do="pair", code=show_new_code(told), name=name)
    leave(told)
    return Paired(asks, answer)


def leave(told: TableDriver) -> None:
    told.press("menu", duration_s=4.0)
    assert told.report.screen != "setup"


def test_no_phone_is_paired_while_no_code_is_shown(told: TableDriver, asks: TableClient) -> None:
    seq = told.report.seq
    for request in ({}, {"code": "123456", "name": "Ana"}, {"code": "", "name": ""}):
        assert asks.ask(do="pair", **request)["error"] == "NO_CODE"
    assert asks.ask(do="press", button="truco", side="A", seq=seq)["error"] == "UNPAIRED"
    assert asks.ask(do="phone", phone="", key="")["error"] == "UNPAIRED"
    assert told.wait(0.1).seq == seq


def test_the_panel_shows_a_code_and_a_phone_that_sends_it_is_paired(
    told: TableDriver, asks: TableClient
) -> None:
    shown = show_new_code(told)
    assert asks.ask(do="pair") == {"ok": True, "tries": 3}
    answer = asks.ask(do="pair", code=shown, name="  Ana \u202e \n")
    assert Paired(asks, answer).name == "Ana"
    assert asks.ask(do="pair", code=shown, name="Beto")["error"] == "NO_CODE", "used up"
    assert "Ana ya puede anotar" in told.wait(0.1).text


def guess(asks: TableClient, code: str, address: str) -> Message:
    return asks.ask(do="pair", code=code, name="Eva", address=address)


def test_three_wrong_codes_close_an_address_and_the_panel_names_it(
    told: TableDriver, asks: TableClient
) -> None:
    shown = show_new_code(told)
    answers = [guess(asks, WRONG, "192.168.1.9") for _ in range(4)]
    assert [(answer["error"], answer["tries"]) for answer in answers] == [
        ("WRONG_CODE", 2), ("WRONG_CODE", 1), ("WRONG_CODE", 0), ("BLOCKED", 0)
    ]  # fmt: skip
    assert guess(asks, shown, "192.168.1.9")["error"] == "BLOCKED", "also with the right one"
    assert "192.168.1.9" in told.wait(0.1).text[-1]
    told.wait(10.0)
    assert shown_code(told) == shown
    assert asks.ask(do="pair", address="192.168.1.9")["tries"] == 0
    Paired(asks, guess(asks, shown, "192.168.1.7"))


def test_twenty_wrong_codes_end_the_digits_and_the_panel_names_the_last_address(
    told: TableDriver, asks: TableClient
) -> None:
    shown = show_new_code(told)
    for number in range(20):
        answer = guess(asks, WRONG, f"2001:db8:{number // 3}::/64")
        assert answer["tries"] == min(2 - number % 3, 19 - number)
    assert guess(asks, shown, "192.168.1.7")["error"] == "NO_CODE"
    assert "2001:db8:6::/64 anuló el código" in told.wait(0.1).text


def test_clients_without_an_address_count_as_one(told: TableDriver, asks: TableClient) -> None:
    show_new_code(told)
    odd: tuple[object, ...] = (None, "", ["192.168.1.9"])
    answers = [
        asks.ask(do="pair", code=WRONG, name="Eva", address=address)["tries"] for address in odd
    ]
    assert answers == [2, 1, 0]
    assert asks.ask(do="pair", code=WRONG, name="Eva")["error"] == "BLOCKED"
    assert asks.ask(do="pair", address="192.168.1.9")["tries"] == 3


def test_a_code_without_a_name_costs_no_try(told: TableDriver, asks: TableClient) -> None:
    shown = show_new_code(told)
    for name in ("", " ", None, 7, "\u200b\u202e"):
        assert asks.ask(do="pair", code=shown, name=name)["error"] == "NAME"
    assert asks.ask(do="pair")["tries"] == 3


def test_a_phone_presses_and_the_history_says_which(told: TableDriver, asks: TableClient) -> None:
    eva, seq = pair(told, asks, "Eva"), told.report.seq
    answer = eva.press("truco", "A")
    assert (answer["ok"], answer["verdict"], answer["seq"]) == (True, "taken", seq + 1)
    assert told.wait(0.2).screen == "pending"
    (row,) = asks.ask(do="journal", **{"from": seq + 1})["rows"]
    assert (row["line"], row["source"]) == ("A truco", f"phone {eva.name} ({ME})")


@pytest.mark.sampled(0)
def test_of_two_phones_at_once_the_second_is_stale(
    told: TableDriver, asks: TableClient, calls: Callable[[], TableClient]
) -> None:
    ana, beto = pair(told, asks, "Ana"), pair(told, calls(), "Beto")
    seq = told.report.seq
    assert ana.press("truco", "A", seq=seq)["ok"] is True
    answer = beto.press("truco", "B", seq=seq)
    assert (answer["error"], answer["seq"]) == ("STALE", seq + 1)
    for wrong in (None, True, str(seq + 1), seq + 1.0, -1, seq + 2):
        assert beto.ask("press", button="no_quiero", side="B", seq=wrong)["error"] == "STALE"
    assert beto.press("no_quiero", "B", seq=seq + 1)["ok"] is True
    assert told.wait(0.2).state["score"] == {"A": 1, "B": 0}


def test_a_refusal_says_why_in_the_words_of_the_panel_and_leaves_the_panel_alone(
    told: TableDriver, asks: TableClient
) -> None:
    ana = pair(told, asks, "Ana")
    before = told.wait(0.5).text
    answer = ana.press("quiero", "A")
    assert (answer["error"], answer["say"]) == ("REFUSED", "refusal.NOTHING_TO_ANSWER")
    report = told.wait(0.5)
    assert (report.text, report.press, report.sounds) == (before, (), ())


def test_a_press_without_sense_gets_a_sentence(told: TableDriver, asks: TableClient) -> None:
    ana, seq = pair(told, asks, "Ana"), told.report.seq
    senseless: tuple[dict[str, object], ...] = (
        {"button": 7}, {"side": ["A"]}, {"hold": "yes"}, {"hold": None}, {"question": {}},
        {"button": "x" * 41},
    )  # fmt: skip
    for wish in senseless:
        answer = ana.ask("press", **{"button": "truco", "side": "A", "seq": seq, **wish})
        assert (answer["ok"], answer["error"]) == (False, "UNREADABLE"), wish
    assert told.wait(0.1).seq == seq


@pytest.mark.sampled(0)
def test_a_phone_may_forget_itself_and_no_other(told: TableDriver, asks: TableClient) -> None:
    ana, beto = pair(told, asks, "Ana"), pair(told, asks, "Beto")
    assert ana.ask("unpair")["ok"] is True
    assert ana.ask("unpair")["error"] == "UNPAIRED"
    assert beto.ask("phone")["name"] == "Beto"


def pass_days(told: TableDriver, days: int) -> None:
    """Leave the box alone, wake its panels and go on with the game."""
    told.wait(days * 24 * 3600.0)
    told.press("menu")
    if told.report.screen == "question":
        told.press("A.quiero")
    assert told.report.screen == "playing"


@pytest.mark.sampled(0)
def test_the_list_at_the_box_shows_the_last_use_of_each_phone(
    told: TableDriver, asks: TableClient
) -> None:
    ana = pair(told, asks, "Ana")
    told.wait(0.1)
    open_phones(told)
    told.press("B.tantos")
    assert ("hoy", "Ana") in pairwise(told.report.text)
    leave(told)
    pass_days(told, 4)
    pair(told, asks, "Beto")
    open_phones(told)
    told.press("B.tantos")
    assert ("hace 4 días", "Ana") in pairwise(told.report.text)
    leave(told)
    assert ana.ask("phone")["ok"] is True
    open_phones(told)
    told.press("B.tantos")
    assert ("hoy", "Ana") in pairwise(told.report.text)
    leave(told)


@pytest.mark.sampled(0)
def test_a_key_expires_a_year_after_its_last_use(told: TableDriver, asks: TableClient) -> None:
    ana, beto = pair(told, asks, "Ana"), pair(told, asks, "Beto")
    pass_days(told, 300)
    assert beto.ask("phone")["ok"] is True
    pass_days(told, 70)
    assert ana.ask("phone")["error"] == "UNPAIRED"
    assert ana.press("truco", "A", seq=told.report.seq)["error"] == "UNPAIRED"
    assert beto.ask("phone")["ok"] is True
    open_phones(told)
    assert "Ana" not in told.text and "Beto" in told.text
    leave(told)


def test_phones_outlive_a_power_cut_and_digits_do_not(
    told: TableDriver, asks: TableClient, calls: Callable[[], TableClient]
) -> None:
    ana = pair(told, asks, "Ana")
    shown = show_new_code(told)
    told.power_cut()
    again = calls()
    assert again.ask(do="pair", code=shown, name="Eva")["error"] == "NO_CODE"
    ana._asks = again
    assert ana.press("truco", "A")["ok"] is True


# The box goes first.


@pytest.mark.sampled(0)
def test_a_finger_at_the_box_goes_before_a_phone(told: TableDriver, asks: TableClient) -> None:
    ana = pair(told, asks, "Ana")
    told.hold("B.no_quiero", duration_s=0.3)
    assert ana.press("truco", "A")["say"] == "notice.phone_busy"
    told.release(duration_s=1.0)
    assert ana.press("truco", "A")["ok"] is True


@pytest.mark.sampled(0)
def test_a_phone_cannot_close_set_up(told: TableDriver, asks: TableClient) -> None:
    ana = pair(told, asks, "Ana")
    open_phones(told)
    assert ana.press("truco", "A")["say"] == "notice.phone_setup"
    assert told.wait(0.1).screen == "setup"


def test_an_undo_at_the_box_takes_a_phones_press_back_and_stands(
    told: TableDriver, asks: TableClient
) -> None:
    ana = pair(told, asks, "Ana")
    ana.press("truco", "A")
    told.press("undo")
    assert told.report.state["pending"] is None
    assert ana.press("truco", "A")["say"] == "notice.phone_undone"
    told.wait(6.0)
    assert ana.press("truco", "A")["ok"] is True


def test_a_question_is_published_and_answered_by_who_has_seen_it(
    told: TableDriver, asks: TableClient
) -> None:
    ana = pair(told, asks, "Ana")
    asks.ask(do="phone")
    assert "question" not in asks.state
    assert ana.press("no_quiero", "A", hold=True)["verdict"] == "question"
    ana.ask("phone")
    question = asks.state["question"]
    assert (question["key"], question["blocks"], question["yes"]["by"]) == (
        "fold_first",
        False,
        ["A"],
    )
    assert told.wait(0.2).screen == "question"
    assert ana.press("quiero", "A")["say"] == "notice.phone_question"
    assert ana.press("quiero", "A", question="fold_first")["ok"] is True
    assert told.wait(0.2).state["score"] == {"A": 0, "B": 2}
    ana.ask("phone")
    assert "question" not in asks.state


def test_the_store_holds_no_key(told: TableDriver, asks: TableClient, path: Path) -> None:
    answer = asks.ask(do="pair", code=show_new_code(told), name="Ana")
    assert Paired(asks, answer).ask("phone")["ok"] is True
    files = (path.parent / "store").iterdir()
    kept = b"".join(file.read_bytes() for file in files if file.is_file())
    assert answer["phone"].encode() in kept
    assert answer["key"].encode() not in kept


def unnamed(phone: Paired) -> Paired:
    """A phone at the table, whose teams have no names."""
    phone.ask("names", names={"A": "", "B": ""})
    return phone


@pytest.mark.sampled(0)
def test_a_phone_names_the_teams_at_once_and_undo_takes_nothing_back(
    told: TableDriver, asks: TableClient
) -> None:
    ana = unnamed(pair(told, asks, "Ana"))
    seq = told.wait(0.1).seq
    answer = ana.ask("names", names={"A": " Los\tPibes ", "B": "La Yunta"})
    assert (answer["ok"], answer["names"]) == (True, {"A": "Los Pibes", "B": "La Yunta"})
    assert "La Yunta" in told.wait(0.1).text
    assert told.report.seq == seq, "not part of the score"
    assert ana.ask("names", names={"B": ""})["names"] == {"A": "Los Pibes", "B": ""}
    told.press("undo")
    told.power_cut()
    assert "Los Pibes" in told.text


def test_every_client_hears_of_a_new_name(told: TableDriver, asks: TableClient, path: Path) -> None:
    ana = unnamed(pair(told, asks, "Ana"))
    ana.ask("names", names={"A": "Los Pibes"})
    with TableClient(path) as other:
        assert other.state["names"] == {"A": "Los Pibes", "B": ""}
        ana.ask("names", names={"A": "La Yunta"})
        other.ask(do="journal")
        assert other.state["names"] == {"A": "La Yunta", "B": ""}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("names", "error"),
    [
        (None, "UNREADABLE"),
        ({}, "UNREADABLE"),
        ("Los Pibes", "UNREADABLE"),
        (["Los Pibes", ""], "UNREADABLE"),
        ({"C": "Los Pibes"}, "UNREADABLE"),
        ({"A": 1}, "UNREADABLE"),
        ({"A": None}, "UNREADABLE"),
        ({"A": "x" * 41}, "NAME"),
        ({"A": "Los Pibes", "B": "x" * 4000}, "NAME"),
        ({"A": " "}, "NAME"),
        ({"A": "\u200b\u200d"}, "NAME"),
        ({"A": "\u0301"}, "NAME"),
        ({"A": "Ana", "B": "ANÁ"}, "REFUSED"),
    ],
)
def test_wrong_names_change_nothing_and_say_why(
    told: TableDriver, asks: TableClient, names: object, error: str
) -> None:
    ana = unnamed(pair(told, asks, "Ana"))
    answer = ana.ask("names", names=names)
    assert (answer["ok"], answer["error"]) == (False, error)
    assert ana.ask("names", names={"B": "x" * 40})["names"]["A"] == ""


def test_names_are_refused_without_pairing_and_while_set_up_is_open(
    told: TableDriver, asks: TableClient
) -> None:
    assert asks.ask(do="names", names={"A": "Los Pibes"})["error"] == "UNPAIRED"
    ana = unnamed(pair(told, asks, "Ana"))
    told.press("menu", held_s=0.9)
    answer = ana.ask("names", names={"A": "Los Pibes"})
    assert (answer["error"], answer["say"]) == ("REFUSED", "notice.phone_setup")
    leave(told)
    assert ana.ask("names", names={})["error"] == "UNREADABLE"
    assert ana.ask("names", names={"A": "Los Pibes"})["ok"] is True


WRONG_NAMES: tuple[tuple[dict[str, object], str], ...] = (
    ({}, "UNREADABLE"),
    ({"pair": "A"}, "UNREADABLE"),
    ({"pair": 1, "name": "Los Pibes"}, "UNREADABLE"),
    ({"pair": "A", "name": "x" * 41}, "NAME"),
    ({"pair": "A", "name": "\t"}, "NAME"),
    ({"pair": "A", "name": "\u0301"}, "NAME"),
    ({"pair": "nobody", "name": "Los Pibes"}, "NO_SUCH_PAIR"),
)


def test_a_wrong_name_of_a_pair_is_refused_and_costs_no_point(
    told: TableDriver, asks: TableClient
) -> None:
    ana = pair(told, asks, "Ana")
    before = told.wait(0.1).seq
    for fields, error in WRONG_NAMES:
        answer = ana.ask("pair_name", **fields)
        assert (answer["ok"], answer["error"]) == (False, error), fields
    assert told.wait(0.1).seq == before
