import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_one_reply_runs_no_more_files_than_its_ceiling() -> None:
    # A process of its own: what other tests left running here would count.
    command = [sys.executable, "scripts/structure.py", "--reply", "--check", "--list"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "chat/turn.py" in done.stdout.splitlines()
