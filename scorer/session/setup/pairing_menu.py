"""Set-up > phones: the phones that may press, the way to a new one, and the digits it has to say.

The digits count exactly as long as they are on the panels, so what is open is what people see.
Where phones are kept, and who makes digits, is not known here: both come as arguments.
"""

from __future__ import annotations

from typing import Final

from scorer.session.play.reactions import noticed
from scorer.session.setup.pages import Act, Choosing, Doing, Level, Line, Opens, Pairing, Setup
from scorer.session.state import Session
from scorer.session.view.view import Notice

TITLE: Final = "phones"
PATIENCE: Final = 120.0  # seconds that digits count
TRIES: Final = 5  # wrong ones, after which the digits count no more
MOST: Final = 16  # phones that are kept at a time


def listing(session: Session, link: Opens) -> Level:
    """A new phone, each that is known by its name, and all of them."""
    known = session.box.phones
    lines = [Line("new_phone", Act(Doing.PAIR))]
    lines += (Line("phone", _forgetting(phone, name), text=name) for phone, name in known)
    if len(known) > 1:
        every = Act(Doing.FORGET, phones=tuple(phone for phone, _ in known))
        lines.append(Line("forget_all", Choosing(TITLE, (Line("forget_all", every),))))
    return Choosing(TITLE, tuple(lines), made_from=link)


def _forgetting(phone: str, name: str) -> Level:
    """One more QUIERO, so that nobody forgets a phone by walking through the list."""
    return Choosing(TITLE, (Line("forget", Act(Doing.FORGET, phones=(phone,)), word=name),))


def coded(session: Session, code: str) -> Session:
    """The table with ``digits`` on its panels, where set-up still waits for them."""
    if session.setup is None:
        return session
    level = Pairing("new_phone", code, TRIES)
    until = session.now + PATIENCE
    return session._replace(setup=Setup((*session.setup.levels, level), until))


def pairing(session: Session, now: float) -> Pairing | None:
    """The digits that count at ``now``, None where there are none."""
    setup = session.setup
    if setup is None or session.question is not None or now >= setup.until:
        return None
    return setup.level if isinstance(setup.level, Pairing) else None


def wrong(session: Session) -> Session:
    """Somebody has said other digits than those on the panels: a try less for all."""
    setup = session.setup
    assert setup is not None and isinstance(setup.level, Pairing)
    left = setup.level.tries_left - 1
    if left:
        level = setup.level._replace(tries_left=left)
        return session._replace(setup=setup._replace(levels=(*setup.levels[:-1], level)))
    return noticed(_back(session, setup), Notice("phone_guessed", urgent=True))


def paired(session: Session, name: str) -> Session:
    """The digits have been said: they count no more, and the panels say who may press now."""
    assert session.setup is not None
    return noticed(_back(session, session.setup), Notice("phone_paired", name))


def known(session: Session, phones: tuple[tuple[str, str], ...]) -> Session:
    """The table with the phones there are now, on an open list of them too."""
    session = session._replace(box=session.box._replace(phones=phones))
    if session.setup is None:
        return session
    levels = tuple(_renewed(session, level) for level in session.setup.levels)
    return session._replace(setup=session.setup._replace(levels=levels))


def _renewed(session: Session, level: Level) -> Level:
    if not isinstance(level, Choosing) or level.made_from is None or level.title != TITLE:
        return level
    made = listing(session, level.made_from)
    assert isinstance(made, Choosing)
    return made._replace(at=min(level.at, len(made.lines) - 1))


def _back(session: Session, setup: Setup) -> Session:
    until = session.now + session.settings.setup_s
    return session._replace(setup=Setup(setup.levels[:-1], until))
