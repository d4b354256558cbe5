"""`verify`: the vectors pass, and whatever is changed in them is found and named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.cli import run
from chronotable_host.errors import UserError
from chronotable_host.vectors import Tally, verify_text
from tests import lanes
from tests.host.archives import Output

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
START = "w..............b/w..............b/w..............b 0 2 4 4 w"

Object = dict[str, Any]

GAME: Object = json.loads((VECTORS / "games_lenient.jsonl").read_text("utf-8").split("\n")[0])
EXAMPLES: dict[str, Object] = {
    example["id"]: example
    for example in json.loads((VECTORS / "ttykm_examples.json").read_text("utf-8"))["examples"]
}
PERFT: Object = json.loads((VECTORS / "perft.json").read_text("utf-8"))["perft"][0]

RECORD = """\
[White "Ada"]
[Black "Bob"]
[Result "*"]

1. 1 E F >present {quick}
2. 16 N N >past
"""


def check(value: Any, options: int = 0, depth: int = 3) -> tuple[str, list[str]]:
    """Verify a text or JSON value; return the counts and the differences."""
    tally = Tally()
    text = value if isinstance(value, str) else json.dumps(value, indent=1)
    found = [str(difference) for difference in verify_text(text, "file", tally, options, depth)]
    return str(tally), found


PASSED = "passed 1, failed 0, not covered 0"
FAILED = "passed 0, failed 1, not covered 0"
NOT_COVERED = "passed 0, failed 0, not covered 1"


# ---- the vectors


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("games.jsonl", "passed 60, failed 0, not covered 0"),
        ("games_lenient.jsonl", "passed 20, failed 0, not covered 0"),
        ("ttykm_examples.json", "passed 68, failed 0, not covered 0"),
        ("perft.json", "passed 36, failed 0, not covered 54"),
    ],
)
def test_vectors_pass(name: str, counts: str, capsys: Output) -> None:
    assert run(["verify", str(VECTORS / name), "--depth", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == counts
    assert err == ""


def test_perft_says_what_it_left_out(capsys: Output) -> None:
    assert run(["verify", str(VECTORS / "perft.json"), "--depth", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("42 perft rows deeper than 1 were not checked")
    assert lines[1:] == ["passed 18, failed 0, not covered 72"]


def test_report_as_json(tmp_path: Path, capsys: Output) -> None:
    game = {**GAME, "winner": "white" if GAME["winner"] == "black" else "black"}
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game) + "\n" + json.dumps(GAME) + "\n")
    assert run(["verify", str(file), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["passed"], report["failed"], report["not_covered"]) == (1, 1, 0)
    assert report["differences"] == [
        {
            "file": str(file),
            "case": "game 0",
            "turn": len(GAME["turns"]),
            "expected": f"{game['winner']} to win",
            "got": f"{GAME['winner']} to win",
        }
    ]


# ---- records


def test_record_passes() -> None:
    assert check(RECORD) == (PASSED, [])
    assert check("1. 1 E F >present") == (PASSED, [])
    assert check(RECORD + "\n" + RECORD)[0] == "passed 2, failed 0, not covered 0"


def test_record_with_an_illegal_turn_fails() -> None:
    counts, found = check(RECORD.replace("16 N N >past", "16 B N >past"))
    assert counts == FAILED
    assert found == [
        "file, the game, turn 2: expected a legal turn, got 16 B N >past is not legal: The same"
        " space of the era before is taken, so the copy cannot travel back (T25)."
    ]


def test_record_with_a_wrong_result_fails() -> None:
    text = '[Termination "normal"]\n' + RECORD.replace('"*"', '"1-0"')
    assert check(text) == (
        FAILED,
        ["file, the game, turn 2: expected 1-0 normal, got no win by the last turn (T29)"],
    )


def test_record_with_chapters_passes() -> None:
    text = '[Modules "growth"]\n' + RECORD.replace("1 E F", "1 E pE")
    assert check(text + "\n" + RECORD)[0] == "passed 2, failed 0, not covered 0"
    assert check(text.replace("pE", "dE"))[1] == [
        "file, the game, turn 1: expected a legal turn, got 1 E dE >present is not legal: There is"
        " no seed to dig up (G8)."
    ]


def test_record_of_another_game_is_not_covered() -> None:
    text = '[Modules "gardening"]\n' + RECORD
    assert check(text + "\n" + RECORD)[0] == "passed 1, failed 0, not covered 1"


# ---- games


def test_games_in_other_shapes() -> None:
    assert check(GAME) == (PASSED, [])  # alone, over several lines
    bare = {"turns": [{"copy": 1, "actions": ["e", "f"], "focus": "pres"}], "start": START}
    assert check(bare) == (PASSED, [])
    assert check({"start": START, "turns": ["1 E F >present"], "winner": None}) == (PASSED, [])
    assert check({"start": START, "turns": [], "final": START}) == (PASSED, [])


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "noself"},
        {"modules": "gardening"},
        {"options": {"bonus_actions": True}},
        {"options": "bonus_actions=true"},
        {"start": f"{START} gardening -/-/- seeds=5"},
    ],
)
def test_games_of_other_rules_are_not_covered(change: Object) -> None:
    assert check({**GAME, **change}) == (NOT_COVERED, [])


GROWN = ".w.............b/w..............b/w..............b 1 2 4 4 b growth *3/sh3/T3 seeds=4"


def test_games_with_chapters() -> None:
    turn = {"copy": 1, "actions": ["E", "pE"], "focus": "present", "pos": GROWN}
    game: Object = {"start": f"{START} growth -/-/- seeds=5", "turns": [turn], "final": GROWN}
    assert check(game) == (PASSED, [])
    assert check({**game, "modules": "Growth"}) == (PASSED, [])
    other = GROWN.replace("T3", "T4")
    assert check({**game, "final": other})[1] == [
        f"file, game 1, turn 1: expected {other} at the end, got {GROWN}"
    ]
    told = check({**game, "turns": ["1 pN E >past"]})[1][0]
    assert told.endswith("north of space 1 in the past, so the copy cannot plant there (G5).")


def test_options_of_a_game_add_to_those_of_the_command() -> None:
    """The strict reading from the command, who may walk into what from the file."""
    start = f"{START} growth sh2/-/- seeds=0"
    game: Object = {"start": start, "turns": ["1 E >present"]}
    assert check(game)[1][0].endswith("so the copy cannot move there (G4).")
    suicide = {**game, "options": {"voluntary_suicide": True}}
    assert check(suicide) == (PASSED, [])
    assert check({**game, "options": "Voluntary_Suicide=True"}) == (PASSED, [])
    assert check(suicide, options=1)[1][0].endswith("must leave the copy a second one (T14).")


def test_game_with_an_illegal_turn() -> None:
    game = {"id": "x", "start": START, "turns": ["1 E F >present", "16 N >past", "16 N >past"]}
    assert check(game) == (
        FAILED,
        [
            "file, game x, turn 2: expected 16 N >past to be legal, got The copy from space 16"
            " can take a second action, so it must (T11)."
        ],
    )


@lanes.gate
def test_each_change_of_a_game_is_found() -> None:
    """One at a time: every turn's position, focus and copy, the final position, the winner."""
    for index, turn in enumerate(GAME["turns"]):
        focus = next(e for e in ("past", "present", "future") if e != turn["focus"])
        for change in ({"pos": GAME["start"]}, {"focus": focus}):
            turns = [*GAME["turns"][:index], {**turn, **change}, *GAME["turns"][index + 1 :]]
            counts, found = check({**GAME, "turns": turns})
            assert counts == FAILED
            assert found[0].startswith(f"file, game 0, turn {index + 1}: expected ")
    final = {**GAME["final"], "supply": {"white": 7, "black": 7}}
    assert "7 7 " in check({**GAME, "final": final})[1][0]
    assert check({**GAME, "winner": None})[1][0].endswith(f"got {GAME['winner']} to win")
    assert check({**GAME, "turns": GAME["turns"][:-1]})[0] == FAILED


