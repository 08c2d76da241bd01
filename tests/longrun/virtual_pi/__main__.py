"""``make virtual-pi``: the parts of the machine, then its tests; where there can be none, why not.

Not every machine can emulate one, and that is no fault of the source: one line says what is
lacking, and nothing has failed. A part that cannot be built of what is here is a failure. It knows
no test.
"""

from __future__ import annotations

import os
import sys
import time

from tests.longrun.virtual_pi import recipe


def why_not() -> str:
    """What a virtual Pi wants and does not find here, or nothing."""
    if os.geteuid():
        return "its card is laid out by root"
    if lacking := recipe.lacking():
        return f"not installed: {' '.join(lacking)} (apt install them)"
    return ""


def built() -> str:
    """Builds what is not kept yet; what cannot be had for it, or nothing."""
    began = time.monotonic()
    try:
        recipe.parts()
    except recipe.OutOfReachError as error:
        return str(error)
    print(f"the parts of the virtual Pi: {time.monotonic() - began:.0f} s", flush=True)
    return ""


def main() -> int:
    """Its exit code, where no tests are run; pytest takes this process over otherwise."""
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
