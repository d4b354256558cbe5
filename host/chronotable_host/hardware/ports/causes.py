"""Why a table's port cannot be found or opened, cause by cause, and what to do about each.

Each function looks at the facts for one cause, and returns None where it is not that.
"""

import re
import stat
from collections.abc import Mapping
from typing import NamedTuple

from chronotable_host.hardware.ports import udev
from chronotable_host.hardware.ports.facts import MICROPYTHON, PortFacts, holders_of_gone
from chronotable_host.hardware.ports.system import LINUX, MAC, WINDOWS, System, usb_devices, wsl
from chronotable_host.language import tr, tr_c
from chronotable_host.live.line.port_search import PortCandidate

REPLUG = tr("Pull the table's cable and plug it in again.")
THEN_REPLUG = tr("Then pull the table's cable and plug it in again.")
PLUG_TABLE = tr("Plug in the table's own Pico, too, with a cable of its own.")


class Advice(NamedTuple):
    """What is wrong, and what to do."""

    problem: str
    """One sentence."""
    remedies: list[str]
    """Each one sentence, which begins with a capital, or a command or option to copy."""
    files: Mapping[str, str] = {}
    """Texts of files that a remedy writes, by path."""
    cause: str = ""
    """A word for programs, from CAUSES."""


def choices(facts: PortFacts) -> list[str]:
    """Return how to name the boards that may be meant."""
    return [tr("Name it so:"), *names(facts, facts.wanted)] if facts.wanted else []


def names(facts: PortFacts, boards: list[PortCandidate]) -> list[str]:
    """Return an option for each board that means it also when it is plugged in elsewhere."""
    options = []
    for board in boards:
        port = facts.port_of(board)
        name = (port.stable if port else "") or board.device
        options.append(f"--table {board.table_id}" if board.table_id else f"--port {name}")
    return options


_NO_PORT = tr("Leave --port out, and the table is looked for.")


class _Names(NamedTuple):
    """How a system names its ports."""

    pattern: re.Pattern[str]
    title: str
    example: str


_NAMES = {
    WINDOWS: _Names(re.compile(r"COM[0-9]+"), "Windows", "COM3"),
    MAC: _Names(
        re.compile(r"/dev/(cu|tty)\..+"), tr_c("on {system}", "the Mac"), "/dev/cu.usbmodem1101"
    ),
    LINUX: _Names(re.compile(r"/dev/(tty(ACM|USB|S)[0-9]+|serial/.+)"), "Linux", "/dev/ttyACM0"),
}


def foreign_name(facts: PortFacts) -> Advice | None:
    """A port is named as another system names its ports."""
    home = _NAMES.get(facts.system.platform)
    if home is None or facts.is_there or home.pattern.fullmatch(facts.named):
        return None
    if wsl(facts.system) and not facts.found:
        return None  # `absent` says why there is no port
    for other in _NAMES.values():
        if other.pattern.fullmatch(facts.named):
            return Advice(
                tr(
                    "{named} is a name of {other}; here, on {system}, a table's port is called "
                    "{example} or the like.",
                    named=facts.named,
                    other=other.title,
                    system=home.title,
                    example=home.example,
                ),
                choices(facts) or [_NO_PORT],
            )
    return None


def moved(facts: PortFacts) -> Advice | None:
    """The named port is not there, and a board is under another name."""
    if not facts.named or facts.is_there or not facts.wanted or foreign_name(facts):
        return None
    places = ", ".join(map(str, facts.wanted))
    remedies = choices(facts)
    for holder in holders_of_gone(facts.system, facts.named):
        remedies.append(
            tr(
                "Quit {holder}, which holds the old {named} since the unplugging.",
                holder=holder,
                named=facts.named,
            )
        )
    return Advice(
        tr(
            "There is no {named}, but {places}: a board may get another name whenever it is "
            "plugged in or restarts.",
            named=facts.named,
            places=places,
        ),
        remedies,
    )


def other_table(facts: PortFacts) -> Advice | None:
    """There are boards, but not the one that is asked for."""
    port = facts.target
    if port is not None and port.table_id and not facts.search.accepts(port.table_id):
        return Advice(
            tr(
                "At {device} is the table {table_id}, not {wanted}.",
                device=port.device,
                table_id=port.table_id,
                wanted=facts.search.wanted,
            ),
            choices(facts) or [_NO_PORT],
        )
    if not facts.is_missing or facts.wanted or not facts.found:
        return None
    there = ", ".join(map(str, facts.found))
    what = facts.named or facts.search.wanted
    return Advice(
        tr("Of the boards here none is {what}; there is {there}.", what=what, there=there),
        [tr("Plug in the one that you mean, or name one of these:"), *names(facts, facts.found)],
    )


def several(facts: PortFacts) -> Advice | None:
    """More than one board may be the table, and none is named."""
    if facts.named or len(facts.wanted) < 2:
        return None
    there = ", ".join(map(str, facts.wanted))
    return Advice(
        tr(
            "{count} boards may be the table, and nothing is sent to any of them as long as "
            "that is open: {there}.",
            count=len(facts.wanted),
            there=there,
        ),
        [tr("Say which it is, or unplug the others:"), *names(facts, facts.wanted)],
    )


def probe(facts: PortFacts) -> Advice | None:
    """The named port is a debug probe."""
    port = facts.target
    if port is None or port.looks_like != "probe":
        return None
    return Advice(
        tr("{device} is a Raspberry Pi debug probe, not the table.", device=port.device),
        choices(facts) or [PLUG_TABLE],
    )


def other_device(facts: PortFacts) -> Advice | None:
    """The named port is on something that does not look like a table."""
    port = facts.target
    if port is None or port.looks_like != "other":
        return None
    return Advice(tr("{port} does not look like a Pico.", port=port), choices(facts) or [_NO_PORT])


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
    mute = [each for each in usb_devices(facts.system) if each.usb_id == MICROPYTHON]
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
    version = wsl(facts.system)
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


