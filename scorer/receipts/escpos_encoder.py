"""Encode a slip as ESC/POS bytes, using python-escpos.

The library knows the commands of each printer and its numbers of code pages; text is encoded by
``codepages``, because the library switches code pages within a line, to numbers that cheap printers
use for other alphabets. Its connections are not used: they block without a timeout (see
``printer_connection``).
"""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import segno
from PIL import Image

from scorer.receipts.codepages import CODECS, encode
from scorer.receipts.slip import Slip, SlipLine, Style
from scorer.system.libraries import how_to_install

if TYPE_CHECKING:
    from escpos.printer import Dummy

QUIET_ZONE = 4  # quiet zone in modules, required by readers
TEAR_LINES = 5  # lines to feed before tearing off
DOT = 4  # dots per module, half a millimetre: at 9600 baud a code takes four seconds
# Chinese printers start in a two-byte mode, which must be turned off.
SINGLE_BYTES = b"\x1c."


class EncodeError(Exception):
    """Unknown printer or code page, or missing library; a sentence with the remedy."""


def encode_slip(
    slip: Slip, *, letters: str, table_number: int = -1, model: str = "default", cut: bool = True
) -> bytes:
    """The whole job, from the printer's reset to the cut. Raises EncodeError."""
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
            # A picture: many printers cannot draw QR codes.
            to.set(align="center")
            # The library prints a warning on standard output if the paper's width is unknown.
            with contextlib.redirect_stdout(io.StringIO()):
                to.image(qr_picture(part.text))
            to.set(align="left")
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
        needs = f"scorer print needs {error.name}: {how_to_install('printer')}"
        raise EncodeError(needs) from error
    try:
        return Dummy(profile=model)
    except KeyError:
        raise EncodeError(f"python-escpos knows no printer {model!r}; write 'default'") from None


def _table_number(to: Dummy, letters: str, model: str) -> int | None:
    """The model's number of a code page; None for ASCII, common to all code pages."""
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


def qr_picture(text: str) -> Image.Image:
    """The QR code of ``text``, with its quiet zone, black on white."""
    made = segno.make(text, error="m", micro=False)
    squares = [
        bytes(0 if dark else 255 for dark in row) for row in made.matrix_iter(border=QUIET_ZONE)
    ]
    image = Image.frombytes("L", (len(squares), len(squares)), b"".join(squares))
    size = (image.width * DOT, image.height * DOT)
    return image.resize(size, Image.Resampling.NEAREST).convert("1")
