"""A spoken phrase: samples of 16 bits in one channel, as a WAV file has them."""

from __future__ import annotations

import io
import sys
import wave
from array import array
from typing import Final, NamedTuple

SAMPLE_BYTES: Final = 2


class SpokenSound(NamedTuple):
    """Little-endian samples at ``rate`` per second."""

    rate: int
    frames: bytes

    @property
    def seconds(self) -> float:
        return len(self.frames) / (SAMPLE_BYTES * self.rate)

    def silence(self, seconds: float) -> bytes:
        """Silent samples of that length at the same rate."""
        return bytes(SAMPLE_BYTES * round(seconds * self.rate))

    def with_volume(self, percent: int) -> SpokenSound:
        """The same, quieter."""
        if percent >= 100:
            return self
        samples = array("h", self.frames)
        if sys.byteorder == "big":
            samples.byteswap()
        quieter = array("h", (sample * percent // 100 for sample in samples))
        if sys.byteorder == "big":
            quieter.byteswap()
        return self._replace(frames=quieter.tobytes())

    def as_wav(self) -> bytes:
        """A WAV file whose header has the length."""
        file = io.BytesIO()
        with wave.open(file, "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(SAMPLE_BYTES)
            out.setframerate(self.rate)
            out.writeframes(self.frames)
        return file.getvalue()


def read_wav(data: bytes) -> SpokenSound:
    """The sound of a WAV file, also of one from a pipe, whose header has no length.

    Raises ValueError for another kind of file.
    """
    try:
        with wave.open(io.BytesIO(data), "rb") as read:
            kind = (read.getnchannels(), read.getsampwidth())
            if kind != (1, SAMPLE_BYTES):
                raise ValueError(f"{kind[0]} channels of {kind[1]} bytes")
            frames = read.readframes(read.getnframes())
            return SpokenSound(
                read.getframerate(), frames[: len(frames) // SAMPLE_BYTES * SAMPLE_BYTES]
            )
    except (wave.Error, EOFError) as error:
        raise ValueError(f"no WAV file: {error}") from error