def test_mode_of_a_game_is_its_option() -> None:
    position = "w.............../w.....b...b...../w..............b 1 1 4 4 b"
    game: Object = {"start": position, "turns": ["7 S >past"]}
    assert check(game) == (PASSED, [])
    assert check(game, options=1)[0] == FAILED
    assert check({**game, "mode": "strict"})[0] == FAILED
    assert check({**game, "mode": "lenient"}, options=1)[0] == PASSED
    assert check({**game, "options": {"strict_two_actions": True}})[0] == FAILED
    assert check({**game, "options": "strict_two_actions=true"})[0] == FAILED


# ---- examples


def example(name: str, **change: Any) -> Object:
    return {"examples": [{**EXAMPLES[name], **change}]}


def test_examples_with_fields_missing() -> None:
    short = {key: EXAMPLES["XS3"][key] for key in ("start", "copy", "actions")}
    assert check({"examples": [short]}) == (PASSED, [])
    assert check({"examples": []})[0] == "passed 0, failed 0, not covered 0"
    assert check(example("XS5", active=None)) == (PASSED, [])
    assert check(example("XS3", dead=EXAMPLES["XS3"]["dead"][::-1])) == (PASSED, [])
    assert check(example("XS1", options={"bonus_actions": "yes"})) == (NOT_COVERED, [])


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("XS1", {"after": EXAMPLES["XS1"]["start"]}, "expected w..............b/.....wb"),
        ("XS1", {"active": "present 6"}, "expected active present 6, got present 7"),
        ("XS1", {"active": "dead"}, "expected active dead, got present 7"),
        ("XS5", {"active": "past 1"}, "expected active past 1, got dead"),
        ("XS2", {"dead": []}, "expected dead -, got B8 present (squish)"),
        ("XS2", {"dead": ["B8 present (paradox)"]}, "expected dead B8 present (paradox), got"),
        ("XS1", {"dead": ["B8 past (squish)"]}, "got -"),
        ("XS1", {"illegal_next": ["E"]}, "expected E to be illegal next, got that it is possible"),
        ("XS7", {"actions": ["B", "F"]}, "Space 7 in the present is taken"),
        ("XS1", {"copy": 5}, "White has no copy on space 5 in the present"),
        (
            "XS1",
            {"copy": 5, "actions": []},
            "expected 5 to be legal, got White has no copy on space 5",
        ),
        ("XS15", {"copy": 1, "actions": ["E"]}, "so it must be one of those (T12)."),
        (
            "XS15",
            {"copies_allowed": [1, 2, 5]},
            "expected copies [1, 2, 5] to be allowed, got [2, 5]",
        ),
        ("XS16", {"turns": [">past"]}, "expected 1 turns, got 2; missing [], besides ['>present']"),
        ("XS16", {"winner": None}, "expected no winner, got black to win after >past"),
        ("XS16b", {"winner": "white"}, "expected white to win, got no winner after >past"),
        ("XS5", {"options": {"strict_two_actions": True}}, "this game demands it"),
        ("XI10", {"options": {}}, "nW8/nW7,nN8/nW7 statues=b"),
        ("XI9", {"options": {"build_blocked": "stop_2023"}}, "nW8/nN8/- statues=b"),
        ("XG6", {"dead": ["B11 future (squish)"]}, "got B11 future (crushed)"),
        ("XM4", {"dead": []}, "expected dead -, got B3 past (trampled)"),
        (
            "XI2",
            {"dead": ["B8 present (squish)"]},
            "got B11 future (paradox), B12 future (paradox)",
        ),
        ("XM5", {"active": "past 3"}, "expected active past 3, got dead"),
        ("XM7", {"illegal_next": ["tE", "S"]}, "expected S to be illegal next, got that it is"),
        ("XM7", {"actions": ["tE"]}, "The dark elephant on space 4 in the past wears White's hat"),
    ],
)
def test_example_with_a_change(name: str, change: Object, told: str) -> None:
    counts, found = check(example(name, **change))
    assert counts == FAILED
    assert found[0].startswith(f"file, example {name}, turn 1: expected ")
    assert told in found[0]


