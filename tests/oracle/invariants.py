"""What always holds in games with the chapters; each check raises AssertionError with a reason."""

from __future__ import annotations

from collections import Counter

from tests.oracle.pieces import (
    ELEPHANT_SPACES,
    MODULE_OF,
    SEEDS,
    STATUES,
    format_position,
    parse_position,
)
from tests.oracle.turns import COLOURS, ERAS, Outcome, Place, Position, copies_in, of_player

PIECES = 7  # T2


def require(holds: bool, why: str, position: Position) -> None:
    """Raise AssertionError with the reason and the position unless it holds."""
    if not holds:
        raise AssertionError(f"{why}: {format_position(position)}")


def names(position: Position, era: int, kind: str) -> list[str]:
    """The names of all things of a kind in one era, sorted."""
    return sorted(thing.name for _, thing in position.things[era] if thing.kind == kind)


def pieces_left(position: Position, colour: str) -> int:
    """A player's copies on the boards and in the supply."""
    on_boards = sum(len(copies_in(position, era, colour)) for era in range(len(ERAS)))
    return on_boards + of_player(position.supply, colour)


# ---- one position


def check_position(position: Position) -> None:
    """A position that games reach from `initial_position`: nothing lost, nothing doubled."""
    for colour in COLOURS:
        require(pieces_left(position, colour) <= PIECES, "more than seven pieces", position)
    for era in range(len(ERAS)):
        _check_spaces(position, era)
        _check_growth(position, era)
        _check_elephants(position, era)
    _check_seeds(position)
    _check_statues(position)
    require(parse_position(format_position(position)) == position, "text differs", position)


def _check_spaces(position: Position, era: int) -> None:
    """One thing per space; seeds share with copies only (G1, G2)."""
    copies = [space for space, _ in position.eras[era]]
    things = [space for space, _ in position.things[era]]
    spaces = [*copies, *things]
    require(len(set(spaces)) == len(spaces), "two things on a space", position)
    require(not position.sown[era] & set(things), "a seed under an object", position)
    for _, thing in position.things[era]:
        require(MODULE_OF[thing.kind] in position.modules, "not in play", position)


def _check_growth(position: Position, era: int) -> None:
    """Whatever grew has its seed in the era where that was planted (G6, G7, G9)."""
    roots = []
    for space, thing in position.things[era]:
        if thing.kind == "shrub":
            grown = era > 0 and space in position.sown[era - 1]
            require(grown, "a shrub without its seed", position)
        elif thing.kind in ("tree", "fallen"):
            root = thing.root or space
            grown = era > 1 and root in position.sown[era - 2]
            require(grown, "a tree without its seed", position)
            roots.append(root)
    require(len(set(roots)) == len(roots), "two trees of one seed", position)


def _check_seeds(position: Position) -> None:
    total = position.seeds + sum(map(len, position.sown))
    expected = SEEDS if "growth" in position.modules else 0
    require(total == expected, "seeds on boards and in supply", position)


def _check_statues(position: Position) -> None:
    """Neutral ones are everywhere; own ones, once built, in eras without a gap (I1, I8, I10)."""
    if "influence" not in position.modules:
        return
    found = [names(position, era, "statue") for era in range(len(ERAS))]
    for era in found:
        require(era.count("N") == 1, "one neutral statue per era", position)
        require(len(set(era)) == len(era), "two statues of one name", position)
    for colour, name in STATUES.items():
        eras = [era for era in range(len(ERAS)) if name in found[era]]
        if colour in position.statues:
            require(not eras, "statues built and held", position)
        else:
            without_gap = bool(eras) and eras == list(range(eras[0], eras[-1] + 1))
            require(without_gap, "own statues in eras with a gap", position)


def _check_elephants(position: Position, era: int) -> None:
    """Both elephants everywhere; per era at most one hat of a player (M4)."""
    expected = sorted(ELEPHANT_SPACES) if "memory" in position.modules else []
    require(names(position, era, "elephant") == expected, "both elephants", position)
    hats = Counter(thing.hat for _, thing in position.things[era] if thing.hat)
    require(all(count == 1 for count in hats.values()), "two hats of a player", position)


# ---- one action


def check_outcome(before: Position, active: Place, outcome: Outcome) -> None:
    """What one action may change, from any position at all (T23, I1, M1, I10)."""
    after = outcome.position
    for colour in COLOURS:
        dead = [death for death in outcome.deaths if death.colour.lower() == colour]
        left = pieces_left(after, colour)
        require(pieces_left(before, colour) == left + len(dead), "copies got lost", after)
        for death in dead:
            stood = (death.space, colour) in before.eras[ERAS.index(death.era)]
            require(stood, f"{death} did not stand there", before)
    for era in range(len(ERAS)):
        kept = set(names(before, era, "statue")) <= set(names(after, era, "statue"))
        require(kept, "a statue vanished", after)
        same = names(before, era, "elephant") == names(after, era, "elephant")
        require(same, "elephants come and go", after)
    seeds = [position.seeds + sum(map(len, position.sown)) for position in (before, after)]
    require(seeds[0] == seeds[1], "seeds got lost", after)
    # nothing reaches back in time but a copy that travels
    first = active[0] if outcome.active is None else min(active[0], outcome.active[0])
    for era in range(first):
        require(before.eras[era] == after.eras[era], "an earlier era changed", after)
    for era in range(active[0]):
        require(before.things[era] == after.things[era], "an earlier era changed", after)
        require(before.sown[era] == after.sown[era], "an earlier era changed", after)
    if outcome.active is not None:
        where, space = outcome.active
        require((space, before.mover) in after.eras[where], "the active copy is lost", after)
    require((before.mover, before.focus) == (after.mover, after.focus), "mover, focus", after)
