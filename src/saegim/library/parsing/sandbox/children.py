"""Start children that parse a file: forked from a process that is ready, or new ones on Windows."""

import asyncio
import atexit
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Protocol

from saegim.library.parsing.sandbox import wire

_SERVER = "saegim.library.parsing.sandbox.fork_server"
_CHILD = "saegim.library.parsing.sandbox.child"
_PYTHON = (sys.executable, "-P", "-s", "-X", "utf8", "-m")
_ANSWER_SECONDS = 30.0


class Child(Protocol):
    """A running child: its output, and how it ends."""

    output: asyncio.StreamReader
    most_bytes: int
    """The most memory it used, once it has ended; 0 where that is not known."""

    async def wait(self) -> int:
        """Return the exit code, negative for a signal."""
        ...

    async def end(self) -> None:
        """Kill the child if it still runs, and wait for it."""
        ...


async def start_child(file: int, order: str, environment: Mapping[str, str]) -> Child:
    """Start a child that parses an open file."""
    if sys.platform == "win32":
        return await _new_process(file, order, environment)
    server = fork_server(tuple(sorted(environment.items())))
    # In a thread, because it waits for the imports of a new process.
    await asyncio.to_thread(server.start)
    return await _fork(server, file, order.encode())


@cache
def fork_server(environment: tuple[tuple[str, str], ...]) -> "ForkServer":
    """Return the fork server of this process for children with this environment."""
    server = ForkServer(dict(environment))
    atexit.register(server.stop)
    return server


class ForkServer:
    """The process that forks children, started when it is needed and not there."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None

    def start(self) -> None:
        """Start the process unless it runs, and wait until it is ready."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._restart()

    def order(self, text: bytes, descriptors: Sequence[int]) -> None:
        """Have a child forked, which gets these descriptors. Raises OSError."""
        with self._lock:
            try:
                self._send(text, descriptors)
            except OSError:
                # It ended meanwhile, without orders for a minute.
                self._restart()
                self._send(text, descriptors)

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid

    def stop(self) -> None:
        with self._lock:
            self._stop()

    def _send(self, text: bytes, descriptors: Sequence[int]) -> None:
        if self._orders is None:
            raise ConnectionError
        socket.send_fds(self._orders, [text], descriptors)
        self._await_answer(self._orders)

    def _restart(self) -> None:
        self._stop()
        ours, theirs = socket.socketpair()
        ours.settimeout(_ANSWER_SECONDS)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own Python
                [*_PYTHON, _SERVER],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=self._environment,
                start_new_session=True,
            )
        self._orders = ours
        self._await_answer(ours)

    def _await_answer(self, orders: socket.socket) -> None:
        if not orders.recv(1):
            raise ConnectionError("the parser process ended")

    def _stop(self) -> None:
        if self._orders is not None:
            self._orders.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._orders = self._process = None


class _ForkedChild:
    """A forked child, whose keeper reports its end through a socket."""

    def __init__(
        self,
        output: asyncio.StreamReader,
        transport: asyncio.ReadTransport,
        control: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self.output = output
        self._transport = transport
        self._status, self._control = control
        self._code: int | None = None
        self.most_bytes = 0

    async def wait(self) -> int:
        if self._code is None:
            status = await self._status.read(wire.STATUS.size)
            # Without a report, the keeper was killed.
            code, self.most_bytes = wire.STATUS.unpack(status) if status else (-signal.SIGKILL, 0)
            self._code = int(code)
        return self._code

    async def end(self) -> None:
        # The keeper kills the child when it reads the end of its input.
        with suppress(OSError):
            self._control.write_eof()
        try:
            with suppress(OSError):
                await self.wait()
        finally:
            self._transport.close()
            self._control.close()


async def _fork(server: ForkServer, file: int, order: bytes) -> _ForkedChild:
    read_end, write_end = os.pipe()
    near, far = socket.socketpair()
    try:
        server.order(order, (file, write_end, far.fileno()))
    except BaseException:
        os.close(read_end)
        near.close()
        raise
    finally:
        os.close(write_end)
        far.close()
    output = asyncio.StreamReader()
    transport, _protocol = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(output), os.fdopen(read_end, "rb", 0)
    )
    near.setblocking(False)
    return _ForkedChild(output, transport, await asyncio.open_connection(sock=near))


class _NewProcess:
    """A child in a process of its own, which loads everything anew."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None, "the child's output is a pipe"
        self.output = process.stdout
        self.most_bytes = 0
        self._process = process

    async def wait(self) -> int:
        return await self._process.wait()

    async def end(self) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        # The pipe must be drained before it counts as closed.
        while await self.output.read(1 << 16):
            pass
        await self._process.wait()


async def _new_process(file: int, order: str, environment: Mapping[str, str]) -> _NewProcess:
    return _NewProcess(
        await asyncio.create_subprocess_exec(
            *(*_PYTHON, _CHILD),
            stdin=file,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**environment, wire.ORDER: order},
        )
    )
