"""The log of a tournament without the names that were blanked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scorer.tournament.events import BlankName, ChangeTeam, Enter, Event, PairRound, StartPhase
from scorer.tournament.fold import apply, as_logged, begin
from scorer.tournament.format import Format
from scorer.tournament.model import blank_name
from scorer.tournament.names import name_words
from scorer.tournament.tournament import Tournament


class _Entered(NamedTuple):
    """A decision on what is known of a team; ``at``: its place in the log."""

    at: int
    team: int
    event: Enter | ChangeTeam


def without_blanked(format_: Format, log: Iterable[Event]) -> list[Event]:
    """The log without what was known of a team when its name was blanked last.

    Reasons lose these names too. What was drawn or paired is written out, because it may rest on
    the clubs that go.
    """
    events = list(log)
    last = {each.team: at for at, each in enumerate(events) if isinstance(each, BlankName)}
    if not last:
        return events
    entered = []
    state = begin(format_)
    for at, event in enumerate(events):
        if isinstance(event, StartPhase | PairRound) and not any(event[1:]):
            events[at] = event = as_logged(state, event)
        after = apply(state, event)
        assert isinstance(after, Tournament), event
        if isinstance(event, Enter):
            entered.append(_Entered(at, max(after.teams), event))
        elif isinstance(event, ChangeTeam):
            entered.append(_Entered(at, event.team, event))
        state = after
    blanked = [each for each in entered if each.at < last.get(each.team, 0)]
    for at, team, event in blanked:
        events[at] = event._replace(
            name=blank_name(team), players=(), reserves=(), club="", consents=False
        )
    return _without_names(events, blanked)


def _without_names(events: Sequence[Event], blanked: Iterable[_Entered]) -> list[Event]:
    """The events whose reasons name no blanked team or player."""
    names = {
        name: blank_name(team)
        for _, team, event in blanked
        for person in (*event.players, *event.reserves)
        for name in (person, *(each for each in person.split() if [*name_words(each)]))
    }
    names |= {event.name: blank_name(team) for _, team, event in blanked}
    clear, cleared = replacing(names), []
    for event in events:
        changed: Any = event  # events with a reason have no type of their own
        if reason := getattr(event, "reason", ""):
            changed = changed._replace(reason=clear(reason))
        cleared.append(changed)
    return cleared


def replacing(names: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that replaces these names in a text, whatever their capitals."""
    # A name may be a part of another one.
    found = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{found})(?!\w)", re.IGNORECASE)
    numbers = {name.casefold(): number for name, number in names.items()}

    def number(match: re.Match[str]) -> str:
        return numbers.get(match.group().casefold(), "#")

    return lambda text: pattern.sub(number, text) if names else text
