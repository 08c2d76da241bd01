"""A view in the words of one language, its sides in the order of one panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scorer.i18n import Say
from scorer.session.view.view import Half, SideView, View, WorthView

GAME = -1  # points of a view: the whole game
SERIES = -2  # points of a view: the whole series
LONGEST_NAME = 120  # letters that are looked at: a store has room for any number

# Sides that are known by what they are and not by whose panel it is.
NAME_BY_KEY = {"gallo": "side.gallo", "pair": "side.pair"}
SHORT_HALF = {Half.MALAS: "half.malas.short", Half.BUENAS: "half.buenas.short"}
NAME_BY_SEAT = {"A": "side.first", "B": "side.second", "C": "side.third"}

# A name or a word within a width, in pixels of the smallest letters of a panel.
Shorten = Callable[[str, int], str]


def keep_whole(text: str, width: int) -> str:
    """Shortens nothing: where the page itself fits a text to its box."""
    return text


class Scene(NamedTuple):
    """One view as one panel or page shows it; ``order``: from left to right."""

    view: View
    say: Say
    order: tuple[int, ...]
    shorten: Shorten = keep_whole

    def side(self, position: int) -> SideView:
        """The side that stands at ``place``, counted from the left."""
        return self.view.sides[self.order[position]]

    def mark(self, mark: str) -> str:
        """What is wrong with the box; a mark may end in the name of a part."""
        key, _, name = mark.partition(" ")
        return self.say(f"mark.{key}", name=name)

    def position(self, side: int) -> int:
        """Where a side stands, counted from the left; of a pair the one further out."""
        if side == len(self.order):
            return 0 if self.order[0] != self.view.gallo else len(self.order) - 1
        return self.order.index(side)

    def is_left(self, side: int) -> bool:
        """Whether it stands in the left half."""
        return 2 * self.position(side) < len(self.order) - 1 or self.position(side) == 0

    def name(self, side: int | None) -> str:
        """The chosen name of a side, else "we" or "they"; "" of None."""
        if side is None:
            return ""
        if side == len(self.view.sides):
            return self._pair_name()
        seen = self.view.sides[side]
        if seen.name:
            return seen.name[:LONGEST_NAME]
        if seen.key in NAME_BY_KEY:
            return self.say(NAME_BY_KEY[seen.key])
        if len(self.order) > 2:
            return self.say(NAME_BY_SEAT[seen.key])
        return self.say("side.ours" if side == self.order[0] else "side.theirs")

    def _pair_name(self) -> str:
        """The two that play together: by their names if both have one."""
        pair = [self.view.sides[at] for at in self.order if at != self.view.gallo]
        names = [side.name for side in pair]
        return " + ".join(names) if all(names) else self.say("side.pair")

    @property
    def has_three(self) -> bool:
        """Whether three score here."""
        return len(self.order) > 2

    @property
    def tally_points(self) -> int:
        """Points that a tally has room for: a pile may have grown past where it began."""
        if not self.view.counts_down:
            return self.view.target
        return max(self.view.target, *(side.score for side in self.view.sides))

    def spoken_wordings(self, side: int) -> tuple[str, ...]:
        """A score as it is said ("seis buenas"), then shorter; none without halves."""
        seen = self.view.sides[side]
        if seen.half is None:
            return ()
        key = f"half.{seen.half}.one" if seen.spoken == 1 else f"half.{seen.half}"
        said = tuple(
            self.say(key, number=number) for number in self.number_wordings(seen.spoken, "f")
        )
        # Where three stand beside each other there is room for a letter.
        return (*said, self.say(SHORT_HALF[seen.half], number=seen.spoken))

    def number_wordings(self, number: int, gender: str = "") -> tuple[str, ...]:
        """A number in words, where the language has one for it, and in figures."""
        for key in (f"number.{number}.{gender}", f"number.{number}"):
            if (word := self.say(key)) != key:
                return (word, str(number))
        return (str(number),)

    def score_wordings(self) -> tuple[str, ...]:
        """The score as it is said, left side first: "onze a nove"; then in figures."""
        scores = [side.score for side in self.view.sides]
        if len(self.order) != 2:
            return (" · ".join(str(scores[side]) for side in self.order),)
        mine, theirs = (scores[side] for side in self.order)
        if mine == theirs:
            return tuple(self.say("score.level", number=n) for n in self.number_wordings(mine))
        words = self.number_wordings(mine)[0], self.number_wordings(theirs)[0]
        figures = str(mine), str(theirs)
        # Words only where both numbers have one: "dezoito a 24" is not said.
        worded = not any(word.isdigit() for word in words)
        pairs = (words, figures) if worded else (figures,)
        return tuple(self.say("score.to", mine=m, theirs=t) for m, t in pairs)

    def action(self, word: str) -> str:
        """A word of the sheet that is not shouted ("new_hand"), in the language."""
        key = f"action.{word}"
        said = self.say(key)
        return word if said == key or word in (self.view.accept, self.view.refuse) else said

    def scores(self, scores: tuple[int, ...]) -> str:
        """Scores in the order of the panel: "27 a 15"."""
        if len(self.order) != 2:
            return " · ".join(str(scores[side]) for side in self.order)
        mine, theirs = (scores[side] for side in self.order)
        return self.say("score.to", mine=mine, theirs=theirs)

    def figures(self, scores: tuple[int, ...]) -> str:
        """The same as short as can be: "27-15"."""
        return "-".join(str(scores[side]) for side in self.order)

    def points(self, points: int) -> str:
        """What something pays: a figure, or the word for the whole game."""
        if points == GAME:
            return self.say("stake.game.short")
        return self.say("stake.series.short") if points == SERIES else str(points)

    def stake(self, points: int) -> str:
        """What the hand is worth: "vale 2"."""
        if points == GAME:
            return self.say("stake.game")
        if points == SERIES:
            return self.say("stake.series")
        return self.say("stake.points", points=points)

    def pays(self, worth: WorthView) -> str:
        """The amount of an answer; two amounts where it depends on who wins."""
        points = worth.points
        if len(points) > 1:
            points = self._from_left_to_right(points)
        return "/".join(self.points(n) for n in dict.fromkeys(points))

    def _from_left_to_right(self, points: tuple[int, ...]) -> tuple[int, ...]:
        """One amount a side that speaks, from left to right."""
        if self.view.gallo is not None:
            return points if self.order[0] == self.view.gallo else points[::-1]
        return tuple(points[side] for side in self.order if side < len(points))

    def is_decisive(self, worth: WorthView) -> bool:
        """Whether an answer may end the game or bring a side into its buenas."""
        if worth.wins or worth.scores is None or self.view.counts_down:
            return worth.wins
        steps = (self.view.half, self.view.target - 2)
        return any(
            step is not None and side.score <= step < after
            for side, after in zip(self.view.sides, worth.scores, strict=True)
            for step in steps
        )

    def end_wordings(self, worth: WorthView) -> tuple[str, ...]:
        """That an answer ends the game, or that it may if one side wins the bet."""
        if self._ends_either_way(worth):
            return (self.say("pending.ends"), self.say("pending.ends.short"))
        return (self.say("pending.may_end"), self.say("pending.may_end.short"))

    def _ends_either_way(self, worth: WorthView) -> bool:
        """Is the game over after either side wins?"""
        if worth.to is not None:
            return True
        if self.view.counts_down:
            return False
        each = worth.points if len(worth.points) > 1 else worth.points * len(self._camp_scores())
        return all(
            points == GAME or best + points >= self.view.target
            for best, points in zip(self._camp_scores(), each, strict=True)
        )

    def _camp_scores(self) -> tuple[int, ...]:
        """The scores of those who can win a bet; of a pair the better one."""
        scores = [side.score for side in self.view.sides]
        if self.view.gallo is None:
            return tuple(scores)
        return scores.pop(self.view.gallo), max(scores)

    def outcome_wordings(self, worth: WorthView) -> tuple[str, ...]:
        """What an answer leads to, longest first; nothing where it is not certain."""
        if worth.wins:
            won = (
                (self.say("pending.wins", side=self.name(worth.to)),)
                if worth.to is not None
                else ()
            )
            return (*won, *self.end_wordings(worth))
        if worth.scores is None:
            return ()
        return (self.scores(worth.scores), self.figures(worth.scores))
