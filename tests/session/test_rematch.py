"""A series of single games by rematches, at the buttons and in the journal."""

from __future__ import annotations

import pytest

from scorer.i18n import languages, translator
from scorer.phrases import outcome
from scorer.phrases.scene import Scene
from scorer.rules import Action, Phase, Side, Step, header_of, tags_of, variant_ids
from scorer.rules.rematches import following_rematches
from scorer.rules.sheet import TagError
from scorer.session.play.external_steps import enter_step
from scorer.session.play.timers import ask_same_game
from scorer.session.values.settings import Settings
from scorer.session.values.shown import SeriesGame, series_game
from scorer.session.values.state import Session
from tests.session.rig import SessionRig
from tests.session.test_match import in_match
from tests.support.settings import settings_with

OFFERS = settings_with(rematch=True, stale_after_s=0)
UNSAID = settings_with(stale_after_s=0)


def over(variant: str = "argentine", settings: Settings = OFFERS, **options: int) -> SessionRig:
    """A table whose first game B has given up."""
    rig = SessionRig(variant, dict(options), settings=settings)
    concede(rig)
    return rig


def concede(rig: SessionRig, side: Side = Side.B) -> None:
    """The side gives the game up, which ends a game in every variant."""
    rig.store_and_adopt(enter_step(rig.session, Step(side, Action.CONCEDE), rig.time))
    assert rig.session.phase is Phase.MATCH_OVER


def go_on(rig: SessionRig) -> None:
    """QUIERO of every console in use, which opens the next game."""
    rig.do("A quiero", "B quiero")
    assert rig.game.winner is None


def tags(rig: SessionRig) -> dict[str, str]:
    return dict(tags_of(rig.game, {}))


@pytest.mark.parametrize("variant", variant_ids())
def test_both_quiero_open_the_rematch_with_the_same_rules_and_the_next_mano(variant: str) -> None:
    rig = over(variant)
    before = rig.game
    assert rig.view.next_game is SeriesGame.REMATCH
    go_on(rig)
    sides = before.rules.scoring_sides
    won = tuple(int(side is before.winner) for side in sides)
    assert rig.game.start.rematches == won
    assert rig.game.rules is before.rules
    assert rig.game.score == before.rules.starting_score
    if before.gallo is None:
        assert rig.game.mano is before.rules.seating.next_side(before.mano)
    else:
        assert rig.game.gallo is before.rules.seating.next_side(before.gallo)
    assert rig.document()["rematches"] == dict(zip(sides, won, strict=True))
    assert header_of(tags_of(rig.game, {})).game() == rig.game


@pytest.mark.parametrize("variant", variant_ids())
def test_a_series_ends_with_the_second_game_of_a_side(variant: str) -> None:
    rig = over(variant)
    for _ in range(5):
        if rig.session.rematches is None:
            break
        go_on(rig)
        concede(rig)
    assert max(side.games for side in rig.view.sides) == 2
    go_on(rig)
    assert rig.game.start.rematches is None
    assert "rematches" not in rig.document()


@pytest.mark.parametrize(
    ("won", "name"),
    [
        (None, None),
        ((1, 0), SeriesGame.REMATCH),
        ((1, 1), SeriesGame.DECIDER),
        ((0, 0, 1), SeriesGame.REMATCH),
        ((1, 0, 1), None),
        ((1, 1, 1), SeriesGame.DECIDER),
    ],
)
def test_a_game_of_a_series_is_named_if_players_have_a_name_for_it(
    won: tuple[int, ...] | None, name: SeriesGame | None
) -> None:
    assert series_game(won, 3) is name


@pytest.mark.parametrize(
    ("losers", "names"),
    [
        ("AB", [None, SeriesGame.REMATCH, SeriesGame.DECIDER]),
        ("AABB", [None, SeriesGame.REMATCH, None, None, SeriesGame.DECIDER]),
    ],
)
def test_the_games_of_best_of_have_the_same_names(
    losers: str, names: list[SeriesGame | None]
) -> None:
    rig = SessionRig("argentine", {"best_of": len(losers) + 1}, settings=UNSAID)
    found = [rig.view.series_game]
    for loser in losers:
        rig.store_and_adopt(enter_step(rig.session, Step(Side(loser), Action.CONCEDE), rig.time))
        found.append(rig.view.next_game)
        go_on(rig)
        assert rig.view.series_game is found[-1]
        notice = rig.view.notice
        assert (None if notice is None else notice.key) == found[-1]
    assert found == names
    concede(rig)
    assert rig.view.next_game is None


# ---- where no rematch is offered ----------------------------------------------------------------


def with_names(session: Session, opened: str, now: str) -> Session:
    return session._replace(opening_names=(opened, ""), names=(now, "La Yunta"))


def test_without_the_key_the_next_game_is_as_ever() -> None:
    rig = over(settings=UNSAID)
    assert rig.view.next_game is None
    go_on(rig)
    assert "Rematches" not in tags(rig)
    assert rig.session.notice is None


