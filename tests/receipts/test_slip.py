"""Slips of every variant and language on both widths, and one in full."""

from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path

import pytest

from scorer.config import time_zone
from scorer.i18n import languages, translator
from scorer.receipts.codepages import clean
from scorer.receipts.hand_summary import NO_BREAK_SPACE, HandSummary, summarize_hands
from scorer.receipts.slip import COLUMNS, QrCode, SlipLine, as_text, build_slip, qr_payload
from scorer.rules import (
    Action,
    Header,
    Refusal,
    Start,
    find_variant,
    legal,
    new_game,
    parse_step,
    read_sheet,
    rules_for,
)
from scorer.session.values.record import Record, append_press, new_record
from tests.receipts.games import LONG, SHEETS, game_of_sheet, played_game
from tests.rules import law_starts
from tests.sampling import amount, sample

FRESH_HANDS = sample(
    (case for case in law_starts.quick_cases() if not case.start.before),
    2,
    by=lambda case: case.variant,
)
BOTH = sorted(COLUMNS.values())
A_GAME = (
    "A envido",
    "B real_envido",
    "A quiero",
    "B envido_won",
    "A truco",
    "B no_quiero",
    "- new_hand",
    "B truco",
    "A quiero",
    "A hand_won",
    "- undo",
    "A retruco",
    "B quiero",
    "A hand_won",
    "- new_hand",
    "A fold",
)
# By the clock of the machine that runs the tests, the hour would be another one everywhere.
SHORT = """\
     Truco argentino · a 15
--------------------------------
A Los Pibes                    4
B La Yunta                     7

      partido sin terminar
        3 manos · 7 min
--------------------------------
 1 1-5 A envido, B real envido,
       A quiero: B +5
       A truco, B no quiero:
       A +1
 2 4-5 B truco, A quiero,
       A retruco, B quiero: A +3
 3 4-7 A al mazo: B +1 sin
       envido, B +1
--------------------------------
            planilla
      {digest}
           truco · 12
"""


def lines(made: tuple[SlipLine | QrCode, ...]) -> list[str]:
    return [part.text for part in made if isinstance(part, SlipLine)]


def test_a_game_whose_every_step_is_undone_has_a_slip_without_hands() -> None:
    slip = lines(build_slip(played_game("argentine", ("A truco", "- undo")), "es-AR", 32))
    assert any("0 manos" in text for text in slip), slip


def test_a_slip_tells_who_played_and_each_hand_with_its_calls() -> None:
    game = played_game(lines=A_GAME, target=15, trusted=False)
    digest = " ".join(game.digest[at : at + 4] for at in range(0, 16, 4))
    assert as_text(build_slip(game, "es-AR", 32), 32) == SHORT.format(digest=digest)


# Every variant and every language, not all of them with all.
@pytest.mark.sampled(10)
@pytest.mark.parametrize(
    ("sheet", "language"),
    [
        *zip(SHEETS, languages() * len(SHEETS), strict=False),
        *((SHEETS[-1], language) for language in languages()),
    ],
    ids=lambda each: each.stem if isinstance(each, Path) else each,
)
def test_no_line_is_wider_than_the_paper(sheet: Path, language: str) -> None:
    for columns in BOTH:
        for names in ((), LONG):
            made = lines(build_slip(game_of_sheet(sheet, names), language, columns))
            assert max(map(len, made)) <= columns
            assert [line for line in made if clean(line) != " ".join(line.split())] == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_the_last_hand_of_a_slip_stands_at_the_score_of_the_game(sheet: Path) -> None:
    game = game_of_sheet(sheet)
    record = game.record()
    told = [
        line.split() for line in lines(build_slip(game, "es-AR", 48)) if line[:2].strip().isdigit()
    ]
    shown = told[-1][1].split("-")
    shape = record.game.rules
    capped = [min(points, shape.target) for points in record.game.score]
    assert shown in ([str(p) for p in capped], [str(p) for p in record.game.score])


