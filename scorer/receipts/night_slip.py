"""Lay out an evening as lines of a slip: each pair with its games and figures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scorer.i18n import translator
from scorer.phrases.names import default_side_name
from scorer.phrases.pair_figures import pair_figures
from scorer.phrases.scene import Scene
from scorer.receipts.codepages import clean
from scorer.receipts.hand_summary import NO_BREAK_SPACE
from scorer.receipts.played_game import PlayedGame
from scorer.receipts.slip import Slip, SlipLine, Style, centred, rule, scene_of, shorten
from scorer.session.values.night_view import NightStanding, NightView


class PlayedEvening(NamedTuple):
    """The standings, and the newest game with its table and language.

    ``newest`` is unfinished if ``night`` has no game.
    """

    night: NightView
    newest: PlayedGame


def build_night_slip(evening: PlayedEvening, language: str, columns: int) -> Slip:
    """The slip of an evening.

    Raises ValueError if the rules refuse a row of the newest game.
    """
    newest, say = evening.newest, translator(language)
    scene = scene_of(newest, newest.record().game, say)
    night = evening.night
    games = say("page.night.one" if night.games == 1 else "page.night", games=night.games)
    longest = say("page.night.longest", minutes=night.longest) if night.longest else ""
    total = " · ".join(filter(None, (games, longest)))
    device = clean(newest.device)
    labels, texts = pair_figures(night.rows)
    return (
        *([SlipLine(centred(shorten(device, columns), columns), Style.BOLD)] if device else []),
        *(SlipLine(centred(text, columns)) for text in textwrap.wrap(total, columns)),
        rule(columns),
        *(
            line
            for pair, figures in zip(night.rows, texts, strict=True)
            for line in _pair_lines(pair, zip(labels, figures, strict=True), scene, columns)
        ),
        rule(columns),
    )


def _pair_lines(
    pair: NightStanding, figures: Iterable[tuple[str, str]], scene: Scene, columns: int
) -> Iterator[SlipLine]:
    games = scene.say("web.night.player", won=pair.won, played=pair.played)
    name = clean(pair.name) or default_side_name(scene, pair.key)
    room = columns - len(games) - 1
    yield SlipLine(f"{shorten(name, room):<{room}} {games}", Style.TALL)
    texts = (f"{scene.say(label)} {text}".replace(" ", NO_BREAK_SPACE) for label, text in figures)
    for line in textwrap.wrap(" · ".join(texts), columns, break_long_words=False):
        yield SlipLine(line.strip(" ·").replace(NO_BREAK_SPACE, " "))
