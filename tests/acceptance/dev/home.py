"""Runs the real `saegim dev` in its own folder."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import httpx2

REPOSITORY = Path(__file__).parents[3]
SAEGIM = Path(sys.executable).with_name("saegim")
START_SECONDS = 600.0
# As many documents as a search may return.
MOST_FOUND = {"faq": 50, "other": 50}
# Where an installed program is run, Python keeps what it compiled.
NOT_A_USERS = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONUNBUFFERED")


def clean_environment(**more: str) -> dict[str, str]:
    """Ours without any setting of Saegim's, so that defaults apply."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("SAEGIM_") and name not in NOT_A_USERS
    }
    return kept | {"SAEGIM_LANG": "en", **more}


def wait_for(condition: Callable[[], bool], seconds: float, pause: float = 0.05) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def readme_commands(beginning: str) -> list[str]:
    """The shell blocks of the README that begin so, as written."""
    page = (REPOSITORY / "README.md").read_text("utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    return [block for block in blocks if block.startswith(beginning)]


def streaming(command: str) -> str:
    """The request of the README with the header that it names for streaming."""
    header = '-H "Accept: text/event-stream"'
    assert header in (REPOSITORY / "README.md").read_text("utf-8")
    return command.replace("curl -s ", f"curl -sN {header} ", 1)


def is_gone(pid: int) -> bool:
    """No such process, or only its exit status is left for a parent that does not ask."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def descendants(pid: int) -> list[int]:
    """Returns all descendants of this process."""
    children = list[int]()
    # A process may end while it is looked at.
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for threads in Path(f"/proc/{pid}/task").glob("*/children"):
            children += map(int, threads.read_text().split())
    return [found for child in children for found in (child, *descendants(child))]


def command_of(pid: int) -> str:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def find(client: httpx2.Client, query: str) -> set[str]:
    """Returns the ids of the documents that a search finds."""
    response = client.post("/v1/search", json={"query": query, **MOST_FOUND})
    # On a busy machine the store may be out of reach for a moment, which is a 503.
    found = response.json()["found"] if response.is_success else []
    return {one["document"]["document_id"] for one in found}


class Home:
    """A folder in which `saegim dev` runs, or ran, or will run."""

    def __init__(self, folder: Path, port: int, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.port = port
        self.environment = clean_environment(**(settings or {}))
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        return self.folder / ".saegim"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def key(self) -> str:
        return (self.data / "demo.key").read_text().strip()

    @property
    def output(self) -> str:
        return (self.folder / "output.txt").read_text("utf-8")

    def start(self, command: str = "dev") -> float:
        """Starts it and returns when it answers: after how many seconds."""
        began = time.monotonic()
        with (self.folder / "output.txt").open("wb") as output:
            self.process = subprocess.Popen(
                [SAEGIM, command, "--port", str(self.port)],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        process = self.process
        wait_for(lambda: process.poll() is not None or self.answers(), START_SECONDS)
        assert self.answers(), self.output
        return time.monotonic() - began

    def ensure_running(self) -> None:
        if self.process is None or self.process.poll() is not None:
            self.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Its exit code."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(300)

    def answers(self) -> bool:
        # Not httpx2: it loads certificates for every client, and this is polled.
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", "/health/ready")
            return connection.getresponse().status == HTTPStatus.OK
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def client(self, **headers: str) -> httpx2.Client:
        return httpx2.Client(base_url=self.url, headers=headers, trust_env=False, timeout=300)

    def request(self, method: str, path: str, **options: Any) -> Any:
        """A request with the demo key and nothing else; the answer as JSON."""
        headers = {"Authorization": f"Bearer {self.key}"} if path.startswith("/v1") else {}
        with self.client(**headers) as client:
            response = client.request(method, path, **options)
        assert response.is_success, response.text
        return response.json()

    def until_found(self, queries: Mapping[str, str]) -> None:
        """Waits until searches find documents, each by its query: the index learns of them a moment
        after their import."""
        missing = dict(queries)
        with self.client(Authorization=f"Bearer {self.key}") as client:

            def look() -> bool:
                while missing:
                    query = next(iter(missing))
                    found = find(client, missing[query])
                    for document in found:
                        missing.pop(document, None)
                    if query in missing:
                        return False
                return True

            # A search takes as much of a core as an import does.
            assert wait_for(look, 300, pause=1), missing

    def say(self, message: str, session: str | None = None) -> dict[str, Any]:
        named = {} if session is None else {"session_id": session}
        return self.request("POST", "/v1/chat", json={"message": message, **named})

    def shell(self, block: str) -> str:
        """Runs a block of shell commands in this folder; returns the output."""
        done = subprocess.run(
            ["bash", "-c", block],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        return done.stdout

    def saegim(
        self, *arguments: str, typed: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs another saegim command in the same folder."""
        return subprocess.run(
            [SAEGIM, *arguments],
            cwd=self.folder,
            env=self.environment | environment,
            input=typed,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=600,
        )

    def doctor(self) -> dict[str, Any]:
        """The report, with its findings by part, and the exit code."""
        done = self.saegim("doctor", "--json")
        report = json.loads(done.stdout)
        levels = {finding["part"]: finding["level"] for finding in report["findings"]}
        return {"exit": done.returncode, "level": report["level"]} | levels

    def doctor_until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first report of which something holds, or the last of ten minutes."""
        deadline = time.monotonic() + 600
        while not holds(report := self.doctor()) and time.monotonic() < deadline:
            time.sleep(1)
        return report

    def workers(self) -> int:
        """Returns the number of active workers that the API reports."""
        return self.request("GET", "/health/ready")["workers"]

    def worker(self) -> int:
        assert self.process is not None
        (pid,) = [
            pid for pid in descendants(self.process.pid) if "cli.main worker" in command_of(pid)
        ]
        return pid
