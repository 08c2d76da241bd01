"""Pictures combined."""

from __future__ import annotations

from PIL.Image import Image


def logical_or(one: Image, other: Image) -> Image:
    """The pixels that are set in either of two pictures of one size."""
    return Image(one.size, [a | b for a, b in zip(one.rows, other.rows, strict=True)])
