"""The box's own Wi-Fi: the choice of set-up for its service, and notices about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.session.setup.house_rules_menu import is_under_way
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import LinkState, LinkView, Notice
from scorer.session.values.state import Session
from scorer.system.wifi.watch_request import WATCH_VALID_S, WatchRequest
from scorer.table.guest import Guest

REPEAT_S: Final = WATCH_VALID_S / 2.5  # seconds until a choice is sent again
MAX_NAME_CHARS: Final = 15  # of a network, in two lines of the narrowest panel
_OF_FAULT: Final = {
    LinkState.PASSWORD: NoticeKey.WIFI_PASSWORD,
    LinkState.ABSENT: NoticeKey.WIFI_ABSENT,
    LinkState.FAILED: NoticeKey.WIFI_FAILED,
}


class OwnNetwork(Guest):
    """Sends the choice, and whether a game is played, to the service of the network.

    While the choice is off, and was since the start, nothing is sent.
    """

    def __init__(self, tell: Callable[[WatchRequest], object]) -> None:
        """``tell`` returns at once."""
        self._tell, self._told, self._tell_at = tell, WatchRequest(is_on=False), float("inf")

    def tick(self, session: Session, now: float) -> Session:
        is_on = session.settings.table.own_wifi
        request = WatchRequest(is_on, is_on and is_under_way(session))
        if request != self._told or now >= self._tell_at:
            self._told, self._tell_at = request, now + REPEAT_S if is_on else float("inf")
            self._tell(request)
        return session

    def deadline(self) -> float | None:
        return self._tell_at if self._told.is_on else None


def link_notice(before: LinkView, after: LinkView, session: Session) -> Notice | None:
    """What players have to know of a change of the network; None if it is nothing.

    Without a game an opened network is no news: MENU shows it.
    """
    if (after.target, after.fault) != (before.target, before.fault) and after.target:
        key = NoticeKey.WIFI_CLOSING if after.fault is None else _OF_FAULT[after.fault]
        name = after.target
        shown = name if len(name) <= MAX_NAME_CHARS else f"{name[: MAX_NAME_CHARS - 1]}."
        return Notice(key, shown, urgent=True)
    if after.password and not before.password and is_under_way(session):
        return Notice(NoticeKey.WIFI_OPENED, after.wifi, urgent=True)
    return None
