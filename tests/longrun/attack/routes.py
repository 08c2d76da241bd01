"""Guests flood every route that there is, in a network of their own."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.longrun.attack.checks import Checks

NETWORK = "10.66.0.0/16"


def flood_routes(checks: Checks, share: int) -> None:
    """Floods of every route, from one address and from twelve."""
    words = [sys.executable, "-m", "tests.longrun.attack.guests", str(int(share > 1))]
    if reason := _why_no_network():
        checks.note = f"skipped, this machine makes no network for guests: {reason}"
        return
    # Every address of the network is this machine, which has no other network.
    links = f"ip link set lo up && ip route add local {NETWORK} dev lo"
    command = ["unshare", "--net", "sh", "-c", f'{links} && exec "$@"', "sh"]
    ended = subprocess.run([*command, *words], stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(ended.stdout.splitlines()[-1])
    checks.passed += found["passed"]
    checks.faults += found["faults"]
    checks.note = found["note"]


def _why_no_network() -> str:
    """Why this machine makes no network for guests; "" if it does."""
    try:
        tried = subprocess.run(
            ["unshare", "--net", "ip", "link", "set", "lo", "up"], capture_output=True, text=True
        )
    except OSError as error:
        return str(error)
    return tried.stderr.strip()
