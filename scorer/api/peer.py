"""The process at the other end of a unix socket, as the kernel knows it (unix(7))."""

from __future__ import annotations

import fcntl
import pwd
import socket
import struct
import termios

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
_INTEGER = struct.Struct("i")


def peer_user(connection: socket.socket) -> str:
    """The name of the user that connected; "uid 61234" without a name."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, uid, _ = _CREDENTIALS.unpack(credentials)
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"


def unread_bytes(connection: socket.socket) -> int:
    """Memory of what was sent and is not read yet; 0: the other end has read all."""
    try:
        found = fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(_INTEGER.size))
    except OSError:
        return 0
    (number,) = _INTEGER.unpack(found)
    return int(number)
