"""[voice] of the owner's file: whether, how loud and how fast the score is spoken.

Imported only for a file with such a section, so that other tables start faster.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from scorer.hw.options import OptionsError
from scorer.i18n import languages
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
        elif self.piper and piper_language(self.piper) not in _roots():
            name, known = shorten(Path(self.piper).name), ", ".join(sorted(_roots()))
            problems.append(f"piper: '{name}' does not begin with its language, one of {known}")
        if self.device.startswith("-") or re.search(r"\s", self.device):
            problems.append(f"device: '{shorten(self.device)}' is no sound card of aplay -L")
        if problems:
            raise OptionsError(problems)


def piper_language(file: str) -> str:
    """The language of a voice of piper by its name: "es" of es_AR-daniela.onnx."""
    return re.split(r"[^a-z]", Path(file).name.lower())[0]


def _roots() -> set[str]:
    return {language.partition("-")[0] for language in languages()}
