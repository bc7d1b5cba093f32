"""Ports for servers that start later."""

import contextlib
import random
import socket

# Below those that connections and servers without a port of their own get.
PORTS = range(10_000, 20_000)


def free_port() -> int:
    """Returns a port that is unlikely to be taken before the program uses it."""
    for port in random.sample(PORTS, len(PORTS)):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no free port")
