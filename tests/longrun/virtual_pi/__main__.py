"""``make virtual-pi``: build the parts of the machine, then run its tests.

A machine that lacks a requirement is not a failure: one line names what is missing. A part that
cannot be built is a failure.
"""

from __future__ import annotations

import os
import sys
import time

from tests.longrun.virtual_pi import recipe


def why_not() -> str:
    """What the virtual Pi needs and this machine lacks, or ""."""
    if os.geteuid():
        return "its card is laid out by root"
    if lacking := recipe.lacking():
        return f"not installed: {' '.join(lacking)} (apt install them)"
    return ""


def built() -> str:
    """Build the missing parts; return what could not be downloaded, or ""."""
    began = time.monotonic()
    try:
        recipe.parts()
    except recipe.OutOfReachError as error:
        return str(error)
    print(f"the parts of the virtual Pi: {time.monotonic() - began:.0f} s", flush=True)
    return ""


def main() -> int:
    """Return the exit code if no tests run; otherwise pytest replaces this process."""
    try:
        reason = why_not() or built()
    except RuntimeError as error:
        print(f"{error}\n0 passed, 1 failed")
        return 1
    if reason:
        print(f"the virtual Pi is left out: {reason}\n0 passed, 0 failed")
        return 0
    command = [sys.executable, "-m", "pytest", "-q", "-o", "timeout=1800", "--dist", "worksteal"]
    command += [str(recipe.HERE), *sys.argv[1:]]
    os.execve(sys.executable, command, {**os.environ, "VIRTUAL_PI": "1"})


if __name__ == "__main__":
    sys.exit(main())
