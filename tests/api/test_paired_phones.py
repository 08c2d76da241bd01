"""Registry of paired phones: stored by name, with the digest of their key."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from scorer.api.paired_phones import (
    CODE_DIGITS,
    MAX_NAME_CHARS,
    SETTING_KEY,
    PhoneRegistry,
    codes_match,
    new_pairing_code,
)


class Drawer:
    """Settings in memory."""

    def __init__(self, kept: str | None = None) -> None:
        self.values = {} if kept is None else {SETTING_KEY: kept}

    def settings(self) -> dict[str, str]:
        return self.values

    def set_setting(self, key: str, value: str) -> None:
        self.values[key] = value


class Full(Drawer):
    """A store that is full."""

    def set_setting(self, key: str, value: str) -> None:
        raise OSError("no room")


def test_a_phone_is_known_by_its_key_and_by_no_other() -> None:
    phones = PhoneRegistry(Drawer())
    ana, key = phones.add("Ana")
    beto, other = phones.add("Beto")
    assert phones.authenticate(ana.id, key) == ana
    for wrong in (other, "", key[:-1], key + "0", ana.digest, None, 7, "é", "\ud800"):
        assert phones.authenticate(ana.id, wrong) is None
    for nobody in (beto.id, "", None, 7):
        assert phones.authenticate(nobody, key) is None


def test_what_is_kept_opens_nothing() -> None:
    drawer = Drawer()
    phone, key = PhoneRegistry(drawer).add("Ana")
    assert key not in drawer.values[SETTING_KEY]
    assert PhoneRegistry(drawer).authenticate(phone.id, phone.digest) is None


def test_phones_outlive_the_process() -> None:
    drawer = Drawer()
    phone, key = PhoneRegistry(drawer).add("Ana")
    assert PhoneRegistry(drawer).authenticate(phone.id, key) == phone
    assert PhoneRegistry(drawer).names == ((phone.id, "Ana"),)


def test_a_removed_phone_is_not_authenticated() -> None:
    drawer = Drawer()
    phones = PhoneRegistry(drawer)
    ana, key = phones.add("Ana")
    beto, other = phones.add("Beto")
    phones.remove((ana.id,))
    assert phones.authenticate(ana.id, key) is None
    assert PhoneRegistry(drawer).authenticate(beto.id, other) == beto


def test_a_change_that_could_not_be_stored_has_no_effect() -> None:
    phones = PhoneRegistry(Full())
    with pytest.raises(OSError, match="no room"):
        phones.add("Ana")
    assert phones.phones == ()


def test_no_two_phones_have_one_name() -> None:
    phones = PhoneRegistry(Drawer())
    for _ in range(12):
        phones.add("Ana")
    long = "A" * MAX_NAME_CHARS
    phones.add(long), phones.add(long)
    names = [name for _, name in phones.names]
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
    assert PhoneRegistry(Drawer(json.dumps(kept))).names == (("a", "Ana"),)


def digits() -> Iterator[str]:
    return (new_pairing_code() for _ in range(200))


def test_digits_are_six_and_never_the_same_for_long() -> None:
    made = list(digits())
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
