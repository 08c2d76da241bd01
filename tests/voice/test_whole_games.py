"""What reaches the synthesiser over whole games of every variant."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scorer.rules import Action, Header, header_text, read_sheet, step_text
from scorer.session.values.record import Record, append_press, new_record
from tests.paths import GAMES
from tests.sampling import sample
from tests.voice.panel_texts import added, missing
from tests.voice.speaking_table import SpeakingTable

NAMES = ("Los Pibes", "La Yunta", "Ana")
LANGUAGES = {
    "argentine_evening": "es-AR",
    "argentine_series": "en",
    "br_general": "pt-BR",
    "destantado": "es-AR",
    "flor_and_fouls": "ca",
    "gaucho": "pt-BR",
    "mano_put_right": "es-AR",
    "mineiro": "pt-BR",
    "pata_gallo": "es-AR",
    "paulista_fold_on_the_series": "pt-BR",
    "paulista_series": "pt-BR",
    "pica_pica": "en",
    "uruguayan": "es-UY",
    "valencian": "ca",
    "venezuelan": "es-VE",
}
# Of these the voice says the score, or no news of bets and points.
_NO_NEWS = (Action.UNDO, Action.REDO, Action.MANO, Action.CORRECT)


def read_game(name: str) -> tuple[Header, list[tuple[str, Record]]]:
    """The header of a sheet, and each step with the game after it."""
    with (GAMES / f"{name}.truco").open("rb") as file:
        header, *lines = read_sheet(file)
    assert isinstance(header, Header)
    record, found = new_record(header.game()), list[tuple[str, Record]]()
    for line in lines:
        assert not isinstance(line, Header)
        after = append_press(record, (line.step,))
        if isinstance(after, Record):  # a sheet also has refused steps
            record = after
            found.append((step_text(line.step), record))
    return header, found


async def spoken(path: Path, name: str) -> list[str]:
    """What the synthesiser gets after each step."""
    header, steps = read_game(name)
    speaking = SpeakingTable(path)
    sides = tuple(map(str, steps[0][1].game.rules.scoring_sides))
    speaking.table.language = LANGUAGES[name]
    speaking.table.begin(header_text(header.tags), dict(zip(sides, NAMES, strict=False)))
    speaking.table.start()
    heard = []
    try:
        async with speaking.voice():
            for line, _ in steps:
                speaking.synthesiser.texts.clear()
                await speaking.press(line)
                heard.append(" ".join(speaking.synthesiser.texts))
    finally:
        speaking.table.stop()
    return heard


def test_every_game_of_the_rules_has_a_language() -> None:
    assert set(LANGUAGES) == {path.stem for path in GAMES.iterdir()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", sample(LANGUAGES, 3))
def test_the_synthesiser_gets_what_the_panel_shows(name: str, tmp_path: Path) -> None:
    heard = asyncio.run(spoken(tmp_path / "table-read.sock", name))
    _, steps = read_game(name)
    language, wrong = LANGUAGES[name], list[tuple[str, str, str]]()
    for text, (line, record) in zip(heard, steps, strict=True):
        names = NAMES[: len(record.game.rules.scoring_sides)]
        if not {*_NO_NEWS}.isdisjoint(line.split()) or not record.past:
            continue
        unsaid = missing(text, record, language, names)
        wrong += [(line, text, f"{each} is not said") for each in unsaid]
        more = sorted(added(text, record, language, names))
        wrong += [(line, text, f"{each} is not shown") for each in more]
    assert not wrong, "\n" + "\n".join(map(str, wrong))
