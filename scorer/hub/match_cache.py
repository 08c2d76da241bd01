"""A cache of the JSON objects of matches; a match that has changed is made again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from scorer.hub.match_place import MatchPlace

Json = dict[str, Any]
_MOST_KINDS = 32  # in the cache


class MatchCache:
    """The objects of matches by kind, such as a page in a language.

    Callers share them and must not change them.
    """

    def __init__(self) -> None:
        self._made = OrderedDict[Hashable, tuple[object, dict[str, tuple[object, Json]]]]()

    def get(
        self,
        kind: Hashable,
        known: object,
        match: str,
        place: MatchPlace | None,
        make: Callable[[], Json],
    ) -> Json:
        """The object of a match, from ``make`` if it is not in the cache.

        ``known``: all that it depends on besides its place; another one empties its kind. Of the
        clock in the place only the minutes count.
        """
        before, made = self._made.get(kind, (None, {}))
        if before is not known:
            made = {}
            self._made[kind] = known, made
            self._made.move_to_end(kind)
            while len(self._made) > _MOST_KINDS:
                self._made.popitem(last=False)
        time = place.time if place is not None else None
        now = (
            time and (time.ends is None, time.left, time.over),
            place and place._replace(time=None),
        )
        if match not in made or made[match][0] != now:
            made[match] = now, make()
        return made[match][1]
