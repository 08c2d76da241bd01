"""The link between a real socket of a table and a hub over TLS on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import stat
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scorer.config.hook_section import HookSection
from scorer.config.link_section import LinkSection
from scorer.hall.events import Beat, Desired, Release, RenewEpoch, Resend
from scorer.hall.joining import CardRequest, JoinState, NonceRequest, key_of
from scorer.hall.result_code import ResultCode, parse_code
from scorer.hall.wire import CallRequest, RefusedReply
from scorer.link import backoff, hub_link, joining, service
from scorer.link.membership import ATTEMPT_NAME, FILE_NAME, Membership, MembershipFile
from scorer.link.service import LinkOptions, LinkService
from scorer.system.sd_notify import Notifier
from tests.link.servers import SocketTable, TlsHub, running
from tests.link.test_hooks import Receiver
from tests.support.certificate import Certificate, make_certificate
from tests.support.coroutines import awaited_in
from tests.support.waiting import until

TOKEN = "ab" * 16


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "FIRST", 0.01)
    monkeypatch.setattr(joining, "POLL", 0.01)
    monkeypatch.setattr(hub_link, "CALL_PAUSE", 0.01)
    monkeypatch.setattr(service, "DECISION_PAUSE", 0.01)


@dataclass
class Hall:
    """A table, a hub, and a link of that table that is to be started."""

    table: SocketTable
    hub: TlsHub
    folder: Path

    async def member(self, *, pin: str = "", name: str = "Copa del club", number: int = 7) -> None:
        """Let the box belong to the hall."""
        self.hub.tokens.add(TOKEN)
        pin = pin or await self.hub.pin()
        MembershipFile(self.folder).save(Membership(self.hub.address, pin, TOKEN, name, number))

    @contextlib.asynccontextmanager
    async def link(
        self, section: LinkSection | None = None, hooks: tuple[HookSection, ...] = ()
    ) -> AsyncIterator[LinkService]:
        bus, machine = "unix:path=/nowhere", "a91c"
        options = LinkOptions(
            self.table.path, section or LinkSection(), self.folder, bus, machine, hooks
        )
        service = LinkService(options)
        task = asyncio.create_task(service.run(Notifier({})))
        try:
            yield service
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    @property
    def stream(self) -> int:
        """The number of rows at the hub."""
        return sum(map(len, self.hub.memory.streams.values()))

    def has_state(self, state: str) -> bool:
        return self.table.report.get("state") == state


@contextlib.asynccontextmanager
async def table_and_hub(tmp_path: Path, pair: Certificate) -> AsyncIterator[Hall]:
    table = SocketTable(tmp_path / "table.sock")
    table.start()
    try:
        async with running(pair) as hub:
            yield Hall(table, hub, tmp_path)
    finally:
        table.stop()


@contextlib.asynccontextmanager
async def member_of_hall(tmp_path: Path, pair: Certificate) -> AsyncIterator[Hall]:
    """A table and a hub, to which its box belongs."""
    async with table_and_hub(tmp_path, pair) as hall:
        await hall.member()
        yield hall


in_a_hall, of_a_hall = awaited_in(table_and_hub), awaited_in(member_of_hall)


@of_a_hall
async def test_what_is_pressed_reaches_the_hub(hall: Hall) -> None:
    hall.table.press(3)
    async with hall.link():
        await until(lambda: hall.stream == 3)
        hall.table.press(120)
        await until(lambda: hall.stream == 123)
        await until(lambda: hall.table.report.get("sent") == 123)
    report = hall.table.report
    assert {key: report[key] for key in ("state", "name", "table", "done", "fault")} == {
        "state": "online", "name": "Copa del club", "table": 7, "done": [], "fault": "",
    }  # fmt: skip
    rows = [row for row, _ in hall.hub.memory.streams[hall.table.memory.epoch.id]]
    assert rows == hall.table.memory.rows


@in_a_hall
async def test_names_and_numbers_of_the_hub_are_reported_as_the_table_takes_them(
    hall: Hall,
) -> None:
    await hall.member(name="Copa\x07" + "a" * 50, number=5000)
    async with hall.link():
        await until(lambda: "state" in hall.table.report)
    # The first one: the hub names another number as soon as it is greeted.
    first = hall.table.reports[0]
    assert first["name"] == "Copa" + "a" * 36
    assert "table" not in first


@of_a_hall
async def test_everything_arrives_after_the_hub_was_away(hall: Hall) -> None:
    async with hall.link():
        await until(lambda: hall.has_state("online"))
        await hall.hub.stop()
        hall.table.press(7)
        await until(lambda: hall.has_state("offline"))
        await hall.hub.start()
        await until(lambda: hall.stream == 7 and hall.has_state("online"))


@of_a_hall
async def test_everything_arrives_after_the_table_was_away(hall: Hall) -> None:
    hall.table.press(2)
    async with hall.link():
        await until(lambda: hall.stream == 2)
        await asyncio.to_thread(hall.table.stop)
        hall.table.memory.press(3)
        hall.table.start()
        await until(lambda: hall.stream == 5)


@of_a_hall
async def test_a_hub_that_closes_each_connection_loses_nothing(hall: Hall) -> None:
    hall.hub.is_closing_after_reply = True
    async with hall.link():
        for count in range(1, 20):
            hall.table.press()
            await until(lambda count=count: hall.stream == count)  # type: ignore[misc]
    assert len(hall.hub.memory.greetings) == 1


@in_a_hall
async def test_a_wrong_pin_gets_neither_token_nor_row(hall: Hall) -> None:
    await hall.member(pin="00" * 32)
    hall.table.press(3)
    before = hall.hub.connections
    async with hall.link():
        await until(lambda: hall.hub.connections >= before + 3)
    assert (hall.hub.memory.greetings, hall.stream) == ([], 0)
    assert hall.table.report["state"] == "offline"


@of_a_hall
async def test_a_revoked_token_is_reported_and_nothing_is_sent(hall: Hall) -> None:
    hall.hub.tokens.clear()
    async with hall.link():
        await until(lambda: hall.has_state("refused"))
    assert hall.stream == 0


@of_a_hall
async def test_why_the_hub_stores_nothing_is_logged_once(
    hall: Hall, capfd: pytest.CaptureFixture[str]
) -> None:
    busy, refusals = RefusedReply(503, "the disk \nis full"), 5
    hall.hub.memory.row_refusals = [busy] * refusals
    async with hall.link():
        hall.table.press()
        await until(lambda: hall.stream == 1 and hall.has_state("online"))
        assert len(hall.hub.memory.requests) > refusals
        hall.hub.tokens.clear()
        hall.table.press()
        await until(lambda: hall.has_state("refused"))
    assert capfd.readouterr().err.splitlines() == [
        "scorer link: the hub says: the disk is full",
        "scorer link: the hub stores again",
        "scorer link: the hub says: not of this hall",
    ]


@of_a_hall
async def test_a_hub_that_does_not_know_its_name_is_logged_with_the_status(
    hall: Hall, capfd: pytest.CaptureFixture[str]
) -> None:
    hall.hub.memory.refusals = [RefusedReply(421, "")]
    async with hall.link():
        await until(lambda: len(hall.hub.memory.greetings) == 1)
        await until(lambda: hall.has_state("offline"))
    assert "the hub says: the hub answered 421" in capfd.readouterr().err


@of_a_hall
async def test_decisions_reach_the_table_and_again_after_its_start(hall: Hall) -> None:
    async with hall.link():
        await until(lambda: len(hall.hub.streams) == 1)
        await hall.hub.send(Beat())
        await hall.hub.send(Desired(17, '[Match "Z2-R1-M3"]\n', True, 5400, 900, 10))
        await until(lambda: len(hall.table.decisions) == 1)
        await asyncio.to_thread(hall.table.stop)
        hall.table.start()
        await until(lambda: len(hall.table.decisions) == 2)
        await hall.hub.send(Release(18))
        await until(lambda: len(hall.table.decisions) == 3)
    first, again, release = hall.table.decisions
    assert {**first, "id": 0} == {**again, "id": 0}
    wanted = {"do": "assign", "rev": 17, "lock": True, "cap": 5400, "tolerance": 900}
    wanted["cap_start"] = 10
    assert wanted.items() <= first.items()
    assert (release["do"], release["rev"]) == ("release", 18)


@of_a_hall
async def test_a_match_that_is_called_reaches_an_address(hall: Hall) -> None:
    with Receiver().serving() as receiver:
        section = HookSection(f"http://127.0.0.1:{receiver.port}/", ("match.called",))
        async with hall.link(hooks=(section,)):
            await until(lambda: hall.stream > 0 or bool(hall.table.reports))
            hall.table.match = {
                "id": "Z1-R1-M1",
                "rev": 17,
                "phase": "offered",
                "names": ["A", "B"],
            }
            hall.table.show()
            [(_, _, body)] = await asyncio.to_thread(receiver.wait_for, 1)
    found = json.loads(body)
    assert (found["event"], found["match"]) == ("match.called", "Z1-R1-M1")
    assert (found["teams"], found["device"]) == (["A", "B"], "mesa 4")


@of_a_hall
async def test_of_many_decisions_in_a_second_the_newest_reaches_the_table(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(service, "DECISION_PAUSE", 0.5)
    async with hall.link():
        await until(lambda: len(hall.hub.streams) == 1)
        for rev in range(1, 1001):
            await hall.hub.send(Desired(rev, '[Match "Z2-R1-M3"]\n', True, None))
        await until(lambda: [each["rev"] for each in hall.table.decisions][-1:] == [1000])
        # Far fewer than were made: those of the same second are passed over.
        assert len(hall.table.decisions) < 100
    assert capfd.readouterr().err.count("decides faster than once a second") == 1


@of_a_hall
async def test_a_stale_decision_is_reported_to_its_hub_alone(
    hall: Hall, capfd: pytest.CaptureFixture[str]
) -> None:
    tag = (await hall.hub.pin())[:8]
    greetings = hall.hub.memory.greetings
    hall.table.decision = {"hall": "a1b2c3d4", "rev": 300, "digest": "ab" * 8}
    async with hall.link():
        await until(lambda: len(hall.hub.streams) == 1 and hall.has_state("online"))
        assert (greetings[-1].rev, greetings[-1].decision) == (0, ""), "of another hall"
        hall.table.decision = {**hall.table.decision, "hall": tag}
        for count in (2, 3):
            await hall.hub.send(Desired(5, '[Match "Z2-R1-M3"]\n', True, None))
            await until(lambda count=count: len(greetings) == count)  # type: ignore[misc]
        assert (greetings[-1].rev, greetings[-1].decision) == (300, "ab" * 8)
        await hall.hub.send(Desired(301, '[Match "Z2-R1-M3"]\n', True, None))
        await until(lambda: len(hall.table.decisions) == 3)
    assert {each["hall"] for each in hall.table.decisions} == {tag}
    assert len(greetings) == 3
    assert capfd.readouterr().err.count("the table refuses decision 5") == 1


@of_a_hall
async def test_the_hub_may_ask_for_everything_again_and_for_an_epoch(hall: Hall) -> None:
    hall.table.press(4)
    async with hall.link():
        await until(lambda: hall.stream == 4 and len(hall.hub.streams) == 1)
        hall.hub.memory.streams.clear()
        await hall.hub.send(Resend())
        await until(lambda: hall.stream == 4)
        await hall.hub.send(RenewEpoch(hall.table.memory.epoch.id))
        await until(lambda: len(hall.hub.memory.streams) == 2 and hall.stream == 8)


@of_a_hall
async def test_a_silent_hub_is_left(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_link, "SILENT_SECONDS", 0.1)
    async with hall.link():
        await until(lambda: len(hall.hub.memory.greetings) >= 3)


@of_a_hall
async def test_a_result_is_a_code_until_the_hub_has_its_rows(hall: Hall) -> None:
    await hall.hub.stop()
    hall.table.press(3)
    hall.table.match = {"id": "Z2-R1-M3", "rev": 17, "phase": "playing"}
    async with hall.link():
        hall.table.show()
        await until(lambda: hall.has_state("offline"))
        assert "qr" not in hall.table.report
        hall.table.match = {"id": "Z2-R1-M3", "rev": 17, "phase": "agreed"}
        hall.table.press()
        await until(lambda: "qr" in hall.table.report)
        report = hall.table.report
        address, text = report["qr"].split("/Q/")
        assert address == f"HTTPS://{hall.hub.address}".upper()
        found = parse_code(text)
        assert isinstance(found, ResultCode)
        assert found.is_signed_by(key_of(TOKEN), "Z2-R1-M3")
        assert found.result.seq == report["seq"] == 4
        assert (found.result.rev, found.result.points) == (17, (12, 9))
        await hall.hub.start()
        await until(lambda: hall.stream == 4 and "qr" not in hall.table.report)


@of_a_hall
async def test_a_call_is_repeated_until_the_hub_has_it(hall: Hall) -> None:
    await hall.hub.stop()
    async with hall.link():
        hall.table.wishes = [{"id": "0f3a9c21", "do": "call", "why": "contest", "match": None}]
        hall.table.show()
        await until(lambda: hall.has_state("offline"))
        await hall.hub.start()
        await until(lambda: hall.table.done == {"0f3a9c21"})
        await until(lambda: hall.table.report["done"] == [])
    assert hall.hub.calls == [CallRequest("0f3a9c21", "", "contest")]


# ---- joining -------------------------------------------------------------------------------------


def wish(id: str, do: str, hall: str = "") -> dict[str, str]:
    return {"id": id, "do": do, "hall": hall}


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@in_a_hall
async def test_a_box_joins_with_six_digits(hall: Hall, tmp_path: Path, umask: None) -> None:
    await hall.hub.pin()
    section = LinkSection(hub=hall.hub.address)
    hall.table.press(2)
    async with hall.link(section):
        await until(lambda: hall.has_state("alone"))
        hall.table.wishes = [wish("00000001", "find")]
        hall.table.show()
        await until(lambda: "halls" in hall.table.report)
        (found,) = hall.table.report["halls"]
        hall.table.wishes = [wish("00000002", "join", found["id"])]
        hall.table.show()
        await until(lambda: bool(hall.hub.digits))
        await until(lambda: hall.table.report.get("digits") == hall.hub.digits)
        assert hall.has_state("joining")
        hall.hub.decision = JoinState.ACCEPTED
        hall.table.say_same(hall.hub.digits)
        await until(lambda: (tmp_path / FILE_NAME).exists())
        member = MembershipFile(tmp_path).newest
        assert member is not None and hall.hub.knows(member.token)
        await until(lambda: hall.table.done == {"00000002"})
    async with hall.link(section):
        await until(lambda: hall.stream == 2 and hall.has_state("online"))
    assert hall.table.report["name"] == "Copa del club"
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


@in_a_hall
async def test_a_hub_that_accepts_at_once_has_no_box_before_the_panel_says_so(
    hall: Hall, tmp_path: Path
) -> None:
    """link.md#proof: the panel compares as well, and its digits stay until QUIERO."""
    await hall.hub.pin()
    hall.hub.decision = JoinState.ACCEPTED
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    async with hall.link():
        hall.table.show()
        await until(lambda: "digits" in hall.table.report)
        digits = hall.table.report["digits"]
        hall.table.say_same(f"{(int(digits) + 1) % 10**6:06}")  # those of an attempt before
        hall.table.press(3)
        await asyncio.sleep(20 * joining.POLL)
        assert (hall.table.report["state"], hall.table.report["digits"]) == ("joining", digits)
        assert not (tmp_path / FILE_NAME).exists() and not hall.hub.memory.streams
        hall.table.say_same(digits)
        await until(lambda: hall.stream == 3 and hall.has_state("online"))


