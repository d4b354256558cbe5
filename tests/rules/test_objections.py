"""Games with modules: whatever is not legal is refused with a code, and the code is true."""

import random
from itertools import combinations

import pytest

from chronotable_host.rules import objections
from chronotable_host.rules.notation import ACTIONS, format_turn, parse_position, parse_turn
from chronotable_host.rules.objections import RULES_OF_MODULES
from chronotable_host.rules.refusals import RULES, rule, why_illegal
from tests import sweep
from tests.oracle import chapters as oracle
from tests.oracle.pieces import MODULES, Options
from tests.oracle.turns import STEPS, space_beyond
from tests.rules.samples import wild
from ttykm import layout, reasons
from ttykm.game import Game
from ttykm.layout import STRICT_TWO_ACTIONS, VOLUNTARY_SUICIDE, VOLUNTARY_SUICIDE_ELEPHANT
from ttykm.reasons import LEGAL

SETS = [chosen for size in range(1, 4) for chosen in combinations(MODULES, size)]
OF_TURNS = (  # what can be wrong though the actions are possible
    LEGAL,
    reasons.ACTIONS_DUE,
    reasons.SECOND_ACTION_DUE,
    reasons.CHOOSE_ABLER_COPY,
    reasons.TWO_ACTIONS_REQUIRED,
)
MAY_DIE = VOLUNTARY_SUICIDE | VOLUNTARY_SUICIDE_ELEPHANT
DEFAULT = Options()
DYING = Options(voluntary_suicide=True, voluntary_suicide_elephant=True)


class Try:
    """An action that the copy of a place takes in a position, and what stands around it."""

    def __init__(self, position, place, code):
        self.position = position
        self.era, self.space = place
        self.text = ACTIONS[code] if code < len(ACTIONS) else "?"
        self.verb = self.text[0] if self.text[0] in "pdstc?" else "travel"
        if self.text[0] in STEPS:
            self.verb = "pull" if self.text.endswith("*") else "move"
        self.side = self.text.rstrip("*")[-1]
        self.start = self.space
        self.beast = None
        if self.verb == "c":
            found = [
                (space, thing)
                for space, thing in position.things[self.era]
                if (thing.kind, thing.name) == ("elephant", self.text[1])
            ]
            self.start, self.beast = found[0] if found else (None, None)
        self.aim = self.start
        if self.side in STEPS and self.start:
            self.aim = space_beyond(self.start, self.side)

    def on(self, era, space):
        """Everything on a space: kinds of things, copies by colour, seeds."""
        if era not in range(3) or space is None:
            return {"nothing at all"}
        found = {thing.kind for there, thing in self.position.things[era] if there == space}
        found |= {colour for there, colour in self.position.eras[era] if there == space}
        return found | ({"seed"} if space in self.position.sown[era] else set())

    @property
    def ahead(self):
        return self.on(self.era, self.aim)

    @property
    def behind(self):
        back = {"N": "S", "E": "W", "S": "N", "W": "E"}[self.side]
        return self.on(self.era, space_beyond(self.start, back))

    @property
    def elsewhere(self):
        return self.on(self.era + (1 if self.side == "F" else -1), self.space)

    @property
    def mover(self):
        return self.position.mover


MODULE_OF = {"p": "growth", "d": "growth", "pull": "influence", "s": "influence",
             "t": "memory", "c": "memory", "?": ""}  # fmt: skip
PLANTS = {"seed", "shrub", "tree", "fallen"}
NOWHERE = {"nothing at all"}


def is_unknown(act):
    needed = {MODULE_OF.get(act.verb)} - {None}
    if act.verb == "c" and act.text.endswith("*"):
        needed.add("influence")
    return not needed <= set(act.position.modules)


