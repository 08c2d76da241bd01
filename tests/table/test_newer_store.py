"""An older program leaves a newer store as it is, and plays beside it."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorer import __version__
from scorer.doctor.storage import check_store
from scorer.records import replay
from scorer.records.game_log import GameLog
from scorer.rules import notation, registry, words
from scorer.rules.actions import Action
from scorer.rules.variant import Option
from scorer.store import epoch, file, header
from scorer.store.errors import StoreError
from scorer.store.events import Event
from scorer.store.journal import Journal, Stamp
from scorer.store.open_or_salvage import BESIDE
from scorer.table.startup import StoreHolder
from tests.sampling import sample
from tests.table.table_process import running_table, table_on

STAMP = Stamp("boot", 0, "2026-01-01T21:00:00+00:00", trusted=True)
LEVEL = words.NEWEST + 1  # of a newer program
PLAIN = '[Variant "uruguayan"]\n[Options "flor_announced=bets"]\n[NameA "Los Ñatos"]\n'
NEW_OPTION = '[Variant "uruguayan"]\n[Options "flor_announced=bets tomorrow=1"]\n'
NEW_VALUE = '[Variant "uruguayan"]\n[Options "flor_announced=tomorrow"]\n'
NEW_VARIANT = '[Variant "tomorrow"]\n'
AWARDS = ("A award 7", "B award 3")
# Headers and rows with a word of tomorrow.
NEWER = {
    "option": (NEW_OPTION, AWARDS),
    "value": (NEW_VALUE, AWARDS),
    "variant": (NEW_VARIANT, AWARDS),
    "step": (PLAIN, (*AWARDS, "A tomorrow 2")),
    "step that is undone": (PLAIN, (*AWARDS, "A tomorrow 2", "- undo")),
    "side": (PLAIN, (*AWARDS, "D award 2")),
}
CHOICE = ("page.tomorrow", '"a choice of the box"')
SENTENCE = "versión más nueva: actualizá"


def store(folder: Path, opens: str, lines: tuple[str, ...]) -> Path:
    """A store with one game, and a choice of the box."""
    with Journal.open(folder) as journal:
        journal.set_setting(*CHOICE)
        journal.append(game=1, lines=[], source="menu", stamp=STAMP, opens=opens)
        for line in lines:
            journal.append(game=1, lines=[line], source="A", stamp=STAMP)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder, not those beside it."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def plays_beside(folder: Path) -> None:
    """Three starts of the older program play a game of their own; the store stays."""
    before = files_of(folder)
    for start in range(3):
        with running_table(table_on(folder)) as told:
            assert SENTENCE in told.text
            assert told.score == {"A": start, "B": 0}
            assert told.press("A.tantos") == "taken"
            assert told.score == {"A": start + 1, "B": 0}
            assert "hay otra versión más nueva" in told.read_pages()
        assert files_of(folder) == before
    assert not list(folder.rglob("damaged-*"))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", NEWER)
def test_a_word_of_tomorrow_is_left_as_it_is(tmp_path: Path, name: str) -> None:
    plays_beside(store(tmp_path, *NEWER[name]))


def test_an_undo_of_the_older_program_does_not_reach_the_newer_one_s_game(tmp_path: Path) -> None:
    store(tmp_path, *NEWER["option"])
    before = files_of(tmp_path)
    with running_table(table_on(tmp_path)) as told:
        told.press("A.tantos")
        for _ in range(4):
            told.wait(5.0)
            told.press("undo")
        assert told.score == {"A": 0, "B": 0}
    assert files_of(tmp_path) == before


def test_the_store_beside_has_the_choices_of_the_box_and_an_epoch_of_its_own(
    tmp_path: Path,
) -> None:
    store(tmp_path, *NEWER["step"])
    with Journal.open(tmp_path) as journal:
        journal.set_setting("epoch", '{"id": "00112233445566aa", "from": 1}')
    with running_table(table_on(tmp_path)) as told:
        told.press("A.tantos")
    with Journal.open(tmp_path / BESIDE) as beside:
        settings = beside.settings()
    assert settings[CHOICE[0]] == CHOICE[1]
    assert "00112233445566aa" not in settings.get("epoch", "")


@pytest.mark.parametrize("name", NEWER)
def test_the_doctor_says_what_the_panel_says(tmp_path: Path, name: str) -> None:
    store(tmp_path, *NEWER[name])
    before = (tmp_path / file.FILE_NAME).read_bytes()
    found = [finding.key for finding in check_store(tmp_path, "no-such-user")]
    assert "store.future" in found and "store.fine" not in found
    assert (tmp_path / file.FILE_NAME).read_bytes() == before


# What a program writes with its first new word.


def written(folder: Path, lines: Sequence[str], opens: str | None = PLAIN) -> int:
    """The version of the store after a newer program wrote this."""
    with pytest.MonkeyPatch.context() as patch, Journal.open(folder) as journal:
        patch.setattr(words, "SINCE", {"step award": LEVEL, "tag NameC": LEVEL})
        patch.setattr(words, "NEWEST", LEVEL)
        games = GameLog(journal, lambda _: STAMP)
        games.resume()
        games.append(lines, "A", 0.0, opens=opens, forward=False)
        replay.require_known_words(journal)
    with closing(sqlite3.connect(folder / file.FILE_NAME)) as database:
        return file.version_of(database)


@pytest.mark.sampled(0)
def test_the_first_new_word_makes_a_store_of_a_newer_program(tmp_path: Path) -> None:
    assert written(tmp_path, ["A truco"]) == header.VERSION, "older programs read it"
    with running_table(table_on(tmp_path)) as told:
        assert told.state["pending"] is not None
    assert written(tmp_path, [], opens='[Variant "uruguayan"]\n') == header.VERSION
    assert written(tmp_path, ["B award 2"], opens=None) == header.VERSION + header.PROGRAM
    assert written(tmp_path, ["A truco"], opens=None) == header.VERSION + header.PROGRAM
    with Journal.open(tmp_path) as journal:
        assert journal.program() == file.NeededProgram(LEVEL, __version__)
        journal.set_setting("phones", "[]", [Event("paired 1", "", STAMP)])
        assert journal.program().needs == LEVEL and len(journal.events()) == 1
    plays_beside(tmp_path)
    found = [finding.key for finding in check_store(tmp_path, "no-such-user")]
    assert "store.future" in found and "store.fine" not in found


@pytest.mark.sampled(0)
def test_a_tag_of_tomorrow_is_left_as_it_is(tmp_path: Path) -> None:
    """Its words can be read without it, but they would be another game."""
    opens = '[Variant "argentine"]\n[NameC "tomorrow"]\n'
    assert written(tmp_path, ["A truco"], opens) == header.VERSION + header.PROGRAM
    plays_beside(tmp_path)


def test_a_salvaged_store_is_still_of_the_newer_program(tmp_path: Path) -> None:
    written(tmp_path, ["A award 2"])
    path = tmp_path / file.FILE_NAME
    content = bytearray(path.read_bytes())
    content[content.rindex(b"A award 2")] ^= 1
    path.write_bytes(content)
    with running_table(table_on(tmp_path)) as told:
        assert SENTENCE in told.text
    with Journal.open(tmp_path) as journal:
        assert journal.program() == file.NeededProgram(LEVEL, __version__)


@pytest.mark.sampled(0)
def test_a_table_of_tomorrow_is_left_as_it_is(tmp_path: Path) -> None:
    store(tmp_path, PLAIN, AWARDS)
    with closing(sqlite3.connect(tmp_path / file.FILE_NAME)) as database:
        database.executescript("PRAGMA user_version = 99; CREATE TABLE tomorrow (text)")
    plays_beside(tmp_path)
    with closing(sqlite3.connect(tmp_path / file.FILE_NAME)) as database:
        database.executescript(f"PRAGMA user_version = {header.VERSION}; DROP TABLE tomorrow")
    assert score_of(tmp_path) == (7, 3)


# The way back to the newer program.


@contextmanager
def newer_program() -> Iterator[None]:
    """This program with the words of tomorrow."""
    known = registry.find_variant("uruguayan")
    announced = known.option("flor_announced")
    assert announced is not None

    def effect(chosen: Mapping[str, Any], value: object) -> Mapping[str, Any]:
        assert announced.effect is None
        return {"flor_announced": "bets" if value == "tomorrow" else value}

    changed = announced._replace(choices=(*announced.choices, "tomorrow"), effect=effect)
    options = (*(changed if each is announced else each for each in known.options),)
    new = Option("tomorrow", 0, low=0, high=1, effect=lambda _, __: {})
    owned = {
        "uruguayan": replace(known, options=(*options, new)),
        "tomorrow": replace(known, id="tomorrow"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_owned", owned)
        patch.setitem(notation._BY_WORD, "tomorrow", Action.AWARD)
        yield


def score_of(folder: Path) -> tuple[int, ...]:
    """The score of the running game of the store."""
    with ExitStack() as stack:
        journal = StoreHolder(folder, stack).journal
        assert isinstance(journal, Journal) and journal.directory == folder
        running = GameLog(journal, lambda _: STAMP).resume()
        assert running is not None
        return running.record.game.score


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, (7, 3)) for name in ("option", "value", "variant", "step that is undone")),
        ("step", (9, 3)),
    ],
)
def test_the_newer_program_goes_on_as_if_nothing_had_been(
    tmp_path: Path, name: str, expected: tuple[int, int]
) -> None:
    plays_beside(store(tmp_path, *NEWER[name]))
    with newer_program():
        assert score_of(tmp_path) == expected


def epoch_of(folder: Path) -> str | None:
    """The epoch with which a table goes on; None for a new one, stored here."""
    with ExitStack() as stack:
        journal = StoreHolder(folder, stack).journal
        assert isinstance(journal, Journal)
        found = epoch.read_epoch(journal.settings())
        if found is None:
            begun = epoch.new_epoch(1)
            journal.set_setting(epoch.KEY, json.dumps(begun.document()))
            journal.append(game=journal.newest_game() + 1, lines=[], source="menu", stamp=STAMP,
                           opens=PLAIN)  # fmt: skip
        return None if found is None else found.id


def test_each_program_begins_a_new_epoch_after_the_other_one_has_played(tmp_path: Path) -> None:
    """A hub would hold a box that returns to an older epoch."""
    store(tmp_path, *NEWER["option"])
    with newer_program():
        assert epoch_of(tmp_path) is None
        newer = epoch_of(tmp_path)
        assert newer is not None and epoch_of(tmp_path) == newer
    with Journal.open(tmp_path) as journal:
        journal.append(game=3, lines=[], source="menu", stamp=STAMP, opens=NEW_OPTION)
    assert epoch_of(tmp_path) is None
    older = epoch_of(tmp_path)
    assert older not in (None, newer) and epoch_of(tmp_path) == older
    with newer_program():
        assert epoch_of(tmp_path) is None, "the older program has played"
        newest = epoch_of(tmp_path)
        assert newest not in (None, newer, older) and epoch_of(tmp_path) == newest
        assert score_of(tmp_path) == (0, 0)
    with Journal.open(tmp_path) as journal:
        journal.append(game=9, lines=[], source="menu", stamp=STAMP, opens=NEW_OPTION)
    assert epoch_of(tmp_path) is None, "the newer program has played"


# Damage is never taken for a newer program.


def opened(folder: Path, content: bytes) -> str:
    """How a table opens a store of these bytes."""
    folder.mkdir()
    (folder / file.FILE_NAME).write_bytes(content)
    with ExitStack() as stack:
        holder = StoreHolder(folder, stack)
        if isinstance(holder.journal, StoreError):
            return holder.journal.kind
        if holder.journal.directory != folder:
            return "future"
        return "salvaged" if holder.salvaged else "whole"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["known words", *NEWER])
def test_a_damaged_store_is_salvaged_or_told_and_its_words_are_judged_later(
    tmp_path: Path, name: str
) -> None:
    """With known words alone no flipped bit and no cut is a newer program."""
    store(tmp_path / "whole", *NEWER.get(name, (PLAIN, AWARDS)))
    content = (tmp_path / "whole" / file.FILE_NAME).read_bytes()
    kinds = KINDS | {"future"} if name in NEWER else KINDS
    assert kinds_of_damage(tmp_path, content, 40 if name not in NEWER else 4, len(name)) <= kinds


KINDS = {"whole", "salvaged", "damaged", "not_a_store"}  # of a damaged store with known words


def kinds_of_damage(folder: Path, content: bytes, few: int, turn: int) -> set[str]:
    """How a table opens the store with one flipped bit, or cut."""
    results = Counter[str]()
    for bit in sample(range(0, 8 * len(content), 13), few, turn=turn):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        results[opened(folder / f"bit {bit}", bytes(damaged))] += 1
    for end in sample(range(len(content)), few // 2, turn=turn):
        results[opened(folder / f"cut {end}", content[:end])] += 1
    return set(results)


@pytest.mark.sampled(0)
def test_a_damaged_store_with_the_table_program_is_of_no_newer_program(tmp_path: Path) -> None:
    """For the program whose words it has, which is one level newer."""
    written(tmp_path / "whole", [*AWARDS, "A award 2"])
    content = (tmp_path / "whole" / file.FILE_NAME).read_bytes()
    assert b"CREATE TABLE program" in content
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "NEWEST", words.NEWEST + 1)
        assert opened(tmp_path / "opened", content) == "whole"
        assert kinds_of_damage(tmp_path, content, 40, 1) <= KINDS
        # The row of the table: every bit of the page that has it.
        at = content.index(__version__.encode())
        for bit in range(8 * (at - 8), 8 * (at + len(__version__))):
            damaged = bytearray(content)
            damaged[bit // 8] ^= 1 << bit % 8
            assert opened(tmp_path / f"row {bit}", bytes(damaged)) in KINDS


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NEWER)
def test_a_damaged_store_with_words_of_tomorrow_keeps_them(tmp_path: Path, name: str) -> None:
    store(tmp_path, *NEWER[name])
    path = tmp_path / file.FILE_NAME
    content = bytearray(path.read_bytes())
    content[content.index(b"CREATE TABLE journal") + 7] ^= 1
    path.write_bytes(content)
    with running_table(table_on(tmp_path)) as told:
        assert SENTENCE in told.text
    with Journal.open(tmp_path) as journal:
        assert journal.header(1) == NEWER[name][0]
        assert [row.line for row in journal.rows(1)] == [*NEWER[name][1]]
    assert len(list(tmp_path.glob("damaged-*"))) == 1


# A game of known words that the rules of this program refuse.


def test_a_row_that_the_rules_refuse_is_named_and_a_new_game_is_begun(tmp_path: Path) -> None:
    store(tmp_path, PLAIN, (*AWARDS, "A quiero"))
    with running_table(table_on(tmp_path)) as told:
        assert "ya no vale el renglón 3" in told.text
        assert told.score == {"A": 0, "B": 0}
        assert told.press("A.tantos") == "taken"
    with running_table(table_on(tmp_path)) as told:
        assert told.score == {"A": 1, "B": 0}
        for _ in range(4):
            told.wait(5.0)
            told.press("undo")
        assert told.score == {"A": 0, "B": 0}
        assert told.press("B.tantos") == "taken"
        assert told.score == {"A": 0, "B": 1}
    assert not list(tmp_path.rglob("damaged-*")) and not (tmp_path / BESIDE).exists()
    with Journal.open(tmp_path) as journal:
        assert [row.line for row in journal.rows(1)] == [*AWARDS, "A quiero"]
