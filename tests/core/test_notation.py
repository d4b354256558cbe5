"""Texts on both interpreters: read and written the same, wrong ones refused."""

from chronotable_host.rules.notation import (
    NotationError,
    UnknownModuleError,
    format_modules,
    format_options,
    format_position,
    format_turn,
    parse_era,
    parse_modules,
    parse_options,
    parse_player,
    parse_position,
    parse_turn,
)
from tests.table.tools import Dice, played_game, random_state, sample
from ttykm.game import is_conserved

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
WITH_OBJECTS = (
    START + " growth *1,*10/sh10/F11<10,T12 seeds=3",
    START + " influence nN7/nN7,nB8/nW2,nN7 statues=-",
    START + " memory eD4w,eL13/eL13b,eD14w/-",
    START + " growth+influence+memory -/eD4,*5,nN7/F2<6 seeds=0 statues=w",
)
WRONG_OBJECTS = (
    "growth",
    "growth -/- seeds=5",
    "growth -/-/-",
    "growth -/-/- seeds=8",
    "growth T1/-/- seeds=5",
    "growth F5<4/-/- seeds=5",
    "growth sh5,*5/-/- seeds=4",
    "growth nN5/-/- seeds=5",
    "growth -/-/- seeds=5 5",
    "influence nN5,nN6/-/- statues=-",
    "influence nW5/-/- statues=w",
    "memory eD5w,eL6w/-/-",
    "memory eD5x/-/-",
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
    for text in WRONG_OBJECTS:
        assert refuses(parse_position, START + " " + text), text
    assert refuses(parse_position, START + " gardening", UnknownModuleError)


def test_positions_with_objects_come_back():
    for text in WITH_OBJECTS:
        assert format_position(parse_position(text)) == text, text
        loose = text.upper().replace("/", " / ").replace(",", " ,").replace("+", " + ")
        assert format_position(parse_position(loose)) == text, text


def test_modules():
    for modules in range(8):
        assert parse_modules(format_modules(modules)) == modules
    assert format_modules(parse_modules("Memory + GROWTH")) == "growth+memory"
    assert refuses(parse_modules, "growth+growth", UnknownModuleError)


def test_legal_turns_come_back():
    for seed in range(sample(20, 3)):
        for turn in played_game(Dice(seed), 15).legal_turns():
            assert parse_turn(format_turn(turn)) == turn, seed


def test_turns_are_read_leniently():
    assert format_turn(parse_turn(" 6  e f>FUT")) == "6 E F >future"
    assert format_turn(parse_turn(">pas")) == ">past"
    assert format_turn(parse_turn("6 PO Cd:n* >future")) == "6 po cD:N* >future"


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
    text = "build_blocked=stop_2023 shrub_removal_ungrows=true"
    assert format_options(parse_options("voluntary_suicide=false " + text)) == text


def test_conservation():
    """T2: seven pieces each."""
    for seed in range(sample(20, 3)):
        assert is_conserved(played_game(Dice(seed), 20).state), seed
    assert not is_conserved(parse_position(START.replace("4 4", "5 4")))
