"""The worker of `saegim dev`, in a process of its own: a busy job never holds up the API."""

import asyncio
import signal
import sys
from types import TracebackType
from typing import Self

from saegim.cli.console import out
from saegim.cli.environment import DataFolder
from saegim.cli.language import _
from saegim.localservers.child_process import FolderClaim, Launch, ServerProcess, SystemAccount

STOP_SECONDS = 15.0
WATCH_SECONDS = 0.5
RESTART_SECONDS = 2.0


class WorkerProcess:
    """`saegim worker` as our child; it claims the folder from the start and ends with us."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._process: ServerProcess | None = None
        self._claim = FolderClaim(folder.path / "worker", STOP_SECONDS)

    def start(self) -> None:
        command = [sys.executable, "-P", "-m", "saegim.cli.main"]
        command += ["worker", "--data", str(self._folder.path)]
        log = self._folder.worker_log
        place = self._folder.path / "worker"
        launch = Launch(command, place, log, SystemAccount.ours(), signal.SIGTERM)
        self._process = ServerProcess(launch, self._claim)

    def stop(self) -> None:
        """Ends it and gives the folder up. Does nothing the second time."""
        if self._process is not None:
            self._process.end(signal.SIGTERM, STOP_SECONDS)
        elif self._claim.is_owned:
            self._claim.release(STOP_SECONDS)

    async def keep_running(self) -> None:
        """Starts it again when it dies, with a pause, and says so."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            if self._process is not None and not self._process.running:
                out.print(
                    _(
                        "The worker exited and is being restarted. ({log})",
                        log=self._folder.worker_log,
                    ),
                    style="yellow",
                )
                await asyncio.sleep(RESTART_SECONDS)
                await asyncio.to_thread(self._restart)

    def _restart(self) -> None:
        self.stop()
        self._claim = FolderClaim(self._folder.path / "worker", STOP_SECONDS)
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
