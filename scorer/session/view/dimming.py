"""A panel left alone goes dim, then dark; and which lamps are lit."""

from __future__ import annotations

from enum import StrEnum

from scorer.rules import Phase, Side
from scorer.rules.score import speaker_of
from scorer.session import seating
from scorer.session.game_queries import current_hand, sides_to_answer
from scorer.session.state import Session

_PENDING = (Phase.PENDING_TRUCO, Phase.PENDING_ENVIDO, Phase.PENDING_FLOR, Phase.PENDING_PRIVO)
_AWAITING = (Phase.AWAITING_ENVIDO, Phase.AWAITING_FLOR)


class Light(StrEnum):
    ON = "on"
    DIM = "dim"  # every press counts
    DARK = "dark"  # the press that wakes it is swallowed


def light_of(session: Session) -> Light:
    """How bright the panels are to be."""
    alone = session.now - session.touched_at
    at = light_timeouts(session)
    if at[1] is not None and alone >= at[1]:
        return Light.DARK
    return Light.DIM if at[0] is not None and alone >= at[0] else Light.ON


def light_timeouts(session: Session) -> tuple[float | None, float | None]:
    """Seconds alone after which it goes dim and dark; None for never."""
    settings = session.settings
    dark = settings.dark_pending_after_s if is_pending(session) else settings.dark_after_s
    return settings.dim_after_s or None, dark or None


def burn_in_shift(session: Session) -> int:
    """How often the picture of a dim panel has moved, so that no pixel shines for hours."""
    settings = session.settings
    alone = session.now - session.touched_at - settings.dim_after_s
    return (
        int(alone / settings.shift_every_s) + 1
        if settings.shift_every_s and settings.dim_after_s and alone >= 0
        else 0
    )


def is_pending(session: Session) -> bool:
    """Does a call wait for its answer?"""
    return session.phase in _PENDING


def awaited_indices(session: Session) -> tuple[int, ...]:
    """The sides that the box waits for, as a view numbers them; several: for whoever has won."""
    game = session.game
    waiting = _awaited_sides(session)
    dealt = game if game.winner is not None else current_hand(game)
    sides = enumerate(game.rules.scoring_sides)
    return tuple(at for at, side in sides if speaker_of(dealt, side) in waiting)


def _awaited_sides(session: Session) -> tuple[Side, ...]:
    game = session.game
    if session.setup is not None and session.setup.confirmed is not None:
        return session.setup.confirmed
    if game.winner is not None:
        # The first team that wants another game lights its own lamp.
        return session.confirmed
    if session.phase in _AWAITING:
        return game.rules.speaking_sides
    return sides_to_answer(current_hand(game))


def lamps_of(session: Session) -> tuple[bool, ...]:
    """Lit or not, a console; a flash turns a lamp over for a moment."""
    waits = _awaited_sides(session)
    flash = session.flashing_console if session.now < session.flash_until else None
    rules, wired = session.rules, session.settings.consoles
    lit = (
        any(side in waits for side in seating.sides_at(console, rules, wired))
        for console in seating.consoles_in_use(rules, wired)
    )
    return tuple(on is not (at == flash) for at, on in enumerate(lit))


def is_tally_shown(session: Session) -> bool:
    """Is it the moment of the large tally?"""
    return session.milestone_at <= session.now < session.milestone_at + session.settings.tally_s


def is_blinked_off(session: Session) -> bool:
    """Is the called rung in its dark half now? Nothing blinks on a panel that is left alone."""
    period = session.settings.blink_s
    if not period or not is_pending(session) or light_of(session) is not Light.ON:
        return False
    return int((session.now - session.touched_at) / period) % 2 == 1
