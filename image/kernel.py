#!/usr/bin/env python3
"""Choose the kernel modules of the image: modules.list and dependencies.

    kernel.py lock MODULES     write modules.lock and boards.lock from a complete folder of modules
    kernel.py prune MODULES    remove all other modules; fails if a lock is out of date
    kernel.py initramfs        print the modules of initramfs.list by name

MODULES is a folder like /usr/lib/modules/7.3.4+deb13-arm64, with modules.dep and device trees.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODULES_LOCK = HERE / "modules.lock"
BOARDS_LOCK = HERE / "boards.lock"
TREES = "dtb/broadcom"
_BUILTIN = "# Built into it: "

Needs = Mapping[str, tuple[str, ...]]


class ListError(Exception):
    """A list does not fit the kernel, or a lock does not fit its list."""


def read_list(name: str) -> list[str]:
    """The lines of a data file of this folder, without comments."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line for raw in lines if (line := raw.partition("#")[0].strip())]


def module_name(path: str) -> str:
    """The name by which the kernel knows a module: path and suffix removed, - as _."""
    return re.sub(r"\.ko(\.\w+)?$", "", path.rpartition("/")[2]).replace("-", "_")


def parse_needs(text: str) -> dict[str, tuple[str, ...]]:
    """The dependencies of each module, as in modules.dep."""
    pairs = (line.partition(":") for line in text.splitlines() if line and line[0] != "#")
    return {path: tuple(rest.split()) for path, _, rest in pairs}


def find_dangling(needs: Needs) -> list[str]:
    """The modules that a kept one depends on and that are not kept themselves."""
    return sorted({each for every in needs.values() for each in every} - set(needs))


def find_unknown(wanted: Iterable[str], paths: Iterable[str], builtin: Iterable[str]) -> list[str]:
    """The entries of a list that match neither a module nor a built-in driver."""
    known = {module_name(path) for path in (*paths, *builtin)}
    folders = tuple(paths)
    return [
        each
        for each in wanted
        if not (
            any(path.startswith(f"kernel/{each}") for path in folders)
            if each.endswith("/")
            else module_name(each) in known
        )
    ]


def select(wanted: Iterable[str], needs: Needs) -> dict[str, tuple[str, ...]]:
    """The modules that ``wanted`` names, with all that they depend on."""
    names = {module_name(each) for each in wanted if not each.endswith("/")}
    folders = tuple(f"kernel/{each}" for each in wanted if each.endswith("/"))
    todo = [path for path in needs if module_name(path) in names or path.startswith(folders)]
    kept: dict[str, tuple[str, ...]] = {}
    while todo:
        path = todo.pop()
        if path not in kept:
            kept[path] = needs[path]
            todo.extend(needs[path])
    return dict(sorted(kept.items()))


def board_names() -> list[str]:
    """The device trees of boards.list."""
    return [line.split()[0] for line in read_list("boards.list")]


def board_drivers(modules: Path) -> set[str]:
    """The modules that the device trees of our boards ask for."""
    aliases: dict[str, set[str]] = {}
    for line in (modules / "modules.alias").read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"alias of:N\*T\*C(\S+[^*\s]) (\S+)", line):
            aliases.setdefault(found[1], set()).add(found[2])
    drivers: set[str] = set()
    for name in board_names():
        for values in re.findall(r'compatible = "(.+?)";', board_source(modules, name)):
            for compatible in re.split(r'\\0|", "', values):
                drivers |= aliases.get(compatible, set())
    return drivers


