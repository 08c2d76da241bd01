"""Where a phrase is heard: a sound card, a WAV file, or a folder of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Protocol

from scorer.voice.pcm_stream import PcmStream
from scorer.voice.processes import VoiceFault
from scorer.voice.sound import SpokenSound

HELD: Final = 20.0  # seconds for which the sound card stays open after a phrase
_MORE: Final = 5.0  # seconds beyond the length of a phrase after which a player hangs
_STEP: Final = 0.05  # seconds of silence at a time
_AHEAD: Final = 3  # steps of silence in the pipe; more would delay the next phrase
_BUFFER_US: Final = 200_000  # of the sound card
_BUFFERED: Final = 0.25  # seconds until the last byte that aplay has read is heard


class Player(Protocol):
    """Plays one phrase to its end; cancelled, it is silent at once. Raises VoiceFault."""

    async def play(self, sound: SpokenSound) -> None: ...


class SoundCard:
    """``device``: an ALSA name for aplay, "" for the default one.

    HDMI and Bluetooth sinks wake up when the card is opened and swallow what is played meanwhile:
    silence of ``lead_in`` seconds comes first. The card stays open for a while after a phrase, so
    that its successor needs none.
    """

    def __init__(
        self,
        device: str = "",
        lead_in: float = 0.0,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``pause`` waits for seconds."""
        self._device, self._lead_in = (("-D", device) if device else ()), lead_in
        self._pause, self._rate = pause, 0
        self._held: asyncio.Task[PcmStream | None] | None = None  # at that rate
        self._is_wanted = False  # the held card, for the next phrase

    async def play(self, sound: SpokenSound) -> None:
        """Play it, and return at its end."""
        stream, frames = await self._take_held(sound.rate), sound.frames
        if stream is None:
            kind = ("-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(sound.rate))
            buffer = f"--buffer-time={_BUFFER_US}"
            stream = await PcmStream.open(("aplay", "-q", *self._device, *kind, buffer, "-"))
            frames = sound.silence(self._lead_in) + frames
        async with stream.supervised(self._lead_in + sound.seconds + _MORE):
            await stream.write(frames)
            while stream.unread_bytes:
                await self._pause(_STEP)
            for _ in range(round(_BUFFERED / _STEP)):
                await self._fill(stream, sound)
        self._rate, self._is_wanted = sound.rate, False
        self._held = asyncio.create_task(self._hold(stream, sound))

    async def _take_held(self, rate: int) -> PcmStream | None:
        """The card that is held open at this rate, if there is one."""
        held, self._held = self._held, None
        if held is None:
            return None
        self._is_wanted = True
        stream = await held
        if stream is not None and self._rate != rate:
            await stream.close()
            return None
        return stream

    async def _hold(self, stream: PcmStream, sound: SpokenSound) -> PcmStream | None:
        """Play silence until the next phrase; None once the card is closed."""
        try:
            async with stream.supervised(HELD + _MORE):
                for _ in range(round(HELD / _STEP)):
                    if self._is_wanted:
                        return stream
                    await self._fill(stream, sound)
        except VoiceFault:
            return None  # the next phrase opens the card again, and names the fault
        await stream.close()
        return None

    async def _fill(self, stream: PcmStream, sound: SpokenSound) -> None:
        """Keep a little silence in the pipe for one step."""
        step = sound.silence(_STEP)
        lacking = _AHEAD - stream.unread_bytes // len(step)
        await stream.write(step * lacking)
        await self._pause(_STEP)


class WavFile:
    """All phrases in one file, one after another without the pauses between them."""

    def __init__(self, path: Path) -> None:
        self._path, self._frames = path, b""

    async def play(self, sound: SpokenSound) -> None:
        """Append it."""
        self._frames += sound.frames
        _write(self._path, sound._replace(frames=self._frames))


class WavFolder:
    """A file for each phrase: 0001.wav and so on, after those that are there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def play(self, sound: SpokenSound) -> None:
        """Write the next file."""
        number = 1 + max((int(path.stem) for path in self._folder.glob("[0-9]*.wav")), default=0)
        _write(self._folder / f"{number:04}.wav", sound)


def _write(path: Path, sound: SpokenSound) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sound.as_wav())
    except OSError as error:
        raise VoiceFault(f"{path} cannot be written: {error.strerror}") from error
