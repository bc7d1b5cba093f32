"""The metrics page: counts of every component, no tenant data, operators only."""

import asyncio

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from benchmarks.doubles.models import ScriptedModels
from saegim.api.app import create_app
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.llm.model_call import CallSource, ModelFault
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("OP1", "OP3")

SAID = "나는 해운대에 살고 고양이를 키워"
ANSWERED = "기억해 두겠습니다"
# As many as make a summary due.
TURNS = 6
STAGES = {"open", "route", "gather", "recall", "research", "assemble", "answer", "record"}

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


async def read(stack: Stack) -> Samples:
    page = (await stack.http.get("/metrics")).text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def labels_of(samples: Samples, name: str, label: str) -> set[str]:
    return {dict(found)[label] for known, found in samples if known == name}


def total(samples: Samples, wanted: str, **labels: str) -> float:
    return sum(
        value
        for (name, found), value in samples.items()
        if name == wanted and labels.items() <= dict(found).items()
    )


async def test_turns_models_jobs_and_pools_are_counted(databases: Databases) -> None:
    fakes = Fakes(models=ScriptedModels({ModelRole.LITE: lambda _: ANSWERED}))
    async with new_stack(databases, fakes) as stack:
        for number in range(TURNS):
            await stack.say(f"{SAID}. {number}", **{"Saegim-Session": "s"})
        async with stack.working(), asyncio.timeout(180):
            for kind, jobs in (("extract", TURNS), ("summarise", 1)):
                while total(await read(stack), "saegim_jobs_total", kind=kind, end="done") < jobs:
                    await asyncio.sleep(0.05)
        samples = await read(stack)

    assert total(samples, "saegim_turns_total") == TURNS
    assert total(samples, "saegim_turn_own_seconds_count") == TURNS
    assert labels_of(samples, "saegim_turn_stage_seconds_count", "stage") == STAGES
    assert total(samples, "saegim_model_calls_total", step="answer", source="model") == TURNS
    by_rule = {"source": CallSource.FALLBACK.value, "fault": ModelFault.NOT_CONFIGURED.value}
    assert total(samples, "saegim_model_calls_total", step="summarise", **by_rule) == 1
    assert total(samples, "saegim_model_tokens_total", role="lite", direction="output") > 0
    assert total(samples, "saegim_http_requests_total", route="/v1/chat", status="200") == TURNS
    assert total(samples, "saegim_pool_connections", cell="main", state="most") == 20
    assert total(samples, "saegim_postgres_up") == total(samples, "saegim_redis_up") == 1
    assert total(samples, "process_resident_memory_bytes") > 10_000_000


async def test_nothing_of_a_tenant_or_its_people_is_on_the_page(databases: Databases) -> None:
    async with new_stack(databases, name="해운대 상사") as stack:
        reply = await stack.say(SAID, user="bora")
        await stack.http.request("해운대", "/v1/chat")
        page = (await stack.http.get("/metrics")).text

    for word in ("해운대", "고양이", "bora", reply["turn_id"], str(stack.tenant.tenant.id)):
        assert word not in page


async def test_without_a_key_only_this_machine_reads_it(stack: Stack) -> None:
    app = create_app(stack.services)
    away = httpx2.ASGITransport(app=app, client=("203.0.113.9", 4711))
    async with httpx2.AsyncClient(transport=away, base_url="http://saegim") as outside:
        assert (await outside.get("/metrics")).status_code == 403
    through_a_proxy = await stack.http.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"})
    assert through_a_proxy.status_code == 403
    assert (await stack.http.get("/metrics")).status_code == 200


async def test_with_a_key_whoever_shows_it_does_from_anywhere(databases: Databases) -> None:
    key = {"metrics_key": SecretStr("ops-key")}
    async with new_stack(databases, settings=key) as stack:
        away = httpx2.ASGITransport(app=create_app(stack.services), client=("203.0.113.9", 4711))
        async with httpx2.AsyncClient(transport=away, base_url="http://saegim") as outside:
            codes = [
                (await outside.get("/metrics", headers=headers)).status_code
                for headers in (
                    {},
                    {"Authorization": "Bearer wrong"},
                    stack.headers(),
                    {"Authorization": "Bearer ops-key"},
                )
            ]
        assert codes == [403, 403, 403, 200]
        assert (await stack.http.get("/metrics")).status_code == 403


async def test_a_store_that_is_down_shows_as_down_instead_of_failing(databases: Databases) -> None:
    nowhere = {"postgres_url": SecretStr("postgresql://nobody@127.0.0.1:1/none")}
    async with new_stack(databases) as up:
        assert total(await read(up), "saegim_postgres_up") == 1
        down = up.services.settings.model_copy(update=nowhere)
        services = build(down)
        await services.open()
        try:
            transport = httpx2.ASGITransport(app=create_app(services))
            async with httpx2.AsyncClient(transport=transport, base_url="http://s") as http:
                page = (await http.get("/metrics")).text
        finally:
            await services.close()
    assert 'saegim_postgres_up{cell="main"} 0.0' in page
    assert "saegim_jobs_waiting{" not in page
