"""The mirror: the table's game, replayed on the same rules, written to disk, told as happenings.

Two rules. The table decides what was played: its turns are replayed here, positions are compared by
digest, and where they differ or something was not received, the game is fetched from the table's
journal. And a turn is on disk before anybody is told of it.

Three share the work: the mirror follows the game, the recorder (recorder.py) writes it, and what
the table is like is noted in table_state.py.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable.hardware.naming import sensor_name
from chronotable.lights import meanings, sounds
from chronotable.link.happenings import Connected, Message, PeerLost, Refused
from chronotable.link.identity import Identity
from chronotable.link.packed import has_objects
from chronotable.link.unpacked import unpack_position
from chronotable.player.seats import ELSEWHERE
from chronotable_host.archive.comments import UNDERSTOOD, turn_comment
from chronotable_host.archive.files import GameFile, OutOfStepError
from chronotable_host.language import tr
from chronotable_host.learning.course import is_taught
from chronotable_host.link.pc_link import CommandLost, LogLine, LostEvents
from chronotable_host.link.unpacking import unpack_sensors
from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening
from chronotable_host.live.journal_game import TERMINATIONS, JournalGame, new_record, start_date
from chronotable_host.live.recorder import Recorder
from chronotable_host.live.table_state import TableState
from chronotable_host.live.texts.finding_texts import finding_text
from chronotable_host.live.texts.table_texts import (
    REFUSALS,
    guide_text,
    link_problem,
    own_name,
    turn_text,
    who_plays,
)
from chronotable_host.rules.notation import PLAYER_NAMES, PLAYERS, format_position, format_turn
from chronotable_host.rules.record import RESULTS, Record
from ttykm.game import Game, IllegalTurnError
from ttykm.game import digest as digest_of
from ttykm.layout import NOBODY

if TYPE_CHECKING:
    from array import array

    from chronotable_host.archive.store import Archive

_TOLD_AGAIN = frozenset(("want", "surface"))
"""Commands that are repeated until the table is as they say (table_seats.py, surface.py)."""

_ASKING = frozenset((meanings.QUESTION, meanings.QUESTION_B, meanings.QUESTION_C))

_UNDERSTOOD = dict(zip("cax", UNDERSTOOD, strict=True))


class _Snapshot(NamedTuple):
    """How the table's game is, as it said at a time; the position is packed."""

    at_ms: int = 0
    position: str = ""
    turn_no: int = 0
    digest: int = 0


