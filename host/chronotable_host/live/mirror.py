"""The mirror: the table's game, replayed on the same rules, kept on disk, told as happenings.

Two rules. The table owns the truth: its turns are replayed and compared by digest, and where the
thread is lost the game is fetched from the table's journal. And a turn is on disk before anybody
hears of it.

A happening is a dict that `chronotable table` prints as one JSON line; `t_ms` is table time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chronotable import meanings
from chronotable.happenings import Connected, Message, PeerLost, Refused
from chronotable.health import HEALED
from chronotable.identity import Identity
from chronotable.naming import sensor_name
from chronotable.packed import has_objects, unpack_position
from chronotable.pc_link import CommandLost, Gap, LogLine, refusal
from chronotable.sensors import SENSORS
from chronotable.unpacking import unpack_leds, unpack_sensors
from chronotable_host.archive.files import UNDERSTOOD, GameFile, OutOfStepError, turn_comment
from chronotable_host.live.events import Events
from chronotable_host.live.filing import Filing
from chronotable_host.live.findings import finding_text
from chronotable_host.live.kept import TERMINATIONS, KeptGame, began, begun
from chronotable_host.live.phrases import FAULTS, GUIDES, REFUSALS, rules_problem
from chronotable_host.text import reason_text
from ttykm.game import Game, IllegalTurnError
from ttykm.game import digest as digest_of
from ttykm.layout import NOBODY
from ttykm.notation import PLAYERS, format_position, format_turn
from ttykm.record import RESULTS, Record

if TYPE_CHECKING:
    from chronotable_host.archive.store import Archive

Happening = dict[str, Any]

_UNDERSTOOD = dict(zip("cax", UNDERSTOOD, strict=True))
PHASES = {"s": "set-up", "t": "turn", "p": "provisional", "q": "question", "o": "over"}

_LOG_LINES = 8


class Mirror:
    """What the PC knows of the table's game.

    `game` is the mirror, `leds` what the LEDs say (54 meanings), `choices` the open question,
    `reeds` what each reed told last since events were missed, `doubted` what is wrong with those
    that the table does not trust, as far as it was heard since it was switched on, both by sensor;
    `file` is the game's file, if there is an archive. `tell` hears the happenings. With `resumes` a
    game that the archive has begun already is gone on with; a virtual table that was just switched
    on has no past. With `keeps_events` the raw events of each game are kept beside its record.

    `wants_game` asks for the game that goes on, out of the table's journal, to be given to `adopt`.

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
        self.leds = bytes(54)
        self.phase = ""
        self.choices: list[int] = []
        self.provisional: int | None = None
        self.reeds: dict[int, bool] = {}
        self.doubted: dict[int, str] = {}
        self.counters: dict[str, Any] = {}
        self.how: list[str] = []  # how each turn of the game was understood
        self.needs_resync = False
        self.wants_game = False
        self.about: dict[str, Any] = {}
        self.installed: dict[str, Any] = {}
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
        self._filing = Filing(archive, dict(headers or {}), resumes)
        self._trace = trace
        self._table = ""
        self._boot = 0
        self._started = False  # the mirror knows a game
        self._is_over = False  # the table has said how it ended
        self._is_news = False  # the table has told all that it had: what comes now happens now
        self._is_late = True  # so it was since the line was cut: others may have heard what comes
        self._is_out_of_step = False  # with the file: only the journal can tell
        self._present = 0  # the table's number of its game
        self._heard = ""  # the game whose events were all heard, or said to be lost
        self._before = 0  # turns of the table's game before the start of ours
        self._late = (0, "", 0, 0)  # when the thread was lost: time, packed position, turns, digest
        self._objects = ""  # of the latest snapshot, packed, where its position tells them apart

    @property
    def file(self) -> GameFile | None:
        """The game's file; see `Filing`."""
        return self._filing.file

    @property
    def record(self) -> Record | None:
        """The game's record, also before it has a file."""
        return self._filing.record

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
            self.events.gap(event.first, event.last)
            self.reeds.clear()
            self.needs_resync = True
            self._say(now_ms, gap=[event.first, event.last])
        elif isinstance(event, PeerLost):
            self._say(now_ms, lost="the table has not been heard for three seconds")
        elif isinstance(event, Refused):
            self.refusal = refusal(event.major)
            self._say(now_ms, refused=self.refusal)
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
            self.reeds.clear()
            self.doubted.clear()
            if info.unique_id != self._table:
                self._drop_file()
            self.events.power_on()
            self._heard = ""
        self._table, self._boot = info.unique_id, info.boot
        self.peer = info
        self.board = self._filing.board = info.board_name
        self.refusal = rules_problem(info.rules)
        self.wants_game = False
        self._is_late = True
        self._filing.look_again()
        if is_fresh:
            self._is_news = False

    @property
    def _follows(self) -> bool:
        """Whether the mirror has the table's game as it was at the last event."""
        return self._started and not self.needs_resync

    def _on_game(self, at_ms: int, _number: int, position: str, options: int, game_id: int) -> None:
        try:
            record = begun(unpack_position(position), options, game_id)
        except ValueError:
            self._started, self.needs_resync = False, True
            self._drop_file()
            self.events.end()
            if not has_objects(position):  # those are in the journal, and the game with them
                self._say(at_ms, log=f"a game from a position that is none: {position}")
            return
        self.events.begin(record.start, record.options, at_ms)
        self._heard = f"{self._table}-{game_id:08x}"
        if not self._started and not self._is_news:
            return  # it may be over long since; a snapshot will tell
        self._follow(record)
        self.events.detach()
        self._filing.begin(self._heard, record, is_news=not self._is_late)
        self._keep_events()
        self._say(at_ms, started=format_position(record.start))

    def _follow(self, record: Record, before: int = 0) -> None:
        """Follow a game from where `record` ends; the table had `before` turns at its start."""
        self.choices, self.provisional = [], None
        self.needs_resync = self.wants_game = False
        self._started = True
        self._is_over = record.headers["Result"] != RESULTS[3]
        self._is_out_of_step = False
        self._before = before
        self.how = []
        self.game.start(record.start, record.options)
        for turn in record.turns:
            self.game.apply(turn)

    def _on_turn(
        self, at_ms: int, _number: int, turn_no: int, turn: int, digest: int, understood: str
    ) -> None:
        self.provisional = None
        self.choices = []
        if not self._follows:
            return  # a snapshot will tell
        before = digest_of(self.game.state)
        try:
            if self._is_over or turn_no - self._before != len(self.game.turns) + 1:
                raise IllegalTurnError(self.game, turn)
            self.game.apply(turn)
        except IllegalTurnError:
            self._mismatch(at_ms, turn_no, _turn_text(turn))
            return
        if digest != digest_of(self.game.state):
            self.game.undo()
            self._mismatch(at_ms, turn_no, _turn_text(turn))
            return
        name = _UNDERSTOOD[understood]
        try:
            number = len(self.game.turns)
            self._filing.turn(number, before, turn, turn_comment(at_ms, name))
        except OutOfStepError as error:
            self.game.undo()
            self._lose_step(at_ms, error)
            return
        self._keep_events()
        self.how.append(name)
        self._say(
            at_ms,
            turn=format_turn(turn),
            position=format_position(self.game.state),
            understood=name,
        )

    def _on_taken_back(self, at_ms: int, _number: int, turn_no: int) -> None:
        self.provisional = None
        self.choices = []
        if self._follows and 0 < turn_no - self._before == len(self.game.turns):
            try:
                self._filing.take_back()
            except OutOfStepError as error:
                self._lose_step(at_ms, error)
                return
            turn = self.game.undo()
            self._is_over = False
            self.how.pop()
            self._say(at_ms, taken_back=format_turn(turn))
        else:
            self.needs_resync = True

    def _on_over(self, at_ms: int, _number: int, winner: str, by: str) -> None:
        self.choices, self.provisional = [], None
        if not self._follows:
            return
        who = "wb".find(winner)
        termination = TERMINATIONS.get(by, "")
        if self._is_over or not can_end(self.game.winner(), who, termination):
            self._mismatch(at_ms, len(self.game.turns), f"the end of the game ({winner}{by})")
            return
        try:
            self._filing.finish(RESULTS[who] if who >= 0 else RESULTS[2], termination)
        except OutOfStepError as error:
            self._lose_step(at_ms, error)
            return
        self._keep_events()
        self._is_over = True
        self._end(at_ms, PLAYERS[who] if who >= 0 else "draw", termination, self.how)

    def _end(self, at_ms: int, winner: str, termination: str, how: list[str]) -> None:
        self.ended += 1
        self._say(at_ms, game_over=winner, by=termination, understood=_counts(how))

    def _on_snapshot(
        self,
        at_ms: int,
        _number: int,
        position: str,
        turn_no: int,
        digest: int,
        phase: str,
        game_id: int,
        **_: Any,
    ) -> None:
        self.phase = PHASES.get(phase, phase)
        self._is_news = True  # states come behind all events
        self._is_late = False
        self._present = game_id
        if self._follows:
            return
        self._late = at_ms, position, turn_no, digest
        if (
            self._started
            and not self._is_out_of_step
            and turn_no == self._before + len(self.game.turns)
            and digest == digest_of(self.game.state)
        ):
            self.needs_resync = False
        # a new game will say so when it begins, and the journal keeps one that is over
        self.wants_game = not self._follows and game_id != 0 and self.phase != "over"

    def _on_objects(self, _at_ms: int, _number: int, objects: str) -> None:
        self._objects = objects

    def _join(self, at_ms: int, position: str, turn_no: int, digest: int) -> None:
        """What came before was not heard: go on from here, in a record of its own.

        Position and objects travel apart: the digest tells whether they are of one turn.
        """
        try:
            state = unpack_position(position, self._objects)
        except ValueError:
            return
        if digest_of(state) != digest:
            return
        record = Record(state, self.game.options if self._started else 0)
        self.events.join(state, record.options, at_ms)
        self._follow(record, turn_no)
        source = f"{self._table}-{self._boot:04x}-at-{turn_no:04x}"
        self._filing.begin(source, record)
        self._keep_events()
        self._say(at_ms, joined=format_position(state))

    # ---- the table's journal

    @property
    def keeps_games(self) -> bool:
        """Whether the table's games have an archive, and which one goes on is known."""
        return self._archive is not None and self._is_news

    def adopt(self, kept: KeptGame | None, at_ms: int) -> None:
        """Go on with the table's game as its journal has it; None if it keeps none.

        Raises OSError where it cannot be written.
        """
        if kept is None:
            self.wants_game = False
            self._join(*self._late)
            return
        source = self._source_of(kept)
        record = kept.record
        self._follow(record)
        self.how = list(kept.how)
        self._filing.go_on(source, kept)
        if source == self._heard:
            self._keep_events()
        elif self.file is not None:
            self.events.resume(self.file.path, record.start, record.options)
            self.events.miss()
        else:
            self.events.join(record.start, record.options, at_ms)
            self._keep_events()
        position = format_position(self.game.state)
        if record.turns:
            self._say(at_ms, joined=position)
        else:
            self._say(at_ms, started=position)

    def store(self, kept: KeptGame, at_ms: int) -> None:
        """Have a game in the archive that the table has kept.

        Raises OSError where it cannot be written.
        """
        if self._archive is None:
            return
        source = self._source_of(kept)
        record = kept.record
        stored = self._filing.store(source, kept, began(kept, self._boot, at_ms))
        if stored.is_new:
            self._say(
                at_ms,
                fetched={
                    "game": stored.file.id,
                    "turns": len(record.turns),
                    "result": record.headers["Result"],
                },
            )
        elif stored.has_ended:
            who = RESULTS.index(record.headers["Result"])
            self._end(at_ms, (*PLAYERS, "draw")[who], record.headers["Termination"], kept.how)
        if stored.file is not self.file:
            stored.file.close()
        if kept.game_id == self._present:
            self._follow(record)  # its players may take the last turn back
            self.how = list(kept.how)
            self._filing.go_on(source, kept)

    def name_players(self, white: str, black: str) -> None:
        """Say who plays the games that begin from now on; "" for nobody known."""
        for name, value in (("White", white), ("Black", black)):
            self._filing.headers.pop(name, None)
            if value:
                self._filing.headers[name] = value

    def complain(self, sentence: str, at_ms: int) -> None:
        """Say what is wrong with what the table has kept, or with what is kept here."""
        self._say(at_ms, log=sentence)

    def _source_of(self, kept: KeptGame) -> str:
        return f"{self._table}-{kept.game_id:08x}"

    def _mismatch(self, at_ms: int, turn_no: int, turn: str) -> None:
        self.needs_resync = True
        self._say(
            at_ms,
            mismatch={"turn_no": turn_no, "turn": turn, "mirror": format_position(self.game.state)},
        )

    # ---- the game's file

    def _lose_step(self, at_ms: int, error: OutOfStepError) -> None:
        """The file is not of the game as we know it: the table's journal has to tell."""
        self.needs_resync = self._is_out_of_step = True
        self._say(at_ms, notice=f"{error}; the game is asked for again, nothing is lost")

    def _keep_events(self) -> None:
        """Keep the raw events beside the game's file, or where that will be."""
        if self._filing.path is not None:
            self.events.beside(self._filing.path)

    def _drop_file(self) -> None:
        self._filing.leave()
        self.events.detach()

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
        self.choices = []  # a question that waits behind the guide is asked again
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
        what = FAULTS.get(kind, kind)
        if self.doubted.get(sensor) == what:
            return  # a table tells its doubts again whenever a session begins
        if kind == HEALED:
            self.doubted.pop(sensor, None)
        elif sensor < SENSORS:
            self.doubted[sensor] = what
        self._say(at_ms, fault={"space": _sensor_text(sensor), "kind": what})

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
        if sensor < SENSORS:
            self.reeds[sensor] = bool(closed)
        self.events.edge(sensor, bool(closed), at_ms)
        if self._trace:
            self._say(at_ms, reed=_sensor_text(sensor), closed=bool(closed))

    def _on_journal(self, at_ms: int, _number: int, full: int, **_: int) -> None:
        if full:
            self._say(
                at_ms,
                notice="the table has no room to keep another game: nothing is lost with a PC",
            )

    def _on_failure(self, at_ms: int, _number: int, boots: int, reason: str) -> None:
        again = f" (starts that failed in a row: {boots})" if boots else ""
        self._say(at_ms, notice=f"the table's firmware failed before: {reason}{again}")

    def _on_finding(self, at_ms: int, _number: int, kind: int, sensor: int, other: int) -> None:
        """What the table's doctor could tell only after the start that it led to."""
        self._say(at_ms, notice=finding_text(kind, sensor, other))

    def _on_unsupported(self, at_ms: int, _number: int, letter: str) -> None:
        self._say(
            at_ms,
            notice=f"the table does not know the message '{letter}': update the firmware with"
            " `chronotable flash`",
        )

    def _on_counters(self, _at_ms: int, _number: int, **counters: Any) -> None:
        self.counters = counters

    def _on_about(self, at_ms: int, _number: int, firmware: str, micropython: str) -> None:
        self.about = {"firmware": firmware, "micropython": micropython}
        if self._trace:
            self._say(at_ms, firmware=firmware, micropython=micropython)

    def _on_installed(self, at_ms: int, _number: int, build: int, slot: str, trial: int) -> None:
        self.installed = {"build": f"{build:08x}", "slot": slot, "trial": bool(trial)}
        if self._trace:
            self._say(at_ms, installed=self.installed)

    @property
    def understood(self) -> dict[str, int]:
        """How many turns of the game were certain, asked and corrected."""
        return _counts(self.how)

    def winner(self) -> int:
        """Return who has won by the rules, or NOBODY."""
        return self.game.winner() if self._started else NOBODY

    def close(self) -> None:
        """Close the game's files; a game in progress can be gone on with."""
        self.events.close()
        self._filing.close()


def can_end(won: int, who: int, termination: str) -> bool:
    """Tell whether a game that `won` has won by the rules, or NOBODY, can end like this."""
    if won != NOBODY:
        return termination == "normal" and who == won
    return termination == ("resigned" if who >= 0 else "agreed")


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


def _counts(how: list[str]) -> dict[str, int]:
    return {name: how.count(name) for name in UNDERSTOOD}
