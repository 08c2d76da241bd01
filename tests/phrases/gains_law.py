"""The law of the gains: every output adds up to the change of the score.

``faults`` lists what is wrong with the outputs after one press, ``journal_faults`` after the
presses of a store. The amounts are read from the texts of each output; the score is that of the
rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from scorer.display import draw_view, tv
from scorer.display.presenter import build_scene
from scorer.i18n import translator
from scorer.phrases.scene import Scene
from scorer.receipts.hand_summary import NO_BREAK_SPACE, summarize_hands
from scorer.rules import Action, Game, state_document
from scorer.rules.document import duel_points
from scorer.session.values.record import Record, hand_id
from scorer.session.values.shown import Screen
from scorer.session.view.build_view import view_of_game
from scorer.session.view.history import history_lines, step_lines
from scorer.store.archive import Archive
from scorer.voice.numbers import number_words
from scorer.voice.sentences import Speech, TableInfo
from scorer.web.pages.plain import render_page
from scorer.web.report import board_document
from scorer.web.report_phrases import news_text, report_phrases, viewer_scene
from scorer.web.timeline import Entry, Timeline, parse_row
from tests.phrases.reasons_law import OUTSIDE_PLAY, decides, sum_of
from tests.sampling import stride

NAMES = ("Ana", "Beto", "Caro")  # their initials are the keys of the sides
_NAMES = r"[ABCP]\w+\.?(?: (?:\+|y) [ABC]\w+\.?)?"  # the pair: "Ana + Beto", "Pareja"
LANGUAGE = "es-AR"
PANELS = ((256, 64), (128, 64), (128, 32))
TELEVISION = (320, 180)  # the same layout as of a large one
MOST_RECENT = 3  # entries of the history in a report
UNDOING = ("- undo", "- redo")
_REVERSALS = (Action.ENVIDO_REVERSED, Action.FLOR_REVERSED)

Sums = dict[str, int]  # points by side, without sides that gained nothing


def standing(game: Game) -> tuple[int, ...]:
    """The score, with the points of duels that it does not contain yet."""
    duels = duel_points(game)
    if duels is None or game.rules.pica_live:
        return game.score
    return tuple(map(sum, zip(game.score, duels.values(), strict=True)))


def _change(game: Game, since: Iterable[int]) -> Sums:
    sides = zip(game.rules.scoring_sides, standing(game), since, strict=True)
    return {side.value: now - then for side, now, then in sides if now != then}


def press_change(record: Record) -> Sums:
    """How the newest press changed the score. A start of the next game is none."""
    steps = record.newest_steps
    if record.is_corrected:
        assert record.undone is not None
        return _change(record.game, standing(record.undone.game))
    games = (*(done.before for done in steps), record.game)
    first = games[steps[0].step.action is Action.NEW_HAND]
    return _change(record.game, standing(first))


def hand_changes(record: Record) -> list[Sums]:
    """The changes of the score that the result of a hand may show.

    It begins with the deal, or the last correction; with a reversal in the hand, with either.
    """
    game = record.game
    own = [done for done in record.past if hand_id(done.before) == hand_id(game)]
    after = [*(done.before for done in own[1:]), game]
    corrected = [
        now.score
        for done, now in zip(own, after, strict=True)
        if done.step.action is Action.CORRECT
    ]
    is_reversed = any(done.step.action in _REVERSALS for done in own)
    starts = [game.score_at_deal] if is_reversed or not corrected else []
    return [_change(game, start) for start in (*starts, *corrected[-1:])]


def shown_changes(record: Record) -> list[Sums]:
    """The changes that an output may show: of an ended hand, else of the press."""
    game, steps = record.game, record.newest_steps
    is_over = game.hand.over or game.winner is not None
    if (
        record.is_corrected
        or not is_over
        or any(done.step.action in OUTSIDE_PLAY for done in steps)
    ):
        return [press_change(record)]
    return hand_changes(record)


# --- reading the outputs --------------------------------------------------------------------------


def amounts(scene: Scene, texts: Iterable[str], between: str = " ") -> Sums:
    """The sums of "+2 Ana" in texts; each of "Ana + Beto" gains what they gain.

    Names may be shortened: the initials differ, also from that of the pair.
    """
    gallo = scene.view.gallo
    pair = [name for at, name in enumerate(NAMES) if at != gallo]
    sums: dict[str, int] = {}
    for points, named in re.findall(rf"([+-]\d+|\b0){between}({_NAMES})", " | ".join(texts)):
        for name in pair if named.startswith("P") else re.findall(r"\w{2,}", named):
            side = name[0]
            sums[side] = sums.get(side, 0) + int(points)
    return _without_zeros(sums)


def _without_zeros(sums: Mapping[str, int]) -> Sums:
    return {side: points for side, points in sums.items() if points}


def panel_amounts(scene: Scene, texts: list[str]) -> Sums:
    """The totals on a panel or television; of three on a low panel the lists."""
    lists = [re.fullmatch(r"([ABC])\w+\.? \d+: (.*)", text) for text in texts]
    of_three = {each[1]: sum_of(each[2]) or 0 for each in lists if each}
    return _without_zeros(of_three) or amounts(scene, texts)


def spoken_amounts(scene: Scene, text: str) -> Sums:
    """ "corregido: menos dos para Ana", and of many gains "Ana, menos dos."."""
    figures = {number_words(number, LANGUAGE): number for number in range(100)}
    words = "|".join(sorted(figures, key=len, reverse=True))

    def figure(minus: str, word: str) -> str:
        return f"{'-' if minus else '+'}{figures[word]}"

    said = re.sub(rf"\b(menos )?({words})(?= para )", lambda each: figure(each[1], each[2]), text)
    totals = re.findall(rf"(?<!; )\b({_NAMES}), (menos )?({words})\.", said)
    each_side = [f"{figure(minus, word)} para {names}" for names, minus, word in totals]
    return amounts(scene, [said, *each_side], " para ")


# --- the law --------------------------------------------------------------------------------------


def faults(record: Record, recent: list[Entry]) -> Iterator[str]:
    """What is wrong with the outputs after the newest press; ``recent``: its entries."""
    pressed, shown = press_change(record), shown_changes(record)
    for output, found in _of_press(record, recent):
        if found != pressed:
            yield f"{output}: {found}, the score changed by {pressed}"
    if not record.game.last_credits:
        return
    for output, found, may_hide in _of_view(record, recent):
        if found not in shown and not (may_hide and not found):
            yield f"{output}: {found}, the score changed by {shown}"


def _of_press(record: Record, recent: list[Entry]) -> Iterator[tuple[str, Sums]]:
    """The outputs that always show the newest press."""
    game, steps = record.game, record.newest_steps
    earlier = record._replace(past=record.past[: -len(steps)], game=steps[0].before)
    if record.is_corrected:
        assert record.undone is not None
        earlier = earlier._replace(
            past=(*earlier.past, *record.undone.steps), game=record.undone.game
        )
    yield "state document", _summed(state_document(game)["last"] or [], "to")
    if not record.is_corrected:  # it is one line there, with the score that it leads to
        yield "entries", _entry_sums(game, recent)
        yield "history page", _entry_sums(game, list(_history_entries(record)))
    yield "slip", _slip_change(earlier, record)
    if steps[0].before.winner is not None and steps[0].step.action is Action.NEW_HAND:
        return  # the voice says how the next game starts
    if record.is_corrected or all(done.step.action is Action.CORRECT for done in steps):
        return  # the voice says the score
    said = Speech(LANGUAGE).of_press(record, TableInfo(NAMES))
    yield f"voice {said!r}", spoken_amounts(_scene(game), said)


def _history_entries(record: Record) -> Iterator[Entry]:
    """The lines of the newest press, if the page of the history shows their points."""
    view = _scene(record.game).view
    keys = (*(side.key for side in view.sides), "pair")
    after = [*(done.before for done in record.newest_steps[1:]), record.game]
    count = sum(
        len(step_lines(done, now))
        for done, now in zip(record.newest_steps, after, strict=True)
        if done.step.action not in (Action.NEW_HAND, Action.FIRST_TRICK_DONE)
    )
    lines = [line for line in history_lines(record)[-count:] if count and line.points]
    page = draw_view(
        view._replace(screen=Screen.HISTORY, history=tuple(lines)), LANGUAGE, PANELS[0]
    )
    for line in lines:
        assert line.side is not None
        if f"{line.points:+d}" in page.texts:
            yield {"side": keys[line.side], "points": line.points}


def _summed(credits: Iterable[Mapping[str, Any]], key: str) -> Sums:
    sums: dict[str, int] = {}
    for credit in credits:
        sums[str(credit[key])] = sums.get(str(credit[key]), 0) + credit["points"]
    return _without_zeros(sums)


def _entry_sums(game: Game, entries: Iterable[Mapping[str, Any]]) -> Sums:
    """The points of entries by side; each of a pair gains what the pair gains."""
    pair = [side.value for side in game.rules.scoring_sides if side is not game.gallo]
    single = [
        {**entry, "side": side}
        for entry in entries
        for side in (pair if entry["side"] == "pair" else [entry["side"]])
    ]
    return _summed(single, "side")


def _slip_change(before: Record, after: Record) -> Sums:
    """What the slip has more after the press."""
    sums: dict[str, int] = {}
    for record, sign in ((before, -1), (after, 1)):
        hands = summarize_hands(record, translator(LANGUAGE)) if record.past else ()
        bets = " ".join(bet for hand in hands for bet in hand.bets)
        for letters, points in re.findall(rf"\b([ABC]+){NO_BREAK_SPACE}([+-]\d+)", bets):
            for letter in letters:
                sums[letter] = sums.get(letter, 0) + sign * int(points)
    return _without_zeros(sums)


def _scene(game: Game) -> Scene:
    return build_scene(view_of_game(game, NAMES), translator(LANGUAGE), 0)


def _of_view(record: Record, recent: list[Entry]) -> Iterator[tuple[str, Sums, bool]]:
    """The outputs that show gains for a while, and whether they may omit them."""
    game = record.game
    scene = _scene(game)
    view = scene.view
    report = _report(game, recent)
    neutral = viewer_scene(view, translator(LANGUAGE), "")
    phrases = report_phrases(neutral, report)
    amount_texts = [each["amount"] for each in phrases["reasons"]]
    yield f"board's reasons {amount_texts}", amounts(scene, amount_texts), False
    texts = [each["text"] for each in phrases["gains"]]
    yield f"gains {texts}", amounts(scene, texts, " para "), False
    has_call = view.call is not None or view.winner is not None
    live = news_text(neutral, report)
    yield f"live text {live!r}", amounts(scene, [live], " para "), has_call
    plain = render_page(
        {**report, "phrases": phrases, "table": "here"}, translator(LANGUAGE), LANGUAGE, "auto"
    )
    status = re.findall(r'<p class="now">(.*?)</p>', plain)
    yield f"plain page {status}", amounts(scene, status), has_call
    if view.screen not in (Screen.PLAYING, Screen.HAND_OVER) or decides(view):
        return
    for size in PANELS:
        texts = list(draw_view(view, LANGUAGE, size).texts)
        yield f"panel {size} {texts}", panel_amounts(scene, texts), bool(view.special)
    wall = tv.draw_view(view, LANGUAGE, TELEVISION, 0)
    assert wall is not None
    yield f"television {wall.texts}", panel_amounts(scene, list(wall.texts)), bool(view.special)


def _report(game: Game, recent: list[Entry]) -> dict[str, Any]:
    sides = game.rules.scoring_sides
    return {
        "state": {
            **state_document(game),
            "names": dict(zip(map(str, sides), NAMES, strict=False)),
        },
        "board": board_document(game, view_of_game(game, NAMES)),
        "recent": recent[-MOST_RECENT:],
        "hands": [],
        "night": None,
    }


def journal_faults(store: Path) -> Iterator[str]:
    """What is wrong with the outputs after presses in a store, undone ones too.

    A sample checks every third press.
    """
    with Archive.open(store) as archive:
        for entered in archive.games():
            timeline = Timeline(entered.game, entered.header)
            for press, rows in groupby(entered.rows, lambda row: row.press):
                lines = [row._asdict() for row in rows]
                timeline.add_rows([parse_row(line) for line in lines])
                recent = [entry for entry in timeline.entries if entry["press"] == press]
                is_back = lines[-1]["line"] in UNDOING or timeline.record.is_restored
                if not is_back and press % stride(3) == 0:
                    where = f"game {entered.game}, {[line['line'] for line in lines]}"
                    yield from (f"{where}: {each}" for each in faults(timeline.record, recent))
