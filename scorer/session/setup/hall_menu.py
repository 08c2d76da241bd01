"""Set-up > hall: joining a hall, the wishes of a member, the desk of a hub.

Joining shows six digits, which the desk of the hall shows too: desk and panel both have to say so.
The link carries the wishes out. On a box with a hub the teams together make a new password of its
desk.
"""

from __future__ import annotations

import re
from typing import Final

from scorer.session.play.reactions import refuse
from scorer.session.setup.levels import (
    Effect,
    Link,
    ListLevel,
    MenuEntries,
    MenuEntry,
    close,
    leave_level,
    levels_of,
    open_level,
    refusable,
    show_levels,
)
from scorer.session.values.effects import Task
from scorer.session.values.hall import CallReason, Wish, WishKind
from scorer.session.values.keys import NoticeKey, PlainKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import (
    DeskPasswordView,
    JoiningView,
    MenuLine,
    SetupView,
)
from scorer.session.values.shown import (
    HallState,
    HallView,
    JoinFault,
    NearbyHall,
    Notice,
)
from scorer.session.values.state import Reaction, Session, Setup, SetupLevel

TITLE: Final = SetupKey.HALL
JOIN_TIMEOUT_S: Final = 120.0  # seconds for each end to compare the digits
LOOK_S: Final = 2.0  # seconds for which new digits are to be read before QUIERO counts
PASSWORD_TIMEOUT_S: Final = 300.0  # seconds to type a password of the desk, or to write it down
_HOST: Final = "truco.local"  # of a box whose web service does not say where it is
_FAULTS: Final = {
    JoinFault.UNREACHABLE: NoticeKey.HALL_UNREACHABLE,
    JoinFault.DENIED: NoticeKey.HALL_DENIED,
    JoinFault.EXPIRED: NoticeKey.HALL_EXPIRED,
    JoinFault.FULL: NoticeKey.HALL_FULL,
    JoinFault.FAILED: NoticeKey.HALL_FAILED,
}


class JoinLevel(SetupLevel):
    """The digits of joining a hall, while panel and desk compare them.

    ``shown_at``: since when they are shown, in seconds of the session's clock. ``same``: those that
    the desk shows too, as QUIERO has said.
    """

    hall: str  # name
    shown_at: float
    same: str = ""

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        """QUIERO says that the desk shows the same digits."""
        if self.same:
            return refuse(session, Notice(NoticeKey.HALL_COMPARE, urgent=True))
        digits = session.hall.digits
        if not digits or session.now < self.shown_at + LOOK_S:
            # A second press on the name of the hall compares nothing.
            return refuse(session, Notice(NoticeKey.HALL_LOOK, urgent=True))
        levels = (*levels_of(session)[:-1], self._replace(same=digits))
        shown = show_levels(session, press, levels)
        return _wait_for_desk(shown, Wish(WishKind.SAME, digits=digits))

    def view(self, session: Session) -> SetupView:
        content = JoiningView(self.hall, session.hall.digits, is_same=bool(self.same))
        return SetupView(self.title, content)


class DeskPasswordLevel(SetupLevel):
    """A new password of the desk; nothing else has it in plain text."""

    name: str
    password: str
    port: int

    def __repr__(self) -> str:
        return f"DeskPasswordLevel({self.name!r}, {self.port})"

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        """There is nothing to choose: QUIERO goes back."""
        return leave_level(session, press) if len(levels_of(session)) > 1 else close(session, press)

    def view(self, session: Session) -> SetupView:
        # Where the desk is, for the camera of a phone or to be typed.
        host = re.sub(r":\d+$", "", session.link.address.partition("://")[2].partition("/")[0])
        address = (
            f"https://{host}:{self.port}/desk"
            if host
            else f"{session.link.name or _HOST}:{self.port}/desk"
        )
        return SetupView(self.title, DeskPasswordView(self.name, self.password, address))


class _NewPassword(Effect):
    """Makes a new password of the desk, in place of the one before."""

    def needs_every_team(self, session: Session) -> bool:
        return True

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return leave_level(session, press)._replace(effects=(Task.DESK_PASSWORD,))


class _Ask(Effect):
    """Passes the wish of a member to the link, and returns with a notice."""

    wish: Wish
    key: NoticeKey

    def needs_every_team(self, session: Session) -> bool:
        return self.wish.kind is WishKind.LEAVE

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        shown = leave_level(session, press)
        noticed = shown.session.with_notice(Notice(self.key))
        return shown._replace(session=noticed, effects=(self.wish,))


class _Find(Effect):
    """Looks for halls, and opens the list of them."""

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        shown = Link(hall_level).run(session, press)
        return shown._replace(effects=(Wish(WishKind.FIND),))


class _Join(Effect):
    """Asks to join a hall, and shows the digits that its desk compares."""

    hall: NearbyHall

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        level = JoinLevel(SetupKey.HALL_JOIN, self.hall.name, session.now)
        joining = open_level(session, press, level)
        return _wait_for_desk(joining, Wish(WishKind.JOIN, self.hall.id))


