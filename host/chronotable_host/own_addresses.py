"""How others in the network call this machine.

One rule: who we are is asked of this machine alone; nothing is sent to find it out.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Addresses for documentation, and private ones: which way would the system go to reach them?
_FAR = {
    socket.AF_INET: ("203.0.113.1", "192.168.255.254", "10.255.255.254", "172.31.255.254"),
    socket.AF_INET6: ("2001:db8::1", "fd00::1"),
}
_DISCARD_PORT = 9
_SIOCGIFADDR = 0x8915


def lan_addresses(ipv6: bool = False) -> list[Address]:
    """Return the addresses at which others in the network may find us, the likeliest first."""
    families = [socket.AF_INET, *([socket.AF_INET6] if ipv6 else [])]
    found = [each for family in families for each in _towards_far(family)] or _of_interfaces()
    addresses = [ipaddress.ip_address(each) for each in dict.fromkeys(found)]
    return [each for each in addresses if not (each.is_loopback or each.is_link_local)]


def in_url(address: Address) -> str:
    """Return an address as links have it."""
    return f"[{address}]" if address.version == 6 else str(address)


def _towards_far(family: socket.AddressFamily) -> Iterator[str]:
    """Yield our own addresses on the way to far ones; a datagram socket sends nothing for that."""
    for far in _FAR[family]:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((far, _DISCARD_PORT))
            yield asked.getsockname()[0]


def _of_interfaces() -> list[str]:
    """Return the addresses of all interfaces, where a network leads nowhere (Linux)."""
    if sys.platform != "linux":
        return []
    import fcntl  # noqa: PLC0415 - there is none elsewhere

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):  # it has none
                answer = fcntl.ioctl(asked.fileno(), _SIOCGIFADDR, request)
                found.append(socket.inet_ntoa(answer[20:24]))
    return found
