"""``make table-page``: build the page in build/table.

With ``--sizes`` it prints the files that are fetched until the first picture, with their sizes; the
last line is "table-page: N files, N bytes gzip".
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import segno

from scorer.i18n import languages, sentences
from scorer.web.pages import WORDS
from tools.browser.runtime import VERSION, runtime_folder

ROOT = Path(__file__).parent.parent.parent
HERE = Path(__file__).parent
OUT = ROOT / "build" / "table"
FRONT = ROOT / "scorer" / "demo" / "front" / "page"
BOARD = ROOT / "scorer" / "web" / "pages"
SHARED = ROOT / "scorer" / "serving" / "pages"
BUDGET = 7_000_000  # bytes until the first picture, each file by gzip -9

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARY, LOCK, PROGRAM = "runtime/python_stdlib.zip", "runtime/pyodide-lock.json", "table.pack"
PAGE = (
    "connection.js",
    "guide.js",
    "start.js",
    "table.css",
    "table.webmanifest",
    "unpack.js",
    "worker.js",
)
OF_FRONT = ("buzzer.js", "fingers.js", "front.css", "front.js", "icon.svg", "panel.js")
OF_BOARD = (
    "board.css",
    "board.js",
    "draw.js",
    "game.css",
    "game.js",
    "icon.svg",
    "idle.js",
    "lamps.css",
    "picture.js",
    "stream.js",
    "words.js",
)
OF_ALL_PAGES = ("dom.js", "element.js", "felt.css", "follow.js", "request.js")
ICONS = ("icon512.png", "icon_full.png")
# Loaded after the first picture, or only where it is installed.
LATER = (*ICONS, "licences.html", "board.html", "game.html")
# The half of segno that makes codes; the other half writes files of many formats.
ENCODER = ("consts.py", "encoder.py")
# No other host, no code from text but WebAssembly. A page cannot forbid its frames by a tag.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
LICENCES = (
    (f"Pyodide {VERSION}, https://github.com/pyodide/pyodide (its source)", "pyodide.txt"),
    (
        "Python, https://www.python.org. Modules that the page does not use are left out, "
        "the others are compiled.",
        "python.txt",
    ),
    ("segno, https://github.com/heuer/segno (its encoder)", "segno.txt"),
    ("Libraries of the runtime", "libraries.txt"),
)


def main() -> int:
    """0: built, or with --sizes within the budget."""
    if "--sizes" in sys.argv:
        return _print_sizes()
    shutil.rmtree(OUT, ignore_errors=True)
    for folder in ("runtime", "static", "words"):
        (OUT / folder).mkdir(parents=True)
    runtime = runtime_folder()
    for name in RUNTIME:
        shutil.copyfile(runtime / name, OUT / "runtime" / name)
    lock = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))
    _write_json(OUT / LOCK, {**lock, "packages": {}})
    _pack(runtime)
    _copy(HERE / "page", PAGE, OUT)
    _copy(FRONT, OF_FRONT, OUT)
    _copy(BOARD, (*ICONS, "wake_lock.js"), OUT)
    _copy(BOARD, OF_BOARD, OUT / "static")
    _copy(SHARED, OF_ALL_PAGES, OUT / "static")
    _copy(HERE / "page", ("transport.js", "game_transport.js"), OUT / "static")
    _write_page("index.html", HERE / "page" / "index.html")
    for name in ("board.html", "game.html"):
        _write_page_of_board(name)
    (OUT / "licences.html").write_text(_licences(), "utf-8")
    for language in languages():
        _write_json(OUT / "words" / f"{language}.json", sentences(language, *WORDS))
    _write_start()
    _write_service_worker()
    return 0


def first_files() -> list[str]:
    """The files that are fetched until the first picture."""
    return [name for name in _files() if not name.startswith(("static/", "words/", *LATER))]


def _files() -> list[str]:
    return sorted(str(path.relative_to(OUT)) for path in OUT.rglob("*") if path.is_file())


def _copy(folder: Path, names: Iterable[str], target: Path) -> None:
    for name in names:
        shutil.copyfile(folder / name, target / name)


def _pack(runtime: Path) -> None:
    """Compile and pack the library and the program, by the runtime itself."""
    script, codes = HERE / "run_python.mjs", ROOT / "build" / "pyodide" / "segno"
    codes.mkdir(exist_ok=True)
    _copy(Path(segno.__file__).parent, ENCODER, codes)
    paths = (runtime / "python_stdlib.zip", OUT / LIBRARY, OUT / PROGRAM)
    relative = [str(path.relative_to(ROOT)) for path in paths]
    command = ["node", str(script), str(runtime), "tools.browser.pack", *relative]
    subprocess.run(command, cwd=ROOT, check=True)


def _write_page(name: str, source: Path) -> None:
    text = source.read_text("utf-8").replace("{{policy}}", POLICY)
    (OUT / name).write_text(text, "utf-8")


def _write_page_of_board(name: str) -> None:
    """A page as it is served, without its way out for browsers without scripts."""
    kept = [
        line
        for line in (BOARD / name).read_text("utf-8").splitlines(keepends=True)
        if "noscript" not in line and "nomodule" not in line
    ]
    policy = (
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    )
    text = "".join(kept).replace('<meta charset="utf-8">', policy)
    text = text.replace("{{language}}", languages()[0]).replace("{{theme}}", "auto")
    (OUT / name).write_text(text, "utf-8")


def _licences() -> str:
    parts = [("Truco Scorer", ROOT / "LICENSE"), ("Spleen", ROOT / "scorer/display/fonts/LICENSE")]
    parts += [(title, HERE / "licences" / name) for title, name in LICENCES]
    body = "".join(
        f"<h2>{html.escape(title)}</h2>\n<pre>{html.escape(path.read_text('utf-8'))}</pre>\n"
        for title, path in parts
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Licences</title>\n</head>\n<body>\n<h1>Licences</h1>\n{body}</body>\n</html>\n"
    )


def _write_start() -> None:
    """The texts before the table runs, and the size of what it downloads."""
    size = sum(_gzip_size(name) for name in first_files())
    words = {language: sentences(language, "browser.") for language in languages()}
    _write_json(OUT / "start.json", {"size": size, "words": words})


def _write_service_worker() -> None:
    """The version is that of all files, and of the worker that keeps them."""
    source = (HERE / "page" / "service_worker.js").read_text("utf-8")
    files = _files()
    digest = hashlib.sha256(source.encode())
    for name in files:
        digest.update(name.encode() + b"\0" + (OUT / name).read_bytes())
    big = (LIBRARY, LOCK, PROGRAM, *(f"runtime/{name}" for name in RUNTIME))
    shell = ["./", *(name for name in first_files() if name not in (*big, "index.html"))]
    rest = [name for name in files if name not in shell and name != "index.html"]
    listed = json.dumps({"version": digest.hexdigest()[:16], "shell": shell, "rest": rest})
    source = source.replace("{{files}}", listed)
    (OUT / "service_worker.js").write_text(source, "utf-8")


def _write_json(path: Path, value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    path.write_text(text, "utf-8")


def _gzip_size(name: str) -> int:
    return len(gzip.compress((OUT / name).read_bytes(), 9, mtime=0))


def _print_sizes() -> int:
    sizes = {name: _gzip_size(name) for name in first_files()}
    for name, size in sorted(sizes.items(), key=lambda each: -each[1]):
        print(f"{size:>9,}  {name}")
    total = sum(sizes.values())
    print(f"table-page: {len(sizes)} files, {total} bytes gzip")
    if total > BUDGET:
        print(f"more than {BUDGET} bytes", file=sys.stderr)
    return int(total > BUDGET)


if __name__ == "__main__":
    sys.exit(main())
