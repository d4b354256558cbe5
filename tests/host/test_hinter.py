"""Hints in a game at a whole table: asked for by word or button, lit, kept in the record."""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from chronotable.lights.hints import HINTS_CONSEQUENCES, HINTS_OFF
from chronotable.lights.meanings import COPY
from chronotable.player.seats import EASY
from chronotable_host.archive.comments import hint_in
from chronotable_host.archive.store import Archive
from chronotable_host.cli import run
from chronotable_host.engine.client import EngineError
from chronotable_host.engine.thinkers import AtOnce, adviser, by_chance
from chronotable_host.errors import UserError
from chronotable_host.live.players.clocks import parse_controls
from chronotable_host.live.players.hinter import Hinter, why_focus, why_wrong
from chronotable_host.live.players.person import Guest
from chronotable_host.live.players.table_seats import TableSeats
from chronotable_host.live.settings import number_of
from chronotable_host.rules.notation import format_turn, parse_position, parse_turn
from tests import lanes
from tests.host.archives import Output
from tests.host.by_lights import ByLights
from tests.table.rig import Rig
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE, new_state

HINT = "1 E F >future"
TWO = "2 E F >future"


class Scene(ByLights):
    """A table where white is hands and black plays by chance; `hinter` hints HINT."""

    def __init__(self, at: Rig, seated: TableSeats, hint: str) -> None:
        super().__init__(at)
        self.seated = seated
        self.asked = 0  # how often somebody thought of a hint
        self._hint = parse_turn(hint)
        at.hinter = self.hinter = Hinter(at, self._thinker, self.note)

    def _thinker(self) -> AtOnce:
        def choose(_: Game) -> int:
            self.asked += 1
            return self._hint

        return AtOnce("level:8", choose)

    def asks(self) -> None:
        self.hinter.ask()
        self.waits()

    def holds(self, side: int, duration_ms: int = 1200) -> None:
        """Hold *action* for so long."""
        self.at.table.press("action", side, duration_ms)
        self.waits(duration_ms + 400)

    def lit_copies(self) -> list[int]:
        return [at for at, says in enumerate(self.at.mirror.table.leds[:48]) if says == COPY]


@contextmanager
def scene(at: Rig, hint: str = HINT, programs: tuple[int, ...] = (BLACK,)) -> Iterator[Scene]:
    seated = at.seat()
    for side in programs:
        seated.seat_thinker(side, AtOnce("random", by_chance(Random(side))))
    made = Scene(at, seated, hint)
    with closing(made.hinter):
        made.waits()
        yield made


def two_copies() -> array[int]:
    """Return a position where white has a choice of two copies."""
    return parse_position("ww.............b/w..............b/w..............b 0 2 3 4 w")


def test_first_the_copy_then_the_whole_turn() -> None:
    with Rig(two_copies()) as at, scene(at, TWO) as here:
        assert here.lit_copies() == [0, 1]
        here.asks()
        assert here.said == ["Hint: the copy on past 2 is the one to choose."]
        assert here.lit_copies() == [1]
        assert not at.mirror.table.is_turn_wanted
        here.asks()
        (_, said) = here.said
        assert said.startswith(f"Hint: {TWO} (")
        assert at.mirror.table.is_turn_wanted
        assert here.helper.carry_out()
        assert [format_turn(turn) for turn in at.mirror.game.turns] == [TWO]
        assert here.asked == 1


@pytest.mark.parametrize(
    ("position", "turn", "why"),
    [
        (
            "..wb............/w.............../w..............b 0 2 4 4 w",
            "3 E S >future",
            "That wins, whichever era the focus goes to.",
        ),
        (
            ".....b........../w...........w.../....w...wb..w.bb 2 0 2 3 w",
            "13 E E >past",
            "White has nobody there, and so need not act in the present next.",
        ),
        (
            "w..............b/................/...............b 0 2 4 4 w",
            "1 E S >future",
            "White has nobody there, nor in the present.",
        ),
        (
            "w..............b/w..............b/...............b 0 2 4 4 w",
            "1 E S >present",
            "White acts there next, having nobody in the future.",
        ),
        (
            "w.............../w.wb............/w..............b 0 2 4 4 w",
            "1 E S >present",
            "It is a threat: from the present the next turn could win.",
        ),
        (
            "w..............b/ww.............b/w..............b 0 2 4 4 w",
            "1 E S >present",
            "White has 2 copies there to act next.",
        ),
    ],
)
def test_the_focus_of_a_hint_has_a_reason(position: str, turn: str, why: str) -> None:
    game = Game()
    game.start(parse_position(position))
    assert why_focus(game, parse_turn(turn)) == why


