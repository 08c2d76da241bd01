"""The files by which table and ``scorer reset`` know of a factory reset."""

from pathlib import Path

MENU_REQUEST = "reset.json"  # in the folder of the games: the reset that set-up asks for
# In the runtime folder of scorer-reset.service: the outcome of this start.
TOLD_DONE, TOLD_REFUSED = "done", "refused"


def told_folder(table_socket: Path) -> Path:
    """The runtime folder of scorer-reset.service, beside that of the sockets."""
    return table_socket.parent.parent / "scorer-reset"
