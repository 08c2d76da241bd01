"""The topics of one box at a broker, and those that it has used before.

They contain the id of the box and not its name: boxes of one name stay apart, and a box that is
renamed leaves nothing behind.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final, NamedTuple

from scorer.config.link_section import MqttSection
from scorer.system.replace_text import replace_text

FILE_NAME: Final = "topics.json"
_MAX_BYTES: Final = 16384  # of the file
_MAX_TOPICS: Final = 60  # of about twenty changes of the settings


class Topics(NamedTuple):
    """``discovery`` is "" without Home Assistant; ``id`` is that of the device there."""

    state: str
    availability: str
    discovery: str
    id: str

    @staticmethod
    def of(settings: MqttSection, box: str) -> Topics:
        """``box``: its id, letters and digits."""
        under = f"{settings.topic}/{box}"
        id = f"{re.sub('[^a-z0-9]+', '_', settings.topic.lower())}_{box}"
        found = f"{settings.discovery}/device/{id}/config" if settings.discovery else ""
        return Topics(f"{under}/state", f"{under}/availability", found, id)

    @property
    def event(self) -> str:
        """The topic of events, which a broker does not retain."""
        return f"{self.availability.rpartition('/')[0]}/event"

    @property
    def retained(self) -> tuple[str, ...]:
        """The topics whose messages a broker retains."""
        return tuple(filter(None, self[:3]))


def note_topics(topics: Topics, box: str, folder: Path | None) -> tuple[str, ...]:
    """Remember these topics in ``folder``; those of before that are used no more.

    A topic of another box, in a folder that was copied, is none. Raises OSError.
    """
    if folder is None:
        return ()
    file = folder / FILE_NAME
    now = topics.retained
    former = [topic for topic in _read(file) if box in topic and topic not in now]
    former = former[-_MAX_TOPICS:]
    replace_text(file, json.dumps([*former, *now]))
    return tuple(former)


def _read(file: Path) -> list[str]:
    """The topics in the file; a file of another kind has none."""
    try:
        with file.open(encoding="utf-8") as opened:
            values = json.loads(opened.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return []
    is_list = isinstance(values, list) and all(isinstance(each, str) for each in values)
    return values if is_list else []
