"""``scorer hubs``: what its commands do, refuse and undo, on a real PostgreSQL."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from scorer.config.loader import parse_config
from scorer.hub.halls import check_name
from scorer.hub.store.database import Database
from scorer.hubs.records import HallStage
from scorer.hubs.work import HallError
from tests.hub.boxes import DIRECTOR
from tests.hub.postgresql import USER, Cluster, running_cluster
from tests.hubs.machines import HallMachine, PowerCut, databases_of, server_of
from tests.sampling import sample

SOCKET = "scorer-hub@norte.socket"


def database_of(machine: HallMachine, name: str) -> Database:
    """The database of a hall, by the address in the configuration of its hub."""
    hub = parse_config(machine.config(name).read_text(encoding="utf-8")).hub
    assert hub is not None
    return Database.open(hub.database)


def people(machine: HallMachine, name: str) -> list[str]:
    """Who has a password of the desk."""
    with closing(database_of(machine, name)) as database, database.read() as connection:
        return list(connection.exec_driver_sql("SELECT name FROM person ORDER BY name").scalars())


def add_person(machine: HallMachine, hall: str, person: str) -> None:
    from scorer.hub.decisions import Desk
    from scorer.hub.times import WallClock

    with closing(database_of(machine, hall)) as database, database.write() as connection:
        Desk(connection, WallClock(), DIRECTOR).set_person(person, "admin", "x")


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A mounted small disk of the user of the server.

    Skips the test if none may be mounted.
    """
    words = [
        "mount",
        "-t",
        "tmpfs",
        "-o",
        f"size={size},uid={pwd.getpwnam(USER).pw_uid}",
        "tmpfs",
        str(folder),
    ]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


# ---- create, list, stop, start, delete ----------------------------------------------------------


def test_a_hall_has_a_configuration_ports_a_database_and_a_login(
    machine: HallMachine, cluster: Cluster
) -> None:
    made = machine.run("create", "norte", "--title", "Peña Norte", "--host", "halls.example")
    assert made.code == 0, made.err
    hub = parse_config(machine.config("norte").read_text(encoding="utf-8")).hub
    assert hub is not None
    assert (hub.name, hub.hosts) == ("Peña Norte", ("halls.example",))
    assert f"wall at port {hub.port}, boxes and desk at port {hub.secure_port}" in made.out
    ports = machine.root / "etc/systemd/system" / f"{SOCKET}.d" / "ports.conf"
    listens = [f"ListenStream=0.0.0.0:{port}" for port in (hub.port, hub.secure_port)]
    assert ports.read_text().splitlines() == ["[Socket]", *listens]
    assert databases_of(cluster) == {"login hub_norte", "database hub_norte"}
    assert machine.units == {SOCKET}
    database_of(machine, "norte").close()


def test_the_files_of_halls_are_for_root_alone(machine: HallMachine) -> None:
    machine.run("create", "norte")
    folder = machine.config("norte").parent
    assert oct(folder.stat().st_mode)[-3:] == "700"
    assert {oct(path.stat().st_mode)[-3:] for path in folder.iterdir()} == {"600"}


@pytest.mark.sampled(0)
def test_a_stopped_hall_keeps_everything_and_is_started_again(machine: HallMachine) -> None:
    machine.run("create", "norte")
    add_person(machine, "norte", "ana")
    assert machine.run("list").out.startswith("norte: waits, ports ")
    assert machine.run("stop", "norte").code == 0
    assert machine.run("list").out.startswith("norte: stopped, ")
    assert machine.run("start", "norte").code == 0
    assert machine.run("list").out.startswith("norte: waits, ")
    assert people(machine, "norte") == ["ana"]


def test_no_list_shows_a_password(machine: HallMachine) -> None:
    machine.run("create", "norte")
    (home,) = [each.home for each in machine.halls().records.all()]
    assert home.password
    assert home.password not in machine.run("list").out


