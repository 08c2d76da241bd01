"""Registry of paired phones: stored by name, with the digest of their key."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest

from scorer.api.paired_phones import (
    CODE_DIGITS,
    MAX_NAME_CHARS,
    MAX_UNUSED_DAYS,
    SETTING_KEY,
    Phone,
    PhoneRegistry,
    codes_match,
    new_pairing_code,
)
from scorer.session.values.box_settings import PairedPhone
from scorer.store.events import Event
from scorer.store.journal import Stamp, StoreError

FIRST = date(2026, 5, 1)
SOURCE = "192.168.1.7 (scorer-web)"


def on(day: date = FIRST, *, trusted: bool = True) -> Stamp:
    """Noon of a day, by a clock that was set or not."""
    return Stamp("boot", 0, f"{day}T12:00:00+00:00", trusted)


def after(days: int, *, trusted: bool = True) -> Stamp:
    return on(FIRST + timedelta(days), trusted=trusted)


class Drawer:
    """Settings in memory."""

    def __init__(self, kept: str | None = None) -> None:
        self.values = {} if kept is None else {SETTING_KEY: kept}
        self.events: list[Event] = []
        self.writes = 0

    def settings(self) -> dict[str, str]:
        return self.values

    def set_setting(self, key: str, value: str, record: Sequence[Event] = ()) -> None:
        self.values[key] = value
        self.events += record
        self.writes += 1


class Full(Drawer):
    """A store that is full."""

    def set_setting(self, key: str, value: str, record: Sequence[Event] = ()) -> None:
        raise StoreError("full", Path("scorer.sqlite3"))


def test_a_phone_is_known_by_its_key_and_by_no_other() -> None:
    phones = PhoneRegistry(Drawer())
    ana, key = phones.add("Ana", SOURCE, on())
    beto, other = phones.add("Beto", SOURCE, on())
    assert phones.authenticate(ana.id, key, on()) == ana
    for wrong in (other, "", key[:-1], key + "0", ana.digest, None, 7, "é", "\ud800"):
        assert phones.authenticate(ana.id, wrong, on()) is None
    for nobody in (beto.id, "", None, 7):
        assert phones.authenticate(nobody, key, on()) is None


def test_what_is_kept_opens_nothing() -> None:
    drawer = Drawer()
    phone, key = PhoneRegistry(drawer).add("Ana", SOURCE, on())
    assert key not in drawer.values[SETTING_KEY]
    assert PhoneRegistry(drawer).authenticate(phone.id, phone.digest, on()) is None


def test_phones_outlive_the_process() -> None:
    drawer = Drawer()
    phone, key = PhoneRegistry(drawer).add("Ana", SOURCE, on())
    assert PhoneRegistry(drawer).authenticate(phone.id, key, on()) == phone
    assert PhoneRegistry(drawer).listed(on()) == (PairedPhone(phone.id, "Ana", 0),)


def test_a_removed_phone_is_not_authenticated() -> None:
    drawer = Drawer()
    phones = PhoneRegistry(drawer)
    ana, key = phones.add("Ana", SOURCE, on())
    beto, other = phones.add("Beto", SOURCE, on())
    assert phones.remove((ana.id,), "A", on()) == (ana,)
    assert phones.authenticate(ana.id, key, on()) is None
    assert PhoneRegistry(drawer).authenticate(beto.id, other, on()) == beto


def test_a_change_that_could_not_be_stored_has_no_effect() -> None:
    phones = PhoneRegistry(Full())
    with pytest.raises(StoreError):
        phones.add("Ana", SOURCE, on())
    assert phones.phones == ()


def test_no_two_phones_have_one_name() -> None:
    phones = PhoneRegistry(Drawer())
    for _ in range(12):
        phones.add("Ana", SOURCE, on())
    long = "A" * MAX_NAME_CHARS
    phones.add(long, SOURCE, on()), phones.add(long, SOURCE, on())
    names = [each.name for each in phones.phones]
    assert len(set(names)) == len(names)
    assert names[:3] == ["Ana", "Ana 2", "Ana 3"]
    assert max(map(len, names)) <= MAX_NAME_CHARS


@pytest.mark.parametrize(
    "kept", ["", "{}", "7", "null", "[7]", "[{}]", '[{"id": 1}]', "[" * 5000, '["x"]', "nonsense",
             '[{"id": "a", "name": "b"}]', '[{"id": "a", "name": 7, "digest": "c"}]'],
)  # fmt: skip
def test_invalid_entries_are_skipped(kept: str) -> None:
    assert PhoneRegistry(Drawer(kept)).phones == ()


def test_what_a_newer_box_has_kept_besides_is_passed_over() -> None:
    kept = [{"id": "a", "name": "Ana", "digest": "d", "colour": "red"}]
    assert PhoneRegistry(Drawer(json.dumps(kept))).phones == (Phone("a", "Ana", "d"),)


# ---- the last use of a key ----------------------------------------------------------------------


def test_pairing_and_forgetting_are_events_of_the_store() -> None:
    drawer = Drawer()
    phones = PhoneRegistry(drawer)
    (ana, _), (beto, _) = phones.add("Ana", SOURCE, on()), phones.add("Beto", SOURCE, on())
    phones.remove((ana.id, beto.id), "A", after(1))
    assert drawer.events == [
        Event(f"paired {ana.id} Ana", SOURCE, on()),
        Event(f"paired {beto.id} Beto", SOURCE, on()),
        Event(f"forgotten {ana.id} Ana", "A", after(1)),
        Event(f"forgotten {beto.id} Beto", "A", after(1)),
    ]


def test_the_days_since_the_last_use_are_listed() -> None:
    phones = PhoneRegistry(Drawer())
    ana, key = phones.add("Ana", SOURCE, on())
    phones.add("Beto", SOURCE, after(1))
    phones.authenticate(ana.id, key, after(3))
    assert [each.unused_days for each in phones.listed(after(5))] == [2, 4]
    assert [each.unused_days for each in phones.listed(after(5, trusted=False))] == [None, None]
    assert [each.unused_days for each in phones.listed(after(-5))] == [0, 0], "the clock went back"


def test_the_last_use_is_written_once_a_day() -> None:
    drawer = Drawer()
    phones = PhoneRegistry(drawer)
    ana, key = phones.add("Ana", SOURCE, on())
    for _ in range(3):
        phones.authenticate(ana.id, key, on())
    assert drawer.writes == 1
    for _ in range(3):
        assert phones.authenticate(ana.id, key, after(1)) is not None
        phones.authenticate(ana.id, key, after(2, trusted=False))
        phones.authenticate(ana.id, "wrong", after(3))
    assert drawer.writes == 2
    assert PhoneRegistry(drawer).phones[0].seen == "2026-05-02"


def test_a_key_is_valid_for_a_year_after_its_last_use_and_no_longer() -> None:
    drawer = Drawer()
    phones = PhoneRegistry(drawer)
    ana, key = phones.add("Ana", SOURCE, on())
    late = after(MAX_UNUSED_DAYS)
    assert PhoneRegistry(drawer).expire(late) == ()
    assert phones.authenticate(ana.id, key, late) is not None
    later = after(2 * MAX_UNUSED_DAYS + 1)
    assert phones.authenticate(ana.id, key, later) is None
    assert [each.id for each in phones.expire(later)] == [ana.id]
    assert phones.phones == ()
    assert drawer.events[-1] == Event(f"expired {ana.id} Ana", "menu", later)


def test_a_clock_that_was_not_set_expires_no_key() -> None:
    phones = PhoneRegistry(Drawer())
    ana, key = phones.add("Ana", SOURCE, on())
    unset = after(10 * MAX_UNUSED_DAYS, trusted=False)
    assert phones.expire(unset) == ()
    assert phones.authenticate(ana.id, key, unset) is not None
    assert phones.phones[0].seen == str(FIRST), "and notes no day"


@pytest.mark.parametrize("seen", [None, "", "yesterday", 7, "2999-01-01"])
def test_the_year_of_an_unknown_day_begins_when_the_clock_is_set(seen: object) -> None:
    """Of an older store, of a box without a clock, or of a clock that was wrong."""
    drawer = Drawer(json.dumps([{"id": "a", "name": "Ana", "digest": "d", "seen": seen}]))
    phones = PhoneRegistry(drawer)
    assert phones.expire(on()) == ()
    assert phones.phones[0].seen == str(FIRST)
    assert phones.expire(after(MAX_UNUSED_DAYS)) == ()
    assert len(phones.expire(after(MAX_UNUSED_DAYS + 1))) == 1


def test_an_expired_key_opens_nothing_though_the_store_cannot_be_written() -> None:
    drawer = Drawer()
    ana, key = PhoneRegistry(drawer).add("Ana", SOURCE, on())
    full = PhoneRegistry(Full(drawer.values[SETTING_KEY]))
    assert full.authenticate(ana.id, key, after(1)) is not None
    assert full.authenticate(ana.id, key, after(MAX_UNUSED_DAYS + 1)) is None


def test_digits_are_six_and_never_the_same_for_long() -> None:
    made = [new_pairing_code() for _ in range(200)]
    assert {len(each) for each in made} == {CODE_DIGITS}
    assert all(each.isascii() and each.isdigit() for each in made)
    assert len(set(made)) > 190


@pytest.mark.parametrize(
    ("said", "same"),
    [("408153", True), ("408 153", True), (" 408153 ", True), ("408154", False), ("", False),
     ("4081530", False), ("40815", False), (None, False), (408153, False), ("٤٠٨١٥٣", False),
     ("\ud800", False)],
)  # fmt: skip
def test_digits_are_compared_as_they_are_read(said: object, same: bool) -> None:
    assert codes_match("408153", said) is same
