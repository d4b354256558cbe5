"""An examination, seen from the PC: begin it, pass on what is typed, notice its end.

One rule: the doctor on the table decides everything; here we only know how far it has come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import chronotable_host
from chronotable.link.frames import LocalLinkError
from chronotable_host.hardware.doctor.step_texts import KEYS
from chronotable_host.language import tr
from chronotable_host.live.happenings import Happening, Keys, Lost, Notice, Unusual, Well
from chronotable_host.live.line.connection import LineSource, TableError
from chronotable_host.live.status import BAD_CABLE, WELL, health_troubles, is_bad, status_of

if TYPE_CHECKING:
    from chronotable_host.hardware.doctor.listener import DoctorListener
    from chronotable_host.live.line.connection import TableConnection

START, SKIP, END_STEP, STOP = "snex"
"""The letters of the message `doctor`, by which the PC steers an examination."""

_SINCE_MINOR = 3  # from this version of the protocol on a step says how long it waits
_REPORT_MS = 1500  # how long to wait for what the table reports of itself
_START_MS = 20_000
_BACK_MS = 12_000  # from the examination's end until the table is in its game again
_LEAVE_MS = 3000  # the same, where no step of it has come yet
_AGAIN_MS = 3000  # a letter is repeated after so long, as its line may have been lost
_WORDS = {
    "": SKIP,
    **dict.fromkeys(("n", "next"), END_STEP),
    **dict.fromkeys(("q", "quit", "exit"), STOP),
}
_HELP = ("help", "h", "?")
_OWN_STARTS = (1, 4, 6)  # of RESETS: the power came on, or a person wanted a start


class Examination:
    """Runs an examination; `is_done` is called after every exchange with the table.

    `was_stopped` tells that a person has ended it, `is_back` that the table has gone back to its
    game after the end. `more_keys` are told beside the doctor's own.
    """

    def __init__(
        self,
        connection: TableConnection,
        listener: DoctorListener,
        typed: LineSource,
        tell: Callable[[Happening], None],
        more_keys: Sequence[str] = (),
    ) -> None:
        self.was_stopped = False
        self.is_back = False
        self._connection = connection
        self._listener = listener
        self._typed = typed
        self._tell = tell
        self._keys = [*KEYS, *more_keys]
        self._met_ms: int | None = None
        self._asked_ms: int | None = None
        self._ended_ms: int | None = None
        self._said_ms = 0

    def is_done(self) -> bool:
        """Do what is due and tell whether to end.

        Raises TableError where the table has no doctor, or does not begin, or leaves it.
        """
        now_ms, listener = self._connection.now_ms, self._listener
        if self._ended_ms is not None:
            self.is_back = listener.plays
            if self.was_stopped and not self.is_back and now_ms - self._said_ms >= _AGAIN_MS:
                self._say(STOP)
            patience_ms = _LEAVE_MS if listener.step is None else _BACK_MS
            return self.is_back or now_ms - self._ended_ms >= patience_ms
        if listener.lacks_doctor:
            raise TableError(
                tr("the table's firmware has no doctor: update it with `chronotable flash`")
            )
        if listener.table.peer is not None and listener.table.peer.minor < _SINCE_MINOR:
            raise TableError(
                tr(
                    "the doctor of the table's firmware is older than this chronotable and says "
                    "things in another way: update the firmware with `chronotable flash`"
                )
            )
        self._begin(now_ms)
        self._obey()
        if listener.result is not None or self.was_stopped:
            self._ended_ms = now_ms
        elif listener.step is not None and listener.plays and listener.is_supply_weak:
            self._ended_ms = now_ms  # all of its results have come
        elif listener.step is not None and listener.plays:
            raise TableError(
                tr(
                    "the table went back to its game before the end (its power or its cable "
                    "failed, or it was stopped): start `chronotable doctor` again"
                )
            )
        return False

    def hear(self, happening: Happening) -> None:
        """Pass a happening on, but not that a table is lost which was told to restart."""
        is_under_way = self._listener.step is not None and self._ended_ms is None
        is_lost = isinstance(happening, Lost)
        if is_lost and self._asked_ms is not None and not is_under_way:
            happening = Notice(happening.t_ms, tr("The table restarts."))
        self._tell(happening)

    def stop(self) -> None:
        """End the examination: the table goes back to its game."""
        if not self.was_stopped:
            self.was_stopped = True
            self._say(STOP)

    def _begin(self, now_ms: int) -> None:
        """Look at the table, and have it begin once it has told of itself."""
        listener, connection = self._listener, self._connection
        if connection.is_there and self._met_ms is None:
            self._met_ms = now_ms
        if self._met_ms is None or self._asked_ms is not None:
            late = self._asked_ms is not None and now_ms - self._asked_ms >= _START_MS
            if late and listener.step is None:
                raise TableError(
                    tr(
                        "the table does not begin the examination: pull its cable, hold its button "
                        "a and plug it in again; or update its firmware with `chronotable flash`"
                    )
                )
            return
        if listener.table.counters or now_ms - self._met_ms >= _REPORT_MS:
            self._asked_ms = now_ms
            for sentence in _unusual(connection, listener.table.counters.get("reset_cause")):
                self._tell(Unusual(now_ms, sentence))
            if figures := _well(connection):
                self._tell(Well(now_ms, figures))
            self._say(START)

    def _obey(self) -> None:
        while (line := self._typed.take()) is not None:
            said = line.strip().lower()
            word = _WORDS.get(said)
            if word == STOP:
                self.stop()
            elif word is None:
                unknown = "" if said in _HELP else line.strip()
                self._tell(Keys(self._connection.now_ms, self._keys, unknown))
            elif self._listener.step is not None:
                self._say(word)

    def _say(self, what: str) -> None:
        self._said_ms = self._connection.now_ms
        with suppress(LocalLinkError):  # too many commands wait: it is repeated later
            self._connection.session.command("doctor", say=what)


def _well(connection: TableConnection) -> str | None:
    """Return a sentence with the figures where speed and memory are well, None else.

    None also where the table has not reported on them.
    """
    status = status_of(connection)
    if status["heap_free"] is None or health_troubles(status):
        return None
    figures = [
        tr("slowest scan of the reeds {slowest_ms:.2f} ms", slowest_ms=status["scan_max_us"] / 1000)
    ]
    if status["heap_free"]:  # a virtual table has 0
        figures.append(tr("{heap} KB free", heap=status["heap_free"] // 1024))
    return f"{WELL[0].upper()}{WELL[1:]}: {', '.join(figures)}."


def _unusual(connection: TableConnection, reset_cause: int | None) -> Iterator[str]:
    """Yield what is unusual about a table before anybody touches it, in sentences."""
    status = status_of(connection)
    firmware, ours, line = status["firmware"], chronotable_host.__version__, status["line"]
    if firmware and firmware not in ("?", ours):
        yield tr(
            "The table has firmware {firmware}, this program is {ours}: `chronotable flash` makes "
            "them equal.",
            firmware=firmware,
            ours=ours,
        )
    if reset_cause is not None and reset_cause not in _OWN_STARTS:
        yield tr("The table's last start was no ordinary one: {cause}.", cause=status["reset"])
    if is_bad(line["table"]) or is_bad(line["pc"]):
        yield tr(
            "More than {most} lines were broken or sent again: try another USB cable, and no hub.",
            most=BAD_CABLE,
        )
    yield from health_troubles(status)
