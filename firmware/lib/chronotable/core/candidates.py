"""Which turns may have been meant: the candidates for a question, likeliest first.

Up to three are asked about at a time; when none of them was meant, the next likeliest. Few turns
are in doubt: loaded for those.

A candidate is (packed turn, sensors that would be broken if it was the turn). Exact turns come
before those from which one reed differs; those before the turns that a marker may have ended whose
spot is felt nowhere, or which is felt on two.
"""

from array import array

from chronotable.core import match
from chronotable.core.matcher import MISSED
from chronotable.hardware.sensors import FOCUS
from ttykm import layout
from ttykm.layout import COMPLETE, RECORD_WORDS, SEQUENCE, STATE_WORDS, STATUS
from ttykm.mp import const

if False:
    from chronotable.core.evidence import TurnEvidence
    from chronotable.core.matcher import Matcher
    from ttykm.turns import TurnTree

    Candidate = tuple[int, tuple[int, ...]]

_NEEDLESS = const(15)  # bits of `match.compare`'s evidence that count needless touches
_MOST = const(9)  # three questions
_CHOICES = const(3)
_OBJECTS = const(13)  # words of a position's objects


class Candidates:
    """Finds candidates and goes through them; those on the lights are the first of the `pool`.

    What asks returns the turns to ask about now, none when there is nothing to ask.
    """

    def __init__(self, matcher: "Matcher") -> None:
        self.matcher = matcher
        self.pool: list[Candidate] = []
        self._later: list[Candidate] = []  # to be asked about when none of the pool was meant

    def about_turn(
        self, focus: int, now_ms: int, is_still: bool, was_guided: bool, suspected: int
    ) -> "list[int] | None":
        """Ask which turn lies there whole, with the marker on a focus; None if it is certain.

        `suspected` was taken back by agreement: perhaps it was misread. While pieces still move
        (not `is_still`) nothing is asked: []. Where the lights had to lead hands back after they
        ended their turn (`was_guided`), a turn that does not explain every touch is not certain.
        """
        matcher = self.matcher
        exact = _exact(matcher)
        against = matcher.costs[2 * matcher.whole + 1]
        is_evident = matcher.is_evident(matcher.whole)
        others = []
        turn = matcher.turn_to(focus)
        if is_evident and suspected == turn:
            others = _near(matcher, now_ms)
        elif is_evident and against:
            # a broken reed may explain better what was touched
            others = _near(matcher, now_ms, against - 1)
        elif is_evident and matcher.evidence.is_restless(now_ms):
            health = matcher.evidence.health
            others = _near(matcher, now_ms, 0)
            others = [other for other in others if health.is_restless(other[2], now_ms)]
        is_evident = is_evident and not (was_guided and against)
        if is_evident and len(exact) == 1 and not others and not matcher.is_guessed(matcher.whole):
            return None
        if not is_still:
            return []
        first = _turns(matcher, focus, exact, others)
        if not is_evident:
            others = _near(matcher, now_ms, against & _NEEDLESS)
        return self._ask(first, _turns(matcher, focus, exact, others)[len(first) :])

    def about_others(self, focus: int, now_ms: int, but: int = -1) -> "list[int]":
        """Ask which turn it was, without `but`; perhaps a reed is broken."""
        matcher = self.matcher
        exact = _exact(matcher) if matcher.whole >= 0 else []
        candidates = _turns(matcher, focus, exact, _near(matcher, now_ms))
        return self._ask([each for each in candidates if each[0] != but], [])

    def about_marker(self, players_say: bool) -> "list[int]":
        """Ask where the marker stands, if a whole turn lies there that needs nothing else.

        `players_say`: they pressed a button to say that it does.
        """
        matcher = self.matcher
        if matcher.whole < 0 or not matcher.is_evident(matcher.whole):
            return []
        return self._ask(_shifts(self.matcher, players_say), [])

    def ask_on(self) -> "list[int]":
        """Ask about the next candidates, as none of the choices was meant."""
        rest = self.pool[_CHOICES:]
        return self._ask(rest, self._later) if rest else self._ask(self._later, [])

    def _ask(self, candidates: "list[Candidate]", later: "list[Candidate]") -> "list[int]":
        self.pool = candidates
        self._later = later
        return [turn for turn, _ in candidates[:_CHOICES]]


def _exact(matcher: "Matcher") -> "list[int]":
    """Return the whole records that lie there exactly and lead to different positions.

    The best comes first. Another record is left out when a space that it changes was not touched;
    or when a space was touched that it has no need of, while no touch speaks against the best.
    The latter does not leave out a record that differs from the best on a space whose reed is not
    trusted, nor one that ends in the position before the turn, when a turn was begun and put back:
    then touches were forgotten.
    """
    tree, costs, best = matcher.game.turn_tree, matcher.costs, matcher.whole
    found = [best]
    out: list[int] = []
    known = array("H", bytes(2 * _MOST))
    known[0] = best
    cost = costs[2 * best + 1]
    while len(found) < _MOST:
        other = match.rival(
            tree.records, tree.objects, tree.has_modules, tree.end, known, len(found), costs
        )
        if other < 0:
            break
        against = costs[2 * other + 1]
        if against >= MISSED:
            break
        known[len(found)] = other
        found.append(other)
        if cost == 0 and against > 0 and not _is_hidden(matcher, other):
            out.append(other)
    return [index for index in found if index not in out]


