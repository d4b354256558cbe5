"""A games night on a virtual table: a game that goes on by itself, and hands that see the lights.

The hands know what red and green lights mean, nothing of the game. Rough ones also take up what
nobody asked for, and put things down beside their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from chronotable.hardware.sensors import SPACES
from chronotable.lights.meanings import TODO_PUT, TODO_TAKE
from chronotable_host.virtual.table import CPYTHON
from chronotable_night.games.interface import SPECTATOR, State
from chronotable_night.games.shelf import kinds
from chronotable_night.on_table import OnTable, RoomView, follow
from tests.table.rig import Rig
from ttykm.layout import new_state

LOOK_MS = 400
_SLIP = 0.15
_MOST_LOOKS = 60
_PC_MS = 20

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


class Night:
    """A game by chance at a table; `gestures` counts lifts and places.

    The PC `is_there`, or nobody follows the game.
    """

    def __init__(
        self, at: Rig, name: str, players: int, seed: int, options: Mapping[str, Any] | None = None
    ) -> None:
        kind = kinds()[name]
        self.at = at
        self.game = kind.game()
        self.name = name
        self.names = NAMES[:players]
        self.chance = Random(seed)
        chosen = {each.name: next(iter(each.values)) for each in kind.options}
        self.state: State = self.game.new(seed, players, {**chosen, **(options or {})})
        self.table = OnTable(at.session)
        self.is_there = True
        self.says = ""
        self.held = PIECES[name](players)
        self.gestures = 0
        self.slips = 0

    # ---- the PC

    def pc_comes_back(self) -> None:
        """Follow with a program that knows nothing of what was."""
        self.at.mirror.table.listeners.clear()
        self.table = OnTable(self.at.session)
        self.is_there = True

    def waits(self, ms: float) -> None:
        """Let time pass at the table and at the PC."""
        table = self.at.table
        until = table.now_ms + ms
        while table.now_ms < until:
            table.run_until(min(until, table.now_ms + _PC_MS))
            if self.is_there:
                self.says = follow(self.room, self.table)
                self.table.picture.step(table.now_ms)

    @property
    def room(self) -> RoomView:
        view = self.game.view(self.state, SPECTATOR)
        return RoomView(self.name, self.game, view, self.names)

    # ---- the players

    @property
    def is_over(self) -> bool:
        return self.game.outcome(self.state) is not None

    def plays(self) -> None:
        """Have who is to decide do something, while the game goes on."""
        seat = self.game.to_decide(self.state)
        view = self.game.view(self.state, seat)
        if actions := list(self.game.candidates(view, seat, self.chance)):
            self.state = self.game.apply(self.state, seat, self.chance.choice(actions))

    # ---- the hands

    @property
    def picture(self) -> bytes:
        return bytes(self.at.mirror.table.leds)

    @property
    def lying(self) -> set[int]:
        """On which spaces something lies in truth."""
        return {place for place in range(SPACES) if self.at.table.has_magnet(place)}

    def asked(self, meaning: int) -> list[int]:
        """Where a light says that now."""
        return [place for place in range(SPACES) if self.picture[place] == meaning]

    def obeys(self) -> bool:
        """Do the first thing that a light asks for; return False where none can be done."""
        lying = self.lying
        put = [place for place in self.asked(TODO_PUT) if place not in lying and self.held]
        take = [place for place in self.asked(TODO_TAKE) if place in lying]
        for place in put or take:
            self.moves(place, place in put)
            return True
        return False

    def slips_up(self) -> None:
        """Put down anywhere what is in the hand, or take up what nobody asked for."""
        self.slips += 1
        places = range(SPACES)
        if self.held:
            self.moves(self.chance.choice([at for at in places if at not in self.lying]), True)
        else:
            self.moves(self.chance.choice(sorted(self.lying)), False)

    def moves(self, place: int, closed: bool) -> None:
        """Lift or put, and look again."""
        (self.at.table.place if closed else self.at.table.lift)(place)
        self.held -= 1 if closed else -1
        self.gestures += 1
        self.waits(LOOK_MS)

    def follows(self, rough: bool = False) -> None:
        """Have the hands do what is lit until nothing is."""
        for _ in range(_MOST_LOOKS):
            if rough and self.chance.random() < _SLIP:
                self.slips_up()
            elif not self.obeys():
                self.waits(LOOK_MS)
                if not (self.asked(TODO_TAKE) or self.asked(TODO_PUT)):
                    return
        raise AssertionError(f"the hands come to no end: {self.says}")


@contextmanager
def night(
    name: str,
    players: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    runtime: str = CPYTHON,
    image: Path | None = None,
    board: str = "reference",
    set_up: bool = False,
) -> Iterator[Night]:
    """Switch a table on, and have a game begin."""
    with Rig(new_state(), runtime=runtime, image=image, board=board, set_up=set_up) as at:
        yield Night(at, name, players, seed, options)


def chase_places(state: State) -> set[int]:
    """Return where travelers stand: a lane each, and a column for each place in time."""
    return {
        column // 4 * 16 + lane * 4 + column % 4 for lane, column in enumerate(state["travelers"])
    }


def mit_places(state: State) -> set[int]:
    """Return where the ship and the triangles are."""
    number = state["ship"] + 12
    column, row = (11, 2) if number == 24 else divmod(number, 2)
    nora, aron = state["triangles"]
    cells = {(row, column), *((2, each) for each in range(nora))}
    cells |= {(3, 11 - each) for each in range(aron)}
    return {column // 4 * 16 + row * 4 + column % 4 for row, column in cells}


PIECES: Mapping[str, Callable[[int], int]] = {
    "timechase": lambda players: players,
    "timemit": lambda _players: 13,
    "timebreaker": lambda _players: 0,
}
"""How many pieces the hands have, by game and players."""

PLACES: Mapping[str, Callable[[State], set[int]]] = {
    "timechase": chase_places,
    "timemit": mit_places,
}
"""Where pieces are to lie, by game."""
