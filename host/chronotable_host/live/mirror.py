"""The mirror: the table's game, replayed on the same rules, kept on disk, told as happenings.

Three rules. The table owns the truth: its turns are replayed and compared by digest, and where the
two differ the table is asked what it has. A turn is on disk before anybody hears of it. And what is
on disk is not overwritten: a table tells a PC that it does not know all that it still has, so a
file which has the game already stays as it is until the game has come to where the file ends.

A happening is a dict that `chronotable table` prints as one JSON line; `t_ms` is table time.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chronotable import meanings
from chronotable.link import (
    CommandLost,
    Connected,
    Gap,
    Identity,
    LogLine,
    Message,
    PeerLost,
    Refused,
)
from chronotable.messages import unpack_leds
from chronotable.packed import unpack_position, unpack_sensors
from chronotable.sensors import sensor_name
from chronotable_host.archive.files import UNDERSTOOD, how_understood, turn_comment
from chronotable_host.live.events import Events
from chronotable_host.live.phrases import FAULTS, GUIDES, REFUSALS
from chronotable_host.text import reason_text
from ttykm.game import RULES_VERSION, Game, IllegalTurnError
from ttykm.game import digest as digest_of
from ttykm.layout import NOBODY
from ttykm.notation import PLAYERS, format_position, format_turn
from ttykm.record import RESULTS, Record

if TYPE_CHECKING:
    from chronotable_host.archive.files import GameFile
    from chronotable_host.archive.store import Archive

Happening = dict[str, Any]

_UNDERSTOOD = dict(zip("cax", UNDERSTOOD, strict=True))
TERMINATIONS = {"n": "normal", "r": "resigned", "a": "agreed"}
PHASES = {"s": "set-up", "t": "turn", "p": "provisional", "q": "question", "o": "over"}

SOURCE = "Source"
"""Header of a record that says which game of which table it is, so that it is kept once."""
TABLE = "Table"
"""Header of a record that says which table has the game, since it was last switched on."""

_JOINED = "-at-"
_LOG_LINES = 8


class Mirror:
    """What the PC knows of the table's game.

    `game` is the mirror, `leds` what the LEDs say (54 meanings), `choices` the open question,
    `file` the game's file, if there is an archive. `tell` hears the happenings. With `resumes` a
    game that the archive has begun already is gone on with; a virtual table that was just switched
    on has no past. With `keeps_events` the raw events of each game are kept beside its record.

    `peer` is who the table says it is, `refusal` why it cannot be mirrored, "" where it can, `logs`
    the last lines of it that were no frames, `event_ms` the table time of its last event; `ended`
    counts the games whose end was news to the archive.
    """

    def __init__(
        self,
        tell: Callable[[Happening], None],
        archive: Archive | None = None,
        headers: dict[str, str] | None = None,
        trace: bool = False,
        resumes: bool = False,
        keeps_events: bool = False,
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
        self.peer: Identity | None = None
        self.refusal = ""
        self.logs: deque[str] = deque(maxlen=_LOG_LINES)
        self.event_ms: int | None = None
        self.clock_ms = 0  # when the table was switched on, where its times are to follow others
        self.ended = 0
        self.events = Events(keeps_events)
        self._tell = tell
        self._archive = archive
        self._headers = headers or {}
        self._trace = trace
        self._resumes = resumes
        self._table = ""
        self._boot = 0
        self._started = False  # the mirror follows a game
        self._is_news = False  # the table has told all that it had: what comes now happens now
        self._in_step = True  # the file has the turns of the game
        self._start = Record()  # position and options that the game began with
        self._source = ""
        self._before = 0  # turns of the table's game before the start of ours
        self._comments: list[str] = []  # as the file has them
        self._note = ""  # for the comment of the first turn
        self._is_exact = True  # the comments are known to be complete
        self._over: tuple[str, str] | None = None  # result and termination that are not on disk

    def hear(self, event: object, now_ms: int) -> None:
        """Take one event of the link; `now_ms` is the table time where the event has none.

        Raises OSError where a turn cannot be written.
        """
        if isinstance(event, Message):
            if self.refusal:
                return
            fields: dict[str, Any] = dict(event.values)
            self.event_ms = fields.get("time_ms", self.event_ms)
            at_ms = fields.pop("time_ms", now_ms - self.clock_ms) + self.clock_ms
            number = fields.pop("number", 0)
            handler = getattr(self, "_on_" + event.name, None)
            if handler is not None:
                handler(at_ms, number, **fields)
        elif isinstance(event, Connected):
            self._meet(event.info, event.fresh)
            self._say(now_ms, connected=event.info.board_name)
            if self.refusal:
                self._say(now_ms, refused=self.refusal)
        elif isinstance(event, Gap):
            if not self._started:
                self._pick_up()
            self.events.gap(event.first, event.last)
            self.needs_resync = True
            self._say(now_ms, gap=[event.first, event.last])
        elif isinstance(event, PeerLost):
            self._say(now_ms, lost="the table has not been heard for three seconds")
        elif isinstance(event, Refused):
            self.refusal = event.sentence
            self._say(now_ms, refused=event.sentence)
        elif isinstance(event, LogLine):
            self.logs.append(event.text)
            self._say(now_ms, log=event.text)
        elif isinstance(event, CommandLost):
            self._say(now_ms, refused=f"the table restarted before it took '{event.name}'")

    def _say(self, at_ms: int, **what: Any) -> None:
        self._tell({"t_ms": at_ms, **what})

    # ---- the course of a game

    def _meet(self, info: Identity, is_fresh: bool) -> None:
        """Take note of who the table is; one that was switched on anew has no game of ours."""
        if (info.unique_id, info.boot) != (self._table, self._boot):
            self._started = self.needs_resync = False
            self.choices, self.provisional = [], None
            self._drop_file()
            self.events.power_on()
        self._table, self._boot = info.unique_id, info.boot
        self.peer = info
        self.board = info.board_name
        self.refusal = _rules_problem(info.rules)
        if is_fresh:
            self._is_news = False

    def _on_game(self, at_ms: int, _number: int, position: str, options: int, game_id: int) -> None:
        try:
            state = unpack_position(position)
        except ValueError:
            self._started, self.needs_resync = False, True
            self._drop_file()
            self.events.end()
            self._say(at_ms, log=f"a game from a position that is none: {position}")
            return
        self.events.begin(state, options, at_ms)
        self._begin(state, options, f"{self._table}-{game_id:08x}", 0)
        self._say(at_ms, started=format_position(state))

    def _begin(self, state: array[int], options: int, source: str, before: int) -> None:
        """Follow a game from `state` on, which the table had after `before` turns."""
        self.needs_resync = False
        self.choices, self.provisional = [], None
        self._follow(Record(state, options), source, before)
        if self._archive is None:
            return
        known = None
        if self._resumes and not self._is_news:
            known = self._archive.resume(SOURCE, source)
        if known is None or not _begins_alike(known.record, self._start):
            self._new_file()
        else:
            self.file = known
            self._compare()

    def _follow(self, start: Record, source: str, before: int) -> None:
        self._drop_file()
        self._started = True
        self._start = start
        self._source = source
        self._before = before
        self._over = None
        self.how, self._comments = [], []
        self._note = ""
        self._is_exact = True
        self.game.start(start.start, start.options)

    def _pick_up(self) -> None:
        """The beginning of the table's game is gone for good: see what an earlier PC has of it."""
        if self._archive is None or not self._resumes:
            return
        file = self._archive.resume(TABLE, self._boot_name())
        if file is None or file.record.headers["Result"] != "*":
            return
        record = file.record
        source = record.headers.get(SOURCE, "")
        before = source.partition(_JOINED)[2]
        self._follow(Record(record.start, record.options), source, int(before or "0", 16))
        for turn, comment in zip(record.turns, record.comments, strict=True):
            self.game.apply(turn)
            self.how.append(how_understood(comment) or UNDERSTOOD[0])
            self._comments.append(comment)
        self.file = file
        self.events.resume(file.path, record.start, record.options)

    def _on_turn(
        self, at_ms: int, _number: int, turn_no: int, turn: int, digest: int, understood: str
    ) -> None:
        place = turn_no - self._before
        if not self._started or (self.needs_resync and not self._leads_on(place, turn, digest)):
            return  # a snapshot will tell
        self.provisional = None
        self.choices = []
        try:
            if place != len(self.game.turns) + 1:
                raise IllegalTurnError(0)
            self.game.apply(turn)
        except IllegalTurnError:
            self._mismatch(at_ms, turn_no, _turn_text(turn))
            return
        if digest != digest_of(self.game.state):
            self.game.undo()
            self._mismatch(at_ms, turn_no, _turn_text(turn))
            return
        name = _UNDERSTOOD[understood]
        self.how.append(name)
        self._keep(turn, turn_comment(at_ms, name))
        self._say(
            at_ms,
            turn=format_turn(turn),
            position=format_position(self.game.state),
            understood=name,
        )

    def _leads_on(self, place: int, turn: int, digest: int) -> bool:
        """Tell whether, after a gap, a turn leads on from what is known before its place.

        Where it does, the game stands at that place.
        """
        game = self.game
        if not 0 < place <= len(game.turns) + 1:
            return False
        undone = []
        while len(game.turns) >= place:
            undone.append(game.undo())
        after = array("H", game.state)
        if game.winner() == NOBODY and game.after(turn, after) and digest == digest_of(after):
            del self.how[place - 1 :], self._comments[place - 1 :]
            self.needs_resync = False
            if undone:
                self._is_exact = False
                self._compare()
            return True
        while undone:
            game.apply(undone.pop())
        return False

    def _on_taken_back(self, at_ms: int, _number: int, turn_no: int) -> None:
        self.provisional = None
        self.choices = []
        place = turn_no - self._before
        if self._started and not self.needs_resync and 0 < place == len(self.game.turns):
            turn = self.game.undo()
            self.how.pop()
            self._keep_back(turn)
            self._over = None
            self._say(at_ms, taken_back=format_turn(turn))
        else:
            self.needs_resync = True

    def _on_over(self, at_ms: int, _number: int, winner: str, by: str) -> None:
        self.choices, self.provisional = [], None
        termination = TERMINATIONS.get(by, "normal")
        who = "wb".find(winner)
        self._over = RESULTS[who] if who >= 0 else RESULTS[2], termination
        if self._started and not self.needs_resync:
            if not self._in_step:
                self._compare()
            if self._in_step:
                self._finish()
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
        self._is_news = True  # states come behind all events
        if not self._started or self.needs_resync:
            if (
                self._started
                and turn_no == self._before + len(self.game.turns)
                and digest == digest_of(self.game.state)
            ):
                self.needs_resync = False
                if self._in_step:
                    self._finish()
            elif self.phase in ("set-up", "over") or not self._join(at_ms, position, turn_no):
                return
        if not self._in_step:
            # the game never came to where the file ends, so the file is not of this game
            self._new_file()
            self._finish()

    def _join(self, at_ms: int, position: str, turn_no: int) -> bool:
        """What came before was not heard: go on from here, in a record of its own."""
        try:
            state = unpack_position(position)
        except ValueError:
            return False
        options = self.game.options if self._started else 0
        self.events.join(state, options, at_ms)
        self._begin(state, options, f"{self._boot_name()}{_JOINED}{turn_no:04x}", turn_no)
        self._say(at_ms, joined=format_position(self.game.state))
        return True

    def _mismatch(self, at_ms: int, turn_no: int, turn: str) -> None:
        self.needs_resync = True
        self._say(
            at_ms,
            mismatch={"turn_no": turn_no, "turn": turn, "mirror": format_position(self.game.state)},
        )

    # ---- the game's file

    def _new_file(self) -> None:
        """Begin a file with the game so far."""
        if self._archive is None:
            return
        self._drop_file()
        record = Record(self._start.start, self._start.options)
        record.headers.update(self._headers)
        record.headers["Board"] = self.board
        record.headers[SOURCE] = self._source
        record.headers[TABLE] = self._boot_name()
        for turn, comment in zip(self.game.turns, self._comments, strict=True):
            record.add(turn, comment)
        self.file = self._archive.new_game(record)
        self.events.beside(self.file.path)

    def _keep(self, turn: int, comment: str) -> None:
        """Have a turn on disk; a file that is ahead of the game has it already."""
        self._comments.append(_joined(self._note, comment))
        self._note = ""
        if not self._in_step:
            self._compare()
        elif self.file is not None:
            self.file.append(turn, comment)

    def _keep_back(self, turn: int) -> None:
        """Have it on disk that a turn was taken back."""
        self._comments.pop()
        note = f"took back {format_turn(turn)}"
        if self._comments:
            self._comments[-1] = _joined(self._comments[-1], note)
        else:
            self._note = _joined(self._note, note)
        if not self._in_step:
            self._compare()
        elif self.file is not None:
            self.file.take_back()

    def _compare(self) -> None:
        """See whether the game has come to where the file ends; then it is the file's game."""
        self._in_step = self._is_in_step()
        if self._in_step and self.file is not None:
            self.events.beside(self.file.path)

    def _is_in_step(self) -> bool:
        """Tell whether the game has come to where the file ends: turns, and how they came to be."""
        if self.file is None:
            return True
        record = self.file.record
        end = record.headers["Result"], record.headers["Termination"]
        if end not in (("*", "abandoned"), self._over):
            return False
        is_same = not self._is_exact or record.comments == self._comments
        return is_same and record.turns == list(self.game.turns)

    def _finish(self) -> None:
        """Have the end of the game on disk, if it is over."""
        if self._over is None:
            return
        result, termination = self._over
        self._over = None
        if self.file is not None:
            headers = self.file.record.headers
            if (headers["Result"], headers["Termination"]) == (result, termination):
                return
            self.file.finish(result, termination)
        self.ended += 1

    def _boot_name(self) -> str:
        return f"{self._table}-{self._boot:04x}"

    def _drop_file(self) -> None:
        self.close()
        self.events.detach()
        self.file = None
        self._in_step = True

    # ---- what happens on the way

    def _on_provisional(self, at_ms: int, _number: int, turn: int) -> None:
        self.provisional = turn
        self.choices = []
        self._say(at_ms, provisional=_turn_text(turn))

    def _on_reopened(self, at_ms: int, _number: int) -> None:
        self.provisional = None
        self._say(at_ms, reopened=True)

    def _on_question(self, at_ms: int, _number: int, **turns: int | None) -> None:
        self.choices = [turn for turn in turns.values() if turn is not None]
        self._say(
            at_ms,
            ask={name: _turn_text(turn) for name, turn in turns.items() if turn is not None},
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
        self.events.fault(sensor, kind, self.game.state, at_ms)
        self._say(at_ms, fault={"space": _sensor_text(sensor), "kind": FAULTS.get(kind, kind)})

    def _on_refused(self, at_ms: int, _number: int, why: int) -> None:
        self._say(at_ms, refused=REFUSALS.get(why, f"the table refused that (code {why})"))

    def _on_leds(self, at_ms: int, _number: int, leds: str) -> None:
        self.leds = bytes(
            meaning if meaning < len(meanings.NAMES) else meanings.OFF
            for meaning in unpack_leds(leds)
        )
        self._say(
            at_ms,
            leds={
                sensor_name(sensor): meanings.NAMES[meaning]
                for sensor, meaning in enumerate(self.leds)
                if meaning
            },
        )

    def _on_edge(self, at_ms: int, _number: int, sensor: int, closed: int) -> None:
        self.events.edge(sensor, bool(closed), at_ms)
        if self._trace:
            self._say(at_ms, reed=_sensor_text(sensor), closed=bool(closed))

    def _on_counters(self, _at_ms: int, _number: int, **counters: Any) -> None:
        self.counters = counters

    def _on_about(self, at_ms: int, _number: int, firmware: str, micropython: str) -> None:
        if self._trace:
            self._say(at_ms, firmware=firmware, micropython=micropython)

    @property
    def understood(self) -> dict[str, int]:
        """How many turns of the game were certain, asked and corrected."""
        return {name: self.how.count(name) for name in UNDERSTOOD}

    def winner(self) -> int:
        """Return who has won by the rules, or NOBODY."""
        return self.game.winner() if self._started else NOBODY

    def close(self) -> None:
        """Close the game's files; a game in progress can be gone on with."""
        self.events.close()
        if self.file is not None:
            self.file.close()


def guide_text(code: int) -> str:
    """Return why the table asks for pieces to be moved."""
    try:
        return GUIDES[code] if code in GUIDES else reason_text(code)
    except LookupError:
        return _unknown(code)


# A newer firmware may say what is not known here.


def _unknown(code: int) -> str:
    return f"(code {code})"


def _sensor_text(sensor: int) -> str:
    try:
        return sensor_name(sensor)
    except ValueError:
        return _unknown(sensor)


def _turn_text(turn: int) -> str:
    try:
        return format_turn(turn)
    except LookupError:
        return _unknown(turn)


def _begins_alike(one: Record, other: Record) -> bool:
    return one.start == other.start and one.options == other.options


def _joined(first: str, second: str) -> str:
    return f"{first}; {second}" if first else second


def _rules_problem(version: int) -> str:
    """Return why a table with this version of the rules cannot be mirrored, "" where it can."""
    if version == RULES_VERSION:
        return ""
    remedy = "update chronotable on the PC"
    if version < RULES_VERSION:
        remedy = "update the firmware with `chronotable flash`"
    return (
        f"The table plays by version {version} of the rules, the PC by version {RULES_VERSION}: "
        f"{remedy}."
    )
