"""Control commands of the main loop."""

from __future__ import annotations

from enum import Enum


class LoopCommand(Enum):
    """A command put into the inbox by a signal, by the system or by the table."""

    STOP = "stop"  # stop the service
    SHUTTING_DOWN = "power_down"  # the machine is shutting down: the plug may be pulled soon
    SWITCH_OFF = "switch_off"  # shutdown requested at the table
    POWEROFF_DENIED = "stays_on"  # shutdown requested and denied
    SAFE_MODE = "safe"  # restart with default settings
    STORE_REPLACED = "exchanged"  # the store was replaced by another: do not write to it
    STORE_RESTORED = "restored"  # a copy waits beside the store: the next process opens it
    RESTART = "anew"  # restart: the chosen settings need other inputs