def test_the_winner_stands_on_it_and_in_a_series_the_games() -> None:
    made = lines(
        build_slip(
            game_of_sheet(next(s for s in SHEETS if "argentine_series" in s.name)), "es-AR", 32
        )
    )
    told = [line.strip() for line in made]
    assert "el bueno · partidos: 1 a 2" in told
    assert "ganador: Celestes" in told
    assert [line for line in told if line.strip("-").startswith("partido ")] == [
        "partido 1",
        "-----------partido 2------------",
        "-----------partido 3------------",
    ]


@pytest.mark.parametrize(
    ("columns", "line"), [(32, "el bueno · partidos: 2 a 1"), (20, "partidos: 2 a 1")]
)
def test_a_rematch_stands_on_it_with_the_games(columns: int, line: str) -> None:
    played = played_game(lines=["B concede"])
    header = f'{played.header}[Rematches "A=1 B=1"]\n'
    made = build_slip(played._replace(header=header), "es-AR", columns)
    assert line in [each.strip() for each in lines(made)]


def test_without_a_synchronised_clock_there_is_no_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Montevideo")
    with_day = as_text(build_slip(played_game(lines=A_GAME), "es-AR", 32), 32)
    without = as_text(build_slip(played_game(lines=A_GAME, trusted=False), "es-AR", 32), 32)
    assert "/2026" in with_day
    assert "/2026" not in without


def test_where_the_time_zone_is_unknown_there_is_no_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(time_zone, "MACHINE_ZONE", Path("/usr/share/zoneinfo/Etc/UTC/missing"))
    assert "/2026" not in as_text(build_slip(played_game(lines=A_GAME), "es-AR", 32), 32)


@pytest.mark.parametrize("wall", ["", "yesterday", "2026-13-41T99:00:00"])
def test_a_clock_that_writes_nonsense_costs_the_day_and_nothing_else(wall: str) -> None:
    game = played_game(lines=A_GAME)
    broken = game._replace(rows=tuple(row._replace(wall=wall) for row in game.rows))
    assert "/20" not in as_text(build_slip(broken, "es-AR", 32), 32)


def test_a_name_that_was_chosen_later_stands_on_the_slip() -> None:
    game = played_game(lines=A_GAME)._replace(names=("Os Brabos", ""))
    made = lines(build_slip(game, "pt-BR", 32))
    assert "A Os Brabos                    4" in made
    assert "B La Yunta                     7" in made


def test_a_name_cannot_cut_the_paper() -> None:
    made = lines(build_slip(played_game(lines=A_GAME, names=("\x1dV\x00", "\x1b@x")), "es-AR", 32))
    assert all(line.isprintable() for line in made)


def test_the_sheet_of_a_slip_is_read_and_ends_at_the_same_score() -> None:
    game = played_game(lines=A_GAME)
    record = None
    for each in read_sheet(game.sheet.encode().splitlines(keepends=True)):
        if isinstance(each, Header):
            record = new_record(each.game())
            continue
        assert record is not None
        after = append_press(record, (each.step,))
        assert not isinstance(after, Refusal)
        record = after
    assert record is not None
    assert record.game == game.record().game


def test_the_code_says_the_digest_of_the_sheet() -> None:
    game = played_game(lines=A_GAME)
    (code,) = [part for part in build_slip(game, "es-AR", 32) if isinstance(part, QrCode)]
    digest = hashlib.sha256(game.sheet.encode()).hexdigest()
    assert code.text == qr_payload(digest) == f"TRUCO:SHA256:{digest.upper()}"


def test_each_team_of_a_match_has_a_code_of_its_evening() -> None:
    pages = tuple(f"https://club.example/truco/es/12.html#team-{team}" for team in (5, 7))
    game = played_game(lines=A_GAME)._replace(names=("Los Ñatos", "Ana y Beto"), pages=pages)
    slip = build_slip(game, "es-AR", 32)
    assert [part.text for part in slip if isinstance(part, QrCode)][1:] == [*pages]
    below = [slip[slip.index(QrCode(page)) - 1] for page in pages]
    assert [part.text.strip() for part in below] == ["Los Ñatos: su noche", "Ana y Beto: su noche"]


def test_a_sheet_with_one_call_changed_has_another_digest() -> None:
    other = (*A_GAME[:4], "B truco", *A_GAME[5:])
    assert played_game(lines=A_GAME).digest != played_game(lines=other).digest


