"""What hands at a table are asked to do now, with the names of pieces as far as they are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable_host.hardware.drawings.glyphs import module_of
from chronotable_host.live.happenings import Guide
from chronotable_host.live.mirror import Mirror
from chronotable_host.virtual.due_pieces import sure_pieces
from chronotable_host.virtual.tabletop import looks_in
from chronotable_host.web.todo import Todo, asked_by, sentences, steps
from chronotable_host.web.wanted_steps import WantedSteps

if TYPE_CHECKING:
    from chronotable_host.web.hand import PageHand

_SET_UP = "set-up"
_IN_A_GAME = ("turn", "provisional", "question")


class HandsTodo:
    """Says what the lights of a mirror's table ask for; `hand` is that of a virtual table.

    `is_turn` tells that what was said last are the steps of a turn.
    """

    def __init__(self, mirror: Mirror, hand: PageHand | None) -> None:
        self._mirror = mirror
        self._hand = hand
        self.is_turn = False
        self._wanted = WantedSteps()
        self._known: tuple[object, ...] = ()
        self._due: dict[int, str] = {}

    def steps(self, turn: int | None) -> list[Todo]:
        """Return what is to be done; `turn` is what the lights lead through, None for none."""
        leds = self._mirror.table.leds
        told = [] if turn is None else self._wanted.look(self._mirror.game, turn, leds)
        self.is_turn = bool(told)
        if told:
            return told
        asked = asked_by(leds)
        return steps(asked, self._due_on(asked))

    def _due_on(self, asked: Mapping[int, int]) -> dict[int, str]:
        """Return the looks of what belongs on spaces that only ask for something.

        As long as nothing changes what was found is kept: all legal turns are tried for it.
        """
        mirror = self._mirror
        places = {at for at, says in asked.items() if says == meanings.TODO_PUT and at < FOCUS}
        there = {
            at: piece for at, piece in self._there().items() if asked.get(at) != meanings.TODO_TAKE
        }
        known = (mirror.table.phase, mirror.game.state.tobytes(), there, places)
        if known != self._known or mirror.table.phase == _SET_UP:
            self._known = known
            self._due = _due_pieces(mirror, there, places)
        return self._due

    def _there(self) -> dict[int, str]:
        """Return what lies on the spaces, "" for a piece that only a reed tells of."""
        if self._hand is not None:
            return {at: piece for at, piece in self._hand.top.there.items() if at < FOCUS}
        return _felt_places(self._mirror)


def objects_due(mirror: Mirror, guide: Guide) -> list[str]:
    """Return in sentences which of a chapter's pieces belong where a table asks for something."""
    there = {at: "" for at in _felt_places(mirror) if sensor_name(at) not in guide.take}
    places = {at for at in range(FOCUS) if sensor_name(at) in guide.put}
    due = _due_pieces(mirror, there, places)
    kinds = {at: look for at, look in due.items() if module_of(look)}
    return sentences(dict.fromkeys(kinds, meanings.TODO_PUT), kinds)


def _due_pieces(mirror: Mirror, there: dict[int, str], places: set[int]) -> dict[int, str]:
    """Return the looks of what belongs on places, as far as they are sure; all of a set-up."""
    if places and mirror.table.phase in _IN_A_GAME:
        return sure_pieces(mirror.game, there, places)
    state = mirror.told_position() if mirror.table.phase == _SET_UP else None
    lying = {} if state is None else looks_in(state)
    return {at: lying[at] for at in places & lying.keys()}


def _felt_places(mirror: Mirror) -> dict[int, str]:
    """Return where reeds tell that something lies."""
    table = mirror.table
    return {
        at: ""
        for at, closed in table.reeds.items()
        if closed and at < FOCUS and at not in table.doubted
    }
