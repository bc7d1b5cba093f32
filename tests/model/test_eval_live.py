"""The live evaluation against the local Gemma server: within its budget, and honest."""

import sys

import pytest

from benchmarks.doubles.llama import LlamaServer
from benchmarks.evaluation import calibration, escalation
from benchmarks.evaluation.budget import Budget
from benchmarks.evaluation.live import LivePlan, few, measure
from saegim.app.settings import Settings
from saegim.evaluation.scenario import chosen

pytestmark = pytest.mark.model

TOKENS = 12_000


@pytest.mark.requirement("EV2", "TN12")
async def test_a_live_run_keeps_to_its_budget_and_reports(
    llama: LlamaServer, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings.model_validate(
        {
            "provider": "compatible",
            "provider_base_url": llama.base_url,
            "model": llama.model,
        }
    )
    plan = LivePlan(
        scenarios=list(chosen(["en_contradiction"])),
        calibration=few(calibration.samples(), 2),
        escalation=few(escalation.samples(), 2),
        version="",
        configuration={},
    )
    run = await measure(settings, plan, Budget(TOKENS, 1.0, 150.0))
    with capsys.disabled():
        sys.stdout.write(f"\n{run.configuration}\n")
    assert run.kind == "live"
    assert 1 <= run.figures["judge.readable"].count <= 2
    calls = int(str(run.configuration["spent"]).split()[0])
    assert calls > 0
    assert llama.model in str(run.configuration["models"])
