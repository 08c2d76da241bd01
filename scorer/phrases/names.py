"""The names of the sides, whole and shortened."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.phrases.scene import NAME_BY_SEAT, Scene


def name_wordings(scene: Scene, side: int, width: int) -> tuple[str, ...]:
    """The full name, then shortened to ``width`` pixels of small letters.

    The default name has a short form of its own: "Nos" is read at once, "Nosotr." is not.
    """
    name = scene.name(side)
    if name == scene.say("side.ours") and scene.shorten(name, width) != name:
        return (name, scene.shorten(scene.say("name.ours"), width))
    # A pair's names are not shortened: half of two names would identify neither.
    short = scene.say("side.pair") if side == len(scene.order) else name
    return (name, scene.shorten(short, width))


def shrinking_wordings(scene: Scene, side: int, *widths: int) -> tuple[str, ...]:
    """The full name, then shortened to each of these widths in turn."""
    whole = name_wordings(scene, side, widths[0])[0]
    return (whole, *(name_wordings(scene, side, width)[-1] for width in widths))


def leading_words(name: str) -> Iterator[str]:
    """The name without its last words: "Los Pibes" of "Los Pibes del Fondo"."""
    words = name.split()
    while len(words) > 1:
        words.pop()
        if not words[-1].islower():  # not "Los Pibes del"
            yield " ".join(words)


def refusing_press(scene: Scene) -> str:
    """The press that says no: NO QUIERO, or QUIERO held in the compact layout."""
    if not scene.view.is_no_held:
        return scene.say("label.no_quiero")
    return scene.say("label.hold", word=scene.say("label.quiero"))


def default_side_name(scene: Scene, key: str) -> str:
    """The default name of a side of an earlier game, as on this panel."""
    if scene.has_three or key not in ("A", "B"):
        return scene.say(NAME_BY_SEAT.get(key, "side.third"))
    return scene.unnamed("AB".index(key))
