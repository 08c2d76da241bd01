"""A match of a tournament at the buttons, in every number of sides."""

from __future__ import annotations

import pytest

from scorer.rules import Phase, parse_step, read_header
from scorer.session.play.external_steps import enter_step
from scorer.session.play.timers import next_deadline
from scorer.session.setup.hall_menu import root_entries
from scorer.session.setup.levels import Refuse
from scorer.session.setup.menu import root_level
from scorer.session.values.hall import Assignment, MatchTime
from scorer.session.values.shown import HallState, HallView, Screen
from scorer.session.values.state import Session
from scorer.session.view.build_view import view_of
from scorer.session.view.match_view import match_phase
from scorer.session.view.view import MatchPhase
from tests.session.rig import SessionRig

NAMES = ("Los Pibes", "La Yunta", "Los Otros")


def assigned(variant: str = "argentine", rev: int = 1, *, lock: bool = True) -> Assignment:
    header = f'[Variant "{variant}"]\n[Match "M{rev}"]\n'
    game = read_header(header).game()
    return Assignment(rev, game, NAMES[: len(game.rules.scoring_sides)], lock)


def in_match(variant: str = "argentine", *, lock: bool = True) -> SessionRig:
    """A table that has accepted a match."""
    rig = SessionRig()
    rig.session = rig.session._replace(assignments=(assigned(variant, lock=lock),))
    rig.do("A quiero")
    return rig


def lines(session: Session) -> dict[str, bool]:
    """The entries of set-up, and whether each is refused."""
    return {
        entry.line.key: isinstance(entry.effect, Refuse) for entry in root_level(session).entries
    }


def test_set_up_is_the_same_without_a_hall() -> None:
    session = SessionRig().session
    assert "hall" not in lines(session)
    assert root_entries(session) == ()
    alone = session._replace(hall=HallView(HallState.ALONE))
    assert lines(alone).keys() - lines(session).keys() == {"hall"}


@pytest.mark.parametrize("entry", ["new_game", "house", "names"])
def test_a_locked_match_closes_what_the_tournament_decides(entry: str) -> None:
    assert lines(in_match().session)[entry]
    assert not lines(in_match(lock=False).session)[entry]
    assert not lines(SessionRig().session)[entry]


def test_a_match_that_is_released_is_not_locked() -> None:
    rig = in_match()
    rig.session = rig.session._replace(assignments=())
    assert not lines(rig.session)["new_game"]


@pytest.mark.parametrize("variant", ["argentine", "pata_gallo", "destantado", "pica_pica"])
def test_every_number_of_sides_agrees_at_two_consoles(variant: str) -> None:
    rig = in_match(variant)
    rig.do("A tantos")
    game = rig.session.game
    winner = game.rules.scoring_sides[0]
    rig.session = rig.session._replace(
        record=rig.session.record._replace(game=game._replace(winner=winner))
    )
    assert match_phase(rig.session) is MatchPhase.ENDED
    rig.do("wait 8", "A quiero", "wait 8", "B quiero")
    assert match_phase(rig.session) is MatchPhase.AGREED


def test_an_offer_shows_the_game_that_would_begin() -> None:
    rig = SessionRig("paulista")
    rig.session = rig.session._replace(assignments=(assigned("argentine"),))
    view = view_of(rig.session)
    assert view.screen is Screen.MATCH_OFFER
    assert ([side.name for side in view.sides], view.target) == (["Los Pibes", "La Yunta"], 30)
    assert view.match is not None
    assert view.match.phase is MatchPhase.OFFERED


def test_pages_and_set_up_stay_reachable_at_an_offer() -> None:
    rig = SessionRig()
    rig.session = rig.session._replace(assignments=(assigned(),))
    rig.do("menu")
    assert view_of(rig.session).screen is Screen.TALLY
    rig.do("menu hold")
    assert view_of(rig.session).screen is Screen.SETUP


def test_a_match_is_not_left_by_the_question_of_another_day() -> None:
    rig = in_match()
    rig.do("A truco", "wait 30000")
    assert rig.session.question is None
    free = SessionRig()
    free.do("A truco", "wait 30000")
    assert free.session.question is not None


def test_a_hall_adds_no_deadline() -> None:
    session = SessionRig().session
    member = session._replace(hall=HallView(HallState.ONLINE, "Copa", 7))
    offered = member._replace(assignments=(assigned(),))
    assert next_deadline(session) == next_deadline(member) == next_deadline(offered)


