"""Reads the running game of a table, and says what its newest press did."""

from __future__ import annotations

from typing import NamedTuple

from scorer.api.table_source import Message, TableUnavailable
from scorer.session.values.settings import LAMPS
from scorer.session.view.state_view import offered_game, question_view
from scorer.table_link import TableLink
from scorer.voice.followed_game import START_ROW, FollowedGame
from scorer.voice.sentences import Speech, TableInfo


class News(NamedTuple):
    """The phrase of the row ``row``, "" if it has none, and the rows that were undone.

    ``is_over``: the game is, after this row.
    """

    text: str = ""
    row: int = START_ROW
    undone: frozenset[int] = frozenset()
    is_over: bool = False


class GameFollower:
    """The games of one table. What was played before the connection is not said."""

    def __init__(self, link: TableLink, language: str = "") -> None:
        """``language``: "" for that of the table."""
        self._link, self._chosen = link, language
        self.language = language
        self.is_quiet = False  # the box makes no sound now
        self._greeting = 0  # the connection that the game was read from
        self._game: FollowedGame | None = None

    async def catch_up(self) -> News:
        """Read up to the newest row.

        Raises TableUnavailable, and ValueError for rows that the rules refuse.
        """
        if self._greeting != self._link.greetings:
            self._greeting, self._game = self._link.greetings, None
        before = self._game
        seq = START_ROW if before is None else before.last_seq
        self._game = None
        game = self._game = await self._read(before)
        return News() if before is None else self._compare(before, seq, game)

    def question_phrase(self) -> str:
        """What the box asks everyone, with both answers; "" if it asks nothing."""
        question = question_view(self._link.state or {})
        if question is None or question.console or self._game is None:
            return ""
        return self._game.question_phrase(Speech(self.language), self._table(), question)

    def _compare(self, before: FollowedGame, seq: int, game: FollowedGame) -> News:
        speech, table = Speech(self.language), self._table()
        if game is before:
            text = game.newest_phrase(speech, table) if game.last_seq > seq else ""
            return News(text, game.row, game.take_undone(), game.is_over)
        if game.number < before.number:  # its start was undone
            return News(game.undo_phrase(speech, table), game.row, before.rows)
        return News(game.newest_phrase(speech, table), game.row, is_over=game.is_over)

    async def _read(self, game: FollowedGame | None) -> FollowedGame:
        while True:
            answer = await self._request(START_ROW if game is None else game.last_seq + 1)
            if game is None or game.number != answer["running"]:
                if game is not None:
                    answer = await self._request(START_ROW)
                game = FollowedGame(int(answer["running"]), str(answer["header"]))
            game.add_rows(answer["rows"])
            if not answer["rows"] or game.last_seq >= answer["seq"]:
                return game

    async def _request(self, start: int) -> Message:
        answer = await self._link.request(do="game", **{"from": start})
        if answer.get("ok") is not True:
            raise TableUnavailable(str(answer.get("text", "the table said no")))
        self.is_quiet = answer.get("is_quiet") is True
        self.language = self._chosen or str(answer["language"])
        return answer

    def _table(self) -> TableInfo:
        """What the newest state says of the table."""
        state = self._link.state or {}
        names = state.get("names", {})
        return TableInfo(
            tuple(str(names.get(side, "")) for side in state.get("sides", ())),
            tuple(map(str, state.get("lamps", {}).values())) or LAMPS,
            offered_game(state),
        )
