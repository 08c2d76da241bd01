"""[wifi] of a configuration: network, password and regulatory country.

No message contains a password, not even an invalid one: messages go to a log and onto a panel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from scorer.plain_values import SECRET, Found, Like

MAX_NAME_BYTES = 32  # bytes of an SSID (IEEE 802.11)
MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS = 8, 63  # letters of a password (IEEE 802.11i)

_PASSWORD = Like(
    rf"(?:[ -~]{{{MIN_PASSWORD_CHARS},{MAX_PASSWORD_CHARS}}}|[0-9A-Fa-f]{{64}})?",
    f"{MIN_PASSWORD_CHARS} to {MAX_PASSWORD_CHARS} letters without accents; "
    "an open network has none, leave the line out",
)


class WifiNetwork(NamedTuple):
    """A network to join; without a password it is an open one."""

    name: Annotated[str, SECRET] = ""
    password: Annotated[str, _PASSWORD, SECRET] = ""
    # Two capitals (ISO 3166), "" if already set on the system.
    country: Annotated[str, Like("(?:[A-Z]{2})?", 'two capitals, as "AR" or "BR"'), SECRET] = ""
    remove_after_joining: Annotated[bool, SECRET] = False  # remove the section once joined
    hidden: Annotated[bool, SECRET] = False  # the network does not announce its name

    def find_problems(self) -> Iterator[Found]:
        if not self.name:
            yield "name", "is missing: the name of the network, as a phone shows it"
        if (length := len(self.name.encode("utf-8", "surrogatepass"))) > MAX_NAME_BYTES:
            yield "name", f"{MAX_NAME_BYTES} bytes at most, not {length}"
