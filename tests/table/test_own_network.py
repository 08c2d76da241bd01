"""The own Wi-Fi at the table: the choice of set-up, and notices."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from scorer.api.web_status import JOIN_FAULTS
from scorer.display import draw_view
from scorer.i18n import languages
from scorer.session.play.timers import show_notice
from scorer.session.values.keys import NoticeKey
from scorer.session.values.settings import TableSection
from scorer.session.values.shown import LinkState, LinkView
from scorer.session.values.state import Session
from scorer.session.view.build_view import view_of
from scorer.system.wifi.requests import parse
from scorer.system.wifi.watch_request import MAX_LINE_BYTES, WATCH_VALID_S, WatchRequest
from scorer.table.network_client import NetworkClient, network_socket_path
from scorer.table.own_network import REPEAT_S, OwnNetwork, link_notice
from tests.session.rig import SessionRig

KNOWN = LinkView(LinkState.ONLINE, "http://192.168.1.7:8080/", wifi="Bar")
OWN = LinkView(LinkState.ONLINE, "http://10.42.0.1:8080/", "", "Truco-7F3A", 0, "kx7m2p9dae")


def session_of(*lines: str, own_wifi: bool = True) -> Session:
    made = SessionRig()
    made.do(*lines)
    settings = made.session.settings
    table = settings.table._replace(own_wifi=own_wifi)
    return made.session._replace(settings=settings._replace(table=table))


PLAYING = ("A truco", "B no_quiero")


def test_by_default_the_choice_is_off_and_nothing_is_sent() -> None:
    told: list[WatchRequest] = []
    guest = OwnNetwork(told.append)
    guest.tick(session_of(own_wifi=False), 0.0)
    assert TableSection().own_wifi is False
    assert (told, guest.deadline()) == ([], None)


def test_the_choice_is_sent_again_well_before_it_lapses() -> None:
    told: list[WatchRequest] = []
    guest = OwnNetwork(told.append)
    guest.tick(session_of(), 0.0)
    guest.tick(session_of(), REPEAT_S - 1)
    assert told == [WatchRequest(is_on=True)] and guest.deadline() == REPEAT_S
    guest.tick(session_of(), REPEAT_S)
    assert told == 2 * [WatchRequest(is_on=True)]
    assert 2 * REPEAT_S < WATCH_VALID_S, "one request may be lost"


def test_a_game_that_begins_and_a_choice_taken_back_are_sent_at_once() -> None:
    told: list[WatchRequest] = []
    guest = OwnNetwork(told.append)
    guest.tick(session_of(), 0.0)
    guest.tick(session_of(*PLAYING), 1.0)
    guest.tick(session_of(*PLAYING, own_wifi=False), 2.0)
    assert told[1:] == [WatchRequest(is_on=True, is_playing=True), WatchRequest(is_on=False)]
    assert guest.deadline() is None


@pytest.mark.parametrize(
    ("before", "after", "key", "word"),
    [
        (OWN, OWN._replace(target="Bar"), NoticeKey.WIFI_CLOSING, "Bar"),
        (
            OWN._replace(target="Bar"),
            OWN._replace(target="Bar", fault=LinkState.PASSWORD),
            NoticeKey.WIFI_PASSWORD,
            "Bar",
        ),
        (KNOWN, OWN._replace(target="Bar", fault=LinkState.ABSENT), NoticeKey.WIFI_ABSENT, "Bar"),
        (KNOWN, OWN._replace(target="Bar", fault=LinkState.FAILED), NoticeKey.WIFI_FAILED, "Bar"),
        (KNOWN, OWN, NoticeKey.WIFI_OPENED, "Truco-7F3A"),
    ],
)
def test_the_panel_shows_what_becomes_of_the_network_during_a_game(
    before: LinkView, after: LinkView, key: NoticeKey, word: str
) -> None:
    session = session_of(*PLAYING)
    notice = link_notice(before, after, session)
    assert notice is not None and (notice.key, notice.word) == (key, word)
    assert link_notice(after, after._replace(clients=3), session) is None, "once"


@pytest.mark.parametrize("size", [(128, 64), (128, 32), (96, 64)])
@pytest.mark.parametrize("name", ["W" * 32, "🃏 truco 🃏", "ñ" * 16, "el \"bar\" de 'Tito'"])
@pytest.mark.parametrize("fault", [None, *JOIN_FAULTS[1:]])
def test_a_network_of_any_name_fits_the_panels(
    size: tuple[int, int], name: str, fault: LinkState | None
) -> None:
    session = session_of(*PLAYING)
    notice = link_notice(OWN, OWN._replace(target=name, fault=fault), session)
    assert notice is not None
    view = view_of(show_notice(session, notice, session.now))
    for language in languages():
        assert draw_view(view, language, size).overflow == []


def test_without_a_game_an_opened_network_is_no_news() -> None:
    assert link_notice(KNOWN, OWN, session_of()) is None


@pytest.mark.parametrize("after", [KNOWN, KNOWN._replace(wifi="Otro"), LinkView()])
def test_a_usual_change_of_the_network_gives_no_notice(after: LinkView) -> None:
    assert link_notice(OWN, after, session_of(*PLAYING)) is None


def test_the_client_sends_the_newest_choice_and_survives_a_missing_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = network_socket_path(tmp_path / "table.sock")
    client = NetworkClient(path)
    client.tell(WatchRequest(is_on=True))
    client.wait()
    assert "scorer-network.socket" in capsys.readouterr().err
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.settimeout(30)
        client.tell(WatchRequest(is_on=True, is_playing=True))
        connection, _ = listener.accept()
        with connection:
            line = connection.recv(MAX_LINE_BYTES)
            connection.sendall(b'{"ok": true}\n')
    client.wait()
    assert parse(line) == WatchRequest(is_on=True, is_playing=True)
