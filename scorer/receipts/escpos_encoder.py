"""A slip as the bytes that a receipt printer wants, through python-escpos.

The library knows which printer takes which command and how it numbers its tables of letters; the
letters themselves are ours (``letters``): its own way changes tables in the middle of a line, to
numbers that cheap printers give to other alphabets. Its connections are not used either: they wait
for a printer without end (``device``).
"""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import segno
from PIL import Image

from scorer.receipts.codepages import CODECS, encode
from scorer.receipts.slip import QrCode, Slip, SlipLine, Style

if TYPE_CHECKING:
    from escpos.printer import Dummy

QUIET_ZONE = 4  # squares around a code, without which readers do not find it
TEAR_LINES = 5  # lines to feed where somebody tears the slip off
DOT = 4  # dots a square, half a millimetre: a code of 9600 baud takes four seconds
# Printers made for China read two bytes as one letter until they are told not to.
SINGLE_BYTES = b"\x1c."


class EncodeError(Exception):
    """No such printer or table of letters, or no library; a sentence that says what to do."""


def encode_slip(
    slip: Slip, *, letters: str, table_number: int = -1, model: str = "default", cut: bool = True
) -> bytes:
    """The whole job, from the printer's reset to the cut. Raises CannotWrite."""
    to = _printer(model)
    number = table_number if table_number >= 0 else _table_number(to, letters, model)
    to.hw("INIT")
    to._raw(SINGLE_BYTES)
    if number is not None:
        to._raw(b"\x1bt" + bytes([number]))
    for part in slip:
        if isinstance(part, SlipLine):
            _write_line(to, part, CODECS[letters])
        else:
            _write_code(to, part)
    if cut:
        to.cut(mode="PART")
    else:
        to.print_and_feed(TEAR_LINES)
    output = to.output
    assert isinstance(output, bytes)
    return output


def _printer(model: str) -> Dummy:
    try:
        from escpos.printer import Dummy
    except ModuleNotFoundError as error:
        needs = f"scorer print needs {error.name}: pip install 'truco-scorer[printer]'"
        raise EncodeError(needs) from error
    try:
        return Dummy(profile=model)
    except KeyError:
        raise EncodeError(f"python-escpos knows no printer {model!r}; write 'default'") from None


def _table_number(to: Dummy, letters: str, model: str) -> int | None:
    """What this model calls a table; None for the letters that every table begins with."""
    if letters == "ASCII":
        return None
    numbers = {name: int(number) for number, name in to.profile.codePages.items()}
    if letters not in numbers:
        known = ", ".join(name for name in CODECS if name in numbers) or "ASCII"
        raise EncodeError(f"a printer {model!r} has no {letters}; it has {known}")
    return numbers[letters]


def _write_line(to: Dummy, line: SlipLine, codec: str) -> None:
    if line.style is not Style.PLAIN:
        to.set(normal_textsize=line.style is not Style.TALL, double_height=line.style is Style.TALL)
        to.set(bold=True)
    to._raw(encode(line.text, codec) + b"\n")
    if line.style is not Style.PLAIN:
        to.set(normal_textsize=True)
        to.set(bold=False)


def _write_code(to: Dummy, code: QrCode) -> None:
    """A picture of it: many printers cannot draw codes by themselves."""
    to.set(align="center")
    # It says on standard output that it does not know how wide the paper is.
    with contextlib.redirect_stdout(io.StringIO()):
        to.image(qr_picture(code.text))
    to.set(align="left")


def qr_picture(text: str) -> Image.Image:
    """The QR code of ``text``, with its quiet zone, black on white."""
    made = segno.make(text, error="m", micro=False)
    squares = [
        bytes(0 if dark else 255 for dark in row) for row in made.matrix_iter(border=QUIET_ZONE)
    ]
    image = Image.frombytes("L", (len(squares), len(squares)), b"".join(squares))
    size = (image.width * DOT, image.height * DOT)
    return image.resize(size, Image.Resampling.NEAREST).convert("1")
