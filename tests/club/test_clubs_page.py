"""The page for clubs, typed word by word into a machine that it may change.

It installs packages and writes into /etc, so it runs only where `CHRONOTABLE_FRESH_MACHINE` says
that this machine is there for it, as `.ci/run` does.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import lanes

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "host" / "docs" / "clubs.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SERVES = "chronotable club serve"

# what a machine without users and without systemd lacks
SUDO = """
sudo() { if [ "$1" = -u ]; then (cd / && runuser -u "$2" -- "${@:3}"); else "$@"; fi; }
"""
RUNS = """
export DEBIAN_FRONTEND=noninteractive
useradd --system --no-create-home mosquitto 2> /dev/null || true
install -d -o mosquitto /run/mosquitto
if [ ! -d /run/systemd/system ]; then
    # the start script of Debian's package makes a file of root's where the broker writes its own
    service() {
        if [ "$1" != mosquitto ]; then command service "$@"; return; fi
        if [ -f /run/mosquitto/mosquitto.pid ]; then
            kill "$(cat /run/mosquitto/mosquitto.pid)" || true
            sleep 1
        fi
        rm -f /run/mosquitto/mosquitto.pid
        mosquitto -d -c /etc/mosquitto/mosquitto.conf
    }
fi
"""
# the machine as it was, before, where a run was broken off, and after
CLEARED = """
service mosquitto stop
kill "$(cat /run/mosquitto/mosquitto.pid)"
rm -f /run/mosquitto/mosquitto.pid
rm -f /etc/mosquitto/conf.d/club.conf /etc/mosquitto/club.* /etc/mosquitto/c*/club.*
runuser -u postgres -- dropdb --if-exists club
runuser -u postgres -- dropuser --if-exists club
service postgresql stop
"""
HAS_SERVED = """
hub=$!
trap 'kill $hub 2> /dev/null || true' EXIT
for _ in $(seq 600); do grep -q director ~/club/serve.log && break; sleep 0.1; done
grep -q director ~/club/serve.log
"""
HAS_COLLECTED = """
for _ in $(seq 600); do ls ~/club/hub/games/*/*.ttykm > /dev/null 2>&1 && break; sleep 0.1; done
curl -fsS http://localhost:8090/feed.json > ~/club/feed.json
chronotable verify $(find ~/club/hub/games -name '*.ttykm')
kill $hub
wait $hub || true
psql -At "postgresql://club:$DATABASE@localhost/club" \\
    -c "SELECT count(*) FROM chronotable_games" > ~/club/count
"""


def script() -> str:
    """Return all blocks of the page as one script; the hub runs beside the table, not before it."""
    parts = ["set -euo pipefail", RUNS, "" if shutil.which("sudo") else SUDO]
    for block in BLOCK.findall(PAGE.read_text("utf-8")):
        if SERVES in block:
            parts += [block.rstrip() + " > ~/club/serve.log 2>&1 &", HAS_SERVED]
        else:
            parts.append(block)
        if "CHRONOTABLE_TOKEN" in block:
            parts.append(HAS_COLLECTED)
    return "\n".join(parts)


@pytest.fixture
def cleared() -> Iterator[None]:
    """The machine without what the page brings."""
    subprocess.run(["bash", "-c", CLEARED], cwd="/", capture_output=True, check=False)
    yield
    subprocess.run(["bash", "-c", CLEARED], cwd="/", capture_output=True, check=False)


def test_the_page_has_its_blocks() -> None:
    blocks = BLOCK.findall(PAGE.read_text("utf-8"))
    assert len(blocks) > 8
    for needed in (
        SERVES,
        "CHRONOTABLE_TOKEN",
        "mosquitto_passwd",
        "createdb",
        "pg_dump",
        "tar -C ~ -xzf",
    ):
        assert any(needed in block for block in blocks), needed


@lanes.full
@pytest.mark.skipif(
    not os.environ.get("CHRONOTABLE_FRESH_MACHINE"),
    reason="CHRONOTABLE_FRESH_MACHINE does not say that this machine may be changed",
)
@pytest.mark.usefixtures("cleared")
def test_a_club_is_set_up_as_the_page_says(tmp_path: Path) -> None:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("CHRONOTABLE_")
    }
    environment |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    done = subprocess.run(
        ["bash", "-c", script()],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    club = tmp_path / "club"
    records = [path.read_text("utf-8") for path in (club / "hub" / "games").rglob("*.ttykm")]
    assert len(records) == 1
    assert '[Termination "normal"]' in records[0]
    assert (club / "count").read_text().strip() == "1"
    assert (tmp_path / "club-backup.tar.gz").stat().st_size > 1000
