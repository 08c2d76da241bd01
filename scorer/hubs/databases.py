"""The database and the login of each hall on a server of PostgreSQL.

A login may connect to its own database alone, and make tables there; the database belongs to who
made it, so that the login can neither rename it nor let others in. A login is marked in the same
transaction that makes it: one with another mark is never used, changed or dropped.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from scorer.hub.store.database import DatabaseError, database_error, open_engine
from scorer.hubs.records import Home

USUAL_SERVER = "postgresql+psycopg:///postgres"
# A hub has up to 4; commands of its administrator and of `scorer hubs` have others.
LOGIN_CONNECTIONS = 10
_ITERATIONS = 4096  # of SCRAM, as PostgreSQL has them
_PREFIX = "hub_"
_CONNECT_SECONDS = "10"
_OWN_DATABASES = ("postgres", "template1")  # of every server, without rows of anyone


def login_of(name: str) -> str:
    """The name of login and database of a hall."""
    return _PREFIX + name


def hall_address(home: Home, name: str) -> str:
    """The address by which the hub of a hall reaches its database."""
    url = make_url(home.server)
    if url.host is None and "host" not in url.query:
        # The socket of the machine as a rule asks for the user of the system, which is another.
        url = url.set(host="127.0.0.1")
    login = login_of(name)
    url = url.set(username=login, password=home.password, database=login)
    return url.render_as_string(hide_password=False)


def shown_server(server: str) -> str:
    """The address of a server without its password."""
    return make_url(server).render_as_string(hide_password=True)


def server_problem(server: str) -> str | None:
    """Why ``server`` is no address of a PostgreSQL server, or None. Opens nothing."""
    try:
        url = make_url(server)
    except (ArgumentError, ValueError):
        return f"it is not like {USUAL_SERVER}"
    if url.get_backend_name() != "postgresql":
        return f"it is no PostgreSQL: it is not like {USUAL_SERVER}"
    return None


class DatabaseServer:
    """A server, as who may make logins and databases. Methods raise DatabaseError."""

    def __init__(self, server: str, on_effect: Callable[[str], None]) -> None:
        self._url, self._on_effect = make_url(server), on_effect

    def check(self, name: str) -> None:
        """Whether a hall can be made: the rights are there, and nothing of its name is."""
        with self._connected() as connection:
            rights = connection.exec_driver_sql(
                "SELECT rolsuper, rolcreaterole, rolcreatedb, rolname FROM pg_roles"
                " WHERE rolname = current_user"
            ).one()
            words = {"CREATEROLE": rights[1], "CREATEDB": rights[2]}
            missing = [word for word, has in words.items() if not (has or rights[0])]
            if missing:
                lacks, login = " and ".join(missing), rights[3]
                raise DatabaseError(
                    f"the login {login} of --server lacks {lacks}:"
                    f' ALTER ROLE "{login}" {" ".join(missing)}'
                )
            login = login_of(name)
            for what, query in (
                ("login", "SELECT 1 FROM pg_roles WHERE rolname = %s"),
                ("database", "SELECT 1 FROM pg_database WHERE datname = %s"),
            ):
                if connection.exec_driver_sql(query, (login,)).first():
                    raise DatabaseError(
                        f"the server has a {what} {login} already, of another hall of this name:"
                        " choose another name, or delete that hall where it was created"
                    )

    def create(self, name: str, home: Home) -> None:
        """Make login and database, as far as they are missing."""
        login = login_of(name)
        with self._connected() as connection:
            mark = self._mark_of(connection, login)
            if mark is None:
                statement = (
                    f'CREATE ROLE "{login}" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION'
                    f" NOINHERIT CONNECTION LIMIT {LOGIN_CONNECTIONS}"
                    f" PASSWORD '{_verifier(home.password)}'"
                )
                # Two statements of one message are one transaction.
                comment = f"COMMENT ON ROLE \"{login}\" IS '{home.mark}'"
                self._run(connection, f"BEGIN; {statement}; {comment}; COMMIT")
            elif mark != home.mark:
                raise DatabaseError(f"the login {login} is not of this hall")
            query = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.exec_driver_sql(query, (login,)).first() is None:
                # Not of template1, to which others may have added something.
                self._run(
                    connection, f"CREATE DATABASE \"{login}\" TEMPLATE template0 ENCODING 'UTF8'"
                )
            self._run(connection, f'REVOKE ALL ON DATABASE "{login}" FROM PUBLIC')
            self._run(connection, f'GRANT CONNECT ON DATABASE "{login}" TO "{login}"')
        with self._connected(login) as connection:
            self._run(connection, "REVOKE ALL ON SCHEMA public FROM PUBLIC")
            self._run(connection, f'GRANT USAGE, CREATE ON SCHEMA public TO "{login}"')

    def drop(self, name: str, home: Home) -> None:
        """Drop database and login, as far as they are there and of this hall."""
        login = login_of(name)
        with self._connected() as connection:
            if self._mark_of(connection, login) != home.mark:
                return  # nothing was made, or everything is gone; or it is of another one
            self._run(connection, f'DROP DATABASE IF EXISTS "{login}" WITH (FORCE)')
            self._run(connection, f'DROP ROLE "{login}"')

    def open_databases(self, name: str) -> list[str]:
        """The further databases of the server to which the login of a hall may connect."""
        login = login_of(name)
        with self._connected() as connection:
            found = connection.exec_driver_sql(
                "SELECT datname FROM pg_database"
                " WHERE datallowconn AND has_database_privilege(%s, datname, 'CONNECT')"
                " ORDER BY datname",
                (login,),
            ).scalars()
            return [each for each in found if each not in (login, *_OWN_DATABASES)]

    def _mark_of(self, connection: Connection, login: str) -> str | None:
        """The mark of a login, "" without one; None: there is no such login."""
        query = "SELECT coalesce(shobj_description(oid, 'pg_authid'), '') FROM pg_roles"
        found = connection.exec_driver_sql(f"{query} WHERE rolname = %s", (login,)).scalar()
        return None if found is None else str(found)

    def _run(self, connection: Connection, statement: str) -> None:
        self._on_effect(statement.partition('"')[0].strip())
        connection.exec_driver_sql(statement)

    @contextmanager
    def _connected(self, database: str = "") -> Iterator[Connection]:
        """A connection in which each statement is a transaction of its own."""
        url = self._url.set(database=database) if database else self._url
        url = url.update_query_dict({"connect_timeout": _CONNECT_SECONDS})
        engine: Engine = open_engine(url.render_as_string(hide_password=False))
        try:
            with engine.connect() as plain:
                yield plain.execution_options(isolation_level="AUTOCOMMIT")
        except SQLAlchemyError as error:
            raise database_error(error) from error
        finally:
            engine.dispose()


def new_home(server: str) -> Home:
    """A home on a server, with a new password and mark."""
    return Home(server, secrets.token_hex(24), f"truco-scorer {secrets.token_hex(8)}")


def _verifier(password: str) -> str:
    """What PostgreSQL keeps of a password, and its log may show.

    SCRAM-SHA-256, RFC 5803.
    """
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, _ITERATIONS)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    shown = [base64.b64encode(each).decode() for each in (salt, stored, server)]
    return f"SCRAM-SHA-256${_ITERATIONS}:{shown[0]}${shown[1]}:{shown[2]}"
