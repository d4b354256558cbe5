"""The engine against the vectors, the oracle and itself (T1-T32)."""

import json
import random
from array import array
from pathlib import Path

import pytest

from chronotable_host.rules.notation import (
    format_position,
    format_turn,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.perft import perft
from chronotable_host.rules.refusals import RULES, why_illegal
from tests import lanes
from tests.oracle import chapters as oracle
from tests.rules.samples import random_states
from ttykm import game as rules
from ttykm import layout
from ttykm.game import Game, IllegalTurnError, digest, is_conserved
from ttykm.layout import BLACK, META, NOBODY, STRICT_TWO_ACTIONS, WHITE
from ttykm.reasons import LEGAL
from ttykm.turns import RECORDS_EVER, RECORDS_IN_GAMES, TurnTree

VECTORS = Path(__file__).parent.parent / "vectors"
PERFT = json.loads((VECTORS / "perft.json").read_text())["perft"]
OPTIONS = {"strict": STRICT_TWO_ACTIONS, "lenient": 0}


def check_perft(entry, mode, depth):
    rows = entry["counts"][mode][:depth]
    wanted = [(row["sequences"], row["positions"], row["wins"]) for row in rows]
    state = parse_position(entry["pn"])
    found = list(perft(state, len(rows), OPTIONS[mode]))
    assert found == wanted, "per first turn: " + ", ".join(divide(state, len(rows), OPTIONS[mode]))


def divide(state, depth, options):
    """Yield the count behind each first turn, to find where two engines part."""
    game = Game()
    game.start(state, options)
    after = array("H", state)
    for turn in game.legal_turns():
        game.after(turn, after)
        below = 1
        if depth > 1 and rules.winner(after) == NOBODY:
            *_, (below, _, _) = perft(array("H", after), depth - 1, options)
        yield f"{format_turn(turn)}: {below}"


@pytest.mark.parametrize("mode", OPTIONS)
@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: entry["name"])
def test_perft_to_depth_3(entry, mode):
    check_perft(entry, mode, 3)


@lanes.figures
@pytest.mark.parametrize("mode", OPTIONS)
@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: entry["name"])
def test_perft_as_deep_as_the_vectors_go(entry, mode):
    check_perft(entry, mode, 99)


def engine_turns(state, options):
    """Return each legal turn's text with the position after it and the winner."""
    game = Game()
    game.start(state, options)
    after = array("H", state)
    found = {}
    for turn in game.legal_turns():
        assert game.after(turn, after)
        found[format_turn(turn)] = (format_position(after), rules.winner(after))
    return found


WINNERS = {"w": WHITE, "b": BLACK, None: NOBODY}


@pytest.mark.parametrize("options", [0, STRICT_TWO_ACTIONS], ids=["lenient", "strict"])
@pytest.mark.parametrize("seed", range(6))
def test_same_turns_as_the_oracle(seed, options):
    for state in random_states(seed, 25):
        text = format_position(state)
        wanted = {
            oracle.format_turn(turn): (
                oracle.format_position(turn.position),
                WINNERS[turn.winner],
            )
            for turn in oracle.legal_turns(
                oracle.parse_position(text), oracle.Options(strict_two_actions=bool(options))
            )
        }
        assert engine_turns(state, options) == wanted, (seed, text)


@pytest.mark.parametrize("seed", range(10))
def test_a_random_game_conserves_and_goes_back(seed):
    rng = random.Random(seed)
    game = Game()
    game.start(layout.new_state(rng.randrange(2)))
    states = [array("H", game.state)]
    while len(game.turns) < 150:
        turns = list(game.legal_turns())
        if not turns:
            break
        turn = rng.choice(turns)
        assert parse_turn(format_turn(turn)) == turn
        assert why_illegal(game, turn) == LEGAL
        game.apply(turn)
        assert is_conserved(game.state), seed
        for era in range(3):
            assert not game.state[era] & game.state[3 + era], seed
        assert parse_position(format_position(game.state)) == game.state
        states.append(array("H", game.state))
    assert (game.winner() == NOBODY) == bool(turns), seed
    while game.turns:
        assert game.state == states.pop(), seed
        game.undo()
    assert game.state == states.pop()
    with pytest.raises(IndexError):
        game.undo()


@pytest.mark.parametrize("seed", range(4))
def test_what_is_not_legal_is_refused_with_its_rule(seed):
    """Every turn that can be written is legal, or has a reason; both agree with the list."""
    rng = random.Random(seed)
    for state in random_states(200 + seed, 12):
        for options in OPTIONS.values():
            game = Game()
            game.start(state, options)
            legal = set(game.legal_turns())
            for _ in range(400):
                second = rng.randrange(7)
                sequence = layout.pack_sequence(rng.randrange(16), rng.randrange(1, 7), second)
                turn = rng.randrange(3) << 16 | rng.choice([sequence, sequence, 0])
                reason = why_illegal(game, turn)
                assert (reason == LEGAL) == (turn in legal), (seed, format_position(state), turn)
                assert reason == LEGAL or RULES[reason]
                if reason != LEGAL:
                    before = array("H", game.state)
                    with pytest.raises(IllegalTurnError):
                        game.apply(turn)
                    assert game.state == before and not game.turns


