"""The keys of messages, by the enums that name them."""

from __future__ import annotations

from scorer.api.backup_protocol import BackupResult
from scorer.api.print_protocol import PrintResult
from scorer.session.view.view import NoticeKey, SeriesGame

NOTICES = (*NoticeKey, *PrintResult, *BackupResult, *SeriesGame)
