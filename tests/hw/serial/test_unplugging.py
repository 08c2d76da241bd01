"""The plug of a button box, pulled after every byte of the line that tells a press.

The box has its own power and lives on; over real pseudo-terminals, in time that stands still.
"""

from __future__ import annotations

import pytest

from scorer.hw.ports import Edge
from tests.hw.serial.rig import BoxRig

PLACE = 2  # of the line "left"
APART = 0.1  # seconds; less than the silence that a held button may keep


class Story:
    """A rig whose edges are kept, and a plug that goes out in the middle of a line."""

    def __init__(self) -> None:
        self.rig = BoxRig()
        self.edges: list[tuple[str, bool]] = []
        self.rig.source.open(self._heard)

    def told(self) -> list[tuple[str, bool]]:
        """The edges since it was asked last."""
        told, self.edges = self.edges, []
        return told

    def length(self, *, down: bool) -> int:
        """Bytes of the line that would tell this now."""
        whole: list[bytes] = []
        rig = self.rig
        plugged, rig.box.send = rig.box.send, whole.append
        rig.box.press(PLACE, down=down)
        rig.box.press(PLACE, down=not down)
        rig.box.send = plugged
        return len(whole[0])

    def cut(self, *, down: bool, after: int) -> None:
        """The button moves; so many bytes of that arrive, then the plug is out and in again."""
        rig = self.rig
        rig.now = rig.box.now = rig.now + APART
        plugged = rig.box.send
        rig.box.send = lambda line: plugged(line[:after])
        rig.box.press(PLACE, down=down)
        rig.box.send = plugged
        rig.settle()
        rig.kill()
        rig.source.open(self._heard)
        rig.settle()

    def end(self) -> None:
        self.rig.source.close()
        self.rig.take_away()

    def _heard(self, edge: Edge) -> None:
        self.edges.append((edge.line, edge.down))


@pytest.mark.parametrize("down", [True, False], ids=["pressed", "let go"])
def test_after_every_byte_of_it_a_press_counts_once(*, down: bool) -> None:
    story = Story()
    if not down:
        story.rig.move("left", down=True, at=story.rig.now + APART)
    longest = story.length(down=down)
    story.end()
    for after in range(longest + 1):
        story = Story()
        if not down:
            story.rig.move("left", down=True, at=story.rig.now + APART)
            assert story.told() == [("left", True)]
        story.cut(down=down, after=after)
        assert story.told() == [("left", down)], f"after {after} bytes"
        story.rig.move("left", down=not down, at=story.rig.now + APART)
        assert story.told() == [("left", not down)], f"after {after} bytes"
        story.end()
