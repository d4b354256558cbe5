"""A port that is there and cannot be opened, or whose Pico does not answer, and whose it is."""

from __future__ import annotations

import stat
from typing import NamedTuple

from chronotable_host.language import tr
from chronotable_host.ports import udev
from chronotable_host.ports.advice import THEN_REPLUG, Advice
from chronotable_host.ports.facts import MICROPYTHON, PortFacts, SerialPort, is_bothered
from chronotable_host.ports.system import LINUX, System


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
    if _takes_rule(facts, port):
        remedies += [
            tr("Or let whoever sits at this computer use it, without a group, by a rule for udev:")
            if remedies
            else tr("Let whoever sits at this computer use it, by a rule for udev:"),
            *udev.INSTALL,
            THEN_REPLUG,
        ]
    elif udev.has_rule(facts.system, udev.UACCESS, port.usb_id) and not _is_remote(facts):
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


def _is_remote(facts: PortFacts) -> bool:
    """Tell whether the user is not at this computer: `uaccess` is for those who are."""
    return "SSH_CONNECTION" in facts.system.environ


def _takes_rule(facts: PortFacts, port: SerialPort) -> bool:
    """Tell whether our rule would give this user the port."""
    return (
        port.usb_id == MICROPYTHON
        and udev.is_running(facts.system)
        and not _is_remote(facts)
        and not udev.has_rule(facts.system, udev.UACCESS, port.usb_id)
    )


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
    if not facts.is_in_use or facts.system.platform != LINUX or _is_bothered(facts):
        return None
    return Advice(
        tr(
            "A program of another user, which cannot be seen from here, has {device} open.",
            device=port.device,
        ),
        [tr("This names it:"), f"sudo fuser -v {port.device}"],
    )


def _is_bothered(facts: PortFacts) -> bool:
    port = facts.target
    return port is not None and port.usb_id == MICROPYTHON and is_bothered(facts.system, port)


def modem_manager(facts: PortFacts) -> Advice | None:
    """ModemManager runs and may take the table for a modem."""
    port = facts.target
    if port is None or not _is_bothered(facts):
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
    name, members = _group(system, info.st_gid)
    helps = stat.S_IMODE(info.st_mode) & _BOTH == _BOTH and name != "root"
    return Owner(name, helps, system.user in members, info.st_gid in system.groups)


def _group(system: System, gid: int) -> tuple[str, list[str]]:
    """Return a group's name and members."""
    for line in system.read("/etc/group").splitlines():
        parts = line.split(":")
        if len(parts) == 4 and parts[2] == str(gid):
            return parts[0], [name for name in parts[3].split(",") if name]
    return str(gid), []
