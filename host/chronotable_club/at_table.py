"""A table of a club: its publisher, joined to its game, to the broker and to its archive.

It lives in the thread of the table, whose loop calls `step`; nothing here waits.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from chronotable.link.frames import LocalLinkError
from chronotable_club.messages import MOST_RECORD, ClockTimes, Live
from chronotable_club.outbox import FileOutbox
from chronotable_club.publisher import Publisher
from chronotable_club.tokens import Token, parse_token
from chronotable_far.broker.address import BrokerAddress, parse_broker
from chronotable_far.broker.client import BrokerClient, BrokerConnected, BrokerLost, Message
from chronotable_host.archive.parsing import read
from chronotable_host.errors import one_line, printable_json
from chronotable_host.language import tr, tr_n
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Fetched, Happening, Notice
from chronotable_host.live.players.seats import HANDS, PAGE, player_name
from chronotable_host.live.texts.table_texts import own_name, plays_itself
from chronotable_host.output import say
from chronotable_host.rules.notation import PLAYER_NAMES, PLAYERS, NotationError
from chronotable_host.rules.record import format_record

_SAVE_MS = 2_000


class Look:
    """What the table of a desk shows now."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._key: object = None
        self._text = ""

    def __call__(self) -> Live:
        """Return what the table shows now."""
        mirror = self._desk.mirror
        record = mirror.record
        if record is None or not mirror.is_played:
            return Live("", "", self._phase("free"), None)
        text = self._text_of()
        if len(text) > MOST_RECORD:
            return Live("", "", self._phase("other"), None)
        file = mirror.file
        game = "" if file is None else file.path.stem
        return Live(game, text, self._phase(mirror.table.phase), self._left())

    @property
    def own(self) -> str:
        """The short id of the game that is kept, "" for none."""
        file = self._desk.mirror.file
        return "" if file is None else file.id

    @property
    def sign(self) -> tuple[object, ...]:
        """What tells that something else is shown, though nothing was told to have happened."""
        mirror, clocks = self._desk.mirror, self._desk.clocks
        running = None if clocks is None else clocks.running
        return mirror.table.phase, running, self._desk.is_there, self.own

    def _phase(self, phase: str) -> str:
        return phase if self._desk.is_there else "off"

    def _text_of(self) -> str:
        record = self._desk.mirror.record
        assert record is not None
        key = (id(record), len(record.turns), record.turns[-1:], dict(record.headers))
        if key != self._key:  # comments change with turns alone while a game goes on
            self._key = key
            self._text = format_record(record)
        return self._text

    def _left(self) -> ClockTimes | None:
        view = None if self._desk.clocks is None else self._desk.clocks.view()
        if view is None:
            return None
        white, black = (int(view["left"][player]) for player in PLAYERS)
        running = PLAYERS.index(view["running"]) if view["running"] else -1
        return ClockTimes((white, black), running)


