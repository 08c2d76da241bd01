"""Builds the View of a session: keys, numbers and words of the variant.

Payments are computed by the rules.
"""

from __future__ import annotations

from scorer.rules import Action, Game, Phase, Side, Special, games_won, stake_of
from scorer.rules.deal import next_dealer
from scorer.rules.destantado import pot_of
from scorer.rules.document import duel_points, may_raise, spoken_score
from scorer.rules.rematches import BEST_OF, rematches_won
from scorer.rules.score import mano_of, shown_scores, speaker_of
from scorer.rules.truco import refused_worth
from scorer.session.input import keymap
from scorer.session.input.holds import hold_meaning
from scorer.session.values import seating
from scorer.session.values.dimming import (
    awaited_indices,
    is_blinked_off,
    is_pending,
    is_tally_shown,
)
from scorer.session.values.game_queries import current_hand, word_of
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning
from scorer.session.values.question import Answering
from scorer.session.values.shown import ChangeStart, Screen
from scorer.session.values.state import Session, new_session
from scorer.session.view.call_view import call_view, rung_state
from scorer.session.view.gains import gain_views, shown_credits
from scorer.session.view.history import history_lines
from scorer.session.view.match_view import match_view, offered_session, view_as_offer
from scorer.session.view.setup_view import setup_view
from scorer.session.view.view import (
    GainView,
    Half,
    HistoryLine,
    NextHandKind,
    NextHandView,
    QuestionView,
    RungView,
    SideView,
    SpecialKind,
    View,
)

_SCREENS = {
    Phase.GAME_OVER: Screen.GAME_OVER,
    Phase.MATCH_OVER: Screen.MATCH_OVER,
    Phase.HAND_OVER: Screen.HAND_OVER,
    Phase.MAO_DECISION: Screen.MAO,
    Phase.CANTANDO: Screen.CANTANDO,
    Phase.PENDING_PRIVO: Screen.PENDING,
    Phase.PENDING_TRUCO: Screen.PENDING,
    Phase.PENDING_ENVIDO: Screen.PENDING,
    Phase.PENDING_FLOR: Screen.PENDING,
    Phase.AWAITING_ENVIDO: Screen.WINNER,
    Phase.AWAITING_FLOR: Screen.WINNER,
}
_SPECIALS = {
    Special.IRON: SpecialKind.IRON,
    Special.DECIDING: SpecialKind.MAO,
    Special.PLAYED: SpecialKind.MAO,
}
_OF_TEAMS = (Answering.LOSING, Answering.PAID)
_CANTANDO_KINDS = {
    Special.CANTANDO: SpecialKind.SINGING,
    Special.BOTH_CANTANDO: SpecialKind.BOTH_SINGING,
}


