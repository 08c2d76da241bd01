"""The phrases of a report for one audience, as JSON-ready values.

Pages only place them; the texts come from ``scorer.phrases``, as for every other output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.i18n import Say
from scorer.phrases import (
    calling,
    gains,
    history,
    mao,
    outcome,
    questions,
    singing,
    state_line,
)
from scorer.phrases.names import default_side_name
from scorer.phrases.pair_figures import pair_figures
from scorer.phrases.rule_change import change_text, change_wordings
from scorer.phrases.scene import Scene
from scorer.session.values.night_view import NightStanding
from scorer.session.values.shown import Screen
from scorer.session.view.state_view import side_index
from scorer.session.view.view import (
    CallFamily,
    CallView,
    GainView,
    HistoryLine,
    NextHandView,
    SpecialKind,
    View,
    WorthView,
)

JsonObject = dict[str, Any]


def viewer_scene(view: View, say: Say, first: str) -> Scene:
    """The view with the viewer's side ``first``, the others in the order of play.

    With another ``first`` the viewer has no side.
    """
    keys = [side.key for side in view.sides]
    at = keys.index(first) if first in keys else 0
    order = tuple((at + step) % len(keys) for step in range(len(keys)))
    return Scene(view, say, order, is_neutral=first not in keys)


def report_phrases(scene: Scene, report: Mapping[str, Any]) -> JsonObject:
    """All phrases of ``report``; its state and history must be known."""
    view, state = scene.view, report["state"]
    call, scores = view.call, scene.scores(tuple(side.score for side in view.sides))
    kind = report["board"]["hand_kind"]
    number = scene.say("state.hand", number=scene.view.hand)
    # The change of rules that is not in force yet.
    change = "" if view.change is None else f"{change_text(scene.say, view.change)}."
    return {
        "order": [view.sides[at].key for at in scene.order],
        "title": scene.say("web.title", score=scores),
        "game": _game_title(scene, report["board"]["title"]),
        "hand": number if kind == "normal" else f"{scene.say(f'web.kind.{kind}')} · {number}",
        "sides": {side.key: _side(scene, at) for at, side in enumerate(view.sides)},
        "names": _names(scene),
        "accept": scene.say("label.quiero"),
        "refuse": scene.say("label.no_quiero"),
        "fold": view.fold,
        "stake": scene.stake(view.stake),
        "ladder": [scene.points(rung.value) for rung in view.ladder],
        "state": state_line.standing_words(scene)[0],
        "raise": _raise_text(scene),
        "special": _special(scene),
        "call": None if call is None else _call(scene, call),
        "gains": [_gain(scene, gain) for gain in view.gains],
        "reasons": [_reasons(scene, gained) for gained in gains.side_reasons(scene)],
        "next": None if view.next_hand is None else _next_hand(scene, view.next_hand),
        "result": None if view.winner is None else _result(scene),
        "question": _question(scene),
        "recent": [_entry(scene, state, entry) for entry in report["recent"]],
        "chart": _chart_text(scene, report["hands"]),
        "night": _night(scene, report["night"]),
        "event": event_text(scene),
        "news": " ".join(filter(None, (news_text(scene, report), change))),
        "sentence": sentence(scene),
        "faults": [scene.mark(mark) for mark in view.marks],
    }


def shared_game_phrases(
    scene: Scene,
    state: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    hands: Sequence[Mapping[str, Any]],
    title: str,
) -> JsonObject:
    """The phrases of a game that is shared: its sides, its result, every entry."""
    view = scene.view
    return {
        "order": [view.sides[at].key for at in scene.order],
        "game": _game_title(scene, title),
        "sides": {side.key: _side(scene, at) for at, side in enumerate(view.sides)},
        "result": _result(scene)["won"] if view.winner is not None else "",
        "chart": _chart_text(scene, hands),
        "entries": [_entry(scene, state, entry) for entry in entries],
    }


def _game_title(scene: Scene, title: str) -> str:
    target = scene.say("page.target", points=scene.view.target)
    if scene.view.change is not None:
        # The line of a television has room for one of both.
        return change_wordings(scene.say, scene.view.change)[1]
    parts = (title, target, outcome.series_game_name(scene))
    return " · ".join(filter(None, parts))


def _side(scene: Scene, at: int) -> JsonObject:
    side = scene.view.sides[at]
    return {
        "name": scene.name(at),
        "score": str(side.score),
        "spoken": (scene.spoken_wordings(at) or ("",))[0],
        "games": scene.say("game.series", score=side.games),
    }


def _names(scene: Scene) -> JsonObject:
    """The name of every side; the camps of pata de gallo too."""
    view = scene.view
    names = {side.key: scene.name(at) for at, side in enumerate(view.sides)}
    if view.gallo is None:
        return names
    return {**names, "gallo": scene.name(view.gallo), "pair": scene.name(len(view.sides))}


def _raise_text(scene: Scene) -> str:
    raisers = [at for at, side in enumerate(scene.view.sides) if side.may_raise]
    if raisers and scene.view.gallo not in (None, *raisers):
        raisers = [len(scene.view.sides)]  # the pair raises as one
    if len(raisers) != 1 or scene.view.call is not None:
        return ""
    return scene.say("web.raise", side=scene.name(raisers[0]))


def _special(scene: Scene) -> JsonObject | None:
    if not scene.view.special:
        return None
    return {
        "title": state_line.special_title(scene)[0],
        "detail": state_line.special_detail(scene),
    }


# --- calls ---------------------------------------------------------------------------------------


def _call(scene: Scene, call: CallView) -> JsonObject:
    if scene.view.screen == Screen.WINNER:
        # An accepted bet whose winner is not yet known.
        title = calling.winner_question_wordings(scene, call)[0]
        return {
            "family": call.family,
            "place": -1,
            "by": "",
            "title": title,
            "shout": title,
            "asks": scene.say("winner.who"),
            "line": " · ".join([*state_line.standing_words(scene)[:1], *_waiting(scene, call)]),
            "yes": {
                "word": "",
                "pays": calling.winner_pays(scene, call),
                "leads": _open_leads(scene, call.quiero),
            },
            "no": None,
        }
    title, asks = calling.call_title(scene, call), calling.asks_words(scene, call)
    yes, no = _answers(scene, call)
    # Under the answers: who is asked and what waits; of a mão de onze who is mano.
    if call.family is CallFamily.MAO:
        under = mao.mano_words(scene)[0]  # a side decides, so the mano is known
    else:
        under = " · ".join([*asks[:1], *_waiting(scene, call)])
    return {
        "family": call.family,
        "place": scene.order.index(call.by) if call.by in scene.order else -1,
        "by": scene.name(call.by),
        "title": title,
        "shout": scene.say("web.shout", word=title),
        "asks": asks[0] if asks else "",
        "line": under,
        "yes": yes,
        "no": no,
    }


def _waiting(scene: Scene, call: CallView) -> list[str]:
    return [calling.waiting_call(scene, call)] if call.suspended else []


def _answers(scene: Scene, call: CallView) -> tuple[JsonObject, JsonObject]:
    if call.family is CallFamily.MAO:
        return _mao_answers(scene)
    if call.family is CallFamily.SINGING:
        return _singing_answers(scene, call)
    if call.family is CallFamily.PRIVO:
        played = WorthView((call.quiero.points[call.by],), None)
        each = [
            singing.gain_words(scene, side, call.quiero.points[side])
            for side in (call.by, call.owes)
        ]
        refused = singing.refusal_words(scene, call)
        return _pair(scene, (played, _lines(each)), (call.no_quiero, _lines(refused)))
    return _pair(
        scene,
        (call.quiero, _open_leads(scene, call.quiero)),
        (call.no_quiero, _certain_leads(scene, call.no_quiero)),
    )


def _mao_answers(scene: Scene) -> tuple[JsonObject, JsonObject]:
    terms = mao.mao_terms(scene)
    run = gains.gain_wordings(scene, terms.rival, terms.run.points[0], 34)
    return _pair(
        scene, (terms.play, _lines([(scene.say("mao.plays"),)])), (terms.run, _lines([run]))
    )


def _singing_answers(scene: Scene, call: CallView) -> tuple[JsonObject, JsonObject]:
    yes = [(call.word,), singing.unwanted_words(scene, call)]
    no = [singing.game_end_words(scene), singing.winner_words(scene, call.no_quiero)]
    return _pair(scene, (call.quiero, _lines(yes)), (call.no_quiero, _lines(no)))


def _pair(
    scene: Scene, yes: tuple[WorthView, list[JsonObject]], no: tuple[WorthView, list[JsonObject]]
) -> tuple[JsonObject, JsonObject]:
    """Both answers: word of the button, payment and resulting score."""
    words = calling.answer_buttons(scene)
    first, second = (
        {"word": word, "pays": scene.pays(worth), "leads": leads}
        for word, (worth, leads) in zip(words, (yes, no), strict=True)
    )
    return first, second


def _lines(wordings: Sequence[tuple[str, ...]]) -> list[JsonObject]:
    return [{"text": each[0], "kind": ""} for each in wordings]


def _certain_leads(scene: Scene, worth: WorthView) -> list[JsonObject]:
    """The scores after an answer, or that it ends the game."""
    now = tuple(side.score for side in scene.view.sides)
    if not worth.wins and worth.scores == now:
        return []  # booked later
    return [{"text": text, "kind": ""} for text in scene.outcome_wordings(worth)[:1]]


def _open_leads(scene: Scene, worth: WorthView) -> list[JsonObject]:
    """The scores if each side wins the bet, and that it may end the game."""
    leads: list[JsonObject] = []
    if worth.if_won is not None:
        for place, at in enumerate(scene.order):
            leads.append({"text": scene.scores(worth.if_won[at]), "kind": f"if-{place}"})
    if worth.wins:
        leads.append({"text": scene.end_wordings(worth)[0], "kind": "ends"})
    return leads


# --- what was won --------------------------------------------------------------------------------


def _gain(scene: Scene, gain: GainView) -> JsonObject:
    why = gains.reason_text(scene.say, gain.why, gain.word)
    amount = gains.gain_wordings(scene, gain.side, gain.points, 0)[0]
    return {
        "side": _side_key(scene, gain.side),
        "amount": amount,
        "why": why,
        "line": f"{amount}: {why}",
        "text": scene.say(
            "web.gain", points=f"{gain.points:+d}", side=scene.name(gain.side), why=why
        ),
    }


def _reasons(scene: Scene, gained: gains.SideReasons) -> JsonObject:
    """All that one side gained in this hand, and why."""
    amount = gains.gain_wordings(scene, gained.side, gained.points, 0)[0]
    return {
        "side": _side_key(scene, gained.side),
        "amount": amount,
        "why": gained.wordings[0],
        "line": f"{amount}: {gained.wordings[0]}",
    }


def _side_key(scene: Scene, at: int) -> str:
    return (*(side.key for side in scene.view.sides), "pair")[at]


def _next_hand(scene: Scene, hand: NextHandView) -> JsonObject:
    text = outcome.next_hand_words(scene, hand)[0]
    answers = None
    if hand.special is SpecialKind.MAO:
        answers = _mao_answers(scene)
    elif hand.call is not None:
        answers = _singing_answers(scene, hand.call)
    if answers is not None:
        text = mao.with_mano(scene, (text,))[0]
    return {"text": text, "is_special": bool(hand.special), "answers": answers}


def _result(scene: Scene) -> JsonObject:
    is_offered = scene.view.next_game is not None or scene.view.screen is Screen.GAME_OVER
    return {
        "won": outcome.winner_words(scene)[0],
        "margin": outcome.margin_words(scene)[0],
        "asks": outcome.continue_words(scene)[0] if is_offered else "",
    }


# --- the rest ------------------------------------------------------------------------------------


def _question(scene: Scene) -> JsonObject | None:
    pending = scene.view.question
    if pending is None:
        return None
    yes, no = (
        {"means": option.meaning, "pays": (option.pays or ("",))[0]}
        for option in questions.answer_options(scene, pending)
    )
    return {"text": questions.question_words(scene, pending)[0], "yes": yes, "no": no}


def _entry(scene: Scene, state: Mapping[str, Any], entry: Mapping[str, Any]) -> JsonObject:
    """One entry of the history: who, what, what it paid and the score then."""
    scores = tuple(entry["score"].values())
    side, points = side_index(state, entry["side"]), entry["points"]
    line = HistoryLine(entry["hand"], side, entry["word"], entry["key"], points, scores, "")
    return {
        "who": scene.name(side),
        "gain": f"{points:+d}" if points else "",
        "what": history.entry_text(scene, line),
        "score": scene.figures(scores) if len(scores) == len(scene.order) else "",
    }


def _chart_text(scene: Scene, hands: Sequence[Mapping[str, Any]]) -> str:
    each = (tuple(hand["score"].values()) for hand in hands)
    texts = (scene.scores(scores) for scores in each if len(scores) == len(scene.order))
    return scene.say("web.chart.alt", score=", ".join(texts))


def _night(scene: Scene, night: Mapping[str, Any] | None) -> JsonObject | None:
    """The ranking of the evening, and its two best in one line."""
    rows = [row for row in (night or {}).get("rows", ()) if row["played"]]
    if night is None or not rows:
        return None
    say = scene.say
    named = [(row, row["name"] or default_side_name(scene, row["key"])) for row in rows]
    standings = [NightStanding(**row) for row in rows]
    best = [f"{name} {row['won']}" for row, name in named if row["won"]][:2]
    games = say("page.night.one" if night["games"] == 1 else "page.night", games=night["games"])
    longest = say("page.night.longest", minutes=night["longest"]) if night["longest"] else ""
    figures = pair_figures(standings)
    return {
        "line": f"{say('web.night')}: {' · '.join(best)}" if best else "",
        "sum": " · ".join(filter(None, (games, longest))),
        "figures": [say(label) for label in figures.labels],
        "unnamed": {side: default_side_name(scene, side) for side in ("A", "B", "C")},
        "rows": [
            {
                "id": pair.id,
                "won": str(row["won"]),
                "name": name,
                "games": say("web.night.player", won=row["won"], played=row["played"]),
                "streak": (
                    say("page.night.streak", games=row["streak"]) if row["streak"] > 1 else ""
                ),
                "figures": texts,
            }
            for (row, name), pair, texts in zip(named, standings, figures.texts, strict=True)
        ],
    }


def event_text(scene: Scene) -> str:
    """What happens now in one sentence; "" during a plain hand."""
    view = scene.view
    if view.winner is not None:
        return outcome.winner_words(scene)[0]
    gained = [_gain(scene, gain)["text"] for gain in view.gains]
    if view.call is not None:
        return ". ".join([*gained, _call_sentence(scene, view.call)])
    if gained:
        return ". ".join(gained)
    special = _special(scene)
    return f"{special['title']}. {special['detail']}" if special else ""


def _call_sentence(scene: Scene, call: CallView) -> str:
    texts = _call(scene, call)
    if texts["no"] is None:
        return f"{texts['title']} {texts['asks']}"
    if call.family is CallFamily.MAO:
        return str(texts["asks"])
    either = ", ".join(f"{each['word']} {each['pays']}" for each in (texts["yes"], texts["no"]))
    return f"{texts['by']}: {texts['shout']} {either}."


def sentence(scene: Scene) -> str:
    """The whole report for screen readers: the scores, then what happens."""
    scores = (
        f"{scene.name(at)} {(scene.spoken_wordings(at) or (str(scene.view.sides[at].score),))[0]}"
        for at in scene.order
    )
    return f"{', '.join(scores)}. {event_text(scene)}".strip()


def news_text(scene: Scene, report: Mapping[str, Any]) -> str:
    """What has just happened and what it leaves, for screen readers."""
    asked = scene.view.question
    question = None if asked is None or asked.console else _question(scene)
    if question is not None:
        either = (f"{each['means']} {each['pays']}" for each in (question["yes"], question["no"]))
        return f"{question['text']} {', '.join(each.strip() for each in either)}."
    recent = report["recent"]
    newest = [entry for entry in recent if entry["press"] == recent[-1]["press"]]
    if scene.view.winner is not None or not newest or any(entry["points"] for entry in newest):
        return sentence(scene)
    entry = _entry(scene, report["state"], newest[-1])
    if not entry["who"]:  # an undo, which may change the score
        return f"{entry['what']}. {sentence(scene)}"
    call = scene.view.call
    left = scene.stake(scene.view.stake) if call is None else _call_sentence(scene, call)
    # The sentence of a call names it already.
    return left if entry["what"] in left else f"{entry['who']}: {entry['what']}. {left}"
