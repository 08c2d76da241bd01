"""A view in one language, with the sides in the order of one panel."""

from collections.abc import Callable
from typing import NamedTuple

from scorer.i18n import Say
from scorer.session.view.view import Half, SideView, View, WorthView

GAME = -1  # points of a view: the whole game
SERIES = -2  # points of a view: the whole series
LONGEST_NAME = 120  # letters considered: stored names have any length

# Sides named by role, independent of the panel.
NAME_BY_KEY = {"gallo": "side.gallo", "pair": "side.pair"}
SHORT_HALF = {Half.MALAS: "half.malas.short", Half.BUENAS: "half.buenas.short"}
NAME_BY_SEAT = {"A": "side.first", "B": "side.second", "C": "side.third"}

# Shortens a text to a width in pixels of the smallest letters of a panel.
Shorten = Callable[[str, int], str]


def keep_whole(text: str, width: int) -> str:
    """Returns the text unchanged, for pages that fit texts themselves."""
    return text


class Scene(NamedTuple):
    """One view as one panel or page shows it; ``order``: from left to right.

    ``is_neutral``: no side is the viewer's own, as on a television.
    """

    view: View
    say: Say
    order: tuple[int, ...]
    shorten: Shorten = keep_whole
    is_neutral: bool = False

    def side(self, position: int) -> SideView:
        """The side at ``position``, counted from the left."""
        return self.view.sides[self.order[position]]

    def mark(self, mark: str) -> str:
        """The text of a problem of the box; a mark may end in the name of a part."""
        return self.mark_wordings(mark)[0]

    def mark_wordings(self, mark: str) -> tuple[str, ...]:
        """The text of a problem of the box, the best first, the shortest last."""
        key, _, name = mark.partition(" ")
        names = self.button_wordings(name) if key == "stuck" else (name,)
        return tuple(self.say(f"mark.{key}", name=each) for each in names)

    def button_wordings(self, button: str) -> tuple[str, ...]:
        """The label of a button such as ``A.truco``, and whose it is unless all share it."""
        console, _, key = button.rpartition(".")
        label, keys = self.say(f"label.{key}"), [side.key for side in self.view.sides]
        if not console:
            return (label,)
        owner = self.name(keys.index(console)) if console in keys else console
        whole = self.say("button.of", button=label, side=owner)
        return whole, f"{label} {owner}", f"{label} {console}"

    @property
    def gravest_mark(self) -> str:
        """The gravest mark, which is shown in words, or ""."""
        marks = self.view.marks
        devices = (mark for mark in marks if mark.startswith(("console_", "panel_lost ")))
        lines = (mark for mark in marks if mark.startswith("config_line "))
        stuck = (mark for mark in marks if mark.startswith("stuck "))
        grave = (
            "buttons",
            *stuck,
            "muted",
            "safe",
            *devices,
            *lines,
            "config",
            "forgets",
            *(mark for mark in marks if mark.startswith("battery ")),
            "power",
        )
        return next((mark for mark in grave if mark in marks), "")

    def status_lines(self) -> list[str]:
        """Target and hand, then each problem of the box."""
        return [wordings[0] for wordings in self.status_wordings()]

    def status_wordings(self) -> list[tuple[str, ...]]:
        """The lines of the status page, each with its wordings, the best first."""
        view, say = self.view, self.say
        game = f"{say('page.target', points=view.target)} · {say('state.hand', number=view.hand)}"
        problems = [self.mark_wordings(mark) for mark in view.marks]
        return [(game,), *(problems or [(say("mark.none"),)])]

    def position(self, side: int) -> int:
        """The position of a side from the left; for a pair, the outer one."""
        if side == len(self.order):
            return 0 if self.order[0] != self.view.gallo else len(self.order) - 1
        return self.order.index(side)

    def align_of(self, position: int) -> float:
        """The alignment of a position: 0 for left, 1 for right, centred in between."""
        return position / (len(self.order) - 1) if len(self.order) > 1 else 0.5

    def is_left(self, side: int) -> bool:
        """Whether the side is in the left half."""
        return 2 * self.position(side) < len(self.order) - 1 or self.position(side) == 0

    def name(self, side: int | None) -> str:
        """The chosen name of a side, else its default one; "" of None."""
        if side is None:
            return ""
        if side == len(self.view.sides):
            # The name of the pair: both names, if both have one.
            pair = [self.view.sides[at] for at in self.order if at != self.view.gallo]
            names = [side.name for side in pair]
            return " + ".join(names) if all(names) else self.say("side.pair")
        shown = self.view.sides[side]
        if shown.name:
            return shown.name[:LONGEST_NAME]
        if shown.key in NAME_BY_KEY:
            return self.say(NAME_BY_KEY[shown.key])
        if len(self.order) > 2:
            return self.say(NAME_BY_SEAT[shown.key])
        return self.unnamed(side)

    def unnamed(self, side: int) -> str:
        """ "We" or "they"; the colour of its lamp if no side is the viewer's."""
        if self.is_neutral:
            return self.say(f"side.lamp.{self.view.lamps[side]}")
        return self.say("side.ours" if side == self.order[0] else "side.theirs")

    @property
    def has_three(self) -> bool:
        """Whether three sides score."""
        return len(self.order) > 2

    @property
    def tally_points(self) -> int:
        """The capacity of a tally in points: a pile may exceed its starting value."""
        if not self.view.counts_down:
            return self.view.target
        return max(self.view.target, *(side.score for side in self.view.sides))

    def spoken_wordings(self, side: int) -> tuple[str, ...]:
        """The spoken score ("seis buenas"), then shorter; empty without halves."""
        shown = self.view.sides[side]
        if shown.half is None:
            return ()
        if shown.half is Half.MALAS and not shown.spoken:
            return (self.say("half.zero"), self.say(SHORT_HALF[shown.half], number=0))
        key = f"half.{shown.half}.one" if shown.spoken == 1 else f"half.{shown.half}"
        wordings = tuple(
            self.say(key, number=number) for number in self.number_wordings(shown.spoken, "f")
        )
        # With three sides there is room for one letter.
        return (*wordings, self.say(SHORT_HALF[shown.half], number=shown.spoken))

    def number_wordings(self, number: int, gender: str = "") -> tuple[str, ...]:
        """A number in words, if the language has one for it, and in figures."""
        for key in (f"number.{number}.{gender}", f"number.{number}"):
            if (word := self.say(key)) != key:
                return (word, str(number))
        return (str(number),)

    def score_wordings(self) -> tuple[str, ...]:
        """The spoken score, left side first: "onze a nove"; then in figures."""
        scores = [side.score for side in self.view.sides]
        if len(self.order) != 2:
            return (" · ".join(str(scores[side]) for side in self.order),)
        mine, theirs = (scores[side] for side in self.order)
        if mine == theirs != 1:  # "uno iguales" is no Spanish
            return tuple(self.say("score.level", number=n) for n in self.number_wordings(mine))
        words = self.number_wordings(mine)[0], self.number_wordings(theirs)[0]
        figures = str(mine), str(theirs)
        # Words only if both numbers have one: "dezoito a 24" is not idiomatic.
        worded = not any(word.isdigit() for word in words)
        pairs = (words, figures) if worded else (figures,)
        return tuple(self.say("score.to", mine=m, theirs=t) for m, t in pairs)

    def action(self, word: str) -> str:
        """The translation of an unspoken word of the sheet ("new_hand")."""
        key = f"action.{word}"
        text = self.say(key)
        return word if text == key or word in (self.view.accept, self.view.refuse) else text

    def scores(self, scores: tuple[int, ...]) -> str:
        """Scores in the order of the panel: "27 a 15"."""
        if len(self.order) != 2:
            return " · ".join(str(scores[side]) for side in self.order)
        mine, theirs = (scores[side] for side in self.order)
        return self.say("score.to", mine=mine, theirs=theirs)

    def figures(self, scores: tuple[int, ...]) -> str:
        """The scores in the shortest form: "27-15"."""
        return "-".join(str(scores[side]) for side in self.order)

    def points(self, points: int) -> str:
        """A payment: a figure, or the word for the whole game."""
        if points == GAME:
            return self.say("stake.game.short")
        return self.say("stake.series.short") if points == SERIES else str(points)

    def stake(self, points: int) -> str:
        """The stake of the hand: "vale 2"."""
        if points == GAME:
            return self.say("stake.game")
        if points == SERIES:
            return self.say("stake.series")
        return self.say("stake.points", points=points)

    def pays(self, worth: WorthView) -> str:
        """The payment of an answer; two amounts if it depends on the winner."""
        points = worth.points
        if points == (0,):
            return "-"  # no such answer
        if len(points) > 1:
            points = self._from_left_to_right(points)
        return "/".join(self.points(n) for n in dict.fromkeys(points))

    def _from_left_to_right(self, points: tuple[int, ...]) -> tuple[int, ...]:
        """One amount per speaking side, from left to right."""
        if self.view.gallo is not None:
            return points if self.order[0] == self.view.gallo else points[::-1]
        return tuple(points[side] for side in self.order if side < len(points))

    def is_decisive(self, worth: WorthView) -> bool:
        """Whether an answer may end the game or take a side into the buenas."""
        if worth.wins or worth.scores is None or self.view.counts_down:
            return worth.wins
        steps = (self.view.half, self.view.target - 2)
        return any(
            step is not None and side.score <= step < after
            for side, after in zip(self.view.sides, worth.scores, strict=True)
            for step in steps
        )

    def end_wordings(self, worth: WorthView) -> tuple[str, ...]:
        """States that an answer ends the game, or may if one side wins the bet."""
        if self._ends_either_way(worth):
            return (self.say("pending.ends"), self.say("pending.ends.short"))
        return (self.say("pending.may_end"), self.say("pending.may_end.short"))

    def _ends_either_way(self, worth: WorthView) -> bool:
        """True if the game ends whichever side wins."""
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
        """The scores of the sides that can win a bet; for a pair, the better one."""
        scores = [side.score for side in self.view.sides]
        if self.view.gallo is None:
            return tuple(scores)
        return scores.pop(self.view.gallo), max(scores)

    def outcome_wordings(self, worth: WorthView) -> tuple[str, ...]:
        """The outcome of an answer, longest first; empty if uncertain."""
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