class Mirror:
    """What the PC knows of the table's game.

    `game` is the game replayed, `how` says of each of its turns how the table understood it (one of
    UNDERSTOOD), `provisional` is the turn that may be reopened, `choices` are the turns of the open
    question. `table` has what the table says of itself, `recorder` writes the game. `tell` is
    called with each happening; headers, `resumes` and `records_events` go to the recorder, `trace`
    to `table`.

    `needs_resync` says that a snapshot is needed, `wants_game` that the game in progress has to be
    fetched from the table's journal and given to `adopt`. `ended` counts the games whose end was
    told, `source` tells the game that is followed from all others, of any table.

    `elsewhere` is asked of each game, by its source, whether somebody else keeps it, who returns
    the turns that came before where it began: those are played here in front of the table's own.
    """

    def __init__(
        self,
        tell: Callable[[Happening], None],
        archive: "Archive | None" = None,
        headers: dict[str, str] | None = None,
        trace: bool = False,
        resumes: bool = False,
        records_events: bool = False,
    ) -> None:
        self.game = Game()
        self.choices: list[int] = []
        self.provisional: int | None = None
        # how often the table asked which turn it was or said what is wrong, and that by its sound
        self.sounded = (0, "")
        self.how: list[str] = []
        self.needs_resync = False
        self.wants_game = False
        self.ended = 0
        self.source = ""
        self.elsewhere: Callable[[str, Record], Record | None] = lambda *_: None
        self.table = TableState(tell, trace)
        self.recorder = Recorder(archive, dict(headers or {}), resumes, records_events)
        self._tell = tell
        self._started = False  # the mirror knows a game
        self._is_over = False  # the table has said how it ended
        # a snapshot has come, and so all stored events: the next ones happen now
        self._is_news = False
        # no snapshot since the line was cut: other programs may have received what comes now
        self._is_late = True
        # the record file holds another game: the journal has to be fetched
        self._is_out_of_step = False
        self._game_id = 0  # the table's number of the game in progress
        # the source of the game of which every event was received, or reported lost
        self._heard_source = ""
        self._turns_before = 0  # turns that the table had played when we joined its game
        self._snapshot = _Snapshot()  # the latest
        self._objects = ""  # those of the latest snapshot, packed
        self._own_levels = [0, 0]  # how the table itself plays, as it was told last
        self._hears: dict[str, Callable[..., None]] = {
            "game": self._on_game,
            "turn": self._on_turn,
            "taken_back": self._on_taken_back,
            "over": self._on_over,
            "snapshot": self._on_snapshot,
            "objects": self._on_objects,
            "provisional": self._on_provisional,
            "reopened": self._on_reopened,
            "question": self._on_question,
            "leds": self._on_leds,
            "guide": self._on_guide,
            "refused": self._on_refused,
            "journal": self._on_journal,
            "seats": self._on_seats,
            "failure": self._on_failure,
            "finding": self._on_finding,
            "unsupported": self._on_unsupported,
        }

    @property
    def file(self) -> GameFile | None:
        """The game's file, None where it has none (yet)."""
        return self.recorder.filing.file

    @property
    def record(self) -> Record | None:
        """The game's record, also before it has a file."""
        return self.recorder.filing.record

    def hear(self, event: object, now_ms: int) -> None:
        """Take one event of the link; `now_ms` is the table time where the event has none.

        Raises OSError where a turn cannot be written.
        """
        table = self.table
        if isinstance(event, Message):
            if not table.refusal:
                self._hear_message(event, now_ms)
        elif isinstance(event, Connected):
            self._meet(event.info, event.fresh)
            self._tell(happenings.Connected(now_ms, event.info.board_name))
            if table.refusal:
                self._tell(happenings.Refused(now_ms, table.refusal))
        elif isinstance(event, LostEvents):
            self.recorder.on_gap(event.first, event.last)
            table.reeds.clear()
            self.needs_resync = True
            self._tell(happenings.Gap(now_ms, [event.first, event.last]))
        elif isinstance(event, PeerLost):
            self._tell(
                happenings.Lost(now_ms, tr("the table has not been heard for three seconds"))
            )
        elif isinstance(event, Refused):
            table.refusal = link_problem(event.major)
            self._tell(happenings.Refused(now_ms, table.refusal))
        elif isinstance(event, LogLine):
            table.logs.append(event.text)
            self._tell(happenings.Log(now_ms, event.text))
        elif isinstance(event, CommandLost) and event.name not in _TOLD_AGAIN:
            lost = tr("the table restarted before it took '{command}'", command=event.name)
            self._tell(happenings.Refused(now_ms, lost))

    def _hear_message(self, message: Message, now_ms: int) -> None:
        """Have the recorder, the table's state and the mirror take a message, in this order."""
        fields: dict[str, Any] = dict(message.values)
        at_ms = self.table.at_ms(fields, now_ms)
        fields.pop("number", None)
        if message.name == "edge":
            self.recorder.on_edge(fields["sensor"], bool(fields["closed"]), at_ms)
        elif message.name == "fault":
            self.recorder.on_fault(fields["sensor"], fields["kind"], self.game.state, at_ms)
        for hears in (self.table.hears, self._hears):
            if message.name in hears:
                hears[message.name](at_ms, **fields)

    # ---- the course of a game

    def _meet(self, info: Identity, is_fresh: bool) -> None:
        """Take note of who the table is; one that was switched on anew has no game of ours."""
        is_other = info.unique_id != self.table.id
        is_new = self.table.meet(info)
        if is_new:
            self._started = self.needs_resync = False
            self.choices, self.provisional = [], None
            self._heard_source = ""
        self.recorder.meet(info.board_name, is_new, is_other)
        self.wants_game = False
        self._is_late = True
        if is_fresh:
            self._is_news = False

    @property
    def _follows(self) -> bool:
        """Whether the mirror has the table's game as it was at the last event."""
        return self._started and not self.needs_resync

    @property
    def has_game(self) -> bool:
        """Whether the table plays the game that is followed here; else one is to be set up."""
        return self._started and self._game_id != 0

    @property
    def is_known(self) -> bool:
        """Whether the table has said how it is since it was met, and nothing is asked for anew."""
        is_asked = self._is_late or self.needs_resync or self.wants_game
        return bool(self.table.phase) and not is_asked

    @property
    def is_over(self) -> bool:
        """Whether the table has said how the game ended."""
        return self._is_over

    @property
    def is_in_step(self) -> bool:
        """Whether the mirror has the table's game as it is, with no turn that may be reopened."""
        return self._follows and self.provisional is None and not self.choices

    @property
    def is_in_game(self) -> bool:
        """Whether a game goes on at the table that has turns, final or not."""
        has_turns = bool(self.game.turns) or self.provisional is not None
        return self._started and self._game_id != 0 and has_turns and not self._is_over

    @property
    def is_taught(self) -> bool:
        """Whether the game is one of a lesson or a puzzle, which is kept nowhere."""
        words = len(self.game.state)
        return is_taught((self.game.past or self.game.state)[:words])

    @property
    def is_played(self) -> bool:
        """Whether the game is played, and not tried out in a lesson or an analysis."""
        return self.recorder.filing.is_game and not self.is_taught

    @property
    def turns_of_table(self) -> int:
        """How many turns the table has played in this game."""
        return self._turns_before + len(self.game.turns)

    def _on_game(self, at_ms: int, position: str, options: int, game_id: int) -> None:
        try:
            record = new_record(unpack_position(position), options, game_id)
        except ValueError:
            self._started, self.needs_resync = False, True
            self.recorder.lose()
            if not has_objects(position):  # those are in the journal, and the game with them
                self._notice(
                    at_ms,
                    tr(
                        "the table began a game from what is no position: {position}",
                        position=position,
                    ),
                )
            return
        self.recorder.hear_of(record, at_ms)
        self._heard_source = f"{self.table.id}-{game_id:08x}"
        if not self._started and not self._is_news:
            return  # an old event: it may be over long since; the snapshot behind it will say
        self._follow(self._heard_source, record)
        self.recorder.begin(self._heard_source, record, is_news=not self._is_late)
        self._tell(happenings.Started(at_ms, format_position(record.start)))

    def _follow(self, source: str, record: Record, before: int = 0) -> None:
        """Follow a game from where `record` ends; the table had `before` turns at its start."""
        earlier = self._kept_elsewhere(source, record)
        first, played = (record, 0) if earlier is None else (earlier, len(earlier.turns))
        self.source = source
        self.choices, self.provisional = [], None
        self.needs_resync = self.wants_game = False
        self._started = True
        self._is_over = record.headers["Result"] != RESULTS[3]
        self._is_out_of_step = False
        self._turns_before = before - played
        self.how = [UNDERSTOOD[0]] * played
        self.game.start(first.start, record.options)
        for turn in [*first.turns[:played], *record.turns]:
            self.game.apply(turn)

    def _kept_elsewhere(self, source: str, record: Record) -> Record | None:
        """Return what came before a game that somebody else keeps, None where it is ours."""
        earlier = self.elsewhere(source, record)
        if earlier is not None:
            self.recorder.filing.leave_out(source)
        return earlier

    def _on_turn(self, at_ms: int, turn_no: int, turn: int, digest: int, understood: str) -> None:
        self.provisional = None
        self.choices = []
        if not self._follows:
            return  # the snapshot that was asked for says what counts
        before = digest_of(self.game.state)
        try:
            if self._is_over or turn_no - self._turns_before != len(self.game.turns) + 1:
                raise IllegalTurnError(self.game, turn)
            self.game.apply(turn)
        except IllegalTurnError:
            self._mismatch(at_ms, turn_no, turn_text(turn))
            return
        if digest != digest_of(self.game.state):
            self.game.undo()
            self._mismatch(at_ms, turn_no, turn_text(turn))
            return
        name = _UNDERSTOOD[understood]
        try:
            number = len(self.game.turns)
            self.recorder.turn(number, before, turn, turn_comment(at_ms, name))
        except OutOfStepError as error:
            self.game.undo()
            self._lose_step(at_ms, error)
            return
        self.how.append(name)
        position = format_position(self.game.state)
        self._tell(happenings.Turn(at_ms, format_turn(turn), position, name))

    def _on_taken_back(self, at_ms: int, turn_no: int) -> None:
        self.provisional = None
        self.choices = []
        if self._follows and 0 < turn_no - self._turns_before == len(self.game.turns):
            try:
                self.recorder.filing.take_back()
            except OutOfStepError as error:
                self._lose_step(at_ms, error)
                return
            turn = self.game.undo()
            self._is_over = False
            self.how.pop()
            self._tell(happenings.TakenBack(at_ms, format_turn(turn)))
        else:
            self.needs_resync = True

    def _on_over(self, at_ms: int, winner: str, by: str) -> None:
        self.choices, self.provisional = [], None
        if not self._follows:
            return
        who = "wb".find(winner)
        termination = TERMINATIONS.get(by, "")
        if self._is_over or not can_end(self.game.winner(), who, termination):
            end = tr("the end of the game ({code})", code=winner + by)
            self._mismatch(at_ms, len(self.game.turns), end)
            return
        try:
            self.recorder.finish(RESULTS[who] if who >= 0 else RESULTS[2], termination)
        except OutOfStepError as error:
            self._lose_step(at_ms, error)
            return
        self._is_over = True
        self._end(at_ms, PLAYERS[who] if who >= 0 else "draw", termination, self.how)

    def _end(self, at_ms: int, winner: str, termination: str, how: list[str]) -> None:
        self.ended += 1
        self._tell(happenings.GameOver(at_ms, winner, termination, _counts(how)))

    def _on_snapshot(
        self, at_ms: int, position: str, turn_no: int, digest: int, game_id: int, **_: Any
    ) -> None:
        self._is_news = True  # the table sends states after all events
        self._is_late = False
        self._game_id = game_id
        if self.table.phase != "question":
            self.choices = []  # none of them was meant, as somebody said
        self._snapshot = _Snapshot(at_ms, position, turn_no, digest)
        if self._follows:
            return
        if (
            self._started
            and not self._is_out_of_step
            and turn_no == self._turns_before + len(self.game.turns)
            and digest == digest_of(self.game.state)
        ):
            self.needs_resync = False
        # a new game will say so when it begins, and the journal keeps one that is over
        self.wants_game = not self._follows and game_id != 0 and self.table.phase != "over"

    def _on_objects(self, _at_ms: int, objects: str) -> None:
        self._objects = objects

    def told_position(self) -> "array[int] | None":
        """Return the position that the table has, or asks for; None where it is not known whole.

        Position and objects come in two messages: the digest tells whether they are of one turn.
        """
        try:
            state = unpack_position(self._snapshot.position, self._objects)
        except ValueError:
            return None
        return state if digest_of(state) == self._snapshot.digest else None

    def _join(self) -> None:
        """Follow a game whose beginning was not received, in a record that starts here."""
        state = self.told_position()
        if state is None:
            return
        at_ms, turn_no = self._snapshot.at_ms, self._snapshot.turn_no
        record = Record(state, self.game.options if self._started else 0)
        source = f"{self.table.id}-{self.table.boot:04x}-at-{turn_no:04x}"
        self._follow(source, record, turn_no)
        self.recorder.join(source, record, at_ms)
        self._tell(happenings.Joined(at_ms, format_position(state)))

    # ---- the table's journal

    @property
    def archives_games(self) -> bool:
        """Whether games of the journal can be stored: an archive is there, a snapshot has come."""
        return self.recorder.is_archived and self._is_news

    def adopt(self, journal_game: JournalGame | None, at_ms: int) -> None:
        """Follow the table's game as its journal has it, or from here on where that has none.

        Raises OSError where it cannot be written.
        """
        if journal_game is None:
            self.wants_game = False
            self._join()
            return
        source = self._source_of(journal_game)
        record = journal_game.record
        self._follow(source, record)
        self.how += journal_game.how
        self.recorder.filing.go_on(source, journal_game)
        self.recorder.go_on_listening(record, source == self._heard_source, at_ms)
        position = format_position(self.game.state)
        kind = happenings.Joined if record.turns else happenings.Started
        self._tell(kind(at_ms, position))

    def store(self, journal_game: JournalGame, at_ms: int) -> None:
        """Store a game of the table's journal in the archive.

        Raises OSError where it cannot be written.
        """
        source = self._source_of(journal_game)
        record = journal_game.record
        is_present = journal_game.game_id == self._game_id
        if self._kept_elsewhere(source, record) is not None and is_present:
            self._follow(source, record)
            self.how += journal_game.how
        if not self.recorder.filing.keeps(source, record):
            return
        stored = self.recorder.filing.store(
            source,
            journal_game,
            start_date(journal_game, self.table.boot, at_ms - self.table.clock_ms),
        )
        if stored.is_new:
            result = record.headers["Result"]
            self._tell(happenings.Fetched(at_ms, stored.file.id, len(record.turns), result))
        elif stored.has_ended:
            who = RESULTS.index(record.headers["Result"])
            self._end(
                at_ms, (*PLAYERS, "draw")[who], record.headers["Termination"], journal_game.how
            )
        if stored.file is not self.file:
            stored.file.close()
        if is_present:
            self._follow(source, record)  # its players may take the last turn back
            self.how += journal_game.how
            self.recorder.filing.go_on(source, journal_game)

    def name_player(self, side: int, name: str, former: str = "") -> None:
        """Say who plays a side of games of which no turn is written yet; "" for nobody known.

        Who had the name `former` in the game that is played is called by the new one there, too.
        """
        header = PLAYER_NAMES[side]
        with suppress(OSError, OutOfStepError):  # the next turn finds and tells what is wrong
            if former and self.recorder.rename(header, former, name):
                return
        self.recorder.set_header(header, name)

    def complain(self, sentence: str, at_ms: int) -> None:
        """Tell what is wrong with the table's journal, or with a file here."""
        self._notice(at_ms, sentence)

    def _source_of(self, journal_game: JournalGame) -> str:
        return f"{self.table.id}-{journal_game.game_id:08x}"

    def _mismatch(self, at_ms: int, turn_no: int, turn: str) -> None:
        self.needs_resync = True
        self._tell(happenings.Mismatch(at_ms, turn_no, turn, format_position(self.game.state)))

    # ---- the game's file

    def _lose_step(self, at_ms: int, error: OutOfStepError) -> None:
        """The record file holds another game than the mirror: fetch the table's journal."""
        self.needs_resync = self._is_out_of_step = True
        self._notice(
            at_ms, tr("{problem}; the game is asked for again, nothing is lost", problem=error)
        )

    # ---- what happens on the way

    def _on_provisional(self, at_ms: int, turn: int) -> None:
        self.provisional = turn
        self.choices = []
        self._tell(happenings.Provisional(at_ms, turn_text(turn)))

    def _on_reopened(self, at_ms: int) -> None:
        self.provisional = None
        self._tell(happenings.Reopened(at_ms))

    def _sound(self, name: str) -> None:
        if name:
            self.sounded = self.sounded[0] + 1, name

    def _on_question(self, at_ms: int, **turns: int | None) -> None:
        self._sound("question")
        self.choices = [turn for turn in turns.values() if turn is not None]
        ask = {name: turn_text(turn) for name, turn in turns.items() if turn is not None}
        self._tell(happenings.Asked(at_ms, ask))

    def _on_leds(self, _at_ms: int, **_: str) -> None:
        """Take note that hands went on with the turn that was asked about: no event says so."""
        if self.choices and _ASKING.isdisjoint(self.table.leds):
            self.choices = []

    def _on_guide(self, at_ms: int, take: str, put: str, why: int) -> None:
        self._sound(sounds.of_guide(why))
        self.choices = []  # the table asks its question again after the guide
        taken = [sensor_name(sensor) for sensor in unpack_sensors(take)]
        placed = [sensor_name(sensor) for sensor in unpack_sensors(put)]
        self._tell(happenings.Guide(at_ms, taken, placed, guide_text(why)))

    def _on_refused(self, at_ms: int, why: int) -> None:
        refused = REFUSALS.get(why) or tr("the table refused that (code {code})", code=why)
        self._tell(happenings.Refused(at_ms, refused))

    def _on_journal(self, at_ms: int, full: int, **_: int) -> None:
        if full:
            self._notice(
                at_ms, tr("the table has no room to keep another game: nothing is lost with a PC")
            )

    def _on_seats(self, at_ms: int, **_: int) -> None:
        """The table itself plays sides, or does no more: records say so."""
        for side, told in enumerate(self.table.own_levels):
            level = 0 if told == ELSEWHERE else told
            if level != self._own_levels[side]:
                self._own_levels[side] = level
                self.recorder.name_own(PLAYER_NAMES[side], own_name(level))
                if told != ELSEWHERE and not self.recorder.filing.is_paused:
                    self._notice(at_ms, who_plays(side, level))

    def _on_failure(self, at_ms: int, boots: int, reason: str) -> None:
        again = ""
        if boots:
            again = " " + tr("(starts that failed in a row: {count})", count=boots)
        failed = tr("the table's firmware failed before: {reason}", reason=reason)
        self._notice(at_ms, failed + again)

    def _on_finding(self, at_ms: int, kind: int, sensor: int, other: int) -> None:
        """A finding of the doctor that led to a restart, so that it is told by the next start."""
        self._notice(at_ms, finding_text(kind, sensor, other))

    def _on_unsupported(self, at_ms: int, letter: str) -> None:
        self._notice(
            at_ms,
            tr(
                "the table does not know the message '{letter}': update the firmware with "
                "`chronotable flash`",
                letter=letter,
            ),
        )

    def _notice(self, at_ms: int, sentence: str) -> None:
        self._tell(happenings.Notice(at_ms, sentence))

    @property
    def understood(self) -> dict[str, int]:
        """How many turns of the game were certain, asked and corrected."""
        return _counts(self.how)

    def winner(self) -> int:
        """Return who has won by the rules, or NOBODY."""
        return self.game.winner() if self._started else NOBODY

    def close(self) -> None:
        """Close the game's files; a game in progress can be gone on with."""
        self.recorder.close()


def can_end(won: int, who: int, termination: str) -> bool:
    """Tell whether a game can end so.

    `won` has won by the rules, or NOBODY; `who` wins as the table says, a negative number: a draw.
    """
    if won != NOBODY:
        return termination == "normal" and who == won
    return termination == ("resigned" if who >= 0 else "agreed")


def _counts(how: list[str]) -> dict[str, int]:
    return {name: how.count(name) for name in UNDERSTOOD}
