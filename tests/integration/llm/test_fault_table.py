"""What doctor, log, trace and user see of each fault of a provider. Each names the cause."""

import logging
from dataclasses import dataclass

import pytest
from pydantic import SecretStr

from benchmarks.doubles.models import ScriptedModels
from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from saegim.app.container import Services
from saegim.app.infrastructure import Fakes
from saegim.chat.types import TurnTimes
from saegim.cli.doctor.checks import models as doctor_models
from saegim.cli.findings import Finding
from saegim.llm.model_call import FaultDetail, ModelFault
from saegim.llm.ports import ModelRole, RoleModel
from saegim.llm.steps import PAUSE_SECONDS, FaultLog
from tests.stack import Databases, new_stack

KEY = "sk-test-0123456789-wxyz"


@dataclass(frozen=True)
class Fault:
    """A fault, its name in the trace, the status, and words that name the cause."""

    mode: ProviderMode
    name: str
    status: int | None
    words: str


FAULTS = [
    Fault(ProviderMode.HTTP_401, "http_error", 401, "Incorrect API key provided: [SECRET]"),
    Fault(ProviderMode.HTTP_404, "http_error", 404, "does not exist"),
    Fault(ProviderMode.HTTP_429, "http_error", 429, "You exceeded your current quota"),
    Fault(ProviderMode.HTTP_500, "http_error", 500, "out of order"),
    Fault(ProviderMode.REFUSED, "refused", None, "Connect call failed"),
    Fault(ProviderMode.HANG, "timeout", None, "no response within the time limit"),
    Fault(ProviderMode.INVALID_JSON, "broken_output", None, "Failed to decode response as JSON"),
]


async def found_by_doctor(services: Services) -> list[Finding]:
    return [each for each in await doctor_models(services) if each.level == "broken"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.mode.value)
async def test_each_fault_names_its_cause_everywhere(
    databases: Databases, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "saegim.llm")
    # Short only where time runs out.
    seconds = 2.0 if fault.mode is ProviderMode.HANG else 60.0
    async with BrokenProvider(fault.mode) as provider:
        settings = {
            "provider": "openai",
            "provider_base_url": provider.base_url,
            "provider_api_key": SecretStr(KEY),
            "embedder_model": None,
            "model_turn_seconds": seconds,
            "model_background_seconds": seconds,
        }
        times = TurnTimes(whole=120, answer=seconds, first_token=seconds, step=seconds)
        fakes = Fakes(turn_times=times)
        async with new_stack(databases, fakes, settings=settings) as stack:
            reply = await stack.say("무슨 일이 있었지?")
            again = await stack.say("무슨 일이 있었지?")
            response = await stack.http.get(
                f"/v1/turns/{reply['turn_id']}/trace", headers=stack.headers()
            )
            logged = [each.getMessage() for each in caplog.records if "failed" in each.message]
            findings = await found_by_doctor(stack.services)

    status = "" if fault.status is None else f"{fault.status} "
    [call, *_] = response.json()["trace"]["calls"]
    assert (call["fault"], call["status"]) == (fault.name, fault.status)
    assert fault.words in call["message"]
    assert len(logged) == 1, "once a minute for each cause"
    assert f"{fault.name}: {status}" in logged[0]
    assert fault.words in logged[0]
    assert {each.part for each in findings} >= {"model strong", "model lite"}
    assert all(f"{status}" in each.text for each in findings)
    for turn in (reply, again):
        assert (turn["state"], turn["degraded"]) == ("done", ["model"])
    for text in (str(response.json()), *logged, *(each.text for each in findings)):
        assert KEY not in text


def test_a_cause_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "saegim.llm")
    now = [0.0]
    log, model = FaultLog(lambda: now[0]), scripted_model()
    wrong_key = FaultDetail(ModelFault.HTTP_ERROR, 401, "Incorrect API key")
    for _ in range(3):
        log.note(ModelRole.LITE, model, wrong_key)
    log.note(ModelRole.LITE, model, FaultDetail(ModelFault.HTTP_ERROR, 429, "Slow down"))
    assert len(caplog.records) == 2
    now[0] += PAUSE_SECONDS
    log.note(ModelRole.LITE, model, wrong_key)
    assert len(caplog.records) == 3


def test_log_has_no_content_of_a_refused_request(caplog: pytest.LogCaptureFixture) -> None:
    log = FaultLog(lambda: 0.0)
    refused = FaultDetail(ModelFault.HTTP_ERROR, 400, "Invalid text: 저는 판교에서 일해요")
    log.note(ModelRole.LITE, scripted_model(), refused)
    assert "400" in caplog.text
    assert "판교" not in caplog.text


def scripted_model() -> RoleModel:
    model = ScriptedModels({ModelRole.LITE: lambda _: "답"}).for_role(ModelRole.LITE)
    assert model is not None
    return model
