"""Commands of root follow no link, laid in a folder before or meanwhile."""

from __future__ import annotations

import errno
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from scorer import ownership
from scorer.hub.published.files import INDEX
from scorer.ownership import give_to_owner_of, opened_own_folder, opened_without_links, path_of
from scorer.static_site.folder import SITE, replace_site
from scorer.store import file
from scorer.store.backup import copy_store
from scorer.store.errors import StoreError
from scorer.store.journal import Journal, Stamp
from scorer.store.restore import restore_store
from tests.hub.hub_process import HubProcess

OTHER = 4711
ROUNDS = 40
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of root, beside the folder of another user."""
    path = tmp_path / "victim"
    path.write_text("root only")
    path.chmod(0o600)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "theirs"
    path.mkdir()
    os.chown(path, OTHER, OTHER)
    return path


def is_untouched(victim: Path) -> bool:
    found = victim.stat()
    rights = (found.st_uid, found.st_gid, found.st_mode & 0o777)
    return rights == (0, 0, 0o600) and victim.read_text() == "root only"


@contextmanager
def meanwhile(act: Callable[[], object]) -> Iterator[None]:
    """Another user acts again and again, as fast as it can."""
    over = threading.Event()

    def run() -> None:
        while not over.is_set():
            with suppress(OSError):
                act()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def swapping(place: Path, link: Path, target: Path) -> Callable[[], None]:
    """Exchanges ``place`` for a link to ``target`` and back."""

    def swap() -> None:
        link.symlink_to(target)
        link.replace(place)
        place.unlink(missing_ok=True)
        place.write_bytes(b"")
        os.chown(place, OTHER, OTHER)

    return swap


LAYING: dict[str, Callable[[Path, Path], object]] = {
    "a symbolic link": lambda path, victim: path.symlink_to(victim),
    "a hard link": lambda path, victim: path.hardlink_to(victim),
}


@pytest.mark.parametrize("lay", LAYING.values(), ids=LAYING)
def test_a_link_is_not_given_away(
    folder: Path, victim: Path, lay: Callable[[Path, Path], object]
) -> None:
    lay(folder / "x", victim)
    with pytest.raises(OSError):
        give_to_owner_of(folder, folder / "x")
    assert is_untouched(victim)


def test_a_link_on_the_way_is_not_followed(tmp_path: Path, folder: Path, victim: Path) -> None:
    (folder / "way").symlink_to(tmp_path)
    with pytest.raises(OSError, match="not followed"):
        give_to_owner_of(folder, folder / "way" / "victim")
    with pytest.raises(OSError), opened_without_links(folder / "way" / ".." / "victim"):
        pass
    assert is_untouched(victim)


def test_a_pipe_does_not_stop_a_command(folder: Path) -> None:
    os.mkfifo(folder / "x")
    with pytest.raises(OSError, match="no file with one name"):
        give_to_owner_of(folder, folder / "x")


def test_a_folder_that_was_exchanged_is_no_place_to_write(folder: Path) -> None:
    (folder / "work").mkdir()
    os.chown(folder / "work", OTHER, OTHER)
    with pytest.raises(OSError, match="taken its place"), opened_own_folder(folder / "work"):
        pass


def test_a_folder_stays_the_same_wherever_it_is_moved(folder: Path) -> None:
    (folder / "work").mkdir(0o700)
    with opened_own_folder(folder / "work") as opened:
        (folder / "work").rename(folder / "away")
        (folder / "work").symlink_to("/")
        (path_of(opened) / "x").write_text("here")
    assert (folder / "away" / "x").read_text() == "here"


def test_no_link_that_is_laid_meanwhile_is_given_away(folder: Path, victim: Path) -> None:
    place = folder / "x"
    found = Counter[int]()
    with meanwhile(swapping(place, folder / "link", victim)):
        while found[0] < ROUNDS or found[errno.ELOOP] < ROUNDS:
            try:
                give_to_owner_of(folder, place)
                found[0] += 1
            except OSError as error:
                found[error.errno or -1] += 1
    assert is_untouched(victim)


# ---- scorer hub ----------------------------------------------------------------------------------


def hub_in(folder: Path, tmp_path: Path) -> HubProcess:
    config = tmp_path / "scorer.toml"
    config.write_text("[hub]\n")
    return HubProcess(folder, config)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("lay", LAYING.values(), ids=LAYING)
@pytest.mark.parametrize(
    "command", [("tournament", "list"), ("cards", "--tables", "1"), ("audit",), ("rebuild",)]
)
def test_a_command_of_the_hub_gives_no_link_away(
    tmp_path: Path, folder: Path, victim: Path, command: tuple[str, ...],
    lay: Callable[[Path, Path], object],
) -> None:  # fmt: skip
    lay(folder / "hub.sqlite-evil", victim)
    done = hub_in(folder, tmp_path).run(*command)
    assert is_untouched(victim)
    assert "hub.sqlite-evil stays as it is" in done.stderr
    assert (folder / "hub.sqlite").stat().st_uid == OTHER


def test_a_database_that_is_a_link_is_not_opened(tmp_path: Path, folder: Path) -> None:
    (folder / "hub.sqlite").symlink_to(tmp_path / "made")
    done = hub_in(folder, tmp_path).run("tournament", "list")
    assert done.returncode == 1
    assert "not followed" in done.stderr
    assert not (tmp_path / "made").exists()


@pytest.mark.sampled(0)
def test_no_link_laid_beside_a_running_command_is_given_away(
    tmp_path: Path, folder: Path, victim: Path
) -> None:
    hub = hub_in(folder, tmp_path)
    with meanwhile(swapping(folder / "hub.sqlite-evil", folder / "link", victim)):
        for _ in range(ROUNDS // 4):
            hub.run("tournament", "list")
    assert is_untouched(victim)


# ---- a published site ---------------------------------------------------------------------------

FILES = {INDEX: b"{}", "index.html": b"<p>", "t/1.html": b"<h1>"}


def made(files: dict[str, bytes]) -> Callable[[object], dict[str, bytes]]:
    return lambda _: files


def test_a_site_is_not_written_through_a_link(tmp_path: Path, folder: Path, victim: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()

    def lay() -> None:
        fresh = folder / ".site.new"
        fresh.rename(folder / f"away{len([*folder.iterdir()])}")
        fresh.symlink_to(outside)

    replace_site(folder, made(FILES), INDEX, reserve=0)
    with meanwhile(lay):
        for number in range(ROUNDS):
            with suppress(OSError):
                files = {**FILES, "t/1.html": str(number).encode()}
                replace_site(folder, made(files), INDEX, reserve=0)
    assert list(outside.iterdir()) == []
    assert outside.stat().st_uid == 0
    assert is_untouched(victim)


@pytest.mark.parametrize("lay", LAYING.values(), ids=LAYING)
def test_a_link_in_the_old_site_is_neither_read_nor_kept(
    folder: Path, victim: Path, lay: Callable[[Path, Path], object]
) -> None:
    replace_site(folder, made(FILES), INDEX, reserve=0)
    page = folder / SITE / "index.html"
    page.unlink()
    lay(page, victim)
    same = {**FILES, "index.html": b"root only"}
    assert replace_site(folder, made({**same, "new": b""}), INDEX, reserve=0)
    assert is_untouched(victim)
    assert not page.is_symlink() and page.stat().st_ino != victim.stat().st_ino
    assert {each.stat().st_uid for each in (folder / SITE).rglob("*")} == {OTHER}


# ---- copies of a store --------------------------------------------------------------------------


def store_in(folder: Path) -> Path:
    stamp = Stamp("b", 0, "2026-01-01T21:00:00+00:00", trusted=True)
    with Journal.open(folder) as journal:
        header = '[Variant "argentine"]\n'
        journal.append(game=1, lines=["A award 1"], source="A", stamp=stamp, opens=header)
    return folder


def test_a_copy_is_not_written_through_a_link(tmp_path: Path, folder: Path, victim: Path) -> None:
    store = store_in(tmp_path / "store")
    (folder / ".copy.sqlite3.new").symlink_to(victim)
    copy_store(store, folder / "copy.sqlite3", lambda _: None)
    assert is_untouched(victim)
    place, link = folder / ".copy.sqlite3.new", folder / "link"
    with meanwhile(swapping(place, link, victim)):
        for _ in range(ROUNDS // 4):
            with suppress(StoreError):
                copy_store(store, folder / "copy.sqlite3", lambda _: None)
    assert is_untouched(victim)


def test_a_store_is_not_restored_through_a_link(tmp_path: Path, folder: Path, victim: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    copy_store(store_in(tmp_path / "store"), copy, lambda _: None)
    outside = tmp_path / "outside"
    outside.mkdir()
    mine = folder / "mine"
    mine.mkdir()
    (mine / file.FILE_NAME).symlink_to(victim)
    os.chown(mine, OTHER, OTHER)
    turn = 0

    def lay() -> None:
        nonlocal turn
        turn += 1
        work = folder / "restoring"
        work.rename(folder / f"away{turn}")
        if turn % 2:
            work.symlink_to(outside)
        else:
            mine.rename(work)
            work.rename(mine)

    with meanwhile(lay):
        for _ in range(ROUNDS // 4):
            with suppress(StoreError):
                restore_store(copy, folder, "2026-11-28", lambda _: None)
    assert is_untouched(victim)
    assert all(each.stat().st_uid == 0 for each in outside.iterdir())


def test_a_file_system_without_links_is_known(tmp_path: Path) -> None:
    with opened_without_links(tmp_path) as opened:
        assert ownership._takes_links(opened)
    assert list(tmp_path.iterdir()) == []
