"""Checking games of a night against files: what only a wrong file shows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chronotable_host.cases import Case, DifferentError
from chronotable_host.errors import UserError
from chronotable_host.vectors import Tally, verify_text
from chronotable_night.games.shelf import kinds
from chronotable_night.games.verifying import cases, kind_of
from tests.games.courses import VECTORS

Object = dict[str, Any]

NAMES = ("timebreaker", "timechase", "timemit")


def illegal_of(name: str, **other: Any) -> Case:
    """Return the case of the first illegal action of a file that names a rule, changed a little."""
    kind = kinds()[name]
    file = json.loads((VECTORS / f"{name}_examples.json").read_text("utf-8"))
    first = next(each for each in file["illegal"] if each["rule"].split()[0] in kind.rules)
    changed = {**file, "examples": [], "illegal": [{**first, **other}]}
    return next(case for case in cases(kind, [changed]) if case.name == "illegal 1")


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_action_is_refused_by_the_rule_that_the_file_names(name: str) -> None:
    illegal_of(name).check()
    another = list(kinds()[name].rules)[-1]
    with pytest.raises(DifferentError) as found:
        illegal_of(name, rule=f"{another} and in words").check()
    assert found.value.expected == f"the rule {another}"
    assert found.value.got in kinds()[name].rules


def test_a_game_whose_name_is_no_word_is_none_of_these() -> None:
    assert kind_of([{"game": ["timechase"]}]) is None


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_that_is_told_in_words_alone_is_any_rule(name: str) -> None:
    illegal_of(name, rule="only these texts").check()


GAME: Object = json.loads((VECTORS / "timechase_games.jsonl").read_text("utf-8").split("\n")[0])
NEEDED = ("outcome", "players", "options", "seed", "start", "steps")
EXAMPLES: Object = json.loads((VECTORS / "timechase_examples.json").read_text("utf-8"))


@pytest.mark.parametrize(
    "broken",
    [
        *({key: GAME[key] for key in GAME if key != gone} for gone in NEEDED),
        {**GAME, "seed": "a number"},
        {**GAME, "data": {"gates": []}},
        {**GAME, "players": [], "steps": []},
        {**GAME, "players": 1_000_000},
        {**EXAMPLES, "examples": [{**EXAMPLES["examples"][0], "actions": [[0]]}]},
        {**EXAMPLES, "illegal": [{**EXAMPLES["illegal"][0], "state": {}}]},
    ],
)
def test_a_file_that_lacks_something_is_named_in_one_sentence(broken: Object) -> None:
    text = json.dumps(broken)
    with pytest.raises(UserError, match=r"^file, (game tc-3s-001|example \S+|illegal 1): ") as said:
        list(verify_text(text, "file", Tally()))
    assert "\n" not in str(said.value)
