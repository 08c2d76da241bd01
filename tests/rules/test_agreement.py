"""The result of a match: agreed, contested, voided (score-sheet.md#match)."""

from __future__ import annotations

import pytest

from scorer.rules import (
    Game,
    Phase,
    Refusal,
    SheetError,
    Side,
    attempt,
    games_won,
    header_text,
    legal,
    parse_step,
    phase_of,
    read_header,
    state_document,
    step_text,
    tags_of,
    variant_ids,
)
from scorer.rules.agreement import is_settled

HEADER = '[Variant "argentine"]\n[Options "target=18"]\n[Match "Z2-R1-M3"]\n[Hall "9f2c"]\n'


def play(*lines: str, header: str = HEADER) -> Game:
    game = read_header(header).game()
    for line in lines:
        after = attempt(game, parse_step(line, game.rules))
        assert isinstance(after, Game), f"{line}: {after}"
        game = after
    return game


def refusal(game: Game, line: str) -> Game | Refusal:
    return attempt(game, parse_step(line, game.rules))


def said(game: Game) -> tuple[str, str]:
    assert game.match is not None
    return "".join(game.match.agreed), "".join(game.match.contested)


# What is entered after the last point, and then who agreed and who contests.
ENTERED = (
    ("",                          ("", "")),
    ("A agree",                   ("A", "")),
    ("A agree, B agree",          ("AB", "")),
    ("B contest",                 ("", "B")),
    ("A agree, B contest",        ("A", "B")),
    ("A agree, A contest",        ("", "A")),
    ("A contest, B agree",        ("B", "A")),
    ("A contest, B contest",      ("", "AB")),
)  # fmt: skip


@pytest.mark.parametrize(("entered", "expected"), ENTERED)
def test_each_side_agrees_or_contests(entered: str, expected: tuple[str, str]) -> None:
    over = play("A award 18")
    game = play("A award 18", *filter(None, entered.split(", ")))
    assert said(game) == expected
    assert (game.score, game.winner) == (over.score, over.winner)
    assert is_settled(game) == (bool(expected[1]) or len(expected[0]) == 2)


SERIES, HOME = HEADER.replace("target=18", "best_of=3 target=18"), '[Variant "argentine"]\n'
FIRST_LEG = HEADER + '[Leg "1/2"]\n'
REFUSED = (
    ("before the end",       HEADER,    "",                      "NOT_OVER"),
    ("twice",                HEADER,    "A award 18, A agree",   "TOO_LATE"),
    ("after contesting",     HEADER,    "A award 18, A contest", "TOO_LATE"),
    ("within a series",      SERIES,    "A award 18",            "NOT_OVER"),
    ("before the last leg",  FIRST_LEG, "A award 18",            "NOT_OVER"),
    ("outside a tournament", HOME,      "A award 30",            "NOT_IN_THIS_VARIANT"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("header", "entered", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_result_is_agreed_once_and_at_its_end(header: str, entered: str, reason: str) -> None:
    game = play(*filter(None, entered.split(", ")), header=header)
    assert refusal(game, "A agree") is Refusal[reason]


def test_the_last_leg_is_agreed() -> None:
    assert said(play("A award 18", "A agree", header=HEADER + '[Leg "2/2"]\n')) == ("A", "")


def test_another_step_voids_what_was_said() -> None:
    hand = ("A envido", "B quiero", "A envido_won", "A award 16", "B agree")
    game = play(*hand, "A envido_reversed")
    assert said(game) == ("", "")
    assert game.winner is None


@pytest.mark.parametrize("variant", variant_ids())
def test_every_variant_lists_what_a_match_may_say(variant: str) -> None:
    header = f'[Variant "{variant}"]\n[Match "1"]\n'
    game = read_header(header).game()
    over = play(f"{game.rules.scoring_sides[0]} concede", header=header)
    offered = [step_text(step) for step in legal(over)]
    sides = game.rules.speaking_sides
    series = game.rules.best_of > 1
    expected = [] if series else [f"{s} {a}" for a in ("agree", "contest") for s in sides]
    assert [line for line in offered if line.endswith(("agree", "contest"))] == expected
    outside = over._replace(start=over.start._replace(match=None))
    assert not [step for step in legal(outside) if step.action in ("agree", "contest")]


def test_the_tags_of_a_match_come_back_as_they_went() -> None:
    header = HEADER.replace("target=18", "best_of=3 target=18")
    header += '[Start "A=12 B=9"]\n[Mano "B"]\n[Games "A=1 B=0"]\n[Leg "2/2"]\n'
    game = read_header(header).game()
    assert (game.games, game.score) == ((1, 0), (12, 9))
    assert read_header(header_text(tags_of(game, {}))).game() == game
    assert state_document(game)["games"] == {Side.A: 1, Side.B: 0}


def test_a_game_at_home_has_no_tag_of_a_match() -> None:
    tags = dict(tags_of(read_header('[Variant "argentine"]').game(), {}))
    assert not {"Match", "Hall", "Leg", "Games"} & set(tags)


@pytest.mark.parametrize(
    "tag",
    [
        '[Games "A=1"]',
        '[Games "C=0"]',
        '[Games "A=x"]',
        '[Match ""]',
        f'[Match "{"x" * 61}"]',
        '[Match "1"]\n[Leg "3/2"]',
        '[Match "1"]\n[Leg "2"]',
    ],
)
def test_a_wrong_tag_is_named(tag: str) -> None:
    with pytest.raises(SheetError):
        read_header(f'[Variant "argentine"]\n{tag}\n')


SERIES = HEADER.replace("target=18", "target=18 best_of=3")
LEGS = HEADER + '[Leg "1/2"]\n'


# What ends by time, the winner, the games, and whether its result is agreed to then.
TIMED = (
    (HEADER, "A award 5, B award 7", "B", (0, 0), True),
    (SERIES, "A award 18, - new_hand, A award 5, B award 7", "A", (1, 0), True),
    (SERIES, "A award 18, - new_hand", "A", (1, 0), True),
    (SERIES, "A award 18, - new_hand, B award 18, - new_hand, B award 1", "B", (1, 1), True),
    (LEGS, "A award 1", "A", (0, 0), True),
    # Without the tag Match it ends one game.
    (SERIES.split("[Match")[0], "A award 18, - new_hand, B award 1", "B", (1, 1), False),
)


@pytest.mark.parametrize(("header", "lines", "winner", "games", "is_over"), TIMED)
def test_the_time_of_a_match_ends_it_for_its_leader(
    header: str, lines: str, winner: str, games: tuple[int, ...], is_over: bool
) -> None:
    timed = play(*lines.split(", "), "- time", header=header)
    assert (timed.winner, games_won(timed)) == (winner, games)
    assert (phase_of(timed) is Phase.MATCH_OVER) is is_over
    assert isinstance(attempt(timed, parse_step("A agree", timed.rules)), Game) is is_over


def test_the_time_of_a_level_match_is_refused() -> None:
    level = play("A award 18", "- new_hand", "B award 18", "- new_hand", header=SERIES)
    assert refusal(level, "- time") is Refusal.TIED
