"""A table in trouble: the words of a fault, and safe mode. Loaded only then.

Safe mode has no game, no journal and no settings, but reeds, LEDs and the link: a closed reed
lights its LED, and the PC hears why. Without power, or with `action` held for three seconds, it
ends.
"""

import sys
from time import sleep_ms

from machine import reset
from micropython import const

from lamp import paint

_HOLD_MS = const(3000)


def reason(error: Exception) -> str:
    """Say where and why, in 48 characters that can travel."""
    import io

    text = io.StringIO()
    sys.print_exception(error, text)  # type: ignore[attr-defined]  # MicroPython's
    words = text.getvalue().split('File "')[-1].split()
    if "line" in words[1:2]:  # loop.py", line 1, in run RuntimeError: ...
        words[:4] = [words[0].split("/")[-1]]  # compiled files know no lines
    return "".join([c for c in " ".join(words) if " " <= c <= "~" and c not in '",$*'])[:48]


def run() -> None:
    """Run safe mode for ever."""
    import about
    import watchdog
    from chip import report
    from chronotable.hardware.sensors import BUTTON
    from chronotable.link.happenings import Message
    from scan import Scanner

    board, board_hash = about.read_board()
    link = about.make_link(board, board_hash)
    usb = about.make_usb()
    scanner = Scanner(board)
    is_closed = scanner.debouncer.is_closed
    report(link, scanner, 0)
    now = 0
    # when no `action` was held last; -1: one held since power-on, to get here, has to be let go
    open_ms = -1
    link.open(0)
    scanner.start()
    while True:
        sleep_ms(10)
        now += 10
        if now % 100 == 0:
            closed = [sensor for sensor in range(64) if is_closed(board.cell_of[sensor])]
            lit = [board.led_of[sensor] for sensor in closed if sensor < BUTTON]
            paint(board.led_pin, board.led_count, board.colour_order, now >> 6 & 32, lit)
            if BUTTON + 1 not in closed and BUTTON + 4 not in closed:
                open_ms = now
            elif open_ms >= 0 and now - open_ms > _HOLD_MS:
                watchdog.rest()
                reset()
        data = usb.read()
        if data is not None:
            link.receive(data, now)
        event = link.next_event()
        while event:  # a stuck `action` button leads here; the doctor is there to find it
            if isinstance(event, Message) and event.name == "doctor" and event.values["say"] == "s":
                watchdog.examine()
                reset()
            event = link.next_event()
        link.tick(now)
        if usb.has_room():
            line = link.data_to_send(1)
            if line:
                usb.write(line)
