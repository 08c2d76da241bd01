"""Set-up > hall: joining a hall of the network, and the wishes of a member.

Joining shows six digits, which the desk of the hall shows too. The link carries the wishes out.
"""

from __future__ import annotations

from typing import Final

from scorer.session.values.hall import CallReason, Wish, WishKind
from scorer.session.values.keys import NoticeKey
from scorer.session.values.levels import (
    JoinLevel,
    Level,
    ListLevel,
    MenuLine,
    MenuLines,
    PlainKey,
    SetupAction,
    SetupCommand,
    SetupKey,
    SubmenuLink,
    refusable_line,
)
from scorer.session.values.shown import HallState, HallView, JoinFault, NearbyHall, Notice
from scorer.session.values.state import Session

TITLE: Final = SetupKey.HALL
_LINK: Final = SubmenuLink(TITLE)
_FAULTS: Final = {
    JoinFault.UNREACHABLE: NoticeKey.HALL_UNREACHABLE,
    JoinFault.DENIED: NoticeKey.HALL_DENIED,
    JoinFault.EXPIRED: NoticeKey.HALL_EXPIRED,
    JoinFault.FULL: NoticeKey.HALL_FULL,
    JoinFault.FAILED: NoticeKey.HALL_FAILED,
}


def root_lines(session: Session) -> MenuLines:
    """The line of set-up; it looks for halls if the box is in none."""
    hall = session.hall
    if hall.state is HallState.OFF:
        return ()
    if hall.is_member:
        return (MenuLine(TITLE, _LINK, figure=hall.name),)
    find = SetupCommand(SetupAction.WISH, wish=Wish(WishKind.FIND), opens=_LINK)
    return (MenuLine(TITLE, find),)


def hall_level(session: Session, link: SubmenuLink) -> Level:
    """The halls of the network, or what a member can do."""
    hall = session.hall
    lines = _member_lines(session) if hall.is_member else _found_lines(hall.halls)
    return ListLevel(TITLE, lines, made_from=link)


def _member_lines(session: Session) -> MenuLines:
    call = _wish(Wish(WishKind.CALL), NoticeKey.DIRECTOR_CALLED)
    lines = [MenuLine(SetupKey.CALL_DIRECTOR, call)]
    if session.assignments:
        swapped = Wish(WishKind.CALL, why=CallReason.TABLE)
        lines.append(MenuLine(SetupKey.WRONG_TABLE, _wish(swapped, NoticeKey.DIRECTOR_CALLED)))
    return (*lines, MenuLine(SetupKey.LEAVE_HALL, _wish(Wish(WishKind.LEAVE), NoticeKey.HALL_LEFT)))


def _found_lines(halls: tuple[NearbyHall, ...] | None) -> MenuLines:
    if not halls:
        if halls is None:
            return refusable_line(SetupKey.HALL_SEARCHING, None, NoticeKey.HALL_SEARCHING)
        return refusable_line(SetupKey.HALL_NONE, None, NoticeKey.HALL_NONE)
    return tuple(MenuLine(PlainKey.HALL_FOUND, _join(hall), text=hall.name) for hall in halls)


def _join(hall: NearbyHall) -> SetupCommand:
    level = JoinLevel(SetupKey.HALL_JOIN, hall.name)
    return SetupCommand(SetupAction.WISH, wish=Wish(WishKind.JOIN, hall.id), opens=level)


def _wish(wish: Wish, notice: NoticeKey) -> SetupCommand:
    return SetupCommand(SetupAction.WISH, wish=wish, notice_key=notice)


def leaves_hall(command: SetupCommand) -> bool:
    """True if the command makes the box leave its hall."""
    return command.wish is not None and command.wish.kind is WishKind.LEAVE


def open_wish(session: Session) -> WishKind | None:
    """The wish that set-up stands for now: to find halls, or to join one."""
    setup = session.setup
    if setup is None or session.hall.is_member:
        return None
    if isinstance(setup.level, JoinLevel):
        return WishKind.JOIN
    return WishKind.FIND if setup.level.title == TITLE else None


def set_hall(session: Session, hall: HallView) -> Session:
    """The session with a new report of the link; a join that ended closes its level."""
    before, setup = session.hall, session.setup
    session = session._replace(hall=hall)
    if setup is None or not isinstance(setup.level, JoinLevel):
        return session
    if hall.is_member:
        notice = Notice(NoticeKey.HALL_JOINED, setup.level.hall, number=hall.table)
    elif hall.fault is not JoinFault.NONE and hall.fault is not before.fault:
        notice = Notice(_FAULTS[hall.fault], urgent=True)
    else:
        return session
    until = session.now + session.settings.setup_s
    levels = setup.levels[:-1]
    return session._replace(setup=setup._replace(levels=levels, until=until)).with_notice(notice)
