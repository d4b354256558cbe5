"""Why an action of a game with modules is refused, on both interpreters."""

from chronotable_host.rules.notation import parse_position, parse_turn
from chronotable_host.rules.refusals import rule, why_illegal
from tests.table.tools import sample
from ttykm.game import Game
from ttykm.reasons import LEGAL

CAPACITY = sample(14000, 400)
START = "w..............b/w..............b/w..............b 0 2 4 4 w "

# (objects, turn, the rule it breaks)
REFUSED = (
    ("growth sh2/-/- seeds=0", "1 E S", "G4"),
    ("growth -/-/- seeds=0", "1 pE E", "G5"),
    ("growth -/-/- seeds=5", "1 pE dS", "G8"),
    ("growth T2,sh3/-/- seeds=5", "1 E S", "G12"),
    ("growth -/sh2/- seeds=5", "1 E F", "T33"),
    ("influence nN2,nW3,nB4/-/- statues=-", "1 E S", "I2"),
    ("influence -/-/- statues=wb", "1 E* E", "I4"),
    ("influence -/-/- statues=b", "1 sE E", "I7"),
    ("memory eL2/-/-", "1 E S", "M2"),
    ("memory eL2w/-/-", "1 tE E", "M3"),
    ("memory eL6b/-/-", "1 cL:N E", "M6"),
    ("memory eL4w/-/-", "1 cL:N E", "M7"),
    ("growth+influence *2/-/- seeds=5 statues=w", "1 sE E", "C4"),
    ("growth+memory eD2/-/- seeds=5", "1 pE E", "C10"),
    ("memory -/-/-", "1 pE E", "T7"),
)


def test_the_reason_names_the_rule():
    game = Game(8, CAPACITY)
    for things, text, named in REFUSED:
        game.start(parse_position(START + things))
        assert rule(why_illegal(game, parse_turn(text + " >future"))) == named, (things, text)


def test_what_is_legal_has_no_reason():
    game = Game(8, CAPACITY)
    game.start(parse_position(START + "growth -/-/- seeds=5"))
    for text in ("1 pE pS >future", "1 E pW >present"):
        assert why_illegal(game, parse_turn(text)) == LEGAL, text
    assert rule(why_illegal(game, parse_turn("1 pE >future"))) == "T11"
