"""``scorer hub --demo``: start a practice hall, print where it is, end it."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, redirect_stderr
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from scorer.api.rights import Right, socket_path
from scorer.config.link_section import HUB_PORT, LinkSection
from scorer.demo.table_process import TableCommand, TableEnded
from scorer.hub.page_addresses import own_address
from scorer.i18n import Say, terminal_language, translator
from scorer.i18n.argument import parse_language
from scorer.link.service import LinkOptions, LinkService
from scorer.practice_hall.club import PERSON, Club, PracticeGame, open_club
from scorer.practice_hall.practice_table import PracticeTable
from scorer.rules import find_variant
from scorer.serving.listen_address import parse_address
from scorer.serving.service_loop import run_until_signal
from scorer.session.values.countries import country_of
from scorer.system.sd_notify import Notifier

WALL_PORT: Final = 8090
TABLES: Final = 8
_MOST_TABLES: Final = 32
_LEAST_TARGET: Final = 12  # the shortest match takes some minutes
_HERE: Final = "127.0.0.1"
_EVERYWHERE: Final = "0.0.0.0"
_PATIENCE: Final = 15.0  # seconds for the hub to end
_PACE: Final = 1.0  # seconds between two looks at the processes


class RunningHub(NamedTuple):
    """The hub, its address, and the ports of viewers and of desk and boxes."""

    process: subprocess.Popen[str]
    host: str
    wall: int
    desk: int


def main(argv: list[str]) -> int:
    """0: ended by a signal; 1: a process has ended by itself; 2: usage error."""
    parser = argparse.ArgumentParser(
        prog="scorer hub --demo",
        description="Run a practice hall: simulated tables that play a tournament by themselves.",
    )
    add = parser.add_argument
    add("--tables", type=int, choices=range(1, _MOST_TABLES + 1), default=TABLES, metavar="N",
        help="(%(default)s)")  # fmt: skip
    add("--language", type=parse_language, metavar="L", help="of hall and tables (that of LANG)")
    add("--listen", type=parse_address, metavar="IP:PORT", help=f"of the wall (:{WALL_PORT})")
    add("--secure", type=parse_address, metavar="IP:PORT", help=f"of the desk (:{HUB_PORT})")
    add("--speed", type=float, default=1.0, metavar="N", help="1 is the pace of people")
    add("--seconds", type=float, default=0.0, help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    arguments.language = arguments.language or terminal_language(os.environ)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)
    with tempfile.TemporaryDirectory(prefix="scorer-hall-") as name:
        try:
            return _run(Path(name), arguments)
        except (OSError, TableEnded) as error:
            print(f"scorer hub --demo: {error}", file=sys.stderr)
            return 1


def _run(folder: Path, arguments: argparse.Namespace) -> int:
    say = translator(arguments.language)
    game = _game(arguments.language, say)
    club = open_club(folder / "hub", arguments.tables, game)
    with ExitStack() as stack:
        hub = stack.enter_context(_running_hub(folder, arguments, say))
        _tell(hub, club, arguments.tables, say)
        tables = [
            PracticeTable(
                folder / f"table-{number}",
                number,
                TableCommand(game.variant, "", arguments.language, "full", 1, ""),
                arguments.speed,
            )
            for number in range(1, arguments.tables + 1)
        ]
        # Each is closed after all have begun to end.
        pool = stack.enter_context(ThreadPoolExecutor(len(tables)))
        stack.callback(lambda: [*pool.map(PracticeTable.close, tables)])
        for _ in pool.map(PracticeTable.start, tables):
            continue
        log = stack.enter_context((folder / "links-log.txt").open("w", encoding="utf-8"))
        evening = _Evening(hub.process, tables, arguments.seconds)
        with redirect_stderr(log):
            links = _links(folder, tables, club, f"{_HERE}:{hub.desk}")
            run_until_signal(evening.run(links), Notifier())
    if evening.problem:
        print(f"scorer hub --demo: {evening.problem}", file=sys.stderr)
    return 1 if evening.problem else 0


def _game(language: str, say: Say) -> PracticeGame:
    """The truco of the language, to the shortest target that is no handful of points."""
    variant = find_variant(country_of(language).proposed)
    option = variant.option("target")
    assert option is not None
    values = option.choices or range(option.low, option.high + 1, option.step)
    target = min(int(each) for each in values if int(each) >= _LEAST_TARGET)
    return PracticeGame(variant.id, target, say("practice.title"))


def _free(port: int) -> tuple[str, int]:
    """Every address of this machine; any port while another program has this one."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_EVERYWHERE, port))
        except OSError:
            return _EVERYWHERE, 0
    return _EVERYWHERE, port


