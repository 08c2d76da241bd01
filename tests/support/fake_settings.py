"""In-memory settings store, for tests of the configuration."""

from __future__ import annotations


class FakeSettings(dict[str, str]):
    """Stored settings by key."""

    def settings(self) -> dict[str, str]:
        return dict(self)

    def set_setting(self, key: str, value: str) -> None:
        self[key] = value
