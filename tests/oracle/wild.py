"""Positions that no game reaches: anything anywhere, as long as no two things share a space."""

from __future__ import annotations

import random
from collections.abc import Iterable

from tests.oracle.pieces import ELEPHANT_SPACES, format_thing, in_order, parse_position
from tests.oracle.turns import COLOURS, ERAS, SPACES, STEPS, Position, Thing, space_beyond

MOST_COPIES = 5  # of a player in an era
MOST_PLANTS = 4  # of a kind in an era


def wild_position(rng: random.Random, modules: Iterable[str]) -> Position:
    """A random crowded position of these modules, the mover with a copy in his focus era."""
    played = in_order(modules)
    holders = [colour for colour in COLOURS if rng.random() < 0.5]
    statues = ["N", *(c.upper() for c in COLOURS if c not in holders)]
    mover = rng.choice(COLOURS)
    focus = {colour: rng.randrange(len(ERAS)) for colour in COLOURS}
    boards, objects = [], []
    for era in range(len(ERAS)):
        free = list(SPACES)
        rng.shuffle(free)
        copies = {
            free.pop(): colour
            for colour in COLOURS
            for _ in range(rng.randint((colour, era) == (mover, focus[mover]), MOST_COPIES))
        }
        things = {free.pop(): thing for thing in _things(rng, played, statues) if free}
        texts = {space: _text(rng, space, thing) for space, thing in things.items()}
        if "growth" in played:
            for space in [*copies, *free]:
                if rng.random() < 0.25:
                    texts[space] = f"*{space}"
        boards.append("".join(copies.get(space, ".") for space in SPACES))
        objects.append(",".join(texts.values()) or "-")
    tail = [str(focus["w"]), str(focus["b"]), str(rng.randint(0, 4)), str(rng.randint(0, 4)), mover]
    fields = ["/".join(boards), *tail]
    if played:
        fields += ["+".join(played), "/".join(objects)]
    if "growth" in played:
        fields.append(f"seeds={rng.randint(0, 5)}")
    if "influence" in played:
        fields.append(f"statues={''.join(holders) or '-'}")
    return parse_position(" ".join(fields))


def _things(rng: random.Random, played: tuple[str, ...], statues: list[str]) -> list[Thing]:
    found = []
    if "influence" in played:
        found += [Thing("statue", name) for name in statues if rng.random() < 0.85]
    if "memory" in played:
        hats = ["", *COLOURS]
        rng.shuffle(hats)
        found += [
            Thing("elephant", name, hat=hats.pop())
            for name in ELEPHANT_SPACES
            if rng.random() < 0.85
        ]
    if "growth" in played:
        for kind in ("shrub", "tree", "fallen"):
            found += [Thing(kind)] * rng.randint(0, MOST_PLANTS if kind == "tree" else 2)
    return found


def _text(rng: random.Random, space: int, thing: Thing) -> str:
    if thing.kind == "fallen":
        roots = [space_beyond(space, direction) for direction in STEPS]
        thing = thing._replace(root=rng.choice([root for root in roots if root is not None]))
    return format_thing(space, thing)
