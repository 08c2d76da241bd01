"""Blank what is stored of games, and blank it again in a copy that is restored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import and_, select, update
from sqlalchemy.engine import Connection

from scorer.hub.store import log
from scorer.hub.store.blanked_headers import mask_in, names_in, tag_in
from scorer.hub.store.log import FIRST
from scorer.hub.store.masks import Masks, is_mask
from scorer.hub.store.projections import Kind
from scorer.hub.store.tables import OPENING, PRESENCE, ROW, STREAM
from scorer.tournament.names import name_key

Json = dict[str, Any]
WAS = "was"  # key of an assigned document: the mask of its digest before its names were blanked


def put_header(connection: Connection, opening: Any, header: str) -> None:  # noqa: ANN401
    """Give a stored game another header."""
    of_game = and_(
        OPENING.c.device == opening.device,
        OPENING.c.epoch == opening.epoch,
        OPENING.c.game == opening.game,
    )
    connection.execute(update(OPENING).where(of_game).values(header=header))


def mask_digests(connection: Connection, masks: Masks, opening: Any) -> None:  # noqa: ANN401
    """Mask the digests of the first row of a game, which has its header."""
    of_stream = ROW.c.device == opening.device, ROW.c.epoch == opening.epoch
    at = and_(*of_stream, ROW.c.seq == opening.opened, ROW.c.game == opening.game)
    digest = connection.execute(select(ROW.c.digest).where(at)).scalar()
    if digest is None or is_mask(digest):
        return
    mask = masks.mask(digest)
    connection.execute(update(ROW).where(at).values(digest=mask))
    for table, number, column in ((STREAM, "last", "tip"), (PRESENCE, "newest", "digest")):
        same = (
            table.c.device == opening.device,
            table.c.epoch == opening.epoch,
            table.c[number] == opening.opened,
            table.c[column] == digest,
        )
        connection.execute(update(table).where(*same).values({column: mask}))


class ForgottenNames:
    """What the headers of arriving games must not name; follows the log."""

    def __init__(self) -> None:
        self._seq = 0
        self._sittings: dict[tuple[str, str], str] = {}
        self._games: set[str] = set()

    def follow(self, connection: Connection) -> None:
        """Read what was forgotten since the last time."""
        for entry in log.entries(connection, self._seq, (Kind.NAMES_FORGOTTEN,)):
            self._seq = entry.seq
            self._sittings |= {(hall, tag): name for hall, tag, name in entry.body["sittings"]}
            self._games |= {*entry.body["games"]}

    def names_for(self, header: str, masks: Masks) -> dict[str, str]:
        """What stands in place of the names of a header, by their tags."""
        hall, names = tag_in(header, "Hall"), names_in(header)
        known = ((tag, self._sittings.get((hall, tag))) for tag in names)
        found = {tag: name for tag, name in known if name is not None and name != names[tag]}
        if not hall and self._games:
            keyed = ((tag, masks.mask(name_key(name))) for tag, name in names.items())
            found |= {tag: "" for tag, mask in keyed if mask in self._games}
        return found


class Remembered(NamedTuple):
    """What a database has forgotten, by the masks of what was there first."""

    masks: Masks
    bodies: Mapping[str, Json]
    headers: Mapping[str, str]
    entries: tuple[log.Entry, ...]  # those that have forgotten names


def remember(connection: Connection, masks: Masks | None) -> Remembered | None:
    """What is to be forgotten again in a copy that replaces this database.

    None: nothing.
    """
    if masks is None:
        return None
    entries = [*log.entries(connection)]
    headers = connection.execute(select(OPENING.c.header)).scalars()
    return Remembered(
        masks,
        {each.body[FIRST]: each.body for each in entries if FIRST in each.body},
        {mask: header for header in headers if (mask := mask_in(header))},
        tuple(each for each in entries if each.kind == Kind.NAMES_FORGOTTEN.value),
    )


def forget_again(connection: Connection, remembered: Remembered) -> None:
    """Blank in a restored copy what was forgotten after it was made."""
    masks, known = remembered.masks, [*log.entries(connection)]
    bodies = {}
    for entry in known:
        first = entry.body.get(FIRST) or masks.mask(log.content_of(entry))
        if (body := remembered.bodies.get(first, entry.body)) != entry.body:
            bodies[entry.seq] = body
    log.replace_bodies(connection, bodies)
    for opening in [*connection.execute(select(OPENING))]:
        first = mask_in(opening.header) or masks.mask(opening.header)
        header = remembered.headers.get(first, opening.header)
        if header != opening.header:
            put_header(connection, opening, header)
            mask_digests(connection, masks, opening)
    logged = [each.body for each in known]
    for entry in remembered.entries:
        if entry.body not in logged:
            author = log.Author(entry.who, entry.role)
            log.append(connection, entry.at, author, Kind.NAMES_FORGOTTEN, entry.body)
