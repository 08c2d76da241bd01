"""A call that waits: its answers and who owes one."""

from __future__ import annotations

from scorer.phrases.names import shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import CallView


def button_words(scene: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the two buttons in the variant's tongue; "no quiero" is a NO where it must."""
    view = scene.view
    refuse = view.refuse.upper()
    # To a plain flor nobody says quiero: who has one says so.
    plain = view.call is not None and (view.call.family, view.call.word) == ("flor", "flor")
    accept = "flor" if plain else view.accept
    return (accept.upper(),), (refuse, refuse.split()[0])


def owes_words(scene: Scene, side: int) -> tuple[str, ...]:
    """Who must answer."""
    return tuple(
        scene.say("pending.owes", side=name) for name in shrinking_wordings(scene, side, 70, 50)
    )


def waiting_call(scene: Scene, call: CallView) -> str:
    """The truco that waits behind an envido or a flor."""
    return scene.say("pending.waits", word=call.suspended)


def winner_question(scene: Scene, call: CallView) -> str:
    """Asks for the winner of an accepted envido or flor."""
    return scene.say("winner.ask", word=call.word)


def winner_pays(scene: Scene, call: CallView) -> str:
    """What the winner of an accepted bet is paid."""
    return scene.say("winner.pays", points=scene.pays(call.quiero))
