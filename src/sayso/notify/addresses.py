"""Where a name leads, and whether that is a place that anybody may be sent to."""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

from sayso.app.notices.notice import NotBrought

# Translates to an IPv4 address, which is the last 32 bits (RFC 6052).
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an address is one of the open internet: not this machine, a private network, or a group."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        found = _embedded(found)
    return found.is_global and not found.is_multicast


def _embedded(found: IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 address stands for, where it does."""
    if found.ipv4_mapped is not None:
        return found.ipv4_mapped
    if found.sixtofour is not None:
        return found.sixtofour
    return IPv4Address(int(found) & 0xFFFF_FFFF) if found in _TRANSLATED else found


async def resolved(host: str, port: int, *, allows_private: bool) -> str:
    """An address of the host; what is connected to is this very one, so that no second look leads elsewhere.

    Raises NotBrought where there is none, or where one of them is private and none may be.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise NotBrought(f"the name {host} leads nowhere") from None
    addresses = [str(sockaddr[0]) for *_, sockaddr in found]
    if not allows_private and not all(map(is_public, addresses)):
        raise NotBrought(f"the name {host} leads to a private address: NOTIFY_PRIVATE=true allows it")
    return addresses[0]
