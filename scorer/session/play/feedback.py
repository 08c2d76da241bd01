"""What the table tells about a press: sounds, what an undo took back, and until when it is shown.

It makes notices and times out of values; it changes no game.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import Action, Game, Rules, Step
from scorer.session import seating
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play.questions import largest_payment
from scorer.session.record import Record
from scorer.session.state import NEVER, Session, Sound
from scorer.session.view.dimming import Light, is_pending, light_of, light_timeouts
from scorer.session.view.info_pages import next_page
from scorer.session.view.view import Notice, Screen

_SOUNDS = {
    Sound.ACCEPT: (Action.QUIERO, Action.MAO_PLAY, Action.PRIVO, Action.NEW_HAND),
    Sound.REFUSE: (
        Action.NO_QUIERO,
        Action.ME_ACHICO,
        Action.NO_FLOR,
        Action.NO_PRIVO,
        Action.MAO_RUN,
        Action.FOLD,
    ),
    Sound.POINT: (
        Action.ENVIDO_WON,
        Action.FLOR_WON,
        Action.HAND_WON,
        Action.ALL_TIED,
        Action.TRICKS,
        Action.AWARD,
        Action.CORRECT,
        Action.ENVIDO_REVERSED,
        Action.FLOR_REVERSED,
    ),
}
# What raises by a number says the number first.
_NUMBER_FIRST = (Action.ENVIDO_MAS, Action.FLOR_ENVIDA_MAS)
_SOUND_OF = {action: sound for sound, actions in _SOUNDS.items() for action in actions}


def sound_of(steps: tuple[Step, ...], game: Game) -> Sound:
    """The sound of a press that wrote ``steps`` and led to ``game``; its last step is heard."""
    if game.winner is not None:
        return Sound.WIN
    return _SOUND_OF.get(steps[-1].action, Sound.CALL)


def word_of(rules: Rules, action: Action) -> str:
    """The word as it is shouted; the sheet's own word where nobody shouts it."""
    return next((word for each, word in rules.variant.words if each is action), action.value)


def call_text(rules: Rules, action: Action, amount: int | None) -> str:
    """A call as it is shouted, with the number it names: "envido 5", "3 piedras más"."""
    word = word_of(rules, action)
    if amount is None:
        return word
    return f"{amount} {word}" if action in _NUMBER_FIRST else f"{word} {amount}"


def hold_notice(session: Session, meaning: ButtonMeaning) -> Notice:
    """What the hold that has begun will do."""
    match meaning:
        case ButtonMeaning.FOLD:
            return Notice("hold_fold")
        case ButtonMeaning.REDO:
            return Notice("hold_redo")
        case ButtonMeaning.UNLOCK:
            return Notice("hold_unlock")
        case ButtonMeaning.PAGE if next_page(session) is not Screen.SETUP:
            return Notice("hold_menu")
        case ButtonMeaning.PAGE | ButtonMeaning.SETUP:
            return Notice("hold_setup")
        case ButtonMeaning.FALTA:
            word = word_of(session.rules, session.rules.bids[-1].action)
        case _:
            word = word_of(session.rules, Action(meaning.value))
    return Notice("hold", word=word)


def undo_notice(record: Record, meaning: ButtonMeaning) -> Notice:
    """What UNDO took back or REDO put again: points where it paid any, else its last word."""
    back = meaning is ButtonMeaning.UNDO
    group = record.newest_steps if back else record.redo_steps
    steps = tuple(done.step for done in group)
    verb = "undone" if back else "redone"
    rules, step = record.game.rules, steps[-1]
    word = call_text(rules, step.action, step.amount)
    paid = largest_payment(group[0].before, steps)
    if paid is not None:
        return Notice(f"{verb}_points", word=word, side=paid[0], points=paid[1])
    if step.side is None:
        return Notice(f"{verb}_word", word=word)
    return Notice(verb, word=word, side=seating.view_index(group[-1].before, step.side))


def milestone_time(session: Session, game: Game) -> float:
    """When the large tally comes: at once, or after what closed the hand has been seen."""
    half = game.rules.half
    before = session.game.score
    reached = half is not None and any(
        old <= half < new for old, new in zip(before, game.score, strict=True)
    )
    if game.winner is None and not reached:
        return NEVER
    over = game.winner is not None or game.hand.over
    return session.now + (session.settings.gains_s if over else 0.0)


def is_tally_shown(session: Session) -> bool:
    """Is it the moment of the large tally?"""
    return session.milestone_at <= session.now < session.milestone_at + session.settings.tally_s


def is_blinked_off(session: Session) -> bool:
    """Is the called rung in its dark half now? Nothing blinks on a panel that is left alone."""
    period = session.settings.blink_s
    if not period or not is_pending(session) or light_of(session) is not Light.ON:
        return False
    return int((session.now - session.touched_at) / period) % 2 == 1


def change_times(session: Session) -> Iterator[float]:
    """Every time at which what is shown changes by itself (some may have gone by)."""
    settings = session.settings
    if session.notice is not None:
        yield session.notice_until
    if session.page is not None:
        yield session.page_until
    if session.setup is not None:
        yield session.setup.until
    if session.confirmed:
        yield session.confirmed_until
    if session.flashing_console is not None:
        yield session.flash_until
    yield session.milestone_at
    yield session.milestone_at + settings.tally_s
    yield session.paid_at + settings.gains_s
    alone = (*light_timeouts(session), settings.stale_after_s or None)
    yield from (session.touched_at + after for after in alone if after is not None)
    if settings.blink_s and is_pending(session) and light_of(session) is Light.ON:
        passed = int((session.now - session.touched_at) / settings.blink_s)
        yield session.touched_at + (passed + 1) * settings.blink_s
