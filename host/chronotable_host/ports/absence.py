"""No port at all: why a Pico that is plugged in may not be seen."""

from __future__ import annotations

from chronotable_host.language import tr
from chronotable_host.ports import linux
from chronotable_host.ports.advice import PLUG_TABLE, REPLUG, Advice
from chronotable_host.ports.facts import MICROPYTHON, PortFacts
from chronotable_host.ports.system import LINUX, MAC, WINDOWS

_CONTAINERS = ("/.dockerenv", "/run/.containerenv")


def absent(facts: PortFacts) -> Advice | None:
    """There is no port; the first of the reasons that applies."""
    if not facts.is_missing:
        return None
    reasons = (_in_bootsel,) if facts.found else _ABSENT
    return next(filter(None, (reason(facts) for reason in reasons)), None)


def _in_bootsel(facts: PortFacts) -> Advice | None:
    """A Pico waits for its program."""
    if not facts.bootsel:
        return None
    return Advice(
        tr(
            "A Pico sits in BOOTSEL mode ({listed}), in which it has no serial port.",
            listed=", ".join(facts.bootsel),
        ),
        [
            tr(
                "If the table has worked before: pull its cable, and plug it in again without "
                "touching the Pico's button."
            ),
            tr(
                "If it comes up like that again, or is new: give it MicroPython for RPI_PICO and "
                "the firmware, with:"
            ),
            "chronotable flash",
        ],
        cause="bootsel",
    )


def _without_driver(facts: PortFacts) -> Advice | None:
    """Linux sees the Pico on the USB, and there is no port of it."""
    mute = [each for each in linux.usb_devices(facts.system) if each.usb_id == MICROPYTHON]
    if not mute:
        return None
    if not mute[0].ttys:
        return Advice(
            tr(
                "A Pico with MicroPython is on the USB, but Linux makes no serial port of it: the "
                "driver cdc_acm is not loaded."
            ),
            ["sudo modprobe cdc_acm"],
            cause="driver",
        )
    device = f"/dev/{mute[0].ttys[0]}"
    remedies = [REPLUG]
    if any(facts.system.path(name).exists() for name in _CONTAINERS):
        remedies = [
            tr("Start this container anew with the option --device={device}.", device=device)
        ]
    return Advice(
        tr("Linux knows the Pico's port as {device}, which does not exist here.", device=device),
        remedies,
        cause="driver",
    )


_WSL_PROBLEM = tr(
    "This is Linux inside Windows (WSL), which sees neither what is on the USB nor ports of "
    "Windows such as COM3."
)
_USBIPD = [
    tr("Or hand the Pico over to WSL with usbipd, in PowerShell; first, as administrator:"),
    "winget install usbipd",
    "usbipd list",
    "usbipd bind --busid BUSID",
    tr("BUSID stands in the row with 2e8a:0005; then, and again after every replugging:"),
    "usbipd attach --wsl --busid BUSID",
]


def _in_wsl(facts: PortFacts) -> Advice | None:
    version = linux.wsl(facts.system)
    if not version:
        return None
    return Advice(
        _WSL_PROBLEM,
        [
            tr("The easiest: install and start Chronotable in Windows itself."),
            *(_USBIPD if version == 2 else [tr("WSL 1 can have no USB at all, WSL 2 can.")]),
        ],
        cause="wsl",
    )


def _only_probe(facts: PortFacts) -> Advice | None:
    if not facts.probes:
        return None
    listed = ", ".join(each.device for each in facts.probes)
    return Advice(
        tr(
            "The only board here is a Raspberry Pi debug probe ({listed}), which is no table.",
            listed=listed,
        ),
        [PLUG_TABLE],
        cause="probe",
    )


_LOOK = {
    LINUX: [tr("Does the computer notice it? This prints a line when it does:"), "lsusb -d 2e8a:"],
    MAC: [
        tr(
            "If the Mac asks whether the accessory may connect, allow it; System Settings, Privacy "
            "& Security, has that question, too."
        )
    ],
    WINDOWS: [
        tr(
            "Open the Device Manager and plug in: under Ports (COM & LPT) an entry must come up; "
            "one with a yellow mark elsewhere means a bad cable or socket."
        )
    ],
}


def _nothing(facts: PortFacts) -> Advice | None:
    look = _LOOK.get(facts.system.platform, [])
    return Advice(
        tr("The computer sees no Pico at all, most often for the cable."),
        [
            tr("Take another cable: many only charge, a good one brings photos over from a phone."),
            tr("Plug it straight into the computer, without hub, extension or docking station."),
            tr(
                "Watch the table: every LED is lit for a moment when it gets power; if none is, "
                "try another socket."
            ),
            *look,
            tr(
                "The last test: hold the Pico's button BOOTSEL down while you plug in. If no drive "
                "comes up even then, it is the cable, the socket or the Pico, and not the firmware."
            ),
        ],
        cause="nothing",
    )


_ABSENT = (_in_bootsel, _without_driver, _in_wsl, _only_probe, _nothing)
