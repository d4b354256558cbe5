"""A table's game, followed on the rules from the texts of its record, which come whole each time.

What is new in a text is played on; what is not is not read again: a turn costs what one turn costs.
Whatever is not as the program writes it is read as any record is.

A `Reader` has that done in a process of its own: nobody who asks the hub waits for it. Reading
takes as many steps as a record is long, but with modules a step may be all that could be done in a
turn, some 5 ms: a record of the largest size can be made to take minutes.
"""

import contextlib
import multiprocessing
import re
import signal
import time
from array import array
from collections import OrderedDict
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import NamedTuple

from chronotable_host.archive.parsing import parse
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.rules.line import clean
from chronotable_host.rules.notation import NotationError, parse_turn
from chronotable_host.rules.record import IN_PROGRESS, RESULTS, Record
from ttykm.game import Game, IllegalTurnError, winner
from ttykm.layout import NOBODY

_LINE = re.compile(r"([0-9]{1,5})\. ([^{}()]*>[a-z]+)(?: \{([^{}]*)\})?")
_GOES_ON = f'[Termination "{IN_PROGRESS}"]\n[Result "{RESULTS[3]}"]'

_referee = Game()


class IllegalRecordError(Exception):
    """A record breaks the rules, or is none; the message is a sentence."""


class Followed(NamedTuple):
    """A game as far as it was followed: its record, and all of its states, the start first."""

    record: Record
    states: "list[array[int]]"


class Follower:
    """Follows the games of one table, one at a time.

    `read` reads a record whole, as `read_whole` does.
    """

    def __init__(self, read: Callable[[str], Followed]) -> None:
        self._read = read
        self._head = ""
        self._lines: list[str] = []
        self._known: Followed | None = None

    def follow(self, text: str) -> Followed:
        """Return the game that a record's text tells; raises IllegalRecordError.

        What was returned before is changed by it.
        """
        head, _, body = text.partition("\n\n")
        lines = body.split("\n")
        known = self._known
        if (
            known is None
            or head != self._head
            or not (head.endswith(_GOES_ON) and lines[-1:] == [""] == self._lines[-1:])
            or not self._play_on(known, lines)
        ):
            known = self._read(text)
        self._head, self._lines, self._known = head, lines, known
        return known

    def _play_on(self, known: Followed, lines: list[str]) -> bool:
        """Play what is new; False where the text is not as simple as that."""
        same = 0
        for one, other in zip(self._lines[:-1], lines[:-1], strict=False):
            if one != other:
                break
            same += 1
        found = [_LINE.fullmatch(line) for line in lines[same:-1]]
        record, states = known
        if not all(found) or record.variations or len(record.turns) != len(self._lines) - 1:
            return False
        record, states = _shortened(known, same)
        for match in found:
            assert match is not None
            try:
                turn = parse_turn(match[2])
            except NotationError:
                return False
            is_over = bool(record.turns) and winner(states[-1]) != NOBODY
            if int(match[1]) != len(record.turns) + 1 or is_over:
                return False
            _referee.start(states[-1], record.options)
            try:
                _referee.apply(turn)
            except IllegalTurnError:
                return False
            record.add(turn, clean(match[3] or ""))
            states.append(_referee.state)
        if record.turns and winner(states[-1]) != NOBODY:
            return False  # its end is to be said: the other reading mends that
        known.record.turns, known.record.comments = record.turns, record.comments
        known.states[:] = states
        return True


def _shortened(known: Followed, turns: int) -> Followed:
    """Return the game as it was after so many turns."""
    record = Record(known.record.start, known.record.options)
    record.starting_comment = known.record.starting_comment
    record.turns = known.record.turns[:turns]
    record.comments = known.record.comments[:turns]
    return Followed(record, known.states[: turns + 1])


def read_whole(text: str) -> Followed:
    """Return the game that a record's text tells; raises IllegalRecordError."""
    try:
        reading = parse(text.encode())
    except (UserError, UnicodeEncodeError) as error:
        raise IllegalRecordError(str(error)) from error
    return Followed(reading.record, list(reading.states))


# ---- in a process of its own


_READ_S = 2.0  # many times what the longest game takes
_BEGIN_S = 60.0
_MOST_KNOWN = 100


class Reader:
    """Reads one record at a time, each within a time; a process that takes longer is ended.

    Any thread may ask it, and waits for its turn. `took_s` is how long the last one took, without
    the beginning of a process.
    """

    def __init__(self, read_s: float = _READ_S) -> None:
        self._read_s = read_s
        self._running: tuple[BaseProcess, Connection] | None = None
        self._turn = Lock()
        self.took_s = 0.0

    def begin(self) -> None:
        """Have a process, so that the next record does not wait for one."""
        with self._turn, contextlib.suppress(EOFError, OSError):
            self._begin()

    def _begin(self) -> Connection:
        self._running = self._running or _begun()
        return self._running[1]

    def read(self, whose: str, text: str) -> Followed:
        """Return the game that a record's text tells; raises IllegalRecordError.

        What goes on from the last text of the same `whose` is not read from its beginning.
        """
        answer: Followed | str | None = None
        with self._turn:
            with contextlib.suppress(EOFError, OSError):  # it has died, or does not begin
                pipe = self._begin()
                begun_s = time.monotonic()
                pipe.send((whose, text))
                if pipe.poll(self._read_s):
                    answer = pipe.recv()
                self.took_s = time.monotonic() - begun_s
            if answer is None:
                self.close()
        if answer is None:
            raise IllegalRecordError(tr("the record takes too long to be read"))
        if isinstance(answer, str):
            raise IllegalRecordError(answer)
        return answer

    def close(self) -> None:
        """End the process; the next record has another one."""
        if self._running is not None:
            process, pipe = self._running
            self._running = None
            process.terminate()
            process.join()
            pipe.close()


def _begun() -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    pipe, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), name="records", daemon=True)
    process.start()
    there.close()
    if not pipe.poll(_BEGIN_S):
        process.terminate()
        raise TimeoutError
    pipe.recv()
    return process, pipe


def _serve(pipe: Connection) -> None:
    """Read until nobody is there any more; Ctrl-C is for the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    games: OrderedDict[str, Follower] = OrderedDict()
    with contextlib.suppress(EOFError, OSError):
        pipe.send("")
        while True:
            whose, text = pipe.recv()
            follower = games[whose] = games.pop(whose, Follower(read_whole))
            if len(games) > _MOST_KNOWN:
                games.popitem(last=False)
            try:
                answer: Followed | str = follower.follow(text)
            except IllegalRecordError as error:
                answer = str(error)
            pipe.send(answer)
