"""What the journal of the table tells here: the story of the running game, the games of tonight.

It asks over the link, keeps what cannot change any more, and publishes nothing.
"""

from __future__ import annotations

import sys
from typing import Any

from scorer.web.standings_cache import Games, Tonight
from scorer.web.table_link import Message, TableGone, TableLink
from scorer.web.timeline import Story, row_of


class Ledger:
    """The games as far as they are known. Methods that ask raise TableGone."""

    def __init__(self, link: TableLink) -> None:
        self._link = link
        self._found = 0  # the greeting of the table that all this was heard from
        self.story: Story | None = None
        self.seq = -1  # the row of the journal up to which the story is told
        self.language = ""
        self._games = Games(0, 0, 0)
        self._tonight = Tonight()
        self._ranking: dict[str, Any] | None = None

    async def catch_up(self) -> None:
        """Reads on until the story has come to the newest state."""
        if self._found != self._link.greetings:
            # Another table, or the same one on another store.
            self._found = self._link.greetings
            self.story, self.seq = None, -1
            self._tonight, self._ranking = Tonight(), None
        while self.seq < self._link.seq:
            await self.read_on()

    async def read_on(self) -> None:
        """One question to the table: how does the running game go on?"""
        story = self.story
        answer = await self._asked(**{"from": story.last + 1 if story else 1})
        games = Games(answer["running"], answer["first"], answer["newest"])
        if story is not None and story.number != games.running:
            answer = await self._asked(**{"from": 1})
            story = None
        self._take(story, answer, games)

    async def whole(self, number: int | None) -> Story:
        """The story of any game. Raises KeyError where there is none of that number."""
        if number is None or (self.story is not None and number == self.story.number):
            if self.story is None:
                raise TableGone("no game is known yet")
            return self.story
        return await self._read(number)

    async def next_of_the_night(self) -> bool:
        """Reads one more game of tonight; False when all are known."""
        number = self._tonight.missing(self._games)
        if number is None:
            return False
        try:
            story = await self._read(number)
            self._tonight.learn(number, story.header, story.rows)
        except (KeyError, ValueError):
            self._tonight.learn(number, "", [])
        return True

    def is_complete(self) -> bool:
        """Is everything told that belongs to the newest state?"""
        return self.seq == self._link.seq and self._tonight.missing(self._games) is None

    def night(self) -> dict[str, Any] | None:
        """The ranking of tonight as it was last known whole; None until it was once."""
        if self._games.newest and self._tonight.missing(self._games) is None:
            self._ranking = self._tonight.told(self._games)
        return self._ranking

    def games(self) -> Games:
        return self._games

    def _take(self, story: Story | None, answer: Message, games: Games) -> None:
        rows = [row_of(told) for told in answer["rows"]]
        before, self._games, self.language = self._games, games, answer["language"]
        try:
            self.story = story or Story(games.running, answer["header"])
            self.story.add(rows)
        except ValueError as error:
            # A newer table may know words that we do not: the state alone is shown then.
            sys.stderr.write(f"scorer web: game {games.running} cannot be told: {error}\n")
            self.story = None
            self.seq = answer["seq"]
            return
        if before.running != games.running:
            # It may have gone on after we heard of it last.
            self._tonight.forget(before.running)
        won = self.story.game.winner is not None
        self._tonight.learn(games.running, self.story.header, self.story.rows if won else [])
        if not rows or rows[-1].seq >= answer["seq"]:
            self.seq = answer["seq"]

    async def _read(self, number: int) -> Story:
        story: Story | None = None
        while True:
            start = story.last + 1 if story else 1
            answer = await self._asked(number=number, **{"from": start})
            story = story or Story(number, answer["header"])
            if not answer["rows"]:
                return story
            story.add([row_of(told) for told in answer["rows"]])

    async def _asked(self, **wish: object) -> Message:
        answer = await self._link.ask(do="game", **wish)
        if answer.get("ok") is True:
            return answer
        if answer.get("error") == "NO_SUCH_GAME":
            raise KeyError(wish.get("number"))
        raise TableGone(str(answer.get("text", "the table said no")))
