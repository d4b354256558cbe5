"""The picture of another game on a table: the PC's end of `chronotable.core.surface`.

One rule: what is to be seen is a state. It is told again while the table shows anything else, when
a session begins, and every few seconds, from which the table knows that the PC is there.
"""

from collections.abc import Callable

from chronotable.hardware.sensors import BUTTON, BUTTONS, SENSORS
from chronotable.link.messages import pack_leds
from chronotable_host.language import tr
from chronotable_host.live.session import Session
from chronotable_host.live.table_state import by_place

AGAIN_MS = 3000
"""How often a picture is told that the table shows; it gives the PC up after ten seconds."""

_SOON_MS = 500  # until one is told again that it does not show
_MINOR = 8  # of the protocol, from which on tables take pictures
_DARK = bytes(SENSORS)


class Surface:
    """Keeps a picture on the table of a session; `heard` is told the name of each pressed button.

    `problem` says why the table cannot show it, "" where it can.
    """

    def __init__(self, session: Session, heard: Callable[[str], None]) -> None:
        self.problem = ""
        self._session = session
        self._heard = heard
        self._wanted: bytes | None = None
        self._told: bytes | None = None
        self._told_ms = 0.0
        self._told_in = -1  # the session in which it was told
        session.mirror.table.listeners.append(self._hear)

    @property
    def closed(self) -> frozenset[int] | None:
        """The reeds that are closed; None where that is not known now."""
        return self._session.mirror.table.surface if self._session.link.connected else None

    @property
    def doubted(self) -> frozenset[int]:
        """The reeds that the table does not trust."""
        return frozenset(self._session.mirror.table.doubted)

    def show(self, meanings: bytes | None) -> None:
        """Show what each of the 54 LEDs says; None for the table's own game."""
        self._wanted = meanings

    def step(self, now_ms: float) -> None:
        """Tell the table what is due; `now_ms` is any clock's."""
        session = self._session
        link, table = session.link, session.mirror.table
        if not link.connected or table.peer is None:
            return
        if table.peer.minor < _MINOR:
            self.problem = tr(
                "the table's firmware cannot show other games yet: `chronotable flash` brings one "
                "that can"
            )
            return
        self.problem = ""
        is_shown = table.surface is not None
        wanted = self._wanted
        if wanted is None and not is_shown:
            self._told = None
            return
        is_so = is_shown and wanted is not None and table.leds == by_place(wanted)
        is_told = wanted == self._told and link.hello.session == self._told_in
        if is_told and now_ms - self._told_ms < (AGAIN_MS if is_so else _SOON_MS):
            return
        if link.is_settled:
            leds = pack_leds(_DARK if wanted is None else wanted)
            session.command("surface", on=int(wanted is not None), leds=leds)
            self._told, self._told_ms, self._told_in = wanted, now_ms, link.hello.session

    def _hear(self, sensor: int, closed: bool, _at_ms: float) -> None:
        if closed and BUTTON <= sensor < BUTTON + len(BUTTONS):
            self._heard(BUTTONS[sensor - BUTTON][0])
