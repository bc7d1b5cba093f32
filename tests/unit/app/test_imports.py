import subprocess
import sys

HEAVY = ("genai_prices", "lancedb", "openai", "pydantic_ai")
OF_THE_API = ("fastapi", "saegim.api.app", "saegim.web.app")
SCRIPT = """
import sys, saegim.cli.server.processes, saegim.worker.main
print(*sys.modules)
import saegim.cli.server.runner
print(*sys.modules)
"""


def test_a_process_loads_only_what_it_needs_to_start() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    worker, api = (line.split() for line in done.stdout.splitlines())

    assert "saegim.app.container" in worker
    assert [name for name in worker if name in OF_THE_API] == []
    assert set(OF_THE_API) <= set(api)
    # A provider's client is not loaded before a model is configured.
    assert [name for name in api if name in HEAVY] == []
