"""The hand and the person who has it: what they do can be done, is what was meant, and is told."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS, SPACES
from chronotable_host.live.mirror import Mirror
from chronotable_host.pieces import Pieces, pieces_of
from chronotable_host.rules.notation import format_turn, parse_position
from chronotable_host.virtual.hand import Gesture, act_out
from chronotable_host.virtual.script import parse_script, run_script
from tests import lanes, sweep
from tests.lab.hand import BUMPS, HABITS, Hand
from tests.lab.people.account import GUIDED, LOST, WRONG
from tests.lab.people.person import Person
from tests.lab.people.recorder import SCRIPT_BEGINS_MS
from tests.lab.people.tracker_place import TrackerPlace
from tests.table.rig import Rig
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import BACK, EFFECTS, FORWARD, NOBODY, RECORD_WORDS

SEEDS = range(sweep.size(12, 40))
MOST_TURNS = 60


def positions(seeds: range, modules: int = 0) -> Iterator[tuple[str, Game, int, Random]]:
    """Yield where it is, a game, and the turn that will be taken, along random games."""
    for seed in seeds:
        rng = Random(seed)
        game = Game()
        game.start(objects.new_state(modules, seed % 2))
        while game.winner() == NOBODY and len(game.turns) < MOST_TURNS:
            turn = rng.choice(list(game.legal_turns()))
            yield f"seed {seed} turn {len(game.turns) + 1} {format_turn(turn)}", game, turn, rng
            game.apply(turn)


def act(board: Pieces, gestures: list[Gesture], where: str) -> None:
    """Do the gestures on a board, and see that hands can do them."""
    for number, gesture in enumerate(gestures):
        sensor, closed, piece = gesture.sensor, gesture.closed, gesture.piece
        what = f"{where}, gesture {number}: {gestures}"
        assert gesture.after_ms > 0, what
        if gesture.choice:
            continue
        if gesture.flicker_ms:
            assert closed == (sensor not in board), what
            continue
        if sensor >= FOCUS:
            assert piece == (sensor - FOCUS) // 3, what
        if closed:
            assert sensor not in board, what
            board[sensor] = piece
        else:
            assert board.pop(sensor, None) == piece, what
        pieces = Counter(owner for at, owner in board.items() if at < SPACES)
        assert max(pieces.values(), default=0) <= 7, what


def state_after(game: Game, turn: int) -> array[int]:
    after = array("H", game.state)
    assert game.after(turn, after)
    return after


@lanes.gate
def test_a_clean_hand_keeps_its_figures() -> None:
    counts: Counter[str] = Counter()
    for where, game, turn, rng in positions(range(120)):
        gestures = act_out(game, turn, rng)
        assert all(120 <= gesture.after_ms <= 700 for gesture in gestures), where
        assert not any(gesture.flicker_ms for gesture in gestures), where
        last = game.scratch.follow(game.state, turn & 0xFFFF)
        records = game.scratch.records
        effects = [records[index * RECORD_WORDS + EFFECTS] for index in range(2, last + 1)]
        first, second = turn >> 6 & 63, turn & 63
        start = 16 * layout.focus(game.state, game.mover) + (turn >> 12 & 15)
        if first == BACK:
            counts["back"] += 1
            counts["in three"] += not gestures[0].closed
        elif effects and effects[0]:
            counts["hit"] += 1
            counts["mover first"] += gestures[0].sensor == start
        elif 0 < first < FORWARD and 0 < second < FORWARD and effects == [0, 0]:
            counts["plain"] += 1
            counts["at once"] += len(gestures) == 4
    for part, whole, share in (
        ("at once", "plain", 0.4),
        ("in three", "back", 0.5),
        ("mover first", "hit", 0.5),
    ):
        assert counts[whole] > 200, counts
        assert abs(counts[part] / counts[whole] - share) < 0.1, (part, counts)


@lanes.gate
def test_a_rough_hand_keeps_its_figures() -> None:
    turns = 0
    habits: Counter[str] = Counter()
    for where, game, turn, rng in positions(range(120)):
        hand = Hand(rng, rough=True)
        gestures = hand.act_out(game, turn)
        turns += 1
        habits += hand.habits
        assert sorted(hand.last) == sorted(hand.habits), where
        for before, gesture in zip([None, *gestures], gestures, strict=False):
            if gesture.flicker_ms:
                most = 150 if gesture.sensor >= FOCUS else 60
                assert 20 <= gesture.flicker_ms <= most, where
            elif before is not None and before.flicker_ms:
                assert 5 <= gesture.after_ms <= 900, where
            else:
                assert 60 <= gesture.after_ms <= 900, where
        if not hand.last:
            assert not any(gesture.flicker_ms for gesture in gestures), where
    for name, habit in HABITS.items():
        # four standard deviations
        spread = 4 * (habit.share * (1 - habit.share) / turns) ** 0.5
        assert abs(habits[name] / turns - habit.share) < spread, (name, habits, turns)


@lanes.gate
def test_every_habit_leaves_its_trace() -> None:
    """What a habit adds is more than the turn needs, and only slides are no gestures."""
    found: Counter[str] = Counter()
    for where, game, turn, rng in positions(range(120)):
        hand = Hand(rng, rough=True)
        gestures = hand.act_out(game, turn)
        if len(hand.last) != 1:
            continue
        (name,) = hand.last
        found[name] += 1
        flickers = [gesture for gesture in gestures if gesture.flicker_ms]
        repeated = Counter((each.sensor, each.closed) for each in gestures if not each.flicker_ms)
        if name == "slides over a neighbour":
            assert len(flickers) == 1, where
            assert flickers[0].sensor < SPACES, where
        elif name == "passes the middle":
            assert [each.sensor % 3 for each in gestures[-3:]] in ([0, 1, 2], [2, 1, 0]), where
            assert flickers == [gestures[-2]], where
        elif name == "tries the marker":
            assert sum(each.sensor >= FOCUS for each in gestures) == 6, where
        elif name == "drops a piece":
            assert not flickers, where
            assert len(gestures) >= 6, where
        elif name == "adjusts a bystander":
            same = set(pieces_of(game.state).items()) & set(
                pieces_of(state_after(game, turn)).items()
            )
            put_back = {(each.sensor, each.piece) for each in gestures if each.closed}
            assert same & put_back, where
        else:
            assert name == "changes its mind", where
            assert sum(repeated.values()) > 2, where
    assert set(found) == set(HABITS)
    assert min(found.values()) >= 10, found


def test_a_bump_moves_some_pieces_within_half_a_second() -> None:
    sizes: Counter[int] = Counter()
    for where, game, _turn, rng in positions(SEEDS):
        before = pieces_of(game.state)
        board = dict(before)
        gestures = Hand(rng, rough=True).bump(board)
        act(board, gestures, where)
        assert sum(gesture.after_ms for gesture in gestures[1:]) <= 500, where
        assert Counter(board.values()) == Counter(before.values()), where
        moved = sum(not gesture.closed for gesture in gestures)
        assert 1 <= moved <= 6, where
        assert len(gestures) == 2 * moved, where
        sizes[moved] += 1
    assert set(sizes) == {1, 2, 3, 4, 5, 6}


# ---- the person


class Numb(TrackerPlace):
    """A table that does not feel what is done to it."""

    def lift(self, sensor: int) -> None:
        """Nothing comes of it."""

    def place(self, sensor: int) -> None:
        """Nothing comes of it."""


def person_at_tracker(seed: int, rough: bool = False) -> Person:
    person = Person(TrackerPlace(Random(seed)), Random(seed), rough)
    person.begin(layout.new_state())
    return person


def random_turn(game: Game) -> int:
    return Random(len(game.turns)).choice(list(game.legal_turns()))


def test_a_person_plays_a_clean_game_without_an_incident() -> None:
    person = person_at_tracker(1)
    account = person.play(random_turn)
    assert account.finished
    assert account.incidents == []
    assert account.turns == len(person.game.turns) == len(person.place.game.turns) > 5
    assert person.place.game.state == person.game.state
    assert account.told["certain"] == account.turns


def test_a_bumped_table_is_put_back() -> None:
    for seed in range(sweep.size(4, 12)):
        person = person_at_tracker(seed, rough=True)
        person.bump_turn = 3
        for _ in range(4):
            person.take_turn(random_turn(person.game))
        assert person.account.bumps == 1, seed
        assert not person.account.of(WRONG) + person.account.of(LOST), (seed, person.account)
        assert person.board == pieces_of(person.game.state), seed


def test_a_fifth_of_the_games_is_bumped() -> None:
    bumped = 0
    for seed in range(400):
        person = Person(Numb(Random(seed)), Random(seed), rough=True)
        person.begin(layout.new_state())
        bumped += person.bump_turn > 0
    assert abs(bumped / 400 - BUMPS) < 0.06, bumped


def test_a_turn_that_was_not_meant_is_noticed() -> None:
    person = person_at_tracker(0)
    meant, done = list(person.game.legal_turns())[:2]
    person.take_turn(meant, act_out(person.game, done, Random(0)))
    (incident,) = person.account.incidents
    assert incident.what == WRONG
    assert (incident.turn, incident.taken_for) == (format_turn(meant), format_turn(done))
    assert "lift" in incident.script[0]
    person.take_turn(random_turn(person.game))  # the table was put up as it was meant
    assert len(person.account.incidents) == 1


def test_a_turn_that_was_half_done_is_begun_again() -> None:
    person = person_at_tracker(0)
    turn = random_turn(person.game)
    person.take_turn(turn, act_out(person.game, turn, Random(0))[:1])
    assert [incident.what for incident in person.account.incidents] == [GUIDED]
    assert person.account.guided == 1
    assert person.board == pieces_of(person.game.state)


def test_a_table_that_feels_nothing_does_not_understand() -> None:
    person = Person(Numb(Random(0)), Random(0))
    person.begin(layout.new_state())
    person.take_turn(random_turn(person.game))
    assert [incident.what for incident in person.account.incidents] == [LOST]


# ---- the firmware, and scripts


def replay(script: str) -> Mirror:
    """Run a script on a table of its own; return what its mirror has."""
    parsed = parse_script(script, "script")
    assert parsed.start is not None
    with Rig(parsed.start.state, parsed.start.options, set_up=False) as made:
        made.table.put_up(parsed.start.state)
        run_script(made.table, parsed, "script")
        return made.mirror


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(1, 3)))
def test_a_script_of_what_was_done_gives_the_same_turns(seed: int) -> None:
    """Played at the tracker alone, replayed at the whole firmware."""
    person = person_at_tracker(seed, rough=True)
    person.bump_turn = 4
    for _ in range(10):
        if person.game.winner() == NOBODY:
            person.take_turn(random_turn(person.game))
    person.play(lambda _game: None)
    assert not person.account.of(WRONG) + person.account.of(LOST), (seed, person.account)
    script = person.recorder.script()
    lines = [json.loads(line) for line in script.splitlines()]
    times = [line["t_ms"] for line in lines]
    assert all(isinstance(time, int) for time in times), seed
    assert times == sorted(times), seed
    assert times[0] == 0, seed
    assert times[1] >= SCRIPT_BEGINS_MS, seed
    board = {sensor_name(sensor) for sensor in pieces_of(parse_position(lines[0]["start"]))}
    for line in lines[1:]:
        if "lift" in line:
            board.remove(line["lift"])
        elif "place" in line:
            assert line["place"] not in board, (seed, line)
            board.add(line["place"])
    assert board == {sensor_name(sensor) for sensor in pieces_of(person.game.state)}, seed
    mirror = replay(script)
    assert list(mirror.game.turns) == list(person.place.game.turns), seed
    assert mirror.game.state == person.game.state, seed


def test_a_fault_is_in_the_script_too() -> None:
    person = person_at_tracker(0)
    person.recorder.note(person.place.now_ms, stuck="past 3", closed="flicker")
    person.recorder.press(person.place.now_ms, "undo", 1)
    person.recorder.press(person.place.now_ms, "a", 1)
    assert [json.loads(line) for line in person.recorder.lines[1:]] == [
        {"t_ms": 3000, "stuck": "past 3", "closed": "flicker"},
        {"t_ms": 3000, "press": "undo", "side": "black"},
        {"t_ms": 3000, "press": "a"},
    ]
    assert len(parse_script(person.recorder.script(), "script").events) == 4
