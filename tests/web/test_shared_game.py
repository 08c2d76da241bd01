"""A game as digits of an address, and such digits as the game."""

from __future__ import annotations

import io
import zlib
from random import Random

import numpy as np
import pytest
import segno

from scorer.i18n import languages
from scorer.records.game_facts import longest_call
from scorer.rules import Action, Start, header_text, legal, new_game, rules_for, step_text, tags_of
from scorer.rules.actions import Side
from scorer.rules.registry import find_variant, variant_ids
from scorer.web import shared_game
from scorer.web.audience import Audience
from scorer.web.shared_game import (
    MAX_DEFLATED,
    MAX_SHEET,
    SheetFault,
    read_digits,
    read_shared_game,
    shared_document,
    shared_sheet,
    sheet_digits,
    side_names,
)
from scorer.web.timeline import Timeline, TimelineRow
from tests.web.test_timeline import row, story

ADDRESS = "HTTP://192.168.100.200:8080/game#"
NOT_PLAYED = (Action.CORRECT, Action.AWARD, Action.MANO, Action.AGREE, Action.CONTEST)


def played(variant: str) -> Timeline:
    """A random game to its end, with steps that were undone and entered again."""
    rules, chance = rules_for(find_variant(variant), {}), Random(variant)
    game = new_game(Start(rules))
    sides = dict(zip(rules.scoring_sides, ("Los Pibes", 'La "Yunta"', "Ñandú"), strict=False))
    told = Timeline(1, header_text(tags_of(game, sides)))
    while told.game.winner is None and told.last_seq < 400:
        steps = [step for step in legal(told.game) if step.action not in NOT_PLAYED]
        ends = (Action.CONCEDE, Action.TIME)
        wanted = [step for step in steps if step.action not in ends] or steps
        lines = [step_text(chance.choice(wanted))]
        if chance.random() < 0.05:
            lines += ["- undo", "- redo"] if chance.random() < 0.5 else ["- undo"]
        for line in lines:
            told.add_rows([row(told.last_seq + 1, line)])
    return told


def opened(digits: str) -> Timeline:
    sheet = read_digits(digits)
    assert isinstance(sheet, bytes), sheet
    told = read_shared_game(sheet)
    assert isinstance(told, Timeline), told
    return told


def read_code(*parts: str) -> str:
    """The text of a QR code as a phone reads it."""
    cv2 = pytest.importorskip("cv2", reason="opencv is not installed")
    segments = [(part, None) for part in parts]
    out = io.BytesIO()
    segno.make(segments, micro=False).save(out, kind="png", scale=6, border=6)  # type: ignore[arg-type]
    image = cv2.imdecode(np.frombuffer(out.getvalue(), np.uint8), cv2.IMREAD_GRAYSCALE)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(image)
    return str(text)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("variant", variant_ids())
