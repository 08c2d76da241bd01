"""The commands of ``scorer hub``, on an open database."""

from __future__ import annotations

import argparse
import getpass
import os
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from scorer.config.hub_section import HubSection
from scorer.config.link_section import HostAddress, parse_hub
from scorer.hall.joining import key_of
from scorer.hub import passwords, server, tournament_command
from scorer.hub.audit import (
    AuditVerdict,
    Comparison,
    TableAudit,
    ask_for_greetings,
    audit,
    reachable,
)
from scorer.hub.copies import Copies
from scorer.hub.decisions import Desk
from scorer.hub.desk_passwords import PERSON
from scorer.hub.evenings import EveningOptions, UnreadableEvening, evening_file
from scorer.hub.forgetting import scrub
from scorer.hub.hub import Hub, random_hex
from scorer.hub.identity import (
    Identity,
    change_signing_key,
    has_identity,
    identity_file,
    load_identity,
    server_context,
    signing_keys,
)
from scorer.hub.page_addresses import is_loopback, own_address
from scorer.hub.played_matches import games_text, tables_of
from scorer.hub.published.documents import SiteTournament
from scorer.hub.published.files import SiteOptions, SiteRenderer
from scorer.hub.published.pages import team_address
from scorer.hub.published.publisher import SitePublisher, publish, site_tournament, tournaments_for
from scorer.hub.scores import newest_greetings
from scorer.hub.store.backup import back_up, rebuild, rebuild_if_old, restore
from scorer.hub.store.database import Connection, Database, DatabaseError, sqlite_url
from scorer.hub.store.log import Author
from scorer.hub.times import WallClock, local_day
from scorer.hub.titles import event_heading
from scorer.hub.tournament_file import read_tournament
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.tournaments import (
    ClosedTournament,
    RunningTournament,
    TournamentDesk,
    Tournaments,
    events_of,
    follow,
    in_few_words,
    read_closed,
)
from scorer.i18n import nearest_language, translator
from scorer.ownership import give_to_owner_of, opened_without_links
from scorer.plain_values.names import printable
from scorer.season.evening import NamesKind
from scorer.season.signing import public_key_of
from scorer.serving import tls
from scorer.serving.server import open_socket, prepared_socket
from scorer.static_site.folder import SITE
from scorer.system.replace_text import replace_text
from scorer.system.sd_notify import Notifier, passed_sockets
from scorer.system.shown_password import new_password
from scorer.tournament import Reader, Tournament
from scorer.tournament.export import MAX_BYTES, NoTournamentFile, encode
from scorer.tournament.names import name_key
from scorer.tournament.public_names import unjudged

DATABASE_NAME = "hub.sqlite"  # in the folder of the state
_UNJUDGED = (
    "the desk has not said yet which names of teams are names of people: Teams, on the page of the"
    " tournament"
)
_PORTS = 2  # that of the wall, that of boxes and desk
_PATIENCE = 5.0  # seconds for the boxes to greet, of an audit
_COMMAND_LINE = Author("command line", "admin")
AUDIT_CODES = {AuditVerdict.EQUAL: 0, AuditVerdict.DIFFERENT: 1}
NOT_ALL_COMPARED = 3  # no difference was found in what could be compared
_PANEL = Author("panel", "admin")

Command = Callable[[argparse.Namespace, HubSection, Database], int]


def run(name: str, arguments: argparse.Namespace, options: HubSection) -> int:
    """Run one command; 0: done, 1: it cannot be done, or an audit found a difference.

    3: an audit found none, and could not compare everything.

    Raises OSError or ValueError, whose text says why it cannot be done.
    """
    try:
        url = _url(options, arguments.state)
    except OSError as error:
        print(
            f"scorer hub: {arguments.state} is no folder that can be used: {error.strerror};"
            " --state names another one",
            file=sys.stderr,
        )
        return 1
    try:
        database = Database.open(url)
    except DatabaseError as error:
        name = "the database of [hub]" if options.database else arguments.state / DATABASE_NAME
        print(f"scorer hub: {name} cannot be opened: {error}", file=sys.stderr)
        return 1
    _give_to_owner(arguments.state)
    try:
        if name != "restore":
            _require_own_hall(database, arguments.state)
        return _COMMANDS[name](arguments, options, database)
    except DatabaseError as error:
        print(f"scorer hub: {error}", file=sys.stderr)
        return 1
    finally:
        database.close()
        _give_to_owner(arguments.state)


