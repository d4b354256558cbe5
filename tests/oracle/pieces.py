"""The modules, their pieces and options, how they are set up, and positions as texts.

Written from the rules and the texts' grammar alone, for the oracle in chapters.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tests.oracle.turns import (
    COLOURS,
    ERAS,
    SPACES,
    START_SUPPLY,
    STEPS,
    Board,
    Position,
    Spaces,
    Thing,
    Things,
    space_beyond,
)

MODULES = ("growth", "influence", "memory")  # in the order of writing
SEEDS = 5  # setup of chapter 1
NEUTRAL_SPACE = 7  # setup of chapter 2
ELEPHANT_SPACES = {"D": 4, "L": 13}  # setup of chapter 3
STATUES = {"w": "W", "b": "B"}  # the name of each player's own statues; "N" is the neutral one


@dataclass(frozen=True)
class Options:
    """The options of the rules, by their names there, with their defaults."""

    strict_two_actions: bool = False  # T14
    voluntary_suicide: bool = False  # G4
    voluntary_suicide_elephant: bool = False  # M2
    build_blocked: Literal["rebound_2021", "stop_2023"] = "rebound_2021"  # I9
    shrub_removal_ungrows: bool = False  # C9


DEFAULTS = Options()


MODULE_OF = {
    "seed": "growth",
    "shrub": "growth",
    "tree": "growth",
    "fallen": "growth",
    "statue": "influence",
    "elephant": "memory",
}


# ---- set-up


def in_order(modules: Iterable[str]) -> tuple[str, ...]:
    """Modules in the order of writing; ValueError for unknown names and for one named twice."""
    given = list(modules)
    found = tuple(name for name in MODULES if name in given)
    if len(found) != len(given):
        raise ValueError(f"modules are {', '.join(MODULES)}, each once, not {given}")
    return found


def initial_position(modules: Iterable[str] = (), first: str = "w") -> Position:
    """The set-up of any modules: standard, and what each chapter adds (T3, T4, C1)."""
    played = in_order(modules)
    board: Board = frozenset({(1, "w"), (16, "b")})
    things: set[tuple[int, Thing]] = set()
    if "influence" in played:
        things.add((NEUTRAL_SPACE, Thing("statue", "N")))
    if "memory" in played:
        things |= {(space, Thing("elephant", name)) for name, space in ELEPHANT_SPACES.items()}
    era, nothing = frozenset(things), Spaces()
    return Position(
        eras=(board, board, board),
        focus=(0, 2) if first == "w" else (2, 0),
        supply=(START_SUPPLY, START_SUPPLY),
        mover=first,
        modules=played,
        things=(era, era, era),
        sown=(nothing, nothing, nothing),
        seeds=SEEDS if "growth" in played else 0,
        statues=frozenset(COLOURS if "influence" in played else ()),
    )


# ---- reading

SEED_TEXT = re.compile(r"\*([0-9]+)")
SHRUB_TEXT = re.compile(r"sh([0-9]+)")
TREE_TEXT = re.compile(r"T([0-9]+)")
FALLEN_TEXT = re.compile(r"F([0-9]+)<([0-9]+)")
STATUE_TEXT = re.compile(r"n([NWB])([0-9]+)")
ELEPHANT_TEXT = re.compile(r"e([DL])([0-9]+)([wb]?)")


def parse_position(text: str) -> Position:
    """Read a position line as `format_position` writes it.

    Raises ValueError, also for what the rules give no meaning: two statues of one name or two
    elephants of one name in an era, a player's statue on a board while he still holds it, a
    fallen tree whose roots are not on a neighbouring space.
    """
    fields = text.split()
    if len(fields) < 6:
        raise ValueError(f"a position has six fields and more, not {len(fields)}: {text!r}")
    written, foci, supplies, mover = fields[0].split("/"), fields[1:3], fields[3:5], fields[5]
    if len(written) != 3 or any(not re.fullmatch(r"[.wb]{16}", board) for board in written):
        raise ValueError(f"three eras of 16 characters . w b are needed: {text!r}")
    if any(not re.fullmatch(r"[012]", field) for field in foci):
        raise ValueError(f"a focus is 0, 1 or 2: {text!r}")
    if any(not re.fullmatch(r"[0-9]+", field) for field in supplies):
        raise ValueError(f"a supply is a number: {text!r}")
    if mover not in COLOURS:
        raise ValueError(f"the mover is w or b: {text!r}")
    boards = [
        frozenset((space, at) for space, at in enumerate(board, 1) if at != ".")
        for board in written
    ]
    modules = in_order(fields[6].split("+")) if len(fields) > 6 else ()
    rest = fields[7:]
    eras = rest.pop(0).split("/") if modules and rest else ["-"] * len(ERAS)
    seeds = _parse_named("seeds", r"[0-9]+", rest) if "growth" in modules else "0"
    statues = _parse_named("statues", r"w|b|wb|bw|-", rest) if "influence" in modules else "-"
    if rest or len(eras) != len(ERAS):
        raise ValueError(f"fields that do not belong to the modules: {text!r}")
    objects = [[_parse_object(word) for word in _words(era)] for era in eras]
    things = [frozenset((s, thing) for s, thing in era if thing.kind != "seed") for era in objects]
    sown = [frozenset(space for space, thing in era if thing.kind == "seed") for era in objects]
    for era, found in enumerate(objects):
        _check_era(dict(boards[era]), found, modules)
    holders = frozenset(statues) - {"-"}
    _check_holders(holders, things)
    return Position(
        eras=(boards[0], boards[1], boards[2]),
        focus=(int(foci[0]), int(foci[1])),
        supply=(int(supplies[0]), int(supplies[1])),
        mover=mover,
        modules=modules,
        things=(things[0], things[1], things[2]),
        sown=(sown[0], sown[1], sown[2]),
        seeds=int(seeds),
        statues=holders,
    )


def _parse_named(name: str, pattern: str, rest: list[str]) -> str:
    """Take the field `name=value` from the front of the rest."""
    found = re.fullmatch(f"{name}=({pattern})", rest.pop(0)) if rest else None
    if found is None:
        raise ValueError(f"a field {name}=... is needed")
    return found[1]


def _words(era: str) -> list[str]:
    return [] if era == "-" else era.split(",")


def _parse_object(word: str) -> tuple[int, Thing]:
    if found := SEED_TEXT.fullmatch(word):
        return int(found[1]), Thing("seed")
    if found := SHRUB_TEXT.fullmatch(word):
        return int(found[1]), Thing("shrub")
    if found := TREE_TEXT.fullmatch(word):
        return int(found[1]), Thing("tree")
    if found := FALLEN_TEXT.fullmatch(word):
        return int(found[1]), Thing("fallen", root=int(found[2]))
    if found := STATUE_TEXT.fullmatch(word):
        return int(found[2]), Thing("statue", found[1])
    if found := ELEPHANT_TEXT.fullmatch(word):
        return int(found[2]), Thing("elephant", found[1], hat=found[3])
    raise ValueError(f"not an object: {word!r}")


def _check_era(
    copies: dict[int, str], objects: list[tuple[int, Thing]], modules: tuple[str, ...]
) -> None:
    spaces = [space for space, _ in objects]
    if len(set(spaces)) != len(spaces):
        raise ValueError(f"two objects on one space: {objects}")
    names = [(thing.kind, thing.name) for _, thing in objects if thing.name]
    if len(set(names)) != len(names):
        raise ValueError(f"two statues or two elephants of one name in one era: {objects}")
    for space, thing in objects:
        if MODULE_OF[thing.kind] not in modules:
            raise ValueError(f"a {thing.kind} needs the module {MODULE_OF[thing.kind]}")
        if space not in SPACES:
            raise ValueError(f"there is no space {space}")
        if thing.kind != "seed" and space in copies:
            raise ValueError(f"a copy and a {thing.kind} on space {space}")  # G1, G2
        if thing.kind == "fallen" and space not in _neighbours(thing.root):
            raise ValueError(f"the roots of a tree on {space} are not on {thing.root}")  # G13


def _neighbours(space: int) -> set[int | None]:
    if space not in SPACES:
        return set()
    return {space_beyond(space, direction) for direction in STEPS}


def _check_holders(holders: frozenset[str], things: list[Things]) -> None:
    """Nobody both holds his statues and has one on a board (I7: once per game)."""
    built = {thing.name for era in things for _, thing in era if thing.kind == "statue"}
    for holder in holders:
        if STATUES[holder] in built:
            raise ValueError(f"the statues of {holder} are built and still held")


# ---- writing


def format_position(position: Position) -> str:
    """Write a position line; six fields without chapters."""
    copies = [dict(board) for board in position.eras]
    boards = "/".join("".join(board.get(space, ".") for space in SPACES) for board in copies)
    fields = [boards, *map(str, position.focus + position.supply), position.mover]
    if position.modules:
        fields.append("+".join(position.modules))
        fields.append("/".join(_format_era(position, era) for era in range(len(ERAS))))
    if "growth" in position.modules:
        fields.append(f"seeds={position.seeds}")
    if "influence" in position.modules:
        holders = "".join(colour for colour in COLOURS if colour in position.statues)
        fields.append(f"statues={holders or '-'}")
    return " ".join(fields)


def _format_era(position: Position, era: int) -> str:
    texts = {space: f"*{space}" for space in position.sown[era]}
    texts.update((space, format_thing(space, thing)) for space, thing in position.things[era])
    return ",".join(texts[space] for space in sorted(texts)) or "-"


def format_thing(space: int, thing: Thing) -> str:
    """Write one object on a space, such as `F11<10` or `eL13w`."""
    return {
        "shrub": f"sh{space}",
        "tree": f"T{space}",
        "fallen": f"F{space}<{thing.root}",
        "statue": f"n{thing.name}{space}",
        "elephant": f"e{thing.name}{space}{thing.hat}",
    }[thing.kind]