@pytest.mark.sampled(0)
def test_a_deleted_hall_leaves_nothing_and_the_others_everything(
    machine: HallMachine, cluster: Cluster
) -> None:
    for name in ("norte", "sur"):
        assert machine.run("create", name).code == 0
    kept = {each for each in machine.files if "norte" not in each}
    assert machine.run("delete", "norte", text="norte\n").code == 0
    assert machine.files == kept
    assert machine.units == {"scorer-hub@sur.socket"}
    assert databases_of(cluster) == {"login hub_sur", "database hub_sur"}
    assert machine.run("create", "norte").code == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("typed", ["", "\n", "y\n", "yes\n", "sur\n", "NORTE\n"])
def test_nothing_is_deleted_or_moved_unless_the_name_is_typed(
    machine: HallMachine, cluster: Cluster, typed: str
) -> None:
    machine.run("create", "norte")
    before = machine.files, machine.units, databases_of(cluster)
    elsewhere = machine.server.replace("/postgres?", "/template1?")
    for words in (("delete", "norte"), ("move", "norte", "--server", elsewhere)):
        said = machine.run(*words, text=typed)
        assert said.code == 1
        assert "Its name, to go on:" in said.out or "already" in said.err
        assert (machine.files, machine.units, databases_of(cluster)) == before


# ---- copies -------------------------------------------------------------------------------------


@pytest.mark.sampled(0)
def test_an_export_creates_the_same_hall_on_another_machine(
    machine: HallMachine, small_machine: HallMachine, tmp_path: Path
) -> None:
    pin = machine.run("create", "norte").out.splitlines()[1]
    add_person(machine, "norte", "ana")
    assert machine.run("export", "norte", str(tmp_path / "copy")).code == 0
    made = small_machine.run("create", "norte", "--sqlite", "--from", str(tmp_path / "copy"))
    assert made.code == 0, made.err
    assert pin in made.out.splitlines()


@pytest.mark.sampled(0)
def test_a_copy_of_a_hall_of_this_machine_makes_no_second_one_with_its_passwords(
    machine: HallMachine, cluster: Cluster, tmp_path: Path
) -> None:
    machine.run("create", "norte")
    before = databases_of(cluster), machine.files
    machine.run("export", "norte", str(tmp_path / "copy"))
    said = machine.run("create", "sur", "--from", str(tmp_path / "copy"))
    assert said.code == 1
    assert "the copy is of the hall norte" in said.err
    assert (databases_of(cluster), machine.files) == before


@pytest.mark.sampled(0)
def test_a_create_from_a_copy_that_is_cut_goes_on_with_the_copy(
    machine: HallMachine, tmp_path: Path
) -> None:
    machine.run("create", "norte")
    add_person(machine, "norte", "ana")
    machine.run("export", "norte", str(tmp_path / "copy"))
    machine.run("delete", "norte", "--yes")
    with pytest.raises(PowerCut):
        machine.halls_cut_before(5).create(machine.wish("norte")._replace(copy=tmp_path / "copy"))
    assert machine.run("create", "norte").code == 0
    assert people(machine, "norte") == ["ana"]


def test_a_database_file_without_a_record_is_not_taken_over(small_machine: HallMachine) -> None:
    folder = small_machine.root / "var/lib/private/scorer-hubs/norte"
    folder.mkdir(parents=True)
    (folder / "hub.sqlite").write_text("mine")
    assert "exists already" in small_machine.run("create", "norte", "--sqlite").err
    assert (folder / "hub.sqlite").read_text() == "mine"


def test_an_export_over_a_file_is_refused(machine: HallMachine, tmp_path: Path) -> None:
    machine.run("create", "norte")
    (tmp_path / "copy").write_text("mine")
    assert "exists already" in machine.run("export", "norte", str(tmp_path / "copy")).err
    assert (tmp_path / "copy").read_text() == "mine"


# ---- move ---------------------------------------------------------------------------------------


