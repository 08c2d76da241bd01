"""The frames of a team light, as functions of its scene and the elapsed time.

A frame is one colour per pixel. A light of a single pixel shows the same patterns as pulses of
different lengths, and two teams in turn.
"""

from __future__ import annotations

from scorer.session.view.light_scene import LightScene, Shape

Colour = tuple[int, int, int]
Frame = tuple[Colour, ...]

# As a LED mixes them; black is violet, as a lamp of black light.
COLOURS: dict[str, Colour] = {
    "yellow": (255, 170, 0),
    "sky_blue": (0, 150, 255),
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "white": (255, 255, 255),
    "orange": (255, 70, 0),
    "black": (130, 0, 255),
    "pink": (255, 0, 110),
}
DARK: Colour = (0, 0, 0)

STEP_S = 0.1  # seconds of a frame
REPEAT_STEPS = 6  # frames of one repetition of a pattern
CELEBRATION_STEPS = 50
TURN_S = 1.0  # seconds of each team, where the pixels are fewer than the teams


def frame_at(scene: LightScene, elapsed_s: float, pixel_count: int, *, celebrates: bool) -> Frame:
    """The frame ``elapsed_s`` seconds after ``scene`` began."""
    if elapsed_s < _animation_s(scene, celebrates=celebrates):
        step = _count(elapsed_s, STEP_S)
        if scene.winner:
            # Pairs of pixels in the winner's colour that walk over white.
            colour, white = COLOURS[scene.winner], COLOURS["white"]
            bright = (colour, colour, white, white)
            return tuple(bright[(at - step) % len(bright)] for at in range(pixel_count))
        assert scene.call is not None
        lit = _steady(scene, 0.0, pixel_count)
        phase = step % REPEAT_STEPS
        return tuple(
            each if _is_lit(scene.call.shape, phase, at, pixel_count) else DARK
            for at, each in enumerate(lit)
        )
    return _steady(scene, elapsed_s, pixel_count)


def next_frame_s(
    scene: LightScene, elapsed_s: float, pixel_count: int, *, celebrates: bool
) -> float | None:
    """When the frame changes next, in seconds since ``scene`` began; None for never."""
    if elapsed_s < _animation_s(scene, celebrates=celebrates):
        return (_count(elapsed_s, STEP_S) + 1) * STEP_S
    if len(scene.awaited) > pixel_count:
        return (_count(elapsed_s, TURN_S) + 1) * TURN_S
    return None


def _animation_s(scene: LightScene, *, celebrates: bool) -> float:
    """Seconds until the frame is steady."""
    if scene.winner:
        return CELEBRATION_STEPS * STEP_S if celebrates else 0.0
    return 0.0 if scene.call is None else scene.call.repeats * REPEAT_STEPS * STEP_S


def _count(elapsed_s: float, period_s: float) -> int:
    """The whole periods elapsed; a timer may fire a rounding error before its time."""
    return int(elapsed_s / period_s + 1e-6)


def _steady(scene: LightScene, elapsed_s: float, pixel_count: int) -> Frame:
    """The colours of the awaited consoles, side by side."""
    colours = tuple(COLOURS[name] for name in scene.awaited)
    if not colours:
        return (DARK,) * pixel_count
    if len(colours) > pixel_count:
        turn = _count(elapsed_s, TURN_S)
        return tuple(colours[(turn + at) % len(colours)] for at in range(pixel_count))
    return tuple(colours[at * len(colours) // pixel_count] for at in range(pixel_count))


def _is_lit(shape: Shape, phase: int, at: int, pixel_count: int) -> bool:
    """Whether pixel ``at`` is lit in frame ``phase`` of a repetition."""
    match shape:
        case Shape.FLASH:
            return phase < REPEAT_STEPS // 2
        case Shape.RUN:
            # The last frame is dark, to separate two runs; one pixel pulses shortly.
            return at * (REPEAT_STEPS - 1) // pixel_count == phase
        case Shape.BLOOM:
            # From the middle outwards; one pixel is dark shortly.
            from_middle = abs(2 * at + 1 - pixel_count)
            return phase > 0 and from_middle < phase * pixel_count / (REPEAT_STEPS - 2)
