"""A port that is there and cannot be opened, or whose Pico does not answer."""

from __future__ import annotations

from chronotable_host.ports import groups, udev
from chronotable_host.ports.advice import REPLUG, Advice
from chronotable_host.ports.facts import MICROPYTHON, Facts, SerialPort, is_bothered
from chronotable_host.ports.system import LINUX


def permission(facts: Facts) -> Advice | None:
    """The user may not open the port."""
    port = facts.target
    if port is None or port.may_open:
        return None
    owner = groups.owner(facts.system, port.device)
    if owner is None:
        return None
    if owner.helps and owner.is_listed and not owner.in_effect:
        return Advice(
            f"You are in the group {owner.group}, which may open {port.device}, but this login is "
            "older than that.",
            [
                "Log out of the whole desktop, not only of the terminal, and in again; or restart "
                "the computer.",
                "Until then, in one terminal:",
                f"newgrp {owner.group}",
            ],
        )
    remedies = []
    if owner.helps and not owner.in_effect:
        remedies = [
            f"Join the group {owner.group}, to which the port belongs; it counts when you have "
            "logged out and in again:",
            f"sudo usermod -a -G {owner.group} $USER",
        ]
    if _takes_rule(facts, port):
        remedies += [
            "Or let whoever sits at this computer use it, without a group, by a rule for udev:"
            if remedies
            else "Let whoever sits at this computer use it, by a rule for udev:",
            *udev.INSTALL,
            f"Then {REPLUG}",
        ]
    elif udev.has_rule(facts.system, udev.UACCESS, port.usb_id) and not _is_remote(facts):
        remedies.append(f"A rule for udev lets you: {REPLUG}")
    if not remedies:
        remedies = [
            "Let everybody use it until it is unplugged:",
            f"sudo chmod a+rw {port.device}",
        ]
    files = {udev.RULE_PATH: udev.RULE} if udev.INSTALL[0] in remedies else {}
    return Advice(f"You may not read and write {port.device}.", remedies, files)


def _is_remote(facts: Facts) -> bool:
    """Tell whether the user is not at this computer: `uaccess` is for those who are."""
    return "SSH_CONNECTION" in facts.system.environ


def _takes_rule(facts: Facts, port: SerialPort) -> bool:
    """Tell whether our rule would give this user the port."""
    return (
        port.usb_id == MICROPYTHON
        and udev.is_running(facts.system)
        and not _is_remote(facts)
        and not udev.has_rule(facts.system, udev.UACCESS, port.usb_id)
    )


def held(facts: Facts) -> Advice | None:
    """Another program has the port open."""
    port = facts.target
    if port is None or not port.may_open:
        return None
    if port.holders:
        return Advice(
            f"{port.device} is open in {', '.join(port.holders)}.",
            ["Quit that program, then try again."],
        )
    if not facts.is_in_use or facts.system.platform != LINUX or _is_bothered(facts):
        return None
    return Advice(
        f"A program of another user, which cannot be seen from here, has {port.device} open.",
        ["This names it:", f"sudo fuser -v {port.device}"],
    )


def _is_bothered(facts: Facts) -> bool:
    port = facts.target
    return port is not None and port.usb_id == MICROPYTHON and is_bothered(facts.system, port)


def modem_manager(facts: Facts) -> Advice | None:
    """ModemManager runs and may take the table for a modem."""
    port = facts.target
    if port is None or not _is_bothered(facts):
        return None
    above = permission(facts)
    remedies = [f"Wait half a minute, then try again; if {port.device} is free then, it was that."]
    files = {}
    if udev.has_rule(facts.system, udev.IGNORE, port.usb_id):
        remedies.append(f"A rule for udev stops it: {REPLUG}")
    elif above is not None and above.files:
        remedies.append("The rule above stops it, too.")
    elif udev.is_running(facts.system):
        remedies += ["A rule for udev stops it:", *udev.INSTALL, f"Then {REPLUG}"]
        files = {udev.RULE_PATH: udev.RULE}
    return Advice(
        "ModemManager runs and is not told to leave the table alone: before 1.18 it takes a new "
        "port for a modem's and keeps it for some seconds.",
        remedies,
        files,
    )


_PROGRAMS = {
    "2e8a:0009": "a program made with the Pico SDK",
    "2e8a:000a": "a program made with the Pico SDK",
    "2e8a:000b": "CircuitPython",
}


def other_program(facts: Facts) -> Advice | None:
    """The Pico runs something else than MicroPython."""
    port = facts.target
    if port is None or port.usb_id not in _PROGRAMS or "micropython" in port.description.lower():
        return None
    return Advice(
        f"The Pico at {port.device} runs {_PROGRAMS[port.usb_id]} and not MicroPython.",
        [
            "If it is to be a table: hold its button BOOTSEL down while you plug it in, and then:",
            "chronotable flash",
        ],
    )
