"""One request of a client of the table's sockets."""

from typing import Any, NamedTuple

from scorer.api.rights import Right

Message = dict[str, Any]


class Request(NamedTuple):
    """One line of a client, in the table's inbox."""

    client: int
    message: Message
    right: Right
    user: str  # of the client's process, as the kernel reports it
