"""Sample views for preview and golden images, at least one for each screen.

Their names start with the name of the screen. They use two variants, one Argentine and one of São
Paulo.
"""

from __future__ import annotations

from scorer.display import hall_samples, setup_samples, three_side_samples
from scorer.rules import Action, Refusal, find_variant
from scorer.session.values.keys import AnswerKey, NoticeKey, PlainKey, QuestionKey, SetupKey
from scorer.session.values.shown import LinkState, LinkView, Notice, Screen, SeriesGame
from scorer.session.view.view import (
    CallFamily,
    CallView,
    GainView,
    Half,
    HistoryLine,
    NextHandKind,
    NextHandView,
    QuestionView,
    RungState,
    RungView,
    SetupItem,
    SetupView,
    SideView,
    SpecialKind,
    View,
    WorthView,
)

HALF, TARGET = 15, 30


def side(key: str, score: int) -> SideView:
    """A side of a game to 30 with its spoken score."""
    buenas = score > HALF
    spoken = score - HALF if buenas else score
    return SideView("", key, score, spoken, Half.BUENAS if buenas else Half.MALAS)


def pair(key: str, score: int) -> SideView:
    """A side of a game to 12 without halves."""
    return SideView("", key, score, score)


def argentine_ladder(current: int, called: int | None = None) -> tuple[RungView, ...]:
    """mano, truco, retruco, vale cuatro; ``current`` and ``called`` count from 0."""
    return _ladder((("", 1), ("truco", 2), ("retruco", 3), ("vale cuatro", 4)), current, called)


def paulista_ladder(current: int, called: int | None = None) -> tuple[RungView, ...]:
    """mão, truco, seis, nove, doze."""
    rungs = (("", 1), ("truco", 3), ("seis", 6), ("nove", 9), ("doze", 12))
    return _ladder(rungs, current, called)


def _ladder(
    rungs: tuple[tuple[str, int], ...], current: int, called: int | None
) -> tuple[RungView, ...]:
    def state(index: int) -> RungState:
        if index == called:
            return RungState.CALLED
        if index == current:
            return RungState.CURRENT
        return RungState.PAST if index < current else RungState.AHEAD

    return tuple(
        RungView(word, value, rungs[index - 1][1] if index else 0, state(index))
        for index, (word, value) in enumerate(rungs)
    )


def _argentine(screen: Screen, a: SideView, b: SideView, rung: int = 0) -> View:
    ladder = argentine_ladder(rung)
    return View(screen, (a, b), TARGET, HALF, ladder[rung].value, ladder)


def _paulista(screen: Screen, a: SideView, b: SideView, rung: int = 0) -> View:
    ladder = paulista_ladder(rung)
    plain = View(screen, (a, b), 12, None, ladder[rung].value, ladder)
    return with_words_of(plain, "paulista")


def with_words_of(view: View, variant: str) -> View:
    """The view with the words of a variant for answers and folding."""
    word = find_variant(variant).word
    return view._replace(
        accept=word(Action.QUIERO), refuse=word(Action.NO_QUIERO), fold=word(Action.FOLD)
    )


def samples() -> dict[str, View]:
    """All samples by name, in the order of the preview."""
    return {
        **_playing(),
        **_pending(),
        **_results(),
        **_questions(),
        **_pages(),
        **_setup(),
        **_notices(),
        **three_side_samples.samples(),
    }


