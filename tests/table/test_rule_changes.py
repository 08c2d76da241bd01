"""A change of rules that is chosen in a game is stored and logged."""

from __future__ import annotations

from pathlib import Path

from scorer.rules import Rules
from scorer.session.setup.effects import ChangeRules
from scorer.session.values.shown import ChangeStart
from scorer.table.hooks import TableHooks
from tests.session.rig import menu_press
from tests.session.test_rule_changes import other_rules
from tests.support.in_process_table import InProcessTable, table_in_process


def choose(table: InProcessTable, rules: Rules) -> None:
    effect = ChangeRules(rules, ChangeStart.HAND)
    reaction = effect.run(table.table.session, menu_press(table.now))
    table.table.commit(reaction, "A", table.now)


def test_a_chosen_change_survives_a_power_cut(tmp_path: Path) -> None:
    log: list[str] = []
    with table_in_process(tmp_path, hooks=TableHooks(log=log.append)) as table:
        (rules, *_) = other_rules(table.table.session.rules)
        choose(table, rules)
    assert log[-1] == "set-up: a change of rules was chosen, by A"
    with table_in_process(tmp_path) as table:
        change = table.table.session.game.change
        assert change is not None and change.rules == rules
