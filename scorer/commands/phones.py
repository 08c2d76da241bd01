"""``scorer phones``: the paired phones, and when each was paired or forgotten."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime

from scorer.api.paired_phones import OWNERS_KEY, parse_phones
from scorer.backup.options import BackupError, add_store_options, check_access, chosen_store
from scorer.store import health
from scorer.store.journal import StoreError

EXAMPLE = """example:
  sudo scorer phones

A ? marks a time by a clock that had not been set. Phones are removed in set-up."""


def main(argv: list[str]) -> int:
    """0: printed; 1: the store cannot be read; 2: usage error."""
    parser = argparse.ArgumentParser(
        prog="scorer phones",
        description="List the phones that may press, and how they came and went; newest last.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_store_options(parser)
    directory = chosen_store(parser.parse_args(argv))
    try:
        check_access(directory)
        if not health.store_exists(directory):
            raise BackupError(f"{directory} has no games yet: it is made at the first start")
        settings = health.read_settings(directory)
        phones, owners = parse_phones(settings), parse_phones(settings, OWNERS_KEY)
        events = health.read_events(directory)
    except (BackupError, StoreError) as error:
        print(f"scorer phones: {error}", file=sys.stderr)
        return 1
    if not phones:
        print("no phone is paired")
    for phone in phones:
        print(f"{phone.id}  {phone.name}, last used {phone.seen or 'on an unknown day'}")
    for owner in owners:
        seen = owner.seen or "on an unknown day"
        print(f"{owner.id}  {owner.name}, changes the settings, last used {seen}")
    for event in events:
        mark = " " if event.stamp.trusted else "?"
        print(f"{_local_time(event.stamp.wall)}{mark} {event.line}, by {event.source}")
    return 0


def _local_time(wall: str) -> str:
    try:
        return f"{datetime.fromisoformat(wall).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):
        return wall