# ---- perft


def test_perft_with_wrong_counts_tells_the_first_only() -> None:
    rows = [{**row, "sequences": row["sequences"] + 1} for row in PERFT["counts"]["lenient"]]
    counts = {"lenient": rows, "strict": PERFT["counts"]["strict"], "odd": [{}]}
    told, found = check({"perft": [{**PERFT, "counts": counts}]}, depth=3)
    assert told == "passed 3, failed 3, not covered 5"
    assert found == [
        "file, perft initial lenient depth 1: expected 17 sequences, 12 positions, 0 wins, got"
        " 16 sequences, 12 positions, 0 wins at depth 1"
    ]


def test_perft_in_other_shapes() -> None:
    entry = {"position": PERFT["position"], "counts": {"strict": [{"wins": 0}, {"positions": 144}]}}
    assert check({"perft": [entry]})[0] == "passed 2, failed 0, not covered 0"
    entry = {"pn": f"{START} gardening", "counts": {"lenient": [{}, {}]}}
    assert check({"perft": [entry]})[0] == "passed 0, failed 0, not covered 2"


def test_perft_with_chapters() -> None:
    """G15; the options of an entry hold in every mode."""
    rows = [{"sequences": 62}, {"sequences": 3844}]
    entry = {"pn": f"{START} growth -/-/- seeds=5", "counts": {"lenient": rows, "strict": rows}}
    assert check({"perft": [entry]}, depth=2) == ("passed 4, failed 0, not covered 0", [])
    walled = f"{START} growth sh2,sh5/-/- seeds=0"
    entry = {"pn": walled, "modules": "growth", "counts": {"lenient": [{"sequences": 2}]}}
    assert check({"perft": [entry]}) == (PASSED, [])
    entry = {**entry, "options": {"voluntary_suicide": True}}
    assert check({"perft": [entry]})[1][0].endswith(
        "expected 2 sequences, got 4 sequences at depth 1"
    )
    assert check({"perft": [{**entry, "options": {"bonus_actions": True}}]}) == (NOT_COVERED, [])


