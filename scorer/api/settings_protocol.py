"""The request of the table to the service that keeps what the settings page saves.

One line each way: ``{"section": "web", "values": {"port": 8081}, "back": ["hosts"]}`` is answered
with ``{"ok": true}``, or ``{"ok": false, "problems": [...]}`` with sentences for the owner.
Pins and drivers are kept on trial, until a request with ``"trial": "keep"`` or ``"undo"`` ends it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

from scorer.plain_values import Count, Found, Text

MAX_LINE_BYTES: Final = 16 * 1024
MAX_KEYS: Final = 40  # of a request; no section has as many
SOCKET_NAME: Final = "settings.sock"

SectionName = Annotated[str, Text(40)]
Values = Annotated[Mapping[str, object], Count(0, MAX_KEYS)]
Keys = Annotated[tuple[Annotated[str, Text(40)], ...], Count(0, MAX_KEYS)]


class SettingsChange(NamedTuple):
    """Values of one section to set, and keys to take back; or the end of its trial."""

    section: SectionName
    values: Values
    back: Keys = ()
    trial: Literal["", "keep", "undo"] = ""

    def find_problems(self) -> Iterator[Found]:
        yield from table_problems(self.values)


def table_problems(values: Mapping[str, object]) -> Iterator[Found]:
    """Values that are nothing, or a table.

    A table over a value of a file is left out when layers are merged.
    """
    for key, value in values.items():
        if value is None or isinstance(value, Mapping):
            yield ("values", key), "wants one value, or a list of them"


def settings_socket_path(table_socket: Path) -> Path:
    """The socket of the service, in the folder of the table's socket."""
    return table_socket.with_name(SOCKET_NAME)


class TrialReport(NamedTuple):
    """The answer of the service to the end of a trial: ``how`` it was to end."""

    how: Literal["keep", "undo"]
    ok: bool


class SettingsReport(NamedTuple):
    """The answer of the service to the table; ``is_missing``: there is none."""

    change: SettingsChange
    ok: bool
    problems: tuple[str, ...] = ()
    is_missing: bool = False
