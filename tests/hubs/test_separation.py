"""What a hall reaches of another one: nothing.

Tried with the secrets of its desk, its boxes and its commands, and with the login of its hub.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy.engine import make_url

from scorer.hall import wire
from scorer.hub import audit
from scorer.hub.hub import Hub, random_hex
from scorer.hub.identity import load_identity
from scorer.hub.page_addresses import PageAddresses
from scorer.hub.server import build_routes
from scorer.hub.store.database import Database, DatabaseError, open_engine
from scorer.hub.store.tables import METADATA
from scorer.hub.times import WallClock
from scorer.hub.wall import Pages, WallReporter
from scorer.hubs.databases import LOGIN_CONNECTIONS
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.prices import AnswerSource, PricedRoute
from tests.hub.boxes import greet
from tests.hub.hub_process import Client, HubProcess, PinError
from tests.hub.joining_box import join_box
from tests.hub.postgresql import Cluster
from tests.hubs.machines import HallMachine

LOGOUT = "/desk/logout"  # ends the session of the request
PASSWORDS = {"norte": "secret of norte", "sur": "secret of sur"}
TOKENS = {"norte": "1" * 32, "sur": "2" * 32}
VALUES = {"language": "es-AR", "name": "teams", "kind": "set", "page": "e", "code": "1" * 24}


class Served(NamedTuple):
    """A hall whose hub runs, with its director logged in and a box."""

    name: str
    hub: HubProcess
    desk: Client
    secrets: dict[str, str]  # the headers of its cookie, its box, its commands


class Halls(NamedTuple):
    """Two halls of one machine, and the routes of a hub."""

    norte: Served
    sur: Served
    routes: list[PricedRoute]


def address_of(machine: HallMachine, name: str) -> str:
    (found,) = [each for each in machine.halls().records.all() if each.name == name]
    from scorer.hubs.databases import hall_address

    return hall_address(found.home, name)


def routes_of(database: Database) -> list[PricedRoute]:
    """The routes of boxes and desk, among which are those of the wall."""
    with database.write() as connection:
        identity = load_identity(connection, random_hex)
    hub, feed = Hub(database, identity, WallClock()), Broadcaster[str](1)
    asyncio.run(hub.load())
    pages, addresses = Pages("es-AR"), PageAddresses(80, 443)
    made = build_routes(hub, feed, WallReporter(hub, feed), pages, addresses)
    hub.closed.close()
    hub.state.thread.close()
    return made.boxes


def served(machine: HallMachine, name: str, stack: ExitStack) -> Served:
    hub = HubProcess(machine.root / name, machine.config(name))
    hub.start()
    stack.callback(hub.stop)
    hub.run("password", "ana", text=f"{PASSWORDS[name]}\n")
    desk = hub.client()
    asked = {"name": "ana", "password": PASSWORDS[name]}
    assert desk.desk("/desk/login", asked).status == 200
    join_box(hub, desk, TOKENS[name], table=1)
    with closing(Database.open(address_of(machine, name))) as database, database.write() as opened:
        key = audit.authorization(load_identity(opened, random_hex))
    return Served(name, hub, desk, {"desk": desk.cookie, "box": TOKENS[name], "command": key})


@pytest.fixture(scope="module")
def halls(
    shared_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[HallMachine, Halls]]:
    machine = HallMachine(tmp_path_factory.mktemp("halls") / "machine", shared_cluster)
    with ExitStack() as stack:
        made = []
        for name in ("norte", "sur"):
            said = machine.run("create", name)
            # systemd of this machine runs nothing of it.
            assert said.code == 0 or "its ports are not open" in said.err
            stack.callback(machine.run, "delete", name, "--yes")
            made.append(served(machine, name, stack))
        with closing(Database.open(address_of(machine, "sur"))) as database:
            routes = routes_of(database)
        yield machine, Halls(made[0], made[1], routes)


@contextmanager
def asked(hub: HubProcess, route: PricedRoute, secrets: dict[str, str]) -> Iterator[int]:
    """The status that a hub answers to a request with these secrets."""
    names = route.param_convertors
    path = route.path_format.format(**{name: VALUES.get(name, "1") for name in names})
    method = "POST" if "POST" in (route.methods or ()) else "GET"
    is_desk, body = path.startswith("/desk"), b""
    if method == "POST":
        body = b"{}" if is_desk else wire.encode(greet())
    headers = {"X-Truco": "1", "Content-Type": "application/json"}
    if secrets:
        headers["Cookie"] = secrets["desk"]
        key = f"Hub {secrets['command']}" if path == audit.PATH else f"Bearer {secrets['box']}"
        headers["Authorization"] = key
    client = hub.client()
    try:
        client._connection.request(method, path, body or None, headers)
        yield client._connection.getresponse().status  # of a stream the head alone
    finally:
        client.close()


def status(hub: HubProcess, route: PricedRoute, secrets: dict[str, str]) -> int:
    with asked(hub, route, secrets) as found:
        return found


# ---- by the network -----------------------------------------------------------------------------


@pytest.mark.sampled(0)
def test_no_route_of_a_hall_answers_to_the_secrets_of_another_what_it_hides_from_strangers(
    halls: tuple[HallMachine, Halls],
) -> None:
    _, (norte, sur, routes) = halls
    assert len(routes) > 40
    hidden, opened = 0, 0
    for route in routes:
        stranger = status(sur.hub, route, {})
        assert status(sur.hub, route, norte.secrets) == stranger, route.path
        if route.price.source is AnswerSource.REFUSED and route.path != LOGOUT:
            assert 400 <= stranger < 500, route.path
            hidden += 1
            opened += status(sur.hub, route, sur.secrets) not in (stranger, 401, 403)
    assert hidden >= 15
    # Its own secrets do open them, so that the comparison can fail.
    assert opened >= hidden // 2


def test_a_password_of_a_hall_is_wrong_at_another(halls: tuple[HallMachine, Halls]) -> None:
    _, (norte, sur, _) = halls
    for hub, name, code in (
        (sur.hub, "norte", 403),
        (norte.hub, "sur", 403),
        (sur.hub, "sur", 200),
    ):
        message = {"name": "ana", "password": PASSWORDS[name]}
        assert hub.client().desk("/desk/login", message).status == code


def test_a_box_refuses_the_certificate_of_another_hall(halls: tuple[HallMachine, Halls]) -> None:
    _, (norte, sur, _) = halls
    assert norte.hub.pin != sur.hub.pin
    with pytest.raises(PinError):
        Client(sur.hub.desk, norte.hub.pin)


def test_a_card_of_a_hall_joins_no_other(halls: tuple[HallMachine, Halls]) -> None:
    from scorer.hall.joining import JoinState
    from tests.hub.joining_box import JoiningBox

    _, (norte, sur, _) = halls
    text = norte.hub.run("cards", "--tables", "9").stdout
    card = next(line.split('"')[1] for line in text.splitlines() if line.startswith("key"))
    answers = {
        hub.name: JoiningBox(hub.hub.client(), hub.hub.pin, "3" * 32).show_card(card).state
        for hub in (sur, norte)
    }
    assert answers["norte"] is JoinState.ACCEPTED
    assert answers["sur"] is not JoinState.ACCEPTED


# ---- with the login of a hub that was broken into -----------------------------------------------


@contextmanager
def logged_in(address: str, database: str = "") -> Iterator[object]:
    """A connection of a login, perhaps to a database of others. Raises DatabaseError."""
    url = make_url(address)
    url = url.set(database=database) if database else url
    engine = open_engine(url.render_as_string(hide_password=False))
    try:
        with engine.connect() as plain:
            yield plain.execution_options(isolation_level="AUTOCOMMIT")
    finally:
        engine.dispose()


FORBIDDEN = (
    "SELECT * FROM pg_authid",
    "SELECT * FROM pg_shadow",
    "SELECT pg_read_file('pg_hba.conf')",
    "SELECT pg_ls_dir('.')",
    "SELECT lo_import('/etc/passwd')",
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "COPY (SELECT 1) TO '/var/hall'",
    "CREATE EXTENSION dblink",
    "CREATE EXTENSION postgres_fdw",
    "CREATE EXTENSION file_fdw",
    "CREATE LANGUAGE plpython3u",
    "CREATE ROLE more",
    "CREATE DATABASE more",
    "CREATE SCHEMA more",
    "CREATE TEMPORARY TABLE more (a int)",
    "CREATE TABLESPACE more LOCATION '/var'",
    "SET ROLE hub_sur",
    "SET SESSION AUTHORIZATION hub_sur",
    "GRANT hub_sur TO hub_norte",
    "ALTER ROLE hub_sur PASSWORD 'x'",
    "ALTER ROLE hub_norte SUPERUSER",
    "ALTER ROLE hub_norte CONNECTION LIMIT 100",
    "ALTER DATABASE hub_sur OWNER TO hub_norte",
    "ALTER DATABASE hub_norte RENAME TO other",
    "DROP DATABASE hub_sur",
    "DROP DATABASE hub_norte",
    "DROP ROLE hub_sur",
    "GRANT CONNECT ON DATABASE hub_sur TO hub_norte",
    "ALTER SYSTEM SET work_mem = '1GB'",
    "SELECT pg_reload_conf()",
    "SET log_statement = 'none'",
    "CREATE PUBLICATION more FOR ALL TABLES",
    "CREATE SUBSCRIPTION more CONNECTION 'dbname=hub_sur' PUBLICATION more",
    "SELECT pg_create_physical_replication_slot('more')",
)


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_login_of_a_hall_may_not(halls: tuple[HallMachine, Halls], statement: str) -> None:
    machine, _ = halls
    with logged_in(address_of(machine, "norte")) as connection:
        with pytest.raises(Exception, match=r"(?i)denied|must|cannot|not allowed|not available"):
            connection.exec_driver_sql(statement)  # type: ignore[attr-defined]
        assert connection.exec_driver_sql("SELECT count(*) FROM person").scalar() == 1  # type: ignore[attr-defined]


def test_the_login_of_a_hall_connects_to_no_database_of_another(
    halls: tuple[HallMachine, Halls],
) -> None:
    machine, _ = halls
    for own, other in (("norte", "sur"), ("sur", "norte")):
        with (
            pytest.raises(Exception, match="permission denied for database"),
            logged_in(address_of(machine, own), f"hub_{other}"),
        ):
            pass


def test_no_database_that_the_login_reaches_has_a_row_of_another_hall(
    halls: tuple[HallMachine, Halls], shared_cluster: Cluster
) -> None:
    """Every database of the server, every relation: also those without a hall."""
    machine, _ = halls
    reached: dict[str, set[str]] = {}
    for database in shared_cluster.sql("SELECT datname FROM pg_database").splitlines():
        with suppress(Exception), logged_in(address_of(machine, "norte"), database) as connection:
            found = connection.exec_driver_sql(  # type: ignore[attr-defined]
                "SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace"
                " WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname NOT IN"
                " ('pg_catalog', 'information_schema', 'pg_toast')"
                " AND has_table_privilege(pg_class.oid, 'SELECT')"
            )
            reached[database] = set(found.scalars())
    assert {*METADATA.tables} <= reached.pop("hub_norte")
    assert {name for names in reached.values() for name in names} == set()
    assert "hub_sur" not in reached


def test_what_the_catalogues_of_the_server_show_of_another_hall_is_its_name_alone(
    halls: tuple[HallMachine, Halls],
) -> None:
    machine, (_, sur, _) = halls
    with logged_in(address_of(machine, "norte")) as connection:
        names = connection.exec_driver_sql("SELECT datname FROM pg_database").scalars()  # type: ignore[attr-defined]
        assert "hub_sur" in set(names)
        queries = connection.exec_driver_sql(  # type: ignore[attr-defined]
            "SELECT query, client_addr, backend_xid FROM pg_stat_activity WHERE datname = 'hub_sur'"
        )
        assert {tuple(row) for row in queries} <= {("<insufficient privilege>", None, None)}
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'hub_sur'"
        with suppress(Exception):
            ended = connection.exec_driver_sql(ended).scalars()  # type: ignore[attr-defined]
            assert not any(ended)
    assert sur.desk.get("/desk/state").status == 200


def test_a_login_lets_no_other_into_its_database(halls: tuple[HallMachine, Halls]) -> None:
    machine, _ = halls
    with logged_in(address_of(machine, "norte")) as connection:
        # PostgreSQL warns, and grants nothing.
        connection.exec_driver_sql("GRANT CONNECT ON DATABASE hub_norte TO PUBLIC")  # type: ignore[attr-defined]
    with (
        pytest.raises(Exception, match="permission denied for database"),
        logged_in(address_of(machine, "sur"), "hub_norte"),
    ):
        pass


def test_a_login_takes_no_more_connections_than_its_own(halls: tuple[HallMachine, Halls]) -> None:
    machine, (_, sur, _) = halls
    with ExitStack() as stack, pytest.raises(Exception, match="too many connections for role"):
        for _ in range(LOGIN_CONNECTIONS + 1):
            stack.enter_context(logged_in(address_of(machine, "norte")))
    assert sur.desk.get("/desk/state").status == 200


def test_the_password_of_a_login_opens_no_other(halls: tuple[HallMachine, Halls]) -> None:
    machine, _ = halls
    address = address_of(machine, "norte").replace("hub_norte", "hub_sur")
    with pytest.raises(DatabaseError, match="password authentication failed"):
        Database.open(address)


def test_no_file_of_a_hall_is_read_by_the_user_of_another(
    halls: tuple[HallMachine, Halls],
) -> None:
    """Configurations, records and folders: for their owner alone."""
    machine, _ = halls
    folders = [machine.config("norte").parent, *(machine.root / name for name in ("norte", "sur"))]
    paths = [path for folder in folders for path in folder.glob("*.*")]
    kept = [path for path in paths if Path(path).suffix in (".toml", ".json", ".pem")]
    assert len(kept) >= 6
    assert {path.stat().st_mode & 0o077 for path in kept} == {0}
