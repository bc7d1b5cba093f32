import subprocess
import sys

HEAVY = ("genai_prices", "lancedb", "openai", "pydantic_ai")


def test_a_providers_client_is_not_loaded_before_a_model_is_configured() -> None:
    script = "import sys, saegim.web.app; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "saegim.app.container" in loaded
    assert [name for name in loaded if name in HEAVY] == []
