"""Replays a sequence of actions step by step: the position after each, who died, where and of what.

Everything is read off the engine: where there are only copies off its records, with modules off
the deaths that it notes while it resolves an action.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from chronotable_host.rules.notation import ERAS
from ttykm import layout
from ttykm.acts import Acts
from ttykm.entry import beyond
from ttykm.layout import CRUSH, GONE, NORTH, PARADOX, RECORD_WORDS, SQUISH, TRAMPLE, WEST
from ttykm.turns import TurnTree

CAUSES = {SQUISH: "squish", PARADOX: "paradox", CRUSH: "crushed", TRAMPLE: "trampled"}
"""What a copy can die of, by the effect of the action."""

# of the engine's notes on deaths
_COPY = 0x7F
_PLACE = 0x3F


@dataclass(frozen=True)
class Death:
    """A copy that died: its player, where it stood before the action, and of what."""

    player: int
    era: int
    space: int  # 0..15
    cause: str  # one of CAUSES

    def __str__(self) -> str:
        """Return the form of the examples, `B8 present (squish)`."""
        return f"{'WB'[self.player]}{self.space + 1} {ERAS[self.era]} ({self.cause})"


@dataclass(frozen=True)
class AfterAction:
    """The position after one action: `active` is the copy's place, GONE for a dead one.

    `deaths` come era by era, in each line farthest from the mover first (T22); the state still has
    the same mover.
    """

    state: "array[int]"
    active: int
    deaths: tuple[Death, ...]


def play_actions(
    state: "array[int]", space: int, actions: Sequence[int], options: int = 0
) -> list[AfterAction]:
    """Replay at most two action codes of the copy on a space 0..15 of the mover's focus era.

    Returns one step per action; fewer where one is not possible. Whether they are a whole
    legal turn (T11, T12) is not checked.
    """
    tree = TurnTree(4, 4)
    steps: list[AfterAction] = []
    before = state
    for count in range(1, len(actions) + 1):
        first, second = (*actions[:count], 0)[:2]
        index = tree.follow(state, layout.pack_sequence(space, first, second), options)
        if index < 0:
            break
        base = index * RECORD_WORDS
        after = array("H", state)
        tree.copy(index, after)
        if len(state) == layout.STATE_WORDS:
            effects = tree.records[base + layout.EFFECTS]
            deaths = _deaths_of_copies(before, after, actions[count - 1], effects)
        else:
            witness = _Witness(tree.records, tree.objects)
            witness.expand(index - 1, index, index, actions[count - 1], options)
            deaths = tuple(witness.seen)
        steps.append(AfterAction(after, tree.records[base + layout.ACTIVE], deaths))
        before = after
    return steps


def can_act(state: "array[int]", place: int, action: int, options: int = 0) -> bool:
    """Tell whether the mover's copy at a place could take this action as its next one."""
    if place == GONE:
        return False
    here = array("H", state)
    bits = layout.FOCUS_SHIFT + 2 * layout.mover(state)
    here[layout.META] = here[layout.META] & ~(3 << bits) | place >> 4 << bits
    return bool(play_actions(here, place & 15, [action], options))


class _Witness(Acts):
    """Repeats an action of a game with modules, and lists the copies that die in `seen`.

    The engine notes where a copy stood when what killed it set it in motion; a statue may have
    pushed it there in the same action (I8, I9). Here a copy is `player << 6 | place`, as there.
    """

    def __init__(self, records: "array[int]", objects: "array[int]") -> None:
        super().__init__(records, objects)
        self.seen: list[Death] = []
        self._origins: dict[int, int] = {}  # of the copies that were moved

    def enter(self, origin: int, space: int, direction: int, thing: int, colour: int) -> int:
        """Resolve a line, and follow who is moved or dies there."""
        era, noted = origin >> 4, self.deaths[0]
        before = self._copies(era)
        result = super().enter(origin, space, direction, thing, colour)
        gone = {copy: self._origins.pop(copy, copy) for copy in before - self._copies(era)}
        for entry in self.deaths[noted + 1 : self.deaths[0] + 1]:
            copy = entry & _COPY
            place = gone.pop(copy, copy) & _PLACE
            self.seen.append(Death(copy >> 6, place >> 4, place & 15, CAUSES[entry >> 8]))
        for copy, began in gone.items():
            self._origins[copy & ~15 | beyond(copy & 15, direction)] = began
        return result

    def _copies(self, era: int) -> set[int]:
        first = (self.at << 4) + era
        return {
            player << 6 | era << 4 | space
            for player in range(2)
            for space in range(16)
            if self.records[first + 3 * player] >> space & 1
        }


def _deaths_of_copies(
    before: "array[int]", after: "array[int]", action: int, effects: int
) -> tuple[Death, ...]:
    """Return the deaths of one action on boards without objects.

    Along a line of copies in motion colours alternate, so each of its spaces, and no other, has
    another occupant afterwards. A squish kills the farthest of them; a paradox the last two.
    """
    if not effects & (SQUISH | PARADOX):
        return ()
    era = next(era for era in range(3) if _changed(before, after, era))
    cause, dead = (SQUISH, 1) if effects & SQUISH else (PARADOX, 2)
    changed = _changed(before, after, era)
    line = [space for space in range(16) if changed >> space & 1]
    if action not in (NORTH, WEST):  # the farthest in motion first
        line.reverse()
    return tuple(
        Death(0 if before[era] >> space & 1 else 1, era, space, CAUSES[cause])
        for space in line[:dead]
    )


def _changed(before: "array[int]", after: "array[int]", era: int) -> int:
    """Return the spaces of an era whose occupant is another one now."""
    return before[era] ^ after[era] | before[3 + era] ^ after[3 + era]