def test_a_longer_series_and_a_match_have_no_rematches() -> None:
    rig = SessionRig("argentine", {"best_of": 3}, settings=OFFERS)
    for _ in range(2):
        rig.store_and_adopt(enter_step(rig.session, Step(Side.B, Action.CONCEDE), rig.time))
        assert rig.session.rematches is None
        rig.do("A quiero", "B quiero")
    match = in_match()
    match.session = match.session._replace(settings=OFFERS)
    match.store_and_adopt(enter_step(match.session, Step(None, Action.NEW_HAND), match.time))
    lost = enter_step(
        match.session._replace(assignments=()), Step(Side.B, Action.CONCEDE), match.time
    )
    assert lost.session.phase is Phase.MATCH_OVER
    assert lost.session.rematches is None


@pytest.mark.parametrize(
    ("opened", "now", "is_offered"),
    [("", "", True), ("", "Los Pibes", True), ("Ana", "Ana", True), ("Ana", "Eva", False)],
)
def test_other_names_begin_another_series(opened: str, now: str, is_offered: bool) -> None:
    session = with_names(over().session, opened, now)
    assert (session.rematches is not None) == is_offered


def test_other_rules_hours_and_another_night_begin_another_series() -> None:
    session = over().session
    others = SessionRig("argentine", {"target": 15}).game.rules
    assert session._replace(box=session.box._replace(rules=others)).rematches is None
    assert ask_same_game(session).rematches is None
    assert session.rematches == (1, 0)


def test_a_game_that_goes_on_has_no_rematch() -> None:
    assert following_rematches(SessionRig().game) is None


# ---- undo and power cuts ------------------------------------------------------------------------


def test_undo_goes_back_to_the_finished_game_and_the_series_follows() -> None:
    rig = over()
    go_on(rig)
    rig.do("undo", "A quiero")
    assert (rig.session.phase, rig.game.winner) == (Phase.MATCH_OVER, Side.A)
    rig.do("undo")
    assert rig.game.winner is None
    concede(rig, Side.A)
    go_on(rig)
    assert rig.game.start.rematches == (0, 1)


# ---- the sheet ----------------------------------------------------------------------------------

HEAD = (("Variant", "argentine"),)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"Rematches": "A=2 B=0"}, "fits no running series"),
        ({"Rematches": "A=x"}, "fits no running series"),
        ({"Rematches": "C=1"}, "does not play"),
        ({"Rematches": "A=1", "Options": "best_of=3"}, "have none"),
        ({"Rematches": "A=1", "Match": "M1"}, "have none"),
        ({"Rematch": "A=1"}, "did you mean 'Rematches'"),
    ],
)
def test_a_tag_that_fits_no_game_is_an_error(more: dict[str, str], why: str) -> None:
    with pytest.raises(TagError, match=why):
        header_of((*HEAD, *more.items()))


# ---- the words ----------------------------------------------------------------------------------

ASKED = {
    "es-AR": ("¿la revancha? QUIERO los dos", "¿el bueno? QUIERO los dos", "el bueno"),
    "es-UY": ("¿la revancha? QUIERO los dos", "¿el bueno? QUIERO los dos", "el bueno"),
    "es-VE": ("¿la revancha? QUIERO los dos", "¿el bonito? QUIERO los dos", "el bonito"),
    "pt-BR": ("a revanche? QUERO os dois", "a negra? QUERO os dois", "a negra"),
    "ca": ("la revenja? VULL els dos", "desempat? VULL els dos", "el desempat"),
    "en": ("rematch? QUIERO, both", "decider? QUIERO, both", "decider"),
}


@pytest.mark.parametrize("language", languages())
def test_the_series_has_the_words_of_the_players(language: str) -> None:
    rig, say = over(), translator(language)
    rematch, decider, name = ASKED[language]
    assert outcome.continue_words(Scene(rig.view, say, (0, 1)))[0] == rematch
    go_on(rig)
    assert rig.session.notice is not None
    concede(rig, Side.A)
    scene = Scene(rig.view, say, (0, 1))
    assert outcome.continue_words(scene)[0] == decider
    assert say("match.over") not in outcome.margin_words(scene)[0]
    go_on(rig)
    assert outcome.series_title_words(Scene(rig.view, say, (0, 1)))[0].startswith(name)


def test_a_series_that_is_won_names_its_winner() -> None:
    rig = over()
    for loser in (Side.A, Side.B):
        assert outcome.series_won_words(Scene(rig.view, translator("es-AR"), (0, 1))) == ()
        go_on(rig)
        concede(rig, loser)
    scene = Scene(rig.view, translator("es-AR"), (1, 0))
    assert "2 a 1: se lo llevan Ellos" in outcome.margin_words(scene)[0]
    ours = scene._replace(order=(0, 1))
    assert "partidos: 2 a 1" in outcome.margin_words(ours)[0]
