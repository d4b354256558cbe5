"""Names of the chapters' objects, and how each is drawn in a terminal.

An object takes two columns, as a copy does: a copy has the seed under it in front, an elephant
its hat, a fallen tree an arrow behind, away from its roots. Colour is never the only channel.
"""

from array import array

from chronotable_host.language import names, tr, tr_c
from ttykm import objects
from ttykm.objects import ELEPHANT, FALLEN, SEED, SHRUB, STATUE, TREE

SEED_MARK = "s"

_FALLEN = "^>v<"  # where to
_HATS = "wb"
_GROWN = "green"
_STATUES = ("bold yellow", "bold black on white", "bold white on black")
_ELEPHANTS = ("bold magenta", "bold cyan")

_NAMES = {
    SEED: tr("seed"),
    SHRUB: tr("shrub"),
    TREE: tr("tree"),
    FALLEN: tr("fallen tree"),
    STATUE: tr("neutral statue"),
    STATUE + 1: tr("White's statue"),
    STATUE + 2: tr("Black's statue"),
    ELEPHANT: tr("dark elephant"),
    ELEPHANT + 1: tr("light elephant"),
}
_BEGINNINGS = {
    SEED: tr("A seed"),
    SHRUB: tr("A shrub"),
    TREE: tr("A tree"),
    FALLEN: tr("A fallen tree"),
    STATUE: tr("The neutral statue"),
    STATUE + 1: tr_c("beginning of a sentence", "White's statue"),
    STATUE + 2: tr_c("beginning of a sentence", "Black's statue"),
    ELEPHANT: tr("The dark elephant"),
    ELEPHANT + 1: tr("The light elephant"),
}

COPIES = (tr("white copy"), tr("black copy"))
MARKERS = (tr("white focus marker"), tr("black focus marker"))
"""What is called so is a player's."""
UNKNOWN = tr("unknown piece")


def name_of(kind: int) -> str:
    """Return what a kind of object is called, without an article."""
    return _NAMES[_without_direction(kind)]


def with_article(kind: int) -> str:
    """Return what begins a sentence about an object, such as `A tree` or `White's statue`."""
    return _BEGINNINGS[_without_direction(kind)]


def name_of_fallen(kind: int) -> str:
    """Return what a fallen tree is called where it is said where to it fell."""
    return tr("fallen tree towards {direction}", direction=names.DIRECTIONS[kind - FALLEN])


def name_with_hat(kind: int, player: int) -> str:
    """Return what an elephant is called that wears a player's hat."""
    return tr("{elephant} with {player}'s hat", elephant=_NAMES[kind], player=names.PLAYERS[player])


def _without_direction(kind: int) -> int:
    return FALLEN if FALLEN < kind < STATUE else kind


def object_cell(state: "array[int]", era: int, space: int) -> tuple[str, str]:
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
        mark = object_cell(state, era, space)[0]
        if kind >= ELEPHANT:
            hats.add(objects.hat(state, era, kind - ELEPHANT))
            mark = mark[1:]
        known = marks.setdefault(name_of(kind), [])
        if mark.strip() not in known:
            known.append(mark.strip())
    lines = [f"{' '.join(known)} {name}" for name, known in marks.items()]
    worn = [hat for hat in sorted(hats) if hat >= 0]
    return lines + [
        f"{_HATS[hat]} " + tr("{player}'s hat", player=names.PLAYERS[hat]) for hat in worn
    ]


def supplies(state: "array[int]") -> str:
    """Return what is left of the objects that players place, "" for none in this game."""
    modules = objects.modules_of(state)
    parts = []
    if modules & objects.GROWTH:
        parts.append(tr("seeds left to plant: {seeds}", seeds=objects.seeds(state)))
    if modules & objects.INFLUENCE:
        held = [
            name for player, name in enumerate(names.PLAYERS) if objects.holds_statue(state, player)
        ]
        players = ", ".join(held) or tr_c("has a statue to build", "nobody")
        parts.append(tr("may build a statue: {players}", players=players))
    return "   ".join(parts)
