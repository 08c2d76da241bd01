"""The last hands of a game and their corrections in words."""

from __future__ import annotations

from scorer.phrases.names import shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.shown import HandPayment


def hand_wordings(scene: Scene, hand: tuple[HandPayment, ...]) -> tuple[str, ...]:
    """ "envido 2 Nosotros · truco 1 Ellos", then with shorter names, then the sums."""
    if not hand:
        return (scene.say("setup.nobody_scored"),)
    sums: dict[int, int] = {}
    for _, points, side in hand:
        sums[side] = sums.get(side, 0) + points
    named = {side: shrinking_wordings(scene, side, 36, 24, 18) for side in sums}
    plain = scene.say("setup.plain_hand")
    wordings, between = [], " · "
    for names in zip(*named.values(), strict=True):
        name = dict(zip(named, names, strict=True))
        each = [f"{word or plain} {points} {name[side]}" for word, points, side in hand]
        wordings.append(between.join(each))
    wordings.append(" ".join(each))
    shortest = {side: names[-1] for side, names in named.items()}
    wordings.append(" · ".join(f"{points:+d} {shortest[side]}" for side, points in sums.items()))
    return tuple(wordings)


def correction_text(scene: Scene, line: MenuLine) -> str:
    """A correction, with the full name of its side: "ganó: La Yunta"."""
    side = "" if line.side is None else scene.name(line.side)
    return scene.say(f"setup.{line.key}", word=line.word, side=side)