@pytest.mark.parametrize(
    ("decision", "fault"), [(JoinState.ACCEPTED, "expired"), (JoinState.REFUSED, "denied")]
)
@in_a_hall
async def test_a_box_that_the_panel_does_not_compare_or_the_desk_refuses_stays_alone(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, decision: JoinState, fault: str
) -> None:
    monkeypatch.setattr(joining, "PATIENCE", 0.3)
    await hall.hub.pin()
    hall.hub.decision = decision
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    async with hall.link():
        hall.table.show()
        await until(lambda: hall.table.done == {"00000002"})
    assert (hall.table.report["state"], hall.table.report["fault"]) == ("alone", fault)


@in_a_hall
async def test_a_hub_that_is_full_says_how_long_to_wait(hall: Hall) -> None:
    await hall.hub.pin()
    hall.hub.decision, hall.hub.wait = JoinState.REFUSED, 510
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    async with hall.link():
        hall.table.show()
        await until(lambda: hall.table.done == {"00000002"})
    assert (hall.table.report["fault"], hall.table.report["wait"]) == ("full", 9)


@in_a_hall
async def test_a_hub_that_opens_another_nonce_sees_no_second_one_of_the_box(hall: Hall) -> None:
    """A third party that tries until the digits agree has one try for each press."""
    await hall.hub.pin()
    hall.hub.hub_nonce = "6b" * 16
    for id in ("00000002", "00000003"):
        hall.table.wishes = [wish(id, "join", hall.hub.address)]
        # Each restart of the link is shown the same wish.
        hall.table.done.clear()
        async with hall.link():
            hall.table.show()
            await until(lambda: bool(hall.table.done))
        assert hall.table.report["fault"] == "failed"
        assert not any("digits" in report for report in hall.table.reports)
    assert len(nonces_sent(hall)) == 2


