"""Corrections of the last hand that ended, entered as corrected scores.

The next hand may have begun, so the steps of the last one are not replaced: the difference that
another end would have made is applied to the current scores, and one UNDO takes it back.
"""

from typing import Final

from scorer.rules import Action, Game, Side, Step, attempt
from scorer.session.values.record import Record, hand_id

REASON: Final = "last hand"  # stored with the corrected scores


def reversed_late(record: Record, side: Side, action: Action) -> tuple[int, ...] | None:
    """The scores if ``action`` had been entered before the current deal.

    None if no hand has ended in this game of a series, or if a score was corrected since.
    """
    games = (*(done.before for done in record.past), record.game)
    ended = [hand_id(game) for game in games if game.hand.over]
    if not ended or ended[-1][0] != hand_id(record.game)[0]:
        return None
    ends = [at for at, game in enumerate(games) if game.hand.over and hand_id(game) == ended[-1]]
    if any(done.step.action is Action.CORRECT for done in record.past[ends[0] :]):
        return None
    before = games[ends[-1]]
    if before.hand_number == record.game.hand_number:
        return None
    turned = attempt(before, Step(side, action))
    if not isinstance(turned, Game) or turned.winner is not None:
        return None
    changes = (now - then for now, then in zip(turned.score, before.score, strict=True))
    return tuple(score + change for score, change in zip(record.game.score, changes, strict=True))
