"""A restored copy is older than a tournament whose games the boxes have."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.hall import wire
from scorer.hall.rows import Opening
from tests.hub.boxes import greet, row, rows_message
from tests.hub.hub_process import running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, Table, begin, is_official, join


def lines(director: Director, language: str = "es-AR") -> list[str]:
    troubles = director.client.get(f"/desk/state?lang={language}").document["troubles"]
    return [each["line"] for each in troubles if each["kind"] == "games"]


def send_again(table: Table, header: str) -> None:
    """The box greets the hub that has lost its rows, and sends them again."""
    opening = Opening(1, 1, header)
    table.box.client = table.hub.client()
    answer = table.box.client.post(
        wire.GREET_PATH, wire.encode(greet(3, table.prev)), table.box.token
    )
    assert (answer.status, answer.document["last"]) == (200, 0)
    played = [row(1, "A award 30"), row(2, "A agree"), row(3, "B agree")]
    rows = [each._replace(trusted=False) for each in played]
    message = rows_message(rows, openings=(opening,))
    assert (
        table.box.client.post(wire.ROWS_PATH, wire.encode(message), table.box.token).status == 200
    )


@pytest.mark.sampled(0)
def test_games_of_a_lost_tournament_are_named_until_they_are_left_or_known(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub", 'name = "Club"') as hub:
        director = Director(hub, log_in(hub))
        tables = join(director, [1, 2])
        assert hub.run("backup", str(tmp_path / "old")).returncode == 0
        begin(director)
        headers = []
        for table in tables:
            match = director.tournament["queue"][0]["id"]
            director.act("t.call", match=match, device=table.device)
            headers.append(table.assigned()["header"])
            table.play("A award 30", "A agree", "B agree")
            wait_for(lambda match=match: is_official(director, match))  # type: ignore[misc]
        assert lines(director) == []
        assert hub.run("backup", str(tmp_path / "new")).returncode == 0
        hub.stop()
        assert hub.run("restore", str(tmp_path / "old")).returncode == 0
        hub.start()
        director = Director(hub, log_in(hub))
        assert lines(director) == []
        send_again(tables[0], headers[0])
        wait_for(lambda: lines(director) == ["Hay partidas de un encuentro que este hub no conoce"])
        send_again(tables[1], headers[1])
        wait_for(lambda: lines(director) == ["Hay partidas de 2 encuentros que este hub no conoce"])
        assert lines(director, "en") == ["Games of 2 matches that this hub does not know"]
        # So after a restart, and not after a newer copy.
        for copy, count in (("", 1), ("new", 0)):
            hub.stop()
            if copy:
                assert hub.run("restore", str(tmp_path / copy)).returncode == 0
            hub.start()
            director = Director(hub, log_in(hub))
            assert len(lines(director)) == count
        hub.stop()
        assert hub.run("restore", str(tmp_path / "old")).returncode == 0
        hub.start()
        director = Director(hub, log_in(hub))
        send_again(tables[0], headers[0])
        wait_for(lambda: len(lines(director)) == 1)
        director.act("leave_games")
        assert lines(director) == []
        assert director.refused("leave_games") == "resolved"
        # The answer stays; another game that is unknown is named again.
        hub.stop()
        hub.start()
        director = Director(hub, log_in(hub))
        assert lines(director) == []
        send_again(tables[1], headers[1])
        wait_for(lambda: len(lines(director)) == 1)


@pytest.mark.sampled(0)
def test_games_of_a_tournament_that_is_there_wait_for_their_call(tmp_path: Path) -> None:
    """The copy is older than the call alone: the match is in the queue, and goes on."""
    with running_hub(tmp_path / "hub", 'name = "Club"') as hub:
        director = Director(hub, log_in(hub))
        (table,) = join(director, [1])
        begin(director)
        assert hub.run("backup", str(tmp_path / "old")).returncode == 0
        match = director.tournament["queue"][0]["id"]
        director.act("t.call", match=match, device=table.device)
        header = table.assigned()["header"]
        table.play("A award 30", "A agree", "B agree")
        wait_for(lambda: is_official(director, match))
        hub.stop()
        assert hub.run("restore", str(tmp_path / "old")).returncode == 0
        hub.start()
        director = Director(hub, log_in(hub))
        send_again(table, header)
        assert lines(director) == []
        director.act("t.call", match=match, device=table.device)
        wait_for(lambda: is_official(director, match))
        assert lines(director) == []