@contextmanager
def _running_hub(folder: Path, arguments: argparse.Namespace, say: Say) -> Iterator[RunningHub]:
    """The hub, which serves; it is ended after the block. Raises OSError."""
    wall, desk = arguments.listen or _free(WALL_PORT), arguments.secure or _free(HUB_PORT)
    config = folder / "scorer.toml"
    name, language = say("practice.hall"), arguments.language
    config.write_text(f'[hub]\nname = "{name}"\n[table]\nlanguage = "{language}"\n', "utf-8")
    words = [sys.executable, "-m", "scorer", "hub", "--config", str(config)]
    words += ["--card", str(folder / "no-card.toml"), "--state", str(folder / "hub")]
    words += ["--listen", "{}:{}".format(*wall), "--secure", "{}:{}".format(*desk)]
    with (folder / "hub-log.txt").open("w+", encoding="utf-8") as log:
        # A session of its own: Ctrl-C is answered here.
        hub = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        )
        assert hub.stdout is not None
        try:
            said = "".join(hub.stdout.readline() for _ in range(3))
            ports = re.findall(r"https?://\S+:(\d+)/", said)
            if len(ports) != 2:
                log.seek(0)
                raise OSError(log.read().strip() or "the hub has ended")
            yield RunningHub(hub, wall[0], int(ports[0]), int(ports[1]))
        finally:
            hub.terminate()
            try:
                hub.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                hub.kill()
                hub.wait()
            hub.stdout.close()


def _links(
    folder: Path, tables: Sequence[PracticeTable], club: Club, hub: str
) -> list[LinkService]:
    """A link for each table, in this process; ``hub``: where it is reached."""
    made = []
    for table, key in zip(tables, club.keys, strict=True):
        state = folder / f"link-{table.number}"
        state.mkdir()
        where = socket_path(table.socket, Right.HALL)
        link, machine = LinkSection(hub, club.pin, key), f"practice {table.number}"
        made.append(LinkService(LinkOptions(where, link, state, machine=machine)))
    return made


def _on_signal(number: int, frame: object) -> NoReturn:
    # A normal exit: hub and tables are ended, and the folder is removed.
    raise SystemExit(128 + number)


class _Evening:
    """The time until a signal, or until a process has ended."""

    def __init__(
        self, hub: subprocess.Popen[str], tables: Sequence[PracticeTable], seconds: float
    ) -> None:
        """``seconds``: after which it ends by itself; 0: never."""
        self._hub, self._tables, self._seconds = hub, tables, seconds
        self.problem = ""

    async def run(self, links: Sequence[LinkService]) -> None:
        """Serve the links."""
        running = [asyncio.create_task(each.run(Notifier())) for each in links]
        running.append(asyncio.create_task(self._watch()))
        try:
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()
        finally:
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _watch(self) -> None:
        """Return when the time is over or a process has ended."""
        loop = asyncio.get_running_loop()
        until = loop.time() + (self._seconds or float("inf"))
        while loop.time() < until and not self.problem:
            await asyncio.sleep(_PACE)
            ended = [
                f"table {each.number}: {each.problem}" for each in self._tables if each.problem
            ]
            if self._hub.poll() is not None:
                ended.append("the hub has ended")
            self.problem = "; ".join(ended)


def _tell(hub: RunningHub, club: Club, tables: int, say: Say) -> None:
    """Say where the hall is, and open its wall and desk where there is a screen."""
    here = _HERE if hub.host == _EVERYWHERE else hub.host
    wall, desk = f"http://{here}:{hub.wall}/", f"https://{here}:{hub.desk}/desk"
    print(say("practice.begun", n=tables))
    print(say("practice.wall", address=wall))
    print(say("practice.screen", address=f"{wall}tv"))
    if hub.host == _EVERYWHERE:
        print(say("practice.phones", address=f"http://{own_address()}:{hub.wall}/e/"))
    print(say("practice.desk", address=desk, name=PERSON, password=club.password))
    print(say("practice.task"))
    print(say("practice.end"), flush=True)
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        for address in (wall, desk):
            webbrowser.open(address)
