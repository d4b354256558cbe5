"""What Linux tells about USB in /sys and /dev, without being asked for root."""

from __future__ import annotations

from typing import NamedTuple

from chronotable_host.ports.system import LINUX, System

_USB = "/sys/bus/usb/devices"
_BY_ID = "/dev/serial/by-id"


class UsbDevice(NamedTuple):
    """A device on the USB."""

    place: str
    """Its bus and sockets, as 1-2.4."""
    usb_id: str
    """Maker and product, as 2e8a:0005."""
    ttys: list[str]
    """Names of the serial ports that the kernel made of it, as ttyACM0."""


def usb_devices(system: System) -> list[UsbDevice]:
    """Return what is on the USB; nothing on other systems."""
    if system.platform != LINUX:
        return []
    entries = system.listing(_USB)
    found = []
    for place in entries:
        maker, product = (
            system.read(f"{_USB}/{place}/{name}").strip() for name in ("idVendor", "idProduct")
        )
        if maker and product:
            parts = [entry for entry in entries if entry.startswith(f"{place}:")]
            ttys = [tty for part in parts for tty in system.listing(f"{_USB}/{part}/tty")]
            found.append(UsbDevice(place, f"{maker}:{product}", ttys))
    return found


def stable_names(system: System) -> dict[str, str]:
    """Return the names by id of the serial ports, by device."""
    if system.platform != LINUX:
        return {}
    links = [f"{_BY_ID}/{name}" for name in system.listing(_BY_ID)]
    return {system.device(link): link for link in links}


def wsl(system: System) -> int:
    """Return which Windows Subsystem for Linux this is, 1 or 2; 0 for none."""
    if system.platform != LINUX:
        return 0
    release = system.read("/proc/sys/kernel/osrelease").lower()
    if "microsoft" not in release:
        return 0
    return 2 if "wsl2" in release or "microsoft-standard" in release else 1
