import os
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "scripts" / "in_memory"
SHOW = 'echo "$TMPDIR"; test -w "$TMPDIR"; exit 7'


def run(memory: str, usual: Path) -> tuple[int, Path]:
    environment = {**os.environ, "MEMORY_FOLDER": memory, "TMPDIR": str(usual)}
    done = subprocess.run(
        [SCRIPT, "bash", "-c", SHOW], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, Path(done.stdout.strip())


def test_folder_in_memory_is_removed_and_the_exit_code_returned(tmp_path: Path) -> None:
    code, folder = run("/dev/shm", tmp_path)
    assert code == 7
    # Without enough memory, the usual folder is used.
    assert folder == tmp_path or (folder.parent == Path("/dev/shm") and not folder.exists())


def test_usual_folder_is_used_where_no_memory_is_mounted(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run(str(elsewhere), tmp_path) == (7, tmp_path)
