"""Games begun in an earlier version keep their score (rules.md#begun-before)."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.cli import main
from scorer.records import replay
from scorer.rules import (
    Game,
    RulesError,
    Start,
    find_variant,
    new_game,
    parse_step,
    read_header,
    rules_for,
)
from scorer.rules.engine import attempt
from scorer.rules.stored_header import with_rules_of_then
from scorer.store.archive import Archive
from scorer.store.journal import Journal, Stamp
from scorer.store.open_or_salvage import open_or_salvage
from tests.support.store_before import BEFORE, EPOCH, PLAYED, make_store, said_of

NOW = Stamp("boot", 1, "2026-11-26T20:00:00+00:00", True)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store")


def played(folder: Path) -> dict[int, object]:
    with Archive.open(folder) as archive:
        return {
            each.game: said_of(replay.replay_sheet(each.header, each.rows).game)
            for each in archive.games()
        }


def test_a_table_opens_it_and_nothing_is_lost_or_salvaged(store: Path) -> None:
    opened = open_or_salvage(store, replay.find_current_game, replay.count_valid_rows)
    with opened.journal as journal:
        assert opened.salvaged is None
        assert (journal.last_seq(), journal.newest_game()) == (36, 5)
        assert EPOCH in journal.settings()["epoch"]
        current = replay.find_current_game(journal)
        assert current is not None
    assert played(store) == PLAYED
    # The interrupted bet pays what it paid when it was called.
    game: Game = current.record.game
    for line in ("A quiero", "A flor_won"):
        after = attempt(game, parse_step(line, game.rules))
        assert isinstance(after, Game)
        game = after
    assert game.score == (12, 11)


def test_a_game_begun_now_follows_the_defaults(store: Path) -> None:
    header = replay.build_header(new_game(Start(rules_for(find_variant("uruguayan")))), {})
    with Journal.open(store) as journal:
        journal.append(game=6, lines=["A flor"], source="A", stamp=NOW, opens=header)
        current = replay.find_current_game(journal)
    assert current is not None
    assert not current.record.game.rules.chosen
    assert "flor_announced=bets" in header
    assert with_rules_of_then(header) == header


def test_the_same_holds_for_a_copy_that_is_restored(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, other = tmp_path / "copy.sqlite3", tmp_path / "other"
    assert main(["backup", str(copy), "--store", str(store)]) == 0
    assert main(["restore", str(copy), "--store", str(other)]) == 0
    assert f"{other}: 5 games, 36 steps from {copy}" in capsys.readouterr().out
    assert played(other) == PLAYED


def test_a_damaged_store_is_salvaged_with_the_rules_of_then(store: Path) -> None:
    path = store / "scorer.sqlite3"
    content = bytearray(path.read_bytes())
    at = content.index(b"A hand_won", content.index(b"B quiero"))
    content[at] ^= 1
    path.write_bytes(content)
    opened = open_or_salvage(store, replay.find_current_game, replay.count_valid_rows)
    with opened.journal as journal:
        assert set(journal.games()) == {1, 2, 3, 4, 5}
        current = replay.find_current_game(journal)
    assert current is not None
    assert said_of(current.record.game) == PLAYED[5]


def test_an_exported_sheet_has_the_rules_of_then(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(tmp_path / "out"), "--store", str(store)]) == 0
    sheets = sorted((tmp_path / "out").glob("*.truco"))
    assert [BEFORE in path.read_text() for path in sheets] == [True, True, True, False, True]
    assert main(["replay", *map(str, sheets)]) == 0
    assert "A 6, B 11; pending flor" in capsys.readouterr().out


def test_a_sheet_without_the_options_follows_the_defaults() -> None:
    header = read_header('[Variant "uruguayan"]\n')
    assert (header.rules.flor_announced, header.rules.falta_cap) == ("bets", True)


@pytest.mark.parametrize(
    "header",
    [
        '[Variant "argentine"]\n[NameA "uruguayan"]\n',
        '[Variant "uruguayan"]\n[Options "flor_announced=bets resto_floor=true"]\n',
        '[Variant "argentine_flor"]\n[Options "resto_floor=false"]\n',
        '[Variant "uruguayan"]\nnot a tag\n',
    ],
)
def test_other_headers_stay_as_they_are(header: str) -> None:
    assert with_rules_of_then(header) == header


@pytest.mark.parametrize(
    ("variant", "options", "steps", "score"),
    [
        ("argentine_flor", "", "A flor; B contraflor_resto; A quiero; B flor_won", (29, 11)),
        ("gaucho", "target=30", "A flor; B contraflor_resto; A quiero; B flor_won", (29, 11)),
        (
            "uruguayan",
            "flor_announced=compares resto=leader_to_target target=30",
            "A flor; B con_flor_envido; A contraflor_resto; B quiero; B flor_won",
            (29, 11),
        ),
        ("pica_pica", "flor=true players=4", "- pica; A hand_won; B hand_won", (29, 10)),
    ],
)
def test_a_game_begun_before_the_floors_replays_as_it_was_scored(
    variant: str, options: str, steps: str, score: tuple[int, int]
) -> None:
    then = f'[Variant "{variant}"]\n[Options "{options}"]\n[Start "A=29 B=10"]\n'
    header = replay.read_stored_header(then)
    game = header.game()
    for line in steps.split("; "):
        after = attempt(game, parse_step(line, game.rules))
        assert isinstance(after, Game)
        game = after
    assert game.score == score
    # Three duels where four play, as it was dealt.
    assert len(game.hand.duels) == (3 if variant == "pica_pica" else 0)
    # What is exported replays with the same score.
    assert "resto_floor=false" in with_rules_of_then(then)


@pytest.mark.parametrize("variant", ["argentine_flor", "gaucho", "pica_pica", "pata_gallo"])
def test_a_game_begun_now_writes_the_floor(variant: str) -> None:
    header = replay.build_header(new_game(Start(rules_for(find_variant(variant)))), {})
    assert "resto_floor=true" in header
    assert with_rules_of_then(header) == header


def test_a_stored_game_of_four_with_three_duels_goes_on_and_no_other_begins() -> None:
    header = '[Variant "pica_pica"]\n[Options "duels=3 players=4 resto_floor=true"]\n'
    assert read_header(header).rules.duels == 3
    with pytest.raises(RulesError, match="choose duels=2, or players=6"):
        rules_for(find_variant("pica_pica"), {"players": 4, "duels": 3})
