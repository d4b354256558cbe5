"""The oracle, one rule at a time (G, I, M, C, T): actions.txt has what an action leads to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.oracle.chapters import actions, legal_turns
from tests.oracle.invariants import check_outcome
from tests.oracle.pieces import MODULES, Options, format_position, initial_position, parse_position
from tests.oracle.turns import COLOURS, ERAS, SPACES, Position, format_turn

TABLE = Path(__file__).with_name("actions.txt").read_text("utf-8")


def rows_by_rule() -> dict[str, list[str]]:
    """Return the rows of the table by their headings; what is indented goes on."""
    found: dict[str, list[str]] = {}
    _, *parts = TABLE.replace("\n#   ", " ").replace("\n  ", " ").split("\n# ")
    for part in parts:
        rule, *rows = part.splitlines()
        found[rule] = rows
    return found


RULES = rows_by_rule()


def boards_of(text: str) -> list[list[str]]:
    """The words of each era."""
    return [era.split() for era in text.split("|")]


def position_of(modules: str, text: str, era: int, mover: str, **there: Any) -> Position:
    """A position from boards, and what else is there."""
    chosen = [name for name in MODULES if name[0].upper() in modules]
    boards, objects = [], []
    for words in boards_of(text):
        copies = {int(w[1:]): w[0].lower() for w in words if w[0] in "WB"}
        boards.append("".join(copies.get(space, ".") for space in SPACES))
        objects.append(",".join(w for w in words if w[0] not in "WB") or "-")
    supply = there.get("supply", 4)
    parts = ["/".join(boards), f"{era} {era} {supply} {supply} {mover}"]
    if chosen:
        parts += ["+".join(chosen), "/".join(objects)]
    if "growth" in chosen:
        parts.append(f"seeds={there.get('seeds', 5 - text.count('*'))}")
    if "influence" in chosen:
        holders = [c for c in COLOURS if f"n{c.upper()}" not in text]
        parts.append(f"statues={there.get('statues', ''.join(holders)) or '-'}")
    return parse_position(" ".join(parts))


def boards_from(position: Position) -> list[list[str]]:
    """Copies and objects of each era, sorted."""
    fields = format_position(position).split()
    objects = fields[7].replace(",", " ").split("/") if len(fields) > 6 else ["-"] * 3
    return [
        sorted([f"{c.upper()}{space}" for space, c in copies] + era.replace("-", "").split())
        for copies, era in zip(position.eras, objects, strict=True)
    ]


def check(row: str) -> None:
    """Take the actions of a row, and compare what they lead to with what it says."""
    modules, start, acting, after, *rest = (field.strip() for field in row.split(";"))
    told = dict(field.split(" ", 1) for field in rest)
    words = told.get("with", "").split(", ")
    more: dict[str, Any] = {name: value for name, _, value in (w.partition("=") for w in words)}
    more.pop("", None)
    copy, era_name, *names = acting.split()
    place = (ERAS.index(era_name), int(copy[1:]))
    mover = copy[0].lower()
    there = {name: more.pop(name) for name in ("seeds", "statues", "supply") if name in more}
    position = position_of(modules, start, place[0], mover, **there)
    left = {name: more.pop(name) for name in ("active", "left", "holds") if name in more}
    stops = more.pop("stop_2023", None) is not None
    options = Options(
        build_blocked="stop_2023" if stops else "rebound_2021", **dict.fromkeys(more, True)
    )
    possible = actions(position, place, options)
    if after == "illegal":
        assert not {*names} & {*possible}
        return
    outcome = possible[names[0]]
    check_outcome(position, place, outcome)
    assert boards_from(outcome.position) == [sorted(era) for era in boards_of(after)]
    assert ", ".join(map(str, outcome.deaths)) == told.get("dead", "")
    its_end = [d for d in outcome.deaths if d[:3] == (copy[0], place[1], era_name)]
    assert (outcome.active is None) == bool(its_end)
    if "active" in left and outcome.active is not None:
        era, space = outcome.active
        assert f"{ERAS[era]} {space}" == left["active"]
    assert outcome.position.seeds == int(left.get("left", outcome.position.seeds))
    assert outcome.position.statues == {*left.get("holds", outcome.position.statues)}


@pytest.mark.parametrize("rule", RULES)
def test_actions_lead_to_what_the_rule_says(rule: str) -> None:
    assert RULES[rule]
    for row in RULES[rule]:
        check(row)


def test_the_table_has_every_row() -> None:
    assert (len(RULES), sum(map(len, RULES.values()))) == (60, 164)


def test_m6_whom_to_command() -> None:
    commands = [f"c{name}:{way}" for name in "DL" for way in "NESW"]
    position = position_of("M", "W1 eD6b eL11 | eD6w eL11w | ", 0, "w")
    assert not set(commands) & set(actions(position, (0, 1)))
    position = position_of("M", "W1 eD6w eL11b | | ", 0, "w")
    assert set(commands[:4]) == set(actions(position, (0, 1))) & set(commands)


def test_m6_in_the_era_that_was_travelled_to() -> None:
    position = position_of("M", "W1 eD6 | eD6w | ", 0, "w")
    texts = {turn.actions for turn in legal_turns(position)}
    assert ("F", "cD:E") in texts


def test_m9_a_dead_commander_ends_his_turn() -> None:
    position = position_of("M", "W5 eD6w | W1 | W1", 0, "w")
    alone = [t for t in legal_turns(position) if t.actions == ("cD:W",)]
    assert [turn.focus for turn in alone] == ["present", "future"]
    strict = legal_turns(position, Options(strict_two_actions=True))
    assert all(turn.actions[0] != "cD:W" for turn in strict)


def test_c1_set_ups() -> None:
    text = format_position(initial_position(MODULES))
    board = "w..............b"
    everything = "eD4,nN7,eL13"
    assert text == (
        f"{board}/{board}/{board} 0 2 4 4 w growth+influence+memory "
        f"{everything}/{everything}/{everything} seeds=5 statues=wb"
    )


def test_t12_t13_copies_that_cannot_act() -> None:
    """Objects can leave a copy, or all copies in the focus era, without any action."""
    walled = "sh1 | W1 sh2 sh5 {} | W1 B16"
    position = position_of("G", walled.format(""), 1, "w", seeds=0)
    assert [format_turn(turn) for turn in legal_turns(position)] == [">past", ">future"]
    position = position_of("G", walled.format("W16"), 1, "w", seeds=0)
    assert {turn.copy for turn in legal_turns(position)} == {16}