@pytest.mark.sampled(0)
def test_a_moved_hall_has_its_rows_at_the_other_server_alone(
    machine: HallMachine, cluster: Cluster
) -> None:
    machine.run("create", "norte")
    add_person(machine, "norte", "ana")
    path = machine.config("norte")
    path.write_text(path.read_text().replace("hosts = []", "viewers = 77"))
    with running_cluster(has_passwords=True) as other:
        moved = machine.run("move", "norte", "--server", server_of(other), text="norte\n")
        assert moved.code == 0, moved.err
        assert databases_of(cluster) == set()
        assert databases_of(other) == {"login hub_norte", "database hub_norte"}
        assert people(machine, "norte") == ["ana"]
        assert "viewers = 77" in path.read_text()  # a line of the owner
        assert machine.units == {SOCKET}


@pytest.mark.sampled(0)
def test_a_hall_moves_from_sqlite_to_postgresql(machine: HallMachine, cluster: Cluster) -> None:
    server, machine.server = machine.server, ""
    assert machine.run("create", "norte", "--sqlite").code == 0
    assert "norte: waits, ports 2" in (said := machine.run("list").out)
    assert ", SQLite, norte" in said
    assert databases_of(cluster) == set()
    moved = machine.run("move", "norte", "--server", server, "--yes")
    assert moved.code == 0, moved.err
    assert databases_of(cluster) == {"login hub_norte", "database hub_norte"}
    assert not list(machine.root.rglob("hub.sqlite"))


@pytest.mark.sampled(0)
def test_a_move_to_a_server_that_fails_leaves_the_hall_where_it_is(machine: HallMachine) -> None:
    machine.run("create", "norte")
    add_person(machine, "norte", "ana")
    away = "postgresql+psycopg://nobody@/postgres?host=/no/such/folder"
    said = machine.run("move", "norte", "--server", away, "--yes")
    assert said.code == 1
    assert said.err.count("\n") == 1
    assert machine.run("list").out.startswith("norte: waits, ")
    assert people(machine, "norte") == ["ana"]


# ---- cut by a power loss ------------------------------------------------------------------------


def cuts_of_create(machine: HallMachine, name: str) -> int:
    """The number of changes that create one hall."""
    made: list[str] = []
    machine.halls(made.append).create(machine.wish(name))
    machine.halls().delete(name, lambda _: None)
    return len(made)


@pytest.mark.sampled(0)
@pytest.mark.parametrize("then", ["create", "delete"])
def test_a_create_that_is_cut_before_any_change_is_repeated_or_undone(
    machine: HallMachine, cluster: Cluster, then: str
) -> None:
    count = cuts_of_create(machine, "norte")
    assert count >= 12
    for at in sample(range(count), 6, turn=then == "delete"):
        with pytest.raises(PowerCut):
            machine.halls_cut_before(at).create(machine.wish("norte"))
        if machine.halls().records.find("norte") is not None:
            assert "half created" in machine.run("list").out
        else:
            assert (at, machine.files, databases_of(cluster)) == (0, set(), set())
        if then == "create" or not at:
            said = machine.run("create", "norte")
            assert said.code == 0, said.err
            assert machine.units == {SOCKET}
            assert databases_of(cluster) == {"login hub_norte", "database hub_norte"}
            database_of(machine, "norte").close()
        assert machine.run("delete", "norte", "--yes").code == 0
        assert (machine.files, machine.units, databases_of(cluster)) == (set(), set(), set())


@pytest.mark.sampled(0)
def test_a_delete_that_is_cut_before_any_change_goes_on_without_a_question(
    machine: HallMachine, cluster: Cluster
) -> None:
    made: list[str] = []
    machine.run("create", "norte")
    machine.halls(made.append).delete("norte", lambda _: None)
    assert len(made) >= 10
    for at in sample(range(len(made)), 6):
        machine.run("create", "norte")
        with pytest.raises(PowerCut):
            machine.halls_cut_before(at).delete("norte", lambda _: None)
        if at:
            assert "half deleted" in machine.run("list").out
            assert "half deleted" in machine.run("create", "norte").err
        assert machine.run("delete", "norte", text="" if at else "norte\n").code == 0
        assert (machine.files, machine.units, databases_of(cluster)) == (set(), set(), set())


