"""Where a phrase is heard: a sound card, a WAV file, or a folder of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

from scorer.voice.processes import VoiceFault, run_program
from scorer.voice.sound import SpokenSound

_MORE: Final = 5.0  # seconds beyond the length of a phrase after which a player hangs


class Player(Protocol):
    """Plays one phrase to its end; cancelled, it is silent at once. Raises VoiceFault."""

    async def play(self, sound: SpokenSound) -> None: ...


class SoundCard:
    """``device``: an ALSA name for aplay, "" for the default one."""

    def __init__(self, device: str = "") -> None:
        self._words = ("aplay", "-q", *(("-D", device) if device else ()), "-")

    async def play(self, sound: SpokenSound) -> None:
        """Play it, and return at its end."""
        await run_program(self._words, sound.as_wav(), sound.seconds + _MORE)


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
