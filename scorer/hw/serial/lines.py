"""Text lines with a checksum, and their framing in a byte stream.

Pure functions and values; used by button boxes and scoreboards.
"""

from __future__ import annotations

from zlib import crc32

MAX_LINE = 240  # bytes of a line with its checksum; longer ones are noise


def seal(text: str) -> bytes:
    """Encode a line: ASCII text, a space, CRC-32 of the text as eight hex digits.

    The CRC is that of zip and Ethernet. Raises ValueError for text with an end of line, or too
    long.
    """
    words = text.encode("ascii")
    line = b"%s %08x\n" % (words, crc32(words))
    if b"\n" in words or b"\r" in words or len(line) > MAX_LINE:
        raise ValueError(f"{text!r} is no line")
    return line


def unseal(line: bytes) -> str | None:
    """The text of a line without its end; None if the checksum is wrong or missing."""
    words, space, seal = line.rpartition(b" ")
    if not space or len(line) >= MAX_LINE or b"%08x" % crc32(words) != seal:
        return None
    try:
        return words.decode("ascii")
    except UnicodeDecodeError:
        return None


class LineBuffer:
    """Splits a byte stream into lines; drops what is too long to be one.

    A line that begins in the middle is detected by its checksum.
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The lines completed by ``data``, without their ends (LF or CR LF), in order."""
        *lines, rest = (self._rest + data).split(b"\n")
        # Unterminated noise must neither grow without limit nor hide the line after it.
        self._rest = rest if len(rest) <= MAX_LINE else rest[:MAX_LINE]
        return [line.removesuffix(b"\r") for line in lines if line]

    def reset(self) -> None:
        """Drop the unfinished line: the next data does not continue it."""
        self._rest = b""