@pytest.mark.sampled(0)
@pytest.mark.parametrize("then", ["move", "start"])
def test_a_move_that_is_cut_before_any_change_goes_on_and_has_every_row_in_one_place(
    machine: HallMachine, cluster: Cluster, then: str
) -> None:
    with running_cluster(has_passwords=True) as other:
        places = [server_of(cluster), server_of(other)]
        made: list[str] = []
        machine.run("create", "norte")
        add_person(machine, "norte", "ana")
        machine.halls(made.append).move("norte", places[1], lambda _: None)
        assert len(made) >= 14
        places.reverse()
        for at in sample(range(len(made)), 7, turn=then == "start"):
            with pytest.raises(PowerCut):
                machine.halls_cut_before(at).move("norte", places[1], lambda _: None)
            (record,) = machine.halls().records.all()
            if record.stage is not HallStage.READY:
                assert f"scorer hubs {then} norte" in machine.run("list").out
            words = ["--server", places[1], "--yes"] if then == "move" else []
            said = machine.run(then, "norte", *words)
            # The last change opens the ports: the hall has moved before it.
            assert said.code == 0 or "is there already" in said.err, said.err
            machine.run("start", "norte")
            assert people(machine, "norte") == ["ana"]
            both = [databases_of(each) for each in (cluster, other)]
            assert sorted(map(len, both)) == [0, 2]
            assert machine.units == {SOCKET}
            (record,) = machine.halls().records.all()
            if record.home.server == places[1]:
                places.reverse()


# ---- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Norte",            "as 'norte'"),
        ("Peña Tres",        "as 'pena-tres'"),
        ("../../etc/passwd", "as 'etc-passwd'"),
        ("/etc",             "as 'etc'"),
        (".",                "begins with a letter and does not end with -"),
        ("",                 "begins with a letter"),
        ("3-copas",          "as 'copas'"),
        ("norte-",           "as 'norte'"),
        ("a" * 21,           f"as '{'a' * 20}'"),
        ('x"; DROP ROLE y',  "as 'x-drop-role-y'"),
        ("norte\n",          "as 'norte'"),
        ("%i",               "as 'i'"),
        ("東",               "begins with a letter"),
    ],
)  # fmt: skip
def test_what_is_no_name_of_a_hall_is_refused_with_one_that_is(
    small_machine: HallMachine, name: str, near: str
) -> None:
    for words in (["create", name], ["delete", name], ["export", name, "file"], ["stop", name]):
        said = small_machine.run(*words)
        assert said.code == 2
        assert near in said.err
    assert small_machine.files == set()


@pytest.mark.parametrize("name", ["a", "norte", "la-plata", "copas3", "a" * 20])
def test_what_is_a_name_of_a_hall_makes_a_valid_user_of_the_system(name: str) -> None:
    assert check_name(name) == name
    assert len(f"scorer-hub-{name}") <= 31  # as systemd takes names of users


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "80801"],                          "no port from 1 to 65535"),
        (["--port", "8090"],                           "name two ports, or neither"),
        (["--port", "8090", "--secure-port", "8090"],  "name two ports, or neither"),
        (["--title", "x" * 99],                        "letters, not 99"),
        (["--title", 'a"b\nc'],                        ""),
        (["--host", "no host"],                        "hosts"),
        (["--address", "halls"],                       "is no address like"),
        (["--server", "mysql://x"],                    "postgresql"),
        (["--server", "x"],                            "it is not like"),
        (["--from", "/no/such/file"],                  "No such file"),
        (["--from", "/"],                              "Is a directory"),
        (["--server", "postgresql://nobody@/postgres?host=/no/such"], "No such file"),
    ],
)  # fmt: skip
def test_bad_input_is_a_sentence_and_nothing_is_half_created(
    machine: HallMachine, cluster: Cluster, words: list[str], sentence: str
) -> None:
    said = machine.run("create", "norte", *words)
    if said.code:
        assert sentence in said.err
        assert "Traceback" not in said.err
        assert (machine.files, machine.units, databases_of(cluster)) == (set(), set(), set())
    else:
        assert not sentence
        assert 'name = "a\\"b\\nc"' in machine.config("norte").read_text()


