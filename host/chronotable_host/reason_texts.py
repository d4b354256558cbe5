"""A sentence for every reason why a turn is not legal, and for a record that has such a turn.

The rules decide; this file only finds words for what they said. Each sentence ends with the number
of its rule.
"""

from array import array
from dataclasses import dataclass

from chronotable_host.object_texts import name_of, with_article
from chronotable_host.rules import objections, refusals
from chronotable_host.rules.notation import ACTIONS, ERAS, PLAYER_NAMES, no_action
from chronotable_host.rules.record import RecordError
from ttykm import layout, objects, reasons
from ttykm.entry import beyond
from ttykm.game import Game, IllegalTurnError
from ttykm.layout import BACK, FORWARD, RECORD_WORDS
from ttykm.objects import ELEPHANT, NOTHING

_DIRECTIONS = ("north", "east", "south", "west")
_TRAVELS = {FORWARD: "forward", BACK: "back"}
_STEPS = {FORWARD: 1, BACK: -1}
_ELEPHANTS = {"cD": ELEPHANT, "cL": ELEPHANT + 1}  # that a command's text begins with

GENERAL = {
    reasons.GAME_OVER: "The game is over, so there are no more turns",
    reasons.SAME_FOCUS: "The focus is in that era already, and it must go to another one",
    reasons.NO_COPY_THERE: "The player to move has no copy on that space of the focus era",
    reasons.ACTIONS_DUE: "A copy in the focus era can act, so the focus cannot just shift",
    reasons.SECOND_ACTION_DUE: "The copy can take a second action, so it must",
    reasons.CHOOSE_ABLER_COPY: "Another copy in the focus era can take more actions, so it must "
    "be one of those",
    reasons.ACTIVE_COPY_DEAD: "The copy died in its first action, so it cannot take a second one",
    reasons.TWO_ACTIONS_REQUIRED: "A turn of two actions is possible and this game demands it, so "
    "the first action must leave the copy a second one",
    reasons.WALL: "The wall is in the way, so the copy cannot move there",
    reasons.NO_ERA_THERE: "There is no era in that direction to travel to",
    reasons.SPACE_TAKEN_FORWARD: "The same space of the next era is taken, so you cannot travel "
    "forward",
    reasons.SPACE_TAKEN_BACK: "The same space of the era before is taken, so you cannot travel "
    "back",
    reasons.SUPPLY_EMPTY: "The supply is empty, so you cannot travel back",
    reasons.UNKNOWN_ACTION: "There is no such action in this game",
    objections.GROWTH_THERE: "A shrub or a fallen tree is in the way, so the copy cannot move "
    "there",
    objections.TREE_STUCK: "The tree there cannot fall, so the copy cannot move there",
    objections.STATUE_STUCK: "The statue there cannot be pushed, so the copy cannot move there",
    objections.ELEPHANT_THERE: "An elephant is in the way, so the copy cannot move there",
    objections.OBJECT_THERE: "Something is on the same space of that era, so you cannot travel "
    "there",
    objections.NO_STATUE_BEHIND: "No statue is right behind the copy, so the move pulls none",
    objections.MOVER_DIES: "The copy would die in that move, so it pulls no statue",
    objections.NO_SEED_LEFT: "No seed is left to plant",
    objections.PLANT_OUTSIDE: "The wall is in the way, so you cannot plant there",
    objections.PLANT_TAKEN: "Something grows or lies there already, so you cannot plant there",
    objections.PLANT_ON_STATUE: "A statue is there, so you cannot plant there",
    objections.PLANT_ON_ELEPHANT: "An elephant is there, so you cannot plant there",
    objections.NO_SEED_THERE: "There is no seed to dig up",
    objections.STATUE_BUILT: "The player's own statue is built already, and there is no other",
    objections.BUILD_OUTSIDE: "The wall is in the way, so you cannot build there",
    objections.BUILD_TAKEN: "The space is not empty, so you cannot build there",
    objections.BUILD_ON_SEED: "A seed is there, so you cannot build there",
    objections.NO_ELEPHANT_THERE: "There is no elephant to train",
    objections.TRAINED_ALREADY: "The elephant wears the player's hat already",
    objections.NOT_YOUR_ELEPHANT: "The elephant does not wear the player's hat in this era, so it "
    "does not obey",
    objections.ELEPHANT_AT_WALL: "The wall is in the way, so the elephant cannot move there",
    objections.ELEPHANT_MEETS_ELEPHANT: "The other elephant is in the way, so the elephant cannot "
    "move there",
    objections.ELEPHANT_MEETS_TREE: "The tree there cannot fall, so the elephant cannot move there",
    objections.ELEPHANT_MEETS_STATUE: "The statue there cannot be pushed, so the elephant cannot "
    "move there",
    objections.NO_STATUE_BEHIND_ELEPHANT: "No statue is right behind the elephant, so it pulls "
    "none",
}
"""What can be said without the position, as when only the code came over the link."""

