"""Intakes of a hub, each without one of its guards: the protocol must notice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.hall.rows import Opening
from scorer.hall.wire import GreetRequest, HoldReason, Reply, RowsRequest
from scorer.hub.intake import Stored, Turn
from scorer.hub.intake_records import LastGreeting, Stream


class AnyRowBefore(Turn):
    """Takes a batch whatever row is before it."""

    def _follows(self, stream: Stream, request: RowsRequest, stored: Mapping[int, str]) -> bool:
        return True


class AnyOverlap(Turn):
    """Takes a batch that repeats other rows than are stored."""

    def _repeats(
        self,
        stream: Stream,
        request: RowsRequest,
        digests: Sequence[str],
        stored: Mapping[int, str],
        openings: Mapping[int, Opening],
    ) -> bool:
        return True


class AnyGreeting(Turn):
    """Lets every box go on."""

    def _suspect(
        self,
        greeting: GreetRequest,
        presence: LastGreeting | None,
        stream: Stream | None,
        newest: Stream | None,
    ) -> HoldReason | None:
        return None


class Duplicates(Turn):
    """Stores the rows that it has already."""

    def _store(
        self,
        stream: Stream,
        request: RowsRequest,
        digests: Sequence[str],
        known: Mapping[int, Opening],
    ) -> tuple[Reply, Stored]:
        behind = stream._replace(last=request.batch.first - 1)
        return super()._store(behind, request, digests, known)


TURNS: Mapping[str, type[Turn]] = {
    "prev": AnyRowBefore,
    "overlap": AnyOverlap,
    "greeting": AnyGreeting,
    "duplicates": Duplicates,
}
