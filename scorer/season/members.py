"""Hashes of the numbers of members, so that evenings join without names.

Who has the key of the season can try every short number, and so learns the member of each hash; for
all others a hash says nothing. The number itself is in no file.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

_PURPOSE: Final = b"truco member\n"


def member_hash(season_key: str, number: str) -> str:
    """What stands for a member in the evenings of a season: 64 hexadecimal digits.

    ``season_key``: 64 hexadecimal digits. Capitals and blanks of the number make no difference.
    """
    text = "".join(number.casefold().split())
    return hmac.new(bytes.fromhex(season_key), _PURPOSE + text.encode(), sha256).hexdigest()
