"""How others in the network call this machine.

One rule: who we are is asked of this machine alone; nothing is sent to find it out.
"""

import contextlib
import ipaddress
import socket
from collections.abc import Iterator

import psutil

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Addresses for documentation, and private ones: which way would the system go to reach them?
_FAR = {
    socket.AF_INET: ("203.0.113.1", "192.168.255.254", "10.255.255.254", "172.31.255.254"),
    socket.AF_INET6: ("2001:db8::1", "fd00::1"),
}
_DISCARD_PORT = 9
_WITHIN = ("br-", "docker", "vboxnet", "veth", "virbr", "vmnet")
"""How interfaces begin that lead to nothing but this machine's own guests."""


def lan_addresses(ipv6: bool = False) -> list[Address]:
    """Return the addresses of all interfaces, at which others may find us, the likeliest first.

    A tunnel leads away from the house, whatever the system would rather send through it: whoever
    sits at the same table is found by an interface that is none.
    """
    families = [socket.AF_INET, *([socket.AF_INET6] if ipv6 else [])]
    used = [each for family in families for each in _towards_far(family)]
    states = psutil.net_if_stats()
    found: dict[str, tuple[bool, bool, bool, int]] = {}
    for name, addresses in psutil.net_if_addrs().items():
        if name in states and not states[name].isup:
            continue
        is_tunnel = name in states and "pointopoint" in states[name].flags.split(",")
        for family, text in ((each.family, each.address) for each in addresses):
            if family not in families:
                continue
            rank = used.index(text) if text in used else len(used)
            is_public = not ipaddress.ip_address(text.partition("%")[0]).is_private
            found[text] = name.startswith(_WITHIN), is_tunnel, is_public, rank
    for rank, text in enumerate(used):
        found.setdefault(text, (False, False, False, rank))
    ordered = [ipaddress.ip_address(each) for each in sorted(found, key=lambda each: found[each])]
    return [each for each in ordered if not (each.is_loopback or each.is_link_local)]


def in_url(address: Address) -> str:
    """Return an address as links have it."""
    return f"[{address}]" if address.version == 6 else str(address)


def _towards_far(family: socket.AddressFamily) -> Iterator[str]:
    """Yield our own addresses on the way to far ones; a datagram socket sends nothing for that."""
    for far in _FAR[family]:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((far, _DISCARD_PORT))
            yield asked.getsockname()[0]
