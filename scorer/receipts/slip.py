"""A game as the lines of a slip: who played, who won, hand by hand, and the digest of its sheet.

PURE: text in, lines out, for paper of any width. It knows no printer and no table of letters; a
style is a wish that a printer carries out as it can.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from scorer.i18n import Say, translator
from scorer.receipts.codepages import clean
from scorer.receipts.fetch_game import Played, Row
from scorer.receipts.hand_summary import TOGETHER, Hand, hands
from scorer.records.standings import minutes
from scorer.rules import Game, games_won, read_header
from scorer.session import seats

# Letters of 12 dots on paper of so many millimetres.
COLUMNS = {58: 32, 80: 48}
_SEATS = ("side.first", "side.second", "side.third")
_TEAMS = ("side.ours", "side.theirs")
_DIGITS = 16  # of the digest that stand under the code, for who has no reader


class Style(StrEnum):
    """How a line is set."""

    PLAIN = "plain"
    BOLD = "bold"
    TALL = "tall"  # of double height; as many letters in a line


class Line(NamedTuple):
    """One line of letters, already as wide as the paper allows."""

    text: str
    style: Style = Style.PLAIN


class Code(NamedTuple):
    """A QR code that says ``text``."""

    text: str


Slip = tuple[Line | Code, ...]


def slip(played: Played, language: str, columns: int) -> Slip:
    """The slip of a game. Raises ValueError where these rules cannot play it."""
    record = played.record()
    say, game = translator(language), record.game
    names = _names(played, game, say)
    told = hands(record, say)
    return (
        *_head(played, game, say, columns),
        *_sides(names, game, columns),
        *_result(names, game, say, columns),
        Line(_centred(_measures(played, told, say), columns)),
        *_table(told, game, say, columns),
        *_proof(played, say, columns),
    )


def text_of(made: Slip, columns: int) -> str:
    """The slip for a terminal: the same letters, no code."""
    lines = (line.text.rstrip() for line in made if isinstance(line, Line))
    return "\n".join([*lines, ""])


def _head(played: Played, game: Game, say: Say, columns: int) -> Iterator[Line]:
    title = f"{game.rules.variant.title} · {say('slip.target', points=game.rules.target)}"
    for text in textwrap.wrap(title, columns):
        yield Line(_centred(text, columns), Style.BOLD)
    if moment := _moment(played.rows):
        yield Line(_centred(moment, columns))
    yield _rule(columns)


def _moment(rows: tuple[Row, ...]) -> str:
    """The day and the hours, where a clock knew them: "21/11/2026 21:07 - 21:41"."""
    known = [_local(row) for row in (rows[0], rows[-1]) if row.trusted] if rows else []
    moments = [moment for moment in known if moment is not None]
    if len(moments) < 2:
        return ""
    hours = dict.fromkeys(f"{moment:%H:%M}" for moment in moments)
    return f"{moments[0]:%d/%m/%Y} {' - '.join(hours)}"


def _local(row: Row) -> datetime | None:
    try:
        return datetime.fromisoformat(row.wall).astimezone()
    except (ValueError, OverflowError):
        return None


def _names(played: Played, game: Game, say: Say) -> tuple[str, ...]:
    """What each side is called: as chosen, else as the panels call a side without a name."""
    sides = game.rules.scoring_sides
    header = read_header(played.header).names
    chosen = [clean(name) for name in (*played.names, *("",) * len(sides))][: len(sides)]
    own = [clean(header.get(side, "")) for side in sides]
    keys = _TEAMS if len(sides) == len(_TEAMS) else _SEATS
    each = zip(chosen, own, keys, strict=True)
    return tuple(name or before or say(key) for name, before, key in each)


def _sides(names: tuple[str, ...], game: Game, columns: int) -> Iterator[Line]:
    for at, (side, name) in enumerate(zip(game.rules.scoring_sides, names, strict=True)):
        score = str(seats.shown(game, at))
        room = columns - len(score) - 1
        yield Line(f"{shortened(f'{side} {name}', room):<{room}} {score}", Style.TALL)


def shortened(text: str, room: int) -> str:
    """A text within ``room`` letters; a full stop tells that there was more."""
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}."


def _result(names: tuple[str, ...], game: Game, say: Say, columns: int) -> Iterator[Line]:
    yield Line("")
    if game.rules.best_of > 1:
        won = "-".join(str(count) for count in games_won(game))
        yield Line(_centred(say("game.series", score=won), columns))
    for text in textwrap.wrap(_outcome(names, game, say), columns):
        yield Line(_centred(text, columns), Style.BOLD)


def _outcome(names: tuple[str, ...], game: Game, say: Say) -> str:
    if game.winner is None:
        return say("slip.unfinished")
    return say("slip.winner", side=names[game.rules.scoring_sides.index(game.winner)])


def _measures(played: Played, summaries: tuple[Hand, ...], say: Say) -> str:
    """ "12 manos · 34 min"."""
    count = len(summaries)
    words = [say("slip.hands.one" if count == 1 else "slip.hands", number=count)]
    long = minutes(played.rows) if played.rows else 0
    if long:
        words.append(f"{long // 60} h {long % 60:02d} min" if long >= 60 else f"{long} min")
    return " · ".join(words)


def _table(summaries: tuple[Hand, ...], game: Game, say: Say, columns: int) -> Iterator[Line]:
    """Each hand: its number, the score then, and behind them what was called."""
    yield _rule(columns)
    width = max((len(_score(hand)) for hand in summaries), default=0)
    for number, group in groupby(summaries, lambda hand: hand.game):
        if game.rules.best_of > 1:
            title = say("slip.game", number=number)
            yield Line(f"{title:-^{columns}}" if number > 1 else _centred(title, columns))
        for hand in group:
            yield from _hand(hand, width, columns)
    yield _rule(columns)


def _hand(hand: Hand, width: int, columns: int) -> Iterator[Line]:
    head = f"{hand.number:>2} {_score(hand):>{width}} "
    indent = " " * len(head)
    for bet in hand.bets:
        wrapped = textwrap.wrap(bet, columns, initial_indent=head, subsequent_indent=indent)
        yield from (Line(text.replace(TOGETHER, " ")) for text in wrapped)
        head = indent


def _score(hand: Hand) -> str:
    return "-".join(str(points) for points in hand.scores)


def _proof(played: Played, say: Say, columns: int) -> Iterator[Line | Code]:
    """The digest of the sheet, for who wants to know later whether it is still the same one."""
    digest = played.digest
    yield Code(payload(digest))
    yield Line(_centred(say("slip.sheet"), columns))
    groups = " ".join(textwrap.wrap(digest[:_DIGITS], 4))
    yield Line(_centred(groups, columns))
    where = f"{clean(played.device)} · " if played.device else ""
    yield Line(_centred(shortened(f"{where}{played.number}", columns), columns))


def payload(digest: str) -> str:
    """What the code says. Capitals and figures alone: a QR code holds them in half the squares."""
    return f"TRUCO:SHA256:{digest.upper()}"


def _rule(columns: int) -> Line:
    return Line("-" * columns)


def _centred(text: str, columns: int) -> str:
    return text.center(columns).rstrip() if len(text) < columns else text
