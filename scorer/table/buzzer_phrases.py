"""What the buzzer plays for each sound of the session: seconds on, seconds off.

A person must tell them apart without looking: a call is long, an answer short, a refused press
stutters, a win sings as well as an active buzzer can.
"""

from __future__ import annotations

from scorer.session.state import Sound

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
