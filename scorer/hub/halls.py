"""Names and folders of the halls that ``scorer hubs`` creates.

A name is that of units, a user, a login, a database and files, and a label of host names.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from scorer.config.link_section import HALL_NAME
from scorer.rules.notation import shorten

FOLDER = Path("/etc/scorer/halls")  # of their configurations
STATES = Path("/var/lib/private/scorer-hubs")  # of dynamic users, which systemd links
_MOST_CHARS = 20


def check_name(text: str) -> str:
    """``text``, if it is a name of a hall.

    Raises ValueError, which says what would be one.
    """
    if re.fullmatch(HALL_NAME, text):
        return text
    # The name without accents, capitals and signs; "" if nothing remains.
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall("[a-z0-9]+", plain)).lstrip("0123456789-")
    near = words[:_MOST_CHARS].rstrip("-")
    hint = f", as '{near}'; what people read is --title" if near else ""
    raise ValueError(
        f"'{shorten(text)}' is no name of a hall: it has 1 to {_MOST_CHARS} of a-z, 0-9 and -,"
        f" begins with a letter and does not end with -{hint}"
    )