@pytest.mark.parametrize(
    ("position", "turn", "rule"),
    [
        ("w..............b/w..............b/w..............b 0 2 4 4 w", "1 N S >present", "T16"),
        ("w..............b/w..............b/w..............b 0 2 4 4 w", "1 E >present", "T11"),
        ("w..............b/w..............b/w..............b 0 2 4 4 w", ">present", "T11"),
        ("w..............b/w..............b/w..............b 0 2 4 4 w", "1 E E >past", "T15"),
        ("w..............b/w..............b/w..............b 0 2 4 4 w", "2 E E >future", "T7"),
        ("w..............b/w..............b/w..............b 0 2 4 4 w", "1 B E >future", "T26"),
        ("w..............b/w..............b/w..............b 0 2 4 4 w", "1 F E >future", "T24"),
        ("w..............b/w..............b/.w.............b 2 2 0 4 w", "2 B E >past", "T27"),
        ("w..............b/w..............b/w..............b 2 2 4 4 w", "1 B E >past", "T25"),
        ("ww..w.........../w.w.....b......./.b.............. 0 0 4 4 w", "1 E >future", "T12"),
        ("w..............b/ww............../w..............b 1 2 4 4 w", "1 E E >past", "T14"),
    ],
)
def test_the_reason_names_the_rule(position, turn, rule):
    game = Game()
    game.start(parse_position(position))
    assert RULES[why_illegal(game, parse_turn(turn))] == rule


def test_strict_two_actions_forbids_the_lost_action():
    """T14: with the option a self-paradox as first action is illegal while two actions exist."""
    position = parse_position("w..............b/ww............../w..............b 1 2 4 4 w")
    turn = parse_turn("1 E >past")
    for options, legal in ((0, True), (STRICT_TWO_ACTIONS, False)):
        game = Game()
        game.start(position, options)
        assert (why_illegal(game, turn) == LEGAL) == legal


@pytest.mark.parametrize("options", [0, STRICT_TWO_ACTIONS])
def test_of_all_packed_numbers_the_legal_turns_are_taken_and_no_others(options):
    """T11: among them a second action without a first one, which the link can say."""
    for state in random_states(8, 12):
        game = Game()
        game.start(state, options)
        legal = set(game.legal_turns())
        out = array("H", state)
        taken = {
            turn
            for sequence in range(1 << 16)
            if sequence & 0xE38 == 0  # codes from 8 on are no actions
            for turn in (sequence, 1 << 16 | sequence, 2 << 16 | sequence, 3 << 16 | sequence)
            if game.after(turn, out)
        }
        assert taken == legal


def test_a_finished_game_takes_no_turn():
    """T29: XS16, black wins by shifting the focus."""
    game = Game()
    game.start(parse_position("...............b/w....w....b...../................ 0 2 4 4 b"))
    assert game.winner() == NOBODY
    game.apply(parse_turn(">past"))
    assert game.winner() == BLACK
    assert list(game.legal_turns()) == []
    with pytest.raises(IllegalTurnError) as error:
        game.apply(parse_turn(">present"))
    assert RULES[why_illegal(error.value.game, error.value.turn)] == "T29"
    game.undo()
    assert game.winner() == NOBODY


@pytest.mark.parametrize("first", [WHITE, BLACK])
def test_the_start(first):
    """T2-T4, T6."""
    state = layout.new_state(first, white_handicap=1, black_handicap=4)
    assert layout.mover(state) == first
    assert layout.focus(state, first) == 0 and layout.focus(state, 1 - first) == 2
    assert (layout.supply(state, WHITE), layout.supply(state, BLACK)) == (3, 0)
    with pytest.raises(ValueError, match="0 to 4"):
        layout.new_state(first, white_handicap=5)


def test_tables_hold_what_can_come():
    """The bounds of turns.py: seven copies in a game, sixteen in any position."""
    rng = random.Random(7)
    games, ever = TurnTree(RECORDS_IN_GAMES), TurnTree(RECORDS_EVER)
    for _ in range(300):
        copies = rng.sample(range(16), 7)
        state = array("H", bytes(14))
        state[1] = sum(1 << space for space in copies)
        state[META] = layout.pack_meta(4, 4, 1, 1, 0)
        games.build(state)
        assert games.end <= RECORDS_IN_GAMES
    state = array("H", (0, 0xFFFF, 0, 0, 0, 0, layout.pack_meta(4, 4, 1, 1, 0)))
    ever.build(state)
    assert ever.end <= RECORDS_EVER


def test_digests_tell_positions_apart():
    seen = {}
    for state in random_states(5, 600):
        key = bytes(state)
        assert seen.setdefault(digest(state), key) == key
    assert len(seen) > 300
