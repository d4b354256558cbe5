"""Leaving what `flash` has stopped, whatever state it is in: typed at its port, in seconds.

mpremote waits ten seconds for a Pico that does not answer, and for ever for one that never ends to
print; and it may just have been ended in the middle of a script, whose rest must not be waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from chronotable_host.live.connection import PAUSE_S, OpenPort
from chronotable_host.live.port import PortError, open_port

PROMPT_S = 3.0
"""So long a Pico may take to come to its prompt."""

_STOP = b"\r\x03\x03"  # Ctrl-C ends a program, and a script that is still being sent
_PLAIN = b"\r\x02"  # Ctrl-B leads from the raw prompt to the plain one
_PLAIN_S = 0.1  # later: a Ctrl-C throws away what is unread
_AGAIN_S = 0.6
_GONE_S = 1.0  # its port goes with it, where it is its own
_PROMPT = b">>> "
_TAIL_BYTES = 200
_OFTEN = 3


def call_machine(
    name: str,
    call: str,
    patience_s: float = PROMPT_S,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    opens: Callable[[str], OpenPort] = open_port,
) -> bool:
    """Have the Pico at a port call a function of `machine` by which it leaves: `reset`.

    Return whether it was at its prompt, and so did it. Raises nothing.
    """
    is_told = False
    try:
        port = opens(name)
    except PortError:
        return False
    try:
        is_told = _tell(port, f"import machine;machine.{call}()\r", patience_s, clock, sleep)
        end_s = clock() + _GONE_S
        while is_told and clock() < end_s:
            port.read()
            sleep(PAUSE_S)
    except PortError:
        pass  # it has left
    finally:
        port.close()
    return is_told


def _tell(
    port: OpenPort,
    line: str,
    patience_s: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> bool:
    """Type a line at the prompt, as soon as it is there; raises PortError."""
    begun_s = stop_s = clock()
    plain_s = begun_s + _PLAIN_S
    heard = b""
    while clock() - begun_s < patience_s:
        now = clock()
        if now >= stop_s:
            port.write(_STOP)
            stop_s, plain_s = now + _AGAIN_S, now + _PLAIN_S
        elif now >= plain_s:
            port.write(_PLAIN)
            plain_s = stop_s + 1
        heard = (heard + port.read())[-_TAIL_BYTES:]
        if heard.endswith(_PROMPT):
            port.write(line.encode())
            return True
        sleep(PAUSE_S)
    return False


def overhear(
    name: str,
    duration_s: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    opens: Callable[[str], OpenPort] = open_port,
) -> str:
    """Return the end of what the device at a port says all the time, "" where it does not.

    Nothing is written to it. What was said in less than three of the four quarters of that time has
    an end. Raises nothing.
    """
    heard = b""
    quarters = set()
    try:
        port = opens(name)
    except PortError:
        return ""
    try:
        begun_s = clock()
        while (passed_s := clock() - begun_s) < duration_s:
            data = port.read()
            if data:
                quarters.add(int(4 * passed_s / duration_s))
            heard = (heard + data)[-_TAIL_BYTES:]
            sleep(PAUSE_S)
    except PortError:
        pass
    finally:
        port.close()
    return heard.decode("ascii", "replace") if len(quarters) >= _OFTEN else ""
