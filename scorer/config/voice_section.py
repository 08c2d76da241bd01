"""[voice] of the owner's file: whether, how loud and how fast the score is spoken.

Imported only for a file with such a section, so that other tables start faster.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.hw.options import OptionsError
from scorer.rules.notation import shorten


@dataclass(frozen=True, slots=True)
class VoiceSection:
    """``volume``: percent; ``rate``: words per minute; quiet hours: of [sound].

    ``device``: a sound card by its ALSA name, "" for the default one. ``piper``: the file of a
    voice of piper, "" for espeak-ng.
    """

    on: bool = False
    volume: int = 100
    rate: int = 190
    device: str = ""
    piper: str = ""

    def __post_init__(self) -> None:
        problems = []
        if not 0 <= self.volume <= 100:
            problems.append(f"volume: {self.volume} is not from 0 to 100")
        if not 80 <= self.rate <= 400:
            problems.append(f"rate: {self.rate} words per minute are not from 80 to 400")
        if self.piper and not (self.piper.startswith("/") and self.piper.endswith(".onnx")):
            example = "/usr/share/piper/es_AR.onnx"
            problems.append(f"piper: '{shorten(self.piper)}' is no whole path like {example}")
        if problems:
            raise OptionsError(problems)
