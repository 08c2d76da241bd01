"""Where the matches of a tournament were played, and their games as score sheets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.engine import Connection

from scorer.hub.scores import match_in
from scorer.hub.store.blanked_headers import without_mask
from scorer.hub.store.tables import DEVICE, OPENING, ROW, STREAM
from scorer.hub.tournaments import RunningTournament, Tournaments
from scorer.rules import read_header
from scorer.rules.model import Match
from scorer.rules.sheet import header_text
from scorer.rules.stored_header import with_rules_of_then
from scorer.tournament import Reader

_NAME_TAGS = ("NameA", "NameB")


class _PlayedGame(NamedTuple):
    """A game of a match in the stream of a box."""

    match: str
    device: int
    epoch: str
    game: int
    header: str


def tables_of(
    connection: Connection, tournaments: Tournaments, running: RunningTournament
) -> dict[str, int]:
    """The table of each match that is at one, or was when its result became official."""
    results, matches = running.state.results, {each.id for each in running.state.matches()}
    # A hub that has imported the tournament knows its tables from the games alone.
    devices = {
        each.match: each.device
        for each in _games(connection, tournaments, running)
        if each.match in results
    }
    devices |= {match: at for match, at in running.devices.items() if match in matches}
    boxes = connection.execute(select(DEVICE.c.id, DEVICE.c.table_number))
    numbers = {device: number for device, number in boxes}
    return {match: numbers[device] for match, device in devices.items() if numbers.get(device)}


def games_text(connection: Connection, tournaments: Tournaments, running: RunningTournament) -> str:
    """All games of a tournament as one text of score sheets, match after match."""
    order = {match.id: at for at, match in enumerate(running.state.matches())}
    games = sorted(_games(connection, tournaments, running), key=lambda each: order[each.match])
    sheets = []
    for game in games:
        of_game = and_(
            ROW.c.device == game.device, ROW.c.epoch == game.epoch, ROW.c.game == game.game
        )
        lines = connection.execute(select(ROW.c.line).where(of_game).order_by(ROW.c.seq)).scalars()
        header = with_rules_of_then(without_mask(_without_blanked(running, game))).strip()
        sheets.append("".join([f"{header}\n\n", *(f"{line}\n" for line in lines)]))
    return "\n".join(sheets)


def _without_blanked(running: RunningTournament, game: _PlayedGame) -> str:
    """The header of a game, with the number of a team whose name was blanked since."""
    teams = zip(_NAME_TAGS, Reader(running.state).sides(game.match), strict=True)
    blank = {tag: running.state.teams[team] for tag, team in teams if team}
    changed = {tag: team.name for tag, team in blank.items() if team.is_blank}
    if not changed:
        return game.header
    return header_text({**dict(read_header(game.header).tags), **changed}.items())


def _games(
    connection: Connection, tournaments: Tournaments, running: RunningTournament
) -> Iterator[_PlayedGame]:
    """The games of a tournament in the order of their streams, oldest first.

    A game that its box has sent again, in a new epoch, is that of the newest one.
    """
    columns = (OPENING.c.device, OPENING.c.epoch, OPENING.c.game, OPENING.c.header)
    of_stream = and_(STREAM.c.device == OPENING.c.device, STREAM.c.epoch == OPENING.c.epoch)
    query = select(*columns).join(STREAM, of_stream)
    listed = connection.execute(query.order_by(STREAM.c.ordinal, OPENING.c.device, OPENING.c.game))
    newest: dict[tuple[str, int, int], _PlayedGame] = {}
    for each in listed:
        match = match_in(each.header)
        if match is not None and _is_of(tournaments, running, match, each.header):
            game = _PlayedGame(match.id, each.device, each.epoch, each.game, each.header)
            newest[match.id, each.device, each.game] = game
    yield from newest.values()


def _is_of(tournaments: Tournaments, running: RunningTournament, match: Match, header: str) -> bool:
    """Whether a game counts; one of an annulled match or another tournament does not."""
    if running.state.match(match.id) is None:
        return False
    if sitting := running.sittings.get(match.id):
        return match.hall == sitting
    if match.hall in tournaments.halls:
        return False
    # A hub that has imported the tournament has assigned none of its games.
    others = (each for each in tournaments.by_id.values() if each.id != running.id)
    is_unknown = tournaments.archive.keys() - {running.id}  # which ids their matches have
    if not is_unknown and all(each.state.match(match.id) is None for each in others):
        return True
    teams = [running.state.teams[team] for team in Reader(running.state).sides(match.id) if team]
    return [*read_header(header).names.values()] == [each.name for each in teams]