def _require_own_hall(database: Database, state: Path) -> None:
    """Refuse an empty database where a hub has served: it would be another hall.

    Its boxes would refuse its certificate, and its desk would have no password. Raises
    DatabaseError.
    """
    kept = identity_file(state)
    with database.read() as connection:
        if not kept.exists() or has_identity(connection):
            return
    raise DatabaseError(
        "the database is empty, but this hub has stored games: put it back, or a copy of it with"
        f" `scorer hub restore`; remove {kept} for a new hall"
    )


def _give_to_owner(state: Path) -> None:
    """Give the service the files that a command of root has made in its folder."""
    if os.geteuid() != 0 or not state.is_dir():
        return
    for path in state.glob(f"{DATABASE_NAME}*"):
        try:
            give_to_owner_of(state, path)
        except FileNotFoundError:
            pass  # SQLite removes its log when the last program closes it
        except OSError as error:
            print(f"scorer hub: {path} stays as it is: {error.strerror}", file=sys.stderr)


def _url(options: HubSection, state: Path) -> str:
    if options.database:
        return options.database
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = state / DATABASE_NAME
    if os.geteuid() == 0:
        # SQLite follows a link to a database; its other files it opens without.
        with suppress(FileNotFoundError), opened_without_links(name, os.O_PATH):
            pass
    return sqlite_url(name)


def _identity(database: Database) -> Identity:
    with database.write() as connection:
        return load_identity(connection, random_hex)


