"""Independent oracle of That Time You Killed Me, with its chapters (T, G, I, M and C rules).

Written from the rules text alone and sharing nothing with the engine it checks: sets, dicts, one
small function per rule, no speed tricks. Numbers such as G10 are those of `chronotable rules`.
It plays any set of modules, none of them included: that is the standard game.

What may enter where is decided by `entry` alone, one table. An action is carried out
on a `_Scene`: era by era, within an era from the far end of each line (T22, I6). The steps of a
turn are in turns.py, things, positions and their texts in pieces.py.
"""

from __future__ import annotations

from dataclasses import replace

from tests.oracle import turns
from tests.oracle.pieces import (
    DEFAULTS,
    ELEPHANT_SPACES,
    STATUES,
    Options,
    format_position,
    initial_position,
    parse_position,
)
from tests.oracle.turns import (
    ERAS,
    STEPS,
    Death,
    Outcome,
    Place,
    Position,
    Thing,
    Turn,
    check_active,
    copies_in,
    format_turn,
    of_player,
    space_beyond,
    with_one,
)

__all__ = [
    "DEFAULTS",
    "Options",
    "actions",
    "copies_in",
    "format_position",
    "format_turn",
    "initial_position",
    "legal_turns",
    "parse_position",
    "perft",
]

OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
OWN_SPACE = "o"

# ---- an action being carried out


class _Scene:
    """The boards while one action is carried out; starts as a copy of a position."""

    def __init__(self, position: Position, active: Place, options: Options) -> None:
        self.options = options
        self.things: list[dict[int, Thing]] = []  # per era: what occupies which space
        for copies, things in zip(position.eras, position.things, strict=True):
            occupied = {space: Thing("copy", colour) for space, colour in copies}
            self.things.append(occupied | dict(things))
        self.sown = [set(spaces) for spaces in position.sown]
        self.seeds = position.seeds
        self.active: Place | None = active
        self.deaths: list[Death] = []
        self.came_from: dict[Place, int] = {}  # where a copy that moved stood before the action
        self.moved: list[dict[str, str]] = [{}, {}, {}]  # per era: statue -> direction (I5)

    def outcome(self, position: Position) -> Outcome:
        """The result; focus, supply, mover and holders are those of the position given."""
        copies = [
            frozenset((space, thing.name) for space, thing in era.items() if thing.kind == "copy")
            for era in self.things
        ]
        others = [
            frozenset((space, thing) for space, thing in era.items() if thing.kind != "copy")
            for era in self.things
        ]
        sown = [frozenset(spaces) for spaces in self.sown]
        after = replace(
            position,
            eras=(copies[0], copies[1], copies[2]),
            things=(others[0], others[1], others[2]),
            sown=(sown[0], sown[1], sown[2]),
            seeds=self.seeds,
        )
        return Outcome(after, self.active, tuple(self.deaths))

    def find(self, era: int, kind: str, name: str) -> int | None:
        """The space of the statue or elephant of that name in an era, None if there is none."""
        for space, thing in self.things[era].items():
            if (thing.kind, thing.name) == (kind, name):
                return space
        return None


# ---- the entry table

BLOCKED = "blocked"
MOVERS = ("copy", "statue", "tree", "elephant")  # "tree": one that falls
ENTRY = {
    # occupant:     copy       statue     falling    elephant
    "nothing": ("enter", "enter", "enter", "enter"),
    "other copy": ("push", "push", "crush", "trample"),  # T17, I3, G11, M7
    "same copy": ("paradox", "push", "crush", "trample"),  # T19
    "shrub": (BLOCKED, BLOCKED, BLOCKED, "remove"),  # G3, C5, G11, C9
    "fallen": (BLOCKED, BLOCKED, BLOCKED, "remove"),
    "tree": ("send on", "send on", "send on", "send on"),  # G10, C5, G11, C10
    "statue": ("send on", "send on", "send on", "send on"),  # I2, I3, C6, C11
    "elephant": (BLOCKED, BLOCKED, BLOCKED, BLOCKED),  # M1, C10, C12, M7
}


