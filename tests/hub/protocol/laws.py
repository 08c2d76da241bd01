"""What must be true of every history when all faults are over."""

from __future__ import annotations

from scorer.hall.rows import Row
from scorer.link.table_page import NO_DECISION
from tests.hub.protocol.world import LawBroken, World


def check_streams(world: World) -> None:
    """Every stream is a prefix of one history that was really played."""
    for (device, epoch), rows in world.streams().items():
        if (
            [row.seq for row in rows] != [*range(rows[0].seq, rows[0].seq + len(rows))]
            if rows
            else []
        ):
            raise LawBroken(f"the stream of box {device} has gaps")
        if not any(_is_prefix(rows, played) for played in world.played.get(epoch, ())):
            raise LawBroken(f"the stream of box {device} was never played")


def check_acknowledged(world: World) -> None:
    """No acknowledged row is missing."""
    streams = world.streams()
    for device, epoch, row in world.acknowledged:
        if row not in streams.get((device, epoch), ()):
            raise LawBroken(f"row {row.seq} of box {device} was acknowledged and is missing")


def check_end(world: World) -> None:
    """After ``settle``: equal to the tables, or an alarm."""
    check_streams(world)
    check_acknowledged(world)
    if (problem := world.log_problem()) is not None:
        raise LawBroken(problem)
    streams, alarmed = world.streams(), world.alarmed()
    if alarmed and not world.has_copies:
        raise LawBroken("an alarm, and nothing was copied")
    for box in world.boxes:
        device = world.device_of(box)
        if device is None:
            # The hub went back to the time before it was accepted; its panel says so.
            if not world.has_copies:
                raise LawBroken("a box is unknown, and nothing was copied")
            continue
        stored = streams.get((device, box.store.epoch.id), ())
        if stored != box.store.stream() and device not in alarmed:
            raise LawBroken(f"box {device} and the hub differ without an alarm")
        decision = world.desired(box) or NO_DECISION
        if decision != box.store.decision and device not in alarmed:
            raise LawBroken(f"the table of box {device} has another match than the hub")


def _is_prefix(rows: tuple[Row, ...], played: tuple[Row, ...]) -> bool:
    return played[: len(rows)] == rows
