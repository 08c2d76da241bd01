"""``scorer phones``: what the store knows of phones."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer import cli
from scorer.api.paired_phones import OWNERS_KEY, SETTING_KEY, PhoneRegistry
from scorer.store.journal import Journal, Stamp
from tests.api.test_requests import ME
from tests.support.phone_pairing import show_new_code
from tests.support.table_client import TableClient
from tests.table.table_process import running_table, table_on


def stamp(day: int, *, trusted: bool = True) -> Stamp:
    return Stamp("boot", 0, f"2026-05-{day:02}T12:00:00+00:00", trusted)


def printed(capsys: pytest.CaptureFixture[str], store: Path, code: int = 0) -> list[str]:
    arguments = ["phones", "--store", str(store), "--config", "/none"]
    assert cli.main(arguments) == code
    output = capsys.readouterr()
    return (output.err if code else output.out).splitlines()


def test_phones_and_events_are_listed_with_their_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(tmp_path) as journal:
        phones = PhoneRegistry(journal)
        ana, _ = phones.add("Ana", "192.168.1.7 (scorer-web)", stamp(1))
        beto, _ = phones.add("Beto", "192.168.1.8 (scorer-web)", stamp(2, trusted=False))
        eva, _ = phones.add("Eva", "192.168.1.9 (scorer-web)", stamp(3))
        phones.remove((eva.id,), "A", stamp(4))
        first, second, *events = printed(capsys, tmp_path)
    assert first == f"{ana.id}  Ana, last used 2026-05-01"
    assert second == f"{beto.id}  Beto, last used on an unknown day"
    assert [line[16:] for line in events] == [
        f"  paired {ana.id} Ana, by 192.168.1.7 (scorer-web)",
        f"? paired {beto.id} Beto, by 192.168.1.8 (scorer-web)",
        f"  paired {eva.id} Eva, by 192.168.1.9 (scorer-web)",
        f"  forgotten {eva.id} Eva, by A",
    ]
    assert events[0].startswith("2026-05-01 ")


def test_phones_of_an_older_store_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(tmp_path) as journal:
        journal.set_setting(SETTING_KEY, '[{"id": "a1", "name": "Ana", "digest": "d"}]')
    assert printed(capsys, tmp_path) == ["a1  Ana, last used on an unknown day"]


def test_without_a_store_it_says_that_there_is_none_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (told,) = printed(capsys, tmp_path / "none", code=1)
    assert (
        told
        == f"scorer phones: {tmp_path / 'none'} has no games yet: it is made at the first start"
    )


def test_a_store_without_phones_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Journal.open(tmp_path).close()
    assert printed(capsys, tmp_path) == ["no phone is paired"]


def test_a_store_that_cannot_be_read_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = printed(capsys, tmp_path / "none", code=1)
    assert line.startswith("scorer phones: ")


def test_it_reads_beside_a_table_that_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_table(table_on(tmp_path / "store", socket=tmp_path / "table.sock")) as told:
        with TableClient(tmp_path / "table.sock") as asks:
            code = show_new_code(told)
            answer = asks.ask(do="pair", code=code, name="Ana", address="192.168.1.7")
        phone, event = printed(capsys, tmp_path / "store")
    assert phone.startswith(f"{answer['phone']}  Ana, last used ")
    assert event.endswith(f"  paired {answer['phone']} Ana, by 192.168.1.7 ({ME})")


def test_owners_are_listed_apart_from_phones_that_press(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(tmp_path) as journal:
        owners = PhoneRegistry(journal, OWNERS_KEY, "owner ")
        ana, _ = owners.add("Ana", "192.168.1.7 (scorer-web)", stamp(1))
        none, owner, event = printed(capsys, tmp_path)
    assert none == "no phone is paired"
    assert owner == f"{ana.id}  Ana, changes the settings, last used 2026-05-01"
    assert event[16:] == f"  owner paired {ana.id} Ana, by 192.168.1.7 (scorer-web)"
