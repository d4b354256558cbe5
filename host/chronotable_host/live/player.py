"""The loop that keeps a session with a real table: a port, a clock, and patience.

Two rules: a port that is lost is waited for and the game goes on; and whoever calls gives clock and
sleep, so that a test needs neither.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Protocol

from chronotable_host.errors import UserError, printable
from chronotable_host.live.mirror import Happening
from chronotable_host.live.port import PortError, choose_port, open_port
from chronotable_host.live.session import Session

PAUSE_S = 0.01
"""Between two exchanges; an event is to be here 50 ms after its debounce."""
ANSWER_S = 5.0
"""So long a device may take to answer as a table."""

_RETRY_S = 0.5
_TAIL_BYTES = 600
_TAIL_LINES = 3


class TableError(UserError):
    """No table is at the port, or none that this program can mirror, or it is gone."""


class OpenPort(Protocol):
    """What the loop needs of a port; `port.Port` is one."""

    name: str

    def read(self) -> bytes:
        """Return what has come, without waiting; raises PortError."""
        ...

    def write(self, data: bytes) -> None:
        """Send; raises PortError."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class Player:
    """Drives a session over the port `wanted`, a name or auto.

    `tell` hears what the mirror cannot know: that the port was lost. `patience_s` is how long a
    table that was there may be away.
    """

    def __init__(
        self,
        session: Session,
        wanted: str,
        tell: Callable[[Happening], None],
        patience_s: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        opens: Callable[[str], OpenPort] = open_port,
    ) -> None:
        self.session = session
        self.losses = 0
        self._wanted = wanted
        self._name = ""
        self._tell = tell
        self._patience_s = patience_s
        self._clock = clock
        self._sleep = sleep
        self._opens = opens
        self._port: OpenPort | None = None
        self._start_s = clock()
        self._away_since_s = self._start_s
        self._asked_since_s = self._start_s  # since then the port is open, or was tried, in vain
        self._was_there = False
        self._is_missed = False  # it was said that the table is away
        self._tail = b""  # the last that a device said which is no table, or not yet
        self._ahead_ms: int | None = None  # of the table's clock, our one is

    @property
    def now_ms(self) -> int:
        """Our time in ms."""
        return int((self._clock() - self._start_s) * 1000)

    @property
    def name(self) -> str:
        """The port's name, "" before it was found."""
        return self._name

    def open(self) -> None:
        """Open the port for the first time; raises PortError where that cannot be."""
        self._connect(self._clock())

    def run(self, is_done: Callable[[], bool]) -> None:
        """Exchange until `is_done`, which is asked after every exchange.

        Raises TableError and PortError where there is no table to play with, or none any more, and
        OSError where a turn cannot be written.
        """
        self.open()
        while True:
            self.step()
            if is_done():
                return
            self._sleep(PAUSE_S)

    def step(self) -> None:
        """Exchange what there is, or try to get the port back when it is time to."""
        now = self._clock()
        if self._port is not None:
            try:
                self._exchange(self._port, now)
            except PortError as error:
                self._lose(str(error), now)
        elif now - self._asked_since_s >= _RETRY_S:
            try:
                self._connect(now)
            except PortError:
                self._asked_since_s = now
        self._check_patience(now)

    def close(self) -> None:
        """Close the port; the session can be gone on with by another process."""
        self.session.close()
        self._hang_up()

    def _connect(self, now: float) -> None:
        self._name = choose_port(self._wanted, self._name)
        self._port = self._opens(self._name)
        self._asked_since_s = now
        self._tail = b""
        self._ahead_ms = None
        self.session.mirror.event_ms = None
        self.session.open(self.now_ms)

    def _exchange(self, port: OpenPort, now: float) -> None:
        session = self.session
        data = port.read()
        if not self._was_there:
            self._tail = (self._tail + data)[-_TAIL_BYTES:]
        now_ms = self.now_ms
        behind_ms = self._ahead_ms or 0
        out = session.exchange(data, now_ms, now_ms - behind_ms)
        mirror = session.mirror
        if mirror.refusal:
            raise TableError(mirror.refusal)
        if mirror.event_ms is not None:
            ahead_ms = now_ms - mirror.event_ms
            if self._ahead_ms is None or ahead_ms < self._ahead_ms:
                self._ahead_ms = ahead_ms  # the event that was under way for the shortest time
            mirror.event_ms = None
        if session.link.connected:
            self._was_there = True
            self._is_missed = False
            self._away_since_s = self._asked_since_s = now
        if out:
            port.write(out)

    def _check_patience(self, now: float) -> None:
        """Give up, or open the port anew, when the table has been silent for too long."""
        if not self._was_there:
            if now - self._away_since_s >= ANSWER_S:
                raise TableError(self._no_answer())
            return
        away_s = now - self._away_since_s
        if away_s >= self._patience_s:
            raise TableError(
                f"{self._name}: the table has been away for {away_s:.0f} s; nothing of the game is "
                "lost, `chronotable play` goes on with it"
            )
        if self._port is not None and now - self._asked_since_s >= ANSWER_S:
            # a port can outlive its device
            self._lose(f"{self._name} is silent", now)

    def _lose(self, sentence: str, now: float) -> None:
        self.session.close()
        self._hang_up()
        self.losses += 1
        self._asked_since_s = now
        if not self._was_there:
            raise PortError(sentence)
        if not self._is_missed:
            self._is_missed = True
            behind_ms = self._ahead_ms or 0
            self._tell({"t_ms": self.now_ms - behind_ms, "lost": f"{sentence}; waiting for it"})

    def _hang_up(self) -> None:
        if self._port is not None:
            self._port.close()
        self._port = None

    def _no_answer(self) -> str:
        """Return the sentence about a device that is no table, with what it said last."""
        text = self._tail.decode("ascii", "replace")
        lines = [printable(line).strip() for line in text.splitlines()]
        last = [line for line in lines if line and not line.startswith("$")][-_TAIL_LINES:]
        said = f"the last it said: {' | '.join(last)}" if last else "it said nothing"
        return (
            f"{self._name}: no Chronotable firmware answers there; install it with "
            f"`chronotable flash`, or choose another port with --port ({said})"
        )
