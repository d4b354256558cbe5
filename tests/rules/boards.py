"""Positions and single actions of the oracle, with boards in short.

`W5 *6 | sh6 | T6 B16` are the past, the present and the future; hats as in position texts (`eD4w`).
A set of modules is the initials of their names: `GI`.
"""

from __future__ import annotations

from typing import Any

from tests.oracle.chapters import (
    Options,
    actions,
    format_position,
    parse_position,
)
from tests.oracle.invariants import check_outcome
from tests.oracle.pieces import MODULES
from tests.oracle.turns import COLOURS, ERAS, SPACES, Outcome, Position


def boards_of(text: str) -> list[list[str]]:
    """The words of each era."""
    return [era.split() for era in text.split("|")]


def position_of(modules: str, text: str, era: int, mover: str, **fields: Any) -> Position:
    """A position from boards; by default 5 seeds in all, and statues held that are not built."""
    chosen = [name for name in MODULES if name[0].upper() in modules]
    boards, objects = [], []
    for words in boards_of(text):
        copies = {int(w[1:]): w[0].lower() for w in words if w[0] in "WB"}
        boards.append("".join(copies.get(space, ".") for space in SPACES))
        objects.append(",".join(w for w in words if w[0] not in "WB") or "-")
    supply = fields.get("supply", 4)
    parts = ["/".join(boards), f"{era} {era} {supply} {supply} {mover}"]
    if chosen:
        parts += ["+".join(chosen), "/".join(objects)]
    if "growth" in chosen:
        parts.append(f"seeds={fields.get('seeds', 5 - text.count('*'))}")
    if "influence" in chosen:
        holders = [c for c in COLOURS if f"n{c.upper()}" not in text]
        parts.append(f"statues={fields.get('statues', ''.join(holders)) or '-'}")
    return parse_position(" ".join(parts))


def boards_from(position: Position) -> list[list[str]]:
    """Copies, then objects, of each era."""
    fields = format_position(position).split()
    objects = fields[7].split("/") if len(fields) > 6 else ["-"] * 3
    found = []
    for copies, era in zip(position.eras, objects, strict=True):
        words = [f"{colour.upper()}{space}" for space, colour in copies]
        found.append(sorted(words + [word for word in era.split(",") if word != "-"]))
    return found


def take(modules: str, start: str, active: str, action: str, **kw: Any) -> Outcome | None:
    """The outcome of an action of `active` (such as `W5 past`), None when it is illegal."""
    copy, era_name = active.split()
    era = ERAS.index(era_name)
    fields = {name: kw.pop(name) for name in ("seeds", "statues", "supply") if name in kw}
    position = position_of(modules, start, era, copy[0].lower(), **fields)
    place = (era, int(copy[1:]))
    outcome = actions(position, place, Options(**kw)).get(action)
    if outcome is not None:
        check_outcome(position, place, outcome)
    return outcome


def leads(modules: str, start: str, active: str, action: str, after: str, **kw: Any) -> Outcome:
    """Asserts that the action is legal, what it leads to and, with `dead`, who dies of what."""
    dead = kw.pop("dead", "")
    outcome = take(modules, start, active, action, **kw)
    assert outcome is not None, "illegal"
    found, expected = boards_from(outcome.position), [sorted(era) for era in boards_of(after)]
    assert found == expected, (found, expected)
    deaths = ", ".join(map(str, outcome.deaths))
    assert deaths == dead, (deaths, dead)
    return outcome


def illegal(modules: str, start: str, active: str, names: str, **kw: Any) -> None:
    """Asserts that none of the actions is legal."""
    for name in names.split():
        assert take(modules, start, active, name, **kw) is None, name
