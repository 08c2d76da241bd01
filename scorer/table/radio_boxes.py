"""New keys of button boxes over Wi-Fi, asked for in set-up."""

from __future__ import annotations

from collections.abc import Callable

from scorer.api.radio_protocol import RadioReport
from scorer.session.play.timers import show_notice
from scorer.session.values.effects import BoxKeyEffect, Effect, ForgetBoxKey, NewBoxKey
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.table.guest import Guest, ServiceReport


class RadioBoxes(Guest):
    """Shows that a key is being changed, and then the result."""

    handles = frozenset((NewBoxKey, ForgetBoxKey, RadioReport))

    def __init__(self, request: Callable[[BoxKeyEffect], RadioReport]) -> None:
        """``request`` returns at once."""
        self._request = request

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        if isinstance(effect, NewBoxKey | ForgetBoxKey):
            report = self._request(effect)
        else:
            assert isinstance(effect, RadioReport)
            report = effect
        return show_notice(session, Notice(report.result, report.box, urgent=True), now)
