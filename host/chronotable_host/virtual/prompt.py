"""MicroPython's prompt, as whoever is on the serial line meets it; Python is not run there.

Seen on MicroPython 1.26.1 on the emulated chip: a line is echoed byte by byte and ends with a
carriage return alone, so that lines which end with a newline pile up behind the prompt; Ctrl-C
drops what was typed, Ctrl-D on an empty line is a soft reset. No prompt of a virtual table knows a
name, so any line that is one gets the same answer. The raw prompt is not there.
"""

from __future__ import annotations

from collections.abc import Callable

CTRL_C = 3
_CTRL_D = 4
_RETURN = 13
_BANNER = (
    "MicroPython v1.26.0 on 2025-08-09; Raspberry Pi Pico with RP2040\r\n"
    'Type "help()" for more information.\r\n>>> '
)
_ANSWER = (
    "Traceback (most recent call last):\r\n"
    '  File "<stdin>", line 1\r\nSyntaxError: invalid syntax\r\n'
)
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))


class Prompt:
    """The prompt; `say` sends."""

    def __init__(self, say: Callable[[bytes], object]) -> None:
        self._say = say
        self._line = ""  # of what is being typed
        self._input = ""  # the whole, where brackets go over several lines
        say(_BANNER.encode())

    def take(self, byte: int) -> bool:
        """Take a byte that was typed; return True for a soft reset."""
        if byte == CTRL_C:
            self._line = self._input = ""
            self._say(b"\r\n>>> ")
        elif byte == _CTRL_D and not self._line:
            self._say(b"\r\nMPY: soft reboot\r\n")
            return True
        elif byte == _RETURN:
            self._end_line()
        elif 0x20 <= byte <= 0x7E:
            self._line += chr(byte)
            self._say(bytes((byte,)))
        return False

    def _end_line(self) -> None:
        text = self._input + self._line
        self._line = self._input = ""
        if any(text.count(opens) > text.count(closes) for opens, closes in _BRACKETS):
            self._input = text
            self._say(b"\r\n... ")
        else:
            self._say(b"\r\n" + _ANSWER.encode() * bool(text.strip()) + b">>> ")
