"""Install, upgrade, remove and purge the package in a Debian container.

Each Debian is a folder, booted as a container with its own systemd, in which one script runs and
reports line by line. It has no pins and no panels: a table must run without them too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.test_package import built
from tests.paths import ROOT

KEPT = ROOT / "build" / "debians"
# What the package and its hub ask of Debian, and what makes a folder boot.
CONTENTS = (
    "systemd-sysv udev dbus polkitd kmod init-system-helpers python3 python3-cbor2 "
    "python3-jeepney python3-jinja2 python3-markupsafe python3-pil python3-segno "
    "python3-yaml "
    "python3-alembic python3-cryptography"
).split()
TOOLS = {"mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container", "dpkg-deb": "dpkg"}

# Each `told NAME WORDS` becomes one line of the report.
STORY = r"""
told() { printf '%s: %s\n' "$1" "$(shift; echo "$@")" >> /srv/report; }
quiet() { "$@" >> /srv/log 2>&1; }
units() { systemctl is-active scorer.socket scorer.service scorer-web.service; }
hall() { systemctl "$1" scorer-link.service scorer-hub.service; }
main() { systemctl show --property MainPID --value "$1"; }
say() { python3 /srv/say.py "$@"; }
rights() { for s in hall phone read owner; do stat -c '%G %a' /run/scorer/table-$s.sock; done; }
export DEBIAN_FRONTEND=noninteractive
cd /srv
quiet apt-get install --yes --no-install-recommends ./old/*.deb
told installed $(units)
cd /usr/lib/truco-scorer
told uncompiled $(($(find . -name '*.py' | wc -l) - $(find . -name '*.pyc' | wc -l)))
cd /srv
told version $(scorer --version)
told socket $(stat -c '%U %G %a' /run/scorer/table.sock)
told users $(ls /usr/lib/systemd/system/scorer.service.d 2>/dev/null)
told sockets $(rights)
told hall $(hall is-enabled) $(hall is-active)
quiet systemctl enable --now scorer-link.service scorer-hub.service
told hall $(hall is-enabled) $(hall is-active)
for unit in link hub desk; do
  quiet systemd-analyze security --no-pager --threshold=16 scorer-$unit.service
  told exposure $?
done
told desk $(echo 'una clave larga' | scorer hub password ana)
told wall $(python3 /srv/wall.py)
told panel $(stat -c '%U %a' /run/scorer/desk.sock /run/scorer-hub)
told stranger $(runuser -u scorer-link -- python3 /srv/ask.py 2>&1 | tail -n 1)
word=$(runuser -u scorer -- python3 /srv/ask.py)
told password ${#word} $(python3 /srv/enter.py "$word")
told kept $(grep -rlF "$word" /var /run /etc /tmp) $(journalctl --output=cat | grep -cF "$word")
told made $(journalctl --output=cat --unit=scorer-desk | grep -c 'truco is on the panel')
# As on the card image: a hub where the settings have [hub].
mkdir /etc/systemd/system/scorer-hub.service.d
cp /srv/image.conf /etc/systemd/system/scorer-hub.service.d/
quiet systemctl daemon-reload
quiet systemctl restart scorer-hub.service
told unwanted $(systemctl is-active scorer-hub.service) $(ls -d /run/scorer-hub 2>/dev/null)
echo '[hub]' > /etc/scorer/scorer.toml
quiet systemctl restart scorer-hub.service
told wanted $(systemctl is-active scorer-hub.service) $(ls -d /run/scorer-hub)
rm -r /etc/scorer/scorer.toml /etc/systemd/system/scorer-hub.service.d
quiet systemctl daemon-reload
told store $(stat -c '%U %G %a' /var/lib/scorer)
told owner $(ls -A /etc/scorer)
told score $(say 'A truco' 'B quiero' 'A hand_won')
told web $(python3 /srv/look.py)
# A number that systemd gives out for as long as a service runs.
uid=$(stat -c %u /proc/$(main scorer-web))
[ "$uid" -ge 61184 ] && [ "$uid" -le 65519 ] && told nobody is its user

cp /usr/share/doc/truco-scorer/examples/scorer.toml /etc/scorer/scorer.toml
echo '[light]
dim = 60.0' >> /etc/scorer/scorer.toml
echo 'based_on = "argentine"
title = "Truco del club"' > /etc/scorer/variants/club.toml
before=$(md5sum /etc/scorer/scorer.toml /etc/scorer/variants/club.toml)
pid=$(main scorer)
hub=$(main scorer-hub)
quiet apt-get install --yes --no-install-recommends ./new/*.deb
# Sizes and times of the files are equal: compiled code of the old version would still be valid.
told new $(scorer --version)
told upgraded $(units) $(dpkg-query --show --showformat '${Version}' truco-scorer)
told hall $(hall is-active)
told private $(stat --format '%U %a' /var/lib/scorer-link /var/lib/scorer-hub)
# D-Bus lets it ask; there is no Avahi.
told bus $(journalctl --output=cat --unit=scorer-hub | grep -o -m 1 'Avahi is not running')
told wall $(python3 /srv/wall.py)
[ "$pid" = "$(main scorer)" ] || told table is another one
[ "$hub" = "$(main scorer-hub)" ] || told hub is another one
after=$(md5sum /etc/scorer/scorer.toml /etc/scorer/variants/club.toml)
[ "$before" = "$after" ] && told settings are the same
scorer check > /srv/check; told check $?
told variant $(scorer variants | grep --count '^ *club ')
told score $(say)
told web $(python3 /srv/look.py)

quiet systemctl disable --now scorer-web.service scorer-hub.service
quiet apt-get install --yes --no-install-recommends --reinstall ./new/*.deb
told alone $(units)
told hall $(hall is-enabled) $(hall is-active)
quiet systemctl enable --now scorer-web.service
told web $(python3 /srv/look.py)

quiet systemctl disable scorer.service
quiet systemctl stop scorer.socket scorer.service
quiet apt-get install --yes --no-install-recommends --reinstall ./new/*.deb
told disabled $(units)
told gone $(python3 /srv/look.py gone)
told disabled $(units)
quiet systemctl enable --now scorer.service
told enabled $(units)
told web $(python3 /srv/look.py)

quiet apt-get remove --yes truco-scorer
told removed $(units) $(hall is-active)
told left $(find /usr/lib/truco-scorer /usr/bin/scorer /usr/lib/systemd/system/scorer* 2>/dev/null)
told kept $(ls /etc/scorer /etc/scorer/variants /var/lib/scorer)
quiet apt-get install --yes --no-install-recommends ./new/*.deb
told again $(units)
told score $(say)

quiet apt-get purge --yes truco-scorer
told purged $(find /etc /usr /var /run -xdev -iname '*scorer*' 2>/dev/null | LC_ALL=C sort)
quiet apt-get install --yes --no-install-recommends ./new/*.deb
told score $(say)
told backup $(systemctl is-active scorer-backup.socket)
echo 'truco-scorer truco-scorer/delete-games boolean true' | quiet debconf-set-selections
quiet apt-get purge --yes truco-scorer
told deleted $(find /etc /usr /var /run -xdev -iname '*scorer*' 2>/dev/null)
told user $(id --user --name scorer)
told failed $(systemctl --failed --no-legend)
told end
"""

# The last version that takes a store of a newer one for damage, unless the writer protects it.
OLDEST = "c98ba13e"
# The way back and forth: a version without new words, that version, and one with a word of its own.
WAY_BACK = r"""
told() { printf '%s: %s\n' "$1" "$(shift; echo "$@")" >> /srv/report; }
quiet() { "$@" >> /srv/log 2>&1; }
say() { python3 /srv/say.py "$@" 2>&1 | tail -n 1; }
kept() { find /var/lib/scorer -type f ! -name '*-???' -printf '%P\n' | LC_ALL=C sort; }
sum() { systemctl stop scorer.socket scorer.service; md5sum /var/lib/scorer/scorer.sqlite3; }
use() {
  quiet apt-get install --yes --no-install-recommends --allow-downgrades ./$1/*.deb
  told "$1" $(dpkg-query --show --showformat '${Version}' truco-scorer)
}
export DEBIAN_FRONTEND=noninteractive
cd /srv
use new
told score $(say 'A truco' 'B quiero' 'A hand_won')
use oldest
told score $(say)
told score $(say 'B truco' 'A quiero' 'B hand_won')
use newest
told score $(say)
told score $(say 'A award 3')
told kept $(kept)
before=$(sum)
use oldest
quiet systemctl start scorer.socket scorer.service
told store $(python3 /srv/kind.py)
[ "$before" = "$(sum)" ] && told store is the same
told kept $(kept)
use new
quiet systemctl start scorer.socket scorer.service
told score $(say)
told score $(say 'B truco' 'A quiero' 'B hand_won')
told kept $(kept)
[ "$before" = "$(sum)" ] && told store is the same
use newest
quiet systemctl start scorer.socket scorer.service
told score $(say)
told score $(say 'A award 1')
scorer export /srv/games > /srv/exported 2>&1; told export $?
told beside $(cut -d, -f2,12,13 /srv/games/beside/games.csv | tail -n 1)
told kept $(kept)
told end
"""

# What the store is for a table that does not play, by its self-test.
KIND = """
import json, socket
table = socket.socket(socket.AF_UNIX)
table.connect("/run/scorer/table.sock")
lines = table.makefile("rw")
print(json.dumps({"id": 1, "do": "selftest"}), file=lines, flush=True)
while "id" not in (message := json.loads(lines.readline())):
    pass
print(message["store"]["kind"])
"""

# Steps to the table through its socket, as a phone would send them; then the points.
SAY = """
import json, socket, sys
table = socket.socket(socket.AF_UNIX)
table.connect("/run/scorer/table.sock")
lines = table.makefile("rw")
state = None
def hear(key):
    while key not in (message := json.loads(lines.readline())):
        pass
    return message
state = hear("state")["state"]
for step in sys.argv[1:]:
    request = {"id": 1, "do": "step", "line": step, "seq": state["seq"], "who": "a test"}
    print(json.dumps(request), file=lines, flush=True)
    state = hear("state")["state"]
print(*(f"{side}={points}" for side, points in state["score"].items()))
"""

# What a browser gets, once the server has found (or lost) its table.
LOOK = """
import json, sys, time, urllib.error, urllib.request
wanted = sys.argv[1] if len(sys.argv) > 1 else "here"
for _ in range(100):
    try:
        with urllib.request.urlopen("http://127.0.0.1:8080/api/v1/state", timeout=10) as answer:
            report = json.load(answer)
    except OSError as error:
        report = {"table": error}
    if report["table"] == wanted and (report["state"] or wanted == "gone"):
        break
    time.sleep(0.2)
score = (report.get("state") or {}).get("score", {})
print(report["table"], *(f"{side}={points}" for side, points in sorted(score.items())))
"""

# Whether the hub shows its wall, once it listens again.
WALL = """
import time, urllib.request
for _ in range(100):
    try:
        with urllib.request.urlopen("http://127.0.0.1:8090/", timeout=10) as answer:
            print(answer.status)
            break
    except OSError:
        time.sleep(0.2)
"""

# A password of the desk, as the table asks for it.
ASK = """
import json, socket
service = socket.socket(socket.AF_UNIX)
service.settimeout(60)
service.connect("/run/scorer/desk.sock")
service.sendall(b"{}" + bytes([10]))
print(json.loads(service.makefile().readline())["password"])
"""

# Whether it opens the desk.
ENTER = """
import json, ssl, sys, urllib.request
body = json.dumps({"name": "truco", "password": sys.argv[1]}).encode()
headers = {"Content-Type": "application/json", "X-Truco": "1"}
asked = urllib.request.Request("https://127.0.0.1:8443/desk/login", body, headers)
unknown = ssl._create_unverified_context()
print(json.load(urllib.request.urlopen(asked, timeout=60, context=unknown))["role"])
"""
# The condition alone: the rest of the drop-in is about partitions of the card.
CONDITION = re.search(
    r"^ExecCondition=.+$",
    (ROOT / "image/files/etc/systemd/system/scorer-hub.service.d/image.conf").read_text("utf-8"),
    re.MULTILINE,
)

UNIT = """
[Unit]
After=multi-user.target
[Service]
Environment=HOME=/srv
ExecStart=/bin/sh /srv/story
ExecStopPost=/bin/systemctl poweroff
"""


@pytest.fixture
def debian(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A fresh Debian of the wanted suite, in a folder."""
    lacking = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if lacking or os.geteuid() != 0:
        pytest.skip(f"wants root, and on Debian: apt install {' '.join(lacking or TOOLS.values())}")
    root = tmp_path / request.param
    root.mkdir()
    subprocess.run(["tar", "-C", root, "-xf", archive_of(request.param)], check=True)
    yield root
    shutil.rmtree(root, ignore_errors=True)


def archive_of(suite: str) -> Path:
    """A Debian as an archive, made once and kept for the next run."""
    archive = KEPT / f"{suite}-{len(CONTENTS)}.tar"
    if not archive.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        fresh = archive.with_suffix(f".{os.getpid()}.tar")
        command = ["mmdebstrap", "--variant=minbase", f"--include={','.join(CONTENTS)}"]
        command += ['--aptopt=APT::Install-Recommends "0"', suite, str(fresh)]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode:
            fresh.unlink(missing_ok=True)
            pytest.skip(f"no Debian {suite} to be had here: {made.stderr[-200:]}")
        fresh.replace(archive)
    return archive


def told_by(debian: Path, story: str = STORY) -> list[str]:
    """Boot the Debian, run the script and return its report."""
    home = debian / "srv"
    (home / "story").write_text(story, encoding="utf-8")
    (home / "kind.py").write_text(KIND, encoding="utf-8")
    (home / "say.py").write_text(SAY, encoding="utf-8")
    (home / "look.py").write_text(LOOK, encoding="utf-8")
    (home / "wall.py").write_text(WALL, encoding="utf-8")
    (home / "ask.py").write_text(ASK, encoding="utf-8")
    (home / "enter.py").write_text(ENTER, encoding="utf-8")
    assert CONDITION is not None
    (home / "image.conf").write_text(f"[Service]\n{CONDITION[0]}\n", encoding="utf-8")
    units = debian / "etc/systemd/system"
    (units / "story.service").write_text(UNIT, encoding="utf-8")
    (units / "multi-user.target.wants").mkdir(exist_ok=True)
    (units / "multi-user.target.wants/story.service").symlink_to("../story.service")
    command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network"]
    command += ["--boot", f"--directory={debian}"]
    booted = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=600
    )
    report = home / "report"
    if not report.exists():
        pytest.skip(
            f"this machine boots no container: {booted.stdout[-300:]}{booted.stderr[-300:]}"
        )
    return report.read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("debian", ["bookworm", "trixie"], indirect=True)
def test_it_comes_stays_and_goes_as_an_owner_expects(debian: Path, tmp_path: Path) -> None:
    home = debian / "srv"
    for name, version in (("old", "0.0.9-1"), ("new", "0.1.0-1")):
        (home / name).mkdir()
        shutil.copy(built(tmp_path / name, "--version", version), home / name)
    told = told_by(debian)
    assert told == [
        "installed: active active active",
        "uncompiled: 0",
        "version: scorer 0.0.9",
        "socket: root scorer-net 660",
        "users: users.conf" if debian.name == "trixie" else "users: ",
        "sockets: scorer-hall 660 scorer-phone 660 scorer-read 660 scorer-phone 660",
        "hall: disabled disabled inactive inactive",
        "hall: enabled enabled active active",
        "exposure: 0",
        "exposure: 0",
        "exposure: 0",
        "desk: ana may use the desk as admin",
        "wall: 200",
        "panel: scorer 600 scorer-hub 755",
        "stranger: PermissionError: [Errno 13] Permission denied",
        "password: 10 admin",
        "kept: 0",
        "made: 1",
        "unwanted: inactive",
        "wanted: active /run/scorer-hub",
        "store: scorer scorer 700",
        "owner: variants",
        "score: A=2 B=0",
        "web: here A=2 B=0",
        "nobody: is its user",
        "new: scorer 0.1.0",
        "upgraded: active active active 0.1.0-1",
        "hall: active active",
        "private: scorer-link 700 scorer-hub 700",
        "bus: Avahi is not running",
        "wall: 200",
        "table: is another one",
        "hub: is another one",
        "settings: are the same",
        "check: 0",
        "variant: 1",
        "score: A=2 B=0",
        "web: here A=2 B=0",
        "alone: active active inactive",
        "hall: enabled disabled active inactive",
        "web: here A=2 B=0",
        "disabled: inactive inactive active",
        "gone: gone",
        "disabled: inactive inactive active",
        "enabled: active active active",
        "web: here A=2 B=0",
        "removed: inactive inactive inactive inactive inactive",
        "left: ",
        "kept: /etc/scorer: scorer.toml variants /etc/scorer/variants: club.toml"
        " club.toml.example /var/lib/scorer: scorer.sqlite3",
        "again: active active active",
        "score: A=2 B=0",
        "purged: /var/lib/scorer /var/lib/scorer-hub /var/lib/scorer/scorer.sqlite3",
        "score: A=2 B=0",
        "backup: active",
        "deleted: ",
        "user: scorer",
        "failed: ",
        "end: ",
    ], (home / "log").read_text(encoding="utf-8", errors="replace")


def built_from(commit: str, folder: Path) -> Path:
    """A package built from a commit of this repository; skips the test without it."""
    folder.mkdir()
    archived = folder / "source.tar"
    command = ["git", "-C", str(ROOT), "archive", f"--output={archived}", commit]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip(f"commit {commit} is not in this clone")
    (folder / "source").mkdir()
    subprocess.run(["tar", "-C", folder / "source", "-xf", archived], check=True)
    command = [sys.executable, str(folder / "source/packaging/build.py"), "--out", str(folder)]
    command += ["--version", "0.0.9-1", "--tree", str(folder / "tree")]
    made = subprocess.run(command, check=True, capture_output=True, text=True)
    return Path(made.stdout.strip())


def built_with_a_new_word(folder: Path) -> Path:
    """This source as a later version, whose rules have a word of level 2."""
    package = built(folder, "--version", "0.2.0-1")
    module = folder / "tree/usr/lib/truco-scorer/scorer/rules/words.py"
    source = module.read_text(encoding="utf-8")
    assert "NEWEST: Final = 1 " in source and "] = {}\n" in source
    source = source.replace("NEWEST: Final = 1 ", "NEWEST: Final = 2 ")
    module.write_text(source.replace("] = {}\n", '] = {"step award": 2}\n'), encoding="utf-8")
    command = ["dpkg-deb", "--root-owner-group", "--build", str(folder / "tree"), str(package)]
    subprocess.run(command, check=True, capture_output=True)
    return package


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("debian", ["bookworm"], indirect=True)
def test_going_back_to_an_older_version_loses_nothing(debian: Path, tmp_path: Path) -> None:
    """operators/backup.md#going-back-to-an-older-version"""
    home = debian / "srv"
    for name, package in (
        ("oldest", built_from(OLDEST, tmp_path / "oldest")),
        ("new", built(tmp_path / "new", "--version", "0.1.0-1")),
        ("newest", built_with_a_new_word(tmp_path / "newest")),
    ):
        (home / name).mkdir()
        shutil.copy(package, home / name)
    told = told_by(debian, WAY_BACK)
    assert told == [
        "new: 0.1.0-1",
        "score: A=2 B=0",
        "oldest: 0.0.9-1",
        "score: A=2 B=0",
        "score: A=2 B=2",
        "newest: 0.2.0-1",
        "score: A=2 B=2",
        "score: A=5 B=2",
        "kept: scorer.sqlite3",
        "oldest: 0.0.9-1",
        "store: future",
        "store: is the same",
        "kept: scorer.sqlite3",
        "new: 0.1.0-1",
        "score: A=0 B=0",
        "score: A=0 B=2",
        "kept: beside/scorer.sqlite3 scorer.sqlite3",
        "store: is the same",
        "newest: 0.2.0-1",
        "score: A=5 B=2",
        "score: A=6 B=2",
        "export: 0",
        'beside: "unfinished","0","2"',
        "kept: beside/scorer.sqlite3 scorer.sqlite3",
        "end: ",
    ], (home / "log").read_text(encoding="utf-8", errors="replace")