# ---- what is malformed


MALFORMED: list[tuple[Any, str]] = [
    ("", "file: the file is empty"),
    (" \n\n", "file: the file is empty"),
    ("[1, 2]", "not '[1, 2]'"),
    ('[{"start": 1}]', "a JSON list"),
    ("hello", "turn 1 is due"),
    ("{", "file, line 1: not JSON"),
    ('{"turns": []}\n{"turns"', "file, line 2: not JSON"),
    ('{"turns": []}\n7', "entry 2: a JSON object is due, not 7"),
    ("[" * 100_000, "a JSON list"),
    ('{"turns": ' + "[" * 100_000, "file"),
    ({"about": "nothing"}, "none of 'turns' (a game), 'perft' and 'examples'"),
    ({"turns": []}, "game 1: 'start' should be a text, not null"),
    ({"start": START, "turns": {}}, "game 1: 'turns' should be a list, not {}"),
    ({"start": START, "turns": [7]}, "game 1: turn 1: it should be an object, not 7"),
    ({"start": START, "turns": [{"copy": 1, "actions": ["E"]}]}, "turn 1: 'focus' is missing"),
    ({"start": START, "turns": ["1 E Q >past"]}, "turn 1: turn: 'Q' is none of the actions"),
    (
        {"start": START, "turns": [{"copy": 17, "actions": ["E"], "focus": "past"}]},
        "1 to 16, not 17",
    ),
    ({"start": START, "turns": [{"copy": True, "actions": ["E"], "focus": "past"}]}, "not true"),
    (
        {"start": START, "turns": [{"copy": 1, "actions": [], "focus": "past"}]},
        "one or two actions",
    ),
    ({"start": START, "turns": [{"copy": None, "actions": ["E"], "focus": "past"}]}, "'copy' is"),
    ({"start": START, "turns": [{"copy": None, "focus": 2}]}, "'focus' should be a text, not 2"),
    ({"start": START, "turns": [], "winner": "red"}, "'red' is none of white, black"),
    ({"start": START, "turns": [], "final": {"eras": []}}, "three eras are due, not 0"),
    ({"start": START, "turns": [], "mode": 3}, "'mode' should be a text, not 3"),
    ({"start": START, "turns": [], "options": {"strict_two_actions": 3}}, "'3' is neither true"),
    ({"start": START, "turns": [], "options": {"build_blocked": 1}}, "'1' is neither stop_2023"),
    (
        {"start": START, "turns": [], "modules": "growth"},
        "'modules' says growth, but 'start' is a position of standard",
    ),
    ({"start": START, "turns": [], "modules": 7}, "'modules' should be a text, not 7"),
    ({"examples": 7}, "file: 'examples' should be a list, not 7"),
    ({"examples": [{"start": START}]}, "example 1: it says neither"),
    ({"examples": [{"start": START, "copy": 1, "actions": ["E"] * 3}]}, "two actions, not 3"),
    ({"examples": [{"start": START, "copy": 1, "actions": [], "active": "x"}]}, "as 'present 7'"),
    ({"examples": [{"start": "x", "copy": 1}]}, "example 1: position: 1 of 6 fields"),
    ({"perft": [{"pn": START}]}, "file, perft 1: 'counts' is missing"),
    ({"perft": [{"pn": "x", "counts": {"strict": [{}]}}]}, "perft 1: position: 1 of 6"),
    ({"perft": [{"pn": START, "counts": {"strict": 1}}]}, "strict should be a list, not 1"),
    ({"perft": [{"pn": START, "counts": {"strict": [{"wins": "0"}]}}]}, 'a number, not "0"'),
    (RECORD.replace("2. ", "3. "), "line 6: turn 2 is due"),
    (RECORD + "\n" + RECORD.replace("]", "", 1), "file, game 2: line 8: a header reads"),
]


