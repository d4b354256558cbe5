"""Whose is what after a power cut: what the turn cut off, and hands meanwhile, may have done.

Needed at a start alone, and loaded for that.
"""

from chronotable import match
from chronotable.match import OCCUPIED, TRUSTED
from ttykm.layout import RECORD_WORDS

if False:
    from chronotable.matcher import Matcher


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
                other |= match.exchanged(tree, index, era)
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
            moved |= (
                before
                & ~there
                & ~match.needed(tree.records, tree.objects, tree.has_modules, index, era)
            )
            if moved & observed[TRUSTED + era]:
                is_explained = False
        if is_explained:
            return
    for era in range(3):
        evidence.ownership.doubt(era, observed[OCCUPIED + era])
