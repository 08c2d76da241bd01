"""Effects of a press outside the session: the table carries them out.

A ``StoredEffect`` is stored before the session is adopted, so that a full disk refuses the press;
an ``Effect`` follows once the session is adopted.
"""

from enum import StrEnum
from typing import NamedTuple

from scorer.session.values.chosen_change import ChosenChange
from scorer.session.values.hall import Wish


class ClearNight(NamedTuple):
    """The games so far belong to another night; ``is_over``: the current one too."""

    is_over: bool


class ForgetPhones(NamedTuple):
    """The phones with these ids are unpaired."""

    ids: tuple[str, ...]


class ForgetOwners(NamedTuple):
    """The right to the settings is taken from the phones with these ids."""

    ids: tuple[str, ...]


class StoreChange(NamedTuple):
    """The change of rules chosen for the running game; None: it was taken back."""

    chosen: ChosenChange | None


class Task(StrEnum):
    """An effect that needs no further data."""

    SWITCH_OFF = "switch_off"
    SELFTEST = "selftest"  # run it and show its results in set-up
    SLIP = "slip"  # print the slip of the game so far
    BACKUP = "backup"  # copy all games on a USB stick
    LIST_COPIES = "list_copies"  # list the copies on it, to put one back
    PAIRING_CODE = "pairing_code"  # show one for a new phone
    DESK_PASSWORD = "desk_password"  # make a new one of the hub, and show it


class RestoreCopy(NamedTuple):
    """The copy of this name on the USB stick replaces the games of the box."""

    name: str


class FactoryReset(NamedTuple):
    """The box is reset at its next start; ``code``: what was entered as the owner's."""

    code: str
    has_games: bool  # they are deleted too, after a copy on a stick

    def __repr__(self) -> str:
        return f"FactoryReset(has_games={self.has_games})"


class GiveOwnersRight(NamedTuple):
    """A phone may get the right to the settings.

    ``code``: what was entered as the owner's.
    """

    code: str

    def __repr__(self) -> str:
        return "GiveOwnersRight()"


class NewBoxKey(NamedTuple):
    """The button box over Wi-Fi of this name, plugged in by USB, gets a new key."""

    box: str


class ForgetBoxKey(NamedTuple):
    """The key of this button box over Wi-Fi is forgotten."""

    box: str


StoredEffect = ClearNight | ForgetPhones | ForgetOwners | StoreChange
BoxKeyEffect = NewBoxKey | ForgetBoxKey
# A wish is for the link.
Effect = Task | RestoreCopy | FactoryReset | GiveOwnersRight | BoxKeyEffect | Wish
