"""The table's request of the service of the own network: whether it is wanted.

Apart from the other request, of which a table knows nothing.
"""

from typing import Final, NamedTuple

SOCKET_NAME: Final = "network.sock"  # in the folder of the table's socket
MAX_LINE_BYTES: Final = 2048
WATCH_VALID_S: Final = 150.0  # seconds for which a request of the table holds


class WatchRequest(NamedTuple):
    """The choice of set-up, and whether a game is played."""

    is_on: bool
    is_playing: bool = False
