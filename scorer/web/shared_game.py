"""A game to share: its score sheet as digits of an address, and back.

The sheet is deflated and written as one decimal number, because a QR code needs ten bits for three
digits, but eight for each letter. What is read is untrusted: sizes are bounded before any work.
"""

import zlib
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final, NamedTuple

from scorer.i18n import translator
from scorer.records.game_facts import longest_call
from scorer.records.replay import sheet_text
from scorer.rules import (
    Header,
    Side,
    header_text,
    read_header,
    read_sheet,
    state_document,
    step_text,
)
from scorer.session.values.game_queries import call_text
from scorer.session.view.build_view import view_of_game
from scorer.web.audience import Audience
from scorer.web.report_phrases import shared_game_phrases, viewer_scene
from scorer.web.timeline import Timeline, TimelineRow

MAX_DEFLATED: Final = 1100  # bytes of a game in an address; phones do not read larger QR codes
MAX_SHEET: Final = 16 * 1024  # bytes of a score sheet that is read
MAX_ROWS: Final = 1000  # of a score sheet that is read; a game has some hundreds
_MAX_DIGITS: Final = len(str(256 ** (MAX_DEFLATED + 1)))
_RAW: Final = -zlib.MAX_WBITS  # deflated without header and checksum


class SheetFault(StrEnum):
    """Why what was opened is no game: the key of the sentence."""

    TOO_LARGE = "web.share.too_large"
    BROKEN = "web.share.broken"


class SharedSheet(NamedTuple):
    """A score sheet, and its digits in an address; "" if it is too long for one."""

    text: str
    digits: str


def shared_sheet(story: Timeline, names: dict[str, str]) -> SharedSheet:
    """The score sheet of a game, with the names that are shown."""
    tags = [(tag, value) for tag, value in read_header(story.header).tags if tag[:4] != "Name"]
    tags += [(f"Name{side}", name) for side, name in names.items() if name]
    text = sheet_text(header_text(tags), (row.line for row in story.rows))
    return SharedSheet(text, sheet_digits(text))


def sheet_digits(sheet: str) -> str:
    """The digits of a sheet; "" if it is too long for an address."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    packed = packer.compress(sheet.encode()) + packer.flush()
    # The byte before keeps zeros at the beginning.
    return str(int.from_bytes(b"\1" + packed)) if len(packed) <= MAX_DEFLATED else ""


def read_digits(digits: str) -> bytes | SheetFault:
    """The sheet of such digits."""
    if not (digits.isascii() and digits.isdigit()):
        return SheetFault.BROKEN
    if len(digits) > _MAX_DIGITS:
        return SheetFault.TOO_LARGE
    number = int(digits)
    packed = number.to_bytes((number.bit_length() + 7) // 8)
    if packed[:1] != b"\1":
        return SheetFault.BROKEN
    unpacker = zlib.decompressobj(_RAW)
    try:
        sheet = unpacker.decompress(packed[1:], MAX_SHEET + 1)
    except zlib.error:
        return SheetFault.BROKEN
    if len(sheet) > MAX_SHEET:
        return SheetFault.TOO_LARGE
    return sheet if unpacker.eof and not unpacker.unused_data else SheetFault.BROKEN


def read_shared_game(sheet: bytes) -> Timeline | SheetFault:
    """The one game of a sheet."""
    if len(sheet) > MAX_SHEET:
        return SheetFault.TOO_LARGE
    try:
        header, *lines = read_sheet(sheet.splitlines(keepends=True))
        assert isinstance(header, Header)
        if len(lines) > MAX_ROWS:
            return SheetFault.TOO_LARGE
        story = Timeline(0, header_text(header.tags))
        story.add_rows(list(_rows(lines)))
    except ValueError:
        return SheetFault.BROKEN
    return story


def _rows(lines: list[Any]) -> Iterator[TimelineRow]:
    for number, line in enumerate(lines, 1):
        if isinstance(line, Header):
            raise ValueError("more than one game")
        comment = f"  # {line.comment}" if line.comment else ""
        yield TimelineRow(
            seq=number,
            press=number,
            line=step_text(line.step) + comment,
            source="",
            boot="",
            monotonic_ms=0,
            wall="",
            trusted=False,
        )


def shared_document(story: Timeline, names: dict[str, str], viewers: Audience) -> dict[str, Any]:
    """A game for the page that shows and shares it, as JSON-ready values."""
    game, rules = story.game, story.game.rules
    say = translator(viewers.language)
    called = tuple(names.get(side, "") for side in rules.scoring_sides)
    scene = viewer_scene(view_of_game(game, called), say, viewers.first)
    state, sheet = state_document(game), shared_sheet(story, names)
    hands = story.hand_scores()
    longest = longest_call(story.record)
    words = (call_text(rules, step.action, step.amount) for step in longest.calls)
    return {
        **{key: state[key] for key in ("sides", "score", "target", "half", "winner")},
        "language": viewers.language,
        "hands": hands,
        "longest": {"hand": longest.hand, "words": list(words)},
        "phrases": shared_game_phrases(scene, state, story.entries, hands, rules.variant.title),
        "scores": [entry["score"] for entry in story.entries],
        "undone": [entry["undone"] for entry in story.entries],
        "entry_hands": [entry["hand"] for entry in story.entries],
        "sheet": sheet.text,
        "digits": sheet.digits,
    }


def side_names(story: Timeline) -> dict[str, str]:
    """The names in the header of a game, by side."""
    return {side.value: story.names.get(Side(side), "") for side in story.game.rules.scoring_sides}
