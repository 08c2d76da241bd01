"""Copy the games on a USB stick, on request of the table or by hand."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

from scorer.api.backup_protocol import MAX_LINE_BYTES, BackupResult
from scorer.backup import snapshot
from scorer.backup.options import BackupError, games_text, report
from scorer.store.errors import StoreError
from scorer.system import line_server, usb_stick
from scorer.system.line_server import IDLE
from scorer.system.usb_stick import StickError, StickFault

Message = dict[str, Any]

_OF_STICK = {
    StickFault.ABSENT: BackupResult.ABSENT,
    StickFault.READ_ONLY: BackupResult.READ_ONLY,
    StickFault.UNREADABLE: BackupResult.UNREADABLE,
}
_OF_COPY = {"full": BackupResult.FULL, "read_only": BackupResult.READ_ONLY}


class StickWriter:
    """Copies one store on the stick with one label; ``links`` is for tests."""

    def __init__(self, directory: Path, label: str, links: Path = usb_stick.BY_LABEL) -> None:
        self._directory, self._label, self._links = directory, label, links

    def copy(self) -> Message:
        """Make one copy; return the answer for the table. Failures are logged."""
        try:
            with usb_stick.mounted(self._label, self._links) as folder:
                target = snapshot.dated_name(folder)
                content = snapshot.take(self._directory, target, is_quick=True)
        except StickError as error:
            return self._failure(_OF_STICK.get(error.fault, BackupResult.FAILED), error)
        except StoreError as error:
            return self._failure(_OF_COPY.get(error.kind, BackupResult.FAILED), error)
        except (BackupError, OSError) as error:
            return self._failure(BackupResult.FAILED, error)
        sys.stdout.write(f"{target.name} on the stick: {games_text(content.games)}\n")
        sys.stdout.flush()
        return {"ok": True, "games": content.games}

    def _failure(self, result: BackupResult, error: Exception) -> Message:
        report("backup", str(error))
        return {"ok": False, "error": result, "label": self._label, "text": str(error)}


def serve(listener: socket.socket, writer: StickWriter, idle: float = IDLE) -> None:
    """Make a copy for each connection until ``idle`` seconds pass without one."""
    line_server.serve(listener, lambda _: writer.copy(), MAX_LINE_BYTES, idle)
