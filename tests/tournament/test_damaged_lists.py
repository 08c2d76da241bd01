"""What a list with letters of a wrong encoding costs, beside one without."""

from __future__ import annotations

import time
from functools import cache
from itertools import islice, product

import pytest

from scorer.tournament.entry_list import MAX_CHARS, read_entries
from scorer.tournament.pasted_list import EntryFault, decoded, read_lines, repaired
from tests.tournament.play import Played, built_in

ENCODINGS = ("latin-1", "mac_roman", "cp850", "cp437")
LETTERS = "áéíóúñçãõêôüàłšžđćøåæœßþ€–“”"
MOST = 8.0  # times the list without such letters


def listed(words: list[str]) -> str:
    """Lines of 160 letters, as long as a list may be."""
    once = " ".join(words)
    text = f"{once} " * (1 + MAX_CHARS // len(once))
    return "\n".join(text[at : at + 160] for at in range(0, MAX_CHARS, 161))[:MAX_CHARS]


def three_letters() -> list[str]:
    return ["".join(each) for each in islice(product(LETTERS, repeat=3), 20_000)]


# All words differ: one that has been mended before costs nothing.
DEAR = {
    **{
        encoding: listed(
            [f"{each.encode().decode(encoding, 'ignore')}a" for each in three_letters()]
        )
        for encoding in ENCODINGS
    },
    "no damage": listed([f"{each}a" for each in three_letters()]),
    "first bytes": listed(["Ãa"]),
    "twice": listed(
        [each.encode().decode("latin-1").encode().decode("latin-1") for each in three_letters()]
    ),
}


def cost(text: str) -> float:
    """Processor seconds of the cheapest of three readings."""
    found = []
    for _ in range(3):
        begun = time.process_time()
        read_lines(text)
        found.append(time.process_time() - begun)
    return min(found)


@cache
def cost_without_damage() -> float:
    return cost(listed(["Los", "Pibes,", "Juan"]))


@pytest.mark.sampled(0)
@pytest.mark.parametrize("text", DEAR.values(), ids=DEAR)
def test_a_damaged_list_costs_little_more_than_another(text: str) -> None:
    assert len(text) > 0.9 * MAX_CHARS
    assert cost(text) <= MOST * cost_without_damage()


@pytest.mark.sampled(0)
def test_a_list_of_some_megabytes_is_refused_before_it_is_read() -> None:
    state = Played(built_in("swiss")).state
    text = DEAR["cp850"] * 20
    begun = time.process_time()
    found = read_entries(text, state)
    assert [each.fault for each in found.errors] == [EntryFault.TOO_LONG_LIST]
    assert time.process_time() - begun <= cost("Los Pibes") + 0.1 * cost(DEAR["cp850"])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_letters_are_mended_from_every_encoding(encoding: str) -> None:
    damaged = "ñ".encode().decode(encoding)
    assert repaired(f"a{damaged}b") == "añb"
    assert repaired(f"a{damaged}{damaged}b") == "aññb"


def test_every_byte_of_a_spreadsheet_has_a_letter() -> None:
    text = decoded(b"\xff\xe9" + bytes(range(0x20, 0x100)))
    assert text.startswith("ÿé !")
    assert "€" in text and "\x81" in text
