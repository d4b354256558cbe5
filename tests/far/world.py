"""Both ends of a game far apart in one process, in table time, with a broker in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from chronotable_far.entries import INVITER, JOINER
from chronotable_far.invitation import new_invitation
from chronotable_far.table import Here
from tests.far.end import ROUND_MS, End
from tests.far.memory import MemoryBroker, MemoryLine
from ttykm.layout import WHITE


class World:
    """An inviter and a joiner; `loss` is how many messages are lost on their lines, of one."""

    def __init__(
        self, folder: Path, seed: int = 0, loss: float = 0.0, chats: bool = True, **begin: Any
    ) -> None:
        self.rng = Random(seed)
        self.broker = MemoryBroker()
        self.loss = loss
        self.trouble: Callable[[], None] | None = None  # is called 50 times a second
        invitation = new_invitation("mqtt://memory", self.rng.choice)
        self.ends: dict[str, End] = {}
        self._invitation = invitation
        self._chats = chats
        self._begin = begin
        self._seed = seed
        for end in (INVITER, JOINER):
            self.add(end, folder / end)

    def add(self, end: str, folder: Path, another: str = "") -> End:
        """Have an end play at a table and a computer of its own; `another` person has the link."""
        self._seed += 1
        made = self.ends[another or end] = End(
            self._invitation.of(end),
            folder,
            lambda _room: MemoryLine(self.broker, self.rng, self.loss),
            self._seed,
            Here(another or {INVITER: "Ada", JOINER: "Bo"}[end], self._chats),
            {"colour": WHITE, **self._begin} if end == INVITER and not self.ends else None,
            start=self._begin.get("start"),
        )
        made.pass_time = self.wait
        return made

    @property
    def inviter(self) -> End:
        """Who invites."""
        return self.ends[INVITER]

    @property
    def joiner(self) -> End:
        """Who is invited."""
        return self.ends[JOINER]

    def wait(self, duration_ms: int) -> None:
        """Let time pass at both ends."""
        left = duration_ms
        while left > 0:
            for end in self.ends.values():
                end.run(min(left, ROUND_MS))
            left -= ROUND_MS
            if self.trouble is not None:
                self.trouble()

    def mover(self) -> End:
        """Return whose turn it is."""
        return next(each for each in self.ends.values() if each.far.bridge.own == each.game.mover)

    def both_settle(self, most: int = 400) -> None:
        """Have the hands of both do what lights ask until both tables have the log's game."""
        for _ in range(most):
            self.wait(200)
            if all(is_level(each) for each in self.ends.values()):
                return
            for each in self.ends.values():
                each.help()
        raise AssertionError([state_of(each) for each in self.ends.values()])


def is_level(end: End) -> bool:
    """Tell whether a table has the game of its log, and everything lies right."""
    line = [each.turn for each in end.room.course.line]
    return [*end.game.turns] == line and end.mirror.is_in_step and end.lies_right


def state_of(end: End) -> tuple[Any, ...]:
    """Return where an end is, for who reads a failure."""
    line = len(end.room.course.line)
    return end.invitation.end, line, len(end.game.turns), end.place.phase, end.told[-5:]


@contextmanager
def world(*args: Any, **kwargs: Any) -> Iterator[World]:
    """Open both ends and, whatever happens, close them."""
    made = World(*args, **kwargs)
    try:
        yield made
    finally:
        for end in made.ends.values():
            end.close()
