"""The connection to a real table: the loop that opens its port and keeps a session over it.

Three rules: a port that is lost is waited for and the game goes on; with that table and no other;
and clock and sleep are arguments, so that a test needs neither.
"""

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from chronotable.link.frames import FRAME, LineReader, RemoteLinkError
from chronotable.link.messages import PROTOCOL_MAJOR, decode_fields, is_hex, row_of
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.live.happenings import Happening, Lost, Notice
from chronotable_host.live.line.port import PortError, open_port
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.live.session import Session

_OF_A_TABLE = "ra"  # a HELLO that asks is a PC's: our own one, echoed

_RETURN = b"\r"
RESTART = b"\x03\x04"
"""Ctrl-C drops what was typed, and Ctrl-D on an empty line is a soft reset, which runs main.py."""

_PROMPTS = (b">>> ", b"... ")
_TAIL_BYTES = 600


class HelloAnswer(NamedTuple):
    """Who says HELLO."""

    table_id: str
    board: str


class HelloReader:
    """Reads what comes for the HELLO of a table.

    Which table it is has to be known before the session gets what it sent: link and mirror would
    both take another one for their own after a restart. The link would forget which events it has
    and which commands wait, and the mirror would leave its game.
    """

    def __init__(self) -> None:
        self._reader = LineReader()

    def reset(self) -> None:
        """The port was opened anew."""
        self._reader.reset()

    def hear(self, data: bytes) -> HelloAnswer | None:
        """Return who says HELLO in this data, if somebody does."""
        reader = self._reader
        answer = None
        at = reader.feed(data, 0)
        while at:
            if reader.finish() == FRAME and reader.letter == "H":
                answer = _read(reader.payload) or answer
            at = reader.feed(data, at)
        return answer


def _read(payload: str) -> HelloAnswer | None:
    """Return who it is; None for a PC, and for another version, which the link refuses."""
    major = payload[1:3]
    if payload[:1] not in _OF_A_TABLE or len(major) != 2 or not is_hex(major):
        return None
    if int(major, 16) != PROTOCOL_MAJOR:
        return None
    try:
        fields: dict[str, Any] = decode_fields(row_of("hello"), payload)
    except RemoteLinkError:
        return None
    return HelloAnswer(fields["unique_id"], fields["board_name"])


class PromptDetector:
    """Reads what a device sends and is sent, and tells whether that is MicroPython's prompt.

    It answers where a table's firmware was stopped, echoes what is typed, and only a carriage
    return ends a line there: so our lines come back one behind the other. Typing a carriage return
    then shows the prompt. Seen on MicroPython 1.26.1; `Prompt` of the virtual chip does so.
    """

    def __init__(self) -> None:
        self.tail = b""
        """The end of what it said."""
        self._typed = b""  # the last line that was sent to it
        self._answered = b""  # the tail after which _RETURN was typed already

    def hear(self, data: bytes) -> None:
        """Take what it said."""
        self.tail = (self.tail + data)[-_TAIL_BYTES:]

    def type(self, data: bytes) -> None:
        """Note what it is told: whole lines."""
        self._typed = data.splitlines()[-1]

    @property
    def is_at_prompt(self) -> bool:
        """Tell whether it has echoed our last line and waits at the prompt."""
        return self._typed != b"" and self._typed in self.tail and self.tail.endswith(_PROMPTS)

    def keys(self) -> bytes:
        """Return what to type, now that it says nothing more: _RETURN, RESTART or nothing."""
        if self.is_at_prompt:
            self._typed = b""  # until the next line is sent, what it says proves nothing
            return RESTART
        is_echo = self._typed != b"" and self.tail.endswith(self._typed)
        if is_echo and self.tail != self._answered:
            self._answered = self.tail
            return _RETURN
        return b""


PAUSE_S = 0.01
"""Pause between two exchanges. An event has to be here 50 ms after the table debounced it."""
ANSWER_S = 5.0
"""How long a device may take to answer as a table does."""

_RETRY_S = 0.5
_SETTLES_S = 0.5
_STRANGER_S = 5.0  # until a port at which another table answered is tried again
_TAIL_LINES = 3


class TableError(UserError):
    """No table is at the port, or none that this program can mirror, or it is gone."""


class OpenPort(Protocol):
    """What the loop needs of a port; `port.Port` is one."""

    name: str
    unsent: int

    def read(self) -> bytes:
        """Return what has come, without waiting; raises PortError."""

    def write(self, data: bytes) -> None:
        """Send bytes; raises PortError."""

    def close(self) -> None:
        """Close the port."""