def _wait_for_desk(shown: Reaction, wish: Wish) -> Reaction:
    """Passes a wish to the link, and leaves set-up open for the desk."""
    session = shown.session
    setup = Setup(levels_of(session), session.now + JOIN_TIMEOUT_S)
    return shown._replace(session=session._replace(setup=setup), effects=(wish,))


def root_entries(session: Session) -> MenuEntries:
    """The entry of set-up; it looks for halls if the box is in none."""
    hall = session.hall
    if hall.state is HallState.OFF and not session.box.has_hub:
        return ()
    has_link = hall.state is not HallState.OFF
    effect = _Find() if has_link and not hall.is_member else Link(hall_level)
    return (MenuEntry(MenuLine(TITLE, figure=hall.name if hall.is_member else ""), effect),)


def hall_level(session: Session, link: Link) -> SetupLevel:
    """The halls of the network, or what a member can do; then what a hub can do."""
    hall = session.hall
    entries: MenuEntries = ()
    if hall.is_member:
        entries = _member_entries(session)
    elif hall.state is not HallState.OFF:
        entries = _found_entries(hall.halls)
    if session.box.has_hub or not entries:
        effect = _NewPassword() if session.box.has_hub else None
        entries = (*entries, refusable(MenuLine(SetupKey.DESK_PASSWORD), effect))
    return ListLevel(TITLE, entries, made_from=link)


def _member_entries(session: Session) -> MenuEntries:
    called, left = NoticeKey.DIRECTOR_CALLED, NoticeKey.HALL_LEFT
    swapped = _Ask(Wish(WishKind.CALL, why=CallReason.TABLE), called)
    entries = [
        MenuEntry(MenuLine(SetupKey.CALL_DIRECTOR), _Ask(Wish(WishKind.CALL), called)),
        MenuEntry(MenuLine(SetupKey.WRONG_TABLE), swapped) if session.assignments else None,
        MenuEntry(MenuLine(SetupKey.LEAVE_HALL), _Ask(Wish(WishKind.LEAVE), left)),
    ]
    return tuple(entry for entry in entries if entry is not None)


def _found_entries(halls: tuple[NearbyHall, ...] | None) -> MenuEntries:
    if halls is None:
        return (refusable(MenuLine(SetupKey.HALL_SEARCHING), None, NoticeKey.HALL_SEARCHING),)
    if not halls:
        return (refusable(MenuLine(SetupKey.HALL_NONE), None, NoticeKey.HALL_NONE),)
    return tuple(
        MenuEntry(MenuLine(PlainKey.HALL_FOUND, text=hall.name), _Join(hall)) for hall in halls
    )


def show_password(session: Session, name: str, password: str, port: int) -> Session:
    """The session showing a new password of the desk.

    It opens set-up, if that was closed meanwhile: the password before is void already.
    """
    level = DeskPasswordLevel(TITLE, name, password, port)
    below = () if session.setup is None or session.setup.is_first_run else session.setup.levels
    kept = tuple(each for each in below if not isinstance(each, DeskPasswordLevel))
    setup = Setup((*kept, level), session.now + PASSWORD_TIMEOUT_S)
    # A notice would cover it: the one that it is being made.
    return session._replace(setup=setup, notice=None)


def open_wish(session: Session) -> WishKind | None:
    """The wish that set-up stands for now: to find halls, or to join one."""
    setup = session.setup
    if setup is None or session.hall.is_member:
        return None
    if isinstance(setup.level, JoinLevel):
        return WishKind.JOIN
    return WishKind.FIND if setup.level.title == TITLE else None


def set_hall(session: Session, hall: HallView) -> Session:
    """The session with a new report of the link; a join that ended closes its level.

    One that succeeded closes set-up: another QUIERO would call the director.
    """
    before, setup = session.hall, session.setup
    session = session._replace(hall=hall)
    if setup is None or not isinstance(level := setup.level, JoinLevel):
        return session
    if hall.is_member:
        notice = Notice(NoticeKey.HALL_JOINED, level.hall, number=hall.table)
        return session._replace(setup=None).with_notice(notice)
    if hall.fault is not JoinFault.NONE and hall.fault is not before.fault:
        key = NoticeKey.HALL_WAIT if hall.wait else _FAULTS[hall.fault]
        notice = Notice(key, number=hall.wait, urgent=True)
    elif hall.digits and hall.digits != before.digits:
        fresh = level._replace(shown_at=session.now, same="")
        return session._replace(setup=setup._replace(levels=(*setup.levels[:-1], fresh)))
    else:
        return session
    until = session.now + session.settings.setup_s
    levels = setup.levels[:-1]
    return session._replace(setup=setup._replace(levels=levels, until=until)).with_notice(notice)
