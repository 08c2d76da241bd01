"""The perft counts of every variant equal their reviewed pins.

A failure means that a rule of calling (the counts), the points (pay) or anything else about the
steps (the digest) has changed. If intended, write the pin again and review the difference.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scorer.commands.perft import main, pin_folder
from scorer.rules import Start, Variant, find_variant, new_game, rules_for, variant_ids
from scorer.rules.perft import core_state, perft, states
from scorer.rules.perft_pins import PinnedStart, other_values, pin_block, pinned_starts
from tests.rules.notation import deal

PINNED = [
    (find_variant(name), start)
    for name in variant_ids()
    for start in pinned_starts(find_variant(name))
]


def pins(variant: Variant) -> dict[str, str]:
    """The blocks of a pin file by their first line."""
    path = pin_folder() / f"{variant.id}.perft"
    if not path.exists():
        pytest.fail(f"{variant.id} has no pin: run  scorer perft {variant.id} --write  and read it")
    blocks = path.read_text(encoding="utf-8").split("\n\n")[1:]
    return {text.splitlines()[0]: text.rstrip("\n") + "\n" for text in blocks}


@pytest.mark.sampled(0)  # `make perft` counts them: articles and laws find the same faults sooner
@pytest.mark.parametrize(
    ("variant", "start"), PINNED, ids=[f"{v.id}: {s.name(v)}" for v, s in PINNED]
)
def test_every_line_of_a_hand_is_as_pinned(variant: Variant, start: PinnedStart) -> None:
    pinned = pins(variant).get(start.name(variant))
    hint = f"if the change is meant: scorer perft {variant.id} --write"
    assert pinned is not None, f"no pin for {start.name(variant)}; {hint}"
    assert pin_block(variant, start) == pinned, hint


@pytest.mark.parametrize("name", variant_ids())
def test_nothing_is_pinned_that_is_not_counted_any_more(name: str) -> None:
    variant = find_variant(name)
    assert list(pins(variant)) == [start.name(variant) for start in pinned_starts(variant)]


def test_every_pin_belongs_to_a_variant() -> None:
    others = {path.stem for path in pin_folder().glob("*.perft")} - set(variant_ids())
    assert not others, f"remove tests/rules/perft/*.perft of {sorted(others)}"


@pytest.mark.parametrize("name", variant_ids())
def test_every_value_of_every_option_is_pinned(name: str) -> None:
    variant = find_variant(name)
    pinned = {pair for start in pinned_starts(variant) for pair in start.options}
    assert pinned == {(o.key, value) for o in variant.options for value in other_values(o)}


def test_the_states_walked_are_the_states_counted() -> None:
    game = deal("argentine", "15-16")
    walk = [core_state(state) for state in states(game)]
    assert len(walk) == len(set(walk)) == perft(game).states


def sharper_vale_cuatro() -> Variant:
    argentine = find_variant("argentine")
    ((name, (*rungs, last)),) = argentine.ladders
    return replace(argentine, ladders=((name, (*rungs, last._replace(value=5))),))


def test_a_wrong_value_changes_pay_and_digest_but_no_count() -> None:
    sharper = new_game(Start(rules_for(sharper_vale_cuatro())))
    right, wrong = perft(deal("argentine")), perft(sharper)
    assert (wrong.edges, wrong.lines) == (right.edges, right.lines)
    assert wrong.payoffs != right.payoffs
    assert wrong.digest != right.digest


def test_only_the_digest_sees_to_whom_the_points_go() -> None:
    """Paying the loser of every bet would leave the counts unchanged."""
    right, mirrored = perft(deal("argentine", "29-28")), perft(deal("argentine", "28-29"))
    assert (mirrored.states, mirrored.lines) == (right.states, right.lines)
    assert mirrored.digest != right.digest


def test_the_command_shows_what_it_would_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paulista"]) == 0
    shown = capsys.readouterr().out
    assert shown == (pin_folder() / "paulista.perft").read_text(encoding="utf-8")


def test_the_command_names_the_nearest_variant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paulsta"]) == 2
    assert "paulista" in capsys.readouterr().err


def test_the_command_writes_only_in_a_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scorer.commands.perft.pin_folder", lambda: tmp_path / "no" / "checkout")
    assert main(["mineiro", "--write"]) == 2
    assert "checkout" in capsys.readouterr().err
    monkeypatch.setattr("scorer.commands.perft.pin_folder", lambda: tmp_path)
    assert main(["mineiro", "--write"]) == 0
    assert (tmp_path / "mineiro.perft").exists()