def board_source(modules: Path, board: str) -> str:
    """The device tree of a board as source, by dtc."""
    tree = modules / TREES / f"{board}.dtb"
    command = ["dtc", "-q", "-I", "dtb", "-O", "dts", str(tree)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def chosen(modules: Path) -> dict[str, tuple[str, ...]]:
    """The modules to keep of a complete folder. Raises ListError."""
    needs = parse_needs((modules / "modules.dep").read_text(encoding="utf-8"))
    lines = read_list("modules.list")
    wanted = [line for line in lines if line[0] != "-"]
    refused = {module_name(line[1:]) for line in lines if line[0] == "-"}
    listed = [*wanted, *read_list("initramfs.list")]
    if unknown := find_unknown(listed, needs, builtin_drivers(modules)):
        raise ListError(f"no module of this kernel: {', '.join(unknown)}")
    kept = select([*listed, *sorted(board_drivers(modules) - refused)], needs)
    if dangling := find_dangling(kept):
        raise ListError(f"modules.dep lacks {', '.join(dangling)}")
    return kept


def module_lock(modules: Path) -> str:
    """The text of modules.lock."""
    lines = [f"{path}: {' '.join(each)}".rstrip() for path, each in chosen(modules).items()]
    builtin = {module_name(each) for each in builtin_drivers(modules)}
    named = {
        module_name(each) for each in (*read_list("modules.list"), *read_list("initramfs.list"))
    }
    head = f"# Written by kernel.py from modules.list, for Linux {modules.name}."
    inside = f"{_BUILTIN}{' '.join(sorted(builtin & named))}"
    return "".join(f"{line}\n" for line in (head, inside, *lines))


def locked_builtin(text: str) -> list[str]:
    """The listed drivers that are built into the kernel, from modules.lock."""
    return next(
        line.removeprefix(_BUILTIN).split()
        for line in text.splitlines()
        if line.startswith(_BUILTIN)
    )


def builtin_drivers(modules: Path) -> list[str]:
    """The drivers in the kernel itself, as paths."""
    return (modules / "modules.builtin").read_text(encoding="utf-8").split()


def board_lock(modules: Path) -> str:
    """The text of boards.lock: labels that our overlays use, with their paths."""
    labels = sorted({label for each in HERE.glob("overlays/*.dts") for label in references(each)})
    lines = [f"# Written by kernel.py from boards.list, for Linux {modules.name}."]
    for name in board_names():
        symbols = re.search(r"__symbols__ \{(.*?)\};", board_source(modules, name), re.DOTALL)
        if symbols is None:
            raise ListError(f"{name} has no labels: an overlay cannot be applied to it")
        paths = dict(re.findall(r'(\w+) = "([^"]+)"', symbols[1]))
        found = [f"{label}={paths[label]}" for label in labels if label in paths]
        lines.append(" ".join([name, *found]))
    return "".join(f"{line}\n" for line in lines)


def references(overlay: Path) -> set[str]:
    """The labels that an overlay uses and does not define itself."""
    text = re.sub(r"//.*", "", overlay.read_text(encoding="utf-8"))
    return set(re.findall(r"&(\w+)", text)) - set(re.findall(r"(\w+):", text))


def prune(modules: Path) -> str:
    """Remove the other modules; returns a line of figures. Raises ListError."""
    for lock, text in ((MODULES_LOCK, module_lock(modules)), (BOARDS_LOCK, board_lock(modules))):
        if not lock.exists() or lock.read_text(encoding="utf-8") != text:
            raise ListError(f"{lock.name} does not fit Linux {modules.name}: make image-lock")
    kept = chosen(modules)
    every = [path for path in modules.rglob("*.ko*") if path.is_file()]
    for path in every:
        if str(path.relative_to(modules)) not in kept:
            path.unlink()
    for folder in sorted((each for each in modules.rglob("*") if each.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()
    boards = {f"{name}.dtb" for name in board_names()}
    for tree in (modules / "dtb").rglob("*.dtb"):
        if tree.name not in boards:
            tree.unlink()
    return f"kept {len(kept)} of {len(every)} kernel modules"


def initramfs_modules() -> list[str]:
    """The modules of initramfs.list by name, in the order of the list."""
    locked = parse_needs(MODULES_LOCK.read_text(encoding="utf-8"))
    names: list[str] = []
    for each in read_list("initramfs.list"):
        inside = [path for path in locked if path.startswith(f"kernel/{each}")]
        names += (
            [module_name(path) for path in inside] if each.endswith("/") else [module_name(each)]
        )
    return names


def main(words: list[str]) -> int:
    """Exit code 0: done; 1: a list does not fit; 2: wrong arguments."""
    match words:
        case ["lock", folder]:
            MODULES_LOCK.write_text(module_lock(Path(folder)), encoding="utf-8")
            BOARDS_LOCK.write_text(board_lock(Path(folder)), encoding="utf-8")
        case ["prune", folder]:
            print(prune(Path(folder)))
        case ["initramfs"]:
            print("\n".join(initramfs_modules()))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ListError as error:
        print(f"image: {error}", file=sys.stderr)
        sys.exit(1)
