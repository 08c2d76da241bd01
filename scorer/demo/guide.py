"""The guided first hand: five presses, each with what it did and why.

Data, built from the rules of a truco and the buttons of a table. The progress is read off the state
document, so that undo, a power cut and a press beside the guide need no code of their own.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from scorer.demo.button_labels import button_words
from scorer.demo.buttons import CONSOLES
from scorer.i18n import Say
from scorer.rules import Action, Game, History, Rules, Start, Step, legal, new_game, state_document

_UNDO: Final = "undo"


class _Planned(NamedTuple):
    """A press of a plan: its place at the table, its button, the sentence after it.

    ``wins``: the meaning of TANTOS.
    """

    at: int
    button: str
    why: str
    wins: Action | None = None


_WITH_ENVIDO: Final = (
    _Planned(0, "envido", "guide.called"),
    _Planned(1, "quiero", "guide.accepted"),
    _Planned(0, "tantos", "guide.bet_won", Action.ENVIDO_WON),
    _Planned(1, "truco", "guide.truco"),
    _Planned(0, "no_quiero", "guide.refused"),
)
_WITHOUT_ENVIDO: Final = (
    _Planned(0, "truco", "guide.called"),
    _Planned(1, "truco", "guide.raised"),
    _Planned(1, _UNDO, "guide.undone"),
    _Planned(1, "quiero", "guide.truco_accepted"),
    _Planned(0, "tantos", "guide.hand_won", Action.HAND_WON),
)
# Each of three players answers alone.
_OF_THREE: Final = (
    _Planned(0, "truco", "guide.called"),
    _Planned(1, "truco", "guide.raised_of_three"),
    _Planned(0, "quiero", "guide.one_accepted"),
    _Planned(2, "no_quiero", "guide.one_refused"),
    _Planned(0, "tantos", "guide.hand_won", Action.HAND_WON),
)


class GuidedPress(NamedTuple):
    """A button to press, whether to hold it, and the key of the sentence after it."""

    line: str
    is_held: bool
    why: str


class Guide(NamedTuple):
    """The presses, and the mark of the state before the first and after each."""

    rules: Rules
    presses: tuple[GuidedPress, ...]
    marks: tuple[object, ...]


def first_hand(rules: Rules, lines: Collection[str], state: Mapping[str, Any]) -> Guide | None:
    """The guide of a table with these buttons and this state.

    None if a button is missing, or something has been scored or called.
    """
    plan = _WITH_ENVIDO if rules.bids else _WITHOUT_ENVIDO
    if rules.seating.each_alone:
        plan = _OF_THREE
    presses = tuple(_press(planned, lines) for planned in plan)
    history = History(new_game(Start(rules)))
    marks = [_mark(state_document(history.game))]
    if marks[0] != _mark(state) or not {press.line for press in presses} <= set(lines):
        return None
    for planned in plan:
        problem = history.play(_step(planned, history.game))
        assert problem is None, f"{planned} in {rules.variant.id}: {problem}"
        marks.append(_mark(state_document(history.game)))
    return Guide(rules, presses, tuple(marks))


def place_of(guide: Guide, state: Mapping[str, Any], before: int) -> int | None:
    """The number of presses done, ``before`` until now; None beside the guide."""
    mark = _mark(state)
    # The next place first: UNDO leads to an earlier state.
    nearest = (before + 1, *range(before, -1, -1))
    return next((at for at in nearest if guide.marks[at : at + 1] == (mark,)), None)


class GuidedHand:
    """The progress of a table through its guide."""

    def __init__(self, guide: Guide) -> None:
        self.guide = guide
        self.is_beside = False  # the last press was not in the guide
        self._done = 0  # presses, at the last known place

    @property
    def is_over(self) -> bool:
        """Whether the last press is done."""
        return self._done == len(self.guide.presses)

    @property
    def next_press(self) -> GuidedPress | None:
        """The button to press now; None at the end, and beside the guide."""
        return None if self.is_over or self.is_beside else self.guide.presses[self._done]

    def follow(self, state: Mapping[str, Any]) -> None:
        """Find the place of a state document, {} without one."""
        place = place_of(self.guide, state, self._done) if state else None
        self.is_beside = place is None and not self.is_over
        if place is not None:
            self._done = place

    def texts(self, say: Say, keys: Mapping[str, str]) -> tuple[str, ...]:
        """As ``guide_texts``."""
        place = None if self.is_beside else self._done
        return guide_texts(self.guide, place, say, keys)


def guide_texts(
    guide: Guide, place: int | None, say: Say, keys: Mapping[str, str]
) -> tuple[str, ...]:
    """What happened and why, and what comes next; ``keys``: letters of buttons."""
    words = {name: say(f"label.{name}") for name in ("truco", "tantos", "undo")}
    if place is None:
        return (say("guide.beside", **words),)
    done, following = guide.presses[:place], guide.presses[place:]
    told = say("guide.start")
    if done:
        told = say(done[-1].why, who=done[-1].line.partition(".")[0], **words)
    if not following:
        return (told, say("guide.end", **words))
    now = say(
        "guide.press",
        number=place + 1,
        count=len(guide.presses),
        press=_press_words(following[0], guide.rules, say, keys),
    )
    return (told, now)


def _press_words(press: GuidedPress, rules: Rules, say: Say, keys: Mapping[str, str]) -> str:
    """The button, its console and its key."""
    line = press.line
    if press.is_held:
        told = say("label.hold", word=say("label.quiero"))
    else:
        told = button_words((line,), rules, say)[line][0]
    console, dot, _ = line.partition(".")
    if dot:
        told = say("guide.press.team", button=told, team=console)
    letter = keys.get(line)
    if letter is None:
        return told
    letter = letter.upper() if press.is_held else letter
    return say("guide.press.key", press=told, letter=letter)


def _press(planned: _Planned, lines: Collection[str]) -> GuidedPress:
    if planned.button == _UNDO:
        return GuidedPress(_UNDO, False, planned.why)
    console = CONSOLES[planned.at]
    line = f"{console}.{planned.button}"
    if planned.button == "no_quiero" and line not in lines:
        # On a console of few buttons it is QUIERO held.
        return GuidedPress(f"{console}.quiero", True, planned.why)
    return GuidedPress(line, False, planned.why)


def _step(planned: _Planned, game: Game) -> Step:
    """The step of the rules that the press makes in ``game``."""
    if planned.button == _UNDO:
        return Step(None, Action.UNDO)
    rules = game.rules
    actions: list[Action | None]
    match planned.button:
        case "truco":
            actions = [rung.action for rung in rules.ladder]
        case "envido":
            actions = [bid.action for bid in rules.bids]
        case "tantos":
            actions = [planned.wins]
        case word:
            actions = [Action(word)]
    side = rules.speaking_sides[planned.at]
    may = [step for step in legal(game) if step.side is side]
    return next(step for action in actions for step in may if step.action is action)


def _mark(state: Mapping[str, Any]) -> object:
    """What tells the states of a guide apart."""
    legal_steps = frozenset((side, action) for side, action in state["legal"])
    return dict(state["score"]), state["hand"], state["phase"], state["pending"], legal_steps
