"""Set-up -> SetupView: the lines around the selected one, the numbers, or what to agree on.

It decides nothing.
"""

from __future__ import annotations

from scorer.session import seats
from scorer.session.history import point
from scorer.session.levels import Act, Agreeing, Choosing, Correcting, Counting, Doing, Line, Setup
from scorer.session.meanings import standing
from scorer.session.state import Session
from scorer.session.view import SetupItem, SetupView

_AROUND = 6  # lines of a list on either side of the selected one; a panel shows fewer


def setup_view(session: Session, setup: Setup) -> SetupView:
    """What set-up has to tell now."""
    game = session.game
    match setup.level:
        case Choosing(title=title, lines=lines, at=at):
            first, end = max(0, at - _AROUND), min(len(lines), at + _AROUND + 1)
            items = tuple(_item(session, line) for line in lines[first:end])
            return SetupView(title, items, at - first, first, len(lines) - end)
        case Counting(title=title, side=side, value=value):
            return SetupView(title, values=(value,), side=seats.place(game, side))
        case Correcting(title=title, scores=scores, at=at):
            return SetupView(title, values=scores, side=at)
        case Agreeing(title=title, line=line, confirmed=confirmed):
            # At the consoles are those who play the hand that comes, if this one is over.
            now = standing(game)
            asked = (side for side in game.rules.actors if side not in confirmed)
            missing = tuple(seats.place(now, side) for side in asked)
            return SetupView(title, (_item(session, line),), missing=missing)


def _item(session: Session, line: Line) -> SetupItem:
    back = isinstance(line.leads, Act) and line.leads.doing is Doing.BACK
    moment = point(session.record, line.number) if back else None
    return SetupItem(line.key, line.side, line.number, line.word, moment)
