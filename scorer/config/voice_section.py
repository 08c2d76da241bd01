"""[voice] of the owner's file: whether, how loud and how fast the score is spoken.

Imported only for a file with such a section, so that other tables start faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

from scorer.i18n import languages
from scorer.plain_values import Found, Range
from scorer.rules.notation import shorten


class VoiceSection(NamedTuple):
    """``volume``: percent; ``rate``: words per minute; quiet hours: of [sound].

    ``lead_in``: seconds of silence before the first phrase at a sound card that was closed.
    ``device``: a sound card by its ALSA name, "" for the default one. ``piper``: the file of a
    voice of piper, "" for espeak-ng.
    """

    on: bool = False
    volume: Annotated[int, Range(0, 100)] = 100
    rate: Annotated[int, Range(80, 400, "words per minute ")] = 190
    lead_in: Annotated[float, Range(0.0, 3.0, "s ")] = 0.5
    device: str = ""
    piper: str = ""

    def find_problems(self) -> Iterator[Found]:
        if self.piper and not (self.piper.startswith("/") and self.piper.endswith(".onnx")):
            example = "/usr/share/piper/es_AR.onnx"
            yield "piper", f"'{shorten(self.piper)}' is no whole path like {example}"
        elif self.piper and piper_language(self.piper) not in _roots():
            name, known = shorten(Path(self.piper).name), ", ".join(sorted(_roots()))
            yield "piper", f"'{name}' does not begin with its language, one of {known}"
        if self.device.startswith("-") or re.search(r"\s", self.device):
            yield "device", f"'{shorten(self.device)}' is no sound card of aplay -L"


def piper_language(file: str) -> str:
    """The language of a voice of piper by its name: "es" of es_AR-daniela.onnx."""
    return re.split(r"[^a-z]", Path(file).name.lower())[0]


def _roots() -> set[str]:
    return {language.partition("-")[0] for language in languages()}
