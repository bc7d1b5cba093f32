"""Connections to the outside alone: a name is resolved, checked, and that very address is used."""

import asyncio
import socket
import ssl
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import httpx2

from saegim.net.certificates import public_certificates
from saegim.net.errors import FetchFailed, FetchFault

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Addresses that a translator turns into an IPv4 one.
_NAT64 = IPv6Network("64:ff9b::/96")


def networks(named: Sequence[str] | None) -> tuple[Network, ...]:
    """Networks by their names, such as 10.0.0.0/8; raises ValueError."""
    return tuple(ip_network(name) for name in named or ())


def is_public(address: Address) -> bool:
    """Whether an address is somebody else's on the internet, whatever it is wrapped in."""
    if isinstance(address, IPv6Address):
        wrapped = [address.ipv4_mapped, address.sixtofour]
        if address.teredo is not None:
            wrapped.append(address.teredo[1])
        if address in _NAT64:
            wrapped.append(IPv4Address(int(address) & 0xFFFFFFFF))
        if not all(is_public(inner) for inner in wrapped if inner is not None):
            return False
        if address.ipv4_mapped is not None:
            return True
        if address.is_site_local:
            return False
    odd = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not odd and not address.is_link_local


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Reaches public addresses, and private ones of the networks that it is given.

    The request goes to the address that was checked, not to the name again, which could lead
    elsewhere the second time. Connections are not kept: one to an address belongs to one name."""

    def __init__(
        self, allowed: Sequence[Network] = (), trusted: ssl.SSLContext | None = None
    ) -> None:
        self._allowed = tuple(allowed)
        limits = httpx2.Limits(max_keepalive_connections=0)
        self._inner = httpx2.AsyncHTTPTransport(
            verify=trusted or public_certificates(), trust_env=False, limits=limits
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        host = url.raw_host.decode("ascii")
        reached = await self._resolve(host, url.port or (443 if url.scheme == "https" else 80))
        request.extensions = {**request.extensions, "sni_hostname": host}
        *others, last = reached
        for address in others:
            request.url = url.copy_with(host=str(address))
            try:
                return await self._inner.handle_async_request(request)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        request.url = url.copy_with(host=str(last))
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _resolve(self, host: str, port: int) -> list[Address]:
        """The addresses of a name that may be reached, at most two of them."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError) as error:
            raise FetchFailed(FetchFault.UNREACHABLE, "no such host", outage=True) from error
        addresses = dict.fromkeys(ip_address(str(info[4][0]).partition("%")[0]) for info in found)
        chosen = [each for each in addresses if self._may_reach(each)]
        if not chosen:
            raise FetchFailed(FetchFault.PRIVATE_ADDRESS)
        return chosen[:2]

    def _may_reach(self, address: Address) -> bool:
        inner = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        plain = inner or address
        return is_public(address) or any(plain in network for network in self._allowed)
