"""Names of the chapters' objects, and how each is drawn in a terminal.

An object takes two columns, as a copy does: a copy has the seed under it in front, an elephant
its hat, a fallen tree an arrow behind, away from its roots. Colour is never the only channel.
"""

from array import array

from chronotable_host.rules.notation import PLAYER_NAMES
from ttykm import objects
from ttykm.objects import ELEPHANT, FALLEN, SEED, SHRUB, STATUE, TREE

SEED_MARK = "s"

_FALLEN = "^>v<"  # where to
_HATS = "wb"
_GROWN = "green"
_STATUES = ("bold yellow", "bold black on white", "bold white on black")
_ELEPHANTS = ("bold magenta", "bold cyan")


def name_of(kind: int) -> str:
    """Return what a kind of object is called, without an article."""
    if kind >= ELEPHANT:
        return ("dark", "light")[kind - ELEPHANT] + " elephant"
    if kind >= STATUE:
        return ("neutral", *(f"{name}'s" for name in PLAYER_NAMES))[kind - STATUE] + " statue"
    if kind >= FALLEN:
        return "fallen tree"
    return {SEED: "seed", SHRUB: "shrub", TREE: "tree"}[kind]


def with_article(kind: int) -> str:
    """Return what begins a sentence about an object, such as `A tree` or `White's statue`."""
    name = name_of(kind)
    if kind < STATUE:
        return f"A {name}"
    return name if name.startswith(PLAYER_NAMES) else f"The {name}"


def drawn(state: "array[int]", era: int, space: int) -> tuple[str, str]:
    """Return two columns and their style for an object on a space, empty texts where none is."""
    kind = objects.kind_at(state, era, space)
    if kind >= ELEPHANT:
        hat = objects.hat(state, era, kind - ELEPHANT)
        return (" " if hat < 0 else _HATS[hat]) + "DL"[kind - ELEPHANT], _ELEPHANTS[kind - ELEPHANT]
    if kind >= STATUE:
        return "n" + "NWB"[kind - STATUE], _STATUES[kind - STATUE]
    if kind >= FALLEN:
        return "F" + _FALLEN[kind - FALLEN], _GROWN
    return {SEED: f" {SEED_MARK}", SHRUB: "sh", TREE: " T"}.get(kind, ""), _GROWN


def legend(state: "array[int]") -> list[str]:
    """Return what the marks on the boards mean, objects of one name together."""
    marks: dict[str, list[str]] = {}
    hats = set()
    for era, space, kind in sorted(objects.objects_of(state), key=lambda found: found[2]):
        mark = drawn(state, era, space)[0]
        if kind >= ELEPHANT:
            hats.add(objects.hat(state, era, kind - ELEPHANT))
            mark = mark[1:]
        known = marks.setdefault(name_of(kind), [])
        if mark.strip() not in known:
            known.append(mark.strip())
    lines = [f"{' '.join(known)} {name}" for name, known in marks.items()]
    return lines + [f"{_HATS[hat]} {PLAYER_NAMES[hat]}'s hat" for hat in sorted(hats) if hat >= 0]


def supplies(state: "array[int]") -> str:
    """Return what is left of the objects that players place, "" for none in this game."""
    modules = objects.modules_of(state)
    parts = []
    if modules & objects.GROWTH:
        parts.append(f"seeds: {objects.seeds(state)}")
    if modules & objects.INFLUENCE:
        held = [
            name for player, name in enumerate(PLAYER_NAMES) if objects.holds_statue(state, player)
        ]
        parts.append(f"statue to build: {', '.join(held) or 'nobody'}")
    return "   ".join(parts)
