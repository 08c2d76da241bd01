"""Settings in memory, for tests of a configuration that wants a store and no disk."""

from __future__ import annotations


class FakeSettings(dict[str, str]):
    """What was chosen on a box, by key."""

    def settings(self) -> dict[str, str]:
        return dict(self)

    def set_setting(self, key: str, value: str) -> None:
        self[key] = value
