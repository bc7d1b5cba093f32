"""`saegim eval live` against the local Gemma server: within its budget, and honest."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.doubles.llama import LlamaServer
from saegim.cli.main import app
from saegim.evaluation.results import load

pytestmark = pytest.mark.model

TOKENS = 12_000


@pytest.mark.requirement("EV2")
def test_a_live_run_keeps_to_its_budget_and_reports(
    llama: LlamaServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {
        "SAEGIM_PROVIDER": "compatible",
        "SAEGIM_PROVIDER_BASE_URL": llama.base_url,
        "SAEGIM_MODEL": llama.model,
    }
    budget = ["--tokens", str(TOKENS), "--seconds", "150", "--samples", "2"]
    result = CliRunner().invoke(
        app,
        ["eval", "live", *budget, "--scenario", "en_contradiction", "--data", str(tmp_path)],
        env=environment,
    )
    with capsys.disabled():
        sys.stdout.write(f"\n{result.output}\n")
    assert result.exit_code == 0, result.output
    [run] = load(tmp_path / "evaluations")
    assert run.kind == "live"
    assert 1 <= run.figures["judge.readable"].count <= 2
    calls = int(str(run.configuration["spent"]).split()[0])
    assert calls > 0
    assert llama.model in str(run.configuration["models"])
    out = tmp_path / "report"
    reported = CliRunner().invoke(
        app, ["eval", "report", "--out", str(out), "--data", str(tmp_path)]
    )
    assert reported.exit_code == 0, reported.output
    assert llama.model in (out / "report.html").read_text("utf-8")
