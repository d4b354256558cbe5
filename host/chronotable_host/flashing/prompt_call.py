"""Has a Pico that `flash` stopped restart, whatever state it is in, by typing at its prompt.

mpremote is not used for this: it waits ten seconds for a Pico that does not answer, and for ever
for one that never stops printing. And it may just have been killed in the middle of a script.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from chronotable_host.live.connection import PAUSE_S, OpenPort
from chronotable_host.live.port import PortError, open_port

PROMPT_S = 3.0
"""How long a Pico may take to come to its prompt."""

_STOP = b"\r\x03\x03"  # Ctrl-C ends a program, and a script that is still being sent
_PLAIN = b"\r\x02"  # Ctrl-B leads from the raw prompt to the plain one
_PLAIN_S = 0.1  # after _STOP: a Ctrl-C throws away what has not been read yet
_AGAIN_S = 0.6
_GONE_S = 1.0  # a Pico that restarts takes its port away within this time
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
    """Have the Pico at a port call a function of `machine` that restarts it, such as `reset`.

    Return whether it came to its prompt and was told to. Raises nothing.
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
        pass  # the port is gone: it restarts
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
    """Return the last that a device says which never stops printing, "" where it does stop.

    It never stops where something came in at least three of the four quarters of `duration_s`.
    Nothing is written to it. Raises nothing.
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
