"""The unique id of an emulated Pico, which is that of its flash chip: rp2040py's has none.

Winbond W25Q16JV, Read Unique ID Number: the opcode 4Bh, four dummy bytes, then 64 bits. The Pico
SDK (flash_get_unique_id) asks so when the chip starts; `machine.unique_id()` is the answer.
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rp2040py.rp2040 import RP2040

_SSI_WINDOW: Final = 0x18000
_DATA: Final = range(0x60, 0xF0, 4)  # each address is the one data register
_READ_UNIQUE_ID: Final = 0x4B
_BEHIND: Final = 5  # frames that come back before the id: of the opcode and of the dummies


class FlashId:
    """Stands before the registers of the flash's SSI and answers for the chip that has the id."""

    def __init__(self, mcu: "RP2040", unique_id: bytes) -> None:
        self._ssi: Any = mcu.peripherals[_SSI_WINDOW]
        self._id = unique_id
        self._is_asked = False
        self._sent = 0  # frames since the flash was selected
        self._read = 0
        mcu.qspi[1].add_listener(lambda _new, _old: self._select())
        mcu.peripherals[_SSI_WINDOW] = self

    def read_uint32(self, offset: int) -> int:
        """A register as the processor sees it."""
        value: int = self._ssi.read_uint32(offset)
        if not self._is_asked or offset not in _DATA:
            return value
        at = self._read - _BEHIND
        self._read += 1
        return self._id[at] if 0 <= at < len(self._id) else value

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        """A write, with the address alias (set, clear, xor) it came by."""
        if offset in _DATA:
            if not self._sent:
                self._is_asked = value & 0xFF == _READ_UNIQUE_ID
            self._sent += 1
        self._ssi.write_uint32_atomic(offset, value, atomic_type)

    def write_uint32(self, offset: int, value: int) -> None:
        """A plain write."""
        self.write_uint32_atomic(offset, value, 0)

    def __getattr__(self, name: str) -> Any:
        """All else is the SSI's own."""
        return getattr(self._ssi, name)

    def _select(self) -> None:
        """The flash is selected, or let go: a command begins."""
        self._is_asked = False
        self._sent = self._read = 0