def entry(scene: _Scene, era: int, mover: Thing, space: int | None, direction: str) -> str:
    """What becomes of the occupant when `mover` enters a space; BLOCKED if it cannot enter.

    Changes nothing: the whole line is looked at first (G14). Seeds never block.
    """
    if space is None:  # off board
        return BLOCKED
    occupant = scene.things[era].get(space)
    verb = ENTRY[_row(mover, occupant)][MOVERS.index(mover.kind)]
    if verb == "send on" and occupant and not _can_go_on(scene, era, occupant, space, direction):
        return BLOCKED
    return verb


def _row(mover: Thing, occupant: Thing | None) -> str:
    if occupant is None:
        return "nothing"
    if occupant.kind == "copy":
        return "same copy" if occupant == mover else "other copy"
    return occupant.kind


def _can_go_on(scene: _Scene, era: int, thing: Thing, space: int, direction: str) -> bool:
    """Whether a tree can fall, a statue can be pushed on: the table for the space behind."""
    if thing.kind == "statue" and thing.name in scene.moved[era]:
        return False  # I6: at most once per era per action
    return entry(scene, era, thing, space_beyond(space, direction), direction) != BLOCKED


# ---- what entering does


def _advance(scene: _Scene, era: int, origin: int, direction: str) -> bool:
    """The thing on `origin` goes one space on, with all that follows there; False if blocked."""
    mover = scene.things[era][origin]
    target = space_beyond(origin, direction)
    verb = entry(scene, era, mover, target, direction)
    if verb == BLOCKED or target is None:
        return False
    if verb == "paradox":  # T19, T21: both die, the target ends empty, nothing beyond is touched
        _kill(scene, era, target, "paradox")
        _kill(scene, era, origin, "paradox")
        return True
    _make_way(scene, era, target, direction, verb)
    del scene.things[era][origin]
    if mover.kind == "tree":
        _put(scene, era, Thing("fallen", root=origin), target)  # G10, G13
    else:
        _put(scene, era, mover, target)
    if mover.kind == "statue":
        scene.moved[era][mover.name] = direction
    if mover.kind == "copy":
        scene.came_from[era, target] = scene.came_from.pop((era, origin), origin)
        if scene.active == (era, origin):
            scene.active = (era, target)
    return True


def _make_way(scene: _Scene, era: int, space: int, direction: str, verb: str) -> None:
    """What the occupant does or suffers before the mover enters; the farthest is first (T22)."""
    if verb == "push":
        if not _advance(scene, era, space, direction):
            _kill(scene, era, space, "squish")  # T18, G3, G12, I2, M1
    elif verb == "crush":
        _kill(scene, era, space, "crushed")  # G11
    elif verb == "trample":
        _kill(scene, era, space, "trampled")  # M7
    elif verb == "remove":
        _flatten(scene, era, space)
    elif verb == "send on":
        _advance(scene, era, space, direction)


def _put(scene: _Scene, era: int, thing: Thing, space: int) -> None:
    """Something enters a free space; a seed there stays under a copy only (G2, G11, C3, C9)."""
    scene.things[era][space] = thing
    if thing.kind != "copy":
        _remove_seed(scene, era, space)


def _kill(scene: _Scene, era: int, space: int, cause: str) -> None:
    """A copy dies and leaves the game (T23, I11); named with its space before the action."""
    copy = scene.things[era].pop(space)
    before = scene.came_from.pop((era, space), space)
    scene.deaths.append(Death(copy.name.upper(), before, ERAS[era], cause))
    if scene.active == (era, space):
        scene.active = None


def _flatten(scene: _Scene, era: int, space: int) -> None:
    """An elephant removes a shrub or a fallen tree (C9)."""
    removed = scene.things[era].pop(space)
    if removed.kind == "shrub" and scene.options.shrub_removal_ungrows:  # C9
        _ungrow_tree(scene, era + 1, space)


