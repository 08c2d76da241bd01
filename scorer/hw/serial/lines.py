"""Lines of text that are sealed with a checksum, found again in whatever a serial line delivers.

Pure: bytes come in as an argument and go out as a value. What a line says is never known here; a
button box and a scoreboard seal theirs alike.
"""

from __future__ import annotations

from zlib import crc32

MAX_LINE = 240  # bytes of a line with its seal; what is longer is noise


def seal(text: str) -> bytes:
    """A line: ASCII words without an end of line, a space, CRC-32 of the words as eight digits.

    The CRC is that of zip and Ethernet. Raises ValueError for what would be no line, or too long.
    """
    words = text.encode("ascii")
    line = b"%s %08x\n" % (words, crc32(words))
    if b"\n" in words or b"\r" in words or len(line) > MAX_LINE:
        raise ValueError(f"{text!r} is no line")
    return line


def unseal(line: bytes) -> str | None:
    """The words of a line without its end; None where the seal is broken or there is none."""
    words, space, seal = line.rpartition(b" ")
    if not space or len(line) >= MAX_LINE or b"%08x" % crc32(words) != seal:
        return None
    try:
        return words.decode("ascii")
    except UnicodeDecodeError:
        return None


class LineBuffer:
    """Puts together what arrives in pieces; what cannot be a line any more is dropped.

    A line that begins in the middle has no seal that fits: whoever unseals it finds out.
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now, without their ends (LF or CR LF), in their order."""
        *lines, rest = (self._rest + data).split(b"\n")
        # Noise without an end must not grow; neither must it hide the line that comes after it.
        self._rest = rest if len(rest) <= MAX_LINE else rest[:MAX_LINE]
        return [line.removesuffix(b"\r") for line in lines if line]

    def reset(self) -> None:
        """Begin anew: what comes next does not continue what came before."""
        self._rest = b""
