import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]


def test_the_page_of_commands_is_fresh_whatever_the_shell_speaks() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/cli_docs.py", "--check"],
        cwd=REPOSITORY,
        env=os.environ | {"SAEGIM_LANG": "ko"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_stale_page_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs/reference").mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts/cli_docs.py"
    script.write_text((REPOSITORY / "scripts/cli_docs.py").read_text("utf-8"), "utf-8")
    (tmp_path / "docs/reference/cli.md").write_text("old", "utf-8")
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "docs/reference/cli.md: stale" in done.stderr
