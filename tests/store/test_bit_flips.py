"""Flipped bits in the file, where SQLite does not check, and in the log.

``make faults`` does more.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from scorer.store import file, header
from scorer.store.journal import Journal, StoreError
from scorer.store.open_or_salvage import open_or_salvage
from scorer.store.salvage import salvage
from tests.longrun.faults import bits
from tests.sampling import sample
from tests.store import presses

STRIDE = 401


@pytest.mark.sampled(0)
def test_a_flipped_bit_anywhere_is_detected_or_harmless(tmp_path: Path) -> None:
    whole = bits.night(tmp_path / "night")
    places = sample(bits.places(whole, STRIDE), 60)
    results = Counter(bits.turned(tmp_path, whole, bit) for bit in places)
    print(f"{len(whole)} bytes, {results.total()} bits turned over: {dict(results)}")
    assert set(results) <= {*bits.ALLOWED}
    assert min(results[bits.TRUTH], results[bits.SALVAGED], results[bits.OLD]) > 0


@pytest.mark.sampled(0)
def test_a_page_that_claims_too_many_rows_causes_no_endless_loop(tmp_path: Path) -> None:
    """SQLite then returns decreasing row numbers.

    Continuing from those would loop endlessly.
    """
    whole = bits.night(tmp_path / "night")
    counts = [page + at for page in range(0, len(whole), file.PAGE) for at in (3, 4)]
    places = sample((8 * at + bit for at in counts for bit in range(8)), 40)
    results = {bits.turned(tmp_path, whole, place) for place in places}
    assert results <= {*bits.ALLOWED}


@pytest.mark.sampled
def test_a_flipped_bit_in_the_log_of_a_power_cut_loses_the_presses_from_there_on(
    tmp_path: Path,
) -> None:
    """Without a mark: SQLite takes the rest of the log for a write that was torn."""
    night = bits.cut_night(tmp_path / "night")
    places = sample(range(0, 8 * len(night.log), STRIDE), 60)
    newest = sample(range(8 * night.ends[-2], 8 * night.ends[-1], STRIDE), 10)
    results = Counter(bits.turned_in_log(tmp_path, night, bit) for bit in (*places, *newest))
    assert set(results) <= {*bits.ALLOWED_OF_LOG}
    assert results[bits.ENDS] >= len(newest)


@pytest.mark.sampled(0)
def test_a_flipped_bit_in_the_version_is_not_taken_for_a_newer_version(tmp_path: Path) -> None:
    """Its tables are those of this version, so it is damaged, not from the future."""
    whole = bits.night(tmp_path / "night")
    place = 8 * header.VERSION_AT
    results = Counter(bits.turned(tmp_path, whole, bit) for bit in range(place, place + 32))
    assert results == {bits.SALVAGED: 32}


@pytest.mark.sampled(0)
def test_a_flipped_version_bit_is_detected_with_presses_only_in_the_log(tmp_path: Path) -> None:
    """As after a power cut; the log has the right version if it is read at all."""
    with Journal.open(tmp_path / "live") as journal:
        for k in range(1, bits.NIGHT + 1):
            presses.append(journal, k)
        for bit in range(32):
            cut = tmp_path / f"bit {bit}"
            shutil.copytree(tmp_path / "live", cut)
            store = bytearray((cut / file.FILE_NAME).read_bytes())
            store[header.VERSION_AT + bit // 8] ^= 1 << bit % 8
            (cut / file.FILE_NAME).write_bytes(store)
            assert file.wal_path(cut / file.FILE_NAME).stat().st_size > 0
            found = open_or_salvage(cut, Journal.newest_game)
            flipped = header.VERSION ^ 1 << 8 * (3 - bit // 8) + bit % 8
            assert (found.salvaged is None) == (flipped in header.VERSIONS)
            assert presses.count_presses(found.journal, bits.NIGHT) == bits.NIGHT
            found.journal.close()


def test_a_flipped_bit_in_a_setting_loses_only_that_setting(tmp_path: Path) -> None:
    whole = bits.night(tmp_path)
    place = whole.index(b'"pt-BR"') + 4
    (tmp_path / file.FILE_NAME).write_bytes(whole[:place] + b"C" + whole[place + 1 :])
    with Journal.open(tmp_path) as journal, pytest.raises(StoreError) as results:
        journal.settings()
    assert results.value.kind == "damaged"
    assert salvage(tmp_path).lost_rows == 0
    with Journal.open(tmp_path) as journal:
        assert journal.settings() == {"night": "3"}
        assert presses.count_presses(journal, bits.NIGHT) == bits.NIGHT