@pytest.mark.parametrize(("value", "told"), MALFORMED, ids=[told for _, told in MALFORMED])
def test_malformed_content_is_one_line(value: Any, told: str) -> None:
    with pytest.raises(UserError) as caught:
        check(value)
    assert str(caught.value).startswith("file")
    assert told in str(caught.value)
    assert len(str(caught.value)) < 300


def test_malformed_content_is_status_2(tmp_path: Path, capsys: Output) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"examples": [{}]}')
    assert run(["verify", str(VECTORS / "games_lenient.jsonl"), str(bad)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"chronotable: {bad}, example 1: ")
    assert err.count("\n") == 1
    bad.write_bytes(b"\xff\xfe")
    assert run(["verify", str(bad)]) == 2
    assert "not a text file in UTF-8 (byte 1 is wrong)" in capsys.readouterr().err


def test_a_game_of_the_archive_is_verified_by_its_name(tmp_path: Path, capsys: Output) -> None:
    assert run(["verify", "last", "--archive", str(tmp_path)]) == 2
    assert "it has none yet" in capsys.readouterr().err
    (tmp_path / "one.ttykm").write_text("1. 1 E F >present", "utf-8")
    for name in ("last", "one"):
        assert run(["verify", name, "--archive", str(tmp_path)]) == 0
        assert capsys.readouterr().out.startswith("passed 1, failed 0")
    assert run(["verify", "two", "--archive", str(tmp_path)]) == 2
    assert "two: cannot be read" in capsys.readouterr().err
