"""Build what a team light shows from a session."""

from __future__ import annotations

from typing import Final

from scorer.rules import Action
from scorer.rules.offer import offer
from scorer.session.values.dimming import awaited_consoles
from scorer.session.values.game_queries import current_hand
from scorer.session.values.state import Session
from scorer.session.view.light_scene import THIRD_COLOUR, LightScene, Pattern, Shape

PATTERNS: Final = {
    Action.TRUCO: Pattern(Shape.FLASH, 1),
    Action.TRUC: Pattern(Shape.FLASH, 1),
    Action.PRIVO: Pattern(Shape.FLASH, 1),
    Action.RETRUCO: Pattern(Shape.FLASH, 2),
    Action.RETRUC: Pattern(Shape.FLASH, 2),
    Action.SEIS: Pattern(Shape.FLASH, 2),
    Action.VALE_CUATRO: Pattern(Shape.FLASH, 3),
    Action.QUATRE_VAL: Pattern(Shape.FLASH, 3),
    Action.VALE_NUEVE: Pattern(Shape.FLASH, 3),
    Action.NOVE: Pattern(Shape.FLASH, 3),
    Action.DEZ: Pattern(Shape.FLASH, 3),
    Action.VALE_JUEGO: Pattern(Shape.FLASH, 4),
    Action.JOC_FORA: Pattern(Shape.FLASH, 4),
    Action.DOZE: Pattern(Shape.FLASH, 4),
    Action.ENVIDO: Pattern(Shape.RUN, 1),
    Action.ENVIT: Pattern(Shape.RUN, 1),
    Action.REAL_ENVIDO: Pattern(Shape.RUN, 2),
    Action.TORNE: Pattern(Shape.RUN, 2),
    Action.ENVIDO_MAS: Pattern(Shape.RUN, 2),
    Action.ENVIDO_IGUALAR: Pattern(Shape.RUN, 3),
    Action.FALTA_ENVIDO: Pattern(Shape.RUN, 4),
    Action.FALTA: Pattern(Shape.RUN, 4),
    Action.FLOR: Pattern(Shape.BLOOM, 1),
    Action.CON_FLOR_ENVIDO: Pattern(Shape.BLOOM, 2),
    Action.CON_FLOR_REAL_ENVIDO: Pattern(Shape.BLOOM, 2),
    Action.CON_FLOR_FALTA_ENVIDO: Pattern(Shape.BLOOM, 3),
    Action.FLOR_ENVIDA: Pattern(Shape.BLOOM, 2),
    Action.CONTRAFLOR: Pattern(Shape.BLOOM, 2),
    Action.FLOR_ENVIDA_MAS: Pattern(Shape.BLOOM, 3),
    Action.CONTRAFLOR_RESTO: Pattern(Shape.BLOOM, 4),
}


def light_scene_of(session: Session) -> LightScene:
    """What the light shows of ``session``."""
    game = session.game
    colours = (*session.settings.lamps, THIRD_COLOUR)
    awaited = (c for c, on in zip(colours, awaited_consoles(session), strict=False) if on)
    if game.winner is not None:
        return LightScene(
            tuple(awaited), winner=colours[game.rules.scoring_sides.index(game.winner)]
        )
    dealt = current_hand(game)
    pending, hand = offer(dealt), dealt.hand
    call = pending.call if pending is not None and pending.owed else None
    made = hand.truco.rung + len(hand.envido.chain) + len(hand.flor.raises)
    return LightScene(tuple(awaited), None if call is None else PATTERNS[call], made)