def _remove_seed(scene: _Scene, era: int, space: int) -> None:
    """A seed goes back to the supply, and what grew from it goes at once (G8, G9, C2)."""
    if space not in scene.sown[era]:
        return
    scene.sown[era].remove(space)
    scene.seeds += 1
    # G9: each part is removed if it is there, also when the middle part is missing.
    if era + 1 < len(ERAS):
        shrub = scene.things[era + 1].get(space)
        if shrub is not None and shrub.kind == "shrub":
            del scene.things[era + 1][space]
    _ungrow_tree(scene, era + 2, space)


def _ungrow_tree(scene: _Scene, era: int, root: int) -> None:
    """The tree standing on a space, or lying with its roots towards it, is removed (G9)."""
    if era >= len(ERAS):
        return
    for space, thing in list(scene.things[era].items()):
        stands = thing.kind == "tree" and space == root
        lies = thing.kind == "fallen" and thing.root == root
        if stands or lies:
            del scene.things[era][space]


# ---- echoes (I5, I6)


def _echo_in_later_eras(scene: _Scene, era: int) -> None:
    """Statues that moved in an era move in the later ones, era by era (I6)."""
    for later in range(era + 1, len(ERAS)):
        _echo(scene, later)


def _echo(scene: _Scene, era: int) -> None:
    """What moved one era before tries to move in this one; the front-most first (I5, I6)."""
    waiting = []
    for name, direction in scene.moved[era - 1].items():
        space = scene.find(era, "statue", name)
        if space is not None:  # else the chain ends
            waiting.append((-_progress(space, direction), space, name, direction))
    for _, space, name, direction in sorted(waiting):
        if name not in scene.moved[era]:  # at most once per era per action
            _advance(scene, era, space, direction)


def _progress(space: int, direction: str) -> int:
    """How far a space lies in a direction."""
    row, column = divmod(space - 1, 4)
    rows, columns = STEPS[direction]
    return row * rows + column * columns


# ---- the actions of all modules


def _move(
    position: Position, active: Place, direction: str, pull: bool, options: Options
) -> Outcome | None:
    """MOVE, and perhaps pull the statue behind (T16-T23, I4); None when illegal."""
    era, space = active
    scene = _Scene(position, active, options)
    target = space_beyond(space, direction)
    behind = _statue_behind(scene, era, space, direction)
    if pull and behind is None:
        return None
    if entry(scene, era, scene.things[era][space], target, direction) == BLOCKED:
        dies = not pull and target is not None and _may_die(scene.things[era][target], options)
        if not dies:
            return None
        _kill(scene, era, space, "squish")
        return scene.outcome(position)
    _advance(scene, era, space, direction)
    if pull and behind is not None:
        if scene.active is None:  # I4: no pull if the mover died
            return None
        _advance(scene, era, behind, direction)
    _echo_in_later_eras(scene, era)
    return scene.outcome(position)


def _may_die(obstacle: Thing, options: Options) -> bool:
    """Whether a copy may walk into what blocks it, and die (G4, M2); a wall never counts."""
    if obstacle.kind == "elephant":
        return options.voluntary_suicide_elephant
    return options.voluntary_suicide


def _statue_behind(scene: _Scene, era: int, space: int, direction: str) -> int | None:
    """The space directly behind, if a statue stands there (I4)."""
    behind = space_beyond(space, OPPOSITE[direction])
    if behind is None:
        return None
    thing = scene.things[era].get(behind)
    return behind if thing is not None and thing.kind == "statue" else None


