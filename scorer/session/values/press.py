"""A press: the gesture of a button, its meaning, and what is remembered of it."""

from enum import StrEnum
from typing import NamedTuple


class GestureKind(StrEnum):
    """The kind of a gesture."""

    PRESS = "press"
    TOUCHED = "touched"  # TANTOS went down: PRESS or CHORD follows within 0.3 s
    REPEATED = "repeated"  # TANTOS is still down
    CHORD = "chord"  # TANTOS of two consoles
    HOLD_STARTED = "hold_started"
    HOLD = "hold"
    HOLD_ENDED = "hold_ended"  # released before it fired
    SAFE = "safe"  # UNDO and TRUCO of A held from power-on


class Gesture(NamedTuple):
    """One gesture; ``time`` is when it counts, ``since`` when the button went down."""

    kind: GestureKind
    button: str
    time: float
    since: float


class ButtonMeaning(StrEnum):
    """The meaning of a button press or hold."""

    TRUCO = "truco"
    ENVIDO = "envido"
    FLOR = "flor"
    QUIERO = "quiero"
    NO_QUIERO = "no_quiero"
    TANTOS = "tantos"
    BOTH = "both"  # TANTOS of two consoles at once
    FOLD = "fold"
    BIDS = "bids"  # the bids of ENVIDO with their prices
    FLORES = "flores"  # one more flor, or the raises of a flor
    UNDO = "undo"
    REDO = "redo"
    PAGE = "page"
    SETUP = "setup"
    UNLOCK = "unlock"


class ButtonPress(NamedTuple):
    """A gesture, its meaning, and the time of day as the history shows it."""

    meaning: ButtonMeaning
    gesture: Gesture
    time: str = ""


class AcceptedPress(NamedTuple):
    """The newest accepted press, as the guards need it."""

    button: str
    meaning: ButtonMeaning
    time: float
    side: int | None
    taps: int = 1  # consecutive presses of this button


class Hint(NamedTuple):
    """A hold in progress and the meaning that the panel announced."""

    button: str
    meaning: ButtonMeaning
