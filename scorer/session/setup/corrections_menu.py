"""MenuEntries that correct scores, fouls, an envido, the last hand, the mano."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.rules import Action, Game, Refusal, Side, Step, attempt
from scorer.rules.destantado import pot_of
from scorer.rules.engine import play_steps
from scorer.rules.score import mano_of, shown_scores
from scorer.session.setup import last_hand
from scorer.session.setup.effects import ChangeDraft, Leave, RecordSteps
from scorer.session.setup.levels import (
    Effect,
    ListLevel,
    MenuEntries,
    MenuEntry,
    Open,
    follow,
    refusable,
    replace_level,
)
from scorer.session.values import late_envido, seating
from scorer.session.values.game_draft import Draft
from scorer.session.values.game_queries import current_hand, opening_steps
from scorer.session.values.keys import PlainKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import (
    EachNumberView,
    MenuLine,
    SetupView,
    SideNumberView,
)
from scorer.session.values.state import Reaction, Session, SetupLevel

_FOUL_REASON: Final = "foul"  # stored with awarded points


class PointsLevel(SetupLevel):
    """The number of points for ``side`` (speaking or scoring), from 1 to the maximum."""

    side: Side
    highest: int
    value: int = 1
    reason: str = ""

    def adjust(self, down: int) -> SetupLevel:
        return self._replace(value=min(max(self.value - down, 1), self.highest))

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        game, points = session.game, self.value
        # Points awarded to a player of destantado leave the pile.
        signed = -points if game.rules.seating.counts_down else points
        line = MenuLine(PlainKey.POINTS, seating.view_index(game, self.side), signed)
        steps = late_envido.award_steps(game, self.side, points)
        return follow(session, press, MenuEntry(line, RecordSteps(steps, self.reason)))

    def view(self, session: Session) -> SetupView:
        at = seating.view_index(session.game, self.side)
        return SetupView(self.title, SideNumberView(at, self.value))


class ScoresLevel(SetupLevel):
    """The corrected scores, one side after the other; ``at`` is the one being set."""

    scores: tuple[int, ...]
    highest: int
    lowest: int = 0
    at: int = 0
    draft: Draft | None = None  # the game that starts with them

    def adjust(self, down: int) -> SetupLevel:
        new = min(max(self.scores[self.at] - down, self.lowest), self.highest)
        return self._replace(scores=(*self.scores[: self.at], new, *self.scores[self.at + 1 :]))

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        if self.at + 1 < len(self.scores):
            return replace_level(session, press, self._replace(at=self.at + 1))
        effect = (
            ChangeDraft(self.draft.with_scores(self.scores))
            if self.draft is not None
            else correction(session, self.scores)
        )
        return follow(session, press, MenuEntry(MenuLine(self.title), effect))

    def view(self, session: Session) -> SetupView:
        return SetupView(self.title, EachNumberView(self.at, self.scores))


def correction(session: Session, scores: tuple[int, ...], reason: str = "") -> Effect:
    """The effect that corrects the scores to ``scores``; correct ones need no step."""
    steps = _correcting_steps(session.game, scores)
    return RecordSteps(steps, reason) if steps else Leave()


def _correcting_steps(game: Game, scores: tuple[int, ...]) -> tuple[Step, ...]:
    sides = zip(game.rules.scoring_sides, game.score, scores, strict=True)
    changed = [
        (new > old, Step(side, Action.CORRECT, new)) for side, old, new in sides if old != new
    ]
    # Decreases come first: piles grow from the points that others leave in the pot.
    return tuple(step for _, step in sorted(changed, key=lambda change: change[0]))


def scores_entries(session: Session) -> MenuEntries:
    """The entry that corrects the scores."""
    least, most = _limits(session.game)
    level = ScoresLevel(SetupKey.CORRECT, shown_scores(session.game), most, least)
    effect = Open(level) if session.game.winner is None else None
    return (refusable(MenuLine(SetupKey.CORRECT), effect, Refusal.GAME_OVER),)


def _limits(game: Game) -> tuple[int, int]:
    """The lowest and the highest score that a side can be corrected to."""
    if game.rules.seating.counts_down:
        return 1, sum(shown_scores(game)) + pot_of(game)
    return 0, game.rules.target - 1


def point_entries(session: Session) -> MenuEntries:
    """The entries that give a side one point or take one away."""
    return tuple(
        _point_entry(session, at, change)
        for at in range(len(session.rules.scoring_sides))
        for change in (1, -1)
    )


def _point_entry(session: Session, at: int, change: int) -> MenuEntry:
    line = MenuLine(PlainKey.POINTS, at, change)
    if session.game.winner is not None:
        return refusable(line, None, Refusal.GAME_OVER)
    least, most = _limits(session.game)
    scores = list(shown_scores(session.game))
    scores[at] += change
    possible = least <= scores[at] <= most
    return refusable(line, correction(session, tuple(scores)) if possible else None)


def fouls_entries(session: Session) -> MenuEntries:
    """The entry of fouls and of an envido that was not entered in time."""
    # A lie can still be entered after the game.
    sides, lies = session.rules.speaking_sides, (Action.ENVIDO_REVERSED, Action.FLOR_REVERSED)
    tried = (attempt(session.game, Step(side, lie)) for side in sides for lie in lies)
    is_open = session.game.winner is None or any(isinstance(each, Game) for each in tried)
    entries = tuple(entry for menu in _FOULS for entry in menu(session))
    effect = Open(ListLevel(SetupKey.FOULS, entries)) if is_open else None
    return (refusable(MenuLine(SetupKey.FOULS), effect, Refusal.GAME_OVER),)


def _envido_reversed(session: Session) -> MenuEntries:
    return _reversed(session, Action.ENVIDO_REVERSED, SetupKey.ENVIDO_REVERSED)


def _flor_reversed(session: Session) -> MenuEntries:
    return _reversed(session, Action.FLOR_REVERSED, SetupKey.FLOR_REVERSED)


def _reversed(session: Session, action: Action, key: SetupKey) -> MenuEntries:
    """The entry for a side that took points without showing its cards."""
    tried = {
        side: attempt(session.game, Step(side, action)) for side in session.rules.speaking_sides
    }
    if Refusal.NOT_IN_THIS_VARIANT in tried.values():
        return ()
    effects = {
        side: RecordSteps((Step(side, action),))
        if isinstance(result, Game)
        else _late_correction(session, side, action)
        for side, result in tried.items()
    }
    return tuple(
        MenuEntry(MenuLine(key, seating.view_index(session.game, side)), effect)
        for side, effect in effects.items()
        if effect is not None
    ) or (refusable(MenuLine(key), None, Refusal.NOTHING_TO_REVERSE),)


def _late_envido(session: Session) -> MenuEntries:
    """The entry for an envido that was played in time but not entered in time."""
    if not late_envido.is_in_the_rules(session.rules):
        return ()
    line, actors = MenuLine(SetupKey.LATE_ENVIDO), session.rules.speaking_sides
    if not late_envido.is_possible(session.game):
        return (refusable(line, None),)
    return (_side_entry(session, line, actors, lambda side: _late_level(session.game, side)),)


def _late_level(game: Game, side: Side) -> SetupLevel:
    """Its possible payments; with open bids the number of stones is entered."""
    title, least = SetupKey.LATE_ENVIDO, late_envido.MIN_OPEN_BET
    if game.rules.opens_with_numbers:
        return PointsLevel(title, side, game.rules.target, least, late_envido.REASON)
    entries = []
    for points, words in late_envido.possible_payments(game, side):
        key = SetupKey.LATE_PAID if words else SetupKey.LATE_REFUSED
        effect = RecordSteps(late_envido.award_steps(game, side, points), late_envido.REASON)
        entries.append(MenuEntry(MenuLine(key, number=points, word=words), effect))
    return ListLevel(title, tuple(entries))


def _award(session: Session) -> MenuEntries:
    most, sides = session.rules.target, session.rules.scoring_sides

    def points_level(side: Side) -> SetupLevel:
        return PointsLevel(SetupKey.AWARD, side, most, reason=_FOUL_REASON)

    return (_side_entry(session, MenuLine(SetupKey.AWARD), sides, points_level),)


def _side_entry(
    session: Session, line: MenuLine, sides: tuple[Side, ...], level: Callable[[Side], SetupLevel]
) -> MenuEntry:
    """The entry that opens the choice of a side, each with its level."""
    entries = tuple(
        MenuEntry(
            MenuLine(PlainKey.SIDE, seating.view_index(session.game, side)), Open(level(side))
        )
        for side in sides
    )
    return MenuEntry(line, Open(ListLevel(line.key, entries)))


def mano_entries(session: Session) -> MenuEntries:
    """The entry of each side that is not the mano of the hand a press belongs to."""
    dealt, opening = current_hand(session.game), opening_steps(session.game)
    if dealt.gallo:
        return ()  # the mano follows the gallo
    entries = []
    for side in session.rules.seating.sides_from(dealt.mano)[1:]:
        step = Step(side, Action.MANO)
        right = attempt(dealt, step)
        # In the second duel of a pica hand the other side is mano.
        mano = mano_of(right) if isinstance(right, Game) else side
        line = MenuLine(SetupKey.SET_MANO, seating.view_index(dealt, mano))
        effect = RecordSteps((*opening, step)) if isinstance(right, Game) else None
        entries.append(refusable(line, effect, Refusal.GAME_OVER))
    return tuple(entries)


def _late_correction(session: Session, side: Side, lie: Action) -> Effect | None:
    """The effect that corrects what the last hand paid; None if the rules refuse it."""
    scores = last_hand.reversed_late(session.record, side, lie)
    if not scores or session.game.winner is not None:
        return None
    after = play_steps(session.game, _correcting_steps(session.game, scores))
    return None if after is None else correction(session, scores, last_hand.REASON)


_FOULS: Final = (_envido_reversed, _flor_reversed, _late_envido, _award)
