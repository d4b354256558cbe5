"""A turn that is not the hands' own: a player who has none wants it, and the hands carry it out.

The lights ask for one action after the other, then for the focus marker. How far it is, is read off
the boards each time; nothing else counts as a turn meanwhile.
"""

from chronotable.core import match
from chronotable.core.match import COUNTED, MAGNETS, TRUSTED
from chronotable.lights.meanings import BUILD, COMMAND, OFF, TODO_TAKE
from ttykm.layout import GONE, PARENT, RECORD_WORDS, SEQUENCE, TARGET
from ttykm.objects import PLANES

if False:
    from chronotable.core.matcher import Matcher
    from chronotable.core.recovery import Recovery


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
        while (
            self._step < len(records)
            and matcher.evidence.is_laid(tree, records[self._step])
            and not any(map(self._to_exchange, range(3)))
        ):
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

    def _to_exchange(self, era: int) -> int:
        """Return the spaces from which an object, or a copy for an object, is to be lifted still.

        Something lies there before the action and after it, and no reed tells the two apart.
        """
        matcher = self._matcher
        tree, evidence = matcher.game.turn_tree, matcher.evidence
        if not tree.has_modules or self._step == len(self.records):
            return 0
        records, objects = tree.records, tree.objects
        after = self.records[self._step]
        base = after * RECORD_WORDS
        before = records[base + PARENT]
        first = before * RECORD_WORDS
        changed = records[first + era] ^ records[base + era]
        changed |= records[first + 3 + era] ^ records[base + 3 + era]
        for plane in range(PLANES * era, PLANES * era + PLANES):
            changed |= objects[first + plane] ^ objects[base + plane]
        changed &= objects[first + MAGNETS + era] | objects[base + MAGNETS + era]
        changed &= match.lying(tree, before, era) & match.lying(tree, after, era)
        return changed & evidence.observed[TRUSTED + era] & ~evidence.fresh[COUNTED + era]

    def paint(self, leds: bytearray) -> None:
        """Light what is to be lifted so that it can be exchanged, and what no reed feels.

        What no reed feels stays lit until the turn counts: nothing else tells the hands of it.
        """
        tree = self._matcher.game.turn_tree
        if not tree.has_modules:
            return
        from chronotable.core.chooser import KINDS

        for era in range(3):
            place = era << 4
            spaces = self._to_exchange(era)
            while spaces:
                if spaces & 1:
                    leds[place] = TODO_TAKE
                spaces >>= 1
                place += 1
        for index in reversed(self.records[: self._step + 1]):
            base = index * RECORD_WORDS
            place = tree.records[base + TARGET]
            if place == GONE:
                continue
            sequence = tree.records[base + SEQUENCE]
            light = OFF
            for first, meaning in KINDS:
                if (sequence & 63 or sequence >> 6 & 63) >= first:
                    light = meaning
            if light not in (OFF, BUILD, COMMAND) and leds[place] == OFF:
                leds[place] = light