def test_a_port_in_use_is_a_sentence(machine: HallMachine, cluster: Cluster) -> None:
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        said = machine.run("create", "norte", "--port", str(port), "--secure-port", "29999")
        assert f"port {port} of 0.0.0.0 cannot be used: Address already in use" in said.err
    assert (machine.files, databases_of(cluster)) == (set(), set())


@pytest.mark.sampled(0)
def test_a_database_without_room_is_a_sentence_and_nothing_is_half_created(
    machine: HallMachine,
) -> None:
    # Outside the folders of pytest, which the user of the server cannot enter.
    place = Path(tempfile.mkdtemp(prefix="hub-pg-"))
    place.chmod(0o755)
    try:
        with small_disk(place, "9m"), running_cluster(has_passwords=True) as full:
            full.sql(f"CREATE TABLESPACE small LOCATION '{place}'")
            # A new database is a copy of this one, beside it; for a second there is no room.
            full.sql("ALTER DATABASE template0 SET TABLESPACE small")
            said = machine.run("create", "norte", "--server", server_of(full))
            assert "No space left on device; nothing was created" in said.err
            assert said.err.count("\n") == 1
            assert (machine.files, machine.units, databases_of(full)) == (set(), set(), set())
    finally:
        place.rmdir()


@pytest.mark.sampled(0)
def test_two_halls_never_have_a_port_in_common(machine: HallMachine) -> None:
    for name in ("norte", "sur"):
        assert machine.run("create", name).code == 0
    ports = [(each.port, each.secure_port) for each in machine.halls().records.all()]
    assert len({*ports[0], *ports[1]}) == 4
    taken = ["--port", str(ports[0][0]), "--secure-port", "29999"]
    assert "it is of the hall norte" in machine.run("create", "este", *taken).err


def test_a_login_or_database_of_the_same_name_is_never_taken_over(
    machine: HallMachine, cluster: Cluster
) -> None:
    cluster.sql("CREATE ROLE hub_norte LOGIN")
    said = machine.run("create", "norte")
    assert said.code == 1
    assert "the server has a login hub_norte already" in said.err
    assert databases_of(cluster) == {"login hub_norte"}
    cluster.sql("CREATE DATABASE hub_sur")
    assert "a database hub_sur already" in machine.run("create", "sur").err
    assert machine.files == set()


@pytest.mark.sampled(0)
def test_two_machines_that_create_one_name_at_once_get_one_hall(
    machine: HallMachine, small_machine: HallMachine, cluster: Cluster
) -> None:
    """The other machine makes its login after this one has looked for it."""
    small_machine.server = machine.server
    with pytest.raises(PowerCut):
        machine.halls_cut_before(1).create(machine.wish("norte"))
    assert small_machine.run("create", "norte").code == 0
    said = machine.run("create", "norte")
    assert "is not of this hall" in said.err
    assert databases_of(cluster) == {"login hub_norte", "database hub_norte"}
    assert machine.files == set()
    database_of(small_machine, "norte").close()


