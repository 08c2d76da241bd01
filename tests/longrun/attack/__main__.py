"""``make attack``: attack a real table, web server and hub on loopback.

Floods, races and malformed input from many addresses, bounded in count. ``QUICK=1``: a fifth of
it. ``python -m tests.longrun.attack NAME...`` runs the named attacks only. The last line is
"N passed, N failed", counting checks.
"""

from __future__ import annotations

import os
import sys
import time
import traceback

from tests.longrun.attack import (
    buttons,
    files,
    floods,
    hub,
    hub_desk,
    hub_strangers,
    intruders,
    joining,
    malformed,
    races,
    radio,
    routes,
    soak,
)
from tests.longrun.attack.checks import Checks

ATTACKS = {
    "idle connections": floods.hold_connections,
    "history flood": floods.request_history,
    "readers of old games": floods.read_old_games,
    "aborted bodies": floods.abort_bodies,
    "flooding buttons": buttons.flood_buttons,
    "a box over Wi-Fi": radio.attack_radio,
    "malformed HTTP": malformed.send_http,
    "malformed socket lines": malformed.send_lines,
    "guessed pairing codes": intruders.guess_codes,
    "idle clients of the sockets": intruders.fill_sockets,
    "intruders at the hub": hub.intrude_into_hub,
    "strangers at the desk": hub_desk.press_the_desk,
    "joining through a third party": joining.join_through_a_third_party,
    "the same over a network": joining.join_over_a_network,
    "floods of the hub": hub_strangers.flood_hub,
    "memory of the hub": hub_strangers.fill_hub,
    "floods of every route": routes.flood_routes,
    "racing phones and power cuts": races.race_through_power_cuts,
    "presses for a finished game": races.press_after_the_game,
    "configuration files": files.mistype_configurations,
    "foreign stores": files.add_foreign_objects,
    "two hundred strangers": soak.spend_evening,
}


def main(names: list[str]) -> int:
    """Run all or the named attacks; return 1 if a check failed, else 0."""
    share = 5 if os.environ.get("QUICK") else 1
    total = Checks()
    for name, attack in ATTACKS.items():
        if names and name not in names:
            continue
        begin, checks = time.monotonic(), Checks()
        try:
            attack(checks, share)
        except Exception:  # one attack more or less: the others still run
            checks.check(False, traceback.format_exc())
        print(f"{name}: {checks.passed} checks in {time.monotonic() - begin:.0f} s; {checks.note}")
        for fault in checks.faults:
            print(f"  {fault}")
        sys.stdout.flush()
        total.passed += checks.passed
        total.faults += checks.faults
    print(f"{total.passed} passed, {len(total.faults)} failed")
    return 1 if total.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
