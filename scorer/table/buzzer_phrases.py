"""Buzzer patterns of the session's sounds: seconds on, seconds off.

The patterns must be distinguishable without looking: a call is long, an answer short, a refused
press stutters, a win sounds like a fanfare as far as an active buzzer allows.
"""

from __future__ import annotations

from scorer.session.values.state import Sound

Phrase = tuple[tuple[float, float], ...]

PHRASES: dict[Sound, Phrase] = {
    Sound.CALL: ((0.18, 0.05),),
    Sound.ACCEPT: ((0.06, 0.06), (0.06, 0.05)),
    Sound.REFUSE: ((0.30, 0.05),),
    Sound.POINT: ((0.08, 0.05),),
    Sound.REFUSED: ((0.04, 0.04), (0.04, 0.04), (0.04, 0.05)),
    Sound.WIN: ((0.12, 0.08), (0.12, 0.08), (0.12, 0.08), (0.45, 0.05)),
    Sound.UNDO: ((0.05, 0.10), (0.15, 0.05)),
    Sound.KEY: ((0.02, 0.02),),
}
