"""The sections of the owner's file that a session uses, with their defaults.

Times are seconds; a guard or a light of 0 is switched off.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

from scorer.plain_values import REST, Found, Range


class Layout(StrEnum):
    """Which buttons a console has."""

    FULL = "full"
    COMPACT = "compact"


class Brightness(StrEnum):
    """Brightness of panels that are not dimmed."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class LampColour(StrEnum):
    """Colour of a team's lamp, after which an unnamed team is called."""

    YELLOW = "yellow"
    SKY_BLUE = "sky_blue"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    WHITE = "white"
    ORANGE = "orange"
    BLACK = "black"


LAMPS: Final = (LampColour.YELLOW, LampColour.SKY_BLUE)  # of teams A and B
Hours = tuple[int, int]  # minutes of the day, from and until; past midnight if until is less


def parse_hours(text: str) -> Hours | None:
    """ "23:00-08:00" as minutes of the day; None if malformed."""
    parts = [part.split(":") for part in text.split("-")]
    if [len(part) for part in parts] != [2, 2] or not all(
        (n.isascii() and n.isdecimal() and len(n) <= 2) for p in parts for n in p
    ):
        return None
    (h1, m1), (h2, m2) = [(int(hour), int(minute)) for hour, minute in parts]
    if max(h1, h2) > 23 or max(m1, m2) > 59:
        return None
    return h1 * 60 + m1, h2 * 60 + m2


def is_within(hours: Hours | None, minute: int | None) -> bool:
    """True if the minute falls into these hours; False if either is unknown."""
    if hours is None or minute is None:
        return False
    start, end = hours
    return start <= minute < end if start <= end else minute >= start or minute < end


MAX_NAME_CHARS: Final = 40  # letters; a panel shows a third of them
DEBOUNCE_RANGE: Final = (0.002, 0.030)
RELEASE_RANGE: Final = (0.0, 0.090)  # below the debounce time: as that
NOTHING: Mapping[str, Any] = MappingProxyType({})
# The next hand cannot be dealt and won sooner, and a late TANTOS for the last one comes by then.
PAID: Final = 7.0


class _Seconds(NamedTuple):
    """A time of ``least`` or more."""

    least: float = 0.0

    def problem(self, value: float) -> str:
        return "" if value >= self.least else "is not a number of seconds, 0 or more"


class _NameChars(NamedTuple):
    """The length of a name."""

    most: int = MAX_NAME_CHARS

    def problem(self, value: str) -> str:
        return "" if len(value) <= self.most else f"has more than {self.most} letters"


Name = Annotated[str, _NameChars()]
Rest = Annotated[Mapping[str, Any], REST]
Seconds = Annotated[float, _Seconds()]
PaidTime = Annotated[float, Range(0.0, 20.0, "s ")]  # longer, hands would be lost that were played


class TableSection(NamedTuple):
    """Variant and house rules, names of the sides, language."""

    variant: str = "argentine"
    rulebook: str = ""  # its options, which those of the house replace
    language: str = "es-AR"
    layout: Layout = Layout.FULL
    names: tuple[Name, ...] = ()
    lamps: tuple[str, ...] = LAMPS  # colours of A's and B's, the default names
    rematch: bool = False  # the next game is the revancha of a series
    device: Name = "truco"
    own_wifi: bool = False  # without a network for three minutes the box opens its own
    time_zone: str = ""  # a name of tzdata; "" for that of the machine
    house: Mapping[str, str | int | bool] = NOTHING

    def find_problems(self) -> Iterator[Found]:
        if len(self.lamps) != 2 or len(set(self.lamps) & set(LampColour)) != 2:
            yield "lamps", f"two different ones of {', '.join(LampColour)}"


class ConsolesSection(NamedTuple):
    """The buttons. ``lines`` moves single buttons to other pins; times are seconds.

    ``debounce``: a button is pressed once it has been closed for this long. ``release``: a contact
    that opens for less is still pressed. ``chord``: both TANTOS within it form one gesture.
    ``options``: of the driver.
    """

    driver: str = "gpio"
    # A third one, of four buttons, is for three who play alone.
    count: int = 2  # type: ignore[assignment]  # it hides tuple.count, which has no use here
    debounce: Annotated[float, Range(*DEBOUNCE_RANGE, "s ")] = 0.008
    # No finger leaves a button and is back sooner.
    release: Annotated[float, Range(*RELEASE_RANGE, "s ")] = 0.060
    hold: Annotated[float, Range(0.4, 3.0, "s ")] = 0.7  # shorter holds could be slow presses
    chord: Annotated[float, Range(0.05, 1.0, "s ")] = 0.3
    lines: Mapping[str, int] = NOTHING
    options: Rest = NOTHING

    def find_problems(self) -> Iterator[Found]:
        if self.count not in (2, 3):
            yield "count", f"{self.count} consoles; there are 2, or 3"


