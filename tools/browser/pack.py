"""Pack the library and the program for the page.

Runs in the page's own Pyodide, under node: its compiler makes the bytecode that its interpreter
reads. What is packed follows from the imports of the program; LEFT_OUT lists what the page never
calls. Docstrings are left out too, and groups of texts that no packed module names.
"""

from __future__ import annotations

import ast
import gzip
import importlib.util
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib import _bootstrap_external
from pathlib import Path

from tools.browser.imports import find_imports, reachable

PROGRAM = "scorer.browser.page_table"
STAND_IN = Path("tools/browser/pillow")
CODES = Path("build/pyodide")  # has the copied part of segno
# Packages whose modules are imported by name, not by a statement: the configuration names drivers.
BY_NAME = (
    "scorer.hw.displays",
    "scorer.hw.inputs",
    "scorer.hw.outputs",
    "scorer.rules.variants",
)
FONTS = ("scorer/display/fonts", ("*.hex", "*.txt"))
CATALOGUES = ("scorer/i18n", "*/LC_MESSAGES/*.json")
# Modules that the interpreter imports from C, and the codecs that it names.
OF_THE_INTERPRETER = (
    "_strptime",
    "copyreg",
    "encodings.aliases",
    "encodings.ascii",
    "encodings.latin_1",
    "encodings.utf_8",
    "importlib.util",
    "site",
)
LEFT_OUT = (
    # A page has no television.
    "scorer.display.tv",
    # Consoles, debuggers, documentation, profiles.
    "_pyrepl",
    "doctest",
    "pdb",
    "pydoc",
    "pyodide.console",
    "rlcompleter",
    "unittest",
    "webbrowser",
    # Networks and processes: a page has neither.
    "concurrent.interpreters",
    "ctypes",
    "email",
    "http",
    "importlib.metadata",
    "mailbox",
    "multiprocessing",
    "pyodide.http",
    "urllib.request",
    "xml",
    # The other half of modules that the page reads or writes nothing with.
    "argparse",
    "optparse",
    "pickle",
    "tarfile",
)

# The other half of the runtime, which copies its docstrings to functions in C.
RUNTIME = ("_pyodide", "pyodide")

Sources = Mapping[str, tuple[bytes, bool]]


def main(arguments: list[str]) -> None:
    """``arguments``: the library of the runtime, the packed one, the program."""
    library, new_library, program = map(Path, arguments)
    known = dict(_library_sources(library))
    own = dict(_folder_sources(Path(), "scorer")) | dict(_folder_sources(STAND_IN, "PIL"))
    own |= dict(_folder_sources(CODES, "segno"))
    roots = [PROGRAM, *(name for name in own if name.rpartition(".")[0] in BY_NAME)]
    packed = reachable([*roots, "PIL", "segno.encoder"], own.get, LEFT_OUT)
    wanted = {
        name
        for module in packed
        for name in find_imports(module, own[module][0], is_package=own[module][1])
    }
    wanted |= {name for name in known if name.partition(".")[0] in RUNTIME}
    wanted |= {name for module in packed for name in _codecs(own[module][0], known)}
    of_library = reachable([*wanted, *OF_THE_INTERPRETER], known.get, LEFT_OUT)
    _write_zip(new_library, _compiled(known, of_library))
    folder, patterns = FONTS
    data = {str(path): path.read_bytes() for each in patterns for path in Path(folder).glob(each)}
    named = _groups_named(own[module][0].decode() for module in packed)
    for path in Path(CATALOGUES[0]).glob(CATALOGUES[1]):
        texts = json.loads(path.read_bytes())
        kept = {key: text for key, text in texts.items() if key.partition(".")[0] in named}
        data[str(path)] = json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode()
    _write_pack(program, {**_compiled(own, packed), **data})
    print(f"{len(of_library)} modules of the library, {len(packed)} of the program")


def _groups_named(sources: Iterable[str]) -> set[str]:
    """The groups of texts that modules name, in strings such as "group.key"."""
    return {found for source in sources for found in re.findall(r"[\"'](\w*)\.", source)}


def _codecs(source: bytes, known: Sources) -> Iterator[str]:
    """The codecs that a module may name: each string that is the name of one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = f"encodings.{node.value.lower().replace('-', '_')}"
            if name in known:
                yield name


def _library_sources(library: Path) -> Iterator[tuple[str, tuple[bytes, bool]]]:
    with zipfile.ZipFile(library) as archive:
        for path in archive.namelist():
            if path.endswith(".py"):
                yield _named(path, archive.read(path))


def _folder_sources(folder: Path, package: str) -> Iterator[tuple[str, tuple[bytes, bool]]]:
    for path in sorted((folder / package).rglob("*.py")):
        yield _named(str(path.relative_to(folder)), path.read_bytes())


def _named(path: str, source: bytes) -> tuple[str, tuple[bytes, bool]]:
    is_package = path.endswith("/__init__.py")
    name = path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    return name, (source, is_package)


def _compiled(sources: Sources, names: Iterable[str]) -> dict[str, bytes]:
    """The bytecode of the modules by path, valid without their sources."""
    found = {}
    for name in sorted(names):
        source, is_package = sources[name]
        path = name.replace(".", "/") + ("/__init__" if is_package else "")
        tree = ast.parse(source)
        if name.partition(".")[0] not in RUNTIME:
            _remove_docstrings(tree)
        code = compile(tree, f"{path}.py", "exec", dont_inherit=True)
        # Not declared: the header of bytecode that is valid without a source.
        write = _bootstrap_external._code_to_hash_pyc  # type: ignore[attr-defined]
        found[f"{path}.pyc"] = bytes(write(code, importlib.util.source_hash(source), False))
    return found


def _remove_docstrings(tree: ast.AST) -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
            # A module may be empty, and begins with imports from __future__.
            is_module = isinstance(node, ast.Module)
            node.body[:1] = [] if is_module else [ast.copy_location(ast.Pass(), node.body[0])]


def _write_zip(path: Path, files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, body in sorted(files.items()):
            archive.writestr(
                zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), body, zipfile.ZIP_DEFLATED
            )


def _write_pack(path: Path, files: Mapping[str, bytes]) -> None:
    """A gzip file: the length of a list of names and sizes, the list, the files."""
    listed = sorted(files.items())
    head = json.dumps([[name, len(body)] for name, body in listed]).encode()
    whole = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, whole, mtime=0) as packed:
        packed.write(len(head).to_bytes(4, "big") + head)
        for _, body in listed:
            packed.write(body)
    path.write_bytes(whole.getvalue())