def _travel(position: Position, active: Place, step: int, options: Options) -> Outcome | None:
    """FORWARD (step 1) or BACKWARD (-1); None when illegal (T24-T28, T33, G2)."""
    era, space = active
    scene = _Scene(position, active, options)
    arrival = era + step
    if arrival not in range(len(ERAS)) or space in scene.things[arrival]:
        return None
    copy = scene.things[era][space]
    if step > 0:  # T24: nothing is left behind
        del scene.things[era][space]
    else:  # T25: a copy from the supply stands on the space that was left
        supply = of_player(position.supply, position.mover)
        if supply < 1:
            return None
        position = replace(position, supply=with_one(position.supply, position.mover, supply - 1))
    scene.things[arrival][space] = copy
    scene.active = (arrival, space)
    return scene.outcome(position)


def _space_at(active: Place, direction: str) -> int | None:
    """The own space for `o`, else the neighbour; None off board."""
    return active[1] if direction == OWN_SPACE else space_beyond(active[1], direction)


# ---- Growth


def _plant(position: Position, active: Place, direction: str, options: Options) -> Outcome | None:
    """PLANT, and growth in the later eras (G5-G7, C8, C10); None when illegal."""
    era, target = active[0], _space_at(active, direction)
    scene = _Scene(position, active, options)
    if target is None or scene.seeds < 1 or target in scene.sown[era]:
        return None
    occupant = scene.things[era].get(target)
    if occupant is not None and occupant.kind != "copy":
        return None
    scene.sown[era].add(target)
    scene.seeds -= 1
    # G6: the shrub, and only if it was placed the tree; each needs a space that holds nothing.
    for later, kind in zip(range(era + 1, len(ERAS)), ("shrub", "tree"), strict=False):
        if not _holds_nothing(scene, later, target):
            break
        scene.things[later][target] = Thing(kind)
    return scene.outcome(position)


def _holds_nothing(scene: _Scene, era: int, space: int) -> bool:
    return space not in scene.things[era] and space not in scene.sown[era]


def _dig(position: Position, active: Place, direction: str, options: Options) -> Outcome | None:
    """DIG UP, also under any copy (G8, G9); None when illegal."""
    era, target = active[0], _space_at(active, direction)
    scene = _Scene(position, active, options)
    if target is None or target not in scene.sown[era]:
        return None
    _remove_seed(scene, era, target)
    return scene.outcome(position)


# ---- Influence


def _build(position: Position, active: Place, direction: str, options: Options) -> Outcome | None:
    """BUILD, once per game and player (I7-I10, C4, C7, C12); None when illegal."""
    era, space = active
    target = space_beyond(space, direction)
    scene = _Scene(position, active, options)
    if position.mover not in position.statues or target is None:
        return None
    if not _holds_nothing(scene, era, target):  # I7, C4: completely empty
        return None
    statue = Thing("statue", STATUES[position.mover])
    _put(scene, era, statue, target)
    goes_on = True
    for later in range(era + 1, len(ERAS)):
        # I8: era by era. C2: within an era placing comes before moving, so the echoes of what
        # was pushed, and the extra step after a rebound (I9), come after the statue is placed.
        goes_on = goes_on and _place_statue(scene, later, statue, (space, target), direction)
        _echo(scene, later)
    holders = position.statues - {position.mover}
    return scene.outcome(replace(position, statues=holders))


def _place_statue(
    scene: _Scene, era: int, statue: Thing, spaces: tuple[int, int], direction: str
) -> bool:
    """Place a statue in a later era; False if here and later none is placed (I8, I9).

    `spaces`: the builder's, and the one built on in the builder's era.
    """
    builders, target = spaces
    if _set_down(scene, era, statue, target, direction):
        return True
    back = OPPOSITE[direction]
    if scene.options.build_blocked != "rebound_2021":
        return False
    if not _set_down(scene, era, statue, builders, back):
        return False
    scene.moved[era][statue.name] = back  # I5, I9: a rebound is a move, and echoes
    return True


def _set_down(scene: _Scene, era: int, statue: Thing, space: int, direction: str) -> bool:
    """Place a statue on a space, pushing in a direction what is there; False if it cannot be."""
    verb = entry(scene, era, statue, space, direction)
    if verb == BLOCKED:
        return False
    _make_way(scene, era, space, direction, verb)
    _put(scene, era, statue, space)
    return True