@pytest.mark.parametrize(
    ("rights", "missing"),
    [
        ("", "CREATEROLE and CREATEDB"),
        ("CREATEROLE", "CREATEDB"),
        ("CREATEDB", "CREATEROLE"),
    ],
)
def test_a_login_that_lacks_a_right_is_a_sentence_that_gives_it(
    machine: HallMachine, cluster: Cluster, rights: str, missing: str
) -> None:
    cluster.sql(f"CREATE ROLE clerk LOGIN PASSWORD 'x' {rights}")
    try:
        server = f"postgresql+psycopg://clerk:x@/postgres?host={cluster.folder}"
        said = machine.run("create", "norte", "--server", server)
        assert f"the login clerk of --server lacks {missing}: ALTER ROLE" in said.err
        assert (machine.files, databases_of(cluster)) == (set(), set())
    finally:
        cluster.sql("DROP ROLE clerk")


def test_a_login_with_two_rights_and_no_more_creates_moves_and_deletes(
    machine: HallMachine, cluster: Cluster
) -> None:
    cluster.sql("CREATE ROLE clerk LOGIN PASSWORD 'x' CREATEROLE CREATEDB")
    try:
        machine.server = f"postgresql+psycopg://clerk:x@/postgres?host={cluster.folder}"
        said = machine.run("create", "norte")
        assert said.code == 0, said.err
        add_person(machine, "norte", "ana")
        said = machine.run("delete", "norte", "--yes")
        assert said.code == 0, said.err
        assert databases_of(cluster) == set()
    finally:
        cluster.sql("DROP ROLE clerk")


def test_a_hub_whose_login_has_lost_a_right_says_so(machine: HallMachine, cluster: Cluster) -> None:
    from scorer.hub import command

    machine.run("create", "norte")
    cluster.sql("REVOKE CONNECT ON DATABASE hub_norte FROM hub_norte")
    config = ["--config", str(machine.config("norte")), "--card", os.devnull]
    assert command.main([*config, "--state", str(machine.root / "state"), "rebuild"]) == 1


def test_a_server_that_asks_the_login_for_something_else_is_a_sentence(
    machine: HallMachine, cluster: Cluster
) -> None:
    """As the socket of Debian, where a login must be the user of the system."""
    rules = cluster.folder / "data" / "pg_hba.conf"
    kept = rules.read_text()
    rules.write_text("local all nobody trust\nlocal all all peer\n")
    cluster.sql("SELECT pg_reload_conf()")
    try:
        said = machine.run("create", "norte")
        assert said.code == 1
        assert "nothing was created" in said.err
        assert databases_of(cluster) == set()
    finally:
        rules.write_text(kept)
        cluster.sql("SELECT pg_reload_conf()")


@pytest.mark.sampled(0)
def test_a_broken_record_stops_no_other_hall_from_being_stopped(machine: HallMachine) -> None:
    for name in ("norte", "sur"):
        machine.run("create", name)
    (machine.config("norte").parent / "norte.json").write_text("{")
    said = machine.run("stop", "norte")
    assert "norte.json cannot be read" in said.err
    assert machine.run("stop", "sur").code == 0


def test_a_machine_whose_systemd_does_not_answer_keeps_the_hall_and_says_what_to_do(
    machine: HallMachine,
) -> None:
    machine.break_systemd()
    said = machine.run("create", "norte")
    assert said.code == 1
    assert "Failed to connect to bus; `scorer hubs start norte` tries again" in said.err
    machine.break_systemd(is_broken=False)
    assert machine.run("start", "norte").code == 0
    assert machine.units == {SOCKET}


def test_one_command_works_at_a_time(machine: HallMachine) -> None:
    with machine.halls().records.locked(lambda: HallError("busy")):
        assert "another `scorer hubs` is at work" in machine.run("list").err
    assert machine.run("list").code == 0


def test_an_unknown_hall_is_a_sentence(small_machine: HallMachine) -> None:
    for words in (["stop"], ["start"], ["delete"], ["export"], ["move"]):
        said = small_machine.run(*words, "norte", *(["f"] * (words == ["export"])))
        assert "there is no hall norte" in said.err
