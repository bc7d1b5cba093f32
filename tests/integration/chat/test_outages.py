"""Stores that stop in the middle of a conversation."""

import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from benchmarks.prepared_cluster import DATA, KEYRING, start_servers
from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from saegim.localservers.postgres import LocalPostgres
from saegim.localservers.valkey import LocalValkey
from tests.integration.chat.library_stack import ask, assessor, library_stack, reviewed, scripted
from tests.integration.chat.situation import without_situation
from tests.stack import Databases, new_stack

SESSION = {"Saegim-Session": "s"}
EC2 = "EC2 비용 줄이는 방법?"


@pytest.fixture
async def own() -> AsyncIterator[tuple[Databases, Path]]:
    """Servers that a test may stop."""
    with TemporaryDirectory(prefix="saegim-out-") as folder:
        servers = start_servers(Path(folder))
        yield Databases(servers, DATA, KEYRING, Path(folder) / "index"), Path(folder)
        servers.stop()


def counting() -> ScriptedModels:
    return ScriptedModels({ModelRole.LITE: lambda shown: f"{len(shown.messages) // 2}턴 기억"})


async def test_valkey_stops_and_the_conversation_goes_on(own: tuple[Databases, Path]) -> None:
    databases, folder = own
    models = counting()
    async with new_stack(databases, Fakes(models=models)) as stack:
        port = databases.servers.valkey.port
        before = [await stack.say(f"전 {n}", **SESSION) for n in range(3)]
        databases.servers.valkey.stop()
        during = [await stack.say(f"중 {n}", **SESSION) for n in range(3)]
        valkey = LocalValkey.start(folder / "valkey", port)
        time.sleep(1.1)  # noqa: ASYNC251 - the part rests for a second after a failure
        after = [await stack.say(f"후 {n}", **SESSION) for n in range(3)]
        valkey.stop()

    assert [reply["degraded"] for reply in before] == [[], [], []]
    assert [reply["degraded"] for reply in during] == [["redis"]] * 3
    assert [reply["degraded"] for reply in after] == [[], [], []]
    remembered = [reply["answer"] for reply in before + during + after]
    assert remembered == [f"{n}턴 기억" for n in range(9)]
    *before, last = [message.text for message in models.requests[-1].messages]
    said = [*before[::2], without_situation(last)]
    assert said == [f"{when} {n}" for when in ("전", "중", "후") for n in range(3)]


@pytest.mark.requirement("TN9")
async def test_valkey_stops_in_the_middle_of_a_research_turn(own: tuple[Databases, Path]) -> None:
    databases, _ = own

    def stops(shown: RecordedRequest) -> Reply:
        databases.servers.valkey.stop()
        return reviewed(0, 1)

    models = scripted(assessor=assessor(review=stops), lite=lambda _: "예약으로 줄입니다 [1].")
    async with library_stack(databases, models, careful=True) as stack:
        during = await ask(stack, EC2)
        after = await ask(stack, EC2)

    assert [reply["state"] for reply in (during, after)] == ["done", "done"]
    assert during["answer"] == after["answer"] == "예약으로 줄입니다 [1]."
    assert after["degraded"] == ["redis"]
    assert after["trace"]["working_memory"]["source"] == "record"
    assert after["trace"]["working_memory"]["completed_turns"] == 1


@pytest.mark.requirement("TN9")
async def test_everything_outside_is_out_at_once(own: tuple[Databases, Path]) -> None:
    """Model, index and Redis: the turn answers from memory and names all three."""
    databases, _ = own
    gone = ModelHTTPError(503, "scripted")
    models = scripted(assessor=lambda _: gone, lite=lambda _: gone)
    async with library_stack(databases, models, heads_embedder=BundledEmbedder()) as stack:
        await ask(stack, "우리 EC2 예산은 월 300만 원이야.")
        assert databases.index is not None
        for folder in databases.index.iterdir():
            shutil.rmtree(folder)
        databases.servers.valkey.stop()
        fakes = Fakes(models=models, heads_embedder=BundledEmbedder())
        async with new_stack(databases, fakes) as fresh:
            fresh.tenant = stack.tenant
            reply = await ask(fresh, "EC2 예산이 얼마라고 했지?")

    assert reply["state"] == "done"
    assert set(reply["degraded"]) == {"model", "index", "redis"}
    assert "300만" in reply["answer"]
    assert [one["marker"] for one in reply["citations"]] == ["T1"]


async def test_postgres_stops_and_comes_back(own: tuple[Databases, Path]) -> None:
    databases, folder = own
    async with new_stack(databases) as stack:
        await stack.say("전", **SESSION)
        databases.servers.postgres.kill()
        down = await stack.http.post(
            "/v1/chat", json={"message": "중"}, headers=stack.headers(**SESSION)
        )
        ready = await stack.http.get("/health/ready")
        live = await stack.http.get("/health/live")
        with LocalPostgres.start(folder / "postgres"):
            reply = await stack.say("후", **SESSION)
            well = await stack.http.get("/health/ready")

    assert (down.status_code, down.json()["code"]) == (503, "store_unavailable")
    assert "retry-after" in down.headers
    assert (ready.status_code, ready.json()["postgres"]) == (503, "down")
    assert live.status_code == 200
    assert reply["state"] == "done"
    assert well.json()["ready"] is True


@pytest.mark.alone
async def test_a_stopped_postgres_is_reported_within_a_second(own: tuple[Databases, Path]) -> None:
    databases, _ = own
    async with new_stack(databases) as stack:
        await stack.say("전", **SESSION)
        databases.servers.postgres.kill()
        began = time.monotonic()
        down = await stack.http.post(
            "/v1/chat", json={"message": "중"}, headers=stack.headers(**SESSION)
        )
        took = time.monotonic() - began
    assert down.status_code == 503
    assert took < 1.0