# what is the case where a code is given, looked up on the boards
TRUE_OF = {
    reasons.UNKNOWN_ACTION: is_unknown,
    reasons.WALL: lambda act: act.verb in ("move", "pull") and act.ahead == NOWHERE,
    reasons.NO_ERA_THERE: lambda act: act.verb == "travel" and act.elsewhere == NOWHERE,
    reasons.SPACE_TAKEN_FORWARD: lambda act: act.side == "F" and act.elsewhere & {"w", "b"},
    reasons.SPACE_TAKEN_BACK: lambda act: act.side == "B" and act.elsewhere & {"w", "b"},
    reasons.SUPPLY_EMPTY: lambda act: act.side == "B"
    and not act.position.supply["wb".index(act.mover)],
    objections.GROWTH_THERE: lambda act: act.verb in ("move", "pull")
    and act.ahead & {"shrub", "fallen"},
    objections.TREE_STUCK: lambda act: act.verb in ("move", "pull") and "tree" in act.ahead,
    objections.STATUE_STUCK: lambda act: act.verb in ("move", "pull") and "statue" in act.ahead,
    objections.ELEPHANT_THERE: lambda act: act.verb in ("move", "pull")
    and "elephant" in act.ahead,
    objections.OBJECT_THERE: lambda act: act.verb == "travel"
    and act.elsewhere & {"shrub", "tree", "fallen", "statue", "elephant"},
    objections.NO_STATUE_BEHIND: lambda act: act.verb == "pull" and "statue" not in act.behind,
    objections.MOVER_DIES: lambda act: act.verb == "pull"
    and "statue" in act.behind
    and act.ahead & {act.mover, "shrub", "tree", "fallen", "statue", "elephant"},
    objections.NO_SEED_LEFT: lambda act: act.verb == "p" and not act.position.seeds,
    objections.PLANT_OUTSIDE: lambda act: act.verb == "p" and act.ahead == NOWHERE,
    objections.PLANT_TAKEN: lambda act: act.verb == "p" and act.ahead & PLANTS,
    objections.PLANT_ON_STATUE: lambda act: act.verb == "p" and "statue" in act.ahead,
    objections.PLANT_ON_ELEPHANT: lambda act: act.verb == "p" and "elephant" in act.ahead,
    objections.NO_SEED_THERE: lambda act: act.verb == "d" and "seed" not in act.ahead,
    objections.STATUE_BUILT: lambda act: act.verb == "s"
    and act.mover not in act.position.statues,
    objections.BUILD_OUTSIDE: lambda act: act.verb == "s" and act.ahead == NOWHERE,
    objections.BUILD_TAKEN: lambda act: act.verb == "s" and act.ahead - {"seed"},
    objections.BUILD_ON_SEED: lambda act: act.verb == "s" and act.ahead == {"seed"},
    objections.NO_ELEPHANT_THERE: lambda act: act.verb == "t" and "elephant" not in act.ahead,
    objections.TRAINED_ALREADY: lambda act: act.verb == "t"
    and any(
        there == act.aim and thing.hat == act.mover
        for there, thing in act.position.things[act.era]
    ),
    objections.NOT_YOUR_ELEPHANT: lambda act: act.verb == "c"
    and (act.beast is None or act.beast.hat != act.mover),
    objections.ELEPHANT_AT_WALL: lambda act: act.verb == "c" and act.ahead == NOWHERE,
    objections.ELEPHANT_MEETS_ELEPHANT: lambda act: act.verb == "c" and "elephant" in act.ahead,
    objections.ELEPHANT_MEETS_TREE: lambda act: act.verb == "c" and "tree" in act.ahead,
    objections.ELEPHANT_MEETS_STATUE: lambda act: act.verb == "c" and "statue" in act.ahead,
    objections.NO_STATUE_BEHIND_ELEPHANT: lambda act: act.text[-1] == "*"
    and act.verb == "c"
    and "statue" not in act.behind,
}  # fmt: skip