class GuardsSection(NamedTuple):
    """Guards against unintended presses."""

    slap: Seconds = 3.0  # G1: a button is ignored after a press of it was accepted
    slap_call: Seconds = 0.35  # G1 for ENVIDO and FLOR: a second tap after this long is no raise
    echo: Seconds = 0.8  # G2: the other console's same call is an echo
    closed: Seconds = PAID  # G3: TANTOS of the same team is ignored after TANTOS has closed a hand,
    # until a press of the next one is accepted; that of the other team asks
    offer: Seconds = 1.0  # answers of a console are ignored after a press dropped its offer
    forgotten: Seconds = 20.0  # then a refusal in an accepted truco asks for its winner
    paid_hand: PaidTime = PAID  # as ``closed``, after a payment that ended a hand
    paid_bet: PaidTime = PAID  # TANTOS asks for the hand after an envido or flor was settled
    trick_by_trick: bool = False  # TANTOS enters the winner of a trick


class Tally(StrEnum):
    """Points of one shape of the tally, in matches (rules.md#tally)."""

    FIVES = "fives"  # squares with a diagonal
    FOURS = "fours"  # squares
    THREES = "threes"  # triangles

    def points_a_shape(self, target: int, half: int | None) -> int:
        """Its points, if whole shapes add up to ``half`` and to ``target``; else 5."""
        points = {Tally.FIVES: 5, Tally.FOURS: 4, Tally.THREES: 3}[self]
        return points if target % points == (half or 0) % points == 0 else 5


class LightSection(NamedTuple):
    """Idle seconds after which the panels go dim and dark; 0 means never.

    ``shift``: seconds after which a dim picture moves by a pixel, to prevent burn-in.
    ``large_digits``: scores 28 pixels high in play, without a tally. ``pairs_page``: MENU has the
    page of the night by pair. ``tally``: how points are laid out in matches.
    """

    brightness: Brightness = Brightness.MEDIUM
    dim: Seconds = 120.0
    dark: Seconds = 1200.0
    dark_pending: Seconds = 7200.0  # while a call is pending
    shift: Seconds = 60.0
    large_digits: bool = False
    pairs_page: bool = True
    tally: Tally = Tally.FIVES


class SoundSection(NamedTuple):
    """The buzzer's pin (BCM); ``on = false`` mutes it, ``quiet`` in a range of hours."""

    on: bool = True
    pin: int = 12
    quiet: str = ""  # "23:00-08:00", local time


class Settings(NamedTuple):
    """The sections that a session uses, and times that no file changes."""

    table: TableSection = TableSection()
    consoles: ConsolesSection = ConsolesSection()
    guards: GuardsSection = GuardsSection()
    light: LightSection = LightSection()
    sound: SoundSection = SoundSection()
    has_printer: bool = False
    forgotten_lamps_s: float = 120.0  # after this long, the lamps ask for the winner too
    stale_after_s: float = 21600.0  # after this, ask whether it is still the same game
    notice_s: float = 2.0
    page_s: float = 20.0
    next_game_s: float = 30.0  # within which QUIERO of every team starts the next game
    setup_s: float = 30.0  # set-up closes after this long without a press
    tally_s: float = 3.0  # duration of the large tally when a half is reached or a game ends
    gains_s: float = 3.0  # minimum time that gains are shown
    hand_over_s: float = 8.0  # the end of a hand is shown, then the next hand
    blink_s: float = 0.5
    flash_s: float = 0.15  # of a lamp

    @property
    def lamps(self) -> tuple[LampColour, ...]:
        """The colours of the lamps of teams A and B."""
        return tuple(map(LampColour, self.table.lamps))

    def with_consoles(self, count: int) -> "Settings":
        """The settings of a table with this number of consoles."""
        return self._replace(consoles=self.consoles._replace(count=count))

    def value_at(self, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - of any type
        """The value of a section's key, as ("light", "dim")."""
        section, key = path
        return getattr(getattr(self, section), key)