_THERE = "on space {aim} in the {era}"

PRECISE = {
    reasons.GAME_OVER: "{winner} has won, so there are no more turns",
    reasons.SAME_FOCUS: "{mover}'s focus is in the {here} already, and it must go to another era",
    reasons.NO_COPY_THERE: "{mover} has no copy on space {chosen} in the {here}, where the focus "
    "is",
    reasons.ACTIONS_DUE: "{mover} has a copy in the {here} that can act, so the focus cannot just "
    "shift",
    reasons.SECOND_ACTION_DUE: "The copy from space {chosen} can take a second action, so it must",
    reasons.CHOOSE_ABLER_COPY: "Another copy in the {here} can take more actions than the one on "
    "space {chosen}, so it must be one of those",
    reasons.WALL: "There is a wall {direction} of space {space} in the {era}, so you cannot move "
    "there",
    reasons.NO_ERA_THERE: "There is no era beyond the {era}, so you cannot travel {travel}",
    reasons.SPACE_TAKEN_FORWARD: "Space {space} in the {target} is taken, so you cannot travel "
    "forward",
    reasons.SPACE_TAKEN_BACK: "Space {space} in the {target} is taken, so you cannot travel back",
    reasons.SUPPLY_EMPTY: "{mover}'s supply is empty, so you cannot travel back",
    objections.GROWTH_THERE: "{Thing} is " + _THERE + ", so you cannot move there",
    objections.TREE_STUCK: "The tree " + _THERE + " cannot fall {direction}, so you cannot move "
    "there",
    objections.STATUE_STUCK: "{Thing} " + _THERE + " cannot be pushed {direction}, so you cannot "
    "move there",
    objections.ELEPHANT_THERE: "{Thing} is " + _THERE + ", so you cannot move there",
    objections.OBJECT_THERE: "{Thing} is on space {space} in the {target}, so you cannot travel "
    "{travel}",
    objections.NO_STATUE_BEHIND: "No statue is right behind space {space} in the {era}, so a move "
    "{direction} pulls none",
    objections.MOVER_DIES: "The copy would die in its move {direction}, so it pulls no statue",
    objections.PLANT_OUTSIDE: "There is a wall {direction} of space {space} in the {era}, so you "
    "cannot plant there",
    objections.PLANT_TAKEN: "{Thing} is " + _THERE + ", so you cannot plant there",
    objections.PLANT_ON_STATUE: "{Thing} is " + _THERE + ", so you cannot plant there",
    objections.PLANT_ON_ELEPHANT: "{Thing} is " + _THERE + ", so you cannot plant there",
    objections.NO_SEED_THERE: "There is no seed {where} in the {era} to dig up",
    objections.STATUE_BUILT: "{mover}'s own statue is built already, and there is no other",
    objections.BUILD_OUTSIDE: "There is a wall {direction} of space {space} in the {era}, so you "
    "cannot build there",
    objections.BUILD_TAKEN: "Space {aim} in the {era} is not empty, so you cannot build there",
    objections.BUILD_ON_SEED: "{Thing} is " + _THERE + ", so you cannot build there",
    objections.NO_ELEPHANT_THERE: "There is no elephant {where} in the {era} to train",
    objections.TRAINED_ALREADY: "{Thing} " + _THERE + " wears {mover}'s hat already",
    objections.NOT_YOUR_ELEPHANT: "No {kind} elephant in the {era} wears {mover}'s hat, so none "
    "obeys",
    objections.ELEPHANT_AT_WALL: "There is a wall {direction} of the {kind} elephant in the {era}, "
    "so it cannot move there",
    objections.ELEPHANT_MEETS_ELEPHANT: "{Thing} is " + _THERE + ", so the {kind} one cannot move "
    "there",
    objections.ELEPHANT_MEETS_TREE: "The tree " + _THERE + " cannot fall {direction}, so the {kind}"
    " elephant cannot move there",
    objections.ELEPHANT_MEETS_STATUE: "{Thing} " + _THERE + " cannot be pushed {direction}, so the "
    "{kind} elephant cannot move there",
    objections.NO_STATUE_BEHIND_ELEPHANT: "No statue is right behind the {kind} elephant in the "
    "{era}, so a move {direction} pulls none",
}
"""What can be said with the position at hand, where that is more."""


