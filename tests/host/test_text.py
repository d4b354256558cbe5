"""The sentences, the drawing, and what action_replay reads off the engine's records."""

from __future__ import annotations

import io
import json
import random
from array import array
from itertools import combinations
from pathlib import Path

import pytest
from rich.console import Console

from chronotable_host.errors import UserError, one_line
from chronotable_host.rules import objections, refusals
from chronotable_host.rules.action_replay import Death, can_act, play_actions
from chronotable_host.rules.board_drawing import Highlights, can_draw_lines, draw
from chronotable_host.rules.notation import (
    ACTIONS,
    NotationError,
    format_position,
    parse_action,
    parse_options,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.reason_texts import reason_text, why_text
from tests import lanes, sweep
from tests.oracle import chapters
from tests.oracle.pieces import MODULES
from tests.rules.samples import wild
from ttykm import reasons
from ttykm.game import Game
from ttykm.layout import GONE, STRICT_TWO_ACTIONS, new_state

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
CODES_OF_MODULES = range(objections.FIRST, objections.FIRST + len(objections.RULES_OF_MODULES))
CODES = [*range(1, len(refusals.RULES)), *CODES_OF_MODULES]
WHITE_FIRST = "w..............b/w..............b/w..............b 0 2 4 4 w"


def game_at(position: str, options: int = 0) -> Game:
    game = Game()
    game.start(parse_position(position), options)
    return game


# ---- sentences


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_sentence_that_names_its_rule(code: int) -> None:
    sentence = reason_text(code)
    assert sentence.endswith(f" ({refusals.rule(code)}).")
    assert sentence[0].isupper()
    assert "\n" not in sentence


def test_what_is_legal_needs_no_sentence() -> None:
    assert reason_text(reasons.LEGAL) == ""
    assert why_text(game_at(WHITE_FIRST), parse_turn("1 E F >present")) == ""


WHY = [
    (WHITE_FIRST, "1 N E >future", "There is a wall north of space 1 in the past, so the copy"
     " cannot move there (T16)."),
    (WHITE_FIRST, "1 E N >future", "There is a wall north of space 2 in the past, so the copy"
     " cannot move there (T16)."),
    (WHITE_FIRST, "1 F E >future", "Space 1 in the present is taken, so the copy cannot travel"
     " forward (T24)."),
    (WHITE_FIRST, "1 B E >future", "There is no era beyond the past, so the copy cannot travel back"
     " (T26)."),
    (WHITE_FIRST, "2 E E >future", "White has no copy on space 2 in the past, where the focus is"
     " (T7)."),
    (WHITE_FIRST, "1 E E >past", "White's focus is in the past already, and it must go to another"
     " era (T15)."),
    (WHITE_FIRST, ">future", "White has a copy in the past that can act, so the focus cannot just"
     " shift (T11)."),
    (WHITE_FIRST, "1 E >future", "The copy from space 1 can take a second action, so it must"
     " (T11)."),
    (
        "...............b/......b........./......b........b 0 2 4 0 b",
        "7 B E >past",
        "Space 7 in the present is taken, so the copy cannot travel back (T25).",
    ),
    (
        "...............b/................/......b........b 0 2 4 0 b",
        "7 B E >past",
        "Black's supply is empty, so the copy cannot travel back (T27).",
    ),
    (
        "ww..w.........../w.w.....b......./.b.............. 0 0 4 4 w",
        "1 E >future",
        "Another copy in the past can take more actions than the one on space 1, so it must be"
        " one of those (T12).",
    ),
    (
        "w.............../w.....b...b...../w..............b 1 1 4 4 b",
        "7 S E >past",
        "The copy died in its first action, so it cannot take a second one (T14).",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("position", "turn", "sentence"), WHY, ids=[why[1] for why in WHY])
def test_why(position: str, turn: str, sentence: str) -> None:
    assert why_text(game_at(position), parse_turn(turn)) == sentence


WHY_OF_MODULES = [
    ("growth sh2/-/- seeds=5", "1 E S", "A shrub is on space 2 in the past, so the copy cannot move"
     " there (G4)."),
    ("growth F2<3/-/- seeds=5", "1 E S", "A fallen tree is on space 2 in the past, so the copy"
     " cannot move there (G4)."),
    ("growth sh3/-/- seeds=5", "1 E E", "A shrub is on space 3 in the past, so the copy cannot move"
     " there (G4)."),
    ("growth T2,sh3/-/- seeds=5", "1 E S", "The tree on space 2 in the past cannot fall east, so"
     " the copy cannot move there (G12)."),
    ("influence nB5,nN9,nW13/-/- statues=-", "1 S S", "Black's statue on space 5 in the past"
     " cannot be pushed south, so the copy cannot move there (I2)."),
    ("memory eL2/-/-", "1 E S", "The light elephant is on space 2 in the past, so the copy cannot"
     " move there (M2)."),
    ("growth -/sh2/- seeds=5", "1 E F", "A shrub is on space 2 in the present, so the copy cannot"
     " travel forward (T33)."),
    ("influence -/nN2/- statues=wb", "1 E F", "The neutral statue is on space 2 in the present,"
     " so the copy cannot travel forward (T33)."),
    ("influence -/-/- statues=wb", "1 E* E", "No statue is right behind space 1 in the past, so a"
     " move east pulls none (I4)."),
    ("growth -/-/- seeds=0", "1 pE E", "No seed is left to plant (G5)."),
    ("growth -/-/- seeds=5", "1 pN E", "There is a wall north of space 1 in the past, so the"
     " copy cannot plant there (G5)."),
    ("growth *1/-/- seeds=4", "1 po E", "A seed is on space 1 in the past, so the copy cannot plant"
     " there (G5)."),
    ("growth+influence nW2/-/- seeds=5 statues=b", "1 pE E", "White's statue is on space 2 in the"
     " past, so the copy cannot plant there (C8)."),
    ("growth+memory eD2/-/- seeds=5", "1 pE E", "The dark elephant is on space 2 in the past, so"
     " the copy cannot plant there (C10)."),
    ("growth -/-/- seeds=5", "1 do E", "There is no seed on space 1 in the past to dig up (G8)."),
    ("growth -/-/- seeds=5", "1 dN E", "There is no seed beyond the wall north of space 1 in the"
     " past to dig up (G8)."),
    ("influence nW3/-/- statues=b", "1 sE E", "White's own statue is built already, and there is"
     " no other (I7)."),
    ("influence -/-/- statues=w", "1 sW E", "There is a wall west of space 1 in the past, so the"
     " copy cannot build there (I7)."),
    ("influence nN2/-/- statues=w", "1 sE E", "Space 2 in the past is not empty, so the copy cannot"
     " build there (I7)."),
    ("growth+influence *2/-/- seeds=4 statues=w", "1 sE E", "A seed is on space 2 in the past, so"
     " the copy cannot build there (C4)."),
    ("memory eL2/-/-", "1 tS E", "There is no elephant on space 5 in the past to train (M3)."),
    ("memory eL2w/-/-", "1 tE E", "The light elephant on space 2 in the past wears White's hat"
     " already (M3)."),
    ("memory eD6b/-/-", "1 cD:N E", "No dark elephant in the past wears White's hat, so none"
     " obeys (M6)."),
    ("memory eL4w/-/-", "1 cL:N E", "There is a wall north of the light elephant in the past, so"
     " it cannot move there (M7)."),
    ("memory eL4w,eD8/-/-", "1 cL:S E", "The dark elephant is on space 8 in the past, so the"
     " light one cannot move there (M7)."),
    ("growth+memory eD10w,T9/-/- seeds=5", "1 cD:W E", "The tree on space 9 in the past cannot"
     " fall west, so the dark elephant cannot move there (C10)."),
    ("influence+memory eD10w,nN9/-/- statues=-", "1 cD:W E", "The neutral statue on space 9 in"
     " the past cannot be pushed west, so the dark elephant cannot move there (C11)."),
    ("influence+memory eD10w/-/- statues=-", "1 cD:W* E", "No statue is right behind the dark"
     " elephant in the past, so a move west pulls none (C11)."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("things", "turn", "sentence"),
    WHY_OF_MODULES,
    ids=[f"{why[1]} {why[0]}" for why in WHY_OF_MODULES],
)
def test_why_with_objects(things: str, turn: str, sentence: str) -> None:
    game = game_at(f"{WHITE_FIRST} {things}")
    assert why_text(game, parse_turn(f"{turn} >future")) == sentence


def test_why_no_pull_where_the_mover_dies() -> None:
    game = game_at(
        ".ww............b/w..............b/w..............b 0 2 4 4 w influence nN1/-/- statues=-"
    )
    assert why_text(game, parse_turn("2 E* E >future")) == (
        "The copy would die in its move east, so it pulls no statue (I4)."
    )


@pytest.mark.parametrize("modules", ["", " memory -/-/-"])
def test_an_action_of_a_game_that_is_not_played_is_as_unknown_as_any(modules: str) -> None:
    """The chapters are secrets: nothing tells one of their actions from a slip."""
    for known, slip in (("pN", "qN"), ("sE", "aE"), ("E*", "E!")):
        with pytest.raises(NotationError) as caught:
            parse_turn(f"1 {slip} E >future")
        why = why_text(game_at(WHITE_FIRST + modules), parse_turn(f"1 {known} E >future"))
        assert why == str(caught.value).replace(slip, known)
    assert why_text(game_at(WHITE_FIRST), 1 << 16 | 60 << 6) == (
        "There is no such action in this game (T7)."
    )


def test_why_under_the_strict_reading() -> None:
    game = game_at(
        "w.............../w.....b...b...../w..............b 1 1 4 4 b", STRICT_TWO_ACTIONS
    )
    assert why_text(game, parse_turn("7 S >past")).endswith("(T14).")
    assert "demands" in why_text(game, parse_turn("7 S >past"))


def test_why_after_the_end() -> None:
    game = game_at("...............b/w....w....b...../................ 0 2 4 4 b")
    game.apply(parse_turn(">past"))
    sentence = "Black has won, so there are no more turns (T29)."
    assert why_text(game, parse_turn("1 E E >past")) == sentence


def test_why_speaks_of_every_illegal_turn() -> None:
    """Whatever is wrong, a whole sentence comes out, and only where the engine refuses."""
    seed = 20261120
    print("seed", seed)
    rng = random.Random(seed)
    game = Game()
    for _ in range(400):
        legal = list(game.legal_turns())
        if not legal:
            game.start(new_state(), 0)
            continue
        turn = rng.randrange(3) << 16 | rng.randrange(16) << 12
        turn |= rng.randrange(8) << 6
        turn |= rng.randrange(8) if turn & 0xFC0 else 0
        sentence = why_text(game, turn)
        assert (sentence == "") == (turn in legal)
        assert "{" not in sentence
        game.apply(rng.choice(legal))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_why_speaks_of_every_illegal_action_with_objects(size: int) -> None:
    seed = 5
    print("seed", seed)
    rng = random.Random(seed)
    for modules in combinations(MODULES, size):
        for _ in range(sweep.size(4, 12)):
            position = wild(rng, modules)
            game = game_at(chapters.format_position(position))
            era = position.focus["wb".index(position.mover)]
            space = rng.choice(chapters.copies_in(position, era, position.mover)) - 1
            for action in range(1, 64):
                first, second = rng.choice([(action, 0), (rng.randrange(1, 45), action)])
                turn = (era + 1) % 3 << 16 | space << 12 | first << 6 | second
                sentence = why_text(game, turn)
                assert "{" not in sentence
                assert "  " not in sentence
                assert sentence == "" or sentence[-1] == "." or sentence.startswith("turn: ")


# ---- drawing


PICTURE = """\
 past     focus W B      present                 future
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
|  W |  2 |  3 |  4 |   |  1 |  W |  3 |  4 |   |  1 |  2 |  3 |  4 |
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
|  5 |  B |  7 |  8 |   |  5 |  6 |  7 |  8 |   |  5 |  6 |  7 |  8 |
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
|  9 | 10 | 11 | 12 |   |  9 | 10 | 11 | 12 |   |  9 | 10 | 11 | 12 |
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
| 13 | 14 | 15 | 16 |   | 13 | 14 | 15 | 16 |   | 13 | 14 | 15 |  B |
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
 Black to move   supply: White 4, Black 3"""


def drawn_plain(
    state: array[int], highlights: Highlights | None = None, unicode: bool = True
) -> str:
    """Return the drawing without colours, its lines without spaces at the end."""
    return "\n".join(line.rstrip() for line in draw(state, highlights, unicode).plain.split("\n"))


def test_drawing() -> None:
    state = parse_position("w....b........../.w............../...............b 0 0 4 3 b")
    assert drawn_plain(state, unicode=False) == PICTURE
    lines = drawn_plain(state).split("\n")
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith("┌────┬")


PICTURE_WITH_OBJECTS = """\
 past     focus W        present                 future   focus   B
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
| sW |  2 |  3 | bD |   |  W |  2 |  3 |  D |   |  W |  2 |  3 |  4 |
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
|  5 |  6 | nN |  8 |   | sh |  6 |  7 | nN |   |  5 |  6 | nB |  8 |
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
|  9 | F> | 11 | 12 |   |  9 | 10 |  T | 12 |   |  9 | 10 | F^ | 12 |
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
|  s | 14 | nW |  B |   | wL | 14 | 15 |  B |   | 13 | 14 | 15 |  B |
+----+----+----+----+   +----+----+----+----+   +----+----+----+----+
 White to move   supply: White 4, Black 4
 seeds left to plant: 3   may build a statue: nobody
 s seed   sh shrub   T tree   F^ F> fallen tree   nN neutral statue
 nW White's statue   nB Black's statue   D dark elephant   L light elephant
 w White's hat   b Black's hat"""


def test_drawing_with_objects() -> None:
    things = "*1,eD4b,nN7,F10<9,*13,nW15/eD4,sh5,nN8,T11,eL13w/nB7,F11<15 seeds=3 statues=-"
    state = parse_position(f"{WHITE_FIRST} growth+influence+memory {things}")
    assert drawn_plain(state, unicode=False) == PICTURE_WITH_OBJECTS
    assert max(map(len, drawn_plain(state).split("\n"))) < 80


def test_drawing_says_only_what_is_there() -> None:
    state = parse_position(f"{WHITE_FIRST} growth -/-/*5 seeds=4")
    assert drawn_plain(state).split("\n")[-2:] == [" seeds left to plant: 4", " s seed"]
    state = parse_position(f"{WHITE_FIRST} memory -/-/-")
    assert drawn_plain(state) == drawn_plain(parse_position(WHITE_FIRST))
    state = parse_position(f"{WHITE_FIRST} influence -/-/- statues=b")
    assert drawn_plain(state).split("\n")[-1] == " may build a statue: Black"


def test_no_two_objects_look_alike() -> None:
    """Without colour, on a space of their own; elephants with every hat."""
    words = ["*6", "sh6", "T6", "F6<5", "F6<7", "F6<2", "F6<10", "nN6", "nW6", "nB6"]
    words += [which + hat for which in ("eD6", "eL6") for hat in ("", "w", "b")]
    cells = set()
    for word in words:
        state = parse_position(
            f"{WHITE_FIRST} growth+influence+memory {word}/-/- seeds=0 statues=-"
        )
        cells.add(drawn_plain(state, unicode=False).split("\n")[4][5:10])
    for board in (".....", ".....w", ".....b"):
        text = board.ljust(16, ".") + WHITE_FIRST[16:]
        cells.add(drawn_plain(parse_position(text), unicode=False).split("\n")[4][5:10])
        if "." not in board[5:]:
            sown = parse_position(f"{text} growth *6/-/- seeds=0")
            cells.add(drawn_plain(sown, unicode=False).split("\n")[4][5:10])
    assert len(cells) == len(words) + 3 + 2


def test_highlights_have_a_mark_besides_their_colour() -> None:
    state = parse_position(WHITE_FIRST)
    highlights = {1: ("*", "green"), 31: ("!", "red"), 48 + 1: ("?", "yellow")}
    lines = drawn_plain(state, highlights, unicode=False).split("\n")
    assert lines[0] == " past     focus W        present  focus  ?       future   focus   B"
    assert lines[2].startswith("|  W |  2*|  3 |")
    assert "|  B!|" in lines[8]


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_no_color_is_honoured(
    no_color: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", no_color)
    out = io.StringIO()
    picture = draw(parse_position(WHITE_FIRST), {1: ("*", "green")})
    Console(file=out, force_terminal=True, soft_wrap=True).print(picture)
    assert ("\x1b[32m" in out.getvalue()) == coloured


def test_lines_are_drawn_where_they_can_be() -> None:
    assert can_draw_lines("utf-8")
    assert not can_draw_lines("ascii")
    assert not can_draw_lines(None)
    assert not can_draw_lines("no such encoding")


# ---- explain


def test_explain_names_the_dead_of_the_examples() -> None:
    """All of tests/vectors, with the dead in the order of the file."""
    causes = set()
    for example in json.loads((VECTORS / "ttykm_examples.json").read_text("utf-8"))["examples"]:
        if "actions" not in example:
            continue
        options = parse_options(" ".join(f"{k}={v}" for k, v in example["options"].items()))
        actions = [parse_action(text) for text in example["actions"]]
        state = parse_position(example["start"])
        steps = play_actions(state, example["copy"] - 1, actions, options)
        dead = [death for step in steps for death in step.deaths]
        assert [str(death) for death in dead] == example["dead"], example["id"]
        causes |= {death.cause for death in dead}
    assert causes == {"squish", "paradox", "crushed", "trampled"}


@lanes.gate
@pytest.mark.parametrize("size", range(4))
def test_explain_agrees_with_the_oracle(size: int) -> None:
    """Deaths in their order, the active copy and the position, over random positions."""
    seed = 3
    print("seed", seed)
    rng = random.Random(seed)
    deaths = 0
    for modules in combinations(MODULES, size):
        for _ in range(sweep.size(12, 40) if size else sweep.size(80, 300)):
            position = wild(rng, modules)
            state = parse_position(chapters.format_position(position))
            era = position.focus["wb".index(position.mover)]
            for space in chapters.copies_in(position, era, position.mover):
                possible = chapters.actions(position, (era, space))
                for action in ACTIONS[1:]:
                    steps = play_actions(state, space - 1, [parse_action(action)])
                    assert bool(steps) == (action in possible)
                    assert can_act(state, era << 4 | space - 1, parse_action(action)) == bool(steps)
                    if not steps:
                        continue
                    (step,), outcome = steps, possible[action]
                    assert [str(death) for death in step.deaths] == list(map(str, outcome.deaths))
                    assert format_position(step.state) == chapters.format_position(outcome.position)
                    place = outcome.active
                    assert step.active == (GONE if place is None else place[0] << 4 | place[1] - 1)
                    deaths += len(outcome.deaths)
    assert deaths > 50


TWICE_PUSHED = [
    ("....w.ww..w.b..w/.....bb..b....bb/bw.....www.w.... 0 2 3 1 w influence+memory"
     " nN1,nB3,eD6b/eD4w,nN9,nB11,eL12/eL3b,nN5,nB11,eD15w statues=w", "5 sS", "W9"),
    (".....b.......w.w/..wwb.bw.......b/..w..b.w......wb 0 1 0 4 w influence nN2/nN15/nN14"
     " statues=wb", "14 sE", "W15"),
    ("bw.wb.w..b.b..../....b......b..../w.bb.b.b........ 1 0 2 3 b influence nN14/nN6/nN5"
     " statues=wb", "5 sE", "B6"),
]  # fmt: skip


@pytest.mark.parametrize(("position", "action", "name"), TWICE_PUSHED)
def test_the_dead_are_named_where_they_stood_before_the_action(
    position: str, action: str, name: str
) -> None:
    """A building's statue pushes a copy, and one that moves on pushes it again, to its death."""
    space, text = action.split()
    (step,) = play_actions(parse_position(position), int(space) - 1, [parse_action(text)])
    assert f"{name} future" in [str(death).rpartition(" ")[0] for death in step.deaths]


def test_explain_of_two_actions() -> None:
    state = parse_position("..........w...../w..........b..../...............b 0 0 4 4 w")
    steps = play_actions(state, 10, [parse_action("F"), parse_action("E")])
    assert [step.deaths for step in steps] == [(), (Death(1, 1, 11, "squish"),)]
    assert str(steps[1].deaths[0]) == "B12 present (squish)"
    assert state == array("H", parse_position(format_position(state)))
    assert play_actions(state, 10, [parse_action("B")]) == []
    assert not can_act(state, GONE, 1)


def test_an_error_that_quotes_a_whole_file_is_still_one_line() -> None:
    line = one_line(UserError(f"'{'x' * 70_000}' is no option; write name=value"))
    assert line is not None
    assert len(line) < 420
    assert line.endswith("is no option; write name=value")
