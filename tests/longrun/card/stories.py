"""What a card lives through, each story on a card of its own."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from scorer.config.pin_map import BUTTONS
from tests.hub.hub_process import Client
from tests.longrun.card.machine import CARD_SIZE, Card, Machine
from tests.longrun.card.report import Report
from tests.longrun.card.second_box import SecondBox
from tests.paths import ROOT

PRESS_S = 0.3
APART_S = 0.2  # a gap of a worn contact is shorter
# Prints one key of the state, as a client of the table's socket gets it.
STATE = """
import json, socket, sys
table = socket.socket(socket.AF_UNIX)
table.settimeout(60)
table.connect("/run/scorer/table.sock")
for line in table.makefile():
    message = json.loads(line)
    if "state" in message:
        print(json.dumps(message["state"][sys.argv[1]]))
        break
"""
# Prints one key of the answer to a request, which is repeated while the table is busy.
REQUEST = """
import json, socket, sys, time
table = socket.socket(socket.AF_UNIX)
table.settimeout(60)
table.connect("/run/scorer/table.sock")
request = json.dumps({"id": 1, "do": sys.argv[1]}).encode() + bytes([10])
table.sendall(request)
for line in table.makefile():
    message = json.loads(line)
    if message.get("id") != 1:
        continue
    if message.get("error") != "BUSY":
        print(message[sys.argv[2]])
        break
    time.sleep(2)
    table.sendall(request)
"""
A_TRUCO, A_QUIERO, A_TANTOS = (BUTTONS[f"A.{each}"] for each in ("truco", "quiero", "tantos"))
B_QUIERO, B_TANTOS, MENU = (BUTTONS[each] for each in ("B.quiero", "B.tantos", "menu"))
CLOSED_S = 8  # seconds after a hand, in which TANTOS is refused
# The name of this machine for the forwarded port.
HUB_SETTINGS = """
[table]
language = "en"
time_zone = "America/Montevideo"
variant = "argentine"

[hub]
name = "Club Tres de Copas"
hosts = ["127.0.0.1"]
"""
# Asks for a password of the desk as the table does.
ASK_DESK = """
import socket
service = socket.socket(socket.AF_UNIX)
service.settimeout(120)
service.connect("/run/scorer/desk.sock")
service.sendall(b"{}" + bytes([10]))
print(service.makefile().readline())
"""
FREE_PIN = 7  # of no button in a box with the usual wiring
VERSION = "dpkg-query -W -f '${Version} ${db:Status-Status}' truco-scorer"
PHONE = Path(__file__).with_name("phone.sh")


def state(machine: Machine, key: str) -> str:
    """A value of the table's state as JSON."""
    return machine.shell(f"cat > /run/state.py <<'E'\n{STATE}\nE\npython3 /run/state.py {key}")


def answer(machine: Machine, request: str, key: str) -> str:
    """A value of the table's answer to a request."""
    script = f"cat > /run/request.py <<'E'\n{REQUEST}\nE\n"
    return machine.shell(f"{script}python3 /run/request.py {request} {key}")


def press(machine: Machine, *pins: int, held: float = PRESS_S) -> None:
    """Press and release the buttons at pins, as edges of the kernel."""
    for pin in pins:
        pull = f"/sys/devices/platform/*/gpiochip*/sim_gpio{pin}/pull"
        machine.shell(
            f"for p in {pull}; do echo pull-down > $p; sleep {held}; echo pull-up > $p; done"
        )
        machine.shell(f"sleep {APART_S}")


def until(machine: Machine, condition: str, seconds: int = 120) -> bool:
    """Wait in the machine until a command succeeds; False if it does not."""
    loop = f"n=0; until {condition}; do n=$((n+1)); [ $n -lt {seconds} ] || exit 1; sleep 1; done"
    return machine.ask(loop)[0] == 0