def check(code, position, place, action, possible, where):
    """The code of an action that nothing else is wrong with, against the oracle and the boards."""
    if action < len(ACTIONS) and ACTIONS[action] in possible:
        assert code in OF_TURNS, where
        return
    assert code not in OF_TURNS, where
    assert TRUE_OF[code](Try(position, place, action)), (rule(code), where)


@pytest.mark.parametrize("may_die", [False, True], ids=["defaults", "may die"])
@pytest.mark.parametrize("modules", SETS, ids="+".join)
def test_every_action_is_legal_or_refused_with_what_is_true(modules, may_die):
    seed = 7
    rng = random.Random(seed)
    options = DYING if may_die else DEFAULT
    seen = set()
    for number in range(sweep.size(3, 12)):
        position = wild(rng, modules)
        text = oracle.format_position(position)
        game = Game()
        game.start(parse_position(text), MAY_DIE * may_die)
        here = layout.focus(game.state, game.mover)
        space = rng.choice(oracle.copies_in(position, here, position.mover))
        turn = (here + 1) % 3 << 16
        possible = oracle.actions(position, (here, space), options)
        for action in range(1, 64):
            sequence = layout.pack_sequence(space - 1, action, 0)
            where = (seed, number, text, format_turn(turn | sequence) if action < 45 else action)
            code = why_illegal(game, turn | sequence)
            seen.add(code)
            check(code, position, (here, space), action, possible, where)
        first = rng.choice(sorted(possible) or [""])
        if not first:
            continue
        between = possible[first]
        then = oracle.actions(between.position, between.active, options) if between.active else {}
        for action in range(1, 64):
            sequence = layout.pack_sequence(space - 1, ACTIONS.index(first), action)
            where = (seed, number, text, first, action)
            code = why_illegal(game, turn | sequence)
            seen.add(code)
            if between.active is None:
                assert code == reasons.ACTIVE_COPY_DEAD, where
            else:
                check(code, between.position, between.active, action, then, where)
    assert len(seen) > 8, sorted(map(rule, seen))


@pytest.mark.parametrize("strict", [0, STRICT_TWO_ACTIONS], ids=["lenient", "strict"])
@pytest.mark.parametrize("modules", SETS, ids="+".join)
def test_what_has_no_reason_is_legal_and_nothing_else(modules, strict):
    """T11 to T14 as in the standard game, also where nobody can act or take a second action."""
    seed = 11
    rng = random.Random(seed)
    for number in range(sweep.size(2, 6)):
        position = wild(rng, modules)
        game = Game()
        game.start(parse_position(oracle.format_position(position)), strict)
        legal = set(game.legal_turns())
        tried = [*rng.sample(sorted(legal), min(20, len(legal))), *range(0, 3 << 16, 1 << 16)]
        copies = oracle.copies_in(position, layout.focus(game.state, game.mover), position.mover)
        for _ in range(150):
            sequence = layout.pack_sequence(
                rng.choice(copies) - 1, rng.randrange(1, 45), rng.choice([0, rng.randrange(1, 45)])
            )
            tried.append(rng.randrange(3) << 16 | sequence)
        for turn in tried:
            where = (seed, number, oracle.format_position(position), format_turn(turn))
            assert (why_illegal(game, turn) == LEGAL) == (turn in legal), where


START = "w..............b/w..............b/w..............b 0 2 4 4 w"
IN_THORNS = "w..............b/...............b/b..............b 0 2 0 4 w growth"
ALL_ROUND = f"{IN_THORNS} sh2,sh5/sh1/- seeds=0"  # nothing is possible
DEAD_END = f"{IN_THORNS} -/sh2,sh5/- seeds=0"  # nothing is possible after a travel


