"""What the loop of a table may be told besides edges and requests. It knows nothing else."""

from __future__ import annotations

from enum import Enum


class LoopCommand(Enum):
    """Put into the inbox by a signal, by the machine, or by the table itself."""

    STOP = "stop"  # the service is to end
    SHUTTING_DOWN = "power_down"  # the machine is going down: the plug may be pulled soon
    SWITCH_OFF = "switch_off"  # people at the table want the machine to go down
    POWEROFF_DENIED = "stays_on"  # it was asked to, and refused
    SAFE_MODE = "safe"  # start anew with the settings of a box that nobody configured
    STORE_REPLACED = "exchanged"  # another store lies in the place of this one: leave it alone
    RESTART = "anew"  # start anew: what was chosen needs other buttons