def permission(facts: PortFacts) -> Advice | None:
    """The user may not open the port."""
    port = facts.target
    if port is None or port.may_open:
        return None
    owner = owner_of(facts.system, port.device)
    if owner is None:
        return None
    if owner.helps and owner.is_listed and not owner.in_effect:
        return Advice(
            tr(
                "You are in the group {group}, which may open {device}, but this login is older "
                "than that.",
                group=owner.group,
                device=port.device,
            ),
            [
                tr(
                    "Log out of the whole desktop, not only of the terminal, and in again; or "
                    "restart the computer."
                ),
                tr("Until then, in one terminal:"),
                f"newgrp {owner.group}",
            ],
        )
    remedies = []
    if owner.helps and not owner.in_effect:
        remedies = [
            tr(
                "Join the group {group}, to which the port belongs; it counts when you have "
                "logged out and in again:",
                group=owner.group,
            ),
            f"sudo usermod -a -G {owner.group} $USER",
        ]
    is_remote = "SSH_CONNECTION" in facts.system.environ  # `uaccess` is for who sits at it
    has_rule = udev.has_rule(facts.system, udev.UACCESS, port.usb_id)
    takes_rule = port.usb_id == MICROPYTHON and udev.is_running(facts.system)
    if takes_rule and not is_remote and not has_rule:
        remedies += [
            tr("Or let whoever sits at this computer use it, without a group, by a rule for udev:")
            if remedies
            else tr("Let whoever sits at this computer use it, by a rule for udev:"),
            *udev.INSTALL,
            THEN_REPLUG,
        ]
    elif has_rule and not is_remote:
        remedies.append(
            tr("A rule for udev lets you: pull the table's cable and plug it in again.")
        )
    if not remedies:
        remedies = [
            tr("Let everybody use it until it is unplugged:"),
            f"sudo chmod a+rw {port.device}",
        ]
    files = {udev.RULE_PATH: udev.RULE} if udev.INSTALL[0] in remedies else {}
    return Advice(tr("You may not read and write {device}.", device=port.device), remedies, files)


def held(facts: PortFacts) -> Advice | None:
    """Another program has the port open."""
    port = facts.target
    if port is None or not port.may_open:
        return None
    if port.holders:
        return Advice(
            tr("{device} is open in {listed}.", device=port.device, listed=", ".join(port.holders)),
            [tr("Quit that program, then try again.")],
        )
    if not facts.is_in_use or facts.system.platform != LINUX or facts.is_bothered:
        return None
    return Advice(
        tr(
            "A program of another user, which cannot be seen from here, has {device} open.",
            device=port.device,
        ),
        [tr("This names it:"), f"sudo fuser -v {port.device}"],
    )


def modem_manager(facts: PortFacts) -> Advice | None:
    """ModemManager runs and may take the table for a modem."""
    port = facts.target
    if port is None or not facts.is_bothered:
        return None
    above = permission(facts)
    remedies = [
        tr(
            "Wait half a minute, then try again; if {device} is free then, it was that.",
            device=port.device,
        )
    ]
    files = {}
    if udev.has_rule(facts.system, udev.IGNORE, port.usb_id):
        remedies.append(
            tr("A rule for udev stops it: pull the table's cable and plug it in again.")
        )
    elif above is not None and above.files:
        remedies.append(tr("The rule above stops it, too."))
    elif udev.is_running(facts.system):
        remedies += [tr("A rule for udev stops it:"), *udev.INSTALL, THEN_REPLUG]
        files = {udev.RULE_PATH: udev.RULE}
    return Advice(
        tr(
            "ModemManager runs and is not told to leave the table alone: before 1.18 it takes a "
            "new port for a modem's and keeps it for some seconds."
        ),
        remedies,
        files,
    )


_PROGRAMS = {
    "2e8a:0009": tr("a program made with the Pico SDK"),
    "2e8a:000a": tr("a program made with the Pico SDK"),
    "2e8a:000b": "CircuitPython",
}


def other_program(facts: PortFacts) -> Advice | None:
    """The Pico runs something else than MicroPython."""
    port = facts.target
    if port is None or port.usb_id not in _PROGRAMS or "micropython" in port.description.lower():
        return None
    return Advice(
        tr(
            "The Pico at {device} runs {program} and not MicroPython.",
            device=port.device,
            program=_PROGRAMS[port.usb_id],
        ),
        [
            tr(
                "If it is to be a table: hold its button BOOTSEL down while you plug it in, and "
                "then:"
            ),
            "chronotable flash",
        ],
    )


_BOTH = stat.S_IRGRP | stat.S_IWGRP


class Owner(NamedTuple):
    """The group of a device, seen by a user."""

    group: str
    """Its name, or its number where it has none."""
    helps: bool
    """Whether its members may read and write the device, and people become members of it."""
    is_listed: bool
    """Whether the user is a member."""
    in_effect: bool
    """Whether this login has it; a membership counts from the next login on."""


def owner_of(system: System, device: str) -> Owner | None:
    """Return the group of a device, None where it cannot be looked at."""
    try:
        info = system.path(device).stat()
    except OSError:
        return None
    name, members = str(info.st_gid), [""]
    for line in system.read("/etc/group").splitlines():
        parts = line.split(":")
        if len(parts) == 4 and parts[2] == str(info.st_gid):
            name, members = parts[0], parts[3].split(",")
            break
    helps = stat.S_IMODE(info.st_mode) & _BOTH == _BOTH and name != "root"
    return Owner(name, helps, system.user in filter(None, members), info.st_gid in system.groups)
