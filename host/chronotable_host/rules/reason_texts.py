"""A sentence for every reason why a turn is not legal, and for a record that has such a turn.

The rules decide; this file only finds words for what they said. Each sentence ends with the number
of its rule.
"""

from array import array
from dataclasses import dataclass

from chronotable_host.language import names, tr, tr_c
from chronotable_host.rules import objections, refusals
from chronotable_host.rules.notation import ACTIONS, no_action
from chronotable_host.rules.object_texts import with_article
from chronotable_host.rules.record import RecordError
from ttykm import layout, objects, reasons
from ttykm.entry import beyond
from ttykm.game import Game, IllegalTurnError
from ttykm.layout import BACK, FORWARD, RECORD_WORDS
from ttykm.objects import ELEPHANT, NOTHING

_TRAVELS = {FORWARD: tr_c("travel", "forward"), BACK: tr_c("travel", "back")}
_STEPS = {FORWARD: 1, BACK: -1}
_ELEPHANTS = {"cD": ELEPHANT, "cL": ELEPHANT + 1}  # that a command's text begins with
_KINDS = {ELEPHANT: tr_c("the … elephant", "dark"), ELEPHANT + 1: tr_c("the … elephant", "light")}

GENERAL = {
    reasons.GAME_OVER: tr("The game is over, so there are no more turns"),
    reasons.SAME_FOCUS: tr("The focus is in that era already, and it must go to another one"),
    reasons.NO_COPY_THERE: tr("The player to move has no copy on that space of the focus era"),
    reasons.ACTIONS_DUE: tr("A copy in the focus era can act, so the focus cannot just shift"),
    reasons.SECOND_ACTION_DUE: tr("The copy can take a second action, so it must"),
    reasons.CHOOSE_ABLER_COPY: tr(
        "Another copy in the focus era can take more actions, so it must be one of those"
    ),
    reasons.ACTIVE_COPY_DEAD: tr(
        "The copy died in its first action, so it cannot take a second one"
    ),
    reasons.TWO_ACTIONS_REQUIRED: tr(
        "A turn of two actions is possible and this game demands it, so the first action must "
        "leave the copy a second one"
    ),
    reasons.WALL: tr("The wall is in the way, so the copy cannot move there"),
    reasons.NO_ERA_THERE: tr("There is no era in that direction to travel to"),
    reasons.SPACE_TAKEN_FORWARD: tr(
        "The same space of the next era is taken, so the copy cannot travel forward"
    ),
    reasons.SPACE_TAKEN_BACK: tr(
        "The same space of the era before is taken, so the copy cannot travel back"
    ),
    reasons.SUPPLY_EMPTY: tr("The supply is empty, so the copy cannot travel back"),
    reasons.UNKNOWN_ACTION: tr("There is no such action in this game"),
    objections.GROWTH_THERE: tr(
        "A shrub or a fallen tree is in the way, so the copy cannot move there"
    ),
    objections.TREE_STUCK: tr("The tree there cannot fall, so the copy cannot move there"),
    objections.STATUE_STUCK: tr("The statue there cannot be pushed, so the copy cannot move there"),
    objections.ELEPHANT_THERE: tr("An elephant is in the way, so the copy cannot move there"),
    objections.OBJECT_THERE: tr(
        "Something is on the same space of that era, so the copy cannot travel there"
    ),
    objections.NO_STATUE_BEHIND: tr("No statue is right behind the copy, so the move pulls none"),
    objections.MOVER_DIES: tr("The copy would die in that move, so it pulls no statue"),
    objections.NO_SEED_LEFT: tr("No seed is left to plant"),
    objections.PLANT_OUTSIDE: tr("The wall is in the way, so the copy cannot plant there"),
    objections.PLANT_TAKEN: tr(
        "Something grows or lies there already, so the copy cannot plant there"
    ),
    objections.PLANT_ON_STATUE: tr("A statue is there, so the copy cannot plant there"),
    objections.PLANT_ON_ELEPHANT: tr("An elephant is there, so the copy cannot plant there"),
    objections.NO_SEED_THERE: tr("There is no seed to dig up"),
    objections.STATUE_BUILT: tr("The player's own statue is built already, and there is no other"),
    objections.BUILD_OUTSIDE: tr("The wall is in the way, so the copy cannot build there"),
    objections.BUILD_TAKEN: tr("The space is not empty, so the copy cannot build there"),
    objections.BUILD_ON_SEED: tr("A seed is there, so the copy cannot build there"),
    objections.NO_ELEPHANT_THERE: tr("There is no elephant to train"),
    objections.TRAINED_ALREADY: tr("The elephant wears the player's hat already"),
    objections.NOT_YOUR_ELEPHANT: tr(
        "The elephant does not wear the player's hat in this era, so it does not obey"
    ),
    objections.ELEPHANT_AT_WALL: tr("The wall is in the way, so the elephant cannot move there"),
    objections.ELEPHANT_MEETS_ELEPHANT: tr(
        "The other elephant is in the way, so the elephant cannot move there"
    ),
    objections.ELEPHANT_MEETS_TREE: tr(
        "The tree there cannot fall, so the elephant cannot move there"
    ),
    objections.ELEPHANT_MEETS_STATUE: tr(
        "The statue there cannot be pushed, so the elephant cannot move there"
    ),
    objections.NO_STATUE_BEHIND_ELEPHANT: tr(
        "No statue is right behind the elephant, so it pulls none"
    ),
}
"""What can be said without the position, as when only the code came over the link."""

