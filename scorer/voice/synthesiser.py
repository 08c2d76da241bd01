"""Text to sound, with espeak-ng or with piper and a voice file."""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.config.voice_section import piper_language
from scorer.voice.processes import VoiceFault, run_program
from scorer.voice.sound import SpokenSound, read_wav

PATIENCE: Final = 10.0  # seconds for one phrase
DEFAULT_RATE: Final = 190  # words per minute
_PIPER_RATE: Final = 175  # of piper's voices
_AMPLITUDE: Final = 75  # of espeak-ng: at its own 100 some phrases clip, at 80 one nearly does
# The voice of espeak-ng by language; its root otherwise.
_VOICES: Final = {"es": "es-419", "pt": "pt-br", "ca": "ca", "en": "en"}


class Synthesiser(NamedTuple):
    """``rate``: words per minute; ``piper_voice``: a file, "" for espeak-ng.

    A voice of piper speaks the language that its file name begins with (es_AR-daniela-high.onnx),
    espeak-ng the others. ``volume``: percent.
    """

    rate: int = DEFAULT_RATE
    piper_voice: str = ""
    volume: int = 100

    async def synthesise(self, text: str, language: str) -> SpokenSound:
        """The spoken text. Raises VoiceFault."""
        is_piper = piper_language(self.piper_voice) == language.partition("-")[0]
        words: tuple[str, ...]
        if is_piper:
            scale = f"{_PIPER_RATE / self.rate:.2f}"
            model = ("--model", self.piper_voice)
            words = ("piper", *model, "--length_scale", scale, "--output_file", "-")
        else:
            voice = _VOICES.get(language.partition("-")[0], language)
            # -z: no pause after the phrase.
            form = ("-s", str(self.rate), "-a", str(_AMPLITUDE * self.volume // 100), "-z")
            words = ("espeak-ng", "-v", voice, *form, "--stdin", "--stdout")
        data = await run_program(words, f"{text}\n".encode(), PATIENCE)
        try:
            sound = read_wav(data)
        except ValueError as error:
            raise VoiceFault(f"{words[0]} made no sound: {error}") from error
        return sound.with_volume(self.volume) if is_piper else sound