def _serve(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    rebuild_if_old(database)
    scrub(database)
    identity = _identity(database)
    context = server_context(identity, arguments.state, _owned_context(options))
    wall = arguments.listen or (options.address, options.port)
    boxes = arguments.secure or (options.address, options.secure_port)
    sockets = [prepared_socket(each) for _, each in passed_sockets()]
    if sockets and len(sockets) != _PORTS:
        raise ValueError(f"systemd passes {len(sockets)} sockets: that of the wall, then the other")
    has_passed = bool(sockets)
    is_local = arguments.secure is None and is_loopback(options.address)
    if is_local:
        print(f"scorer hub: {_only_here(options.address)}", file=sys.stderr)
    for address, port in () if has_passed else (wall, boxes):
        try:
            sockets.append(open_socket(address, port))
        except OSError as error:
            why = str(error.strerror).partition(" (")[0]  # Python repeats the address
            print(
                f"scorer hub: cannot listen at {address}:{port}: {why};"
                " [hub], or --listen and --secure, name another address",
                file=sys.stderr,
            )
            return 1
    print(f"scorer hub: wall http://{_where(sockets[0])}/", flush=True)
    print(f"scorer hub: desk https://{_where(sockets[1])}/desk", flush=True)
    print(f"scorer hub: pin {identity.pin}", flush=True)
    other = Path(options.copies) if options.copies else None
    # A PostgreSQL has tools of its own.
    has_copies = database.engine.dialect.name == "sqlite"
    copies = Copies(database, arguments.state / "copies", other) if has_copies else None
    site = SiteOptions(options.name, nearest_language(arguments.language))
    publisher = None
    if options.publish:
        publisher = SitePublisher(
            Path(options.publish), site, WallClock(), partial(_read_closed, database, options.name)
        )

    def page_of(tournament: int, team: int) -> str:
        address = options.site
        return team_address(address, tournament, team, site.language) if address else ""

    hub = Hub(
        database,
        identity,
        WallClock(),
        options.name,
        arguments.formats,
        copies=copies,
        publisher=publisher,
        page_of=page_of,
    )
    serving = server.HubOptions(
        options.hosts,
        options.viewers,
        options.viewers_each,
        arguments.language,
        # At an address that a command line names, as a test's, it is not one for boxes.
        is_announced=arguments.secure is None and not is_local and not has_passed,
        idle_seconds=arguments.idle_end if has_passed else None,
    )
    server.run(hub, serving, server.Sockets(sockets[0], sockets[1], context), Notifier())
    return 0


def _owned_context(options: HubSection) -> ssl.SSLContext | None:
    """The certificate of the owner; None without one that can be used."""
    try:
        return tls.load_context(tls.PemFiles("hub", options.certificate, options.key))
    except tls.TlsError as error:
        print(f"scorer hub: configuration, {error}", file=sys.stderr)
        print("scorer hub: it uses its own certificate until then", file=sys.stderr)
        return None


def _where(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _desk_address(arguments: argparse.Namespace, options: HubSection) -> HostAddress:
    """Where this machine reaches the running hub."""
    return HostAddress(*(arguments.secure or (reachable(options.address), options.secure_port)))


def _rebuild(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    before, after = rebuild(database)
    same = "the same as before" if before == after else f"different from before ({before})"
    print(f"projections {after}: {same}")
    return 0 if before == after else 1


def _backup(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    count = back_up(database, arguments.file)
    print(f"{arguments.file}: {count} rows; it has the key of the hub: keep it like a password")
    return 0


def _restore(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    with database.read() as connection:
        may_run = has_identity(connection)
    desk = _desk_address(arguments, options)
    if may_run and ask_for_greetings(_identity(database), desk.host, desk.port):
        raise DatabaseError("the hub runs: stop it, restore, and start it again")
    count = restore(database, arguments.file)
    scrub(database)
    print(f"restored {count} rows; boxes send what is missing when they greet")
    return 0


def _chosen(
    connection: Connection, arguments: argparse.Namespace
) -> tuple[Tournaments, RunningTournament]:
    """All tournaments, and the one that a command names. Raises DatabaseError.

    Without a name it is the only open one, or the only one.
    """
    tournaments = follow(connection, Tournaments())
    if arguments.tournament:
        known = {*tournaments.by_id, *tournaments.archive}
        found = [each for each in known if each == arguments.tournament]
    else:
        found = [*tournaments.by_id] or [*tournaments.archive]
    if len(found) == 1:
        closed = tournaments.archive.get(found[0])
        if closed is not None:
            return tournaments, read_closed(connection, closed)
        return tournaments, tournaments.by_id[found[0]]
    if found:
        raise DatabaseError(
            "this hub has several tournaments: --tournament names one of those that"
            " `scorer hub tournament list` shows"
        )
    raise DatabaseError(
        "there is no such tournament" if arguments.tournament else "there is no tournament"
    )


def _title(arguments: argparse.Namespace, state: Tournament) -> str:
    return Phrases(Reader(state), arguments.language).heading


def _list(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    with database.read() as connection:
        tournaments = follow(connection, Tournaments())
    say = translator(arguments.language)
    open_ = [in_few_words(each, Reader(each.state)) for each in tournaments.open]
    for each in sorted([*open_, *(each.listed for each in tournaments.archive.values())]):
        state = "open" if each.is_open else "closed"
        heading = event_heading(each.names, each.format_title, say)
        print(f"{each.id}: {state}, {heading}, {each.teams} teams")
    return 0


def _close(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    return _decide(arguments, database, TournamentDesk.close, "closed")


def _reopen(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    return _decide(arguments, database, TournamentDesk.reopen, "open")


def _decide(
    arguments: argparse.Namespace,
    database: Database,
    decision: Callable[[TournamentDesk], None],
    state: str,
) -> int:
    with database.write() as connection:
        tournaments, running = _chosen(connection, arguments)
        desk = TournamentDesk(connection, WallClock(), _COMMAND_LINE, tournaments, running.id)
        decision(desk)
    print(f"{running.id}: {state}, {_title(arguments, running.state)}")
    return 0


def _export(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    if arguments.evening:
        return _export_evening(arguments, options, database)
    with database.read() as connection:
        _, running = _chosen(connection, arguments)
        events = events_of(connection, running)
    replace_text(arguments.file, encode(running.state.format, events).decode())
    print(f"{arguments.file}: {_title(arguments, running.state)}, {len(events)} entries")
    return 0


def _export_evening(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    hashes = tournament_command.member_hashes(arguments.members, arguments.season_key)
    _identity(database)  # of a hall from before it has no key yet
    with database.read() as connection:
        tournaments, running = _chosen(connection, arguments)
        closed = tournaments.archive.get(running.id)
        if closed is None:
            raise DatabaseError(
                "the tournament is open: close it first, scorer hub tournament close"
            )
        names = NamesKind(arguments.names)
        made = EveningOptions(options.name, names, lambda name: hashes.get(name_key(name), ""))
        _, data = evening_file(connection, closed, made)
    replace_text(arguments.file, data.decode("ascii"))
    print(f"{arguments.file}: {_title(arguments, running.state)}, revision {closed.until}")
    if arguments.members is not None:
        people = [each for team in running.state.teams.values() for each in team.listed]
        missing = [each for each in people if name_key(each) not in hashes]
        print(f"{len(people) - len(missing)} of {len(people)} players are members")
        for each in missing:
            print(f"  no member: {printable(each)}")
    return 0


def _keys(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    """Print the public keys of the hall; with ``new``, after another one was made."""
    _identity(database)
    with database.write() as connection:
        if arguments.new:
            change_signing_key(connection, random_hex, local_day(WallClock().time()))
        keys = signing_keys(connection).keys
    for each in keys:
        print(
            f"{public_key_of(each.private)} {f'since {each.since}' if each.since else ''}".strip()
        )
    return 0


def _games(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    with database.read() as connection:
        text = games_text(connection, *_chosen(connection, arguments))
    arguments.file.write_text(text, encoding="utf-8")
    print(arguments.file)
    return 0


def _paper(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    with database.read() as connection:
        tournaments, running = _chosen(connection, arguments)
        tables = tables_of(connection, tournaments, running)
    return tournament_command.write_paper(running.state, tables, arguments, options.name)


def _tables(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    with database.read() as connection:
        state = _chosen(connection, arguments)[1].state
    return tournament_command.write_tables(state, arguments)


def _import(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    found = read_tournament(tournament_command.read_bytes(arguments.file, MAX_BYTES))
    if isinstance(found, NoTournamentFile):
        raise DatabaseError(f"{arguments.file}: {found.text}")
    with database.write() as connection:
        desk = TournamentDesk(connection, WallClock(), _COMMAND_LINE, Tournaments())
        tournament = desk.begin(found.state.format, found.log)
    print(f"{tournament}: {_title(arguments, found.state)}, {len(found.log)} entries")
    return 0


def _read_closed(database: Database, hall: str, closed: ClosedTournament) -> SiteTournament:
    """A closed tournament for a site, with its signed file; ``hall``: its name."""
    with database.read() as connection:
        try:
            return site_tournament(*evening_file(connection, closed, EveningOptions(hall)))
        except UnreadableEvening as error:
            print(f"scorer hub: tournament {closed.listed.id}: {error}", file=sys.stderr)
            return site_tournament(read_closed(connection, closed))


def _publish(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    folder: Path = arguments.folder
    _identity(database)
    read = partial(_read_closed, database, options.name)
    with database.read() as connection:
        if arguments.tournament:
            tournaments, running = _chosen(connection, arguments)
            closed = tournaments.archive.get(running.id)
        else:
            tournaments = follow(connection, Tournaments())
    if arguments.tournament:
        chosen = site_tournament(running) if closed is None else read(closed)
        shown = [] if unjudged(chosen.state) else [chosen]
    else:
        shown = tournaments_for(folder, tournaments, read)
    if not shown:
        waiting = tournaments.by_id or tournaments.archive
        raise DatabaseError(_UNJUDGED if waiting else "there is no tournament")
    folder.mkdir(parents=True, exist_ok=True)
    site = SiteOptions(options.name, nearest_language(arguments.language))
    is_new = publish(folder, shown, SiteRenderer(site), WallClock())
    titles = ", ".join(_title(arguments, each.state) for each in shown)
    print(f"{folder / SITE}: {titles}{'' if is_new else ', as before'}")
    return 0


def _audit(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    hub = _desk_address(arguments, options)
    if arguments.hub is not None:
        hub = HostAddress(*arguments.hub)
    with database.read() as connection:
        before = newest_greetings(connection)
    is_running = ask_for_greetings(_identity(database), hub.host, hub.port)
    if not is_running:
        print(f"no hub answers at {hub}: compared with the last greeting of each box")
    report = audit(database, before, _PATIENCE if is_running else 0.0)
    for each in report.tables:
        print(_audit_line(each))
    if report.problem:
        print(f"the store: {report.problem}")
    concerned = [*(["the store"] if report.problem else []), *map(_table_name, report.concerned)]
    print(report.verdict.value + (f": {', '.join(concerned)}" if concerned else ""))
    return AUDIT_CODES.get(report.verdict, NOT_ALL_COMPARED)


def _audit_line(found: TableAudit) -> str:
    """What the comparison of one table has found."""
    hub = f"{found.at_hub} rows at the hub ({found.stored} of its epoch)"
    marks = [found.finding.value, *(["held"] if found.is_held else [])]
    marks += [] if found.is_fresh or found.finding is Comparison.UNKNOWN else ["not asked"]
    if found.finding is Comparison.UNKNOWN:
        rows = hub
    elif found.finding is Comparison.EQUAL and found.at_table < found.at_hub:
        rows = f"{found.at_table} rows at its last greeting, {hub}"
    else:
        sign = "=" if found.at_table == found.at_hub else "!="
        rows = f"{found.at_table} rows at the table {sign} {hub}"
    return f"{_table_name(found)}: {rows}, {', '.join(marks)}"


def _table_name(found: TableAudit) -> str:
    return found.name or f"table {found.table}"


def _password(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    password = _ask_password()
    if not passwords.LEAST_CHARS <= len(password) <= passwords.MOST_CHARS:
        least, most = passwords.LEAST_CHARS, passwords.MOST_CHARS
        print(f"scorer hub: a password has {least} to {most} characters", file=sys.stderr)
        return 1
    hashed = passwords.hash_password(password, random_hex(32))
    with database.write() as connection:
        desk = Desk(connection, WallClock(), _COMMAND_LINE)
        desk.set_person(arguments.name, arguments.role, hashed)
    print(f"{arguments.name} may use the desk as {arguments.role}")
    return 0


def _make_password(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    """Make a password for the panel: ``arguments.answer`` gets it, the log does not."""
    password = new_password()
    hashed = passwords.hash_password(password, random_hex(32))
    with database.write() as connection:
        Desk(connection, WallClock(), _PANEL).set_person(PERSON, "admin", hashed)
    port = options.secure_port
    arguments.answer = {"ok": True, "name": PERSON, "password": password, "port": port}
    print(f"a new password of the desk for {PERSON} is on the panel", flush=True)
    return 0


def _ask_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first, second = getpass.getpass("Password: "), getpass.getpass("Again: ")
    if first != second:
        raise ValueError("the two passwords differ")
    return first


def _cards(arguments: argparse.Namespace, options: HubSection, database: Database) -> int:
    identity = _identity(database)
    # A hub that listens on every address is reached at the one of this machine.
    is_any = reachable(options.address) != options.address
    address = arguments.address or str(
        HostAddress(own_address() if is_any else options.address, options.secure_port)
    )
    host = parse_hub(address).host
    if is_loopback(host):
        print(f"scorer hub: {_only_here(host)}", file=sys.stderr)
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
    keys = {table: random_hex(32) for table in arguments.tables}
    with database.write() as connection:
        desk = Desk(connection, WallClock(), _COMMAND_LINE)
        desk.add_cards([(key_of(key), table) for table, key in keys.items()])
    for table, key in keys.items():
        text = (
            f'# table {table}\n[link]\nhub = "{address}"\npin = "{identity.pin}"\nkey = "{key}"\n'
        )
        if arguments.out is None:
            print(text)
            continue
        path = arguments.out / f"table-{table}.toml"
        _write_secret(path, text)
        print(path)
    return 0


def _write_secret(path: Path, text: str) -> None:
    """Write a file that its owner alone reads. Raises OSError."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600, exist_ok=False)
    with opened_without_links(path, os.O_WRONLY) as handle:
        os.write(handle, text.encode("ascii"))


def _only_here(host: str) -> str:
    return (
        f"{host} is reached from this machine alone: boxes and phones in the network do not reach"
        ' the hub; address = "0.0.0.0" of [hub] is for the network'
    )


_COMMANDS: dict[str, Command] = {
    "serve": _serve,
    "rebuild": _rebuild,
    "backup": _backup,
    "restore": _restore,
    "export": _export,
    "keys": _keys,
    "import": _import,
    "list": _list,
    "close": _close,
    "reopen": _reopen,
    "games": _games,
    "paper": _paper,
    "tables": _tables,
    "publish": _publish,
    "audit": _audit,
    "password": _password,
    "passwords": _make_password,
    "cards": _cards,
}
