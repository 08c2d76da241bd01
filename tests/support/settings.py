"""Settings of a table by the keys of the owner's file."""

from typing import Any

from scorer.session.values.settings import Settings

_USUAL = Settings()
_SECTIONS = ("table", "consoles", "guards", "light", "sound")


def settings_with(settings: Settings = _USUAL, /, **values: Any) -> Settings:  # noqa: ANN401
    """The settings with these values, each in the section that has its key."""
    for key, value in values.items():
        of_sections = [each for each in _SECTIONS if key in getattr(settings, each)._fields]
        for section in of_sections:
            changed = getattr(settings, section)._replace(**{key: value})
            settings = settings._replace(**{section: changed})
        if not of_sections:
            settings = settings._replace(**{key: value})
    return settings
