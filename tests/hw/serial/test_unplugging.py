"""A powered button box, unplugged after every byte of the line with a press.

Runs on real pseudo-terminals with simulated time.
"""

from __future__ import annotations

import pytest

from scorer.hw.ports import Edge
from tests.hw.serial.rig import BoxRig

PLACE = 2  # index of the line "left"
INTERVAL = 0.1  # seconds; less than the timeout during a hold


class Session:
    """A rig that records edges, and a plug that is pulled in the middle of a line."""

    def __init__(self) -> None:
        self.rig = BoxRig()
        self.edges: list[tuple[str, bool]] = []
        self.rig.source.open(self._record)

    def take_edges(self) -> list[tuple[str, bool]]:
        """The edges since the last call."""
        taken, self.edges = self.edges, []
        return taken

    def length(self, *, down: bool) -> int:
        """The length in bytes of the line that would report this now."""
        whole: list[bytes] = []
        rig = self.rig
        send, rig.box.send = rig.box.send, whole.append
        rig.box.press(PLACE, down=down)
        rig.box.press(PLACE, down=not down)
        rig.box.send = send
        return len(whole[0])

    def cut(self, *, down: bool, after: int) -> None:
        """Change the button; deliver so many bytes of the line, then unplug and replug."""
        rig = self.rig
        rig.now = rig.box.now = rig.now + INTERVAL
        send = rig.box.send
        rig.box.send = lambda line: send(line[:after])
        rig.box.press(PLACE, down=down)
        rig.box.send = send
        rig.settle()
        rig.kill()
        rig.source.open(self._record)
        rig.settle()

    def end(self) -> None:
        self.rig.source.close()
        self.rig.take_away()

    def _record(self, edge: Edge) -> None:
        self.edges.append((edge.line, edge.down))


@pytest.mark.parametrize("down", [True, False], ids=["pressed", "let go"])
def test_a_press_counts_once_when_unplugged_after_any_byte(*, down: bool) -> None:
    session = Session()
    if not down:
        session.rig.move("left", down=True, at=session.rig.now + INTERVAL)
    longest = session.length(down=down)
    session.end()
    for after in range(longest + 1):
        session = Session()
        if not down:
            session.rig.move("left", down=True, at=session.rig.now + INTERVAL)
            assert session.take_edges() == [("left", True)]
        session.cut(down=down, after=after)
        assert session.take_edges() == [("left", down)], f"after {after} bytes"
        session.rig.move("left", down=not down, at=session.rig.now + INTERVAL)
        assert session.take_edges() == [("left", not down)], f"after {after} bytes"
        session.end()