@pytest.mark.parametrize("folder", ["kept", "full"])
@in_a_hall
async def test_no_restart_repeats_an_attempt(
    hall: Hall, tmp_path: Path, capfd: pytest.CaptureFixture[str], folder: str
) -> None:
    await hall.hub.pin()
    if folder == "full":
        (tmp_path / f"{ATTEMPT_NAME}.new").mkdir()
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    if folder == "kept":
        async with hall.link():
            hall.table.show()
            await until(lambda: "digits" in hall.table.report)
    for _ in range(3):
        hall.table.done.clear()
        hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
        async with hall.link():
            hall.table.show()
            await until(lambda: hall.table.done == {"00000002"})
        assert hall.table.report["fault"] == "failed"
    assert len(nonces_sent(hall)) == (1 if folder == "kept" else 0)
    said = capfd.readouterr().err
    assert ("it cannot be stored" if folder == "full" else "was interrupted") in said


@in_a_hall
async def test_no_lost_answer_repeats_an_attempt(hall: Hall) -> None:
    await hall.hub.pin()
    hall.hub.is_silent_after_nonce = True
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    async with hall.link():
        hall.table.show()
        await until(lambda: hall.table.done == {"00000002"})
    assert hall.table.report["fault"] == "unreachable"
    assert len(nonces_sent(hall)) == 1


