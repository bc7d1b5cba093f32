"""What an integration says if its frameworks are not installed."""

import subprocess
import sys


def test_missing_framework_names_the_extra() -> None:
    code = "import sys; sys.modules['langgraph'] = None; import saegim.integrations.langgraph"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'saegim[langchain]'" in done.stderr
