"""Engines of others on a seat: each way in which a program can fail ends in one sentence."""

import sys
import textwrap
from pathlib import Path

import pytest

from chronotable_host.engine.client import EngineError, EngineProcess
from chronotable_host.engine.thinkers import own_engine
from chronotable_host.errors import UserError
from chronotable_host.live.players.seats import parse_seat
from tests import lanes
from ttykm.game import Game
from ttykm.layout import STRICT_TWO_ACTIONS, new_state

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


@lanes.gate
def test_our_own_engine_answers(game: Game) -> None:
    with EngineProcess(own_engine(), "level:5", {"Level": "5"}) as own:
        for _ in range(3):
            own.think(game)
            game.apply(own.wait())
        own.think(game, "infinite")
        own.stop()
        game.apply(own.wait())
        assert own.info.startswith("depth ")
    assert len(game.turns) == 4


def test_it_is_told_the_options_of_the_rules(tmp_path: Path) -> None:
    """Once, and not those that everybody begins with: an engine need not know the word."""
    text = READY.format(go="print('bestturn 1 E E >present', flush=True)")
    heard = tmp_path / "heard"
    text = text.replace("word = ", f"print(line, end='', file=open({str(heard)!r}, 'a')); word = ")
    for options, told in ((0, 0), (STRICT_TWO_ACTIONS, 1)):
        game = Game()
        game.start(new_state(), options)
        heard.write_text("")
        with engine(tmp_path, text) as other:
            for _ in range(2):
                other.think(game)
                other.wait()
        assert (
            heard.read_text().count("setoption name Options value strict_two_actions=true") == told
        )


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
        other.think(game)
        with pytest.raises(EngineError, match=f"^the engine test {pattern(why)}"):
            other.wait()
        with pytest.raises(ValueError, match="no turn was asked for"):
            other.wait()


def pattern(text: str) -> str:
    return "".join(f"\\{char}" if char in "()?[." else char for char in text)


def test_silence(game: Game, tmp_path: Path) -> None:
    now = [0.0]
    with engine(tmp_path, READY.format(go="pass"), clock=lambda: now[0]) as other:
        other.think(game)
        assert other.poll() is None
        now[0] = 61.0
        with pytest.raises(EngineError, match="has said nothing for 60 seconds"):
            other.poll()


@lanes.gate
def test_one_that_is_closed_while_it_thinks_can_be_asked_again(game: Game) -> None:
    """It takes its seat again behind a lesson that began meanwhile."""
    own = EngineProcess(own_engine(), "level:5", {"Level": "5"})
    for end in (own.cancel, lambda: None, lambda: None):
        with own:
            own.think(game, "infinite")
            end()
    with own:
        own.think(game)
        game.apply(own.wait())


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
    between = parse_seat("level:3.5")
    assert (between.level, between.record_name) == (3.5, "Chronotable, level 3.5")
    assert parse_seat("random").name == "random"
    assert parse_seat(f"engine:{sys.executable} -V").command[1:] == ("-V",)
    levels = ("level:0", "level:9", "level:", "level:x", "level:0.9", "level:8.1", "level:3.25")
    for text in (*levels, "deep blue", "engine:", "engine:/no/x", "engine:'x"):
        with pytest.raises(UserError, match=r"^'"):
            parse_seat(text)
