"""The worker of `saegim dev`, in its own process, so that jobs do not block the API."""

import asyncio
import signal
import sys
from typing import Self

from saegim.cli.console import say
from saegim.cli.environment import DataFolder
from saegim.localservers.child_process import FolderClaim, Launch, ServerProcess, SystemAccount

STOP_SECONDS = 15.0
WATCH_SECONDS = 0.5
RESTART_SECONDS = 2.0


class WorkerProcess:
    """`saegim worker` as a child process; claims its folder when created, before it starts."""

    def __init__(self, folder: DataFolder) -> None:
        self._path, self._data, self._log = folder.path / "worker", folder.path, folder.worker_log
        self._process: ServerProcess | None = None
        self._claim = FolderClaim(self._path, STOP_SECONDS)

    def start(self) -> None:
        command = [sys.executable, "-P", "-m", "saegim.cli.main"]
        command += ["worker", "--data", str(self._data)]
        launch = Launch(command, self._path, self._log, SystemAccount.ours(), signal.SIGTERM)
        self._process = ServerProcess(launch, self._claim)

    def stop(self) -> None:
        """Stop the process and release the folder. Does nothing the second time."""
        if self._process is not None:
            self._process.end(signal.SIGTERM, STOP_SECONDS)
        elif self._claim.is_owned:
            self._claim.release(STOP_SECONDS)

    async def keep_running(self) -> None:
        """Restart the process when it exits, after a pause."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            if self._process is not None and not self._process.running:
                say(
                    "The worker exited and is being restarted. ({log})",
                    style="yellow",
                    log=self._log,
                )
                await asyncio.sleep(RESTART_SECONDS)
                await asyncio.to_thread(self._restart)

    def _restart(self) -> None:
        self.stop()
        self._claim = FolderClaim(self._path, STOP_SECONDS)
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()