class LineSource(Protocol):
    """Where typed lines come from; `commands.common.typed_lines.TypedLines` is the terminal's."""

    def take(self) -> str | None:
        """Return the next line, None where there is none yet; never waits."""


class TableConnection:
    """Keeps a session over the port that `search` finds.

    `tell` is called with what the mirror cannot know: that the port was lost, or who is there
    instead. `patience_s` is how long a table that was there may be away before TableError is
    raised, `losses` counts how often it was lost.
    """

    def __init__(
        self,
        session: Session,
        search: PortSearch,
        tell: Callable[[Happening], None],
        patience_s: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        opens: Callable[[str], OpenPort] = open_port,
    ) -> None:
        self.session = session
        self.losses = 0
        self._search = search
        self._name = ""
        self._tell = tell
        self._patience_s = patience_s
        self._clock = clock
        self._sleep = sleep
        self._opens = opens
        self._port: OpenPort | None = None
        self._greeting = HelloReader()
        self._unsent = 0  # bytes, at the ports before this one
        self._start_s = clock()
        self._away_since_s = self._start_s
        self._asked_since_s = self._start_s  # the last try to open the port, or the last answer
        self._was_there = False
        self._is_missed = True  # the table is away, or has not been found yet
        self._said: set[str] = set()  # the notices that were given since then
        self._detector = PromptDetector()  # whether MicroPython's prompt is there, not a table
        self._restarted_s = -math.inf  # when it was started from MicroPython's prompt
        self._ahead_ms: int | None = None  # how far our clock is ahead of the table's

    @property
    def now_ms(self) -> int:
        """Our time in ms."""
        return int((self._clock() - self._start_s) * 1000)

    @property
    def name(self) -> str:
        """The port's name, "" before it was found."""
        return self._name

    @property
    def is_there(self) -> bool:
        """Tell whether the table is at the line."""
        return self._port is not None and self.session.link.connected

    @property
    def unsent(self) -> int:
        """How many bytes the table did not take in time."""
        return self._unsent + (0 if self._port is None else self._port.unsent)

    def open(self) -> None:
        """Open the port for the first time; raises PortError where that cannot be."""
        self._connect()

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
                self._connect()
            except PortError:
                self._asked_since_s = now
                self._notice(self._search.elsewhere())
        self._check_patience(self._clock())

    def settle(self) -> None:
        """Go on until the table has all commands, if it takes them soon: nobody sends them later.

        Raises as `run`.
        """
        late_s = self._clock() + _SETTLES_S
        while self.is_there and not self.session.link.is_settled and self._clock() < late_s:
            self.step()
            self._sleep(PAUSE_S)

    def close(self) -> None:
        """Close the port; the session can be gone on with by another process."""
        self.session.close()
        self._hang_up()

    def _connect(self) -> None:
        self._name = self._search.next()  # it may ask a person, and take long
        self._port = self._opens(self._name)
        self._asked_since_s = self._clock()
        self._greeting.reset()
        self._detector = PromptDetector()
        self._restarted_s = -math.inf
        self.session.mirror.table.event_ms = None
        self.session.open(self.now_ms)

    def _exchange(self, port: OpenPort, now: float) -> None:
        session = self.session
        data = port.read()
        who = self._greeting.hear(data)
        if who is not None and not self._search.accepts(who.table_id):
            self._turn_away(who, now)
            return
        if data:
            self._detector.hear(data)
        else:
            self._leave_prompt(port, now)
        now_ms = self.now_ms
        out = session.exchange(data, now_ms, now_ms - self._behind_ms)
        mirror = session.mirror
        if mirror.table.refusal:
            raise TableError(mirror.table.refusal)
        if mirror.table.event_ms is not None:
            ahead_ms = now_ms - mirror.table.event_ms
            if self._ahead_ms is None or ahead_ms < self._ahead_ms:
                # as the event says that was under way for the shortest time
                self._ahead_ms = ahead_ms
            mirror.table.event_ms = None
        if session.link.connected:
            self._away_since_s = self._asked_since_s = now
            if self._is_missed:
                self._greet()
        if out:
            self._detector.type(out)
            port.write(out)

    def _leave_prompt(self, port: OpenPort, now: float) -> None:
        """Start a table that was stopped, unless that was tried just now."""
        if self._detector.is_at_prompt and now - self._restarted_s < ANSWER_S:
            return
        keys = self._detector.keys()
        if keys == RESTART:
            self._restarted_s = self._asked_since_s = now
            at_ms = self.now_ms - self._behind_ms
            sentence = tr(
                "{port}: MicroPython waits at its prompt there: Ctrl-D starts the table again",
                port=self._name,
            )
            self._tell(Notice(at_ms, sentence))
        if keys:
            port.write(keys)

    def _greet(self) -> None:
        """The table is there, or there again."""
        self._was_there = True
        self._is_missed = False
        self._said.clear()
        peer = self.session.link.peer
        if peer is not None:
            self._search.settle(peer.unique_id, self._name)

    def _turn_away(self, who: HelloAnswer, now: float) -> None:
        """Another table is there: the game has nothing to do with it."""
        values = {
            "port": self._name,
            "table": who.table_id,
            "board": printable(who.board),
            "wanted": self._search.wanted,
        }
        self.session.close()
        self._hang_up()
        if not self._was_there:
            self._go_on_searching(
                tr(
                    "{port}: the table there is {table} (board {board}), not {wanted}, which "
                    "--table names",
                    **values,
                )
            )
            return
        self._asked_since_s = now + _STRANGER_S - _RETRY_S
        self._is_missed = True
        self._notice(
            tr(
                "{port}: the table there is {table} (board {board}), not {wanted} of this game; "
                "waiting for that one (to play on this one, quit and start `chronotable play` "
                "again)",
                **values,
            )
        )

    def _check_patience(self, now: float) -> None:
        """Give up, or open the port anew, when the table has been silent for too long."""
        silent_s = now - self._asked_since_s
        if not self._was_there:
            is_prompt = self._detector.is_at_prompt and now - self._restarted_s < ANSWER_S
            if is_prompt or silent_s >= ANSWER_S:
                sentence = self._no_answer(is_prompt)
                self.session.close()
                self._hang_up()
                self._go_on_searching(sentence)
            return
        away_s = now - self._away_since_s
        if away_s >= self._patience_s:
            raise TableError(
                tr(
                    "{port}: the table has been away for {seconds} s; nothing of the game is lost, "
                    "`chronotable play` goes on with it",
                    port=self._name,
                    seconds=f"{away_s:.0f}",
                )
            )
        if self._port is not None and silent_s >= ANSWER_S:
            # a port can outlive its device
            self._lose(tr("{port} is silent", port=self._name), now)

    def _go_on_searching(self, sentence: str) -> None:
        """The table is not at this port: say so and try another, or raise TableError."""
        if not self._search.rule_out(self._name):
            raise TableError(sentence)
        self._notice(sentence)
        self._connect()

    def _lose(self, sentence: str, now: float) -> None:
        self.session.close()
        self._hang_up()
        self._asked_since_s = now
        if not self._was_there:
            raise PortError(sentence)
        if not self._is_missed:
            self.losses += 1
            self._is_missed = True
            at_ms = self.now_ms - self._behind_ms
            self._tell(Lost(at_ms, tr("{problem}; waiting for it", problem=sentence)))

    def _notice(self, sentence: str) -> None:
        """Say something once while the table is away."""
        if sentence and sentence not in self._said:
            self._said.add(sentence)
            self._tell(Notice(self.now_ms - self._behind_ms, sentence))

    @property
    def _behind_ms(self) -> int:
        return self._ahead_ms or 0

    def _hang_up(self) -> None:
        if self._port is not None:
            self._unsent += self._port.unsent
            self._port.close()
        self._port = None

    def _no_answer(self, is_prompt: bool) -> str:
        """Return the sentence about a device that is no table, with what it said last."""
        text = self._detector.tail.decode("ascii", "replace")
        lines = [printable(line).strip() for line in text.splitlines()]
        last = [line for line in lines if line and not line.startswith("$")][-_TAIL_LINES:]
        said = (
            tr("the last it said: {lines}", lines=" | ".join(last))
            if last
            else tr("it said nothing")
        )
        if is_prompt:
            return tr(
                "{port}: MicroPython waits at its prompt there, and no firmware starts; install it "
                "with `chronotable flash`, or choose another port with --port ({said})",
                port=self._name,
                said=said,
            )
        return tr(
            "{port}: no Chronotable firmware answers there; install it with `chronotable flash`, "
            "or choose another port with --port ({said})",
            port=self._name,
            said=said,
        )
