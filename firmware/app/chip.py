"""What the chip itself gives while the table runs: random bits, memory, and counters for the PC."""

import gc
import os
import sys

import watchdog

if False:
    from chronotable.link.link import Link
    from scan import Scanner


def entropy() -> int:
    """Return 32 random bits."""
    return int.from_bytes(os.urandom(4), "little")


def unload(*names: str) -> None:
    """Let modules go that are seldom needed, and not for long; an import loads them again."""
    for name in names:
        if sys.modules.pop(name, None):
            package, _, last = name.rpartition(".")
            if package:
                delattr(sys.modules[package], last)


def report(link: "Link", scanner: "Scanner", slowest_ms: int) -> None:
    """Send the counters, to which the link adds its own; `mem_free` takes 8 ms, scans go on."""
    link.send(
        "counters",
        scan_max_us=min(0xFFFF, scanner.slowest_us),
        loop_max_ms=min(0xFFFF, slowest_ms),
        heap_free=gc.mem_free(),
        reset_cause=watchdog.cause,
    )