@pytest.mark.parametrize(
    ("turn", "answer", "why"),
    [
        (
            "1 E S >present",
            "7 N S >future",
            "Then Black wins: squish White in the present, then step.",
        ),
        ("1 E S >present", "7 E S >future", "Then Black can step twice in the present."),
        (
            "1 E S >future",
            "7 E S >future",
            "White has nobody there, and so need not act in the present next.",
        ),
        ("1 E S >present", None, ""),
    ],
)
def test_what_is_wrong_with_a_turn_is_what_the_other_can_do(
    turn: str, answer: str | None, why: str
) -> None:
    game = Game()
    game.start(parse_position("w.............../..w...b........./...............b 0 1 4 4 w"))
    assert why_wrong(game, parse_turn(turn), parse_turn(answer) if answer else None) == why


def test_action_held_for_a_second_asks() -> None:
    """A shorter press does what it does at any table: it goes through what the lights say."""
    with Rig(two_copies()) as at, scene(at, TWO) as here:
        here.holds(WHITE, 800)
        assert here.said == []
        assert here.lit_copies() == [], "the lights are off"
        here.holds(WHITE, 800)
        here.holds(WHITE, 800)
        assert here.lit_copies() == [0, 1]
        here.holds(BLACK)
        assert here.said == [], "it is not black's turn"
        here.holds(WHITE)
        assert here.lit_copies() == [1]
        here.holds(WHITE)
        assert len(here.said) == 2
        assert here.helper.carry_out()
        here.waits()
        assert at.mirror.table.hints[WHITE] == HINTS_CONSEQUENCES
        assert not at.heard("refused", "mismatch")


def test_who_asks_twice_at_once_has_the_whole_turn() -> None:
    with Rig(two_copies()) as at, scene(at, TWO) as here:
        here.hinter.ask()
        here.asks()
        assert [said[: len(TWO) + 6] for said in here.said] == [f"Hint: {TWO}"]
        assert at.mirror.table.is_turn_wanted


def test_lights_that_were_off_are_off_after_the_hint() -> None:
    with Rig(two_copies()) as at, scene(at, TWO) as here:
        here.holds(WHITE, 300)
        assert here.lit_copies() == []
        here.holds(WHITE)
        assert here.lit_copies() == [1]
        here.holds(WHITE)
        assert here.helper.carry_out()
        assert here.helper.carry_out(), "black's turn"
        here.waits()
        assert at.mirror.game.mover == WHITE
        assert at.mirror.table.hints[WHITE] == HINTS_OFF
        assert here.lit_copies() == []


def test_a_hint_forces_nobody() -> None:
    """Who makes another turn goes on with that, and the lights are as always."""
    with Rig(two_copies()) as at, scene(at, TWO) as here:
        for _ in range(2):
            here.asks()
        assert at.mirror.table.is_turn_wanted
        at.table.lift(0)
        here.waits()
        assert not at.mirror.table.is_turn_wanted
        at.table.place(0)
        here.waits()
        here.plays(parse_turn("1 S S >present"))
        assert format_turn(at.mirror.game.turns[0]) == "1 S S >present"
        assert not at.heard("refused", "mismatch")


