"""Choose the configuration of a start: the newest, or the one before it.

The one before it is used after two unfinished starts. A start is finished when the table has done
its first periodic work, or when a command has ended it.
A driver that ends the process and a plug that is pulled look alike: nothing here says which it was.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from scorer.config.sources import (
    ResolvedConfig,
    SettingsStore,
    fall_back,
    has_started,
    record_start,
)
from scorer.config.toml_reader import read_text
from scorer.plain_values import json_object

FILE_NAME = "starting.json"  # beside the store; there while the starts of a new configuration fail
MAX_UNFINISHED = 2  # starts with the same files, before the configuration before them is used


class StartAttempts:
    """Counts the unfinished starts with new files of owner, card and settings page.

    The count is in a file of ``folder``; if that cannot be written, nothing is counted. Files with
    which a table has started are not counted: for them nothing is written.
    """

    def __init__(
        self, folder: Path, owner_text: str, card_text: str | None, page_text: str = ""
    ) -> None:
        """``page_text``: that of the values of the settings page, "" without any."""
        self._path, self._texts = folder / FILE_NAME, (owner_text, card_text)
        counted = (*self._texts, page_text) if page_text else self._texts
        sums = (crc32((text or "").encode("utf-8", "surrogateescape")) for text in counted)
        self._digest = "".join(f"{each:08x}" for each in sums)
        self._falls_back = False

    def unfinished(self, store: SettingsStore) -> int:
        """The counted starts with these files."""
        return 0 if has_started(store, self._digest) else self._read()

    def begin(self, store: SettingsStore) -> None:
        """Count a start, until ``finish``.

        After two with the newest files there are two with those before them, then with the newest
        again: what ends the service may be something else.
        """
        if has_started(store, self._digest):
            return
        unfinished = self._read()
        self._falls_back = unfinished // MAX_UNFINISHED % 2 == 1
        self._write(unfinished + 1)

    def choose(self, newest: ResolvedConfig, store: SettingsStore) -> ResolvedConfig:
        """The configuration to start with, also after a restart in this process."""
        return fall_back(newest, *self._texts, store) if self._falls_back else newest

    def finish(self, resolved: ResolvedConfig, store: SettingsStore) -> None:
        """The table has started with ``resolved``.

        After a fallback the newest files are tried once by each start.
        """
        if resolved.is_fallback:
            self._write(MAX_UNFINISHED - 1)
            return
        self._falls_back = False
        record_start(resolved, self._digest, store)
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _read(self) -> int:
        """The count of these files; 0 if it is of others, or damaged."""
        with suppress(OSError):
            found = json_object(read_text(self._path)) or {}
            count = found.get("unfinished")
            if found.get("digest") == self._digest and isinstance(count, int) and count > 0:
                return count
        return 0

    def _write(self, unfinished: int) -> None:
        """Write the file; a disk that refuses it does not stop the service."""
        # Imported lazily: most starts write nothing.
        from scorer.system.replace_text import replace_text

        with suppress(OSError):
            replace_text(self._path, json.dumps({"digest": self._digest, "unfinished": unfinished}))
