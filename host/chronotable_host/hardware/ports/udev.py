"""The rule for udev that lets people use a table's port on Linux, and what rules there are.

Its number: `uaccess` gives the port to whoever sits at the computer, and 73-seat-late.rules is
where that is done, so a rule with a higher number is no good. The properties that 60-serial.rules
makes are not there yet; the serial number is therefore taken from the USB device itself.
"""

import re
from fnmatch import fnmatchcase

from chronotable_host.hardware.ports.system import System

RULE_PATH = "/etc/udev/rules.d/60-chronotable.rules"

_LINES = (
    "# Chronotable: a Raspberry Pi Pico with MicroPython, which a table is",
    'ACTION!="remove", SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", ATTRS{idProduct}=="0005", '
    'TAG+="uaccess", ENV{ID_MM_DEVICE_IGNORE}="1", SYMLINK+="chronotable-$attr{serial}"',
)

RULE = "".join(line + "\n" for line in _LINES)
"""The text of the file at RULE_PATH.

Whoever sits at the computer may open the port, ModemManager leaves it alone, and it is also
/dev/chronotable-SERIAL: of several tables each has its own.
"""

INSTALL = (
    "printf '%s\\n' " + " ".join(f"'{line}'" for line in _LINES) + f" | sudo tee {RULE_PATH}",
    "sudo udevadm control --reload",
)
"""The commands, for a shell, that put it there. It counts for what is plugged in from then on."""

IGNORE = r'ENV\{ID_MM_DEVICE_IGNORE\}:?="1"'
UACCESS = r'TAG\+="uaccess"'
"""What a rule does, as a pattern."""

# by rank
_FOLDERS = ("/etc/udev", "/run/udev", "/usr/local/lib/udev", "/usr/lib/udev", "/lib/udev")
_MAKER = re.compile(r'(?:ATTRS?\{idVendor\}|ENV\{ID_VENDOR_ID\})=="([^"]*)"')
_PRODUCT = re.compile(r'(?:ATTRS?\{idProduct\}|ENV\{ID_MODEL_ID\})=="([^"]*)"')
_IGNORED = "E:ID_MM_DEVICE_IGNORE=1\n"
_OTHERS_LEAVE = re.compile(r'(?:ATTRS?\{idVendor\}|ENV\{ID_VENDOR_ID\})!="([^"]*)"')


def is_running(system: System) -> bool:
    """Tell whether udev runs; it does not in most containers and in some WSL."""
    return system.path("/run/udev/control").exists()


def has_rule(system: System, action: str, usb_id: str) -> bool:
    """Tell whether some rule does an action to devices with an id such as 2e8a:0005."""
    texts = {
        name: system.read(f"{folder}/rules.d/{name}")
        for folder in _FOLDERS[::-1]  # a file hides those of the same name in the folders behind
        for name in system.listing(f"{folder}/rules.d")
        if name.endswith(".rules")
    }
    return any(_does(text, re.compile(action), usb_id) for text in texts.values())


def is_ignored(system: System, usb_id: str, device: str) -> bool:
    """Tell whether ModemManager is told to leave a port alone, as it is plugged in now.

    Where udev's notes on it cannot be read, whether there is a rule for it.
    """
    tty = f"/sys/class/tty/{device.rpartition('/')[2]}"  # and the USB device that it is on
    numbers = [system.read(f"{tty}/{name}").strip() for name in ("dev", "device/../dev")]
    notes = "".join(system.read(f"/run/udev/data/c{number}") for number in numbers if number)
    return _IGNORED in notes if notes else has_rule(system, IGNORE, usb_id)


def _does(text: str, action: re.Pattern[str], usb_id: str) -> bool:
    """Tell whether the text of a file does an action to a device."""
    maker, _, product = usb_id.partition(":")
    skips_others = False
    for line in text.replace("\\\n", " ").splitlines():
        if line.lstrip().startswith("#"):
            continue
        skips_others |= "GOTO=" in line and maker in _OTHERS_LEAVE.findall(line)
        makers, products = _MAKER.findall(line), _PRODUCT.findall(line)
        is_ours = _fits(maker, makers) if makers else skips_others
        if action.search(line) and is_ours and (not products or _fits(product, products)):
            return True
    return False


def _fits(value: str, patterns: list[str]) -> bool:
    """Tell whether a value is what a rule compares with: patterns with | between them."""
    return any(fnmatchcase(value, one) for pattern in patterns for one in pattern.split("|"))