def view_of(session: Session) -> View:
    """The complete view of the session."""
    if _screen(session) is Screen.MATCH_OFFER:
        return view_as_offer(view_of(offered_session(session)), session.tolerance_left)
    dealt = current_hand(session.game)
    game = dealt if session.is_next_hand_shown else session.game
    rules = game.rules
    dealer = None if game.winner is not None else next_dealer(game)
    return View(
        screen=_screen(session),
        sides=_sides(session, game),
        target=rules.target,
        half=rules.half,
        stake=stake_of(game),
        ladder=_ladder(game),
        hand=game.hand_number,
        special=_special(game),
        special_worth=_special_worth(game),
        call=call_view(game),
        gains=_gains(session, game),
        next_hand=None if dealt is game else _next_hand(dealt),
        question=_question(session),
        notice=session.notice,
        winner=None if game.winner is None else rules.scoring_sides.index(game.winner),
        ended=_ended(session),
        best_of=rules.best_of if session.game.start.rematches is None else BEST_OF,
        series_game=session.series_game,
        next_game=session.next_series_game,
        marks=session.marks,
        accept=word_of(rules, Action.QUIERO),
        refuse=word_of(rules, Action.NO_QUIERO),
        fold=word_of(rules, Action.FOLD),
        is_no_held=keymap.is_no_held(session.settings.table.layout, session.rules),
        history=_history(session) if session.page is Screen.HISTORY else (),
        large_digits=session.settings.light.large_digits,
        shape=session.settings.light.tally.points_a_shape(rules.target, rules.half),
        lamps=session.settings.lamps,
        blink=is_blinked_off(session),
        change=session.pending_change,
        setup=None if session.setup is None else setup_view(session, session.setup),
        night=session.night if session.page in (Screen.NIGHT, Screen.PAIRS) else None,
        link=session.link if session.page is Screen.CONNECTION else None,
        hall=session.hall if session.page is Screen.HALL else None,
        match=match_view(session),
        dealer=None if dealer is None else rules.scoring_sides.index(dealer),
        duel=len(game.hand.duels) or None,
        duels=rules.duels,
        duel_points=tuple((duel_points(game) or {}).values()),
        gallo=None if game.gallo is None else rules.scoring_sides.index(game.gallo),
        pot=pot_of(game) if rules.seating.counts_down else None,
        confirmed=tuple(
            at
            for at, side in enumerate(rules.scoring_sides)
            if speaker_of(game, side) in session.agreed_sides
        ),
    )


def view_of_rivals(session: Session) -> View | None:
    """The view for panels of consoles that are not asked; None if all are."""
    question = session.question
    if question is None or not question.audience:
        return None
    return view_of(session._replace(question=None))._replace(chooser=question.side)


def _ended(session: Session) -> str:
    """How the game ended if not by points; agreeing to it comes after that step."""
    game = session.game
    if game.conceded_to is None:
        return ""
    if game.last_credits:
        return game.last_credits[-1].why
    ends = (Action.CONCEDE, Action.TIME)
    past = reversed(session.record.past)
    return next((done.step.action for done in past if done.step.action in ends), "")


def view_of_game(game: Game, names: tuple[str, ...]) -> View:
    """The view of a game without a session: no page, no notice, no question.

    The newest payment stays in ``gains`` until the next step, as no time passes.
    """
    return view_of(new_session(game, names=names)._replace(paid_at=0.0))


def _screen(session: Session) -> Screen:
    if session.question is not None:
        return Screen.QUESTION
    if session.setup is not None:
        return Screen.SETUP
    if session.page is not None:
        return session.page
    if session.offer is not None:
        return Screen.MATCH_OFFER
    if is_tally_shown(session):
        return Screen.TALLY
    if session.is_next_hand_shown:
        return Screen.PLAYING
    return _SCREENS.get(session.phase, Screen.PLAYING)


def _sides(session: Session, game: Game) -> tuple[SideView, ...]:
    scores, won = shown_scores(game), rematches_won(game) or games_won(game)
    raising, first, owing = may_raise(game), mano_of(game), _owing(session)
    sides = []
    for at, side in enumerate(game.rules.scoring_sides):
        number, half = spoken_score(game, side)
        view = SideView(
            name=session.names[at] if at < len(session.names) else "",
            key=side,
            score=scores[at],
            spoken=number,
            half=None if half is None else Half(half),
            games=won[at],
            mano=first is side,
            may_raise=speaker_of(game, side) in raising,
            owes=at in owing,
        )
        sides.append(view)
    return tuple(sides)


def _owing(session: Session) -> tuple[int, ...]:
    """The view indices of the sides whose answer or agreement the box waits for."""
    game = session.game
    asked = None if session.setup is None else session.setup.level.confirmed
    if asked is not None:
        return _all_but(asked, current_hand(game))
    if session.question is not None and session.question.row.yes in _OF_TEAMS:
        return _consenting(session)
    if game.winner is not None:
        return _all_but(session.agreed_sides, game)
    waits = awaited_indices(session)
    # If two sides must answer, only one is named at a time.
    return waits[:1] if game.rules.seating.each_alone and is_pending(session) else waits


