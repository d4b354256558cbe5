"""The games with modules on both interpreters: counts, examples, what a game conserves."""

from array import array

from chronotable_host.rules.notation import (
    format_position,
    parse_modules,
    parse_position,
    parse_turn,
)
from tests.table.tools import Dice, sample
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import BLACK, RECORD_WORDS, SEQUENCE, WHITE
from ttykm.turns import TurnTree

CAPACITY = sample(14000, 400)

# G15, I12, M10, C14: turns of the start and lines of two
COUNTS = (
    ("growth", 62, 3844),
    ("influence", 36, 1296),
    ("memory", 16, 256),
    ("growth+influence", 98, 9604),
    ("growth+memory", 62, 3844),
    ("influence+memory", 36, 1296),
)

# (name, start, its objects, turn without its focus, objects and what is left afterwards)
ACTS = (
    ("XG1", ".....w....b...../....w.....b...../.....w.b........ 0 0 4 4 b",
     "growth -/-/- seeds=5",
     "11 pW", "growth *10/sh10/T10 seeds=4"),
    ("XG7", "w.............../w..b............/...b....w.w..... 2 2 4 4 w",
     "growth -/-/T10,*11 seeds=4",
     "9 E", "growth -/-/F11<10 seeds=5"),
    ("XG10", "w.............../w.............../...b....w....... 2 2 4 4 w",
     "growth -/-/T10,T11 seeds=5",
     "9 E", "growth -/-/F11<10,F12<11 seeds=5"),
    ("XG13", "........w......./b.............../...............b 0 0 4 4 w",
     "growth *10/sh10/F11<10 seeds=4",
     "9 dE", "growth -/-/- seeds=5"),
    ("more seeds than can be left", "........w......./b.............../...............b 0 0 4 4 w",
     "growth *10/-/- seeds=7",
     "9 dE", "growth -/-/- seeds=7"),
    ("XI2", ".....w.........b/w......b......../..........bb.... 0 0 4 4 w",
     "influence nN7/nN7/nN10 statues=wb",
     "6 E", "influence nN8/nN8/nN11 statues=wb"),
    ("XI9", "......w........./w.............../b......b........ 0 0 4 4 w",
     "influence -/nN8/- statues=wb",
     "7 sE", "influence nW8/nW7,nN8/nW7 statues=b"),
    ("XI13", ".....w........../w.............../................ 0 0 4 4 w",
     "influence nW5,nN7/nW9,nN12/nW1,nN2 statues=b",
     "6 E*", "influence nW6,nN8/nW10,nN12/nW2,nN3 statues=b"),
    ("XM2", "..w............./w.............../...............b 0 0 4 4 w",
     "memory eD4b,eL13w/eD4,eL13w/eD4w,eL13",
     "3 tE", "memory eD4w,eL13/eD4w,eL13/eD4w,eL13"),
    ("XC9", "w.............../w.............../...............b 0 0 4 4 w",
     "growth+memory eD6w,*7/eD4,sh7/eD4,T7 seeds=4",
     "1 cD:E", "growth+memory eD7w/eD4/eD4 seeds=5"),
    ("XC14", "w..............b/w.............../...............b 0 0 4 4 w",
     "influence+memory nN5,eD6w/nN5,eD6w/nN5 statues=wb",
     "1 cD:E*", "influence+memory nN6,eD7w/nN5,eD6w/nN5 statues=wb"),
)  # fmt: skip


def small_game(modules):
    """Return a game that the chip has room for."""
    game = Game(8, CAPACITY)
    game.start(objects.new_state(parse_modules(modules)))
    return game


def test_the_counts_of_the_rules():
    """G15, I12, M10, C14"""
    for modules, first, second in COUNTS:
        game = small_game(modules)
        turns = list(game.legal_turns())
        assert len(turns) == 2 * game.legal().whole == first, modules
        lines = 0
        for turn in turns[: sample(len(turns), 6)]:
            game.apply(turn)
            lines += len(list(game.legal_turns()))
            game.undo()
        if len(turns) == sample(len(turns), 6):
            assert lines == second, modules


def test_examples():
    """One of each kind; tests/rules goes through all of them."""
    for name, start, things, text, expected in ACTS:
        state = parse_position(start + " " + things)
        tree = TurnTree(4, 4)
        index = tree.follow(state, parse_turn(text + " >past") & 0xFFFF)
        assert index > 0, name
        tree.copy(index, state)
        assert " ".join(format_position(state).split()[6:]) == expected, name


def test_looking_for_a_turn_that_is_none_takes_no_room():
    """Asked often enough, a table would have none left for what hands do."""
    game = small_game("influence")
    game.is_lazy = True
    tree = game.legal()
    end = tree.end
    for first in range(tree.firsts, tree.seconds):
        assert tree.find(tree.records[first * RECORD_WORDS + SEQUENCE]) < 0, "one more is due"
    assert tree.end == end


def test_a_game_conserves_what_it_has():
    """T2, T23, G5, G8, I10, M4: copies only die, seeds return, statues and elephants stay."""
    for modules in range(1, objects.ALL_MODULES + 1):
        for seed in range(sample(4, 1)):
            dice = Dice(100 * modules + seed)
            game = Game(8, CAPACITY)
            game.start(objects.new_state(modules))
            before = array("H", game.state)
            for _ in range(sample(30, 6)):
                turns = list(game.legal_turns())
                if not turns:
                    break
                game.apply(dice.pick(turns))
                _check(before, game.state, (modules, seed, len(game.turns)))
                before = array("H", game.state)
            while game.turns:
                game.undo()
            assert game.state == objects.new_state(modules), (modules, seed)


def _check(before, after, where):
    for player in (WHITE, BLACK):
        assert _copies(after, player) <= _copies(before, player), where
    kinds = [_kinds(before), _kinds(after)]
    assert after[layout.META] >> objects.SEEDS_SHIFT & 7 == 5 * (
        objects.modules_of(after) & 1
    ) - kinds[1].count(objects.SEED), where
    for kind in range(objects.STATUE, objects.STATUE + 3):
        assert kinds[0].count(kind) <= kinds[1].count(kind) <= 3, where
    for kind in (objects.ELEPHANT, objects.ELEPHANT + 1):
        assert kinds[0].count(kind) == kinds[1].count(kind), where
    for era in range(3):
        for space in range(16):
            if objects.kind_at(after, era, space) > objects.SEED:
                assert not (after[era] | after[3 + era]) >> space & 1, where
    text = format_position(after)
    assert parse_position(text) == after, (where, text)


def _copies(state, player):
    count = layout.supply(state, player)
    for era in range(3):
        count += bin(state[3 * player + era]).count("1")
    return count


def _kinds(state):
    return [kind for _, _, kind in objects.objects_of(state)]
