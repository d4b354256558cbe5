"""A game analysed on a whole table: walked through by hands that see the lights alone."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from chronotable.lights.hints import HINTS_CONSEQUENCES
from chronotable_host.archive.store import Archive
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.thinkers import AtOnce, by_chance
from chronotable_host.errors import UserError
from chronotable_host.live.players.clocks import parse_controls
from chronotable_host.live.players.table_seats import TableSeats
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_turn, parse_turn
from chronotable_host.rules.record import Record
from chronotable_host.virtual.desk import VirtualDesk
from tests import lanes
from tests.host.by_lights import ByLights
from tests.lab.helping import needed
from tests.lab.people.place import TURN
from tests.table.rig import Rig
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, WHITE, new_state

TURNS = 8


def game_of(seed: int, most: int = TURNS) -> Record:
    """Return a game by chance; no turn of it wins."""
    rng, game = Random(seed), Game()
    game.start(new_state())
    record = Record(new_state(), 0)
    while len(game.turns) < most:
        turn = rng.choice([*game.legal_turns()])
        game.apply(turn)
        if game.winner() != NOBODY:
            game.undo()
            continue
        record.add(turn, "")
    return record


class Scene(ByLights):
    """An analysis, and hands that do what is lit."""

    def __init__(self, at: VirtualDesk, seated: TableSeats) -> None:
        super().__init__(at)
        self.seated = seated
        at.listeners.append(self.note)
        self.best = LevelPlayer(4, 0).choose
        self.tutor, self.hinter, self.analysis = at.assist(lambda: AtOnce("", self.best))

    @property
    def turns(self) -> list[str]:
        return [format_turn(turn) for turn in self.at.mirror.game.turns]

    def comes_to(self, record: Record, at: int) -> int:
        """Do what is lit until a position lies there; return how many touches that took."""
        return self.follows_to([game.state[:] for game in record.replay()][at])

    def follows_to(self, state: array[int]) -> int:
        """Do what is lit until a state lies there; return how many touches that took."""
        game = self.at.mirror.game
        touches = self.follows(lambda: self.place.phase == TURN and game.state == state)
        self.waits()
        assert self.helper.board == pieces_of(state)
        return touches

    def presses(self, name: str, is_mover: bool) -> None:
        mover = self.at.mirror.game.mover
        self.at.table.press(name, mover if is_mover else 1 - mover)
        self.waits(600)


@contextmanager
def scene(at: VirtualDesk) -> Iterator[Scene]:
    made = Scene(at, at.seat())
    with closing(made.seated), closing(made.hinter):
        made.waits()
        yield made


@lanes.gate
@pytest.mark.parametrize("seed", lanes.first(range(3)))
def test_a_game_is_walked_through_with_the_undo_buttons(seed: int, tmp_path: Path) -> None:
    """Forth and back, with the fewest touches; nothing of it is kept, here or in the table."""
    record = game_of(seed)
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at, scene(at) as here:
        here.analysis.begin(record, 0)
        assert here.comes_to(record, 0) == 0
        touches = 0
        for number in range(1, TURNS + 1):
            here.presses("undo", is_mover=False)
            touches += here.comes_to(record, number)
        assert touches == needed(record.turns)
        assert here.analysis.says.startswith(f"Turn {TURNS} of {TURNS}: Black ")
        for number in range(TURNS - 1, -1, -1):
            before = {*here.helper.board.items()}
            here.presses("undo", is_mover=True)
            touched = here.comes_to(record, number)
            assert touched <= len(before ^ {*here.helper.board.items()}), f"seed {seed}: {number}"
        assert here.analysis.says == f"The start of {TURNS} turns."
        at.leave()
        here.waits(3000)
        assert not at.heard("mismatch", "refused")
        assert [*archive.games()] == []
        here.comes_to(Record(new_state(), 0), 0)
        at.hands.act(at.game, parse_turn("1 E E >present"))
        here.waits(2000)
    with Archive(tmp_path) as archive:
        (kept,) = (archive.read(entry).record for entry in archive.games())
    assert [*map(format_turn, kept.turns)] == ["1 E E >present"]


def test_any_position_is_set_up_and_turns_are_tried_there(tmp_path: Path) -> None:
    record = game_of(1)
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at, scene(at) as here:
        here.analysis.begin(record, 5)
        here.comes_to(record, 5)
        other = next(turn for turn in at.mirror.game.legal_turns() if turn != record.turns[5])
        states = []
        for turn in (other, None):
            game = Game()
            game.start(at.mirror.game.state)
            chosen = next(iter(game.legal_turns())) if turn is None else turn
            at.hands.act(game, chosen)
            game.apply(chosen)
            states.append(array("H", game.state))
            here.helper.board = pieces_of(game.state)
            here.waits(1500)
        assert here.analysis.says == "2 turns tried behind turn 5; undo takes them back."
        here.presses("undo", is_mover=False)
        here.follows_to(states[0])
        assert here.turns == [format_turn(other)]
        here.presses("undo", is_mover=True)
        here.comes_to(record, 5)
        here.presses("undo", is_mover=False)
        here.comes_to(record, 6)
        here.analysis.go(2)
        here.comes_to(record, 2)
        with pytest.raises(UserError, match="so none with number 9"):
            here.analysis.go(9)
        assert not at.heard("mismatch")
        assert [*archive.games()] == []


def test_action_shows_the_best_turn() -> None:
    record = game_of(2)
    with Rig(new_state()) as at, scene(at) as here:
        here.analysis.begin(record, 3)
        here.comes_to(record, 3)
        best = here.best(at.mirror.game)
        here.presses("action", is_mover=False)
        assert here.said[-1].startswith(f"Hint: {format_turn(best)} (")
        assert at.mirror.table.is_turn_wanted
        assert at.mirror.table.hints == (HINTS_CONSEQUENCES, HINTS_CONSEQUENCES)
        assert here.helper.carry_out()
        assert here.turns == [format_turn(best)]


def test_undo_goes_through_no_players() -> None:
    """At a table that has made no turn since it was set up it would, in a game."""
    record = game_of(1)
    with Rig(new_state()) as at, scene(at) as here:
        here.analysis.begin(record, 4)
        here.comes_to(record, 4)
        here.presses("undo", is_mover=True)
        here.comes_to(record, 3)
        here.waits(2500)
        assert at.mirror.table.own_levels == (0, 0)
        assert not [said for said in here.said if "plays" in said or "play " in said]


def test_nobody_else_plays_meanwhile_and_no_clock_runs() -> None:
    with Rig(new_state()) as at, scene(at) as here:
        player = AtOnce("random", by_chance(Random(1)))
        here.seated.seat_thinker(BLACK, player)
        clocks = at.keep_time()
        clocks.set(parse_controls("5"))
        record = game_of(0)
        here.analysis.begin(record, 2)
        here.comes_to(record, 2)
        assert here.seated.thinkers == {}
        assert clocks.view() is None
        with pytest.raises(UserError, match="in an analysis nobody else plays"):
            at.check_seats()
        at.leave()
        here.waits()
        assert here.seated.thinkers == {BLACK: player}


@pytest.mark.parametrize("is_left", [False, True])
def test_a_pc_that_comes_later_takes_it_for_no_game(tmp_path: Path, is_left: bool) -> None:
    """Be it after an analysis that ended, or after a program that was killed in one."""
    record = game_of(1)
    with Archive(tmp_path) as archive, Rig(new_state()) as at:
        lying: dict[int, int] = {}
        for number in range(2):
            at.session.close()
            desk = VirtualDesk(archive, resumes=True)
            desk.listeners.append(at.tell)
            desk.attach(at.table)
            with desk, scene(desk) as here:
                if number:
                    here.helper.board = lying
                    here.waits(3000)
                    here.follows_to(new_state())
                    break
                here.analysis.begin(record, 0)
                here.comes_to(record, 0)
                for turn in range(1, 4):
                    here.presses("undo", is_mover=False)
                    here.comes_to(record, turn)
                if is_left:
                    at.leave()
                    here.waits()
                lying = here.helper.board
        assert [*archive.games()] == []
        assert not at.heard("fetched", "mismatch")


def test_none_begins_in_the_middle_of_a_game() -> None:
    with Rig(new_state()) as at, scene(at) as here:
        at.hands.act(at.game, parse_turn("1 E E >present"))
        here.waits(1500)
        with pytest.raises(UserError, match="a game is in progress"):
            here.analysis.begin(game_of(0))
        here.analysis.begin_when_possible(game_of(0))
        here.waits()
        assert here.said[-1].startswith("A game is in progress. The analysis begins when")
        assert not here.analysis.is_on
        at.session.command("resign", side="b")
        here.waits()
        assert here.analysis.is_on


def test_a_table_that_was_switched_off_is_asked_again() -> None:
    record = game_of(1)
    with Rig(new_state()) as at, scene(at) as here:
        here.analysis.begin(record, 4)
        here.waits()
        at.table.power(False)
        at.table.power(True)
        here.waits(3000)
        here.comes_to(record, 4)


def test_a_win_that_is_tried_is_taken_back_by_light() -> None:
    """No table takes a win back for the button: the position before is set up."""
    record = game_of(1)
    with Rig(new_state()) as at, scene(at) as here:
        here.analysis.begin(record, 4)
        here.comes_to(record, 4)
        at.session.command("resign", side="w")
        here.waits()
        here.presses("undo", is_mover=True)
        here.comes_to(record, 3)


def test_what_is_asked_for_without_one_is_refused() -> None:
    with Rig(new_state()) as at, scene(at) as here:
        for ask in (here.analysis.back, here.analysis.forth, lambda: here.analysis.go(0)):
            with pytest.raises(UserError, match="no analysis is on"):
                ask()
        at.heard()
        at.leave()
        assert here.analysis.view() is None
        assert here.at.mirror.game.mover == WHITE