def _playing() -> dict[str, View]:
    return {
        "playing": _argentine(
            Screen.PLAYING,
            side("A", 21)._replace(may_raise=True),
            side("B", 8)._replace(mano=True),
            1,
        ),
        "playing-start": _argentine(
            Screen.PLAYING,
            side("A", 0)._replace(mano=True, may_raise=True),
            side("B", 0)._replace(may_raise=True),
        ),
        "playing-late": _argentine(
            Screen.PLAYING,
            side("A", 29)._replace(games=1, mano=True),
            side("B", 24)._replace(games=1),
            3,
        )._replace(best_of=3),
        "playing-names": _argentine(
            Screen.PLAYING,
            side("A", 14)._replace(name="Los Pibes del Fondo", may_raise=True, mano=True),
            side("B", 30)._replace(name="Ñandú"),
            2,
        )._replace(marks=("stuck",)),
        "playing-paulista": _paulista(
            Screen.PLAYING,
            pair("A", 10)._replace(may_raise=True),
            pair("B", 9)._replace(mano=True, may_raise=True),
        ),
        "playing-digits": _argentine(
            Screen.PLAYING,
            side("A", 21)._replace(may_raise=True),
            side("B", 8)._replace(mano=True),
            1,
        )._replace(large_digits=True),
        "playing-digits-mao": _paulista(
            Screen.PLAYING, pair("A", 11)._replace(mano=True), pair("B", 8)
        )._replace(special=SpecialKind.MAO, special_worth=3, stake=3, large_digits=True),
        "playing-mao": _paulista(
            Screen.PLAYING, pair("A", 11)._replace(mano=True), pair("B", 8)
        )._replace(special=SpecialKind.MAO, special_worth=3, stake=3),
        "playing-iron": _paulista(
            Screen.PLAYING, pair("A", 11)._replace(mano=True), pair("B", 11)
        )._replace(special=SpecialKind.IRON, special_worth=1),
    }


def _pending() -> dict[str, View]:
    return {
        "pending": _argentine(
            Screen.PENDING, side("A", 12), side("B", 9)._replace(mano=True, owes=True)
        )._replace(
            ladder=argentine_ladder(0, 1),
            call=CallView(
                "truco", CallFamily.TRUCO, 0, 1, WorthView((2,), None), WorthView((1,), 0)
            ),
        ),
        "pending-falta": _argentine(
            Screen.PENDING, side("A", 24)._replace(owes=True), side("B", 27)._replace(mano=True)
        )._replace(
            ladder=argentine_ladder(0, 1),
            call=CallView(
                "falta envido",
                CallFamily.ENVIDO,
                1,
                0,
                WorthView((3,), None, None, wins=True),
                WorthView((2,), 1, (24, 29)),
                suspended="truco",
            ),
        ),
        "pending-flor": _argentine(
            Screen.PENDING, side("A", 12)._replace(mano=True), side("B", 9)._replace(owes=True)
        )._replace(
            call=CallView(
                "flor",
                CallFamily.FLOR,
                0,
                1,
                WorthView((3,), None),
                WorthView((3,), 0, (15, 9)),
                "truco",
            )
        ),
        "pending-paulista": _paulista(
            Screen.PENDING, pair("A", 9)._replace(mano=True, owes=True), pair("B", 8), 1
        )._replace(
            ladder=paulista_ladder(1, 2),
            blink=True,
            call=CallView(
                "seis",
                CallFamily.TRUCO,
                1,
                0,
                WorthView((6,), None, None, True),
                WorthView((3,), 1, (9, 11)),
            ),
        ),
    }


def _results() -> dict[str, View]:
    return {
        "hand_over": _argentine(
            Screen.HAND_OVER,
            side("A", 14)._replace(may_raise=True),
            side("B", 8)._replace(mano=True, may_raise=True),
        )._replace(
            gains=(GainView(0, 2, "truco_refused", "retruco"),), next_hand=NextHandView(1), hand=7
        ),
        "hand_over-both": _argentine(
            Screen.HAND_OVER, side("A", 17), side("B", 11)._replace(mano=True)
        )._replace(
            gains=(GainView(1, 2, "envido", "envido"), GainView(0, 3, "hand", "retruco")),
            next_hand=NextHandView(0),
        ),
        "hand_over-mao": _paulista(
            Screen.HAND_OVER, pair("A", 11), pair("B", 9)._replace(mano=True)
        )._replace(
            gains=(GainView(0, 3, "hand", "truco"),),
            next_hand=NextHandView(1, NextHandKind.NORMAL, SpecialKind.MAO, 0, 3, 1),
        ),
        "hand_over-iron": _paulista(
            Screen.HAND_OVER, pair("A", 11), pair("B", 11)._replace(mano=True)
        )._replace(
            gains=(GainView(1, 1, "mao_run"),),
            next_hand=NextHandView(1, NextHandKind.NORMAL, SpecialKind.IRON, None, 1),
        ),
        "game_over": _argentine(
            Screen.GAME_OVER,
            side("A", 30)._replace(games=1, owes=True),
            side("B", 22)._replace(owes=True),
        )._replace(best_of=3, winner=0),
        "match_over-rematch": _argentine(
            Screen.MATCH_OVER, side("A", 30)._replace(owes=True), side("B", 22)._replace(owes=True)
        )._replace(next_game=SeriesGame.REMATCH, winner=0),
        "match_over-decider": _argentine(
            Screen.MATCH_OVER,
            side("A", 24)._replace(games=1, owes=True),
            side("B", 30)._replace(games=1, owes=True),
        )._replace(
            best_of=3, series_game=SeriesGame.REMATCH, next_game=SeriesGame.DECIDER, winner=1
        ),
        "match_over-series": _argentine(
            Screen.MATCH_OVER,
            side("A", 24)._replace(games=1, owes=True),
            side("B", 30)._replace(games=2, owes=True),
        )._replace(best_of=3, series_game=SeriesGame.DECIDER, winner=1),
        "match_over": _paulista(Screen.MATCH_OVER, pair("A", 9), pair("B", 12))._replace(
            winner=1, confirmed=(1,)
        ),
    }


