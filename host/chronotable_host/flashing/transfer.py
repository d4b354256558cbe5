"""The steps of an installation: send, read back, switch.

Whatever step the power goes at, main.py on the Pico finds `slot` naming a firmware that is whole,
or on a Pico without one no `slot` at all. The starters are replaced one by one, each by a rename,
and before the trial: old or new, each of them works with the other and with both folders.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Iterator

from chronotable_host.firmware.chips import CHIPS
from chronotable_host.firmware.manifest import NAME
from chronotable_host.flashing.device import Device, DeviceError, DeviceLine, as_device_errors
from chronotable_host.flashing.pico_state import FAULT, TRIAL, parse_files
from chronotable_host.flashing.plan import UNFINISHED, InstallPlan, marker_path
from chronotable_host.language import tr

_PIECE = 6144  # bytes of a file in one script: what the Pico's heap takes with ease

Progress = Callable[[int, int], None]
"""Hears how many of how many bytes are there."""


def send(device: Device, plan: InstallPlan, progress: Progress) -> None:
    """Bring all files to the Pico, under names that nothing starts; raises DeviceError."""
    done = 0

    def hear(line: DeviceLine) -> None:
        nonlocal done
        if line[0] == "wrote":
            with as_device_errors(device.name):
                done = min(done + int(line[2]), plan.size)
            progress(done, plan.size)

    # a folder without a manifest is not finished; nor may it be tried while it changes
    gone = [TRIAL, f"{plan.folder}/{NAME}", *plan.remove]
    device.run([f"remove({gone!r})", *_writes(plan)], hear)


def verify(device: Device, plan: InstallPlan) -> None:
    """Have the Pico read everything back; raises DeviceError where a byte is not as it was sent."""
    lines: list[DeviceLine] = []
    others = [path for path in plan.expected if not path.startswith(f"{plan.folder}/")]
    device.run([f"check([{plan.folder!r}], {others!r})"], lines.append)
    with as_device_errors(device.name):
        there = parse_files(lines)
    wrong = sorted(
        path
        for path in there.keys() | plan.expected.keys()
        if there.get(path) != plan.expected.get(path)
    )
    if wrong:
        raise DeviceError(
            tr(
                "{name}: {count} files on the Pico are not as they were sent ({example} for one); "
                "run `chronotable flash` again, and if it is the same, try another Pico",
                name=device.name,
                count=len(wrong),
                example=wrong[0],
            )
        )


def switch(device: Device, plan: InstallPlan, chip: str) -> None:
    """Name the new firmware as the one to start; raises DeviceError."""
    manifest = f"{plan.folder}/{NAME}"
    calls = [f"remove([{FAULT!r}])", _takes_place(manifest)]
    starters = [_takes_place(name) for name in plan.starters]
    name_it = f"put({marker_path(plan)!r}, {plan.folder!r})"
    if plan.is_first:
        # what ran there, if anything did, goes on being started until the very last step
        calls += [name_it, *starters]
    else:
        calls += [*starters, name_it]
    calls.append(f"forget_failures({CHIPS[chip].WATCHDOG_SCRATCH_0})")
    device.run(calls, lambda _line: None)


def _takes_place(path: str) -> str:
    return f"rename({path + UNFINISHED!r}, {path!r})"


def _writes(plan: InstallPlan) -> Iterator[str]:
    for path, data in plan.send.items():
        for at in range(0, max(1, len(data)), _PIECE):
            piece = binascii.b2a_base64(data[at : at + _PIECE], newline=False)
            yield f"write({path!r}, {at == 0}, {piece!r})"
