"""A game of the journal on its way to the PC; loaded while it is sent."""

from binascii import crc32, hexlify

from chronotable.journal.units import UNIT
from chronotable.link.messages import encode
from ttykm.mp import const

if False:
    from chronotable.journal.journal import Journal

_UNITS_IN_LINE = const(3)


class Pages:
    """What the journal has of a game, 0 for the one that goes on, to its latest unit, as lines."""

    def __init__(self, journal: "Journal", number: int) -> None:
        self._journal = journal
        self._number = number or journal.current
        self._data = journal.read(self._number)
        self._at = 0  # units that were sent
        self._is_over = False

    def next_line(self) -> str:
        """Return letter and payload of the next line, "" behind the last."""
        if self._is_over:
            return ""
        journal, number = self._journal, self._number
        at = self._at * UNIT
        if at == len(self._data):
            self._data = journal.read(number)
        units = self._data[at : at + _UNITS_IN_LINE * UNIT]
        if units:
            index = self._at
            self._at += len(units) // UNIT
            return encode("page", index=index, units=hexlify(units).decode())
        self._is_over = True
        crc, following = crc32(self._data), journal.first(number)
        return encode("page_end", game=number, units=self._at, crc=crc, next=following)
