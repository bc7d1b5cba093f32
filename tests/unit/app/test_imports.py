import subprocess
import sys


def test_a_providers_client_is_not_loaded_before_a_model_is_configured() -> None:
    script = "import sys, saegim.app.container; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
