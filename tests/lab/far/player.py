"""One end of a game far apart as a process of its own: `python -m tests.lab.far.player`.

It is told what to play on its command line, as JSON, and says how far it is in lines of JSON. Its
program is killed now and then while the table goes on; whoever started it kills it as a whole.
"""

from __future__ import annotations

import json
import sys
import threading
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from chronotable_far.broker.address import parse_broker
from chronotable_far.broker.client import BrokerClient, Event
from chronotable_far.broker.client import Message as BrokerMessage
from chronotable_far.entries import INVITER
from chronotable_far.invitation import Invitation
from chronotable_far.room import FarRoom
from chronotable_far.table import Here
from chronotable_host import chapters
from chronotable_host.engine.levels import LevelPlayer
from tests.lab.far.end import End
from tests.lab.far.games import Match, Whims
from ttykm import objects
from ttykm.layout import WHITE

_TELL_MS = 2000
_ROUND_MS = 20
_IDLE_S = 0.02


class LossyClient:
    """A broker's client that loses messages, out and in, with a probability."""

    def __init__(self, client: BrokerClient, rng: Random, loss: float) -> None:
        self._client = client
        self._rng = rng
        self._loss = loss

    def subscribe(self, topic: str) -> None:
        """Have messages of a topic come."""
        self._client.subscribe(topic)

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send a message, or lose it."""
        if self._rng.random() >= self._loss:
            self._client.publish(topic, payload, retain)

    def take(self) -> list[Event]:
        """Return what has happened since, without what is lost."""
        return [
            event
            for event in self._client.take()
            if not isinstance(event, BrokerMessage) or self._rng.random() >= self._loss
        ]

    def close(self) -> None:
        """Break off, as a program that is killed does."""
        self._client.close(0.0)


class Player:
    """Plays one end; `spec` says what, and with which faults."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        rng = self._rng = Random(spec["rng"])
        invitation = Invitation(spec["broker"], spec["words"], spec["end"])
        start = objects.new_state(spec["modules"])
        begin = {"colour": WHITE, "start": start, "clock": "600+5"}
        self._kills = spec["kills"] * _ROUND_MS / 1000  # of the program, for each round
        self._dead_for = 0
        self._told_ms = 0.0
        self._is_over = threading.Event()
        self.end = End(
            invitation,
            Path(spec["folder"]),
            self._line,
            rng.randrange(1 << 30),
            Here({"inviter": "Ada", "joiner": "Bo"}[spec["end"]], True),
            begin if spec["end"] == INVITER else None,
            spec["runtime"],
            None if spec["image"] is None else Path(spec["image"]),
            spec["manner"],
            start,
        )
        self.end.pass_time = self._pass
        level = LevelPlayer(spec["level"], rng.randrange(1 << 30))
        whims = Whims(takes_back=0.05, asks_back=0.05, offers=0.02, agrees=0.05)
        self._match = Match([self.end], self._pass, rng, whims, spec["turns"], level.choose)
        threading.Thread(target=self._listen, daemon=True).start()

    def _line(self, room: FarRoom) -> LossyClient:
        will = room.will
        client = BrokerClient(
            parse_broker(self._spec["broker"]),
            will=BrokerMessage(will.topic, will.payload, will.retain),
        )
        return LossyClient(client, self._rng, self._spec["loss"])

    def _listen(self) -> None:
        sys.stdin.readline()
        self._is_over.set()

    def play(self) -> None:
        """Play until told to end."""
        self._pass(3000)
        while not self._is_over.is_set():
            self._match.look()
        if not self.end.is_running:
            self.end.start()
        self.end.close()

    def _pass(self, duration_ms: int) -> None:
        """Let time pass; the program may be killed meanwhile, and is started again later."""
        end = self.end
        for _ in range(max(1, duration_ms // _ROUND_MS)):
            end.run(_ROUND_MS)
            if not end.is_running:
                self._dead_for -= _ROUND_MS
                if self._dead_for <= 0:
                    end.start()
            elif self._rng.random() < self._kills:
                self._dead_for = self._rng.randint(100, 10_000)
                end.kill()
                self._tell(killed=True)
            if end.table.now_ms - self._told_ms >= _TELL_MS and end.is_running:
                self._told_ms = end.table.now_ms
                self._tell()
            self._is_over.wait(self._spec["idle_s"] if self._is_busy else _IDLE_S)

    @property
    def _is_busy(self) -> bool:
        """Whether anybody at this table has to do something: else the other one has the time."""
        end = self.end
        if not end.is_running:
            return False
        is_mine = end.room.course.mover == end.invitation.end
        return is_mine or end.far.bridge.due_now != "nothing" or not end.lies_right

    def _tell(self, **more: Any) -> None:
        room = self.end.room
        course = room.course
        logs = [entry.hash for end in ("inviter", "joiner") for entry in room._logs.chains[end]]
        said = {
            "turns": len(course.line),
            "result": course.result,
            "problem": course.problem or room.stopped,
            "entries": len(logs),
            "logs": sha256("".join(logs).encode()).hexdigest()[:16],
            "void": course.void,
            "dropped": dict(room.dropped),
            "counts": dict(self._match.counts),
            "at_table": self.end.place.phase,
            "due": self.end.far.bridge.due_now,
            "mismatches": len([each for each in self.end.told if "mismatch" in each]),
            **more,
        }
        print(json.dumps(said), flush=True)


def main() -> None:
    """Play as the first argument says."""
    chapters.unlock_to(chapters.COUNT)
    Player(json.loads(sys.argv[1])).play()


if __name__ == "__main__":
    main()
