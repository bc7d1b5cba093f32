"""Three masters on loopback that make one cluster."""

import random
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import redis

from saegim.localservers.valkey import HOST, LocalValkey

MASTERS = 3
SLOTS = 16_384
# The masters talk to each other on a port this much above their own.
BUS = 10_000
# Both are below those that the system gives to connections.
PORTS = range(11_000, 22_000)
SETTINGS = {
    "cluster-enabled": "yes",
    "cluster-config-file": "nodes.conf",
    # A master that a busy machine does not run for seconds has not failed.
    "cluster-node-timeout": "15000",
    "appendonly": "no",
}


@dataclass
class LocalCluster:
    """A cluster; `url` names one of its nodes."""

    folder: Path
    nodes: list[LocalValkey]

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.nodes[0].port}"

    def flush(self) -> None:
        for node in self.nodes:
            with _client(node.port) as client:
                client.flushall()

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()

    def start(self) -> None:
        """The same masters again, empty, after they were stopped."""
        ports = [node.port for node in self.nodes]
        self.nodes = [_start(self.folder, number, port) for number, port in enumerate(ports)]
        _wait(self.nodes)


@contextmanager
def local_cluster(folder: Path) -> Iterator[LocalCluster]:
    """Starts the masters, divides the slots among them, and waits until they agree."""
    cluster = LocalCluster(folder, [])
    try:
        for number in range(MASTERS):
            cluster.nodes.append(_start(folder, number, _free_port()))
        _join(cluster.nodes)
        yield cluster
    finally:
        cluster.stop()


def _start(folder: Path, number: int, port: int) -> LocalValkey:
    return LocalValkey.start(folder / str(number), port, settings=SETTINGS)


def _join(nodes: list[LocalValkey]) -> None:
    share = SLOTS // len(nodes)
    for number, node in enumerate(nodes):
        last = SLOTS - 1 if number == len(nodes) - 1 else (number + 1) * share - 1
        with _client(node.port) as client:
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", number * share, last)
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
    with _client(nodes[0].port) as first:
        for node in nodes[1:]:
            first.execute_command("CLUSTER", "MEET", HOST, node.port)
    _wait(nodes)


def _wait(nodes: list[LocalValkey]) -> None:
    deadline = time.monotonic() + 180
    for node in nodes:
        with _client(node.port) as client:
            while "cluster_state:ok" not in str(client.execute_command("CLUSTER", "INFO")):
                assert time.monotonic() < deadline, "the masters do not agree"
                time.sleep(0.05)


def _client(port: int) -> redis.Redis:
    return redis.Redis(HOST, port, legacy_responses=True, protocol=2)


def _free_port() -> int:
    """Returns a port whose cluster bus port is free too; not the first, which parallel tests
    would take."""
    for port in random.sample(PORTS, len(PORTS)):
        with suppress(OSError), ExitStack() as both:
            for each in (port, port + BUS):
                both.enter_context(socket.create_server((HOST, each)))
            return port
    raise AssertionError("no free port")