def reason_text(code: int) -> str:
    """Return the sentence of a reason code, "" for LEGAL, where the position is not at hand."""
    if code == reasons.LEGAL:
        return ""
    return f"{GENERAL[code]} ({refusals.rule(code)})."


def why_text(game: Game, turn: int) -> str:
    """Return why a packed turn is not legal now, in one sentence; "" where it is legal.

    Of an action that the game does not have it says what reading one that there is nowhere says.
    """
    code = refusals.why_illegal(game, turn)
    if code not in PRECISE and code != reasons.UNKNOWN_ACTION:
        return reason_text(code)
    attempt = _failing_action(game, turn)
    if code == reasons.UNKNOWN_ACTION:
        return no_action(ACTIONS[attempt.action]) if attempt.is_named else reason_text(code)
    sentence = PRECISE[code].format(
        winner=PLAYER_NAMES[game.winner()],
        mover=PLAYER_NAMES[game.mover],
        here=ERAS[layout.focus(game.state, game.mover)],
        chosen=(turn >> 12 & 15) + 1,
        **attempt.words(),
    )
    return f"{sentence} ({refusals.rule(code)})."


@dataclass(frozen=True)
class _Attempt:
    """An action that fails: the position, era and space of the copy that tries it, and its code."""

    state: "array[int]"
    era: int
    space: int
    action: int

    @property
    def is_named(self) -> bool:
        """Whether the code is that of an action in some game."""
        return self.action < len(ACTIONS)

    def words(self) -> dict[str, str]:
        """Return what sentences about it say."""
        text = ACTIONS[self.action].rstrip("*") if self.is_named else ""
        side = "NESW".find(text[-1]) if text else -1
        direction = _DIRECTIONS[side] if side >= 0 else ""
        elephant = _ELEPHANTS.get(text[:2])
        start = self.space if elephant is None else self._find(elephant)
        aim = beyond(start, side + 1) if side >= 0 and start >= 0 else start
        target = self.era + _STEPS.get(self.action, 0)
        thing = NOTHING
        if aim >= 0 and target in range(3):
            thing = objects.kind_at(self.state, target, aim)
        return {
            "era": ERAS[self.era],
            "space": str(self.space + 1),
            "target": ERAS[target] if target in range(3) else "",
            "direction": direction,
            "travel": _TRAVELS.get(self.action, ""),
            "aim": str(aim + 1),
            "where": f"on space {aim + 1}"
            if aim >= 0
            else f"beyond the wall {direction} of space {self.space + 1}",
            "Thing": with_article(thing) if thing else "",
            "kind": "" if elephant is None else name_of(elephant).split()[0],
        }

    def _find(self, kind: int) -> int:
        """Return where the object of a kind is in the era, or -1."""
        return next((s for s in range(16) if objects.kind_at(self.state, self.era, s) == kind), -1)


def _failing_action(game: Game, turn: int) -> _Attempt:
    """Return the first action of a turn that fails; the second one where both are possible."""
    first, second = turn >> 6 & 63, turn & 63
    state, era, space = game.state, layout.focus(game.state, game.mover), turn >> 12 & 15
    tree = game.scratch
    index = tree.follow(state, layout.pack_sequence(space, first, 0), game.options)
    if not first or index < 0:
        return _Attempt(state, era, space, first)
    place = tree.records[index * RECORD_WORDS + layout.ACTIVE]
    if place == layout.GONE:
        return _Attempt(state, era, space, first)
    between = array("H", state)
    tree.copy(index, between)
    return _Attempt(between, place >> 4, place & 15, second)


def record_problem(error: RecordError) -> str:
    """Return what is wrong with a record; where a turn is not legal, in a sentence."""
    cause = error.__cause__
    text = str(error)
    if isinstance(cause, IllegalTurnError):
        why = refusals.why_illegal(cause.game, cause.turn)
        return f"{text.rpartition(' (')[0]}: {reason_text(why)}"
    return text
