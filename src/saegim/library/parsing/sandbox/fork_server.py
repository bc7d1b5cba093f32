"""A process that has the parsers loaded and forks a child for each file.

Loading Python and a parser takes a third of a second of computing; a fork takes milliseconds. Each
file still has a process of its own, which confines itself before it reads. This process never reads
a file.

For each order, a keeper is forked, which forks the child, kills it when the parent closes its end,
and reports how it ended.
"""

import json
import os
import select
import signal
import socket
import sys
from importlib import import_module

from saegim.library.parsing.kinds import FileKind
from saegim.library.parsing.sandbox import child, wire

# Sent when the process is ready, and after each order.
ACKNOWLEDGED = b"."
# Without orders for so long, the process ends; the next order starts another.
IDLE_SECONDS = 60.0
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
LARGEST_ORDER = 1 << 16
# The others are slow to load, and rarely needed.
PRELOADED = (FileKind.MARKDOWN, FileKind.TEXT, FileKind.CSV, FileKind.JSON)


def main() -> None:
    """Serve orders from the socket that is standard input, until it closes."""
    with socket.socket(fileno=os.dup(0)) as orders:
        for kind in PRELOADED:
            import_module(f"saegim.library.parsing.formats.{kind}")
        # Nobody waits for keepers: they report to the parent.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        orders.settimeout(IDLE_SECONDS)
        orders.send(ACKNOWLEDGED)
        while (order := _receive(orders)) is not None:
            text, descriptors = order
            if os.fork() == 0:
                orders.close()
                _keep(text, *descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
            orders.send(ACKNOWLEDGED)


def _receive(orders: socket.socket) -> tuple[bytes, list[int]] | None:
    """Return the next order, with the descriptors of file, output and control."""
    try:
        text, descriptors, _flags, _address = socket.recv_fds(orders, LARGEST_ORDER, 3)
    except TimeoutError:
        return None
    return (text, descriptors) if text else None


def _keep(order: bytes, file: int, output: int, control: int) -> None:
    """Run the child, and report its end. Never returns."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        ended, alive = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(ended)
            _parse(order, file, output, control)
        for descriptor in (alive, file, output):
            os.close(descriptor)
        # The child is gone, which closes its end of the pipe, or the parent wants it gone. To kill
        # one that ends already changes nothing, and one that only closed the pipe must end, too.
        select.select([ended, control], [], [])
        os.kill(pid, signal.SIGKILL)
        _pid, status, usage = os.wait4(pid, 0)
        most_bytes = usage.ru_maxrss * _RSS_UNIT
        os.write(control, wire.STATUS.pack(os.waitstatus_to_exitcode(status), most_bytes))
    finally:
        os._exit(0)


def _parse(order: bytes, file: int, output: int, control: int) -> None:
    """Become the child of one file. Never returns."""
    code = wire.CRASHED
    try:
        os.close(control)
        os.dup2(file, 0)
        os.dup2(output, 1)
        os.close(file)
        os.close(output)
        code = child.main(json.loads(order))
    except BaseException as error:  # noqa: BLE001 - reported like any crash
        child.report_crash(type(error), error, error.__traceback__)
    finally:
        try:
            sys.stdout.flush()
        finally:
            os._exit(code)


if __name__ == "__main__":
    main()
