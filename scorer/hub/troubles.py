"""What keeps a hall from being in order: its store, connections, copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from scorer.hub.folder_fault import FolderFault
from scorer.hub.store.database import DatabaseError
from scorer.i18n import Say


class TroubleKind(StrEnum):
    """The kinds, each of which is one line."""

    STORE = "store"  # nothing can be stored
    BOXES = "boxes"  # boxes are not connected that should be
    COPIES = "copies"  # a folder lacks the newest result
    SITE = "site"  # the published site lacks it
    GAMES = "games"  # a restored copy is older than tournaments whose games the boxes have


class Trouble(NamedTuple):
    """One line about what keeps the hall from being in order.

    ``tables``: of the boxes; ``matches``: how many; ``detail``: of the system, in English, for the
    desk alone.
    """

    kind: TroubleKind
    tables: tuple[int, ...] = ()
    is_full: bool = False
    detail: str = ""
    matches: int = 0


def find_troubles(
    problem: DatabaseError | None,
    missed: Sequence[int],
    faults: Mapping[TroubleKind, Iterable[FolderFault]],
    unknown: int = 0,
) -> list[Trouble]:
    """The troubles of a hub; ``missed``: the tables whose boxes should be connected.

    ``faults``: the folders that lack the newest result, of COPIES and SITE. ``unknown``: the
    matches of this hub that its log does not know.
    """
    found = []
    if problem is not None:
        found.append(Trouble(TroubleKind.STORE, is_full=problem.is_full, detail=str(problem)))
    if missed:
        found.append(Trouble(TroubleKind.BOXES, tuple(sorted(missed))))
    if unknown:
        found.append(Trouble(TroubleKind.GAMES, matches=unknown))
    for kind, lacking in faults.items():
        for folder, why, is_full in lacking:
            detail = f"{folder}: {why}" if why else str(folder)
            found.append(Trouble(kind, is_full=is_full, detail=detail))
    return found


def trouble_line(trouble: Trouble, say: Say) -> str:
    """A trouble in one sentence."""
    key = f"phrase.trouble.{trouble.kind}"
    if trouble.matches:
        return say(key if trouble.matches > 1 else f"{key}.one", n=trouble.matches)
    match trouble.tables:
        case ():
            return say(f"{key}.full" if trouble.is_full else key)
        case (table,):
            return say(f"{key}.one", n=table)
        case tables:
            return say(key, n=len(tables), tables=", ".join(map(str, tables)))


def trouble_document(trouble: Trouble, say: Say) -> dict[str, Any]:
    """What the desk is shown; ``what``: what to do."""
    what = say(f"phrase.trouble.{trouble.kind}.what")
    line = trouble_line(trouble, say)
    # The line of a full disk says it all; of copies it does not name the folder.
    is_plain = trouble.is_full and trouble.kind is TroubleKind.STORE
    detail = "" if is_plain else trouble.detail
    return {"kind": trouble.kind.value, "line": line, "what": what, "detail": detail}
