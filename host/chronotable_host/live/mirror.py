"""The mirror: the table's game, replayed on the same rules, kept on disk, told as happenings.

Two rules. The table owns the truth: its turns are replayed and compared by digest, and where the
two differ the table is asked what it has. And a turn is on disk before anybody hears of it.

A happening is a dict that `chronotable table` prints as one JSON line; `t_ms` is table time.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chronotable import meanings
from chronotable.link import CommandLost, Connected, Gap, LogLine, Message, PeerLost, Refused
from chronotable.messages import unpack_leds
from chronotable.packed import unpack_position, unpack_sensors
from chronotable.sensors import sensor_name
from chronotable_host.live.phrases import GUIDES, REFUSALS
from chronotable_host.text import reason_text
from ttykm.game import Game, IllegalTurnError
from ttykm.game import digest as digest_of
from ttykm.layout import NOBODY
from ttykm.notation import PLAYERS, format_position, format_turn
from ttykm.record import RESULTS, Record

if TYPE_CHECKING:
    from chronotable_host.archive.files import GameFile
    from chronotable_host.archive.store import Archive

Happening = dict[str, Any]

UNDERSTOOD = {"c": "certain", "a": "asked", "x": "corrected"}
TERMINATIONS = {"n": "normal", "r": "resigned", "a": "agreed"}
PHASES = {"s": "set-up", "t": "turn", "p": "provisional", "q": "question", "o": "over"}

SOURCE = "Source"
"""Header of a record that says which game of which table it is, so that it is kept once."""


class Mirror:
    """What the PC knows of the table's game.

    `game` is the mirror, `leds` what the LEDs say (54 meanings), `choices` the open question,
    `file` the game's file, if there is an archive. `tell` hears the happenings. With `resumes` a
    game that the archive has begun already is gone on with; a virtual table that was just switched
    on has no past.
    """

    def __init__(
        self,
        tell: Callable[[Happening], None],
        archive: Archive | None = None,
        headers: dict[str, str] | None = None,
        trace: bool = False,
        resumes: bool = False,
    ) -> None:
        self.game = Game()
        self.file: GameFile | None = None
        self.leds = bytes(54)
        self.phase = ""
        self.choices: list[int] = []
        self.provisional: int | None = None
        self.counters: dict[str, Any] = {}
        self.how: list[str] = []  # how each turn of the game was understood
        self.needs_resync = False
        self.board = "?"
        self._tell = tell
        self._archive = archive
        self._headers = headers or {}
        self._trace = trace
        self._resumes = resumes
        self._table = ""
        self._boot = 0
        self._started = False  # the mirror follows a game
        self._now_ms = 0

    def hear(self, event: object, now_ms: int) -> None:
        """Take one event of the link; `now_ms` is the table time where the event has none.

        Raises OSError where a turn cannot be written.
        """
        self._now_ms = now_ms
        if isinstance(event, Message):
            fields: dict[str, Any] = dict(event.values)
            at_ms = fields.pop("time_ms", now_ms)
            number = fields.pop("number", 0)
            handler = getattr(self, "_on_" + event.name, None)
            if handler is not None:
                handler(at_ms, number, **fields)
        elif isinstance(event, Connected):
            self._table = event.info.unique_id
            self._boot = event.info.boot
            self.board = event.info.board_name
            self._say(now_ms, connected=event.info.board_name)
        elif isinstance(event, Gap):
            self.needs_resync = True
            self._say(now_ms, gap=[event.first, event.last])
        elif isinstance(event, PeerLost):
            self._say(now_ms, lost="the table has not been heard for three seconds")
        elif isinstance(event, Refused):
            self._say(now_ms, refused=event.sentence)
        elif isinstance(event, LogLine):
            self._say(now_ms, log=event.text)
        elif isinstance(event, CommandLost):
            self._say(now_ms, refused=f"the table restarted before it took '{event.name}'")

    def _say(self, at_ms: int, **what: Any) -> None:
        self._tell({"t_ms": at_ms, **what})

    # ---- the course of a game

    def _on_game(self, at_ms: int, _number: int, position: str, options: int, game_id: int) -> None:
        state = unpack_position(position)
        self._begin(state, options, f"{self._table}-{game_id:08x}")
        self._say(at_ms, started=format_position(state))

    def _begin(self, state: array[int], options: int, source: str) -> None:
        self._started = True
        self.needs_resync = False
        self.game.start(state, options)
        self.choices, self.provisional = [], None
        self.how = []
        if self._archive is None:
            return
        if self.file is not None:
            self.file.close()
        self.file = self._archive.resume(SOURCE, source) if self._resumes else None
        if self.file is None:
            record = Record(state, options)
            record.headers.update(self._headers)
            record.headers["Board"] = self.board
            record.headers[SOURCE] = source
            self.file = self._archive.new_game(record)

    def _on_turn(
        self, at_ms: int, _number: int, turn_no: int, turn: int, digest: int, understood: str
    ) -> None:
        if not self._started or self.needs_resync:
            return  # a snapshot will tell
        self.provisional = None
        self.choices = []
        try:
            if turn_no != len(self.game.turns) + 1:
                raise IllegalTurnError(0)
            self.game.apply(turn)
        except IllegalTurnError:
            self._mismatch(at_ms, turn_no, format_turn(turn))
            return
        if digest != digest_of(self.game.state):
            self._mismatch(at_ms, turn_no, format_turn(turn))
            return
        name = UNDERSTOOD[understood]
        self.how.append(name)
        self._keep(turn_no, turn, f"{at_ms / 1000:.2f} s, {name}")
        self._say(
            at_ms,
            turn=format_turn(turn),
            position=format_position(self.game.state),
            understood=name,
        )

    def _keep(self, turn_no: int, turn: int, comment: str) -> None:
        """Have a turn on disk; a file that was resumed may have it already."""
        file = self.file
        if file is None:
            return
        known = file.record.turns
        if len(known) >= turn_no and known[turn_no - 1] == turn:
            return
        while len(file.record.turns) >= turn_no:
            file.take_back()
        file.append(turn, comment)

    def _on_taken_back(self, at_ms: int, _number: int, turn_no: int) -> None:
        self.provisional = None
        self.choices = []
        if not self._started or turn_no != len(self.game.turns):
            self.needs_resync = True
            return
        turn = self.game.undo()
        self.how.pop()
        if self.file is not None:
            while len(self.file.record.turns) >= turn_no:
                self.file.take_back()
        self._say(at_ms, taken_back=format_turn(turn))

    def _on_over(self, at_ms: int, _number: int, winner: str, by: str) -> None:
        self.choices = []
        termination = TERMINATIONS[by]
        who = "wb".find(winner)
        result = RESULTS[who] if who >= 0 else RESULTS[2]
        if self.file is not None and self._started:
            self.file.finish(result, termination)
        self._say(
            at_ms,
            game_over=PLAYERS[who] if who >= 0 else "draw",
            by=termination,
            understood=self.understood,
        )

    def _on_snapshot(
        self,
        at_ms: int,
        _number: int,
        position: str,
        turn_no: int,
        digest: int,
        phase: str,
        **_: Any,
    ) -> None:
        self.phase = PHASES.get(phase, phase)
        if self.phase in ("set-up", "over") or (self._started and not self.needs_resync):
            return
        same = (
            self._started
            and turn_no == len(self.game.turns)
            and digest == digest_of(self.game.state)
        )
        if not same:
            # what came before was not heard: go on from here, in a record of its own
            self._begin(
                unpack_position(position), 0, f"{self._table}-{self._boot:04x}-at-{turn_no:04x}"
            )
            self._say(at_ms, joined=format_position(self.game.state))
        self.needs_resync = False

    def _mismatch(self, at_ms: int, turn_no: int, turn: str) -> None:
        self.needs_resync = True
        self._say(
            at_ms,
            mismatch={"turn_no": turn_no, "turn": turn, "mirror": format_position(self.game.state)},
        )

    # ---- what happens on the way

    def _on_provisional(self, at_ms: int, _number: int, turn: int) -> None:
        self.provisional = turn
        self.choices = []
        self._say(at_ms, provisional=format_turn(turn))

    def _on_reopened(self, at_ms: int, _number: int) -> None:
        self.provisional = None
        self._say(at_ms, reopened=True)

    def _on_question(self, at_ms: int, _number: int, **turns: int | None) -> None:
        self.choices = [turn for turn in turns.values() if turn is not None]
        self._say(
            at_ms,
            ask={name: format_turn(turn) for name, turn in turns.items() if turn is not None},
        )

    def _on_guide(self, at_ms: int, _number: int, take: str, put: str, why: int) -> None:
        self._say(
            at_ms,
            guide={
                "take": [sensor_name(sensor) for sensor in unpack_sensors(take)],
                "put": [sensor_name(sensor) for sensor in unpack_sensors(put)],
                "why": guide_text(why),
            },
        )

    def _on_fault(self, at_ms: int, _number: int, sensor: int, kind: str) -> None:
        self._say(at_ms, fault={"space": sensor_name(sensor), "kind": kind})

    def _on_refused(self, at_ms: int, _number: int, why: int) -> None:
        self._say(at_ms, refused=REFUSALS.get(why, f"the table refused that (code {why})"))

    def _on_leds(self, at_ms: int, _number: int, leds: str) -> None:
        self.leds = unpack_leds(leds)
        self._say(
            at_ms,
            leds={
                sensor_name(sensor): meanings.NAMES[meaning]
                for sensor, meaning in enumerate(self.leds)
                if meaning
            },
        )

    def _on_edge(self, at_ms: int, _number: int, sensor: int, closed: int) -> None:
        if self._trace:
            self._say(at_ms, reed=sensor_name(sensor), closed=bool(closed))

    def _on_counters(self, _at_ms: int, _number: int, **counters: Any) -> None:
        self.counters = counters

    def _on_about(self, at_ms: int, _number: int, firmware: str, micropython: str) -> None:
        if self._trace:
            self._say(at_ms, firmware=firmware, micropython=micropython)

    @property
    def understood(self) -> dict[str, int]:
        """How many turns of the game were certain, asked and corrected."""
        return {name: self.how.count(name) for name in UNDERSTOOD.values()}

    def winner(self) -> int:
        """Return who has won by the rules, or NOBODY."""
        return self.game.winner() if self._started else NOBODY

    def close(self) -> None:
        """Close the game's file; a game in progress can be gone on with."""
        if self.file is not None:
            self.file.close()


def guide_text(code: int) -> str:
    """Return why the table asks for pieces to be moved."""
    return GUIDES[code] if code in GUIDES else reason_text(code)