def test_a_game_comes_back_from_its_code_as_it_was(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = played(variant)
    sheet = shared_sheet(told, side_names(told))
    if not sheet.digits:  # longer than people play, but no other game
        monkeypatch.setattr(shared_game, "MAX_DEFLATED", 8 * MAX_DEFLATED)
        monkeypatch.setattr(shared_game, "_MAX_DIGITS", 4300)
        sheet = shared_sheet(told, side_names(told))
    again = opened(sheet.digits)
    assert again.game == told.game
    assert (again.names, again.hand_scores()) == (told.names, told.hand_scores())
    shown = ("hand", "side", "key", "word", "points", "score", "undone")
    assert [[each[key] for key in shown] for each in again.entries] == [
        [each[key] for key in shown] for each in told.entries
    ]
    assert shared_sheet(again, side_names(again)) == sheet


def test_a_phone_reads_the_code_of_a_game() -> None:
    lines = ["A truco", "B quiero", "A hand_won", "- new_hand", "B envido", "A quiero"] * 1
    sheet = shared_sheet(story(*lines), {"A": "Los Pibes", "B": "Ñandú"})
    assert read_code(ADDRESS, sheet.digits) == ADDRESS + sheet.digits


def test_the_code_of_the_longest_game_can_be_made() -> None:
    digits = "9" * shared_game._MAX_DIGITS
    code = segno.make([(ADDRESS, None), (digits, None)], micro=False)  # type: ignore[arg-type]
    assert isinstance(code.version, int)
    assert code.version <= 25


def test_a_longer_game_is_a_file_only() -> None:
    chance = Random(7)
    noise = "".join(chr(chance.randrange(0x100, 0x800)) for _ in range(1000))
    sheet = shared_sheet(story("A truco"), {"A": noise, "B": ""})
    assert (sheet.digits, noise in sheet.text) == ("", True)
    told = read_shared_game(sheet.text.encode())
    assert isinstance(told, Timeline)


def deflated(body: bytes, rest: bytes = b"") -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return str(int.from_bytes(b"\1" + packer.compress(body) + packer.flush() + rest))


GOOD = sheet_digits('[Variant "argentine"]\n\nA truco\n')


@pytest.mark.parametrize(
    ("digits", "fault"),
    [
        ("", SheetFault.BROKEN),
        ("0", SheetFault.BROKEN),
        ("-1", SheetFault.BROKEN),
        ("12a", SheetFault.BROKEN),
        ("٣", SheetFault.BROKEN),
        (GOOD[:-3], SheetFault.BROKEN),
        ("2" + GOOD, SheetFault.BROKEN),
        (deflated(b"x" * 20, b"more"), SheetFault.BROKEN),
        (deflated(b"\n" * MAX_SHEET), None),
        (deflated(b"\n" * (MAX_SHEET + 1)), SheetFault.TOO_LARGE),
        (deflated(b"0" * 1_000_000), SheetFault.TOO_LARGE),
        ("9" * 100_000, SheetFault.TOO_LARGE),
    ],
)
def test_digits_that_are_no_sheet_are_a_fault(digits: str, fault: SheetFault | None) -> None:
    read = read_digits(digits)
    assert (read if isinstance(read, SheetFault) else None) == fault


@pytest.mark.parametrize(
    "sheet",
    [
        b"",
        b"\n",
        b"\xff\xfe",
        b"A truco\n",
        b'[Variant "bridge"]\n\nA truco\n',
        b'[Variant "argentine"]\n\nA quiero\n',
        b'[Variant "argentine"]\n\nA truco\n\n[Variant "argentine"]\n\nA truco\n',
        b'[Variant "argentine"]\n\nA ' + b"x" * 5000,
    ],
)
def test_a_sheet_that_is_no_game_is_a_fault(sheet: bytes) -> None:
    assert read_shared_game(sheet) is SheetFault.BROKEN
    assert read_shared_game(sheet + b"#" * (MAX_SHEET + 1)) is SheetFault.TOO_LARGE


@pytest.mark.parametrize("language", languages())
def test_the_document_has_what_the_page_shows(language: str) -> None:
    told = story("A envido", "B real_envido", "A falta_envido", "B quiero", "A envido_won")
    document = shared_document(told, {"A": "Los Pibes", "B": ""}, Audience(language, ""))
    assert document["longest"] == {
        "hand": 1, "words": ["envido", "real envido", "falta envido"],
    }  # fmt: skip
    phrases = document["phrases"]
    assert phrases["sides"]["A"]["name"] == "Los Pibes"
    assert phrases["sides"]["B"]["name"] != ""
    assert phrases["result"] != ""
    assert len(phrases["entries"]) == len(document["scores"]) == len(document["undone"])


def test_the_longest_call_is_of_one_bet_in_one_hand() -> None:
    truco = ("A truco", "B retruco", "A quiero", "A hand_won", "- new_hand")
    told = story(*truco, "B truco", "A envido", "B quiero", "A envido_won")
    longest = longest_call(told.record)
    assert (longest.hand, [step.action for step in longest.calls]) == (
        1,
        [Action.TRUCO, Action.RETRUCO],
    )
    assert longest_call(story().record).calls == ()


def test_the_names_are_those_that_are_shown() -> None:
    sheet = shared_sheet(story("A truco"), {"A": "Nuevos", "B": "Otros"})
    told = opened(sheet.digits)
    assert told.names == {Side.A: "Nuevos", Side.B: "Otros"}


def test_rows_without_times_are_read() -> None:
    told = opened(GOOD)
    assert [type(each) for each in told.rows] == [TimelineRow]
    assert [each["time"] for each in told.entries] == [""]