def nonces_sent(hall: Hall) -> list[NonceRequest]:
    return [each for each in hall.hub.join_requests if isinstance(each, NonceRequest)]


@in_a_hall
async def test_a_withdrawn_wish_ends_joining(hall: Hall, tmp_path: Path) -> None:
    await hall.hub.pin()
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    async with hall.link():
        hall.table.show()
        await until(lambda: "digits" in hall.table.report)
        hall.table.wishes = []
        hall.table.show()
        await until(lambda: hall.has_state("alone"))
        hall.hub.decision = JoinState.ACCEPTED
    assert not (tmp_path / FILE_NAME).exists()


@in_a_hall
async def test_a_hub_that_is_not_there_is_reported(hall: Hall) -> None:
    await hall.hub.stop()
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    async with hall.link():
        hall.table.show()
        await until(lambda: hall.table.report.get("fault") == "unreachable")


@of_a_hall
async def test_a_box_leaves_its_hall(hall: Hall, tmp_path: Path) -> None:
    async with hall.link():
        await until(lambda: hall.has_state("online"))
        hall.table.wishes = [wish("00000003", "leave")]
        hall.table.show()
        await until(lambda: hall.has_state("alone"))
    assert MembershipFile(tmp_path).newest is None


@in_a_hall
async def test_a_hall_that_cannot_be_stored_counts_as_long_as_the_process_runs(
    hall: Hall, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    await hall.hub.pin()
    hall.table.compares = True
    hall.hub.decision = JoinState.ACCEPTED
    (tmp_path / f"{FILE_NAME}.new").mkdir()
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    async with hall.link():
        hall.table.show()
        await until(lambda: hall.has_state("online"))
    assert "the hall cannot be stored: Is a directory" in capfd.readouterr().err


@in_a_hall
async def test_a_box_that_has_left_takes_nothing_of_its_old_hall_into_the_next(hall: Hall) -> None:
    hub, table = hall.hub, hall.table
    hub.cards.add("cd" * 16)
    async with hall.link(LinkSection(hub.address, await hub.pin(), "cd" * 16)):
        await until(lambda: len(hub.streams) == 1)
        await hub.send(Desired(17, '[Match "Z2-R1-M3"]\n', True, None))
        await until(lambda: len(table.decisions) == 1)
        table.wishes = [wish("00000003", "leave")]
        table.show()
        await until(lambda: hall.has_state("alone"))
        table.compares = True
        table.wishes = [wish("00000004", "join", hub.address)]
        table.show()
        await until(lambda: table.done >= {"00000004"} and hall.has_state("online"))
        await asyncio.to_thread(table.stop)
        table.start()
        table.press()
        await until(lambda: hall.stream == 1)
    # Neither its card nor the decision that it has heard counts again.
    assert sum(isinstance(each, CardRequest) for each in hub.join_requests) == 1
    assert len(table.decisions) == 1


@in_a_hall
async def test_a_box_with_a_card_of_a_lost_hub_joins_the_new_one(hall: Hall) -> None:
    await hall.hub.pin()
    hall.table.compares = True
    hall.hub.decision = JoinState.ACCEPTED
    card = LinkSection(hall.hub.address, pin="ab" * 32, key="cd" * 16)
    hall.table.wishes = [wish("00000002", "join", hall.hub.address)]
    async with hall.link(card):
        hall.table.show()
        await until(lambda: hall.has_state("online"))
    async with hall.link(card):
        await until(lambda: hall.has_state("online"))


@in_a_hall
async def test_a_card_joins_without_a_press_and_counts_once(hall: Hall, tmp_path: Path) -> None:
    card = "cd" * 16
    hall.hub.cards.add(card)
    section = LinkSection(hall.hub.address, await hall.hub.pin(), card)
    async with hall.link(section):
        await until(lambda: (tmp_path / FILE_NAME).exists())
    member = MembershipFile(tmp_path).newest
    assert member is not None and hall.hub.knows(member.token)
    async with hall.link(section):
        await until(lambda: hall.has_state("online"))
    assert len(hall.hub.join_requests) == 1


@in_a_hall
async def test_a_card_counts_for_a_box_that_was_killed_while_it_joined(hall: Hall) -> None:
    section = LinkSection(hall.hub.address, await hall.hub.pin(), "cd" * 16)
    async with hall.link(section):
        await until(lambda: len(hall.hub.join_requests) == 1)
    async with hall.link(section):
        await until(lambda: len(hall.hub.join_requests) == 2)
    first, second = hall.hub.join_requests
    assert first == second, "the hub knows the box by its key"


@in_a_hall
async def test_another_card_moves_the_box(hall: Hall, tmp_path: Path) -> None:
    hall.hub.cards |= {"cd" * 16, "ef" * 16}
    tokens = set()
    for card in ("cd" * 16, "ef" * 16):
        async with hall.link(LinkSection(hall.hub.address, await hall.hub.pin(), card)):
            await until(lambda card=card: card not in hall.hub.cards)  # type: ignore[misc]
            await until(lambda: hall.table.report.get("state") != "alone")
        member = MembershipFile(tmp_path).newest
        assert member is not None
        tokens.add(member.token)
    assert len(tokens) == 2


@of_a_hall
async def test_a_token_of_the_hub_replaces_the_old_one(hall: Hall, tmp_path: Path) -> None:
    new = "ef" * 16
    hall.hub.memory.token = new
    hall.hub.tokens.add(new)
    async with hall.link():
        await until(lambda: hall.has_state("online"))
        await until(lambda: getattr(MembershipFile(tmp_path).newest, "token", "") == new)
        hall.hub.tokens.discard(TOKEN)
        hall.table.press()
        await until(lambda: hall.stream == 1)
