"""SSRF guard: resolve a host, check the address, and connect to exactly that address."""

import asyncio
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import httpx2

from saegim.net.certificates import public_certificates
from saegim.net.errors import FetchFailed, FetchFault

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# NAT64 translates these addresses to IPv4.
_NAT64 = IPv6Network("64:ff9b::/96")


def networks(names: Sequence[str] | None) -> tuple[Network, ...]:
    """Parse networks such as 10.0.0.0/8. Raises ValueError."""
    return tuple(ip_network(name) for name in names or ())


def is_public(address: Address) -> bool:
    """Whether an address, also one embedded in IPv6, is on the public internet."""
    if isinstance(address, IPv6Address):
        embedded = [address.ipv4_mapped, address.sixtofour]
        if address.teredo is not None:
            embedded.append(address.teredo[1])
        if address in _NAT64:
            embedded.append(IPv4Address(int(address) & 0xFFFFFFFF))
        if not all(is_public(inner) for inner in embedded if inner is not None):
            return False
        if address.ipv4_mapped is not None:
            return True
        if address.is_site_local:
            return False
    special = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not special and not address.is_link_local


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Connects to public addresses, and to private ones in `allowed`.

    Requests go to the checked address, since the name could resolve differently the second time.
    No keep-alive: a connection to an address belongs to one name."""

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
        port = url.port or (443 if url.scheme == "https" else 80)
        *others, last = await self._resolve(host, port)
        request.extensions = {**request.extensions, "sni_hostname": host}
        for address in others:
            request.url = url.copy_with(host=str(address))
            with suppress(httpx2.ConnectError, httpx2.ConnectTimeout):
                return await self._inner.handle_async_request(request)
        request.url = url.copy_with(host=str(last))
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _resolve(self, host: str, port: int) -> list[Address]:
        """Return at most two allowed addresses of a host."""
        try:
            infos = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError) as error:
            raise FetchFailed(FetchFault.UNREACHABLE, "no such host", outage=True) from error
        addresses = dict.fromkeys(ip_address(str(info[4][0]).partition("%")[0]) for info in infos)
        allowed = [each for each in addresses if self._may_reach(each)]
        if not allowed:
            raise FetchFailed(FetchFault.PRIVATE_ADDRESS)
        return allowed[:2]

    def _may_reach(self, address: Address) -> bool:
        inner = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        plain = inner or address
        return is_public(address) or any(plain in network for network in self._allowed)
