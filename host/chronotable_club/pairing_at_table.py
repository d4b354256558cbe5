"""A table that is told its pairing: names go into its next record, people hear who sits there.

The round begins by light: once nothing else is played there, the table lights where pieces belong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from chronotable.link.frames import LocalLinkError
from chronotable_club.publisher import Publisher
from chronotable_host.archive.parsing import read
from chronotable_host.errors import printable_json
from chronotable_host.language import tr
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.players.seats import HANDS, PAGE, player_name
from chronotable_host.live.texts.table_texts import own_name, plays_itself
from chronotable_host.rules.notation import PLAYER_NAMES, NotationError

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
