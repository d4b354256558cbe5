"""PostgreSQL as a process of its own: a database that can be killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from tests.lab.ports import Server, free_port

_START_S = 20.0
_USER = "postgres"


def programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    name = shutil.which("initdb")
    return None if name is None else Path(name).parent


class Postgresql(Server):
    """A server with a cluster in a folder; `url` is a database of it."""

    _ends_by = signal.SIGQUIT  # at once, as a crash would

    def __init__(self, folder: Path) -> None:
        found = programs()
        assert found is not None, "PostgreSQL is not installed"
        self._programs = found
        self._data = folder / "data"
        self._log = folder / "postgresql.log"
        self.port = free_port()
        folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:  # it does not run as root
            for parent in (folder, *folder.parents[:-2]):
                parent.chmod(parent.stat().st_mode | 0o055)
            shutil.chown(folder, _USER)
        self._run(
            "initdb", "-D", str(self._data), "-U", "club", "-A", "trust", "-E", "UTF8",
            "--locale=C.UTF-8", "-N",
        )  # fmt: skip
        self.start()
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "club", "club")

    @property
    def url(self) -> str:
        address = f"postgresql+psycopg://club@127.0.0.1:{self.port}/club"
        return f"{address}?connect_timeout=5"

    def start(self) -> None:
        with self._log.open("ab") as log:
            words = ("postgres", "-D", str(self._data), "-p", str(self.port), "-h", "127.0.0.1")
            options = ("-k", "", "-c", "max_connections=40")
            self._process = subprocess.Popen(
                [str(self._programs / words[0]), *words[1:], *options],
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=_USER if os.geteuid() == 0 else None,
            )
        until = time.monotonic() + _START_S
        while True:
            name = str(self._programs / "pg_isready")
            asked = [name, "-h", "127.0.0.1", "-p", str(self.port), "-q"]
            if subprocess.run(asked, check=False).returncode == 0:
                return
            assert time.monotonic() < until, self._log.read_text("utf-8")
            time.sleep(0.05)

    def family(self) -> list[int]:
        found = [self.pid]
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                words = path.read_text("utf-8").rpartition(")")[2].split()
                if int(words[1]) == self.pid:
                    found.append(int(path.parent.name))
        return found

    def _run(self, *words: str) -> None:
        subprocess.run(self._as_user(*words), check=True, stdout=subprocess.DEVNULL)

    def _as_user(self, name: str, *words: str) -> list[str]:
        command = [str(self._programs / name), *words]
        return ["runuser", "-u", _USER, "--", *command] if os.geteuid() == 0 else command
