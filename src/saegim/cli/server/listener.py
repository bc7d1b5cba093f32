"""The socket of the API, bound before anything else is started."""

import errno
import ipaddress
import socket
from contextlib import ExitStack
from typing import NoReturn

from saegim.cli.console import fail

BACKLOG = 2048


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int) -> socket.socket:
    """Bind the port without listening yet; exit if that fails."""
    with ExitStack() as on_failure:
        try:
            family, kind, protocol, _name, target = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            bound = on_failure.enter_context(socket.socket(family, kind, protocol))
            # Connections of an earlier process may still be in TIME_WAIT.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(target)
        except OSError as error:
            _explain(error, host, port)
        on_failure.pop_all()
    return bound


def answer(bound: socket.socket, host: str) -> None:
    """Listen. With SO_REUSEADDR, only this fails if another process bound the same port."""
    try:
        bound.listen(BACKLOG)
    except OSError as error:
        _explain(error, host, port_of(bound))


def port_of(bound: socket.socket) -> int:
    return bound.getsockname()[1]


def address(host: str, port: int) -> str:
    """Return the address as a URL that this machine can open."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not bound here
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _explain(error: OSError, host: str, port: int) -> NoReturn:
    if error.errno == errno.EADDRINUSE:
        fail(
            "{host}:{port} is already in use. Stop the program that uses it, or choose "
            "another port with --port.",
            host=host,
            port=port,
        )
    reason = error.strerror or error
    fail("Cannot listen on {host}:{port}: {reason}", host=host, port=port, reason=reason)