class ClubTable:
    """Tells a club what a table shows and keeps, and the table what the club says.

    `tell` hears sentences for people. `name` is what the table should be called in the club, "" for
    whatever it is. `told` is called with the club's notes when they change. Raises UserError and
    OSError where it cannot begin.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        token: Token,
        folder: Path,
        look: Look,
        tell: Callable[[Happening], None],
        name: str = "",
    ) -> None:
        self.told: list[Callable[[Publisher], None]] = []
        self._look = look
        self._tell = tell
        self._name = name
        self._outbox = FileOutbox(folder, token)
        self.publisher = Publisher(token, self._outbox, look)
        self._client = BrokerClient(broker, will=self.publisher.will)
        self._client.subscribe(self.publisher.topic)
        self._sign: tuple[object, ...] = ()
        self._save_ms = 0
        self._said: set[str] = set()
        self._notes: object = None

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        if isinstance(happening, Fetched):
            self._outbox.plays(happening.game)
        self.publisher.hear(happening)

    def step(self) -> None:
        """Do what is due."""
        now_ms = _now_ms()
        for event in self._client.take():
            if isinstance(event, Message):
                self.publisher.receive(event)
                self._look_at_word()
            elif isinstance(event, BrokerConnected):
                self._send(self.publisher.connected())
                self._said.clear()
            elif isinstance(event, BrokerLost):
                self.publisher.lost()
                self._say(tr("the club cannot be told now: {why}; nothing is lost", why=event.why))
        sign = self._look.sign
        if sign != self._sign:
            self._sign = sign
            if game := self._look.own:
                self._outbox.plays(game)
            self.publisher.note_change()
        self._send(self.publisher.step(now_ms))
        if now_ms >= self._save_ms:
            self._save_ms = now_ms + _SAVE_MS
            self._save()

    def close(self) -> None:
        """Say goodbye; what is not told by now is told at the next start."""
        self._send(self.publisher.farewell(_now_ms()))
        self._client.close()
        for event in self._client.take():
            if isinstance(event, Message):
                self.publisher.receive(event)
        self._save()
        waiting = self.publisher.waiting
        if waiting and not self.publisher.is_revoked:
            self._say(
                tr_n(
                    "the club has not confirmed {n} game yet: it is told again at the next start",
                    "the club has not confirmed {n} games yet: they are told again at the next "
                    "start",
                    waiting,
                )
            )

    def _send(self, messages: list[Message]) -> None:
        for message in messages:
            self._client.publish(*message)

    def _look_at_word(self) -> None:
        """Say what the club's word means for the people at the table, once each."""
        publisher = self.publisher
        told = publisher.told
        if told is None:
            return
        if told.is_revoked:
            self._say(
                tr("the club has taken this table's token back, and is told nothing any more")
            )
        elif self._name and told.name.casefold() != self._name.casefold():
            self._say(
                tr(
                    "the club knows this table as '{name}', not as '{wanted}': is it the token of "
                    "another table?",
                    name=told.name,
                    wanted=self._name,
                )
            )
        for why in told.refused.values():
            self._say(tr("the club does not take a game of this table: {why}", why=why))
        if publisher.notes != self._notes:
            self._notes = dict(publisher.notes)
            for each in self.told:
                each(publisher)

    def _say(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._tell(Notice(None, sentence))

    def _save(self) -> None:
        try:
            self._outbox.save()
        except OSError as error:
            self._say(one_line(error) or str(error))


# ---- what `play` and `try` do


def join(desk: Desk, broker: str, token: str, name: str | None, plays_alone: bool) -> None:
    """Have the club told of a desk's table; raises UserError, OSError.

    A program that `plays_alone` plays its own game, of no round, and shows people nothing else.
    """
    desk.club = club = AtClub(desk, broker, token, name, plays_alone)
    desk.callback(club.close)


class AtClub:
    """What a club is told of a table, and tells it."""

    def __init__(
        self, desk: Desk, broker: str, token: str, name: str | None, plays_alone: bool
    ) -> None:
        assert desk.archive is not None
        tell = _print if plays_alone else desk.tell
        self._plays_alone = plays_alone
        self._table = ClubTable(
            parse_broker(broker),
            parse_token(token),
            desk.archive.folder,
            Look(desk),
            tell,
            name or "",
        )
        self._paired = PairedTable(desk, tell)
        if not plays_alone:
            self._table.told.append(self._paired.hear)
        self.close = self._table.close

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        self._table.hear(happening)
        if self._plays_alone:  # nobody comes by between two turns
            self.step(0)

    def step(self, _now_ms: int) -> None:
        """Do what is due."""
        self._table.step()
        self._paired.step()


def _now_ms() -> int:
    return int(time.monotonic() * 1000)


def _print(happening: Happening) -> None:
    """Print a sentence where nobody else does."""
    if isinstance(happening, Notice):
        say(happening.notice)


PAIRING = "SeatedPair"
"""The header of a record that says which pairing a game was played for."""
NOTE = "pairing"
"""The word by which the hub tells who sits at a table."""
ANNULLED = "annulled"
"""The word by which it tells which of a table's games count for nothing any more."""

_LONGEST = 100


class SeatedPair(NamedTuple):
    """Who is to sit at a table."""

    id: str
    tournament: str
    round: int
    board: int
    white: str
    black: str


class PairedTable:
    """Has the games at a desk be those of its pairing; `tell` hears what people are to know.

    A round begins at the desk's start, unless the archive has the pairing's game.
    """

    def __init__(self, desk: Desk, tell: Callable[[Happening], None]) -> None:
        self.pairing: SeatedPair | None = None
        self._desk = desk
        self._session = desk.session
        self._mirror = desk.mirror
        self._tell = tell
        self._annulled: frozenset[str] = frozenset()  # games that are to be played again
        self._levels_at: object = None
        # the pairing that the table was lit for, and which start of the table that was
        self._begun: tuple[SeatedPair, int] | None = None

    def hear(self, publisher: Publisher) -> None:
        """Take what the club said last."""
        annulled = publisher.notes.get(ANNULLED)
        if isinstance(annulled, list):
            self._annulled = frozenset(it for it in annulled if isinstance(it, str))
        found = _pairing(publisher.notes.get(NOTE))
        if found == self.pairing:
            return
        self.pairing = found
        if found is None:
            self._name("", "", "")
            self._begun = None  # told once more, it is to be played again
        else:
            self._name(found.id, found.white, found.black)
            self._tell(Notice(None, sentence(found)))

    def _name(self, *texts: str) -> None:
        """Have games that begin be of a pairing and its players; one with turns stays as it is."""
        recorder = self._mirror.recorder
        for name, text in zip((PAIRING, *PLAYER_NAMES), texts, strict=True):
            if recorder.header(name) != text:
                recorder.set_next_header(name, text)

    def _seat_people(self, pairing: SeatedPair) -> None:
        """Have no program play a side, nor the table itself, unless it was paired."""
        seats, table = self._desk.seats, self._mirror.table
        players = (pairing.white, pairing.black)
        has_page = PAGE in seats.players().values()
        for side in seats.programs:
            if player_name(seats.thinkers[side].name) not in (players[side], ""):
                seats.seat(side, PAGE if has_page else HANDS)
                self._say_who(players[side])
        known = table.snapshots, table.own_levels
        if known == self._levels_at:
            return
        with suppress(LocalLinkError):  # too much waits for the table already: a moment later
            for side, level in enumerate(table.own_levels):
                if plays_itself(level) and own_name(level) != players[side]:
                    self._session.set_own_level(side, 0)
                    self._say_who(players[side])
            self._levels_at = known

    def _say_who(self, name: str) -> None:
        self._tell(Notice(None, tr("No program plays here now: {name} does.", name=name)))

    def step(self) -> None:
        """Begin the round at the table, once nothing else is played, learned or analysed there."""
        pairing = self.pairing
        if pairing is None:
            return
        self._name(pairing.id, pairing.white, pairing.black)  # whatever is asked for at the table
        if self._session.is_ready:
            with suppress(LocalLinkError):  # too much waits for the table already: a moment later
                self._begin(pairing)

    def _begin(self, pairing: SeatedPair) -> None:
        mirror = self._mirror
        now = pairing, mirror.table.boot
        if mirror.is_in_game:
            record = mirror.record
            if record is not None and _is_game_of(record.headers, pairing):
                self._begun = now  # before the table, or this program, was started anew
            return
        if mirror.is_taught or mirror.recorder.filing.is_paused:
            return
        self._seat_people(pairing)
        if now == self._begun:
            return
        if not self._has_played(pairing):
            self._session.set_up(self._desk.start, self._desk.options)
        self._begun = now

    def _has_played(self, pairing: SeatedPair) -> bool:
        if self._desk.archive is None:
            return False
        for path in self._desk.archive.having(PAIRING, pairing.id):
            if path.stem in self._annulled:
                continue
            with suppress(NotationError, OSError):
                if _is_game_of(read(path).record.headers, pairing):
                    return True
        return False


def _is_game_of(headers: Mapping[str, str], pairing: SeatedPair) -> bool:
    players = headers["White"], headers["Black"]
    return headers.get(PAIRING) == pairing.id and players == (pairing.white, pairing.black)


def sentence(pairing: SeatedPair) -> str:
    """Return what people at a table are told."""
    return tr(
        "{tournament}, round {round}: {white} has White, {black} has Black; set up the pieces",
        tournament=pairing.tournament,
        round=pairing.round,
        white=pairing.white,
        black=pairing.black,
    )


def _pairing(said: Any) -> SeatedPair | None:
    """Return a pairing out of the club's word, None where it is none."""
    if not isinstance(said, dict) or said.keys() != set(SeatedPair._fields):
        return None
    texts = [said[name] for name in ("id", "tournament", "white", "black")]
    numbers = [said["round"], said["board"]]
    if not all(isinstance(it, str) and 0 < len(it) <= _LONGEST for it in texts):
        return None
    if not all(type(it) is int for it in numbers):
        return None
    return SeatedPair(
        **{k: printable_json(v) if isinstance(v, str) else v for k, v in said.items()}
    )