@pytest.mark.parametrize(
    ("position", "turn", "named"),
    [
        (f"{START} growth -/-/- seeds=0", "1 pS E >future", "G5"),
        (f"{START} growth *1/-/- seeds=4", "1 po E >future", "G5"),
        (f"{START} growth -/-/- seeds=1", "1 pE pS >future", "G5"),
        (f"{START} growth -/-/- seeds=5", "1 pN E >future", "G5"),
        (f"{START} growth+influence nN2/-/- seeds=5 statues=-", "1 pE E >future", "C8"),
        (f"{START} growth+memory eD2/-/- seeds=5", "1 pE E >future", "C10"),
        (f"{START} growth -/-/- seeds=5", "1 dE E >future", "G8"),
        (f"{START} growth sh2/-/- seeds=5", "1 E S >future", "G4"),
        (f"{START} growth F2<3/-/- seeds=5", "1 E S >future", "G4"),
        (f"{START} growth T2,sh3/-/- seeds=5", "1 E S >future", "G12"),
        (f"{START} growth+memory T2,eD3/-/- seeds=5", "1 E S >future", "G12"),
        (f"{START} growth -/sh2/- seeds=5", "1 E F >future", "T33"),
        (f"{START} influence nN2,nW3,nB4/-/- statues=-", "1 E S >future", "I2"),
        (f"{START} influence -/-/- statues=b", "1 sE E >future", "I7"),
        (f"{START} influence -/-/- statues=wb", "1 E* E >future", "I4"),
        (f"{START} growth+influence *2/-/- seeds=5 statues=w", "1 sE E >future", "C4"),
        (f"{START} memory eL2/-/-", "1 E S >future", "M2"),
        (f"{START} memory eL2w/-/-", "1 tE E >future", "M3"),
        (f"{START} memory eL2/-/-", "1 tS E >future", "M3"),
        (f"{START} memory eL6b/-/-", "1 cL:N E >future", "M6"),
        (f"{START} memory eL6w/eL6/-", "1 cD:N E >future", "M6"),
        (f"{START} memory eL4w/-/-", "1 cL:N E >future", "M7"),
        (f"{START} memory eL4w,eD8/-/-", "1 cL:S E >future", "M7"),
        (f"{START} memory eL4w/-/-", "1 cL:S* E >future", "T7"),
        (f"{START} influence+memory eL4w/-/- statues=-", "1 cL:S* E >future", "C11"),
        (f"{START} memory -/-/-", "1 pE E >future", "T7"),
        (ALL_ROUND, "1 E S >future", "G4"),
        (ALL_ROUND, "1 F S >future", "T33"),
        (ALL_ROUND, "1 pE E >future", "G5"),
        (DEAD_END, "1 F E >future", "G4"),
        (DEAD_END, "1 E >future", "T11"),
        (DEAD_END, ">future", "T11"),
    ],
)
def test_the_reason_names_the_rule(position, turn, named):
    game = Game()
    game.start(parse_position(position))
    assert rule(why_illegal(game, parse_turn(turn))) == named


def test_a_dead_end_is_for_the_lenient_reading_only():
    """T14: the copy lives and cannot go on; the strict reading demands another first action."""
    for options, code in ((0, LEGAL), (STRICT_TWO_ACTIONS, reasons.TWO_ACTIONS_REQUIRED)):
        game = Game()
        game.start(parse_position(DEAD_END), options)
        assert why_illegal(game, parse_turn("1 F >future")) == code
    game.start(parse_position(ALL_ROUND))
    assert [format_turn(turn) for turn in game.legal_turns()] == [">present", ">future"], "T13"


def test_codes_and_rules():
    """The link has six bits for a code, of which chronotable.core.why has some."""
    codes = [code for code in TRUE_OF if code >= objections.FIRST]
    first = objections.FIRST
    assert sorted(codes) == list(range(first, first + len(RULES_OF_MODULES)))
    assert max(codes) < 64
    assert [rule(code) for code in range(len(RULES))] == list(RULES)
    assert all(rule(code) for code in codes)
    for code in (len(RULES), first - 1, max(codes) + 1):
        with pytest.raises(IndexError):
            rule(code)
