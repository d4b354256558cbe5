"""The rules on both interpreters: counts, examples, what a table holds, what a game remembers.

The vectors and the oracle judge the engine on CPython (tests/rules); here the viper code of the
chip has to say the same.
"""

from array import array

from chronotable_host.rules.notation import (
    ACTIONS,
    format_position,
    format_turn,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.perft import perft
from chronotable_host.rules.refusals import why_illegal
from tests.table.tools import Dice, played_game, popcount, random_state, sample
from ttykm import layout
from ttykm.game import Game, IllegalTurnError, digest
from ttykm.layout import (
    ACTIVE,
    BLACK,
    COMPLETE,
    EFFECTS,
    GONE,
    NOBODY,
    PARENT,
    RECORD_WORDS,
    SEQUENCE,
    STATE_WORDS,
    STATUS,
    STRICT_TWO_ACTIONS,
    WHITE,
)
from ttykm.turns import RECORDS_EVER, RECORDS_IN_GAMES, TurnTree

START = "w..............b/w..............b/w..............b 0 2 4 4 w"

COMPARED = (0, 1, 2, 3, 4, 5, 6, ACTIVE, EFFECTS)

# id, start, copy and actions, the three eras after them, supplies
ACTS = (
    ("XS1", "w..............b/.....wb........./w..............b 1 1 4 4 w", "6 E",
     "w..............b/......wb......../w..............b", (4, 4)),
    ("XS2", "w..............b/......wb......../w..............b 1 1 4 4 w", "7 E",
     "w..............b/.......w......../w..............b", (4, 4)),
    ("XS3", "w.............../..b...w...w...../...............b 1 1 4 4 b", "3 S",
     "w.............../......b........./...............b", (4, 4)),
    ("XS4", "w.............../......b...w...b./w............... 1 1 4 4 b", "7 S",
     "w.............../..........b...w./w...............", (4, 4)),
    ("XS5", "w.............../w.....b...b...../w..............b 1 1 4 4 b", "7 S",
     "w.............../w.............../w..............b", (4, 4)),
    ("XS6", "w..............b/.........w.....b/w..............b 1 1 4 4 w", "10 F",
     "w..............b/...............b/w........w.....b", (4, 4)),
    ("XS7", "w..............b/......b........./w..............b 1 1 4 4 b", "7 B",
     "w.....b........b/......b........./w..............b", (4, 3)),
    ("XS8", "....w..........b/.w.............b/w....b.......... 0 0 4 4 w", "5 F F",
     "...............b/.w.............b/w...wb..........", (4, 4)),
    ("XS9", "w....b........../.w............../...............b 0 0 4 4 b", "6 F B",
     "w....b........../.w...b........../...............b", (4, 3)),
    ("XS10", "..........w...../w..........b..../...............b 0 0 4 4 w", "11 F E",
     "................/w..........w..../...............b", (4, 4)),
    ("XS11", "wbww...........b/....b.........../....b........... 0 0 4 4 w", "1 E",
     ".wb............b/....b.........../....b...........", (4, 4)),
    ("XS12", "....wbbb......../b.............../w............... 0 0 4 4 w", "5 E",
     ".....w.b......../b.............../w...............", (4, 4)),
    ("XS13", "...............b/...............b/..w............b 2 2 4 4 w", "3 B B",
     "..w............b/..w............b/..w............b", (2, 4)),
)  # fmt: skip


def acts(text):
    """Return the sequence of `6 E F`."""
    return parse_turn(text + " >past") & 0xFFFF


def test_the_examples_of_the_rules():
    """XS1 to XS13 (T16-T27)"""
    for name, start, text, eras, supplies in ACTS:
        state = parse_position(start)
        tree = TurnTree(8)
        index = tree.follow(state, acts(text))
        assert index > 0, name
        after = array("H", state)
        tree.copy(index, after)
        assert format_position(after).split()[0] == eras, name
        assert (layout.supply(after, WHITE), layout.supply(after, BLACK)) == supplies, name


def test_what_is_illegal_next():
    """XS7 (T26), XS14 (T27): no way forward again, no way back without supply."""
    tree = TurnTree(8)
    after = parse_position("w..............b/......b........./w..............b 1 1 4 4 b")
    assert tree.follow(after, acts("7 B F")) == -1
    poor = parse_position("...............b/...............b/..w............b 2 2 1 4 w")
    assert tree.follow(poor, acts("3 B")) > 0
    assert tree.follow(poor, acts("3 B B")) == -1


def test_effects():
    """T17-T21"""
    state = parse_position("...............b/..b..bwb..w...../..b............. 1 2 4 4 w")
    tree = TurnTree(8)
    records = tree.records
    push, squish, death = layout.PUSH, layout.SQUISH, layout.PARADOX
    own = layout.OWN_DEATH | layout.ACTIVE_DIES
    for text, effects in (
        ("7 W", push),
        ("7 E", push | squish),
        ("7 N", push | squish),
        ("7 S", death | own),
        ("7 F", 0),
    ):
        index = tree.follow(state, acts(text))
        assert records[index * RECORD_WORDS + EFFECTS] == effects, text
    assert records[tree.follow(state, acts("7 S")) * RECORD_WORDS + ACTIVE] == GONE


def test_the_choice_of_the_copy():
    """T12, XS15"""
    tree = TurnTree()
    tree.build(parse_position("ww..w.........../w.w.....b......./.b.............. 0 2 4 4 w"))
    places = [tree.records[index * RECORD_WORDS + ACTIVE] for index in range(1, tree.firsts)]
    assert places == [1, 4]


def test_turns_without_a_copy():
    """T10, T31, XS16, XS16b"""
    game = Game()
    game.start(parse_position("w..............b/w..............b/w............... 0 2 4 4 b"))
    assert [format_turn(turn) for turn in game.legal_turns()] == [">past", ">present"]
    game.start(parse_position("...............b/w....w....b...../................ 0 2 4 4 b"))
    game.apply(parse_turn(">past"))
    assert game.winner() == BLACK
    assert list(game.legal_turns()) == []


def test_counts():
    """XS17: 16, 256, 5,888 lines of turns, and the same for black."""
    depth = sample(3, 2)
    for first in (WHITE, BLACK):
        found = [row[0] for row in perft(layout.new_state(first), depth)]
        assert found == [16, 256, 5888][:depth]
        strict = [row[0] for row in perft(layout.new_state(first), depth, STRICT_TWO_ACTIONS)]
        assert strict == [16, 256, 5760][:depth]


def test_whole_turns_are_counted():
    """Each comes with two focuses (T15)."""
    for seed in range(sample(20, 3)):
        game = played_game(Dice(seed), 12)
        if game.winner() == NOBODY:
            assert 2 * game.legal().whole == len(list(game.legal_turns())), seed


def test_the_strict_reading_bars_an_early_death():
    """T14"""
    state = parse_position("w.............../ww............b./w..............b 1 1 4 4 w")
    tree = TurnTree()
    tree.build(state)
    assert tree.find(acts("1 E")) >= 0
    tree.build(state, STRICT_TWO_ACTIONS)
    assert tree.find(acts("1 E")) == -1


def test_a_table_is_what_its_text_says():
    """Records in order, parents before children, each what following its sequence gives."""
    alone = TurnTree(8)
    for seed in range(sample(60, 5)):
        state = random_state(Dice(seed), 12)
        tree = TurnTree()
        tree.build(state)
        records = tree.records
        for index in range(1, tree.end):
            base = index * RECORD_WORDS
            sequence = records[base + SEQUENCE]
            parent = records[base + PARENT]
            assert parent < index, seed
            assert (sequence & 0xFC0 == 0) == (index < tree.firsts), seed
            assert (sequence & 63 == 0) == (index < tree.seconds), seed
            if index >= tree.firsts:
                other = alone.follow(state, sequence) * RECORD_WORDS
                assert other > 0, (seed, sequence)
                for word in COMPARED:
                    assert records[base + word] == alone.records[other + word], (seed, index, word)


def test_masks_stay_disjoint_and_copies_are_conserved():
    """T2, T23: dead copies never come back."""
    for seed in range(sample(60, 5)):
        state = random_state(Dice(1000 + seed), 12)
        tree = TurnTree()
        tree.build(state)
        total = [count(state, player) for player in (WHITE, BLACK)]
        for index in range(tree.end):
            base = index * RECORD_WORDS
            after = tree.records[base : base + STATE_WORDS]
            for era in range(3):
                assert after[era] & after[3 + era] == 0, (seed, index)
            for player in (WHITE, BLACK):
                assert count(after, player) <= total[player], (seed, index)


def count(state, player):
    copies = sum([popcount(state[3 * player + era]) for era in range(3)])
    return copies + layout.supply(state, player)


def test_the_capacities_are_enough():
    """Seven copies in one era in games; sixteen ever."""
    full = layout.new_state()
    for word in range(6):
        full[word] = 0
    full[1] = 0xFFFF
    full[layout.META] = layout.pack_meta(7, 7, 1, 1, WHITE)
    tree = TurnTree(RECORDS_EVER)
    tree.build(full)
    assert tree.end <= RECORDS_EVER
    for seed in range(sample(100, 8)):
        state = played_game(Dice(seed), 25).state
        tree = TurnTree(RECORDS_IN_GAMES)
        tree.build(state)
        assert tree.end <= RECORDS_IN_GAMES, seed


def test_undo_restores_everything():
    for seed in range(sample(20, 3)):
        dice = Dice(seed)
        game = Game()
        game.start(layout.new_state(dice.roll(2)))
        before = []
        for _ in range(8):
            turns = list(game.legal_turns())
            if not turns:
                break
            before.append(format_position(game.state))
            game.apply(dice.pick(turns))
        while game.turns:
            game.undo()
            assert format_position(game.state) == before.pop(), seed
        try:
            game.undo()
        except IndexError:
            continue
        raise AssertionError("there was nothing to take back")


def test_an_illegal_turn_changes_nothing():
    game = Game()
    game.start(parse_position(START))
    for text in ("1 N E >present", "1 E E >past", "1 E >present", "2 E E >present", ">present"):
        try:
            game.apply(parse_turn(text))
        except IllegalTurnError as error:
            assert why_illegal(error.game, error.turn), text
        else:
            raise AssertionError(text)
        assert format_position(game.state) == START and not game.turns
    assert game.winner() == NOBODY


def test_digests_are_the_same_on_both_interpreters():
    """CRC-32 over the little-endian words: figures from CPython."""
    game = Game()
    assert digest(game.state) == DIGESTS[0]
    game.apply(parse_turn("1 E S >present"))
    assert digest(game.state) == DIGESTS[1]


DIGESTS = (0xFFF07E8A, 0x588F6C38)


def test_status_words():
    tree = TurnTree()
    tree.build(layout.new_state())
    whole = [
        index for index in range(tree.end) if tree.records[index * RECORD_WORDS + STATUS] & COMPLETE
    ]
    assert whole == list(tree.whole_turns())
    assert len(ACTIONS) == layout.LAST_ACTION + 1
