"""Probe what a confined parser process can still reach on this machine."""

import asyncio
import contextlib
import json
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from saegim.library.parsing.sandbox.confinement import seal

PROBE_SECONDS = 20.0
CONNECT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class SandboxProbe:
    """What a parser process cannot reach."""

    network: bool = False
    environment: bool = False
    files: bool = False
    writing: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name, blocked in asdict(self).items() if not blocked)


async def look() -> SandboxProbe:
    """Start a child that confines itself and tries; without an answer nothing counts as blocked."""
    with (
        TemporaryDirectory(prefix="saegim-probe-") as name,
        socket.create_server(("127.0.0.1", 0)) as server,
    ):
        secret = Path(name) / "secret"
        secret.write_text("secret", "ascii")
        port = server.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-s", "-m", __name__, str(port), str(os.getpid()), str(secret)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                output, _ = await process.communicate()
            return SandboxProbe(**json.loads(output))
        except (TimeoutError, ValueError, TypeError):
            return SandboxProbe()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return True
    return False


def _connect(port: int) -> None:
    with socket.socket() as client:
        client.settimeout(CONNECT_SECONDS)
        client.connect(("127.0.0.1", port))


def main(port: int, parent: int, secret: Path) -> SandboxProbe:
    """Confine this process, then try what must be refused."""
    seal()
    return SandboxProbe(
        network=_refused(lambda: _connect(port)),
        environment=_refused(Path(f"/proc/{parent}/environ").read_bytes),
        files=_refused(secret.read_bytes),
        writing=_refused(lambda: secret.write_bytes(b"changed")),
    )


if __name__ == "__main__":
    probe = main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
    sys.stdout.write(json.dumps(asdict(probe)))