PRECISE = {
    reasons.GAME_OVER: tr("{winner} has won, so there are no more turns"),
    reasons.SAME_FOCUS: tr(
        "{mover}'s focus is in the {here} already, and it must go to another era"
    ),
    reasons.NO_COPY_THERE: tr(
        "{mover} has no copy on space {chosen} in the {here}, where the focus is"
    ),
    reasons.ACTIONS_DUE: tr(
        "{mover} has a copy in the {here} that can act, so the focus cannot just shift"
    ),
    reasons.SECOND_ACTION_DUE: tr(
        "The copy from space {chosen} can take a second action, so it must"
    ),
    reasons.CHOOSE_ABLER_COPY: tr(
        "Another copy in the {here} can take more actions than the one on space {chosen}, so it "
        "must be one of those"
    ),
    reasons.WALL: tr(
        "There is a wall {direction} of space {space} in the {era}, so the copy cannot move there"
    ),
    reasons.NO_ERA_THERE: tr(
        "There is no era beyond the {era}, so the copy cannot travel {travel}"
    ),
    reasons.SPACE_TAKEN_FORWARD: tr(
        "Space {space} in the {target} is taken, so the copy cannot travel forward"
    ),
    reasons.SPACE_TAKEN_BACK: tr(
        "Space {space} in the {target} is taken, so the copy cannot travel back"
    ),
    reasons.SUPPLY_EMPTY: tr("{mover}'s supply is empty, so the copy cannot travel back"),
    **dict.fromkeys(
        (objections.GROWTH_THERE, objections.ELEPHANT_THERE),
        tr("{Thing} is on space {aim} in the {era}, so the copy cannot move there"),
    ),
    objections.TREE_STUCK: tr(
        "The tree on space {aim} in the {era} cannot fall {direction}, so the copy cannot move "
        "there"
    ),
    objections.STATUE_STUCK: tr(
        "{Thing} on space {aim} in the {era} cannot be pushed {direction}, so the copy cannot move "
        "there"
    ),
    objections.OBJECT_THERE: tr(
        "{Thing} is on space {space} in the {target}, so the copy cannot travel {travel}"
    ),
    objections.NO_STATUE_BEHIND: tr(
        "No statue is right behind space {space} in the {era}, so a move {direction} pulls none"
    ),
    objections.MOVER_DIES: tr("The copy would die in its move {direction}, so it pulls no statue"),
    objections.PLANT_OUTSIDE: tr(
        "There is a wall {direction} of space {space} in the {era}, so the copy cannot plant there"
    ),
    **dict.fromkeys(
        (objections.PLANT_TAKEN, objections.PLANT_ON_STATUE, objections.PLANT_ON_ELEPHANT),
        tr("{Thing} is on space {aim} in the {era}, so the copy cannot plant there"),
    ),
    objections.NO_SEED_THERE: tr("There is no seed {where} in the {era} to dig up"),
    objections.STATUE_BUILT: tr("{mover}'s own statue is built already, and there is no other"),
    objections.BUILD_OUTSIDE: tr(
        "There is a wall {direction} of space {space} in the {era}, so the copy cannot build there"
    ),
    objections.BUILD_TAKEN: tr(
        "Space {aim} in the {era} is not empty, so the copy cannot build there"
    ),
    objections.BUILD_ON_SEED: tr(
        "{Thing} is on space {aim} in the {era}, so the copy cannot build there"
    ),
    objections.NO_ELEPHANT_THERE: tr("There is no elephant {where} in the {era} to train"),
    objections.TRAINED_ALREADY: tr(
        "{Thing} on space {aim} in the {era} wears {mover}'s hat already"
    ),
    objections.NOT_YOUR_ELEPHANT: tr(
        "No {kind} elephant in the {era} wears {mover}'s hat, so none obeys"
    ),
    objections.ELEPHANT_AT_WALL: tr(
        "There is a wall {direction} of the {kind} elephant in the {era}, so it cannot move there"
    ),
    objections.ELEPHANT_MEETS_ELEPHANT: tr(
        "{Thing} is on space {aim} in the {era}, so the {kind} one cannot move there"
    ),
    objections.ELEPHANT_MEETS_TREE: tr(
        "The tree on space {aim} in the {era} cannot fall {direction}, so the {kind} elephant "
        "cannot move there"
    ),
    objections.ELEPHANT_MEETS_STATUE: tr(
        "{Thing} on space {aim} in the {era} cannot be pushed {direction}, so the {kind} elephant "
        "cannot move there"
    ),
    objections.NO_STATUE_BEHIND_ELEPHANT: tr(
        "No statue is right behind the {kind} elephant in the {era}, so a move {direction} pulls "
        "none"
    ),
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
        winner=names.PLAYERS[game.winner()],
        mover=names.PLAYERS[game.mover],
        here=names.ERAS[layout.focus(game.state, game.mover)],
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
        direction = names.DIRECTIONS[side] if side >= 0 else ""
        elephant = _ELEPHANTS.get(text[:2])
        start = self.space
        if elephant is not None:
            kinds = [objects.kind_at(self.state, self.era, space) for space in range(16)]
            start = kinds.index(elephant) if elephant in kinds else -1
        aim = beyond(start, side + 1) if side >= 0 and start >= 0 else start
        target = self.era + _STEPS.get(self.action, 0)
        thing = NOTHING
        if aim >= 0 and target in range(3):
            thing = objects.kind_at(self.state, target, aim)
        return {
            "era": names.ERAS[self.era],
            "space": str(self.space + 1),
            "target": names.ERAS[target] if target in range(3) else "",
            "direction": direction,
            "travel": _TRAVELS.get(self.action, ""),
            "aim": str(aim + 1),
            "where": tr("on space {space}", space=aim + 1)
            if aim >= 0
            else tr(
                "beyond the wall {direction} of space {space}",
                direction=direction,
                space=self.space + 1,
            ),
            "Thing": with_article(thing) if thing else "",
            "kind": "" if elephant is None else _KINDS[elephant],
        }


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
