"""Files for browsers: caching, the owner's pages, and what is never served."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from starlette.responses import FileResponse

from scorer.serving import static_files
from scorer.web.owner_files import owner_file_response


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An owner's folder with other files beside and inside it."""
    www = tmp_path / "www"
    (www / "carta").mkdir(parents=True)
    (www / ".git").mkdir()
    for name in ("index.html", "carta/index.html", "carta/menú 1.html", "logo.png", "notes.md"):
        (www / name).write_text(name, encoding="utf-8")
    for name in (".htpasswd", ".git/index.html", "passwd", "a.toml"):
        (www / name).write_text("secret", encoding="utf-8")
    (tmp_path / "secret.html").write_text("secret", encoding="utf-8")
    (www / "out.html").symlink_to(tmp_path / "secret.html")
    (www / "up").symlink_to(tmp_path)
    (www / "in.html").symlink_to(www / "index.html")
    (www / "folder.html").mkdir()
    return www


@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("",                  "index.html",         "text/html; charset=utf-8"),
        ("index.html",        "index.html",         "text/html; charset=utf-8"),
        ("carta/",            "carta/index.html",   "text/html; charset=utf-8"),
        ("carta/menú 1.html", "carta/menú 1.html",  "text/html; charset=utf-8"),
        ("logo.png",          "logo.png",           "image/png"),
        ("in.html",           "index.html",         "text/html; charset=utf-8"),
    ],
)  # fmt: skip
def test_a_bars_own_pages_are_shown(folder: Path, path: str, name: str, kind: str) -> None:
    response = owner_file_response(folder, path)
    assert isinstance(response, FileResponse)
    assert Path(response.path) == folder / name
    assert response.headers["content-type"] == kind


@pytest.mark.parametrize(
    "path",
    [
        "../secret.html",
        "carta/../../secret.html",
        "/etc/passwd",
        "/etc/ssl/index.html",
        "up/secret.html",
        "out.html",
        "folder.html",
        ".htpasswd",
        ".git/",
        ".git/index.html",
        "passwd",
        "a.toml",
        "notes.md",
        "no.html",
        "carta",
        "index.html/x.html",
        "x\x00.html",
        "a" * 5000 + ".html",
    ],
)
def test_nothing_else_is(folder: Path, path: str) -> None:
    assert owner_file_response(folder, path) is None


def test_a_folder_that_is_not_there_has_no_pages(tmp_path: Path) -> None:
    assert owner_file_response(tmp_path / "none", "index.html") is None


def test_our_own_files_are_found_and_pages_have_paths_of_their_own() -> None:
    own = static_files.page_files("scorer.web.pages")
    assert {"board.html", "overlay.html", "board.css", "board.js"} <= own.keys()
    static = static_files.static_files(own)
    assert "board.css" in static
    assert not any(name.endswith((".html", ".py")) for name in static)


def test_a_file_that_a_browser_has_is_not_sent_again() -> None:
    file = static_files.cached_file(b"body", "text/css")
    assert static_files.file_response(file, None).body == b"body"
    assert static_files.file_response(file, '"other"').status_code == 200
    again = static_files.file_response(file, f'"other", {file.etag}')
    assert (again.status_code, again.body) == (304, b"")
    assert static_files.cached_file(b"other", "text/css").etag != file.etag


def test_a_text_is_compressed_for_clients_that_accept_it() -> None:
    file = static_files.cached_file(b"body " * 1000, "text/css")
    answer = static_files.file_response(file, None, "gzip, deflate, br")
    assert gzip.decompress(answer.body) == file.body and len(answer.body) < 100
    assert (answer.headers["content-encoding"], answer.headers["vary"]) == (
        "gzip",
        "Accept-Encoding",
    )
    tag = answer.headers["etag"]
    assert tag != file.etag
    assert static_files.file_response(file, tag, "gzip").status_code == 304
    assert static_files.file_response(file, tag).body == file.body
    picture = static_files.cached_file(b"body " * 1000, "image/png")
    assert static_files.file_response(picture, None, "gzip").body == picture.body
