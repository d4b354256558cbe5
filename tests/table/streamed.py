"""A program at the pipes of `chronotable table --script -`, which plays by the lights it reads."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

_GESTURE_MS = 300
_FINAL_MS = 1500
_MOST_GESTURES = 8  # of two actions, with room


class Streamed:
    """The command, driven through pipes; `told` is all that it printed, `lights` the last picture.

    `typed` is all that was typed, `t_ms` the table's time.
    """

    def __init__(self, *words: str) -> None:
        self.typed = ""
        self.told: list[dict[str, Any]] = []
        self.lights: dict[str, str] = {}
        self.t_ms = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "chronotable_host", "table", "--script", "-", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Streamed:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the command, whatever it does."""
        self._process.kill()
        self._process.communicate()

    def say(self, line: str) -> list[dict[str, Any]]:
        """Type a line; return what is printed until it is done, or until the command ends."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self.typed += line + "\n"
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        told = []
        for printed in self._process.stdout:
            told.append(json.loads(printed))
            self.lights = told[-1].get("leds", self.lights)
            if "done" in told[-1]:
                break
        self.told += told
        return told

    def do(self, wait_ms: int = _GESTURE_MS, **event: object) -> list[dict[str, Any]]:
        """Do something now, and look at what comes of it."""
        told = self.say(json.dumps({"t_ms": self.t_ms, **event}))
        self.t_ms += wait_ms
        return told + self.say(json.dumps({"t_ms": self.t_ms}))

    def play_turn(self) -> None:
        """Play what is lit: copies and spaces to walk to, the first each, then the focus."""
        home = self._lit("mover")[0]
        for _ in range(_MOST_GESTURES):
            if self._lit("focus"):
                break
            walks = self._lit("move")
            if "lifted" in self.lights.values() and walks:
                self.do(place=walks[0])
            else:
                self.do(lift=self._lit("copy")[0])
        to = self._lit("focus")[0]
        self.do(lift=home)
        self.do(place=to, wait_ms=_FINAL_MS)

    def end(self) -> tuple[int, str]:
        """Let the input end; return the exit status and what went to stderr."""
        out, err = self._process.communicate()
        self.told += [json.loads(printed) for printed in out.splitlines()]
        return self._process.returncode, err

    def _lit(self, meaning: str) -> list[str]:
        found = [place for place, lit in self.lights.items() if lit == meaning]
        assert found or meaning in ("focus", "move"), (meaning, self.lights)
        return found


def play_by_the_lights(*words: str, turns: int) -> Streamed:
    """Play turns from the start on, by what is lit alone, until the command has ended."""
    with Streamed(*words) as table:
        table.do(bounce_ms=0, wait_ms=3000)
        for _ in range(turns):
            table.play_turn()
        assert table.end() == (0, "")
        assert table.told[-1]["t_ms"] == table.t_ms + 2000
        return table
