"""``scorer hubs``: the halls of a machine; needs the libraries of the hub."""

from __future__ import annotations

import sys

from scorer.hub.command import how_to_install_hub


def main(argv: list[str]) -> int:
    """0: done; 1: it cannot be done, or was not confirmed; 2: usage error."""
    try:
        from scorer.hubs import administration

        return administration.run(argv)
    except ModuleNotFoundError as error:
        print(f"scorer hubs needs {error.name}: {how_to_install_hub(error.name)}", file=sys.stderr)
        return 1