def _consenting(session: Session) -> tuple[int, ...]:
    """The view indices of the sides that may say yes to the open question."""
    game, wired = current_hand(session.game), session.settings.consoles.count
    may = {
        side
        for console in seating.consoles_in_use(game.rules, wired)
        if session.may_accept(console)
        for side in seating.sides_at(console, game.rules, wired)
    }
    sides = enumerate(game.rules.scoring_sides)
    return tuple(at for at, side in sides if speaker_of(game, side) in may)


def is_no_undo(session: Session) -> bool:
    """Whether no console has a button or a hold that says no to the open question."""
    layout, (_, may) = session.settings.table.layout, session.answerers
    if not keymap.is_no_held(layout, session.rules):
        return False
    meanings = (hold_meaning(session, f"{console}.quiero", layout) for console in may)
    return all(meaning is not ButtonMeaning.NO_QUIERO for meaning in meanings)


def _all_but(agreed: tuple[Side, ...], game: Game) -> tuple[int, ...]:
    sides = enumerate(game.rules.scoring_sides)
    return tuple(at for at, side in sides if speaker_of(game, side) not in agreed)


def _ladder(game: Game) -> tuple[RungView, ...]:
    rules = game.rules
    plain = RungView("", rules.base, 0, rung_state(game, 0))
    called = (
        RungView(
            word_of(rules, rung.action),
            rung.value,
            refused_worth(rules, at),
            rung_state(game, at + 1),
        )
        for at, rung in enumerate(rules.ladder)
    )
    return (plain, *called)


def _special(game: Game) -> SpecialKind | None:
    return _SPECIALS.get(game.hand.special)


def _special_worth(game: Game) -> int:
    return stake_of(game) if _special(game) else 0


def _next_hand(dealt: Game) -> NextHandView:
    rules, hand = dealt.rules, dealt.hand
    deciding = hand.special is Special.DECIDING
    return NextHandView(
        mano=rules.scoring_sides.index(mano_of(dealt)),
        kind=NextHandKind(hand.kind),
        special=_special(dealt) or _CANTANDO_KINDS.get(hand.special),
        decider=seating.view_index(dealt, hand.decider) if hand.decider is not None else None,
        gallo=None if dealt.gallo is None else rules.scoring_sides.index(dealt.gallo),
        worth=_special_worth(dealt),
        run=rules.mao_run if deciding else 0,
        call=call_view(dealt) if hand.special is Special.CANTANDO else None,
    )


def _gains(session: Session, shown: Game) -> tuple[GainView, ...]:
    """The gains of a finished hand; in play, those of the newest press for a while."""
    game = session.game
    is_over = game.winner is not None or game.hand.over
    # True while a notice names the payment, after which TANTOS is guarded.
    is_shown = session.now < session.paid_at + session.settings.gains_s or (
        session.notice is not None and session.notice.key is NoticeKey.PAID
    )
    if not is_over and not is_shown:
        return ()
    return gain_views(game, shown_credits(game), shown)


def _history(session: Session) -> tuple[HistoryLine, ...]:
    """The entries, after them the rules of the next hand if they are others."""
    lines, change = history_lines(session.record), session.pending_change
    if change is None or change.start is ChangeStart.GAME:
        return lines
    game = session.game
    entry = HistoryLine(
        hand=game.hand_number + 1,
        side=None,
        word="",
        key="",
        points=0,
        scores=shown_scores(game),
        time="",
        change=change,
    )
    return (*lines, entry)


def _question(session: Session) -> QuestionView | None:
    question = session.question
    if question is None:
        return None
    return QuestionView(
        key=question.key,
        yes=question.yes.key,
        no=question.no.key,
        yes_points=question.yes.points,
        no_points=question.no.points,
        word=question.word,
        side=question.side,
        number=question.number,
        console=question.audience,
        is_no_undo=is_no_undo(session),
    )
