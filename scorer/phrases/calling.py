"""A pending call: its answers and the sides to answer."""

from __future__ import annotations

from scorer.phrases import mao, singing
from scorer.phrases.names import shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import CallFamily, CallView


def answer_words(scene: Scene) -> tuple[str, str]:
    """The words of the two answers in the variant's language."""
    view = scene.view
    # A plain flor is answered with a flor, not with a quiero.
    plain = view.call is not None and (view.call.family, view.call.word) == (
        CallFamily.FLOR,
        "flor",
    )
    return "flor" if plain else view.accept, view.refuse


def button_words(scene: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the two buttons in capitals; "no quiero" may become NO."""
    accept, refuse = (word.upper() for word in answer_words(scene))
    return (accept,), (refuse, refuse.split()[0])


def owes_words(scene: Scene, side: int) -> tuple[str, ...]:
    """The side that must answer."""
    return tuple(
        scene.say("pending.owes", side=name) for name in shrinking_wordings(scene, side, 70, 50)
    )


def waiting_call(scene: Scene, call: CallView) -> str:
    """The truco suspended by an envido or flor."""
    return scene.say("pending.waits", word=call.suspended)


def winner_question(scene: Scene, call: CallView) -> str:
    """Asks for the winner of an accepted envido or flor."""
    return scene.say("winner.ask", word=call.word)


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
