"""The first page of the menu: the last hands and their corrections.

TANTOS of B goes on to the next hand, TANTOS of A to the next correction of the selected hand, and
QUIERO makes it. Calls are no keys of this page: a TRUCO that is called while it is open counts as
the call that it is. Below the hands is the rest of the menu, which NO QUIERO shows too.
"""

from __future__ import annotations

from typing import Final

from scorer.rules import Side
from scorer.rules.score import scorers, speaker_of
from scorer.session.play.reactions import refuse
from scorer.session.setup.effects import CorrectHand
from scorer.session.setup.levels import (
    AgreementLevel,
    MenuEntry,
    follow,
    leave_level,
    open_level,
    with_levels,
)
from scorer.session.values.game_queries import current_hand, word_of
from scorer.session.values.keys import NoticeKey, SetupKey
from scorer.session.values.last_hands import (
    EndedHand,
    HandChange,
    HandCorrection,
    corrections_of,
    last_hands,
    shown_standing,
)
from scorer.session.values.press import ButtonMeaning, ButtonPress, Gesture
from scorer.session.values.record import Record
from scorer.session.values.setup_view import LastHandsView, MenuLine, SetupView
from scorer.session.values.shown import Notice
from scorer.session.values.state import Reaction, Session, Setup, SetupLevel

_LINES: Final = {
    HandChange.WON_BY: SetupKey.HAND_WON_BY,
    HandChange.BET_WON_BY: SetupKey.BET_WON_BY,
    HandChange.WANTED: SetupKey.BET_WANTED,
    HandChange.REFUSED: SetupKey.BET_REFUSED,
    HandChange.RUNG: SetupKey.ONLY_UP_TO,
}


class LastHandsLevel(SetupLevel):
    """The hands of ``record``, the selected one with its corrections."""

    record: Record
    hands: tuple[EndedHand, ...]
    at: int = 0
    corrections: tuple[HandCorrection, ...] = ()
    chosen: int = 0

    def adjust(self, down: int) -> SetupLevel:
        if down > 0 or not self.corrections:
            return self.selected((self.at + 1) % (len(self.hands) + 1))
        return self._replace(chosen=(self.chosen + 1) % len(self.corrections))

    def selected(self, at: int) -> LastHandsLevel:
        """The level at hand ``at``; one past the last one is the rest of the menu."""
        is_hand = at < len(self.hands)
        corrections = corrections_of(self.record, self.hands[at]) if is_hand else ()
        return self._replace(at=at, corrections=corrections, chosen=0)

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        if self.at == len(self.hands):
            return leave_level(session, press)
        if not self.corrections or session.record is not self.record:
            return refuse(session, Notice(NoticeKey.NOT_NOW, urgent=True))
        return correct_hand(session, press, self.at, self.corrections[self.chosen])

    def view(self, session: Session) -> SetupView:
        hands = tuple(hand.payments for hand in self.hands)
        line = None
        if self.corrections:
            line = correction_line(self.record, self.corrections[self.chosen])
        scores = shown_standing(self.record.game)
        shown = LastHandsView(scores, hands, self.at, line, len(self.corrections))
        return SetupView(self.title, shown)


def last_hands_level(session: Session) -> LastHandsLevel | None:
    """The page, at the last hand; None without a hand that ended in this game.

    While a call waits for QUIERO the rest of the menu is selected, so that a stray QUIERO corrects
    nothing.
    """
    hands = last_hands(session.record)
    if not hands:
        return None
    level = LastHandsLevel(SetupKey.LAST_HANDS, session.record, hands)
    return level.selected(len(hands) if session.is_asked else 0)


def correction_line(record: Record, correction: HandCorrection) -> MenuLine:
    """The line of a correction, with the scores before and after it."""
    change, word = correction.change, correction.word
    key, rules = _LINES[change], record.game.rules
    if change is HandChange.RUNG and not word:
        key, word = SetupKey.NO_TRUCO, word_of(rules, rules.ladder[0].action)
    now, word = shown_standing(record.game), word.removeprefix("la ")
    return MenuLine(key, correction.side, word=word, scores=correction.scores, scores_now=now)


def correct_hand(
    session: Session, press: ButtonPress, at: int, correction: HandCorrection
) -> Reaction:
    """Corrects hand ``at``, 0 for the last, once the sides concerned have agreed."""
    effect = CorrectHand(correction.steps, correction.changes_winner)
    entry = MenuEntry(correction_line(session.record, correction), effect)
    asked = () if effect.needs_every_team(session) else _concerned(session, at, correction)
    if not asked:
        return follow(session, press, entry)
    return open_level(session, press, AgreementLevel(SetupKey.LAST_HANDS, entry, of=asked))


def correct_by_key(session: Session, gesture: Gesture, at: int, key: str) -> Reaction:
    """Corrects hand ``at`` without the page, as a phone does, if that is offered."""
    hands = last_hands(session.record)
    hand = hands[at] if 0 <= at < len(hands) else None
    offered = () if hand is None else corrections_of(session.record, hand)
    found = next((each for each in offered if each.key == key), None)
    level = last_hands_level(session)
    if found is None or level is None:
        return refuse(session, Notice(NoticeKey.NOT_NOW, urgent=True))
    press = ButtonPress(ButtonMeaning.SETUP, gesture)
    return correct_hand(with_levels(session, (level.selected(at),)), press, at, found)


def is_correction_asked(session: Session) -> bool:
    """True while a correction of a hand waits for the sides that lose by it."""
    level = None if session.setup is None else session.setup.level
    return isinstance(level, AgreementLevel) and bool(level.of)


def missing_sides(session: Session, setup: Setup) -> tuple[Side, ...]:
    """The scoring sides whose QUIERO a correction waits for."""
    level, game = setup.level, current_hand(session.game)
    missing = level.missing(session) if isinstance(level, AgreementLevel) else ()
    return tuple(each for side in missing for each in scorers(game, side))


def _concerned(session: Session, at: int, correction: HandCorrection) -> tuple[Side, ...]:
    """The speaking sides that must agree.

    They are those that lose by the correction; of a hand before the last one, if none does, those
    that gain nothing.
    """
    game, rules = current_hand(session.game), session.rules
    sign = -1 if rules.seating.counts_down else 1
    changes = {
        side: sign * (after - now)
        for side, now, after in zip(
            rules.scoring_sides, shown_standing(session.game), correction.scores, strict=True
        )
    }
    losing = [side for side, change in changes.items() if change < 0]
    if not losing and at:
        losing = [side for side, change in changes.items() if not change]
    return tuple(dict.fromkeys(speaker_of(game, side) for side in losing))
