"""A turn that is not the hands' own: a player who has none wants it, and the hands carry it out.

The lights ask for one action after the other, then for the focus marker. How far it is, is read off
the boards each time; nothing else counts as a turn meanwhile.
"""

from chronotable import match
from chronotable.meanings import OFF, TODO_PUT
from ttykm.layout import GONE, PARENT, RECORD_WORDS, SEQUENCE, TARGET

if False:
    from chronotable.matcher import Matcher
    from chronotable.recovery import Recovery


class WantedTurn:
    """`turn` is packed; `records` are those after each of its actions, the last one last.

    It is wanted of the game's turn tree as it stands: whoever builds another one lets it go before.
    """

    def __init__(
        self, matcher: "Matcher", recovery: "Recovery", turn: int, records: "list[int]"
    ) -> None:
        self.turn = turn
        self.records = records
        self._matcher = matcher
        self._recovery = recovery
        self._step = 0

    def look(self) -> bool:
        """Ask for what is due next; return whether all of it lies there, the marker included."""
        matcher, recovery, records = self._matcher, self._recovery, self.records
        tree = matcher.game.turn_tree
        while self._step < len(records) and matcher.evidence.is_laid(tree, records[self._step]):
            matcher.rest_on(records[self._step])
            matcher.evidence.assume(tree, records[self._step])
            self._step += 1
        is_done = self._step == len(records)
        recovery.lead_to(
            records[-1 if is_done else self._step] if records else 0,
            self.turn >> 16 if is_done else -1,
        )
        differences = recovery.compare(recovery.back_to)
        return is_done and not differences

    def paint(self, leds: bytearray) -> None:
        """Light which objects the actions put, as a statue, and what no reed feels, as a seed.

        What no reed feels stays lit until the turn counts: nothing else tells the hands of it.
        """
        tree = self._matcher.game.turn_tree
        if not tree.has_modules:
            return
        from chronotable.chooser import KINDS

        for index in self.records[: self._step + 1]:
            base = index * RECORD_WORDS
            place = tree.records[base + TARGET]
            era = place >> 4
            if place == GONE or leds[place] not in (OFF, TODO_PUT):
                continue
            lay = match.lying(tree, tree.records[base + PARENT], era)
            is_felt = (match.lying(tree, index, era) ^ lay) >> (place & 15) & 1
            sequence = tree.records[base + SEQUENCE]
            light = OFF
            for first, meaning in KINDS:
                if (sequence & 63 or sequence >> 6 & 63) >= first:
                    light = meaning
            if light != OFF and (leds[place] == TODO_PUT or not is_felt):
                leds[place] = light