def test_an_offer_counts_its_tolerance_down_and_then_waits() -> None:
    rig = SessionRig()
    now = rig.session.now
    match = assigned()._replace(tolerance_s=120)
    rig.session = rig.session._replace(assignments=(match,), offer_until=now + 120)
    for later, minutes in ((0.0, 2), (59.0, 2), (61.0, 1), (120.0, 0), (900.0, 0)):
        session = rig.session._replace(now=now + later)
        shown = view_of(session).match
        assert shown is not None and shown.tolerance_left == minutes
        hall = view_of(session._replace(page=Screen.HALL)).match
        assert hall is not None and (hall.phase, hall.tolerance_left) == ("offered", minutes)
    alone = rig.session._replace(offer_until=None)
    dark = now + 10_000
    assert next_deadline(alone) != now + 60
    assert next_deadline(rig.session._replace(touched_at=dark)) == now + 60
    rig.do("A quiero")
    assert rig.session.tolerance_left is None


def test_the_page_of_the_hall_says_how_long_a_match_without_a_cap_has_been_played() -> None:
    session = in_match().session
    session = session._replace(match_time=MatchTime(session.now - 150))
    shown = view_of(session).match
    assert shown is not None and (shown.minutes_left, shown.minutes_played) == (None, None)
    page = session._replace(page=Screen.HALL, page_until=session.now + 1000)
    shown = view_of(page).match
    assert shown is not None and (shown.minutes_played, shown.span) == (2, "")
    assert next_deadline(page._replace(touched_at=session.now + 10_000)) == session.now + 30


def capped(tags: str, *, cap_start: int | None = 1, seconds_left: float = 0.0) -> SessionRig:
    """A table whose match, to 2 points, has been accepted and has that time left."""
    rig = SessionRig()
    game = read_header(f'[Variant "argentine"]\n[Match "M1"]\n{tags}').game()
    match = Assignment(1, game, NAMES[:2], cap_s=600, cap_start=cap_start)
    rig.session = rig.session._replace(assignments=(match,))
    rig.do("A quiero")
    over_at = rig.session.now + seconds_left
    rig.session = rig.session._replace(match_time=MatchTime(over_at - 600, over_at))
    return rig


WIN = ("A truco", "B quiero", "wait 4", "A tantos", "wait 30")
SERIES = '[Options "target=2 best_of=3"]\n'


def start_of_next_game(rig: SessionRig) -> tuple[int, ...]:
    rig.do("A quiero", "B quiero")
    assert rig.session.phase is Phase.PLAYING
    return rig.session.game.score


@pytest.mark.parametrize(
    ("cap_start", "seconds_left", "score"), [(1, 0, (1, 1)), (1, 300, (0, 0)), (None, 0, (0, 0))]
)
def test_the_games_of_a_match_begin_at_the_score_of_the_phase_once_its_time_is_over(
    cap_start: int | None, seconds_left: float, score: tuple[int, ...]
) -> None:
    rig = capped(SERIES, cap_start=cap_start, seconds_left=seconds_left)
    rig.do(*WIN)
    assert start_of_next_game(rig) == score


def test_a_program_that_deals_the_next_game_gets_the_start_by_time() -> None:
    rig = capped(SERIES)
    rig.do(*WIN)
    dealt = enter_step(rig.session, parse_step("- new_hand", rig.session.rules), rig.session.now)
    assert dealt.session.game.score == (1, 1)


LEGS = '[Options "target=2"]\n[Leg "1/2"]\n'


def test_a_later_leg_begins_at_the_score_of_the_phase_once_the_time_is_over() -> None:
    rig = capped(LEGS)
    rig.do(*WIN)
    assert start_of_next_game(rig) == (1, 1)
    assert rig.session.game.match is not None and rig.session.game.match.leg == 2
    # The game of the house after the match begins as ever.
    released = capped(LEGS.replace("1/2", "2/2"))
    released.do(*WIN, "A quiero", "B quiero")
    assert released.session.next_game.score == (0, 0)


@pytest.mark.parametrize(
    ("tags", "score"),
    [
        ('[Match "M1"]\n', (1, 1)),
        ('[Match "M1"]\n[Start "A=0 B=1"]\n', (0, 1)),  # taken up from another table
        ('[Match "M2"]\n', (0, 0)),
    ],
)
def test_one_more_game_of_level_legs_begins_at_the_score_of_the_phase(
    tags: str, score: tuple[int, ...]
) -> None:
    rig = capped(LEGS.replace("1/2", "2/2"))
    rig.do(*WIN, "A quiero", "B quiero")
    header = f'[Variant "argentine"]\n[Options "target=2"]\n[Leg "3/3"]\n{tags}'
    decider = Assignment(2, read_header(header).game(), NAMES[:2], cap_s=600, cap_start=1)
    rig.session = rig.session._replace(assignments=(*rig.session.assignments, decider))
    view = view_of(rig.session)
    assert (view.screen, tuple(side.score for side in view.sides)) == (Screen.MATCH_OFFER, score)
    rig.do("A quiero")
    assert rig.session.game.score == score
