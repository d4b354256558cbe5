"""Commands as processes: what they say, what is typed, how they end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from tests.waiting import PATIENCE_S, until

_LINK = re.compile(r"chronotable://\S*#[a-z-]+")
_OWN_LINK = re.compile(r"chronotable-own://\S*#[a-z-]+")


class Program:
    """A command as a process; `said` is what it has printed."""

    def __init__(self, home: Path, *words: str, spoken: str = "en") -> None:
        home.mkdir(parents=True, exist_ok=True)
        env = {**os.environ, "CHRONOTABLE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
        env["LANGUAGE"] = spoken
        self.said = ""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "chronotable_host", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
        )
        self._ear = threading.Thread(target=self._hear, daemon=True)
        self._ear.start()

    def _hear(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said += line.decode()

    def says(self, pattern: str | re.Pattern[str]) -> str:
        """Wait until it has printed something, and return that."""
        found = until(lambda: re.search(pattern, self.said), lambda: self.said)
        return str(found[found.re.groups and 1])

    @property
    def link(self) -> str:
        """The link that invites."""
        return self.says(_LINK)

    @property
    def own_link(self) -> str:
        """The link to go on elsewhere."""
        return self.says(_OWN_LINK)

    @property
    def page(self) -> str:
        """Host and port of its page."""
        return urlsplit(self.url).netloc

    @property
    def url(self) -> str:
        """The address of its page, the first that it says."""
        return self.says(r": (http://\S+)")

    def types(self, line: str) -> None:
        """Type something."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def ends(self) -> int:
        """Wait for its end, and return its exit status."""
        return self._process.wait(PATIENCE_S)

    def interrupt(self) -> int:
        """Have it end as by Ctrl-C, without a fault; return its exit status."""
        self._process.send_signal(signal.SIGINT)
        status = self.ends()
        self._ear.join()
        assert "Traceback" not in self.said
        return status

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()

    def quit(self) -> None:
        """Have it end, if it has not."""
        if self._process.poll() is None:
            self.types("quit")
            assert self.ends() == 0, self.said

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.kill()
        self._ear.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
