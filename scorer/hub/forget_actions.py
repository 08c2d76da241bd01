"""The actions of the desk that forget a person, and what remains then."""

from __future__ import annotations

import asyncio
import shlex
from functools import partial
from typing import Any

from sqlalchemy import select
from sqlalchemy.engine import Connection
from starlette.exceptions import HTTPException

from scorer.hub.desk_message import DeskAction, Json, number, text
from scorer.hub.forgetting import NamedPlace, PlaceKind, find_places, forget, places_of_team
from scorer.hub.hub import Hub, random_hex
from scorer.hub.store.blanked_headers import mask_in
from scorer.hub.store.log import Author
from scorer.hub.store.masks import make_masks
from scorer.hub.store.tables import OPENING
from scorer.hub.tournament_documents import tournaments_document
from scorer.hub.wall import Pages
from scorer.i18n import Say, translator

_MOST_PLACES = 1000
_REMOVE_COPIES = "sudo find {} -name 'hub-*.copy' ! -name {} -delete"
_COPY_SITE = "rsync -rt --delete-after --delay-updates {}/site/ user@example.org:www/"
_EMPTY_BOX = (
    "sudo systemctl stop scorer.socket scorer.service && sudo sh -c 'rm /var/lib/scorer/*.sqlite3*'"
    " && sudo systemctl start scorer.socket scorer.service"
)
_EMPTY_ARCHIVE = "sudo -u postgres psql -c 'CHECKPOINT; SELECT pg_switch_wal()'"


class ForgetActions:
    """One method per action of the page."""

    def __init__(self, hub: Hub, pages: Pages) -> None:
        self._hub, self._pages = hub, pages
        self.actions = {
            "names.find": DeskAction("director", self._find),
            "names.forget": DeskAction("director", self._forget),
        }

    async def _find(self, author: Author, message: Json) -> Json:
        """Where a person is named: ``name``, or the ``team`` of a ``tournament``."""
        name = text(message, "name").strip()
        if name:
            found = await self._hub.state.read_beside(partial(find_places, name=name))
        else:
            tournament, team = number(message, "tournament"), number(message, "team")
            listed = await self._hub.state.read_beside(
                lambda connection: places_of_team(connection, tournament, team)
            )
            found = dict.fromkeys(listed, True)
        say = translator(self._pages.language(text(message, "language")))
        known = tournaments_document(self._hub.matches.all_tournaments(), say)
        titles = {
            each["id"]: " · ".join(filter(None, (each["title"], each["date"]))) for each in known
        }
        places = [
            {**place._asdict(), "title": titles.get(place.tournament, ""), "is_meant": is_meant}
            for place, is_meant in [*found.items()][:_MOST_PLACES]
        ]
        return {"places": places}

    async def _forget(self, author: Author, message: Json) -> Json:
        """Forget what the places say; answers what remains, and the command for it."""
        places, name = _places(message.get("places")), text(message, "name").strip()
        at = self._hub.state.clock.utc()

        def blank(connection: Connection) -> Json:
            masks = make_masks(connection, random_hex)
            return forget(connection, masks, at, author, places, name=name)._asdict()

        done = await self._hub.state.forget(blank)
        if self._hub.copies is not None:
            await asyncio.to_thread(self._hub.copies.write, self._hub.state.tournaments.forgotten)
        tables = await self._hub.state.read_beside(self._tables)
        say = translator(self._pages.language(text(message, "language")))
        return {**done, "remains": self._remains(say, tables)}

    def _tables(self, connection: Connection) -> list[int]:
        """The tables whose boxes have games with names that are forgotten."""
        query = select(OPENING.c.device, OPENING.c.header)
        devices = {device for device, header in connection.execute(query) if mask_in(header)}
        return sorted(box.table for box in self._hub.state.view.boxes if box.device in devices)

    def _remains(self, say: Say, tables: list[int]) -> list[Json]:
        """Where the name may still be, out of reach of this hub."""
        found: list[tuple[str, dict[str, str], str]] = []
        if (copies := self._hub.copies) is None:
            found.append(("postgresql", {}, _EMPTY_ARCHIVE))
        else:
            for folder in copies.folders:
                newest = copies.newest(folder, self._hub.state.tournaments.forgotten)
                command = _REMOVE_COPIES.format(shlex.quote(str(folder)), newest)
                key = "copies" if newest else "copies.later"
                found.append((key, {"folder": str(folder)}, command if newest else ""))
        if tables:
            found.append(("boxes", {"tables": ", ".join(map(str, tables))}, _EMPTY_BOX))
        if self._hub.publisher is not None:
            site = shlex.quote(str(self._hub.publisher.folder))
            found.append(("site", {}, _COPY_SITE.format(site)))
        found.append(("files", {}, ""))
        return [
            {
                "kind": kind.partition(".")[0],
                "text": say(f"desk.forget.remains.{kind}", **fields),
                "command": command,
            }
            for kind, fields, command in found
        ]


def _places(listed: Any) -> list[NamedPlace]:  # noqa: ANN401
    """The places of a message. Raises HTTPException."""
    places = []
    try:
        if not isinstance(listed, list) or len(listed) > _MOST_PLACES:
            raise TypeError
        for tournament, team, kind, name in listed:
            if not (
                isinstance(tournament, int) and isinstance(team, int) and isinstance(name, str)
            ):
                raise TypeError
            places.append(NamedPlace(tournament, team, PlaceKind(kind), name))
    except (TypeError, ValueError):
        raise HTTPException(400, "places are lists of tournament, team, kind and text") from None
    return places