@pytest.mark.parametrize(
    ("variant", "steps", "language", "told"),
    [
        ("uruguayan", "A flor; B flor; A truco; B quiero; A flor_won; B hand_won", "es-UY",
         ["A flor, B flor, A truco, B quiero: A +3 flor", "B +2"]),
        ("uruguayan", "A flor; B flor; A flor_won", "es-UY", ["A flor, B flor: A +3"]),
        ("uruguayan", "A flor; B flor; A hand_won; B flor_won", "es-UY",
         ["A flor, B flor, A ganó la mano: B +3 flor, A +1"]),
        ("uruguayan", "A flor; B flor; A fold; B flor_won", "es-UY",
         ["A flor, B flor, A al mazo: B +3 flor, B +1"]),
        ("venezuelan", "A envido; B quiero; A truco; B quiero; A hand_won; B envido_won", "es-VE",
         ["A envido, B quiero, A truco, B quiero, A ganó la mano: B +2 envido, A +3"]),
        ("argentine", "A truco; B envido; A quiero; A envido_won; B quiero; B hand_won", "es-AR",
         ["A truco, B envido, A quiero: A +2", "B quiero: B +2"]),
        ("argentine", "A fold", "es-AR", ["A al mazo: B +1 sin envido, B +1"]),
        ("argentine", "A fold", "en", ["A al mazo: B +1 no envido, B +1"]),
        ("argentine", "A fold", "pt-BR", ["A al mazo: B +1 sem envido, B +1"]),
    ],
)  # fmt: skip
def test_a_payment_is_named_where_the_calls_before_it_leave_it_open(
    variant: str, steps: str, language: str, told: list[str]
) -> None:
    record = new_record(new_game(Start(rules_for(find_variant(variant)))))
    for line in steps.split("; "):
        after = append_press(record, (parse_step(line, record.game.rules),))
        assert isinstance(after, Record), after
        record = after
    (hand,) = summarize_hands(record, translator(language))
    assert [bet.replace(NO_BREAK_SPACE, " ") for bet in hand.bets] == told


def listed_points(summary: HandSummary) -> dict[str, int]:
    """The points of a hand on a slip, by letter; those of a pair count for both."""
    sums: dict[str, int] = {}
    for bet in summary.bets:
        for letters, points in re.findall(rf"([ABC]+){NO_BREAK_SPACE}([+-]\d+)", bet):
            for letter in letters:
                sums[letter] = sums.get(letter, 0) + int(points)
    return {letter: points for letter, points in sums.items() if points}


@pytest.mark.sampled
@pytest.mark.parametrize("case", FRESH_HANDS, ids=str)
def test_the_payments_of_a_hand_add_up_to_its_score(case: law_starts.Case) -> None:
    chance = random.Random(str(case))
    for _ in range(amount(8, 200)):
        record = new_record(case.game())
        while not record.game.hand.over and record.game.winner is None:
            outside = (Action.CONCEDE, Action.TIME)
            steps = [step for step in legal(record.game) if step.action not in outside]
            after = append_press(record, [chance.choice(steps)])
            assert isinstance(after, Record)
            record = after
        if not record.game.hand.over and record.game.hand.duels:
            continue  # the game ended between duels, whose points do not count
        scores = zip(
            record.start.rules.scoring_sides, record.start.score, record.game.score, strict=True
        )
        gained = {str(side): now - then for side, then, now in scores if now != then}
        # Three ties may pay nothing: such a hand has no line.
        hands = summarize_hands(record, translator("es-AR"))
        assert (listed_points(hands[-1]) if hands else {}) == gained, hands


def test_a_game_that_goes_on_from_a_score_says_from_which_and_to_how_many() -> None:
    played = played_game("argentine_flor", A_GAME, target=15)
    assert "desde" not in as_text(build_slip(played, "es-AR", 32), 32)
    goes_on = played._replace(header=played.header.replace("A=0 B=0", "A=8 B=5"))
    assert "desde 8-5: a 15, con flor" in as_text(build_slip(goes_on, "es-AR", 32), 32)