def _questions() -> dict[str, View]:
    return {
        "winner": _argentine(
            Screen.WINNER,
            side("A", 12)._replace(owes=True),
            side("B", 9)._replace(mano=True, owes=True),
        )._replace(
            call=CallView(
                "real envido", CallFamily.ENVIDO, 1, 0, WorthView((5,), None), WorthView((2,), 1)
            )
        ),
        "question": _argentine(
            Screen.QUESTION, side("A", 12), side("B", 9)._replace(mano=True)
        )._replace(
            question=QuestionView(
                QuestionKey.FOLD_FIRST, AnswerKey.FIRST, AnswerKey.LATER, (1, 2), (1, 1), side=0
            )
        ),
        "question-day": _argentine(
            Screen.QUESTION, side("A", 12), side("B", 9)._replace(mano=True)
        )._replace(question=QuestionView(QuestionKey.DAY, AnswerKey.GO_ON, AnswerKey.NEW)),
        "question-undo": _argentine(
            Screen.QUESTION, side("A", 12), side("B", 9)._replace(mano=True)
        )._replace(
            question=QuestionView(
                QuestionKey.UNDO_FAR, AnswerKey.UNDO, AnswerKey.KEEP, (1, 3), number=7
            )
        ),
        "mao": _paulista(
            Screen.MAO, pair("A", 11)._replace(owes=True), pair("B", 8)._replace(mano=True)
        )._replace(
            call=CallView("", CallFamily.MAO, 0, 0, WorthView((3,), None), WorthView((1,), 1)),
            special_worth=3,
        ),
    }


def _pages() -> dict[str, View]:
    history = (
        HistoryLine(6, 0, "envido", "envido", 0, (10, 7), "21:03"),
        HistoryLine(6, 1, "", "quiero", 0, (10, 7), "21:03"),
        HistoryLine(6, 0, "envido", "envido", 2, (12, 7), "21:04"),
        HistoryLine(6, 1, "", "hand", 1, (12, 8), "21:05"),
        HistoryLine(7, 0, "truco", "truco", 0, (12, 8), "21:06"),
        HistoryLine(7, 1, "retruco", "retruco", 0, (12, 8), "21:06"),
        HistoryLine(7, 1, "retruco", "truco_refused", 2, (12, 10), "21:07"),
    )
    a, b = (side("A", 21)._replace(mano=True), side("B", 8))
    return {
        "tally": _argentine(Screen.TALLY, a, b),
        "tally-paulista": _paulista(Screen.TALLY, pair("A", 7), pair("B", 11)),
        "ladder": _argentine(Screen.LADDER, a, b, 1),
        "ladder-paulista": _paulista(Screen.LADDER, pair("A", 7), pair("B", 11), 2),
        "history": _argentine(Screen.HISTORY, a, b)._replace(history=history, hand=7),
        "status": _argentine(Screen.STATUS, a, b)._replace(hand=7),
        "status-marks": _argentine(Screen.STATUS, a, b)._replace(hand=7, marks=("power", "stuck")),
        **setup_samples.night_views(_argentine(Screen.NIGHT, a, b)),
        **_connections(_argentine(Screen.CONNECTION, a, b)),
        **hall_samples.hall_views(_argentine(Screen.HALL, a, b)),
        "trouble": _argentine(Screen.STORE_FAILURE, a, b)._replace(marks=("damaged",)),
    }