def _is_hidden(matcher: "Matcher", other: int) -> bool:
    """Tell whether a needless touch is no reason to leave a record out; see `_exact`."""
    records, evidence = matcher.game.turn_tree.records, matcher.evidence
    if evidence.went_out and _same_position(matcher.game.turn_tree, other, 0):
        return True
    a, b = matcher.whole * RECORD_WORDS, other * RECORD_WORDS
    for word in range(6):
        if (records[a + word] ^ records[b + word]) & evidence.health.distrusted[word % 3]:
            return True
    return False


def _near(matcher: "Matcher", now_ms: int, most: int = _NEEDLESS) -> "list[tuple[int, int, int]]":
    """Return (needless touches, record, sensor) of the whole records that one reed contradicts.

    It is a reed that has not proven in this turn that it works, or the pole of a magnet. Only
    records with at most `most` needless touches, and with no other space untouched that they
    change.
    """
    tree, evidence, costs = matcher.game.turn_tree, matcher.evidence, matcher.costs
    records = tree.records
    found = []
    for index in range(tree.end):
        against = costs[2 * index + 1]
        if costs[2 * index] != 1 or against >= 2 * MISSED:
            continue
        if not records[index * RECORD_WORDS + STATUS] & COMPLETE:
            continue
        sensor = _differing(tree, index, evidence)
        era, bit = sensor >> 4, 1 << (sensor & 15)
        needless = against & _NEEDLESS
        if against >= MISSED and evidence.observed[match.TOUCHED + era] & bit:
            continue  # what was missed is another space
        counted = evidence.observed[match.COUNTED + era] & bit
        if counted & ~match.needed(records, tree.objects, tree.has_modules, index, era):
            needless -= 1
        is_magnet = evidence.poles is not None and evidence.poles.denies(
            records, index * RECORD_WORDS
        )
        if needless <= most and (is_magnet or evidence.is_unproven(sensor, now_ms)):
            found.append((needless, index, sensor))
    found.sort()
    return found


def _differing(turn_tree: "TurnTree", index: int, evidence: "TurnEvidence") -> int:
    """Return the one space where a record is not what is felt."""
    observed, poles = evidence.observed, evidence.poles
    for era in range(3):
        there = match.lying(turn_tree, index, era)
        mask = (there ^ observed[match.OCCUPIED + era]) & observed[match.TRUSTED + era]
        if poles is not None:
            mask |= poles.others(turn_tree.records, index * RECORD_WORDS, era)
        if mask:
            space = 0
            while not mask >> space & 1:
                space += 1
            return era << 4 | space
    return 0


def _same_position(turn_tree: "TurnTree", one: int, other: int) -> bool:
    """Tell whether two records lead to the same position, their focus aside."""
    records, objects = turn_tree.records, turn_tree.objects
    a, b = one * RECORD_WORDS, other * RECORD_WORDS
    if records[a : a + STATE_WORDS] != records[b : b + STATE_WORDS]:
        return False
    return not turn_tree.has_modules or objects[a : a + _OBJECTS] == objects[b : b + _OBJECTS]


def _turns(
    matcher: "Matcher", focus: int, whole: "list[int]", others: "list[tuple[int, int, int]]"
) -> "list[Candidate]":
    """Return the candidates of exact and near records, each position once."""
    records = matcher.game.turn_tree.records
    found: list[Candidate] = []
    known: list[int] = []
    nobody: tuple[int, ...] = ()
    blaming = [(index, nobody) for index in whole] + [(at, (sensor,)) for _, at, sensor in others]
    for index, blamed in blaming:
        if len(found) == _MOST:
            break
        if not any(_same_position(matcher.game.turn_tree, index, other) for other in known):
            known.append(index)
            found.append((focus << 16 | records[index * RECORD_WORDS + SEQUENCE], blamed))
    return found


def _shifts(matcher: "Matcher", players_say: bool) -> "list[Candidate]":
    """Return where the mover's marker may stand when it is felt nowhere, or on several spots.

    `players_say`: they pressed a button to say that the turn is over, so the marker may be
    elsewhere although a reed feels it at home.
    """
    game, evidence = matcher.game, matcher.evidence
    mover = game.mover
    home = layout.focus(game.state, mover)
    spots = evidence.spots(mover)
    unfelt = evidence.health.markers >> 3 * mover & 7
    away = [era for era in range(3) if era != home]
    first = FOCUS + 3 * mover
    felt = [era for era in away if spots >> era & 1]
    if players_say:
        eras = felt or away
    elif spots:
        eras = felt
    else:
        eras = [era for era in away if unfelt >> era & 1 or not unfelt]
    found: list[Candidate] = []
    for era in eras:
        blamed = [at for at in range(3) if spots >> at & 1 and at != era]
        if not (spots | unfelt) >> era & 1:
            blamed.append(era)
        found.append((matcher.turn_to(era), tuple([first + at for at in blamed])))
    return found
