"""Rooms for tests: without a disk, with tokens that can be foreseen."""

from itertools import count
from pathlib import Path

from chronotable_night.boxes import Boxes
from chronotable_night.games.bots import by_chance
from chronotable_night.room import NightRoom
from tests.night.small_game import KIND

NO_BOXES = Boxes(Path("a folder that is not there"))


class Kept:
    """A journal in memory; `is_full` has it refuse to keep anything."""

    def __init__(self):
        self.lines = []
        self.is_full = False

    def _keep(self, *line):
        if self.is_full:
            raise OSError(28, "No space left on device")
        self.lines.append(line)

    def begin(self, room):
        self._keep("begin", room.seed, [each.name for each in room.people])

    def people(self, people):
        self._keep("people", [each.token for each in people])

    def action(self, seat, action):
        self._keep(seat, action)

    def sealed(self, seat, action):
        self._keep("sealed", seat, action)

    def back(self, actions):
        self._keep("back", actions)

    def end(self, room, play):
        self._keep("end", len(play.steps))


def room_of(*names, kind=KIND, begun=True, others=(), is_chosen=True, **more):
    """Return a room in which these people sit; their tokens are t1, t2 and so on."""
    tokens, seeds = count(1), count(7)
    more = {"players": None, "journal": Kept(), "boxes": NO_BOXES, **more}
    room = NightRoom(
        {each.name: each for each in (kind, *others)},
        more["boxes"],
        more["journal"],
        lambda: f"t{next(tokens)}",
        lambda: next(seeds),
        more["players"],
    )
    if is_chosen:
        room.choose(kind.name)
    for seat, name in enumerate(names):
        room.join(name)
        room.note_here(seat, True)
    if begun:
        room.start()
    return room


def choices(room, seat):
    """Return the actions that a seat is offered."""
    view = room.game.view(room.play.state, seat)
    decision = room.game.decision(view, seat, room.people.names())
    return [] if decision is None else [each.action for each in decision.choices]


def plays(room, seat, action=None):
    """Have a seat play an action, or the first that it is offered."""
    room.act(seat, action or choices(room, seat)[0], room.play.moment)


def play_on(room, chance=None, actions=None):
    """Play so many actions, or to the end: by chance, or what is offered first; return them."""
    played = []
    while room.phase == "play" and (actions is None or len(played) < actions):
        seat = room.game.to_decide(room.play.state)
        view = room.game.view(room.play.state, seat)
        action = (
            choices(room, seat)[0] if chance is None else by_chance(room.game, view, seat, chance)
        )
        room.act(seat, action, room.play.moment)
        played.append(action)
    return played