def _connections(screen: View) -> dict[str, View]:
    here = LinkView(LinkState.ONLINE, "http://192.168.1.7:8080/", "truco.local", "Bar El Ombú", 3)
    far = LinkView(LinkState.ONLINE, "http://192.168.100.134:8080/", "raspberrypi.local", "", 1)
    own = LinkView(
        LinkState.ONLINE, "http://10.42.0.1:8080/", "truco.local", "Truco-7F3A", 0, "kx7m2p9dae"
    )
    links = {
        "connection": here,
        "connection-own": own,
        "connection-cable": far,
        "connection-waiting": LinkView(LinkState.WAITING, wifi="Bar El Ombú"),
        "connection-password": LinkView(LinkState.PASSWORD, wifi="Bar El Ombú"),
        "connection-local": LinkView(LinkState.LOCAL),
        "connection-off": LinkView(),
    }
    return {name: screen._replace(link=link) for name, link in links.items()}


def _setup() -> dict[str, View]:
    main = (
        SetupKey.GO_ON,
        SetupKey.REDO,
        SetupKey.BACK,
        SetupKey.CORRECT,
        SetupKey.FOULS,
        SetupKey.END,
        SetupKey.NEW_GAME,
    )
    entries = tuple(SetupItem(key) for key in main)
    moments = (
        HistoryLine(7, 1, "retruco", "retruco", 0, (12, 8), "21:06"),
        HistoryLine(7, 0, "truco", "truco", 0, (12, 8), "21:06"),
        HistoryLine(6, 1, "", "hand", 1, (12, 8), "21:05"),
        HistoryLine(6, 0, "envido", "envido", 2, (12, 7), "21:04"),
        HistoryLine(1, None, "", "start", 0, (0, 0), ""),
    )
    points = tuple(SetupItem(PlainKey.POINT, moment=moment) for moment in moments)
    fouls = (
        SetupItem(SetupKey.ENVIDO_REVERSED, 1),
        SetupItem(SetupKey.AWARD),
        SetupItem(SetupKey.REDEAL),
    )
    late = ((2, "envido"), (5, "envido, real envido"), (7, "envido, envido, real envido"))
    sums = tuple(SetupItem(SetupKey.LATE_PAID, number=points, word=words) for points, words in late)
    one = SetupItem(SetupKey.CONCEDE, 0)
    levels = {
        "setup": SetupView(SetupKey.SETUP, entries, 3),
        "setup-back": SetupView(SetupKey.BACK, points, 1, 0, 12),
        "setup-back-agreed": SetupView(SetupKey.BACK, points[1:2], missing=(0, 1)),
        "setup-correct": SetupView(SetupKey.CORRECT, values=(12, 9), side=1),
        "setup-fouls": SetupView(SetupKey.FOULS, fouls),
        "setup-award": SetupView(SetupKey.AWARD, values=(3,), side=1),
        "setup-late": SetupView(SetupKey.LATE_ENVIDO, sums, 2, 0, 2),
        "setup-surrender": SetupView(SetupKey.END, (one,), missing=(1,)),
        **setup_samples.setup_views(),
        **hall_samples.setup_views(),
    }
    screen = _argentine(Screen.SETUP, side("A", 12)._replace(mano=True), side("B", 9))
    return {name: screen._replace(setup=level) for name, level in levels.items()}


def _notices() -> dict[str, View]:
    playing, pending = (_playing()["playing"], _pending()["pending"])
    return {
        "playing-gain": playing._replace(gains=(GainView(1, 1, "envido_refused", "envido"),)),
        "playing-refused": playing._replace(
            notice=Notice(Refusal.NOT_YOUR_RAISE, side=0, urgent=True)
        ),
        "playing-undone": playing._replace(notice=Notice(NoticeKey.UNDONE, "truco", 1)),
        "pending-undone": pending._replace(notice=Notice(NoticeKey.UNDONE_WORD, "new_hand")),
        "pending-refused": pending._replace(notice=Notice(NoticeKey.ECHO, side=0, urgent=True)),
    }
