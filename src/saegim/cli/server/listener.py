"""The socket of the API, taken before anything else is started."""

import errno
import ipaddress
import socket
from contextlib import ExitStack
from typing import NoReturn

from saegim.cli.console import fail
from saegim.cli.language import _

BACKLOG = 2048


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int) -> socket.socket:
    """Takes the port without answering on it yet; ends the command where that fails."""
    with ExitStack() as on_failure:
        try:
            family, kind, protocol, _name, place = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            taken = on_failure.enter_context(socket.socket(family, kind, protocol))
            # A port that was in use a moment ago, with connections still fading, is free for us.
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(place)
        except OSError as error:
            _explain(error, host, port)
        on_failure.pop_all()
    return taken


def answer(taken: socket.socket, host: str) -> None:
    """Answers from here on. Only now does the system tell of another who took it as we did."""
    try:
        taken.listen(BACKLOG)
    except OSError as error:
        _explain(error, host, port_of(taken))


def port_of(taken: socket.socket) -> int:
    return taken.getsockname()[1]


def address(host: str, port: int) -> str:
    """The address as a URL."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _explain(error: OSError, host: str, port: int) -> NoReturn:
    if error.errno == errno.EADDRINUSE:
        fail(
            _(
                "{host}:{port} is already in use. Stop the program that uses it, or choose "
                "another port with --port.",
                host=host,
                port=port,
            )
        )
    fail(
        _(
            "Cannot listen on {host}:{port}: {reason}",
            host=host,
            port=port,
            reason=error.strerror or error,
        )
    )
