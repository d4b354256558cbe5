"""The game of a night on the table of reeds and lights: shown there, and led by its lights.

Three rules. The game is played on the phones: the table follows, holds nobody up, and asks for what
is so by now, in as few steps as that takes; whatever becomes of it, the night goes on. One step at
a time: what does not belong to the game first, then the piece that is in a hand, then track by
track. And what a reed says is believed unless the hands say otherwise, with button *a*.
"""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import NamedTuple

from chronotable.hardware.sensors import SENSORS, SPACES
from chronotable.lights.meanings import TODO_PUT, TODO_TAKE
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.line.connection import PAUSE_S, TableConnection, TableError
from chronotable_host.live.line.port import PortError
from chronotable_host.live.session import Session
from chronotable_host.live.surface import Surface as Picture
from chronotable_host.live.texts.light_names import NAMES
from chronotable_night.games.interface import SPECTATOR, Game, State
from chronotable_night.games.surface import SurfaceError, TablePicture, Track, surface_of
from chronotable_night.room import NightRoom

_TRUST_HANDS = "a"


class RoomView(NamedTuple):
    """What a room shows to all: the game by its name, and the view of the spectators.

    `view` is None before a game; `names` are the players', by seat.
    """

    name: str
    game: Game
    view: State | None
    names: Sequence[str]


def room_view(room: NightRoom) -> RoomView | None:
    """Return what a room shows to all, None where no game is chosen."""
    if room.chosen is None:
        return None
    view = None if room.play is None else room.game.view(room.play.state, SPECTATOR)
    return RoomView(room.kind.name, room.game, view, room.people.names())


class HandsStep(NamedTuple):
    """What the hands are to do next: places to take from and to put on, and that in words."""

    take: Collection[int] = ()
    put: Collection[int] = ()
    says: str = ""


class OnTable:
    """A session's table, and how far the hands are there; `step` is the one that is lit."""

    def __init__(self, session: Session) -> None:
        self.picture = Picture(session, self._press)
        self.step = HandsStep()
        self._trusted: dict[int, bool] = {}  # what hands say of places, whatever reeds say
        self._spare: set[int] = set()  # where more than the pieces lies, which all lay well then

    def _press(self, button: str) -> None:
        if button == _TRUST_HANDS:
            self._trusted |= dict.fromkeys(self.step.take, False)
            self._trusted |= dict.fromkeys(self.step.put, True)

    def lead(self, surface: TablePicture) -> None:
        """Light what is to be seen, and the next step."""
        closed = self.picture.closed
        self.step = (
            HandsStep() if closed is None else self._next(surface, self._lying(surface, closed))
        )
        picture = bytearray(SENSORS)
        for place, word in surface.lights.items():
            picture[place] = NAMES.index(word)
        for place in self.step.take:
            picture[place] = TODO_TAKE
        for place in self.step.put:
            picture[place] = TODO_PUT
        self.picture.show(bytes(picture))

    def leave(self) -> None:
        """Give the table back to its own game."""
        self.step = HandsStep()
        self.picture.show(None)

    def _lying(self, surface: TablePicture, closed: Collection[int]) -> set[int]:
        """Return on which spaces something lies, as far as reeds and hands are to be believed."""
        taken = {place for track in surface.tracks for place in track.taken}
        self._trusted = {
            place: is_there
            for place, is_there in self._trusted.items()
            if is_there == (place in taken)
        }
        unfelt = self.picture.doubted | self._trusted.keys()
        return {place for place in range(SPACES) if place in (taken if place in unfelt else closed)}

    def _next(self, surface: TablePicture, lying: set[int]) -> HandsStep:
        self._spare &= lying - {place for track in surface.tracks for place in track.taken}
        if all(lying >= set(track.taken) for track in surface.tracks):
            # what lies on a spare place now is none of the pieces
            for track in surface.tracks:
                self._spare |= lying & set(track.spare) - set(track.taken)
        places = {place for track in surface.tracks for place in track.places}
        strays = sorted(lying - places)
        if strays:
            return HandsStep(strays, (), tr("Take away what does not belong to this game."))
        steps = [self._on(track, lying) for track in surface.tracks]
        due = [step for step in steps if step.take or step.put]
        if not due:
            return HandsStep()
        in_hand = [step for step in due if len(step.put) > len(step.take)]
        if not in_hand:
            return due[0]
        # a piece that is missing here may lie among those of another track
        too_many = [place for step in due if len(step.take) > len(step.put) for place in step.take]
        return in_hand[0]._replace(take=[*in_hand[0].take, *too_many])

    def _on(self, track: Track, lying: set[int]) -> HandsStep:
        """Return what is to be done on a track, nothing where all lies well."""
        taken = set(track.taken)
        besides = lying & set(track.places) - taken - (self._spare & set(track.spare))
        return HandsStep(sorted(besides), sorted(taken - lying), track.says)


def follow(room: RoomView, table: OnTable) -> str:
    """Have a table show a room's game; return what hands are to do there, or why it cannot be.

    To be called when anything changes, in the room or at the table.
    """
    shows = None if room.view is None else surface_of(room.name)
    if room.view is None or shows is None:
        table.leave()
        return ""
    try:
        surface = shows(room.game, room.view, room.names)
    except SurfaceError as error:
        table.leave()
        return str(error)
    table.lead(surface)
    return table.picture.problem or table.step.says


# ---- in a thread of its own


_CLOSE_S = 2.0
_GIVE_BACK_MS = 1000


class Keeper:
    """Keeps the table of a connection in step with the room that `show` was given last.

    A thread of its own does that, which reads nothing of the room but what it is given. `tell`
    hears there what hands are to do; `fail` why no table is kept any more.
    """

    def __init__(
        self, connection: TableConnection, tell: Callable[[str], None], fail: Callable[[str], None]
    ) -> None:
        self._connection = connection
        self._tell = tell
        self._fail = fail
        self._table = OnTable(connection.session)
        self._room: RoomView | None = None
        self._said = ""
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Open the port, and begin; raises PortError and UserError where there is no table."""
        self._connection.open()
        self._thread.start()

    def show(self, room: RoomView | None) -> None:
        """Have the table show a room from now on, None is for none yet; called in any thread."""
        self._room = room

    def close(self) -> None:
        """Give the table back to its own game, and let it go."""
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        try:
            while not self._is_over.is_set():
                self._step()
                self._is_over.wait(PAUSE_S)
            self._give_back()
        except (UserError, PortError, TableError, OSError) as error:
            self._say("")
            self._fail(str(error))
        finally:
            with suppress(PortError, OSError):
                self._connection.close()

    def _step(self) -> None:
        self._connection.step()
        if self._room is not None:
            self._say(follow(self._room, self._table))
            self._table.picture.step(self._connection.now_ms)

    def _give_back(self) -> None:
        connection, table = self._connection, self._table
        table.leave()
        late_ms = connection.now_ms + _GIVE_BACK_MS
        while table.picture.closed is not None and connection.now_ms < late_ms:
            table.picture.step(connection.now_ms)
            connection.step()
            time.sleep(PAUSE_S)

    def _say(self, says: str) -> None:
        if says != self._said:
            self._said = says
            self._tell(says)