@pytest.mark.parametrize(("times", "comment"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_the_record_has_how_far_a_hint_was_given(tmp_path: Path, times: int, comment: int) -> None:
    """Also when the turn is taken back and made anew."""
    with Archive(tmp_path) as archive:
        with Rig(new_state(), archive=archive) as at, scene(at, programs=()) as here:
            here.hinter.choose("both")
            for _ in range(times):
                here.asks()
            here.plays(parse_turn("1 E E >present"))
            at.session.command("undo")
            at.hands.lay(new_state())
            here.waits(3000)
            here.plays(parse_turn(HINT))
            here.plays(parse_turn("16 W W >present"))
        (entry,) = archive.games()
        record = archive.read(entry).record
    assert [hint_in(each) for each in record.comments] == [comment, 0]
    assert [*map(format_turn, record.turns)] == [HINT, "16 W W >present"]


def test_between_people_there_are_hints_for_whom_they_say() -> None:
    with Rig(new_state()) as at, scene(at, programs=()) as here:
        assert here.hinter.sides() == {"white": False, "black": False}
        assert here.hinter.view() is None
        with pytest.raises(UserError, match="there are no hints for white: type `hints white`"):
            here.hinter.ask()
        here.holds(WHITE)
        assert here.said == []
        here.hinter.choose("white")
        here.asks()
        assert len(here.said) == 1
        here.plays(parse_turn(HINT))
        with pytest.raises(UserError, match="no hints for black"):
            here.hinter.ask()
        with pytest.raises(UserError, match="hints are for white, black, both, none"):
            here.hinter.choose("red")
        assert not at.heard("mismatch")


def test_against_a_program_they_can_be_switched_off() -> None:
    with Rig(new_state()) as at, scene(at) as here:
        assert here.hinter.sides() == {"white": True, "black": False}
        here.hinter.choose("none")
        with pytest.raises(UserError):
            here.hinter.ask()
        here.seated.seat_thinker(BLACK, None)
        at.session.command("set", setting=number_of("black"), value=EASY)
        here.waits()
        here.hinter.choose("white")
        assert here.hinter.sides() == {"white": True, "black": False}


def test_nobody_asks_where_no_turn_is_due() -> None:
    with Rig(new_state()) as at, scene(at) as here:
        at.session.command("resign", side="w")
        here.waits()
        with pytest.raises(UserError, match="there is no turn to be made"):
            here.hinter.ask()


def test_a_guest_asks_for_the_own_side_alone() -> None:
    with Rig(new_state()) as at, scene(at, programs=()) as here:
        here.hinter.choose("both")
        here.seated.seat_thinker(WHITE, Guest("guest"))
        here.waits()
        for who in (None, BLACK):
            with pytest.raises(UserError, match="no turn to be made here"):
                here.hinter.ask(who)
        here.hinter.ask(WHITE)
        here.waits()
        view = here.hinter.view()
        assert view is not None
        assert (view["step"], view["copy"]) == (1, 0)
        assert not at.mirror.table.is_turn_wanted


def test_what_the_pc_asks_for_is_no_held_button() -> None:
    """The table tells an answer of the PC as a press, of *action* here, that never ends."""
    with Rig(new_state()) as at, scene(at) as here:
        here.seated.seat_thinker(BLACK, Guest("guest"))
        here.hinter.choose("both")
        at.session.command("draw", side="b")
        here.waits()
        at.session.command("answer", choice="n")
        here.waits(3000)
        assert here.said == []


def test_who_takes_a_hint_thinks() -> None:
    """The clock goes on while the lights show a turn."""
    with Rig(new_state()) as at, scene(at) as here:
        clocks = at.keep_time()
        clocks.set(parse_controls("5"))
        here.waits()
        for _ in range(2):
            here.asks()
        assert at.mirror.table.is_turn_wanted
        assert clocks.running == WHITE


def test_a_table_of_before_shows_whole_turns_alone() -> None:
    with Rig(two_copies()) as at, scene(at, TWO) as here:
        assert at.mirror.table.peer is not None
        at.mirror.table.peer.minor = 6
        here.asks()
        assert here.lit_copies() == [0, 1]
        here.asks()
        assert at.mirror.table.is_turn_wanted
        assert not at.heard("refused")


def test_an_engine_that_fails_gives_no_hint() -> None:
    def fail(_: Game) -> int:
        raise EngineError("it has stopped")

    with Rig(new_state()) as at, scene(at) as here:
        here.hinter._think = lambda: AtOnce("level:8", fail)
        here.asks()
        assert here.said == ["it has stopped"]
        here.hinter._think = here._thinker
        here.asks()
        assert len(here.said) == 2


@lanes.gate
def test_the_built_in_player_hints_the_same_each_time() -> None:
    """A process of its own thinks; the table goes on meanwhile."""
    with Rig(two_copies()) as at, scene(at) as here:
        turns = set()
        for _ in range(2):
            thinker = adviser()
            with closing(thinker):
                thinker.begin(at.mirror.game)
                while (turn := thinker.poll()) is None:
                    pass
                turns.add(turn)
        assert len(turns) == 1
        assert turns <= {*at.mirror.game.legal_turns()}
        assert here.said == []


@lanes.gate
def test_hint_typed_in_a_terminal(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice, then another turn is typed; the record says so."""
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\nhint\n1 S S >present\n\n"))
    args = ["try", "--headless", "--archive", str(tmp_path), "--seed", "1"]
    assert run([*args, "--white", "me", "--black", "random"]) == 0
    shown = capsys.readouterr().out
    assert "Hint: the copy on past 1 is the one to choose." in shown
    assert "Hint: 1 " in shown
    with Archive(tmp_path) as archive:
        (record,) = (archive.read(entry).record for entry in archive.games())
    assert hint_in(record.comments[0]) == 2


def test_no_hint_in_a_terminal_for_whom_it_is_not(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\n\n"))
    args = ["try", "--headless", "--archive", str(tmp_path), "--white", "me", "--black", "random"]
    assert run([*args, "--hints", "black"]) == 0
    assert "there are no hints for white" in capsys.readouterr().out
    assert run([*args, "--hints", "red"]) == 2
    assert "'red': hints are for white, black, both, none" in capsys.readouterr().err
