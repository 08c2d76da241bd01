"""Bytes of a score change to a big scoreboard, against the whole document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from statistics import mean

from scorer.api.scoreboard_protocol import encode_state
from scorer.hw.serial.lines import seal
from scorer.rules import (
    Game,
    Start,
    apply,
    find_variant,
    legal,
    new_game,
    rules_for,
    state_document,
    variant_ids,
)
from tools.bench import Measurement

SLOWEST = 9600  # bits per second
PATIENCE = 0.5  # seconds that an update may take
_BITS = 10  # per byte on the wire, with start and stop bit
_NAMES = {"A": "Los Pibes", "B": "La Yunta", "C": "Doña Ñata"}


def measure(quick: bool) -> list[Measurement]:
    """Bytes per update, over the steps of a random night of every variant."""
    sent, whole = [], []
    for name in variant_ids():
        for game in _night(new_game(Start(rules_for(find_variant(name)))), 20 if quick else 200):
            document = {**state_document(game), "seq": 1000, "names": _NAMES}
            sent.append(sum(map(len, map(seal, encode_state(document)))))
            whole.append(len(json.dumps(document).encode()))
    ours, reference = mean(sent), mean(whole)
    seconds, limit = max(sent) * _BITS / SLOWEST, PATIENCE
    return [
        Measurement(
            "scoreboard: bytes an update", ours, reference, "bytes", "its document as JSON", 0.5
        ),
        Measurement(
            "scoreboard: the longest one at 9600 baud", seconds, limit, "s", "half a second", 1
        ),
    ]


def _night(game: Game, steps: int) -> Iterator[Game]:
    chance, start = Random(1), game
    for _ in range(steps):
        may = legal(game)
        game = apply(game, chance.choice(may)) if may else start
        yield game
