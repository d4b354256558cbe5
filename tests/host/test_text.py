"""The sentences, the drawing, and what explain reads off the engine's records."""

from __future__ import annotations

import io
import random
from array import array

import pytest
from rich.console import Console

from chronotable_host.errors import UserError, one_line
from chronotable_host.explain import Death, can_act, play_actions
from chronotable_host.text import (
    can_draw_lines,
    draw,
    draw_plain,
    reason_text,
    record_problem,
    why_text,
)
from tests.oracle import standard as oracle
from ttykm import reasons
from ttykm.game import Game
from ttykm.layout import GONE, STRICT_TWO_ACTIONS, new_state
from ttykm.notation import ACTIONS, format_position, parse_action, parse_position, parse_turn
from ttykm.record import RecordError, parse_record

CODES = range(1, len(reasons.RULES))
WHITE_FIRST = "w..............b/w..............b/w..............b 0 2 4 4 w"


def game_at(position: str, options: int = 0) -> Game:
    game = Game()
    game.start(parse_position(position), options)
    return game


# ---------------------------------------------------------------- sentences


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_sentence_that_names_its_rule(code: int) -> None:
    sentence = reason_text(code)
    assert sentence.endswith(f" ({reasons.RULES[code]}).")
    assert sentence[0].isupper()
    assert "\n" not in sentence


def test_what_is_legal_needs_no_sentence() -> None:
    assert reason_text(reasons.LEGAL) == ""
    assert why_text(game_at(WHITE_FIRST), parse_turn("1 E F >present")) == ""


WHY = [
    (WHITE_FIRST, "1 N E >future", "There is a wall north of space 1 in the past, so you cannot"
     " move there (T16)."),
    (WHITE_FIRST, "1 E N >future", "There is a wall north of space 2 in the past, so you cannot"
     " move there (T16)."),
    (WHITE_FIRST, "1 F E >future", "Space 1 in the present is taken, so you cannot travel forward"
     " (T24)."),
    (WHITE_FIRST, "1 B E >future", "There is no era beyond the past, so you cannot travel back"
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
        "Space 7 in the present is taken, so you cannot travel back (T25).",
    ),
    (
        "...............b/................/......b........b 0 2 4 0 b",
        "7 B E >past",
        "Black's supply is empty, so you cannot travel back (T27).",
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


def test_a_record_with_an_illegal_turn_is_told_in_a_sentence() -> None:
    with pytest.raises(RecordError) as caught:
        parse_record("1. 1 F E >future")
    assert record_problem(caught.value) == (
        "turn 1: 1 F E >future is not legal: The same space of the next era is taken, so you"
        " cannot travel forward (T24)."
    )


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


# ---------------------------------------------------------------- drawing


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


def test_drawing() -> None:
    state = parse_position("w....b........../.w............../...............b 0 0 4 3 b")
    assert draw_plain(state, unicode=False) == PICTURE
    lines = draw_plain(state).split("\n")
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith("┌────┬")


def test_highlights_have_a_mark_besides_their_colour() -> None:
    state = parse_position(WHITE_FIRST)
    highlights = {1: ("*", "green"), 31: ("!", "red"), 48 + 1: ("?", "yellow")}
    lines = draw_plain(state, highlights, unicode=False).split("\n")
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


# ---------------------------------------------------------------- explain


def test_explain_agrees_with_the_oracle() -> None:
    """Deaths in their order, the active copy and the position, over random positions."""
    seed = 7
    print("seed", seed)
    rng = random.Random(seed)
    deaths = 0
    for _ in range(300):
        eras = "/".join("".join(rng.choices(".wb", (6, 3, 3), k=16)) for _ in range(3))
        text = f"{eras} {rng.randrange(3)} {rng.randrange(3)} 2 2 {rng.choice('wb')}"
        state, position = parse_position(text), oracle.parse_position(text)
        era = position.focus["wb".index(position.mover)]
        for space in oracle.copies_in(position, era, position.mover):
            possible = oracle.actions(position, (era, space))
            for action in ACTIONS[1:]:
                steps = play_actions(state, space - 1, [parse_action(action)])
                assert bool(steps) == (action in possible)
                assert can_act(state, era << 4 | space - 1, parse_action(action)) == bool(steps)
                if not steps:
                    continue
                outcome = possible[action]
                assert format_position(steps[0].state) == oracle.format_position(outcome.position)
                assert [str(death) for death in steps[0].deaths] == list(map(str, outcome.deaths))
                place = outcome.active
                assert steps[0].active == (GONE if place is None else place[0] << 4 | place[1] - 1)
                deaths += len(outcome.deaths)
    assert deaths > 1000


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
