"""A pending call: its answers and the sides to answer."""

from __future__ import annotations

from scorer.phrases import mao, singing
from scorer.phrases.names import shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.phrases.state_line import duel_title_words
from scorer.session.view.view import CallFamily, CallView


def answer_buttons(scene: Scene) -> tuple[str, str]:
    """The labels of the two buttons that answer."""
    call = None if scene.view.question is not None else scene.view.call
    # A plain flor, or several, is answered with a flor, not with a quiero.
    words = () if call is None else (call.family, *call.word.split(" x")[:1])
    is_plain_flor = words == (CallFamily.FLOR, "flor")
    accept = "label.flor" if is_plain_flor else "label.quiero"
    asked = scene.view.question
    is_undo = asked is not None and asked.is_no_undo
    return scene.say(accept), scene.say("label.undo" if is_undo else "label.no_quiero")


def answer_button_wordings(scene: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of the two buttons that answer; NO QUIERO may become NO."""
    accept, refuse = answer_buttons(scene)
    return (accept,), (refuse, refuse.split()[0])


def owes_words(scene: Scene, side: int) -> tuple[str, ...]:
    """The side that must answer; in a pica hand the duel first, or alone."""
    view = scene.view
    names = shrinking_wordings(scene, side, 70, 50)
    owes = tuple(scene.say("pending.owes", side=name) for name in names)
    if view.duel is None:
        return owes
    long, short = duel_title_words(scene, view.duel)
    return (*(f"{long} · {each}" for each in owes), long, short)


def waiting_call(scene: Scene, call: CallView) -> str:
    """The truco suspended by an envido or flor."""
    return scene.say("pending.waits", word=call.suspended)


def winner_question_wordings(scene: Scene, call: CallView) -> tuple[str, ...]:
    """Asks for the winner of an accepted envido or flor, then names the bet alone."""
    return scene.say("winner.ask", word=call.word), call.word


def winner_press(scene: Scene) -> str:
    """The button that enters the winner."""
    return scene.say("winner.press", tantos=scene.say("label.tantos"))


def winner_pays(scene: Scene, call: CallView) -> str:
    """The payment of the winner of an accepted bet."""
    return scene.say("winner.pays", points=scene.pays(call.quiero))


def call_title(scene: Scene, call: CallView) -> str:
    """The title of a call: its word, or the name of the hand to decide on."""
    if call.family is CallFamily.MAO:
        return mao.mao_title_words(scene, mao.mao_terms(scene))[0]
    return scene.say("singing.call") if call.family is CallFamily.SINGING else call.word


def asks_words(scene: Scene, call: CallView) -> tuple[str, ...]:
    """The sides asked to answer."""
    if call.family is CallFamily.MAO:
        return mao.mao_ask_words(scene, mao.mao_terms(scene))
    if call.family is CallFamily.SINGING:
        return singing.ask_words(scene, call)
    return owes_words(scene, call.owes) if call.owed else ()
