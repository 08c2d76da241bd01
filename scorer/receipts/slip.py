"""Lay out a game as lines of a slip: sides, winner, hands, digest of the sheet.

Independent of the printer; styles are hints.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from scorer.i18n import Say, translator
from scorer.phrases import outcome
from scorer.phrases.rule_change import rules_text
from scorer.phrases.scene import Scene
from scorer.receipts.codepages import clean
from scorer.receipts.hand_summary import NO_BREAK_SPACE, HandSummary, summarize_hands
from scorer.receipts.played_game import PlayedGame
from scorer.records.clock import local_moment
from scorer.records.standings import game_minutes
from scorer.rules import Game, read_header
from scorer.rules.score import shown_scores
from scorer.session.values.rule_changes import played_rules
from scorer.session.view.build_view import view_of_game

# Characters of 12 dots on paper of this width in millimetres.
COLUMNS = {58: 32, 80: 48}
_DIGITS = 16  # of the digest printed below the code, for people without a reader


class Style(StrEnum):
    """The style of a line."""

    PLAIN = "plain"
    BOLD = "bold"
    TALL = "tall"  # double height; the same number of characters per line


class SlipLine(NamedTuple):
    """One line of text, already within the width of the paper."""

    text: str
    style: Style = Style.PLAIN


class QrCode(NamedTuple):
    """A QR code with ``text``."""

    text: str


Slip = tuple[SlipLine | QrCode, ...]


def build_slip(played: PlayedGame, language: str, columns: int) -> Slip:
    """The slip of a game. Raises ValueError if the rules refuse a row."""
    record = played.record()
    say, game = translator(language), record.game
    scene = scene_of(played, game, say)
    told = summarize_hands(record, say)
    # "12 manos · 34 min".
    count = len(told)
    words = [say("slip.hands.one" if count == 1 else "slip.hands", number=count)]
    long = game_minutes(played.rows) if played.rows else 0
    if long:
        words.append(f"{long // 60} h {long % 60:02d} min" if long >= 60 else f"{long} min")
    return (
        *_head(played, game, scene, columns),
        *_result(scene, columns),
        SlipLine(centred(" · ".join(words), columns)),
        *_start_lines(record.start, say, columns),
        *_hand_table(told, game, say, columns),
        *_codes(played, scene, columns),
    )


def as_text(made: Slip, columns: int) -> str:
    """The slip for a terminal: the same text, without the code."""
    lines = (line.text.rstrip() for line in made if isinstance(line, SlipLine))
    return "\n".join([*lines, ""])


def _head(played: PlayedGame, game: Game, scene: Scene, columns: int) -> Iterator[SlipLine]:
    """What was played and when, and the score of each side."""
    target = scene.say("slip.target", points=game.rules.target)
    title = f"{game.rules.variant.title} · {target}"
    for text in textwrap.wrap(title, columns):
        yield SlipLine(centred(text, columns), Style.BOLD)
    ends = (played.rows[0], played.rows[-1]) if played.rows else ()
    moments = [moment for row in ends if row.trusted and (moment := local_moment(row.wall))]
    if len(moments) == 2:
        # "21/11/2026 21:07 - 21:41", if the clock was synchronised.
        hours = dict.fromkeys(f"{moment:%H:%M}" for moment in moments)
        yield SlipLine(centred(f"{moments[0]:%d/%m/%Y} {' - '.join(hours)}", columns))
    yield rule(columns)
    for at, side in enumerate(scene.view.sides):
        score = str(side.score)
        room = columns - len(score) - 1
        yield SlipLine(
            f"{shorten(f'{side.key} {scene.name(at)}', room):<{room}} {score}", Style.TALL
        )


def scene_of(played: PlayedGame, game: Game, say: Say) -> Scene:
    """The game as a scene, its sides in the order of the sheet."""
    sides = game.rules.scoring_sides
    header = read_header(played.header).names
    chosen = [*played.names, *("",) * len(sides)][: len(sides)]
    each = zip(chosen, sides, strict=True)
    names = tuple(clean(name) or clean(header.get(side, "")) for name, side in each)
    view = view_of_game(game, names)._replace(lamps=played.lamps)
    return Scene(view, say, tuple(range(len(sides))), is_neutral=True)


def shorten(text: str, room: int) -> str:
    """Shorten a text to ``room`` characters, marked by a full stop."""
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}."


def _result(scene: Scene, columns: int) -> Iterator[SlipLine]:
    yield SlipLine("")
    if scene.view.best_of > 1:
        titles = outcome.series_title_words(scene)
        fits = (each for each in titles if len(each) <= columns)
        yield SlipLine(centred(next(fits, titles[-1]), columns))
    winner = scene.view.winner
    # A sheet has no "we": the winner is given by name.
    result = (
        scene.say("slip.unfinished")
        if winner is None
        else scene.say("slip.winner", side=scene.name(winner))
    )
    for text in textwrap.wrap(result, columns):
        yield SlipLine(centred(text, columns), Style.BOLD)


def _start_lines(start: Game, say: Say, columns: int) -> Iterator[SlipLine]:
    """Starting score and rules of a continued game: "desde 8-5: a 15, con flor"."""
    if start.score == start.rules.starting_score:
        return
    rules = rules_text(say, played_rules(start.rules))
    scores = "-".join(map(str, shown_scores(start)))
    for text in textwrap.wrap(say("slip.start", scores=scores, rules=rules), columns):
        yield SlipLine(centred(text, columns))


def _hand_table(
    summaries: tuple[HandSummary, ...], game: Game, say: Say, columns: int
) -> Iterator[SlipLine]:
    """Each hand: its number, the score, and the calls."""
    yield rule(columns)
    width = max((len(_score(hand)) for hand in summaries), default=0)
    for number, group in groupby(summaries, lambda hand: hand.game):
        if game.rules.best_of > 1:
            title = say("slip.game", number=number)
            yield SlipLine(f"{title:-^{columns}}" if number > 1 else centred(title, columns))
        for hand in group:
            head = f"{hand.number:>2} {_score(hand):>{width}} "
            indent = " " * len(head)
            for bet in hand.bets:
                wrapped = textwrap.wrap(bet, columns, initial_indent=head, subsequent_indent=indent)
                yield from (SlipLine(text.replace(NO_BREAK_SPACE, " ")) for text in wrapped)
                head = indent
    yield rule(columns)


def _score(hand: HandSummary) -> str:
    return "-".join(str(points) for points in hand.scores)


def _codes(played: PlayedGame, scene: Scene, columns: int) -> Iterator[SlipLine | QrCode]:
    """The codes: the digest of the sheet, to verify it, and the page of each team."""
    digest = played.digest
    yield QrCode(qr_payload(digest))
    yield SlipLine(centred(scene.say("slip.sheet"), columns))
    groups = " ".join(textwrap.wrap(digest[:_DIGITS], 4))
    yield SlipLine(centred(groups, columns))
    where = f"{clean(played.device)} · " if played.device else ""
    yield SlipLine(centred(shorten(f"{where}{played.number}", columns), columns))
    for at, page in enumerate(played.pages[: len(scene.view.sides)]):
        yield rule(columns)
        for text in textwrap.wrap(scene.say("slip.page", team=scene.name(at)), columns):
            yield SlipLine(centred(text, columns), Style.BOLD)
        yield QrCode(page)


def qr_payload(digest: str) -> str:
    """The content of the code: capitals and digits only, which need half the modules."""
    return f"TRUCO:SHA256:{digest.upper()}"


def rule(columns: int) -> SlipLine:
    """A line across the paper."""
    return SlipLine("-" * columns)


def centred(text: str, columns: int) -> str:
    """A text in the middle of the paper."""
    return text.center(columns).rstrip() if len(text) < columns else text
