import subprocess
import sys

HEAVY = (
    "saegim.app.container",
    "saegim.db",
    "saegim.encryption",
    "saegim.llm",
    "saegim.localservers",
    "pydantic_ai",
    "fastapi",
    "alembic",
    "psycopg",
)


def test_no_command_waits_for_what_only_others_need_and_none_needs_posix() -> None:
    script = "import sys, saegim.cli.main as _; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "saegim.cli.dev.command" in loaded
    assert [name for name in loaded if name.startswith(HEAVY)] == []
