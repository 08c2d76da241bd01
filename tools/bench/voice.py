"""The processor time of a spoken phrase, from the row of a press to its sound.

The reference is espeak-ng alone with the same texts, started in the same way. The sound card is
left out: it costs both the same.
"""

from __future__ import annotations

import asyncio
import resource
import shutil
from collections.abc import Callable, Iterator
from itertools import cycle, islice

from scorer.voice.followed_game import FollowedGame
from scorer.voice.processes import run_program
from scorer.voice.sentences import Speech, TableInfo
from scorer.voice.synthesiser import PATIENCE, Synthesiser
from tools.bench import Measurement, Result, Skipped
from tools.bench.web import HAND, HEADER, row

BUDGET = 1.5
TEAMS = TableInfo(("Los Pibes", "La Yunta"))
LANGUAGE = "es-AR"
WORDS = ("espeak-ng", "-v", "es-419", "--stdin", "--stdout")


def measure(quick: bool) -> Iterator[Result]:
    """The mean of the phrases of some hands."""
    what = "processor time of a spoken phrase, mean"
    if shutil.which(WORDS[0]) is None:
        yield Skipped(what, "espeak-ng is not installed")
        return
    rows = [row(seq, line) for seq, line in enumerate(islice(cycle(HAND), 20 if quick else 60), 1)]
    texts: list[str] = []
    ours = _processor_seconds(lambda: asyncio.run(_speak(rows, texts)))
    alone = _processor_seconds(lambda: asyncio.run(_synthesise(texts)))
    count = len(texts)
    yield Measurement(
        what, 1000 * ours / count, 1000 * alone / count, "ms", "espeak-ng alone", BUDGET
    )


async def _speak(rows: list[dict[str, object]], texts: list[str]) -> None:
    """What ``scorer voice`` does of each row; ``texts``: what is said."""
    game, speech, synthesiser = FollowedGame(1, HEADER), Speech(LANGUAGE), Synthesiser()
    for each in rows:
        game.add_rows([each])
        if text := game.newest_phrase(speech, TEAMS):
            sound = await synthesiser.synthesise(text, LANGUAGE)
            sound.as_wav()
            texts.append(text)


async def _synthesise(texts: list[str]) -> None:
    for text in texts:
        await run_program(WORDS, text.encode(), PATIENCE)


def _processor_seconds(work: Callable[[], None]) -> float:
    """The processor time of ``work`` and of the programs that it runs."""
    before = _used()
    work()
    return _used() - before


def _used() -> float:
    each = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in each)
