"""Engines of others on a seat: each way in which a program can fail ends in one sentence."""

import sys
import textwrap
from pathlib import Path

import pytest

from chronotable_host.engine.client import EngineError, EngineProcess
from chronotable_host.engine.seats import own_engine, parse_seat
from chronotable_host.errors import UserError
from ttykm.game import Game
from ttykm.layout import new_state

READY = """
    import sys
    for line in sys.stdin:
        word = line.split()[0]
        if word == "ttykm":
            print("id name Test", "ttykmok", sep="\\n", flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "go":
            {go}
"""


def engine(folder: Path, text: str, **more: object) -> EngineProcess:
    file = folder / "engine.py"
    file.write_text(textwrap.dedent(text))
    return EngineProcess([sys.executable, str(file)], "test", **more)  # type: ignore[arg-type]


@pytest.fixture
def game() -> Game:
    game = Game()
    game.start(new_state())
    return game


def test_our_own_engine_answers(game: Game) -> None:
    with EngineProcess(own_engine(), "level:5", {"Level": "5"}) as own:
        for _ in range(3):
            own.think(game, new_state())
            game.apply(own.wait())
        own.think(game, new_state(), "infinite")
        own.stop()
        game.apply(own.wait())
        assert own.info.startswith("depth ")
    assert len(game.turns) == 4


@pytest.mark.parametrize(
    ("go", "why"),
    [
        ("print('bestturn 1 N E >past', flush=True)", "answers 1 N E >past, which is not legal (T"),
        ("print('bestturn pass', flush=True)", "answers 'pass', which is no turn"),
        ("print('error no idea', flush=True)", "says: no idea"),
        ("sys.exit(3)", "has stopped"),
        ("print('bestturn \\x1b[2J', flush=True)", "answers '?[2J', which is no turn"),
    ],
)
def test_a_bad_answer(game: Game, tmp_path: Path, go: str, why: str) -> None:
    with engine(tmp_path, READY.format(go=go)) as other:
        other.think(game, new_state())
        with pytest.raises(EngineError, match=f"^the engine test {pattern(why)}"):
            other.wait()
        assert not other.is_thinking


def pattern(text: str) -> str:
    return "".join(f"\\{char}" if char in "()?[." else char for char in text)


def test_silence(game: Game, tmp_path: Path) -> None:
    now = [0.0]
    with engine(tmp_path, READY.format(go="pass"), clock=lambda: now[0]) as other:
        other.think(game, new_state())
        assert other.poll() is None
        now[0] = 61.0
        with pytest.raises(EngineError, match="has said nothing for 60 seconds"):
            other.poll()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("print('hello')", "has stopped before it said that it is ready"),
        ("print('error not today', flush=True)\ninput()", "says: not today"),
    ],
)
def test_a_program_that_is_no_engine(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(EngineError, match=why), engine(tmp_path, text):
        pass


def test_what_a_seat_is_called() -> None:
    assert parse_seat("level:3").level == 3
    assert parse_seat("random").name == "random"
    assert parse_seat(f"engine:{sys.executable} -V").command[1:] == ("-V",)
    for text in ("level:0", "level:9", "level:", "level:x", "deep blue", "engine:", "engine:/no/x"):
        with pytest.raises(UserError, match=r"^'"):
            parse_seat(text)
