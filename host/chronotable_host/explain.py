"""What a sequence of actions did: step by step, who died, where and of what.

Everything is read off the engine's records; how a copy moves is known to ttykm.turns alone.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from ttykm import layout
from ttykm.layout import GONE, NORTH, RECORD_WORDS, WEST
from ttykm.notation import ERAS
from ttykm.turns import TurnTable


@dataclass(frozen=True)
class Death:
    """A copy that died: its player, where it stood before the action, and of what."""

    player: int
    era: int
    space: int  # 0..15
    cause: str  # squish or paradox

    def __str__(self) -> str:
        """Return the form of the examples, `B8 present (squish)`."""
        return f"{'WB'[self.player]}{self.space + 1} {ERAS[self.era]} ({self.cause})"


@dataclass(frozen=True)
class Step:
    """The position after one action: `active` is the copy's place, GONE for a dead one.

    `deaths` come farthest from the mover first (T22); the state still has the same mover.
    """

    state: "array[int]"
    active: int
    deaths: tuple[Death, ...]


def play_actions(
    state: "array[int]", space: int, actions: Sequence[int], options: int = 0
) -> list[Step]:
    """Act a sequence out, space 0..15 of the mover's focus era, at most two action codes.

    Returns one step per action; fewer where one is not possible. The duties of a turn (T11, T12)
    are not asked for.
    """
    table = TurnTable(4, 4)
    steps: list[Step] = []
    before = state
    for count in range(1, len(actions) + 1):
        first, second = (*actions[:count], 0)[:2]
        index = table.follow(state, layout.pack_sequence(space, first, second), options)
        if index < 0:
            break
        base = index * RECORD_WORDS
        after = array("H", state)
        table.copy(index, after)
        effects = table.records[base + layout.EFFECTS]
        deaths = _deaths(before, after, actions[count - 1], effects)
        steps.append(Step(after, table.records[base + layout.ACTIVE], deaths))
        before = after
    return steps


def can_act(state: "array[int]", place: int, action: int, options: int = 0) -> bool:
    """Tell whether the mover's copy at a place could take one action, whatever came before."""
    if place == GONE:
        return False
    here = array("H", state)
    bits = layout.FOCUS_SHIFT + 2 * layout.mover(state)
    here[layout.META] = here[layout.META] & ~(3 << bits) | place >> 4 << bits
    return bool(play_actions(here, place & 15, [action], options))


def _deaths(
    before: "array[int]", after: "array[int]", action: int, effects: int
) -> tuple[Death, ...]:
    """Return the deaths of one action.

    Along a line of copies in motion colours alternate, so each of its spaces, and no other, has
    another occupant afterwards. A squish kills the farthest of them; a paradox the last two.
    """
    if not effects & (layout.SQUISH | layout.PARADOX):
        return ()
    era = next(era for era in range(3) if _changed(before, after, era))
    cause, dead = ("squish", 1) if effects & layout.SQUISH else ("paradox", 2)
    changed = _changed(before, after, era)
    line = [space for space in range(16) if changed >> space & 1]
    if action not in (NORTH, WEST):  # the farthest in motion first
        line.reverse()
    return tuple(
        Death(0 if before[era] >> space & 1 else 1, era, space, cause) for space in line[:dead]
    )


def _changed(before: "array[int]", after: "array[int]", era: int) -> int:
    """Return the spaces of an era whose occupant is another one now."""
    return before[era] ^ after[era] | before[3 + era] ^ after[3 + era]
