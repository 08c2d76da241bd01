"""Error codes of the socket, besides the refusals of the rules."""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """The ``error`` of an answer (socket.md#requests)."""

    BLOCKED = "BLOCKED"  # too many wrong codes from this address
    BUSY = "BUSY"  # a self-test ran a moment ago, or another setting is being saved
    CONSOLE = "CONSOLE"  # a phone that presses gets no right to the settings
    FIXED = "FIXED"  # a setting that only scorer.toml has
    FORBIDDEN = "FORBIDDEN"  # not on this socket
    GAME = "GAME"  # not during a game
    INSECURE = "INSECURE"  # a secret over a connection that others read
    LOCKED = "LOCKED"  # both teams enter it at the box, during a match
    NAME = "NAME"  # a phone needs a name
    NO_CODE = "NO_CODE"  # the panels show no code
    NO_SUCH_GAME = "NO_SUCH_GAME"
    NO_SUCH_PAIR = "NO_SUCH_PAIR"  # of this evening
    REFUSED = "REFUSED"  # rejected by the rules or the session, see ``say``
    STALE = "STALE"  # the score has changed since the state that the client has seen
    STORE = "STORE"  # the store cannot be read
    TRIAL = "TRIAL"  # other wiring is being tried out
    UNKNOWN = "UNKNOWN"  # no such request
    UNPAIRED = "UNPAIRED"  # no such phone, or another key
    UNREADABLE = "UNREADABLE"  # a field has no meaning
    VALUE = "VALUE"  # a value of a setting that does not fit, see ``problems``
    WRONG_CODE = "WRONG_CODE"
