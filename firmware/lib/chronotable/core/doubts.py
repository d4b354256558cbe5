"""Whose is what after a power cut, and after hands that held both players' pieces.

Seldom needed: loaded at a start, and when such hands have put something down.
"""

from chronotable.core import match
from chronotable.core.match import OCCUPIED, TRUSTED
from chronotable.hardware.sensors import FOCUS
from ttykm.layout import RECORD_WORDS

if False:
    from collections.abc import Callable

    from chronotable.core.guidance import Guidance
    from chronotable.core.matcher import Matcher


def exchanged_by_turn(matcher: "Matcher", exchanged: "list[int]") -> bool:
    """Note, by era, where the turn that was cut off may have changed owners.

    What hands had done of it nobody knows: each beginning of a legal turn may lie there. Returns
    whether one of them may lie there unnoticed, as all of the position does.
    """
    tree, state = matcher.game.turn_tree, matcher.game.state
    records = tree.records
    is_hidden = False
    for index in range(1, tree.end):
        base = index * RECORD_WORDS
        is_same, found = True, 0
        for era in range(3):
            other = state[era] & records[base + 3 + era] | state[3 + era] & records[base + era]
            if tree.has_modules:  # a copy or another object may lie where an object did
                changed = state[era] | state[3 + era]
                changed ^= records[base + era] | records[base + 3 + era]
                other |= changed & match.lying(tree, 0, era) & match.lying(tree, index, era)
                other |= match.to_exchange(tree.objects, index, era, matcher.evidence.observed)
                # a magnet may have tapped where the copy that acts has left
                other |= (state[era] | state[3 + era]) & ~match.lying(tree, index, era)
            exchanged[era] |= other
            found |= other
            is_same = is_same and match.lying(tree, index, era) == match.lying(tree, 0, era)
        if found and is_same:
            is_hidden = True
    return is_hidden


def doubt_unexplained(matcher: "Matcher") -> None:
    """Doubt whose everything is if no beginning of the turn cut off puts and takes so much.

    Then somebody has moved things meanwhile, and nobody knows which.
    """
    evidence, tree = matcher.evidence, matcher.game.turn_tree
    observed = evidence.observed
    for index in range(tree.end):
        is_explained = True
        for era in range(3):
            before, there = match.lying(tree, 0, era), observed[OCCUPIED + era]
            moved = there & ~(before | match.lying(tree, index, era))
            needed = match.needed(tree.records, tree.objects, tree.has_modules, index, era)
            moved |= before & ~there & ~needed
            if moved & observed[TRUSTED + era]:
                is_explained = False
        if is_explained:
            return
    for era in range(3):
        evidence.ownership.doubt(era, observed[OCCUPIED + era])


def asks_back(
    matcher: "Matcher",
    guidance: "Guidance",
    compare: "Callable[[int], int]",
    record: int,
    is_doubtful: bool,
) -> bool:
    """Tell whether a record lies there after hands mixed pieces up, but perhaps exchanged.

    `compare` fills the guidance with what differs from a record.
    """
    game, evidence = matcher.game, matcher.evidence
    may_hide = is_doubtful and game.turn_tree.has_modules  # an object, where a copy belongs
    # what hands hold while an action lies there may be dead, or they are on their way to another
    is_still = may_hide or (record and is_doubtful) or not evidence.ownership.is_holding()
    if not (is_still and evidence.is_marker_home(game.state, game.mover)):
        return False
    compare(record)
    if may_hide:
        is_there = not guidance.takes_too_much()
        for sensor in range(FOCUS):  # no copy is missing
            if guidance.put[sensor] and guidance.wanted(sensor >> 4, 1 << (sensor & 15)) >= 0:
                is_there = False
    else:
        is_there = not matcher.is_due() and evidence.lies_there(game.turn_tree, record)
    return is_there and guidance.has_doubts()
