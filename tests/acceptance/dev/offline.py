"""Run where only loopback is up: `saegim dev`, with the README's commands as written."""

import json
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from tests.acceptance.dev.home import Home, readme_commands, streaming


def has_network() -> bool:
    """Whether anything but this machine can be reached; a route is enough, nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return False
    return True


def try_it(folder: Path, *, again: bool) -> dict[str, Any]:
    """Starts it, and with `again` a second time."""
    home = Home(folder, 8000)
    try:
        seconds = [home.start()]
        [command] = readme_commands("curl")
        plain, streamed = home.shell(command), home.shell(streaming(command))
        stopped = [home.stop(signal.SIGINT)]
        turns: list[dict[str, Any]] = []
        if again:
            seconds.append(home.start())
            session = json.loads(plain)["session_id"]
            turns = home.request("GET", f"/v1/sessions/{session}/turns")["turns"]
            stopped.append(home.stop(signal.SIGTERM))
    finally:
        home.stop(signal.SIGKILL)
    return {
        "network": has_network(),
        "seconds": [round(value, 1) for value in seconds],
        "answer": json.loads(plain),
        "streamed": streamed,
        "found_again": [turn["message"] for turn in turns],
        "stopped": stopped,
    }


if __name__ == "__main__":
    json.dump(try_it(Path(sys.argv[1]), again="--again" in sys.argv), sys.stdout)
