"""The engine protocol as other programs speak it, line by line."""

import itertools
import re
import threading
from collections.abc import Iterator

import pytest

from chronotable_host.engine.service import Engine
from chronotable_host.rules.notation import parse_turn
from ttykm.game import Game
from ttykm.layout import new_state

START = "w..............b/w..............b/w..............b 0 2 4 4 w"
INFO = re.compile(
    r"info depth \d+ nodes \d+ time \d+ score (-?\d+|(win|loss) \d+) pv \d+( \S+)+(; \d+( \S+)+)*"
)


def said(*lines: str) -> list[str]:
    found: list[str] = []
    ticks = itertools.count()
    Engine(found.append, clock=lambda: next(ticks) / 1000).serve(lines)
    return found


def test_the_greeting() -> None:
    found = said("ttykm", "isready", "quit", "isready")
    assert found[0].startswith("id name ")
    assert "option name Level type spin default 3 min 1 max 8" in found
    assert found[-2:] == ["ttykmok", "readyok"]  # what comes behind quit is not read


@pytest.mark.parametrize("limits", ["nodes 50", "depth 3", "movetime 20", "depth 2 nodes 10", ""])
@pytest.mark.parametrize("turns", ["", " turns 1 E E >present; 16 N W >past"])
def test_a_turn_is_found(limits: str, turns: str) -> None:
    *infos, last = said(f"position {START}{turns}", f"go {limits}")
    assert all(INFO.fullmatch(line) for line in infos), infos
    assert infos or not limits  # level 3 may hurry, and has nothing to tell then
    game = Game()
    game.start(new_state())
    for text in filter(None, turns.removeprefix(" turns ").split(";")):
        game.apply(parse_turn(text))
    assert last.startswith("bestturn ")
    assert parse_turn(last.removeprefix("bestturn ")) in set(game.legal_turns())


def test_every_seed_that_a_seat_draws_is_taken() -> None:
    assert said("setoption name Seed value 2147483647", "isready") == ["readyok"]


def test_the_score_of_a_win() -> None:
    position = "www............./w.............../b............... 0 2 3 4 w"
    found = said(f"position {position}", "go depth 3")
    assert re.search(r"score win 1 pv \d+ .* >", found[-2]), found


def test_thinking_without_end_is_stopped() -> None:
    begun = threading.Event()
    found: list[str] = []

    def hear(line: str) -> None:
        found.append(line)
        begun.set()

    def lines():
        yield f"position {START}"
        yield "go infinite"
        assert begun.wait(30)
        yield "stop"
        yield "isready"

    Engine(hear).serve(lines())
    assert [line.split()[0] for line in found[-2:]] == ["bestturn", "readyok"]


@pytest.mark.parametrize("end", ["stop", "quit"])
@pytest.mark.parametrize("between", [(), ("isready",), ("isready", "go infinite", "isready")])
def test_the_end_reaches_whatever_is_thought_about(end: str, between: tuple[str, ...]) -> None:
    found: list[str] = []
    lines = ["go infinite", *between, end]
    thread = threading.Thread(target=Engine(found.append).serve, args=(lines,), daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()


def test_input_that_breaks_off_ends_it() -> None:
    def lines() -> Iterator[str]:
        yield "isready"
        raise OSError("the terminal is gone")

    found: list[str] = []
    thread = threading.Thread(target=Engine(found.append).serve, args=(lines(),), daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()


def test_the_time_of_a_level_is_counted_from_go() -> None:
    infos = said("setoption name Level value 8", f"position {START}", "go")[:-1]
    times = [int(line.split("time ")[1].split()[0]) for line in infos]
    assert times == sorted(times)
    assert times[-1] >= len(times)


def test_a_stop_belongs_to_what_was_asked_before() -> None:
    found = said(f"position {START}", "stop", "go depth 3", "stop", "go depth 2")
    assert sum(line.startswith("bestturn") for line in found) == 2


def test_the_level_is_the_limit() -> None:
    found = said("setoption name Level value 8", f"position {START}", "go")
    assert INFO.fullmatch(found[-2])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("uci", "'uci' is no word of this protocol"),
        ("setoption Level 3", "an option is set as in 'setoption name Level value 3'"),
        ("setoption name Level value 9", "'level:9': levels are level:1 to level:8"),
        ("setoption name Hash value 9", "there is no option 'Hash'"),
        ("go nodes", "nodes is a whole number from 1 to"),
        ("go nodes 0", "nodes is a whole number from 1 to"),
        ("go ponder", "'ponder' is no limit"),
        ("position", "position:"),
        ("position here", "position:"),
        (f"position {START} turns 1 E E >past", "'1 E E >past' is not legal (T15)"),
        (f"position {START} turns 1 E", "turn:"),
    ],
)
def test_what_is_not_understood_is_said_and_changes_nothing(line: str, why: str) -> None:
    found = said(line, "isready")
    assert found[0].startswith(f"error {why}"), found
    assert found[1:] == ["readyok"]


def test_the_end_of_a_game() -> None:
    position = "w.............../w.............../b............... 0 2 4 4 w"
    turns = "1 E E >present"
    assert said(f"position {position} turns {turns}", "go depth 1") == [
        "error the game is over; there is no turn to find"
    ]


def test_what_is_locked_stays_locked() -> None:
    found = said(
        f"position {START} growth - - - seeds=5", "setoption name Options value x", "ttykm"
    )
    assert found[0].startswith("error ")
    assert not any("growth" in line.lower() for line in found[2:])
