"""Texts on both interpreters: read and written the same, wrong ones refused."""

from tests.table.tools import Dice, played_game, random_state, sample
from ttykm.layout import is_conserved
from ttykm.notation import (
    NotationError,
    UnknownModuleError,
    format_options,
    format_position,
    format_turn,
    parse_era,
    parse_options,
    parse_player,
    parse_position,
    parse_turn,
)

START = "w..............b/w..............b/w..............b 0 2 4 4 w"

WRONG_POSITIONS = (
    "",
    START[:-2],
    START.replace("/w", "w", 1),
    START.replace("0 2", "0 3"),
    START.replace(" w", " x"),
    START.replace("w..", "r..", 1),
    START.replace("4 4", "8 4"),
)
WRONG_TURNS = (
    "",
    "6",
    "6 E F",
    "6 >past",
    "17 E >past",
    "0 E >past",
    "6 X >past",
    ">p",
    "6 E F N >past",
)


def refuses(parse, text, error=NotationError):
    try:
        parse(text)
    except error:
        return True
    return False


def test_positions_come_back():
    for seed in range(sample(200, 20)):
        text = format_position(random_state(Dice(seed), 20))
        assert format_position(parse_position(text)) == text, seed


def test_positions_are_read_leniently():
    assert format_position(parse_position("  " + START.upper().replace("/", " / ") + " ")) == START


def test_wrong_positions_are_refused():
    for text in WRONG_POSITIONS:
        assert refuses(parse_position, text), text
    assert refuses(parse_position, START + " gardening", UnknownModuleError)


def test_legal_turns_come_back():
    for seed in range(sample(20, 3)):
        for turn in played_game(Dice(seed), 15).legal_turns():
            assert parse_turn(format_turn(turn)) == turn, seed


def test_turns_are_read_leniently():
    assert format_turn(parse_turn(" 6  e f>FUT")) == "6 E F >future"
    assert format_turn(parse_turn(">pas")) == ">past"


def test_wrong_turns_are_refused():
    for text in WRONG_TURNS:
        assert refuses(parse_turn, text), text


def test_names():
    assert [parse_era(text) for text in ("past", "pr", "F")] == [0, 1, 2]
    assert [parse_player(text) for text in ("White", "b")] == [0, 1]
    assert refuses(parse_era, "p") and refuses(parse_player, "")


def test_options():
    assert parse_options("") == 0
    assert format_options(parse_options(" STRICT_two_actions=TRUE ")) == "strict_two_actions=true"
    assert format_options(parse_options("strict_two_actions=false")) == ""
    assert refuses(parse_options, "strict=true")


def test_conservation():
    """T2: seven pieces each."""
    for seed in range(sample(20, 3)):
        assert is_conserved(played_game(Dice(seed), 20).state), seed
    assert not is_conserved(parse_position(START.replace("4 4", "5 4")))
