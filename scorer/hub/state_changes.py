"""The state of the desk as changes of what a page has already."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
# A path of keys and places, and the value there; without a value, the key is gone.
Change = list[Any]

_MOST_KEPT = 200  # states: those of some seconds of all pages
_FAST = 1  # level of zlib: a state is kept for some seconds
_MOST_RECENT = 8  # states that are kept as they are too: a page asks since one of these


class SentStates:
    """The newest states that were sent, compressed, by their tags."""

    def __init__(self, most: int = _MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._recent: OrderedDict[str, Json] = OrderedDict()

    def answer(self, document: Json, since: str) -> tuple[str, bytes]:
        """The tag of a state, and what is sent to a page that has the state ``since``.

        ``document`` is kept, and no part of it may change later.
        That is ``{"since": ..., "changes": [...]}`` as JSON; or the whole state, if the page has
        none, one that is not kept any more, or one from which the changes are longer.
        """
        whole = _encoded(document)
        tag = hashlib.sha256(whole).hexdigest()[:16]
        packed, old = self._kept.get(since), self._recent.get(since)
        self._recent[tag] = document
        self._recent.move_to_end(tag)
        while len(self._recent) > min(self._most, _MOST_RECENT):
            self._recent.popitem(last=False)
        if tag not in self._kept:
            self._kept[tag] = zlib.compress(whole, _FAST)
        self._kept.move_to_end(tag)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        if packed is None:
            return tag, whole
        if old is not None:
            changes = list(changes_of(old, document))
        else:
            changes = list(changes_of(json.loads(zlib.decompress(packed)), json.loads(whole)))
        body = _encoded({"since": since, "changes": changes})
        return tag, min(body, whole, key=len)


def changes_of(old: Any, new: Any, path: tuple[str | int, ...] = ()) -> Iterator[Change]:  # noqa: ANN401
    """What makes ``new`` of ``old``, two values of JSON; in any order.

    Lists of the same entries are compared entry by entry, all others are sent whole.
    """
    if old is new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() - new.keys():
            yield [[*path, key]]
        for key, value in new.items():
            if key in old:
                yield from changes_of(old[key], value, (*path, key))
            else:
                yield [[*path, key], value]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = zip(old, new, strict=True)
        changes = [each for at, pair in enumerate(pairs) for each in changes_of(*pair, (*path, at))]
        if all(
            isinstance(one, dict) and isinstance(other, dict) and _identity(one) == _identity(other)
            for one, other in zip(old, new, strict=True)
        ):
            yield from changes
        elif changes:
            yield [list(path), new]
    # 1 and true are equal in Python.
    elif old != new or type(old) is not type(new):
        yield [list(path), new]


def _identity(entry: Json) -> object:
    """What an entry of a list is known by: a match, a box."""
    return entry.get("id", entry.get("device"))


def _encoded(document: Json) -> bytes:
    return json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False).encode()
