"""Dimming of idle panels, and the state of the lamps."""

from __future__ import annotations

from enum import StrEnum

from scorer.rules import Phase, Side
from scorer.rules.offer import sides_to_answer
from scorer.rules.score import speaker_of
from scorer.session.values import seating
from scorer.session.values.game_queries import current_hand
from scorer.session.values.state import Session

_PENDING = (Phase.PENDING_TRUCO, Phase.PENDING_ENVIDO, Phase.PENDING_FLOR, Phase.PENDING_PRIVO)
_AWAITING = (Phase.AWAITING_ENVIDO, Phase.AWAITING_FLOR)


class Light(StrEnum):
    ON = "on"
    DIM = "dim"  # every press counts
    DARK = "dark"  # the press that wakes the panel has no other effect


def light_of(session: Session) -> Light:
    """The light of the panels."""
    alone = session.now - session.touched_at
    at = light_timeouts(session)
    if at[1] is not None and alone >= at[1]:
        return Light.DARK
    return Light.DIM if at[0] is not None and alone >= at[0] else Light.ON


def light_timeouts(session: Session) -> tuple[float | None, float | None]:
    """Seconds of inactivity until dim and until dark; None for never."""
    settings = session.settings
    dark = settings.light.dark_pending if is_pending(session) else settings.light.dark
    return settings.light.dim or None, dark or None


def burn_in_shift(session: Session) -> int:
    """Number of shifts of a dimmed picture so far; prevents burn-in."""
    settings = session.settings
    alone = session.now - session.touched_at - settings.light.dim
    return (
        int(alone / settings.light.shift) + 1
        if settings.light.shift and settings.light.dim and alone >= 0
        else 0
    )


def is_pending(session: Session) -> bool:
    """True while a call is pending."""
    return session.phase in _PENDING


def awaited_indices(session: Session) -> tuple[int, ...]:
    """The view indices of the sides awaited; all possible winners if one is awaited."""
    game = session.game
    waiting = _awaited_sides(session)
    dealt = game if game.winner is not None else current_hand(game)
    sides = enumerate(game.rules.scoring_sides)
    return tuple(at for at, side in sides if speaker_of(dealt, side) in waiting)


def _awaited_sides(session: Session) -> tuple[Side, ...]:
    game = session.game
    if session.setup is not None and session.setup.level.confirmed is not None:
        return session.setup.level.confirmed
    if game.winner is not None:
        # A team that has agreed to the result or the next game lights its own lamp.
        return session.agreed_sides
    # The lamps ask for the winner; in the dark they do not.
    at = forgotten_winner_time(session)
    is_forgotten = at is not None and session.now >= at and light_of(session) is not Light.DARK
    if session.phase in _AWAITING or is_forgotten:
        return game.rules.speaking_sides
    return sides_to_answer(current_hand(game))


def forgotten_winner_time(session: Session) -> float | None:
    """When the lamps of all sides ask for the winner of an accepted truco, or None."""
    since, settings = session.awaits_winner_since, session.settings
    if since is None or not settings.guards.forgotten:
        return None
    return since + settings.forgotten_lamps_s


def lamps_of(session: Session) -> tuple[bool, ...]:
    """The lamp state of each console; a flash inverts it briefly."""
    flash = session.flashing_console if session.now < session.flash_until else None
    return tuple(on is not (at == flash) for at, on in enumerate(awaited_consoles(session)))


def awaited_consoles(session: Session) -> tuple[bool, ...]:
    """Whether a side at each console is awaited."""
    waits = _awaited_sides(session)
    rules, wired = session.rules, session.settings.consoles.count
    return tuple(
        any(side in waits for side in seating.sides_at(console, rules, wired))
        for console in seating.consoles_in_use(rules, wired)
    )


def is_tally_shown(session: Session) -> bool:
    """True while the large tally is shown."""
    return session.milestone_at <= session.now < session.milestone_at + session.settings.tally_s


def touched(session: Session, now: float) -> Session:
    """The session with a gesture at ``now``, which shows no hand again that was left."""
    return session._replace(touched_at=now, next_hand_seen=session.is_next_hand_shown)


def is_blinked_off(session: Session) -> bool:
    """True in the dark phase of the blinking called rung; idle panels do not blink."""
    period = session.settings.blink_s
    if not period or not is_pending(session) or light_of(session) is not Light.ON:
        return False
    return int((session.now - session.touched_at) / period) % 2 == 1