# ---- Memory


def _train(position: Position, active: Place, direction: str, options: Options) -> Outcome | None:
    """TRAIN the elephant next to the copy, here and in later eras (M3-M5); None when illegal."""
    era, space = active
    scene = _Scene(position, active, options)
    target = space_beyond(space, direction)
    elephant = scene.things[era].get(target) if target is not None else None
    if elephant is None or elephant.kind != "elephant" or elephant.hat == position.mover:
        return None
    for later in range(era, len(ERAS)):
        where = scene.find(later, "elephant", elephant.name)
        if where is None or scene.things[later][where].hat == position.mover:
            break
        _put_hat_on(scene, later, where, position.mover)
    return scene.outcome(position)


def _put_hat_on(scene: _Scene, era: int, where: int, colour: str) -> None:
    """One elephant gets a hat, and no other elephant of that era keeps one of that colour (M4)."""
    for space, thing in scene.things[era].items():
        if thing.kind == "elephant" and thing.hat == colour:
            scene.things[era][space] = thing._replace(hat="")
    scene.things[era][where] = scene.things[era][where]._replace(hat=colour)


def _command(
    position: Position, active: Place, name: str, direction: str, pull: bool, options: Options
) -> Outcome | None:
    """COMMAND an elephant that wears the mover's hat in this era (M6-M9, C9-C11); None: illegal.

    The elephant may pull a statue directly behind it, also when it tramples its commander.
    """
    era = active[0]
    scene = _Scene(position, active, options)
    space = scene.find(era, "elephant", name)
    if space is None or scene.things[era][space].hat != position.mover:
        return None
    behind = _statue_behind(scene, era, space, direction)
    if pull and behind is None:
        return None
    if not _advance(scene, era, space, direction):
        return None
    if pull and behind is not None:
        _advance(scene, era, behind, direction)
    _echo_in_later_eras(scene, era)  # M8: statues echo, elephants do not
    return scene.outcome(position)


# ---- all together


def actions(position: Position, active: Place, options: Options = DEFAULTS) -> dict[str, Outcome]:
    """All legal single actions of the mover's copy at (era, space), by their texts.

    Actions of a module not in play find nothing to act on: no seeds, statues or elephants.
    Raises ValueError when the mover has no copy there.
    """
    check_active(position, active)
    found: dict[str, Outcome | None] = {}
    for direction in STEPS:
        found[direction] = _move(position, active, direction, False, options)
        found[f"{direction}*"] = _move(position, active, direction, True, options)
    found["F"] = _travel(position, active, 1, options)
    found["B"] = _travel(position, active, -1, options)
    for direction in [*STEPS, OWN_SPACE]:
        found[f"p{direction}"] = _plant(position, active, direction, options)
        found[f"d{direction}"] = _dig(position, active, direction, options)
    for direction in STEPS:
        found[f"s{direction}"] = _build(position, active, direction, options)
        found[f"t{direction}"] = _train(position, active, direction, options)
        for name in ELEPHANT_SPACES:
            for pull in (False, True):
                text = f"c{name}:{direction}{'*' if pull else ''}"
                found[text] = _command(position, active, name, direction, pull, options)
    return {text: outcome for text, outcome in found.items() if outcome is not None}


def legal_turns(position: Position, options: Options = DEFAULTS) -> list[Turn]:
    """All legal turns (T7-T15, T29-T31)."""
    return turns.legal_turns(
        position,
        lambda before, active: actions(before, active, options),
        options.strict_two_actions,
    )


def perft(
    position: Position, depth: int, options: Options = DEFAULTS
) -> list[tuple[int, int, int]]:
    """Per depth 1..depth: (sequences, distinct positions, wins); won lines are not continued."""
    return turns.perft(position, depth, lambda before: legal_turns(before, options))