def first_start(image: Path, folder: Path, report: Report) -> None:
    """A new card: power-on to READY, doctor, presses, a pulled plug, a second start."""
    card = Card(image, folder)
    with Machine(card, folder) as machine:
        report.check("the table is ready", True, machine.wait_ready())
        report.equal(
            "the service says so",
            machine.shell("systemctl show -P StatusText scorer.service"),
            "keeping the score",
        )
        report.equal("/ is read-only", machine.shell("findmnt -no OPTIONS / | cut -c1-2"), "ro")
        size = int(machine.shell("findmnt -bno SIZE /var"))
        report.check("/var has the rest of the card", size > CARD_SIZE // 2, f"{size:,} bytes")
        report.equal(
            "/var was mounted once",
            machine.shell("journalctl -b -o cat -u var.mount | grep -c ^Mounted"),
            "1",
        )
        code, doctor = machine.ask("scorer doctor --language en")
        report.check("doctor ran on the console", "buttons" in doctor, f"exit code {code}")
        print("\n".join(f"      {line}" for line in doctor.splitlines()))
        report.equal("nothing failed", machine.shell("systemctl --failed --no-legend"), "")
        compared = "test -e /var/lib/truco/checked -o -e /var/lib/truco/damaged"
        report.check("the card is compared with its image", until(machine, compared, 600))
        sound = machine.ask("test -e /var/lib/truco/checked")[0] == 0
        report.check("it is complete", sound, machine.ask("systemctl status truco-check")[1])
        for unit in ("scorer-web.service", "NetworkManager.service", "avahi-daemon.service"):
            report.check(f"{unit} runs", until(machine, f"systemctl is-active --quiet {unit}", 120))
        report.equal(
            "sshd is off without a key on the card",
            machine.ask("systemctl is-active ssh.service")[1],
            "inactive",
        )
        report.equal(
            "no account has a password",
            machine.shell("cut -d: -f2 /etc/shadow | grep -v '^[!*]' | wc -l"),
            "0",
        )
        press(machine, A_TRUCO)
        report.check("a press of A TRUCO counts", '"truco"' in state(machine, "pending"))
        press(machine, B_QUIERO)
        report.equal("a press of B QUIERO counts", state(machine, "pending"), "null")
        press(machine, A_TANTOS)
        score = state(machine, "score")
        report.check("TANTOS of A pays the truco", '"A": 2' in score, score)
        identity = machine.shell("cat /etc/machine-id")
        machine.cut()
    with Machine(card, folder) as machine:
        report.check("ready after a pulled plug", True, machine.wait_ready())
        report.equal("the score is what the panel showed", state(machine, "score"), score)
        report.equal("the machine is the same", machine.shell("cat /etc/machine-id"), identity)
        report.check("the id is one", bool(re.fullmatch("[0-9a-f]{32}", identity)), identity)
        machine.shell("systemctl poweroff --no-block")
        report.check("it powers itself off", machine.ended())
    report.equal("the card has three partitions", len(card.partitions()), 3)


def cut_first_start(image: Path, folder: Path, report: Report) -> None:
    """The plug is pulled while the first start makes /var."""
    card = Card(image, folder)
    start = sum(card.partitions()[-1])
    superblock = start - start % (4 << 20) + ((4 << 20) if start % (4 << 20) else 0)
    with Machine(card, folder) as machine:
        while card.is_blank(superblock) and machine.is_on() and machine.seconds < 600:
            time.sleep(0.05)
        report.check("the file system was begun", not card.is_blank(superblock))
        machine.cut()
    report.check("the cut was before the end", len(card.partitions()) < 3, card.partitions())
    with Machine(card, folder) as machine:
        report.check("ready after it", True, machine.wait_ready())
        report.equal("nothing failed", machine.shell("systemctl --failed --no-legend"), "")


def own_settings(image: Path, folder: Path, report: Report) -> None:
    """A scorer.toml on the card: language, time zone and wiring are those of the file."""
    card = Card(image, folder)
    file = folder / "scorer.toml"
    file.write_text(
        '[table]\nlanguage = "pt-BR"\ntime_zone = "America/Montevideo"\n'
        f'\n[consoles.lines]\n"A.truco" = {FREE_PIN}\n',
        encoding="utf-8",
    )
    card.put(file, "scorer.toml")
    with Machine(card, folder) as machine:
        report.check("ready", True, machine.wait_ready())
        report.equal("the time zone", answer(machine, "game", "time_zone"), "America/Montevideo")
        report.equal("the language", answer(machine, "game", "language"), "pt-BR")
        press(machine, FREE_PIN)
        report.check("A TRUCO is where the file says", '"truco"' in state(machine, "pending"))


def own_network(image: Path, folder: Path, report: Report) -> None:
    """No network: the box opens its own, and a phone in it gets the page."""
    card = Card(image, folder)
    with Machine(card, folder, "modules_load=mac80211_hwsim") as machine:
        report.check("ready", True, machine.wait_ready())
        opened = until(machine, "grep -qs own /run/scorer-wifi/state", 300)
        log = machine.ask("journalctl -b -o cat -u scorer-wifi")[1]
        report.check("the network is open", opened, log)
        found = json.loads(machine.shell("cat /run/scorer-wifi/state"))
        report.check("the password is in no log", found["password"] not in log)
        used = machine.shell("nmcli -g DEVICE connection show --active")
        radio = next(each for each in ("wlan0", "wlan1") if each not in used)
        phone = PHONE.read_text(encoding="utf-8")
        machine.shell(f"cat > /run/phone.sh <<'E'\n{phone}\nE")
        command = f"sh /run/phone.sh {radio} {found['wifi']} {found['password']}"
        code, page = machine.ask(command)
        report.check("a phone joins and gets the page", "\n200 <!" in page, f"{code}: {page}")


def hall(image: Path, folder: Path, report: Report) -> None:
    """A hall: the card is hub and table, this machine has another table."""
    card = Card(image, folder)
    file = folder / "scorer.toml"
    file.write_text(HUB_SETTINGS, encoding="utf-8")
    card.put(file, "scorer.toml")
    wall, desk = free_port(), free_port()
    with Machine(card, folder, forwards={wall: 8090, desk: 8443}) as machine:
        report.check("ready", True, machine.wait_ready())
        for unit in ("scorer-hub.service", "scorer-link.service"):
            report.check(f"{unit} runs", until(machine, f"systemctl is-active --quiet {unit}", 300))
        # Until a hand has been scored a new box asks its first questions.
        press(machine, A_TRUCO, B_QUIERO, A_TANTOS)
        machine.shell(f"sleep {CLOSED_S}")
        with SecondBox(folder / "second", desk) as second:
            password = made_password(machine, second, report)
            pin = machine.shell("journalctl -b -o cat -u scorer-hub | sed -n 's/.*: pin //p'")
            client = Client(("127.0.0.1", desk), pin)
            words = {"name": "truco", "password": password}
            entered = client.desk("/desk/login", words)
            report.equal("the password opens the desk", entered.status, 200)
            # The box finds its own hall; QUIERO takes the first one of the list.
            open_hall(machine, second)
            code = ""
            for _ in range(30):
                press(machine, A_QUIERO)
                if code := accept(client, 1):
                    break
            machine.shell("sleep 3")  # QUIERO counts from two seconds after the digits on
            press(machine, A_QUIERO)
            report.check("the card's own table asks to join, and is accepted", bool(code), code)
            digits = second.ask_to_join()
            report.equal("the panel shows the digits of the desk", accept(client, 2), digits)
            second.say_same()
            report.check("the second box is in the hall", second.is_member())
            second.press("A.truco", "B.quiero", "A.tantos")
            tables = f"http://127.0.0.1:{wall}/api/v1/hall"
            found = second.answer_until(lambda: has_scores(tables))
            report.check("the wall shows the score of both tables", found, get(tables))
        search = f"grep -rslF {password} /var /run /tmp /etc /boot --exclude-dir=log"
        report.equal("no file has the password", machine.ask(search)[1], "")
        journal = machine.shell("journalctl -b -o cat")
        report.check("no log has it", password not in journal + machine.console())
    with Machine(card, folder, forwards={wall: 8090, desk: 8443}) as machine:
        report.check("ready after a pulled plug", True, machine.wait_ready())
        running = until(machine, "systemctl is-active --quiet scorer-hub.service", 300)
        report.check("the hub is back", running)
        again = Client(("127.0.0.1", desk), pin).desk("/desk/login", words)
        report.equal("with its certificate and the password", again.status, 200)
    card.remove("scorer.toml")
    with Machine(card, folder) as machine:
        report.check("ready without the section", True, machine.wait_ready())
        ended = until(machine, "systemctl is-active --quiet multi-user.target", 300)
        report.check("everything has started", ended)
        state = machine.ask("systemctl is-active scorer-hub.service")[1]
        report.equal("no hub runs", state, "inactive")
        report.equal("nothing failed", machine.shell("systemctl --failed --no-legend"), "")


def open_hall(machine: Machine, second: SecondBox) -> None:
    """Open set-up > hall, whose line the other table finds, which has the same lines."""
    press(machine, MENU, held=1.5)
    press(machine, *[B_TANTOS] * second.lines_to("hall"))
    press(machine, A_QUIERO)


def made_password(machine: Machine, second: SecondBox, report: Report) -> str:
    """Make a password of the desk as players do, then one that can be read here.

    QEMU has no panel: the second one comes from the socket by which the table asks.
    """
    open_hall(machine, second)
    press(machine, A_TANTOS, A_QUIERO)  # its last line, upwards from the first
    press(machine, A_QUIERO)
    logged = "journalctl -q -b -o cat -u scorer-desk"
    report.equal("one team makes no password", machine.shell(logged), "")
    press(machine, B_QUIERO)
    made = until(machine, f"{logged} | grep -q 'a new password of the desk for truco'", 120)
    report.check("both teams make one", made, machine.shell(logged))
    report.equal(
        "no other user may ask",
        machine.ask("setpriv --reuid=nobody --clear-groups test -w /run/scorer/desk.sock")[0],
        1,
    )
    answered = machine.shell(f"cat > /run/ask.py <<'E'\n{ASK_DESK}\nE\npython3 /run/ask.py")
    press(machine, A_QUIERO, MENU)
    return str(json.loads(answered)["password"])


def accept(client: Client, table: int) -> str:
    """Accept the box that waits at the desk, as ``table``; its digits, "" without one."""
    for box in client.get("/desk/state").document["candidates"]:
        message = {"do": "accept", "key": box["key"], "table": table}
        client.desk("/desk/act", message)
        return str(box["code"])
    return ""


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return str(answer.read().decode())


def has_scores(address: str) -> bool:
    """Whether the wall has the points of A at both tables: one hand, and two hands."""
    tables = [table for table in json.loads(get(address))["tables"] if table["game"]]
    scores = {table["table"]: table["game"]["sides"][0]["score"] for table in tables}
    return scores == {1: 2, 2: 4}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wrong_settings(image: Path, folder: Path, report: Report) -> None:
    """A wrong scorer.toml on the card: the table plays, and reports it."""
    card = Card(image, folder)
    settings = folder / "scorer.toml"
    settings.write_text('[table]\nvariant = "klingon"\n', encoding="utf-8")
    card.put(settings, "scorer.toml")
    with Machine(card, folder) as machine:
        report.check("ready", True, machine.wait_ready())
        press(machine, A_TRUCO)
        report.check("it plays", '"truco"' in state(machine, "pending"))
        journal = machine.shell("journalctl -b -o cat -u scorer.service")
        report.check("the log names the mistake", "klingon" in journal, journal[-600:])
        code, doctor = machine.ask("scorer doctor --language en")
        report.check("the doctor names it", code == 1 and "klingon" in doctor, doctor)
        marks = answer(machine, "selftest", "marks")
        report.check("the status page names it", "config_line" in marks, marks)


def damaged_card(image: Path, folder: Path, report: Report) -> None:
    """A card that lost a block: the table plays, and the damage is reported."""
    card = Card(image, folder)
    start, size = card.partitions()[1]
    with card.file.open("r+b") as opened:
        opened.seek(start + size - 4096)  # in the free blocks at its end: everything still starts
        opened.write(b"damaged")
    with Machine(card, folder) as machine:
        report.check("ready", True, machine.wait_ready())
        found = until(machine, "test -e /var/lib/truco/damaged", 600)
        report.check("the damage is found", found, machine.ask("systemctl status truco-check")[1])
        doctor = machine.ask("scorer doctor --language en")[1]
        report.check("the doctor names it", "write the image again" in doctor, doctor)
        report.check("the console names it", "the card is damaged" in machine.console())
        machine.shell("systemctl restart scorer.service")
        machine.wait_ready()
        marks = answer(machine, "selftest", "marks")
        report.check("the status page names it from the next start on", "card" in marks, marks)


def update(image: Path, folder: Path, report: Report) -> None:
    """A newer package on the boot partition, installed in spite of a pulled plug."""
    card = Card(image, folder)
    newer = package(folder, "99.1-1")
    card.put(newer, newer.name)
    with Machine(card, folder) as machine:
        begun = until(machine, "grep -qs . /run/truco/dpkg.log || test -e /run/truco/updating", 300)
        report.check("the update begins by itself", begun)
        machine.shell("sleep 4")
        machine.cut()
    with Machine(card, folder) as machine:
        report.check("ready after the cut", True, machine.wait_ready())
        report.equal("the new version is installed", machine.shell(VERSION), "99.1-1 installed")
        report.equal(
            "/ is read-only again", machine.shell("findmnt -no OPTIONS / | cut -c1-2"), "ro"
        )
        kept = until(machine, "test ! -e /var/lib/truco/update/next.deb", 300)
        report.check("it is kept", kept, machine.shell("journalctl -b -o cat -u truco-update*"))
        # Papers that left-out.list names are missing on purpose.
        left_out = r"^missing  */usr/share/\(man\|lintian\)/"
        changed = machine.ask(f"dpkg --verify truco-scorer | grep -v '{left_out}'")[1]
        report.equal("files are those of the package", changed, "")
        press(machine, A_TRUCO)
        report.check("it plays", '"truco"' in state(machine, "pending"))


def broken_update(image: Path, folder: Path, report: Report) -> None:
    """A package whose program does not start is put back, and the score stays."""
    card = Card(image, folder)
    newer = package(folder, "99.2-1", "raise SystemExit('broken on purpose')\n")
    with Machine(card, folder) as machine:
        machine.wait_ready()
        press(machine, A_TRUCO, B_QUIERO, A_TANTOS)
        score = state(machine, "score")
        report.check("a hand is scored before the update", '"A": 2' in score, score)
        machine.cut()
    card.put(newer, newer.name)
    with Machine(card, folder) as machine:
        refused, gone = (
            "test -s /var/lib/truco/update/refused",
            "test ! -e /var/lib/truco/update/next.deb",
        )
        report.check("it is refused", until(machine, refused, 900))
        report.check("the package before is back", until(machine, gone, 900))
        ready = until(machine, "systemctl is-active --quiet scorer.service", 300)
        report.check("the table is ready", ready)
        before = machine.shell(VERSION)
        is_before = not before.startswith("99") and before.endswith(" installed")
        report.check("with the version of before", is_before, before)
        report.equal("and the score of before", state(machine, "score"), score)
        machine.cut()
    with Machine(card, folder) as machine:
        report.check("ready at the next start", True, machine.wait_ready())
        report.equal("it is not tried again", machine.shell(VERSION), before)
        log = machine.shell("journalctl -b -o cat -u truco-update")
        report.check("the log says so", "did not work before: ignored" in log, log)


def package(folder: Path, version: str, main_module: str = "") -> Path:
    """This source as another version, its program replaced by ``main_module``."""
    tree = folder / "tree"
    command = [sys.executable, str(ROOT / "packaging" / "build.py"), "--version", version]
    command += ["--out", str(folder), "--tree", str(tree)]
    built = Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
    if main_module:
        (tree / "usr/lib/truco-scorer/scorer/__main__.py").write_text(main_module, encoding="utf-8")
        (tree / "usr/lib/truco-scorer/scorer/cli.py").write_text(main_module, encoding="utf-8")
        command = ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(built)]
        subprocess.run(command, check=True, capture_output=True)
    return built


ALL: tuple[Callable[[Path, Path, Report], None], ...] = (
    first_start,
    cut_first_start,
    own_settings,
    own_network,
    hall,
    wrong_settings,
    damaged_card,
    update,
    broken_update,
)
