"""A table that is told its pairing: names go into its next record, people hear who sits there.

The round begins by light: once nothing else is played there, the table lights where pieces belong.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable.frames import LocalLinkError
from chronotable_host.archive.parsing import read
from chronotable_host.engine.seats import HANDS, PAGE, player_name
from chronotable_host.errors import cleaned
from chronotable_host.language import tr
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.rules.notation import PLAYER_NAMES, NotationError

if TYPE_CHECKING:
    from chronotable_host.archive.store import Archive
    from chronotable_host.club.publisher import Publisher
    from chronotable_host.engine.thinkers import Seats
    from chronotable_host.live.session import Session

PAIRING = "Pairing"
"""The header of a record that says which pairing a game was played for."""
NOTE = "pairing"
"""The word by which the hub tells who sits at a table."""

_LONGEST = 100


class Pairing(NamedTuple):
    """Who is to sit at a table; so many games of theirs are `void`, which the director annulled."""

    id: str
    tournament: str
    round: int
    board: int
    white: str
    black: str
    void: int = 0


class PairedTable:
    """Has a table's games be those of its pairing; `tell` hears what people are to know.

    `start` is the position that a round begins in, and the options of the rules; None leaves the
    table alone. So does an `archive` that has the pairing's game. `seats` has who plays there.
    """

    def __init__(
        self,
        session: Session,
        tell: Callable[[Happening], None],
        start: tuple[array[int], int] | None = None,
        archive: Archive | None = None,
        seats: Callable[[], Seats | None] = lambda: None,
    ) -> None:
        self.pairing: Pairing | None = None
        self._session = session
        self._mirror = session.mirror
        self._tell = tell
        self._start = start
        self._archive = archive
        self._seats = seats
        self._named: Pairing | None = None  # whose names games have that begin
        # the pairing that the table was lit for, and which start of the table that was
        self._begun: tuple[Pairing, int] | None = None

    def hear(self, publisher: Publisher) -> None:
        """Take what the club said last."""
        found = _pairing(publisher.notes.get(NOTE))
        if found == self.pairing:
            return
        self.pairing = found
        self._name()
        if found is not None:
            self._tell(Notice(None, sentence(found)))

    def _name(self) -> None:
        """Have the next game be the pairing's, as long as that stands, whatever is asked for here.

        A game that has turns keeps its own names, also when it is over: its end may be taken back.
        """
        mirror, pairing = self._mirror, self.pairing
        if mirror.has_game and (mirror.game.turns or mirror.provisional is not None):
            return
        if pairing is None:
            if self._named is not None:
                self._call("", "", "")
        else:
            called = [mirror.recorder.header(name) for name in (PAIRING, *PLAYER_NAMES)]
            if called != [pairing.id, pairing.white, pairing.black]:
                self._seat_people(pairing)
                self._call(pairing.id, pairing.white, pairing.black)
        self._named = pairing

    def _call(self, pairing: str, *names: str) -> None:
        self._mirror.recorder.set_header(PAIRING, pairing)
        for side, name in enumerate(names):
            self._mirror.name_player(side, name)

    def _seat_people(self, pairing: Pairing) -> None:
        """Have no program play a side, unless it was paired itself."""
        seats = self._seats()
        if seats is None:
            return
        has_page = PAGE in seats.players().values()
        for side in seats.programs:
            name = (pairing.white, pairing.black)[side]
            if player_name(seats.thinkers[side].name) != name:
                seats.seat(side, PAGE if has_page else HANDS)
                self._tell(Notice(None, tr("No program plays here now: {name} does.", name=name)))

    def step(self) -> None:
        """Begin the round at the table, once nothing else is played, learned or analysed there."""
        self._name()
        pairing, mirror = self.pairing, self._mirror
        if pairing is None or self._start is None or not self._session.is_ready:
            return
        now = pairing, mirror.table.boot
        if now == self._begun:
            return
        if mirror.is_in_game:
            record = mirror.record
            if record is not None and _is_game_of(record.headers, pairing):
                self._begun = now  # before the table, or this program, was started anew
            return
        if mirror.is_lesson or mirror.recorder.is_paused:
            return
        if not self._has_played(pairing):
            try:
                self._session.set_up(*self._start)
            except LocalLinkError:  # too much waits for the table already: a moment later
                return
        self._begun = now

    def _has_played(self, pairing: Pairing) -> bool:
        if self._archive is None:
            return False
        games = 0
        for path in self._archive.having(PAIRING, pairing.id):
            with suppress(NotationError, OSError):
                games += _is_game_of(read(path).record.headers, pairing)
        return games > pairing.void


def _is_game_of(headers: Mapping[str, str], pairing: Pairing) -> bool:
    players = headers["White"], headers["Black"]
    return headers.get(PAIRING) == pairing.id and players == (pairing.white, pairing.black)


def sentence(pairing: Pairing) -> str:
    """Return what people at a table are told."""
    return tr(
        "{tournament}, round {round}: {white} has White, {black} has Black; set up the pieces",
        tournament=pairing.tournament,
        round=pairing.round,
        white=pairing.white,
        black=pairing.black,
    )


def _pairing(said: Any) -> Pairing | None:
    """Return a pairing out of the club's word, None where it is none."""
    if not isinstance(said, dict):
        return None
    said = {"void": 0, **said}
    if said.keys() != set(Pairing._fields):
        return None
    texts = [said[name] for name in ("id", "tournament", "white", "black")]
    numbers = [said["round"], said["board"], said["void"]]
    if not all(isinstance(it, str) and 0 < len(it) <= _LONGEST for it in texts):
        return None
    if not all(type(it) is int for it in numbers):
        return None
    return Pairing(**{k: cleaned(v) if isinstance(v, str) else v for k, v in said.items()})
